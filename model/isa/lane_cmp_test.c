/* Comparisons against the relation of two values, stated once for all types. */
#include "isa/lane_test.h"

enum relation { LESS, EQUAL, GREATER, UNORDERED };

static const struct {
    enum isa_type t;
    char c;
} kinds[] = {
    {ISA_T_B16, 'h'}, {ISA_T_B32, 'r'}, {ISA_T_B64, 'R'}, {ISA_T_U16, 'h'},
    {ISA_T_U32, 'r'}, {ISA_T_U64, 'R'}, {ISA_T_S16, 'h'}, {ISA_T_S32, 'r'},
    {ISA_T_S64, 'R'}, {ISA_T_F32, 'f'}, {ISA_T_F64, 'F'},
};
#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The key whose unsigned order is the order of the values. */
static uint64_t key(uint64_t v, uint32_t bits, bool s, bool f, bool ftz)
{
    const uint64_t sign = 1ull << (bits - 1);

    if (ftz && (v & 0x7f800000u) == 0) {
        v &= sign;
    }
    if (f) {
        return (v & sign) != 0 ? sign - (v & (sign - 1)) : sign + v;
    }
    return s ? v ^ sign : v;
}

static bool is_nan(uint64_t v, uint32_t bits)
{
    return bits == 32 ? (v & 0x7fffffffu) > 0x7f800000u
                      : (v & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}

static enum relation relation(const struct lt_lane *x, enum isa_type t)
{
    const uint32_t bits = isa_type_bits(t);
    const bool s = isa_type_is_signed(t), f = isa_type_is_float(t);
    const bool z = (x->form->flags & ISA_F_FTZ) != 0;
    uint64_t a, b;

    if (f && (is_nan(x->v[0], bits) || is_nan(x->v[1], bits))) {
        return UNORDERED;
    }
    a = key(x->v[0], bits, s, f, z);
    b = key(x->v[1], bits, s, f, z);
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

/* Relations for which each comparison holds. */
#define L (1u << LESS)
#define E (1u << EQUAL)
#define G (1u << GREATER)
#define N (1u << UNORDERED)
static const uint32_t holds[] = {
    [ISA_C_EQ] = E,          [ISA_C_NE] = L | G,      [ISA_C_LT] = L,
    [ISA_C_LE] = L | E,      [ISA_C_GT] = G,          [ISA_C_GE] = G | E,
    [ISA_C_LO] = L,          [ISA_C_LS] = L | E,      [ISA_C_HI] = G,
    [ISA_C_HS] = G | E,      [ISA_C_EQU] = E | N,     [ISA_C_NEU] = L | G | N,
    [ISA_C_LTU] = L | N,     [ISA_C_LEU] = L | E | N, [ISA_C_GTU] = G | N,
    [ISA_C_GEU] = G | E | N, [ISA_C_NUM] = L | E | G, [ISA_C_NAN] = N,
};

static bool combined(const struct lt_lane *x, bool t)
{
    if (x->form->boolop == ISA_B_AND) {
        return t && x->p[2];
    }
    if (x->form->boolop == ISA_B_OR) {
        return t || x->p[2];
    }
    return x->form->boolop == ISA_B_XOR ? t != x->p[2] : t;
}

static void o_setp(struct lt_lane *x)
{
    const enum relation r = relation(x, (enum isa_type)x->form->type);
    const bool t = (holds[x->form->cmp] >> r & 1) != 0;

    x->dp = combined(x, t);
    x->dq = combined(x, !t);
}

static void o_set(struct lt_lane *x)
{
    const enum relation r = relation(x, (enum isa_type)x->form->type2);
    const bool t = combined(x, (holds[x->form->cmp] >> r & 1) != 0);

    x->d = !t ? 0 : x->form->type == ISA_T_F32 ? 0x3f800000u : 0xffffffffu;
}

/* Whether PTX has the comparison for the type. */
static bool legal(enum isa_type t, enum isa_cmp c)
{
    if (isa_type_is_float(t)) {
        return c <= ISA_C_GE || c >= ISA_C_EQU;
    }
    if (t <= ISA_T_B64) {
        return c <= ISA_C_NE;
    }
    return c <= (isa_type_is_signed(t) ? ISA_C_GE : ISA_C_HS);
}

static void one(enum isa_type t, char k, struct isa_form f)
{
    const char plain[] = {k, k, '\0'}, with[] = {k, k, 'p', '\0'};
    struct lt_case c = {.form = f, .oracle = o_setp};

    (void)t;
    for (enum isa_bool b = ISA_B_NONE; b <= ISA_B_XOR; b++) {
        c.form.boolop = b;
        c.src = b == ISA_B_NONE ? plain : with;
        c.dst = f.op == ISA_OP_SET ? 'r' : 'p';
        c.oracle = f.op == ISA_OP_SET ? o_set : o_setp;
        lt_check(&c);
        if (f.op == ISA_OP_SETP) {
            c.form.flags |= ISA_F_DST2;
            c.dst = 'q';
            lt_check(&c);
            c.form.flags = f.flags;
        }
    }
}

static void every(enum isa_op op, enum isa_type to)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        for (enum isa_cmp c = ISA_C_EQ; c <= ISA_C_NAN; c++) {
            struct isa_form f = {.op = op, .type = kinds[i].t, .cmp = c};
            struct isa_selected sel;

            if (op == ISA_OP_SET) {
                f.type = to;
                f.type2 = kinds[i].t;
            }
            if (!legal(kinds[i].t, c)) {
                assert_false(kinds[i].t > ISA_T_B64 && isa_select(&f, &sel));
                continue;
            }
            one(kinds[i].t, kinds[i].c, f);
            if (kinds[i].t == ISA_T_F32) {
                f.flags = ISA_F_FTZ;
                one(kinds[i].t, kinds[i].c, f);
            }
        }
    }
}

