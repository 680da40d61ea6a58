/*
 * Memory running out at the n-th allocation, for all n; and a fclose() that fails.
 * Linked with --wrap for malloc, realloc, calloc and fclose, so that the calls made by
 * the library, and by this file, come here.
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

int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);

static bool close_fails;

int __wrap_fclose(FILE *stream)
{
    int rc = __real_fclose(stream);

    errno = close_fails ? EDQUOT : errno;
    return close_fails ? EOF : rc;
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
    char name[80], text[3000], longest[VCD_NAME_MAX + 1];
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
    memset(longest, 'l', sizeof(longest));
    longest[VCD_NAME_MAX] = '\0';
    vcd_scope(w, longest);
    vcd_add(w, VCD_REAL, longest, 0);
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
    const struct vcd_sink sink = {.write = out_write, .ctx = &o};
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
        rd_parse(&r, o.data); /* cut short, maybe, but well formed */
        rd_free(&r);
    }
    left = -1;
    assert_int_equal(refused, 3);
    assert_true(ran > 15);
}

/* As vcd_decl_test.c cannot: the first line too long for the buffer is a variable's. */
static void long_names(void **state)
{
    const struct vcd_options options = {.buffer = 1};
    char longest[VCD_NAME_MAX + 1];
    struct mem m;
    struct vcd *w = mem_open(&m, &options);

    (void)state;
    memset(longest, 'l', sizeof(longest));
    longest[VCD_NAME_MAX] = '\0';
    assert_true(vcd_scope(w, "t"));
    assert_int_equal(vcd_add(w, VCD_REAL, "r", 0), 0); /* the tables have room now */
    left = 1; /* the names' text grows, the buffer cannot */
    assert_int_equal(vcd_add(w, VCD_REAL, longest, 0), VCD_NONE);
    left = -1;
    assert_int_equal(vcd_error(w), ENOMEM);
    assert_int_equal(vcd_close(w), ENOMEM);
    assert_string_equal(m.data, "$timescale 1 ns $end\n$scope module t $end\n"
                                "$var real 64 ! r $end\n$upscope $end\n"
                                "$enddefinitions $end\n#0\n$dumpvars\nr0 !\n$end\n");
    mem_free(&m);
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

static void closing_a_path(void **state)
{
    struct vcd *w = vcd_open_path("vcd_oom_test.vcd", NULL);

    (void)state;
    assert_non_null(w);
    close_fails = true;
    assert_int_equal(vcd_close(w), EDQUOT);
    close_fails = false;
    assert_int_equal(remove("vcd_oom_test.vcd"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(long_names),
        cmocka_unit_test(opening_a_path),
        cmocka_unit_test(closing_a_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
