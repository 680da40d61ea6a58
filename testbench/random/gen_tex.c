/*
 * Textures and a surface.
 *
 * Coordinates are eighths of a texel, of textures whose sides are powers of two, and
 * texels that are filtered are small whole numbers: any arithmetic gives the same then.
 * %o0 to %o3 are the objects, %e the coordinates, %i what is fetched. The surface has a
 * row of 32 bytes for each thread of the grid, %q0 its number.
 */
#include "gen_priv.h"

#include <string.h>

enum { SURFACE_ROW = 32 };

static const char *const geometry[N_TEX_SHAPES] = {"1d",  "2d",  "3d",
                                                   "a1d", "a2d", "cube"};

static void fill(struct gen *g, struct texture *t)
{
    const uint32_t all = texture_row(t) * t->height * t->depth;

    memset(t->data, 0, sizeof(t->data));
    for (uint32_t i = 0; i < all; i += t->bits / 8) {
        const uint32_t small = gen_below(g, 16);
        const float f = (float)small - 8;
        /* whole numbers up to 15 as halves */
        const uint16_t h[] = {0,      0x3c00, 0x4000, 0x4200, 0x4400, 0x4500,
                              0x4600, 0x4700, 0x4800, 0x4880, 0x4900, 0x4980,
                              0x4a00, 0x4a80, 0x4b00, 0x4b80};
        const uint32_t any = (uint32_t)(rng_next(&g->rng) >> 32);

        if (t->kind != TEX_FLOAT) {
            memcpy(t->data + i, &any, t->bits / 8);
        } else if (t->bits == 16) {
            memcpy(t->data + i, &h[small], 2);
        } else {
            memcpy(t->data + i, &f, 4);
        }
    }
}

static void sides(struct gen *g, struct texture *t)
{
    t->width = 4u << gen_below(g, 2);
    t->height = t->depth = 1;
    switch (t->shape) {
    case TEX_2D: t->height = 4u << gen_below(g, 2); break;
    case TEX_3D: t->height = t->depth = 4; break;
    case TEX_A1D: t->depth = 1 + gen_below(g, 4); break;
    case TEX_A2D:
        t->height = 4;
        t->depth = 1 + gen_below(g, 4);
        break;
    case TEX_CUBE:
        t->width = t->height = 4;
        t->depth = 6;
        break;
    default: break;
    }
}

static void one(struct gen *g, struct texture *t)
{
    memset(t, 0, sizeof(*t));
    t->shape = (uint8_t)gen_below(g, N_TEX_SHAPES);
    t->kind = (uint8_t)gen_below(g, 3);
    t->bits = t->kind == TEX_FLOAT ? 16u << gen_below(g, 2) : 8u << gen_below(g, 3);
    t->channels = 1u << gen_below(g, 3);
    t->linear_memory = t->shape == TEX_1D && gen_chance(g, 40);
    t->normalised = !t->linear_memory && (t->shape == TEX_CUBE || gen_chance(g, 50));
    t->filtered = t->kind == TEX_FLOAT && !t->linear_memory && t->shape != TEX_CUBE &&
                  gen_chance(g, 60);
    t->as_float = t->kind == TEX_UNSIGNED && t->bits < 32 && gen_chance(g, 40);
    t->beyond = (uint8_t)(t->normalised       ? gen_below(g, 4)
                          : gen_chance(g, 50) ? TEX_CLAMP
                                              : TEX_BORDER);
    sides(g, t);
    /* How a device splits the weights of three axes, and mixes with a border, is its
     * own affair: SPEC TEX-3. */
    if (t->filtered && (t->shape == TEX_3D || t->beyond == TEX_BORDER)) {
        t->filtered = false;
    }
    fill(g, t);
}

void gen_tex_choose(struct gen *g)
{
    struct gen_program *p = g->p;
    struct texture *s = &p->texture[MAX_TEXTURES - 1];

    p->n_textures = MAX_TEXTURES;
    for (uint32_t i = 0; i + 1 < MAX_TEXTURES; i++) {
        one(g, &p->texture[i]);
    }
    memset(s, 0, sizeof(*s));
    *s = (struct texture){.shape = TEX_2D,
                          .kind = TEX_UNSIGNED,
                          .surface = true,
                          .width = SURFACE_ROW / 4,
                          .height = p->n_threads * p->n_blocks,
                          .depth = 1,
                          .bits = 32,
                          .channels = 1};
    for (uint32_t i = 0; i < s->height * SURFACE_ROW; i++) {
        s->data[i] = (uint8_t)(rng_next(&g->rng) >> 56);
    }
}

