/* Calls as compilers of C++ make them: parameters indexed, functions as values. The
 * answers are those of the text as it is written and of an assembler's order. */
#include "gpu/device_test.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define KERNEL                                                                         \
    ".visible .entry k(.param .u64 out, .param .u64 in) {\n"                           \
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>;\n"                            \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;\n"        \
    "add.u64 %d0, %d0, %d1;\n"

/* f: what out[i] is. */
static void expect(const char *ptx, uint32_t (*f)(uint32_t i))
{
    static const char *const orders[] = {"ptx.schedule=as_written",
                                         "ptx.schedule=assembler"};
    /* Inlined into this loop, GCC 12 at -O3 has some_of_table(7) be 700. */
    uint32_t (*const volatile wanted)(uint32_t i) = f;

    for (uint32_t o = 0; o < ARRAY_LEN(orders); o++) {
        struct dt *const t = dt_open_with("h100", orders[o], NULL, ptx);

        dt_start(t, "k", 1, 64);
        dt_fetch(t);
        for (uint32_t i = 0; i < 64; i++) {
            assert_int_equal(t->words[i], wanted(i));
        }
        dt_close(t);
    }
}

/* ---- parameters that are indexed ---- */

static uint32_t picked(uint32_t i)
{
    return 10 * (i & 3) + i + 30;
}

/* struct s { int a[4]; } by value: s.a[i & 3] at a computed address, s.a[3] by name. */
static void indexed_parameter(void **state)
{
    (void)state;
    expect(HEAD
           ".func (.param .b32 r) pick(.param .align 8 .b8 s[16], .param .b32 i) {\n"
           ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
           "mov.b64 %d0, s; mov.u64 %d1, %d0; ld.param.u32 %r0, [i];\n"
           "and.b32 %r0, %r0, 3; mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d1, %d2;\n"
           "ld.param.u32 %r1, [%d3]; ld.param.u32 %r2, [s+12];\n"
           "add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }\n" KERNEL
           "mov.u32 %r1, 0; mov.u32 %r2, 10; mov.u32 %r3, 20; mov.u32 %r4, 30;\n"
           "{ .param .align 8 .b8 a[16]; .param .b32 b; .param .b32 c;\n"
           "st.param.v2.b32 [a], {%r1, %r2}; st.param.v2.b32 [a+8], {%r3, %r4};\n"
           "st.param.b32 [b], %r0; call.uni (c), pick, (a, b);\n"
           "ld.param.b32 %r5, [c]; }\n"
           "add.u32 %r5, %r5, %r0; st.global.u32 [%d0], %r5; ret; }\n",
           picked);
}

/* ---- functions as values ---- */

#define FUNCTIONS                                                                      \
    ".visible .func (.param .b32 r) one(.param .b32 x);\n"                             \
    ".func (.param .b32 r) two(.param .b32 x);\n"                                      \
    ".visible .global .align 8 .u64 table[4] = {one, two, one, three};\n"              \
    ".func (.param .b32 r) one(.param .b32 x) { .reg .b32 %r;\n"                       \
    "ld.param.b32 %r, [x]; add.u32 %r, %r, 1; st.param.b32 [r], %r; ret; }\n"          \
    ".func (.param .b32 r) two(.param .b32 x) { .reg .b32 %r;\n"                       \
    "ld.param.b32 %r, [x]; mul.lo.u32 %r, %r, 2; st.param.b32 [r], %r; ret; }\n"       \
    ".func other(.param .b64 x) { ret; }\n"                                            \
    ".visible .global .align 8 .u64 others = other;\n"
#define THREE                                                                          \
    ".visible .func (.param .b32 r) three(.param .b32 x) { .reg .b32 %r;\n"            \
    "ld.param.b32 %r, [x]; mul.lo.u32 %r, %r, 100; st.param.b32 [r], %r; ret; }\n"
/* %d5: the function; out[i] = its result of i, or -1. */
#define CALL(guard)                                                                    \
    "mov.u32 %r5, -1;\n"                                                               \
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\n"                         \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n" guard                 \
    " call (b), %d5, (a), proto;\n" guard " ld.param.b32 %r5, [b]; }\n"                \
    "st.global.u32 [%d0], %r5; ret; }\n"
#define FROM_TABLE                                                                     \
    "and.b32 %r1, %r0, 3; mul.wide.u32 %d2, %r1, 8; mov.u64 %d3, table;\n"             \
    "add.u64 %d3, %d3, %d2; ld.global.u64 %d5, [%d3];\n"

