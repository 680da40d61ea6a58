/* An FST in a program without FST: by fst2vcd, wherever PATH has it. dump_nofst.c is
 * linked here, whatever the build has found. */
#include "trace/dumpfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void install(const char *script)
{
    (void)mkdir("fst_bin", 0777);
    write_text("fst_bin/fst2vcd", script);
    assert_int_equal(chmod("fst_bin/fst2vcd", 0777), 0);
    assert_int_equal(setenv("PATH", "fst_bin:/usr/bin:/bin", 1), 0);
}

static int begin(void **state)
{
    (void)state;
    write_text("-x.fst", "not looked at");
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove("-x.fst");
    remove("fst_bin/fst2vcd");
    remove("fst_bin");
    return 0;
}

static void refused(const char *message, const char *hint)
{
    struct dumpfile d;
    struct smw_err e = {0};

    assert_false(dumpfile_open(&d, "-x.fst", &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_non_null(strstr(e.message, message));
    assert_non_null(strstr(e.hint, hint));
    dumpfile_close(&d);
}

static void nobody(void **state)
{
    (void)state;
    assert_int_equal(setenv("PATH", "nowhere", 1), 0);
    refused("-x.fst: this smwave was built without FST files", "install gtkwave");
}

static void converted(void **state)
{
    struct dumpfile d;
    struct smw_err e = {0};
    struct reader_change c;

    (void)state;
    install("#!/bin/sh\n"
            "[ \"$*\" = '-e -f -x.fst' ] || exit 1\n"
            "echo '$timescale 1 ps $end $var wire 1 ! a $end $enddefinitions $end'\n"
            "echo '#5 1!'\n");
    assert_true(dumpfile_open(&d, "-x.fst", &e));
    assert_int_equal(reader_vars(d.r), 1);
    assert_int_equal(reader_next(d.r, &c, &e), READER_TIME);
    assert_int_equal(reader_next(d.r, &c, &e), READER_CHANGE);
    assert_int_equal(c.time, 5);
    assert_int_equal(reader_next(d.r, &c, &e), READER_END);
    assert_true(dumpfile_finish(&d, &e));
    dumpfile_close(&d);
}

/* Dies at once, or with half of it said; and one that never ends is ended. */
static void failing(void **state)
{
    struct dumpfile d;
    struct smw_err e = {0};
    struct reader_change c;

    (void)state;
    install("#!/bin/sh\nexit 3\n");
    refused("this is no FST, or it is damaged", "killed");
    install("#!/bin/sh\n"
            "echo '$timescale 1 ps $end $var wire 1 ! a $end $enddefinitions $end'\n"
            "echo '#5'\nkill -9 $$\n");
    assert_true(dumpfile_open(&d, "-x.fst", &e));
    while (reader_next(d.r, &c, &e) != READER_END) {
    }
    assert_false(dumpfile_finish(&d, &e));
    assert_non_null(strstr(e.message, "damaged"));
    dumpfile_close(&d);
    install("#!/bin/sh\n"
            "echo '$timescale 1 ps $end $var wire 1 ! a $end $enddefinitions $end'\n"
            "while :; do echo 1!; done\n");
    e = (struct smw_err){0};
    assert_true(dumpfile_open(&d, "-x.fst", &e));
    dumpfile_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody),
        cmocka_unit_test(converted),
        cmocka_unit_test(failing),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
