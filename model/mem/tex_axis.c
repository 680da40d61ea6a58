/* From coordinates to texels and weights: SPEC TEX-1, TEX-2. */
#include "mem/tex.h"

#include <string.h>

enum {
    ONE = 256,        /* a texel, in units of the weights */
    NORMAL_BITS = 21, /* behind the point of a normalised coordinate */
    PLAIN_BITS = 9    /* of another; the tenth does not decide a rounding */
};

/* The largest integer that is not above v, whose magnitude is below 2^62. */
static int64_t floor_of(double v)
{
    const int64_t i = (int64_t)v;

    return (double)i > v ? i - 1 : i;
}

static int64_t modulo(int64_t a, int64_t n)
{
    const int64_t r = a % n;

    return r < 0 ? r + n : r;
}

/* SPEC TEX-2. */
static uint32_t wrapped(enum tex_address mode, bool normalised, int64_t i, uint32_t n)
{
    if ((uint64_t)i < n) {
        return (uint32_t)i;
    }
    if (mode == TEX_BORDER) {
        return TEX_OUTSIDE;
    }
    if (normalised && mode == TEX_WRAP) {
        return (uint32_t)modulo(i, n);
    }
    if (normalised && mode == TEX_MIRROR) {
        i = modulo(i, 2 * (int64_t)n);
        return (uint32_t)(i < n ? i : 2 * (int64_t)n - 1 - i);
    }
    return i < 0 ? 0 : n - 1;
}

/* v / 2^bits, rounded down. */
static int64_t shifted(int64_t v, uint32_t bits)
{
    return v >= 0 ? v >> bits : -((-v + (1ll << bits) - 1) >> bits);
}

/* Where f is along n texels, in units of 1 / 2^*bits of a texel. */
static int64_t position(const struct tex_desc *d, float f, uint32_t n, uint32_t *bits)
{
    const double far = 1048576.0; /* so much beyond that all modes have repeated */
    double v = f;

    if (d->normalised) { /* a number of 21 bits behind the point first */
        v = v > far ? far : v < -far ? -far : v;
        *bits = NORMAL_BITS;
        return floor_of(v * (double)(1u << NORMAL_BITS)) * n;
    }
    v = v > 4 * far * far ? 4 * far * far : v < -4 * far * far ? -4 * far * far : v;
    *bits = PLAIN_BITS;
    return floor_of(v * (double)(1u << PLAIN_BITS));
}

uint32_t tex_axis(const struct tex_desc *d, uint32_t axis, uint32_t n, uint32_t bits,
                  bool filtered, uint32_t at[2])
{
    const enum tex_address mode = (enum tex_address)d->address[axis];
    const bool tiny = (bits & 0x7f800000u) == 0; /* counts as 0 */
    const float f = tiny ? 0.0f : bits_f32(bits);
    uint32_t point;
    int64_t i = position(d, f != f ? 0.0f : f, n, &point);

    if (!filtered) {
        at[0] = wrapped(mode, d->normalised, shifted(i, point), n);
        return 0;
    }
    i = shifted(i + (1ll << (point - 9)), point - 8) - ONE / 2;
    at[0] = wrapped(mode, d->normalised, shifted(i, 8), n);
    at[1] = wrapped(mode, d->normalised, shifted(i, 8) + 1, n);
    return (uint32_t)(i & (ONE - 1));
}

uint32_t tex_face(const uint32_t xyz[3], uint32_t st[2])
{
    const float x = bits_f32(xyz[0]), y = bits_f32(xyz[1]), z = bits_f32(xyz[2]);
    const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
    float m, s, t;
    uint32_t face;

    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4;
        m = az;
        s = z < 0 ? -x : x;
        t = -y;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2;
        m = ay;
        s = x;
        t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0;
        m = ax;
        s = x < 0 ? z : -z;
        t = -y;
    }
    st[0] = bits_of_f32((s / m + 1.0f) / 2.0f);
    st[1] = bits_of_f32((t / m + 1.0f) / 2.0f);
    return face;
}

