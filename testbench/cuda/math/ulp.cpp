/*
 * ulp.cpp - how far device math is from the true values: ulp TABLE [-n N] [-f NAME] [-u] [-w DIR]
 *
 * The math headers are compiled for the host, over the model's own approximating
 * instructions (operations.h), and compared with MPFR. Each line of TABLE is a function
 * and a range of arguments; N of them are drawn (default 2000), always the same ones.
 * Ends with 1 if a bound is exceeded, or if a special operand gives the wrong kind of
 * result. -u writes what was measured into TABLE. -w writes arguments and results into
 * DIR instead, with a launch file device.yml that has the model compute the same.
 */
#include <cfloat>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mpfr.h>
#include <string>
#include <vector>

#include "vector_types.h"
#define SMWAVE_MATH_OPERATIONS "operations.h"
namespace device
{
#include "cuda_bf16.h"
#include "smwave/device_math.h"
#include "wrappers.h"
} // namespace device

#include "functions.h"

namespace
{

const mpfr_rnd_t RN = MPFR_RNDN;

struct Numbers {
    mpfr_t x, y, z, w, r, t;
    Numbers()
    {
        mpfr_inits2(140, x, y, z, w, r, t, (mpfr_ptr)0);
    }
    ~Numbers()
    {
        mpfr_clears(x, y, z, w, r, t, (mpfr_ptr)0);
    }
};

#include "references.h"

struct Function {
    bool is_double;
    int arguments;
    double (*call)(const double *v);
    void (*reference)(Numbers &n);
};

template <class T> double call1(T (*f)(T), const double *v)
{
    return f((T)v[0]);
}
template <class T> double call2(T (*f)(T, T), const double *v)
{
    return f((T)v[0], (T)v[1]);
}
template <class T> double call3(T (*f)(T, T, T), const double *v)
{
    return f((T)v[0], (T)v[1], (T)v[2]);
}
template <class T> double call4(T (*f)(T, T, T, T), const double *v)
{
    return f((T)v[0], (T)v[1], (T)v[2], (T)v[3]);
}

std::map<std::string, Function> functions()
{
    std::map<std::string, Function> m;
#define ADD(name, type, n, ref)                                                        \
    m[#name] = {sizeof(type) == 8, n,                                                  \
                [](const double *v) { return call##n<type>(device::name, v); },        \
                [](Numbers &k) {                                                       \
                    mpfr_ptr x = k.x, y = k.y, z = k.z, w = k.w, r = k.r, t = k.t;     \
                    (void)x, (void)y, (void)z, (void)w, (void)t;                       \
                    ref;                                                               \
                }};
    MATH_FUNCTIONS(ADD)
#undef ADD
    return m;
}

/*
 * What the C library gives in a wider type, for the functions that it has: float's in
 * double, double's in long double. Its error is far below that of what is measured, so
 * that MPFR is only asked where an error may be the largest so far.
 */
long double sine_of_turns(long double x)
{
    long double n = rintl(x),
                s = sinl(3.14159265358979323846264338327950288L * (x - n));
    return fmodl(n, 2) == 0 ? s : -s;
}
long double cosine_of_turns(long double x)
{
    long double n = rintl(x);
    long double s =
        sinl(3.14159265358979323846264338327950288L * (0.5L - fabsl(x - n)));
    return fmodl(n, 2) == 0 ? s : -s;
}

/* e^(x x) erfc(x); where the series says nothing to 64 digits, nothing */
long double scaled_erfc(long double x)
{
    long double square = x * x, low = fmal(x, x, -square), z = 0.5L / square;

    return fabsl(x) < 100 ? expl(square) * erfcl(x) * (1 + low)
           : x > 10000
               ? 0.56418958354775628694807945156077259L / x * (1 - z + 3 * z * z)
               : (long double)NAN;
}
long double series_i(long double x, int order)
{
    long double term = order == 0 ? 1 : x / 2, sum = term;

    for (int k = 1; k < 3000 && fabsl(x) < 1000 && fabsl(term) > fabsl(sum) * 1e-21L;
         k++) {
        term *= x / 2 * (x / 2) / ((long double)k * (k + order));
        sum += term;
    }
    return fabsl(x) < 1000 ? sum : (long double)NAN;
}
/* y with erf(y) = x, by two steps of Newton's method from what is being measured */
long double inverse_erf(long double x)
{
    long double a = fabsl(x), y = device::erfinv((double)a);
    for (int i = 0; i < 2 && a < 1; i++) {
        long double off = a < 0.5L ? erfl(y) - a : (1 - a) - erfcl(y);
        y -= off * expl(y * y) * 0.88622692545275801364908374167057259L;
    }
    return x < 0 ? -y : y;
}
long double inverse_erfc(long double q)
{
    long double y;
    if (q > 0.5L) {
        return q > 1.5L ? -inverse_erfc(2 - q) : inverse_erf(1 - q);
    }
    y = device::erfcinv((double)q);
    for (int i = 0; i < 2 && q > 0; i++) {
        y += (erfcl(y) - q) * expl(y * y) * 0.88622692545275801364908374167057259L;
    }
    return y;
}

typedef long double (*Estimate)(const double *v);

std::map<std::string, Estimate> estimates()
{
    std::map<std::string, Estimate> m;
#if LDBL_MANT_DIG >= 64
#define ESTIMATE(name, narrow, wide)                                                   \
    m[#name "f"] = [](const double *v) -> long double {                                \
        double x = v[0], y = v[1];                                                     \
        (void)y;                                                                       \
        return narrow;                                                                 \
    };                                                                                 \
    m[#name] = [](const double *v) -> long double {                                    \
        long double x = v[0], y = v[1];                                                \
        (void)y;                                                                       \
        return wide;                                                                   \
    };
#define ONE(name) ESTIMATE(name, std::name(x), name##l(x))
    ONE(sin)
    ONE(cos)
    ONE(tan)
    ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(
        acosh) ONE(atanh) ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10)
        ONE(log1p) ONE(sqrt) ONE(cbrt) ONE(erf) ONE(
            erfc) ESTIMATE(atan2, std::atan2(x, y),
                           atan2l(x, y)) ESTIMATE(pow, std::pow(x, y),
                                                  powl(x, y)) ESTIMATE(hypot,
                                                                       std::hypot(x, y),
                                                                       hypotl(x, y))
            ESTIMATE(rhypot, 1 / std::hypot(x, y), 1 / hypotl(x, y)) ESTIMATE(
                rsqrt, 1 / std::sqrt(x),
                1 / sqrtl(x)) ESTIMATE(rcbrt, 1 / std::cbrt(x), 1 / cbrtl(x))
                ESTIMATE(exp10, std::pow(10.0L, x), powl(10, x)) ESTIMATE(
                    normcdf,
                    0.5 * std::erfc(-x * (double)M_SQRT1_2),
                    0.5L * erfcl(-x * 0.70710678118654752440084436210485L)) ONE(lgamma)
                    ONE(
                        tgamma) ESTIMATE(sinpi, sine_of_turns(x), sine_of_turns(x))
                        ESTIMATE(cospi, cosine_of_turns(x),
                                 cosine_of_turns(
                                     x)) ESTIMATE(erfcx, scaled_erfc(x), scaled_erfc(x))
                            ESTIMATE(cyl_bessel_i0, series_i(x, 0), series_i(x, 0))
                                ESTIMATE(cyl_bessel_i1, series_i(x, 1),
                                         series_i(x,
                                                  1)) ESTIMATE(erfinv, inverse_erf(x),
                                                               inverse_erf(x))
                                    ESTIMATE(erfcinv, inverse_erfc(x), inverse_erfc(x))
                                        ESTIMATE(
                                            normcdfinv,
                                            -1.41421356237309504880168872420969808L *
                                                inverse_erfc(2.0L * x),
                                            -1.41421356237309504880168872420969808L *
                                                inverse_erfc(2 * x))
    /* Near a zero the library's are not good enough. */
#define BESSEL(name, f)                                                                \
    ESTIMATE(name, std::fabs(f(x)) > 0.05 ? f(x) : NAN,                                \
             fabsl(f##l(x)) > 0.05L ? f##l(x) : (long double)NAN)
                                            BESSEL(j0, ::j0) BESSEL(j1, ::j1)
                                                BESSEL(y0, ::y0) BESSEL(y1, ::y1)
#undef BESSEL
#undef ONE
#undef ESTIMATE
#endif
                                                    return m;
}

/* |got - want| in units of the last place of want; at least the true one less 0.02. */
double estimated_error(double got, long double want, bool is_double, bool absolute)
{
    int e, digits = is_double ? 53 : 24, lowest = is_double ? -1074 : -149;

    if (!std::isfinite(got) || !std::isfinite(want) || want == 0) {
        return INFINITY;
    }
    if (absolute) {
        return (double)fabsl(got - want);
    }
    frexpl(want, &e);
    e = e - digits < lowest ? lowest : e - digits;
    return (double)fabsl(ldexpl((long double)got - want, -e));
}

uint64_t state;
uint64_t draw() /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Numbers in the order of their values, so that a range is one of integers. */
int64_t order(double x, bool is_double)
{
    int64_t i;
    if (is_double) {
        memcpy(&i, &x, 8);
        return i < 0 ? INT64_MIN - i : i;
    }
    float f = (float)x;
    int32_t k;
    memcpy(&k, &f, 4);
    return k < 0 ? (int64_t)INT32_MIN - k : k;
}
double unorder(int64_t i, bool is_double)
{
    if (is_double) {
        double x;
        i = i < 0 ? INT64_MIN - i : i;
        memcpy(&x, &i, 8);
        return x;
    }
    int32_t k = (int32_t)(i < 0 ? INT32_MIN - i : i);
    float f;
    memcpy(&f, &k, 4);
    return f;
}

double pick(double low, double high, const std::string &spread, bool is_double)
{
    double x;
    if (spread == "bits") {
        int64_t a = order(low, is_double), b = order(high, is_double);
        uint64_t width = (uint64_t)b - (uint64_t)a;
        return unorder(a + (int64_t)(width == UINT64_MAX ? draw()
                                                         : draw() % (width + 1)),
                       is_double);
    }
    x = low + (high - low) * ((double)(draw() >> 11) * 0x1p-53);
    return is_double ? x : (float)x;
}

/* |got - want| in units of the last place of want, or as it is (absolute). */
double error_of(double got, Numbers &n, bool is_double, bool absolute)
{
    int digits = is_double ? 53 : 24, top = is_double ? 1024 : 128;
    int lowest = is_double ? -1074 : -149;

    if (mpfr_nan_p(n.r) || got != got) {
        return mpfr_nan_p(n.r) && got != got ? 0 : 1e30;
    }
    if (mpfr_inf_p(n.r)) {
        return std::isinf(got) && (got < 0) == (mpfr_sgn(n.r) < 0) ? 0 : 1e30;
    }
    long e = mpfr_zero_p(n.r) ? lowest : (long)mpfr_get_exp(n.r) - digits;
    e = e < lowest ? lowest : e > top - digits ? top - digits : e;
    if (std::isinf(got)) { /* as if it were the next number */
        mpfr_set_si_2exp(n.t, got < 0 ? -1 : 1, top, RN);
        if (mpfr_cmpabs(n.r, n.t) >= 0 && (got < 0) == (mpfr_sgn(n.r) < 0)) {
            return 0;
        }
    } else {
        mpfr_set_d(n.t, got, RN);
    }
    mpfr_sub(n.t, n.t, n.r, RN);
    return std::fabs(absolute ? mpfr_get_d(n.t, RN)
                              : (mpfr_mul_2si(n.t, n.t, -e, RN), mpfr_get_d(n.t, RN)));
}

void set(Numbers &n, const double *v)
{
    mpfr_set_d(n.x, v[0], RN);
    mpfr_set_d(n.y, v[1], RN);
    mpfr_set_d(n.z, v[2], RN);
    mpfr_set_d(n.w, v[3], RN);
}

/* Zeros, infinities, NaN and the ends of the range give the right kind of result. */
int specials(const std::string &name, const Function &f, Numbers &n)
{
    double big = f.is_double ? 1.7976931348623157e308 : 3.4028234663852886e38;
    double tiny = f.is_double ? 4.9406564584124654e-324 : 1.401298464324817e-45;
    const double list[] = {0.0,  -0.0,  INFINITY, -INFINITY, NAN, 1,  -1,
                           tiny, -tiny, big,      -big,      2,   -2, 0.5,
                           -0.5, 3,     -3,       1e9,       -1e9};
    const int count = sizeof list / sizeof *list;
    int bad = 0;

    for (int i = 0; i < (f.arguments == 1 ? count : count * count); i++) {
        double v[4] = {list[i % count], list[i / count], 1, 1}, got = f.call(v), want;
        set(n, v);
        f.reference(n);
        want = f.is_double ? mpfr_get_d(n.r, RN) : mpfr_get_flt(n.r, RN);
        if ((want != want) != (got != got) || std::isinf(want) != std::isinf(got) ||
            (want == 0) != (got == 0) ||
            (want == want && std::signbit(want) != std::signbit(got))) {
            if (bad++ < 12)
                printf("%s(%g, %g) is %g, should be %g\n", name.c_str(), v[0], v[1],
                       got, want);
        }
    }
    return bad;
}

std::vector<std::string> fields(const std::string &line)
{
    std::vector<std::string> f(1);
    for (char c : line) {
        if (c == ',') {
            f.emplace_back();
        } else {
            f.back() += c;
        }
    }
    return f;
}

/* N arguments of one line, four numbers each, drawn anew from the same start. */
struct Line {
    const std::vector<std::string> &c;
    const Function &f;
    explicit Line(const std::vector<std::string> &line, const Function &function)
        : c(line), f(function)
    {
        state = 1;
    }
    void next(double *v) const;
};

enum { NAME, LOW, HIGH, LOW2, HIGH2, SPREAD, BOUND, UNIT, MEASURED, COLUMNS };

void Line::next(double *v) const
{
    for (int a = 0; a < 4; a++) {
        bool other = a > 0 && !c[LOW2].empty();
        v[a] = a >= f.arguments ? 0
                                : pick(atof(c[other ? LOW2 : LOW].c_str()),
                                       atof(c[other ? HIGH2 : HIGH].c_str()), c[SPREAD],
                                       f.is_double);
    }
}

/* For one function: what its kernel gets and should give, in two files. */
struct Cases {
    std::vector<double> arguments, results;
};

void put(const std::string &path, const std::vector<double> &values, bool is_double)
{
    FILE *out = fopen(path.c_str(), "wb");

    if (out == NULL) {
        fprintf(stderr, "cannot write %s\n", path.c_str());
        exit(2);
    }
    for (double v : values) {
        float f = (float)v;
        uint64_t wide;
        uint32_t narrow;
        memcpy(&wide, &v, 8);
        memcpy(&narrow, &f, 4);
        wide = v == v ? wide : 0x7ff8000000000000ull;
        narrow = v == v ? narrow : 0x7fc00000u;
        fwrite(is_double ? (void *)&wide : (void *)&narrow, is_double ? 8 : 4, 1, out);
    }
    fclose(out);
}

void write_launches(const std::string &dir, std::map<std::string, Cases> &cases,
                    std::map<std::string, Function> &all)
{
    FILE *out = fopen((dir + "/device.yml").c_str(), "w");
    const unsigned block = 64;

    if (out == NULL) {
        fprintf(stderr, "cannot write %s/device.yml\n", dir.c_str());
        exit(2);
    }
    fprintf(out, "module: device.ptx\nconfig: p100\nbuffers:\n");
    for (auto &k : cases) {
        const Function &f = all[k.first];
        const char *name = k.first.c_str();
        std::vector<double> &x = k.second.arguments;
        while (k.second.results.size() % block != 0) { /* whole blocks */
            for (int a = 0; a < 4; a++) {
                x.push_back(x[(size_t)a]);
            }
            k.second.results.push_back(k.second.results[0]);
        }
        put(dir + "/x_" + name, x, f.is_double);
        put(dir + "/r_" + name, k.second.results, f.is_double);
        fprintf(out, "  x_%s: {type: %s, count: %zu, init: {file: x_%s}}\n", name,
                f.is_double ? "u64" : "u32", x.size(), name);
        fprintf(out, "  r_%s: {type: %s, count: %zu, init: zero}\n", name,
                f.is_double ? "u64" : "u32", k.second.results.size());
    }
    fprintf(out, "launches:\n");
    for (auto &k : cases) {
        const char *name = k.first.c_str();
        fprintf(out,
                "  - {kernel: k_%s, grid: [%zu], block: [%u], args: [x_%s, r_%s]}\n",
                name, k.second.results.size() / block, block, name, name);
    }
    fprintf(out, "expect:\n");
    for (auto &k : cases) {
        const char *name = k.first.c_str();
        fprintf(out, "  - {buffer: r_%s, count: %zu, equals: {file: r_%s}}\n", name,
                k.second.results.size(), name);
    }
    fclose(out);
}

} // namespace

int main(int argc, char **argv)
{
    long count = 2000;
    const char *path = NULL, *only = NULL, *dir = NULL;
    std::map<std::string, Cases> cases;
    bool update = false;
    int bad = 0, lines = 0;
    std::vector<std::string> text;
    std::map<std::string, Function> all = functions();
    std::map<std::string, Estimate> quick = estimates();
    std::map<std::string, int> seen;
    Numbers n;
    char buffer[400];

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
            count = atol(argv[++i]);
        } else if (strcmp(argv[i], "-f") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (strcmp(argv[i], "-u") == 0) {
            update = true;
        } else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc) {
            dir = argv[++i];
        } else {
            path = argv[i];
        }
    }
    FILE *in = path != NULL ? fopen(path, "r") : NULL;
    if (in == NULL) {
        fprintf(stderr, "usage: ulp TABLE [-n ARGUMENTS] [-f FUNCTION] [-u]\n");
        return 2;
    }
    while (fgets(buffer, sizeof buffer, in) != NULL) {
        buffer[strcspn(buffer, "\n")] = 0;
        text.push_back(buffer);
    }
    fclose(in);
    for (size_t k = 1; k < text.size(); k++) {
        std::vector<std::string> c = fields(text[k]);
        if (c.size() != COLUMNS || all.count(c[NAME]) == 0) {
            printf("%s:%zu: not a function with its range: %s\n", path, k + 1,
                   text[k].c_str());
            bad++;
            continue;
        }
        const Function &f = all[c[NAME]];
        if (only != NULL && c[NAME] != only) {
            seen[c[NAME]]++;
            continue;
        }
        if (seen[c[NAME]]++ == 0 && dir == NULL && c[UNIT] != "abs") {
            bad += specials(c[NAME], f, n);
        }
        double worst = 0, at[4] = {0, 0, 0, 0}, bound = atof(c[BOUND].c_str());
        Line arguments(c, f);
        for (long i = 0; i < count; i++) {
            double v[4], e;
            arguments.next(v);
            if (dir != NULL) {
                Cases &k = cases[c[NAME]];
                k.arguments.insert(k.arguments.end(), v, v + 4);
                k.results.push_back(f.call(v));
                continue;
            }
            double got = f.call(v);
            bool absolute = c[UNIT] == "abs";
            if (quick.count(c[NAME]) != 0 &&
                estimated_error(got, quick[c[NAME]](v), f.is_double, absolute) <
                    (absolute ? worst * 0.9 : worst - 0.02)) {
                continue;
            }
            set(n, v);
            f.reference(n);
            e = error_of(got, n, f.is_double, absolute);
            if (e > worst) {
                worst = e;
                memcpy(at, v, sizeof at);
            }
        }
        lines++;
        char figure[32];
        snprintf(figure, sizeof figure, c[UNIT] == "abs" ? "%.2g" : "%.3f", worst);
        if (worst > bound || only != NULL || update) {
            printf("%s%s [%s, %s]: %s %s at %.17g, %.17g; bound %s\n", c[NAME].c_str(),
                   worst > bound ? ": too far off" : "", c[LOW].c_str(),
                   c[HIGH].c_str(), figure, c[UNIT].c_str(), at[0], at[1],
                   c[BOUND].c_str());
        }
        bad += worst > bound;
        if (update) {
            c[MEASURED] = figure;
            text[k].clear();
            for (size_t j = 0; j < c.size(); j++) {
                text[k] += (j > 0 ? "," : "") + c[j];
            }
        }
    }
    for (const auto &f : all) {
        if (seen.count(f.first) == 0) {
            printf("%s has no line in %s\n", f.first.c_str(), path);
            bad++;
        }
    }
    if (dir != NULL) {
        write_launches(dir, cases, all);
    }
    if (update && (in = fopen(path, "w")) != NULL) {
        for (const std::string &l : text) {
            fprintf(in, "%s\n", l.c_str());
        }
        fclose(in);
    }
    printf("%d lines of %ld arguments, %d wrong\n", lines, count, bad);
    return bad != 0;
}
