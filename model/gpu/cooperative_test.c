/* Cooperative launches (SPEC LAUNCH-6). */
#include "gpu/device_test.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* Each block writes its number, all meet, each reads the word of the next: as compilers
 * write the barrier of a grid of one dimension. */
static const char ring[] = HEAD
    ".visible .entry ring(.param .u64 out, .param .u64 in) {\n"
    ".reg .b32 %r<20>; .reg .b64 %d<9>; .reg .pred %p<9>;\n"
    "mov.u32 %r0, %envreg1; mov.u32 %r1, %envreg2; mov.b64 %d0, {%r1, %r0};\n"
    "setp.ne.s64 %p0, %d0, 0; @%p0 bra L; trap;\nL:\n"
    "ld.param.u64 %d1, [out]; mov.u32 %r2, %ctaid.x; mul.wide.u32 %d2, %r2, 4;\n"
    "add.u64 %d2, %d2, %d1; add.u32 %r3, %r2, 1; st.global.u32 [%d2], %r3;\n"
    "add.s64 %d3, %d0, 4; mov.u32 %r4, %nctaid.x; sub.s32 %r5, -2147483647, %r4;\n"
    "setp.eq.u32 %p1, %r2, 0; selp.b32 %r6, %r5, 1, %p1;\n"
    "membar.gl; atom.add.release.gpu.u32 %r7, [%d3], %r6;\nW:\n"
    "ld.acquire.gpu.u32 %r8, [%d3]; xor.b32 %r9, %r8, %r7;\n"
    "setp.gt.s32 %p2, %r9, -1; @%p2 bra W;\n"
    "rem.u32 %r10, %r3, %r4; mul.wide.u32 %d4, %r10, 4; add.u64 %d4, %d4, %d1;\n"
    "ld.global.cv.u32 %r11, [%d4]; st.global.u32 [%d2 + 1024], %r11; ret; }\n"
    ".visible .entry others(.param .u64 out, .param .u64 in) {\n"
    ".reg .b32 %r<4>; .reg .b64 %d;\n"
    "mov.u32 %r0, %envreg0; mov.u32 %r1, %envreg31; or.b32 %r0, %r0, %r1;\n"
    "mov.u32 %r1, %envreg1; or.b32 %r0, %r0, %r1; mov.u32 %r1, %envreg2;\n"
    "or.b32 %r0, %r0, %r1; ld.param.u64 %d, [out]; st.global.u32 [%d], %r0; ret; }\n";

/* A word of the reserved bytes beside one of the kernel's own. */
static const char reserved[] = HEAD
    ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
    ".shared .u32 own[3];\n"
    ".reg .b32 %r<20>; .reg .b64 %d<9>;\n"
    "mov.u32 %r0, %reserved_smem_offset_begin; mov.u32 %r1, "
    "%reserved_smem_offset_end;\n"
    "mov.u32 %r2, %reserved_smem_offset_cap; mov.u32 %r3, %reserved_smem_offset_1;\n"
    "mov.u32 %r4, %total_smem_size; ld.param.u64 %d0, [out];\n"
    "st.shared.u32 [own + 8], 7; st.shared.u32 [%r3], 8; st.shared.u32 [%r1 + -4], 9;\n"
    "ld.shared.u32 %r5, [own + 8]; ld.shared.u32 %r6, [%r3];\n"
    "ld.shared.u32 %r7, [%r1 + -4];\n"
    "st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3};\n"
    "st.global.v4.u32 [%d0 + 16], {%r4, %r5, %r6, %r7}; ret; }\n";

static bool launch(struct dt *t, const char *name, uint32_t blocks, bool functional,
                   struct smw_err *e)
{
    struct smw_launch l = dt_shape(blocks, 1);

    l.functional = functional;
    l.cooperative = true;
    return dt_queue(t, name, l, e);
}

static void check_ring(struct dt *t, uint32_t blocks)
{
    dt_fetch(t);
    for (uint32_t i = 0; i < blocks; i++) {
        assert_int_equal(t->words[256 + i], (i + 1) % blocks + 1);
    }
}

/* Grids of several sizes one after the other leave the counter ready for the next. */
static void test_meet(void **state)
{
    static const uint32_t sizes[] = {4, 1, 7, 4};
    struct dt *t = dt_open_with("a100", "gpu.sms=2", NULL, ring);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < ARRAY_LEN(sizes); i++) {
        dt_ok(launch(t, "ring", sizes[i], i == 2, &e), &e);
        dt_ok(smw_synchronize(t->d, &e), &e);
        check_ring(t, sizes[i]);
    }
    dt_close(t);
}

static void test_too_many(void **state)
{
    struct dt *t = dt_open_with("a100", "gpu.sms=2", NULL, ring);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_false(launch(t, "ring", 100000, false, &e));
    assert_int_equal(e.code, SMW_CODE_COOPERATIVE_TOO_LARGE);
    assert_non_null(strstr(e.message, "a cooperative launch of 100000 blocks: "));
    dt_close(t);
}

/* Another launch has no place to meet, and says so by its trap. */
static void test_others(void **state)
{
    struct dt *t = dt_open_with("a100", "gpu.sms=2", NULL, ring);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_start(t, "others", 1, 1);
    dt_fetch(t);
    assert_int_equal(t->words[0], 0);
    dt_start(t, "ring", 1, 1);
    assert_false(smw_synchronize(t->d, &e));
    assert_int_equal(e.code, SMW_CODE_TRAP);
    dt_close(t);
}

static void test_reserved(void **state)
{
    static const uint32_t want[] = {16, 12 + 1024, 1020, 16, 16, 7, 8, 9};
    struct dt *t = dt_open_with("a100", "gpu.sms=2", NULL, reserved);

    (void)state;
    dt_start(t, "k", 1, 1);
    dt_fetch(t);
    assert_memory_equal(t->words, want, sizeof(want));
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meet),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_reserved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
