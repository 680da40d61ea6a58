/* The SIMT stack: known shapes, loops that must not grow it, calls, and random
 * structured programs in which every lane must go the way a thread of its own would go.
 */
#include "sm/simt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ALL 0xffffffffu

/* Calls that the running lanes are in. */
static uint32_t depth_of(const struct simt *s)
{
    return s->n == 0 ? 0 : simt_top(s)->depth;
}

static struct isa_uop branch_to(uint32_t target, uint32_t reconv)
{
    return (struct isa_uop){.kind = ISA_K_BRANCH,
                            .target = target,
                            .reconv = reconv,
                            .last = reconv};
}

static void assert_top(const struct simt *s, uint32_t n, uint32_t pc, uint32_t mask)
{
    assert_int_equal(s->n, n);
    assert_int_equal(simt_top(s)->pc, pc);
    assert_int_equal(simt_top(s)->mask, mask);
}

/* ---- known shapes ---- */

static void test_uniform(void **state)
{
    struct isa_uop u = branch_to(20, 30);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 5, ALL);
    assert_top(&s, 1, 5, ALL);
    assert_false(simt_branch(&s, &u, 5, 0));
    assert_top(&s, 1, 6, ALL);
    assert_false(simt_branch(&s, &u, 6, ALL));
    assert_top(&s, 1, 20, ALL);
    simt_next(&s, 21);
    assert_top(&s, 1, 21, ALL);
    simt_exit(&s, 21, ALL);
    assert_int_equal(s.n, 0);
    simt_free(&s);
    assert_null(s.e);
}

/* 0: @p bra 3; 1: a; 2: bra 4; 3: b; 4: both. The side that took the branch runs first.
 */
static void test_if_else(void **state)
{
    struct isa_uop u = branch_to(3, 4), over = branch_to(4, 4);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0x0000ffffu));
    assert_top(&s, 3, 3, 0x0000ffffu);
    simt_next(&s, 4);
    assert_top(&s, 2, 1, 0xffff0000u);
    simt_next(&s, 2);
    assert_false(simt_branch(&s, &over, 2, 0xffff0000u));
    assert_top(&s, 1, 4, ALL); /* met again exactly at the post-dominator */
    simt_free(&s);
}

/* Without an else, the lanes that jump over it wait in the entry below: no entry for
 * nothing. */
static void test_if_only(void **state)
{
    struct isa_uop u = branch_to(3, 3);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0xf0f0f0f0u));
    assert_top(&s, 2, 1, 0x0f0f0f0fu);
    simt_next(&s, 2);
    assert_top(&s, 2, 2, 0x0f0f0f0fu);
    simt_next(&s, 3);
    assert_top(&s, 1, 3, ALL);
    simt_free(&s);
}

static void test_branch_to_the_next(void **state)
{
    struct isa_uop u = branch_to(1, 1);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 1);
    assert_top(&s, 1, 1, ALL);
    simt_free(&s);
}

/* 0: @p bra 6 (reconv 9); 1: @q bra 4 (reconv 5); ... 5, 9: inner and outer meeting. */
static void test_nested(void **state)
{
    struct isa_uop outer = branch_to(6, 9), inner = branch_to(4, 5);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &outer, 0, 0xffff0000u);
    simt_next(&s, 7);
    simt_next(&s, 8);
    simt_next(&s, 9);
    assert_top(&s, 2, 1, 0x0000ffffu);
    (void)simt_branch(&s, &inner, 1, 0x000000ffu);
    assert_top(&s, 4, 4, 0x000000ffu);
    simt_next(&s, 5);
    assert_top(&s, 3, 2, 0x0000ff00u);
    simt_next(&s, 3);
    simt_next(&s, 5);
    assert_top(&s, 2, 5, 0x0000ffffu); /* the inner ones, not all */
    simt_next(&s, 9);
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* The inner meeting point is the outer one. */
static void test_shared_reconvergence(void **state)
{
    struct isa_uop outer = branch_to(9, 9), inner = branch_to(9, 9);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &outer, 0, 0xffff0000u);
    assert_top(&s, 2, 1, 0x0000ffffu);
    (void)simt_branch(&s, &inner, 1, 0x000000ffu);
    assert_top(&s, 2, 2, 0x0000ff00u);
    (void)simt_branch(&s, &inner, 2, 0x0000ff00u);
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* ---- loops ---- */

