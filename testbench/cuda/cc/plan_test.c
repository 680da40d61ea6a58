/* The steps that command lines take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cc/cc.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder with sources, in which the test runs. */
static char folder[] = "/tmp/cc_plan_XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    fputs(text, f);
    fclose(f);
}

static int enter(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    write_file("a.cu", "__global__ void k() {}\n");
    write_file("odd.cu", "int main() { k << <1, 2>> >(); }\n");
    write_file("b.cpp", "int f();\n");
    return 0;
}

static int leave(void **state)
{
    (void)state;
    unlink("a.cu");
    unlink("odd.cu");
    unlink("b.cpp");
    return rmdir(folder);
}

struct made {
    struct cc_options o;
    struct cc_plan p;
    struct smw_err e;
    bool ok;
};

static void make(struct made *m, uint32_t major, const char *line)
{
    struct cc_tools t = {(char *)"/usr/bin/clang", major, (char *)"/R"};
    struct cc_words w = {0};

    *m = (struct made){0};
    for (const char *s = line; *s != '\0';) {
        size_t n = strcspn(s, " ");

        cc_add(&w, "%.*s", (int)n, s);
        s += n + (s[n] == ' ');
    }
    m->ok = cc_options_read(&m->o, (int)w.n, w.w, "/R", &m->e) &&
            cc_plan_make(&m->p, &m->o, &t, "/T", &m->e);
    cc_words_free(&w);
}

static void unmake(struct made *m)
{
    cc_plan_free(&m->p);
    cc_options_free(&m->o);
}

/* The step has these words in this order, blanks between them. */
static bool has(const struct cc_step *s, const char *words)
{
    struct text t = {0};
    bool found;

    for (uint32_t i = 0; i < s->words.n; i++) {
        text_add(&t, " %s", s->words.w[i]);
    }
    text_add(&t, " ");
    found = strstr(t.s, words) != NULL;
    text_free(&t);
    return found;
}

static void kinds(const struct made *m, const enum cc_step_kind *kind, uint32_t n)
{
    assert_true(m->ok);
    assert_int_equal(m->p.n, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(m->p.step[i].kind, kind[i]);
    }
}

static void test_program(void **state)
{
    static const enum cc_step_kind want[] = {CC_RUN, CC_PACK, CC_RUN, CC_RUN};
    struct made m;

    (void)state;
    make(&m, 16, "-arch=sm_70 -DX -Xcompiler -Wall a.cu -o prog");
    kinds(&m, want, 4);
    assert_true(has(&m.p.step[0], " --cuda-device-only -S "));
    assert_true(has(&m.p.step[0], " --cuda-gpu-arch=sm_70 "));
    assert_true(has(&m.p.step[0], " -DX "));
    assert_false(has(&m.p.step[0], " -Wall "));
    assert_true(has(&m.p.step[0], " --cuda-path=/R/none ")); /* no toolkit */
    assert_true(has(&m.p.step[0], " -include /R/include/smwave/prelude.h "));
    assert_string_equal(m.p.step[1].out, "/T/1-a.fatbin");
    assert_true(has(&m.p.step[2], " --cuda-host-only "));
    assert_true(has(&m.p.step[2], " -Wall "));
    assert_true(
        has(&m.p.step[2],
            " -fcuda-include-gpubinary -Xclang /T/1-a.fatbin -c a.cu -o /T/1-a.o "));
    assert_true(has(&m.p.step[3], " -o prog -Wall /T/1-a.o -L/R/lib64 -lsmwave_cudart "
                                  "-Wl,-rpath,/R/lib64 "));
    assert_int_equal(m.p.made.n, 3); /* PTX, fat binary, object go */
    unmake(&m);
}

