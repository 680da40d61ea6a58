/*
 * ex2 and tanh of f16, f16x2, bf16 and bf16x2.
 *
 * As an H100 has them, all 2^16 operands of each: the function of the operand, cut off
 * to the format. Before 2^x the operand is cut to 23 places behind the point, so that
 * 1 is the result where nothing is left of it. tanh(x) is x below 2^-8 (and a little
 * more), 1 from 8 on; its interpolation misses the cut-off value in a few places, by
 * one in the last place, which are listed.
 */
#include "isa/half_lane.h"

#include "base/attr.h"

enum {
    EX2_LEAST = 0x34000000,  /* 2^-23 */
    FP16_PAST = 0x47800000,  /* 2^16 */
    TANH_LEAST = 0x3b810000, /* below it tanh(x) is x */
    TANH_MOST = 0x41000000   /* 8 */
};

/* Magnitudes in ascending order, and how far the machine's result is off. */
struct miss {
    uint16_t operand;
    int8_t by;
};

static const struct miss tanh_fp16[] = {
    {0x29c6, 1}, {0x2c95, 1},  {0x2c96, 1},  {0x2d3f, -1}, {0x2e39, 1}, {0x2e9d, 1},
    {0x3064, 1}, {0x323f, 1},  {0x32ff, 1},  {0x355b, 1},  {0x372d, 1}, {0x3824, 1},
    {0x399a, 1}, {0x39f8, -1}, {0x3c8e, -1}, {0x3c9d, -1}, {0x3cc9, 1}, {0x3db8, -1},
    {0x3de3, 1}, {0x3e23, -1}, {0x3eab, -1}, {0x3ed6, 1},  {0x4080, 1}, {0x4429, -1},
};
static const struct miss tanh_bf16[] = {{0x3f3f, -1}};

static uint32_t corrected(uint32_t h, uint32_t operand, const struct miss *m, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (m[i].operand == (operand & HALF_MAG)) {
            return h + (uint32_t)(int32_t)m[i].by;
        }
    }
    return h;
}

static uint32_t ex2(uint32_t x)
{
    const uint32_t mag = x & 0x7fffffffu;

    return fp32_ex2_approx(mag < EX2_LEAST ? 0 : x, false);
}

static uint32_t tanh32(uint32_t x)
{
    const uint32_t mag = x & 0x7fffffffu;

    if (mag < TANH_LEAST || mag > 0x7f800000u) {
        return x;
    }
    return mag < TANH_MOST ? fp32_tanh_approx(x) : (x & 0x80000000u) | 0x3f800000u;
}

static uint32_t ex2_fp16(uint32_t h)
{
    const uint32_t r = ex2(fp16_to_fp32(h));

    /* Beyond the format there is no last place to cut at. */
    return r >= FP16_PAST ? fp32_to_fp16_near(r) : fp32_to_fp16(r, ISA_R_RZ);
}

static uint32_t tanh_fp16_of(uint32_t h)
{
    return corrected(fp32_to_fp16(tanh32(fp16_to_fp32(h)), ISA_R_RZ), h, tanh_fp16,
                     ARRAY_LEN(tanh_fp16));
}

/* .ftz: a subnormal result is flushed, an operand so small gives 1 anyway. */
static uint32_t ex2_bf16(uint32_t b)
{
    return lane_ftz(fp32_to_bf16(ex2(b << 16), ISA_R_RZ) << 16) >> 16;
}

static uint32_t tanh_bf16_of(uint32_t b)
{
    return corrected(fp32_to_bf16(tanh32(b << 16), ISA_R_RZ), b, tanh_bf16,
                     ARRAY_LEN(tanh_bf16));
}

/* name: of halves; name_2: of pairs. */
#define SLOW1(name, fn)                                                                \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS1;                                                                    \
        LANE_SLOW(u32, LANE_X(u32), fn(x & 0xffffu));                                  \
    }                                                                                  \
    LANE_FN(name##_2)                                                                  \
    {                                                                                  \
        LANE_PTRS1;                                                                    \
        LANE_SLOW(u32, LANE_X(u32), fn(x & 0xffffu) | fn(x >> 16) << 16);              \
    }
SLOW1(ex2_h, ex2_fp16)
SLOW1(tanh_h, tanh_fp16_of)
SLOW1(ex2_b, ex2_bf16)
SLOW1(tanh_b, tanh_bf16_of)

#define APPROX .sub = ISA_S_APPROX
static const struct lane_row rows[] = {
    ROWX(EX2, T(F16), SFU, 1, ex2_h, APPROX),
    ROWX(EX2, T(F16X2), SFU, 2, ex2_h_2, APPROX),
    ROWX(EX2, T(BF16), SFU, 1, ex2_b, APPROX, .flags = ISA_F_FTZ),
    ROWX(EX2, T(BF16X2), SFU, 2, ex2_b_2, APPROX, .flags = ISA_F_FTZ),
    ROWX(TANH, T(F16), SFU, 1, tanh_h, APPROX),
    ROWX(TANH, T(F16X2), SFU, 2, tanh_h_2, APPROX),
    ROWX(TANH, T(BF16), SFU, 1, tanh_b, APPROX),
    ROWX(TANH, T(BF16X2), SFU, 2, tanh_b_2, APPROX),
};

LANE_TABLE(lane_half_approx_table, rows);
