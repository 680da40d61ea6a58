/* The warps of an SM and their ring of cycles, without an SM: when results and holds
 * end, and when a warp is found ready. */
#include "sm/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_WARPS = 5 };

struct bench {
    struct warps ws;
    struct sim *sim;
};

static struct bench *set_up(void)
{
    struct bench *b = aligned_alloc(_Alignof(struct bench), sizeof(*b));

    assert_non_null(b);
    memset(b, 0, sizeof(*b));
    b->sim = sim_new();
    warps_init(&b->ws, b->sim, N_WARPS);
    for (uint32_t i = 0; i < N_WARPS; i++) { /* resident, and nothing keeps them */
        b->ws.warp[i].hold = 0;
        warp_update(&b->ws, &b->ws.warp[i], i);
    }
    assert_int_equal(b->ws.ready, (1u << N_WARPS) - 1);
    return b;
}

static void tear_down(struct bench *b)
{
    warps_free(&b->ws);
    sim_free(b->sim);
    free(b);
}

/* The warp has issued what writes these registers; it needs some of them next. */
static void issue(struct bench *b, uint32_t i, uint32_t delay, uint64_t regs,
                  uint64_t needs)
{
    struct warp *w = &b->ws.warp[i];

    w->pend |= regs;
    w->need = needs;
    ring_add(&b->ws, delay, i, regs, 0, 0);
    warp_update(&b->ws, w, i);
}

/* A step in the cycle. */
static void step(struct bench *b, sim_cycle_t at)
{
    b->ws.now = at;
    (void)ring_drain(&b->ws);
}

static bool is_ready(const struct bench *b, uint32_t i)
{
    return (b->ws.ready >> i & 1u) != 0;
}

/* Steps where the ring wants them, up to the cycle; warp i is not ready before, and is
 * then. Returns how many steps that took. */
static uint32_t assert_ready_at(struct bench *b, uint32_t i, sim_cycle_t at)
{
    uint32_t n = 0;

    for (sim_cycle_t next = ring_next(&b->ws); next < at; next = ring_next(&b->ws)) {
        assert_true(next > b->ws.now);
        step(b, next);
        assert_false(is_ready(b, i));
        n++;
    }
    assert_int_equal(ring_next(&b->ws), at);
    step(b, at);
    assert_true(is_ready(b, i));
    return n + 1;
}

/* Every delay a configuration can ask for, and the edges of the ring: not ready in
 * the cycle before, ready in its own, whatever the cycle it begins in. */
static void test_ready_at_t(void **state)
{
    (void)state;
    for (uint32_t from = 0; from < 3 * RING; from += 37) {
        for (uint32_t delay = 1; delay <= 5 * RING + 3; delay++) {
            struct bench *b = set_up();
            uint32_t steps;

            step(b, from);
            issue(b, 2, delay, 6, 2);
            assert_false(is_ready(b, 2));
            assert_true(is_ready(b, 1));
            steps = assert_ready_at(b, 2, from + delay);
            /* beyond the ring the warp is looked at once per turn, to be sent on */
            assert_int_equal(steps, 1 + (delay - 1) / (RING - 1));
            assert_int_equal(ring_next(&b->ws), SIM_CYCLE_NONE);
            tear_down(b);
        }
    }
}

/* A step in each cycle, wanted or not, changes nothing. */
static void test_steps_between(void **state)
{
    struct bench *b = set_up();

    (void)state;
    issue(b, 0, 5, 1, 1);
    issue(b, 1, 9, 1, 1);
    for (sim_cycle_t at = 1; at <= 9; at++) {
        step(b, at);
        assert_int_equal(is_ready(b, 0), at >= 5);
        assert_int_equal(is_ready(b, 1), at >= 9);
    }
    tear_down(b);
}

/* Who does not need the result is ready at once; there is a step in its cycle all the
 * same, and the scoreboard is free after it when it is settled. */
