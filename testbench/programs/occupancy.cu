/* How many blocks of a kernel a multiprocessor holds, what limits them, and the block
 * size that the runtime proposes. */
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

__global__ void light(float *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

/* 16 KiB of shared memory a block */
__global__ void heavy(float *p)
{
    __shared__ float s[4096];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    s[threadIdx.x] = p[i];
    __syncthreads();
    p[i] = s[blockDim.x - 1 - threadIdx.x];
}

static void show(const char *name, void (*kernel)(float *))
{
    cudaFuncAttributes facts;

    check(cudaFuncGetAttributes(&facts, kernel));
    printf("%s: %zu bytes of shared memory, %d threads a block at most\n", name,
           facts.sharedSizeBytes, facts.maxThreadsPerBlock);
    for (int block = 32; block <= 1024; block *= 2) {
        int blocks;

        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0));
        printf("  %4d threads: %2d blocks, %4d threads\n", block, blocks,
               blocks * block);
    }
}

int main()
{
    int grid, block;

    show("light", light);
    show("heavy", heavy);
    check(cudaOccupancyMaxPotentialBlockSize(&grid, &block, light));
    printf("proposed for light: blocks of %d threads, at least %d of them\n", block,
           grid);
    /* What the launch asks for counts too. */
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&grid, light, 128, 40 << 10));
    printf("light with 40 KiB for the launch: %d blocks\n", grid);
    return 0;
}
