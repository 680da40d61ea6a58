/*
 * Textures and surfaces, by the chapter "Texture Fetching" of the CUDA programming
 * guide and the PTX ISA.
 *
 * An index outside is taken back by the addressing mode, or there is nothing. Filtering
 * is done in doubles: the generator's numbers leave nothing to be rounded.
 */
#include "machine.h"

#include <math.h>
#include <string.h>

struct fetch {
    const struct texture *t;
    double c[3]; /* coordinates, in texels */
    uint32_t layer;
};

/* ---- texels ---- */

static double half(uint32_t h)
{
    const int e = (int)(h >> 10 & 31);
    const double m = (double)(h & 0x3ff) / 1024;
    const double v = e == 0 ? ldexp(m, -14) : ldexp(1 + m, e - 15);

    return (h & 0x8000) != 0 ? -v : v;
}

/* Channel c of the texel; as a float its number, else its bits. */
static double texel(const struct texture *t, uint32_t x, uint32_t y, uint32_t z,
                    uint32_t c)
{
    const uint8_t *p = t->data +
                       ((z * t->height + y) * t->width + x) * texture_texel(t) +
                       c * t->bits / 8;
    uint32_t v = 0;
    float f;

    memcpy(&v, p, t->bits / 8);
    if (t->kind == TEX_FLOAT && t->bits == 32) {
        memcpy(&f, &v, sizeof(f));
        return (double)f;
    }
    if (t->kind == TEX_FLOAT) {
        return half(v);
    }
    if (t->as_float) {
        return (double)((float)v / (t->bits == 8 ? 255.0f : 65535.0f));
    }
    if (t->kind == TEX_SIGNED && t->bits < 32 && (v >> (t->bits - 1) & 1) != 0) {
        v |= UINT32_MAX << t->bits;
    }
    return t->kind == TEX_SIGNED ? (double)(int32_t)v : (double)v;
}

/* An index brought inside; false: there is only the border. */
static bool inside(const struct texture *t, int i, uint32_t side, uint32_t *at)
{
    const int n = (int)side, turn = ((i % (2 * n)) + 2 * n) % (2 * n);

    switch (t->beyond) {
    case TEX_WRAP: *at = (uint32_t)(((i % n) + n) % n); return true;
    case TEX_MIRROR: *at = (uint32_t)(turn < n ? turn : 2 * n - 1 - turn); return true;
    case TEX_CLAMP: *at = (uint32_t)(i < 0 ? 0 : i >= n ? n - 1 : i); return true;
    default: *at = (uint32_t)i; return i >= 0 && i < n;
    }
}

static uint32_t axes(const struct texture *t)
{
    switch (t->shape) {
    case TEX_1D:
    case TEX_A1D: return 1;
    case TEX_3D: return 3;
    default: return 2;
    }
}

/* The texel of an index on each axis. */
static double at_index(const struct fetch *f, const int i[3], uint32_t c)
{
    const struct texture *t = f->t;
    const uint32_t side[] = {t->width, t->height, t->depth};
    uint32_t at[3] = {0, 0, f->layer};

    for (uint32_t k = 0; k < axes(t); k++) {
        if (!inside(t, i[k], side[k], &at[k])) {
            return 0;
        }
    }
    return texel(t, at[0], at[1], at[2], c);
}

static double point(const struct fetch *f, uint32_t c)
{
    int i[3];

    for (uint32_t k = 0; k < 3; k++) {
        i[k] = (int)floor(f->c[k]);
    }
    return at_index(f, i, c);
}

static double filtered(const struct fetch *f, uint32_t c)
{
    double sum = 0;

    for (uint32_t corner = 0; corner < 1u << axes(f->t); corner++) {
        double weight = 1;
        int i[3] = {0, 0, 0};

        for (uint32_t k = 0; k < axes(f->t); k++) {
            const double b = f->c[k] - 0.5, low = floor(b);
            const bool upper = (corner >> k & 1) != 0;

            i[k] = (int)low + upper;
            weight *= upper ? b - low : 1 - (b - low);
        }
        sum += weight == 0 ? 0 : weight * at_index(f, i, c);
    }
    return sum;
}