static void test_settle(void **state)
{
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[3];

    (void)state;
    issue(b, 3, 7, 0x10, 0x20);
    assert_true(is_ready(b, 3));
    assert_int_equal(ring_next(&b->ws), 7);
    b->ws.now = 6;
    warp_settle(&b->ws, w, 3);
    assert_int_equal(w->pend, 0x10);
    assert_int_equal(w->n_due, 1);
    b->ws.now = 7;
    warp_settle(&b->ws, w, 3);
    assert_int_equal(w->pend, 0);
    assert_int_equal(w->n_due, 0);
    tear_down(b);
}

/* Registers, predicates and holds, each with an end of its own: the last one that keeps
 * the warp decides, and each is released in its own cycle. */
static void test_many_dues(void **state)
{
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[4];

    (void)state;
    w->pend = 0xf;
    w->pend_p = 0x3;
    w->hold = HOLD_CONTROL;
    w->need = 0x5;
    w->need_p = 0x2;
    ring_add(&b->ws, 30, 4, 0x1, 0, 0);
    ring_add(&b->ws, 10, 4, 0x4, 0, 0);
    ring_add(&b->ws, 50, 4, 0xa, 0, 0); /* not needed */
    ring_add(&b->ws, 20, 4, 0, 0x2, 0);
    ring_add(&b->ws, 40, 4, 0, 0x1, 0); /* not needed */
    ring_add(&b->ws, 35, 4, 0, 0, HOLD_CONTROL);
    warp_update(&b->ws, w, 4);
    assert_int_equal(w->n_due, 6);
    (void)assert_ready_at(b, 4, 35);
    b->ws.now = 34;
    warp_settle(&b->ws, w, 4); /* as of the cycle before */
    assert_int_equal(w->pend, 0xa);
    assert_int_equal(w->pend_p, 0x1);
    assert_int_equal(w->hold, HOLD_CONTROL);
    b->ws.now = 50;
    warp_settle(&b->ws, w, 4);
    assert_int_equal(w->pend | w->pend_p | w->hold, 0);
    assert_int_equal(w->n_due, 0);
    tear_down(b);
}

/* What only an event ends is not waited for: the warp is in no set, until the event. */
static void test_events_are_not_waited_for(void **state)
{
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[0];

    (void)state;
    w->hold = HOLD_FENCE;
    issue(b, 0, 4, 1, 1);
    for (sim_cycle_t at = 1; at < 2 * RING; at++) {
        step(b, at);
        assert_false(is_ready(b, 0));
    }
    w->hold = 0; /* the last access came back */
    warp_settle(&b->ws, w, 0);
    warp_update(&b->ws, w, 0);
    assert_true(is_ready(b, 0));
    tear_down(b);
}

/* Other lanes wait shortly while some wait for what is further away than the ring is
 * long: these are ready in their cycle all the same, and not before. */
static void test_short_wait_in_long(void **state)
{
    (void)state;
    for (uint32_t delay = RING; delay <= 5 * RING; delay += 17) {
        struct bench *b = set_up();
        struct warp *w = &b->ws.warp[1];

        issue(b, 1, delay, 1, 1);
        assert_false(is_ready(b, 1));
        step(b, 3);
        issue(b, 1, 20, 2, 2);
        (void)assert_ready_at(b, 1, 23);
        warp_settle(&b->ws, w, 1);
        w->need = 1;
        warp_update(&b->ws, w, 1);
        assert_false(is_ready(b, 1));
        (void)assert_ready_at(b, 1, delay);
        tear_down(b);
    }
}

/* What a due says comes sooner than it said: the warp is ready then, and in the cycle
 * that the due was of it is not made ready once more. */
