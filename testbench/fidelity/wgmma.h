/* wgmma.h - what the programs that measure wgmma share. */
#ifndef WGMMA_H
#define WGMMA_H
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define DRAW_FN static __host__ __device__ inline
#include "../../model/isa/wgmma_draw_test.h"
#include "wgmma_forms.inc"

#define CHECK(x)                                                                       \
    do {                                                                               \
        cudaError_t e_ = (x);                                                          \
        if (e_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
                    cudaGetErrorString(e_));                                           \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

__device__ inline void fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ inline void drain()
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ inline void publish()
{
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
}
#endif