/* 10,000 turns of "1: body; 2: @p bra 1; 3:", a lane leaves every 312 turns. */
static void test_loop_does_not_grow(void **state)
{
    struct isa_uop u = branch_to(1, 3);
    struct simt s = {0};
    uint32_t left = 0;

    (void)state;
    simt_start(&s, 1, ALL);
    for (uint32_t turn = 1; turn <= 10000; turn++) {
        uint32_t stay = simt_top(&s)->mask;
        bool split = turn % 312 == 0 && left < 31;

        assert_int_equal(simt_top(&s)->pc, 1);
        assert_true(s.n <= 2);
        assert_int_equal(stay, ALL << left);
        simt_next(&s, 2);
        if (split) {
            stay &= stay - 1;
            left++;
        }
        if (turn == 10000) {
            stay = 0;
        }
        assert_int_equal(simt_branch(&s, &u, 2, stay), split);
    }
    assert_top(&s, 1, 3, ALL);
    simt_free(&s);
}

/* A loop with two ways out that meet at 9: one entry for each group that left by the
 * longer way, however many turns. */
static void test_loop_with_breaks(void **state)
{
    struct isa_uop leave = branch_to(9, 9), again = branch_to(1, 9);
    struct simt s = {0};
    uint32_t groups = 0;

    (void)state;
    simt_start(&s, 1, ALL);
    for (uint32_t turn = 0; turn < 10000; turn++) {
        uint32_t m = simt_top(&s)->mask;
        uint32_t lowest = m & (0u - m);

        assert_int_equal(simt_top(&s)->pc, 1);
        (void)simt_branch(&s, &leave, 1, turn % 400 == 399 ? lowest : 0);
        m = simt_top(&s)->mask;
        assert_int_equal(simt_top(&s)->pc, 2);
        if (turn % 2000 == 1999) {
            m &= m - 1;
            groups++;
        }
        (void)simt_branch(&s, &again, 2, m);
        assert_true(s.n <= 2 + groups);
    }
    (void)simt_branch(&s, &leave, 1, simt_top(&s)->mask);
    assert_int_equal(groups, 5);
    for (uint32_t i = 0; i < groups; i++) {
        assert_int_equal(simt_top(&s)->pc, 3);
        simt_next(&s, 9);
    }
    assert_top(&s, 1, 9, ALL);
    simt_free(&s);
}

/* ---- leaving ---- */

static void test_exit_in_divergent_code(void **state)
{
    struct isa_uop u = branch_to(3, 4);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0x0000ffffu);
    simt_exit(&s, 3, 0x000000ffu);     /* guarded: half of them */
    assert_top(&s, 2, 1, 0xffff0000u); /* 4 is where the others wait */
    simt_exit(&s, 1, 0xff000000u);
    assert_top(&s, 2, 2, 0x00ff0000u);
    simt_next(&s, 4);
    assert_top(&s, 1, 4, 0x00ffff00u);
    simt_exit(&s, 4, 0x00ffff00u);
    assert_int_equal(s.n, 0);
    simt_free(&s);
}

static void test_both_sides_exit(void **state)
{
    struct isa_uop u = branch_to(3, ISA_NO_PC);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0xffu);
    assert_top(&s, 2, 3, 0xffu);
    simt_exit(&s, 3, 0xffu);
    assert_top(&s, 1, 1, 0xffffff00u);
    simt_exit(&s, 1, 0xffffff00u);
    assert_int_equal(s.n, 0);
    simt_free(&s);
}

/* ---- calls ---- */

static void test_call_and_return(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 3, 0xffffu, 12, 5);
    assert_top(&s, 2, 50, 0xffffu);
    assert_int_equal(depth_of(&s), 1);
    assert_int_equal(simt_top(&s)->slot, 12);
    assert_int_equal(simt_top(&s)->pred, 5);
    simt_call(&s, 60, 51, 0x00ffu, 8, 0);
    assert_int_equal(simt_top(&s)->slot, 20);
    assert_int_equal(simt_top(&s)->pred, 5);
    assert_int_equal(depth_of(&s), 2);
    simt_ret(&s, 60, 0x000fu); /* guarded: the others go on */
    assert_top(&s, 3, 61, 0x00f0u);
    simt_ret(&s, 61, 0x00f0u);
    assert_top(&s, 2, 52, 0xffffu);
    assert_int_equal(depth_of(&s), 1);
    simt_ret(&s, 52, 0xffffu);
    assert_top(&s, 1, 4, ALL);
    assert_int_equal(depth_of(&s), 0);
    assert_int_equal(simt_top(&s)->slot, 0);
    simt_free(&s);
}

