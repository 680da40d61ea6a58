/*
 * small_float.h - floating point types that C has none for: f16, bf16 and the two of
 * 8 bits, e4m3 and e5m2, as the PTX ISA defines them. e4m3 has no infinity.
 */
#ifndef IO_SMALL_FLOAT_H
#define IO_SMALL_FLOAT_H

#include "io/value_type.h"

bool small_float_is(enum value_type t);
/* The value of these bits; exact. */
double small_float_value(enum value_type t, uint64_t bits);
/* v rounded to nearest, ties to even. What is too large becomes infinity, in e4m3 NaN.
 */
uint64_t small_float_bits(enum value_type t, double v);

#endif /* IO_SMALL_FLOAT_H */
