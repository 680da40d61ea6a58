/*
 * cooperative_groups.h - groups of threads: blocks, grids, tiles of a warp and the
 * threads that are together, with what they do in common. Meanings: CUDA C++
 * Programming Guide, "Cooperative Groups". Not here: tiles of several warps, groups of
 * several grids.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_H
#define SMWAVE_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)
#define SMW_CG __inline__ __attribute__((device, always_inline))

namespace cooperative_groups
{

typedef unsigned long long smw_cg_size;

namespace details
{

SMW_CG unsigned smw_lane()
{
    unsigned lane;

    __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

SMW_CG unsigned smw_lanes_below()
{
    unsigned mask;

    __asm__("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

SMW_CG unsigned smw_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

SMW_CG unsigned smw_threads()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

SMW_CG smw_cg_size smw_block()
{
    return ((smw_cg_size)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

SMW_CG smw_cg_size smw_blocks()
{
    return (smw_cg_size)gridDim.x * gridDim.y * gridDim.z;
}

/* size lanes from the one that begins the group of this lane; size: a power of 2 */
SMW_CG unsigned smw_mask(unsigned size)
{
    return (size >= 32 ? 0xffffffffu : (1u << size) - 1) << (smw_lane() & ~(size - 1));
}

/* A value of any type goes through the shuffles in words. */
template <class T, class F> SMW_CG T smw_by_words(T v, F shuffle)
{
    enum { N = (sizeof(T) + 3) / 4 };
    int word[N] = {0};

    __builtin_memcpy(word, &v, sizeof(T));
    _Pragma("unroll") for (int i = 0; i < N; i++)
    {
        word[i] = shuffle(word[i]);
    }
    __builtin_memcpy((void *)&v, word, sizeof(T));
    return v;
}

/* What grids wait at: how many blocks have come, and how often all had. */
static __device__ unsigned smw_grid_barrier[2];

} /* namespace details */

/* ---- any group ---- */

class thread_group
{
  protected:
    unsigned kind; /* 0: the block; 1: lanes of a warp; 2: the grid */
    unsigned mask, count, rank;

  public:
    SMW_CG thread_group(unsigned k = 1, unsigned m = 0, unsigned n = 0, unsigned r = 0)
        : kind(k), mask(m), count(n), rank(r)
    {
    }
    SMW_CG smw_cg_size size() const
    {
        return count;
    }
    SMW_CG smw_cg_size num_threads() const
    {
        return count;
    }
    SMW_CG smw_cg_size thread_rank() const
    {
        return rank;
    }
    SMW_CG bool is_valid() const
    {
        return true;
    }
    SMW_CG unsigned smw_lanes() const
    {
        return mask;
    }
    SMW_CG bool smw_is_block() const
    {
        return kind == 0;
    }
    SMW_CG void sync() const
    {
        if (kind == 0) {
            __syncthreads();
        } else {
            __syncwarp(mask);
        }
    }
};

/* ---- the block ---- */

class thread_block : public thread_group
{
  public:
    SMW_CG thread_block()
        : thread_group(0, 0xffffffffu, details::smw_threads(), details::smw_rank())
    {
    }
    static SMW_CG void sync()
    {
        __syncthreads();
    }
    static SMW_CG unsigned thread_rank()
    {
        return details::smw_rank();
    }
    static SMW_CG unsigned size()
    {
        return details::smw_threads();
    }
    static SMW_CG unsigned num_threads()
    {
        return details::smw_threads();
    }
    static SMW_CG dim3 group_index()
    {
        return blockIdx;
    }
    static SMW_CG dim3 thread_index()
    {
        return threadIdx;
    }
    static SMW_CG dim3 group_dim()
    {
        return blockDim;
    }
    static SMW_CG dim3 dim_threads()
    {
        return blockDim;
    }
};

SMW_CG thread_block this_thread_block()
{
    return thread_block();
}

/* ---- the grid ---- */

class grid_group
{
  public:
    static SMW_CG smw_cg_size size()
    {
        return details::smw_blocks() * details::smw_threads();
    }
    static SMW_CG smw_cg_size num_threads()
    {
        return size();
    }
    static SMW_CG smw_cg_size thread_rank()
    {
        return details::smw_block() * details::smw_threads() + details::smw_rank();
    }
    static SMW_CG smw_cg_size num_blocks()
    {
        return details::smw_blocks();
    }
    static SMW_CG smw_cg_size block_rank()
    {
        return details::smw_block();
    }
    static SMW_CG dim3 group_dim()
    {
        return gridDim;
    }
    static SMW_CG dim3 dim_blocks()
    {
        return gridDim;
    }
    static SMW_CG dim3 block_index()
    {
        return blockIdx;
    }
    static SMW_CG bool is_valid()
    {
        return true;
    }

