/*
 * Matrix instructions of a warp: products, loads and stores of rows, transposition.
 *
 * Which element lies where is as the PTX ISA's chapter "Warp Level Matrix Instructions"
 * draws it. How floating-point sums are rounded on the way is not said there: what the
 * generator writes has sums that every rounding leaves alone, and a sum that does not
 * fit into its result makes the program invalid.
 */
#include "eval.h"
#include "machine.h"

#include <math.h>
#include <string.h>

enum { MAX_ROWS = 16, MAX_COLS = 8, MAX_K = 256, PARTS = 4 };

struct shape {
    uint32_t m, n, k;
    bool quads; /* m8n8k4 of f16: four products, each of eight lanes */
};

struct work { /* of one instruction; parts beside each other */
    double a[PARTS][MAX_ROWS][MAX_K], b[PARTS][MAX_K][MAX_COLS];
    double c[PARTS][MAX_ROWS][MAX_COLS];
};

struct at {
    uint32_t part, row, col;
};

static bool shape_of(const struct insn *in, struct shape *s)
{
    static const struct {
        enum mod name;
        uint32_t m, n, k;
    } shapes[] = {
        {MOD_M8N8K4, 8, 8, 4},       {MOD_M16N8K4, 16, 8, 4},
        {MOD_M16N8K8, 16, 8, 8},     {MOD_M16N8K16, 16, 8, 16},
        {MOD_M8N8K16, 8, 8, 16},     {MOD_M8N8K32, 8, 8, 32},
        {MOD_M16N8K32, 16, 8, 32},   {MOD_M16N8K64, 16, 8, 64},
        {MOD_M8N8K128, 8, 8, 128},   {MOD_M16N8K128, 16, 8, 128},
        {MOD_M16N8K256, 16, 8, 256},
    };

    for (uint32_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (has(in, shapes[i].name)) {
            *s = (struct shape){shapes[i].m, shapes[i].n, shapes[i].k,
                                shapes[i].k == 4 && in->ty2 == TY_F16};
            return true;
        }
    }
    return false;
}

/* ---- elements ---- */

/* Of a format without infinities or NaNs among its values here. */
static double narrow(uint64_t bits, int ebits, int frac)
{
    const int bias = (1 << (ebits - 1)) - 1;
    const int e = (int)(bits >> frac & ((1u << ebits) - 1));
    const double f = ldexp((double)(bits & ((1u << frac) - 1)), -frac);
    const double v = e == 0 ? ldexp(f, 1 - bias) : ldexp(1 + f, e - bias);

    return (bits >> (ebits + frac) & 1) != 0 ? -v : v;
}

static double element(enum ty t, uint64_t bits)
{
    float f;
    double d;
    const uint32_t word = (uint32_t)bits;

    switch (t) {
    case TY_F16: return narrow(bits & 0xffff, 5, 10);
    case TY_BF16: return narrow(bits & 0xffff, 8, 7);
    case TY_TF32: return narrow(bits >> 13 & 0x7ffff, 8, 10);
    case TY_E4M3: return narrow(bits & 0xff, 4, 3);
    case TY_E5M2: return narrow(bits & 0xff, 5, 2);
    case TY_F32: memcpy(&f, &word, sizeof(f)); return (double)f;
    case TY_F64: memcpy(&d, &bits, sizeof(d)); return d;
    case TY_S8: return (double)(int8_t)(uint8_t)bits;
    case TY_U8: return (double)(bits & 0xff);
    case TY_S4: return (double)((int32_t)(bits & 15) - ((bits & 8) != 0 ? 16 : 0));
    case TY_U4: return (double)(bits & 15);
    case TY_B1: return (double)(bits & 1);
    default: return (double)(int32_t)word; /* s32 */
    }
}

/* False: it does not fit exactly. */
static bool encode(enum ty t, double v, uint64_t *bits)
{
    float f = (float)v;
    uint32_t word;
    int e;

    *bits = 0;
    switch (t) {
    case TY_F64: memcpy(bits, &v, sizeof(v)); return true;
    case TY_F32:
        memcpy(&word, &f, sizeof(word));
        *bits = word;
        return (double)f == v;
    default: break;
    }
    if (v == 0) { /* f16 */
        return true;
    }
    (void)frexp(v, &e);
    *bits = (v < 0 ? 0x8000u : 0) | (uint64_t)(e + 14) << 10 |
            ((uint64_t)ldexp(fabs(v), 11 - e) & 0x3ff);
    return narrow(*bits, 5, 10) == v && e > -14 && e <= 16;
}

static uint32_t bits_of(enum ty t)
{
    return t == TY_TF32 || t == TY_S32 ? 32 : ty_bits(t);
}