static void test_cancel(void **state)
{
    (void)state;
    for (uint32_t delay = 5; delay <= 3 * RING; delay += 61) {
        struct bench *b = set_up();
        struct warp *w = &b->ws.warp[2];
        struct due d = {.preds = 4};

        w->need_p = w->pend_p = 4;
        ring_add(&b->ws, delay, 2, 0, d.preds, 0);
        warp_update(&b->ws, w, 2);
        assert_false(is_ready(b, 2));
        step(b, 3);
        ring_cancel(&b->ws, 2, d.preds);
        w->pend_p = 0;
        warp_update(&b->ws, w, 2);
        assert_true(is_ready(b, 2));
        assert_int_equal(w->n_due, 0);
        w->hold = HOLD_FENCE; /* it waits for what no cycle ends */
        warp_update(&b->ws, w, 2);
        for (sim_cycle_t at = 4; at <= delay + RING; at++) {
            step(b, at);
            assert_false(is_ready(b, 2));
        }
        tear_down(b);
    }
}

/* What the earlier warp of the slot left behind lets the next one go no earlier. */
static void test_forget(void **state)
{
    for (uint32_t delay = 8; delay < 2 * RING; delay += RING) {
        struct bench *b = set_up();
        struct warp *w = &b->ws.warp[2];

        (void)state;
        issue(b, 2, delay, 3, 1);
        issue(b, 1, delay, 3, 1);
        w->pend = 0;
        w->hold = HOLD_CONTROL;
        ring_forget(&b->ws, 2);
        assert_int_equal(w->n_due, 0);
        ring_add(&b->ws, delay + 3, 2, 0, 0, HOLD_CONTROL);
        warp_update(&b->ws, w, 2);
        (void)assert_ready_at(b, 2, delay + 3);
        assert_true(is_ready(b, 1)); /* the other one's are kept */
        tear_down(b);
    }
}

/* When every change matters, each due has its look; the ring says whose. */
static void test_every_change(void **state)
{
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[1];
    static const sim_cycle_t ends[] = {6, 11, 300};

    (void)state;
    b->ws.exact = true;
    ring_renew(&b->ws, 0);
    w->pend = w->need = 0x7;
    ring_add(&b->ws, 6, 1, 0x1, 0, 0);
    ring_add(&b->ws, 11, 1, 0x2, 0, 0);
    ring_add(&b->ws, 300, 1, 0x4, 0, 0);
    warp_update(&b->ws, w, 1);
    for (uint32_t k = 0; k < 3; k++) {
        uint64_t before = w->pend;

        while (ring_next(&b->ws) < ends[k]) {
            b->ws.now = ring_next(&b->ws);
            assert_int_equal(ring_drain(&b->ws), 2);
            assert_int_equal(w->pend, before);
        }
        b->ws.now = ends[k];
        assert_int_equal(ring_drain(&b->ws), 2);
        assert_int_equal(w->pend, before & ~(1ull << k));
        assert_int_equal(is_ready(b, 1), k == 2);
    }
    tear_down(b);
}

/* Somebody begins or ceases to look in the middle: what is due by then is released, and
 * the rest ends when it would have. */
static void test_renew(void **state)
{
    (void)state;
    for (uint32_t exact = 0; exact < 2; exact++) {
        for (uint32_t at = 1; at < 200; at += 9) {
            struct bench *b = set_up();

            b->ws.exact = exact == 0;
            ring_renew(&b->ws, 0);
            issue(b, 0, 40, 1, 1);
            issue(b, 1, 200, 1, 1);
            b->ws.warp[2].hold = HOLD_FREE;
            b->ws.ready &= ~4ull;
            while (ring_next(&b->ws) < at) {
                step(b, ring_next(&b->ws));
            }
            b->ws.exact = exact == 1;
            ring_renew(&b->ws, at);
            assert_int_equal(is_ready(b, 0), at >= 40);
            if (at < 40) {
                (void)assert_ready_at(b, 0, 40);
            }
            (void)assert_ready_at(b, 1, 200);
            assert_false(is_ready(b, 2)); /* an empty slot is asked nothing */
            tear_down(b);
        }
    }
}

