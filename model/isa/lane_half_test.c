/*
 * Instructions on halves against their definition in the PTX manual: the operation on
 * the operands' values as binary64, one rounding. Where binary64 is not exact, the sum
 * is rounded towards zero and made odd if anything was lost, by fp.h.
 *
 * What an H100 computes of all operands is asked by ptx/half_device_test.c; here it is
 * masks, constants, and results in the place of operands.
 */
#include "isa/half_test.h"

/* One half of each operand, as it is seen by the operation being tested. */
struct half {
    bool bf16, ftz;
    uint32_t h[3];
    double v[3];
};

static struct half half_of(const struct lt_lane *x, enum isa_type t, uint32_t at)
{
    struct half y = {.bf16 = is_bf16(t), .ftz = FLAG(FTZ)};

    for (uint32_t i = 0; i < 3; i++) {
        y.h[i] = (uint32_t)(x->v[i] >> at) & 0xffff;
        if (y.ftz && !y.bf16 && (y.h[i] & 0x7c00) == 0) {
            y.h[i] &= 0x8000;
        }
        y.v[i] = value(y.bf16, y.h[i]);
    }
    return y;
}

/* a * b + c with its last bit odd where it is not exact; the product is. */
static uint64_t sum_odd(double a, double b, double c)
{
    const uint64_t p = bits_of(a * b), q = bits_of(c);
    const uint64_t down = fp64_add(p, q, ISA_R_RZ), near = fp64_add(p, q, ISA_R_RN);

    return fp64_add(p, q, ISA_R_RM) == fp64_add(p, q, ISA_R_RP) ? near : down | 1;
}

static uint32_t rounded(const struct half *y, uint64_t sum)
{
    double d;
    uint32_t h;

    if (y->bf16) {
        return fp64_to_bf16(sum, ISA_R_RN);
    }
    h = fp64_to_fp16(sum, ISA_R_RN);
    memcpy(&d, &sum, sizeof(d));
    /* .ftz sees a result as if its exponent had no limit: 2^8 times it has none. */
    if (y->ftz && d == d && fabs(d) < 0x1p-13 &&
        (fp64_to_fp16(bits_of(d * 256), ISA_R_RN) & 0x7fff) < 0x2400) {
        h &= 0x8000;
    }
    return h;
}

static uint32_t arithmetic(const struct lt_lane *x, const struct half *y)
{
    const double sign_p =
        x->form->sub == ISA_S_NEG_AB || x->form->sub == ISA_S_NEG_ABC ? -1 : 1;
    const double sign_c =
        x->form->sub == ISA_S_NEG_C || x->form->sub == ISA_S_NEG_ABC ? -1 : 1;
    uint32_t h;

    switch (x->form->op) {
    case ISA_OP_ADD: h = rounded(y, sum_odd(y->v[0], 1, y->v[1])); break;
    case ISA_OP_SUB: h = rounded(y, sum_odd(y->v[0], 1, -y->v[1])); break;
    case ISA_OP_MUL: h = rounded(y, bits_of(y->v[0] * y->v[1])); break;
    default:
        h = rounded(y, sum_odd(sign_p * y->v[0], y->v[1], sign_c * y->v[2]));
        if (FLAG(OOB) &&
            ((y->h[0] & 0x7fff) == 0x7ff7 || (y->h[1] & 0x7fff) == 0x7ff7)) {
            return 0;
        }
        break;
    }
    return modified(x, y->bf16, h);
}

static uint32_t chosen(const struct lt_lane *x, const struct half *y)
{
    const bool max = x->form->op == ISA_OP_MAX;
    const double a = FLAG(XORSIGN) ? fabs(y->v[0]) : y->v[0];
    const double b = FLAG(XORSIGN) ? fabs(y->v[1]) : y->v[1];
    const bool below = a < b || (a == b && signbit(a) > signbit(b));
    uint32_t h;

    if ((isnan(a) && isnan(b)) || (FLAG(NAN) && (isnan(a) || isnan(b)))) {
        return 0x7fff;
    }
    h = isnan(a) ? y->h[1] : isnan(b) ? y->h[0] : below != max ? y->h[0] : y->h[1];
    return FLAG(XORSIGN) ? (h & 0x7fff) | ((y->h[0] ^ y->h[1]) & 0x8000) : h;
}

