/*
 * device_memory.h - memory as the device sees it: loads and stores with a cache hint,
 * address spaces. Meanings: CUDA C++ Programming Guide, "Read-Only Data Cache Load
 * Function" to "Address Space Conversion Functions"; PTX ISA, "Cache Operators".
 */
#ifndef SMWAVE_DEVICE_MEMORY_H
#define SMWAVE_DEVICE_MEMORY_H
#include "../host_defines.h"
#include "../vector_functions.h"
#include <stddef.h>

#define SMW_D static __inline__ __attribute__((device, always_inline))

/* ---- loads and stores that say which cache is to keep the value ---- */

/* One element: the register it fits into, its constraint, the type of the access. */
#define SMW_LOAD1(fn, op, T, R, c, type)                                               \
    SMW_D T fn(const T *p)                                                             \
    {                                                                                  \
        R v;                                                                           \
                                                                                       \
        __asm__ SMW_LOADS(op "." type " %0, [%1];" : "=" c(v) : "l"(p)SMW_CLOBBER);    \
        return (T)v;                                                                   \
    }
#define SMW_LOAD2(fn, op, T, E, R, c, type)                                            \
    SMW_D T fn(const T *p)                                                             \
    {                                                                                  \
        R a, b;                                                                        \
                                                                                       \
        __asm__ SMW_LOADS(op ".v2." type " {%0, %1}, [%2];"                            \
                          : "=" c(a), "=" c(b)                                         \
                          : "l"(p)SMW_CLOBBER);                                        \
        return make_##T((E)a, (E)b);                                                   \
    }
#define SMW_LOAD4(fn, op, T, E, R, c, type)                                            \
    SMW_D T fn(const T *p)                                                             \
    {                                                                                  \
        R x, y, z, w;                                                                  \
                                                                                       \
        __asm__ SMW_LOADS(op ".v4." type " {%0, %1, %2, %3}, [%4];"                    \
                          : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                     \
                          : "l"(p)SMW_CLOBBER);                                        \
        return make_##T((E)x, (E)y, (E)z, (E)w);                                       \
    }
#define SMW_LOADS_ALL(fn, op)                                                          \
    SMW_LOAD1(fn, op, char, short, "h", "s8")                                          \
    SMW_LOAD1(fn, op, signed char, short, "h", "s8")                                   \
    SMW_LOAD1(fn, op, unsigned char, unsigned short, "h", "u8")                        \
    SMW_LOAD1(fn, op, short, short, "h", "s16")                                        \
    SMW_LOAD1(fn, op, unsigned short, unsigned short, "h", "u16")                      \
    SMW_LOAD1(fn, op, int, int, "r", "s32")                                            \
    SMW_LOAD1(fn, op, unsigned, unsigned, "r", "u32")                                  \
    SMW_LOAD1(fn, op, long, long, "l", "s64")                                          \
    SMW_LOAD1(fn, op, unsigned long, unsigned long, "l", "u64")                        \
    SMW_LOAD1(fn, op, long long, long long, "l", "s64")                                \
    SMW_LOAD1(fn, op, unsigned long long, unsigned long long, "l", "u64")              \
    SMW_LOAD1(fn, op, float, float, "f", "f32")                                        \
    SMW_LOAD1(fn, op, double, double, "d", "f64")                                      \
    SMW_LOAD2(fn, op, char2, signed char, short, "h", "s8")                            \
    SMW_LOAD2(fn, op, uchar2, unsigned char, unsigned short, "h", "u8")                \
    SMW_LOAD2(fn, op, short2, short, short, "h", "s16")                                \
    SMW_LOAD2(fn, op, ushort2, unsigned short, unsigned short, "h", "u16")             \
    SMW_LOAD2(fn, op, int2, int, int, "r", "s32")                                      \
    SMW_LOAD2(fn, op, uint2, unsigned, unsigned, "r", "u32")                           \
    SMW_LOAD2(fn, op, longlong2, long long, long long, "l", "s64")                     \
    SMW_LOAD2(fn, op, ulonglong2, unsigned long long, unsigned long long, "l", "u64")  \
    SMW_LOAD2(fn, op, float2, float, float, "f", "f32")                                \
    SMW_LOAD2(fn, op, double2, double, double, "d", "f64")                             \
    SMW_LOAD4(fn, op, char4, signed char, short, "h", "s8")                            \
    SMW_LOAD4(fn, op, uchar4, unsigned char, unsigned short, "h", "u8")                \
    SMW_LOAD4(fn, op, short4, short, short, "h", "s16")                                \
    SMW_LOAD4(fn, op, ushort4, unsigned short, unsigned short, "h", "u16")             \
    SMW_LOAD4(fn, op, int4, int, int, "r", "s32")                                      \
    SMW_LOAD4(fn, op, uint4, unsigned, unsigned, "r", "u32")                           \
    SMW_LOAD4(fn, op, float4, float, float, "f", "f32")

/* Nobody writes there while the kernel runs: such a load may be moved. */
#define SMW_LOADS
#define SMW_CLOBBER
SMW_LOADS_ALL(__ldg, "ld.global.nc")
#undef SMW_LOADS
#undef SMW_CLOBBER
#define SMW_LOADS volatile
#define SMW_CLOBBER : "memory"
SMW_LOADS_ALL(__ldcg, "ld.global.cg")
SMW_LOADS_ALL(__ldca, "ld.global.ca")
SMW_LOADS_ALL(__ldcs, "ld.global.cs")
SMW_LOADS_ALL(__ldlu, "ld.global.lu")
SMW_LOADS_ALL(__ldcv, "ld.global.cv")
#undef SMW_LOADS
#undef SMW_CLOBBER
#undef SMW_LOADS_ALL
#undef SMW_LOAD1
#undef SMW_LOAD2
#undef SMW_LOAD4

