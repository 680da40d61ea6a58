/*
 * Every pair of types of cvt against exact numbers: 128-bit integers, and long double,
 * whose significand of 64 bits or more holds every source value.
 */
#include "isa/lane_test.h"

__extension__ typedef __int128 wide;

static const enum isa_type types[] = {
    ISA_T_U8,  ISA_T_U16, ISA_T_U32, ISA_T_U64, ISA_T_S8,
    ISA_T_S16, ISA_T_S32, ISA_T_S64, ISA_T_F32, ISA_T_F64,
};
#define N_TYPES (sizeof(types) / sizeof(types[0]))

/* What is being converted. */
struct value {
    bool nan;
    long double v;
    wide i; /* if the source is an integer */
};

static uint32_t bits_of(uint8_t t)
{
    return isa_type_bits((enum isa_type)t);
}

static bool is_float(uint8_t t)
{
    return isa_type_is_float((enum isa_type)t);
}

static bool is_signed(uint8_t t)
{
    return isa_type_is_signed((enum isa_type)t);
}

static uint32_t flush(const struct isa_form *f, uint32_t v)
{
    const bool z = (f->flags & ISA_F_FTZ) != 0;

    return z && (v & 0x7f800000u) == 0 ? v & 0x80000000u : v;
}

static struct value value_of(const struct lt_lane *x)
{
    const uint8_t t = x->form->type2;
    const uint32_t bits = bits_of(t);
    const uint64_t raw = bits == 64 ? x->v[0] : x->v[0] & ((1ull << bits) - 1);
    struct value r = {0};

    if (t == ISA_T_F32) {
        r.v = bits_f32(flush(x->form, (uint32_t)raw));
        r.nan = r.v != r.v;
    } else if (t == ISA_T_F64) {
        r.v = bits_f64(raw);
        r.nan = r.v != r.v;
    } else {
        r.i = (wide)raw;
        if (is_signed(t) && (raw >> (bits - 1)) != 0) {
            r.i -= (wide)1 << bits;
        }
        r.v = (long double)r.i;
    }
    return r;
}

/* The value rounded to an integral one, if below 2^64 in magnitude. */
static wide integral(long double v, uint8_t rm)
{
    wide t = (wide)v;
    const long double rest = v - (long double)t; /* as v in sign */
    const long double half = rest < 0 ? -rest : rest;

    if (rm == ISA_R_RMI && rest < 0) {
        t--;
    } else if (rm == ISA_R_RPI && rest > 0) {
        t++;
    } else if (rm == ISA_R_RNI && (half > 0.5L || (half == 0.5L && (t & 1) != 0))) {
        t += v < 0 ? -1 : 1;
    }
    return t;
}

static wide clamped(wide n, uint8_t t)
{
    const uint32_t bits = bits_of(t);
    const wide max = ((wide)1 << (is_signed(t) ? bits - 1 : bits)) - 1;
    const wide min = is_signed(t) ? -max - 1 : 0;

    return n > max ? max : n < min ? min : n;
}

static wide to_integer(const struct lt_lane *x, const struct value *v)
{
    const uint8_t t = x->form->type;
    const uint32_t bits = bits_of(t);

    if (v->nan) {
        const bool zero = x->form->type2 == ISA_T_F32 && bits < 64;

        return zero ? 0 : (wide)1 << (bits - 1);
    }
    if (v->v >= 0x1p64L || v->v <= -0x1p64L) {
        return clamped(v->v > 0 ? (wide)1 << 100 : -((wide)1 << 100), t);
    }
    return clamped(integral(v->v, x->form->round), t);
}

/* The next pattern of a float of some bits, away from zero or towards it. */
static uint64_t neighbour(uint64_t r, uint32_t bits, bool up)
{
    const uint64_t sign = 1ull << (bits - 1);

    if ((r & (sign - 1)) == 0) {
        return up ? 1 : sign + 1;
    }
    return (r >= sign) == up ? r - 1 : r + 1;
}

static long double number(uint64_t r, uint32_t bits)
{
    return bits == 32 ? (long double)bits_f32((uint32_t)r) : (long double)bits_f64(r);
}

/* v to a float of some bits. */
static uint64_t rounded(long double v, uint32_t bits, uint8_t rm)
{
    const uint64_t near = bits == 32 ? bits_of_f32((float)v) : bits_of_f64((double)v);
    const bool down = rm == ISA_R_RM || (rm == ISA_R_RZ && v > 0);
    const bool up = rm == ISA_R_RP || (rm == ISA_R_RZ && v < 0);

    if (down && number(near, bits) > v) {
        return neighbour(near, bits, false);
    }
    return up && number(near, bits) < v ? neighbour(near, bits, true) : near;
}

/* To the precision of the result first where that rounds, else to an integral value. */
static uint64_t to_float(const struct lt_lane *x, const struct value *v)
{
    const struct isa_form *f = x->form;
    const uint32_t bits = bits_of(f->type);
    uint64_t r;

    if (f->round >= ISA_R_RNI && v->v < 0x1p62L && v->v > -0x1p62L) {
        const bool neg = bits == 32 ? (x->v[0] >> 31 & 1) != 0 : x->v[0] >> 63 != 0;

        r = rounded((long double)integral(v->v, f->round), bits, ISA_R_RN);
        r |= (uint64_t)neg << (bits - 1); /* zeros keep the sign */
    } else {
        r = rounded(v->v, bits, f->round);
    }
    if (bits == 32) {
        r = flush(f, (uint32_t)r);
    }
    if ((f->flags & ISA_F_SAT) != 0) {
        const long double n = number(r, bits);

        r = n > 0 ? r : 0;
        r = n > 1 ? rounded(1, bits, ISA_R_RN) : r;
    }
    return r;
}

