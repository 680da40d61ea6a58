/*
 * cvt from and to f16, bf16, tf32 and the 8-bit formats, of one value or of two.
 *
 * Of two f32 the first becomes the upper half of the result. What is common is in
 * vectors; the rest goes lane by lane through half.h.
 */
#include "isa/half_lane.h"
#include "isa/lane_cvt.h"

#define RELU    (0u - (uint32_t)((u->form.flags & ISA_F_RELU) != 0))
#define FIN     ((u->form.flags & ISA_F_SATFINITE) != 0)
#define LOW(v)  ((v)&0xffffu)
#define HIGH(v) ((v) >> 16)

/* ---- to f32 and f64 ---- */

LANE_OP1(f32_from_h, u32, u32, fp16_to_fp32(LOW(x)));
LANE_OP1(f32_from_h_s, u32, u32, lane_sat32(bits_f32(fp16_to_fp32(LOW(x)))));
/* Without .ftz it is a shift, which leaves a NaN as it is. */
LANE_OP1(f32_from_b, u32, u32, x << 16);
LANE_OP1(f32_from_b_z, u32, u32, lane_ftz(bf16_to_fp32(LOW(x))));

static uint32_t saturated(bool sat, uint32_t v)
{
    return sat ? fp32_saturate(v) : v;
}

/* The f32 with the fields of h, a NaN's payload included, which an f64 keeps. */
static uint32_t fields(uint32_t h, bool is_fp16)
{
    const uint32_t nan = (h & HALF_SIGN) << 16 | 0x7f800000u | (h & 0x3ffu) << 13;

    if (!is_fp16) {
        return h << 16;
    }
    return (h & HALF_MAG) > FP16_INF ? nan : fp16_to_fp32(h);
}

LANE_FN(f64_from_half)
{
    const bool is_fp16 = SRC == ISA_T_F16;
    LANE_PTRS1;
    LANE_SLOW(u64, LANE_X(u32),
              fp32_to_fp64(saturated(SAT, fields(LOW(x), is_fp16)), false));
}

/* ---- to f16 and bf16 ---- */

LANE_OP1(h_from_f32, u32, u32, fp32_to_fp16_near(x));
LANE_OP1(b_from_f32, u32, u32, fp32_to_bf16_near(x));

/* The largest finite value for what is larger. */
static uint32_t finite(uint32_t h, uint32_t inf)
{
    return (h & HALF_MAG) == inf ? h - 1 : h;
}

static uint32_t h_modified(const struct isa_uop *u, uint32_t h)
{
    h = FIN ? finite(h, FP16_INF) : h;
    return half_relu(fp16_sat(h, SAT ? UINT32_MAX : 0), RELU);
}

static uint32_t b_modified(const struct isa_uop *u, uint32_t b)
{
    return half_relu(FIN ? finite(b, BF16_INF) : b, RELU);
}

static uint32_t h_of_f32(const struct isa_uop *u, uint32_t x)
{
    return h_modified(u, fp32_to_fp16(Z ? lane_ftz(x) : x, RM));
}

static uint32_t b_of_f32(const struct isa_uop *u, uint32_t x)
{
    return b_modified(u, fp32_to_bf16(Z ? lane_ftz(x) : x, RM));
}
LANE_OP1S(h_from_f32_any, u32, u32, h_of_f32(u, x));
LANE_OP1S(b_from_f32_any, u32, u32, b_of_f32(u, x));
LANE_OP2S(h2_from_f32, u32, u32, u32, h_of_f32(u, x) << 16 | h_of_f32(u, y));
LANE_OP2S(b2_from_f32, u32, u32, u32, b_of_f32(u, x) << 16 | b_of_f32(u, y));
LANE_OP2(h2_near, u32, u32, u32, fp32_to_fp16_near(x) << 16 | fp32_to_fp16_near(y));
LANE_OP2(b2_near, u32, u32, u32, fp32_to_bf16_near(x) << 16 | fp32_to_bf16_near(y));

/* A NaN keeps its sign and the upper payload, made quiet. */
static uint32_t nan_of_f64(uint64_t x, bool is_fp16)
{
    const uint32_t sign = (uint32_t)(x >> 48) & HALF_SIGN;

    return is_fp16 ? sign | 0x7e00u | ((uint32_t)(x >> 42) & 0x1ffu)
                   : sign | 0x7fc0u | ((uint32_t)(x >> 45) & 0x3fu);
}

