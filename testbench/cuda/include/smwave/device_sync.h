/*
 * device_sync.h - threads that wait for each other and exchange values: barriers,
 * fences, votes, shuffles, matches, reductions of a warp. Meanings: CUDA C++
 * Programming Guide, "Synchronization Functions" to "Warp Reduce Functions"; PTX ISA.
 *
 * Barriers and fences are assembler text that touches memory. clang 14 has intrinsics
 * for them, but its analysis of variables whose address nobody takes (GlobalsAA) holds
 * that these do not read or write a static __shared__ variable, and moves loads of one
 * across them; no version may do so with the text.
 */
#ifndef SMWAVE_DEVICE_SYNC_H
#define SMWAVE_DEVICE_SYNC_H
#include "../host_defines.h"

#define SMW_D static __inline__ __attribute__((device, always_inline))

/* ---- barriers of a block ---- */

SMW_D void smw_syncthreads()
{
    __asm__ volatile("bar.sync 0;" ::: "memory");
}

SMW_D int smw_syncthreads_count(int p)
{
    int n;

    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0;"
                     " bar.red.popc.u32 %0, 0, p; }"
                     : "=r"(n)
                     : "r"(p)
                     : "memory");
    return n;
}

#define SMW_BARRIER(op)                                                                \
    SMW_D int smw_syncthreads_##op(int p)                                              \
    {                                                                                  \
        int all;                                                                       \
                                                                                       \
        __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"                    \
                         " bar.red." #op ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"      \
                         : "=r"(all)                                                   \
                         : "r"(p)                                                      \
                         : "memory");                                                  \
        return all;                                                                    \
    }
SMW_BARRIER(and)
SMW_BARRIER(or)
#undef SMW_BARRIER

/* clang has a function of its own of this name in each version; the macro wins. */
#define __syncthreads       smw_syncthreads
#define __syncthreads_count smw_syncthreads_count
#define __syncthreads_and   smw_syncthreads_and
#define __syncthreads_or    smw_syncthreads_or

/* ---- fences ---- */

SMW_D void smw_threadfence_block()
{
    __asm__ volatile("membar.cta;" ::: "memory");
}

SMW_D void smw_threadfence()
{
    __asm__ volatile("membar.gl;" ::: "memory");
}

SMW_D void smw_threadfence_system()
{
    __asm__ volatile("membar.sys;" ::: "memory");
}

#define __threadfence_block  smw_threadfence_block
#define __threadfence        smw_threadfence
#define __threadfence_system smw_threadfence_system

/* ---- threads of a warp ---- */

SMW_D void smw_syncwarp(unsigned mask = 0xffffffffu)
{
    __asm__ volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
#define __syncwarp smw_syncwarp

SMW_D unsigned smw_activemask()
{
    unsigned mask;

    __asm__ volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
    return mask;
}
#define __activemask smw_activemask

SMW_D int smw_all_sync(unsigned mask, int p)
{
    int r;

    __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"
                     " vote.sync.all.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                     : "=r"(r)
                     : "r"(p), "r"(mask)
                     : "memory");
    return r;
}

SMW_D int smw_any_sync(unsigned mask, int p)
{
    int r;

    __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"
                     " vote.sync.any.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                     : "=r"(r)
                     : "r"(p), "r"(mask)
                     : "memory");
    return r;
}

SMW_D int smw_uni_sync(unsigned mask, int p)
{
    int r;

    __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0;"
                     " vote.sync.uni.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                     : "=r"(r)
                     : "r"(p), "r"(mask)
                     : "memory");
    return r;
}

SMW_D unsigned smw_ballot_sync(unsigned mask, int p)
{
    unsigned r;

    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0;"
                     " vote.sync.ballot.b32 %0, p, %2; }"
                     : "=r"(r)
                     : "r"(p), "r"(mask)
                     : "memory");
    return r;
}

