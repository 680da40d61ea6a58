/*
 * device_atomics.h - atomic functions: CUDA C++ Programming Guide, "Atomic Functions".
 * They are clang's builtins, which find out by themselves whether an address is of
 * shared or of global memory; what these lack is assembler text.
 *
 * A name alone is atomic for all threads of the device, with _block for those of the
 * block, with _system for the host and other devices too. Before capability 6.0 there
 * is only the first kind, which is the nearest that is at least as strong.
 */
#ifndef SMWAVE_DEVICE_ATOMICS_H
#define SMWAVE_DEVICE_ATOMICS_H
#include "../host_defines.h"

#define SMW_D static __inline__ __attribute__((device, always_inline))

#define SMW_ATOMIC(name, T, builtin, type)                                             \
    SMW_D T atomic##name(T *p, T v)                                                    \
    {                                                                                  \
        return (T)__nvvm_atom_##builtin##_gen_##type(SMW_AS(type, p), v);              \
    }                                                                                  \
    SMW_SCOPED(name, T, builtin, type)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define SMW_SCOPED(name, T, builtin, type)                                             \
    SMW_D T atomic##name##_block(T *p, T v)                                            \
    {                                                                                  \
        return (T)__nvvm_atom_cta_##builtin##_gen_##type(SMW_AS(type, p), v);          \
    }                                                                                  \
    SMW_D T atomic##name##_system(T *p, T v)                                           \
    {                                                                                  \
        return (T)__nvvm_atom_sys_##builtin##_gen_##type(SMW_AS(type, p), v);          \
    }
#else
#define SMW_SCOPED(name, T, builtin, type)                                             \
    SMW_D T atomic##name##_block(T *p, T v)                                            \
    {                                                                                  \
        return atomic##name(p, v);                                                     \
    }                                                                                  \
    SMW_D T atomic##name##_system(T *p, T v)                                           \
    {                                                                                  \
        return atomic##name(p, v);                                                     \
    }
#endif

/* What the builtins of a type are declared to take: signed words mostly. */
#define SMW_AS(type, p) ((SMW_AS_##type *)(p))
typedef int SMW_AS_i;
typedef unsigned SMW_AS_ui;
typedef long long SMW_AS_ll;
typedef unsigned long long SMW_AS_ull;
typedef float SMW_AS_f;
typedef double SMW_AS_d;

SMW_ATOMIC(Add, int, add, i)
SMW_ATOMIC(Add, unsigned, add, i)
SMW_ATOMIC(Add, unsigned long long, add, ll)
SMW_ATOMIC(Add, float, add, f)
/* Before, programs define one themselves, with atomicCAS(). */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
SMW_ATOMIC(Add, double, add, d)
#endif
SMW_ATOMIC(Exch, int, xchg, i)
SMW_ATOMIC(Exch, unsigned, xchg, i)
SMW_ATOMIC(Exch, unsigned long long, xchg, ll)
SMW_ATOMIC(Min, int, min, i)
SMW_ATOMIC(Min, long long, min, ll)
SMW_ATOMIC(Max, int, max, i)
SMW_ATOMIC(Max, long long, max, ll)
SMW_ATOMIC(And, int, and, i)
SMW_ATOMIC(And, unsigned, and, i)
SMW_ATOMIC(And, unsigned long long, and, ll)
SMW_ATOMIC(Or, int, or, i)
SMW_ATOMIC(Or, unsigned, or, i)
SMW_ATOMIC(Or, unsigned long long, or, ll)
SMW_ATOMIC(Xor, int, xor, i)
SMW_ATOMIC(Xor, unsigned, xor, i)
SMW_ATOMIC(Xor, unsigned long long, xor, ll)
#undef SMW_SCOPED

