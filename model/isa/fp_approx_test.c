/* fp_approx.c against the C library in long double: the largest error met is printed
 * and must stay within what PTX documents; then the tables of special operands. */
#include "isa/fp_test.h"

static uint32_t n_random;

typedef uint32_t approx_fn(uint32_t a, bool ftz);
typedef long double reference_fn(long double x);

enum measure { ULP, ABSOLUTE, RELATIVE };

struct accuracy {
    const char *name;
    approx_fn *approx;
    reference_fn *reference;
    enum measure measure;
    float low, high; /* of |x|; both signs where the function has both */
    bool negative;
    bool by_value; /* draw values evenly, else patterns evenly */
    long double bound;
};

static long double rcp_l(long double x)
{
    return 1 / x;
}

static long double rsqrt_l(long double x)
{
    return 1 / sqrtl(x);
}

static uint32_t tanh_approx(uint32_t a, bool ftz)
{
    (void)ftz;
    return fp32_tanh_approx(a);
}

#define PI 3.14159265f

static const struct accuracy table[] = {
    {"rcp", fp32_rcp_approx, rcp_l, ULP, 0x1p-126f, 0x1p126f, true, false, 1},
    {"rcp, subnormals", fp32_rcp_approx, rcp_l, ULP, 0x1p-128f, 0x1p127f, true, false,
     1},
    {"sqrt", fp32_sqrt_approx, sqrtl, RELATIVE, 0x1p-149f, 0x1.fffffep127f, false,
     false, 0x1p-23L},
    {"rsqrt", fp32_rsqrt_approx, rsqrt_l, RELATIVE, 0x1p-149f, 0x1.fffffep127f, false,
     false, 0x1.126p-23L /* 2^-22.9 */},
    {"sin, one turn", fp32_sin_approx, sinl, ABSOLUTE, 0, 2 * PI, true, true, 0x1p-20L},
    {"sin, half a turn", fp32_sin_approx, sinl, ABSOLUTE, 0, PI, true, true,
     0x1.126p-21L /* 2^-20.9 */},
    {"sin, 100 pi", fp32_sin_approx, sinl, ABSOLUTE, 0, 100 * PI, true, true, 0x1p-14L},
    {"sin, all", fp32_sin_approx, sinl, ABSOLUTE, 0x1p-149f, 0x1p63f, true, false,
     0x1p-24L},
    {"cos, one turn", fp32_cos_approx, cosl, ABSOLUTE, 0, 2 * PI, true, true, 0x1p-20L},
    {"cos, half a turn", fp32_cos_approx, cosl, ABSOLUTE, 0, PI, true, true,
     0x1.126p-21L},
    {"cos, 100 pi", fp32_cos_approx, cosl, ABSOLUTE, 0, 100 * PI, true, true, 0x1p-14L},
    {"cos, all", fp32_cos_approx, cosl, ABSOLUTE, 0x1p-149f, 0x1p63f, true, false,
     0x1p-24L},
    {"ex2", fp32_ex2_approx, exp2l, ULP, 0, 126, true, true, 2},
    {"ex2, subnormals", fp32_ex2_approx, exp2l, ULP, 126, 127.99f, true, true, 2},
    {"ex2, small", fp32_ex2_approx, exp2l, ULP, 0x1p-149f, 1, true, false, 2},
    {"lg2, near 1", fp32_lg2_approx, log2l, ABSOLUTE, 0.5f, 2, false, true, 0x1p-22L},
    {"lg2", fp32_lg2_approx, log2l, RELATIVE, 2, 0x1.fffffep127f, false, false,
     0x1p-22L},
    {"lg2, small", fp32_lg2_approx, log2l, RELATIVE, 0x1p-149f, 0.5f, false, false,
     0x1p-22L},
    {"tanh", tanh_approx, tanhl, RELATIVE, 0x1p-126f, 100, true, false, 0x1p-11L},
    {"tanh, ours", tanh_approx, tanhl, RELATIVE, 0x1p-126f, 100, true, false, 0x1p-23L},
};

static long double ulp32(long double x)
{
    int e;

    frexpl(x, &e);
    return ldexpl(1, e - 24 < -149 ? -149 : e - 24);
}

static long double error_of(enum measure measure, long double got, long double want)
{
    long double error = fabsl(got - want);

    switch (measure) {
    case ULP: return error / ulp32(want);
    case ABSOLUTE: return error;
    case RELATIVE: return want == 0 ? error : error / fabsl(want);
    }
    return error;
}

