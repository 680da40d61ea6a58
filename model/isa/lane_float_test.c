/*
 * Floating-point arithmetic: round to nearest, flushing and saturation against fp.h,
 * whose own tests hold it against the host in every rounding mode; minimum, maximum and
 * signs against their definition. Both variants of multiply-add run where the CPU has
 * it.
 */
#include "isa/lane_test.h"

#define RM(x)                                                                          \
    ((enum isa_round)((x)->form->round == ISA_R_NONE ? ISA_R_RN : (x)->form->round))
#define FTZ(x) (((x)->form->flags & ISA_F_FTZ) != 0)
#define X0     ((uint32_t)x->v[0])
#define X1     ((uint32_t)x->v[1])
#define X2     ((uint32_t)x->v[2])

static bool nan32(uint32_t v)
{
    return (v & 0x7fffffffu) > 0x7f800000u;
}

static bool nan64(uint64_t v)
{
    return (v & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

static uint32_t flushed(const struct lt_lane *x, uint32_t v)
{
    return FTZ(x) && (v & 0x7f800000u) == 0 ? v & 0x80000000u : v;
}

static void result(struct lt_lane *x, uint32_t v)
{
    x->d = (x->form->flags & ISA_F_SAT) != 0 ? fp32_saturate(v) : v;
}

static uint32_t without_subnormal(uint32_t v)
{
    return (v & 0x7f800000u) == 0 ? v & 0x80000000u : v;
}

static float as_float(uint32_t v)
{
    float f;

    memcpy(&f, &v, sizeof(f));
    return f;
}

/* mad.f32 without a rounding: the product is cut to 24 bits. 64 bits hold its sum with
 * a float exactly, or what is lost is too small to matter. */
static uint32_t mad_cut(const struct lt_lane *x)
{
    const uint32_t a = without_subnormal(X0), b = without_subnormal(X1);
    const uint32_t c = without_subnormal(X2);
    double p = (double)as_float(a) * (double)as_float(b);
    uint64_t bits;
    uint32_t v;
    float f;

    if ((c & 0x7fffffffu) == 0) {
        return fp32_add(fp32_mul(a, b, ISA_R_RN, true), c, ISA_R_RN, true);
    }
    memcpy(&bits, &p, sizeof(bits));
    bits = bits >> 29 << 29;
    memcpy(&p, &bits, sizeof(p));
    f = (float)((long double)p + (long double)as_float(c));
    memcpy(&v, &f, sizeof(v));
    return nan32(v) ? 0x7fffffffu : without_subnormal(v);
}

/* A difference that an assembler made a multiply-add of. */
static bool turns_product(const struct lt_lane *x)
{
    return x->form->sub == ISA_S_NEG_AB || x->form->sub == ISA_S_NEG_ABC;
}

static bool turns_addend(const struct lt_lane *x)
{
    return x->form->sub == ISA_S_NEG_C || x->form->sub == ISA_S_NEG_ABC;
}

/* A NaN has no opposite: it keeps its sign. */
static uint64_t opposite64(uint64_t v, bool turn)
{
    return turn && !nan64(v) ? v ^ 1ull << 63 : v;
}

static void o_f32(struct lt_lane *x)
{
    const bool approx = x->form->sub == ISA_S_APPROX;

    switch (x->form->op) {
    case ISA_OP_ADD: result(x, fp32_add(X0, X1, RM(x), FTZ(x))); break;
    case ISA_OP_SUB: result(x, fp32_add(X0, X1 ^ 0x80000000u, RM(x), FTZ(x))); break;
    case ISA_OP_MUL: result(x, fp32_mul(X0, X1, RM(x), FTZ(x))); break;
    case ISA_OP_FMA:
        result(x, fp32_fma(X0 ^ (turns_product(x) ? 0x80000000u : 0), X1,
                           X2 ^ (turns_addend(x) ? 0x80000000u : 0), RM(x), FTZ(x)));
        break;
    case ISA_OP_MAD:
        result(x, x->form->round == ISA_R_NONE ? mad_cut(x)
                                               : fp32_fma(X0, X1, X2, RM(x), FTZ(x)));
        break;
    case ISA_OP_DIV:
        x->d = approx                       ? fp32_div_approx(X0, X1, FTZ(x))
               : x->form->sub == ISA_S_FULL ? fp32_div_full(X0, X1, FTZ(x))
                                            : fp32_div(X0, X1, RM(x), FTZ(x));
        break;
    case ISA_OP_RCP:
        x->d = approx ? fp32_rcp_approx(X0, FTZ(x)) : fp32_rcp(X0, RM(x), FTZ(x));
        break;
    case ISA_OP_SQRT:
        x->d = approx ? fp32_sqrt_approx(X0, FTZ(x)) : fp32_sqrt(X0, RM(x), FTZ(x));
        break;
    case ISA_OP_RSQRT: x->d = fp32_rsqrt_approx(X0, FTZ(x)); break;
    case ISA_OP_SIN: x->d = fp32_sin_approx(X0, FTZ(x)); break;
    case ISA_OP_COS: x->d = fp32_cos_approx(X0, FTZ(x)); break;
    case ISA_OP_EX2: x->d = fp32_ex2_approx(X0, FTZ(x)); break;
    case ISA_OP_LG2: x->d = fp32_lg2_approx(X0, FTZ(x)); break;
    case ISA_OP_TANH: x->d = fp32_tanh_approx(X0); break;
    default: fail(); break;
    }
}

static void o_f64(struct lt_lane *x)
{
    const uint64_t minus = nan64(x->v[1]) ? 0 : 1ull << 63;
    const bool approx = x->form->sub == ISA_S_APPROX;

    switch (x->form->op) {
    case ISA_OP_ADD: x->d = fp64_add(x->v[0], x->v[1], RM(x)); break;
    case ISA_OP_SUB: x->d = fp64_add(x->v[0], x->v[1] ^ minus, RM(x)); break;
    case ISA_OP_MUL: x->d = fp64_mul(x->v[0], x->v[1], RM(x)); break;
    case ISA_OP_FMA:
        x->d = fp64_fma(opposite64(x->v[0], turns_product(x)), x->v[1],
                        opposite64(x->v[2], turns_addend(x)), RM(x));
        break;
    case ISA_OP_MAD: x->d = fp64_fma(x->v[0], x->v[1], x->v[2], RM(x)); break;
    case ISA_OP_DIV: x->d = fp64_div(x->v[0], x->v[1], RM(x)); break;
    case ISA_OP_RCP:
        x->d = approx ? fp64_rcp_approx_ftz(x->v[0]) : fp64_rcp(x->v[0], RM(x));
        break;
    case ISA_OP_SQRT: x->d = fp64_sqrt(x->v[0], RM(x)); break;
    case ISA_OP_RSQRT: x->d = fp64_rsqrt_approx(x->v[0], FTZ(x)); break;
    default: fail(); break;
    }
}

/* Numbers in the order of their values, -0 before +0. */
static int64_t place(uint64_t v, uint32_t bits)
{
    const uint64_t sign = 1ull << (bits - 1);

    return (v & sign) != 0 ? -(int64_t)(v & (sign - 1)) - 1 : (int64_t)v;
}

static uint64_t choose(uint64_t a, uint64_t b, uint32_t bits, bool want_max)
{
    const bool na = bits == 32 ? nan32((uint32_t)a) : nan64(a);
    const bool nb = bits == 32 ? nan32((uint32_t)b) : nan64(b);

    if (na && nb) {
        return bits == 32 ? 0x7fffffffu : b | 1ull << 51;
    }
    if (na || nb) {
        return na ? b : a;
    }
    return (place(a, bits) < place(b, bits)) == want_max ? b : a;
}

static void o_choice(struct lt_lane *x)
{
    const uint32_t bits = isa_type_bits((enum isa_type)x->form->type);
    const bool max = x->form->op == ISA_OP_MAX;

    if (bits == 32) {
        x->d = choose(flushed(x, X0), flushed(x, X1), 32, max);
    } else {
        x->d = choose(x->v[0], x->v[1], 64, max);
    }
}

static void o_sign(struct lt_lane *x)
{
    const uint32_t bits = isa_type_bits((enum isa_type)x->form->type);
    const uint64_t sign = 1ull << (bits - 1);
    const uint64_t v = bits == 32 ? flushed(x, X0) : x->v[0];

    if (x->form->op != ISA_OP_COPYSIGN && (bits == 32 ? nan32(X0) : nan64(x->v[0]))) {
        x->d = bits == 32 ? 0x7fffffffu : x->v[0] | 1ull << 51;
    } else if (x->form->op == ISA_OP_COPYSIGN) {
        x->d = x->v[1] % sign + (x->v[0] >= sign ? sign : 0);
    } else if (x->form->op == ISA_OP_ABS) {
        x->d = v % sign;
    } else {
        x->d = v >= sign ? v - sign : v + sign;
    }
}

static void run(struct isa_form f, char dst, const char *src, lt_oracle *o)
{
    const struct lt_case c = {.form = f, .dst = dst, .src = src, .oracle = o};

    for (uint32_t i = 0; i < 4; i++) {
        lt_check(&c);
    }
}

static const char *const singles[] = {"f", "ff", "fff"};
static const char *const doubles[] = {"F", "FF", "FFF"};

static void sums_and_products(void **state)
{
    static const struct {
        enum isa_op op;
        uint32_t n;
        bool rounding; /* must be said, but of mad.f32 */
    } ops[] = {
        {ISA_OP_ADD, 2, false}, {ISA_OP_SUB, 2, false}, {ISA_OP_MUL, 2, false},
        {ISA_OP_FMA, 3, true},  {ISA_OP_MAD, 3, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        for (enum isa_round r = ISA_R_NONE; r <= ISA_R_RP; r++) {
            const bool said = r != ISA_R_NONE;

            if (ops[i].rounding && !said && ops[i].op != ISA_OP_MAD) {
                continue;
            }
            for (uint16_t fl = 0; fl < 4; fl++) { /* ftz and sat are bits 0 and 1 */
                run((struct isa_form){.op = ops[i].op,
                                      .type = ISA_T_F32,
                                      .round = r,
                                      .flags = fl},
                    'f', singles[ops[i].n - 1], o_f32);
            }
            if (said || !ops[i].rounding) {
                run((struct isa_form){.op = ops[i].op, .type = ISA_T_F64, .round = r},
                    'F', doubles[ops[i].n - 1], o_f64);
            }
        }
    }
}

static void differences_of_products(void **state)
{
    (void)state;
    for (enum isa_sub turn = ISA_S_NEG_AB; turn <= ISA_S_NEG_ABC; turn++) {
        struct isa_form f = {.op = ISA_OP_FMA, .round = ISA_R_RN, .sub = turn};

        f.type = ISA_T_F64;
        run(f, 'F', "FFF", o_f64);
        f.type = ISA_T_F32;
        for (f.flags = 0; f.flags < 4; f.flags++) {
            run(f, 'f', "fff", o_f32);
        }
    }
}

static void quotients_and_roots(void **state)
{
    static const enum isa_op ops[] = {ISA_OP_DIV, ISA_OP_RCP, ISA_OP_SQRT};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const uint32_t n = ops[i] == ISA_OP_DIV ? 1 : 0;

        for (enum isa_round r = ISA_R_RN; r <= ISA_R_RP; r++) {
            struct isa_form f = {.op = ops[i], .type = ISA_T_F32, .round = r};

            run(f, 'f', singles[n], o_f32);
            f.flags = ISA_F_FTZ;
            run(f, 'f', singles[n], o_f32);
            f.flags = 0;
            f.type = ISA_T_F64;
            run(f, 'F', doubles[n], o_f64);
        }
    }
}

static void approximations(void **state)
{
    static const enum isa_op ops[] = {ISA_OP_RCP, ISA_OP_SQRT, ISA_OP_RSQRT, ISA_OP_SIN,
                                      ISA_OP_COS, ISA_OP_EX2,  ISA_OP_LG2};

    (void)state;
    for (uint16_t z = 0; z < 2; z++) {
        struct isa_form f = {.type = ISA_T_F32, .sub = ISA_S_APPROX, .flags = z};

        for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
            f.op = ops[i];
            run(f, 'f', "f", o_f32);
        }
        f.op = ISA_OP_DIV;
        run(f, 'f', "ff", o_f32);
        f.sub = ISA_S_FULL;
        run(f, 'f', "ff", o_f32);
        run((struct isa_form){.op = ISA_OP_RSQRT,
                              .type = ISA_T_F64,
                              .sub = ISA_S_APPROX,
                              .flags = z},
            'F', "F", o_f64);
    }
    run((struct isa_form){.op = ISA_OP_TANH, .type = ISA_T_F32, .sub = ISA_S_APPROX},
        'f', "f", o_f32);
    run((struct isa_form){.op = ISA_OP_RCP,
                          .type = ISA_T_F64,
                          .sub = ISA_S_APPROX,
                          .flags = ISA_F_FTZ},
        'F', "F", o_f64);
}

static void signs_and_choices(void **state)
{
    static const enum isa_op ops[] = {ISA_OP_ABS, ISA_OP_NEG, ISA_OP_COPYSIGN,
                                      ISA_OP_MIN, ISA_OP_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        const uint32_t n = i < 2 ? 0 : 1;
        lt_oracle *const o = i < 3 ? o_sign : o_choice;

        run((struct isa_form){.op = ops[i], .type = ISA_T_F32}, 'f', singles[n], o);
        run((struct isa_form){.op = ops[i], .type = ISA_T_F64}, 'F', doubles[n], o);
        if (ops[i] != ISA_OP_COPYSIGN) {
            run((struct isa_form){.op = ops[i], .type = ISA_T_F32, .flags = ISA_F_FTZ},
                'f', singles[n], o);
        }
    }
}

/* Values fixed by hand: products that one rounding gets right and two spoil, ties, the
 * canonical NaN. */
static void known_values(void **state)
{
    static const uint32_t rows[][4] = {
        {0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, /* (1+e)^2 - (1+2e) = e^2 */
        {0x7f800000, 0x00000000, 0x3f800000, 0x7fffffff}, /* inf * 0 */
        {0x3f800000, 0x3f800000, 0x33800000, 0x3f800000}, /* 1 + half a unit: to even */
        {0x3f800000, 0x3f800000, 0x33800001, 0x3f800001}, /* just above half */
        {0x4b000001, 0x40400000, 0x80000001, 0x4bc00001}, /* a tie, broken from below */
        {0x4b000003, 0x40400000, 0x00000001, 0x4bc00005}, /* and from above */
    };
    const struct isa_form f = {.op = ISA_OP_FMA, .type = ISA_T_F32, .round = ISA_R_RN};

    (void)state;
    for (uint32_t i = 0; i < lane_f32_table.n; i++) {
        const struct lane_row *row = &lane_f32_table.row[i];
        struct isa_selected sel;

        assert_true(isa_select(&f, &sel));
        if (row->op != ISA_OP_FMA || row->flags != 0 || row->sub != 0 ||
            (row->rounds & R(RN)) == 0) {
            continue;
        }
        for (uint32_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            uint32_t r[4 * ISA_LANES];
            const struct isa_lanes w = {.r = r};
            const struct isa_uop u = {.form = f, .dst = {3}, .src = {0, 1, 2}};
            const uint32_t want = rows[k][3];

            for (uint32_t l = 0; l < ISA_LANES; l++) {
                r[l] = rows[k][0];
                r[32 + l] = rows[k][1];
                r[64 + l] = rows[k][2];
            }
            row->exec(&u, &w, UINT32_MAX);
            assert_int_equal(r[3 * ISA_LANES + 5], want);
            memset(r + 3 * ISA_LANES, 0, ISA_LANES * sizeof(r[0]));
            sel.exec(&u, &w, UINT32_MAX);
            assert_int_equal(r[3 * ISA_LANES + 31], want);
        }
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_f32_table, ISA_N_OPS, ISA_N_OPS);
    lt_all_ran(&lane_f64_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(differences_of_products),
        cmocka_unit_test(quotients_and_roots),
        cmocka_unit_test(approximations),
        cmocka_unit_test(signs_and_choices),
        cmocka_unit_test(known_values),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
