/* Bitonic sort: steps of up to a block's elements in shared memory, longer ones a
 * launch each in global memory. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { BLOCK = 256, N = 4096 };

__device__ void order(unsigned &a, unsigned &b, bool up)
{
    if ((a > b) == up) {
        unsigned t = a;

        a = b;
        b = t;
    }
}

/* Exchanges at distance k, in runs of 2 * run elements that alternate in direction */
__global__ void global(unsigned *keys, int k, int run)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i / k * 2 * k + i % k;

    order(keys[at], keys[at + k], (at & run) == 0);
}

/* The same for all distances that stay within what a block holds; two elements a
 * thread. from and to: the first and the last run */
__global__ void shared(unsigned *keys, int from, int to)
{
    __shared__ unsigned s[2 * BLOCK];
    int first = blockIdx.x * 2 * BLOCK, t = threadIdx.x;

    s[t] = keys[first + t];
    s[t + BLOCK] = keys[first + t + BLOCK];
    for (int run = from; run <= to; run *= 2) {
        for (int k = min(run / 2, (int)BLOCK); k > 0; k /= 2) {
            int at = t / k * 2 * k + t % k;

            __syncthreads();
            order(s[at], s[at + k], ((first + at) & run) == 0);
        }
    }
    __syncthreads();
    keys[first + t] = s[t];
    keys[first + t + BLOCK] = s[t + BLOCK];
}

int main()
{
    std::vector<unsigned> h(N), result(N);
    unsigned *keys, seed = 7;
    const int blocks = N / (2 * BLOCK);

    for (unsigned &key : h) {
        seed = seed * 1664525 + 1013904223;
        key = seed >> 8;
    }
    check(cudaMalloc(&keys, N * sizeof(unsigned)));
    check(cudaMemcpy(keys, h.data(), N * sizeof(unsigned), cudaMemcpyHostToDevice));
    shared<<<blocks, BLOCK>>>(keys, 2, 2 * BLOCK);
    for (int run = 4 * BLOCK; run <= N; run *= 2) {
        for (int k = run / 2; k > BLOCK; k /= 2) {
            global<<<blocks, BLOCK>>>(keys, k, run);
        }
        shared<<<blocks, BLOCK>>>(keys, run, run);
    }
    check(cudaGetLastError());
    check(
        cudaMemcpy(result.data(), keys, N * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(h.begin(), h.end());
    printf("%s: %u %u ... %u\n", result == h ? "sorted" : "NOT sorted", result[0],
           result[1], result[N - 1]);
    return 0;
}
