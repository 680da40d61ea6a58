// A table with open addressing filled by 64-bit compare-and-swap, then looked up.
#include <stdint.h>
__global__ void insert(unsigned long long *slots, unsigned mask, const uint32_t *keys,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    uint32_t key = keys[i] | 1, at = key * 2654435761u >> 7;
    for (;; at++) {
        unsigned long long seen = slots[at & mask];
        if (seen == 0) {
            seen =
                atomicCAS(slots + (at & mask), 0ull, (unsigned long long)key << 32 | 1);
            if (seen == 0) {
                break;
            }
        }
        if (seen >> 32 == key) {
            atomicAdd(slots + (at & mask), 1ull);
            break;
        }
    }
}
__global__ void lookup(const unsigned long long *slots, unsigned mask, uint32_t *counts,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t key = i * 2 + 1, at = key * 2654435761u >> 7, c = 0;
    if (i < n) {
        while (slots[at & mask] != 0) {
            if (slots[at & mask] >> 32 == key) {
                c = (uint32_t)slots[at & mask];
                break;
            }
            at++;
        }
        counts[i] = c;
    }
}
__global__ void small(unsigned *words, unsigned short *halves, unsigned *olds)
{
    int t = threadIdx.x;
    olds[t] = atomicInc(words, 17) < 18;
    atomicDec(words + 1, 9);
    atomicExch(words + 2, 77);
    atomicSub(words + 3, t);
    atomicAnd(words + 4, ~(1u << (t & 31)));
    atomicOr(words + 5, t);
    atomicXor(words + 6, t * t);
    atomicMax((int *)words + 7, t - 50);
    atomicCAS_block(words + 8, 0u, 5u);
    atomicAdd_system(words + 9, 3u);
    unsigned short old = halves[t & 3], seen;
    do {
        seen = old;
        old = atomicCAS(halves + (t & 3), seen, (unsigned short)(seen + t));
    } while (old != seen);
}
