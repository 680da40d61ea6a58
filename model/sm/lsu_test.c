/* The load/store unit: what it sends, what it counts, and when. */
#include "sm/lsu_test.h"

/* ---- forwarding ---- */

/* Shared and constant accesses pass, a hop later; the unit is busy for 32 / lanes. */
static void test_forwarding(void **state)
{
    struct bench *b = new_bench();

    (void)state;
    for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
        struct lsu_config cfg = usual;

        cfg.lanes = lanes;
        set_up(b, &cfg, 8);
        for (uint32_t i = 0; i < 4; i++) {
            (void)add(b, i % 2 == 0 ? ISA_SP_SHARED : ISA_SP_CONST, MEM_LOAD, 4, 1);
        }
        run(b);
        assert_int_equal(b->n_passed, 4);
        assert_int_equal(b->n_lines, 0);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(b->back[i], i);
            assert_int_equal(b->back_at[i], b->sent_at[0] + 2 + i * (32 / lanes));
        }
        tear_down(b);
    }
    free(b);
}

/* ---- lines ---- */

static void test_one_line(void **state)
{
    struct bench *b = new_bench();
    const struct mem_line *t;

    (void)state;
    set_up(b, &usual, 8);
    (void)add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1);
    b->queue[0]->launch = 1;
    run(b);
    assert_int_equal(b->n_lines, 1);
    t = &b->lines[0].line;
    assert_int_equal(t->addr, GLOBAL_AT);
    assert_int_equal(t->sectors, 0xf);
    assert_int_equal(t->lanes, UINT32_MAX);
    assert_true(t->bytes[0] == UINT64_MAX && t->bytes[1] == UINT64_MAX);
    assert_int_equal(t->sm, 3);
    assert_int_equal(t->launch, 1);
    assert_int_equal(t->op, MEM_LOAD);
    assert_false(t->from_l1 || t->bypass_l1 || t->ack);
    assert_null(t->atom);
    assert_int_equal(b->lines[0].at, b->sent_at[0] + 2);
    /* to the memory, its delay, back to the unit, back to the SM */
    assert_int_equal(b->back_at[0], b->sent_at[0] + 2 + 30 + 2);
    assert_int_equal(b->stats[1].gl_ld_requests, 1);
    assert_int_equal(b->stats[1].gl_ld_sectors, 4);
    assert_int_equal(b->stats[1].gl_ld_transactions, 1);
    assert_int_equal(b->stats[1].gl_ld_bytes, 128);
    assert_int_equal(b->stats[1].gl_ld_wanted, 128);
    assert_int_equal(b->stats[0].gl_ld_requests, 0);
    tear_down(b);
    free(b);
}

/* A line per lane, interval cycles apart; the next request follows. */
static void test_many_lines(void **state)
{
    struct bench *b = new_bench();

    (void)state;
    for (uint32_t interval = 1; interval <= 5; interval++) {
        struct lsu_config cfg = usual;

        cfg.interval = interval;
        cfg.lanes = 32;
        set_up(b, &cfg, 64);
        stride(add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT + 60, 128);
        (void)add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1);
        (void)add(b, ISA_SP_SHARED, MEM_LOAD, 4, 1);
        run(b);
        assert_int_equal(b->n_lines, 33);
        for (uint32_t i = 0; i < 33; i++) {
            assert_int_equal(b->lines[i].at, b->sent_at[0] + 2 + i * interval);
        }
        for (uint32_t i = 0; i < 32; i++) {
            assert_int_equal(b->lines[i].line.addr, GLOBAL_AT + i * 128);
            assert_int_equal(b->lines[i].line.lanes, 1u << i);
            assert_int_equal(b->lines[i].line.sectors, 2); /* byte 60 is in sector 1 */
        }
        /* nothing overtakes: the shared access comes after the last line */
        assert_int_equal(b->passed[0].at, b->sent_at[0] + 2 + 33 * interval);
        assert_int_equal(b->stats[0].gl_ld_requests, 2);
        assert_int_equal(b->stats[0].gl_ld_sectors, 32 + 4);
        assert_int_equal(b->stats[0].gl_ld_transactions, 33);
        assert_int_equal(b->stats[0].gl_ld_bytes, 33 * 128);
        assert_int_equal(b->stats[0].gl_ld_wanted, 256);
        tear_down(b);
    }
    free(b);
}

