/* Integers and bits, from their descriptions in the PTX ISA. */
#include "eval.h"

uint64_t extend(enum ty t, uint64_t raw)
{
    uint32_t n = ty_bits(t);
    uint64_t sign, mask;

    if (n == 0 || n == 64) {
        return raw;
    }
    mask = (UINT64_C(1) << n) - 1;
    sign = UINT64_C(1) << (n - 1);
    raw &= mask;
    return ty_signed(t) && (raw & sign) != 0 ? raw | ~mask : raw;
}

static uint64_t ones(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static bool less(enum ty t, uint64_t a, uint64_t b)
{
    return ty_signed(t) ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t clamp_s32(int64_t v)
{
    return (uint64_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

/* ---- products ---- */

static uint64_t high_unsigned(uint64_t a, uint64_t b)
{
    uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
    uint64_t middle = ah * bl + ((al * bl) >> 32);
    uint64_t other = al * bh + (middle & 0xffffffff);

    return ah * bh + (middle >> 32) + (other >> 32);
}

/* The upper half of the product of two values of n bits. */
static uint64_t high(enum ty t, uint64_t a, uint64_t b)
{
    uint32_t n = ty_bits(t);

    if (n < 64) {
        return (a * b) >> n; /* of extended operands: exact up to 64 bits */
    }
    return high_unsigned(a, b) - (ty_signed(t) && (int64_t)a < 0 ? b : 0) -
           (ty_signed(t) && (int64_t)b < 0 ? a : 0);
}

static uint64_t product(const struct insn *in, enum ty t, uint64_t a, uint64_t b)
{
    return has(in, MOD_HI) ? high(t, a, b) : a * b;
}

/* x + y + carry in n bits; *out: the carry. */
static uint64_t sum(uint32_t n, uint64_t x, uint64_t y, bool carry, bool *out)
{
    uint64_t v;

    x &= ones(n);
    y &= ones(n);
    v = x + y + carry;
    *out = n == 64 ? v < x || (carry && v == x) : (v >> n & 1) != 0;
    return v;
}

static uint64_t difference(uint32_t n, uint64_t x, uint64_t y, bool borrow, bool *out)
{
    x &= ones(n);
    y &= ones(n);
    *out = x < y || (borrow && x == y);
    return x - y - borrow;
}

static uint64_t with_carry(const struct insn *in, const uint64_t *s, bool *cc)
{
    enum ty t = in->ty;
    uint32_t n = ty_bits(t);
    uint64_t a = extend(t, s[0]), b = extend(t, s[1]), v;
    bool in_flag = *cc, out;

    switch (in->op) {
    case OP_ADD: v = sum(n, a, b, false, &out); break;
    case OP_ADDC: v = sum(n, a, b, in_flag, &out); break;
    case OP_SUB: v = difference(n, a, b, false, &out); break;
    case OP_SUBC: v = difference(n, a, b, in_flag, &out); break;
    default: /* mad, madc */
        v = sum(n, product(in, t, a, b), s[2], in->op == OP_MADC && in_flag, &out);
        break;
    }
    if (has(in, MOD_CC)) {
        *cc = out;
    }
    return v;
}

static uint64_t low24(enum ty t, uint64_t v)
{
    v &= 0xffffff;
    return ty_signed(t) && (v & 0x800000) != 0 ? v | ~UINT64_C(0xffffff) : v;
}

static uint64_t mul24(const struct insn *in, const uint64_t *s)
{
    uint64_t p = low24(in->ty, s[0]) * low24(in->ty, s[1]);

    return extend(in->ty, has(in, MOD_HI) ? p >> 16 : p);
}

static uint64_t multiply_add(const struct insn *in, const uint64_t *s)
{
    enum ty t = in->ty;
    uint64_t p = in->op == OP_MAD24 ? mul24(in, s)
                                    : product(in, t, extend(t, s[0]), extend(t, s[1]));

    return in->sat ? clamp_s32((int64_t)extend(t, p) + (int64_t)extend(t, s[2]))
                   : p + s[2];
}

/* ---- bits ---- */

static uint32_t population(uint64_t v)
{
    uint32_t n = 0;

    for (; v != 0; v &= v - 1) {
        n++;
    }
    return n;
}

static int highest(uint64_t v) /* -1: none */
{
    int n = -1;

    for (; v != 0; v >>= 1) {
        n++;
    }
    return n;
}

static uint64_t bfind(const struct insn *in, uint64_t raw)
{
    uint32_t n = ty_bits(in->ty);
    uint64_t v = extend(in->ty, raw);
    int at;

    if (ty_signed(in->ty) && (int64_t)v < 0) {
        v = ~v;
    }
    at = highest(v & ones(n));
    return (uint32_t)(at >= 0 && has(in, MOD_SHIFTAMT) ? (int)n - 1 - at : at);
}

static uint64_t reverse(uint32_t n, uint64_t v)
{
    uint64_t r = 0;

    for (uint32_t i = 0; i < n; i++) {
        r |= (v >> i & 1) << (n - 1 - i);
    }
    return r;
}

static uint64_t bfe(enum ty t, const uint64_t *s)
{
    uint32_t msb = ty_bits(t) - 1, pos = s[1] & 0xff, len = s[2] & 0xff;
    uint32_t last = pos + len - 1 < msb ? pos + len - 1 : msb;
    bool sign = ty_signed(t) && len != 0 && (s[0] >> last & 1) != 0;
    uint64_t d = 0;

    for (uint32_t i = 0; i <= msb; i++) {
        bool bit = i < len && pos + i <= msb ? (s[0] >> (pos + i) & 1) != 0 : sign;

        d |= (uint64_t)bit << i;
    }
    return d;
}

static uint64_t bfi(enum ty t, const uint64_t *s)
{
    uint32_t msb = ty_bits(t) - 1, pos = s[2] & 0xff, len = s[3] & 0xff;
    uint64_t d = s[1];

    for (uint32_t i = 0; i < len && pos + i <= msb; i++) {
        d = (d & ~(UINT64_C(1) << (pos + i))) | (s[0] >> i & 1) << (pos + i);
    }
    return d;
}

static uint64_t fns(const uint64_t *s)
{
    uint32_t mask = (uint32_t)s[0];
    int32_t at = (int32_t)(uint32_t)s[1];
    int64_t offset = (int32_t)(uint32_t)s[2];
    int64_t left = offset < 0 ? -offset : offset;

    if (at < 0 || at > 31) { /* undefined */
        return UINT32_MAX;
    }

    if (offset == 0) {
        return (mask >> at & 1) != 0 ? (uint32_t)at : UINT32_MAX;
    }
    for (; at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
        if ((mask >> at & 1) != 0 && --left == 0) {
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

static uint64_t bmsk(const struct insn *in, const uint64_t *s)
{
    uint64_t from = s[0] & 0xffffffff, width = s[1] & 0xffffffff;

    if (has(in, MOD_WRAP)) {
        from &= 31;
        width &= 31;
    }
    if (from >= 32) {
        return 0;
    }
    return ones(width > 32 ? 32 : (uint32_t)width) << from & 0xffffffff;
}

static uint64_t szext(const struct insn *in, const uint64_t *s)
{
    uint64_t n = s[1] & 0xffffffff;

    if (has(in, MOD_WRAP)) {
        n &= 31;
    }
    if (n >= 32) {
        return s[0];
    }
    if (n == 0) {
        return 0;
    }
    if (ty_signed(in->ty) && (s[0] >> (n - 1) & 1) != 0) {
        return s[0] | ~ones((uint32_t)n);
    }
    return s[0] & ones((uint32_t)n);
}

static uint64_t lop3(const uint64_t *s)
{
    uint64_t d = 0;

    for (uint32_t i = 0; i < 32; i++) {
        uint32_t row =
            (uint32_t)((s[0] >> i & 1) << 2 | (s[1] >> i & 1) << 1 | (s[2] >> i & 1));

        d |= (s[3] >> row & 1) << i;
    }
    return d;
}

static uint64_t shf(const struct insn *in, const uint64_t *s)
{
    uint64_t both = (s[1] & 0xffffffff) << 32 | (s[0] & 0xffffffff);
    uint32_t n = (uint32_t)s[2];

    n = has(in, MOD_WRAP) ? n & 31 : n > 32 ? 32 : n;
    return has(in, MOD_R) ? both >> n : (both << n) >> 32;
}

static uint64_t shift(const struct insn *in, const uint64_t *s)
{
    uint32_t n = ty_bits(in->ty);
    uint32_t by = (uint32_t)s[1];
    uint64_t a = extend(in->ty, s[0]);
    uint64_t all = ty_signed(in->ty) && (int64_t)a < 0 ? UINT64_MAX : 0;

    if (in->op == OP_SHL) {
        return by >= n ? 0 : a << by;
    }
    if (by >= n) {
        return all;
    }
    return by == 0 ? a : a >> by | (all & ~ones(64 - by));
}

static uint32_t pick(const struct insn *in, uint32_t c, uint32_t i)
{
    uint32_t ctl = c & 3;

    if (has(in, MOD_F4E)) {
        return ctl + i;
    }
    if (has(in, MOD_B4E)) {
        return (8 + ctl - i) % 8;
    }
    if (has(in, MOD_RC8)) {
        return ctl;
    }
    if (has(in, MOD_ECL)) {
        return ctl > i ? ctl : i;
    }
    if (has(in, MOD_ECR)) {
        return ctl < i ? ctl : i;
    }
    if (has(in, MOD_RC16)) {
        return (ctl & 1) * 2 + (i & 1);
    }
    return c >> (4 * i) & 15; /* bit 3: the byte's sign, eight times */
}

static uint64_t prmt(const struct insn *in, const uint64_t *s)
{
    uint64_t both = (s[1] & 0xffffffff) << 32 | (s[0] & 0xffffffff), d = 0;

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t k = pick(in, (uint32_t)s[2], i);
        uint64_t byte = both >> (8 * (k & 7)) & 0xff;

        if (k > 7) {
            byte = (byte & 0x80) != 0 ? 0xff : 0;
        }
        d |= byte << (8 * i);
    }
    return d;
}

static uint64_t dot(const struct insn *in, const uint64_t *s)
{
    bool four = in->op == OP_DP4A;
    uint64_t d = s[2];

    for (uint32_t i = 0; i < (four ? 4u : 2u); i++) {
        enum ty ta =
            ty_signed(in->ty) ? (four ? TY_S8 : TY_S16) : (four ? TY_U8 : TY_U16);
        enum ty tb = ty_signed(in->ty2) ? TY_S8 : TY_U8;
        uint32_t upper = !four && has(in, MOD_HI) ? 16 : 0;

        d += extend(ta, s[0] >> ((four ? 8 : 16) * i)) *
             extend(tb, s[1] >> (8 * i + upper));
    }
    return d;
}

/* ---- all ---- */

static bool divide(const struct insn *in, uint64_t a, uint64_t b, uint64_t *d)
{
    bool rem = in->op == OP_REM;

    if (b == 0) {
        return false;
    }
    if (!ty_signed(in->ty)) {
        *d = rem ? a % b : a / b;
    } else if (b == UINT64_MAX) {
        *d = rem ? 0 : 0 - a; /* the least of all wraps */
    } else {
        *d = (uint64_t)(rem ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    }
    return true;
}

static bool arithmetic(const struct insn *in, const uint64_t *s, bool *cc, uint64_t *d)
{
    enum ty t = in->ty;
    uint64_t a = extend(t, s[0]), b = extend(t, s[1]);

    switch (in->op) {
    case OP_ADD:
    case OP_SUB:
        if (has(in, MOD_CC)) {
            *d = with_carry(in, s, cc);
        } else if (in->sat) {
            *d = clamp_s32(in->op == OP_ADD ? (int64_t)a + (int64_t)b
                                            : (int64_t)a - (int64_t)b);
        } else {
            *d = in->op == OP_ADD ? a + b : a - b;
        }
        return true;
    case OP_ADDC:
    case OP_SUBC:
    case OP_MADC: *d = with_carry(in, s, cc); return true;
    case OP_MUL: *d = product(in, t, a, b); return true;
    case OP_MUL24: *d = mul24(in, s); return true;
    case OP_MAD:
    case OP_MAD24:
        *d = has(in, MOD_CC) ? with_carry(in, s, cc) : multiply_add(in, s);
        return true;
    case OP_SAD: *d = s[2] + (less(t, a, b) ? b - a : a - b); return true;
    case OP_DIV:
    case OP_REM: return divide(in, a, b, d);
    case OP_MIN: *d = less(t, a, b) ? a : b; return true;
    case OP_MAX: *d = less(t, a, b) ? b : a; return true;
    case OP_ABS: *d = (int64_t)a < 0 ? 0 - a : a; return true;
    case OP_NEG: *d = 0 - a; return true;
    default: return false;
    }
}

static bool bits(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    uint32_t n = ty_bits(in->ty);
    uint64_t a = s[0] & ones(n), b = s[1];

    switch (in->op) {
    case OP_POPC: *d = population(a); return true;
    case OP_CLZ: *d = n - 1 - (uint32_t)highest(a); return true;
    case OP_BFIND: *d = bfind(in, s[0]); return true;
    case OP_BREV: *d = reverse(n, a); return true;
    case OP_BFE: *d = bfe(in->ty, s); return true;
    case OP_BFI: *d = bfi(in->ty, s); return true;
    case OP_FNS: *d = fns(s); return true;
    case OP_BMSK: *d = bmsk(in, s); return true;
    case OP_SZEXT: *d = szext(in, s); return true;
    case OP_DP4A:
    case OP_DP2A: *d = dot(in, s); return true;
    case OP_LOP3: *d = lop3(s); return true;
    case OP_SHF: *d = shf(in, s); return true;
    case OP_SHL:
    case OP_SHR: *d = shift(in, s); return true;
    case OP_PRMT: *d = prmt(in, s); return true;
    case OP_AND: *d = a & b; return true;
    case OP_OR: *d = a | b; return true;
    case OP_XOR: *d = a ^ b; return true;
    case OP_NOT: *d = ~a; return true;
    case OP_CNOT: *d = a == 0; return true;
    default: return false;
    }
}

bool eval_integer(const struct insn *in, const uint64_t *s, bool *cc, uint64_t *d)
{
    return arithmetic(in, s, cc, d) || bits(in, s, d);
}
