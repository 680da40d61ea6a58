/* Where texels lie, what coordinates lead to, what becomes of bytes: by hand and by
 * brute force. What a device gives for random samples is compared elsewhere. */
#include "mem/tex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct tex_desc of(enum isa_geom g, uint32_t w, uint32_t h, uint32_t d)
{
    struct tex_desc t = {.base = ISA_GLOBAL_BASE,
                         .layout = TEX_BLOCKS,
                         .geom = (uint8_t)g,
                         .width = w,
                         .height = h,
                         .depth = d,
                         .kind = TEX_FLOAT,
                         .bits = 32,
                         .channels = 1,
                         .address = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP}};

    tex_complete(&t);
    return t;
}

static uint32_t bits_of(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

/* Every texel has bytes of its own, all inside. */
static void check_places(struct tex_desc *d)
{
    uint8_t *taken = calloc(1, d->bytes);

    for (uint32_t z = 0; z < d->depth; z++) {
        for (uint32_t y = 0; y < d->height; y++) {
            for (uint32_t x = 0; x < d->width; x++) {
                const uint64_t at = tex_place(d, x, y, z) - d->base;

                assert_true(at + d->texel <= d->bytes);
                assert_int_equal(at % d->texel, 0);
                for (uint32_t i = 0; i < d->texel; i++) {
                    assert_int_equal(taken[at + i]++, 0);
                }
            }
        }
    }
    free(taken);
}

static void test_places(void **state)
{
    static const uint8_t layouts[] = {TEX_PITCH, TEX_BLOCKS};

    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t channels = 1; channels <= 4; channels *= 2) {
            for (uint32_t bits = 8; bits <= 32; bits *= 2) {
                for (uint32_t h = 1; h < 300; h = h * 3 + 1) {
                    struct tex_desc d = of(ISA_G_3D, 37, h, 3);

                    d.layout = layouts[k];
                    d.bits = (uint8_t)bits;
                    d.channels = (uint8_t)channels;
                    d.pitch = 0;
                    tex_complete(&d);
                    check_places(&d);
                }
            }
        }
    }
}

/* The tile as SPEC TEX-4 draws it, and blocks of tiles. */
static void test_tiles(void **state)
{
    const struct tex_desc d = of(ISA_G_2D, 64, 40, 1); /* 4 tiles wide, 5 high */

    (void)state;
    assert_int_equal(d.gobs, 8);
    assert_int_equal(tex_place(&d, 0, 0, 0) - d.base, 0);
    assert_int_equal(tex_place(&d, 3, 0, 0) - d.base, 12);
    assert_int_equal(tex_place(&d, 4, 0, 0) - d.base, 32);
    assert_int_equal(tex_place(&d, 0, 1, 0) - d.base, 16);
    assert_int_equal(tex_place(&d, 0, 2, 0) - d.base, 64);
    assert_int_equal(tex_place(&d, 8, 0, 0) - d.base, 256);
    assert_int_equal(tex_place(&d, 15, 7, 0) - d.base, 508);
    assert_int_equal(tex_place(&d, 0, 8, 0) - d.base, 512);
    assert_int_equal(tex_place(&d, 16, 0, 0) - d.base, 8 * 512);
    assert_int_equal(d.bytes, 4 * 8 * 512);
}

/* The host's rows: every byte of them has its own place, and pieces are what they say.
 */
static void test_rows(void **state)
{
    const struct tex_desc d = of(ISA_G_A2D, 21, 13, 2);
    const uint64_t pitch = tex_row_pitch(&d);

    (void)state;
    assert_int_equal(pitch, 96);
    for (uint32_t z = 0; z < 2; z++) {
        for (uint32_t y = 0; y < 13; y++) {
            for (uint32_t x = 0; x < 21; x++) {
                uint64_t at,
                    left = tex_row_piece(&d, (z * 13 + y) * pitch + x * 4, &at);

                assert_int_equal(at, tex_place(&d, x, y, z) - d.base);
                assert_int_equal(left, 16 - x * 4 % 16);
            }
        }
    }
}

struct axis {
    uint8_t mode;
    bool normalised, filtered;
    float coordinate;
    uint32_t at[2], weight; /* of 8 texels */
};