static uint32_t half_of_f64(const struct isa_uop *u, uint64_t x)
{
    const bool is_fp16 = DST == ISA_T_F16;

    if ((x & 0x7fffffffffffffffull) > 0x7ff0000000000000ull) {
        return SAT ? 0 : nan_of_f64(x, is_fp16);
    }
    return is_fp16 ? h_modified(u, fp64_to_fp16(x, RM)) : fp64_to_bf16(x, RM);
}

LANE_FN(half_from_f64)
{
    LANE_PTRS1;
    LANE_SLOW(u32, LANE_X(u64), half_of_f64(u, x));
}
LANE_OP1S(h_from_b, u32, u32, fp32_to_fp16(bf16_to_fp32(LOW(x)), RM));
LANE_OP1S(b_from_h, u32, u32, fp32_to_bf16(fp16_to_fp32(LOW(x)), RM));

/* To an integral value, or as it is but for NaNs. */
LANE_OP1S(h_from_h, u32, u32,
          h_modified(u, RM == ISA_R_NONE
                            ? fp16_unless_nan(LOW(x), LOW(x))
                            : fp32_to_fp16_near(fp32_round_int(fp16_to_fp32(LOW(x)), RM,
                                                               false))));
LANE_OP1S(b_from_b, u32, u32,
          RM == ISA_R_NONE
              ? bf16_unless_nan(LOW(x), LOW(x))
              : fp32_to_bf16_near(fp32_round_int(bf16_to_fp32(LOW(x)), RM, false)));

/* ---- integers ---- */

LANE_FN(half_from_int)
{
    const bool is_signed = isa_type_is_signed(SRC), is_h = DST == ISA_T_F16;
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint64_t v = x[l];

        x[l] = is_h        ? h_modified(u, is_signed ? fp16_from_s64((int64_t)v, RM)
                                                     : fp16_from_u64(v, RM))
                      : is_signed ? bf16_from_s64((int64_t)v, RM)
                           : bf16_from_u64(v, RM);
    }
    cvt_store(u, w, mask, x);
}

LANE_FN(int_from_half)
{
    const uint32_t bits = isa_type_bits(DST);
    const bool is_signed = isa_type_is_signed(DST), is_h = SRC == ISA_T_F16;
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint32_t v =
            is_h ? fp16_to_fp32((uint32_t)x[l]) : bf16_to_fp32((uint32_t)x[l]);

        x[l] = fp32_to_int(v, bits, is_signed, RM, false);
    }
    cvt_store(u, w, mask, x);
}

/* ---- tf32 ---- */

/* .rna is integer arithmetic, which cuts NaNs off too; .satfinite then takes one from
 * the last place of whatever is not finite. The other roundings are the converter's. */
LANE_OP1(tf32_away, u32, u32,
         ((x & 0x7f800000u) == 0x7f800000u ? x : x + 0x1000u) & 0xffffe000u);

static uint32_t tf32_of(const struct isa_uop *u, uint32_t x)
{
    uint32_t r;

    if (RM == ISA_R_RNA) {
        r = ((x & 0x7f800000u) == 0x7f800000u ? x : x + 0x1000u) & 0xffffe000u;
        return (r & 0x7f800000u) == 0x7f800000u ? r - 0x2000u : r;
    }
    r = fp32_to_tf32(x, RM) & 0xffffe000u;
    return RELU != 0 && r >> 31 != 0 ? 0 : r;
}
LANE_OP1S(tf32_any, u32, u32, tf32_of(u, x));

/* ---- 8 bits ---- */

static uint32_t byte_of(const struct isa_uop *u, uint32_t x)
{
    const uint32_t b = DST == ISA_T_E4M3X2 ? fp32_to_e4m3(x) : fp32_to_e5m2(x);

    return RELU != 0 && b >> 7 != 0 ? 0 : b;
}

static uint32_t h_of_byte(const struct isa_uop *u, uint32_t b)
{
    const uint32_t v = SRC == ISA_T_E4M3X2 ? e4m3_to_fp32(b) : e5m2_to_fp32(b);

    return half_relu(fp32_to_fp16_near(v), RELU);
}
LANE_OP2S(bytes_from_f32, u32, u32, u32, byte_of(u, x) << 8 | byte_of(u, y));
LANE_OP1S(bytes_from_h2, u32, u32,
          byte_of(u, fp16_to_fp32(HIGH(x))) << 8 | byte_of(u, fp16_to_fp32(LOW(x))));
LANE_OP1S(h2_from_bytes, u32, u32,
          h_of_byte(u, x >> 8 & 0xffu) << 16 | h_of_byte(u, x & 0xffu));

