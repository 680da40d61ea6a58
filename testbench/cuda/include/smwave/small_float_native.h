/*
 * small_float_native.h - what the devices do in one instruction (a part of
 * small_float.h, read once for each type; in code for the device only).
 *
 * SMWAVE_SMALL_NATIVE: 1 fma only (sums and products are one of it), 2 sums and
 * products too, 3 with saturation. SMWAVE_SMALL_EXTREMES: 1 min, max and .relu.
 * SMWAVE_INSN and SMWAVE_INSN2 make an instruction of its name, its modifiers said.
 */
#if SMWAVE_SMALL_NATIVE

#ifndef SMWAVE_SMALL_WORD
#define SMWAVE_SMALL_WORD
namespace smwave_math
{
template <class T2> SMWAVE_INSIDE u32 word_of(T2 a)
{
    u32 w;

    __builtin_memcpy(&w, &a, sizeof(w));
    return w;
}
template <class T2> SMWAVE_INSIDE T2 pair_of(u32 w)
{
    T2 a;

    __builtin_memcpy(&a, &w, sizeof(a));
    return a;
}
} /* namespace smwave_math */

#define SMWAVE_NATIVE2(name, insn)                                                     \
    SMWAVE_BOTH SMWAVE_T name(SMWAVE_T a, SMWAVE_T b)                                  \
    {                                                                                  \
        unsigned short d;                                                              \
                                                                                       \
        __asm__(insn : "=h"(d) : "h"(a.__x), "h"(b.__x));                              \
        return SMWAVE_T(SMWAVE_SMALL_RAW{d});                                          \
    }
#define SMWAVE_NATIVE3(name, insn)                                                     \
    SMWAVE_BOTH SMWAVE_T name(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c)                      \
    {                                                                                  \
        unsigned short d;                                                              \
                                                                                       \
        __asm__(insn : "=h"(d) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                  \
        return SMWAVE_T(SMWAVE_SMALL_RAW{d});                                          \
    }
#define SMWAVE_PAIRS2(name, insn)                                                      \
    SMWAVE_BOTH SMWAVE_T2 name(SMWAVE_T2 a, SMWAVE_T2 b)                               \
    {                                                                                  \
        smwave_math::u32 d;                                                            \
                                                                                       \
        __asm__(insn                                                                   \
                : "=r"(d)                                                              \
                : "r"(smwave_math::word_of(a)), "r"(smwave_math::word_of(b)));         \
        return smwave_math::pair_of<SMWAVE_T2>(d);                                     \
    }
#define SMWAVE_PAIRS3(name, insn)                                                      \
    SMWAVE_BOTH SMWAVE_T2 name(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)                  \
    {                                                                                  \
        smwave_math::u32 d;                                                            \
                                                                                       \
        __asm__(insn                                                                   \
                : "=r"(d)                                                              \
                : "r"(smwave_math::word_of(a)), "r"(smwave_math::word_of(b)),          \
                  "r"(smwave_math::word_of(c)));                                       \
        return smwave_math::pair_of<SMWAVE_T2>(d);                                     \
    }
#endif

#define SMWAVE_IN2 " %0, %1, %2;"
#define SMWAVE_IN3 " %0, %1, %2, %3;"

SMWAVE_NATIVE3(__hfma, SMWAVE_INSN("fma.rn") SMWAVE_IN3)
SMWAVE_PAIRS3(__hfma2, SMWAVE_INSN2("fma.rn") SMWAVE_IN3)
#if SMWAVE_SMALL_NATIVE >= 2
SMWAVE_NATIVE2(__hadd, SMWAVE_INSN("add") SMWAVE_IN2)
SMWAVE_NATIVE2(__hsub, SMWAVE_INSN("sub") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmul, SMWAVE_INSN("mul") SMWAVE_IN2)
SMWAVE_NATIVE2(__hadd_rn, SMWAVE_INSN("add.rn") SMWAVE_IN2)
SMWAVE_NATIVE2(__hsub_rn, SMWAVE_INSN("sub.rn") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmul_rn, SMWAVE_INSN("mul.rn") SMWAVE_IN2)
SMWAVE_PAIRS2(__hadd2, SMWAVE_INSN2("add") SMWAVE_IN2)
SMWAVE_PAIRS2(__hsub2, SMWAVE_INSN2("sub") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmul2, SMWAVE_INSN2("mul") SMWAVE_IN2)
SMWAVE_PAIRS2(__hadd2_rn, SMWAVE_INSN2("add.rn") SMWAVE_IN2)
SMWAVE_PAIRS2(__hsub2_rn, SMWAVE_INSN2("sub.rn") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmul2_rn, SMWAVE_INSN2("mul.rn") SMWAVE_IN2)
#else
/* a 1 + b, b (-1) + a, a b + (-0): rounded once, as the sum and the product are. */
#define SMWAVE_ONE(sign, a)                                                            \
    SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)((sign) | SMWAVE_SMALL_ONE)})
