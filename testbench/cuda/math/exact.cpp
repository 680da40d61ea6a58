/*
 * exact.cpp - what the math headers must get right to the last bit: remainders, parts of
 * numbers and rounding against the C library, half precision and bfloat16 against MPFR
 * with as many digits as they have, SIMD in a word against lanes one by one.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mpfr.h>

#include "vector_types.h"
#define SMWAVE_MATH_OPERATIONS "operations.h"
namespace device
{
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "smwave/device_math.h"
} // namespace device

namespace
{

int bad;
uint64_t state = 1;

uint64_t draw() /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

template <class T> bool same(T a, T b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

template <class T> void check(const char *what, T got, T want, double x, double y)
{
    if (!same(got, want) && bad++ < 20) {
        printf("%s(%.17g, %.17g) is %.17g, should be %.17g\n", what, x, y, (double)got,
               (double)want);
    }
}

/* Special values, small numbers with few digits, and any bits. */
template <class T> T any()
{
    static const double special[] = {0.0,       -0.0,      INFINITY,
                                     -INFINITY, NAN,       1,
                                     -1,        0.5,       -0.5,
                                     1.5,       2.5,       -2.5,
                                     5e-324,    1.5e-310,  1e-45,
                                     1.7e308,   4194303.5, 4503599627370495.5};
    uint64_t kind = draw() % 8, i = draw();
    T x;

    if (kind == 0) {
        return (T)special[draw() % (sizeof special / sizeof *special)];
    }
    if (kind < 4) {
        return (T)((double)((int64_t)(draw() % 2000001) - 1000000) /
                   (double)(1 << (i % 12)));
    }
    memcpy(&x, &i, sizeof x);
    return x;
}

template <class T>
T rest(T x, T y, T r) /* glibc's remainder of 0 lacks the sign of x */
{
    (void)y;
    return r == 0 ? std::copysign(r, x) : r;
}

