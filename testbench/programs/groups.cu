/* Cooperative groups: blocks, tiles of a warp and the threads that happen to be
 * together as objects that know their size, rank and barrier. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* The sum over a group whose size is known to the compiler */
template <int SIZE>
__device__ int sum(const cg::thread_block_tile<SIZE> &tile, int value)
{
    for (int k = SIZE / 2; k > 0; k /= 2) {
        value += tile.shfl_down(value, k);
    }
    return value;
}

template <int SIZE> __global__ void sums(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<SIZE> tile = cg::tiled_partition<SIZE>(block);
    int total = sum<SIZE>(tile, in[block.thread_rank()]);

    if (tile.thread_rank() == 0) {
        out[block.thread_rank() / SIZE] = total;
    }
}

/* Numbers for the odd elements: one atomic addition for all threads that came here. */
__global__ void number(const int *in, int *next, int *out)
{
    int i = cg::this_thread_block().thread_rank(), base = 0;

    out[i] = -1;
    if (in[i] % 2 == 1) {
        cg::coalesced_group together = cg::coalesced_threads();

        if (together.thread_rank() == 0) {
            base = atomicAdd(next, together.size());
        }
        out[i] = together.shfl(base, 0) + together.thread_rank();
    }
}

int main()
{
    const int n = 64;
    int h[n], result[n], *in, *out, *next, count, wrong = 0;

    for (int i = 0; i < n; i++) {
        h[i] = i * i % 10;
    }
    check(cudaMalloc(&in, sizeof h));
    check(cudaMalloc(&out, sizeof h));
    check(cudaMalloc(&next, sizeof(int)));
    check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));

    sums<32><<<1, n>>>(in, out);
    check(cudaMemcpy(result, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("tiles of 32: %d %d\n", result[0], result[1]);
    sums<16><<<1, n>>>(in, out);
    check(cudaMemcpy(result, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("tiles of 16: %d %d %d %d\n", result[0], result[1], result[2], result[3]);

    check(cudaMemset(next, 0, sizeof(int)));
    number<<<1, n>>>(in, next, out);
    check(cudaMemcpy(result, out, sizeof h, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(&count, next, sizeof count, cudaMemcpyDeviceToHost));
    bool seen[n] = {};
    for (int i = 0; i < n; i++) {
        bool odd = h[i] % 2 == 1;

        wrong += odd != (result[i] >= 0);
        if (odd && result[i] >= 0 && result[i] < n) {
            wrong += seen[result[i]];
            seen[result[i]] = true;
        }
    }
    printf("numbered: %d, %d errors\n", count, wrong);
    return 0;
}
