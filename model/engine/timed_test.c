/*
 * Many events notified in picoseconds, at random, against a table that is searched from
 * end to end. What is notified changes from time to time in number, distance and
 * evenness, so that the radix queue fills its array, its lists, and both.
 */
#include "engine/panic_test.h"
#include "engine/queue.h"

enum { MOST = 2500, AT_ONCE = 16 };

enum habit { EVEN, COARSE, SKEWED, EQUAL, HABITS };

struct rig;

struct node {
    struct rig *rig;
    struct sim_event event;
    struct sim_process process;
    uint64_t when, seq; /* pending; when is 0: not */
};

struct rig {
    struct sim *s;
    struct node node[MOST];
    uint64_t rand, seq, ran;
    uint64_t range;
    enum habit habit;
    uint32_t want, pending; /* events */
    /* what was seen */
    uint32_t sorted, both, alone, vague, wide, emptied;
};

static uint64_t draw(struct rig *r, uint64_t n)
{
    r->rand = r->rand * 6364136223846793005u + 1442695040888963407u;
    return (r->rand >> 24 ^ r->rand >> 51) % n;
}

static uint64_t delay(struct rig *r)
{
    uint64_t d = 1 + draw(r, r->range);

    switch (r->habit) {
    case COARSE: return d + 999 - d % 1000;
    case SKEWED: return draw(r, 8) == 0 ? d : 1 + d / 1024;
    case EQUAL: return r->range;
    default: return d;
    }
}

/* The earliest wins. */
static void notify(struct rig *r, struct node *n)
{
    uint64_t d = delay(r);
    uint64_t t = sim_now(r->s) + d;

    sim_notify_ps(&n->event, d);
    if (n->when == 0 || t < n->when) {
        r->pending += n->when == 0;
        n->when = t;
        n->seq = ++r->seq;
    }
}

static void check_is_first(const struct rig *r, const struct node *n)
{
    for (uint32_t i = 0; i < MOST; i++) {
        const struct node *o = &r->node[i];

        if (o->when != 0 && o != n) {
            assert_true(o->when > n->when || (o->when == n->when && o->seq > n->seq));
        }
    }
}

/* Something else happens to another event, unless that one is about to run. */
static void disturb(struct rig *r, struct node *o)
{
    if (o->when == sim_now(r->s)) {
        return;
    }
    if (draw(r, 2) == 0) {
        sim_cancel(&o->event);
        r->pending -= o->when != 0;
        o->when = 0;
    } else {
        notify(r, o);
    }
}

static void run(void *self)
{
    struct node *n = self;
    struct rig *r = n->rig;

    r->ran++;
    assert_int_equal(sim_now(r->s), n->when);
    if (r->ran % 4 == 0) {
        check_is_first(r, n);
    }
    n->when = 0;
    r->pending--;
    if (r->pending < r->want) {
        notify(r, n);
    }
    if (draw(r, 4) == 0 || r->pending < r->want) {
        disturb(r, &r->node[draw(r, MOST)]);
    }
}

static void look(struct rig *r)
{
    const struct sim_radix *q = &r->s->timed;
    bool listed = q->n_lists > 0, empty = q->head == q->tail;

    sim_queue_verify(r->s);
    r->emptied += !listed && r->both > 0;
    r->sorted += !listed && !empty;
    r->both += listed && !empty;
    r->alone += listed && empty && !r->s->timed_vague; /* many at one time */
    r->vague += r->s->timed_vague;
    r->wide += listed && q->levels >> 5 != 0; /* lists of many times */
}

static struct rig *rig_new(uint64_t seed)
{
    struct rig *r = calloc(1, sizeof(*r));

    r->s = sim_new();
    r->rand = seed;
    for (uint32_t i = 0; i < MOST; i++) {
        struct node *n = &r->node[i];

        n->rig = r;
        sim_event_init(&n->event, r->s, NULL, "e");
        sim_process_init(&n->process, r->s, "p", run, n);
        sim_wake_on(&n->process, &n->event);
    }
    return r;
}

static void rig_free(struct rig *r)
{
    sim_free(r->s);
    free(r);
}

/* Go on with other habits for so many events. */
static void go_on(struct rig *r, enum habit habit, uint64_t range, uint32_t want,
                  uint64_t events)
{
    uint64_t until = r->ran + events;

    r->habit = habit;
    r->range = range;
    r->want = want;
    while (r->pending < want) {
        notify(r, &r->node[draw(r, MOST)]);
    }
    sim_queue_verify(r->s);
    while (r->ran < until && r->pending > 0) {
        enum sim_status status = sim_run(r->s, SIM_TIME_MAX - 1, 1 + draw(r, AT_ONCE));

        assert_true(status == SIM_SLICE || status == SIM_IDLE);
        look(r);
    }
}

static void every_habit(void **state)
{
    static const uint64_t ranges[] = {3, 64, 5000, 65536, UINT64_C(1) << 40};
    static const uint32_t wants[] = {3, 20, 130, 1000, MOST - 100};
    struct rig *r = rig_new(1);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        for (size_t j = 0; j < ARRAY_LEN(wants); j++) {
            for (int habit = 0; habit < HABITS; habit++) {
                go_on(r, (enum habit)habit, ranges[i], wants[j], 300 + wants[j] * 2);
            }
        }
    }
    assert_true(r->sorted > 10 && r->both > 10 && r->alone > 10);
    assert_true(r->vague > 10 && r->wide > 10 && r->emptied > 10);
    rig_free(r);
}

static void any_habit(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed < 6; seed++) {
        struct rig *r = rig_new(seed);

        for (int i = 0; i < 30; i++) {
            uint32_t want = 1 + (uint32_t)draw(r, UINT64_C(2) << draw(r, 11));

            go_on(r, (enum habit)draw(r, HABITS), UINT64_C(2) << draw(r, 45), want,
                  900);
        }
        go_on(r, EVEN, 10, 0, UINT64_MAX - r->ran); /* until nothing is left */
        assert_int_equal(r->pending, 0);
        rig_free(r);
    }
}

/* Lists whose end is beyond the end of time. */
static void end_of_time(void **state)
{
    struct rig *r = rig_new(7);

    (void)state;
    r->habit = EQUAL;
    r->range = SIM_TIME_MAX - 3000000;
    notify(r, &r->node[0]);
    assert_int_equal(sim_run(r->s, r->range, 0), SIM_IDLE);
    go_on(r, EVEN, 65536, 900, 30000); /* about 1.1 million ps */
    assert_true(r->both > 10);
    r->want = 0;
    r->range = 1;
    assert_int_equal(sim_run(r->s, SIM_TIME_MAX - 1, 0), SIM_IDLE);
    sim_queue_verify(r->s);
    rig_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_habit),
        cmocka_unit_test(any_habit),
        cmocka_unit_test(end_of_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
