/*
 * cooperative_groups/memcpy_async.h - a group copies together, element by element. From
 * global to shared memory the copy is asynchronous from capability 8.0 on, if elements
 * have 4, 8 or 16 bytes; else it is done at once. A call is one group of copies.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups
{

template <class Group, class T>
SMW_CG void memcpy_async(const Group &g, T *dst, const T *src, size_t bytes)
{
    const bool apart = (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                       __isShared(dst) && __isGlobal(src);

    for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size()) {
        if (apart) {
            __pipeline_memcpy_async(&dst[i], &src[i], sizeof(T));
        } else {
            dst[i] = src[i];
        }
    }
    __pipeline_commit();
}

/* As many elements as both have room for. */
template <class Group, class T>
SMW_CG void memcpy_async(const Group &g, T *dst, size_t room, const T *src, size_t n)
{
    memcpy_async(g, dst, src, (n < room ? n : room) * sizeof(T));
}

template <class Group> SMW_CG void wait(const Group &g)
{
    __pipeline_wait_prior(0);
    g.sync();
}

template <unsigned N, class Group> SMW_CG void wait_prior(const Group &g)
{
    __pipeline_wait_prior(N);
    g.sync();
}

} /* namespace cooperative_groups */
#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H */
