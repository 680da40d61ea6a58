/* What command lines ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cc/cc.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Words divided by blanks, read; false: refused. */
static bool understand(struct cc_options *o, const char *line, struct smw_err *e)
{
    struct cc_words w = {0};
    bool ok;

    for (const char *s = line; *s != '\0';) {
        size_t n = strcspn(s, " ");

        if (n > 0) {
            cc_add(&w, "%.*s", (int)n, s);
            for (char *at = w.w[w.n - 1]; (at = strchr(at, '~')) != NULL;) {
                *at = ' '; /* in a word */
            }
        }
        s += n + (s[n] == ' ');
    }
    *e = (struct smw_err){0};
    ok = cc_options_read(o, (int)w.n, w.w, NULL, e);
    cc_words_free(&w);
    return ok;
}

static void accept(struct cc_options *o, const char *line)
{
    struct smw_err e;

    if (!understand(o, line, &e)) {
        fail_msg("%s: %s", line, e.message);
    }
}

static void refuse(const char *line, const char *message, const char *hint)
{
    struct cc_options o;
    struct smw_err e;

    assert_false(understand(&o, line, &e));
    assert_non_null(strstr(e.message, message));
    if (hint != NULL) {
        assert_non_null(strstr(e.hint, hint));
    }
    cc_options_free(&o);
}

static void test_modes(void **state)
{
    static const struct {
        const char *line;
        enum cc_mode mode;
    } rows[] = {
        {"a.cu", CC_LINK},
        {"-c a.cu", CC_OBJECT},
        {"--compile a.cu", CC_OBJECT},
        {"-dc a.cu", CC_OBJECT},
        {"--ptx a.cu", CC_PTX},
        {"-fatbin a.cu", CC_FATBIN},
        {"-E a.cu", CC_PREPROCESS},
        {"-M a.cu", CC_DEPENDENCIES},
        {"-MM a.cu", CC_DEPENDENCIES},
        {"-dlink a.o", CC_DEVICE_LINK},
        {"-lib a.o", CC_ARCHIVE},
        {"--version", CC_VERSION},
        {"--list-gpu-arch", CC_LIST_TARGETS},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct cc_options o;

        accept(&o, rows[i].line);
        assert_int_equal(o.mode, rows[i].mode);
        cc_options_free(&o);
    }
}

static void test_targets(void **state)
{
    struct cc_options o;

    (void)state;
    accept(&o, "a.cu");
    assert_int_equal(o.n_targets, 1);
    assert_int_equal(o.target[0].number, CC_DEFAULT_TARGET);
    cc_options_free(&o);
    /* one way of writing it after another, and what is said last counts */
    accept(&o, "-arch=sm_60 -arch compute_70 a.cu");
    assert_int_equal(o.n_targets, 1);
    assert_int_equal(o.target[0].number, 70);
    cc_options_free(&o);
    accept(&o, "--generate-code=arch=compute_52,code=[compute_52,sm_52] "
               "-gencode arch=compute_90a,code=sm_90a "
               "-gencode arch=compute_52,code=sm_52 a.cu");
    assert_int_equal(o.n_targets, 2);
    assert_int_equal(o.target[0].number, 52);
    assert_int_equal(o.target[1].number, 90);
    assert_int_equal(o.target[1].suffix, 'a');
    cc_options_free(&o);
    accept(&o, "-code=sm_35,sm_37 a.cu");
    assert_int_equal(o.n_targets, 2);
    assert_int_equal(o.target[1].number, 37);
    cc_options_free(&o);
    /* what is older than clang's oldest is compiled for that, and a note says so */
    accept(&o, "-arch sm_13 -gencode arch=compute_10,code=sm_10 a.cu");
    assert_int_equal(o.n_targets, 1);
    assert_int_equal(o.target[0].number, 20);
    assert_int_equal(o.notes.n, 2);
    cc_options_free(&o);
    /* what has no one number is compiled for the default, and a note says so */
    accept(&o, "-arch=native a.cu");
    assert_int_equal(o.target[0].number, CC_DEFAULT_TARGET);
    assert_int_equal(o.notes.n, 1);
    cc_options_free(&o);
    refuse("-arch=sm_66 a.cu", "unknown architecture 'sm_66'", "sm_60");
    refuse("-gencode code=sm_60 a.cu", "'arch=' is missing", NULL);
}