/* ---- operands ---- */

static double real(uint64_t v)
{
    const uint32_t word = (uint32_t)v;
    float f;

    memcpy(&f, &word, sizeof(f));
    return (double)f;
}

/* A face and the place on it, from a direction. */
static void cube(struct fetch *f, const double d[3])
{
    const uint32_t m = fabs(d[0]) > fabs(d[1]) && fabs(d[0]) > fabs(d[2]) ? 0
                       : fabs(d[1]) > fabs(d[2])                          ? 1
                                                                          : 2;
    const double sign = d[m] < 0 ? -1 : 1, length = fabs(d[m]);
    const double s = m == 0 ? -sign * d[2] : m == 1 ? d[0] : sign * d[0];
    const double t = m == 1 ? sign * d[2] : -d[1];

    f->layer = 2 * m + (d[m] < 0);
    f->c[0] = (s / length + 1) / 2 * f->t->width;
    f->c[1] = (t / length + 1) / 2 * f->t->height;
}

static const struct texture *object(struct interp *x, struct thread *t,
                                    const struct insn *in, const struct opnd *o)
{
    const uint64_t k = machine_reg(x, t, o->reg) - 1;

    if (k >= x->l->n_textures) {
        (void)machine_fail(x, in, "no texture");
        return NULL;
    }
    return &x->l->texture[k];
}

static bool prepare(struct interp *x, struct thread *t, const struct insn *in,
                    const struct opnd *o, struct fetch *f)
{
    const bool whole = in->ty2 == TY_S32;
    uint64_t v[4] = {0};
    double d[3];
    uint32_t first;

    f->t = object(x, t, in, &o[0]);
    if (f->t == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < 4 && o + 1 + i < in->o + in->n; i++) {
        v[i] = machine_read(x, t, &o[1 + i]);
    }
    first = f->t->shape == TEX_A1D || f->t->shape == TEX_A2D ? 1 : 0;
    f->layer = first == 1 ? (uint32_t)v[0] : 0;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t side = k == 0   ? f->t->width
                              : k == 1 ? f->t->height
                                       : f->t->depth;

        d[k] = whole ? (double)(int32_t)(uint32_t)v[first + k] : real(v[first + k]);
        f->c[k] = f->t->normalised ? d[k] * side : d[k];
    }
    if (f->t->shape == TEX_CUBE) {
        cube(f, d);
    }
    return true;
}

/* A number as the instruction's type has it. */
static uint64_t as_bits(const struct insn *in, double v)
{
    const float f = (float)v;
    uint32_t word;

    if (in->ty != TY_F32) {
        return (uint32_t)(int64_t)v;
    }
    memcpy(&word, &f, sizeof(word));
    return word;
}

static bool tex(struct interp *x, struct thread *t, const struct insn *in)
{
    struct fetch f;

    if (!prepare(x, t, in, &in->o[4], &f)) {
        return false;
    }
    for (uint32_t c = 0; c < 4; c++) {
        const double v = c >= f.t->channels ? 0
                         : f.t->filtered    ? filtered(&f, c)
                                            : point(&f, c);

        machine_write(x, t, in->o[c].reg, as_bits(in, v) ^ (in->op == x->l->plant));
    }
    return true;
}

static bool tld4(struct interp *x, struct thread *t, const struct insn *in)
{
    static const int dx[] = {0, 1, 1, 0}, dy[] = {1, 1, 0, 0};
    const uint32_t c = has(in, MOD_R) ? 0 : has(in, MOD_G) ? 1 : has(in, MOD_B) ? 2 : 3;
    struct fetch f;

    if (!prepare(x, t, in, &in->o[4], &f)) {
        return false;
    }
    for (uint32_t k = 0; k < 4; k++) {
        const int i[3] = {(int)floor(f.c[0] - 0.5) + dx[k],
                          (int)floor(f.c[1] - 0.5) + dy[k], 0};

        machine_write(x, t, in->o[k].reg,
                      as_bits(in, at_index(&f, i, c)) ^ (in->op == x->l->plant));
    }
    return true;
}

