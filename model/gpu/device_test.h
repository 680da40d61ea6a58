/*
 * device_test.h - what tests through the public API share: a small device from a preset
 * and settings, kernels from a few lines of PTX (sm/body_test.h).
 */
#ifndef GPU_DEVICE_TEST_H
#define GPU_DEVICE_TEST_H

#include "base/err.h"
#include "sm/body_test.h"
#include "smwave.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DT_OUT_WORDS = 16384 };

struct dt {
    struct smw_device *d;
    struct smw_module *m;
    uint64_t out, in;
    uint32_t words[DT_OUT_WORDS]; /* out, after dt_fetch() */
};

static inline void dt_ok(bool ok, const struct smw_err *e)
{
    if (!ok) {
        print_error("%u:%u: %s (%s)\n", e->line, e->column, e->message, e->hint);
        fail();
    }
}

/* settings: "key=value key=value ..." */
static inline struct smw_device *
dt_open_device(const char *preset, const char *settings, const struct smw_options *opt)
{
    struct smw_config *c = smw_config_new();
    struct smw_device *d;
    struct smw_err e;
    char text[1024];

    err_clear(&e);
    assert_non_null(c);
    dt_ok(smw_config_preset(c, preset, &e), &e);
    assert_true(strlen(settings) < sizeof(text));
    strcpy(text, settings);
    for (char *p = text, *next; *p != '\0'; p = next) {
        char *eq = strchr(p, '='), *end = p + strcspn(p, " ");

        assert_non_null(eq);
        next = *end == '\0' ? end : end + 1;
        *end = '\0';
        *eq = '\0';
        dt_ok(smw_config_set(c, p, eq + 1, &e), &e);
    }
    d = smw_open(c, opt, &e);
    dt_ok(d != NULL, &e);
    smw_config_free(c);
    return d;
}

static inline void dt_load(struct dt *t, const char *ptx)
{
    struct smw_err e;

    err_clear(&e);
    t->m = smw_load(t->d, ptx, strlen(ptx), "test.ptx", &e);
    dt_ok(t->m != NULL, &e);
}

/* A device with out (zeros) and in (0, 1, 2 ...) of DT_OUT_WORDS words each. */
static inline struct dt *dt_open_with(const char *preset, const char *settings,
                                      const struct smw_options *opt, const char *ptx)
{
    struct dt *t = calloc(1, sizeof(*t));
    struct smw_err e;

    err_clear(&e);
    assert_non_null(t);
    t->d = dt_open_device(preset, settings, opt);
    dt_load(t, ptx);
    dt_ok(smw_alloc(t->d, sizeof(t->words), &t->out, &e), &e);
    dt_ok(smw_alloc(t->d, sizeof(t->words), &t->in, &e), &e);
    dt_ok(smw_write(t->d, t->out, t->words, sizeof(t->words), &e), &e);
    for (uint32_t i = 0; i < DT_OUT_WORDS; i++) {
        t->words[i] = i;
    }
    dt_ok(smw_write(t->d, t->in, t->words, sizeof(t->words), &e), &e);
    return t;
}

static inline struct dt *dt_open(const char *settings, const char *ptx)
{
    return dt_open_with("tiny", settings, NULL, ptx);
}

static inline void dt_close(struct dt *t)
{
    smw_close(t->d);
    free(t);
}

static inline struct smw_launch dt_shape(uint32_t grid, uint32_t block)
{
    return (struct smw_launch){.grid = {grid, 1, 1}, .block = {block, 1, 1}};
}

/* Queue a kernel of (out, in), or of no parameters. */
static inline bool dt_queue(struct dt *t, const char *kernel, struct smw_launch l,
                            struct smw_err *e)
{
    const struct smw_kernel *k = smw_kernel(t->m, kernel, e);
    uint64_t params[2] = {t->out, t->in};

    if (k == NULL) {
        return false;
    }
    l.params = params;
    l.param_bytes = smw_kernel_params(k) == 0 ? 0 : sizeof(params);
    return smw_launch(t->d, k, &l, e);
}

static inline void dt_start(struct dt *t, const char *kernel, uint32_t grid,
                            uint32_t block)
{
    struct smw_err e;

    err_clear(&e);
    dt_ok(dt_queue(t, kernel, dt_shape(grid, block), &e), &e);
}

static inline void dt_fetch(struct dt *t)
{
    struct smw_err e;

    err_clear(&e);
    dt_ok(smw_read(t->d, t->out, t->words, sizeof(t->words), &e), &e);
}

/* Run to the end; the out buffer is in t->words. */
static inline void dt_run(struct dt *t, const char *kernel, uint32_t grid,
                          uint32_t block)
{
    struct smw_err e;

    err_clear(&e);
    dt_start(t, kernel, grid, block);
    if (!smw_synchronize(t->d, &e)) {
        print_error("%s\n%s\n", smw_fault(t->d)->message, smw_fault(t->d)->detail);
        fail();
    }
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_fetch(t);
}

static inline struct smw_result dt_result(const struct dt *t, uint32_t i)
{
    struct smw_result r;

    assert_true(smw_result(t->d, i, &r));
    return r;
}

/* One kernel "k" on a fresh device; words[0 .. n-1] of the out buffer, and its result's
 * counters. */
static inline struct smw_counters dt_once(const char *settings, const char *ptx,
                                          uint32_t block, uint32_t *words, uint32_t n)
{
    struct dt *t = dt_open(settings, ptx);
    struct smw_counters c;

    dt_run(t, "k", 1, block);
    memcpy(words, t->words, n * sizeof(words[0]));
    c = dt_result(t, 0).counters;
    dt_close(t);
    return c;
}

#endif /* GPU_DEVICE_TEST_H */
