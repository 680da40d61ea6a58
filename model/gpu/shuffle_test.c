/* The order in which processes run at one instant must not matter: the same memory,
 * text and counters for twenty seeds, on three configurations, for kernels that press
 * on every queue. The kernels are those of testbench/kernels. */
#include "gpu/device_test.h"

#include "stat/counters.h"

#ifndef SMW_KERNELS
#error "SMW_KERNELS names the folder of the kernels"
#endif

static char *read_kernel(const char *name)
{
    char path[512];
    char *text;
    FILE *f;
    long n;

    (void)snprintf(path, sizeof(path), "%s/%s", SMW_KERNELS, name);
    f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    n = ftell(f);
    assert_true(n > 0);
    rewind(f);
    text = calloc((size_t)n + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)n, f), (size_t)n);
    assert_int_equal(fclose(f), 0);
    return text;
}

/* What a run leaves behind. */
struct outcome {
    uint64_t memory; /* FNV-1a of both buffers */
    struct smw_counters counters[4];
    uint64_t end_ps[4];
    char output[4096];
    uint32_t n;
};

static uint64_t fnv1a(uint64_t h, const void *data, size_t n)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001b3ull;
    }
    return h;
}

struct job {
    const char *kernel;
    uint32_t grid, block, shared, stream;
    uint32_t
        n_out;   /* pointers into the second buffer, 512 words apart, after the first */
    bool n_last; /* then the number of elements */
};

static void queue_job(struct dt *t, const struct job *j)
{
    struct smw_launch l = dt_shape(j->grid, j->block);
    const struct smw_kernel *k;
    uint64_t params[8] = {0};
    struct smw_param last;
    struct smw_err e;

    err_clear(&e);
    k = smw_kernel(t->m, j->kernel, &e);
    dt_ok(k != NULL, &e);
    assert_true(smw_kernel_param(k, smw_kernel_params(k) - 1, &last));
    l.param_bytes = last.offset + last.size;
    params[0] = t->in + (uint64_t)j->stream * 32768;
    for (uint32_t i = 0; i < j->n_out; i++) {
        params[1 + i] = t->out + (uint64_t)j->stream * 32768 + (uint64_t)i * 2048;
    }
    if (j->n_last) {
        params[1 + j->n_out] = (uint64_t)j->grid * j->block;
    }
    l.params = params;
    l.shared = j->shared;
    l.stream = j->stream;
    dt_ok(smw_launch(t->d, k, &l, &e), &e);
}

static void run_jobs(const char *preset, uint64_t seed, const char *ptx,
                     const struct job *jobs, uint32_t n, struct outcome *o)
{
    struct smw_options opt = {.shuffle = seed, .check = SMW_CHECK_FAST, .stalls = true};
    struct dt *t = dt_open_with(preset, "gpu.what_if=true", &opt, ptx);
    struct smw_err e;

    err_clear(&e);
    memset(o, 0, sizeof(*o));
    for (uint32_t i = 0; i < n; i++) {
        queue_job(t, &jobs[i]);
    }
    dt_ok(smw_synchronize(t->d, &e), &e);
    dt_fetch(t);
    o->memory = fnv1a(0xcbf29ce484222325ull, t->words, sizeof(t->words));
    dt_ok(smw_read(t->d, t->in, t->words, sizeof(t->words), &e), &e);
    o->memory = fnv1a(o->memory, t->words, sizeof(t->words));
    for (uint32_t i = 0; i < n; i++) {
        struct smw_result r = dt_result(t, i);
        size_t used = strlen(o->output);

        o->counters[i] = r.counters;
        o->end_ps[i] = r.end_ps;
        (void)snprintf(o->output + used, sizeof(o->output) - used, "%s", r.output);
    }
    o->n = n;
    dt_close(t);
}

static void assert_same(const struct outcome *a, const struct outcome *b, uint64_t seed)
{
    assert_true(a->memory == b->memory);
    assert_string_equal(a->output, b->output);
    for (uint32_t i = 0; i < a->n; i++) {
        for (uint32_t k = 0; k < stat_table_size; k++) {
            uint64_t x = stat_value(&a->counters[i], &stat_table[k]);
            uint64_t y = stat_value(&b->counters[i], &stat_table[k]);

            if (x != y) {
                print_error("seed %llu, launch %u: %s is %llu, not %llu\n",
                            (unsigned long long)seed, i, stat_table[k].name,
                            (unsigned long long)y, (unsigned long long)x);
                fail();
            }
        }
        assert_true(a->end_ps[i] == b->end_ps[i]);
    }
}

static void shuffle(const char *file, const struct job *jobs, uint32_t n)
{
    static const char *const presets[] = {"tiny", "mean", "gtx480"};
    struct outcome *first = malloc(sizeof(*first)), *o = malloc(sizeof(*o));
    char *ptx = read_kernel(file);
    uint64_t memory = 0;

    assert_true(first != NULL && o != NULL);
    for (uint32_t p = 0; p < 3; p++) {
        run_jobs(presets[p], 0, ptx, jobs, n, first);
        assert_true(first->counters[0].cycles > 100);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            run_jobs(presets[p], seed * 7919, ptx, jobs, n, o);
            assert_same(first, o, seed);
        }
        assert_true(p == 0 || memory == first->memory); /* answers: any device */
        memory = first->memory;
    }
    free(ptx);
    free(first);
    free(o);
}

static void test_reduction(void **state)
{
    static const struct job jobs[] = {
        {.kernel = "cal_sum_ker",
         .grid = 6,
         .block = 128,
         .shared = 512,
         .n_out = 1,
         .n_last = true},
        {.kernel = "cal_sum_ker0",
         .grid = 6,
         .block = 128,
         .n_out = 1,
         .n_last = true,
         .stream = 1},
    };

    (void)state;
    shuffle("reduction.ptx", jobs, 2);
}

static void test_atomics(void **state)
{
    static const struct job jobs[] = {
        {.kernel = "atomics", .grid = 6, .block = 96, .n_out = 4},
        {.kernel = "atomics", .grid = 3, .block = 64, .n_out = 4, .stream = 1},
    };

    (void)state;
    shuffle("atomics.ptx", jobs, 2);
}

static void test_printf(void **state)
{
    char *ptx = read_kernel("printf.ptx");
    struct smw_options opt = {.check = SMW_CHECK_FAST};
    char first[4096] = "";

    (void)state;
    for (uint32_t seed = 0; seed <= 20; seed++) {
        struct smw_launch l = dt_shape(6, 64);
        struct dt *t;
        int32_t n = 300;
        struct smw_err e;

        err_clear(&e);
        opt.shuffle = seed;
        t = dt_open_with(seed % 2 == 0 ? "gtx480" : "mean", "", &opt, ptx);
        l.params = &n;
        l.param_bytes = 4;
        dt_ok(smw_launch(t->d, smw_kernel(t->m, "hello", &e), &l, &e), &e);
        dt_ok(smw_synchronize(t->d, &e), &e);
        if (seed == 0) {
            (void)snprintf(first, sizeof(first), "%s", dt_result(t, 0).output);
            assert_true(strlen(first) > 1000);
        }
        assert_string_equal(dt_result(t, 0).output, first);
        dt_close(t);
    }
    free(ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_printf),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
