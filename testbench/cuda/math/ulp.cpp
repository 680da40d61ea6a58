/*
 * ulp.cpp - how far device math is from the true values: ulp TABLE [-n N] [-f NAME] [-u]
 *
 * The math headers are compiled for the host, over the model's own approximating
 * instructions (operations.h), and compared with MPFR. Each line of TABLE is a function
 * and a range of arguments; N of them are drawn (default 2000), always the same ones.
 * Ends with 1 if a bound is exceeded, or if a special operand gives the wrong kind of
 * result. -u writes what was measured into TABLE.
 */
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mpfr.h>
#include <string>
#include <vector>

#define __host__
#define __device__
#define SMWAVE_MATH_OPERATIONS "operations.h"
namespace device {
#include "smwave/device_math.h"
/* Functions of an order as functions of one argument. */
static double jn3(double x) { return jn(3, x); }
static float jn3f(float x) { return jnf(3, x); }
static double jn20(double x) { return jn(20, x); }
static double yn3(double x) { return yn(3, x); }
static float yn3f(float x) { return ynf(3, x); }
}
#undef __host__
#undef __device__

#include "functions.h"

namespace {

const mpfr_rnd_t RN = MPFR_RNDN;

struct Numbers {
    mpfr_t x, y, z, w, r, t;
    Numbers() { mpfr_inits2(140, x, y, z, w, r, t, (mpfr_ptr)0); }
    ~Numbers() { mpfr_clears(x, y, z, w, r, t, (mpfr_ptr)0); }
};

#include "references.h"

struct Function {
    bool is_double;
    int arguments;
    double (*call)(const double *v);
    void (*reference)(Numbers &n);
};

template <class T> double call1(T (*f)(T), const double *v) { return f((T)v[0]); }
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
#define ADD(name, type, n, ref)                                                          \
    m[#name] = {sizeof(type) == 8, n,                                                    \
                [](const double *v) { return call##n<type>(device::name, v); },          \
                [](Numbers &k) {                                                         \
                    mpfr_ptr x = k.x, y = k.y, z = k.z, w = k.w, r = k.r, t = k.t;       \
                    (void)x, (void)y, (void)z, (void)w, (void)t;                         \
                    ref;                                                                 \
                }};
    MATH_FUNCTIONS(ADD)
#undef ADD
    return m;
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
        return unorder(a + (int64_t)(width == UINT64_MAX ? draw() : draw() % (width + 1)),
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
    const double list[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, tiny, -tiny, big, -big, 2, -2, 0.5, -0.5, 3, -3, 1e9, -1e9};
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
            if (bad++ < 12) printf("%s(%g, %g) is %g, should be %g\n", name.c_str(), v[0], v[1], got,
                   want);
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

enum { NAME, LOW, HIGH, LOW2, HIGH2, SPREAD, BOUND, UNIT, MEASURED, COLUMNS };

} // namespace

int main(int argc, char **argv)
{
    long count = 2000;
    const char *path = NULL, *only = NULL;
    bool update = false;
    int bad = 0, lines = 0;
    std::vector<std::string> text;
    std::map<std::string, Function> all = functions();
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
        if (seen[c[NAME]]++ == 0) {
            bad += specials(c[NAME], f, n);
        }
        double worst = 0, at[4] = {0, 0, 0, 0}, bound = atof(c[BOUND].c_str());
        state = 1;
        for (long i = 0; i < count; i++) {
            double v[4] = {0, 0, 0, 0}, e;
            bool second = !c[LOW2].empty();
            for (int a = 0; a < f.arguments; a++) {
                bool other = a > 0 && second;
                v[a] = pick(atof(c[other ? LOW2 : LOW].c_str()),
                            atof(c[other ? HIGH2 : HIGH].c_str()), c[SPREAD], f.is_double);
            }
            set(n, v);
            f.reference(n);
            e = error_of(f.call(v), n, f.is_double, c[UNIT] == "abs");
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
                   worst > bound ? ": too far off" : "", c[LOW].c_str(), c[HIGH].c_str(),
                   figure, c[UNIT].c_str(), at[0], at[1], c[BOUND].c_str());
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
    if (update && (in = fopen(path, "w")) != NULL) {
        for (const std::string &l : text) {
            fprintf(in, "%s\n", l.c_str());
        }
        fclose(in);
    }
    printf("%d lines of %ld arguments, %d wrong\n", lines, count, bad);
    return bad != 0;
}
