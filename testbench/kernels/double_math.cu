/* Double precision mathematics. */
__global__ void double_functions(const double *x, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        double v = x[i], p = fabs(v) + 0.01;

        out[i * 6 + 0] = sin(v);
        out[i * 6 + 1] = exp(-p);
        out[i * 6 + 2] = log(p);
        out[i * 6 + 3] = rsqrt(p);
        out[i * 6 + 4] = cbrt(v);
        out[i * 6 + 5] = atan2(v, p);
    }
}
