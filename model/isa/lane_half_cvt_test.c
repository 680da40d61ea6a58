/* Conversions from and to halves, tf32 and the 8-bit formats: half.h's, which
 * fp_half_test.c knows; here which of them, and what becomes of NaNs. */
#include "isa/half_test.h"

static uint32_t finite(const struct lt_lane *x, uint32_t h, uint32_t inf)
{
    h = FLAG(SATFINITE) && (h & 0x7fff) == inf ? h - 1 : h;
    return FLAG(RELU) && (h & 0x8000) != 0 ? 0 : h;
}

static uint32_t one_of_f32(const struct lt_lane *x, bool bf16, uint64_t raw)
{
    const enum isa_round rm = (enum isa_round)x->form->round;
    uint32_t v = (uint32_t)raw;

    v = FLAG(FTZ) && (v & 0x7f800000) == 0 ? v & 0x80000000 : v;
    v = bf16 ? fp32_to_bf16(v, rm) : fp32_to_fp16(v, rm);
    return modified(x, bf16, finite(x, v, bf16 ? 0x7f80 : 0x7c00));
}

static void from_f32(struct lt_lane *x)
{
    const bool bf16 = is_bf16((enum isa_type)x->form->type);

    x->d = is_pair((enum isa_type)x->form->type)
               ? one_of_f32(x, bf16, x->v[0]) << 16 | one_of_f32(x, bf16, x->v[1])
               : one_of_f32(x, bf16, x->v[0]);
}

static void to_f32(struct lt_lane *x)
{
    const bool bf16 = x->form->type2 == ISA_T_BF16;
    uint32_t v = bf16 ? (uint32_t)x->v[0] << 16 : fp16_to_fp32((uint32_t)x->v[0]);

    if (bf16 && FLAG(FTZ)) {
        v = (v & 0x7f800000) == 0 ? v & 0x80000000 : bf16_to_fp32(v >> 16);
    }
    x->d = FLAG(SAT) ? fp32_saturate(v) : v;
}

static void tf32(struct lt_lane *x)
{
    const uint32_t v = (uint32_t)x->v[0];
    uint32_t r = fp32_to_tf32(v, (enum isa_round)x->form->round);

    if (x->form->round == ISA_R_RNA) {
        r = (v & 0x7fffffff) > 0x7f800000 ? v & 0xffffe000 : r;
        r = FLAG(SATFINITE) && (r & 0x7f800000) == 0x7f800000 ? r - 0x2000 : r;
    }
    x->d = FLAG(RELU) && r >> 31 != 0 ? 0 : r;
}

static uint32_t byte_of(const struct lt_lane *x, uint32_t v)
{
    const uint32_t b =
        x->form->type == ISA_T_E4M3X2 ? fp32_to_e4m3(v) : fp32_to_e5m2(v);

    return FLAG(RELU) && b > 0x7f ? 0 : b;
}

static void bytes(struct lt_lane *x)
{
    if (x->form->type2 == ISA_T_F32) {
        x->d = byte_of(x, (uint32_t)x->v[0]) << 8 | byte_of(x, (uint32_t)x->v[1]);
    } else {
        x->d = byte_of(x, fp16_to_fp32((uint32_t)x->v[0] >> 16)) << 8 |
               byte_of(x, fp16_to_fp32((uint32_t)x->v[0] & 0xffff));
    }
}

static void from_bytes(struct lt_lane *x)
{
    uint32_t d = 0;

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t b = (uint32_t)x->v[0] >> 8 * i & 0xff;
        const uint32_t h =
            fp32_to_fp16(x->form->type2 == ISA_T_E4M3X2 ? e4m3_to_fp32(b)
                                                        : e5m2_to_fp32(b),
                         ISA_R_RN);

        d |= (FLAG(RELU) && h > 0x8000 ? 0 : h & 0xffff) << 16 * i;
        d = FLAG(RELU) && h == 0x8000 ? d & ~(0x8000u << 16 * i) : d;
    }
    x->d = d;
}

