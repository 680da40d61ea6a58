/* y += a * x: the kernel of one's own in the manual. */
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        y[i] += a * x[i];
    }
}