static void test_values(void **state)
{
    struct cc_options o;

    (void)state;
    accept(&o, "-Ia -I b -isystem=c -DX=1 -D Y -UZ -include d.h -O3 -std=c++14 "
               "-maxrregcount 40 -rdc=true -default-stream per-thread -cudart none "
               "-use_fast_math -fmad=false -MD -MF e.d -MT f.o -o g.o -Llib -lm a.cu");
    assert_int_equal(o.preprocess.n, 11);
    assert_string_equal(o.preprocess.w[0], "-I");
    assert_string_equal(o.preprocess.w[3], "b");
    assert_string_equal(o.preprocess.w[4], "-isystem");
    assert_string_equal(o.preprocess.w[6], "-DX=1");
    assert_string_equal(o.preprocess.w[7], "-DY");
    assert_string_equal(o.optimise, "-O3");
    assert_string_equal(o.std, "c++14");
    assert_int_equal(o.max_regs, 40);
    assert_true(o.relocatable && o.per_thread && o.no_runtime && o.no_fma && o.deps);
    assert_true(o.fast_math && o.flush && o.no_precise_div && o.no_precise_sqrt);
    assert_string_equal(o.deps_file, "e.d");
    assert_string_equal(o.deps_target, "f.o");
    assert_string_equal(o.output, "g.o");
    assert_string_equal(o.link.w[0], "-Llib");
    assert_int_equal(o.n_inputs, 2); /* libraries keep their place */
    assert_string_equal(o.input[0].word, "-lm");
    assert_int_equal(o.input[0].language, CC_TO_LINKER);
    assert_int_equal(o.input[1].language, CC_CUDA);
    cc_options_free(&o);
    accept(&o, "-prec-div=true -prec-sqrt=true -ftz=false -Xcompiler -Wall,-fPIC "
               "-Xcompiler=-DQ=a\\,b -Xlinker -z,-x a.cu");
    assert_false(o.no_precise_div || o.no_precise_sqrt || o.flush);
    assert_int_equal(o.host.n, 3);
    assert_string_equal(o.host.w[1], "-fPIC");
    assert_string_equal(o.host.w[2], "-DQ=a,b");
    assert_string_equal(o.link.w[1], "-Wl,-x");
    cc_options_free(&o);
    accept(&o, "--compiler-options=-O2~-pipe -Xcompiler \"-Wl,-rpath,/x~y\" a.cu");
    assert_int_equal(o.host.n, 3);
    assert_string_equal(o.host.w[1], "-pipe");
    assert_string_equal(o.host.w[2], "-Wl,-rpath,/x y");
    cc_options_free(&o);
    refuse("-rdc=yes a.cu", "true or false", NULL);
    refuse("-maxrregcount=many a.cu", "a number up to 255", NULL);
    refuse("-std=c++71 a.cu", "unknown standard", "did you mean 'c++1");
    refuse("-O7 a.cu", "a number up to 3", NULL);
    refuse("a.cu -o", "its value is missing", NULL);
    refuse("-x fortran a.f", "cu, c++ and c", NULL);
    refuse("-default-stream both a.cu", "legacy, null or per-thread", NULL);
}

static void test_inputs(void **state)
{
    struct cc_options o;

    (void)state;
    accept(&o, "a.cu b.cpp c.c d.o e.a libf.so -lcudart -lcudadevrt -lcuda -pthread "
               "-Wl,-z,now");
    assert_int_equal(o.n_inputs, 8);
    assert_int_equal(o.input[1].language, CC_CXX);
    assert_int_equal(o.input[2].language, CC_C);
    assert_int_equal(o.input[5].language, CC_TO_LINKER);
    /* the toolkit's own libraries are gone or have our names */
    assert_string_equal(o.input[6].word, "-l:libcuda.so.1");
    assert_string_equal(o.input[7].word, "-Wl,-z,now");
    assert_int_equal(o.notes.n, 2);
    cc_options_free(&o);
    accept(&o, "-x cu a.cpp b.o");
    assert_int_equal(o.input[0].language, CC_CUDA);
    assert_int_equal(o.input[1].language, CC_TO_LINKER);
    cc_options_free(&o);
}

static void test_unknown(void **state)
{
    struct cc_options o;

    (void)state;
    refuse("-arhc=sm_60 a.cu", "unknown option '-arhc=sm_60'", "-arch");
    refuse("--maxregcount=3 a.cu", "unknown option", "--maxrregcount");
    refuse("-cubin a.cu", "machine code of a device", NULL);
    refuse("-zzz a.cu", "unknown option '-zzz'", "--help");
    accept(&o, "-forward-unknown-to-host-compiler -zzz a.cu");
    assert_string_equal(o.host.w[0], "-zzz");
    cc_options_free(&o);
    /* options without an effect are taken, and a note says why */
    accept(&o, "-Xptxas -v -lineinfo -ccbin=g++ a.cu");
    assert_int_equal(o.notes.n, 3);
    assert_int_equal(o.n_inputs, 1);
    cc_options_free(&o);
}

static void test_files(void **state)
{
    char path[] = "/tmp/cc_options_XXXXXX", line[64];
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    struct cc_options o;

    (void)state;
    fputs("-I\"a b\" -DX='\"y\"'\n-O1 c.cu\\ d\n", f);
    fclose(f);
    snprintf(line, sizeof(line), "--options-file %s", path);
    accept(&o, line);
    assert_string_equal(o.preprocess.w[1], "a b");
    assert_string_equal(o.preprocess.w[2], "-DX=\"y\"");
    assert_string_equal(o.optimise, "-O1");
    assert_string_equal(o.input[0].word, "c.cu d");
    cc_options_free(&o);
    snprintf(line, sizeof(line), "@%s", path);
    accept(&o, line);
    assert_int_equal(o.n_inputs, 1);
    cc_options_free(&o);
    /* a file that names itself comes to an end */
    f = fopen(path, "w");
    fprintf(f, "@%s\n", path);
    fclose(f);
    refuse(line, "files of options in", NULL);
    unlink(path);
    refuse(line, path, NULL);
}

static void test_quote(void **state)
{
    struct cc_words w = {0};
    struct text t = {0};

    (void)state;
    cc_add(&w, "a b");
    cc_add(&w, "it's");
    cc_add(&w, "-DX=1");
    cc_add(&w, "%s", "");
    cc_words_quote(&w, &t);
    assert_string_equal(t.s, "'a b' 'it'\\''s' -DX=1 ''");
    text_free(&t);
    cc_words_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),   cmocka_unit_test(test_targets),
        cmocka_unit_test(test_values),  cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_files),
        cmocka_unit_test(test_quote),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
