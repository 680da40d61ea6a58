/* Distances between commands, each key alone: what is asked before it and after it. The
 * fuzz test compares all of them together with an independent judge. */
#include "mem/dram_bank.h"

#include "mem/port_test.h"

static const struct dram_config small = {
    .pseudo_channels = 1,
    .banks = 8,
    .groups = 2, /* banks 0 2 4 6, banks 1 3 5 7 */
    .burst_cycles = 1,
    .rcd = 1,
    .rp = 1,
    .ras = 1,
    .rc = 1,
    .rrd = 1,
    .rrd_l = 1,
    .cl = 1,
    .wl = 1,
    .wr = 1,
    .rtp = 1,
    .ccd = 1,
    .ccd_l = 1,
    .wtr = 1,
    .wtr_l = 1,
    .rfc = 1,
};

struct rig {
    struct bench b;
    struct dram_config c;
    struct dram_banks k;
};

static void rig_init(struct rig *g, const struct dram_config *c)
{
    g->c = *c;
    bench_init(&g->b);
    dram_banks_init(&g->k, g->b.sim, &g->c);
}

static void of_a_bank(void **state)
{
    struct dram_config c = small;
    struct rig g;
    struct dram_bank *k;

    (void)state;
    c.rcd = 11;
    c.ras = 29;
    c.rc = 47;
    c.rp = 13;
    c.rtp = 23;
    c.wr = 37;
    c.wl = 5;
    c.rfc = 71;
    rig_init(&g, &c);
    k = &g.k.bank[3];
    assert_int_equal(k->row, DRAM_NO_ROW);
    assert_int_equal(dram_act_at(&g.k, k), 0);
    dram_activate(&g.k, k, 9, 100);
    assert_int_equal(k->row, 9);
    assert_int_equal(g.k.open, 1u << 3);
    assert_int_equal(dram_col_at(&g.k, k, false), 111);
    assert_int_equal(dram_col_at(&g.k, k, true), 111);
    assert_int_equal(k->pre_at, 129);
    assert_int_equal(dram_column(&g.k, k, false, 111), 113); /* cl 1, one cycle */
    assert_int_equal(k->pre_at, 134);
    assert_int_equal(dram_column(&g.k, k, true, 130), 136);
    assert_int_equal(k->pre_at, 173);
    dram_precharge(&g.k, k, 173);
    assert_int_equal(k->row, DRAM_NO_ROW);
    assert_int_equal(g.k.open, 0);
    assert_int_equal(dram_act_at(&g.k, k), 186);
    dram_refresh(&g.k, 3, 1, 186);
    assert_int_equal(dram_act_at(&g.k, k), 257);
    dram_activate(&g.k, k, 0, 257);
    dram_precharge(&g.k, k, 286);
    assert_int_equal(dram_act_at(&g.k, k), 257 + 47); /* rc governs, not 286 + 13 */
    assert_int_equal(dram_refresh_at(&g.k, 3, 1), 257 + 47);
    assert_int_equal(dram_refresh_at(&g.k, 2, 1), 0);
    assert_int_equal(dram_refresh_at(&g.k, 0, c.banks), 257 + 47);
    dram_refresh(&g.k, 0, c.banks, 400);
    assert_int_equal(dram_refresh_at(&g.k, 0, c.banks), 471);
    for (uint32_t i = 0; i < c.banks; i++) {
        assert_int_equal(dram_act_at(&g.k, &g.k.bank[i]), 471);
    }
    bench_free(&g.b);
}

static void between_banks(void **state)
{
    struct dram_config c = small;
    struct rig g;

    (void)state;
    c.rrd = 3;
    c.rrd_l = 7;
    c.faw = 31;
    rig_init(&g, &c);
    dram_activate(&g.k, &g.k.bank[0], 0, 100);
    assert_int_equal(dram_act_at(&g.k, &g.k.bank[1]), 103);
    assert_int_equal(dram_act_at(&g.k, &g.k.bank[2]), 107);
    dram_activate(&g.k, &g.k.bank[1], 0, 103);
    dram_activate(&g.k, &g.k.bank[2], 0, 107);
    dram_activate(&g.k, &g.k.bank[3], 0, 110);
    assert_int_equal(dram_act_at(&g.k, &g.k.bank[5]), 131); /* 100 + faw */
    dram_activate(&g.k, &g.k.bank[5], 0, 131);
    assert_int_equal(dram_act_at(&g.k, &g.k.bank[4]), 134); /* 103 + faw, and rrd */
    bench_free(&g.b);
}

static void columns(void **state)
{
    struct dram_config c = small;
    struct rig g;

    (void)state;
    c.cl = 12;
    c.wl = 5;
    c.ccd = 2;
    c.ccd_l = 4;
    c.wtr = 6;
    c.wtr_l = 9;
    c.turn = 3;
    c.burst_cycles = 2;
    rig_init(&g, &c);
    for (uint32_t i = 0; i < 3; i++) {
        dram_activate(&g.k, &g.k.bank[i], 0, 10 + i);
    }
    (void)dram_column(&g.k, &g.k.bank[0], false, 100); /* data 112 to 114 */
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[1], false), 102);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[2], false), 104);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[1], true), 114 + 3 - 5);
    (void)dram_column(&g.k, &g.k.bank[1], true, 112); /* data 117 to 119 */
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[0], true), 114);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[1], true), 116);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[0], false), 119 + 6);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[1], false), 119 + 9);
    bench_free(&g.b);

    c.groups = 1; /* the same without groups */
    rig_init(&g, &c);
    dram_activate(&g.k, &g.k.bank[0], 0, 10);
    (void)dram_column(&g.k, &g.k.bank[0], true, 100);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[0], true), 102);
    assert_int_equal(dram_col_at(&g.k, &g.k.bank[0], false), 107 + 6);
    bench_free(&g.b);
}

/* Data at 112 to 114, 114 to 116 and, behind a gap, 117 to 119. */
static void bus(void **state)
{
    static const struct {
        sim_cycle_t now, change;
        bool moves;
    } v[] = {
        {100, 112, false}, {111, 112, false}, {112, 116, true},
        {114, 116, true},  {115, 116, true},  {116, 117, false},
        {117, 119, true},  {118, 119, true},  {119, SIM_CYCLE_NONE, false},
    };
    struct dram_config c = small;
    struct rig g;
    sim_cycle_t change;

    (void)state;
    c.cl = 12;
    c.burst_cycles = 2;
    rig_init(&g, &c);
    assert_false(dram_bus_moves(&g.k, 5, &change));
    assert_int_equal(change, SIM_CYCLE_NONE);
    dram_activate(&g.k, &g.k.bank[0], 0, 10);
    (void)dram_column(&g.k, &g.k.bank[0], false, 100);
    (void)dram_column(&g.k, &g.k.bank[0], false, 102);
    (void)dram_column(&g.k, &g.k.bank[0], false, 105);
    for (uint32_t i = 0; i < ARRAY_LEN(v); i++) {
        assert_int_equal(dram_bus_moves(&g.k, v[i].now, &change), v[i].moves);
        assert_int_equal(change, v[i].change);
    }
    for (uint32_t i = 0; i < 100; i++) { /* far more than are on their way */
        (void)dram_column(&g.k, &g.k.bank[0], false, 110 + 2 * i);
    }
    assert_true(dram_bus_moves(&g.k, 110 + 198 + 12, &change));
    assert_int_equal(change, 110 + 198 + 12 + 2);
    bench_free(&g.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_bank),
        cmocka_unit_test(between_banks),
        cmocka_unit_test(columns),
        cmocka_unit_test(bus),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