    /* One thread of each block waits for the others; a launch that is not cooperative
     * may hang here, as on a card. */
    static SMW_CG void sync()
    {
        volatile unsigned *round = &details::smw_grid_barrier[1];
        unsigned before;

        __syncthreads();
        if (details::smw_rank() == 0) {
            before = *round;
            __threadfence();
            if (atomicAdd(&details::smw_grid_barrier[0], 1u) ==
                details::smw_blocks() - 1) {
                details::smw_grid_barrier[0] = 0;
                __threadfence();
                atomicAdd(&details::smw_grid_barrier[1], 1u);
            } else {
                while (*round == before) {
                }
            }
            __threadfence();
        }
        __syncthreads();
    }
};

SMW_CG grid_group this_grid()
{
    return grid_group();
}

/* ---- tiles of a warp ---- */

namespace details
{

/* What tile a tile is among those of its parent: tiles of a block, or of a tile. */
template <unsigned N, class Parent> struct smw_meta {
    static SMW_CG unsigned rank()
    {
        return smw_rank() / N;
    }
    static SMW_CG unsigned size()
    {
        return (smw_threads() + N - 1) / N;
    }
};

} /* namespace details */

template <unsigned N, class Parent = void> class thread_block_tile : public thread_group
{
    static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    SMW_CG thread_block_tile()
        : thread_group(1, details::smw_mask(N), N, details::smw_rank() & (N - 1))
    {
    }
    template <class Other>
    SMW_CG thread_block_tile(const thread_block_tile<N, Other> &) : thread_block_tile()
    {
    }
    static constexpr SMW_CG unsigned size()
    {
        return N;
    }
    static constexpr SMW_CG unsigned num_threads()
    {
        return N;
    }
    static SMW_CG unsigned thread_rank()
    {
        return details::smw_rank() & (N - 1);
    }
    static SMW_CG unsigned meta_group_rank()
    {
        return details::smw_meta<N, Parent>::rank();
    }
    static SMW_CG unsigned meta_group_size()
    {
        return details::smw_meta<N, Parent>::size();
    }
    SMW_CG void sync() const
    {
        __syncwarp(mask);
    }

#define SMW_CG_SHUFFLE(name, A)                                                        \
    template <class T> SMW_CG T name(T v, A a) const                                   \
    {                                                                                  \
        unsigned m = mask;                                                             \
                                                                                       \
        return details::smw_by_words(v, [=] __device__(int w) {                        \
            return __##name##_sync(m, w, a, (int)N);                                   \
        });                                                                            \
    }
    SMW_CG_SHUFFLE(shfl, int)
    SMW_CG_SHUFFLE(shfl_up, unsigned)
    SMW_CG_SHUFFLE(shfl_down, unsigned)
    SMW_CG_SHUFFLE(shfl_xor, int)
#undef SMW_CG_SHUFFLE

    SMW_CG int any(int p) const
    {
        return __any_sync(mask, p);
    }
    SMW_CG int all(int p) const
    {
        return __all_sync(mask, p);
    }
    SMW_CG unsigned ballot(int p) const
    {
        return __ballot_sync(mask, p) >> (details::smw_lane() & ~(N - 1));
    }
    template <class T> SMW_CG unsigned match_any(T v) const
    {
        return __match_any_sync(mask, v) >> (details::smw_lane() & ~(N - 1));
    }
    template <class T> SMW_CG unsigned match_all(T v, int &all) const
    {
        return __match_all_sync(mask, v, &all) >> (details::smw_lane() & ~(N - 1));
    }
};

namespace details
{

template <unsigned N, unsigned M, class P> struct smw_meta<N, thread_block_tile<M, P>> {
    static SMW_CG unsigned rank()
    {
        return (smw_rank() & (M - 1)) / N;
    }
    static SMW_CG unsigned size()
    {
        return M / N;
    }
};

} /* namespace details */

template <unsigned N, class Group>
SMW_CG thread_block_tile<N, Group> tiled_partition(const Group &)
{
    return thread_block_tile<N, Group>();
}

