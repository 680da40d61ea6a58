// Blocks of a cluster read, write and add to each other's shared memory, and send each
// other words by mbarriers. Blocks of 128 threads, ping of 32.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
typedef unsigned int u32;

// Each block takes the words of the next one to where they belong, and adds its thread
// numbers to a sum of the first one.
extern "C" __global__ void ring(u32 *out, u32 *sums)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ u32 own[128], sum;

    own[threadIdx.x] = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    c.sync();
    u32 next = (c.block_rank() + 1) % c.num_blocks();
    u32 at = blockIdx.x - c.block_rank() + next;
    out[at * 128 + threadIdx.x] = c.map_shared_rank(own, next)[threadIdx.x];
    atomicAdd(c.map_shared_rank(&sum, 0), threadIdx.x);
    c.sync();
    if (c.thread_rank() == 0) {
        sums[blockIdx.x / c.num_blocks()] = sum;
    }
}

// Each thread writes to a block of its own.
extern "C" __global__ void scatter(u32 *out)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ u32 box[128];
    u32 to = (c.block_rank() + threadIdx.x) % c.num_blocks();
    u32 at = blockIdx.x - c.block_rank() + to;

    c.sync();
    c.map_shared_rank(box, to)[threadIdx.x] = at * 128 + threadIdx.x;
    c.sync();
    out[blockIdx.x * 128 + threadIdx.x] = box[threadIdx.x];
}

// Two blocks send each other a word in turn: 0, 11, 31 and 62.
extern "C" __global__ void __cluster_dims__(2, 1, 1) ping(u32 *out)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ unsigned long long bar;
    __shared__ u32 word;
    u32 b = (u32)__cvta_generic_to_shared(&bar), peer, r = c.block_rank();

    if (threadIdx.x == 0) {
        word = 0;
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    }
    c.sync();
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(b), "r"(r ^ 1));
    for (u32 i = 0; threadIdx.x == 0 && i < 4; i++) {
        if (r == (i & 1)) {
            *c.map_shared_rank(&word, r ^ 1) = 10 * i + r + word;
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::
                             "r"(peer) : "memory");
        } else {
            asm volatile("{ .reg .pred p;\n"
                         "W%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                         "p, [%0], %1;\n@!p bra W%=; }" ::"r"(b), "r"(i / 2) : "memory");
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = word + (r == 0 ? 38 : 69);
    }
    c.sync();
}
