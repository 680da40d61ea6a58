/* The named barriers of a block, without an SM. */
#include "sm/barrier.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_SLOTS = 4, N_PREDS = 4 };

/* A warp's registers: slot 0 takes results, slots 1 and 2 are operands. */
struct regs {
    uint32_t r[N_SLOTS * ISA_LANES], p[N_PREDS];
    struct isa_lanes lanes;
};

static uint32_t pool[3 * ISA_LANES]; /* constants 5, 96 and 0 */

static void set_up_regs(struct regs *w)
{
    static const uint32_t values[] = {5, 96, 0};

    memset(w, 0, sizeof(*w));
    for (uint32_t i = 0; i < 3 * ISA_LANES; i++) {
        pool[i] = values[i / ISA_LANES];
    }
    w->lanes.r = w->r;
    w->lanes.p = w->p;
    w->lanes.k = pool;
}

static struct isa_uop bar(enum isa_sub sub)
{
    struct isa_uop u;

    memset(&u, 0, sizeof(u));
    u.kind = ISA_K_BAR;
    u.form.sub = (uint8_t)sub;
    u.dst[0] = sub == ISA_S_SYNC || sub == ISA_S_ARRIVE ? ISA_NO_REF : 0;
    u.src[0] = -1;
    u.src[1] = ISA_NO_REF;
    u.src[2] = 1; /* of .red: predicate 1 */
    return u;
}

/* ---- arrivals ---- */

/* All live warps: not complete at n - 1, complete with the last. */
static void test_all_of_a_block(void **state)
{
    const struct isa_uop u = bar(ISA_S_SYNC);
    struct regs w;

    (void)state;
    set_up_regs(&w);
    for (uint32_t n = 1; n <= 64; n += n < 4 ? 1 : 15) {
        struct barrier b = {0}, was;

        assert_false(barrier_is_complete(&b, n)); /* nobody came */
        for (uint32_t i = 0; i < n; i++) {
            assert_false(barrier_is_complete(&b, n));
            assert_true(barrier_come(&b, (i + 7) % 64, 0, &u, &w.lanes, UINT32_MAX));
            assert_int_equal(barrier_missing(&b, n), n - 1 - i);
        }
        assert_true(barrier_is_complete(&b, n));
        assert_int_equal(b.first, 7);
        assert_ptr_equal(b.uop, &u);
        was = barrier_release(&b);
        assert_int_equal(__builtin_popcountll(was.waiting), n);
        assert_true((was.waiting >> 7 & 1u) != 0);
        assert_int_equal(b.arrived, 0); /* and begins anew */
        assert_int_equal(b.waiting, 0);
        assert_false(barrier_is_complete(&b, n));
        assert_true(barrier_come(&b, 3, 0, &u, &w.lanes, UINT32_MAX));
        assert_int_equal(b.first, 3);
    }
}

/* For a number of threads: the other warps of the block do not matter. */
static void test_partial_counts(void **state)
{
    const struct isa_uop u = bar(ISA_S_SYNC);
    struct barrier b = {0};
    struct regs w;

    (void)state;
    set_up_regs(&w);
    (void)barrier_come(&b, 1, 96, &u, &w.lanes, UINT32_MAX);
    assert_int_equal(barrier_expected(&b, 8), 3);
    assert_int_equal(barrier_missing(&b, 8), 2);
    (void)barrier_come(&b, 4, 96, &u, &w.lanes, UINT32_MAX);
    assert_false(barrier_is_complete(&b, 8));
    assert_false(barrier_is_complete(&b, 2)); /* even if it never can be */
    (void)barrier_come(&b, 6, 96, &u, &w.lanes, UINT32_MAX);
    assert_true(barrier_is_complete(&b, 8));
    assert_int_equal(barrier_release(&b).waiting, 1u << 1 | 1u << 4 | 1u << 6);
}

/* bar.arrive counts and is not held. */
static void test_arrive(void **state)
{
    const struct isa_uop arrive = bar(ISA_S_ARRIVE), sync = bar(ISA_S_SYNC);
    struct barrier b = {0};
    struct regs w;

    (void)state;
    set_up_regs(&w);
    assert_false(barrier_come(&b, 0, 64, &arrive, &w.lanes, UINT32_MAX));
    assert_int_equal(b.waiting, 0);
    assert_int_equal(b.arrived, 1);
    assert_false(barrier_is_complete(&b, 2));
    assert_true(barrier_come(&b, 1, 64, &sync, &w.lanes, UINT32_MAX));
    assert_true(barrier_is_complete(&b, 2));
    assert_int_equal(barrier_release(&b).waiting, 1u << 1);
}