static bool query(struct interp *x, struct thread *t, const struct insn *in)
{
    const struct texture *k = object(x, t, in, &in->o[1]);

    if (k == NULL) {
        return false;
    }
    machine_write(x, t, in->o[0].reg,
                  (has(in, MOD_WIDTH)    ? k->width
                   : has(in, MOD_HEIGHT) ? k->height
                                         : k->depth) ^
                      (in->op == x->l->plant));
    return true;
}

/* ---- surfaces ---- */

/* Where the bytes are; NULL: nowhere, zeros are read and nothing is written. */
static uint8_t *surface_at(struct interp *x, struct thread *t, const struct insn *in,
                           const struct opnd *o, uint32_t bytes)
{
    const uint64_t k = machine_reg(x, t, o[0].reg) - 1;
    uint32_t at = (uint32_t)machine_read(x, t, &o[1]);
    const uint32_t row = (uint32_t)machine_read(x, t, &o[2]);
    uint32_t length;

    if (k >= x->l->n_textures || !x->l->texture[k].surface ||
        row >= x->l->texture[k].height || at % bytes != 0) {
        (void)machine_fail(x, in, "surface");
        return NULL;
    }
    length = texture_row(&x->l->texture[k]);
    if (at + bytes > length) {
        if (has(in, MOD_ZERO)) {
            return NULL;
        }
        at = length - bytes;
    }
    return x->l->texture[k].data + row * length + at;
}

static bool suld(struct interp *x, struct thread *t, const struct insn *in)
{
    const uint32_t n = in->group[0], bytes = ty_bits(in->ty) / 8;
    const uint8_t *p = surface_at(x, t, in, &in->o[n], bytes * n);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t v = 0;

        if (p != NULL) {
            memcpy(&v, p + i * bytes, bytes);
        }
        machine_write(x, t, in->o[i].reg, v ^ (in->op == x->l->plant));
    }
    return !x->failed;
}

static bool sust(struct interp *x, struct thread *t, const struct insn *in)
{
    const uint32_t n = in->group[2], bytes = ty_bits(in->ty) / 8;
    uint8_t *p = surface_at(x, t, in, &in->o[0], bytes * n);

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t v = machine_read(x, t, &in->o[3 + i]) ^ (in->op == x->l->plant);

        if (p != NULL) {
            memcpy(p + i * bytes, &v, bytes);
        }
    }
    return !x->failed;
}

static bool sured(struct interp *x, struct thread *t, const struct insn *in)
{
    uint8_t *p = surface_at(x, t, in, &in->o[0], 4);
    const uint32_t b = (uint32_t)machine_read(x, t, &in->o[3]);
    uint32_t a;
    bool less;

    if (p == NULL) {
        return !x->failed;
    }
    memcpy(&a, p, 4);
    less = in->ty == TY_S32 ? (int32_t)b < (int32_t)a : b < a;
    a = has(in, MOD_ADD) ? a + b : less == has(in, MOD_MIN) ? b : a;
    a ^= in->op == x->l->plant;
    memcpy(p, &a, 4);
    return true;
}

bool machine_texture(struct interp *x, struct thread *t, const struct insn *in)
{
    switch (in->op) {
    case OP_TEX: return tex(x, t, in);
    case OP_TLD4: return tld4(x, t, in);
    case OP_SULD: return suld(x, t, in);
    case OP_SUST: return sust(x, t, in);
    case OP_SURED: return sured(x, t, in);
    default: return query(x, t, in);
    }
}
