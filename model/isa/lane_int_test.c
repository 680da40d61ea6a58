/* Integer arithmetic against 128-bit arithmetic, one lane at a time. */
#include "isa/lane_test.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static const struct {
    enum isa_type t;
    char c, next; /* register, register of twice the width */
} kinds[] = {
    {ISA_T_U16, 'h', 'r'}, {ISA_T_S16, 'h', 'r'}, {ISA_T_U32, 'r', 'R'},
    {ISA_T_S32, 'r', 'R'}, {ISA_T_U64, 'R', '-'}, {ISA_T_S64, 'R', '-'},
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint32_t bits_of(const struct lt_lane *x)
{
    return isa_type_bits((enum isa_type)x->form->type);
}

/* A pattern of some bits as the number it stands for. */
static wide number(uint64_t v, uint32_t bits, bool is_signed)
{
    wide n = (wide)v;

    if (is_signed && (v >> (bits - 1) & 1) != 0) {
        n -= (wide)1 << bits;
    }
    return n;
}

static wide arg(const struct lt_lane *x, uint32_t i)
{
    return number(x->v[i], bits_of(x),
                  isa_type_is_signed((enum isa_type)x->form->type));
}

/* The low bits of a number. */
static uint64_t low(wide n, uint32_t bits)
{
    return (uint64_t)((uwide)n & (((uwide)1 << bits) - 1));
}

static void result(struct lt_lane *x, wide n)
{
    if ((x->form->flags & ISA_F_SAT) != 0) {
        const wide max = ((wide)1 << 31) - 1;

        n = n > max ? max : n < -max - 1 ? -max - 1 : n;
    }
    x->d = low(n, bits_of(x));
}

static void o_add(struct lt_lane *x)
{
    result(x, arg(x, 0) + arg(x, 1));
}

static void o_sub(struct lt_lane *x)
{
    result(x, arg(x, 0) - arg(x, 1));
}

static void o_abs(struct lt_lane *x)
{
    result(x, arg(x, 0) < 0 ? -arg(x, 0) : arg(x, 0));
}

static void o_neg(struct lt_lane *x)
{
    result(x, -arg(x, 0));
}

static void o_min(struct lt_lane *x)
{
    result(x, arg(x, 0) < arg(x, 1) ? arg(x, 0) : arg(x, 1));
}

static void o_max(struct lt_lane *x)
{
    result(x, arg(x, 0) < arg(x, 1) ? arg(x, 1) : arg(x, 0));
}

static void o_sad(struct lt_lane *x)
{
    const wide d = arg(x, 0) - arg(x, 1);

    result(x, arg(x, 2) + (d < 0 ? -d : d));
}

static void o_div(struct lt_lane *x)
{
    result(x, arg(x, 1) == 0 ? -1 : arg(x, 0) / arg(x, 1));
}

static void o_rem(struct lt_lane *x)
{
    result(x, arg(x, 1) == 0 ? -1 : arg(x, 0) % arg(x, 1));
}

/* The product as PTX cuts it. Its upper half as a number of the type. */
static wide product(const struct lt_lane *x)
{
    const uint32_t bits = bits_of(x);
    const bool s = isa_type_is_signed((enum isa_type)x->form->type);
    uwide p = (uwide)arg(x, 0) * (uwide)arg(x, 1);

    if (x->form->sub == ISA_S_LO) {
        return (wide)(p & (((uwide)1 << bits) - 1));
    }
    if (x->form->sub == ISA_S_WIDE) {
        return (wide)p;
    }
    return number((uint64_t)low((wide)(p >> bits), bits), bits, s);
}

static void o_mul(struct lt_lane *x)
{
    const uint32_t bits = bits_of(x) * (x->form->sub == ISA_S_WIDE ? 2 : 1);

    x->d = low(product(x), bits);
}

static void o_mad(struct lt_lane *x)
{
    if (x->form->sub == ISA_S_WIDE) {
        x->d = low((wide)((uwide)product(x) + x->v[2]), 2 * bits_of(x));
        return;
    }
    result(x, product(x) + arg(x, 2));
}

static wide product24(const struct lt_lane *x)
{
    const bool s = x->form->type == ISA_T_S32;
    const wide p =
        number(x->v[0] % (1 << 24), 24, s) * number(x->v[1] % (1 << 24), 24, s);

    return x->form->sub == ISA_S_LO ? p : number(low(p, 48) / 65536, 32, s);
}

static void o_mul24(struct lt_lane *x)
{
    x->d = low(product24(x), 32);
}

static void o_mad24(struct lt_lane *x)
{
    result(x, product24(x) + arg(x, 2));
}

/* Carry chains, on unsigned numbers. */
static void o_add_cc(struct lt_lane *x)
{
    const uint32_t bits = bits_of(x);
    const wide s = (wide)x->v[0] + x->v[1] + (x->form->op == ISA_OP_ADDC && x->carry);

    x->d = low(s, bits);
    x->carry = (s >> bits) != 0;
}

static void o_sub_cc(struct lt_lane *x)
{
    const wide s = (wide)x->v[0] - x->v[1] - (x->form->op == ISA_OP_SUBC && !x->carry);

    x->d = low(s, bits_of(x));
    x->carry = s >= 0; /* nothing borrowed */
}

static void o_mad_cc(struct lt_lane *x)
{
    const uint32_t bits = bits_of(x);
    const wide s = (wide)low(product(x), bits) + x->v[2] +
                   (x->form->op == ISA_OP_MADC && x->carry);

    x->d = low(s, bits);
    x->carry = (s >> bits) != 0;
}

static wide byte_of(uint64_t v, uint32_t at, uint32_t bits, bool s)
{
    return number(v >> at & ((1u << bits) - 1), bits, s);
}

static void o_dp4a(struct lt_lane *x)
{
    wide sum = (wide)x->v[2];

    for (uint32_t i = 0; i < 4; i++) {
        sum += byte_of(x->v[0], 8 * i, 8, x->form->type == ISA_T_S32) *
               byte_of(x->v[1], 8 * i, 8, x->form->type2 == ISA_T_S32);
    }
    x->d = low(sum, 32);
}

static void o_dp2a(struct lt_lane *x)
{
    wide sum = (wide)x->v[2];

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = (x->form->sub == ISA_S_HI ? 16 : 0) + 8 * i;

        sum += byte_of(x->v[0], 16 * i, 16, x->form->type == ISA_T_S32) *
               byte_of(x->v[1], at, 8, x->form->type2 == ISA_T_S32);
    }
    x->d = low(sum, 32);
}