static void test_axes(void **state)
{
    static const struct axis rows[] = {
        {TEX_CLAMP, false, false, 3.99f, {3, 0}, 0},
        {TEX_CLAMP, false, false, -0.5f, {0, 0}, 0},
        {TEX_CLAMP, false, false, 8.0f, {7, 0}, 0},
        {TEX_BORDER, false, false, 8.0f, {TEX_OUTSIDE, 0}, 0},
        {TEX_WRAP, true, false, 1.125f, {1, 0}, 0},
        {TEX_WRAP, true, false, -0.0625f, {7, 0}, 0},
        {TEX_MIRROR, true, false, 1.0625f, {7, 0}, 0},
        {TEX_MIRROR, true, false, -0.0625f, {0, 0}, 0},
        {TEX_MIRROR, true, false, 2.0625f, {0, 0}, 0},
        {TEX_WRAP, false, false, 9.0f, {7, 0}, 0}, /* as clamp: not normalised */
        {TEX_CLAMP, false, true, 3.5f, {3, 4}, 0},
        {TEX_CLAMP, false, true, 4.0f, {3, 4}, 128},
        {TEX_CLAMP, false, true, 3.75f, {3, 4}, 64},
        {TEX_CLAMP, false, true, 0.25f, {0, 0}, 192},
        {TEX_CLAMP, false, true, 7.75f, {7, 7}, 64},
        {TEX_BORDER, false, true, 7.75f, {7, TEX_OUTSIDE}, 64},
        {TEX_WRAP, true, true, 0.0f, {7, 0}, 128},
        {TEX_MIRROR, true, true, 0.0f, {0, 0}, 128},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct tex_desc d = of(ISA_G_1D, 8, 1, 1);
        uint32_t at[2] = {0, 0}, weight;

        d.address[0] = rows[i].mode;
        d.normalised = rows[i].normalised;
        weight = tex_axis(&d, 0, 8, bits_of(rows[i].coordinate), rows[i].filtered, at);
        if (at[0] != rows[i].at[0] || at[1] != rows[i].at[1] ||
            weight != rows[i].weight) {
            print_error("row %u: %u %u, %u/256\n", i, at[0], at[1], weight);
        }
        assert_int_equal(at[0], rows[i].at[0]);
        assert_int_equal(at[1], rows[i].at[1]);
        assert_int_equal(weight, rows[i].weight);
    }
}

static void test_components(void **state)
{
    struct tex_desc d = of(ISA_G_1D, 8, 1, 1);
    const uint32_t raw[4] = {0x80ff7f01u, 0x3c00c000u, 0, 0};

    (void)state;
    d.bits = 8;
    d.channels = 4;
    d.kind = TEX_SIGNED;
    assert_int_equal(tex_component(&d, raw, 2, false), UINT32_MAX);
    assert_int_equal(tex_component(&d, raw, 1, true), bits_of(1.0f));
    assert_int_equal(tex_component(&d, raw, 3, true), bits_of(-1.0f));
    d.kind = TEX_UNSIGNED;
    assert_int_equal(tex_component(&d, raw, 3, false), 0x80);
    assert_int_equal(tex_component(&d, raw, 2, true), bits_of(1.0f));
    d.bits = 16;
    d.kind = TEX_FLOAT;
    assert_int_equal(tex_component(&d, raw, 2, false), bits_of(-2.0f));
    assert_int_equal(tex_component(&d, raw, 3, false), bits_of(1.0f));
}

static void test_surfaces(void **state)
{
    struct tex_desc d = of(ISA_G_A2D, 16, 4, 3);
    const int32_t in[4] = {2, 8, 3, 0}, far[4] = {2, 64, 3, 0}, odd[4] = {2, 6, 3, 0};
    const int32_t before[4] = {-1, -8, -1, 0};
    uint64_t at = 0;

    (void)state;
    assert_int_equal(tex_surface(&d, ISA_G_A2D, false, in, 4, &at), TEX_INSIDE);
    assert_int_equal(at, tex_place(&d, 2, 3, 2));
    assert_int_equal(tex_surface(&d, ISA_G_A2D, false, far, 4, &at),
                     TEX_SURFACE_OUTSIDE);
    assert_int_equal(tex_surface(&d, ISA_G_A2D, true, far, 4, &at), TEX_INSIDE);
    assert_int_equal(at, tex_place(&d, 15, 3, 2));
    assert_int_equal(tex_surface(&d, ISA_G_A2D, true, before, 8, &at), TEX_INSIDE);
    assert_int_equal(at, tex_place(&d, 0, 0, 0));
    assert_int_equal(tex_surface(&d, ISA_G_A2D, true, odd, 4, &at), TEX_MISALIGNED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),     cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_axes),
        cmocka_unit_test(test_components), cmocka_unit_test(test_surfaces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
