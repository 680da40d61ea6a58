/* Directives for clusters, out of PTX and IR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cc/cc.h"
#include <stdlib.h>
#include <string.h>

#define VARIABLE ".visible .global .align 1 .u8 _ZL20smwave_cluster_marks;\n"

/* Four kernels, the first only declared as well, as LLVM does. */
static const char ptx[] =
    ".version 7.8\n.target sm_90\n.visible .entry k\n(\n\t.param .u64 "
    "k_0\n)\n;\n" VARIABLE
    ".visible .entry k(\n\t.param .u64 k_0\n)\n.maxntid 32, 1, 1\n{\n\tret;\n}\n"
    ".weak .entry t__intern__123()\n{\n}\n"
    ".entry m()\n{\n}\n"
    ".visible .entry plain()\n{\n}\n";

/* As clang 19 writes it: pointers without types. The numbers: 2 + (1 << 21) + (1 << 42)
 * and 4 + (3 << 21) + (2 << 42). */
#define STRINGS                                                                        \
    "@.str = private constant [20 x i8] c\"smwave.cluster_dims\\00\", section "        \
    "\"llvm.metadata\"\n"                                                              \
    "@.str1 = private constant [5 x i8] c\"a\\22.cu\\00\", section "                   \
    "\"llvm.metadata\"\n"
#define LIMIT                                                                          \
    "@.str2 = private constant [19 x i8] c\"smwave.max_cluster\\00\"\n"                \
    "@.str3 = private constant [7 x i8] c\"theirs\\00\"\n"
#define VAR  "ptr addrspacecast (ptr addrspace(1) @_ZL20smwave_cluster_marks to ptr)"
#define TYPE "{ ptr, ptr, ptr, i32, ptr }"

static const char opaque[] = STRINGS LIMIT
    "@.args = constant { i64, ptr } { i64 4398048608258, " VAR " }\n"
    "@.args2 = constant { i64, ptr } { i64 8796099313668, " VAR " }\n"
    "@.args3 = constant { i32, ptr } { i32 5, " VAR " }\n"
    "@.args4 = constant { i32, ptr } zeroinitializer\n"
    "@llvm.global.annotations = appending global [5 x " TYPE "] "
    "[" TYPE " { ptr @k, ptr @.str, ptr @.str1, i32 4, ptr @.args }, " TYPE
    " { ptr @t__intern__456, ptr @.str, ptr @.str1, i32 8, ptr @.args2 "
    "}, " TYPE " { ptr @m, ptr @.str2, ptr @.str1, i32 9, ptr @.args3 }, " TYPE
    " { ptr @plain, ptr @.str2, ptr @.str1, i32 10, ptr @.args4 }, " TYPE
    " { ptr @plain, ptr @.str3, ptr @.str1, i32 10, ptr null }]"
    ", section \"llvm.metadata\"\n";

static const char want[] =
    ".version 7.8\n.target sm_90\n.visible .entry k\n(\n\t.param .u64 k_0\n)\n;\n"
    ".visible .entry k(\n\t.param .u64 k_0\n)\n"
    ".explicitcluster\n.reqnctapercluster 2, 1, 1\n.maxntid 32, 1, 1\n{\n\tret;\n}\n"
    ".weak .entry t__intern__123()\n"
    ".explicitcluster\n.reqnctapercluster 4, 3, 2\n{\n}\n"
    ".entry m()\n.maxclusterrank 5\n{\n}\n"
    ".visible .entry plain()\n{\n}\n";

static void test_marks(void **state)
{
    struct smw_err e = {0};
    char *got = cc_ptx_mark(ptx, opaque, &e);

    (void)state;
    assert_true(cc_ptx_is_marked(ptx));
    assert_false(cc_ptx_is_marked(want));
    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

/* As clang 14 writes it: with types, and each string as an element of an array. */
#define BYTES(n, name)                                                                 \
    "i8* getelementptr inbounds ([" n " x i8], [" n " x i8]* @" name ", i32 0, i32 0)"
#define ENTRY(kernel, type, word, line, args)                                          \
    "{ i8*, i8*, i8*, i32, i8* } { i8* bitcast (void (" type ")* @" kernel             \
    " to i8*), " BYTES("20", word) ", " BYTES("5", ".str1") ", i32 " line              \
                                                            ", i8* bitcast ({ i64, "   \
                                                            "i8* }* @" args            \
                                                            " to i8*) }"

static void test_typed(void **state)
{
    static const char typed[] = STRINGS
        "@.args = constant { i64, i8* } { i64 4398048608258, i8* addrspacecast "
        "(i8 addrspace(1)* @_ZL20smwave_cluster_marks to i8*) }\n"
        "@.args2 = constant { i64, i8* } { i64 8796099313668, i8* null }\n"
        "@llvm.global.annotations = appending global [2 x { i8*, i8*, i8*, "
        "i32, i8* }] [" ENTRY("k", "i32*, {i32, i8}*", ".str", "4",
                              ".args") ", " ENTRY("t__intern__456", "", ".str", "8",
                                                  ".args2") "], section \"x\"\n";
    struct smw_err e = {0};
    char *got = cc_ptx_mark(ptx, typed, &e);

    (void)state;
    assert_non_null(got);
    assert_non_null(
        strstr(got, ")\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n.max"));
    assert_non_null(strstr(got, "()\n.explicitcluster\n.reqnctapercluster 4, 3, 2\n{"));
    assert_null(strstr(got, ".maxclusterrank"));
    free(got);
}

static void refused(const char *ir, const char *message, uint32_t line)
{
    struct smw_err e = {0};

    assert_null(cc_ptx_mark(ptx, ir, &e));
    assert_non_null(strstr(e.message, message));
    assert_string_equal(e.file, "a\".cu");
    assert_int_equal(e.line, line);
}

static void test_refused(void **state)
{
    (void)state;
    refused(STRINGS "@.args = constant { i64, ptr } { i64 4398048608258, " VAR " }\n"
                    "@llvm.global.annotations = appending global [1 x " TYPE "] [" TYPE
                    " { ptr @f, ptr @.str, ptr @.str1, i32 7, ptr @.args }], section\n",
            "f has __cluster_dims__ and is no kernel", 7);
    refused(STRINGS LIMIT
            "@.args = constant { i64, ptr } { i64 8796099313668, " VAR " }\n"
            "@.args2 = constant { i32, ptr } { i32 23, " VAR " }\n"
            "@llvm.global.annotations = appending global [2 x " TYPE "] [" TYPE
            " { ptr @k, ptr @.str2, ptr @.str1, i32 3, ptr @.args2 }, " TYPE
            " { ptr @k, ptr @.str, ptr @.str1, i32 3, ptr @.args }], section\n",
            "clusters of 24 blocks, and __launch_bounds__ says 23 at most", 3);
}

/* What is cut anywhere is read without harm. */
static void test_cut(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof(opaque); n++) {
        struct smw_err e = {0};
        char *ir = tb_printf("%.*s", (int)n, opaque);

        free(cc_ptx_mark(ptx, ir, &e));
        free(ir);
    }
    for (size_t n = 0; n < sizeof(ptx); n++) {
        struct smw_err e = {0};
        char *part = tb_printf("%.*s", (int)n, ptx);

        free(cc_ptx_mark(part, opaque, &e));
        free(part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_typed),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