static void setp(void **state)
{
    (void)state;
    every(ISA_OP_SETP, ISA_T_NONE);
}

static void set_u32(void **state)
{
    (void)state;
    every(ISA_OP_SET, ISA_T_U32);
}

static void set_f32(void **state)
{
    (void)state;
    every(ISA_OP_SET, ISA_T_F32);
}

static void o_selp(struct lt_lane *x)
{
    x->d = x->p[2] ? x->v[0] : x->v[1];
}

static void o_slct(struct lt_lane *x)
{
    const bool ftz = (x->form->flags & ISA_F_FTZ) != 0;
    bool first = (x->v[2] >> 31) == 0;

    if (x->form->type2 == ISA_T_F32) {
        first = !is_nan(x->v[2], 32) &&
                key(x->v[2], 32, false, true, ftz) >= key(0, 32, false, true, false);
    }
    x->d = first ? x->v[0] : x->v[1];
}

static void selection(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_KINDS; i++) {
        const char k = kinds[i].c;
        const char p[] = {k, k, 'p', '\0'}, s[] = {k, k, 'r', '\0'},
                   f[] = {k, k, 'f', '\0'};
        struct lt_case c = {.form = {.op = ISA_OP_SELP, .type = kinds[i].t},
                            .dst = k,
                            .src = p,
                            .oracle = o_selp};

        lt_check(&c);
        c.oracle = o_slct;
        c.form.op = ISA_OP_SLCT;
        c.form.type2 = ISA_T_S32;
        c.src = s;
        lt_check(&c);
        c.form.type2 = ISA_T_F32;
        c.src = f;
        lt_check(&c);
        c.form.flags = ISA_F_FTZ;
        lt_check(&c);
    }
}

static void o_common(struct lt_lane *x)
{
    const uint32_t both = (uint32_t)x->v[0] & (uint32_t)x->v[1];

    x->dp = x->form->cmp == ISA_C_EQ ? both == 0 : both != 0;
}

/* What two words have in common and 0. */
static void common(void **state)
{
    (void)state;
    for (enum isa_cmp cmp = ISA_C_EQ; cmp <= ISA_C_NE; cmp++) {
        const struct lt_case c = {.form = {.op = ISA_OP_SETP,
                                           .type = ISA_T_B32,
                                           .sub = ISA_S_AND,
                                           .cmp = cmp},
                                  .dst = 'p',
                                  .src = "rr",
                                  .oracle = o_common};

        lt_check(&c);
    }
}

/* The class of a float from its exponent and fraction. */
static void o_testp(struct lt_lane *x)
{
    const bool wide = x->form->type == ISA_T_F64;
    const uint64_t e = wide ? x->v[0] >> 52 & 0x7ff : x->v[0] >> 23 & 0xff;
    const uint64_t m = wide ? x->v[0] & ((1ull << 52) - 1) : x->v[0] & 0x7fffff;
    const bool top = e == (wide ? 0x7ffu : 0xffu);

    switch (x->form->sub) {
    case ISA_S_FINITE: x->dp = !top; break;
    case ISA_S_INFINITE: x->dp = top && m == 0; break;
    case ISA_S_NUMBER: x->dp = !top || m == 0; break;
    case ISA_S_NOTANUMBER: x->dp = top && m != 0; break;
    case ISA_S_NORMAL: x->dp = !top && (e != 0 || m == 0); break;
    default: x->dp = e == 0 && m != 0; break;
    }
}

static void testp(void **state)
{
    (void)state;
    for (enum isa_sub s = ISA_S_FINITE; s <= ISA_S_SUBNORMAL; s++) {
        struct lt_case c = {.form = {.op = ISA_OP_TESTP, .type = ISA_T_F32, .sub = s},
                            .dst = 'p',
                            .src = "f",
                            .oracle = o_testp};

        lt_check(&c);
        c.form.type = ISA_T_F64;
        c.src = "F";
        lt_check(&c);
    }
}

static void every_row_has_run(void **state)
{
    (void)state;
    lt_all_ran(&lane_cmp_table, ISA_N_OPS, ISA_N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setp),
        cmocka_unit_test(set_u32),
        cmocka_unit_test(set_f32),
        cmocka_unit_test(selection),
        cmocka_unit_test(common),
        cmocka_unit_test(testp),
        cmocka_unit_test(every_row_has_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
