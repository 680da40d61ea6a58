/*
 * Consistency of everything pending, checked now and then by SIM_VERIFY builds and by
 * the tests. What is wrong ends in sim_panic().
 */
#include "engine/queue.h"
#include "engine/wheel.h"

#define CHECK(s, cond) SIM_REQUIRE(s, cond, "the engine's own queues")

/* Walk a chain: its links, its events' queue, rising sequence where times are equal.
 * Returns how many; lowers *first to the earliest. */
static uint32_t verify_chain(struct sim *s, const struct sim_event *head,
                             enum sim_queue queue, uint64_t *first)
{
    uint32_t n = 0;
    const struct sim_event *tail = head;

    for (const struct sim_event *e = head; e != NULL; e = e->next) {
        CHECK(s, e->queue == queue);
        CHECK(s, e->next == NULL || e->next->prev == e);
        CHECK(s, e->next == NULL || e->next->when != e->when || e->next->seq > e->seq);
        *first = e->when < *first ? e->when : *first;
        tail = e;
        n++;
    }
    CHECK(s, head == NULL || head->prev == tail);
    return n;
}

static void verify_radix(struct sim *s, const struct sim_radix *r, enum sim_queue queue,
                         uint64_t *first)
{
    uint32_t n = 0;

    if (!r->spread) {
        CHECK(s, r->n <= SIM_RADIX_FEW && r->levels == 0);
        for (uint32_t i = 0; i < r->n; i++) {
            const struct sim_event *e = r->few[i].event;

            CHECK(s, e->queue == queue && e->when == r->few[i].when);
            CHECK(s, i == 0 || e->when <= r->few[i - 1].when);
            *first = e->when < *first ? e->when : *first;
        }
        return;
    }
    for (uint32_t l = 0; l < SIM_RADIX_LEVELS; l++) {
        CHECK(s, (r->levels >> l & 1) == (r->map[l] != 0));
        for (uint32_t i = 0; i < SIM_RADIX_SLOTS; i++) {
            const struct sim_event *head = r->list[l * SIM_RADIX_SLOTS + i];

            CHECK(s, (r->map[l] >> i & 1) == (head != NULL));
            n += verify_chain(s, head, queue, first);
        }
    }
    CHECK(s, n == r->n && n > 0 && *first >= r->base);
}

static uint64_t verify_wheel(struct sim *s, const struct sim_clock *c)
{
    uint64_t first = SIM_CYCLE_NONE;
    uint32_t n = 0;

    for (uint32_t b = 0; b < SIM_WHEEL; b++) {
        uint64_t mine = SIM_CYCLE_NONE;

        CHECK(s, (c->map[b / 64] >> (b % 64) & 1) == (c->bucket[b] != NULL));
        n += verify_chain(s, c->bucket[b], SIM_Q_WHEEL, &mine);
        for (const struct sim_event *e = c->bucket[b]; e != NULL; e = e->next) {
            CHECK(s, e->when == mine && wheel_bucket(mine) == b);
            CHECK(s, mine > c->cycle && mine - c->cycle < SIM_WHEEL);
        }
        first = mine < first ? mine : first;
    }
    CHECK(s, n == c->n_wheel);
    return first;
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
    CHECK(s, c->n_beyond == c->n_wheel + c->far.n);
    CHECK(s, c->vague ? c->due <= first : c->due == first);
    CHECK(s, c->vague || t == 0 || t == sim_edge(c, c->due));
}

void sim_queue_verify(struct sim *s)
{
    uint64_t first = SIM_TIME_MAX;

    verify_array(s, s->delta, s->n_delta, SIM_Q_DELTA);
    verify_radix(s, &s->timed, SIM_Q_TIMED, &first);
    CHECK(s, s->timed_vague ? s->due_time[0] <= first : s->due_time[0] == first);
    for (uint32_t i = 1; i < s->n_sources; i++) {
        verify_clock(s, s->clock[i]);
    }
}