/* The number of the thread in the grid is in %t1 when this is written. */
void gen_tex_places(struct gen *g)
{
    put(g, "\t.reg .b64 %o<4>;\n\t.reg .f32 %e<4>;\n\t.reg .b32 %i<4>;\n"
           "\t.reg .b32 %q<4>;\n\tmov.b32 %q0, %t1; //=\n");
    for (uint32_t i = 0; i < MAX_TEXTURES; i++) {
        putf(g, "\tld.param.u64 %o%u, [pb+%u]; //=\n", i, g->p->n_params + 8 * i);
    }
}

/* ---- textures ---- */

/* %eN: from beyond one edge to beyond the other, in eighths of a texel. */
static void coordinate(struct gen *g, uint32_t n, uint32_t side, bool normalised)
{
    const uint32_t span = 8 * side * 2; /* a power of two */

    putf(g, "\tand.b32 %q1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n\tsub.s32 %q1, %q1, %u; //=\n", span - 1, span / 4);
    putf(g, "\tcvt.rn.f32.s32 %e%u, %q1; //=\n\tmul.f32 %e%u, %e%u, ", n, n, n);
    put(g, !normalised ? "0f3e000000" /* 1/8 */
           : side == 4 ? "0f3d000000"
           : side == 8 ? "0f3c800000"
                       : "0f3c000000");
    put(g, "; //=\n");
}

/* A direction that is clearly of one face: %e0 to %e2. */
static void direction(struct gen *g)
{
    const uint32_t major = gen_below(g, 3);

    for (uint32_t i = 0; i < 3; i++) {
        putf(g, "\tand.b32 %q1, ");
        gen_reg(g, CLASS_R);
        put(g, i == major ? ", 1; //=\n\tmad.lo.s32 %q1, %q1, 16, -8; //=\n"
                          : ", 7; //=\n\tmad.lo.s32 %q1, %q1, 2, -7; //=\n");
        putf(g, "\tcvt.rn.f32.s32 %e%u, %q1; //=\n", i);
    }
}

static void layer(struct gen *g, const struct texture *t)
{
    put(g, "\trem.u32 %q2, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n", t->depth);
}

/* Whole texels, inside: %q1 to %q3. */
static void numbers(struct gen *g, const struct texture *t)
{
    const uint32_t side[] = {t->width, t->height, t->depth};

    for (uint32_t i = 0; i < 3; i++) {
        putf(g, "\trem.u32 %q%u, ", i + 1);
        gen_reg(g, CLASS_R);
        putf(g, ", %u; //=\n", side[i]);
    }
}

static void fetched(struct gen *g, const struct texture *t, uint32_t n)
{
    (void)t;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = gen_below(g, g->n_regs[CLASS_R]);

        putf(g, "\txor.b32 %r%u, %r%u, %i%u;\n", r, r, i);
    }
}

static const char *texel_type(const struct texture *t)
{
    return t->kind == TEX_FLOAT || t->as_float ? "f32"
           : t->kind == TEX_SIGNED             ? "s32"
                                               : "u32";
}

static void fetch(struct gen *g, uint32_t k)
{
    const struct texture *t = &g->p->texture[k];
    const bool whole = t->linear_memory || (t->shape <= TEX_3D && !t->normalised &&
                                            !t->filtered && gen_chance(g, 30));
    static const char *const floats[N_TEX_SHAPES] = {
        "{%e0}",      "{%e0, %e1}",           "{%e0, %e1, %e2, %e2}",
        "{%q2, %e0}", "{%q2, %e0, %e1, %e1}", "{%e0, %e1, %e2, %e2}"};
    static const char *const whole_ones[] = {"{%q1}", "{%q1, %q2}",
                                             "{%q1, %q2, %q3, %q3}"};

    if (whole) {
        numbers(g, t);
    } else if (t->shape == TEX_CUBE) {
        direction(g);
    } else {
        coordinate(g, 0, t->width, t->normalised);
        coordinate(g, 1, t->height > 1 ? t->height : 4, t->normalised);
        coordinate(g, 2, 4, t->normalised);
        layer(g, t);
    }
    putf(g, "\ttex.%s.v4.%s.%s {%i0, %i1, %i2, %i3}, [%o", geometry[t->shape],
         texel_type(t), whole ? "s32" : "f32");
    putf(g, "%u, %s];\n", k, whole ? whole_ones[t->shape] : floats[t->shape]);
    fetched(g, t, t->channels);
}

