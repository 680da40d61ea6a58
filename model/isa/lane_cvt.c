/*
 * cvt between integers of 8 to 64 bits, f32 and f64.
 *
 * Registers may be wider than the types of a cvt: the source is cut to its type, and an
 * integer result extended to the register by the sign of its type. dst_bits of the
 * micro-op is the width of the result's register (0: as the type, 16 at least), size
 * the bytes of the source's (0: as the type).
 *
 * Common conversions have a function of their own. The others go through 64-bit lanes
 * in three steps (load by the source type, convert, store by the result type), each of
 * which looks at the types once per warp.
 */
#include "isa/lane_cvt.h"

/* ---- the general conversions ---- */

LANE_FN(int_to_int_sat)
{
    const uint32_t bits = isa_type_bits(DST);
    const bool sd = isa_type_is_signed(DST), ss = isa_type_is_signed(SRC);
    const uint64_t max = UINT64_MAX >> (sd ? 65 - bits : 64 - bits);
    const uint64_t min = sd ? ~max : 0; /* as a signed number */
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        if (ss && (int64_t)x[l] < 0) {
            x[l] = (int64_t)x[l] < (int64_t)min ? min : x[l];
        } else {
            x[l] = x[l] > max ? max : x[l];
        }
    }
    cvt_store(u, w, mask, x);
}

LANE_FN(int_to_f32)
{
    const bool ss = isa_type_is_signed(SRC);
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint32_t v =
            ss ? fp32_from_s64((int64_t)x[l], RM) : fp32_from_u64(x[l], RM);

        x[l] = SAT ? fp32_saturate(v) : v;
    }
    cvt_store(u, w, mask, x);
}

/* [0, 1]; NaN and -0 become +0. */
static uint64_t saturate64(uint64_t a)
{
    const double x = bits_f64(a);
    const double low = x > 0.0 ? x : 0.0;

    return bits_of_f64(low < 1.0 ? low : 1.0);
}

LANE_FN(int_to_f64)
{
    const bool ss = isa_type_is_signed(SRC);
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint64_t v =
            ss ? fp64_from_s64((int64_t)x[l], RM) : fp64_from_u64(x[l], RM);

        x[l] = SAT ? saturate64(v) : v;
    }
    cvt_store(u, w, mask, x);
}

/* Out-of-range values clamp with and without .sat. */
LANE_FN(float_to_int)
{
    const uint32_t bits = isa_type_bits(DST);
    const bool sd = isa_type_is_signed(DST), wide = SRC == ISA_T_F64;
    uint64_t x[ISA_LANES];

    cvt_load(u, w, x);
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        if (mask & lane_bit[l]) {
            x[l] = wide ? fp64_to_int(x[l], bits, sd, RM)
                        : fp32_to_int((uint32_t)x[l], bits, sd, RM, Z);
        }
    }
    cvt_store(u, w, mask, x);
}

#define S32(v) (SAT ? fp32_saturate(v) : (v))
#define S64(v) (SAT ? saturate64(v) : (v))

/* Flushing is an f32 operation of its own. */
static inline uint32_t flushed(uint32_t raw)
{
    const uint32_t nan = 0u - (uint32_t)((raw & 0x7fffffffu) > 0x7f800000u);

    return (lane_ftz(raw) | nan) & (LANE_NAN32 | ~nan);
}

/* Without a rounding f32 to f32 is a move, or the operation that flushes and clamps. */
static inline uint32_t integral32(uint32_t x, enum isa_round rm, bool ftz)
{
    if (rm != ISA_R_NONE) {
        return fp32_round_int(x, rm, ftz);
    }
    return ftz ? flushed(x) : x;
}
LANE_OP1S(f32_to_f32, u32, u32, S32(integral32(x, RM, Z)));
LANE_OP1S(f64_to_f64, u64, u64, S64(RM == ISA_R_NONE ? x : fp64_round_int(x, RM)));

/* In one step through v: the widths differ. */
LANE_FN(f32_to_f64_sat)
{
    LANE_PTRS1;
    LANE_SLOW(u64, LANE_X(u32), saturate64(fp32_to_fp64(x, Z)));
}