/* Between steps: everybody is settled, nobody is asked. */
static void test_settle_all(void **state)
{
    struct bench *b = set_up();

    (void)state;
    issue(b, 0, 9, 1, 1);
    issue(b, 1, 10, 1, 1);
    ring_settle(&b->ws, 9);
    assert_int_equal(b->ws.warp[0].pend, 0);
    assert_int_equal(b->ws.warp[1].pend, 1);
    assert_false(is_ready(b, 0)); /* until its step, in this cycle */
    step(b, 9);
    assert_true(is_ready(b, 0));
    tear_down(b);
}

/* ---- warps ---- */

static void test_registers_are_kept(void **state)
{
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[0];

    (void)state;
    warp_reserve(w, 0, 0); /* a frame to point into */
    assert_int_equal(w->n_slots, 1);
    assert_int_equal(w->n_preds, 1);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        w->reg[lane] = 100 + lane;
    }
    w->pred[0] = 77;
    warp_reserve(w, 9, 5);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        assert_int_equal(w->reg[lane], 100 + lane);
        assert_int_equal(w->reg[8 * ISA_LANES + lane], 0);
    }
    assert_int_equal(w->pred[0], 77);
    assert_int_equal(w->pred[4], 0);
    warp_reserve(w, 3, 2); /* never smaller */
    assert_int_equal(w->n_slots, 9);
    assert_int_equal(w->n_preds, 5);
    tear_down(b);
}

/* The top of the stack: its lanes, its frame, its instruction, of which the schedulers
 * know the class. */
static void test_fetch(void **state)
{
    static struct isa_uop u[8];
    struct bench *b = set_up();
    struct warp *w = &b->ws.warp[3];

    (void)state;
    u[2].class = ISA_CL_FP32;
    u[2].needs = 0x30;
    u[2].needs_p = 0x4;
    u[5].class = ISA_CL_MEM;
    w->uops = u;
    warp_reserve(w, 4, 4);
    simt_start(&w->simt, 2, 0xffff);
    warp_fetch(&b->ws, 3);
    assert_int_equal(w->pc, 2);
    assert_ptr_equal(w->head, &u[2]);
    assert_int_equal(w->active, 0xffff);
    assert_int_equal(w->n_active, 16);
    assert_int_equal(w->need, 0x30);
    assert_int_equal(w->need_p, 0x4);
    assert_ptr_equal(w->lanes.r, w->reg);
    assert_int_equal(b->ws.class_of[3], ISA_CL_FP32);
    assert_true((b->ws.used >> ISA_CL_FP32 & 1u) != 0);
    simt_call(&w->simt, 5, 2, 0x00ff, 3, 2);
    warp_fetch(&b->ws, 3);
    assert_int_equal(w->pc, 5);
    assert_int_equal(w->active, 0x00ff);
    assert_ptr_equal(w->lanes.r, w->reg + 3 * ISA_LANES);
    assert_ptr_equal(w->lanes.p, w->pred + 2);
    assert_int_equal(b->ws.class_of[3], ISA_CL_MEM);
    assert_int_equal(warp_lane_pc(w, 0), 5);
    assert_int_equal(warp_lane_pc(w, 12), 3); /* which did not call: behind it */
    simt_exit(&w->simt, 5, 0x00ff);
    warp_fetch(&b->ws, 3);
    assert_int_equal(w->active, 0xff00);
    simt_exit(&w->simt, w->pc, 0xff00);
    warp_fetch(&b->ws, 3);
    assert_int_equal(w->active, 0);
    assert_int_equal(w->hold, HOLD_FREE);
    tear_down(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ready_at_t),
        cmocka_unit_test(test_steps_between),
        cmocka_unit_test(test_settle),
        cmocka_unit_test(test_many_dues),
        cmocka_unit_test(test_events_are_not_waited_for),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_short_wait_in_long),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_every_change),
        cmocka_unit_test(test_renew),
        cmocka_unit_test(test_settle_all),
        cmocka_unit_test(test_registers_are_kept),
        cmocka_unit_test(test_fetch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