/* One channel of four texels. */
static void gather(struct gen *g, uint32_t k)
{
    const struct texture *t = &g->p->texture[k];
    static const char names[] = "rgba";
    char channel[2] = {names[gen_below(g, t->channels)], '\0'};

    if (t->shape != TEX_2D) {
        fetch(g, k);
        return;
    }
    coordinate(g, 0, t->width, t->normalised);
    coordinate(g, 1, t->height, t->normalised);
    putf(g, "\ttld4.%s.2d.v4.%s.f32 {%i0, %i1, %i2, %i3}, [%o", channel, texel_type(t));
    putf(g, "%u, {%e0, %e1}];\n", k);
    fetched(g, t, 4);
}

static void query(struct gen *g, uint32_t k)
{
    const struct texture *t = &g->p->texture[k];

    if (t->surface) {
        gen_expand(g, "\tsuq.{width|height}.b32 %i0, [%o", "");
    } else if (t->shape == TEX_A1D || t->shape == TEX_A2D) {
        gen_expand(g, "\ttxq.{width|array_size}.b32 %i0, [%o", "");
    } else {
        gen_expand(g,
                   t->shape == TEX_3D   ? "\ttxq.{width|height|depth}.b32 %i0, [%o"
                   : t->shape == TEX_1D ? "\ttxq.width.b32 %i0, [%o"
                                        : "\ttxq.{width|height}.b32 %i0, [%o",
                   "");
    }
    putf(g, "%u];\n", k);
    fetched(g, t, 1);
}

/* ---- the surface ---- */

/* %q1: a byte of a row of 32, perhaps one beyond it. */
static void surface(struct gen *g)
{
    const uint32_t log = gen_below(g, 4), bits = 8u << log;
    const uint32_t n = 1u << gen_below(g, log == 3 ? 2 : 3), kind = gen_below(g, 5);
    const char *outside = gen_chance(g, 50) ? "zero" : "clamp";
    const char *class = log < 2 ? "%h" : log == 2 ? "%r" : "%d";
    const bool atomic = kind == 4;

    put(g, "\tand.b32 %q1, ");
    gen_reg(g, CLASS_R);
    putf(g, ", %u; //=\n",
         (atomic  ? 63u
          : n > 1 ? 31u
                  : 63u) &
             ~(bits / 8 * n - 1) & (atomic ? ~3u : ~0u));
    if (atomic) {
        gen_expand(g, "\tsured.b.{add|min|max}.2d.{u32|s32}.", "");
        putf(g, "%s [%o3, {%q1, %q0}], ", outside);
        gen_reg(g, CLASS_R);
        put(g, "; //=\n");
        return;
    }
    putf(g, kind < 2 ? "\tsuld.b.2d.%sb%u.%s " : "\tsust.b.2d.%sb%u.%s ",
         n == 1   ? ""
         : n == 2 ? "v2."
                  : "v4.",
         bits, outside);
    if (kind >= 2) {
        put(g, "[%o3, {%q1, %q0}], ");
    }
    put(g, n > 1 ? "{" : "");
    for (uint32_t i = 0, first = gen_below(g, 4); i < n; i++) {
        putf(g, "%s%s%u", i > 0 ? ", " : "", class, (first + i) % 4);
    }
    put(g, n > 1 ? "}" : "");
    put(g, kind < 2 ? ", [%o3, {%q1, %q0}];\n" : ";\n");
}

void gen_tex(struct gen *g)
{
    const uint32_t kind = gen_below(g, 10), k = gen_below(g, MAX_TEXTURES - 1);

    if (kind < 5) {
        fetch(g, k);
    } else if (kind < 6) {
        gather(g, k);
    } else if (kind < 7) {
        query(g, gen_below(g, MAX_TEXTURES));
    } else {
        surface(g);
    }
}