/* ---- threads that are together ---- */

class coalesced_group : public thread_group
{
    unsigned meta_rank, meta_size;

    /* The lane of the group's k-th thread. */
    SMW_CG unsigned lane_of(unsigned k) const
    {
        return __fns(mask, 0, (int)k + 1);
    }
    /* Bits of lanes become bits of threads. */
    SMW_CG unsigned packed(unsigned lanes) const
    {
        unsigned r = 0;

        for (unsigned k = 0, m = mask; m != 0; m &= m - 1, k++) {
            r |= (lanes >> (unsigned)(__builtin_ctz(m)) & 1) << k;
        }
        return r;
    }

  public:
    SMW_CG coalesced_group(unsigned m, unsigned mr = 0, unsigned ms = 1)
        : thread_group(1, m, (unsigned)__builtin_popcount(m),
                       (unsigned)__builtin_popcount(m & details::smw_lanes_below())),
          meta_rank(mr), meta_size(ms)
    {
    }
    SMW_CG unsigned size() const
    {
        return count;
    }
    SMW_CG unsigned num_threads() const
    {
        return count;
    }
    SMW_CG unsigned thread_rank() const
    {
        return rank;
    }
    SMW_CG unsigned meta_group_rank() const
    {
        return meta_rank;
    }
    SMW_CG unsigned meta_group_size() const
    {
        return meta_size;
    }
    SMW_CG void sync() const
    {
        __syncwarp(mask);
    }

    template <class T> SMW_CG T shfl(T v, unsigned k) const
    {
        unsigned m = mask;
        int lane = (int)lane_of(k % count);

        return details::smw_by_words(v, [=] __device__(int w) {
            return __shfl_sync(m, w, lane, 32);
        });
    }
    template <class T> SMW_CG T shfl_down(T v, unsigned d) const
    {
        return shfl(v, rank + d < count ? rank + d : rank);
    }
    template <class T> SMW_CG T shfl_up(T v, unsigned d) const
    {
        return shfl(v, rank >= d ? rank - d : rank);
    }
    SMW_CG int any(int p) const
    {
        return __any_sync(mask, p);
    }
    SMW_CG int all(int p) const
    {
        return __all_sync(mask, p);
    }
    SMW_CG unsigned ballot(int p) const
    {
        return packed(__ballot_sync(mask, p));
    }
    template <class T> SMW_CG unsigned match_any(T v) const
    {
        return packed(__match_any_sync(mask, v));
    }
    template <class T> SMW_CG unsigned match_all(T v, int &all) const
    {
        return packed(__match_all_sync(mask, v, &all));
    }
};

SMW_CG coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

SMW_CG thread_group tiled_partition(const thread_group &parent, unsigned n)
{
    unsigned rank = (unsigned)parent.thread_rank();

    if (parent.smw_is_block()) {
        return thread_group(1, details::smw_mask(n), n, rank & (n - 1));
    }
    /* of lanes with gaps, the n that follow each other */
    unsigned lanes = parent.smw_lanes(), mask = 0;
    for (unsigned k = 0, m = lanes; m != 0; m &= m - 1, k++) {
        mask |= k / n == rank / n ? m & (0u - m) : 0;
    }
    return thread_group(1, mask, (unsigned)__builtin_popcount(mask), rank % n);
}

template <class Group> SMW_CG coalesced_group binary_partition(const Group &g, bool p)
{
    unsigned mask = g.smw_lanes(), yes = __ballot_sync(mask, p) & mask;

    return coalesced_group(p ? yes : mask & ~yes, p ? 1 : 0, 2);
}

template <class Group, class T>
SMW_CG coalesced_group labeled_partition(const Group &g, T label)
{
    return coalesced_group(__match_any_sync(g.smw_lanes(), label));
}

template <class Group> SMW_CG void sync(const Group &g)
{
    g.sync();
}

template <class Group> SMW_CG smw_cg_size group_size(const Group &g)
{
    return g.size();
}

template <class Group> SMW_CG smw_cg_size thread_rank(const Group &g)
{
    return g.thread_rank();
}

template <class Group, class F> SMW_CG void invoke_one(const Group &g, F &&f)
{
    if (g.thread_rank() == 0) {
        f();
    }
}

} /* namespace cooperative_groups */

#include "cooperative_groups/cluster.h"
#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_H */
