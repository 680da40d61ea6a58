/* Sinks, I/O errors at every byte, the buffer, the size limit, the openers. */
#define _GNU_SOURCE /* fopencookie() */

#include "libvcd/vcd_testlib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Some of everything, about 1 KB; longer lines than the smallest buffer. */
static void declare_and_run(struct vcd *w)
{
    char text[400];
    vcd_id a, b, s, r, e;

    memset(text, 't', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    vcd_comment(w, "some words");
    vcd_scope(w, "top");
    a = vcd_add(w, VCD_WIRE, "a", 1);
    b = vcd_add(w, VCD_WIRE, "b", 300);
    s = vcd_add(w, VCD_STRING, "s", 0);
    r = vcd_add(w, VCD_REAL, "r", 0);
    e = vcd_add(w, VCD_EVENT, "e", 0);
    vcd_alias(w, VCD_WIRE, "c", 1, a);
    vcd_scope(w, "sub");
    for (char name[] = "a"; name[0] <= 'z'; name[0]++) {
        vcd_add(w, VCD_REG, name, 1);
    }
    vcd_upscope(w);
    vcd_upscope(w);
    vcd_begin(w);
    for (unsigned i = 1; i < 6; i++) {
        vcd_time(w, i * 10);
        vcd_set_u64(w, a, i & 1);
        vcd_set_u64(w, b, i);
        vcd_set_z(w, b);
        vcd_set_real(w, r, i);
        vcd_fire(w, e);
    }
    vcd_set_string(w, s, text);
    vcd_dumpoff(w);
    vcd_set_u64(w, a, 0);
    vcd_time(w, 70);
    vcd_dumpon(w);
    vcd_dumpall(w);
    vcd_comment(w, "done");
    vcd_time(w, 80);
}

static char *whole(size_t *len, size_t buffer, size_t chunk)
{
    const struct vcd_options options = {.version = "v", .buffer = buffer};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);

    m.chunk = chunk;
    declare_and_run(w);
    *len = vcd_bytes_written(w) + strlen("#80\n"); /* written by vcd_close() */
    assert_int_equal(vcd_close(w), 0);
    assert_int_equal(m.len, *len);
    return m.data;
}

static void buffers_and_partial_writes_change_nothing(void **state)
{
    size_t len, other_len;
    char *good = whole(&len, 0, 0);

    (void)state;
    for (size_t i = 0; i < 12; i++) {
        char *other = whole(&other_len, 1 + 37 * i, i % 4);

        assert_int_equal(other_len, len);
        assert_string_equal(other, good);
        free(other);
    }
    free(good);
}

static void errors_at_every_byte(void **state)
{
    size_t len;
    char *good = whole(&len, 0, 0);

    (void)state;
    for (size_t buffer = 1; buffer <= 65536; buffer += 65535) {
        for (size_t n = 0; n < len; n++) {
            const struct vcd_options options = {.version = "v", .buffer = buffer};
            struct mem m;
            struct vcd *w = mem_open(&m, &options);

            m.fail_at = n;
            m.fail_code = n % 2 ? -ENOSPC : 0;
            declare_and_run(w);
            if (n < len - strlen("#80\n")) {
                assert_int_equal(vcd_flush(w), n % 2 ? ENOSPC : EIO);
                assert_int_equal(m.flushes, 0);
                assert_int_equal(vcd_bytes_written(w), n);
            } else {
                assert_int_equal(vcd_flush(w), 0);
                assert_int_equal(m.flushes, 1);
            }
            assert_int_equal(vcd_close(w), n % 2 ? ENOSPC : EIO);
            assert_int_equal(m.len, n);
            assert_memory_equal(n > 0 ? m.data : "", good, n);
            assert_int_equal(m.closes, 1);
            mem_free(&m);
        }
    }
    free(good);
}

/* A client need not know that the disk is full to go on declaring. */
static void declaring_for_a_dead_sink(void **state)
{
    const struct vcd_options options = {.buffer = 1};
    struct mem m;
    struct vcd *w = mem_open(&m, &options);
    char name[100];

    (void)state;
    m.fail_at = 0;
    m.fail_code = -ENOSPC;
    memset(name, 'n', sizeof(name));
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name + 90, sizeof(name) - 90, "%u", i);
        assert_true(vcd_scope(w, name));
        assert_int_equal(vcd_add(w, VCD_STRING, name, 0), i);
        if (i % 2) {
            assert_true(vcd_upscope(w));
        }
    }
    assert_int_equal(vcd_error(w), ENOSPC);
    assert_true(vcd_begin(w));
    vcd_set_string(w, 3, "kept");
    assert_int_equal(vcd_bytes_written(w), 0);
    assert_int_equal(vcd_close(w), ENOSPC);
    assert_int_equal(m.len, 0);
    mem_free(&m);
}