/* ---- a lane ---- */

struct spot { /* texels along each axis, and the layer */
    uint32_t at[3][2];
    uint32_t z;
};

static uint64_t place(const struct tex_desc *d, const struct spot *s, uint32_t k,
                      uint32_t dims)
{
    const uint32_t x = s->at[0][k & 1], y = s->at[1][k >> 1 & 1];
    const uint32_t z = dims == 3 ? s->at[2][k >> 2 & 1] : s->z;

    return x == TEX_OUTSIDE || y == TEX_OUTSIDE || z == TEX_OUTSIDE
               ? 0
               : tex_place(d, x, y, z);
}

/* A layer's number, unsigned: beyond the last it is the last. */
static uint32_t layer_of(uint32_t bits, uint32_t n)
{
    return bits < n ? bits : n - 1;
}

/* An integer coordinate is a texel's number; outside there is 0. */
static uint32_t index_of(uint32_t bits, uint32_t n)
{
    return bits < n ? bits : TEX_OUTSIDE;
}

/* A row with a border above and below, with which it is filtered too. */
static bool is_flat(const struct tex_desc *d)
{
    return tex_dims((enum isa_geom)d->geom) == 1 && d->address[1] == TEX_BORDER;
}

static void find(const struct tex_desc *d, const struct tex_call *c, uint32_t lane,
                 bool filtered, struct tex_work *w, struct spot *s)
{
    const uint32_t size[3] = {d->width, d->height, d->depth};
    const enum isa_geom g = (enum isa_geom)d->geom;
    const bool cube = g == ISA_G_CUBE || g == ISA_G_ACUBE;
    const uint32_t first = tex_has_layer(g) ? 1 : 0;
    const uint32_t dims = cube ? 2 : tex_dims(g);
    uint32_t coord[3] = {0, 0, 0}, st[2];
    const uint32_t layers = cube ? d->depth / 6 : d->depth;
    const uint32_t flat = filtered && is_flat(d); /* the height, at 0 */

    memset(s, 0, sizeof(*s));
    s->z = first != 0 ? layer_of(c->coord[0][lane], layers) : 0;
    for (uint32_t a = 0; a < tex_dims(g); a++) {
        coord[a] = c->coord[first + a][lane];
    }
    if (cube) {
        s->z = s->z * 6 + tex_face(coord, st);
        coord[0] = st[0];
        coord[1] = st[1];
    }
    for (uint32_t a = 0; a < dims + flat; a++) {
        if (c->integer) {
            s->at[a][0] = index_of(coord[a], size[a]);
        } else {
            w->weight[a][lane] =
                (uint16_t)tex_axis(d, a, size[a], coord[a], filtered, s->at[a]);
        }
    }
}

void tex_plan(const struct tex_desc *d, const struct tex_call *c, uint32_t mask,
              struct tex_work *w)
{
    /* of a gather: the four around, in the order of the result */
    static const uint8_t around[4] = {2, 3, 1, 0};
    const enum isa_geom g = (enum isa_geom)d->geom;
    const uint32_t dims = g == ISA_G_CUBE || g == ISA_G_ACUBE ? 2 : tex_dims(g);
    const bool filtered =
        c->gather != 0 || (d->linear && !c->integer && d->layout != TEX_LINEAR);
    struct spot s;

    w->desc = d;
    w->mask = mask;
    w->gather = c->gather;
    w->by_number = c->integer;
    w->n = (uint8_t)(c->gather != 0 ? 4 : filtered ? 1u << (dims + is_flat(d)) : 1u);
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);

        find(d, c, lane, filtered, w, &s);
        for (uint32_t k = 0; k < w->n; k++) {
            w->addr[k][lane] = place(d, &s, c->gather != 0 ? around[k] : k, dims);
        }
    }
}
