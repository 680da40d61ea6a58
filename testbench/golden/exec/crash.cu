// Launches for ever (without arguments), or ends by a signal after one launch.
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void step(int *d)
{
    d[threadIdx.x] += 1;
}

int main(int argc, char **argv)
{
    int *d;

    cudaMalloc(&d, 4096);
    do {
        step<<<1, 32>>>(d);
        cudaDeviceSynchronize();
    } while (argc == 1);
    abort();
}