LANE_FN(f64_to_f32)
{
    LANE_PTRS1;
    LANE_SLOW(u32, LANE_X(u64), S32(fp64_to_fp32(x, RM, Z)));
}

/* ---- common conversions ---- */

LANE_OP1W(u64_from_u32, u64, u32, x);
LANE_OP1W(u64_from_s32, u64, s32, (int64_t)x);
LANE_OP1W(u32_from_u64, u32, u64, x);
LANE_OP1W(u16_from_u64, u32, u64, x & 0xffffu);
LANE_OP1W(u8_from_u64, u32, u64, x & 0xffu);
LANE_OP1W(s8_from_u64, u16, u64, (int32_t)(int8_t)x);
LANE_OP1W(u64_from_u16, u64, u32, x & 0xffffu);
LANE_OP1W(u64_from_s16, u64, s16, (int64_t)x);
LANE_OP1W(u64_from_u8, u64, u32, x & 0xffu);
LANE_OP1W(u64_from_s8, u64, u32, (int64_t)(int8_t)x);
LANE_OP1(u64_from_u64, u64, u64, x);
LANE_OP1(u32_from_u32, u32, u32, x);
LANE_OP1(u32_from_u16, u32, u32, x & 0xffffu);
LANE_OP1(u32_from_s16, u32, s16, x);
LANE_OP1(u32_from_u8, u32, u32, x & 0xffu);
LANE_OP1(u32_from_s8, u32, u32, (int32_t)(int8_t)x);
LANE_OP1(u16_from_s8, u16, u32, (int32_t)(int8_t)x);

/* Round to nearest. f32 results of 64-bit integers are rounded once, by the host. */
LANE_OP1(f32_from_s32, f32, s32, (float)x);
LANE_OP1(f32_from_u32, f32, u32, (float)x);
/* Of 8 and 16 bits: exact in every rounding. */
LANE_OP1(f32_from_u8, f32, u32, (float)(int32_t)(x & 0xffu));
LANE_OP1(f32_from_s8, f32, u32, (float)(int8_t)x);
LANE_OP1(f32_from_u16, f32, u32, (float)(int32_t)(x & 0xffffu));
LANE_OP1(f32_from_s16, f32, s16, (float)x);
LANE_OP1W(f32_from_s64, f32, s64, (float)x);
LANE_OP1W(f32_from_u64, f32, u64, (float)x);
LANE_OP1W(f64_from_s32, u64, s32, bits_of_f64((double)x));
LANE_OP1W(f64_from_u32, u64, u32, bits_of_f64((double)x));
LANE_OP1(f64_from_s64, u64, s64, bits_of_f64((double)x));
LANE_OP1(f64_from_u64, u64, u64, bits_of_f64((double)x));

/* A NaN keeps its sign and the upper payload, as in fp64_to_fp32() and fp32_to_fp64().
 */
static inline uint32_t narrow(uint64_t raw)
{
    const double x = bits_f64(raw);
    const uint32_t nan = (uint32_t)(raw >> 32 & 0x80000000u) | 0x7fc00000u |
                         (uint32_t)(raw >> 29 & 0x3fffffu);

    return x == x ? bits_of_f32((float)x) : nan;
}

static inline uint64_t widen(uint32_t raw)
{
    const float x = bits_f32(raw);
    const uint64_t nan = (uint64_t)(raw & 0x80000000u) << 32 | 0x7ff8000000000000ull |
                         (uint64_t)(raw & 0x3fffffu) << 29;

    const uint64_t is_nan = 0u - (uint64_t)(x != x);

    return (bits_of_f64((double)x) & ~is_nan) | (nan & is_nan);
}

LANE_OP1W(f32_from_f64, u32, u64, narrow(x));
LANE_OP1W(f64_from_f32, u64, u32, widen(x));
LANE_OP1W(f64_from_f32z, u64, u32, widen(flushed(x)));

/* Towards zero. The cast sees values in range only; NaN gives 0. */
static inline uint32_t to_s32(float x)
{
    const float in = x > -0x1p31f && x < 0x1p31f ? x : 0.0f;
    const uint32_t high = x >= 0x1p31f ? 0x7fffffffu : 0;

    return x <= -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)in | high;
}

