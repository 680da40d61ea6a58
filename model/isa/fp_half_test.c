/*
 * half.h, exhaustively: every pattern of a narrow format is decoded from its fields
 * with ldexp(), and a conversion into it is right if it gives the pattern that a search
 * among these values gives. Operands are all values, the midpoints between neighbours,
 * and what lies just beside both.
 */
#include "isa/fp_test.h"
#include "isa/half.h"

struct format {
    const char *name;
    int ebits, frac;
    bool no_inf; /* e4m3: the last pattern is NaN, the others numbers */
};

static const struct format formats[] = {
    {"fp16", 5, 10, false}, {"bf16", 8, 7, false}, {"tf32", 8, 10, false},
    {"e4m3", 4, 3, true},   {"e5m2", 5, 2, false},
};
enum { F16, BF16, TF32, E4M3, E5M2 };

static uint32_t to_fp32(int f, uint32_t v)
{
    switch (f) {
    case F16: return fp16_to_fp32(v);
    case BF16: return bf16_to_fp32(v);
    case TF32: return v << 13;
    case E4M3: return e4m3_to_fp32(v);
    default: return e5m2_to_fp32(v);
    }
}

static uint32_t from_fp32(int f, uint32_t a, enum isa_round rm)
{
    switch (f) {
    case F16: return fp32_to_fp16(a, rm);
    case BF16: return fp32_to_bf16(a, rm);
    case TF32: return fp32_to_tf32(a, rm) >> 13;
    case E4M3: return fp32_to_e4m3(a);
    default: return fp32_to_e5m2(a);
    }
}

/* The value of magnitude pattern m; beyond the largest, that which one more exponent
 * would have. */
static double value(const struct format *f, uint32_t m)
{
    const int e = (int)(m >> f->frac), bias = (1 << (f->ebits - 1)) - 1;
    const double frac = (double)(m & ((1u << f->frac) - 1));

    return e == 0 ? ldexp(frac, 1 - bias - f->frac)
                  : ldexp(frac + ldexp(1, f->frac), e - bias - f->frac);
}

static uint32_t n_finite(const struct format *f)
{
    return f->no_inf ? (1u << (f->ebits + f->frac)) - 1
                     : ((1u << f->ebits) - 1) << f->frac;
}

static void every_pattern(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        const struct format *f = &formats[k];
        const uint32_t n = n_finite(f), top = 1u << (f->ebits + f->frac);

        for (uint32_t v = 0; v < 2 * top; v++) {
            const uint32_t m = v & (top - 1), r = to_fp32(k, v);
            const float x = bits_f32(r);

            if (m < n) {
                if (x != (v >= top ? -value(f, m) : value(f, m)) ||
                    (signbit(x) != 0) != (v >= top)) {
                    fail_msg("%s %x is %x", f->name, v, r);
                }
                assert_int_equal(from_fp32(k, r, ISA_R_RN), v);
            } else if (m == n && !f->no_inf) {
                assert_int_equal(r, v >= top ? 0xff800000 : 0x7f800000);
            } else if (k != TF32) {
                assert_int_equal(r, 0x7fffffff);
            }
        }
    }
}

/* Which of the neighbours m and m + 1 of |x| a rounding takes. */
static uint32_t pick(const struct format *f, uint32_t m, double x, bool sign,
                     enum isa_round rm)
{
    const double low = x - value(f, m), high = value(f, m + 1) - x;

    if (low == 0) {
        return m;
    }
    switch (rm) {
    case ISA_R_RZ: return m;
    case ISA_R_RM: return sign ? m + 1 : m;
    case ISA_R_RP: return sign ? m : m + 1;
    case ISA_R_RNA: return low < high ? m : m + 1;
    default: return low < high || (low == high && (m & 1) == 0) ? m : m + 1;
    }
}

/* x lies in [m, m + 1) of the format. */
static void check_round(int k, uint32_t m, double x)
{
    static const enum isa_round all[] = {ISA_R_RN, ISA_R_RZ, ISA_R_RM, ISA_R_RP,
                                         ISA_R_RNA};
    const struct format *f = &formats[k];
    const uint32_t n = n_finite(f), top = 1u << (f->ebits + f->frac);

    for (uint32_t i = 0; i < 10; i++) {
        const enum isa_round rm = all[i / 2];
        const bool sign = i % 2 != 0;
        const double y = sign ? -x : x;
        uint32_t want = pick(f, m, x, sign, rm), got;

        if (k >= E4M3) { /* these saturate, and round to nearest only */
            if (rm != ISA_R_RN) {
                continue;
            }
            want = want >= n ? n - 1 : want;
        }
        want |= sign ? top : 0;
        if ((double)(float)y == y) {
            got = from_fp32(k, bits_of_f32((float)y), rm);
            if (got != want) {
                fail_msg("%a to %s mode %d gives %x, not %x", y, f->name, rm, got,
                         want);
            }
        }
        if ((double)(float)y == y && rm == ISA_R_RN && k <= BF16) {
            got = k == F16 ? fp32_to_fp16_near(bits_of_f32((float)y))
                           : fp32_to_bf16_near(bits_of_f32((float)y));
            assert_int_equal(got, want);
        }
        if ((double)(float)y == y && rm == ISA_R_RNA && k == TF32) {
            assert_int_equal(fp32_to_tf32_away(bits_of_f32((float)y)) >> 13, want);
        }
        if (k <= BF16) {
            got = k == F16 ? fp64_to_fp16(bits_of_f64(y), rm)
                           : fp64_to_bf16(bits_of_f64(y), rm);
            assert_int_equal(got, want);
        }
    }
}

