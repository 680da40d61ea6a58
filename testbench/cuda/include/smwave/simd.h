/*
 * simd.h - SIMD within a word: four bytes or two halves of 16 bits at once (CUDA Math
 * API, "SIMD Intrinsics"), and the comparing functions of dynamic programming.
 *
 * There are no such instructions on most devices: each is a few logical ones. The names
 * say lanes and sign: __vmaxu4 is the maximum of four unsigned bytes.
 */
#ifndef SMWAVE_SIMD_H
#define SMWAVE_SIMD_H

#include "smwave/math_base.h"

namespace smwave_math
{
/* The sign of each lane, everywhere in the lane. */
SMWAVE_INSIDE u32 signs4(u32 x)
{
#if defined(__CUDA_ARCH__)
    u32 r;

    __asm__("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(r) : "r"(x));
    return r;
#else
    return (x >> 7 & 0x01010101u) * 255u;
#endif
}
SMWAVE_INSIDE u32 signs2(u32 x)
{
#if defined(__CUDA_ARCH__)
    u32 r;

    __asm__("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(r) : "r"(x));
    return r;
#else
    return (x >> 15 & 0x00010001u) * 65535u;
#endif
}
SMWAVE_INSIDE u32 choose(u32 mask, u32 a, u32 b)
{
    return (a & mask) | (b & ~mask);
}
SMWAVE_INSIDE u32 sum4(u32 x)
{
    x = (x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu);
    return (x & 0xffffu) + (x >> 16);
}
SMWAVE_INSIDE u32 sum2(u32 x)
{
    return (x & 0xffffu) + (x >> 16);
}
} /* namespace smwave_math */

/* ---- 4 lanes of 8 bits ---- */

SMWAVE_DEVICE unsigned __vadd4(unsigned a, unsigned b)
{
    return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsub4(unsigned a, unsigned b)
{
    return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
namespace smwave_math
{
/* In the sign of each lane: a >= b, and a == b. */
SMWAVE_INSIDE u32 not_less4(u32 a, u32 b)
{
    u32 r = (a | 0x80808080u) - (b & 0x7f7f7f7fu);

    return ((a & ~b) | (~(a ^ b) & r)) & 0x80808080u;
}
SMWAVE_INSIDE u32 equal4(u32 a, u32 b)
{
    u32 x = a ^ b;

    return ~(((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x) & 0x80808080u;
}
} /* namespace smwave_math */
SMWAVE_DEVICE unsigned __vcmpeq4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::equal4(a, b));
}
SMWAVE_DEVICE unsigned __vseteq4(unsigned a, unsigned b)
{
    return (smwave_math::equal4(a, b)) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpne4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::equal4(a, b) ^ 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsetne4(unsigned a, unsigned b)
{
    return (smwave_math::equal4(a, b) ^ 0x80808080u) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpges4(unsigned a, unsigned b)
{
    return smwave_math::signs4(
        smwave_math::not_less4(a ^ 0x80808080u, b ^ 0x80808080u));
}
SMWAVE_DEVICE unsigned __vsetges4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(a ^ 0x80808080u, b ^ 0x80808080u)) >> 7;
}
SMWAVE_DEVICE unsigned __vcmples4(unsigned a, unsigned b)
{
    return smwave_math::signs4(
        smwave_math::not_less4(b ^ 0x80808080u, a ^ 0x80808080u));
}
SMWAVE_DEVICE unsigned __vsetles4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(b ^ 0x80808080u, a ^ 0x80808080u)) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpgts4(unsigned a, unsigned b)
{
    return smwave_math::signs4(
        smwave_math::not_less4(b ^ 0x80808080u, a ^ 0x80808080u) ^ 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsetgts4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(b ^ 0x80808080u, a ^ 0x80808080u) ^ 0x80808080u) >>
           7;
}
SMWAVE_DEVICE unsigned __vcmplts4(unsigned a, unsigned b)
{
    return smwave_math::signs4(
        smwave_math::not_less4(a ^ 0x80808080u, b ^ 0x80808080u) ^ 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsetlts4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(a ^ 0x80808080u, b ^ 0x80808080u) ^ 0x80808080u) >>
           7;
}
SMWAVE_DEVICE unsigned __vcmpgeu4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::not_less4(a, b));
}
SMWAVE_DEVICE unsigned __vsetgeu4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(a, b)) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpleu4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::not_less4(b, a));
}
SMWAVE_DEVICE unsigned __vsetleu4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(b, a)) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpgtu4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::not_less4(b, a) ^ 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsetgtu4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(b, a) ^ 0x80808080u) >> 7;
}
SMWAVE_DEVICE unsigned __vcmpltu4(unsigned a, unsigned b)
{
    return smwave_math::signs4(smwave_math::not_less4(a, b) ^ 0x80808080u);
}
SMWAVE_DEVICE unsigned __vsetltu4(unsigned a, unsigned b)
{
    return (smwave_math::not_less4(a, b) ^ 0x80808080u) >> 7;
}
SMWAVE_DEVICE unsigned __vmaxs4(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpges4(a, b), a, b);
}
SMWAVE_DEVICE unsigned __vmins4(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpges4(a, b), b, a);
}
SMWAVE_DEVICE unsigned __vabsdiffs4(unsigned a, unsigned b)
{
    return __vsub4(__vmaxs4(a, b), __vmins4(a, b));
}
SMWAVE_DEVICE unsigned __vsads4(unsigned a, unsigned b)
{
    return smwave_math::sum4(__vabsdiffs4(a, b));
}
SMWAVE_DEVICE unsigned __vmaxu4(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpgeu4(a, b), a, b);
}
SMWAVE_DEVICE unsigned __vminu4(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpgeu4(a, b), b, a);
}
SMWAVE_DEVICE unsigned __vabsdiffu4(unsigned a, unsigned b)
{
    return __vsub4(__vmaxu4(a, b), __vminu4(a, b));
}
SMWAVE_DEVICE unsigned __vsadu4(unsigned a, unsigned b)
{
    return smwave_math::sum4(__vabsdiffu4(a, b));
}
SMWAVE_DEVICE unsigned __vavgu4(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
SMWAVE_DEVICE unsigned __vavgs4(unsigned a, unsigned b)
{
    return __vavgu4(a ^ 0x80808080u, b ^ 0x80808080u) ^ 0x80808080u;
}
SMWAVE_DEVICE unsigned __vhaddu4(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
SMWAVE_DEVICE unsigned __vabs4(unsigned a)
{
    unsigned m = smwave_math::signs4(a);

    return (a ^ m) + (m & 0x01010101u);
}
SMWAVE_DEVICE unsigned __vabsss4(unsigned a)
{
    unsigned r = __vabs4(a);

    return r - (r >> 7 & 0x01010101u);
}
SMWAVE_DEVICE unsigned __vneg4(unsigned a)
{
    return __vsub4(0, a);
}
SMWAVE_DEVICE unsigned __vaddus4(unsigned a, unsigned b)
{
    unsigned s = __vadd4(a, b);

    return s | smwave_math::signs4((a & b) | ((a | b) & ~s));
}
SMWAVE_DEVICE unsigned __vsubus4(unsigned a, unsigned b)
{
    return __vsub4(a, b) & __vcmpgeu4(a, b);
}
SMWAVE_DEVICE unsigned __vaddss4(unsigned a, unsigned b)
{
    unsigned s = __vadd4(a, b);

    return smwave_math::choose(smwave_math::signs4((a ^ s) & (b ^ s)),
                               smwave_math::signs4(a) ^ 0x7f7f7f7fu, s);
}
SMWAVE_DEVICE unsigned __vsubss4(unsigned a, unsigned b)
{
    unsigned s = __vsub4(a, b);

    return smwave_math::choose(smwave_math::signs4((a ^ b) & (a ^ s)),
                               smwave_math::signs4(a) ^ 0x7f7f7f7fu, s);
}
SMWAVE_DEVICE unsigned __vnegss4(unsigned a)
{
    return __vsubss4(0, a);
}

/* ---- 2 lanes of 16 bits ---- */

SMWAVE_DEVICE unsigned __vadd2(unsigned a, unsigned b)
{
    return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsub2(unsigned a, unsigned b)
{
    return ((a | 0x80008000u) - (b & 0x7fff7fffu)) ^ ((a ^ ~b) & 0x80008000u);
}
namespace smwave_math
{
/* In the sign of each lane: a >= b, and a == b. */
SMWAVE_INSIDE u32 not_less2(u32 a, u32 b)
{
    u32 r = (a | 0x80008000u) - (b & 0x7fff7fffu);

    return ((a & ~b) | (~(a ^ b) & r)) & 0x80008000u;
}
SMWAVE_INSIDE u32 equal2(u32 a, u32 b)
{
    u32 x = a ^ b;

    return ~(((x & 0x7fff7fffu) + 0x7fff7fffu) | x) & 0x80008000u;
}
} /* namespace smwave_math */
SMWAVE_DEVICE unsigned __vcmpeq2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::equal2(a, b));
}
SMWAVE_DEVICE unsigned __vseteq2(unsigned a, unsigned b)
{
    return (smwave_math::equal2(a, b)) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpne2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::equal2(a, b) ^ 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsetne2(unsigned a, unsigned b)
{
    return (smwave_math::equal2(a, b) ^ 0x80008000u) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpges2(unsigned a, unsigned b)
{
    return smwave_math::signs2(
        smwave_math::not_less2(a ^ 0x80008000u, b ^ 0x80008000u));
}
SMWAVE_DEVICE unsigned __vsetges2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(a ^ 0x80008000u, b ^ 0x80008000u)) >> 15;
}
SMWAVE_DEVICE unsigned __vcmples2(unsigned a, unsigned b)
{
    return smwave_math::signs2(
        smwave_math::not_less2(b ^ 0x80008000u, a ^ 0x80008000u));
}
SMWAVE_DEVICE unsigned __vsetles2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(b ^ 0x80008000u, a ^ 0x80008000u)) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpgts2(unsigned a, unsigned b)
{
    return smwave_math::signs2(
        smwave_math::not_less2(b ^ 0x80008000u, a ^ 0x80008000u) ^ 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsetgts2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(b ^ 0x80008000u, a ^ 0x80008000u) ^ 0x80008000u) >>
           15;
}
SMWAVE_DEVICE unsigned __vcmplts2(unsigned a, unsigned b)
{
    return smwave_math::signs2(
        smwave_math::not_less2(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsetlts2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u) >>
           15;
}
SMWAVE_DEVICE unsigned __vcmpgeu2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::not_less2(a, b));
}
SMWAVE_DEVICE unsigned __vsetgeu2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(a, b)) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpleu2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::not_less2(b, a));
}
SMWAVE_DEVICE unsigned __vsetleu2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(b, a)) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpgtu2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::not_less2(b, a) ^ 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsetgtu2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(b, a) ^ 0x80008000u) >> 15;
}
SMWAVE_DEVICE unsigned __vcmpltu2(unsigned a, unsigned b)
{
    return smwave_math::signs2(smwave_math::not_less2(a, b) ^ 0x80008000u);
}
SMWAVE_DEVICE unsigned __vsetltu2(unsigned a, unsigned b)
{
    return (smwave_math::not_less2(a, b) ^ 0x80008000u) >> 15;
}
SMWAVE_DEVICE unsigned __vmaxs2(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpges2(a, b), a, b);
}
SMWAVE_DEVICE unsigned __vmins2(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpges2(a, b), b, a);
}
SMWAVE_DEVICE unsigned __vabsdiffs2(unsigned a, unsigned b)
{
    return __vsub2(__vmaxs2(a, b), __vmins2(a, b));
}
SMWAVE_DEVICE unsigned __vsads2(unsigned a, unsigned b)
{
    return smwave_math::sum2(__vabsdiffs2(a, b));
}
SMWAVE_DEVICE unsigned __vmaxu2(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpgeu2(a, b), a, b);
}
SMWAVE_DEVICE unsigned __vminu2(unsigned a, unsigned b)
{
    return smwave_math::choose(__vcmpgeu2(a, b), b, a);
}
SMWAVE_DEVICE unsigned __vabsdiffu2(unsigned a, unsigned b)
{
    return __vsub2(__vmaxu2(a, b), __vminu2(a, b));
}
SMWAVE_DEVICE unsigned __vsadu2(unsigned a, unsigned b)
{
    return smwave_math::sum2(__vabsdiffu2(a, b));
}
SMWAVE_DEVICE unsigned __vavgu2(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1 & 0x7fff7fffu);
}
SMWAVE_DEVICE unsigned __vavgs2(unsigned a, unsigned b)
{
    return __vavgu2(a ^ 0x80008000u, b ^ 0x80008000u) ^ 0x80008000u;
}
SMWAVE_DEVICE unsigned __vhaddu2(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1 & 0x7fff7fffu);
}
SMWAVE_DEVICE unsigned __vabs2(unsigned a)
{
    unsigned m = smwave_math::signs2(a);

    return (a ^ m) + (m & 0x00010001u);
}
SMWAVE_DEVICE unsigned __vabsss2(unsigned a)
{
    unsigned r = __vabs2(a);

    return r - (r >> 15 & 0x00010001u);
}
SMWAVE_DEVICE unsigned __vneg2(unsigned a)
{
    return __vsub2(0, a);
}
SMWAVE_DEVICE unsigned __vaddus2(unsigned a, unsigned b)
{
    unsigned s = __vadd2(a, b);

    return s | smwave_math::signs2((a & b) | ((a | b) & ~s));
}
SMWAVE_DEVICE unsigned __vsubus2(unsigned a, unsigned b)
{
    return __vsub2(a, b) & __vcmpgeu2(a, b);
}
SMWAVE_DEVICE unsigned __vaddss2(unsigned a, unsigned b)
{
    unsigned s = __vadd2(a, b);

    return smwave_math::choose(smwave_math::signs2((a ^ s) & (b ^ s)),
                               smwave_math::signs2(a) ^ 0x7fff7fffu, s);
}
SMWAVE_DEVICE unsigned __vsubss2(unsigned a, unsigned b)
{
    unsigned s = __vsub2(a, b);

    return smwave_math::choose(smwave_math::signs2((a ^ b) & (a ^ s)),
                               smwave_math::signs2(a) ^ 0x7fff7fffu, s);
}
SMWAVE_DEVICE unsigned __vnegss2(unsigned a)
{
    return __vsubss2(0, a);
}

