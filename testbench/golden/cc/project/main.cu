#include "answer.h"
#include <cstdio>

extern __device__ int twice(int v);
extern __device__ int rest;

__global__ void answer(int *p)
{
    *p = twice(HALF) + rest;
}

int main()
{
    int *device, result = 0, two = 2;

    cudaMemcpyToSymbol(rest, &two, sizeof(two));
    cudaMalloc(&device, sizeof(int));
    answer<<<1, 1>>>(device);
    cudaMemcpy(&result, device, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result != 42;
}