static void run(struct isa_form f, char dst, const char *src, lt_oracle *o)
{
    const struct lt_case c = {.form = f, .dst = dst, .src = src, .oracle = o};

    lt_check(&c);
}

/* n operands of register kind c. */
static const char *same(char c, uint32_t n)
{
    static const char *const text[3][3] = {{"h", "hh", "hhh"},
                                           {"r", "rr", "rrr"},
                                           {"R", "RR", "RRR"}};

    return text[c == 'h' ? 0 : c == 'r' ? 1 : 2][n - 1];
}

/* What an assembler makes of two instructions. */
static void o_sum(struct lt_lane *x)
{
    const enum isa_sub sub = (enum isa_sub)x->form->sub;
    const wide sum = arg(x, 0) + (sub == ISA_S_SUM_LESS_BC ? -arg(x, 1) : arg(x, 1));
    const bool is_signed = isa_type_is_signed((enum isa_type)x->form->type);

    if (x->form->op == ISA_OP_MAD) {
        result(x, sum + (sub == ISA_S_SUM ? arg(x, 2) : -arg(x, 2)));
        return;
    }
    const wide cut = number(low(sum, 32), 32, is_signed), c = arg(x, 2);

    result(x, (cut < c) == (x->form->op == ISA_OP_MIN) ? cut : c);
}

static void sums_of_three(void **state)
{
    static const enum isa_type types[] = {ISA_T_U32, ISA_T_S32};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        for (enum isa_sub sub = ISA_S_SUM; sub <= ISA_S_SUM_LESS_BC; sub++) {
            run((struct isa_form){.op = ISA_OP_MAD, .type = types[k], .sub = sub}, 'r',
                "rrr", o_sum);
        }
        for (enum isa_op op = ISA_OP_MIN; op <= ISA_OP_MAX; op++) {
            run((struct isa_form){.op = op, .type = types[k], .sub = ISA_S_SUM}, 'r',
                "rrr", o_sum);
        }
    }
}

