/*
 * half.h - the narrow floating-point formats as bit patterns: conversions, exactly.
 *
 *   fp16  1 sign, 5 exponent, 10 fraction bits (IEEE binary16)
 *   bf16  1, 8, 7: the upper half of a binary32
 *   tf32  1, 8, 10, in the upper 19 bits of a 32-bit word
 *   e4m3  1, 4, 3: no infinity, NaN 0x7f and 0xff, largest value 448
 *   e5m2  1, 5, 2: infinity 0x7c, NaN above it, largest value 57344
 *
 * A pattern comes and goes in the low bits of a uint32_t; bits above it are ignored in
 * operands and zero in results. Subnormals of every format are kept. NaNs of results:
 * fp16 and bf16 0x7fff, fp32 0x7fffffff, tf32 0x7fffe000, the 8-bit formats 0x7f. rm:
 * ISA_R_RN (also NONE), RZ, RM, RP, RNA. Every function is total.
 *
 * Source: PTX ISA 9.0, "Alternate floating-point data formats" and cvt; SPEC HALF-1.
 */
#ifndef ISA_HALF_H
#define ISA_HALF_H

#include "base/bits.h"
#include "isa/isa.h"
#include <string.h>

#define FP16_NAN 0x7fffu
#define BF16_NAN 0x7fffu
#define TF32_NAN 0x7fffe000u

/* ---- to binary32: exact ---- */

/* c != 0 ? a : b; without a choice, so that loops over lanes become vectors. */
static inline uint32_t half_choose(bool c, uint32_t a, uint32_t b)
{
    const uint32_t m = 0u - (uint32_t)c;

    return (a & m) | (b & ~m);
}

static inline uint32_t fp16_to_fp32(uint32_t h)
{
    const uint32_t mag = h & 0x7fffu, sign = (h & 0x8000u) << 16;
    uint32_t r;

    /* The fields are in place; the exponent's bias is 112 less. A multiplication is
     * right for subnormals too. */
    r = bits_of_f32(bits_f32(mag << 13) * 0x1p112f);
    r = half_choose(mag == 0x7c00u, 0x7f800000u, r) | sign;
    return half_choose(mag > 0x7c00u, 0x7fffffffu, r);
}

static inline uint32_t bf16_to_fp32(uint32_t b)
{
    return half_choose((b & 0x7fffu) > 0x7f80u, 0x7fffffffu, b << 16);
}

uint32_t e4m3_to_fp32(uint32_t a);
uint32_t e5m2_to_fp32(uint32_t a);

/* ---- from binary32 and binary64 ---- */

/* To nearest, ties to even. */
static inline uint32_t fp32_to_fp16_near(uint32_t a)
{
    const uint32_t mag = a & 0x7fffffffu, sign = a >> 16 & 0x8000u;
    const uint32_t normal =
        (mag - (112u << 23) + 0xfffu + (mag >> 13 & 1u)) >> 13; /* carries upwards */
    uint32_t tiny = mag, r;
    float f;

    /* The last place of 1/2 is the smallest subnormal. */
    memcpy(&f, &tiny, sizeof(f));
    f += 0.5f;
    memcpy(&tiny, &f, sizeof(tiny));
    r = half_choose(mag < 0x38800000u, tiny - 0x3f000000u, normal);
    r = half_choose(mag >= 0x47800000u, 0x7c00u, r) | sign;
    return half_choose(mag > 0x7f800000u, FP16_NAN, r);
}

static inline uint32_t fp32_to_bf16_near(uint32_t a)
{
    const uint32_t r = (a + 0x7fffu + (a >> 16 & 1u)) >> 16;

    return half_choose((a & 0x7fffffffu) > 0x7f800000u, BF16_NAN, r);
}

/* To nearest, ties away from zero: cvt.rna.tf32.f32. */
static inline uint32_t fp32_to_tf32_away(uint32_t a)
{
    const uint32_t r = half_choose((a & 0x7f800000u) == 0x7f800000u, a, a + 0x1000u);

    return half_choose((a & 0x7fffffffu) > 0x7f800000u, TF32_NAN, r & 0xffffe000u);
}

uint32_t fp32_to_fp16(uint32_t a, enum isa_round rm);
uint32_t fp32_to_bf16(uint32_t a, enum isa_round rm);
uint32_t fp32_to_tf32(uint32_t a, enum isa_round rm);
uint32_t fp64_to_fp16(uint64_t a, enum isa_round rm);
uint32_t fp64_to_bf16(uint64_t a, enum isa_round rm);

/* To nearest; what is larger than the largest value, infinity included, becomes that
 * value with its sign (.satfinite). */
uint32_t fp32_to_e4m3(uint32_t a);
uint32_t fp32_to_e5m2(uint32_t a);

/* ---- integers: exact, or rounded once ---- */

uint32_t fp16_from_u64(uint64_t v, enum isa_round rm);
uint32_t fp16_from_s64(int64_t v, enum isa_round rm);
uint32_t bf16_from_u64(uint64_t v, enum isa_round rm);
uint32_t bf16_from_s64(int64_t v, enum isa_round rm);

#endif /* ISA_HALF_H */
