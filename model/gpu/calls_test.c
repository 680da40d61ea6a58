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

    for (uint32_t o = 0; o < ARRAY_LEN(orders); o++) {
        struct dt *const t = dt_open_with("h100", orders[o], NULL, ptx);

        dt_start(t, "k", 1, 64);
        dt_fetch(t);
        for (uint32_t i = 0; i < 64; i++) {
            assert_int_equal(t->words[i], f(i));
        }
        dt_close(t);
    }
}

/* ---- parameters that are indexed ---- */

static uint32_t picked(uint32_t i)
{
    return 10 * (i & 3) + i + 30;
}

/* struct s { int a[4]; } by value: s.a[i & 3] + s.a[3], by computed address and name. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexed_parameter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
