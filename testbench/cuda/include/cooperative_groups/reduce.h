/*
 * cooperative_groups/reduce.h - one value of a group's: tiles halve the distance from
 * step to step, so that all threads have the result; groups with gaps go through their
 * threads in order.
 */
#ifndef SMWAVE_COOPERATIVE_GROUPS_REDUCE_H
#define SMWAVE_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__clang__)
namespace cooperative_groups
{

#define SMW_CG_OPERATION(name, result)                                                 \
    template <class T = void> struct name {                                            \
        SMW_CG T operator()(T a, T b) const                                            \
        {                                                                              \
            return result;                                                             \
        }                                                                              \
    };
SMW_CG_OPERATION(plus, a + b)
SMW_CG_OPERATION(less, b < a ? b : a)
SMW_CG_OPERATION(greater, a < b ? b : a)
SMW_CG_OPERATION(bit_and, a &b)
SMW_CG_OPERATION(bit_or, a | b)
SMW_CG_OPERATION(bit_xor, a ^ b)
#undef SMW_CG_OPERATION

template <unsigned N, class P, class T, class Op>
SMW_CG T reduce(const thread_block_tile<N, P> &g, T v, Op op)
{
    _Pragma("unroll") for (int d = N / 2; d > 0; d /= 2)
    {
        v = op(v, g.shfl_xor(v, d));
    }
    return v;
}

template <class T, class Op> SMW_CG T reduce(const coalesced_group &g, T v, Op op)
{
    T r = g.shfl(v, 0);

    for (unsigned k = 1; k < g.size(); k++) {
        r = op(r, g.shfl(v, k));
    }
    return r;
}

} /* namespace cooperative_groups */
#endif

#endif /* SMWAVE_COOPERATIVE_GROUPS_REDUCE_H */