static uint32_t sign(const struct lt_lane *x, const struct half *y)
{
    if (isnan(y->v[0])) {
        return 0x7fff;
    }
    return x->form->op == ISA_OP_ABS ? y->h[0] & 0x7fff : y->h[0] ^ 0x8000;
}

/* Inside of what the manual allows is not enough of a test: the exact value cut off, or
 * one in the last place from it, which half_device_test.c knows better. */
static uint32_t approximate(const struct lt_lane *x, const struct half *y)
{
    const double v = x->form->op == ISA_OP_EX2 ? exp2(y->v[0]) : tanh(y->v[0]);
    const struct isa_form f = {.op = x->form->op,
                               .type = y->bf16 ? ISA_T_BF16 : ISA_T_F16,
                               .sub = ISA_S_APPROX,
                               .flags = x->form->flags};
    uint32_t r[2 * ISA_LANES] = {y->h[0]};
    const struct isa_lanes w = {.r = r};
    const struct isa_uop u = {.form = f, .dst = {1}, .src = {0}};
    struct isa_selected sel;
    double got, last;

    assert_true(isa_select(&f, &sel));
    sel.exec(&u, &w, 1);
    got = value(y->bf16, r[ISA_LANES]);
    last = y->bf16 ? 0x1p-7 : 0x1p-10;
    if (isnan(v)) {
        assert_int_equal(r[ISA_LANES], 0x7fff);
    } else if (fabs(v) <= (y->bf16 ? 0x1p-126 : 0x1p-14)) {
        assert_true(fabs(got - v) <= 0x1p-24);
    } else if (isfinite(got) || v < (y->bf16 ? 0x1p127 : 65504)) {
        assert_true(fabs(got - v) <= fabs(v) * last * 1.01);
    }
    return r[ISA_LANES];
}

static uint32_t each(const struct lt_lane *x, enum isa_type t,
                     uint32_t (*one)(const struct lt_lane *, const struct half *))
{
    const struct half low = half_of(x, t, 0), high = half_of(x, t, 16);

    return one(x, &low) | (is_pair(t) ? one(x, &high) << 16 : 0);
}

static void by_arithmetic(struct lt_lane *x)
{
    x->d = each(x, (enum isa_type)x->form->type, arithmetic);
}

static void by_choice(struct lt_lane *x)
{
    x->d = each(x, (enum isa_type)x->form->type, chosen);
}

static void by_sign(struct lt_lane *x)
{
    x->d = each(x, (enum isa_type)x->form->type, sign);
}

static void by_function(struct lt_lane *x)
{
    x->d = each(x, (enum isa_type)x->form->type, approximate);
}

/* ---- comparisons ---- */

static bool holds(uint32_t cmp, double a, double b)
{
    const bool none = isnan(a) || isnan(b);

    switch (cmp) {
    case ISA_C_EQ: return a == b;
    case ISA_C_NE: return !none && a != b;
    case ISA_C_LT: return a < b;
    case ISA_C_LE: return a <= b;
    case ISA_C_GT: return a > b;
    case ISA_C_GE: return a >= b;
    case ISA_C_EQU: return none || a == b;
    case ISA_C_NEU: return none || a != b;
    case ISA_C_LTU: return none || a < b;
    case ISA_C_LEU: return none || a <= b;
    case ISA_C_GTU: return none || a > b;
    case ISA_C_GEU: return none || a >= b;
    case ISA_C_NUM: return !none;
    default: return none;
    }
}

static bool combined(const struct lt_lane *x, bool t)
{
    switch (x->form->boolop) {
    case ISA_B_AND: return t && x->p[2];
    case ISA_B_OR: return t || x->p[2];
    case ISA_B_XOR: return t != x->p[2];
    default: return t;
    }
}

