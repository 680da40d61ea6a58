/*
 * The checks of the queues can fail: every field that is falsified is found.
 */
#include "engine/chain.h"
#include "engine/panic_test.h"
#include "engine/queue.h"

enum { N = 140 };

struct rig {
    struct sim *s;
    struct sim_clock clock;
    struct sim_event e[N];
};

/* Something in every structure: 0 and 1 next cycle, 2 to 5 in the wheel (4 and 5 in one
 * list), 6 to 35 and from 42 on far, in the array and in lists (34 and 35 at one time),
 * 36 to 40 timed, 41 delta. */
static void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    r->s = sim_new();
    sim_clock_init(&r->clock, r->s, "clock", 1000, 1);
    for (uint32_t i = 0; i < N; i++) {
        sim_event_init(&r->e[i], r->s, &r->clock, "e");
    }
    for (uint32_t i = 0; i < 36; i++) {
        sim_notify_cycles(&r->e[i], i < 2   ? 1
                                    : i < 4 ? i
                                    : i < 6 ? 9
                                            : (i < 34 ? 1000 + 10 * i : 9999));
    }
    for (uint32_t i = 36; i < 41; i++) {
        sim_notify_ps(&r->e[i], 5 * i);
    }
    for (uint32_t i = 42; i < N; i++) {
        sim_notify_cycles(&r->e[i], 1000 + i);
    }
    sim_notify_delta(&r->e[41]);
    assert_true(r->clock.far.n_lists > 0 && r->clock.far.horizon < 9999);
    sim_queue_verify(r->s); /* all is well */
}

/* Flips bits of a field, expects the checks to notice, flips them back. */
#define falsify(field, flip)                                                           \
    do {                                                                               \
        (field) ^= (flip);                                                             \
        expect_panic(r.s, "own queues", sim_queue_verify(r.s));                        \
        (field) ^= (flip);                                                             \
        sim_queue_verify(r.s);                                                         \
    } while (0)

static void bits(void **state)
{
    static struct rig r;

    (void)state;
    rig_init(&r);
    falsify(r.clock.map[0], UINT64_C(1) << 2);
    falsify(r.clock.map[0], UINT64_C(1) << 20);
    falsify(r.clock.n_wheel, 1u);
    falsify(r.clock.far.horizon, UINT64_C(1) << 50);
    falsify(r.clock.far.tail, 64u);
    falsify(r.clock.due, 2u);
    falsify(r.s->due_time[1], 4u);
    falsify(r.s->due_time[0], 4u);
    falsify(r.s->rest, UINT64_C(1) << 62);
    falsify(r.clock.far.levels, 2u);
    falsify(r.clock.far.map[1], UINT64_C(1) << 63);
    falsify(r.clock.far.n_lists, 1u);
    falsify(r.clock.far.base, UINT64_C(1) << 40);
    falsify(r.s->timed.when[SIM_RADIX_START + 2], 1u);
    falsify(r.s->timed.levels, 1u);
    falsify(r.e[0].queue, 2u);
    falsify(r.e[0].at, 1u);
    falsify(r.e[1].seq, UINT64_C(1) | UINT64_C(2));
    falsify(r.e[3].queue, 1u);
    falsify(r.e[3].when, UINT64_C(1));
    falsify(r.e[3].when, UINT64_C(256));
    falsify(r.e[5].seq, UINT64_C(7));
    falsify(r.e[35].seq, UINT64_C(63));
    falsify(r.e[20].queue, 1u);
    falsify(r.e[38].queue, 1u);
    falsify(r.e[38].when, UINT64_C(64));
    falsify(r.e[41].at, 1u);
    falsify(r.clock.cycle, 1u);
    falsify(r.clock.edge_time, 1u);
    sim_free(r.s);
}

static void pointers(void **state)
{
    static struct rig r;
    struct sim_event **slot;
    struct sim_event *kept;
    struct sim_chunk *c;

    (void)state;
    rig_init(&r);
    slot = r.e[5].slot;
    r.e[5].slot = NULL;
    expect_panic(r.s, "own queues", sim_queue_verify(r.s));
    r.e[5].slot = slot;
    c = chain_chunk(r.clock.bucket[9]);
    falsify(c->n, 3u);
    falsify(c->live, 1u);
    c->prev = NULL;
    expect_panic(r.s, "own queues", sim_queue_verify(r.s));
    c->prev = c;
    c->event[0] = NULL; /* a hole that nobody made */
    expect_panic(r.s, "own queues", sim_queue_verify(r.s));
    c->event[0] = &r.e[4];
    kept = r.clock.next[1];
    r.clock.next[1] = NULL;
    expect_panic(r.s, "own queues", sim_queue_verify(r.s));
    r.clock.next[1] = kept;
    sim_queue_verify(r.s);
    sim_free(r.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits),
        cmocka_unit_test(pointers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
