/*
 * Numbers that are not ordinary: those for which machine code branches to a function
 * that divides or takes roots by another way (SPEC PTX-4).
 *
 * That of roots is read in machine code, that of division (FCHK) is measured, exponent
 * by exponent (testbench/fidelity/odd_numbers.csv).
 */
#include "isa/lane.h"

enum {
    EXP_BITS = 8,
    MANTISSA = 23,
    EXP_MAX = (1 << EXP_BITS) - 1,
    MIN_DIVISOR = 2, /* exponents of a divisor, as they are stored */
    MAX_DIVISOR = 251,
    MIN_NUMBER = 25,     /* of what is divided */
    MIN_QUOTIENT = -124, /* one less the other */
    MAX_QUOTIENT = 126,
};

static int32_t exponent(uint32_t bits)
{
    return (int32_t)(bits >> MANTISSA & EXP_MAX);
}

static bool is_odd_div_f32(uint32_t x, uint32_t y)
{
    const int32_t a = exponent(x), b = exponent(y);

    return b < MIN_DIVISOR || b > MAX_DIVISOR || a < MIN_NUMBER || a == EXP_MAX ||
           a - b < MIN_QUOTIENT || a - b > MAX_QUOTIENT;
}

static bool is_odd_sqrt_f32(uint32_t x)
{
    return x - 0x0d000000u > 0x727fffffu;
}

bool isa_is_odd(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask)
{
    const uint32_t *const a = lane_src(w, u->src[0]);
    const uint32_t *const b = u->n_src > 1 ? lane_src(w, u->src[1]) : a;

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        bool odd = false;

        switch ((enum isa_odd)u->seq->odd) {
        case ISA_ODD_DIV_F32: odd = is_odd_div_f32(a[l], b[l]); break;
        case ISA_ODD_SQRT_F32: odd = is_odd_sqrt_f32(a[l]); break;
        case ISA_ODD_NONE: return false;
        }
        if (odd && (mask >> l & 1) != 0) {
            return true;
        }
    }
    return false;
}