#define SMWAVE_ALL(sign, size)                                                         \
    SMWAVE_T2(SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)((sign) | (size))}),           \
              SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)((sign) | (size))}))
SMWAVE_BOTH SMWAVE_T __hadd(SMWAVE_T a, SMWAVE_T b)
{
    return __hfma(a, SMWAVE_ONE(0, a), b);
}
SMWAVE_BOTH SMWAVE_T __hsub(SMWAVE_T a, SMWAVE_T b)
{
    return __hfma(b, SMWAVE_ONE(0x8000, a), a);
}
SMWAVE_BOTH SMWAVE_T __hmul(SMWAVE_T a, SMWAVE_T b)
{
    return __hfma(a, b, SMWAVE_T(SMWAVE_SMALL_RAW{0x8000}));
}
SMWAVE_BOTH SMWAVE_T2 __hadd2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hfma2(a, SMWAVE_ALL(0, SMWAVE_SMALL_ONE), b);
}
SMWAVE_BOTH SMWAVE_T2 __hsub2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hfma2(b, SMWAVE_ALL(0x8000, SMWAVE_SMALL_ONE), a);
}
SMWAVE_BOTH SMWAVE_T2 __hmul2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hfma2(a, b, SMWAVE_ALL(0x8000, 0));
}
SMWAVE_BOTH SMWAVE_T __hadd_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hadd(a, b);
}
SMWAVE_BOTH SMWAVE_T __hsub_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hsub(a, b);
}
SMWAVE_BOTH SMWAVE_T __hmul_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hmul(a, b);
}
SMWAVE_BOTH SMWAVE_T2 __hadd2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hadd2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 __hsub2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hsub2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 __hmul2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hmul2(a, b);
}
#undef SMWAVE_ONE
#undef SMWAVE_ALL
#endif

#if SMWAVE_SMALL_NATIVE >= 3
SMWAVE_NATIVE2(__hadd_sat, SMWAVE_INSN("add.sat") SMWAVE_IN2)
SMWAVE_NATIVE2(__hsub_sat, SMWAVE_INSN("sub.sat") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmul_sat, SMWAVE_INSN("mul.sat") SMWAVE_IN2)
SMWAVE_NATIVE3(__hfma_sat, SMWAVE_INSN("fma.rn.sat") SMWAVE_IN3)
SMWAVE_PAIRS2(__hadd2_sat, SMWAVE_INSN2("add.sat") SMWAVE_IN2)
SMWAVE_PAIRS2(__hsub2_sat, SMWAVE_INSN2("sub.sat") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmul2_sat, SMWAVE_INSN2("mul.sat") SMWAVE_IN2)
SMWAVE_PAIRS3(__hfma2_sat, SMWAVE_INSN2("fma.rn.sat") SMWAVE_IN3)
#endif

#if SMWAVE_SMALL_EXTREMES
SMWAVE_NATIVE2(__hmax, SMWAVE_INSN("max") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmin, SMWAVE_INSN("min") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmax_nan, SMWAVE_INSN("max.NaN") SMWAVE_IN2)
SMWAVE_NATIVE2(__hmin_nan, SMWAVE_INSN("min.NaN") SMWAVE_IN2)
SMWAVE_NATIVE3(__hfma_relu, SMWAVE_INSN("fma.rn.relu") SMWAVE_IN3)
SMWAVE_PAIRS2(__hmax2, SMWAVE_INSN2("max") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmin2, SMWAVE_INSN2("min") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmax2_nan, SMWAVE_INSN2("max.NaN") SMWAVE_IN2)
SMWAVE_PAIRS2(__hmin2_nan, SMWAVE_INSN2("min.NaN") SMWAVE_IN2)
SMWAVE_PAIRS3(__hfma2_relu, SMWAVE_INSN2("fma.rn.relu") SMWAVE_IN3)
#endif

#undef SMWAVE_IN2
#undef SMWAVE_IN3
#endif