static uint32_t draw(const struct accuracy *t, uint64_t *seed)
{
    uint64_t r = test_random(seed);
    uint32_t low = bits_of_f32(t->low), high = bits_of_f32(t->high), a;

    if (t->by_value) {
        a = bits_of_f32(t->low + (t->high - t->low) * ((float)(r >> 40) * 0x1p-24f));
    } else {
        a = low + (uint32_t)((r >> 32) % (high - low + 1));
    }
    return t->negative && (r & 1) != 0 ? a | FP32_SIGN : a;
}

static void accuracy_documented(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const struct accuracy *t = &table[i];
        long double worst = 0;
        uint32_t at = 0;

        for (uint32_t n = 0; n < n_random; n++) {
            uint32_t a = draw(t, &seed);
            long double want = t->reference((long double)bits_f32(a));
            long double got = (long double)bits_f32(t->approx(a, false)), error;

            error = error_of(t->measure, got, want);
            if (!(error <= worst)) {
                worst = error;
                at = a;
            }
        }
        print_message("%-18s %s error %.3Lg of %.3Lg, at %08x\n", t->name,
                      t->measure == ULP        ? "ulp"
                      : t->measure == ABSOLUTE ? "absolute"
                                               : "relative",
                      worst, t->bound, at);
        assert_true(worst <= t->bound);
    }
}

struct special {
    approx_fn *fn;
    const char *name;
    /* results for -inf, -1, -subnormal, -0, +0, +subnormal, +inf, NaN with ftz */
    uint32_t want[8];
};

#define INF  0x7f800000u
#define NINF 0xff800000u
#define NAN_ 0x7fffffffu
#define ONE  0x3f800000u
#define NEG0 0x80000000u

static void special_operands(void **state)
{
    static const uint32_t operand[8] = {NINF, 0xbf800000, 0x80000123, NEG0,
                                        0,    0x00000123, INF,        0x7fc01234};
    static const struct special rows[] = {
        {fp32_rcp_approx, "rcp", {NEG0, 0xbf800000, NINF, NINF, INF, INF, 0, NAN_}},
        {fp32_sqrt_approx, "sqrt", {NAN_, NAN_, NEG0, NEG0, 0, 0, INF, NAN_}},
        {fp32_rsqrt_approx, "rsqrt", {NAN_, NAN_, NINF, NINF, INF, INF, 0, NAN_}},
        {fp32_sin_approx, "sin", {NAN_, 0xbf576aa4, NEG0, NEG0, 0, 0, NAN_, NAN_}},
        {fp32_cos_approx, "cos", {NAN_, 0x3f0a5140, ONE, ONE, ONE, ONE, NAN_, NAN_}},
        {fp32_lg2_approx, "lg2", {NAN_, NAN_, NINF, NINF, NINF, NINF, INF, NAN_}},
        {fp32_ex2_approx, "ex2", {0, 0x3f000000, ONE, ONE, ONE, ONE, INF, NAN_}},
        {tanh_approx,
         "tanh",
         {0xbf800000, 0xbf42f7d6, 0x80000123, NEG0, 0, 0x00000123, ONE, NAN_}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t j = 0; j < 8; j++) {
            uint32_t got = rows[i].fn(operand[j], true);

            if (got != rows[i].want[j]) {
                fail_msg("%s of %08x gives %08x, not %08x", rows[i].name, operand[j],
                         got, rows[i].want[j]);
            }
        }
    }
}

/* 2^n and squares are exact, which the documented bounds do not ask for. */
static void exact_where_it_can_be(void **state)
{
    (void)state;
    for (int n = -149; n < 128; n++) {
        uint32_t a = bits_of_f32(ldexpf(1, n));

        assert_int_equal(fp32_ex2_approx(bits_of_f32((float)n), false), a);
        assert_int_equal(fp32_lg2_approx(a, false), bits_of_f32((float)n));
    }
    assert_int_equal(fp32_ex2_approx(bits_of_f32(-149.5f), true), 0);
    assert_int_equal(fp32_ex2_approx(bits_of_f32(-149.5f), false), 1);
    assert_int_equal(fp32_ex2_approx(bits_of_f32(-150.0f), false), 0);
    assert_int_equal(fp32_ex2_approx(bits_of_f32(128.0f), false), INF);
    for (uint32_t i = 1; i < 4096; i++) {
        assert_int_equal(fp32_sqrt_approx(bits_of_f32((float)(i * i)), false),
                         bits_of_f32((float)i));
    }
}