#define HALVES  (T(F16) | T(BF16))
#define INT     (T(U8) | T(S8) | T(U16) | T(S16) | T(U32) | T(S32))
#define I64     (T(U64) | T(S64))
#define FROM(t) .types2 = (t)
#define NEAR    .rounds = R(RN)
#define FLOATS  .rounds = R(RN) | R(RZ) | R(RM) | R(RP)
#define INTS    .rounds = R(RNI) | R(RZI) | R(RMI) | R(RPI)
#define ANY     .any = ISA_F_FTZ | ISA_F_SAT | ISA_F_RELU | ISA_F_SATFINITE

static const struct lane_row rows[] = {
    ROWX(CVT, T(F32), CVT, 1, f32_from_h, FROM(T(F16)), .any = ISA_F_FTZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_h_s, FROM(T(F16)), .any = ISA_F_FTZ,
         .flags = ISA_F_SAT),
    ROWX(CVT, T(F32), CVT, 1, f32_from_b, FROM(T(BF16))),
    ROWX(CVT, T(F32), CVT, 1, f32_from_b_z, FROM(T(BF16)), .flags = ISA_F_FTZ),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_half, FROM(HALVES), .any = ISA_F_SAT),
    ROWX(CVT, T(F16), CVT, 1, h_from_f32, FROM(T(F32)), NEAR, .any = ISA_F_FTZ),
    ROWX(CVT, T(BF16), CVT, 1, b_from_f32, FROM(T(F32)), NEAR),
    ROWX(CVT, T(F16), CVT, 1, h_from_f32_any, FROM(T(F32)), FLOATS, ANY),
    ROWX(CVT, T(BF16), CVT, 1, b_from_f32_any, FROM(T(F32)), FLOATS, ANY),
    ROWX(CVT, T(F16X2), CVT, 1, h2_near, FROM(T(F32)), NEAR),
    ROWX(CVT, T(BF16X2), CVT, 1, b2_near, FROM(T(F32)), NEAR),
    ROWX(CVT, T(F16X2), CVT, 1, h2_from_f32, FROM(T(F32)), FLOATS, ANY),
    ROWX(CVT, T(BF16X2), CVT, 1, b2_from_f32, FROM(T(F32)), FLOATS, ANY),
    ROWX(CVT, HALVES, CVT64, 1, half_from_f64, FROM(T(F64)), FLOATS, .any = ISA_F_SAT),
    ROWX(CVT, T(F16), CVT, 1, h_from_b, FROM(T(BF16)), FLOATS),
    ROWX(CVT, T(BF16), CVT, 1, b_from_h, FROM(T(F16)), FLOATS),
    ROWX(CVT, T(F16), CVT, 1, h_from_h, FROM(T(F16)), .any = ISA_F_SAT,
         .rounds = R(NONE) | R(RNI) | R(RZI) | R(RMI) | R(RPI)),
    ROWX(CVT, T(BF16), CVT, 1, b_from_b, FROM(T(BF16)),
         .rounds = R(NONE) | R(RNI) | R(RZI) | R(RMI) | R(RPI)),
    ROWX(CVT, HALVES, CVT, 1, half_from_int, FROM(INT), FLOATS, .any = ISA_F_SAT),
    ROWX(CVT, HALVES, CVT64, 1, half_from_int, FROM(I64), FLOATS, .any = ISA_F_SAT),
    ROWX(CVT, INT, CVT, 1, int_from_half, FROM(HALVES), INTS, .any = ISA_F_SAT),
    ROWX(CVT, I64, CVT64, 1, int_from_half, FROM(HALVES), INTS, .any = ISA_F_SAT),
    ROWX(CVT, T(TF32), CVT, 1, tf32_away, FROM(T(F32)), .rounds = R(RNA)),
    ROWX(CVT, T(TF32), CVT, 1, tf32_any, FROM(T(F32)), .rounds = R(RNA) | R(RN) | R(RZ),
         .any = ISA_F_RELU | ISA_F_SATFINITE),
    ROWX(CVT, T(E4M3X2) | T(E5M2X2), CVT, 1, bytes_from_f32, FROM(T(F32)), NEAR,
         .flags = ISA_F_SATFINITE, .any = ISA_F_RELU),
    ROWX(CVT, T(E4M3X2) | T(E5M2X2), CVT, 1, bytes_from_h2, FROM(T(F16X2)), NEAR,
         .flags = ISA_F_SATFINITE, .any = ISA_F_RELU),
    ROWX(CVT, T(F16X2), CVT, 1, h2_from_bytes, FROM(T(E4M3X2) | T(E5M2X2)), NEAR,
         .any = ISA_F_RELU),
};

LANE_TABLE(lane_half_cvt_table, rows);
