/* Mathematics, the accurate functions and the fast ones. */
__global__ void accurate(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float v = x[i], p = fabsf(v) + 0.01f;

        out[i * 8 + 0] = sinf(v);
        out[i * 8 + 1] = cosf(v * 1000);
        out[i * 8 + 2] = expf(-p);
        out[i * 8 + 3] = logf(p);
        out[i * 8 + 4] = sqrtf(p);
        out[i * 8 + 5] = rsqrtf(p);
        out[i * 8 + 6] = tanhf(v);
        out[i * 8 + 7] = powf(p, 0.3f);
    }
}

__global__ void fast(const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float v = x[i], p = fabsf(v) + 0.01f;

        out[i * 8 + 0] = __sinf(v);
        out[i * 8 + 1] = __cosf(v);
        out[i * 8 + 2] = __expf(-p);
        out[i * 8 + 3] = __logf(p);
        out[i * 8 + 4] = __fdividef(v, p);
        out[i * 8 + 5] = __frcp_rn(p);
        out[i * 8 + 6] = __log2f(p);
        out[i * 8 + 7] = __saturatef(v);
    }
}

/* IEEE to the last bit, in all rounding modes */
__global__ void rounding(const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        float a = x[i], b = y[i];

        out[i * 12 + 0] = __fadd_rz(a, b);
        out[i * 12 + 1] = __fadd_ru(a, b);
        out[i * 12 + 2] = __fmul_rd(a, b);
        out[i * 12 + 3] = __fmul_rz(a, b);
        out[i * 12 + 4] = __fmaf_rn(a, b, -a * b);
        out[i * 12 + 5] = __fmaf_ru(a, b, a);
        out[i * 12 + 6] = __fdiv_rd(a, b);
        out[i * 12 + 7] = a / b;
        out[i * 12 + 8] = __fsqrt_ru(fabsf(a));
        out[i * 12 + 9] = __frcp_rz(b);
        out[i * 12 + 10] = rintf(a * 8) + truncf(b * 8) + floorf(a) + ceilf(b);
        out[i * 12 + 11] = (float)(__float2int_rd(a * 100) + __float2int_ru(b * 100)) +
                           __int2float_rz(__float_as_int(a));
    }
}