static uint64_t payload(uint64_t h, uint32_t frac)
{
    return (h >> 15 & 1) << 63 | 0x7ff8000000000000 |
           (h & ((1ull << frac) - 1)) << (52 - frac);
}

static void to_f64(struct lt_lane *x)
{
    const bool bf16 = x->form->type2 == ISA_T_BF16;
    const uint32_t h = (uint32_t)x->v[0] & 0xffff;
    const double v = value(bf16, h);

    x->d = isnan(v) ? payload(h, bf16 ? 7 : 10) : bits_of(v);
    if (FLAG(SAT)) {
        x->d = !(v > 0) ? 0 : v > 1 ? bits_of(1) : x->d;
    }
}

static void from_f64(struct lt_lane *x)
{
    const bool bf16 = x->form->type == ISA_T_BF16;
    const uint32_t frac = bf16 ? 7 : 10;
    const uint64_t v = x->v[0], mag = v & INT64_MAX;
    const enum isa_round rm = (enum isa_round)x->form->round;

    if (mag > 0x7ff0000000000000) {
        x->d = FLAG(SAT) ? 0
                         : (v >> 63) << 15 | (bf16 ? 0x7fc0 : 0x7e00) |
                               (v >> (52 - frac) & ((1u << (frac - 1)) - 1));
    } else {
        x->d = modified(x, bf16, bf16 ? fp64_to_bf16(v, rm) : fp64_to_fp16(v, rm));
    }
}

static void between(struct lt_lane *x)
{
    const bool to_b = x->form->type == ISA_T_BF16,
               from_b = x->form->type2 == ISA_T_BF16;
    const uint32_t h = (uint32_t)x->v[0] & 0xffff;
    const enum isa_round rm = (enum isa_round)x->form->round;
    const uint32_t v = from_b ? bf16_to_fp32(h) : fp16_to_fp32(h);
    const bool integral = to_b == from_b;
    const uint32_t w = integral && rm != ISA_R_NONE ? fp32_round_int(v, rm, false) : v;
    const enum isa_round then = integral ? ISA_R_RN : rm;

    x->d = modified(x, to_b, to_b ? fp32_to_bf16(w, then) : fp32_to_fp16(w, then));
}

static void to_integer(struct lt_lane *x)
{
    const uint32_t n = isa_type_bits((enum isa_type)x->form->type);
    const uint32_t h = (uint32_t)x->v[0] & 0xffff;
    const uint64_t v =
        fp32_to_int(x->form->type2 == ISA_T_BF16 ? bf16_to_fp32(h) : fp16_to_fp32(h), n,
                    isa_type_is_signed((enum isa_type)x->form->type),
                    (enum isa_round)x->form->round, false);

    x->d = n == 64 ? v : n == 32 ? v & UINT32_MAX : v & 0xffff;
}

static void from_integer(struct lt_lane *x)
{
    const enum isa_type from = (enum isa_type)x->form->type2;
    const enum isa_round rm = (enum isa_round)x->form->round;
    const uint32_t up = 64 - isa_type_bits(from);
    const bool bf16 = x->form->type == ISA_T_BF16;
    const uint64_t v = x->v[0] << up >> up;
    const int64_t s = (int64_t)(x->v[0] << up) >> up;
    const bool is_signed = isa_type_is_signed(from);

    x->d = bf16 ? (is_signed ? bf16_from_s64(s, rm) : bf16_from_u64(v, rm))
                : (is_signed ? fp16_from_s64(s, rm) : fp16_from_u64(v, rm));
    x->d = modified(x, bf16, (uint32_t)x->d);
}

static const uint8_t rounds[] = {ISA_R_RN, ISA_R_RZ, ISA_R_RM, ISA_R_RP};
static const uint8_t whole[] = {ISA_R_RNI, ISA_R_RZI, ISA_R_RMI, ISA_R_RPI};

static void cvt(uint8_t to, uint8_t from, uint8_t round, uint32_t flags, char dst,
                const char *src, lt_oracle *oracle)
{
    run((struct isa_form){.op = ISA_OP_CVT,
                          .type = to,
                          .type2 = from,
                          .round = round,
                          .flags = flags},
        dst, src, oracle);
}

