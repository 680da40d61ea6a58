#include "io/small_float.h"

#include <math.h>

struct format {
    int exponent, fraction; /* bits */
    bool finite; /* no infinity: the largest exponent has numbers, but for the last */
};

static const struct format *format_of(enum value_type t)
{
    static const struct format f16 = {5, 10, false}, bf16 = {8, 7, false},
                               e4m3 = {4, 3, true}, e5m2 = {5, 2, false};

    return t == VALUE_F16    ? &f16
           : t == VALUE_BF16 ? &bf16
           : t == VALUE_E4M3 ? &e4m3
                             : &e5m2;
}

bool small_float_is(enum value_type t)
{
    return t == VALUE_F16 || t == VALUE_BF16 || t == VALUE_E4M3 || t == VALUE_E5M2;
}

static uint64_t ones(int bits)
{
    return (UINT64_C(1) << bits) - 1;
}

/* Bits without the sign: those of infinity; where there is none, of NaN. */
static uint64_t beyond(const struct format *f)
{
    return f->finite ? ones(f->exponent + f->fraction)
                     : ones(f->exponent) << f->fraction;
}

double small_float_value(enum value_type t, uint64_t bits)
{
    const struct format *const f = format_of(t);
    const int bias = (int)ones(f->exponent - 1);
    const uint64_t size = bits & ones(f->exponent + f->fraction);
    const uint64_t fraction = bits & ones(f->fraction);
    const int exponent = (int)(size >> f->fraction);
    const double sign = (bits >> (f->exponent + f->fraction) & 1) != 0 ? -1.0 : 1.0;

    if (size > beyond(f) || (f->finite && size == beyond(f))) {
        return (double)NAN;
    }
    if (size == beyond(f)) {
        return sign * (double)INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp((double)fraction, 1 - bias - f->fraction);
    }
    return sign * ldexp((double)(fraction | (ones(f->fraction) + 1)),
                        exponent - bias - f->fraction);
}

uint64_t small_float_bits(enum value_type t, double v)
{
    const struct format *const f = format_of(t);
    const int bias = (int)ones(f->exponent - 1);
    const uint64_t sign = (uint64_t)(signbit(v) != 0) << (f->exponent + f->fraction);
    const double size = fabs(v);
    double units, whole, rest;
    uint64_t bits;
    int e;

    if (isnan(v)) {
        return ones(f->exponent + f->fraction); /* the canonical one */
    }
    if (isinf(v)) {
        return sign | beyond(f);
    }
    if (size == 0) {
        return sign;
    }
    (void)frexp(size, &e); /* size is below 2^e */
    e = e - 1 < 1 - bias ? 1 - bias : e - 1;
    units = ldexp(size, f->fraction - e); /* exact: at most 53 bits */
    rest = modf(units, &whole);
    bits = (uint64_t)(e + bias - 1) << f->fraction;
    if (whole > ldexp(1, f->fraction + 1) || e + bias > (int)ones(f->exponent)) {
        return sign | beyond(f);
    }
    bits += (uint64_t)whole; /* its leading one counts the exponent up */
    bits += rest > 0.5 || (rest == 0.5 && (bits & 1) != 0);
    return sign | (bits > beyond(f) ? beyond(f) : bits);
}
