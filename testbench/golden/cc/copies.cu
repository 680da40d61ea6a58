/* The bulk copies of <cuda/barrier>, each used once. */
#include <cuda.h>
#include <cuda/barrier>

namespace cde = cuda::device::experimental;

__global__ void copies(const CUtensorMap *map, int *p)
{
    __shared__ __align__(128) int s[1024];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;

    init(&bar, 1);
    cde::fence_proxy_async_shared_cta();
    cde::cp_async_bulk_global_to_shared(s, p, sizeof(s), bar);
    cde::cp_async_bulk_tensor_1d_global_to_shared(s, map, 1, bar);
    cde::cp_async_bulk_tensor_2d_global_to_shared(s, map, 1, 2, bar);
    cde::cp_async_bulk_tensor_3d_global_to_shared(s, map, 1, 2, 3, bar);
    cde::cp_async_bulk_tensor_4d_global_to_shared(s, map, 1, 2, 3, 4, bar);
    cde::cp_async_bulk_tensor_5d_global_to_shared(s, map, 1, 2, 3, 4, 5, bar);
    cuda::device::barrier_expect_tx(bar, 5 * sizeof(s));
    bar.wait(cuda::device::barrier_arrive_tx(bar, 1, sizeof(s)));
    cde::cp_async_bulk_shared_to_global(p, s, sizeof(s));
    cde::cp_async_bulk_tensor_1d_shared_to_global(map, 1, s);
    cde::cp_async_bulk_tensor_2d_shared_to_global(map, 1, 2, s);
    cde::cp_async_bulk_tensor_3d_shared_to_global(map, 1, 2, 3, s);
    cde::cp_async_bulk_tensor_4d_shared_to_global(map, 1, 2, 3, 4, s);
    cde::cp_async_bulk_tensor_5d_shared_to_global(map, 1, 2, 3, 4, 5, s);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
}
