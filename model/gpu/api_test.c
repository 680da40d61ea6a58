/* The public API: memory, symbols, modules, many devices. */
#include "gpu/small_test.h"

#include <pthread.h>

/* ---- memory ---- */

static void test_alloc(void **state)
{
    struct smw_device *d = dt_open_device("tiny", "dram.size=16MiB", NULL);
    uint64_t a, b, kept = 99;
    uint8_t bytes[3] = {1, 2, 3}, back[4] = {9, 9, 9, 9};
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(smw_alloc(d, 3, &a, &e), &e);
    dt_ok(smw_alloc(d, 1, &b, &e), &e);
    assert_int_equal(a % 256, 0);
    assert_int_equal(b % 256, 0);
    assert_true(a != b && a != 0);
    dt_ok(smw_read(d, a, back, 3, &e), &e);
    assert_int_equal(back[0] | back[1] | back[2], 0); /* fresh memory is zero */
    dt_ok(smw_write(d, a, bytes, 3, &e), &e);
    dt_ok(smw_read(d, a + 1, back, 2, &e), &e);
    assert_int_equal(back[0], 2);
    assert_int_equal(back[1], 3);
    assert_int_equal(back[2], 0);
    assert_false(smw_write(d, a + 1, bytes, 3, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_non_null(strstr(e.message, "write: 3 bytes"));
    err_clear(&e);
    assert_false(smw_read(d, a + 3, back, 1, &e));
    err_clear(&e);
    assert_false(smw_read(d, 0, back, 1, &e));
    err_clear(&e);
    assert_false(smw_read(d, a, back, UINT64_MAX, &e));
    err_clear(&e);
    dt_ok(smw_read(d, 0, back, 0, &e), &e); /* nothing is anywhere */
    assert_false(smw_alloc(d, 17 << 20, &kept, &e));
    err_clear(&e);
    assert_false(smw_alloc(d, UINT64_MAX, &kept, &e));
    err_clear(&e);
    assert_false(smw_alloc(d, UINT64_MAX - 100, &kept, &e));
    assert_int_equal(kept, 99);
    smw_close(d);
    smw_close(NULL);
}

/* As memmove(): every distance, longer than the part that is copied at once. */
static void test_copy_overlap(void **state)
{
    static const int32_t distance[] = {0,    1,    -1,    100,   -100,
                                       4095, 4097, -4096, -5000, 12000};
    enum { N = 10000, SIZE = 24000 };
    struct smw_device *d = dt_open_device("tiny", "", NULL);
    uint8_t *model = malloc(SIZE), *got = malloc(SIZE);
    uint64_t a;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_true(model != NULL && got != NULL);
    dt_ok(smw_alloc(d, SIZE, &a, &e), &e);
    for (uint32_t i = 0; i < sizeof(distance) / sizeof(distance[0]); i++) {
        uint32_t src = distance[i] < 0 ? 6000 : 100;
        uint32_t dst = (uint32_t)((int32_t)src + distance[i]);

        for (uint32_t k = 0; k < SIZE; k++) {
            model[k] = (uint8_t)(k * 7 + k / 251);
        }
        dt_ok(smw_write(d, a, model, SIZE, &e), &e);
        dt_ok(smw_copy(d, a + dst, a + src, N, &e), &e);
        memmove(model + dst, model + src, N);
        dt_ok(smw_read(d, a, got, SIZE, &e), &e);
        assert_memory_equal(got, model, SIZE);
    }
    assert_false(smw_copy(d, a + 1, a, SIZE, &e));
    err_clear(&e);
    assert_false(smw_copy(d, a, a + 1, SIZE, &e));
    free(model);
    free(got);
    smw_close(d);
}

/* ---- code ---- */

static void test_symbols(void **state)
{
    struct dt *t = dt_open("", small);
    uint32_t v[4] = {0}, w = 99;
    uint64_t size = 0;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(smw_symbol_size(t->m, "g", &size, &e), &e);
    assert_int_equal(size, 16);
    assert_string_equal(smw_symbol_type(t->m, "g"), "u32");
    assert_string_equal(smw_symbol_type(t->m, "pi"), "f64");
    assert_null(smw_symbol_type(t->m, "hidden"));
    assert_null(smw_symbol_type(t->m, "nothing"));
    dt_run(t, "symbols", 1, 32);
    assert_int_equal(t->words[0], 20007);
    dt_ok(smw_read_symbol(t->m, "g", 0, v, 16, &e), &e);
    assert_int_equal(v[0], 10);
    assert_int_equal(v[3], 31); /* as the kernel left it */
    dt_ok(smw_write_symbol(t->m, "g", 4, &w, 4, &e), &e);
    dt_ok(smw_write_symbol(t->m, "c", 8, &w, 4, &e), &e);
    dt_run(t, "symbols", 1, 32);
    assert_int_equal(t->words[0], 99099);
    dt_ok(smw_read_symbol(t->m, "c", 4, v, 8, &e), &e);
    assert_int_equal(v[0], 6);
    assert_int_equal(v[1], 99);
    assert_false(smw_write_symbol(t->m, "g", 13, &w, 4, &e));
    assert_non_null(strstr(e.message, "4 bytes at offset 13 of \"g\", which has 16"));
    err_clear(&e);
    assert_false(smw_read_symbol(t->m, "g", UINT64_MAX, &w, 4, &e));
    err_clear(&e);
    assert_false(smw_read_symbol(t->m, "hidden", 0, &w, 4, &e));
    err_clear(&e);
    assert_false(smw_symbol_size(t->m, "pie", &size, &e));
    assert_string_equal(e.hint, "did you mean \"pi\"?");
    dt_close(t);
}

/* A symbol is set between two launches, not before the ones already queued. */
static void test_symbol_writes_are_ordered(void **state)
{
    struct dt *t = dt_open("", small);
    uint32_t w = 7;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_start(t, "symbols", 1, 1);
    dt_ok(smw_write_symbol(t->m, "c", 8, &w, 4, &e), &e);
    w = 21;
    dt_ok(smw_write_symbol(t->m, "g", 4, &w, 4, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 20007);
    dt_close(t);
}

static void test_kernels(void **state)
{
    struct dt *t = dt_open("", small);
    const struct smw_kernel *k;
    struct smw_param p;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    k = smw_kernel(t->m, "mixed", &e);
    dt_ok(k != NULL, &e);
    assert_string_equal(smw_kernel_name(k), "mixed");
    assert_int_equal(smw_kernel_params(k), 3);
    assert_true(smw_kernel_param(k, 0, &p));
    assert_string_equal(p.type, "u8");
    assert_int_equal(p.size, 1);
    assert_int_equal(p.offset, 0);
    assert_true(smw_kernel_param(k, 1, &p));
    assert_string_equal(p.type, "f64");
    assert_int_equal(p.offset, 8);
    assert_true(smw_kernel_param(k, 2, &p));
    assert_int_equal(p.size, 12);
    assert_int_equal(p.offset, 16);
    assert_false(smw_kernel_param(k, 3, &p));
    assert_null(smw_kernel(t->m, "ad", &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    err_clear(&e);
    assert_false(dt_queue(t, "mixed", dt_shape(1, 1), &e)); /* 16 of 28 bytes */
    assert_non_null(strstr(e.message, "28 bytes of parameters, 16"));
    dt_close(t);
}

static void test_bad_modules(void **state)
{
    static const char *const bad[] = {
        "", "no ptx",
        PTX_HEAD ".extern .global .u32 elsewhere;\n.visible .entry k() { ret; }\n",
        PTX_HEAD ".global .b8 huge[99999999999];\n.visible .entry k() { ret; }\n",
        PTX_HEAD ".visible .entry k() { ret; \n"};
    struct dt *t = dt_open("", small);
    struct smw_err e;

    (void)state;
    for (uint32_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        err_clear(&e);
        assert_null(smw_load(t->d, bad[i], strlen(bad[i]), "bad.ptx", &e));
        assert_true(e.kind == SMW_ERR_INPUT || e.kind == SMW_ERR_NOMEM);
        assert_true(strlen(e.message) > 5);
    }
    dt_run(t, "add", 1, 32); /* what was loaded before works */
    assert_int_equal(t->words[31], 1);
    dt_load(t, PTX_HEAD BODY("other", "st.global.u32 [%rd1], 77;"));
    dt_run(t, "other", 1, 32);
    assert_int_equal(t->words[31], 77);
    dt_close(t);
}

/* A kernel that cannot run is refused when it is launched; its neighbour runs. */
static void test_bad_kernel(void **state)
{
    struct dt *t = dt_open("", PTX_HEAD BODY("bad", "frobnicate.u32 %r1;")
                                   BODY("good", "st.global.u32 [%rd1], 77;"));
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_false(dt_queue(t, "bad", dt_shape(1, 1), &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, "unknown instruction 'frobnicate'");
    assert_string_equal(e.file, "test.ptx");
    assert_true(e.line > 1 && e.column >= 1 && e.source[0] != '\0');
    err_clear(&e);
    assert_false(smw_can_run(smw_kernel(t->m, "bad", &e), &e));
    assert_string_equal(e.message, "unknown instruction 'frobnicate'");
    dt_run(t, "good", 1, 32);
    assert_int_equal(t->words[31], 77);
    dt_close(t);
}

/* ---- two devices in two threads ---- */

struct run {
    struct smw_counters counters;
    uint32_t words[256];
    bool ok;
};

/* cmocka's assertions belong to the main thread: only say whether all went well. */
static void *run_thread(void *ctx)
{
    struct run *r = ctx;
    struct smw_config *c = smw_config_new();
    struct smw_device *d;
    struct smw_module *m;
    const struct smw_kernel *k;
    struct smw_result result;
    struct smw_launch l = dt_shape(4, 64);
    uint64_t params[2];
    struct smw_err e;

    err_clear(&e);
    if (c == NULL || !smw_config_preset(c, "mean", &e)) {
        return NULL;
    }
    d = smw_open(c, NULL, &e);
    smw_config_free(c);
    m = d == NULL ? NULL : smw_load(d, small, strlen(small), "small.ptx", &e);
    k = m == NULL ? NULL : smw_kernel(m, "slow", &e);
    l.params = params;
    l.param_bytes = sizeof(params);
    r->ok = k != NULL && smw_alloc(d, sizeof(r->words), &params[0], &e) &&
            smw_alloc(d, 256, &params[1], &e) && smw_launch(d, k, &l, &e) &&
            smw_read(d, params[0], r->words, sizeof(r->words), &e) &&
            smw_result(d, 0, &result);
    r->counters = result.counters;
    smw_close(d);
    return NULL;
}

static void test_two_threads(void **state)
{
    struct run *r = calloc(3, sizeof(*r));
    pthread_t thread[2];

    (void)state;
    assert_non_null(r);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, run_thread, &r[i]), 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    }
    (void)run_thread(&r[2]);
    assert_true(r[0].ok && r[1].ok && r[2].ok);
    assert_int_equal(r[0].words[255], 300);
    assert_memory_equal(&r[0], &r[2], sizeof(r[0]));
    assert_memory_equal(&r[1], &r[2], sizeof(r[0]));
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc),
        cmocka_unit_test(test_copy_overlap),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_symbol_writes_are_ordered),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_bad_modules),
        cmocka_unit_test(test_bad_kernel),
        cmocka_unit_test(test_two_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
