/* Samples of textures against what an H100 gave: golden/data/textures-h100.csv.
 * Contents and coordinates are drawn here as the program that made the table drew them.
 */
#include "mem/tex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum kind { K_1D, K_2D, K_3D, K_A1D, K_A2D, K_CUBE, K_ACUBE, K_LINEAR, K_PITCH };
enum format { F_U8, F_S8, F_U16, F_S16, F_U32, F_S32, F_F16, F_F32 };
enum { SAMPLES = 192, BY_NUMBER = 5 }; /* op 1 to 4: a gather */

struct row {
    uint32_t kind, format, channels, width, height, depth, linear, address[3];
    uint32_t normalised, as_float, op, seed;
    unsigned long long hash;
};

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static uint32_t draw(uint32_t seed, uint32_t i)
{
    return mix(mix(seed * 0x9e3779b9u + 1) ^ (i * 0x85ebca6bu + 0x1234567u));
}

static float float_of(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

/* A component of a texel: floats are of middling size, integers anything. */
static uint32_t content(const struct row *r, uint32_t index)
{
    const uint32_t v = draw(r->seed, index);

    switch ((enum format)r->format) {
    case F_U8:
    case F_S8: return v & 0xff;
    case F_U16:
    case F_S16: return v & 0xffff;
    case F_F16: return (v & 0x8000u) | ((8 + (v >> 16) % 14) << 10) | (v & 0x3ff);
    case F_F32:
        return (v & 0x80000000u) | ((120 + (v >> 23 & 7)) << 23) | (mix(v) & 0x7fffff);
    case F_U32:
    case F_S32: break;
    }
    return v;
}

/* NaN, infinities, zeros, tiny and huge numbers, neighbours of 1 and 1/2, edges. */
static float special(uint32_t i, float size)
{
    static const uint32_t s[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u,
                                 0u,          1u,          0x80000001u, 0x7f7fffffu,
                                 0xff7fffffu, 0x4f000000u, 0xcf000000u, 0x4effffffu,
                                 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0xbf800000u,
                                 0x3f000000u, 0xbf000000u, 0x3effffffu, 0x3f000001u,
                                 0x40000000u, 0x3fffffffu, 0xb3800000u, 0x33800000u,
                                 0x4b000000u, 0x4b800000u, 0x5f000000u, 0xdf000000u};
    const uint32_t n = ARRAY_LEN(s), k = i % (n + 4);

    return k < n ? float_of(s[k]) : size + (float)(k - n) * 0.5f - 1.0f;
}

static float coordinate(const struct row *r, uint32_t i, uint32_t k)
{
    const uint32_t size = k == 0 ? r->width : k == 1 ? r->height : r->depth;
    const uint32_t v = draw(r->seed + 77 + k, i), q = mix(v);
    const float s = (float)size;
    float x;

    if (i < 64 && (i + k) % 3 != 1) {
        return special(i * 7 + k * 11, s);
    }
    if (r->kind == K_CUBE || r->kind == K_ACUBE) {
        return i % 8 == 7 ? (float)((int)(v % 5) - 2) * 0.5f
                          : (float)(int32_t)q * 4.656612873e-10f;
    }
    switch (i % 4) {
    case 0: x = (float)((int)(v % (64 * size)) - (int)(16 * size)) / 32.0f; break;
    case 1:
        x = (float)(v % (2 * size)) * 0.5f;
        x = float_of(bits_of(x) + q % 5 - (x > 0 ? 2 : 0));
        break;
    default:
        x = s * (-0.75f + 2.5f * ((float)(v >> 8) * 5.9604644775390625e-8f));
        break;
    }
    return r->normalised != 0 ? x / s : x;
}

/* As a device converts: towards 0, the nearest there is, a NaN is 0. */
static uint32_t integer_of(float f)
{
    if (f != f) {
        return 0;
    }
    return f >= 2147483648.0f   ? 0x7fffffffu
           : f < -2147483648.0f ? 0x80000000u
                                : (uint32_t)(int32_t)f;
}

static struct tex_desc describe(const struct row *r)
{
    static const uint8_t geom[] = {ISA_G_1D,    ISA_G_2D,  ISA_G_3D,
                                   ISA_G_A1D,   ISA_G_A2D, ISA_G_CUBE,
                                   ISA_G_ACUBE, ISA_G_1D,  ISA_G_2D};
    static const uint8_t bits[] = {8, 8, 16, 16, 32, 32, 16, 32};
    const bool flat = r->kind == K_1D || r->kind == K_A1D || r->kind == K_LINEAR;
    const bool single = r->kind == K_1D || r->kind == K_2D || r->kind >= K_LINEAR;
    struct tex_desc d = {.base = ISA_GLOBAL_BASE,
                         .layout = r->kind == K_LINEAR ? TEX_LINEAR : TEX_BLOCKS,
                         .geom = geom[r->kind],
                         .width = r->width,
                         .height = flat ? 1 : r->height,
                         .depth = r->kind == K_CUBE    ? 6
                                  : r->kind == K_ACUBE ? 6 * r->depth
                                  : single             ? 1
                                                       : r->depth,
                         .kind = r->format >= F_F16   ? TEX_FLOAT
                                 : r->format % 2 != 0 ? TEX_SIGNED
                                                      : TEX_UNSIGNED,
                         .bits = bits[r->format],
                         .channels = (uint8_t)r->channels,
                         .linear = r->linear != 0,
                         .normalised = r->normalised != 0,
                         .as_float = r->as_float != 0,
                         .border = {0.25f, 0.5f, 0.75f, 1.0f}};

    for (uint32_t i = 0; i < 3; i++) {
        d.address[i] = (uint8_t)r->address[i];
    }
    tex_complete(&d);
    return d;
}

static uint8_t *fill(const struct row *r, const struct tex_desc *d)
{
    uint8_t *bytes = calloc(1, d->bytes);
    uint32_t index = 0;

    for (uint32_t z = 0; z < d->depth; z++) {
        for (uint32_t y = 0; y < d->height; y++) {
            for (uint32_t x = 0; x < d->width; x++) {
                for (uint32_t k = 0; k < r->channels; k++, index++) {
                    const uint32_t v = content(r, index);

                    memcpy(bytes + (tex_place(d, x, y, z) - d->base) + k * d->bits / 8,
                           &v, d->bits / 8);
                }
            }
        }
    }
    return bytes;
}

/* The words of 32 samples from first on. */
static void sample(const struct row *r, const struct tex_desc *d, const uint8_t *bytes,
                   uint32_t first, uint32_t out[4][ISA_LANES])
{
    static struct tex_work w;
    uint32_t coord[3][ISA_LANES], layer[ISA_LANES];
    const uint32_t behind = tex_has_layer((enum isa_geom)d->geom) ? 1 : 0;
    struct tex_call c = {.integer = r->op == BY_NUMBER,
                         .gather = (uint8_t)(r->op == BY_NUMBER ? 0 : r->op)};

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        for (uint32_t k = 0; k < 3; k++) {
            const float f = coordinate(r, first + l, k);

            coord[k][l] = c.integer ? integer_of(f) : bits_of(f);
        }
        layer[l] = draw(r->seed + 99, first + l) % (r->depth + 4) - 2;
    }
    c.coord[0] = behind != 0 ? layer : coord[0];
    for (uint32_t k = behind; k < 3 + behind; k++) {
        c.coord[k] = coord[k - behind];
    }
    tex_plan(d, &c, UINT32_MAX, &w);
    for (uint32_t k = 0; k < w.n; k++) {
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            if (w.addr[k][l] != 0) {
                tex_take(&w, k, l, bytes + (w.addr[k][l] - d->base));
            }
        }
    }
    tex_finish(&w, out);
}

