/* The halves as one slice sees them, without the slice: whose reads come from afar, and
 * when the link between the halves is free. The bench is the slice's module. */
#include "mem/l2_halves.h"

#include "mem/port_test.h"

enum { FAR = 40, LINK = 10 };

struct rig {
    struct bench b;
    struct l2_halves h;
    struct l2_tag tag;
    struct mem_line t;
};

static void rig_init(struct rig *g, uint32_t far)
{
    memset(g, 0, sizeof(*g));
    bench_init(&g->b);
    l2_halves_init(&g->h, &g->b.root, far, LINK, 0);
    g->t.addr = ISA_GLOBAL_BASE; /* at home in half 0, as SMs 0, 1, 4, 5, ... */
}

static bool reads_from_afar(struct rig *g, uint8_t sm)
{
    g->t.sm = sm;
    return l2_halves_read(&g->h, &g->tag, &g->t);
}

static void who_has_copies(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, FAR);
    assert_false(reads_from_afar(&g, 0));
    assert_true(reads_from_afar(&g, 2));
    assert_false(reads_from_afar(&g, 3)); /* SM 2 brought it to their half */
    g.t.sm = 1;
    l2_halves_store(&g.h, &g.tag, &g.t);
    assert_true(reads_from_afar(&g, 2)); /* its half's was an old one */
    g.t.sm = 2;
    l2_halves_store(&g.h, &g.tag, &g.t);
    assert_false(reads_from_afar(&g, 3));
    assert_false(reads_from_afar(&g, 1));
    l2_halves_forget(&g.h);
    assert_false(reads_from_afar(&g, 1));
    assert_true(reads_from_afar(&g, 3));
    assert_false(l2_halves_read(&g.h, NULL, &g.t));
    bench_free(&g.b);
}

/* 4 KB are at home together, and the parity of the ones of their number says where. */
static void homes(void **state)
{
    static const struct {
        uint64_t offset;
        bool far;
    } rows[] = {{0, false},       {4096 - 128, false}, {4096, true},
                {2 * 4096, true}, {3 * 4096, false},   {4 * 4096, true},
                {7 * 4096, true}, {15 * 4096, false}};
    struct rig g;

    (void)state;
    rig_init(&g, FAR);
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        g.t.addr = ISA_GLOBAL_BASE + rows[i].offset;
        g.t.sm = 5;
        assert_int_equal(l2_halves_crosses(&g.h, &g.t), rows[i].far);
        g.t.sm = 6;
        assert_int_equal(l2_halves_crosses(&g.h, &g.t), !rows[i].far);
    }
    bench_free(&g.b);
}

static void no_halves(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, 0);
    assert_false(reads_from_afar(&g, 2));
    assert_false(l2_halves_crosses(&g.h, &g.t));
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), 0);
    bench_free(&g.b);
}

/* A line takes the link 10 cycles: 2 for the header and each sector, 0.3 for a mask;
 * what is begun of a cycle counts for what comes next. */
static void shares_of_the_link(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, FAR);
    g.t.sm = 2;
    assert_true(l2_halves_crosses(&g.h, &g.t));
    g.t.sectors = 0xf;
    assert_int_equal(l2_halves_use_link(&g.h, &g.t), 0);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK);
    g.t.sectors = 0x8;
    assert_int_equal(l2_halves_use_link(&g.h, &g.t), LINK);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK + 4);
    g.t.op = MEM_STORE; /* of no whole sector */
    assert_int_equal(l2_halves_use_link(&g.h, &g.t), LINK + 4);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK + 8); /* and 0.3 */
    (void)l2_halves_use_link(&g.h, &g.t);
    (void)l2_halves_use_link(&g.h, &g.t);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK + 16);
    (void)l2_halves_use_link(&g.h, &g.t);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK + 21);
    mem_sector_bytes(0x8, g.t.bytes);
    assert_int_equal(l2_halves_use_link(&g.h, &g.t), LINK + 21);
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), LINK + 21 + 4);
    g.t.sm = 4;
    assert_false(l2_halves_crosses(&g.h, &g.t));
    assert_int_equal(l2_halves_free_at(&g.h, &g.t), 0);
    bench_free(&g.b);
}

static void on_the_way(void **state)
{
    struct rig g;
    struct mem_line *a, *b;

    (void)state;
    rig_init(&g, FAR);
    a = line_new(&g.b, MEM_LOAD, ISA_GLOBAL_BASE, 0, 128);
    b = line_new(&g.b, MEM_LOAD, ISA_GLOBAL_BASE, 0, 128);
    assert_null(l2_halves_take(&g.h, 0));
    l2_halves_send(&g.h, a);
    l2_halves_send(&g.h, b); /* the link is free again at 10 */
    assert_null(l2_halves_take(&g.h, FAR - 1));
    assert_ptr_equal(l2_halves_take(&g.h, FAR), a);
    assert_null(l2_halves_take(&g.h, FAR + LINK - 1));
    assert_ptr_equal(l2_halves_take(&g.h, FAR + LINK), b);
    assert_null(l2_halves_take(&g.h, 1000));
    sim_pool_give(a);
    sim_pool_give(b);
    bench_free(&g.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_copies), cmocka_unit_test(homes),
        cmocka_unit_test(no_halves),      cmocka_unit_test(shares_of_the_link),
        cmocka_unit_test(on_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