/* Warps that exit are not waited for; a barrier to which nobody came is not complete
 * for that, and a count does not shrink. */
static void test_exits(void **state)
{
    const struct isa_uop u = bar(ISA_S_SYNC);
    struct barrier b = {0}, of_four = {0};
    struct regs w;

    (void)state;
    set_up_regs(&w);
    (void)barrier_come(&b, 0, 0, &u, &w.lanes, UINT32_MAX);
    (void)barrier_come(&b, 2, 0, &u, &w.lanes, UINT32_MAX);
    (void)barrier_come(&of_four, 0, 128, &u, &w.lanes, UINT32_MAX);
    for (uint32_t live = 4; live >= 1; live--) {
        const struct barrier nobody = {0};

        assert_int_equal(barrier_is_complete(&b, live), live <= 2);
        assert_false(barrier_is_complete(&of_four, live));
        assert_false(barrier_is_complete(&nobody, live));
    }
    assert_int_equal(barrier_missing(&b, 4), 2);
    assert_int_equal(barrier_missing(&of_four, 1), 3);
}

/* ---- operands and refusals ---- */

static void test_operands(void **state)
{
    struct isa_uop u = bar(ISA_S_SYNC);
    struct barrier_call call;
    struct regs w;

    (void)state;
    set_up_regs(&w);
    call = barrier_operands(&u, &w.lanes, 1);
    assert_int_equal(call.id, 5);
    assert_int_equal(call.threads, 0);
    u.src[1] = -2;
    assert_int_equal(barrier_operands(&u, &w.lanes, 1).threads, 96);
    u.src[0] = 1; /* a register: the first lane that is there says */
    u.src[1] = 2;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        w.r[1 * ISA_LANES + lane] = lane;
        w.r[2 * ISA_LANES + lane] = 32 * lane;
    }
    call = barrier_operands(&u, &w.lanes, 0xfff0);
    assert_int_equal(call.id, 4);
    assert_int_equal(call.threads, 128);
    assert_int_equal(barrier_operands(&u, &w.lanes, 1u << 31).id, 31);
}

static void test_which_there_are(void **state)
{
    (void)state;
    for (uint32_t id = 0; id < BARRIERS; id++) {
        for (uint32_t threads = 0; threads <= 1024; threads++) {
            const struct barrier_call call = {.id = id, .threads = threads};

            assert_int_equal(barrier_exists(call),
                             threads % 32 == 0 ? BARRIER_FINE : BARRIER_ODD);
        }
    }
    assert_int_equal(barrier_exists((struct barrier_call){.id = 16}), BARRIER_NONE);
    assert_int_equal(barrier_exists(
                         (struct barrier_call){.id = UINT32_MAX, .threads = 33}),
                     BARRIER_NONE);
}

/* Another count than the others; without one, another aligned instruction. */
static void test_refusals(void **state)
{
    struct isa_uop u = bar(ISA_S_SYNC), v = bar(ISA_S_SYNC), free = bar(ISA_S_SYNC);
    struct barrier b = {0};
    struct regs w;

    (void)state;
    set_up_regs(&w);
    u.form.flags = ISA_F_ALIGNED;
    v.form.flags = ISA_F_ALIGNED;
    assert_int_equal(barrier_together(&b, &u, 33), BARRIER_FINE); /* the first */
    (void)barrier_come(&b, 0, 0, &u, &w.lanes, UINT32_MAX);
    assert_int_equal(barrier_together(&b, &u, 0), BARRIER_FINE);
    assert_int_equal(barrier_together(&b, &v, 0), BARRIER_APART);
    assert_int_equal(barrier_together(&b, &free, 0), BARRIER_FINE);
    assert_int_equal(barrier_together(&b, &u, 64), BARRIER_COUNT);
    assert_int_equal(barrier_together(&b, &v, 64), BARRIER_COUNT);
    (void)barrier_release(&b);
    assert_int_equal(barrier_together(&b, &v, 64), BARRIER_FINE);
    (void)barrier_come(&b, 0, 64, &u, &w.lanes, UINT32_MAX);
    assert_int_equal(barrier_together(&b, &v, 64), BARRIER_FINE); /* a pair of sites */
    assert_int_equal(barrier_together(&b, &v, 96), BARRIER_COUNT);
    assert_int_equal(barrier_together(&b, &v, 0), BARRIER_COUNT);
}

/* ---- bar.red ---- */