/* Elements of a register. */
static uint32_t per_register(enum ty t)
{
    return bits_of(t) == 64 ? 1 : 32 / bits_of(t);
}

/* ---- places: of element j of register r of a lane ---- */

static struct at place_a(const struct insn *in, const struct shape *s, uint32_t lane,
                         uint32_t r, uint32_t j)
{
    const uint32_t e = per_register(in->ty2), g = lane / 4, t = lane % 4;
    const uint32_t high = lane >= 16 ? 4 : 0, i = r * e + j;

    if (s->quads) {
        return in->a_col ? (struct at){g % 4, i + high, t}
                         : (struct at){g % 4, t + high, i};
    }
    return s->m == 16 ? (struct at){0, g + 8 * (r & 1), t * e + j + (r >> 1) * 4 * e}
                      : (struct at){0, g, t * e + j + r * 4 * e};
}

static struct at place_b(const struct insn *in, const struct shape *s, uint32_t lane,
                         uint32_t r, uint32_t j)
{
    const uint32_t e = per_register(in->ty3), g = lane / 4, t = lane % 4;
    const uint32_t high = lane >= 16 ? 4 : 0, i = r * e + j;

    if (s->quads) {
        return in->b_col ? (struct at){g % 4, i, t + high}
                         : (struct at){g % 4, t, i + high};
    }
    return (struct at){0, t * e + j + r * 4 * e, g};
}

/* Of C and D, whose type is ty. */
static struct at place_c(enum ty ty, const struct shape *s, uint32_t lane, uint32_t r,
                         uint32_t j)
{
    const uint32_t i = r * per_register(ty) + j, g = lane / 4, t = lane % 4;
    const uint32_t high = lane >= 16 ? 4 : 0;

    if (s->quads) {
        return ty == TY_F16 ? (struct at){g % 4, t + high, i}
                            : (struct at){g % 4, (lane & 1) + (i & 2) + high,
                                          (i & 4) + (lane & 2) + (i & 1)};
    }
    return (struct at){0, g + 8 * (i >> 1), 2 * t + (i & 1)};
}

/* ---- products ---- */

static double product(const struct insn *in, double a, double b)
{
    if (in->ty2 != TY_B1) {
        return a * b;
    }
    return has(in, MOD_AND) ? a * b : (a != b ? 1 : 0);
}

static uint64_t integer(const struct insn *in, double sum)
{
    if (has(in, MOD_SATFINITE)) {
        return (uint32_t)(int32_t)(sum < INT32_MIN   ? INT32_MIN
                                   : sum > INT32_MAX ? INT32_MAX
                                                     : sum);
    }
    return (uint32_t)(int64_t)sum; /* far below 2^53 */
}

/* First operand of a group. */
static uint32_t first_of(const struct insn *in, uint32_t group)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < group; i++) {
        at += in->group[i];
    }
    return at;
}

static void gather(struct interp *x, const struct thread *t, const struct insn *in,
                   const struct shape *s, struct work *w)
{
    const enum ty types[] = {in->ty2, in->ty3, in->ty4};

    for (uint32_t f = 0; f < 3; f++) {
        const uint32_t e = per_register(types[f]), bits = bits_of(types[f]);

        for (uint32_t r = 0; r < in->group[f + 1]; r++) {
            const uint64_t v = machine_read(x, t, &in->o[first_of(in, f + 1) + r]);

            for (uint32_t j = 0; j < e; j++) {
                const double d = element(types[f], v >> (j * bits));
                const struct at p = f == 0   ? place_a(in, s, t->lane, r, j)
                                    : f == 1 ? place_b(in, s, t->lane, r, j)
                                             : place_c(types[f], s, t->lane, r, j);

                if (f == 0) {
                    w->a[p.part][p.row][p.col] = d;
                } else if (f == 1) {
                    w->b[p.part][p.row][p.col] = d;
                } else {
                    w->c[p.part][p.row][p.col] = d;
                }
            }
        }
    }
}

static double sum_at(const struct insn *in, const struct shape *s, const struct work *w,
                     struct at p)
{
    double sum = w->c[p.part][p.row][p.col];

    for (uint32_t k = 0; k < s->k; k++) {
        sum += product(in, w->a[p.part][p.row][k], w->b[p.part][k][p.col]);
    }
    return sum;
}