static void by_comparison(struct lt_lane *x)
{
    const bool is_set = x->form->op == ISA_OP_SET;
    const enum isa_type t = (enum isa_type)(is_set ? x->form->type2 : x->form->type);
    const struct half low = half_of(x, t, 0), high = half_of(x, t, 16);
    const uint32_t to = x->form->type;
    const uint32_t yes = to == ISA_T_F16 || to == ISA_T_F16X2     ? 0x3c00
                         : to == ISA_T_BF16 || to == ISA_T_BF16X2 ? 0x3f80
                         : to == ISA_T_U16 || to == ISA_T_S16 || is_pair(t)
                             ? 0xffff
                             : 0xffffffff;

    x->dp = combined(x, holds(x->form->cmp, low.v[0], low.v[1]));
    x->dq = combined(x, holds(x->form->cmp, high.v[0], high.v[1]));
    x->d = (x->dp ? yes : 0) | (is_pair(t) && x->dq ? yes << 16 : 0);
}

/* ---- the forms ---- */

static const char *operands(enum isa_type t, uint32_t n)
{
    return (is_pair(t) ? "rrr" : "hhh") + 3 - n;
}

static char register_of(enum isa_type t)
{
    return is_pair(t) ? 'r' : 'h';
}

static void sums(void **state)
{
    static const uint8_t ops[] = {ISA_OP_ADD, ISA_OP_SUB, ISA_OP_MUL, ISA_OP_FMA};
    static const uint8_t subs[] = {0, ISA_S_NEG_AB, ISA_S_NEG_C, ISA_S_NEG_ABC};
    static const uint32_t flags[] = {0,
                                     ISA_F_FTZ,
                                     ISA_F_SAT,
                                     ISA_F_FTZ | ISA_F_SAT,
                                     ISA_F_RELU,
                                     ISA_F_OOB,
                                     ISA_F_OOB | ISA_F_RELU};

    (void)state;
    for (uint32_t i = 0; i < 4 * 4 * 7; i++) {
        const enum isa_type t = (enum isa_type)halves[i % 4];
        struct isa_form f = {.op = ops[i / 4 % 4],
                             .type = (uint8_t)t,
                             .round = ISA_R_RN,
                             .flags = flags[i / 16]};

        if ((f.flags >= ISA_F_RELU && f.op != ISA_OP_FMA) ||
            ((f.flags & (ISA_F_FTZ | ISA_F_SAT)) != 0 && is_bf16(t))) {
            continue;
        }
        for (uint32_t k = 0; k < (f.op == ISA_OP_FMA && f.flags < ISA_F_RELU ? 4 : 1);
             k++) {
            f.sub = subs[k];
            run(f, register_of(t), operands(t, f.op == ISA_OP_FMA ? 3 : 2),
                by_arithmetic);
        }
    }
}

static void choices(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4 * 2 * 8; i++) {
        const enum isa_type t = (enum isa_type)halves[i % 4];
        const uint32_t k = i / 8;
        const struct isa_form f = {.op = i / 4 % 2 == 0 ? ISA_OP_MIN : ISA_OP_MAX,
                                   .type = (uint8_t)t,
                                   .flags =
                                       ((k & 1) != 0 ? ISA_F_NAN : 0) |
                                       ((k & 2) != 0 ? ISA_F_XORSIGN | ISA_F_ABS : 0) |
                                       ((k & 4) != 0 && !is_bf16(t) ? ISA_F_FTZ : 0)};

        run(f, register_of(t), operands(t, 2), by_choice);
    }
    for (uint32_t i = 0; i < 4 * 2 * 2; i++) {
        const enum isa_type t = (enum isa_type)halves[i % 4];
        const struct isa_form f = {.op = i / 4 % 2 == 0 ? ISA_OP_NEG : ISA_OP_ABS,
                                   .type = (uint8_t)t,
                                   .flags = i / 8 != 0 && !is_bf16(t) ? ISA_F_FTZ : 0};

        run(f, register_of(t), operands(t, 1), by_sign);
    }
}

static uint32_t with_nan(const struct lt_lane *x, uint32_t a, uint32_t b)
{
    const uint32_t inf = 0x7f800000;
    const bool no_a = (a & INT32_MAX) > inf, no_b = (b & INT32_MAX) > inf;

    if ((no_a && no_b) || (FLAG(NAN) && (no_a || no_b))) {
        return 0x7fffffff;
    }
    if (no_a || no_b) {
        return no_a ? b : a;
    }
    return (bits_f32(a) < bits_f32(b) ||
            (bits_f32(a) == bits_f32(b) && a >> 31 > b >> 31)) ==
                   (x->form->op == ISA_OP_MIN)
               ? a
               : b;
}