struct red {
    enum isa_sub sub;
    uint32_t p[3]; /* of three warps, whose live lanes are mask */
    uint32_t mask[3];
    bool negated;
    uint32_t want; /* what each lane gets */
};

#define ALL UINT32_MAX

static const struct red reds[] = {
    {ISA_S_RED_POPC, {0xff, 0, ALL}, {ALL, ALL, ALL}, false, 8 + 32},
    {ISA_S_RED_POPC, {0xff, 0, ALL}, {ALL, ALL, ALL}, true, 24 + 32},
    {ISA_S_RED_POPC, {ALL, ALL, ALL}, {ALL, ALL, 0xf}, false, 64 + 4}, /* a tail */
    {ISA_S_RED_POPC, {0, 0, 0xfff0}, {ALL, ALL, 0xf}, false, 0},
    {ISA_S_RED_AND, {ALL, ALL, ALL}, {ALL, ALL, ALL}, false, 1},
    {ISA_S_RED_AND, {ALL, ALL, 0xf}, {ALL, ALL, 0xf}, false, 1},
    {ISA_S_RED_AND, {ALL, ALL & ~1u, ALL}, {ALL, ALL, ALL}, false, 0},
    {ISA_S_RED_AND, {ALL & ~(1u << 31), ALL, ALL}, {ALL, ALL, ALL}, false, 0},
    {ISA_S_RED_AND, {0, 0, 0}, {ALL, ALL, ALL}, true, 1},
    {ISA_S_RED_OR, {0, 0, 0}, {ALL, ALL, ALL}, false, 0},
    {ISA_S_RED_OR, {0, 1u << 17, 0}, {ALL, ALL, ALL}, false, 1},
    {ISA_S_RED_OR, {0, 0, 0x10}, {ALL, ALL, 0xf}, false, 0}, /* of a lane not there */
    {ISA_S_RED_OR, {ALL, ALL, ALL}, {ALL, ALL, ALL}, true, 0},
};

static void test_reductions(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(reds); k++) {
        const struct red *row = &reds[k];
        struct isa_uop u = bar(row->sub);
        struct barrier b = {0}, was;
        struct regs w[3];

        u.neg_src = row->negated ? 1u << 2 : 0;
        for (uint32_t i = 0; i < 3; i++) {
            set_up_regs(&w[i]);
            w[i].p[1] = row->p[i];
            w[i].p[0] = 0x55555555;
            memset(w[i].r, 0xaa, sizeof(w[i].r));
            (void)barrier_come(&b, i, 0, &u, &w[i].lanes, row->mask[i]);
        }
        was = barrier_release(&b);
        for (uint32_t i = 0; i < 3; i++) {
            barrier_result(&was, &u, &w[i].lanes, row->mask[i]);
            for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
                bool there = (row->mask[i] >> lane & 1u) != 0;
                bool word = row->sub == ISA_S_RED_POPC;

                assert_int_equal(w[i].r[lane], there && word ? row->want : 0xaaaaaaaa);
                assert_int_equal(w[i].p[0] >> lane & 1u,
                                 there && !word ? row->want : 1 - lane % 2);
            }
        }
        assert_int_equal(b.count, 0); /* the next round counts anew */
        assert_false(b.any);
    }
}

/* Constant predicates, a result nobody wants, and barriers that have none. */
static void test_no_result(void **state)
{
    struct isa_uop u = bar(ISA_S_RED_AND), sync = bar(ISA_S_SYNC);
    struct barrier b = {0};
    struct regs w, before;

    (void)state;
    set_up_regs(&w);
    u.src[2] = ISA_P_TRUE;
    (void)barrier_come(&b, 0, 0, &u, &w.lanes, ALL);
    assert_true(b.all && b.any);
    u.src[2] = ISA_P_FALSE;
    (void)barrier_come(&b, 1, 0, &u, &w.lanes, ALL);
    assert_true(!b.all && b.any);
    assert_int_equal(b.count, 32);
    before = w;
    u.dst[0] = ISA_NO_REF;
    barrier_result(&b, &u, &w.lanes, ALL);
    barrier_result(&b, &sync, &w.lanes, ALL);
    assert_memory_equal(w.r, before.r, sizeof(w.r));
    assert_memory_equal(w.p, before.p, sizeof(w.p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_a_block), cmocka_unit_test(test_partial_counts),
        cmocka_unit_test(test_arrive),         cmocka_unit_test(test_exits),
        cmocka_unit_test(test_operands),       cmocka_unit_test(test_which_there_are),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_no_result),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
