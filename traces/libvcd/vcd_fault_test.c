/*
 * Sinks that fail at every byte: what was kept is a dump, and a prefix of the whole
 * one. Read by the test's reader; on a real file by the same; a sample of the prefixes
 * by vcd2fst and by gtkwave, which must be there.
 */
#define _XOPEN_SOURCE 700 /* setrlimit() */

#include "libvcd/vcd_testlib.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SAMPLES = 50, LOADED = 10 };

static const char path[] = "vcd_fault.vcd";

/* Every kind of line, with identifiers and times of more than one character, so that a
 * line cut in half can be another one. */
static void declare_and_run(struct vcd *w)
{
    char name[8], text[64];
    vcd_id bit[100], bus, wide, real, string, event;

    vcd_comment(w, "some words");
    vcd_scope(w, "top");
    for (unsigned i = 0; i < 100; i++) {
        snprintf(name, sizeof(name), "b%02u", i);
        bit[i] = vcd_add(w, VCD_WIRE, name, 1);
    }
    bus = vcd_add(w, VCD_REG, "bus", 16);
    wide = vcd_add(w, VCD_WIRE, "wide", 130);
    real = vcd_add(w, VCD_REAL, "real", 0);
    string = vcd_add(w, VCD_STRING, "string", 0);
    event = vcd_add(w, VCD_EVENT, "event", 0);
    vcd_upscope(w);
    vcd_begin(w);
    for (unsigned i = 1; i <= 30; i++) {
        vcd_time(w, i * 77);
        vcd_set_u64(w, bit[i], 1);
        vcd_set_u64(w, bit[99 - i], i & 1);
        vcd_set_u64(w, bus, i * 1111);
        vcd_set_u64(w, wide, i * UINT64_C(0x0123456789abcdef));
        vcd_set_real(w, real, i / 7.0);
        snprintf(text, sizeof(text), "word %u of many", i);
        vcd_set_string(w, string, text);
        vcd_fire(w, event);
        if (i == 10) {
            vcd_dumpoff(w);
        } else if (i == 12) {
            vcd_dumpon(w);
        } else if (i == 20) {
            vcd_dumpall(w);
            vcd_comment(w, "all of them");
        }
    }
    vcd_time(w, 10000);
}

/* The whole dump; *header: its bytes up to and with the first time. */
static char *whole(size_t *len, size_t *header)
{
    struct mem m;
    struct vcd *w = mem_open(&m, NULL);

    declare_and_run(w);
    assert_int_equal(vcd_close(w), 0);
    *len = m.len;
    *header = (size_t)(strstr(m.data, "#0\n") - m.data) + 3;
    return m.data;
}

/* Those of the lines before are left out: the test of that prefix compared them. */
static void assert_is_prefix(const struct rd *whole, const char *text)
{
    struct rd part;

    rd_parse_cut(&part, text);
    assert_int_equal(part.n_vars, whole->n_vars);
    assert_true(part.n_changes <= whole->n_changes);
    for (size_t i = part.n_changes > 9 ? part.n_changes - 9 : 0; i < part.n_changes;
         i++) {
        const struct rd_change *a = &part.changes[i], *b = &whole->changes[i];

        assert_true(a->time == b->time && a->var == b->var);
        assert_string_equal(a->value, b->value);
    }
    rd_free(&part);
}

struct fault {
    size_t buffer, chunk;
    int code; /* of mem.fail_code */
    bool interrupted;
};

static void fail_at_every_byte(const struct fault *f)
{
    size_t len, header;
    char *good = whole(&len, &header);

    for (size_t n = 0; n <= len; n++) {
        const struct vcd_options options = {.buffer = f->buffer};
        size_t kept = n;
        struct mem m;
        struct vcd *w = mem_open(&m, &options);

        while (kept > 0 && good[kept - 1] != '\n') {
            kept--;
        }
        m.fail_at = n;
        m.fail_code = f->code;
        m.chunk = f->chunk;
        m.interrupted = f->interrupted;
        m.cuts = true;
        declare_and_run(w);
        assert_int_equal(vcd_close(w), n == len ? 0 : f->code == 0 ? EIO : -f->code);
        assert_int_equal(m.closes, 1);
        assert_int_equal(m.n_cuts, kept != n);
        assert_int_equal(m.len, kept);
        assert_memory_equal(kept > 0 ? m.data : "", good, kept);
        mem_free(&m);
    }
    free(good);
}

