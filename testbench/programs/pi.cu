/* Pi by throwing darts: every thread has a generator of its own, blocks count their
 * hits, and 64 bits hold the sum. */
#include <cmath>
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

enum { BLOCKS = 16, BLOCK = 128, DARTS = 40 };

/* Any two seeds give sequences that have nothing to do with each other. */
__device__ unsigned scrambled(unsigned v)
{
    v = (v ^ 61) ^ (v >> 16);
    v *= 9;
    v ^= v >> 4;
    v *= 0x27d4eb2d;
    return v ^ (v >> 15);
}

/* The next number of xorshift32, as a fraction below 1 */
__device__ float next(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (*state >> 8) * (1.0f / (1 << 24));
}

__global__ void throwDarts(unsigned long long *hits)
{
    unsigned state = scrambled(blockIdx.x * BLOCK + threadIdx.x + 1);
    __shared__ unsigned mine;

    if (threadIdx.x == 0) {
        mine = 0;
    }
    __syncthreads();
    for (int k = 0; k < DARTS; k++) {
        float x = next(&state), y = next(&state);

        if (x * x + y * y < 1) {
            atomicAdd(&mine, 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(hits, (unsigned long long)mine);
    }
}

int main()
{
    const double darts = (double)BLOCKS * BLOCK * DARTS;
    unsigned long long h, *hits;

    check(cudaMalloc(&hits, sizeof h));
    check(cudaMemset(hits, 0, sizeof h));
    throwDarts<<<BLOCKS, BLOCK>>>(hits);
    check(cudaGetLastError());
    check(cudaMemcpy(&h, hits, sizeof h, cudaMemcpyDeviceToHost));
    double pi = 4 * h / darts, sigma = 4 * sqrt(M_PI / 4 * (1 - M_PI / 4) / darts);

    printf("%.0f darts: pi is about %.2f, %s\n", darts, pi,
           fabs(pi - M_PI) < 3 * sigma ? "as good as can be expected"
                                       : "which is wrong");
    return 0;
}