/* ---- dynamic programming: three operands, sums, and the larger with zero ---- */

SMWAVE_DEVICE int __vimax3_s32(int a, int b, int c)
{
    int m = a > b ? a : b;

    return m > c ? m : c;
}
SMWAVE_DEVICE int __viaddmax_s32(int a, int b, int c)
{
    int s = (int)((unsigned)a + (unsigned)b);

    return s > c ? s : c;
}
SMWAVE_DEVICE int __vibmax_s32(int a, int b, bool *first)
{
    *first = a >= b;
    return a >= b ? a : b;
}
SMWAVE_DEVICE int __vimax_s32_relu(int a, int b)
{
    int m = a > b ? a : b;

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE int __vimax3_s32_relu(int a, int b, int c)
{
    int m = __vimax3_s32(a, b, c);

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE int __viaddmax_s32_relu(int a, int b, int c)
{
    int m = __viaddmax_s32(a, b, c);

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a > b ? a : b;

    return m > c ? m : c;
}
SMWAVE_DEVICE unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c)
{
    unsigned s = (unsigned)((unsigned)a + (unsigned)b);

    return s > c ? s : c;
}
SMWAVE_DEVICE unsigned __vibmax_u32(unsigned a, unsigned b, bool *first)
{
    *first = a >= b;
    return a >= b ? a : b;
}
SMWAVE_DEVICE unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__vmaxs2(a, b), c);
}
SMWAVE_DEVICE unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__vadd2(a, b), c);
}
SMWAVE_DEVICE unsigned __vibmax_s16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    unsigned m = __vcmpges2(a, b);

    *high = (m >> 16) != 0;
    *low = (m & 1) != 0;
    return smwave_math::choose(m, a, b);
}
SMWAVE_DEVICE unsigned __vimax_s16x2_relu(unsigned a, unsigned b)
{
    return __vmaxs2(__vmaxs2(a, b), 0);
}
SMWAVE_DEVICE unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__vimax3_s16x2(a, b, c), 0);
}
SMWAVE_DEVICE unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__viaddmax_s16x2(a, b, c), 0);
}
SMWAVE_DEVICE unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxu2(__vmaxu2(a, b), c);
}
SMWAVE_DEVICE unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmaxu2(__vadd2(a, b), c);
}
SMWAVE_DEVICE unsigned __vibmax_u16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    unsigned m = __vcmpgeu2(a, b);

    *high = (m >> 16) != 0;
    *low = (m & 1) != 0;
    return smwave_math::choose(m, a, b);
}
SMWAVE_DEVICE int __vimin3_s32(int a, int b, int c)
{
    int m = a < b ? a : b;

    return m < c ? m : c;
}
SMWAVE_DEVICE int __viaddmin_s32(int a, int b, int c)
{
    int s = (int)((unsigned)a + (unsigned)b);

    return s < c ? s : c;
}
SMWAVE_DEVICE int __vibmin_s32(int a, int b, bool *first)
{
    *first = a <= b;
    return a <= b ? a : b;
}
SMWAVE_DEVICE int __vimin_s32_relu(int a, int b)
{
    int m = a < b ? a : b;

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE int __vimin3_s32_relu(int a, int b, int c)
{
    int m = __vimin3_s32(a, b, c);

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE int __viaddmin_s32_relu(int a, int b, int c)
{
    int m = __viaddmin_s32(a, b, c);

    return m > 0 ? m : 0;
}
SMWAVE_DEVICE unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;

    return m < c ? m : c;
}
SMWAVE_DEVICE unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c)
{
    unsigned s = (unsigned)((unsigned)a + (unsigned)b);

    return s < c ? s : c;
}
SMWAVE_DEVICE unsigned __vibmin_u32(unsigned a, unsigned b, bool *first)
{
    *first = a <= b;
    return a <= b ? a : b;
}
SMWAVE_DEVICE unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmins2(__vmins2(a, b), c);
}
SMWAVE_DEVICE unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c)
{
    return __vmins2(__vadd2(a, b), c);
}
SMWAVE_DEVICE unsigned __vibmin_s16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    unsigned m = __vcmples2(a, b);

    *high = (m >> 16) != 0;
    *low = (m & 1) != 0;
    return smwave_math::choose(m, a, b);
}
SMWAVE_DEVICE unsigned __vimin_s16x2_relu(unsigned a, unsigned b)
{
    return __vmaxs2(__vmins2(a, b), 0);
}
SMWAVE_DEVICE unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__vimin3_s16x2(a, b, c), 0);
}
SMWAVE_DEVICE unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c)
{
    return __vmaxs2(__viaddmin_s16x2(a, b, c), 0);
}
SMWAVE_DEVICE unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vminu2(__vminu2(a, b), c);
}
SMWAVE_DEVICE unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c)
{
    return __vminu2(__vadd2(a, b), c);
}
SMWAVE_DEVICE unsigned __vibmin_u16x2(unsigned a, unsigned b, bool *high, bool *low)
{
    unsigned m = __vcmpleu2(a, b);

    *high = (m >> 16) != 0;
    *low = (m & 1) != 0;
    return smwave_math::choose(m, a, b);
}

#endif
