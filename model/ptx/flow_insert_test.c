/* Which loads only take what bits are put into (SPEC CHECK-4). */
#include "ptx/front_test.h"

/* Of two local words, r1 is what the thread wants to put there. */
#define KERNEL(text)                                                                   \
    HEAD ".visible .entry k(.param .u64 a)\n{\n.local .align 8 .b8 v[16];\n"           \
         ".reg .u16 %h<9>; .reg .u32 %r<20>; .reg .u64 %rd<9>;"                        \
         ".reg .f32 %f<4>; .reg .pred %p<4>;\n"                                        \
         "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u64 %rd2, v;\n"             \
         "cvta.local.u64 %rd3, %rd2;\n" text "\nexit;\n}\n"

static bool inserts(const struct isa_uop *u)
{
    assert_true(!u->inserts || u->kind == ISA_K_LOAD);
    return u->inserts;
}

static const struct count_row rows[] = {
    {"bits of a byte", 1,
     KERNEL("ld.local.u8 %h1, [%rd2]; and.b16 %h2, %h1, 248; cvt.u16.u32 %h3, %r1;\n"
            "or.b16 %h4, %h2, %h3; st.local.u8 [%rd2], %h4;")},
    {"by generic addresses", 1,
     KERNEL("ld.u32 %r2, [%rd3]; and.b32 %r3, %r2, -8; or.b32 %r4, %r3, %r1;\n"
            "st.u32 [%rd3], %r4;")},
    {"bfi", 1,
     KERNEL("ld.local.u32 %r2, [%rd2]; bfi.b32 %r3, %r1, %r2, 4, 3;\n"
            "st.local.u32 [%rd2], %r3;")},
    {"prmt, both halves", 2,
     KERNEL("ld.local.u32 %r2, [%rd2]; ld.local.u32 %r3, [%rd2+4];\n"
            "prmt.b32 %r4, %r2, %r3, 29456; st.local.u32 [%rd2], %r4;")},
    {"by way of a copy and a wider register", 1,
     KERNEL("ld.local.u16 %h1, [%rd2]; cvt.u32.u16 %r2, %h1; mov.u32 %r3, %r2;\n"
            "xor.b32 %r4, %r3, %r1; st.local.u32 [%rd2], %r4;")},
    {"nobody uses it", 1, KERNEL("ld.local.u32 %r2, [%rd2];")},
    {"a copy alone is a read", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; st.local.u32 [%rd2+4], %r2;")},
    {"and so is one of two uses", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; or.b32 %r3, %r2, %r1;\n"
            "st.local.u32 [%rd2], %r3; st.local.u32 [%rd2+4], %r2;")},
    {"bits that leave the thread", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; and.b32 %r3, %r2, 7;\n"
            "st.global.u32 [%rd1], %r3;")},
    {"a sum", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; and.b32 %r3, %r2, 7; add.u32 %r4, %r3, 1;\n"
            "st.local.u32 [%rd2], %r4;")},
    {"a condition", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; and.b32 %r3, %r2, 7;\n"
            "st.local.u32 [%rd2], %r3; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 st.global.u32 [%rd1], %r1;")},
    {"an address", 0,
     KERNEL("ld.local.u64 %rd4, [%rd2]; and.b64 %rd5, %rd4, -8;\n"
            "st.local.u32 [%rd5], %r1;")},
    {"how far something is shifted", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; shl.b32 %r3, %r1, %r2;\n"
            "st.local.u32 [%rd2], %r3;")},
    {"where bits are put", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; bfi.b32 %r3, %r1, %r1, %r2, 3;\n"
            "st.local.u32 [%rd2], %r3;")},
    {"a number", 0,
     KERNEL("ld.local.u32 %r2, [%rd2]; cvt.rn.f32.u32 %f1, %r2;\n"
            "st.local.f32 [%rd2], %f1;")},
    {"one of a vector", 0,
     KERNEL("ld.local.v2.u32 {%r2, %r3}, [%rd2]; or.b32 %r4, %r2, %r1;\n"
            "st.local.u32 [%rd2], %r4; st.global.u32 [%rd1], %r3;")},
    {"not of global memory", 0,
     KERNEL("ld.global.u32 %r2, [%rd1]; or.b32 %r4, %r2, %r1;\n"
            "st.local.u32 [%rd2], %r4;")},
    {"around a loop", 0,
     KERNEL("mov.u32 %r5, 0; ld.local.u32 %r2, [%rd2];\nL: or.b32 %r2, %r2, %r5;\n"
            "st.local.u32 [%rd2], %r2; add.u32 %r5, %r5, 1;\n"
            "setp.lt.u32 %p1, %r5, %r2; @%p1 bra L;")},
};

static void test_rows(void **state)
{
    (void)state;
    check_counts(rows, ARRAY_LEN(rows), inserts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