static void quotients(void **state)
{
    uint64_t seed = 8;

    (void)state;
    for (uint32_t n = 0; n < n_random; n++) {
        uint32_t a = operand32(&seed), b = operand32(&seed);
        float x = bits_f32(a), y = bits_f32(b);
        uint32_t want = isnan(x / y) ? NAN_ : bits_of_f32(x / y);

        assert_int_equal(fp32_div_full(a, b, false), want);
        if (fabsf(y) > 0x1p126f && isfinite(y)) {
            want = isinf(x) || isnan(x) ? NAN_ : (a ^ b) & FP32_SIGN;
        }
        assert_int_equal(fp32_div_approx(a, b, false), want);
    }
    assert_int_equal(fp32_div_approx(0x00000001, 0x3f800000, true), 0);
    assert_int_equal(fp32_div_full(0x00800000, 0x40000000, true), 0);
    assert_int_equal(fp32_div_approx(ONE, 0x7e800000, false), 0x00800000);
}

static void doubles(void **state)
{
    uint64_t seed = 9;
    long double worst_rcp = 0, worst_gross = 0, worst_full = 0;

    (void)state;
    for (uint32_t n = 0; n < n_random; n++) {
        uint64_t a = test_random(&seed) >> 1;
        long double x, want;
        double r;

        if ((a & FP64_INF) == FP64_INF || (a & FP64_INF) == 0 ||
            a >= 0x7fd0000000000000u) {
            continue;
        }
        x = (long double)bits_f64(a & 0xffffffff00000000u);
        r = bits_f64(fp64_rcp_approx_ftz(a | FP64_SIGN));
        worst_rcp = fmaxl(worst_rcp, error_of(RELATIVE, (long double)r, -1 / x));
        assert_int_equal((uint32_t)bits_of_f64(r), 0);
        r = bits_f64(fp64_rsqrt_approx(a, true));
        worst_gross =
            fmaxl(worst_gross, error_of(RELATIVE, (long double)r, rsqrt_l(x)));
        assert_int_equal((uint32_t)bits_of_f64(r), 0);
        want = rsqrt_l((long double)bits_f64(a));
        r = bits_f64(fp64_rsqrt_approx(a, false));
        worst_full = fmaxl(worst_full, error_of(RELATIVE, (long double)r, want));
    }
    print_message("f64 rcp.ftz %.3Lg, rsqrt.ftz %.3Lg, rsqrt %.3Lg (relative)\n",
                  worst_rcp, worst_gross, worst_full);
    assert_true(worst_rcp <= 0x1p-20L && worst_gross <= 0x1p-20L);
    assert_true(worst_full <= 0x1p-51L);
}

static void doubles_special(void **state)
{
    (void)state;
    assert_int_equal(fp64_rcp_approx_ftz(FP64_INF), 0);
    assert_int_equal(fp64_rcp_approx_ftz(FP64_INF | FP64_SIGN), FP64_SIGN);
    assert_int_equal(fp64_rcp_approx_ftz(0), FP64_INF);
    assert_int_equal(fp64_rcp_approx_ftz(FP64_SIGN | 5), FP64_INF | FP64_SIGN);
    assert_int_equal(fp64_rcp_approx_ftz(0x7fefffffffffffffu), 0);
    assert_int_equal(fp64_rcp_approx_ftz(FP64_ONE), FP64_ONE);
    assert_int_equal(fp64_rcp_approx_ftz(0x7ff8000000000001u), 0x7fffffff00000000u);
    assert_int_equal(fp64_rsqrt_approx(FP64_INF, true), 0);
    assert_int_equal(fp64_rsqrt_approx(0xbff0000000000000u, true), 0x7fffffff00000000u);
    assert_int_equal(fp64_rsqrt_approx(FP64_SIGN, true), FP64_INF | FP64_SIGN);
    assert_int_equal(fp64_rsqrt_approx(0xbff0000000000000u, false),
                     0xfff8000000000000u);
    assert_int_equal(fp64_rsqrt_approx(0x7ff0000000000001u, true), 0);
    assert_int_equal(fp64_rsqrt_approx(0x7ff0000000000001u, false),
                     0x7ff8000000000001u);
    assert_int_equal(fp64_rcp_approx_ftz(0xfff0000000000001u), FP64_SIGN);
    assert_int_equal(fp64_rsqrt_approx(1, true), FP64_INF);
    assert_int_equal(fp64_rsqrt_approx(1, false), 0x6180000000000000u); /* 2^537 */
    assert_int_equal(fp64_rsqrt_approx(0x4010000000000000u, false),
                     0x3fe0000000000000u);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accuracy_documented),
        cmocka_unit_test(special_operands),
        cmocka_unit_test(exact_where_it_can_be),
        cmocka_unit_test(quotients),
        cmocka_unit_test(doubles),
        cmocka_unit_test(doubles_special),
    };

    n_random = test_count(argc, argv, 50000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
