/*
 * small_float_compare.h - comparisons (a part of small_float.h, read once
 * for each type).
 */
/* ---- comparisons; the second form is true also where an operand is NaN ---- */

SMWAVE_BOTH bool __heq(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a == (float)b;
}
SMWAVE_BOTH bool __hequ(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a < (float)b || (float)a > (float)b);
}
SMWAVE_BOTH bool __hbeq2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __heq(a.x, b.x) && __heq(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __heq2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__heq(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__heq(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __heq2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbequ2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hequ(a.x, b.x) && __hequ(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hequ2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hequ(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hequ(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hequ2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hne(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a < (float)b || (float)a > (float)b;
}
SMWAVE_BOTH bool __hneu(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a == (float)b);
}
SMWAVE_BOTH bool __hbne2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hne(a.x, b.x) && __hne(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hne2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hne(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hne(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hne2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbneu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hneu(a.x, b.x) && __hneu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hneu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hneu(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hneu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hneu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hlt(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a < (float)b;
}
SMWAVE_BOTH bool __hltu(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a >= (float)b);
}
SMWAVE_BOTH bool __hblt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hlt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hlt(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hlt(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hlt2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbltu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hltu(a.x, b.x) && __hltu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hltu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hltu(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hltu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hltu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hle(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a <= (float)b;
}
SMWAVE_BOTH bool __hleu(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a > (float)b);
}
SMWAVE_BOTH bool __hble2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hle(a.x, b.x) && __hle(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hle2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hle(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hle(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hle2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbleu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hleu(a.x, b.x) && __hleu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hleu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hleu(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hleu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hleu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hgt(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a > (float)b;
}
SMWAVE_BOTH bool __hgtu(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a <= (float)b);
}
SMWAVE_BOTH bool __hbgt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgt(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hgt(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgt2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbgtu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgtu(a.x, b.x) && __hgtu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgtu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgtu(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hgtu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgtu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hge(SMWAVE_T a, SMWAVE_T b)
{
    return (float)a >= (float)b;
}
SMWAVE_BOTH bool __hgeu(SMWAVE_T a, SMWAVE_T b)
{
    return !((float)a < (float)b);
}
SMWAVE_BOTH bool __hbge2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hge(a.x, b.x) && __hge(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hge2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hge(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hge(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hge2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbgeu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgeu(a.x, b.x) && __hgeu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgeu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgeu(a.x, b.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hgeu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgeu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH SMWAVE_T2 __hisnan2(SMWAVE_T2 a)
{
    return SMWAVE_T2(SMWAVE_T(__hisnan(a.x) ? 1.0f : 0.0f),
                     SMWAVE_T(__hisnan(a.y) ? 1.0f : 0.0f));
}