static void test_targets(void **state)
{
    static const enum cc_step_kind want[] = {CC_RUN,    CC_RUN,  CC_MARK,
                                             CC_FINISH, CC_PACK, CC_RUN};
    static const enum cc_step_kind text[] = {CC_RUN, CC_MARK};
    struct made m;

    (void)state;
    /* clang 14 ends at sm_86: what is beyond is named in the text */
    make(&m, 14,
         "-gencode arch=compute_52,code=sm_52 "
         "-gencode arch=compute_90,code=sm_90 -c a.cu");
    kinds(&m, want, 6);
    assert_true(has(&m.p.step[0], " -isystem /R/include/smwave/wrappers "));
    assert_true(has(&m.p.step[1], " --cuda-gpu-arch=sm_86 "));
    assert_true(has(&m.p.step[1], " -D__CUDA_ARCH__=900 "));
    /* from 9.0 on there are clusters: the same again as IR, if they are there */
    assert_string_equal(m.p.step[2].in, "/T/1-a.raw.ptx");
    assert_string_equal(m.p.step[2].out, "/T/1-a.ll");
    assert_true(has(&m.p.step[2], " -S -emit-llvm -Xclang -disable-llvm-passes "));
    assert_true(has(&m.p.step[2], " -D__CUDA_ARCH__=900 "));
    assert_true(has(&m.p.step[2], " -o /T/1-a.ll "));
    assert_int_equal(m.p.step[3].target[0].number, 90);
    assert_int_equal(m.p.step[4].words.n, 2);
    assert_true(has(&m.p.step[5], " -o a.o "));
    unmake(&m);
    /* clang 16 has it */
    make(&m, 16, "-arch=sm_90 -ptx a.cu");
    kinds(&m, text, 2);
    assert_string_equal(m.p.step[1].in, "a.ptx");
    assert_true(has(&m.p.step[0],
                    " --cuda-gpu-arch=sm_90 -Xclang -target-feature -Xclang "
                    "+ptx78 "));
    assert_false(has(&m.p.step[0], "wrappers"));
    assert_true(has(&m.p.step[0], " -o a.ptx "));
    unmake(&m);
}

static void test_linked(void **state)
{
    static const enum cc_step_kind want[] = {CC_RUN, CC_PACK, CC_RUN, CC_REGISTER,
                                             CC_RUN};
    struct made m;

    (void)state;
    make(&m, 19, "-rdc=true -c a.cu -o x.o");
    kinds(&m, want, 5);
    assert_true(has(&m.p.step[0], " -fgpu-rdc "));
    assert_true(has(&m.p.step[2], " -S a.cu -o /T/1-a.host.s "));
    assert_string_equal(m.p.step[3].in, "/T/1-a.host.s");
    assert_true(has(&m.p.step[4], " -c /T/1-a.s -o x.o "));
    unmake(&m);
    make(&m, 19, "-dlink a.o b.o -o d.o");
    kinds(&m, want, 1);
    assert_true(has(&m.p.step[0], " /dev/null -o d.o "));
    unmake(&m);
}

static void test_others(void **state)
{
    static const enum cc_step_kind odd[] = {CC_REPAIR, CC_RUN, CC_PACK, CC_RUN};
    static const enum cc_step_kind run[] = {CC_RUN, CC_RUN};
    struct made m;

    (void)state;
    make(&m, 19, "-c odd.cu");
    kinds(&m, odd, 4);
    assert_true(has(&m.p.step[1], " -iquote . ")); /* its neighbours are still found */
    assert_true(has(&m.p.step[3], " -c /T/1-odd.cu -o odd.o "));
    unmake(&m);
    make(&m, 19, "-c b.cpp -MD -g");
    kinds(&m, run, 1);
    assert_true(
        has(&m.p.step[0], " -x c++ -fPIE -O0 -fwrapv -fno-strict-aliasing -g "));
    assert_true(has(&m.p.step[0], " -MD -MF b.d -MT b.o "));
    assert_false(has(&m.p.step[0], "prelude.h"));
    unmake(&m);
    make(&m, 19, "-lib b.cpp c.o -o l.a");
    kinds(&m, run, 2);
    assert_true(has(&m.p.step[1], " ar rcs l.a /T/1-b.o c.o "));
    unmake(&m);
    make(&m, 19, "-use_fast_math -G -maxrregcount=32 -ptx a.cu");
    assert_true(has(&m.p.step[0], " -O0 "));
    assert_true(has(&m.p.step[0],
                    " -fcuda-flush-denormals-to-zero -mllvm "
                    "-nvptx-prec-divf32=0 -mllvm -nvptx-prec-sqrtf32=0 "));
    assert_int_equal(m.p.step[1].kind, CC_FINISH);
    assert_int_equal(m.p.step[1].max_regs, 32);
    unmake(&m);
}

static void refuse(const char *line, const char *message)
{
    struct made m;

    make(&m, 19, line);
    assert_false(m.ok);
    assert_non_null(strstr(m.e.message, message));
    unmake(&m);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("-c", "no input file");
    refuse("-c a.o", "no source");
    refuse("-c none.cu", "none.cu");
    refuse("-c a.cu odd.cu -o x.o", "2 sources");
    refuse("-ptx b.cpp", "only of .cu files");
    refuse(
        "-ptx -gencode arch=compute_52,code=sm_52 -gencode arch=compute_60,code=sm_60 "
        "a.cu",
        "2 architectures");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),  cmocka_unit_test(test_targets),
        cmocka_unit_test(test_linked),   cmocka_unit_test(test_others),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
