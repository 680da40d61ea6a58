/* The list of waveforms, in a program without FST: dump_nofst.c is linked here,
 * whatever the build has found. */
#include "trace/tracing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void refuses(const char *list, const char *message, const char *hint)
{
    struct tracing_plan p;
    struct smw_err e = {0};

    assert_false(tracing_parse(&p, list, "out", &e));
    assert_int_equal(e.kind, SMW_ERR_USAGE);
    assert_string_equal(e.message, message);
    assert_non_null(strstr(e.hint, hint));
    assert_int_equal(p.n, 0);
}

static void without_fst(void **state)
{
    static const char message[] = "--trace: this smwave was built without FST files";
    static const char hint[] = "install verilator and zlib1g-dev, and build again";

    (void)state;
    refuses("fst", message, hint);
    refuses("vcd,fst", message, hint);
    refuses("a/b.fst,vcd", message, hint);
}

static void words(void **state)
{
    (void)state;
    refuses("vdc",
            "--trace: 'vdc' is not one of vcd, fst, vcd.gz, none, FILE.vcd, "
            "FILE.fst, FILE.vcd.gz, -",
            "did you mean 'vcd'?");
    refuses("vcd,",
            "--trace: '' is not one of vcd, fst, vcd.gz, none, FILE.vcd, "
            "FILE.fst, FILE.vcd.gz, -",
            "");
    refuses("fts",
            "--trace: 'fts' is not one of vcd, fst, vcd.gz, none, FILE.vcd, "
            "FILE.fst, FILE.vcd.gz, -",
            "did you mean 'fst'?");
    refuses(".vcd",
            "--trace: '.vcd' is not one of vcd, fst, vcd.gz, none, FILE.vcd, "
            "FILE.fst, FILE.vcd.gz, -",
            "");
    refuses("vcd,a.vcd,b.vcd,c.vcd,d.vcd", "--trace: at most 4 waveforms", "");
}

static void plans(void **state)
{
    struct tracing_plan p;
    struct smw_err e = {0};

    (void)state;
    assert_true(tracing_parse(&p, "vcd,none,a/b.vcd", "out", &e));
    assert_int_equal(p.n, 2);
    assert_string_equal(p.path[0], "out/run.vcd");
    assert_string_equal(p.path[1], "a/b.vcd");
    assert_int_equal(p.format[0], WAVE_VCD);
    assert_int_equal(p.format[1], WAVE_VCD);
    tracing_plan_free(&p);
    assert_true(tracing_parse(&p, "none", "out", &e));
    assert_int_equal(p.n, 0);
    tracing_plan_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_fst),
        cmocka_unit_test(words),
        cmocka_unit_test(plans),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
