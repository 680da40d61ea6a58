// Three launches that differ: shared memory and an atomic, a pointer inside a buffer, and
// the first once more. Prints what came of it; the exit code is its first argument.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int counter = 5;
__constant__ int twice = 2;

struct list {
    int *data;
    int n;
};

__global__ void fill(int *d, int n, float f)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = t;
    __syncthreads();
    d[blockIdx.x * 64 + t] = s[63 - t] * twice + n + (int)f;
    if (t == 0) {
        atomicAdd(&counter, 1);
    }
}

__global__ void walk(list *l)
{
    if (threadIdx.x < l->n) {
        l->data[threadIdx.x] += 1;
    }
}

int main(int argc, char **argv)
{
    int h[256] = {0}, *d, *before;
    list l, *at;

    cudaMalloc(&before, 1000);
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&at, sizeof l);
    cudaMemset(d, 0, sizeof h);
    cudaMemcpy(before, h, 1000, cudaMemcpyHostToDevice);
    fill<<<4, 64>>>(d, 3, 1.5f);
    l.data = d;
    l.n = 7;
    cudaMemcpy(at, &l, sizeof l, cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(at);
    fill<<<4, 64>>>(d, 4, 2.5f);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", h[0], h[255], cudaGetErrorString(cudaGetLastError()));
    return argc > 1 ? atoi(argv[1]) : 0;
}