/* Both ways out of the callee return: the frame waits until the last lane is back. */
static void test_divergent_return(void **state)
{
    struct isa_uop u = branch_to(53, ISA_NO_PC);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 0, ALL, 4, 1);
    (void)simt_branch(&s, &u, 50, 0xf0000000u);
    assert_int_equal(simt_top(&s)->pc, 53);
    assert_int_equal(simt_top(&s)->slot, 4);
    simt_ret(&s, 53, 0xf0000000u);
    assert_int_equal(simt_top(&s)->pc, 51);
    assert_int_equal(simt_top(&s)->mask, 0x0fffffffu);
    assert_int_equal(depth_of(&s), 1);
    simt_ret(&s, 51, 0x0fffffffu);
    assert_top(&s, 1, 1, ALL);
    assert_int_equal(depth_of(&s), 0);
    simt_free(&s);
}

/* Calls in one side of a branch, the instruction after the call is the meeting point.
 */
static void test_call_before_reconvergence(void **state)
{
    struct isa_uop u = branch_to(2, 2);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    (void)simt_branch(&s, &u, 0, 0xffff0000u);
    simt_call(&s, 50, 1, 0x0000ffffu, 4, 1);
    assert_top(&s, 3, 50, 0x0000ffffu);
    simt_ret(&s, 50, 0x0000ffffu);
    assert_top(&s, 1, 2, ALL);
    simt_free(&s);
}

static void test_exit_in_a_callee(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_call(&s, 50, 0, ALL, 4, 1);
    simt_exit(&s, 50, 0xffu);
    simt_ret(&s, 51, 0xffffff00u);
    assert_top(&s, 1, 1, 0xffffff00u);
    simt_call(&s, 50, 1, 0xffffff00u, 4, 1);
    simt_exit(&s, 50, 0xffffff00u);
    assert_int_equal(s.n, 0);
    assert_int_equal(depth_of(&s), 0);
    simt_free(&s);
}

/* The stack is memory that is kept: a new start forgets everything else. */
static void test_restart(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    for (uint32_t i = 0; i < 100; i++) {
        simt_call(&s, 50, 1, ALL, 3, 2);
    }
    assert_int_equal(depth_of(&s), 100);
    assert_int_equal(simt_top(&s)->slot, 300);
    assert_int_equal(simt_top(&s)->pred, 200);
    simt_start(&s, 7, 1);
    assert_top(&s, 1, 7, 1);
    assert_int_equal(depth_of(&s), 0);
    simt_free(&s);
}

/* brx.idx at 0 to 10, 20, 30, all meeting at 40: groups one after the other. */
static void test_brx_groups(void **state)
{
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    simt_branch_some(&s, 10, 40, 0x11111111u);
    assert_int_equal(simt_top(&s)->pc, 10);
    assert_int_equal(simt_top(&s)->mask, 0x11111111u);
    simt_next(&s, 40);
    assert_top(&s, 2, 0, 0xeeeeeeeeu);
    simt_branch_some(&s, 20, 40, 0x22222222u);
    assert_top(&s, 3, 20, 0x22222222u);
    simt_next(&s, 40);
    assert_top(&s, 2, 0, 0xccccccccu);
    simt_branch_some(&s, 40, 40, 0x44444444u); /* a target that is the meeting point */
    assert_top(&s, 2, 0, 0x88888888u);
    simt_branch_some(&s, 30, 40, 0x88888888u);
    assert_top(&s, 2, 30, 0x88888888u);
    simt_next(&s, 40);
    assert_top(&s, 1, 40, ALL);
    simt_free(&s);
}

/* ---- waiting for the other lanes ---- */

static void assert_entry(const struct simt *s, uint32_t i, uint32_t pc, uint32_t mask)
{
    assert_int_equal(s->e[i].pc, pc);
    assert_int_equal(s->e[i].mask, mask);
}

/* Some lanes of the running entry wait; the others, whose guard was false, go on. */
static void test_yield_of_some(void **state)
{
    struct isa_uop u = branch_to(20, 7);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 5, ALL);
    assert_true(simt_yield(&s, 6, 0xffu, 0));
    assert_top(&s, 2, 6, ~0xffu);
    assert_entry(&s, 0, 6, 0xffu);
    simt_next(&s, 7);
    simt_exit(&s, 7, ~0xffu);
    assert_top(&s, 1, 6, 0xffu); /* the last that are left: they go on */
    simt_free(&s);

    simt_start(&s, 5, ALL); /* at the reconvergence point there is no more apart */
    assert_true(simt_branch(&s, &u, 5, 0xffffu));
    assert_false(simt_yield(&s, 7, 0xffu, 0));
    assert_top(&s, 3, 20, 0xffffu);
    assert_true(simt_yield(&s, 22, 0xffu, 0));
    assert_top(&s, 4, 22, 0xff00u);
    assert_entry(&s, 2, 22, 0xffu);
    assert_int_equal(simt_top(&s)->reconv, 7);
    assert_int_equal(s.e[2].reconv, 7);
    simt_free(&s);
}