static bool scatter(struct interp *x, struct thread *t, const struct insn *in,
                    const struct shape *s, const struct work *w)
{
    const uint32_t e = per_register(in->ty), bits = bits_of(in->ty);

    for (uint32_t r = 0; r < in->group[0]; r++) {
        uint64_t v = 0;

        for (uint32_t j = 0; j < e; j++) {
            const double sum = sum_at(in, s, w, place_c(in->ty, s, t->lane, r, j));
            uint64_t d = 0;

            if (in->ty == TY_S32) {
                d = integer(in, sum);
            } else if (!encode(in->ty, sum, &d)) {
                return machine_fail(x, in, "a sum that is not exact");
            }
            v |= d << (j * bits);
        }
        machine_write(x, t, in->o[r].reg, v ^ (in->op == x->l->plant));
    }
    return true;
}

static bool mma(struct interp *x, struct thread *const *t, const struct insn *in)
{
    static _Thread_local struct work w;
    struct shape s;

    if (!shape_of(in, &s)) {
        return machine_fail(x, in, "shape");
    }
    for (uint32_t i = 0; i < WARP; i++) {
        gather(x, t[i], in, &s, &w);
    }
    for (uint32_t i = 0; i < WARP; i++) {
        if (!scatter(x, t[i], in, &s, &w)) {
            return false;
        }
    }
    return true;
}

/* ---- rows ---- */

typedef uint16_t matrix[8][8];

/* What a lane has of a matrix: two elements of row lane / 4, or of that column. */
static uint32_t fragment(const matrix m, uint32_t lane, bool trans)
{
    const uint32_t i = lane / 4, k = lane % 4 * 2;

    return trans ? m[k][i] | (uint32_t)m[k + 1][i] << 16
                 : m[i][k] | (uint32_t)m[i][k + 1] << 16;
}

static void put_fragment(matrix m, uint32_t lane, bool trans, uint32_t v)
{
    const uint32_t i = lane / 4, k = lane % 4 * 2;

    *(trans ? &m[k][i] : &m[i][k]) = (uint16_t)v;
    *(trans ? &m[k + 1][i] : &m[i][k + 1]) = (uint16_t)(v >> 16);
}

static bool row(struct interp *x, struct thread *t, const struct insn *in,
                const struct opnd *o, struct place *p)
{
    return machine_place(x, t, in, o, SPACE_SHARED, 16, p);
}

static bool load_rows(struct interp *x, struct thread *const *t, const struct insn *in)
{
    const uint32_t n = in->group[0];

    for (uint32_t k = 0; k < n; k++) {
        matrix m;

        for (uint32_t i = 0; i < 8; i++) {
            struct place p;

            if (!row(x, t[8 * k + i], in, &in->o[n], &p)) {
                return false;
            }
            for (uint32_t b = 0; b < 16; b++) {
                if (!p.written[b]) {
                    return machine_fail(x, in, "read of bytes never written");
                }
            }
            memcpy(m[i], p.data, 16);
        }
        for (uint32_t i = 0; i < WARP; i++) {
            machine_write(x, t[i], in->o[k].reg,
                          fragment(m, i, has(in, MOD_TRANS)) ^ (in->op == x->l->plant));
        }
    }
    return true;
}

static bool store_rows(struct interp *x, struct thread *const *t, const struct insn *in)
{
    for (uint32_t k = 0; k < in->group[1]; k++) {
        matrix m;

        for (uint32_t i = 0; i < WARP; i++) {
            put_fragment(m, i, has(in, MOD_TRANS),
                         (uint32_t)machine_read(x, t[i], &in->o[1 + k]));
        }
        m[0][0] ^= in->op == x->l->plant;
        for (uint32_t i = 0; i < 8; i++) {
            struct place p;

            if (!row(x, t[8 * k + i], in, &in->o[0], &p)) {
                return false;
            }
            memcpy(p.data, m[i], 16);
            memset(p.written, true, 16);
        }
    }
    return true;
}

static bool transpose(struct interp *x, struct thread *const *t, const struct insn *in)
{
    matrix m;

    for (uint32_t i = 0; i < WARP; i++) {
        put_fragment(m, i, false, (uint32_t)machine_read(x, t[i], &in->o[1]));
    }
    for (uint32_t i = 0; i < WARP; i++) {
        machine_write(x, t[i], in->o[0].reg,
                      fragment(m, i, true) ^ (in->op == x->l->plant));
    }
    return true;
}

bool machine_tile(struct interp *x, struct thread *const *t, uint32_t n,
                  const struct insn *in)
{
    if (n != WARP) {
        return machine_fail(x, in, "a warp that is not whole");
    }
    switch (in->op) {
    case OP_MMA: return mma(x, t, in);
    case OP_LDMATRIX: return load_rows(x, t, in);
    case OP_STMATRIX: return store_rows(x, t, in);
    default: return transpose(x, t, in);
    }
}