LANE_OP1(s32_from_f32, u32, f32, to_s32(x));
/*
 * ---- to an integral value, in every rounding ----
 *
 * Adding a number so large that its last place is 1 rounds to nearest; where that went
 * the wrong way for the rounding asked for, one more or less does.
 */
struct ways {
    uint64_t down, up, zero; /* all ones for the rounding of the form */
};

static inline struct ways ways_of(enum isa_round rm)
{
    return (struct ways){.down = rm == ISA_R_RMI ? UINT64_MAX : 0,
                         .up = rm == ISA_R_RPI ? UINT64_MAX : 0,
                         .zero = rm == ISA_R_RZI ? UINT64_MAX : 0};
}

/* All ones where the neighbour below (above) of near, which x rounded to, is meant. */
#define BELOW(C, near, x)                                                              \
    (0 - (C)((near) > (x))) & (C)(m.down | (m.zero & (0 - (uint64_t)((x) > 0))))
#define ABOVE(C, near, x)                                                              \
    (0 - (C)((near) < (x))) & (C)(m.up | (m.zero & (0 - (uint64_t)((x) < 0))))

/* a where m is all ones, b where it is 0; no choice, as said of lane_choose(). */
static inline double either(uint64_t m, double a, double b)
{
    return bits_f64((bits_of_f64(a) & m) | (bits_of_f64(b) & ~m));
}

/* x, clamped to a range of 32 bits, as an integer: the low word. */
static inline uint32_t word_of(double x, double low, double high, struct ways m)
{
    const double above = either(0 - (uint64_t)(x < low), low, x);
    const double in = either(0 - (uint64_t)(above > high), high, above);
    const double sum = in + 0x1.8p52, near = sum - 0x1.8p52;
    const uint64_t less = BELOW(uint64_t, near, in), more = ABOVE(uint64_t, near, in);

    return (uint32_t)(bits_of_f64(sum) + less - more);
}

#define TO_WORD(name, TA, low, high, nan)                                              \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct ways m = ways_of(RM);                                             \
        LANE_PTRS1;                                                                    \
        LANE_MIXED(u32, LANE_X(TA),                                                    \
                   lane_choose(x != x, nan, word_of((double)x, low, high, m)));        \
    }                                                                                  \
    static isa_exec_fn name
TO_WORD(s32_round_f32, f32, -0x1p31, 0x1p31 - 1, 0);
TO_WORD(s32_round_f32z, f32z, -0x1p31, 0x1p31 - 1, 0);
TO_WORD(s32_round_f64, f64, -0x1p31, 0x1p31 - 1, 0x80000000u);
TO_WORD(u32_round_f32, f32, 0.0, 0x1p32 - 1, 0);
TO_WORD(u32_round_f32z, f32z, 0.0, 0x1p32 - 1, 0);
TO_WORD(u32_round_f64, f64, 0.0, 0x1p32 - 1, 0x80000000u);

/* The sign stays, that of zero included; large numbers are integral, NaNs as of f32. */
static inline uint32_t round32(uint32_t raw, struct ways m)
{
    const uint32_t sign = raw & 0x80000000u;
    const float x = bits_f32(raw), mag = bits_f32(raw ^ sign);
    const float near = bits_f32(bits_of_f32(mag + 0x1p23f - 0x1p23f) | sign);
    const uint32_t less = BELOW(uint32_t, near, x), more = ABOVE(uint32_t, near, x);
    const float step = bits_f32((less & 0xbf800000u) | (more & 0x3f800000u));
    const uint32_t r = (bits_of_f32(near + step) & 0x7fffffffu) | sign;
    const uint32_t nan = 0u - (uint32_t)(x != x);

    return (lane_choose(mag < 0x1p23f, r, raw) | nan) & (LANE_NAN32 | ~nan);
}

LANE_FN(f32_round)
{
    const struct ways m = ways_of(RM);
    LANE_PTRS1;
    LANE_SAME(u32, LANE_X(u32), round32(x, m));
}