static unsigned long long hash_of(const struct row *r)
{
    const struct tex_desc d = describe(r);
    uint8_t *bytes = fill(r, &d);
    unsigned long long hash = 0xcbf29ce484222325ull;

    for (uint32_t first = 0; first < SAMPLES; first += ISA_LANES) {
        uint32_t out[4][ISA_LANES];

        sample(r, &d, bytes, first, out);
        for (uint32_t i = 0; i < 16 * ISA_LANES; i++) { /* bytes of each sample */
            hash ^= out[i / 4 % 4][i / 16] >> i % 4 * 8 & 255;
            hash *= 0x100000001b3ull;
        }
    }
    free(bytes);
    return hash;
}

static bool parse(const char *line, struct row *r)
{
    return sscanf(line, "%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%llx", &r->kind,
                  &r->format, &r->channels, &r->width, &r->height, &r->depth,
                  &r->linear, &r->address[0], &r->address[1], &r->address[2],
                  &r->normalised, &r->as_float, &r->op, &r->seed, &r->hash) == 15;
}

static const char *folder;

static void test_samples(void **state)
{
    char path[512], line[256];
    uint32_t n = 0, n_bad = 0;
    FILE *f;

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/textures-h100.csv", folder);
    f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        struct row r;

        if (!parse(line, &r)) {
            continue;
        }
        n++;
        if (hash_of(&r) != r.hash) {
            print_error("differs: %s", line);
            n_bad++;
        }
    }
    (void)fclose(f);
    print_message("%u textures, %u samples each\n", n, SAMPLES);
    assert_true(n > 500);
    assert_int_equal(n_bad, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};

    if (argc != 2) {
        return 2;
    }
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
