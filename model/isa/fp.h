/*
 * fp.h - scalar floating point exactly as PTX defines it, on bit patterns, without libm
 * and without touching the host's rounding mode, which must be to nearest.
 *
 * rm: ISA_R_RN, RZ, RM (towards -inf), RP (towards +inf); NONE rounds to nearest. ftz:
 * subnormal inputs of f32 become zeros of the same sign, and so do results below 2^-126
 * once rounded to 24 bits. Every function is total.
 *
 * NaN. Results of f32 arithmetic: 0x7fffffff (PTX). f64 arithmetic keeps the payload of
 * a NaN operand, made quiet (PTX: payloads are supported); which of several, and what
 * an invalid operation gives, PTX leaves open and is what an H100 does: b before c
 * before a (division: a before b), 0xfff8000000000000. Conversions between f32 and f64
 * keep sign and leading payload, but f32 with ftz to f64 gives the canonical one,
 * widened.
 */
#ifndef ISA_FP_H
#define ISA_FP_H

#include "isa/isa.h"

uint32_t fp32_add(uint32_t a, uint32_t b, enum isa_round rm, bool ftz);
uint32_t fp32_mul(uint32_t a, uint32_t b, enum isa_round rm, bool ftz);
uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, enum isa_round rm, bool ftz);
uint32_t fp32_div(uint32_t a, uint32_t b, enum isa_round rm, bool ftz);
uint32_t fp32_rcp(uint32_t a, enum isa_round rm, bool ftz);
uint32_t fp32_sqrt(uint32_t a, enum isa_round rm, bool ftz);
/* [0, 1], NaN to +0 */
uint32_t fp32_saturate(uint32_t a);

uint64_t fp64_add(uint64_t a, uint64_t b, enum isa_round rm);
uint64_t fp64_mul(uint64_t a, uint64_t b, enum isa_round rm);
uint64_t fp64_fma(uint64_t a, uint64_t b, uint64_t c, enum isa_round rm);
uint64_t fp64_div(uint64_t a, uint64_t b, enum isa_round rm);
uint64_t fp64_rcp(uint64_t a, enum isa_round rm);
uint64_t fp64_sqrt(uint64_t a, enum isa_round rm);

/* Approximations: nearer than the accuracy PTX documents (most are the nearest float),
 * with its special operands. The f64 ones with ftz see the upper word of their operand
 * only and leave the lower word of the result zero; NaN and invalid operands give them
 * 0x7fffffff00000000. */
uint32_t fp32_rcp_approx(uint32_t a, bool ftz);
uint32_t fp32_sqrt_approx(uint32_t a, bool ftz);
uint32_t fp32_rsqrt_approx(uint32_t a, bool ftz);
uint32_t fp32_sin_approx(uint32_t a, bool ftz);
uint32_t fp32_cos_approx(uint32_t a, bool ftz);
uint32_t fp32_ex2_approx(uint32_t a, bool ftz);
uint32_t fp32_lg2_approx(uint32_t a, bool ftz);
uint32_t fp32_tanh_approx(uint32_t a);
uint32_t fp32_div_approx(uint32_t a, uint32_t b, bool ftz);
uint32_t fp32_div_full(uint32_t a, uint32_t b, bool ftz);
uint64_t fp64_rcp_approx_ftz(uint64_t a);
uint64_t fp64_rsqrt_approx(uint64_t a, bool ftz);

/* Conversions. */
uint32_t fp64_to_fp32(uint64_t a, enum isa_round rm, bool ftz);
uint64_t fp32_to_fp64(uint32_t a, bool ftz);
uint32_t fp32_from_u64(uint64_t v, enum isa_round rm);
uint32_t fp32_from_s64(int64_t v, enum isa_round rm);
uint64_t fp64_from_u64(uint64_t v, enum isa_round rm);
uint64_t fp64_from_s64(int64_t v, enum isa_round rm);
/* To an integer of bits (8..64), clamped to its range; NaN gives 0 (PTX: cvt; f64 and
 * s64 NaN cases as documented there). rm: RNI..RPI. Result sign-extended for signed. */
uint64_t fp32_to_int(uint32_t a, uint32_t bits, bool is_signed, enum isa_round rm,
                     bool ftz);
uint64_t fp64_to_int(uint64_t a, uint32_t bits, bool is_signed, enum isa_round rm);
/* Round to an integral value, same type (cvt.rni.f32.f32). */
uint32_t fp32_round_int(uint32_t a, enum isa_round rm, bool ftz);
uint64_t fp64_round_int(uint64_t a, enum isa_round rm);

#endif /* ISA_FP_H */