static uint32_t of_table(uint32_t i)
{
    return i % 4 == 1 ? 2 * i : i % 4 == 3 ? 100 * i : i + 1;
}

/* Each lane may call another. */
static void through_table(void **state)
{
    (void)state;
    expect(HEAD THREE FUNCTIONS KERNEL FROM_TABLE CALL(""), of_table);
}

static uint32_t some_of_table(uint32_t i)
{
    return i < 7 ? of_table(i) : UINT32_MAX;
}

static uint32_t others_of_table(uint32_t i)
{
    return i < 7 ? UINT32_MAX : of_table(i);
}

static void guarded(void **state)
{
    (void)state;
    expect(HEAD THREE FUNCTIONS KERNEL FROM_TABLE
           "setp.lt.u32 %p1, %r0, 7;\n" CALL("@%p1"),
           some_of_table);
    expect(HEAD THREE FUNCTIONS KERNEL FROM_TABLE
           "setp.lt.u32 %p1, %r0, 7;\n" CALL("@!%p1"),
           others_of_table);
}

static uint32_t chosen(uint32_t i)
{
    return i > 20 ? i + 1 : 2 * i;
}

static void by_select(void **state)
{
    (void)state;
    expect(HEAD THREE FUNCTIONS KERNEL "mov.u64 %d2, one; mov.u64 %d3, two;\n"
                                       "setp.gt.u32 %p1, %r0, 20;\n"
                                       "selp.b64 %d5, %d2, %d3, %p1;\n" CALL(""),
           chosen);
}

static uint32_t factorial(uint32_t i)
{
    uint32_t f = 1;

    for (uint32_t k = 2; k <= i % 6; k++) {
        f *= k;
    }
    return f;
}

/* A function that calls itself through its value, arguments in registers. */
static void recursion(void **state)
{
    (void)state;
    expect(HEAD
           ".func (.reg .b32 r) fac(.reg .b32 x) { .reg .b32 %r<3>; .reg .b64 %d;\n"
           ".reg .pred %p; setp.lt.u32 %p, x, 2; @%p mov.u32 r, 1; @%p ret;\n"
           "sub.u32 %r0, x, 1; mov.u64 %d, fac;\n"
           "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
           "call (%r1), %d, (%r0), proto; mul.lo.u32 r, %r1, x; ret; }\n" KERNEL
           "rem.u32 %r1, %r0, 6; mov.u64 %d5, fac;\n"
           "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
           "call (%r2), %d5, (%r1), proto; st.global.u32 [%d0], %r2; ret; }\n",
           factorial);
}

/* In a loop: branches lead where they led. */
static uint32_t three_times(uint32_t i)
{
    return of_table(of_table(of_table(i)));
}

static void in_a_loop(void **state)
{
    (void)state;
    expect(HEAD THREE FUNCTIONS KERNEL
           "mov.u32 %r6, 0; mov.u32 %r5, %r0;\n"
           "again: setp.ge.u32 %p1, %r6, 3; @%p1 bra done;\n"
           "and.b32 %r1, %r5, 3; mul.wide.u32 %d2, %r1, 8; mov.u64 %d3, table;\n"
           "add.u64 %d3, %d3, %d2; ld.global.u64 %d5, [%d3];\n"
           "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r5;\n"
           "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
           "call (b), %d5, (a), proto; ld.param.b32 %r5, [b]; }\n"
           "add.u32 %r6, %r6, 1; bra again;\n"
           "done: st.global.u32 [%d0], %r5; ret; }\n",
           three_times);
}

/* Values of functions of other texts. */
static void linked(void **state)
{
    static const char a[] =
        HEAD ".extern .func (.param .b32 r) three(.param .b32 x);\n" FUNCTIONS;
    static const char b[] = HEAD THREE;
    static const char c[] =
        HEAD ".extern .global .align 8 .u64 table[4];\n" KERNEL FROM_TABLE CALL("");
    const struct smw_text text[] = {{a, sizeof(a) - 1, "a.ptx"},
                                    {b, sizeof(b) - 1, "b.ptx"},
                                    {c, sizeof(c) - 1, "c.ptx"}};
    struct dt *const t = dt_open("", HEAD ".entry none() { ret; }\n");
    struct smw_err e;

    (void)state;
    err_clear(&e);
    t->m = smw_load_linked(t->d, text, 3, &e);
    dt_ok(t->m != NULL, &e);
    dt_start(t, "k", 1, 64);
    dt_fetch(t);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(t->words[i], of_table(i));
    }
    dt_close(t);
}

