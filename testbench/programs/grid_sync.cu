/* A cooperative launch: all blocks of the grid meet at a barrier, so that one launch
 * does what otherwise takes one launch for each step. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cg = cooperative_groups;

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { BLOCK = 64, STEPS = 6 };

/* In each step every element becomes the sum of its two neighbours in the ring. */
__global__ void ring(int *from, int *to, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();

    for (int step = 0; step < STEPS; step++) {
        to[i] = from[(i + 1) % n] + from[(i + n - 1) % n];
        grid.sync(); /* also those of the other blocks are written now */
        int *other = from;

        from = to;
        to = other;
    }
}

int main()
{
    int device = 0, can, most, multiprocessors, blocks;

    check(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                 device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, ring, BLOCK, 0));
    printf("cooperative launches: %s\n", can ? "yes" : "no");
    /* All blocks must be on the device at once. */
    blocks = most * multiprocessors < 8 ? most * multiprocessors : 8;

    int n = blocks * BLOCK, *from, *to, wrong = 0;
    int *h = (int *)calloc(n, sizeof(int)), *expected = (int *)calloc(n, sizeof(int)),
        *other = (int *)calloc(n, sizeof(int));
    void *arguments[] = {&from, &to, &n};

    expected[n / 2] = 1;
    check(cudaMalloc(&from, n * sizeof(int)));
    check(cudaMalloc(&to, n * sizeof(int)));
    check(cudaMemcpy(from, expected, n * sizeof(int), cudaMemcpyHostToDevice));
    check(cudaLaunchCooperativeKernel((const void *)ring, dim3(blocks), dim3(BLOCK),
                                      arguments, 0, 0));
    check(cudaMemcpy(h, from, n * sizeof(int), cudaMemcpyDeviceToHost));

    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < n; i++) {
            other[i] = expected[(i + 1) % n] + expected[(i + n - 1) % n];
        }
        std::swap(expected, other);
    }
    for (int i = 0; i < n; i++) {
        wrong += h[i] != expected[i];
    }
    printf("%d errors; around the middle: %d %d %d %d %d\n", wrong, h[n / 2 - 4],
           h[n / 2 - 2], h[n / 2], h[n / 2 + 2], h[n / 2 + 4]);

    /* A grid that cannot be there at once is refused. */
    cudaError_t error = cudaLaunchCooperativeKernel((const void *)ring,
                                                    dim3(most * multiprocessors + 1),
                                                    dim3(BLOCK), arguments, 0, 0);
    printf("one block too many: %s\n", cudaGetErrorName(error));
    return 0;
}
