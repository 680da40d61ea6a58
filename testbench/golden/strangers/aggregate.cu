// Filters that take room once for a warp; the places differ by luck, what lands
// does not.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int take(int *n)
{
    auto g = cg::coalesced_threads();
    int at = 0;
    if (g.thread_rank() == 0) {
        at = atomicAdd(n, (int)g.size());
    }
    return g.shfl(at, 0) + g.thread_rank();
}
__global__ void filter(const unsigned *in, int n, unsigned *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (in[i] % 3 == 1) {
        out[take(count)] = in[i];
    } else if (in[i] % 5 == 0) {
        out[take(count)] = ~in[i];
    }
}
__global__ void by_hand(const unsigned *in, int n, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned m = __match_any_sync(__activemask(), in[i] % 11);
        if ((threadIdx.x & 31) == __ffs(m) - 1) {
            atomicAdd(bins + in[i] % 11, __popc(m));
        }
    }
}
__global__ void digest(const unsigned *out, const int *count, unsigned long long *d)
{
    for (int i = threadIdx.x; i < *count; i += blockDim.x) {
        atomicAdd(d, (unsigned long long)out[i] * out[i]);
        atomicXor(d + 1, (unsigned long long)out[i] << (out[i] & 31));
    }
}
