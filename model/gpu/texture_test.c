/* Textures and surfaces through the public API: objects, references, what is counted,
 * what is a fault, on devices with a cache of their own for textures and without. */
#include "gpu/device_test.h"

/* Texel (tid, block) of the object in in[0]: a row of 32 floats for each block. */
#define SAMPLE                                                                         \
    "ld.global.u64 %rd3, [%rd2]; cvt.rn.f32.u32 %f1, %r1; cvt.rn.f32.u32 %f2, %r2;\n"  \
    "add.f32 %f1, %f1, 0.5; add.f32 %f2, %f2, 0.5;\n"

static const char kernels[] =
    PTX_HEAD ".global .texref picture;\n.global .surfref canvas;\n" BODY(
        "object", SAMPLE "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd3, {%f1, %f2}];\n"
                         "add.f32 %f3, %f3, %f6; st.global.f32 [%rd1], %f3;")
        BODY("reference",
             SAMPLE "tex.2d.v4.f32.f32 {%f3, _, _, _}, [picture, {%f1, %f2}];\n"
                    "st.global.f32 [%rd1], %f3;")
            BODY("twice",
                 SAMPLE "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd3, {%f1, %f2}];\n"
                        "bar.sync 0;\n"
                        "tex.2d.v4.f32.f32 {%f6, %f4, %f5, %f7}, [%rd3, {%f1, %f2}];\n"
                        "add.f32 %f3, %f3, %f6; st.global.f32 [%rd1], %f3;")
                BODY("volume", SAMPLE
                     "tex.3d.v4.f32.f32 {%f3, _, _, _}, [%rd3, {%f1, %f2, %f2, %f2}];")
    /* even lanes name in[0], odd ones in[1] */
    BODY("two", "and.b32 %r3, %r1, 1; mul.wide.u32 %rd4, %r3, 8;\n"
                "add.u64 %rd2, %rd2, %rd4;\n" SAMPLE
                "tex.2d.v4.f32.f32 {%f3, _, _, _}, [%rd3, {%f1, %f2}];\n"
                "st.global.f32 [%rd1], %f3;")
        BODY("query", "ld.global.u64 %rd3, [%rd2];\n"
                      "txq.width.b32 %r3, [%rd3];\n"
                      "txq.height.b32 %r4, [%rd3];\n"
                      "mad.lo.u32 %r3, %r3, 1000, %r4;\n"
                      "st.global.u32 [%rd1], %r3;")
    /* one beyond the row, kept by zero and clamp, +1 in between */
    BODY("draw", "mul.lo.u32 %r3, %r1, 4; add.u32 %r3, %r3, 4;\n"
                 "sust.b.2d.b32.zero [canvas, {%r3, %r2}], {%r1};\n"
                 "mov.u32 %r4, 1000; sub.u32 %r5, %r3, 4;\n"
                 "sured.b.add.2d.u32.zero [canvas, {%r5, %r2}], %r4;\n"
                 "bar.sync 0; membar.gl;\n"
                 "suld.b.2d.b32.clamp {%r6}, [canvas, {%r3, %r2}];\n"
                 "st.global.u32 [%rd1], %r6;")
        BODY("outside", "mov.u32 %r3, 128;\n"
                        "suld.b.2d.b32.trap {%r6}, [canvas, {%r3, %r2}];");

enum { ROWS = 8, WIDTH = 32 };

static struct smw_texture picture_of(uint64_t addr, enum smw_layout layout)
{
    return (struct smw_texture){.shape = SMW_2D,
                                .layout = layout,
                                .addr = addr,
                                .width = WIDTH,
                                .height = ROWS,
                                .kind = SMW_FLOAT,
                                .bits = 32,
                                .channels = 1,
                                .beyond = {SMW_CLAMP, SMW_CLAMP, SMW_CLAMP}};
}

static float texel(uint32_t x, uint32_t y)
{
    return (float)(100 * y + x);
}

/* An array of ROWS rows, and a texture of it. */
static uint64_t make(struct dt *t, uint64_t *addr)
{
    struct smw_texture p = picture_of(0, SMW_ARRAY);
    float row[WIDTH];
    uint64_t pitch, object;
    struct smw_err e = {0};

    dt_ok(smw_array(t->d, &p, addr, &pitch, &e), &e);
    assert_int_equal(pitch, sizeof(row));
    for (uint32_t y = 0; y < ROWS; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            row[x] = texel(x, y);
        }
        dt_ok(smw_write(t->d, *addr + y * pitch, row, sizeof(row), &e), &e);
    }
    p.addr = *addr;
    dt_ok(smw_texture_new(t->d, &p, &object, &e), &e);
    return object;
}

static void give(struct dt *t, uint64_t a, uint64_t b)
{
    const uint64_t objects[2] = {a, b};
    struct smw_err e = {0};

    dt_ok(smw_write(t->d, t->in, objects, sizeof(objects), &e), &e);
}