static void every_midpoint(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        const struct format *f = &formats[k];

        for (uint32_t m = 0; m < n_finite(f); m++) {
            const double a = value(f, m), b = value(f, m + 1), mid = (a + b) / 2;

            check_round(k, m, a);
            check_round(k, m, mid);
            check_round(k, m, nextafter(mid, a));
            check_round(k, m, nextafter(mid, b));
            check_round(k, m, (double)nextafterf((float)mid, (float)a));
            check_round(k, m, (double)nextafterf((float)mid, (float)b));
            check_round(k, m, nextafter(b, a));
            check_round(k, m, nextafter(a, b));
        }
    }
}

static void beyond(void **state)
{
    (void)state;
    assert_int_equal(fp32_to_fp16(0x7f7fffff, ISA_R_RN), 0x7c00);
    assert_int_equal(fp32_to_fp16(0x7f7fffff, ISA_R_RZ), 0x7bff);
    assert_int_equal(fp32_to_fp16(0xff7fffff, ISA_R_RP), 0xfbff);
    assert_int_equal(fp32_to_fp16(0xff7fffff, ISA_R_RM), 0xfc00);
    assert_int_equal(fp32_to_fp16_near(0x7f800000), 0x7c00);
    assert_int_equal(fp32_to_fp16_near(0xff7fffff), 0xfc00);
    assert_int_equal(fp32_to_fp16_near(0xffc00000), 0x7fff);
    assert_int_equal(fp32_to_fp16(0x7f800001, ISA_R_RZ), 0x7fff);
    assert_int_equal(fp32_to_bf16_near(0xff800001), 0x7fff);
    assert_int_equal(fp32_to_bf16_near(0x7fffffff), 0x7fff);
    assert_int_equal(fp32_to_bf16_near(0xff7fffff), 0xff80);
    assert_int_equal(fp32_to_tf32_away(0x7f7fffff), 0x7f800000);
    assert_int_equal(fp32_to_tf32_away(0xff800000), 0xff800000);
    assert_int_equal(fp32_to_tf32_away(0x7f800001), 0x7fffe000);
    assert_int_equal(fp32_to_tf32(0x7f800001, ISA_R_RN), 0x7fffe000);
    assert_int_equal(fp32_to_e4m3(0xff800000), 0xfe);
    assert_int_equal(fp32_to_e4m3(0x7f7fffff), 0x7e);
    assert_int_equal(fp32_to_e4m3(0xffc00000), 0x7f);
    assert_int_equal(fp32_to_e5m2(0x7f800000), 0x7b);
    assert_int_equal(fp32_to_e5m2(0x7fc00000), 0x7f);
}

static void integers(void **state)
{
    (void)state;
    for (int64_t v = -70000; v <= 70000; v++) {
        const uint32_t x = bits_of_f32((float)v);

        for (int m = 0; m < 4; m++) {
            assert_int_equal(fp16_from_s64(v, modes[m]), fp32_to_fp16(x, modes[m]));
            assert_int_equal(bf16_from_s64(v, modes[m]), fp32_to_bf16(x, modes[m]));
            if (v >= 0) {
                assert_int_equal(fp16_from_u64((uint64_t)v, modes[m]),
                                 fp32_to_fp16(x, modes[m]));
            }
        }
    }
    assert_int_equal(bf16_from_u64(UINT64_MAX, ISA_R_RN), 0x5f80);
    assert_int_equal(bf16_from_u64(UINT64_MAX, ISA_R_RZ), 0x5f7f);
    assert_int_equal(bf16_from_s64(INT64_MIN, ISA_R_RZ), 0xdf00);
    /* Just above a tie: a way through f32 would round twice. */
    assert_int_equal(bf16_from_u64(0x0181000000000001ull, ISA_R_RN), 0x5bc1);
    assert_int_equal(bf16_from_u64(0x0181000000000000ull, ISA_R_RN), 0x5bc0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pattern),
                                       cmocka_unit_test(every_midpoint),
                                       cmocka_unit_test(beyond),
                                       cmocka_unit_test(integers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
