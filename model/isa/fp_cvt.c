#include "isa/fp.h"
#include "isa/fp_priv.h"

uint32_t fp64_to_fp32(uint64_t a, enum isa_round rm, bool ftz)
{
    if (fp64_is_nan(a)) { /* sign and upper payload stay */
        return (uint32_t)(a >> 32 & FP32_SIGN) | FP32_INF | 0x00400000u |
               (uint32_t)(a >> 29 & 0x003fffffu);
    }
    return fp32_from_double(bits_f64(a), rm, ftz);
}

uint64_t fp32_to_fp64(uint32_t a, bool ftz)
{
    a = fp32_flush(a, ftz);
    if (fp32_is_nan(a)) {
        a = ftz ? FP32_NAN : a; /* flushing is an f32 operation of its own */
        return (uint64_t)(a & FP32_SIGN) << 32 | FP64_INF | FP64_QUIET |
               (uint64_t)(a & 0x003fffffu) << 29;
    }
    return bits_of_f64((double)bits_f32(a));
}

static uint64_t from_magnitude(bool sign, uint64_t v, struct fp_format f,
                               enum isa_round rm)
{
    return v == 0 ? 0 : fp_round(sign, 0, v, f, rm);
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

uint32_t fp32_from_u64(uint64_t v, enum isa_round rm)
{
    return (uint32_t)from_magnitude(false, v, FP_F32, rm);
}

uint32_t fp32_from_s64(int64_t v, enum isa_round rm)
{
    return (uint32_t)from_magnitude(v < 0, magnitude(v), FP_F32, rm);
}

uint64_t fp64_from_u64(uint64_t v, enum isa_round rm)
{
    return from_magnitude(false, v, FP_F64, rm);
}

uint64_t fp64_from_s64(int64_t v, enum isa_round rm)
{
    return from_magnitude(v < 0, magnitude(v), FP_F64, rm);
}

/* The integer nearest to p in mode rm, as a magnitude; UINT64_MAX when out of reach. */
static uint64_t integer_magnitude(const struct fp_parts *p, enum isa_round rm)
{
    uint64_t kept = 0, rest;
    int32_t drop = -p->e;

    if (drop <= 0) {
        return -drop > 63 - fp_top_bit(p->sig) ? UINT64_MAX : p->sig << -drop;
    }
    if (drop < 64) {
        kept = p->sig >> drop;
        rest = p->sig << (64 - drop);
    } else {
        rest = drop == 64 ? p->sig : 1; /* any value below one half rounds alike */
    }
    return kept + fp_rounds_up(rest, kept & 1, p->sign, rm);
}

/* A magnitude clamped to the range of the type; low bits' worth of a 64-bit pattern. */
static uint64_t clamp(bool sign, uint64_t v, uint32_t bits, bool is_signed)
{
    uint64_t max = UINT64_MAX >> (64 - bits);

    if (!is_signed) {
        if (sign) {
            return 0;
        }
        return v > max ? max : v;
    }
    max >>= 1;
    if (sign) {
        return v > max ? ~max : -v;
    }
    return v > max ? max : v;
}

/* NaN to an integer: PTX (cvt) gives 0 where neither side has 64 bits, else the pattern
 * with the top bit of the destination alone. */
static uint64_t nan_integer(bool from64, uint32_t bits, bool is_signed)
{
    if (!from64 && bits < 64) {
        return 0;
    }
    return (is_signed ? UINT64_MAX : 1ull) << (bits - 1);
}

static uint64_t to_int(uint64_t a, struct fp_format f, uint32_t bits, bool is_signed,
                       enum isa_round rm)
{
    uint64_t sign_bit = 1ull << (f.frac + f.ebits);
    uint64_t inf = sign_bit - (1ull << f.frac);
    bool sign = (a & sign_bit) != 0;
    struct fp_parts p;

    if ((a & ~sign_bit) > inf) {
        return nan_integer(f.frac == 52, bits, is_signed);
    }
    if ((a & ~sign_bit) == 0) {
        return 0;
    }
    if ((a & ~sign_bit) == inf) {
        return clamp(sign, UINT64_MAX, bits, is_signed);
    }
    p = fp_unpack(a, f);
    return clamp(sign, integer_magnitude(&p, rm), bits, is_signed);
}

uint64_t fp32_to_int(uint32_t a, uint32_t bits, bool is_signed, enum isa_round rm,
                     bool ftz)
{
    return to_int(fp32_flush(a, ftz), FP_F32, bits, is_signed, rm);
}

uint64_t fp64_to_int(uint64_t a, uint32_t bits, bool is_signed, enum isa_round rm)
{
    return to_int(a, FP_F64, bits, is_signed, rm);
}

/* a is finite. The integers below 2^(frac + 1) are exact in the format, and anything
 * larger is integral already. */
static uint64_t round_int(uint64_t a, struct fp_format f, enum isa_round rm)
{
    uint64_t sign_bit = a & 1ull << (f.frac + f.ebits);
    struct fp_parts p;
    uint64_t v;

    if (a == sign_bit) {
        return a;
    }
    p = fp_unpack(a, f);
    if (p.e >= 0) {
        return a;
    }
    v = integer_magnitude(&p, rm);
    return sign_bit | from_magnitude(false, v, f, ISA_R_RN);
}

uint32_t fp32_round_int(uint32_t a, enum isa_round rm, bool ftz)
{
    a = fp32_flush(a, ftz);
    if ((a & FP32_INF) == FP32_INF) {
        return fp32_is_nan(a) ? FP32_NAN : a;
    }
    return (uint32_t)round_int(a, FP_F32, rm);
}

uint64_t fp64_round_int(uint64_t a, enum isa_round rm)
{
    if (fp64_is_nan(a)) {
        return a | FP64_QUIET;
    }
    return (a & FP64_INF) == FP64_INF ? a : round_int(a, FP_F64, rm);
}