static void flush_and_close_errors(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    struct vcd_sink bare;

    (void)state;
    declare_and_run(w);
    m.flush_code = -EIO;
    assert_int_equal(vcd_flush(w), EIO);
    assert_int_equal(vcd_flush(w), EIO);
    assert_int_equal(m.flushes, 1); /* reported once, tried no more */
    assert_int_equal(vcd_close(w), EIO);
    mem_free(&m);

    w = mem_open(&m, NULL);
    declare_and_run(w);
    m.close_code = -EDQUOT;
    assert_int_equal(vcd_close(w), EDQUOT);
    mem_free(&m);

    w = mem_open(&m, NULL); /* the first error is the one */
    m.fail_code = -ENOSPC;
    m.close_code = -EDQUOT;
    assert_int_equal(vcd_close(w), ENOSPC);
    mem_free(&m);

    w = mem_open(&m, NULL);
    bare = mem_sink(&m);
    assert_int_equal(vcd_close(w), 0);
    mem_free(&m);
    bare.flush = NULL;
    bare.close = NULL;
    memset(&m, 0, sizeof(m));
    m.fail_code = 1;
    w = vcd_open(&bare, NULL);
    assert_int_equal(vcd_flush(w), 0);
    assert_int_equal(vcd_close(w), 0);
    assert_int_equal(m.flushes + m.closes, 0);
    mem_free(&m);
    assert_int_equal(vcd_close(NULL), 0);
}

/* After a flush the sink holds a dump that reads to its end. */
static void flushed_dumps_are_readable(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    struct rd r;
    vcd_id a;

    (void)state;
    vcd_scope(w, "t");
    a = vcd_add(w, VCD_WIRE, "a", 16);
    vcd_begin(w);
    for (unsigned i = 1; i <= 50; i++) {
        vcd_time(w, i);
        vcd_set_u64(w, a, i);
        assert_int_equal(vcd_flush(w), 0);
        assert_int_equal(vcd_bytes_written(w), m.len);
        rd_parse(&r, m.data);
        assert_int_equal(r.n_changes, i + 1);
        assert_int_equal(r.end, i);
        rd_free(&r);
    }
    assert_int_equal(vcd_close(w), 0);
    mem_free(&m);
}

static void empty_dump_has_header_and_time(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);

    (void)state;
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$enddefinitions $end\n#0\n$dumpvars\n$end\n");
}

static void run_with_limit(struct vcd *w, uint64_t limit)
{
    vcd_id a, b, s, e;

    vcd_scope(w, "t");
    a = vcd_add(w, VCD_WIRE, "a", 1);
    b = vcd_add(w, VCD_WIRE, "b", 200);
    s = vcd_add(w, VCD_STRING, "s", 0);
    e = vcd_add(w, VCD_EVENT, "e", 0);
    vcd_begin(w);
    vcd_limit(w, limit);
    for (unsigned i = 1; i < 200; i++) {
        vcd_time(w, i);
        vcd_set_u64(w, a, i & 1);
        vcd_set_u64(w, b, i * 77);
        if (i % 10 == 3) {
            vcd_dumpall(w);
            vcd_comment(w, "3");
        }
        if (i % 20 == 5) {
            vcd_dumpoff(w);
            vcd_comment(w, "off");
        }
        if (i % 20 == 15) {
            vcd_set_string(w, s, i & 32 ? "some words" : "others");
            vcd_dumpon(w);
        }
        vcd_fire(w, e);
    }
    vcd_time(w, 1000);
}

static void limits(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    size_t all, head;
    bool limited = true;

    (void)state;
    run_with_limit(w, 0);
    assert_false(vcd_limited(w));
    assert_int_equal(vcd_close(w), 0);
    all = m.len;
    head = (size_t)(strstr(m.data, "#1\n") - m.data);
    mem_free(&m);

    for (size_t limit = 1; limit < all + 1000; limit++) {
        const struct vcd_options options = {.buffer = limit % 3 ? 300 : 0};
        struct rd r;

        w = mem_open(&m, &options);
        run_with_limit(w, limit);
        limited = vcd_limited(w);
        assert_int_equal(vcd_close(w), 0); /* not an error */
        rd_parse(&r, m.data);
        assert_int_equal(r.end, 1000);
        /* Never above, if header and closing lines fit; little is given away. */
        assert_true(m.len <= (limit > head + 80 ? limit : head + 80));
        if (limited) {
            assert_int_equal(r.n_off, r.n_on + 1); /* it ends with a closed window */
            assert_true(limit < head + 80 || m.len + 700 > limit);
        } else {
            assert_int_equal(m.len, all);
        }
        rd_free(&r);
        mem_free(&m);
    }
    assert_false(limited);
}

