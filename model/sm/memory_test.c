/* What warps of one SM see of memory: local memory, their own stores. */
#include "sm/sm_test.h"

/* Each thread sorts its own 16 words, by index: a store and a load are its own. */
static void test_local_memory(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        ".local .align 8 .b8 l[72];\nmov.u64 %rd4, l; mov.u32 %r4, 0;\n"
        "L: mul.lo.u32 %r5, %r4, %r0; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, "
        "%rd5;\n"
        "st.local.u32 [%rd5], %r5; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16;\n"
        "@%p1 bra L;\n"
        "st.local.u16 [%rd4 + 66], %rs1; mov.u16 %rs2, 77; st.local.u16 [%rd4 + 64], "
        "%rs2;\n"
        "mov.u32 %r6, 0; mov.u32 %r4, 0;\n"
        "M: and.b32 %r7, %r0, 15; xor.b32 %r7, %r7, %r4; mul.wide.u32 %rd5, %r7, 4;\n"
        "add.u64 %rd5, %rd4, %rd5; ld.local.u32 %r8, [%rd5]; mad.lo.u32 %r6, %r6, 3, "
        "%r8;\n"
        "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16; @%p1 bra M;\n"
        "ld.local.v2.u32 {%r9, %r10}, [%rd4 + 56]; add.u32 %r6, %r6, %r9;\n"
        "sub.u32 %r6, %r6, %r10; ld.local.u8 %r11, [%rd4 + 64]; add.u32 %r6, %r6, "
        "%r11;\n"
        "st.global.u32 [%rd1], %r6;");

    (void)state;
    for (uint32_t l1 = 0; l1 < 2; l1++) { /* also when lines have to be written back */
        struct st *t = st_open(l1 == 0 ? "" : "sm.l1.ways=1", ptx);

        st_run(t, "k", 7, 160);
        for (uint32_t i = 0; i < 7 * 160; i++) {
            uint32_t sum = 0;

            for (uint32_t k = 0; k < 16; k++) {
                sum = sum * 3 + ((i & 15) ^ k) * i;
            }
            assert_int_equal(t->words[i], sum + 14 * i - 15 * i + 77);
        }
        assert_int_equal(st_counters(t, 0).lo_st_insts, 35 * (16 + 2));
        assert_int_equal(st_counters(t, 0).lo_ld_insts, 35 * (16 + 2));
        st_close(t);
    }
}

/* A thread's own store is seen by its own loads, cached or not. */
static void test_own_stores_are_seen(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        "ld.global.u32 %r4, [%rd1]; add.u32 %r5, %r4, 5; st.global.u32 [%rd1], %r5;\n"
        "ld.global.u32 %r6, [%rd1]; add.u32 %r6, %r6, 7; st.global.u32 [%rd1], %r6;\n"
        "ld.global.u32 %r7, [%rd1]; red.global.add.u32 [%rd1], 100;\n"
        "ld.global.u32 %r8, [%rd1]; add.u32 %r8, %r8, %r7; st.global.u32 [%rd1], %r8;");
    uint32_t v[96];

    (void)state;
    (void)st_once("", ptx, 96, v, 96);
    for (uint32_t i = 0; i < 96; i++) {
        assert_int_equal(v[i], 12 + 112);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_own_stores_are_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
