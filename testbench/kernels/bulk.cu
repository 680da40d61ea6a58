// Bulk copies: lines of global memory come to shared memory and go back, are added to
// others there, and go from block to block of a cluster. Blocks of 128 threads.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
typedef unsigned int u32;

enum { WORDS = 1024, BYTES = 4 * WORDS };

static __device__ u32 at_shared(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

static __device__ void begin(unsigned long long *bar)
{
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at_shared(bar)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
}

static __device__ void expect(unsigned long long *bar, u32 bytes)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::
                     "r"(at_shared(bar)), "r"(bytes) : "memory");
}

static __device__ void await(unsigned long long *bar, u32 parity)
{
    asm volatile("{ .reg .pred p;\nW%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra W%=; }" ::"r"(at_shared(bar)), "r"(parity) : "memory");
}

static __device__ void load(void *to, const void *from, u32 bytes, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(at_shared(to)), "l"(from), "r"(bytes),
                 "r"(at_shared(bar)) : "memory");
}

static __device__ void publish()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

static __device__ void finish()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Two halves come, are doubled, and go to where they belong.
extern "C" __global__ void twice(const u32 *in, u32 *out)
{
    __shared__ __align__(128) u32 line[WORDS];
    __shared__ unsigned long long bar;

    in += blockIdx.x * WORDS;
    begin(&bar);
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(BYTES));
        expect(&bar, BYTES);
        load(line, in, BYTES / 2, &bar);
        load(line + WORDS / 2, in + WORDS / 2, BYTES / 2, &bar);
    }
    await(&bar, 0);
    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) {
        line[i] *= 2;
    }
    publish();
    if (threadIdx.x < 4) { // each a quarter
        u32 first = threadIdx.x * WORDS / 4;
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                         "l"(out + blockIdx.x * WORDS + first), "r"(at_shared(line + first)),
                     "r"(BYTES / 4) : "memory");
        finish();
    }
}

// All blocks add their lines to one; the smallest goes to another.
extern "C" __global__ void sum(u32 *out, float *real, u32 *least)
{
    __shared__ __align__(128) u32 line[WORDS];
    __shared__ __align__(128) float halves[WORDS];

    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) {
        line[i] = i + 10 * blockIdx.x + 1;
        halves[i] = 0.5f * (float)i;
    }
    publish();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::
                         "l"(out), "r"(at_shared(line)), "r"(BYTES) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::
                         "l"(real), "r"(at_shared(halves)), "r"(BYTES) : "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [%0], [%1], %2;" ::
                         "l"(least), "r"(at_shared(line)), "r"(BYTES) : "memory");
        finish();
    }
}

// Each block of a cluster sends its line to the next one, and adds it to that of the first.
extern "C" __global__ void __cluster_dims__(4, 1, 1) pass(u32 *out, u32 *sums)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ __align__(128) u32 own[WORDS], got[WORDS], all[WORDS];
    __shared__ unsigned long long bar, last;
    u32 next = (c.block_rank() + 1) % 4;

    begin(&bar);
    begin(&last);
    if (threadIdx.x == 0) {
        expect(&bar, BYTES);
        expect(&last, c.block_rank() == 0 ? 4 * BYTES : 0);
    }
    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) {
        own[i] = (blockIdx.x / 4 * 4 + next) * WORDS + i;
        all[i] = 0;
    }
    publish();
    c.sync();
    if (threadIdx.x == 0) {
        u32 to, at;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at_shared(got)), "r"(next));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(at_shared(&bar)), "r"(next));
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(to), "r"(at_shared(own)), "r"(BYTES), "r"(at)
                     : "memory");
        asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(at_shared(all)));
        asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(at_shared(&last)));
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
                     ".add.u32 [%0], [%1], %2, [%3];" ::"r"(to), "r"(at_shared(own)), "r"(BYTES),
                     "r"(at) : "memory");
    }
    await(&bar, 0);
    await(&last, 0);
    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) {
        out[blockIdx.x * WORDS + i] = got[i];
        if (c.block_rank() == 0) {
            sums[blockIdx.x / 4 * WORDS + i] = all[i];
        }
    }
    c.sync();
}

// The first block of a cluster has a line sent to all.
extern "C" __global__ void __cluster_dims__(4, 1, 1) spread(const u32 *in, u32 *out)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ __align__(128) u32 line[WORDS];
    __shared__ unsigned long long bar;

    begin(&bar);
    if (threadIdx.x == 0) {
        expect(&bar, BYTES);
    }
    c.sync();
    if (threadIdx.x == 0 && c.block_rank() == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at_shared(line)),
                     "l"(in + blockIdx.x / 4 * WORDS), "r"(BYTES), "r"(at_shared(&bar)),
                     "h"((unsigned short)15) : "memory");
    }
    await(&bar, 0);
    for (u32 i = threadIdx.x; i < WORDS; i += blockDim.x) {
        out[blockIdx.x * WORDS + i] = line[i] + (blockIdx.x - blockIdx.x / 4) * WORDS;
    }
    c.sync();
}