static void check_rows(struct dt *t, uint32_t rows, float times)
{
    for (uint32_t i = 0; i < rows * WIDTH; i++) {
        float f;

        memcpy(&f, &t->words[i], sizeof(f));
        assert_true(f == times * texel(i % WIDTH, i / WIDTH));
    }
}

static const char *const devices[] = {"gtx480", "gtx680", "gtx980", "v100", "h100"};

/* The same answers with time and without, by object and by reference. */
static void test_answers(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(devices); i++) {
        struct dt *t = dt_open_with(devices[i], "gpu.sms=2", NULL, kernels);
        struct smw_err e = {0};
        struct smw_launch l = dt_shape(ROWS, WIDTH);
        uint64_t addr, object = make(t, &addr);

        give(t, object, 0);
        dt_run(t, "object", ROWS, WIDTH);
        check_rows(t, ROWS, 1);
        dt_ok(smw_write_symbol(t->m, "picture", 0, &object, 8, &e), &e);
        dt_run(t, "reference", ROWS, WIDTH);
        check_rows(t, ROWS, 1);
        l.functional = true;
        dt_ok(dt_queue(t, "twice", l, &e) && smw_synchronize(t->d, &e), &e);
        dt_fetch(t);
        check_rows(t, ROWS, 2);
        dt_run(t, "query", 1, 1);
        assert_int_equal(t->words[0], WIDTH * 1000 + ROWS);
        dt_close(t);
    }
}

/* What a kernel before has looked up is forgotten: the host has changed it since. */
static void test_changed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(devices); i++) {
        struct dt *t = dt_open_with(devices[i], "gpu.sms=1", NULL, kernels);
        struct smw_err e = {0};
        uint64_t addr;
        float row[WIDTH];

        give(t, make(t, &addr), 0);
        dt_run(t, "object", ROWS, WIDTH);
        check_rows(t, ROWS, 1);
        for (uint32_t y = 0; y < ROWS; y++) {
            for (uint32_t x = 0; x < WIDTH; x++) {
                row[x] = 3 * texel(x, y);
            }
            dt_ok(smw_write(t->d, addr + y * sizeof(row), row, sizeof(row), &e), &e);
        }
        dt_run(t, "object", ROWS, WIDTH);
        check_rows(t, ROWS, 3);
        dt_close(t);
    }
}

/* A row of 32 texels is 4 bytes wide in 8 sectors of 16 bytes by two rows: each quad
 * looks one up, all miss, and hit when they come again. */
static void test_counters(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(devices); i++) {
        struct dt *t = dt_open_with(devices[i], "gpu.sms=1", NULL, kernels);
        struct smw_counters c;
        uint64_t addr;

        give(t, make(t, &addr), 0);
        dt_run(t, "twice", 1, WIDTH);
        check_rows(t, 1, 2);
        c = dt_result(t, 0).counters;
        assert_int_equal(c.tex_insts, 2);
        assert_int_equal(c.tex_requests, 16);
        assert_int_equal(c.tex_sectors, 16);
        assert_int_equal(c.tex_miss_sectors, 8);
        assert_int_equal(c.tex_hit_sectors, 8);
        dt_close(t);
    }
}

/* Two rows are in the same sectors: the second block on an SM finds all of them. */
static void test_two_dimensions(void **state)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, kernels);
    struct smw_counters c;
    uint64_t addr;

    (void)state;
    give(t, make(t, &addr), 0);
    dt_run(t, "object", 2, WIDTH);
    check_rows(t, 2, 1);
    c = dt_result(t, 0).counters;
    assert_int_equal(c.tex_sectors, 16);
    assert_int_equal(c.tex_miss_sectors, 8);
    dt_close(t);
}

static void test_two_objects(void **state)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, kernels);
    uint64_t addr[2], a = make(t, &addr[0]), b;
    struct smw_err e = {0};
    float other[WIDTH];

    (void)state;
    b = make(t, &addr[1]);
    for (uint32_t x = 0; x < WIDTH; x++) {
        other[x] = -texel(x, 0);
    }
    dt_ok(smw_write(t->d, addr[1], other, sizeof(other), &e), &e);
    give(t, a, b);
    dt_run(t, "two", 1, WIDTH);
    for (uint32_t x = 0; x < WIDTH; x++) {
        float f;

        memcpy(&f, &t->words[x], sizeof(f));
        assert_true(f == (x % 2 == 0 ? 1 : -1) * texel(x, 0));
    }
    dt_close(t);
}