#define __all_sync    smw_all_sync
#define __any_sync    smw_any_sync
#define __uni_sync    smw_uni_sync
#define __ballot_sync smw_ballot_sync
/* Of before CUDA 9: among the threads that are there. */
#define __all(p)    smw_all_sync(smw_activemask(), p)
#define __any(p)    smw_any_sync(smw_activemask(), p)
#define __ballot(p) smw_ballot_sync(smw_activemask(), p)

/* ---- shuffles: values of 4 bytes, and of 8 as two of them ---- */

/* The third operand of shfl: how far a group reaches, and where a lane may not
 * leave. */
#define SMW_SHUFFLE_C(width, clamp) (((32 - (width)) << 8) | (clamp))

#define SMW_SHUFFLE(op, builtin, Lane, clamp)                                          \
    SMW_D int __shfl##op##_sync(unsigned mask, int v, Lane lane, int width = 32)       \
    {                                                                                  \
        return __nvvm_shfl_sync_##builtin##_i32(mask, v, lane,                         \
                                                SMW_SHUFFLE_C(width, clamp));          \
    }                                                                                  \
    SMW_D unsigned __shfl##op##_sync(unsigned mask, unsigned v, Lane lane,             \
                                     int width = 32)                                   \
    {                                                                                  \
        return (unsigned)__shfl##op##_sync(mask, (int)v, lane, width);                 \
    }                                                                                  \
    SMW_D float __shfl##op##_sync(unsigned mask, float v, Lane lane, int width = 32)   \
    {                                                                                  \
        return __nvvm_shfl_sync_##builtin##_f32(mask, v, lane,                         \
                                                SMW_SHUFFLE_C(width, clamp));          \
    }                                                                                  \
    SMW_D long long __shfl##op##_sync(unsigned mask, long long v, Lane lane,           \
                                      int width = 32)                                  \
    {                                                                                  \
        int low = __shfl##op##_sync(mask, (int)v, lane, width);                        \
        int high = __shfl##op##_sync(mask, (int)(v >> 32), lane, width);               \
                                                                                       \
        return (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low);  \
    }                                                                                  \
    SMW_D unsigned long long __shfl##op##_sync(unsigned mask, unsigned long long v,    \
                                               Lane lane, int width = 32)              \
    {                                                                                  \
        return (unsigned long long)__shfl##op##_sync(mask, (long long)v, lane, width); \
    }                                                                                  \
    SMW_D long __shfl##op##_sync(unsigned mask, long v, Lane lane, int width = 32)     \
    {                                                                                  \
        return (long)__shfl##op##_sync(mask, (long long)v, lane, width);               \
    }                                                                                  \
    SMW_D unsigned long __shfl##op##_sync(unsigned mask, unsigned long v, Lane lane,   \
                                          int width = 32)                              \
    {                                                                                  \
        return (unsigned long)__shfl##op##_sync(mask, (long long)v, lane, width);      \
    }                                                                                  \
    SMW_D double __shfl##op##_sync(unsigned mask, double v, Lane lane, int width = 32) \
    {                                                                                  \
        long long bits;                                                                \
                                                                                       \
        __builtin_memcpy(&bits, &v, sizeof(bits));                                     \
        bits = __shfl##op##_sync(mask, bits, lane, width);                             \
        __builtin_memcpy(&v, &bits, sizeof(v));                                        \
        return v;                                                                      \
    }                                                                                  \
    template <class T> SMW_D T __shfl##op(T v, Lane lane, int width = 32)              \
    {                                                                                  \
        return __shfl##op##_sync(smw_activemask(), v, lane, width);                    \
    }

SMW_SHUFFLE(, idx, int, 31)
SMW_SHUFFLE(_up, up, unsigned, 0)
SMW_SHUFFLE(_down, down, unsigned, 31)
SMW_SHUFFLE(_xor, bfly, int, 31)
#undef SMW_SHUFFLE
#undef SMW_SHUFFLE_C

/* ---- lanes with equal values: capability 7.0 ---- */