/* Lines of a load that the L1 caches go several at a time, as far as their words lie in
 * banks of their own; the next request comes when the last word is read. */
static void test_lines_together(void **state)
{
    static const struct {
        uint32_t stride, tags, cycles, last; /* of the last line; of the next request */
    } rows[] = {
        {132, 4, 8, 7},   {132, 1, 32, 31}, {132, 16, 2, 1}, /* a bank for each lane */
        {128, 4, 32, 31},                                    /* one bank for all */
        {136, 4, 8, 7},                                      /* two lanes a bank */
        {160, 4, 8, 7},                                      /* eight lanes a bank */
        {192, 4, 16, 15},                                    /* sixteen */
    };
    struct bench *b = new_bench();

    (void)state;
    for (uint32_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        struct lsu_config cfg = usual;

        cfg.interval = 1;
        cfg.lanes = 32;
        set_up_as(b, &cfg, 64, 20, rows[k].tags);
        stride(add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT, rows[k].stride);
        (void)add(b, ISA_SP_SHARED, MEM_LOAD, 4, 1);
        run(b);
        assert_int_equal(b->lines[b->n_lines - 1].at, b->sent_at[0] + 2 + rows[k].last);
        assert_int_equal(b->passed[0].at, b->sent_at[0] + 2 + rows[k].cycles);
        tear_down(b);
    }
    free(b);
}

/* Requests of one line each: the unit's lanes or its interval, whichever is slower. */
static void test_occupancy(void **state)
{
    struct bench *b = new_bench();
    static const struct {
        uint32_t lanes, interval, cycles;
    } rows[] = {{32, 1, 1}, {16, 1, 2}, {16, 2, 2}, {16, 3, 3}, {4, 2, 8}, {1, 2, 32}};

    (void)state;
    for (uint32_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        struct lsu_config cfg = usual;

        cfg.lanes = rows[k].lanes;
        cfg.interval = rows[k].interval;
        set_up(b, &cfg, 64);
        for (uint32_t i = 0; i < 8; i++) {
            (void)add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1);
        }
        run(b);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(b->lines[i].at, b->sent_at[0] + 2 + i * rows[k].cycles);
        }
        tear_down(b);
    }
    free(b);
}

/* What is counted follows the kind of access and the way through the L1. */
static void test_counters(void **state)
{
    struct bench *b = new_bench();
    static const struct isa_uop uop = {.form = {.sub = ISA_S_ADD, .type = ISA_T_U32}};

    (void)state;
    set_up(b, &usual, 64);
    stride(add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT, 32);
    b->queue[0]->bypass_l1 = true; /* sectors, not lines */
    stride(add(b, ISA_SP_GLOBAL, MEM_STORE, 4, 1), GLOBAL_AT, 64);
    b->queue[1]->mask = 0xffff;
    (void)add(b, ISA_SP_GLOBAL, MEM_LOAD, 8, 1);  /* two half-warps */
    (void)add(b, ISA_SP_GLOBAL, MEM_STORE, 4, 4); /* four quarter-warps */
    stride(add(b, ISA_SP_GLOBAL, MEM_RED, 4, 1), GLOBAL_AT + 8, 0);
    b->queue[4]->uop = &uop;
    run(b);
    assert_int_equal(b->stats[0].gl_ld_requests, 1 + 2);
    assert_int_equal(b->stats[0].gl_ld_sectors, 32 + 8);
    assert_int_equal(b->stats[0].gl_ld_transactions, 32 + 2);
    assert_int_equal(b->stats[0].gl_ld_bytes, 32 * 32 + 2 * 128);
    assert_int_equal(b->stats[0].gl_ld_wanted, 128 + 256);
    assert_int_equal(b->stats[0].gl_st_requests, 1 + 4);
    assert_int_equal(b->stats[0].gl_st_sectors, 16 + 16);
    assert_int_equal(b->stats[0].gl_st_transactions, 16 + 16);
    assert_int_equal(b->stats[0].gl_st_bytes, 32 * 32);
    assert_int_equal(b->stats[0].gl_st_wanted, 64 + 512);
    assert_int_equal(b->stats[0].gl_at_requests, 1);
    assert_int_equal(b->stats[0].gl_at_sectors, 1);
    assert_int_equal(b->stats[0].gl_at_transactions, 1);
    assert_int_equal(b->stats[0].gl_at_bytes, 32);
    tear_down(b);
    free(b);
}