/* All lanes of the running entry wait: the side of the branch that has not run does. */
static void test_yield_to_the_other_side(void **state)
{
    struct isa_uop u = branch_to(20, 30);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_false(simt_yield(&s, 1, ALL, 0)); /* there is no other */
    assert_top(&s, 1, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0xffffu));
    assert_true(simt_yield(&s, 22, 0xffffu, 0));
    assert_top(&s, 3, 1, 0xffff0000u);
    assert_entry(&s, 1, 22, 0xffffu);
    assert_entry(&s, 0, 30, ALL);
    simt_next(&s, 2);
    assert_false(simt_yield(&s, 3, 0xffff0000u, 0xffffu)); /* those wait */
    assert_top(&s, 3, 2, 0xffff0000u);
    simt_next(&s, 30); /* both sides meet as they would have */
    assert_top(&s, 2, 22, 0xffffu);
    simt_next(&s, 30);
    assert_top(&s, 1, 30, ALL);
    simt_free(&s);
}

/* A side that waits at the meeting point waits in the entry below. */
static void test_yield_at_reconvergence(void **state)
{
    struct isa_uop u = branch_to(20, 30);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0xffffu));
    assert_true(simt_yield(&s, 30, 0xffffu, 0));
    assert_top(&s, 2, 1, 0xffff0000u);
    simt_next(&s, 30);
    assert_top(&s, 1, 30, ALL);
    simt_free(&s);
}

/* Three sides, one after the other: those that wait are passed over. */
static void test_yield_passes_over(void **state)
{
    struct isa_uop outer = branch_to(20, 40), inner = branch_to(30, 40);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &outer, 0, 0xffffu)); /* ffff0000 at 1 */
    assert_true(simt_branch(&s, &inner, 20, 0xffu));  /* ff00 at 21, ff at 30 */
    assert_top(&s, 4, 30, 0xffu);
    assert_true(simt_yield(&s, 31, 0xffu, 0));
    assert_top(&s, 4, 21, 0xff00u);
    assert_true(simt_yield(&s, 22, 0xff00u, 0xffu));
    assert_top(&s, 4, 1, 0xffff0000u);
    assert_entry(&s, 1, 31, 0xffu);
    assert_entry(&s, 2, 22, 0xff00u);
    assert_false(simt_yield(&s, 2, 0xffff0000u, 0xffffu));
    simt_free(&s);
}

/* Who is inside a call does not make way for those outside. */
static void test_yield_in_a_call(void **state)
{
    struct isa_uop u = branch_to(20, 30), in = branch_to(110, 120);
    struct simt s = {0};

    (void)state;
    simt_start(&s, 0, ALL);
    assert_true(simt_branch(&s, &u, 0, 0xffffu));
    simt_call(&s, 100, 20, 0xffffu, 8, 2);
    assert_top(&s, 4, 100, 0xffffu);
    assert_false(simt_yield(&s, 101, 0xffffu, 0));
    assert_false(simt_yield(&s, 101, 0xffu, 0));
    assert_top(&s, 4, 100, 0xffffu);
    assert_true(simt_branch(&s, &in, 100, 0xffu));
    assert_true(simt_yield(&s, 111, 0xffu, 0)); /* but for those in the same call */
    assert_top(&s, 6, 101, 0xff00u);
    assert_entry(&s, 4, 111, 0xffu);
    assert_int_equal(simt_top(&s)->slot, 8);
    assert_false(simt_yield(&s, 102, 0xff00u, 0xffu));
    assert_int_equal(depth_of(&s), 1);
    simt_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_if_only),
        cmocka_unit_test(test_branch_to_the_next),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_shared_reconvergence),
        cmocka_unit_test(test_loop_does_not_grow),
        cmocka_unit_test(test_loop_with_breaks),
        cmocka_unit_test(test_exit_in_divergent_code),
        cmocka_unit_test(test_both_sides_exit),
        cmocka_unit_test(test_call_and_return),
        cmocka_unit_test(test_divergent_return),
        cmocka_unit_test(test_call_before_reconvergence),
        cmocka_unit_test(test_exit_in_a_callee),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_brx_groups),
        cmocka_unit_test(test_yield_of_some),
        cmocka_unit_test(test_yield_to_the_other_side),
        cmocka_unit_test(test_yield_at_reconvergence),
        cmocka_unit_test(test_yield_passes_over),
        cmocka_unit_test(test_yield_in_a_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
