/* What each capability's L1 does with loads, stores and atomics: SPEC L1-5, L1-6. */
#include "mem/l1_test.h"

/* Expected, written down from the guides and not from the table of rules. */
struct policy {
    uint32_t cc;
    bool global;    /* sm.l1.global: -dlcm=ca, or the default of 7.0 and later */
    bool caches;    /* ordinary global loads */
    bool read_only; /* .nc loads */
    uint8_t fills;  /* sectors of a miss of 4 bytes in sector 1 */
    bool updates;   /* a present line by a store; else it is dropped */
};

static const struct policy policies[] = {
    {20, true, true, true, 0xf, false},    {20, false, false, false, 0xf, false},
    {21, true, true, true, 0xf, false},    {21, false, false, false, 0xf, false},
    {30, false, false, false, 0xf, false}, {30, true, true, true, 0xf, false},
    {35, false, false, false, 0xf, false}, {35, true, true, true, 0xf, false},
    {37, false, false, false, 0xf, false}, {37, true, true, true, 0xf, false},
    {50, false, false, true, 0x2, true},   {52, false, false, true, 0x2, true},
    {52, true, true, true, 0x2, true},     {53, false, false, true, 0x2, true},
    {60, false, false, true, 0x2, true},   {60, true, true, true, 0x2, true},
    {61, false, false, true, 0x2, true},   {62, true, true, true, 0x2, true},
    {70, true, true, true, 0x2, true},     {70, false, false, true, 0x2, true},
    {75, true, true, true, 0x2, true},     {80, true, true, true, 0x2, true},
    {86, true, true, true, 0x2, true},     {87, true, true, true, 0x2, true},
    {89, true, true, true, 0x2, true},     {90, true, true, true, 0x2, true},
    {90, false, false, true, 0x2, true},
};

static void rig_of(struct rig *g, const struct policy *p)
{
    struct l1_config cfg = small();

    cfg.global = p->global;
    rig_init_as(g, cfg, true, 8);
    g->rules = *rules_find(p->cc);
    g->rules.l1_global = p->global ? RULES_L1_DEFAULT : RULES_L1_NEVER;
    g->delay = 5;
}

/* Make the access and wait for it; true if nothing went down for it. */
static bool do_access(struct rig *g, struct mem_line *t)
{
    uint32_t down = g->below->n;

    t->sm = 3;
    sender_add(g->lsu, bench_now(&g->b) + 1, t);
    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    assert_ptr_equal(g->back->v[0].txn, t);
    return g->below->n == down;
}

/* A load of 4 bytes in sector 1; true if it hit. */
static bool load_4(struct rig *g, uint64_t addr, bool read_only, uint8_t want)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_LOAD, addr, 32, 4), 0);
    bool hit;

    t->read_only = read_only;
    hit = do_access(g, t);
    check_data(t, 32, 4, want);
    receiver_drain(g->back);
    return hit;
}

static void pass(struct rig *g, enum mem_op op, uint64_t addr, uint8_t v, bool bypass)
{
    struct mem_line *t = line_fill(line_new(&g->b, op, addr, 32, 4), v);

    t->bypass_l1 = bypass;
    assert_false(do_access(g, t));
    receiver_drain(g->back);
}

static void ordinary(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(policies); k++) {
        const struct policy *p = &policies[k];
        struct rig g;

        rig_of(&g, p);
        assert_false(load_4(&g, GLOBAL(1), false, 101));
        assert_int_equal(g.last_from_l1, p->caches);
        if (p->caches) {
            assert_int_equal(g.last_sectors, p->fills);
        }
        assert_int_equal(load_4(&g, GLOBAL(1), false, 101), p->caches);
        pass(&g, MEM_STORE, GLOBAL(1), 9, false); /* write-through */
        assert_int_equal(below_at(&g, GLOBAL(1))[32], 9);
        assert_int_equal(load_4(&g, GLOBAL(1), false, 9), p->caches && p->updates);
        assert_int_equal(load_4(&g, GLOBAL(1), false, 9), p->caches);
        pass(&g, MEM_STORE, GLOBAL(2), 9, false);
        assert_int_equal(load_4(&g, GLOBAL(2), false, 9), p->caches && p->cc >= 70);
        rig_free(&g);
    }
}

/* What a store allocates has its bytes, no other of the sector, and ages lines as a
 * load does. */
