/*
 * cluster.h - the blocks of a cluster: their barrier, and where their shared memory is.
 * Meanings: CUDA C++ Programming Guide, "Cluster Group". From capability 9.0 on, in a
 * launch that says how many blocks a cluster has. Include cooperative_groups.h.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_CLUSTER_H
#define SMWAVE_COOPERATIVE_GROUPS_CLUSTER_H

#if defined(__CUDA__) && defined(__clang__)

namespace cooperative_groups
{

namespace details
{

#define SMW_CLUSTER_REG(name, reg)                                                     \
    SMW_CG unsigned name()                                                             \
    {                                                                                  \
        unsigned v;                                                                    \
                                                                                       \
        __asm__("mov.u32 %0, " reg ";" : "=r"(v));                                     \
        return v;                                                                      \
    }
SMW_CLUSTER_REG(smw_cluster_rank, "%%cluster_ctarank")
SMW_CLUSTER_REG(smw_cluster_size, "%%cluster_nctarank")
SMW_CLUSTER_REG(smw_cluster_x, "%%cluster_ctaid.x")
SMW_CLUSTER_REG(smw_cluster_y, "%%cluster_ctaid.y")
SMW_CLUSTER_REG(smw_cluster_z, "%%cluster_ctaid.z")
SMW_CLUSTER_REG(smw_cluster_nx, "%%cluster_nctaid.x")
SMW_CLUSTER_REG(smw_cluster_ny, "%%cluster_nctaid.y")
SMW_CLUSTER_REG(smw_cluster_nz, "%%cluster_nctaid.z")
#undef SMW_CLUSTER_REG

} /* namespace details */

class cluster_group
{
  public:
    struct arrival_token {
    };

    static SMW_CG arrival_token barrier_arrive()
    {
        __asm__ volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    static SMW_CG void barrier_wait(arrival_token && = arrival_token())
    {
        __asm__ volatile("barrier.cluster.wait;" ::: "memory");
    }
    static SMW_CG void sync()
    {
        barrier_arrive();
        barrier_wait();
    }
    static SMW_CG unsigned block_rank()
    {
        return details::smw_cluster_rank();
    }
    static SMW_CG unsigned num_blocks()
    {
        return details::smw_cluster_size();
    }
    static SMW_CG dim3 block_index()
    {
        return dim3(details::smw_cluster_x(), details::smw_cluster_y(),
                    details::smw_cluster_z());
    }
    static SMW_CG dim3 dim_blocks()
    {
        return dim3(details::smw_cluster_nx(), details::smw_cluster_ny(),
                    details::smw_cluster_nz());
    }
    static SMW_CG unsigned num_threads()
    {
        return num_blocks() * details::smw_threads();
    }
    static SMW_CG unsigned size()
    {
        return num_threads();
    }
    static SMW_CG unsigned thread_rank()
    {
        return block_rank() * details::smw_threads() + details::smw_rank();
    }
    static SMW_CG dim3 dim_threads()
    {
        const dim3 n = dim_blocks();

        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    static SMW_CG dim3 thread_index()
    {
        const dim3 b = block_index();

        return dim3(b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y,
                    b.z * blockDim.z + threadIdx.z);
    }
    template <class T> static SMW_CG T *map_shared_rank(T *p, int rank)
    {
        unsigned long long to;

        __asm__("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(p), "r"(rank));
        return (T *)to;
    }
    static SMW_CG unsigned query_shared_rank(const void *p)
    {
        unsigned rank;

        __asm__("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
        return rank;
    }
};

SMW_CG cluster_group this_cluster()
{
    return cluster_group();
}

} /* namespace cooperative_groups */

#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_CLUSTER_H */
