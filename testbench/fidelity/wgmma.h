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
#include "../../model/isa/mma_draw_test.h"
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
/* Addresses and offsets in bytes; swizzle: 0 none, 1 128, 2 64, 3 32 bytes. */
__host__ __device__ inline uint64_t descriptor(unsigned at, unsigned lead, unsigned stride,
                                               unsigned base, unsigned swizzle)
{
    return (uint64_t)(at >> 4 & 0x3fff) | (uint64_t)(lead >> 4 & 0x3fff) << 16 |
           (uint64_t)(stride >> 4 & 0x3fff) << 32 | (uint64_t)base << 49 |
           (uint64_t)swizzle << 62;
}

/* A case of the layouts and patterns: where an operand is said to lie. */
struct place {
    unsigned of_a, turned, swizzle, at, lead, stride, base;
};
enum { PLACES = 512 };
static inline place draw_place(unsigned i)
{
    place p;
    uint64_t h = draw_hash(i + 1000);
    const unsigned row[4] = {16, 128, 64, 32};

    p.of_a = i & 1;
    p.turned = i >> 1 & 1;
    p.swizzle = i >> 2 & 3;
    const unsigned tidy = i >> 4 & 3; /* 0: as documented, 1: and moved, 2, 3: anything */
    p.at = tidy == 0 ? (unsigned)(h % 32) * 1024 : (unsigned)(h % 2048) * 16;
    h = draw_hash(h);
    const unsigned line = row[p.swizzle] * 8;
    if (tidy <= 1) {
        p.lead = (unsigned)(1 + h % 4) * line;
        p.stride = (unsigned)(1 + (h >> 8) % 4) * line;
    } else {
        p.lead = (unsigned)(h % 512) * 16;
        p.stride = (unsigned)((h >> 16) % 512) * 16;
    }
    p.base = tidy == 3 ? (unsigned)(h >> 40) & 7 : 0;
    return p;
}
#endif