LANE_FN(f32_round_z)
{
    const struct ways m = ways_of(RM);
    LANE_PTRS1;
    LANE_SAME(u32, LANE_X(u32), round32(lane_ftz(x), m));
}
LANE_OP1(f32_flush, u32, u32, flushed(x));

#define I8      (T(U8) | T(S8))
#define I16     (T(U16) | T(S16))
#define I32     (T(U32) | T(S32))
#define I64     (T(U64) | T(S64))
#define INT     (I8 | I16 | I32 | I64)
#define NEAR    .rounds = R(RN)
#define FLOATS  .rounds = R(RN) | R(RZ) | R(RM) | R(RP)
#define INTS    .rounds = R(RNI) | R(RZI) | R(RMI) | R(RPI)
#define FROM(t) .types2 = (t)
#define FS      .flags = ISA_F_SAT
#define FZ      .flags = ISA_F_FTZ
#define ANYS    .any = ISA_F_SAT
#define ANYZ    .any = ISA_F_FTZ
#define ANYZS   .any = ISA_F_FTZ | ISA_F_SAT

/*
 * Rows of the throughput table: 8 and 16 bits to 32; from and to 64-bit types; all
 * other. Between integers of 32 and 64 bits nothing is converted: a word is dropped, or
 * made from zeros or the sign, which is a logic operation. The same holds for cutting
 * down to 8 or 16 bits; clamping needs the converter.
 */