#define SMW_MATCH(T, bits, reg)                                                        \
    SMW_D unsigned __match_any_sync(unsigned mask, T v)                                \
    {                                                                                  \
        unsigned same;                                                                 \
                                                                                       \
        __asm__ volatile("match.any.sync.b" #bits " %0, %1, %2;"                       \
                         : "=r"(same)                                                  \
                         : reg(v), "r"(mask)                                           \
                         : "memory");                                                  \
        return same;                                                                   \
    }                                                                                  \
    SMW_D unsigned __match_all_sync(unsigned mask, T v, int *all)                      \
    {                                                                                  \
        unsigned same;                                                                 \
                                                                                       \
        __asm__ volatile("{ .reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3;"     \
                         " selp.s32 %1, 1, 0, p; }"                                    \
                         : "=r"(same), "=r"(*all)                                      \
                         : reg(v), "r"(mask)                                           \
                         : "memory");                                                  \
        return same;                                                                   \
    }
SMW_MATCH(int, 32, "r")
SMW_MATCH(unsigned, 32, "r")
SMW_MATCH(long, 64, "l")
SMW_MATCH(unsigned long, 64, "l")
SMW_MATCH(long long, 64, "l")
SMW_MATCH(unsigned long long, 64, "l")
#undef SMW_MATCH

SMW_D unsigned __match_any_sync(unsigned mask, float v)
{
    return __match_any_sync(mask, __builtin_bit_cast(unsigned, v));
}

SMW_D unsigned __match_any_sync(unsigned mask, double v)
{
    return __match_any_sync(mask, __builtin_bit_cast(unsigned long long, v));
}

SMW_D unsigned __match_all_sync(unsigned mask, float v, int *all)
{
    return __match_all_sync(mask, __builtin_bit_cast(unsigned, v), all);
}

SMW_D unsigned __match_all_sync(unsigned mask, double v, int *all)
{
    return __match_all_sync(mask, __builtin_bit_cast(unsigned long long, v), all);
}

/* ---- one value of a warp's: capability 8.0 ---- */

#define SMW_REDUCE(T, op, type)                                                        \
    SMW_D T __reduce_##op##_sync(unsigned mask, T v)                                   \
    {                                                                                  \
        T r;                                                                           \
                                                                                       \
        __asm__ volatile("redux.sync." #op "." #type " %0, %1, %2;"                    \
                         : "=r"(r)                                                     \
                         : "r"(v), "r"(mask)                                           \
                         : "memory");                                                  \
        return r;                                                                      \
    }
SMW_REDUCE(int, add, s32)
SMW_REDUCE(int, min, s32)
SMW_REDUCE(int, max, s32)
SMW_REDUCE(unsigned, add, u32)
SMW_REDUCE(unsigned, min, u32)
SMW_REDUCE(unsigned, max, u32)
SMW_REDUCE(unsigned, and, b32)
SMW_REDUCE(unsigned, or, b32)
SMW_REDUCE(unsigned, xor, b32)
#undef SMW_REDUCE

/* The n-th bit that is set in mask, counted from bit base upwards (n > 0), downwards
 * (n < 0), or bit base itself (n == 0); 0xffffffff: there is none. */
SMW_D unsigned __fns(unsigned mask, unsigned base, int n)
{
    unsigned r;

    __asm__("fns.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(mask), "r"(base), "r"(n));
    return r;
}

/* ---- time ---- */

SMW_D long long clock64()
{
    long long t;

    __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

/* The same name as the host's, which counts something else. */
SMW_D clock_t clock()
{
    int t;

    __asm__ volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return (clock_t)t;
}

SMW_D unsigned long long __globaltimer()
{
    unsigned long long ns;

    __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

/* Capability 7.0 */
SMW_D void __nanosleep(unsigned ns)
{
    __asm__ volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}

SMW_D void __trap()
{
    __asm__ volatile("trap;");
}

SMW_D void __brkpt()
{
    __asm__ volatile("brkpt;");
}

SMW_D void __prof_trigger(int)
{
}

#endif /* SMWAVE_DEVICE_SYNC_H */
