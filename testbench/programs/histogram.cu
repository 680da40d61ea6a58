/* How often each byte occurs: by atomic additions in global memory, and by a histogram
 * of each block in shared memory first, which is where most of the meetings then take
 * place. */
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

enum { BINS = 256 };

__global__ void global(const unsigned char *text, int n, unsigned *bins)
{
    int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&bins[text[i]], 1);
    }
}

__global__ void shared(const unsigned char *text, int n, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    int stride = gridDim.x * blockDim.x;

    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        mine[b] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        atomicAdd(&mine[text[i]], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        atomicAdd(&bins[b], mine[b]);
    }
}

int main()
{
    const int n = 20000;
    static unsigned char text[n];
    unsigned expected[BINS] = {0}, counted[BINS], *bins, seed = 1;
    unsigned char *dtext;

    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (seed >> 24) & (seed >> 16); /* some bytes are much more frequent */
        expected[text[i]]++;
    }
    check(cudaMalloc(&dtext, n));
    check(cudaMalloc(&bins, sizeof counted));
    check(cudaMemcpy(dtext, text, n, cudaMemcpyHostToDevice));
    for (int form = 0; form < 2; form++) {
        int wrong = 0;

        check(cudaMemset(bins, 0, sizeof counted));
        (form == 0 ? global : shared)<<<8, 256>>>(dtext, n, bins);
        check(cudaGetLastError());
        check(cudaMemcpy(counted, bins, sizeof counted, cudaMemcpyDeviceToHost));
        for (int b = 0; b < BINS; b++) {
            wrong += counted[b] != expected[b];
        }
        printf("%s: %d wrong bins, %u zeros\n", form == 0 ? "global" : "shared", wrong,
               counted[0]);
    }
    return 0;
}