static void plain_operations(void **state)
{
    static const struct {
        enum isa_op op;
        uint32_t n;
        lt_oracle *o;
    } ops[] = {
        {ISA_OP_ADD, 2, o_add}, {ISA_OP_SUB, 2, o_sub}, {ISA_OP_MIN, 2, o_min},
        {ISA_OP_MAX, 2, o_max}, {ISA_OP_SAD, 3, o_sad}, {ISA_OP_DIV, 2, o_div},
        {ISA_OP_REM, 2, o_rem}, {ISA_OP_ABS, 1, o_abs}, {ISA_OP_NEG, 1, o_neg},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        for (size_t k = 0; k < N_KINDS; k++) {
            if (ops[i].n == 1 && !isa_type_is_signed(kinds[k].t)) {
                continue;
            }
            run((struct isa_form){.op = ops[i].op, .type = kinds[k].t}, kinds[k].c,
                same(kinds[k].c, ops[i].n), ops[i].o);
        }
    }
    run((struct isa_form){.op = ISA_OP_ADD, .type = ISA_T_S32, .flags = ISA_F_SAT}, 'r',
        "rr", o_add);
    run((struct isa_form){.op = ISA_OP_SUB, .type = ISA_T_S32, .flags = ISA_F_SAT}, 'r',
        "rr", o_sub);
}

/* A dividend about a multiple of the divisor, where a quotient that is not exact slips.
 * Half of the divisors are one for the whole warp (uniform); 64-bit operands fit into
 * 32 bits. */
static void fill_division(uint64_t *seed, bool uniform, bool pair, uint32_t *r)
{
    uint64_t y = 0;

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint64_t k = lt_random(seed);

        if (l == 0 || !uniform) {
            y = (k & UINT32_MAX) >> (k >> 32 & 31);
        }
        lt_set(r, l, pair, (uint32_t)(lt_random(seed) * y + k % 3 - 1));
        lt_set(r + 2 * ISA_LANES, l, pair, y);
    }
}

static void quotients_near_multiples(void **state)
{
    static const enum isa_type types[] = {ISA_T_U32, ISA_T_S32, ISA_T_U64, ISA_T_S64};
    uint64_t seed = 1;

    (void)state;
    for (uint32_t i = 0; i < 4000; i++) {
        const struct isa_form f = {.op = i & 1 ? ISA_OP_DIV : ISA_OP_REM,
                                   .type = types[i >> 1 & 3]};
        const struct isa_uop u = {.form = f, .dst = {4}, .src = {0, 2}};
        const bool pair = isa_type_bits((enum isa_type)f.type) == 64;
        uint32_t r[6 * ISA_LANES];
        const struct isa_lanes w = {.r = r};
        struct isa_selected sel;

        fill_division(&seed, (i & 8) != 0, pair, r);
        assert_true(isa_select(&f, &sel));
        for (uint32_t twin = 0; twin < 2; twin++) {
            (twin == 0 ? sel.exec : lt_plain(sel.exec))(&u, &w, UINT32_MAX);
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                struct lt_lane x = {.form = &f};

                x.v[0] = lt_get(r, l, pair);
                x.v[1] = lt_get(r + 2 * ISA_LANES, l, pair);
                (i & 1 ? o_div : o_rem)(&x);
                assert_int_equal(lt_get(r + 4 * ISA_LANES, l, pair), x.d);
            }
        }
    }
}

static void products(void **state)
{
    static const enum isa_sub subs[] = {ISA_S_LO, ISA_S_HI, ISA_S_WIDE};

    (void)state;
    for (size_t k = 0; k < N_KINDS; k++) {
        for (size_t i = 0; i < 3; i++) {
            const char c = kinds[k].c;
            const bool w = subs[i] == ISA_S_WIDE;

            if (w && c == 'R') {
                continue;
            }
            run((struct isa_form){.op = ISA_OP_MUL, .type = kinds[k].t, .sub = subs[i]},
                w ? kinds[k].next : c, same(c, 2), o_mul);
            run((struct isa_form){.op = ISA_OP_MAD, .type = kinds[k].t, .sub = subs[i]},
                w ? kinds[k].next : c,
                !w         ? same(c, 3)
                : c == 'h' ? "hhr"
                           : "rrR",
                o_mad);
        }
    }
    run((struct isa_form){.op = ISA_OP_MAD,
                          .type = ISA_T_S32,
                          .sub = ISA_S_HI,
                          .flags = ISA_F_SAT},
        'r', "rrr", o_mad);
}

