/* Which instructions poll: a loop ends by what they read (SPEC SIMT-3). */
#include "ptx/front_test.h"

#define KERNEL(text)                                                                   \
    HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .u32 %r<20>; .reg .u64 %rd<4>;"    \
         ".reg .pred %p<9>;\nld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x;\n"           \
         "mov.u32 %r2, 0; mov.u32 %r9, 0; setp.eq.u32 %p8, %r1, 0;\n" text             \
         "\nst.global.u32 [%rd1], %r9;\nexit;\n}\n"

static bool polls(const struct isa_uop *u)
{
    return (u->aside & ISA_ASIDE_POLLS) != 0;
}

static const struct count_row rows[] = {
    {"a lock", 1,
     KERNEL("L: atom.global.cas.b32 %r3, [%rd1], 0, 1;\n"
            "setp.ne.u32 %p1, %r3, 0; @%p1 bra L;")},
    {"a flag", 1,
     KERNEL("L: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 bra L;")},
    {"a flag, acquired", 1,
     KERNEL("L: ld.acquire.gpu.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 bra L;")},
    {"no loop", 0,
     KERNEL("ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 bra L; mov.u32 %r9, 1;\nL:")},
    {"others do not change it: plain loads", 0,
     KERNEL("L: ld.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra L;")},
    {"a loop that counts", 0,
     KERNEL("L: ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r9, %r9, %r3;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;")},
    {"what is read ends it by way of a sum", 1,
     KERNEL("L: ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r9, %r9, %r3;\n"
            "setp.lt.u32 %p1, %r9, %r1; @%p1 bra L;")},
    {"a condition inside ends it: done = true", 1,
     KERNEL("L: atom.global.cas.b32 %r3, [%rd1], 0, 1; setp.ne.u32 %p1, %r3, 0;\n"
            "@%p1 bra M; atom.global.exch.b32 %r4, [%rd1], 0; mov.u32 %r2, 1;\n"
            "M: setp.eq.u32 %p2, %r2, 0; @%p2 bra L;")},
    {"a condition inside does not: both sides count", 0,
     KERNEL("L: atom.global.cas.b32 %r3, [%rd1], 0, 1; setp.ne.u32 %p1, %r3, 0;\n"
            "@%p1 bra M; atom.global.exch.b32 %r4, [%rd1], 0; mov.u32 %r9, 1;\n"
            "M: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;")},
    {"a break", 1,
     KERNEL("L: ld.volatile.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, 0;\n"
            "@%p1 bra M; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1;\n"
            "@%p2 bra L;\nM:")},
    {"an exit", 1,
     KERNEL("L: ld.volatile.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, 0;\n"
            "@%p1 exit; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;")},
    {"the inner of two loops alone", 1,
     KERNEL("K: ld.volatile.global.u32 %r4, [%rd1+4]; add.u32 %r9, %r9, %r4;\n"
            "L: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, %r2;\n"
            "@%p1 bra L; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra K;")},
    {"the inner of two, whose test stands before its beginning in the text", 1,
     KERNEL("bra A;\n"
            "T: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 bra H; add.u32 %r2, %r2, 1; setp.ge.u32 %p2, %r2, %r1;\n"
            "@%p2 bra E;\nA: add.u32 %r9, %r9, 1;\nH: bra T;\nE:")},
    {"no loop, though it goes back in the text", 0,
     KERNEL("bra B; A: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n"
            "@%p1 bra C; mov.u32 %r9, 1; bra C;\nB: @%p8 bra A;\nC:")},
    {"nanosleep always", 1, KERNEL("nanosleep.u32 20;")},
};

static void test_rows(void **state)
{
    (void)state;
    check_counts(rows, ARRAY_LEN(rows), polls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