static const struct lane_row rows[] = {
    ROWX(CVT, I64, LOGIC, 1, u64_from_u32, FROM(T(U32))),
    ROWX(CVT, I64, LOGIC, 1, u64_from_s32, FROM(T(S32))),
    ROWX(CVT, I32, LOGIC, 1, u32_from_u64, FROM(I64)),
    ROWX(CVT, I32, CVT8, 1, u32_from_u16, FROM(T(U16))),
    ROWX(CVT, I32, CVT8, 1, u32_from_s16, FROM(T(S16))),
    ROWX(CVT, I32, CVT8, 1, u32_from_u8, FROM(T(U8))),
    ROWX(CVT, I32, CVT8, 1, u32_from_s8, FROM(T(S8))),
    ROWX(CVT, I32, LOGIC, 1, u32_from_u32, FROM(I32)),
    ROWX(CVT, I64, LOGIC, 1, u64_from_u64, FROM(I64)),
    ROWX(CVT, I64, CVT8, 1, u64_from_u16, FROM(T(U16))),
    ROWX(CVT, I64, CVT8, 1, u64_from_s16, FROM(T(S16))),
    ROWX(CVT, I64, CVT8, 1, u64_from_u8, FROM(T(U8))),
    ROWX(CVT, I64, CVT8, 1, u64_from_s8, FROM(T(S8))),
    ROWX(CVT, I16, LOGIC, 1, u32_from_u16, FROM(I16 | I32)),
    ROWX(CVT, I16, LOGIC, 1, u32_from_u8, FROM(T(U8))),
    ROWX(CVT, I16, LOGIC, 1, u16_from_s8, FROM(T(S8))),
    ROWX(CVT, T(U8), LOGIC, 1, u32_from_u8, FROM(I8 | I16 | I32)),
    ROWX(CVT, T(S8), LOGIC, 1, u16_from_s8, FROM(I8 | I16 | I32)),
    ROWX(CVT, I16, LOGIC, 1, u16_from_u64, FROM(I64)),
    ROWX(CVT, T(U8), LOGIC, 1, u8_from_u64, FROM(I64)),
    ROWX(CVT, T(S8), LOGIC, 1, s8_from_u64, FROM(I64)),
    ROWX(CVT, I64, CVT64, 1, int_to_int_sat, FROM(INT), FS),
    ROWX(CVT, I8 | I16 | I32, CVT64, 1, int_to_int_sat, FROM(I64), FS),
    ROWX(CVT, I8 | I16 | I32, CVT, 1, int_to_int_sat, FROM(I8 | I16 | I32), FS),

    ROWX(CVT, T(F32), CVT, 1, f32_from_s32, FROM(T(S32)), NEAR, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_u32, FROM(T(U32)), NEAR, ANYZ),
    ROWX(CVT, T(F32), CVT64, 1, f32_from_s64, FROM(T(S64)), NEAR, ANYZ),
    ROWX(CVT, T(F32), CVT64, 1, f32_from_u64, FROM(T(U64)), NEAR, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_u8, FROM(T(U8)), FLOATS, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_s8, FROM(T(S8)), FLOATS, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_u16, FROM(T(U16)), FLOATS, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, f32_from_s16, FROM(T(S16)), FLOATS, ANYZ),
    ROWX(CVT, T(F32), CVT, 1, int_to_f32, FROM(I8 | I16 | I32), FLOATS, ANYZS),
    ROWX(CVT, T(F32), CVT64, 1, int_to_f32, FROM(I64), FLOATS, ANYZS),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_s32, FROM(T(S32)), FLOATS),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_u32, FROM(T(U32)), FLOATS),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_s64, FROM(T(S64)), NEAR),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_u64, FROM(T(U64)), NEAR),
    ROWX(CVT, T(F64), CVT64, 1, int_to_f64, FROM(INT), FLOATS, ANYS),

    ROWX(CVT, T(S32), CVT, 1, s32_from_f32, FROM(T(F32)), .rounds = R(RZI), ANYZS),
    ROWX(CVT, T(S32), CVT, 1, s32_round_f32, FROM(T(F32)), INTS, ANYS),
    ROWX(CVT, T(S32), CVT, 1, s32_round_f32z, FROM(T(F32)), INTS, ANYS, FZ),
    ROWX(CVT, T(U32), CVT, 1, u32_round_f32, FROM(T(F32)), INTS, ANYS),
    ROWX(CVT, T(U32), CVT, 1, u32_round_f32z, FROM(T(F32)), INTS, ANYS, FZ),
    ROWX(CVT, T(S32), CVT64, 1, s32_round_f64, FROM(T(F64)), INTS, ANYZS),
    ROWX(CVT, T(U32), CVT64, 1, u32_round_f64, FROM(T(F64)), INTS, ANYZS),
    ROWX(CVT, I8 | I16 | I32, CVT, 1, float_to_int, FROM(T(F32)), INTS, ANYZS),
    ROWX(CVT, I64, CVT64, 1, float_to_int, FROM(T(F32)), INTS, ANYZS),
    ROWX(CVT, INT, CVT64, 1, float_to_int, FROM(T(F64)), INTS, ANYZS),

    ROWX(CVT, T(F32), CVT, 1, u32_from_u32, FROM(T(F32))),
    ROWX(CVT, T(F32), CVT, 1, f32_flush, FROM(T(F32)), FZ),
    ROWX(CVT, T(F32), CVT, 1, f32_round, FROM(T(F32)), INTS),
    ROWX(CVT, T(F32), CVT, 1, f32_round_z, FROM(T(F32)), INTS, FZ),
    ROWX(CVT, T(F32), CVT, 1, f32_to_f32, FROM(T(F32)), ANYZS,
         .rounds = R(NONE) | R(RNI) | R(RZI) | R(RMI) | R(RPI)),
    ROWX(CVT, T(F64), CVT64, 1, u64_from_u64, FROM(T(F64))),
    ROWX(CVT, T(F64), CVT64, 1, f64_to_f64, FROM(T(F64)), ANYS,
         .rounds = R(NONE) | R(RNI) | R(RZI) | R(RMI) | R(RPI)),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_f32, FROM(T(F32))),
    ROWX(CVT, T(F64), CVT64, 1, f64_from_f32z, FROM(T(F32)), .flags = ISA_F_FTZ),
    ROWX(CVT, T(F64), CVT64, 1, f32_to_f64_sat, FROM(T(F32)), FS, ANYZ),
    ROWX(CVT, T(F32), CVT64, 1, f32_from_f64, FROM(T(F64)), NEAR),
    ROWX(CVT, T(F32), CVT64, 1, f64_to_f32, FROM(T(F64)), FLOATS, ANYZS),
};

LANE_TABLE(lane_cvt_table, rows);
