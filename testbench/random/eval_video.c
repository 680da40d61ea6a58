/*
 * Video instructions and packed integers: arithmetic on parts of words, as the PTX
 * ISA's "Video Instructions" has them in its pseudocode.
 *
 * Parts are taken out as 64-bit numbers, which no sum or product of theirs exceeds but
 * that of vmad, whose product and sum take up to 66 bits: 128 are at hand.
 */
#include "eval.h"

#include <string.h>

__extension__ typedef __int128 wide; /* C11 has no type of 128 bits */

/* ---- parts ---- */

/* Part number k of n bits, as a type sees it. */
static int64_t part_of(uint64_t v, uint32_t k, uint32_t bits, bool is_signed)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1, p = v >> (k * bits) & mask;

    return is_signed && (p >> (bits - 1) & 1) != 0 ? (int64_t)(p | ~mask) : (int64_t)p;
}

static uint32_t width_of(const struct opnd *o)
{
    return o->part[0] == 'b' ? 8 : o->part[0] == 'h' ? 16 : 32;
}

static int64_t selected(const struct opnd *o, uint64_t v, bool is_signed)
{
    return part_of(v, o->part[0] == '\0' ? 0 : (uint32_t)(o->part[1] - '0'),
                   width_of(o), is_signed);
}

static wide clamped(wide v, uint32_t bits, bool is_signed)
{
    const wide one = 1, high = (one << (is_signed ? bits - 1 : bits)) - 1;
    const wide low = is_signed ? -high - 1 : 0;

    return v < low ? low : v > high ? high : v;
}

static bool compare(uint32_t cmp, int64_t a, int64_t b)
{
    switch (cmp) {
    case MOD_EQ: return a == b;
    case MOD_NE: return a != b;
    case MOD_LT: return a < b;
    case MOD_LE: return a <= b;
    case MOD_GT: return a > b;
    default: return a >= b;
    }
}

static wide shifted(const struct insn *in, int64_t a, uint64_t by)
{
    const wide one = 1;

    by = has(in, MOD_CLAMP) ? (by > 32 ? 32 : by) : by & 31;
    return in->op == OP_VSHL ? a * (one << by) : a >> by;
}

static int64_t basic(const struct insn *in, int64_t a, int64_t b)
{
    switch (in->op) {
    case OP_VADD:
    case OP_VADD2:
    case OP_VADD4: return a + b;
    case OP_VSUB:
    case OP_VSUB2:
    case OP_VSUB4: return a - b;
    case OP_VABSDIFF:
    case OP_VABSDIFF2:
    case OP_VABSDIFF4: return a < b ? b - a : a - b;
    case OP_VMIN:
    case OP_VMIN2:
    case OP_VMIN4: return a < b ? a : b;
    case OP_VMAX:
    case OP_VMAX2:
    case OP_VMAX4: return a < b ? b : a;
    case OP_VAVRG2:
    case OP_VAVRG4: return (a + b + (a + b >= 0)) >> 1;
    default: return compare(in->cmp, a, b);
    }
}

/* ---- one value ---- */

static uint64_t merged(const struct opnd *d, uint64_t v, uint64_t c)
{
    const uint32_t bits = width_of(d), at = bits * (uint32_t)(d->part[1] - '0');
    const uint64_t mask = ((UINT64_C(1) << bits) - 1) << at;

    return (v << at & mask) | (c & ~mask);
}

static uint64_t second(const struct insn *in, int64_t v, uint64_t c, bool is_signed)
{
    const int64_t other = part_of(c, 0, 32, is_signed);
    /* What the first operation gave has the 32 bits of the result's type by now. */
    const int64_t mine = part_of((uint64_t)v, 0, 32, is_signed);

    if (has(in, MOD_ADD)) {
        return (uint64_t)v + c;
    }
    return (uint64_t)((mine < other) == has(in, MOD_MIN) ? mine : other);
}

static uint64_t single(const struct insn *in, const uint64_t *s)
{
    const bool set = in->op == OP_VSET, sd = !set && in->ty == TY_S32;
    const bool sa = (set ? in->ty : in->ty2) == TY_S32;
    const bool sb = (set ? in->ty2 : in->ty3) == TY_S32;
    const bool shift = in->op == OP_VSHL || in->op == OP_VSHR;
    const int64_t a = selected(&in->o[1], s[0], sa);
    const int64_t b = selected(&in->o[2], s[1], sb && !shift);
    const wide all = shift ? shifted(in, a, (uint64_t)b) : basic(in, a, b);
    const int64_t v = (int64_t)(in->sat ? clamped(all, width_of(&in->o[0]), sd) : all);

    if (has(in, MOD_ADD) || has(in, MOD_MIN) || has(in, MOD_MAX)) {
        return second(in, v, s[2], sd);
    }
    return in->n == 4 ? merged(&in->o[0], (uint64_t)v, s[2]) : (uint64_t)v;
}

