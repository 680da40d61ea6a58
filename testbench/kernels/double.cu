/* Double precision: a polynomial by Horner's rule, roots by Newton's method with IEEE
 * division, a dot product over shuffles and shared memory. */
__global__ void horner(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double v = x[i], r = 0x1.0p-7;

        r = fma(r, v, -0.375);
        r = fma(r, v, 1.0 / 3);
        r = fma(r, v, -2.5);
        r = fma(r, v, 0.1);
        y[i] = r;
    }
}

__global__ void newton_roots(const double *x, double *root, double *inverse, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double v = fabs(x[i]) + 0.5, r = v;

        for (int k = 0; k < 12; k++) {
            double next = 0.5 * __dadd_rn(r, v / r);

            if (next == r) {
                break;
            }
            r = next;
        }
        root[i] = r - sqrt(v);
        inverse[i] = __drcp_rz(v) - __drcp_ru(v);
    }
}

__global__ void dot(const double *a, const double *b, double *sums, int n)
{
    __shared__ double part[32];
    double sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum = fma(a[i], b[i], sum);
    }
    for (int d = 16; d > 0; d >>= 1) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    }
    if (threadIdx.x % 32 == 0) {
        part[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < (blockDim.x + 31) / 32; w++) {
            sum += part[w];
        }
        sums[blockIdx.x] = sum;
    }
}
