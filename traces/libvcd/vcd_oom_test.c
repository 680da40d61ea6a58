/*
 * Memory running out at the n-th allocation, for all n. Linked with
 * --wrap=malloc,realloc,calloc, so that the library's (and only its files') calls come
 * here: it has no others.
 */
#include "libvcd/vcd_testlib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_calloc(size_t n, size_t size);

static long left = -1; /* allocations until the one that fails; below 0: none fails */

static bool fails(void)
{
    return left >= 0 && left-- == 0;
}

/* The compiler may make one of a realloc() of NULL. */
void *__wrap_malloc(size_t size)
{
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __real_malloc(size);
}

void *__wrap_realloc(void *p, size_t size)
{
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __real_realloc(p, size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return __real_calloc(n, size);
}

struct out {
    char data[65536];
    size_t len;
};

static ssize_t out_write(void *ctx, const void *buf, size_t len)
{
    struct out *o = ctx;

    assert_true(o->len + len < sizeof(o->data));
    memcpy(o->data + o->len, buf, len);
    o->len += len;
    o->data[o->len] = '\0';
    return (ssize_t)len;
}

/* Grows every table at least twice, and the buffer. */
static int run(struct vcd *w)
{
    char name[80], text[3000];
    vcd_id s = VCD_NONE, b = VCD_NONE, a = VCD_NONE;

    memset(text, 'c', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    for (unsigned i = 0; i < 40; i++) {
        memset(name, 'n', sizeof(name));
        snprintf(name + 60, sizeof(name) - 60, "%u", i);
        vcd_scope(w, name);
        a = vcd_add(w, VCD_WIRE, "a", 1);
        b = vcd_add(w, VCD_WIRE, "b", 400);
        s = vcd_add(w, VCD_STRING, "s", 0);
        if (i % 4 != 0) {
            vcd_upscope(w);
        }
    }
    vcd_begin(w);
    vcd_time(w, 1);
    vcd_set_u64(w, a, 1);
    vcd_set_x(w, b);
    vcd_set_string(w, s, "short");
    vcd_comment(w, text);
    text[2900] = '\0';
    vcd_set_string(w, s, text);
    vcd_time(w, 2);
    vcd_set_u64(w, a, 0);
    return vcd_close(w);
}

static void allocation_failures(void **state)
{
    const struct vcd_options options = {.buffer = 1, .version = "some text"};
    static struct out o, good;
    const struct vcd_sink sink = {out_write, NULL, NULL, &o};
    unsigned refused = 0, ran = 0;

    (void)state;
    assert_int_equal(run(vcd_open(&sink, &options)), 0);
    good = o;
    for (long n = 0;; n++) {
        struct vcd *w;
        struct rd r;

        o.len = 0;
        o.data[0] = '\0';
        left = n;
        errno = 0;
        w = vcd_open(&sink, &options);
        if (w == NULL) {
            assert_int_equal(errno, ENOMEM);
            assert_int_equal(o.len, 0);
            refused++;
            continue;
        }
        if (run(w) == 0) {
            assert_true(left >= 0); /* there are no more than n allocations */
            assert_string_equal(o.data, good.data);
            break;
        }
        left = -1;
        ran++;
        /* Cut short, maybe, but well formed, unless a scope could not be closed. */
        if (strstr(o.data, "$timescale") != NULL) {
            rd_parse(&r, o.data);
            rd_free(&r);
        }
    }
    left = -1;
    assert_int_equal(refused, 3);
    assert_true(ran > 15);
}

static void opening_a_path(void **state)
{
    (void)state;
    left = 0;
    errno = 0;
    assert_null(vcd_open_path("vcd_oom_test.vcd", NULL));
    assert_int_equal(errno, ENOMEM);
    left = -1;
    assert_int_equal(remove("vcd_oom_test.vcd"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(opening_a_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