static void o_cvt(struct lt_lane *x)
{
    const struct isa_form *f = x->form;
    const struct value v = value_of(x);
    const uint32_t bits = bits_of(f->type);
    wide n;

    if (is_float(f->type) && v.nan) {
        /* From f32 the canonical one if it is rounded or flushed; else sign and upper
         * payload stay, made quiet; a move changes nothing. */
        const bool canonical = f->type2 == ISA_T_F32 &&
                               (f->round != ISA_R_NONE || (f->flags & ISA_F_FTZ) != 0);
        const uint64_t raw = canonical ? 0x7fffffffu : x->v[0];

        if (f->type == f->type2) {
            x->d = f->round == ISA_R_NONE || bits == 32 ? raw : raw | 1ull << 51;
        } else if (bits == 32) {
            x->d = (raw >> 63) << 31 | 0x7fc00000u | (raw >> 29 & 0x3fffffu);
        } else {
            x->d = (raw >> 31) << 63 | 0x7ff8000000000000ull | (raw & 0x3fffffu) << 29;
        }
        x->d = (f->flags & ISA_F_SAT) != 0 ? 0 : x->d;
        return;
    }
    if (is_float(f->type)) {
        x->d = to_float(x, &v);
        return;
    }
    n = is_float(f->type2)            ? to_integer(x, &v)
        : (f->flags & ISA_F_SAT) != 0 ? clamped(v.i, f->type)
                                      : v.i;
    x->d = (uint64_t)n & (UINT64_MAX >> (64 - bits));
    if (is_signed(f->type) && bits == 8 && x->d >= 0x80) {
        x->d |= 0xff00; /* the narrowest register has 16 bits */
    }
}

static char letter(enum isa_type t)
{
    static const char of_bits[] = {[1] = 'h', [2] = 'h', [4] = 'r', [8] = 'R'};

    return t == ISA_T_F32 ? 'f' : t == ISA_T_F64 ? 'F' : of_bits[isa_type_bits(t) / 8];
}

static void check(struct isa_form f, uint16_t flags)
{
    static const char *const one[128] = {
        ['h'] = "h", ['r'] = "r", ['R'] = "R", ['f'] = "f", ['F'] = "F"};
    /* Sets of the optional flags. */
    static const uint16_t sets[] = {0, ISA_F_FTZ, ISA_F_SAT, ISA_F_FTZ | ISA_F_SAT};

    for (uint32_t i = 0; i < 4; i++) {
        struct lt_case c = {.form = f,
                            .dst = letter((enum isa_type)f.type),
                            .src = one[(int)letter((enum isa_type)f.type2)],
                            .oracle = o_cvt};

        if ((sets[i] & ~flags) == 0) {
            c.form.flags = sets[i];
            lt_check(&c);
            lt_check(&c);
        }
    }
}

static void integers(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TYPES - 2; i++) {
        for (size_t k = 0; k < N_TYPES - 2; k++) {
            check((struct isa_form){.op = ISA_OP_CVT,
                                    .type = types[i],
                                    .type2 = types[k]},
                  ISA_F_SAT);
        }
    }
}

static void integers_to_floats(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_TYPES - 2; k++) {
        for (uint8_t r = ISA_R_RN; r <= ISA_R_RP; r++) {
            struct isa_form f = {.op = ISA_OP_CVT,
                                 .type = ISA_T_F32,
                                 .type2 = types[k],
                                 .round = r};

            check(f, ISA_F_SAT | ISA_F_FTZ);
            f.type = ISA_T_F64;
            check(f, ISA_F_SAT);
        }
    }
}

static void floats_to_integers(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_TYPES - 2; k++) {
        for (uint8_t r = ISA_R_RNI; r <= ISA_R_RPI; r++) {
            struct isa_form f = {.op = ISA_OP_CVT,
                                 .type = types[k],
                                 .type2 = ISA_T_F32,
                                 .round = r};

            check(f, ISA_F_SAT | ISA_F_FTZ);
            f.type2 = ISA_T_F64;
            check(f, ISA_F_SAT);
        }
    }
}

static void between_floats(void **state)
{
    struct isa_form f = {.op = ISA_OP_CVT, .type = ISA_T_F64, .type2 = ISA_T_F32};

    (void)state;
    check(f, ISA_F_SAT | ISA_F_FTZ);
    for (uint8_t r = ISA_R_RN; r <= ISA_R_RP; r++) {
        f = (struct isa_form){.op = ISA_OP_CVT,
                              .type = ISA_T_F32,
                              .type2 = ISA_T_F64,
                              .round = r};
        check(f, ISA_F_SAT | ISA_F_FTZ);
    }
    for (uint8_t r = ISA_R_RP; r <= ISA_R_RPI; r++) {
        f.type = f.type2 = ISA_T_F32;
        f.round = r == ISA_R_RP ? ISA_R_NONE : r;
        check(f, ISA_F_SAT | ISA_F_FTZ);
        f.type = f.type2 = ISA_T_F64;
        check(f, ISA_F_SAT);
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_cvt_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),           cmocka_unit_test(integers_to_floats),
        cmocka_unit_test(floats_to_integers), cmocka_unit_test(between_floats),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
