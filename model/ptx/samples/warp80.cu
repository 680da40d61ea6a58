// What came with compute capability 8.0.
#include <cooperative_groups.h>
__global__ void reduce80(int *p, unsigned *u)
{
    int t = threadIdx.x;

    p[0] = __reduce_add_sync(~0u, p[t]) + __reduce_min_sync(~0u, p[t + 1]);
    u[0] = __reduce_max_sync(~0u, u[t]) + __reduce_and_sync(~0u, u[1]) +
           __reduce_or_sync(~0u, u[2]) + __reduce_xor_sync(~0u, u[3]);
}
__global__ void groups(int *p)
{
    namespace cg = cooperative_groups;
    auto b = cg::this_thread_block();
    auto w = cg::tiled_partition<16>(b);

    p[b.thread_rank()] = w.shfl_down(p[0], 3) + w.any(p[2]);
    b.sync();
    w.sync();
    p[1] = w.ballot(p[3]);
}