/* What the tests below keep is one of these. */
static void prefixes_are_dumps(void **state)
{
    size_t len, header;
    char *good = whole(&len, &header);
    struct rd all;

    (void)state;
    rd_parse(&all, good);
    for (size_t n = len; n >= header; n--) {
        if (good[n - 1] == '\n') {
            good[n] = '\0';
            assert_is_prefix(&all, good);
        }
    }
    rd_free(&all);
    free(good);
}

static void no_space(void **state)
{
    (void)state;
    fail_at_every_byte(&(struct fault){.code = -ENOSPC});
}

static void no_space_with_a_small_buffer(void **state)
{
    (void)state;
    fail_at_every_byte(&(struct fault){.code = -ENOSPC, .buffer = 1});
}

static void short_writes(void **state)
{
    (void)state;
    fail_at_every_byte(&(struct fault){.code = -EIO, .chunk = 11});
}

static void interrupted_writes(void **state)
{
    (void)state;
    fail_at_every_byte(
        &(struct fault){.code = -ENOSPC, .chunk = 97, .interrupted = true});
}

static void writes_of_nothing(void **state)
{
    (void)state;
    fail_at_every_byte(&(struct fault){.code = 0, .buffer = 700});
}

/* --- a file, and other people's readers --- */

static char *slurp(size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *data = calloc(1, 1 << 16);

    assert_true(f != NULL && data != NULL);
    *len = fread(data, 1, (1 << 16) - 1, f);
    assert_int_equal(fclose(f), 0);
    return data;
}

/* Write it where files may have n bytes and no more. */
static int write_limited(size_t n, size_t buffer)
{
    const struct vcd_options options = {.buffer = buffer};
    struct rlimit limit, old;
    struct vcd *w;
    int code;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = n;
    w = vcd_open_path(path, &options);
    assert_non_null(w);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    declare_and_run(w);
    code = vcd_close(w);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    return code;
}

static void files_at_every_byte(void **state)
{
    size_t len, header, kept;
    char *good = whole(&len, &header);

    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    for (size_t n = 0; n <= len; n++) {
        char *text;

        assert_int_equal(write_limited(n, n % 2 ? 0 : 512), n < len ? EFBIG : 0);
        text = slurp(&kept);
        assert_true(kept <= n && (kept == 0 || text[kept - 1] == '\n'));
        assert_memory_equal(text, good, kept);
        assert_true(n - kept < 200);
        free(text);
    }
    free(good);
    assert_int_equal(remove(path), 0);
}

static int exit_code(const char *command)
{
    int rc = system(command);

    return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

static void prefixes_open_elsewhere(void **state)
{
    size_t len, header;
    char *good = whole(&len, &header), command[256];

    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    header += strlen("$dumpvars\nx!\n"); /* they want to see a value */
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t n = header + (len - 1 - header) * i / (SAMPLES - 1);

        assert_int_equal(write_limited(n, 0), EFBIG);
        assert_int_equal(exit_code(
                             "vcd2fst vcd_fault.vcd vcd_fault.fst >vcd_fault.out 2>&1"),
                         0);
        /* It says nothing but how many variables there are. */
        assert_int_equal(exit_code("grep -qi 'warn\\|error\\|near' vcd_fault.out"), 1);
        assert_int_equal(exit_code("fst2vcd vcd_fault.fst >vcd_fault.out 2>&1"), 0);
        if (i % (SAMPLES / LOADED) == 0) {
            snprintf(command, sizeof(command), "cp vcd_fault.vcd vcd_fault.%u.vcd",
                     (unsigned)(i / (SAMPLES / LOADED)));
            assert_int_equal(exit_code(command), 0);
        }
    }
    /* One display for all of them. */
    assert_int_equal(exit_code("xvfb-run -a sh -c 'for i in 0 1 2 3 4 5 6 7 8 9; do "
                               "gtkwave -x vcd_fault.$i.vcd || exit 1; done' "
                               ">vcd_fault.out 2>&1"),
                     0);
    assert_int_equal(exit_code("grep -qi 'backtracking\\|near byte' vcd_fault.out"), 1);
    assert_int_equal(exit_code("rm -f vcd_fault.*"), 0);
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefixes_are_dumps),
        cmocka_unit_test(no_space),
        cmocka_unit_test(no_space_with_a_small_buffer),
        cmocka_unit_test(short_writes),
        cmocka_unit_test(interrupted_writes),
        cmocka_unit_test(writes_of_nothing),
        cmocka_unit_test(files_at_every_byte),
        cmocka_unit_test(prefixes_open_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