#define SMW_STORE1(fn, op, T, R, c, type)                                              \
    SMW_D void fn(T *p, T v)                                                           \
    {                                                                                  \
        __asm__ volatile(op "." type " [%0], %1;" ::"l"(p), c((R)v) : "memory");       \
    }
#define SMW_STORE2(fn, op, T, R, c, type)                                              \
    SMW_D void fn(T *p, T v)                                                           \
    {                                                                                  \
        __asm__ volatile(op ".v2." type " [%0], {%1, %2};" ::"l"(p), c((R)v.x),        \
                         c((R)v.y)                                                     \
                         : "memory");                                                  \
    }
#define SMW_STORE4(fn, op, T, R, c, type)                                              \
    SMW_D void fn(T *p, T v)                                                           \
    {                                                                                  \
        __asm__ volatile(op ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(p),           \
                         c((R)v.x), c((R)v.y), c((R)v.z), c((R)v.w)                    \
                         : "memory");                                                  \
    }
#define SMW_STORES_ALL(fn, op)                                                         \
    SMW_STORE1(fn, op, char, short, "h", "s8")                                         \
    SMW_STORE1(fn, op, signed char, short, "h", "s8")                                  \
    SMW_STORE1(fn, op, unsigned char, unsigned short, "h", "u8")                       \
    SMW_STORE1(fn, op, short, short, "h", "s16")                                       \
    SMW_STORE1(fn, op, unsigned short, unsigned short, "h", "u16")                     \
    SMW_STORE1(fn, op, int, int, "r", "s32")                                           \
    SMW_STORE1(fn, op, unsigned, unsigned, "r", "u32")                                 \
    SMW_STORE1(fn, op, long, long, "l", "s64")                                         \
    SMW_STORE1(fn, op, unsigned long, unsigned long, "l", "u64")                       \
    SMW_STORE1(fn, op, long long, long long, "l", "s64")                               \
    SMW_STORE1(fn, op, unsigned long long, unsigned long long, "l", "u64")             \
    SMW_STORE1(fn, op, float, float, "f", "f32")                                       \
    SMW_STORE1(fn, op, double, double, "d", "f64")                                     \
    SMW_STORE2(fn, op, int2, int, "r", "s32")                                          \
    SMW_STORE2(fn, op, uint2, unsigned, "r", "u32")                                    \
    SMW_STORE2(fn, op, longlong2, long long, "l", "s64")                               \
    SMW_STORE2(fn, op, ulonglong2, unsigned long long, "l", "u64")                     \
    SMW_STORE2(fn, op, float2, float, "f", "f32")                                      \
    SMW_STORE2(fn, op, double2, double, "d", "f64")                                    \
    SMW_STORE4(fn, op, int4, int, "r", "s32")                                          \
    SMW_STORE4(fn, op, uint4, unsigned, "r", "u32")                                    \
    SMW_STORE4(fn, op, float4, float, "f", "f32")

SMW_STORES_ALL(__stwb, "st.global.wb")
SMW_STORES_ALL(__stcg, "st.global.cg")
SMW_STORES_ALL(__stcs, "st.global.cs")
SMW_STORES_ALL(__stwt, "st.global.wt")
#undef SMW_STORES_ALL
#undef SMW_STORE1
#undef SMW_STORE2
#undef SMW_STORE4

/* ---- address spaces ---- */

SMW_D unsigned __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}

SMW_D unsigned __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}

SMW_D unsigned __isConstant(const void *p)
{
    return __nvvm_isspacep_const(p);
}

SMW_D unsigned __isLocal(const void *p)
{
    return __nvvm_isspacep_local(p);
}

#define SMW_CVTA(space)                                                                \
    SMW_D size_t __cvta_generic_to_##space(const void *p)                              \
    {                                                                                  \
        size_t a;                                                                      \
                                                                                       \
        __asm__("cvta.to." #space ".u64 %0, %1;" : "=l"(a) : "l"(p));                  \
        return a;                                                                      \
    }                                                                                  \
    SMW_D void *__cvta_##space##_to_generic(size_t a)                                  \
    {                                                                                  \
        void *p;                                                                       \
                                                                                       \
        __asm__("cvta." #space ".u64 %0, %1;" : "=l"(p) : "l"(a));                     \
        return p;                                                                      \
    }
SMW_CVTA(global)
SMW_CVTA(shared)
SMW_CVTA(local)
#undef SMW_CVTA
/* const is a word of the language */
SMW_D size_t __cvta_generic_to_constant(const void *p)
{
    size_t a;

    __asm__("cvta.to.const.u64 %0, %1;" : "=l"(a) : "l"(p));
    return a;
}

/* ---- what the compiler may believe ---- */

#define __assume(condition)                                 __builtin_assume(condition)
#define __nv_is_extended_device_lambda_closure_type(T)      false
#define __nv_is_extended_host_device_lambda_closure_type(T) false

#endif /* SMWAVE_DEVICE_MEMORY_H */