static void products_of_24_bits(void **state)
{
    (void)state;
    for (enum isa_sub s = ISA_S_LO; s <= ISA_S_HI; s++) {
        run((struct isa_form){.op = ISA_OP_MUL24, .type = ISA_T_U32, .sub = s}, 'r',
            "rr", o_mul24);
        run((struct isa_form){.op = ISA_OP_MUL24, .type = ISA_T_S32, .sub = s}, 'r',
            "rr", o_mul24);
        run((struct isa_form){.op = ISA_OP_MAD24, .type = ISA_T_U32, .sub = s}, 'r',
            "rrr", o_mad24);
        run((struct isa_form){.op = ISA_OP_MAD24, .type = ISA_T_S32, .sub = s}, 'r',
            "rrr", o_mad24);
    }
    run((struct isa_form){.op = ISA_OP_MAD24,
                          .type = ISA_T_S32,
                          .sub = ISA_S_HI,
                          .flags = ISA_F_SAT},
        'r', "rrr", o_mad24);
}

static void dot_products(void **state)
{
    static const enum isa_type t[] = {ISA_T_U32, ISA_T_S32};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        struct isa_form f = {.op = ISA_OP_DP4A, .type = t[i / 2], .type2 = t[i % 2]};

        run(f, 'r', "rrr", o_dp4a);
        f.op = ISA_OP_DP2A;
        f.sub = ISA_S_LO;
        run(f, 'r', "rrr", o_dp2a);
        f.sub = ISA_S_HI;
        run(f, 'r', "rrr", o_dp2a);
    }
}

static void carry_chains(void **state)
{
    (void)state;
    for (size_t k = 2; k < N_KINDS; k++) {
        const char c = kinds[k].c;
        const uint8_t t = kinds[k].t;

        for (uint32_t out = 0; out < 2; out++) {
            const uint16_t fl = out ? ISA_F_CC_OUT : 0;
            const uint16_t in = ISA_F_CC_IN | fl;

            run((struct isa_form){.op = ISA_OP_ADDC, .type = t, .flags = in}, c,
                same(c, 2), o_add_cc);
            run((struct isa_form){.op = ISA_OP_SUBC, .type = t, .flags = in}, c,
                same(c, 2), o_sub_cc);
            for (enum isa_sub s = ISA_S_LO; s <= ISA_S_HI; s++) {
                run((struct isa_form){.op = ISA_OP_MADC,
                                      .type = t,
                                      .sub = s,
                                      .flags = in},
                    c, same(c, 3), o_mad_cc);
            }
            if (!out) {
                continue;
            }
            run((struct isa_form){.op = ISA_OP_ADD, .type = t, .flags = fl}, c,
                same(c, 2), o_add_cc);
            run((struct isa_form){.op = ISA_OP_SUB, .type = t, .flags = fl}, c,
                same(c, 2), o_sub_cc);
            for (enum isa_sub s = ISA_S_LO; s <= ISA_S_HI; s++) {
                run((struct isa_form){.op = ISA_OP_MAD,
                                      .type = t,
                                      .sub = s,
                                      .flags = fl},
                    c, same(c, 3), o_mad_cc);
            }
        }
    }
}

static void refused_forms(void **state)
{
    static const struct isa_form none[] = {
        {.op = ISA_OP_ADD, .type = ISA_T_B32},
        {.op = ISA_OP_ADD, .type = ISA_T_TF32},
        {.op = ISA_OP_ADD, .type = ISA_T_U32, .flags = ISA_F_SAT},
        {.op = ISA_OP_ADD, .type = ISA_T_U32, .flags = ISA_F_FTZ},
        {.op = ISA_OP_ADD, .type = ISA_T_U32, .round = ISA_R_RN},
        {.op = ISA_OP_MUL, .type = ISA_T_U32},
        {.op = ISA_OP_MUL, .type = ISA_T_U64, .sub = ISA_S_WIDE},
        {.op = ISA_OP_ABS, .type = ISA_T_U32},
        {.op = ISA_OP_DIV, .type = ISA_T_F32},
        {.op = ISA_OP_LD, .type = ISA_T_U32},
    };
    struct isa_selected sel = {.weight = 77};

    (void)state;
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        assert_false(isa_select(&none[i], &sel));
    }
    assert_int_equal(sel.weight, 77);
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_int_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_mul_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_carry_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_operations),  cmocka_unit_test(sums_of_three),
        cmocka_unit_test(products),          cmocka_unit_test(products_of_24_bits),
        cmocka_unit_test(dot_products),      cmocka_unit_test(carry_chains),
        cmocka_unit_test(refused_forms),     cmocka_unit_test(quotients_near_multiples),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