#define BASIC(T, f)                                                                    \
    void basic(T)                                                                      \
    {                                                                                  \
        T x = any<T>(), y = any<T>(), p, q, u, v;                                      \
        int n = ((int)(draw() % 600) - 300) * (sizeof(T) == 8 ? 8 : 1), a, b;          \
        check("fmod" #f, device::fmod##f(x, y), (T)std::fmod(x, y), x, y);             \
        u = device::remquo##f(x, y, &a);                                               \
        v = rest<T>(x, y, std::remquo(x, y, &b));                                      \
        check("remquo" #f, u, v, x, y);                                                \
        check("remainder" #f, device::remainder##f(x, y), v, x, y);                    \
        if (v == v) {                                                                  \
            check("remquo's quotient" #f, (a < 0 ? -a : a) & 7, (b < 0 ? -b : b) & 7,  \
                  x, y);                                                               \
        }                                                                              \
        check("modf" #f, device::modf##f(x, &p), std::modf(x, &q), x, y);              \
        check("modf's whole" #f, p, q, x, y);                                          \
        check("ldexp" #f, device::ldexp##f(x, n), std::ldexp(x, n), x, n);             \
        check("round" #f, device::round##f(x), std::round(x), x, y);                   \
        check("rint" #f, device::rint##f(x), std::rint(x), x, y);                      \
        check("trunc" #f, device::trunc##f(x), std::trunc(x), x, y);                   \
        check("fdim" #f, device::fdim##f(x, y), std::fdim(x, y), x, y);                \
        check("nextafter" #f, device::nextafter##f(x, y), std::nextafter(x, y), x, y); \
        check("logb" #f, device::logb##f(x), std::logb(x), x, y);                      \
        check("copysign" #f, device::copysign##f(x, y), std::copysign(x, y), x, y);    \
        u = device::frexp##f(x, &a);                                                   \
        v = std::frexp(x, &b);                                                         \
        check("frexp" #f, u, v, x, y);                                                 \
        if (std::isfinite(x)) {                                                        \
            check("frexp's exponent" #f, a, b, x, y);                                  \
        }                                                                              \
        if (std::isfinite(x) && x != 0) {                                              \
            check("ilogb" #f, device::ilogb##f(x), std::ilogb(x), x, y);               \
        }                                                                              \
        if (std::fabs(x) < (T)9e18) {                                                  \
            check("llrint" #f, device::llrint##f(x), std::llrint(x), x, y);            \
            check("llround" #f, device::llround##f(x), std::llround(x), x, y);         \
        }                                                                              \
    }
BASIC(float, f)
BASIC(double, )

/* ---- fewer digits than float ---- */

struct Format {
    const char *name;
    mpfr_prec_t digits;
    mpfr_exp_t lowest, highest; /* of the smallest and largest number, as MPFR counts */
};

/* The value of r in this format, from what MPFR rounded (t: which way it did). */
double in_format(mpfr_t r, int t, const Format &f, mpfr_rnd_t mode)
{
    mpfr_set_emin(f.lowest);
    mpfr_set_emax(f.highest);
    t = mpfr_check_range(r, t, mode);
    mpfr_subnormalize(r, t, mode);
    double v = mpfr_get_d(r, MPFR_RNDN);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    return v;
}

template <class S, class Raw> struct Small {
    Format f;
    mpfr_t a, b, c, r;

    explicit Small(const Format &format) : f(format)
    {
        mpfr_inits2(64, a, b, c, (mpfr_ptr)0);
        mpfr_init2(r, f.digits);
    }
    ~Small()
    {
        mpfr_clears(a, b, c, r, (mpfr_ptr)0);
    }
    S pick()
    {
        return S(Raw{(unsigned short)draw()});
    }
    void result(const char *what, S got, int t, double x, double y)
    {
        double want = in_format(r, t, f, MPFR_RNDN);
        char name[40];
        snprintf(name, sizeof name, "%s %s", f.name, what);
        check(name, (double)(float)got, want, x, y);
    }
    void arithmetic()
    {
        S x = pick(), y = pick(), z = pick();
        double p = (double)(float)x, q = (double)(float)y;
        mpfr_set_flt(a, (float)x, MPFR_RNDN);
        mpfr_set_flt(b, (float)y, MPFR_RNDN);
        mpfr_set_flt(c, (float)z, MPFR_RNDN);
        result("+", x + y, mpfr_add(r, a, b, MPFR_RNDN), p, q);
        result("-", x - y, mpfr_sub(r, a, b, MPFR_RNDN), p, q);
        result("*", x * y, mpfr_mul(r, a, b, MPFR_RNDN), p, q);
        result("/", x / y, mpfr_div(r, a, b, MPFR_RNDN), p, q);
        result("fma", device::__hfma(x, y, z), mpfr_fma(r, a, b, c, MPFR_RNDN), p, q);
        result("sqrt", device::hsqrt(x), mpfr_sqrt(r, a, MPFR_RNDN), p, q);
    }
    void from(double d, S got, mpfr_rnd_t mode, const char *what)
    {
        mpfr_set_d(a, d, MPFR_RNDN);
        int t = mpfr_set(r, a, mode);
        double want = in_format(r, t, f, mode);
        char name[60];
        snprintf(name, sizeof name, "%s from %s, mode %d", f.name, what, (int)mode);
        check(name, (double)(float)got, want, d, 0);
    }
};

/* A number of about the format's size, often half way between two of its numbers. */
double near_format(const Format &f)
{
    double d = (double)(draw() % 4096) / 4096 + 1, e;
    d += draw() % 2 == 0 ? 0 : (double)(int64_t)(draw() % 3 - 1) * 0x1p-20;
    e = (double)f.lowest - 3 + (double)(draw() % (uint64_t)(f.highest - f.lowest + 6));
    return std::ldexp(draw() % 2 == 0 ? d : -d, (int)e);
}

void conversions(Small<device::__half, device::__half_raw> &h,
                 Small<device::__nv_bfloat16, device::__nv_bfloat16_raw> &b)
{
    float f = (float)near_format(h.f), g = (float)near_format(b.f);
    double d = near_format(h.f) * (1 + std::ldexp((double)(draw() % 3) - 1, -50));
    double e = near_format(b.f) * (1 + std::ldexp((double)(draw() % 3) - 1, -50));
    h.from(f, device::__float2half_rn(f), MPFR_RNDN, "float");
    h.from(f, device::__float2half_rz(f), MPFR_RNDZ, "float");
    h.from(f, device::__float2half_ru(f), MPFR_RNDU, "float");
    h.from(f, device::__float2half_rd(f), MPFR_RNDD, "float");
    h.from(d, device::__double2half(d), MPFR_RNDN, "double");
    b.from(g, device::__float2bfloat16_rn(g), MPFR_RNDN, "float");
    b.from(g, device::__float2bfloat16_rz(g), MPFR_RNDZ, "float");
    b.from(g, device::__float2bfloat16_ru(g), MPFR_RNDU, "float");
    b.from(g, device::__float2bfloat16_rd(g), MPFR_RNDD, "float");
    b.from(e, device::__double2bfloat16(e), MPFR_RNDN, "double");
    int i = (int)(draw() % 140000) - 70000;
    h.from(i, device::__int2half_rn(i), MPFR_RNDN, "int");
    b.from(i, device::__int2bfloat16_rz(i), MPFR_RNDZ, "int");
    check("__half2int_rd", device::__half2int_rd(device::__float2half(f)),
          (int)std::fmax(std::fmin(std::floor((double)(float)device::__float2half(f)),
                                   INT32_MAX),
                         INT32_MIN),
          f, 0);
}

/* ---- SIMD in a word ---- */

template <class F> unsigned lanes(unsigned a, unsigned b, int bits, bool is_signed, F f)
{
    unsigned r = 0, mask = bits == 8 ? 0xffu : 0xffffu;
    for (int i = 0; i < 32; i += bits) {
        int x = (int)(a >> i & mask), y = (int)(b >> i & mask);
        if (is_signed) {
            x = x > (int)(mask >> 1) ? x - (int)mask - 1 : x;
            y = y > (int)(mask >> 1) ? y - (int)mask - 1 : y;
        }
        r |= ((unsigned)f(x, y) & mask) << i;
    }
    return r;
}
int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

#define LANES(name, bits, is_signed, e)                                                \
    check(#name, device::name(a, b),                                                   \
          lanes(a, b, bits, is_signed,                                                 \
                [](int x, int y) {                                                     \
                    (void)y;                                                           \
                    return e;                                                          \
                }),                                                                    \
          a, b);
#define LANES1(name, bits, e)                                                          \
    check(#name, device::name(a),                                                      \
          lanes(a, 0, bits, true, [](int x, int) { return e; }), a, 0);
#define RELATION(op, n, bits, s)                                                       \
    LANES(__vcmp##n, bits, s, x op y ? -1 : 0) LANES(__vset##n, bits, s, x op y ? 1 : 0)
#define SIMD(k, bits, low, high, top)                                                  \
    LANES(__vadd##k, bits, true, x + y)                                                \
    LANES(__vsub##k, bits, true, x - y)                                                \
    LANES(__vaddss##k, bits, true, clamp(x + y, low, high))                            \
    LANES(__vsubss##k, bits, true, clamp(x - y, low, high))                            \
    LANES(__vaddus##k, bits, false, clamp(x + y, 0, top))                              \
    LANES(__vsubus##k, bits, false, clamp(x - y, 0, top))                              \
    LANES(__vavgs##k, bits, true, (x + y + 1) >> 1)                                    \
    LANES(__vavgu##k, bits, false, (x + y + 1) >> 1)                                   \
    LANES(__vhaddu##k, bits, false, (x + y) >> 1)                                      \
    LANES(__vmaxs##k, bits, true, x > y ? x : y)                                       \
    LANES(__vmaxu##k, bits, false, x > y ? x : y)                                      \
    LANES(__vmins##k, bits, true, x < y ? x : y)                                       \
    LANES(__vminu##k, bits, false, x < y ? x : y)                                      \
    LANES(__vabsdiffs##k, bits, true, x > y ? x - y : y - x)                           \
    LANES(__vabsdiffu##k, bits, false, x > y ? x - y : y - x)                          \
    RELATION(==, eq##k, bits, true)                                                    \
    RELATION(!=, ne##k, bits, true)                                                    \
    RELATION(<, lts##k, bits, true)                                                    \
    RELATION(<=, les##k, bits, true)                                                   \
    RELATION(>, gts##k, bits, true)                                                    \
    RELATION(>=, ges##k, bits, true)                                                   \
    RELATION(<, ltu##k, bits, false)                                                   \
    RELATION(<=, leu##k, bits, false)                                                  \
    RELATION(>, gtu##k, bits, false)                                                   \
    RELATION(>=, geu##k, bits, false)                                                  \
    LANES1(__vabs##k, bits, x < 0 ? -x : x)                                            \
    LANES1(__vabsss##k, bits, clamp(x < 0 ? -x : x, low, high))                        \
    LANES1(__vneg##k, bits, -x)                                                        \
    LANES1(__vnegss##k, bits, clamp(-x, low, high))

unsigned sum_of(unsigned x, int bits)
{
    return bits == 8 ? (x & 255) + (x >> 8 & 255) + (x >> 16 & 255) + (x >> 24)
                     : (x & 65535) + (x >> 16);
}

void simd()
{
    unsigned a = (unsigned)draw(), b = (unsigned)draw(), k = (unsigned)draw() % 4;
    /* Equal lanes, and the ends of the range, now and then. */
    b = k == 0 ? (b & 0xffff00ffu) | (a & 0xff00u) : k == 1 ? a : b;
    a = draw() % 4 == 0 ? (a & 0x00ffffffu) | 0x80000000u : a;
    SIMD(4, 8, -128, 127, 255)
    SIMD(2, 16, -32768, 32767, 65535)
    check("__vsads4", device::__vsads4(a, b), sum_of(device::__vabsdiffs4(a, b), 8), a,
          b);
    check("__vsadu2", device::__vsadu2(a, b), sum_of(device::__vabsdiffu2(a, b), 16), a,
          b);
    int x = (int)a, y = (int)b, z = (int)draw(), m = x > y ? x : y;
    check("__vimax3_s32", device::__vimax3_s32(x, y, z), m > z ? m : z, x, y);
    check("__vimin3_u16x2", device::__vimin3_u16x2(a, b, (unsigned)z),
          device::__vminu2(device::__vminu2(a, b), (unsigned)z), a, b);
    check("__vimax_s32_relu", device::__vimax_s32_relu(x, y), m > 0 ? m : 0, x, y);
}

} // namespace

int main()
{
    Small<device::__half, device::__half_raw> h({"half", 11, -23, 16});
    Small<device::__nv_bfloat16, device::__nv_bfloat16_raw> b(
        {"bfloat16", 8, -132, 128});

    for (int i = 0; i < 100000; i++) {
        basic(0.0f);
        basic(0.0);
        h.arithmetic();
        b.arithmetic();
        conversions(h, b);
        simd();
    }
    printf("%d wrong\n", bad);
    return bad != 0;
}
