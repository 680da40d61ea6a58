/* The ring between slices and SMs, without a slice: who is how far, and in which order
 * answers arrive. The bench is the slice's module. */
#include "mem/l2_way.h"

#include "mem/port_test.h"

enum { SPREAD = 80, SLICES = 40 };

struct rig {
    struct bench b;
    struct l2_way w;
};

static void rig_init(struct rig *g, uint32_t index, uint32_t spread)
{
    memset(g, 0, sizeof(*g));
    bench_init(&g->b);
    l2_way_init(&g->w, &g->b.root, index, SLICES, spread);
}

static struct mem_line *answer(struct rig *g, uint8_t sm)
{
    struct mem_line *t = line_new(&g->b, MEM_LOAD, ISA_GLOBAL_BASE, 0, 128);

    t->sm = sm;
    l2_way_send(&g->w, t);
    return t;
}

static void takes(struct rig *g, struct mem_line *t, sim_cycle_t at)
{
    assert_null(l2_way_peek(&g->w, at - 1));
    assert_ptr_equal(l2_way_peek(&g->w, at), t);
    l2_way_take(&g->w, t);
    sim_pool_give(t);
}

/* Slice 0 is at place 0, slice 25 at place 10; GPC 0 at 9, GPC 1 at 11 and so on. */
static void places(void **state)
{
    static const uint8_t of_gpc[] = {7, 5, 3, 1, 1, 3, 5, 7};
    struct rig g;

    (void)state;
    rig_init(&g, 0, SPREAD);
    for (uint32_t sm = 0; sm < 132; sm++) {
        assert_int_equal(l2_way_steps(&g.w, sm), of_gpc[sm / 2 % 8]);
    }
    bench_free(&g.b);
    rig_init(&g, 25, SPREAD);
    assert_int_equal(g.w.place, 10);
    assert_int_equal(l2_way_steps(&g.w, 10), 7);
    assert_int_equal(l2_way_steps(&g.w, 2), 1);
    assert_int_equal(l2_way_steps(&g.w, 14), 3);
    bench_free(&g.b);
}

/* The mean over all slices is half the spread for every SM: the median of the latencies
 * does not depend on the spread, if the slice's own is that much less. */
static void mean_is_half(void **state)
{
    uint32_t sum[132] = {0};

    (void)state;
    for (uint32_t s = 0; s < SLICES; s++) {
        struct rig g;

        rig_init(&g, s, SPREAD);
        for (uint32_t sm = 0; sm < 132; sm++) {
            sum[sm] += l2_way_steps(&g.w, sm);
        }
        bench_free(&g.b);
    }
    for (uint32_t sm = 0; sm < 132; sm++) {
        assert_in_range(sum[sm], SLICES * L2_WAY_STEPS / 2 - 4,
                        SLICES * L2_WAY_STEPS / 2 + 4);
    }
}

/* A step is 10 cycles; who is at the same place gets his answer a cycle later. */
static void near_ones_first(void **state)
{
    struct rig g;
    struct mem_line *far, *near, *middle, *second;

    (void)state;
    rig_init(&g, 0, SPREAD);
    assert_null(l2_way_peek(&g.w, 1000));
    far = answer(&g, 0);
    middle = answer(&g, 4);
    second = answer(&g, 5); /* as far as the one before, and behind it */
    near = answer(&g, 6);
    assert_int_equal(g.w.held, 4);
    takes(&g, near, 10);
    takes(&g, middle, 30);
    assert_ptr_equal(l2_way_peek(&g.w, 30), second);
    l2_way_take(&g.w, second);
    sim_pool_give(second);
    takes(&g, far, 70);
    assert_int_equal(g.w.held, 0);
    bench_free(&g.b);
    rig_init(&g, 23, SPREAD); /* place 9 */
    takes(&g, answer(&g, 0), 1);
    bench_free(&g.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(mean_is_half),
        cmocka_unit_test(near_ones_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
