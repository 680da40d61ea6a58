/* Atomics: one counter for all, a maximum, additions of doubles by compare and swap,
 * and a lock around what no atomic can do. */
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

enum { BLOCKS = 16, BLOCK = 64 };

struct results {
    unsigned count;
    int highest, lock, changes;
    double sum;
    double mean; /* of the blocks that were here, kept under the lock */
};

/* As devices below 6.0 must add doubles: try until nobody came between. */
__device__ void addDouble(double *to, double value)
{
    unsigned long long *bits = (unsigned long long *)to, old = *bits, assumed;

    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(__longlong_as_double(assumed) + value));
    } while (old != assumed);
}

__global__ void work(results *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&r->count, 1);
    atomicMax(&r->highest, i * 37 % 1001);
    if (threadIdx.x % 32 == 0) {
        addDouble(&r->sum, i * 0.5);
    }
    /* One thread of each block: threads of one warp would wait for each other. */
    if (threadIdx.x == 0) {
        volatile results *v = r; /* every access goes to memory */

        while (atomicCAS(&r->lock, 0, 1) != 0) {
        }
        __threadfence();
        v->mean = (v->mean * v->changes + blockIdx.x) / (v->changes + 1);
        v->changes = v->changes + 1;
        __threadfence(); /* what was written is seen before the lock is free */
        atomicExch(&r->lock, 0);
    }
}

int main()
{
    results h = {}, *r;
    int highest = 0;
    double sum = 0;

    check(cudaMalloc(&r, sizeof h));
    check(cudaMemcpy(r, &h, sizeof h, cudaMemcpyHostToDevice));
    work<<<BLOCKS, BLOCK>>>(r);
    check(cudaGetLastError());
    check(cudaMemcpy(&h, r, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS * BLOCK; i++) {
        highest = i * 37 % 1001 > highest ? i * 37 % 1001 : highest;
        sum += i % 32 == 0 ? i * 0.5 : 0;
    }
    printf("counted %u of %d\n", h.count, BLOCKS * BLOCK);
    printf("highest %d, expected %d\n", h.highest, highest);
    printf("sum %.1f, expected %.1f\n", h.sum, sum);
    printf("changes under the lock %d, mean %.3f\n", h.changes, h.mean);
    return 0;
}