static void stored(void **state)
{
    (void)state;
    for (uint32_t cc = 60; cc <= 90; cc += 30) {
        const struct policy p = {cc, true, true, true, 0x2, true};
        struct mem_line *t;
        struct rig g;

        rig_of(&g, &p);
        pass(&g, MEM_STORE, GLOBAL(1), 9, false);
        t = line_fill(line_new(&g.b, MEM_LOAD, GLOBAL(1), 32, 8), 0);
        assert_false(do_access(&g, t)); /* asks for the sector */
        assert_int_equal(g.last_sectors, 0x2);
        check_data(t, 32, 4, 9);
        receiver_drain(g.back);
        assert_true(load_4(&g, GLOBAL(1), false, 9));
        for (uint32_t i = 2; i < 2 + LINES; i++) {
            pass(&g, MEM_STORE, GLOBAL(i), 9, false);
        }
        assert_int_equal(load_4(&g, GLOBAL(1), false, 9), cc < 70);
        assert_int_equal(load_4(&g, GLOBAL(1 + LINES), false, 9), cc >= 70);
        rig_free(&g);
    }
}

/* .nc: on 5.0 and later in the L1 whatever the others do; before, as the others. */
static void read_only(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(policies); k++) {
        const struct policy *p = &policies[k];
        struct rig g;

        rig_of(&g, p);
        assert_false(load_4(&g, GLOBAL(1), true, 101));
        if (p->read_only) {
            assert_int_equal(g.last_sectors, p->fills);
        }
        assert_int_equal(load_4(&g, GLOBAL(1), true, 101), p->read_only);
        /* a load that is not cached leaves the line alone */
        assert_int_equal(load_4(&g, GLOBAL(1), false, 101), p->caches);
        assert_int_equal(load_4(&g, GLOBAL(1), true, 101), p->read_only);
        pass(&g, MEM_STORE, GLOBAL(1), 9, false);
        assert_int_equal(load_4(&g, GLOBAL(1), true, 9), p->read_only && p->updates);
        rig_free(&g);
    }
}

/* Atomics and loads that bypass go down and drop the line, everywhere. */
static void coherent(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(policies); k++) {
        const struct policy *p = &policies[k];
        struct rig g;

        rig_of(&g, p);
        (void)load_4(&g, GLOBAL(1), true, 101);
        pass(&g, MEM_LOAD, GLOBAL(1), 0, true);
        assert_false(load_4(&g, GLOBAL(1), true, 101));
        pass(&g, MEM_ATOM, GLOBAL(1), 77, false); /* below it stores, here */
        assert_false(load_4(&g, GLOBAL(1), true, 77));
        pass(&g, MEM_RED, GLOBAL(1), 78, false);
        assert_false(load_4(&g, GLOBAL(1), true, 78));
        rig_free(&g);
    }
}

/* Local memory is cached on every capability with an L1, written back or through. */
static void local(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(policies); k++) {
        const bool through = policies[k].cc >= 70;
        struct rig g;

        rig_of(&g, &policies[k]);
        assert_int_equal(
            do_access(&g, line_fill(line_new(&g.b, MEM_STORE, LOCAL(1), 32, 4), 9)),
            !through);
        receiver_drain(g.back);
        assert_true(load_4(&g, LOCAL(1), false, 9));
        assert_int_equal(below_at(&g, LOCAL(1))[32], through ? 9 : 100 + N_MEM + 1);
        rig_free(&g);
    }
}

/* 1.x: nothing is cached, local memory neither. */
static void none(void **state)
{
    (void)state;
    for (uint32_t cc = 10; cc <= 13; cc++) {
        struct policy p = {.cc = cc};
        struct rig g;

        rig_of(&g, &p);
        l1_resize(g.l1, rules_find(cc)->split[0].l1 * 1024);
        for (uint32_t i = 0; i < 4; i++) {
            assert_false(load_4(&g, GLOBAL(1), i % 2 != 0, 101));
            assert_int_equal(g.last_from_l1, false);
        }
        pass(&g, MEM_STORE, LOCAL(1), 9, false);
        assert_int_equal(below_at(&g, LOCAL(1))[32], 9);
        assert_false(load_4(&g, LOCAL(1), false, 9));
        assert_int_equal(g.stats[0].l1_lookups, 0);
        rig_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary),  cmocka_unit_test(stored),
        cmocka_unit_test(read_only), cmocka_unit_test(coherent),
        cmocka_unit_test(local),     cmocka_unit_test(none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