/* What is no function, or one of another kind, is not called. */
static void wild(void **state)
{
    static const char *const values[] = {"mov.u64 %d5, 1;", "mov.u64 %d5, other;",
                                         "mov.u64 %d5, 0;", "mov.u64 %d5, 0x10000;"};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(values); i++) {
        struct dt *t;
        struct smw_err e;
        char ptx[4096];

        err_clear(&e);
        snprintf(ptx, sizeof(ptx), "%s%s%s", HEAD THREE FUNCTIONS KERNEL, values[i],
                 CALL(""));
        t = dt_open("", ptx);
        dt_start(t, "k", 1, 1);
        assert_false(smw_synchronize(t->d, &e));
        assert_int_equal(smw_fault(t->d)->kind, SMW_ERR_KERNEL);
        assert_non_null(strstr(smw_fault(t->d)->inst, "call"));
        dt_close(t);
    }
}

static void refused(void **state)
{
    struct dt *const t = dt_open("", HEAD KERNEL "mov.u64 %d5, 0;\n" CALL(""));
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_false(dt_queue(t, "k", dt_shape(1, 1), &e));
    assert_string_equal(e.message,
                        "no function whose address is taken has these parameters");
    assert_int_equal(e.line, 12);
    dt_close(t);
}

/* ---- malloc() and free() ---- */

#define ALLOC                                                                          \
    HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"                      \
         ".extern .func free(.param .b64 p);\n"
#define MALLOC(to, bytes)                                                              \
    "{ .param .b64 a; .param .b64 b; st.param.b64 [a], " bytes ";\n"                   \
    "call (b), malloc, (a); ld.param.b64 " to ", [b]; }\n"
#define FREE(of) "{ .param .b64 a; st.param.b64 [a], " of "; call free, (a); }\n"

static uint32_t doubled(uint32_t i)
{
    return 2 * i;
}

/* Each lane has a block of its own, also after blocks were given back. */
static void blocks(void **state)
{
    (void)state;
    expect(ALLOC KERNEL
           "mov.u32 %r6, 0;\n"
           "again: add.u32 %r1, %r0, 8; cvt.u64.u32 %d2, %r1;\n" MALLOC("%d3", "%d2")
               MALLOC("%d4", "24") "st.u32 [%d3+4], %r0; st.u32 [%d4], %r0;\n"
                                   "bar.sync 0;\n"
                                   "ld.u32 %r2, [%d3+4]; ld.u32 %r3, [%d4];\n"
                                   "add.u32 %r2, %r2, %r3;\n" FREE("%d3")
                                       FREE("%d4") "add.u32 %r6, %r6, 1; setp.lt.u32 "
                                                   "%p1, %r6, 4; @%p1 bra again;\n"
                                                   "st.global.u32 [%d0], %r2; ret; }\n",
           doubled);
}

#define ONE_MIB   MALLOC("%d2", "1048560")
#define TOO_LARGE MALLOC("%d3", "8388600")
#define NOTHING   MALLOC("%d3", "0")
#define IS_NULL   "setp.ne.u64 %p1, %d3, 0; @%p1 trap;\n"
#define FREE_NULL FREE("0")

/* Eight blocks of 1 MiB are all there is; then it is NULL, as for what is too large. */
static void exhausted(void **state)
{
    static const char ptx[] = ALLOC KERNEL ONE_MIB
        "setp.ne.u64 %p1, %d2, 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d0], "
        "%r1;\n" TOO_LARGE IS_NULL NOTHING IS_NULL FREE_NULL "ret; }\n";
    struct dt *const t = dt_open_with("h100", "", NULL, ptx);
    uint32_t n = 0;

    (void)state;
    dt_start(t, "k", 1, 64);
    dt_fetch(t);
    for (uint32_t i = 0; i < 64; i++) {
        n += t->words[i];
    }
    assert_int_equal(n, 8);
    dt_close(t);
}

