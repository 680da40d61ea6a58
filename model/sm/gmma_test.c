/*
 * wgmma in one SM: what it computes, in which cycle a group is there, what is at fault
 * (SPEC WGMMA-1, WGMMA-4).
 */
#include "sm/sm_test.h"

#define HOPPER "test.compute_capability=9.0 "

/* 4 KB of halves that are 1, and descriptors of them without swizzle. */
#define ONES                                                                           \
    ".shared .align 1024 .b8 buf[4096];\n"                                             \
    "shl.b32 %r4, %r1, 5; mov.u32 %r5, buf; add.u32 %r5, %r5, %r4;\n"                  \
    "mov.u32 %r6, 0x3c003c00;\n"                                                       \
    "st.shared.v4.u32 [%r5], {%r6,%r6,%r6,%r6};\n"                                     \
    "st.shared.v4.u32 [%r5+16], {%r6,%r6,%r6,%r6};\n"                                  \
    "bar.sync 0; mov.u64 %rd5, 0x0000001000080000;\n"                                  \
    "mov.f32 %f1, 0f3f800000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;\n"

#define PRODUCT(a)                                                                     \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, " a          \
    ", %rd5, 1, 1, 1, 0"
#define SHARED  PRODUCT("%rd5") ", 0;\n"
#define REGS    PRODUCT("{%r6,%r6,%r6,%r6}") ";\n"
#define FOUR(x) x x x x

/* Cycles from the first product until what wait says is there; the sum in *sum. */
static uint32_t cycles_of(const char *products, const char *wait, float *sum)
{
    static uint32_t v[256];
    char ptx[4096];

    (void)snprintf(ptx, sizeof(ptx), "%s", PTX_HEAD BODY("k", ONES "#"));
    (void)snprintf(strchr(ptx, '#'), 2600,
                   "mov.u32 %%r10, %%clock; wgmma.fence.sync.aligned;\n%s\n%s\n"
                   "mov.u32 %%r11, %%clock; sub.u32 %%r11, %%r11, %%r10;\n"
                   "shl.b32 %%r12, %%r0, 3; cvt.u64.u32 %%rd6, %%r12;\n"
                   "add.u64 %%rd6, %%rd6, %%rd0;\n"
                   "st.global.v2.u32 [%%rd6], {%%r11, %%r11};\n"
                   "st.global.f32 [%%rd6+4], %%f3;\nexit;\n}\n",
                   products, wait);
    (void)st_once(HOPPER "sm.partitioned=true sm.schedulers=4", ptx, 128, v, 256);
    memcpy(sum, &v[1], sizeof(*sum));
    return v[0];
}

#define COMMIT  "wgmma.commit_group.sync.aligned;\n"
#define WAIT(n) "wgmma.wait_group.sync.aligned " n ";\n"

/* Each product of m64n8k16 takes 18 cycles of its tensor core, 13 with A in registers,
 * and its results 53 more. */
static void test_time(void **state)
{
    float sum;
    const uint32_t one = cycles_of(SHARED COMMIT, WAIT("0"), &sum);
    uint32_t first;

    (void)state;
    assert_true(sum == 1 + 16);
    assert_in_range(one, 18 + 53, 18 + 53 + 20);
    assert_int_equal(cycles_of(FOUR(SHARED) COMMIT, WAIT("0"), &sum), one + 3 * 18);
    assert_true(sum == 1 + 4 * 16);
    assert_int_equal(cycles_of(FOUR(REGS) COMMIT, WAIT("0"), &sum) -
                         cycles_of(REGS REGS COMMIT, WAIT("0"), &sum),
                     2 * 13);
    /* of two groups the first */
    first = cycles_of(SHARED COMMIT FOUR(SHARED) COMMIT, WAIT("1"), &sum);
    assert_in_range(first, one, one + 10);
    assert_int_equal(cycles_of(SHARED COMMIT FOUR(SHARED) COMMIT, WAIT("0"), &sum),
                     cycles_of(SHARED FOUR(SHARED) COMMIT, WAIT("0"), &sum));
    /* nobody waits for what is in no group, or in one of the latest */
    assert_true(cycles_of(FOUR(SHARED), WAIT("0"), &sum) < 53);
    assert_true(cycles_of(FOUR(SHARED) COMMIT, WAIT("1"), &sum) < 53);
}

static void test_fault(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", ONES
                      "add.u64 %rd6, %rd5, 1024;\n" PRODUCT("%rd6") ", 0;\nexit;\n");
    struct st *const t = st_open(HOPPER, ptx);

    (void)state;
    st_start(t, "k", st_line(1, 128));
    assert_int_equal(st_finish(t), ST_FAULT);
    assert_non_null(strstr(t->fault.text, "of a block that has 4096"));
    st_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