static void conversions_of_f32(void **state)
{
    static const uint32_t ends[] = {0, ISA_F_RELU, ISA_F_SATFINITE,
                                    ISA_F_RELU | ISA_F_SATFINITE};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        cvt(ISA_T_F16, ISA_T_F32, rounds[i], 0, 'h', "f", from_f32);
        cvt(ISA_T_F16, ISA_T_F32, rounds[i], ISA_F_FTZ | ISA_F_SAT, 'h', "f", from_f32);
        cvt(ISA_T_BF16, ISA_T_F32, rounds[i], 0, 'h', "f", from_f32);
        cvt(ISA_T_BF16, ISA_T_F32, rounds[i], ISA_F_FTZ, 'h', "f", from_f32);
        for (uint32_t k = 0; k < 4; k++) {
            const uint8_t r = rounds[i % 2];

            cvt(halves[i], ISA_T_F32, r, ends[k], i % 2 == 0 ? 'h' : 'r',
                i % 2 == 0 ? "f" : "ff", from_f32);
            cvt(halves[i], ISA_T_F32, ISA_R_RN, ends[k], i % 2 == 0 ? 'h' : 'r',
                i % 2 == 0 ? "f" : "ff", from_f32);
        }
        cvt(ISA_T_F32, ISA_T_F16, 0,
            (i % 2 != 0 ? ISA_F_FTZ : 0) | (i / 2 != 0 ? ISA_F_SAT : 0), 'r', "h",
            to_f32);
        cvt(ISA_T_F32, ISA_T_BF16, 0, i % 2 != 0 ? ISA_F_FTZ : 0, 'r', "h", to_f32);
    }
    cvt(ISA_T_TF32, ISA_T_F32, ISA_R_RNA, 0, 'r', "f", tf32);
    cvt(ISA_T_TF32, ISA_T_F32, ISA_R_RNA, ISA_F_SATFINITE, 'r', "f", tf32);
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t t = i % 2 == 0 ? ISA_T_E4M3X2 : ISA_T_E5M2X2;
        const uint32_t relu = i / 2 != 0 ? ISA_F_RELU : 0;

        cvt(ISA_T_TF32, ISA_T_F32, rounds[i % 2], relu, 'r', "f", tf32);
        cvt(t, ISA_T_F32, ISA_R_RN, ISA_F_SATFINITE | relu, 'h', "ff", bytes);
        cvt(t, ISA_T_F16X2, ISA_R_RN, ISA_F_SATFINITE | relu, 'h', "r", bytes);
        cvt(ISA_T_F16X2, t, ISA_R_RN, relu, 'r', "h", from_bytes);
    }
}

static void other_conversions(void **state)
{
    static const struct {
        uint8_t type;
        char code;
    } ints[] = {{ISA_T_U16, 'h'}, {ISA_T_S16, 'h'}, {ISA_T_U32, 'r'}, {ISA_T_S32, 'r'},
                {ISA_T_U64, 'R'}, {ISA_T_S64, 'R'}, {ISA_T_U8, 'h'},  {ISA_T_S8, 'h'}};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 4; k += 2) {
            const uint8_t t = halves[k];
            const uint32_t sat = k == 0 && i % 2 != 0 ? ISA_F_SAT : 0;

            cvt(t, ISA_T_F64, rounds[i], sat, 'h', "F", from_f64);
            cvt(ISA_T_F64, t, 0, sat, 'F', "h", to_f64);
            cvt(t, t, whole[i], sat, 'h', "h", between);
            cvt(t, t, 0, sat, 'h', "h", between);
            cvt(t, halves[2 - k], rounds[i], 0, 'h', "h", between);
            for (uint32_t n = 0; n < (k == 0 ? 8u : 6u); n++) {
                const char src[] = {ints[n].code, '\0'};

                cvt(ints[n].type, t, whole[i], 0, ints[n].code, "h", to_integer);
                cvt(t, ints[n].type, rounds[i], sat, 'h', src, from_integer);
            }
        }
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_half_cvt_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_of_f32),
        cmocka_unit_test(other_conversions),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
