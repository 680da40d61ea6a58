#include "isa/fp_priv.h"
#include "isa/half.h"

#define FP_F16  ((struct fp_format){10, 5})
#define FP_BF16 ((struct fp_format){7, 8})
#define FP_TF32 ((struct fp_format){10, 8})
#define FP_E5M2 ((struct fp_format){2, 5})
/* e4m3 of a value is this of the value times 2^-8, as far as four exponent bits go. */
#define FP_E4M3 ((struct fp_format){3, 5})

/* A binary32 or binary64 pattern a of format from, in another format: infinities and
 * zeros keep their sign, a NaN becomes all ones but the sign. */
static uint32_t convert(uint64_t a, struct fp_format from, struct fp_format to,
                        enum isa_round rm)
{
    const uint64_t sign_bit = 1ull << (from.frac + from.ebits);
    const uint64_t inf = sign_bit - (1ull << from.frac), mag = a & (sign_bit - 1);
    const uint32_t to_sign = (a & sign_bit) != 0 ? 1u << (to.frac + to.ebits) : 0;
    struct fp_parts p;

    if (mag > inf) {
        return (1u << (to.frac + to.ebits)) - 1;
    }
    if (mag == inf) {
        return to_sign | ((1u << to.ebits) - 1) << to.frac;
    }
    if (mag == 0) {
        return to_sign;
    }
    p = fp_unpack(a, from);
    return (uint32_t)fp_round(p.sign, p.e, p.sig, to, rm);
}

uint32_t fp32_to_fp16(uint32_t a, enum isa_round rm)
{
    return convert(a, FP_F32, FP_F16, rm);
}

uint32_t fp32_to_bf16(uint32_t a, enum isa_round rm)
{
    return convert(a, FP_F32, FP_BF16, rm);
}

uint32_t fp32_to_tf32(uint32_t a, enum isa_round rm)
{
    return convert(a, FP_F32, FP_TF32, rm) << 13;
}

uint32_t fp64_to_fp16(uint64_t a, enum isa_round rm)
{
    return convert(a, FP_F64, FP_F16, rm);
}

uint32_t fp64_to_bf16(uint64_t a, enum isa_round rm)
{
    return convert(a, FP_F64, FP_BF16, rm);
}

/* The 8-bit formats: what lies above largest saturates; NaN is 0x7f. */
static uint32_t to_byte(uint32_t a, struct fp_format f, int32_t scale, uint32_t largest)
{
    const uint32_t mag = a & ~FP32_SIGN, sign = a >> 24 & 0x80u;
    struct fp_parts p;
    uint32_t r;

    if (mag > FP32_INF) {
        return 0x7f;
    }
    if (mag == 0 || mag == FP32_INF) {
        return sign | (mag == 0 ? 0 : largest);
    }
    p = fp_unpack(mag, FP_F32);
    r = (uint32_t)fp_round(false, p.e + scale, p.sig, f, ISA_R_RN);
    return sign | (r > largest ? largest : r);
}

uint32_t fp32_to_e4m3(uint32_t a)
{
    return to_byte(a, FP_E4M3, -8, 0x7e);
}

uint32_t fp32_to_e5m2(uint32_t a)
{
    return to_byte(a, FP_E5M2, 0, 0x7b);
}

uint32_t e5m2_to_fp32(uint32_t a)
{
    return fp16_to_fp32((a & 0xffu) << 8); /* the upper half of an fp16 */
}

uint32_t e4m3_to_fp32(uint32_t a)
{
    const uint32_t sign = (a & 0x80u) << 24, mag = a & 0x7fu;

    if (mag == 0x7f) {
        return FP32_NAN;
    }
    return sign | bits_of_f32(bits_f32(fp16_to_fp32(mag << 7)) * 0x1p8f);
}

static uint32_t from_magnitude(bool sign, uint64_t v, struct fp_format f,
                               enum isa_round rm)
{
    return v == 0 ? 0 : (uint32_t)fp_round(sign, 0, v, f, rm);
}

uint32_t fp16_from_u64(uint64_t v, enum isa_round rm)
{
    return from_magnitude(false, v, FP_F16, rm);
}

uint32_t fp16_from_s64(int64_t v, enum isa_round rm)
{
    return from_magnitude(v < 0, v < 0 ? -(uint64_t)v : (uint64_t)v, FP_F16, rm);
}

uint32_t bf16_from_u64(uint64_t v, enum isa_round rm)
{
    return from_magnitude(false, v, FP_BF16, rm);
}

uint32_t bf16_from_s64(int64_t v, enum isa_round rm)
{
    return from_magnitude(v < 0, v < 0 ? -(uint64_t)v : (uint64_t)v, FP_BF16, rm);
}
