/* fp_cvt.c against the host's conversions under fesetround(). The x87 long double,
 * whose 64 bits hold every integer and every double, is the wide type in between. */
#include "isa/fp_test.h"

static uint32_t n_random;

/* Called through memory, lest the compiler put its own round-to-nearest code in place.
 */
static double (*const volatile host_rint)(double) = rint;
static float (*const volatile host_rintf)(float) = rintf;

static const enum isa_round int_modes[4] = {ISA_R_RNI, ISA_R_RZI, ISA_R_RMI, ISA_R_RPI};

static void check_to_int(uint64_t a, bool is64, uint32_t bits, bool is_signed, int m)
{
    volatile double x = is64 ? bits_f64(a) : (double)bits_f32((uint32_t)a);
    long double top = ldexpl(1, (int)bits - (is_signed ? 1 : 0));
    long double low = is_signed ? -top : 0, v;
    double r;
    uint64_t want, got;

    HOST(double, host_modes[m], r, host_rint(x));
    v = (long double)r;
    if (isnan(x)) {
        want = is64 || bits == 64 ? ~0ull << (bits - 1) : 0;
        want &= is_signed ? ~0ull : ~0ull >> (64 - bits);
    } else if (v >= top) {
        want = ~0ull >> (64 - bits + is_signed);
    } else if (v <= low) {
        want = is_signed ? ~0ull << (bits - 1) : 0;
    } else {
        want = is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    got = is64 ? fp64_to_int(a, bits, is_signed, int_modes[m])
               : fp32_to_int((uint32_t)a, bits, is_signed, int_modes[m], false);
    if (got != want) {
        fail_msg("f%d %llx to %c%u mode %d gives %llx, not %llx", is64 ? 64 : 32,
                 (unsigned long long)a, is_signed ? 's' : 'u', bits, m,
                 (unsigned long long)got, (unsigned long long)want);
    }
}

static void check_to_all_ints(uint64_t a, bool is64)
{
    for (uint32_t bits = 8; bits <= 64; bits *= 2) {
        for (int m = 0; m < 4; m++) {
            check_to_int(a, is64, bits, true, m);
            check_to_int(a, is64, bits, false, m);
        }
    }
}

static void f32_to_int(void **state)
{
    uint64_t seed = 1;

    (void)state;
    /* A walk over all of f32, and every quarter of an integer within 16 bits and more.
     */
    for (uint64_t a = 0; a <= UINT32_MAX; a += UINT32_MAX / n_random + 1) {
        check_to_all_ints(a, false);
    }
    for (int32_t i = -70000 * 4; i < 70000 * 4; i += 3) {
        for (int m = 0; m < 4; m++) {
            check_to_int(bits_of_f32((float)i * 0.25f), false, 16, (i & 1) != 0, m);
            check_to_int(bits_of_f32((float)i * 0.00390625f), false, 8, (i & 1) != 0,
                         m);
        }
    }
    for (uint32_t i = 0; i < n_random; i++) {
        check_to_all_ints(operand32(&seed), false);
    }
    assert_int_equal(fp32_to_int(0x00000001, 32, true, ISA_R_RPI, false), 1);
    assert_int_equal(fp32_to_int(0x00000001, 32, true, ISA_R_RPI, true), 0);
    assert_int_equal(fp32_to_int(0x80000001, 32, true, ISA_R_RMI, true), 0);
}

static void f64_to_int(void **state)
{
    uint64_t seed = 2;

    (void)state;
    for (uint32_t i = 0; i < n_random; i++) {
        uint64_t a = operand64(&seed);

        check_to_all_ints(a, true);
        /* magnitudes about 2^-2 to 2^66 */
        a = (a & ~FP64_INF) | (1021 + (test_random(&seed) % 68)) << 52;
        check_to_all_ints(a, true);
    }
}

static void int_to_float(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (uint32_t i = 0; i < n_random * 4; i++) {
        uint64_t v = test_random(&seed);

        v = (i & 1 ? v : v & ~0ull << (v & 63)) >> (test_random(&seed) & 63);
        for (int m = 0; m < 4; m++) {
            volatile long double u = (long double)v, s = (long double)(int64_t)v;
            float fu, fs;
            double du, ds;

            HOST(float, host_modes[m], fu, (float)u);
            HOST(float, host_modes[m], fs, (float)s);
            HOST(double, host_modes[m], du, (double)u);
            HOST(double, host_modes[m], ds, (double)s);
            assert_int_equal(fp32_from_u64(v, modes[m]), bits_of_f32(fu));
            assert_int_equal(fp32_from_s64((int64_t)v, modes[m]), bits_of_f32(fs));
            assert_int_equal(fp64_from_u64(v, modes[m]), bits_of_f64(du));
            assert_int_equal(fp64_from_s64((int64_t)v, modes[m]), bits_of_f64(ds));
        }
    }
    assert_int_equal(fp32_from_s64(INT64_MIN, ISA_R_RN), 0xdf000000);
    assert_int_equal(fp32_from_s64(0, ISA_R_RM), 0);
}

static void check_narrow(uint64_t a)
{
    for (int m = 0; m < 4; m++) {
        volatile double x = bits_f64(a);
        float f;
        uint32_t want;

        HOST(float, host_modes[m], f, (float)x);
        want =
            bits_of_f32(f); /* of NaN too: x86 keeps what the modelled device keeps */
        if (fp64_to_fp32(a, modes[m], false) != want) {
            fail_msg("%llx to f32 mode %d gives %x, not %x", (unsigned long long)a, m,
                     fp64_to_fp32(a, modes[m], false), want);
        }
        /* 2^64 times as large no result is subnormal */
        HOST(float, host_modes[m], f, (float)(x * 0x1p64));
        if (fabsf(f) < 0x1p-62f) {
            want &= FP32_SIGN;
        }
        assert_int_equal(fp64_to_fp32(a, modes[m], true), want);
    }
}

static void f64_to_f32_and_back(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (size_t i = 0; i < N_EDGES64; i++) {
        check_narrow(edges64[i]);
        check_narrow(edges64[i] | FP64_SIGN);
    }
    for (uint32_t i = 0; i < n_random * 4; i++) {
        uint64_t a = operand64(&seed);
        uint32_t b = operand32(&seed);

        check_narrow(a);
        /* the range of f32, subnormals of it included */
        check_narrow((a & ~FP64_INF) | (870 + test_random(&seed) % 290) << 52);
        if (!isnan(bits_f32(b))) {
            assert_int_equal(fp32_to_fp64(b, false), bits_of_f64((double)bits_f32(b)));
        }
    }
    assert_int_equal(fp32_to_fp64(0x80000001, true), FP64_SIGN);
    assert_int_equal(fp32_to_fp64(0xff800001, false), 0xfff8000020000000);
    assert_int_equal(fp32_to_fp64(0xff800001, true), 0x7fffffffe0000000);
    assert_int_equal(fp64_to_fp32(0x380ffffff0000000, ISA_R_RN, true), 0x00800000);
    assert_int_equal(fp64_to_fp32(0x380fffffe0000000, ISA_R_RN, true), 0);
}

static void round_to_integral(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (uint32_t i = 0; i < n_random * 4; i++) {
        uint64_t a = operand64(&seed);
        uint32_t b = operand32(&seed);

        a = i & 1 ? (a & ~FP64_INF) | (1018 + test_random(&seed) % 60) << 52 : a;
        b = i & 1 ? (b & ~FP32_INF) | (uint32_t)(120 + test_random(&seed) % 36) << 23
                  : b;
        for (int m = 0; m < 4; m++) {
            volatile double x = bits_f64(a);
            volatile float y = bits_f32(b);
            double r;
            float s;

            HOST(double, host_modes[m], r, host_rint(x));
            HOST(float, host_modes[m], s, host_rintf(y));
            assert_int_equal(fp64_round_int(a, int_modes[m]),
                             isnan(r) ? a | FP64_QUIET : bits_of_f64(r));
            assert_int_equal(fp32_round_int(b, int_modes[m], false),
                             isnan(s) ? 0x7fffffff : bits_of_f32(s));
        }
    }
    assert_int_equal(fp32_round_int(0x80000001, ISA_R_RMI, false), 0xbf800000);
    assert_int_equal(fp32_round_int(0x80000001, ISA_R_RMI, true), 0x80000000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_to_int),        cmocka_unit_test(f64_to_int),
        cmocka_unit_test(int_to_float),      cmocka_unit_test(f64_to_f32_and_back),
        cmocka_unit_test(round_to_integral),
    };

    n_random = test_count(argc, argv, 20000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