/* Signed and unsigned differ, and the builtins with a scope are signed alone. */
#define SMW_SCOPED(name, T, builtin, type)                                             \
    SMW_D T atomic##name##_block(T *p, T v)                                            \
    {                                                                                  \
        return atomic##name(p, v);                                                     \
    }                                                                                  \
    SMW_D T atomic##name##_system(T *p, T v)                                           \
    {                                                                                  \
        return atomic##name(p, v);                                                     \
    }
SMW_ATOMIC(Min, unsigned, min, ui)
SMW_ATOMIC(Min, unsigned long long, min, ull)
SMW_ATOMIC(Max, unsigned, max, ui)
SMW_ATOMIC(Max, unsigned long long, max, ull)
SMW_ATOMIC(Inc, unsigned, inc, ui)
SMW_ATOMIC(Dec, unsigned, dec, ui)
#undef SMW_SCOPED
#undef SMW_ATOMIC

/* ---- of others ---- */

#define SMW_SUB(T, scope)                                                              \
    SMW_D T atomicSub##scope(T *p, T v)                                                \
    {                                                                                  \
        return atomicAdd##scope(p, (T)(0 - v));                                        \
    }
SMW_SUB(int, )
SMW_SUB(int, _block)
SMW_SUB(int, _system)
SMW_SUB(unsigned, )
SMW_SUB(unsigned, _block)
SMW_SUB(unsigned, _system)
#undef SMW_SUB

#define SMW_EXCHANGE(scope)                                                            \
    SMW_D float atomicExch##scope(float *p, float v)                                   \
    {                                                                                  \
        int old = atomicExch##scope((int *)p, __builtin_bit_cast(int, v));             \
                                                                                       \
        return __builtin_bit_cast(float, old);                                         \
    }
SMW_EXCHANGE()
SMW_EXCHANGE(_block)
SMW_EXCHANGE(_system)
#undef SMW_EXCHANGE

#define SMW_CAS(T, type, Word)                                                         \
    SMW_D T atomicCAS(T *p, T compare, T v)                                            \
    {                                                                                  \
        return (T)__nvvm_atom_cas_gen_##type((Word *)p, (Word)compare, (Word)v);       \
    }                                                                                  \
    SMW_D T atomicCAS_block(T *p, T compare, T v)                                      \
    {                                                                                  \
        return SMW_CAS_SCOPED(cta, T, type, Word);                                     \
    }                                                                                  \
    SMW_D T atomicCAS_system(T *p, T compare, T v)                                     \
    {                                                                                  \
        return SMW_CAS_SCOPED(sys, T, type, Word);                                     \
    }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define SMW_CAS_SCOPED(scope, T, type, Word)                                           \
    (T) __nvvm_atom_##scope##_cas_gen_##type((Word *)p, (Word)compare, (Word)v)
#else
#define SMW_CAS_SCOPED(scope, T, type, Word) atomicCAS(p, compare, v)
#endif
SMW_CAS(int, i, int)
SMW_CAS(unsigned, i, int)
SMW_CAS(unsigned long long, ll, long long)
#undef SMW_CAS_SCOPED
#undef SMW_CAS

/* Capability 7.0 */
SMW_D unsigned short atomicCAS(unsigned short *p, unsigned short compare,
                               unsigned short v)
{
    unsigned short old;

    __asm__ volatile("atom.cas.b16 %0, [%1], %2, %3;"
                     : "=h"(old)
                     : "l"(p), "h"(compare), "h"(v)
                     : "memory");
    return old;
}

/* long is long long here, and its own type to C++. */
#define SMW_LONG(name)                                                                 \
    SMW_D unsigned long atomic##name(unsigned long *p, unsigned long v)                \
    {                                                                                  \
        return (unsigned long)atomic##name((unsigned long long *)p,                    \
                                           (unsigned long long)v);                     \
    }
SMW_LONG(Add)
SMW_LONG(Exch)
SMW_LONG(Min)
SMW_LONG(Max)
SMW_LONG(And)
SMW_LONG(Or)
SMW_LONG(Xor)
#undef SMW_LONG

#endif /* SMWAVE_DEVICE_ATOMICS_H */
