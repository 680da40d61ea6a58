/*
 * cooperative_groups/scan.h - what the threads before have together, with or without
 * one's own value: the distance doubles from step to step.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_SCAN_H
#define SMWAVE_COOPERATIVE_GROUPS_SCAN_H
#include "reduce.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups
{

template <class Group, class T, class Op>
SMW_CG T inclusive_scan(const Group &g, T v, Op op)
{
    for (unsigned d = 1; d < g.size(); d *= 2) {
        T other = g.shfl_up(v, d);

        if (g.thread_rank() >= d) {
            v = op(other, v);
        }
    }
    return v;
}

template <class Group, class T> SMW_CG T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}

/* The first thread has T(). */
template <class Group, class T, class Op>
SMW_CG T exclusive_scan(const Group &g, T v, Op op)
{
    T before = g.shfl_up(inclusive_scan(g, v, op), 1);

    return g.thread_rank() == 0 ? T() : before;
}

template <class Group, class T> SMW_CG T exclusive_scan(const Group &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}

} /* namespace cooperative_groups */
#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_SCAN_H */
