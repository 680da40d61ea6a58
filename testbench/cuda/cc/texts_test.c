/* The steps that change texts, and what messages mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cc/cc.h"
#include <stdlib.h>
#include <string.h>

/* want NULL: the source is not odd. */
static void repaired(const char *source, const char *want)
{
    char *got = cc_source_repair(source);

    assert_int_equal(cc_source_is_odd(source), want != NULL);
    assert_string_equal(got, want != NULL ? want : source);
    assert_int_equal(strlen(got), strlen(source));
    free(got);
}

static void test_repair(void **state)
{
    (void)state;
    repaired("k<<<1, 2>>>(p);", NULL);
    repaired("k << <1, 2>> >(p);", "k <<< 1, 2>>> (p);");
    repaired("k < < < 1, 2 > >\n>  (p);", "k <<<   1, 2 >>> \n  (p);");
    repaired("k<<<dim3(1 >> a), 2>> >(p);", "k<<<dim3(1 >> a), 2>>> (p);");
    repaired("k<int><< <1, f(3)>>>(p); j<<<1,1>> >();",
             "k<int><<< 1, f(3)>>>(p); j<<<1,1>>> ();");
    /* what is no launch stays */
    repaired("V<V<V<int> > > v;", NULL);
    repaired("V<V<V<int>> >(x);", NULL);
    repaired("a << b; c >> d;", NULL);
    repaired("// k << <1, 2>> >(p);\nint x;", NULL);
    repaired("/* k << <1, 2>> >(p); */", NULL);
    repaired("s = \"k << <1, 2>> >(p)\";", NULL);
    repaired("int n = 1'000; k << <1, 2>> >(p);", "int n = 1'000; k <<< 1, 2>>> (p);");
    /* an end that is missing is clang's to say */
    repaired("k << <1, 2(p);", NULL);
    repaired("k << <", NULL);
    repaired("", NULL);
    repaired("\"", NULL);
    repaired("/*", NULL);
}

static void test_finish(void **state)
{
    static const char ptx[] = ".version 7.1\n.target sm_86\n.address_size 64\n"
                              ".visible .entry k(\n\t.param .u64 k_0\n)\n"
                              ".maxntid 32, 1, 1\n{\n\tret;\n}\n"
                              ".func f()\n{\n}\n"
                              ".entry j()\n{\n}\n";
    char *got = cc_ptx_finish(ptx, (struct cc_target){90, 'a'}, 40);

    (void)state;
    assert_string_equal(got, ".version 8.0\n.target sm_90a\n.address_size 64\n"
                             ".visible .entry k(\n\t.param .u64 k_0\n)\n.maxnreg 40\n"
                             ".maxntid 32, 1, 1\n{\n\tret;\n}\n"
                             ".func f()\n{\n}\n"
                             ".entry j()\n.maxnreg 40\n{\n}\n");
    free(got);
    /* neither a target nor a limit: the same text */
    got = cc_ptx_finish(ptx, (struct cc_target){0}, 0);
    assert_string_equal(got, ptx);
    free(got);
    got = cc_ptx_finish(".target sm_86, debug\n", (struct cc_target){120, 0}, 0);
    assert_string_equal(got, ".target sm_120, debug\n");
    free(got);
    got = cc_ptx_finish("", (struct cc_target){120, 0}, 8);
    assert_string_equal(got, "");
    free(got);
}

static void test_register(void **state)
{
    char *got =
        cc_asm_register("\tcall __cudaRegisterLinkedBinary__nv_1a2b@PLT\n\tret\n");

    (void)state;
    assert_string_equal(got, "\tcall smwaveRegisterLinkedBinary@PLT\n\tret\n");
    free(got);
    got = cc_asm_register("ret\n");
    assert_string_equal(got, "ret\n");
    free(got);
}

static void explains(const char *line, const char *part)
{
    char *got = cc_explain(line);

    if (part == NULL) {
        assert_null(got);
    } else {
        assert_non_null(got);
        assert_non_null(strstr(got, part));
    }
    free(got);
}

static void test_explain(void **state)
{
    (void)state;
    explains("a.cu:1:10: fatal error: 'cublas_v2.h' file not found\n", "cuBLAS");
    explains("a.cu:1:10: fatal error: 'thrust/sort.h' file not found\n", "Thrust");
    explains("/usr/bin/ld: cannot find -lcufft: No such file\n", "cuFFT");
    explains("a.cu:1:10: fatal error: 'mine.h' file not found\n", NULL);
    explains("    k << <1, 2>> >(p);\n", "brackets of a launch");
    explains("undefined reference to `cudaNothing'\n", "does not have");
    explains("a.cu:9:5: error: reference to __global__ function 'k' in __global__ "
             "function\n",
             "kernels that launch kernels");
    explains("a.cu:9:5: error: reference to __global__ function 'k' in __host__ "
             "function\n",
             NULL);
    explains("a.cu:9:5: error: no matching function for call to 'cudaMalloc'\n",
             "call the runtime");
    explains("/usr/bin/ld: cannot find -lomp: No such file\n", "libomp");
    explains("undefined reference to `__kmpc_fork_call'\n", "-Xcompiler -fopenmp");
    explains("a.cu:1:17: error: 'annotate' attribute requires parameter 1 to be a "
             "constant expression\n",
             "__cluster_dims__");
    explains("1 error generated when compiling for sm_52.\n", NULL);
    explains("", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_finish),
        cmocka_unit_test(test_register),
        cmocka_unit_test(test_explain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