static void limit_can_be_lifted_and_set_late(void **state)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);
    vcd_id a;

    (void)state;
    vcd_limit(w, 10);
    vcd_scope(w, "t");
    a = vcd_add(w, VCD_WIRE, "a", 1);
    vcd_begin(w);
    vcd_limit(w, 0);
    vcd_set_u64(w, a, 1);
    assert_false(vcd_limited(w));
    vcd_time(w, 5);
    vcd_limit(w, 20); /* passed long ago: the next change stops the dump */
    vcd_set_u64(w, a, 0);
    assert_true(vcd_limited(w));
    vcd_time(w, 6);
    vcd_set_u64(w, a, 1);
    vcd_dumpoff(w);
    vcd_dumpon(w);
    vcd_dumpall(w);
    vcd_comment(w, "no");
    mem_expect(w, &m,
               "$timescale 1 ns $end\n$scope module t $end\n$var wire 1 ! a $end\n"
               "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\nx!\n$end\n1!\n"
               "#5\n$dumpoff\nx!\n$end\n#6\n");
}

static void bad_options(void **state)
{
    const struct vcd_options scale = {.timescale = "3 ns"},
                             text = {.version = "a $end b"};
    struct mem m;
    struct vcd_sink sink = mem_sink(&m);

    (void)state;
    errno = 0;
    assert_null(vcd_open(&sink, &scale));
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_null(vcd_open(&sink, &text));
    assert_int_equal(errno, EINVAL);
}

static char *slurp(const char *path)
{
    static char data[4096];
    FILE *f = fopen(path, "rb");
    size_t n;

    assert_non_null(f);
    n = fread(data, 1, sizeof(data) - 1, f);
    data[n] = '\0';
    assert_int_equal(fclose(f), 0);
    return data;
}

static void paths_and_streams(void **state)
{
    const struct vcd_options bad = {.timescale = "3 ns"};
    const char *path = "vcd_out_test.vcd";
    size_t len;
    char *good = whole(&len, 0, 0);
    const struct vcd_options options = {.version = "v"};
    struct vcd *w = vcd_open_path(path, &options);
    FILE *f;

    (void)state;
    assert_non_null(w);
    declare_and_run(w);
    assert_int_equal(vcd_flush(w), 0);
    assert_int_equal(strlen(slurp(path)) + 4, len);
    assert_int_equal(vcd_close(w), 0);
    assert_string_equal(slurp(path), good);
    errno = 0;
    assert_null(vcd_open_path(path, &bad));
    assert_int_equal(errno, EINVAL);
    assert_string_equal(slurp(path), good); /* not emptied */

    f = fopen(path, "wb");
    assert_non_null(f);
    w = vcd_open_file(f, &options);
    declare_and_run(w);
    assert_int_equal(vcd_close(w), 0);
    assert_string_equal(slurp(path), good); /* flushed */
    assert_int_equal(fclose(f), 0);         /* and ours to close */

    f = fopen(path, "rb");
    w = vcd_open_file(f, NULL);
    assert_int_equal(vcd_close(w), EBADF);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(remove(path), 0);
    free(good);

    assert_null(vcd_open_path("no/such/directory.vcd", NULL));
    assert_int_equal(errno, ENOENT);
    w = vcd_open_path("/dev/full", NULL);
    assert_non_null(w);
    assert_int_equal(vcd_close(w), ENOSPC);
    f = fopen("/dev/full", "wb");
    w = vcd_open_file(f, NULL);
    assert_int_equal(vcd_flush(w), ENOSPC); /* stdio kept it until now */
    assert_int_equal(vcd_close(w), ENOSPC);
    (void)fclose(f);
}

static ssize_t mute_write(void *cookie, const char *buf, size_t size)
{
    (void)cookie;
    (void)buf;
    (void)size;
    errno = 0;
    return 0; /* fails without giving a reason */
}

static void streams_without_a_reason(void **state)
{
    FILE *f = fopencookie(NULL, "wb", (cookie_io_functions_t){.write = mute_write});
    struct vcd *w;

    (void)state;
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    w = vcd_open_file(f, NULL);
    assert_int_equal(vcd_close(w), EIO);
    (void)fclose(f);
}

static void words_for_codes(void **state)
{
    (void)state;
    assert_string_equal(vcd_strerror(0), "no error");
    assert_string_equal(vcd_strerror(VCD_ETIME), "time went backwards");
    assert_string_equal(vcd_strerror(VCD_ETEXT), "text contains $end");
    assert_string_equal(vcd_strerror(VCD_ETEXT - 1), "unknown error");
    assert_string_equal(vcd_strerror(ENOSPC), strerror(ENOSPC));
    for (int a = VCD_ETEXT; a < 0; a++) {
        for (int b = a + 1; b <= 0; b++) {
            assert_string_not_equal(vcd_strerror(a), vcd_strerror(b));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_and_partial_writes_change_nothing),
        cmocka_unit_test(errors_at_every_byte),
        cmocka_unit_test(declaring_for_a_dead_sink),
        cmocka_unit_test(flush_and_close_errors),
        cmocka_unit_test(flushed_dumps_are_readable),
        cmocka_unit_test(empty_dump_has_header_and_time),
        cmocka_unit_test(limits),
        cmocka_unit_test(limit_can_be_lifted_and_set_late),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(paths_and_streams),
        cmocka_unit_test(streams_without_a_reason),
        cmocka_unit_test(words_for_codes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