static void test_surfaces(void **state)
{
    for (uint32_t i = 0; i < ARRAY_LEN(devices); i++) {
        struct dt *t;
        struct smw_texture p = picture_of(0, SMW_ARRAY);
        struct smw_err e = {0};
        uint64_t object, pitch;
        uint32_t zeros[WIDTH] = {0};

        (void)state;
        if (strcmp(devices[i], "gtx480") == 0) {
            continue; /* sured needs 3.0 */
        }
        t = dt_open_with(devices[i], "gpu.sms=1", NULL, kernels);
        p.surface = true;
        p.kind = SMW_UNSIGNED;
        dt_ok(smw_array(t->d, &p, &p.addr, &pitch, &e), &e);
        for (uint32_t y = 0; y < ROWS; y++) {
            dt_ok(smw_write(t->d, p.addr + y * pitch, zeros, sizeof(zeros), &e), &e);
        }
        dt_ok(smw_texture_new(t->d, &p, &object, &e), &e);
        dt_ok(smw_write_symbol(t->m, "canvas", 0, &object, 8, &e), &e);
        dt_run(t, "draw", ROWS, WIDTH);
        for (uint32_t k = 0; k < ROWS * WIDTH; k++) {
            const uint32_t x = k % WIDTH, last = WIDTH - 2;

            assert_int_equal(t->words[k], 1000 + (x < last ? x : last));
        }
        dt_ok(smw_read(t->d, p.addr + pitch, t->words, 4 * WIDTH, &e), &e);
        for (uint32_t x = 0; x < WIDTH; x++) {
            assert_int_equal(t->words[x], 1000 + (x == 0 ? 0 : x - 1));
        }
        dt_close(t);
    }
}

static void expect_fault(struct dt *t, const char *kernel, const char *rule,
                         const char *message)
{
    struct smw_err e = {0};

    dt_start(t, kernel, 1, WIDTH);
    assert_false(smw_synchronize(t->d, &e));
    assert_string_equal(smw_fault(t->d)->rule, rule);
    if (strstr(smw_fault(t->d)->message, message) == NULL) {
        print_error("%s\n", smw_fault(t->d)->message);
        fail();
    }
    dt_close(t);
}

static struct dt *fresh(uint64_t *object, uint64_t *addr)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, kernels);

    *object = make(t, addr);
    give(t, *object, 0);
    return t;
}

static void test_faults(void **state)
{
    struct smw_err e = {0};
    struct smw_texture p;
    uint64_t object, addr;
    struct dt *t = fresh(&object, &addr);

    (void)state;
    expect_fault(t, "reference", "invalid-texture", "nothing is bound");
    t = fresh(&object, &addr);
    give(t, 77, 0);
    expect_fault(t, "object", "invalid-texture", "0x4d is no texture object");
    t = fresh(&object, &addr);
    expect_fault(t, "volume", "invalid-texture", "is .3d, the texture is 2d");
    t = fresh(&object, &addr);
    dt_ok(smw_texture_free(t->d, object, &e), &e);
    expect_fault(t, "object", "invalid-texture", "it was destroyed");
    t = fresh(&object, &addr);
    dt_ok(smw_free(t->d, addr, &e), &e);
    expect_fault(t, "object", "use-after-free", "is not allocated any more");
    t = fresh(&object, &addr);
    dt_ok(smw_write_symbol(t->m, "canvas", 0, &object, 8, &e), &e);
    expect_fault(t, "outside", "invalid-texture", "it is of the other kind");
    t = fresh(&object, &addr);
    p = picture_of(addr, SMW_ARRAY);
    p.surface = true;
    dt_ok(smw_texture_new(t->d, &p, &object, &e), &e);
    dt_ok(smw_write_symbol(t->m, "canvas", 0, &object, 8, &e), &e);
    expect_fault(t, "outside", "out-of-bounds", "outside");
}

struct wrong {
    struct smw_texture t;
    const char *message;
};

static void test_wrong_descriptions(void **state)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, kernels);
    struct wrong w[12];
    uint32_t n = 0;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(w); i++) {
        w[i].t = picture_of(t->out, SMW_PITCH);
    }
    w[n].t.bits = 24;
    w[n++].message = "channels are integers";
    w[n].t.channels = 3;
    w[n++].message = "1, 2 or 4 channels";
    w[n].t.as_float = true;
    w[n++].message = "read as floats";
    w[n].t.kind = SMW_SIGNED;
    w[n].t.linear = true;
    w[n++].message = "can be filtered";
    w[n].t.width = 0;
    w[n++].message = "a width of 1";
    w[n].t.shape = SMW_1D;
    w[n++].message = "has no height";
    w[n].t.depth = 2;
    w[n++].message = "no depth";
    w[n].t.shape = SMW_CUBE;
    w[n++].message = "as wide as high";
    w[n].t.layout = SMW_LINEAR;
    w[n++].message = "one dimension";
    w[n].t.pitch = 64;
    w[n++].message = "shorter than a row";
    w[n].t.addr += 4;
    w[n++].message = "a multiple of 16";
    w[n].t.layout = SMW_ARRAY;
    w[n++].message = "no array of that size";
    for (uint32_t i = 0; i < n; i++) {
        struct smw_err e = {0};
        uint64_t object = 0;

        assert_false(smw_texture_new(t->d, &w[i].t, &object, &e));
        if (strstr(e.message, w[i].message) == NULL) {
            print_error("%s\n", e.message);
            fail();
        }
        assert_int_equal(object, 0);
    }
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_two_objects),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_wrong_descriptions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
