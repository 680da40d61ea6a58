/* fp_arith.c against the host's own arithmetic under fesetround(), and multiply-add
 * against a fixed-point accumulator wide enough for every product and sum of doubles.
 */
#include "isa/fp_test.h"

static uint32_t n_random;

static void fail_at(const char *what, int mode, uint64_t a, uint64_t b, uint64_t c,
                    uint64_t got, uint64_t want)
{
    fail_msg("%s mode %d: %llx %llx %llx gives %llx, not %llx", what, mode,
             (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
             (unsigned long long)got, (unsigned long long)want);
}

/* ---- f32 ---- */

enum op { ADD, MUL, DIV, SQRT, RCP, N_OPS };

static const char *const op_names[] = {"add", "mul", "div", "sqrt", "rcp"};

static uint32_t host32(enum op op, int mode, uint32_t a, uint32_t b)
{
    volatile float x = bits_f32(a), y = bits_f32(b);
    float r = 0;

    switch (op) {
    case ADD: HOST(float, mode, r, x + y); break;
    case MUL: HOST(float, mode, r, x *y); break;
    case DIV: HOST(float, mode, r, x / y); break;
    case SQRT: HOST(float, mode, r, sqrtf(x)); break;
    case RCP: HOST(float, mode, r, 1 / x); break;
    case N_OPS: break;
    }
    return bits_of_f32(r);
}

static uint32_t ours32(enum op op, enum isa_round rm, uint32_t a, uint32_t b, bool ftz)
{
    switch (op) {
    case ADD: return fp32_add(a, b, rm, ftz);
    case MUL: return fp32_mul(a, b, rm, ftz);
    case DIV: return fp32_div(a, b, rm, ftz);
    case SQRT: return fp32_sqrt(a, rm, ftz);
    case RCP: return fp32_rcp(a, rm, ftz);
    case N_OPS: break;
    }
    return 0;
}

/* Whether a result of 2^-126 or less stays below it when rounded to 24 bits: the same
 * operation 2^64 times as large, where no subnormals are. */
static bool is_tiny(enum op op, int mode, uint32_t a, uint32_t b)
{
    uint32_t shifted = bits_of_f32((op == RCP ? 1 : bits_f32(a)) * 0x1p64f);

    if (op == RCP) {
        return (host32(DIV, mode, shifted, a) & ~FP32_SIGN) < 0x20800000;
    }
    if (op == ADD) { /* exact there */
        return (host32(ADD, mode, a, b) & FP32_INF) == 0;
    }
    return (host32(op, mode, shifted, b) & ~FP32_SIGN) < 0x20800000;
}

static void check32(enum op op, int m, uint32_t a, uint32_t b)
{
    for (int ftz = 0; ftz < 2; ftz++) {
        uint32_t fa = ftz && (a & FP32_INF) == 0 ? a & FP32_SIGN : a;
        uint32_t fb = ftz && (b & FP32_INF) == 0 ? b & FP32_SIGN : b;
        uint32_t want = host32(op, host_modes[m], fa, fb);
        uint32_t got = ours32(op, modes[m], a, b, ftz != 0);

        if ((want & ~FP32_SIGN) > FP32_INF) {
            want = 0x7fffffff;
        } else if (ftz && (want & ~FP32_SIGN) <= 0x00800000) {
            want = is_tiny(op, host_modes[m], fa, fb) ? want & FP32_SIGN : want;
        }
        if (got != want) {
            fail_at(op_names[op], m, a, b, (uint64_t)ftz, got, want);
        }
    }
}

static void f32_is_ieee(void **state)
{
    uint64_t seed = 32;

    (void)state;
    for (int op = 0; op < N_OPS; op++) {
        for (int m = 0; m < 4; m++) {
            for (size_t i = 0; i < N_EDGES32 * 2; i++) {
                for (size_t j = 0; j < N_EDGES32 * 2; j++) {
                    check32((enum op)op, m, edges32[i / 2] | (uint32_t)(i & 1) << 31,
                            edges32[j / 2] | (uint32_t)(j & 1) << 31);
                }
            }
            for (uint32_t i = 0; i < n_random; i++) {
                uint32_t a = operand32(&seed), b = operand32(&seed);

                check32((enum op)op, m, a, b);
            }
        }
    }
}

/* ---- f64 ---- */

static uint64_t host64(enum op op, int mode, uint64_t a, uint64_t b)
{
    volatile double x = bits_f64(a), y = bits_f64(b);
    double r = 0;

    switch (op) {
    case ADD: HOST(double, mode, r, x + y); break;
    case MUL: HOST(double, mode, r, x *y); break;
    case DIV: HOST(double, mode, r, x / y); break;
    case SQRT: HOST(double, mode, r, sqrt(x)); break;
    case RCP: HOST(double, mode, r, 1 / x); break;
    case N_OPS: break;
    }
    return bits_of_f64(r);
}

static uint64_t ours64(enum op op, enum isa_round rm, uint64_t a, uint64_t b)
{
    switch (op) {
    case ADD: return fp64_add(a, b, rm);
    case MUL: return fp64_mul(a, b, rm);
    case DIV: return fp64_div(a, b, rm);
    case SQRT: return fp64_sqrt(a, rm);
    case RCP: return fp64_rcp(a, rm);
    case N_OPS: break;
    }
    return 0;
}

static void check64(enum op op, int m, uint64_t a, uint64_t b)
{
    bool two = op == ADD || op == MUL || op == DIV;
    uint64_t want = host64(op, host_modes[m], a, b);
    uint64_t got = ours64(op, modes[m], a, b);

    if (isnan(bits_f64(a)) && (op == DIV || !two || !isnan(bits_f64(b)))) {
        want = a | FP64_QUIET;
    } else if (two && isnan(bits_f64(b))) {
        want = b | FP64_QUIET;
    } else if (isnan(bits_f64(want))) {
        want = FP64_NAN;
    }
    if (got != want) {
        fail_at(op_names[op], m, a, b, 64, got, want);
    }
}

static void f64_is_ieee(void **state)
{
    uint64_t seed = 64;

    (void)state;
    for (int op = 0; op < N_OPS; op++) {
        for (int m = 0; m < 4; m++) {
            for (size_t i = 0; i < N_EDGES64 * 2; i++) {
                for (size_t j = 0; j < N_EDGES64 * 2; j++) {
                    check64((enum op)op, m, edges64[i / 2] | (uint64_t)(i & 1) << 63,
                            edges64[j / 2] | (uint64_t)(j & 1) << 63);
                }
            }
            for (uint32_t i = 0; i < n_random; i++) {
                uint64_t a = operand64(&seed), b = operand64(&seed);

                check64((enum op)op, m, a, b);
                check64((enum op)op, m, a, a ^ (b & 0x8000000000000007u));
            }
        }
    }
}

/* ---- the oracle of multiply-add ---- */

/* A sum in fixed point, sign and magnitude: bit i weighs 2^(i - 2200). Products of
 * doubles span bits 52 to 4248. */
#define WORDS  68
#define ORIGIN 2200

struct wide {
    uint64_t w[WORDS];
    bool negative;
};

static void put(struct wide *x, uint64_t v, uint32_t at)
{
    uint32_t i = at / 64, s = at % 64;
    fp_u128 carry = (fp_u128)v << s;

    for (; carry != 0; i++) {
        carry += x->w[i];
        x->w[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* Significand and exponent of a finite double, by the text of the format. */
static uint64_t take(uint64_t a, int32_t *e)
{
    int32_t biased = (int32_t)(a >> 52 & 0x7ff);

    *e = (biased == 0 ? 1 : biased) - 1075;
    return (a & 0xfffffffffffffu) | (uint64_t)(biased != 0) << 52;
}

static void put_product(struct wide *x, uint64_t a, uint64_t b)
{
    int32_t ea, eb;
    uint64_t sa = take(a, &ea), sb = take(b, &eb);
    fp_u128 p = (fp_u128)sa * sb;

    memset(x, 0, sizeof(*x));
    x->negative = ((a ^ b) & FP64_SIGN) != 0;
    put(x, (uint64_t)p, (uint32_t)(ea + eb + ORIGIN));
    put(x, (uint64_t)(p >> 64), (uint32_t)(ea + eb + ORIGIN + 64));
}

static int compare(const struct wide *x, const struct wide *y)
{
    for (int i = WORDS - 1; i >= 0; i--) {
        if (x->w[i] != y->w[i]) {
            return x->w[i] > y->w[i] ? 1 : -1;
        }
    }
    return 0;
}

/* x += y */
static void accumulate(struct wide *x, const struct wide *y)
{
    bool swap = x->negative != y->negative && compare(x, y) < 0;
    const struct wide *big = swap ? y : x, *small = swap ? x : y;
    struct wide r = {.negative = big->negative};
    uint64_t carry = 0;

    for (int i = 0; i < WORDS; i++) {
        if (x->negative == y->negative) {
            fp_u128 s = (fp_u128)big->w[i] + small->w[i] + carry;

            r.w[i] = (uint64_t)s;
            carry = (uint64_t)(s >> 64);
        } else {
            fp_u128 s = (fp_u128)big->w[i] - small->w[i] - carry;

            r.w[i] = (uint64_t)s;
            carry = (s >> 64) != 0;
        }
    }
    *x = r;
}

static bool bit(const struct wide *x, int32_t i)
{
    return i >= 0 && (x->w[i / 64] >> (i % 64) & 1) != 0;
}

/* Round to frac + 1 bits, last place not below 2^e_min; the pattern, mode by index. */
static uint64_t wide_round(const struct wide *x, int m, int32_t frac, int32_t ebits)
{
    int32_t e_min = 2 - (1 << (ebits - 1)) - frac + ORIGIN, top = WORDS * 64 - 1, lsb;
    uint64_t sign = (uint64_t)x->negative << (frac + ebits), r = 0;
    uint64_t inf = (uint64_t)((1 << ebits) - 1) << frac;
    bool half, below = false, up = false;

    while (!bit(x, top)) { /* x is not 0 */
        top -= x->w[top / 64] == 0 ? 64 : 1;
    }
    lsb = top - frac > e_min ? top - frac : e_min;
    for (int32_t i = top; i >= lsb; i--) {
        r = r << 1 | bit(x, i);
    }
    half = bit(x, lsb - 1);
    for (int32_t i = lsb - 2; i >= 0 && !below; i--) {
        below = i % 64 == 63 && x->w[i / 64] == 0 ? false : bit(x, i);
        i -= i % 64 == 63 && x->w[i / 64] == 0 ? 63 : 0;
    }
    switch (m) {
    case 0: up = half && (below || (r & 1) != 0); break;
    case 1: break;
    case 2: up = x->negative && (half || below); break;
    case 3: up = !x->negative && (half || below); break;
    }
    r += (uint64_t)(lsb - e_min) << frac; /* the hidden bit adds one */
    r += up;
    if (r >= inf) {
        bool finite = m == 1 || (m == 2 && !x->negative) || (m == 3 && x->negative);

        r = finite ? inf - 1 : inf;
    }
    return sign | r;
}

/* a * b + c exactly, then rounded once; operands finite, given as doubles. */
static uint64_t wide_fma(uint64_t a, uint64_t b, uint64_t c, int m, int32_t frac,
                         int32_t ebits)
{
    static const struct wide zero;
    struct wide x, y;

    put_product(&x, a, b);
    put_product(&y, c, FP64_ONE);
    if (memcmp(x.w, y.w, sizeof(x.w)) == 0 && x.negative != y.negative) {
        return (uint64_t)(m == 2) << (frac + ebits);
    }
    accumulate(&x, &y);
    if (memcmp(x.w, zero.w, sizeof(x.w)) == 0) {
        return (uint64_t)x.negative << (frac + ebits);
    }
    return wide_round(&x, m, frac, ebits);
}

static bool is_finite64(uint64_t a)
{
    return (a & FP64_INF) != FP64_INF;
}

static uint64_t quiet_or_invalid(uint64_t a, uint64_t b, uint64_t c)
{
    if (isnan(bits_f64(b))) {
        return b | FP64_QUIET;
    }
    if (isnan(bits_f64(c))) {
        return c | FP64_QUIET;
    }
    return isnan(bits_f64(a)) ? a | FP64_QUIET : FP64_NAN;
}

static void check_fma64(int m, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t got = fp64_fma(a, b, c, modes[m]), want;

    if (is_finite64(a) && is_finite64(b) && is_finite64(c)) {
        want = wide_fma(a, b, c, m, 52, 11);
    } else {
        volatile double x = bits_f64(a), y = bits_f64(b), z = bits_f64(c);
        double r = fma(x, y, z); /* an infinity or a NaN in every mode */

        want = isnan(r) ? quiet_or_invalid(a, b, c) : bits_of_f64(r);
    }
    if (got != want) {
        fail_at("fma.f64", m, a, b, c, got, want);
    }
}

static void f64_fma_is_exact(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (int m = 0; m < 4; m++) {
        for (uint32_t i = 0; i < n_random; i++) {
            uint64_t a = operand64(&seed), b = operand64(&seed), c = operand64(&seed);

            check_fma64(m, a, b, c);
            /* cancellation: c within a few units of -(a * b) */
            c = bits_of_f64(bits_f64(a) * bits_f64(b)) ^ FP64_SIGN;
            check_fma64(m, a, b, c + (test_random(&seed) & 3) - 1);
            /* results about the smallest normal and the smallest subnormal */
            a = (a & ~FP64_INF) | (uint64_t)(500 + (c & 15)) << 52;
            b = (b & ~FP64_INF) | (uint64_t)(470 + (c >> 4 & 63)) << 52;
            check_fma64(m, a, b, operand64(&seed) & 0x801fffffffffffffu);
        }
    }
}

/* Many more against the C library, which obeys the rounding mode. */
static void f64_fma_is_the_librarys(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int m = 0; m < 4; m++) {
        for (uint32_t i = 0; i < n_random * 4; i++) {
            uint64_t a = operand64(&seed), b = operand64(&seed), c = operand64(&seed);
            volatile double x = bits_f64(a), y = bits_f64(b), z = bits_f64(c);
            uint64_t got = fp64_fma(a, b, c, modes[m]);
            double r;

            HOST(double, host_modes[m], r, fma(x, y, z));
            if (isnan(r) ? got != quiet_or_invalid(a, b, c) : got != bits_of_f64(r)) {
                fail_at("fma.f64 libm", m, a, b, c, got, bits_of_f64(r));
            }
        }
    }
}

static void check_fma32(int m, uint32_t a, uint32_t b, uint32_t c)
{
    for (int ftz = 0; ftz < 2; ftz++) {
        uint32_t fa = fp32_flush(a, ftz != 0), fb = fp32_flush(b, ftz != 0);
        uint32_t fc = fp32_flush(c, ftz != 0);
        uint32_t got = fp32_fma(a, b, c, modes[m], ftz != 0), want;
        double x = (double)bits_f32(fa), y = (double)bits_f32(fb),
               z = (double)bits_f32(fc);

        if (isfinite(x) && isfinite(y) && isfinite(z)) {
            want = (uint32_t)wide_fma(bits_of_f64(x), bits_of_f64(y), bits_of_f64(z), m,
                                      23, 8);
            if (ftz && (want & ~FP32_SIGN) <= 0x00800000) {
                /* 24 bits with the exponents of f64: below 2^-126? */
                uint64_t w =
                    wide_fma(bits_of_f64(x), bits_of_f64(y), bits_of_f64(z), m, 23, 11);

                want = (w >> 23 & 0x7ff) < 1023 - 126 ? want & FP32_SIGN : want;
            }
        } else {
            float r = (float)(x * y + z);

            want = isnan(r) ? 0x7fffffff : bits_of_f32(r);
        }
        if (got != want) {
            fail_at("fma.f32", m, a, b, c, got, want);
        }
    }
}

static void f32_fma_is_exact(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (int m = 0; m < 4; m++) {
        for (uint32_t i = 0; i < n_random; i++) {
            uint32_t a = operand32(&seed), b = operand32(&seed), c = operand32(&seed);

            check_fma32(m, a, b, c);
            c = bits_of_f32(bits_f32(a) * bits_f32(b)) ^ FP32_SIGN;
            check_fma32(m, a, b, c + (uint32_t)(test_random(&seed) & 3) - 1);
            a = (a & ~FP32_INF) | (60 + (c & 7)) << 23;
            b = (b & ~FP32_INF) | (40 + (c >> 3 & 31)) << 23;
            check_fma32(m, a, b, operand32(&seed) & 0x80ffffffu);
        }
    }
}

/* The oracle itself, on cases worked out by hand. */
static void oracle_knows_its_trade(void **state)
{
    uint64_t tiny = 1, one = FP64_ONE, eps = 0x3cb0000000000000u; /* 2^-52 */

    (void)state;
    assert_int_equal(wide_fma(one, one, tiny, 0, 52, 11), one);
    assert_int_equal(wide_fma(one, one, tiny, 3, 52, 11), one + 1);
    assert_int_equal(wide_fma(one, one, tiny | FP64_SIGN, 1, 52, 11), one - 1);
    assert_int_equal(wide_fma(tiny, tiny, 0, 3, 52, 11), 1);
    assert_int_equal(wide_fma(tiny, tiny, 0, 0, 52, 11), 0);
    assert_int_equal(wide_fma(one, eps, one, 1, 52, 11), one + 1);
    assert_int_equal(wide_fma(one, one, one | FP64_SIGN, 2, 52, 11), FP64_SIGN);
}

/* As measured on an H100. */
static void measured(void **state)
{
    (void)state;
    assert_int_equal(fp32_mul(0x3f7fffff, 0x00800000, ISA_R_RN, true), 0);
    assert_int_equal(fp32_mul(0x3f7fffff, 0x00800000, ISA_R_RN, false), 0x00800000);
    assert_int_equal(fp32_rcp(0xfe800001, ISA_R_RM, true), 0x80000000);
    assert_int_equal(fp32_fma(0x084e2553, 0xac900075, 0x00800001, ISA_R_RP, true), 0);
    assert_int_equal(fp64_add(0x7ff8000000000000, 0xfff0000000000001, ISA_R_RN),
                     0xfff8000000000001);
    assert_int_equal(fp64_fma(0xfff8000000000000, 0x246475cb78771c29,
                              0x7ff8000000000000, ISA_R_RN),
                     0x7ff8000000000000);
    assert_int_equal(fp64_fma(0x64192e9dc36b78b5, 0x7ff8000000abcdef,
                              0xfff8000000abcdef, ISA_R_RN),
                     0x7ff8000000abcdef);
    assert_int_equal(fp64_sqrt(0xbff0000000000000, ISA_R_RN), 0xfff8000000000000);
}

static void saturation(void **state)
{
    (void)state;
    assert_int_equal(fp32_saturate(0x7fffffff), 0);
    assert_int_equal(fp32_saturate(0xffc00000), 0);
    assert_int_equal(fp32_saturate(0x80000000), 0);
    assert_int_equal(fp32_saturate(0xbf800000), 0);
    assert_int_equal(fp32_saturate(0x3f000000), 0x3f000000);
    assert_int_equal(fp32_saturate(0x00000001), 0x00000001);
    assert_int_equal(fp32_saturate(0x3f800000), 0x3f800000);
    assert_int_equal(fp32_saturate(0x3f800001), 0x3f800000);
    assert_int_equal(fp32_saturate(0x7f800000), 0x3f800000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_knows_its_trade),
        cmocka_unit_test(f32_is_ieee),
        cmocka_unit_test(f64_is_ieee),
        cmocka_unit_test(f32_fma_is_exact),
        cmocka_unit_test(f64_fma_is_exact),
        cmocka_unit_test(f64_fma_is_the_librarys),
        cmocka_unit_test(measured),
        cmocka_unit_test(saturation),
    };

    n_random = test_count(argc, argv, 10000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
