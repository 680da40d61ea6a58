/* half_test.h - what the tests of instructions on halves share: values, modifiers. */
#ifndef ISA_HALF_TEST_H
#define ISA_HALF_TEST_H

#include "isa/half.h"
#include "isa/lane_test.h"

#include <math.h>

#define FLAG(f) ((x->form->flags & ISA_F_##f) != 0)

static inline bool is_bf16(enum isa_type t)
{
    return t == ISA_T_BF16 || t == ISA_T_BF16X2;
}

static inline bool is_pair(enum isa_type t)
{
    return t == ISA_T_F16X2 || t == ISA_T_BF16X2;
}

static inline uint64_t bits_of(double d)
{
    uint64_t v;

    memcpy(&v, &d, sizeof(v));
    return v;
}

static inline double value(bool bf16, uint32_t h)
{
    const uint32_t raw = bf16 ? bf16_to_fp32(h) : fp16_to_fp32(h);
    float f;

    memcpy(&f, &raw, sizeof(f));
    return (double)f;
}

/* What .sat and .relu make of a result. */
static inline uint32_t modified(const struct lt_lane *x, bool bf16, uint32_t h)
{
    const double v = value(bf16, h);

    if (FLAG(SAT)) {
        h = !(v > 0) ? 0 : v > 1 ? 0x3c00 : h;
    }
    return FLAG(RELU) && (h & 0x8000) != 0 ? 0 : h;
}

static inline void run(struct isa_form f, char dst, const char *src, lt_oracle *oracle)
{
    const struct lt_case c = {f, dst, src, oracle};

    lt_check(&c);
}

static const uint8_t halves[] = {ISA_T_F16, ISA_T_F16X2, ISA_T_BF16, ISA_T_BF16X2};

#endif /* ISA_HALF_TEST_H */
