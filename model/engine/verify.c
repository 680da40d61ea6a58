/*
 * Consistency of everything pending, checked now and then by SIM_VERIFY builds and by
 * the tests. What is wrong ends in sim_panic().
 */
#include "engine/queue.h"
#include "engine/wheel.h"

#define CHECK(s, cond) SIM_REQUIRE(s, cond, "the engine's own queues")

struct walk {
    struct sim *s;
    enum sim_queue queue; /* of every event */
    uint64_t first;       /* the earliest seen */
    const struct sim_event *before;
};

static void verify_event(struct walk *w, const struct sim_event *e)
{
    const struct sim_event *b = w->before;

    CHECK(w->s, e->queue == w->queue);
    CHECK(w->s, b == NULL || b->when != e->when || b->seq < e->seq);
    w->first = e->when < w->first ? e->when : w->first;
    w->before = e;
}

/* Walk a list: its links, its events' queue and places, rising sequence where times are
 * equal. Returns how many. */
static uint32_t verify_list(struct walk *w, sim_chain l)
{
    const struct sim_chunk *first, *last;
    uint32_t n = 0;

    w->before = NULL;
    if (chain_is_single(l)) {
        if (l != 0) {
            verify_event(w, chain_single(l));
        }
        return l != 0;
    }
    first = chain_chunk(l);
    last = first;
    for (const struct sim_chunk *c = first; c != NULL; c = c->next) {
        uint32_t live = 0;

        CHECK(w->s, c->n <= CHAIN_CHUNK);
        CHECK(w->s, c->next == NULL || c->next->prev == c);
        for (uint32_t i = 0; i < c->n; i++) {
            if (c->event[i] != NULL) {
                CHECK(w->s, c->event[i]->slot == &c->event[i]);
                verify_event(w, c->event[i]);
                live++;
            }
        }
        CHECK(w->s, live == c->live && live > 0);
        n += live;
        last = c;
    }
    CHECK(w->s, first->prev == last);
    return n;
}

/* The lists of r; what is earliest goes to w. */
static void verify_lists(struct sim *s, const struct sim_radix *r, struct walk *w)
{
    uint32_t n = 0;

    for (uint32_t l = 0; r->list != NULL && l < SIM_RADIX_LEVELS; l++) {
        CHECK(s, (r->levels >> l & 1) == (r->map[l] != 0));
        for (uint32_t i = 0; i < SIM_RADIX_SLOTS; i++) {
            sim_chain list = r->list[l * SIM_RADIX_SLOTS + i];

            CHECK(s, (r->map[l] >> i & 1) == (list != 0));
            n += verify_list(w, list);
        }
    }
    CHECK(s, r->list != NULL || r->levels == 0);
    CHECK(s, n == r->n_lists);
    CHECK(s, n == 0 || (w->first >= r->base && w->first >= r->horizon));
}

static void verify_radix(struct sim *s, const struct sim_radix *r, enum sim_queue queue,
                         uint64_t *first)
{
    struct walk few = {.s = s, .queue = queue, .first = *first};
    struct walk far = {.s = s, .queue = queue, .first = SIM_TIME_MAX};

    CHECK(s, r->head <= r->tail && r->tail <= SIM_RADIX_ROOM);
    for (uint32_t i = r->head; i < r->tail; i++) {
        CHECK(s, r->event[i]->when == r->when[i]);
        CHECK(s, r->when[i] < r->horizon);
        CHECK(s, i == r->head || r->when[i] >= r->when[i - 1]);
        verify_event(&few, r->event[i]);
    }
    verify_lists(s, r, &far);
    CHECK(s, r->n_lists > 0 || r->horizon == UINT64_MAX);
    *first = few.first < far.first ? few.first : far.first;
}

static uint64_t verify_wheel(struct sim *s, const struct sim_clock *c)
{
    struct walk w = {.s = s, .queue = SIM_Q_WHEEL, .first = SIM_CYCLE_NONE};
    uint32_t n = 0;

    for (uint32_t b = 0; b < SIM_WHEEL; b++) {
        struct walk mine = {.s = s, .queue = SIM_Q_WHEEL, .first = SIM_CYCLE_NONE};

        CHECK(s, (c->map[b / 64] >> (b % 64) & 1) == (c->bucket[b] != 0));
        if (c->bucket[b] != 0) {
            verify_list(&mine, c->bucket[b]);
            CHECK(s, wheel_bucket(mine.first) == b && mine.before->when == mine.first);
            CHECK(s, mine.first > c->cycle && mine.first - c->cycle < SIM_WHEEL);
            w.first = mine.first < w.first ? mine.first : w.first;
            n++;
        }
    }
    CHECK(s, n == c->n_wheel);
    return w.first;
}

static void verify_array(struct sim *s, struct sim_event *const *v, uint32_t n,
                         enum sim_queue queue)
{
    uint64_t seq = 0;

    CHECK(s, n == 0 || v[n - 1] != NULL);
    for (uint32_t i = 0; i < n; i++) {
        if (v[i] != NULL) {
            CHECK(s, v[i]->queue == queue && v[i]->at == i && v[i]->seq > seq);
            seq = v[i]->seq;
        }
    }
}

static void verify_clock(struct sim *s, struct sim_clock *c)
{
    uint64_t first;
    sim_time_t t = s->due_time[c->index];

    sim_cycle(c);
    CHECK(s, c->cycle == sim_cycle_of(c, s->now));
    CHECK(s, c->edge_time == sim_edge(c, c->cycle));
    first = verify_wheel(s, c);
    verify_radix(s, &c->far, SIM_Q_FAR, &first);
    verify_array(s, c->next, c->n_next, SIM_Q_NEXT);
    first = c->n_next > 0 ? c->cycle + 1 : first;
    CHECK(s, c->vague ? c->due <= first : c->due == first);
    CHECK(s, c->vague || t == 0 || t == sim_edge(c, c->due));
}

void sim_queue_verify(struct sim *s)
{
    uint64_t first = SIM_TIME_MAX;
    sim_time_t rest = SIM_TIME_MAX;

    verify_array(s, s->delta, s->n_delta, SIM_Q_DELTA);
    verify_radix(s, &s->timed, SIM_Q_TIMED, &first);
    CHECK(s, s->timed_vague ? s->due_time[0] <= first : s->due_time[0] == first);
    for (uint32_t i = 1; i < s->n_sources; i++) {
        verify_clock(s, s->clock[i]);
    }
    for (uint32_t i = 0; i < s->n_sources; i++) {
        const struct sim_clock *c = s->clock[i];
        sim_time_t t = s->due_time[i];

        if (i != s->first && !(c == NULL ? s->timed_vague : c->vague)) {
            t = t == 0 ? sim_edge(c, c->due) : t;
            rest = t < rest ? t : rest;
        }
    }
    CHECK(s, s->rest <= rest);
}
