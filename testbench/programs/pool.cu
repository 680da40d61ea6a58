/* Memory that is allocated and freed in the order of a stream: what a pool gives back
 * is used again without the host waiting. */
#include <cstdio>
#include <cstdlib>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { N = 1024 };

__global__ void iota(int *p, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    p[i] = first + i;
}

__global__ void accumulate(int *sum, const int *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    sum[i] += p[i];
}

int main()
{
    const size_t bytes = N * sizeof(int);
    int h[N], *sum, wrong = 0, supported;
    cudaStream_t stream;

    check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    printf("pools: %s\n", supported ? "yes" : "no");
    check(cudaStreamCreate(&stream));
    check(cudaMallocAsync(&sum, bytes, stream));
    check(cudaMemsetAsync(sum, 0, bytes, stream));
    for (int round = 0; round < 4; round++) {
        int *scratch; /* lives between two points of the stream */

        check(cudaMallocAsync(&scratch, bytes, stream));
        iota<<<N / 256, 256, 0, stream>>>(scratch, round);
        accumulate<<<N / 256, 256, 0, stream>>>(sum, scratch);
        check(cudaFreeAsync(scratch, stream));
    }
    check(cudaMemcpyAsync(h, sum, bytes, cudaMemcpyDeviceToHost, stream));
    check(cudaFreeAsync(sum, stream));
    check(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++) {
        wrong += h[i] != 4 * i + 6;
    }
    printf("%d errors, last %d\n", wrong, h[N - 1]);
    check(cudaStreamDestroy(stream));
    return 0;
}