/* A heap that was made larger: blocks of 16 MiB, three in 63 MiB. */
static void larger(void **state)
{
    static const char ptx[] = ALLOC KERNEL MALLOC(
        "%d2",
        "16777200") "setp.ne.u64 %p1, %d2, 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 "
                    "[%d0], "
                    "%r1;\n@!%p1 bra end;\nst.global.u32 [%d2+16777196], %r1;\n" MALLOC(
                        "%d3", "33554417") IS_NULL "end: ret; }\n";
    struct dt *const t = dt_open_with("h100", "", NULL, ptx);
    struct smw_err e;
    uint32_t n = 0;

    (void)state;
    err_clear(&e);
    assert_false(smw_device_heap(t->d, SMW_MIN_HEAP - 1, &e));
    assert_non_null(strstr(e.message, "1023 bytes"));
    assert_false(smw_device_heap(t->d, SMW_MAX_HEAP + 1, NULL));
    err_clear(&e);
    dt_ok(smw_device_heap(t->d, 63 << 20, &e), &e);
    t->m = smw_load(t->d, ptx, strlen(ptx), "larger.ptx", &e);
    dt_ok(t->m != NULL, &e);
    dt_start(t, "k", 1, 64);
    dt_fetch(t);
    for (uint32_t i = 0; i < 64; i++) {
        n += t->words[i];
    }
    assert_int_equal(n, 3);
    dt_close(t);
}

/* What one thread gives back another gets when there is nothing else. */
static void given_back(void **state)
{
    static const char ptx[] = ALLOC KERNEL
        "setp.ne.u32 %p1, %r0, 0; @%p1 bra rest;\n" MALLOC("%d2", "8388592")
            FREE("%d2") "setp.eq.u64 %p2, %d2, 0; @%p2 trap;\n"
                        "rest: bar.sync 0; setp.ne.u32 %p1, %r0, 40; @%p1 bra "
                        "end;\n" TOO_LARGE MALLOC(
                            "%d3", "8388592") "cvt.u32.u64 %r1, %d2;\n"
                                              "setp.ne.u64 %p2, %d3, 0; selp.u32 %r1, "
                                              "1, 0, %p2; st.global.u32 [%d0], %r1;\n"
                                              "end: ret; }\n";
    struct dt *const t = dt_open_with("h100", "", NULL, ptx);

    (void)state;
    dt_start(t, "k", 1, 64);
    dt_fetch(t);
    assert_int_equal(t->words[40], 1);
    dt_close(t);
}

/* What malloc() did not give cannot be given back. */
static void no_block(void **state)
{
    static const char *const values[] = {"ld.param.u64 %d2, [out];", "mov.u64 %d2, 16;",
                                         MALLOC("%d2", "8") "add.u64 %d2, %d2, 4;",
                                         MALLOC("%d2", "64") "add.u64 %d2, %d2, 16;"};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(values); i++) {
        struct dt *t;
        struct smw_err e;
        char ptx[4096];

        err_clear(&e);
        snprintf(ptx, sizeof(ptx), "%s%s\n%s", ALLOC KERNEL, values[i],
                 FREE("%d2") "ret; }\n");
        t = dt_open_with("h100", "", NULL, ptx);
        dt_start(t, "k", 1, 1);
        assert_false(smw_synchronize(t->d, &e));
        assert_string_equal(smw_fault(t->d)->ptx_file, "malloc.ptx (built in)");
        dt_close(t);
    }
}

/* Who defines one of them has none of ours. */
static void own_malloc(void **state)
{
    struct dt *const t =
        dt_open("", HEAD ".visible .func (.param .b64 r) malloc(.param .b64 n) {\n"
                         "st.param.b64 [r], 77; ret; }\n" KERNEL MALLOC(
                             "%d3", "8") "st.global.u32 [%d0], %d3; ret; }\n");

    (void)state;
    dt_start(t, "k", 1, 1);
    dt_fetch(t);
    assert_int_equal(t->words[0], 77);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_parameter),
        cmocka_unit_test(through_table),
        cmocka_unit_test(guarded),
        cmocka_unit_test(by_select),
        cmocka_unit_test(recursion),
        cmocka_unit_test(in_a_loop),
        cmocka_unit_test(linked),
        cmocka_unit_test(wild),
        cmocka_unit_test(refused),
        cmocka_unit_test(blocks),
        cmocka_unit_test(exhausted),
        cmocka_unit_test(larger),
        cmocka_unit_test(given_back),
        cmocka_unit_test(no_block),
        cmocka_unit_test(own_malloc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
