/* assert() in kernels: the text names file, line and thread, the device is lost to the
 * program, and every later call says so. The text goes to standard error. */
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void positive(const int *in, int *out)
{
    int i = threadIdx.x;

    assert(in[i] > 0);
    out[i] = 100 / in[i];
}

int main()
{
    int h[4] = {1, 2, 5, 10}, *in, *out;
    cudaError_t error;

    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    positive<<<1, 4>>>(in, out);
    printf("all positive: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);

    h[2] = 0;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    positive<<<1, 4>>>(in, out);
    error = cudaDeviceSynchronize();
    printf("one is not: %s, %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    error = cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("a copy after it: %s\n", cudaGetErrorName(error));
    return 0;
}