/* ---- queues ---- */

/* Two entries: the third request starts when one of the first two is back. */
static void test_entries(void **state)
{
    struct bench *b = new_bench();
    struct lsu_config cfg = usual;

    (void)state;
    cfg.entries = 2;
    set_up(b, &cfg, 64);
    for (uint32_t i = 0; i < 5; i++) {
        (void)add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1);
    }
    (void)add(b, ISA_SP_SHARED, MEM_LOAD, 4, 1);
    run(b);
    assert_int_equal(b->lines[0].at, b->sent_at[0] + 2);
    assert_int_equal(b->lines[1].at, b->sent_at[0] + 4);
    /* its answer reaches the unit 31 cycles after it was sent: the next leaves then */
    assert_int_equal(b->lines[2].at, b->lines[0].at + 30 + 2);
    assert_int_equal(b->lines[3].at, b->lines[1].at + 30 + 2);
    assert_int_equal(b->lines[4].at, b->lines[2].at + 30 + 2);
    assert_true(b->passed[0].at > b->lines[4].at); /* nor does this one overtake */
    tear_down(b);
    free(b);
}

/* Answers out of order complete requests out of order. */
static void test_answers_out_of_order(void **state)
{
    struct bench *b = new_bench();

    (void)state;
    set_up(b, &usual, 64);
    b->newest_first = true;
    b->closed = 60; /* all lines are taken at once */
    for (uint32_t i = 0; i < 6; i++) {
        (void)add(b, ISA_SP_GLOBAL, i % 2 == 0 ? MEM_LOAD : MEM_STORE, 4, 1);
    }
    run(b);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(b->back[i], 5 - i);
    }
    tear_down(b);
    free(b);
}

/* A memory that takes nothing for long, through a queue of one: all arrive, in order.
 */
static void test_back_pressure(void **state)
{
    struct bench *b = new_bench();

    (void)state;
    set_up(b, &usual, 1);
    b->closed = 500;
    b->delay = 1;
    stride(add(b, ISA_SP_GLOBAL, MEM_STORE, 4, 1), GLOBAL_AT, 128);
    stride(add(b, ISA_SP_GLOBAL, MEM_LOAD, 4, 1), GLOBAL_AT, 256);
    (void)add(b, ISA_SP_CONST, MEM_LOAD, 4, 1);
    run(b);
    assert_int_equal(b->n_lines, 64);
    assert_int_equal(b->lines[0].at, 500);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(b->lines[i].line.addr, GLOBAL_AT + i * 128);
        assert_int_equal(b->lines[32 + i].line.addr, GLOBAL_AT + i * 256);
    }
    assert_int_equal(b->passed[0].at > b->lines[63].at, 1);
    tear_down(b);
    free(b);
}

/* A drain is answered when the stores before it have been sent, not when they are
 * answered, and nothing is counted or sent for it. */
static void test_drain(void **state)
{
    struct bench *b = new_bench();
    struct smw_counters before;

    (void)state;
    set_up(b, &usual, 1);
    b->closed = 500;
    b->delay = 1000;
    for (uint32_t i = 0; i < 2; i++) {
        stride(add(b, ISA_SP_GLOBAL, MEM_STORE, 4, 1), GLOBAL_AT + i * 4096, 128);
    }
    add(b, ISA_SP_GLOBAL, MEM_DRAIN, 4, 1)->mask = 0;
    before = b->stats[0];
    run(b);
    assert_int_equal(b->n_lines, 64);
    assert_int_equal(b->back[0], 2);
    assert_true(b->back_at[2] > b->lines[63].at);
    assert_true(b->back_at[2] < 1000);
    assert_true(b->back_at[0] >= 1500);
    assert_int_equal(b->stats[0].gl_st_insts, before.gl_st_insts);
    assert_int_equal(b->stats[0].gl_st_requests, 2);
    tear_down(b);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forwarding),
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_many_lines),
        cmocka_unit_test(test_lines_together),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_answers_out_of_order),
        cmocka_unit_test(test_back_pressure),
        cmocka_unit_test(test_drain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
