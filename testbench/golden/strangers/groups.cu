// Cooperative groups: tiles of eight, reductions and scans of them, tiles of a
// predicate.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void groups(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    int t = block.thread_rank(), v = in[t], *o = out + t * 8;
    o[0] = cg::reduce(tile, v, cg::plus<int>());
    o[1] = cg::reduce(warp, v, cg::greater<int>());
    o[2] = cg::inclusive_scan(tile, v);
    o[3] = cg::exclusive_scan(tile, v, cg::bit_xor<int>());
    o[4] = tile.shfl_xor(v, 3) + tile.meta_group_rank() * 1000 + tile.ballot(v & 1);
    auto odd = cg::binary_partition(warp, v & 1);
    o[5] = odd.size() * 100 + odd.thread_rank();
    o[6] = cg::reduce(odd, v, cg::less<int>());
    o[7] = tile.any(v > 900) * 2 + warp.all(v > -1000) +
           (tile.match_any(v & 3) & 0xff) * 4;
    cg::sync(block);
}
