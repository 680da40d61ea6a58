/* Comparisons, selections, and who computes what. */
#include "eval.h"

#include <math.h>
#include <string.h>

static double real(const struct insn *in, enum ty t, uint64_t raw)
{
    uint32_t word = (uint32_t)raw;
    double d;
    float f;

    if (ty_half(t)) {
        return half_value(in, t, raw);
    }
    if (t == TY_F64) {
        memcpy(&d, &raw, sizeof(d));
        return d;
    }
    if (in->ftz && (word & 0x7f800000) == 0) {
        word &= 0x80000000;
    }
    memcpy(&f, &word, sizeof(f));
    return (double)f;
}

static bool unordered(uint32_t cmp)
{
    switch (cmp) {
    case MOD_EQU:
    case MOD_NEU:
    case MOD_LTU:
    case MOD_LEU:
    case MOD_GTU:
    case MOD_GEU:
    case MOD_NAN: return true;
    default: return false;
    }
}

/* order: -1, 0, 1. lo, ls, hi, hs are lt, le, gt, ge of unsigned operands. */
static bool holds(uint32_t cmp, int order)
{
    switch (cmp) {
    case MOD_EQ:
    case MOD_EQU: return order == 0;
    case MOD_NE:
    case MOD_NEU: return order != 0;
    case MOD_LT:
    case MOD_LO:
    case MOD_LTU: return order < 0;
    case MOD_LE:
    case MOD_LS:
    case MOD_LEU: return order <= 0;
    case MOD_GT:
    case MOD_HI:
    case MOD_GTU: return order > 0;
    case MOD_GE:
    case MOD_HS:
    case MOD_GEU: return order >= 0;
    default: return cmp == MOD_NUM;
    }
}

static bool compare(const struct insn *in, enum ty t, const uint64_t *s)
{
    if (ty_float(t) || ty_half(t)) {
        double a = real(in, t, s[0]), b = real(in, t, s[1]);

        return isnan(a) || isnan(b) ? unordered(in->cmp)
                                    : holds(in->cmp, a < b ? -1 : a > b);
    }
    {
        uint64_t a = extend(t, s[0]), b = extend(t, s[1]);
        bool below = ty_signed(t) ? (int64_t)a < (int64_t)b : a < b;

        return holds(in->cmp, a == b ? 0 : below ? -1 : 1);
    }
}

static bool combine(uint32_t logic, bool a, bool b)
{
    switch (logic) {
    case MOD_AND: return a && b;
    case MOD_OR: return a || b;
    case MOD_XOR: return a != b;
    default: return a;
    }
}

/* Of a pair: one truth each, the lower half's first. */
static bool compare_pair(const struct insn *in, const uint64_t *s, struct result *d)
{
    const enum ty t = in->op == OP_SETP ? in->ty : in->ty2;
    const uint64_t upper[2] = {s[0] >> 16, s[1] >> 16};
    const bool with = (s[2] & 1) != 0;
    const bool low = combine(in->logic, compare(in, t, s), with);
    const bool high = combine(in->logic, compare(in, t, upper), with);
    const uint64_t yes = in->ty == TY_F16X2    ? 0x3c00
                         : in->ty == TY_BF16X2 ? 0x3f80
                                               : 0xffff;

    d->value = in->op == OP_SETP ? low : (low ? yes : 0) | (high ? yes << 16 : 0);
    d->second = high;
    return true;
}

static uint64_t truth(enum ty t)
{
    switch (t) {
    case TY_F32: return 0x3f800000;
    case TY_F16: return 0x3c00;
    case TY_BF16: return 0x3f80;
    case TY_U16:
    case TY_S16: return 0xffff;
    default: return UINT32_MAX;
    }
}

bool eval_compare(const struct insn *in, const uint64_t *s, struct result *d)
{
    const enum ty of = in->op == OP_SETP ? in->ty : in->ty2;
    bool with = (s[2] & 1) != 0, t;

    if (of == TY_F16X2 || of == TY_BF16X2) {
        return compare_pair(in, s, d);
    }
    if (in->op == OP_SETP) {
        t = compare(in, in->ty, s);
        d->value = combine(in->logic, t, with);
        d->second = combine(in->logic, !t, with);
        return true;
    }
    t = combine(in->logic, compare(in, in->ty2, s), with); /* OP_SET */
    d->value = t ? truth(in->ty) : 0;
    return true;
}

static bool testp(const struct insn *in, uint64_t raw)
{
    bool wide = in->ty == TY_F64;
    uint64_t exponent = wide ? raw >> 52 & 0x7ff : raw >> 23 & 0xff;
    uint64_t fraction = wide ? raw & UINT64_C(0xfffffffffffff) : raw & 0x7fffff;
    bool special = exponent == (wide ? 0x7ffu : 0xffu);

    if (has(in, MOD_FINITE)) {
        return !special;
    }
    if (has(in, MOD_INFINITE)) {
        return special && fraction == 0;
    }
    if (has(in, MOD_NUMBER)) {
        return !special || fraction == 0;
    }
    if (has(in, MOD_NOTANUMBER)) {
        return special && fraction != 0;
    }
    if (has(in, MOD_NORMAL)) {
        return !special && (exponent != 0 || fraction == 0); /* zeros are normal */
    }
    return exponent == 0 && fraction != 0;
}

static bool slct(const struct insn *in, uint64_t c)
{
    return in->ty2 == TY_F32 ? real(in, TY_F32, c) >= 0 : (int32_t)(uint32_t)c >= 0;
}

bool eval(const struct insn *in, const uint64_t *s, bool *cc, struct result *d)
{
    const bool packed = in->ty == TY_U16X2 || in->ty == TY_S16X2 || in->ty == TY_S32;

    d->second = false;
    switch (in->op) {
    case OP_SETP:
    case OP_SET: return eval_compare(in, s, d);
    case OP_SELP: d->value = (s[2] & 1) != 0 ? s[0] : s[1]; return true;
    case OP_SLCT: d->value = slct(in, s[2]) ? s[0] : s[1]; return true;
    case OP_TESTP: d->value = testp(in, s[0]); return true;
    case OP_MOV: d->value = s[0]; return true;
    case OP_CVT:
        return ty_half(in->ty) || ty_half(in->ty2) ? eval_half_convert(in, s, &d->value)
                                                   : eval_convert(in, s[0], &d->value);
    default:
        if (in->op >= OP_VABSDIFF && in->op <= OP_VSUB4 && in->op != OP_VOTE) {
            return eval_video(in, s, &d->value);
        }
        if (in->ty == TY_U16X2 || in->ty == TY_S16X2 || has(in, MOD_RELU)) {
            return packed ? eval_packed(in, s, &d->value) : eval_half(in, s, &d->value);
        }
        if (ty_half(in->ty)) {
            return eval_half(in, s, &d->value);
        }
        return ty_float(in->ty) ? eval_float(in, s, &d->value)
                                : eval_integer(in, s, cc, &d->value);
    }
}
