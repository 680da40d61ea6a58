/*
 * cooperative_groups/memcpy_async.h - a group copies together. The copy is done by its
 * threads at once, element by element, and wait() is their barrier.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups
{

template <class Group, class T>
SMW_CG void memcpy_async(const Group &g, T *dst, const T *src, size_t bytes)
{
    for (size_t i = g.thread_rank(); i < bytes / sizeof(T); i += g.size()) {
        dst[i] = src[i];
    }
}

/* As many elements as both have room for. */
template <class Group, class T>
SMW_CG void memcpy_async(const Group &g, T *dst, size_t room, const T *src, size_t n)
{
    memcpy_async(g, dst, src, (n < room ? n : room) * sizeof(T));
}

template <class Group> SMW_CG void wait(const Group &g)
{
    g.sync();
}

template <unsigned, class Group> SMW_CG void wait_prior(const Group &g)
{
    g.sync();
}

} /* namespace cooperative_groups */
#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H */