static uint64_t vmad(const struct insn *in, const uint64_t *s)
{
    const bool sa = in->ty2 == TY_S32, sb = in->ty3 == TY_S32;
    const bool turned = in->o[1].negated != in->o[2].negated, less = in->o[3].negated;
    const bool is_signed = sa || sb || turned || less;
    /* Operands come with a negation that is of predicates: it is taken back. */
    const uint64_t a = s[0] ^ in->o[1].negated, b = s[1] ^ in->o[2].negated;
    const uint64_t c = s[2] ^ in->o[3].negated;
    wide v = (wide)selected(&in->o[1], a, sa) * selected(&in->o[2], b, sb);
    wide sum = part_of(c, 0, 32, is_signed);

    v = turned ? -v : v;
    sum = less ? -sum : sum;
    v += sum + (has(in, MOD_PO) && !turned && !less);
    v >>= has(in, MOD_SHR7) ? 7 : has(in, MOD_SHR15) ? 15 : 0;
    return (uint64_t)(in->sat ? clamped(v, 32, is_signed) : v);
}

/* ---- two or four ---- */

/* The part that the i-th value of a or b is: of the eight or four of both. */
static int64_t chosen(const struct opnd *o, const uint64_t *s, uint32_t i, uint32_t n,
                      uint32_t usual, bool is_signed)
{
    const uint32_t k =
        o->part[0] == '\0' ? usual + i : (uint32_t)(o->part[n - i] - '0');

    return part_of(s[k / n], k % n, 32 / n, is_signed);
}

static bool writes(const struct opnd *d, uint32_t i)
{
    for (const char *c = d->part; *c != '\0'; c++) {
        if (*c == (char)('0' + i)) {
            return true;
        }
    }
    return d->part[0] == '\0';
}

static uint64_t several(const struct insn *in, const uint64_t *s, uint32_t n)
{
    const bool set = in->op == OP_VSET2 || in->op == OP_VSET4;
    const bool sd = !set && in->ty == TY_S32;
    const bool sa = (set ? in->ty : in->ty2) == TY_S32;
    const bool sb = (set ? in->ty2 : in->ty3) == TY_S32;
    const uint32_t bits = 32 / n;
    uint64_t d = s[2];

    for (uint32_t i = 0; i < n; i++) {
        int64_t v = basic(in, chosen(&in->o[1], s, i, n, 0, sa),
                          chosen(&in->o[2], s, i, n, n, sb));
        const uint64_t mask = ((UINT64_C(1) << bits) - 1) << (i * bits);

        v = in->sat ? (int64_t)clamped(v, bits, sd) : v;
        if (!writes(&in->o[0], i)) {
            continue;
        }
        d = has(in, MOD_ADD) ? d + (uint64_t)v
                             : (d & ~mask) | ((uint64_t)v << (i * bits) & mask);
    }
    return d;
}

bool eval_video(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    switch (in->op) {
    case OP_VADD:
    case OP_VSUB:
    case OP_VABSDIFF:
    case OP_VMIN:
    case OP_VMAX:
    case OP_VSHL:
    case OP_VSHR:
    case OP_VSET: *d = single(in, s); return true;
    case OP_VMAD: *d = vmad(in, s); return true;
    case OP_VADD2:
    case OP_VSUB2:
    case OP_VABSDIFF2:
    case OP_VMIN2:
    case OP_VMAX2:
    case OP_VAVRG2:
    case OP_VSET2: *d = several(in, s, 2); return true;
    case OP_VADD4:
    case OP_VSUB4:
    case OP_VABSDIFF4:
    case OP_VMIN4:
    case OP_VMAX4:
    case OP_VAVRG4:
    case OP_VSET4: *d = several(in, s, 4); return true;
    default: return false;
    }
}

/* add, min and max of two 16-bit integers side by side; .relu: at least 0. */
bool eval_packed(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    const uint32_t n = in->ty == TY_S32 ? 1 : 2;
    const bool is_signed = in->ty != TY_U16X2;

    *d = 0;
    for (uint32_t i = 0; i < n; i++) {
        const int64_t a = part_of(s[0], i, 32 / n, is_signed);
        const int64_t b = part_of(s[1], i, 32 / n, is_signed);
        int64_t v = in->op == OP_ADD ? a + b : (a < b) == (in->op == OP_MIN) ? a : b;

        v = has(in, MOD_RELU) && v < 0 ? 0 : v;
        *d |= ((uint64_t)v & ((UINT64_C(1) << (32 / n)) - 1)) << (i * 32 / n);
    }
    return true;
}