static void by_f32_choice(struct lt_lane *x)
{
    uint32_t a = (uint32_t)x->v[0], b = (uint32_t)x->v[1];

    a = FLAG(FTZ) && (a & 0x7f800000) == 0 ? a & 0x80000000 : a;
    b = FLAG(FTZ) && (b & 0x7f800000) == 0 ? b & 0x80000000 : b;
    if (FLAG(XORSIGN)) {
        x->d = with_nan(x, a & INT32_MAX, b & INT32_MAX);
        x->d |= x->d != 0x7fffffff ? (a ^ b) & 0x80000000 : 0;
    } else {
        x->d = with_nan(x, a, b);
    }
}

static void choices_of_f32(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * 2 * 3; i++) {
        const uint32_t k = i / 4;
        const struct isa_form f = {.op = i % 2 == 0 ? ISA_OP_MIN : ISA_OP_MAX,
                                   .type = ISA_T_F32,
                                   .flags = (i / 2 % 2 != 0 ? ISA_F_FTZ : 0) |
                                            (k != 1 ? ISA_F_NAN : 0) |
                                            (k != 0 ? ISA_F_XORSIGN | ISA_F_ABS : 0)};

        run(f, 'r', "ff", by_f32_choice);
    }
}

static void approximations(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4 * 2; i++) {
        const enum isa_type t = (enum isa_type)halves[i % 4];
        const uint8_t op = i / 4 == 0 ? ISA_OP_EX2 : ISA_OP_TANH;
        const bool z = is_bf16(t) && op == ISA_OP_EX2;

        run((struct isa_form){.op = op,
                              .type = (uint8_t)t,
                              .sub = ISA_S_APPROX,
                              .flags = z ? ISA_F_FTZ : 0},
            register_of(t), operands(t, 1), by_function);
    }
}

static void comparisons(void **state)
{
    static const uint8_t cmps[] = {ISA_C_EQ,  ISA_C_NE,  ISA_C_LT,  ISA_C_LE,
                                   ISA_C_GT,  ISA_C_GE,  ISA_C_EQU, ISA_C_NEU,
                                   ISA_C_LTU, ISA_C_LEU, ISA_C_GTU, ISA_C_GEU,
                                   ISA_C_NUM, ISA_C_NAN};

    (void)state;
    for (uint32_t i = 0; i < 4 * 14 * 4; i++) {
        const enum isa_type t = (enum isa_type)halves[i % 4];
        const uint8_t b = (uint8_t)(i / 56);
        const uint8_t to[] = {(uint8_t)t, ISA_T_U32, ISA_T_S32, ISA_T_U16};
        struct isa_form f = {.op = ISA_OP_SETP,
                             .type = (uint8_t)t,
                             .cmp = cmps[i / 4 % 14],
                             .boolop = b,
                             .flags = is_bf16(t) || b == 1 ? 0 : ISA_F_FTZ};
        const char *const src =
            is_pair(t) ? (b == 0 ? "rr" : "rrp") : (b == 0 ? "hh" : "hhp");

        run(f, 'p', src, by_comparison);
        if (is_pair(t)) {
            f.flags |= ISA_F_DST2;
            run(f, 'q', src, by_comparison);
            f.flags &= ~(uint32_t)ISA_F_DST2;
        }
        f.op = ISA_OP_SET;
        f.type2 = f.type;
        for (uint32_t k = 0; k < (is_pair(t) ? 3u : 4u); k++) {
            f.type = to[k];
            run(f, k == 3 || (k == 0 && !is_pair(t)) ? 'h' : 'r', src, by_comparison);
        }
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_half_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_half_approx_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_half_cmp_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),           cmocka_unit_test(choices),
        cmocka_unit_test(choices_of_f32), cmocka_unit_test(approximations),
        cmocka_unit_test(comparisons),    cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
