/*
 * small_float_arithmetic.h - sums, products and the like (a part of small_float.h, read
 * once for each type).
 */
/* ---- arithmetic ---- */

#include "smwave/small_float_native.h"

#if SMWAVE_SMALL_NATIVE == 0
SMWAVE_BOTH SMWAVE_T __hadd(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T((float)a + (float)b);
}
SMWAVE_BOTH SMWAVE_T __hadd_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hadd(a, b);
}
SMWAVE_BOTH SMWAVE_T __hsub(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T((float)a - (float)b);
}
SMWAVE_BOTH SMWAVE_T __hsub_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hsub(a, b);
}
SMWAVE_BOTH SMWAVE_T __hmul(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T(smwave_math::mul((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hmul_rn(SMWAVE_T a, SMWAVE_T b)
{
    return __hmul(a, b);
}
SMWAVE_BOTH SMWAVE_T __hfma(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c)
{
    return SMWAVE_T(smwave_math::fma_to_odd((float)a, (float)b, (float)c));
}
#endif
SMWAVE_BOTH SMWAVE_T __hdiv(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T(smwave_math::quotient((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hneg(SMWAVE_T a)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(a.__x ^ 0x8000)});
}
SMWAVE_BOTH SMWAVE_T __habs(SMWAVE_T a)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(a.__x & 0x7fff)});
}
/* Into [0, 1]; NaN gives 0. */
SMWAVE_BOTH SMWAVE_T smwave_saturated(SMWAVE_T a)
{
    float f = smwave_math::least(smwave_math::most((float)a, 0.0f), 1.0f);

    return f > 0.0f ? SMWAVE_T(f) : SMWAVE_T(0.0f);
}
SMWAVE_BOTH SMWAVE_T smwave_not_negative(SMWAVE_T a)
{
    return (float)a <= 0.0f ? SMWAVE_T(0.0f) : a;
}
#if SMWAVE_SMALL_NATIVE < 3
SMWAVE_BOTH SMWAVE_T __hadd_sat(SMWAVE_T a, SMWAVE_T b)
{
    return smwave_saturated(__hadd(a, b));
}
SMWAVE_BOTH SMWAVE_T __hsub_sat(SMWAVE_T a, SMWAVE_T b)
{
    return smwave_saturated(__hsub(a, b));
}
SMWAVE_BOTH SMWAVE_T __hmul_sat(SMWAVE_T a, SMWAVE_T b)
{
    return smwave_saturated(__hmul(a, b));
}
SMWAVE_BOTH SMWAVE_T __hfma_sat(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c)
{
    return smwave_saturated(__hfma(a, b, c));
}
#endif
#if !SMWAVE_SMALL_EXTREMES
SMWAVE_BOTH SMWAVE_T __hfma_relu(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c)
{
    return smwave_not_negative(__hfma(a, b, c));
}
#endif
SMWAVE_BOTH bool __hisnan(SMWAVE_T a)
{
    return (a.__x & 0x7fff) > SMWAVE_SMALL_INF;
}
SMWAVE_BOTH int __hisinf(SMWAVE_T a)
{
    return (a.__x & 0x7fff) != SMWAVE_SMALL_INF ? 0 : (a.__x & 0x8000) != 0 ? -1 : 1;
}
#if !SMWAVE_SMALL_EXTREMES
/* A NaN operand gives the other one, or (_nan) NaN; -0 is less than 0. */
SMWAVE_BOTH SMWAVE_T __hmax(SMWAVE_T a, SMWAVE_T b)
{
    if ((float)a == (float)b) {
        return (a.__x & 0x8000) == 0 ? a : b;
    }
    return __hisnan(a) && __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
                                      : SMWAVE_T(smwave_math::most((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hmax_nan(SMWAVE_T a, SMWAVE_T b)
{
    return __hisnan(a) || __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
                                      : __hmax(a, b);
}
SMWAVE_BOTH SMWAVE_T __hmin(SMWAVE_T a, SMWAVE_T b)
{
    if ((float)a == (float)b) {
        return (a.__x & 0x8000) == 0x8000 ? a : b;
    }
    return __hisnan(a) && __hisnan(b)
               ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
               : SMWAVE_T(smwave_math::least((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hmin_nan(SMWAVE_T a, SMWAVE_T b)
{
    return __hisnan(a) || __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
                                      : __hmin(a, b);
}
#endif
#if SMWAVE_SMALL_NATIVE == 0
SMWAVE_BOTH SMWAVE_T2 __hadd2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd(a.x, b.x), __hadd(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hadd2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub(a.x, b.x), __hsub(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul(a.x, b.x), __hmul(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
#if SMWAVE_SMALL_NATIVE < 3
SMWAVE_BOTH SMWAVE_T2 __hadd2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2_sat(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
#endif
SMWAVE_BOTH SMWAVE_T2 __h2div(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
#if !SMWAVE_SMALL_EXTREMES
SMWAVE_BOTH SMWAVE_T2 __hmax2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmin2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmax2_nan(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmin2_nan(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2_relu(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
#endif
/* The complex product a b, plus c. */
SMWAVE_BOTH SMWAVE_T2 __hcmadd(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    SMWAVE_T re = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));

    return SMWAVE_T2(re, __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
SMWAVE_BOTH SMWAVE_T2 __hneg2(SMWAVE_T2 a)
{
    return SMWAVE_T2(__hneg(a.x), __hneg(a.y));
}
SMWAVE_BOTH SMWAVE_T2 __habs2(SMWAVE_T2 a)
{
    return SMWAVE_T2(__habs(a.x), __habs(a.y));
}
