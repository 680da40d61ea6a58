/* Turns an array round, tile by tile, with two buffers: the next tile is copied to
 * shared memory while this one is read (cp.async, from capability 8.0 on). */
#include <cuda_pipeline.h>

enum { WORDS = 128 }; /* of a tile; a thread copies 4 of them */

__device__ static void fetch(int (*buf)[WORDS], const int *in, int tile)
{
    int at = threadIdx.x * 4;

    __pipeline_memcpy_async(&buf[tile % 2][at], in + tile * WORDS + at, 16);
}

extern "C" __global__ void reverseTiles(int *out, const int *in, int tiles)
{
    __shared__ __align__(16) int buf[2][WORDS];

    fetch(buf, in, 0);
    __pipeline_commit();
    for (int i = 0; i < tiles; i++) {
        if (i + 1 < tiles) {
            fetch(buf, in, i + 1);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int k = threadIdx.x; k < WORDS; k += blockDim.x) {
            out[(tiles - 1 - i) * WORDS + k] = buf[i % 2][WORDS - 1 - k];
        }
        __syncthreads();
    }
}
