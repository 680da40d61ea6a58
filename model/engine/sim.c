#include "engine/sim.h"
#include "engine/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELTA_LIMIT  10000u
#define CULPRITS_MAX 512u /* bytes of the list of names */

struct sim *sim_new(void)
{
    struct sim *s = NULL;
    struct arena arena;

    arena_init(&arena);
    s = arena_alloc(&arena, sizeof(*s));
    s->no_clock = arena_alloc(&arena, sizeof(*s->no_clock));
    s->culprits = arena_alloc(&arena, CULPRITS_MAX);
    s->arena = arena;
    s->delta_limit = DELTA_LIMIT;
    s->clocks_tail = &s->clocks;
    s->observers_tail = &s->observers;
    s->updates_tail = &s->updates;
    s->no_clock->sim = s;
    s->no_clock->now = SIM_TIME_MAX; /* never the present: cycles of it are refused */
    s->no_clock->due = SIM_CYCLE_NONE;
    return s;
}

void sim_free(struct sim *s)
{
    struct arena arena;

    if (s != NULL) {
        arena = s->arena; /* s lies in it */
        arena_free(&arena);
    }
}

struct arena *sim_arena(struct sim *s)
{
    return &s->arena;
}

void *sim_alloc(struct sim *s, size_t size)
{
    return arena_alloc(&s->arena, size);
}

sim_time_t sim_now(const struct sim *s)
{
    return s->now;
}

void sim_stop(struct sim *s)
{
    s->stop = true;
}

void sim_shuffle(struct sim *s, uint64_t seed)
{
    s->shuffle = seed;
}

void sim_delta_limit(struct sim *s, uint32_t n)
{
    SIM_REQUIRE(s, n >= 1, "sim_delta_limit");
    s->delta_limit = n;
}

const char *sim_culprits(const struct sim *s)
{
    return s->culprits;
}

const struct sim_counters *sim_counters(const struct sim *s)
{
    return &s->counters;
}

void sim_observe(struct sim *s, struct sim_observer *o)
{
    o->next = NULL;
    *s->observers_tail = o;
    s->observers_tail = &o->next;
}

/* ---- events, processes, signals ---- */

void sim_event_init(struct sim_event *e, struct sim *s, struct sim_clock *c,
                    const char *name)
{
    SIM_REQUIRE(s, !s->running, name);
    memset(e, 0, sizeof(*e));
    e->sim = s;
    e->clock = c != NULL ? c : s->no_clock;
    e->more_tail = &e->more;
    e->name = arena_strdup(&s->arena, name);
    sim_queue_reserve(s, e->clock);
}

void sim_process_init(struct sim_process *p, struct sim *s, const char *name,
                      void (*run)(void *self), void *self)
{
    SIM_REQUIRE(s, !s->running, name);
    memset(p, 0, sizeof(*p));
    p->sim = s;
    p->run = run;
    p->self = self;
    p->name = arena_strdup(&s->arena, name);
    s->n_processes++;
    if (s->n_processes > s->run_capacity) {
        s->run_capacity = s->run_capacity == 0 ? 16 : s->run_capacity * 2;
        s->run = sim_alloc(s, s->run_capacity * sizeof(s->run[0])); /* it is empty */
    }
}

void sim_wake_on(struct sim_process *p, struct sim_event *e)
{
    struct sim_wake *w = NULL;

    SIM_REQUIRE(p->sim, !p->sim->running && p->sim == e->sim, p->name);
    if (e->process == NULL) {
        e->process = p;
        return;
    }
    w = sim_alloc(p->sim, sizeof(*w));
    w->process = p;
    *e->more_tail = w;
    e->more_tail = &w->next;
}

void sim_signal_init(struct sim_signal *g, struct sim *s, const char *name,
                     uint32_t width)
{
    SIM_REQUIRE(s, width >= 1 && width <= 64, name);
    memset(g, 0, sizeof(*g));
    g->sim = s;
    g->mask = UINT64_MAX >> (64 - width);
    sim_event_init(&g->changed, s, NULL, name);
}

struct sim_event *sim_changed(struct sim_signal *g)
{
    return &g->changed;
}

/* ---- broken contracts ---- */

void sim_on_panic(struct sim *s, void (*fn)(void *ctx, const char *text), void *ctx)
{
    s->panic = fn;
    s->panic_ctx = ctx;
}

void sim_panic(const struct sim *s, const char *condition, const char *where)
{
    char text[512];

    snprintf(text, sizeof(text), "broken contract at %" PRIu64 " ps in %s: %s", s->now,
             where, condition);
    if (s->panic != NULL) {
        s->panic(s->panic_ctx, text);
    } else {
        fputs(text, stderr);
        fputc('\n', stderr);
    }
    abort();
}

/* ---- an instant ---- */

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void permute(struct sim *s)
{
    for (uint32_t i = s->n_run; i > 1; i--) {
        uint32_t j = (uint32_t)(draw(&s->shuffle) % i);
        struct sim_process *p = s->run[j];

        s->run[j] = s->run[i - 1];
        s->run[i - 1] = p;
    }
    s->shuffle |= s->shuffle == 0; /* 0 would mean "in order" from here on */
}

static void evaluate(struct sim *s)
{
    uint32_t n = s->n_run;

    s->counters.deltas++;
    s->counters.activations += n;
    if (UNLIKELY(s->shuffle != 0)) {
        permute(s);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct sim_process *p = s->run[i];

        p->queued = false;
        p->run(p->self);
    }
    s->n_run = 0;
}

static void update(struct sim *s)
{
    struct sim_signal *g = s->updates;

    s->updates = NULL;
    s->updates_tail = &s->updates;
    for (; g != NULL; g = g->next_update) {
        g->updating = false;
        if (g->value != g->written) {
            g->value = g->written;
            sim_notify_delta(&g->changed);
        }
    }
}

static void name_culprits(struct sim *s)
{
    size_t used = 0;

    for (uint32_t i = 0; i < s->n_run && used < CULPRITS_MAX; i++) {
        used += (size_t)snprintf(s->culprits + used, CULPRITS_MAX - used, "%s%s",
                                 i == 0 ? "" : ", ", s->run[i]->name);
    }
}

/* Evaluate, update, notify until nothing is runnable; then tell the observers. */
static void instant(struct sim *s)
{
    uint64_t first = s->counters.activations;
    uint64_t seq;
    uint32_t rounds = 0;

    do {
        if (s->n_run > 0) {
            if (rounds++ == s->delta_limit) {
                s->looping = true;
                name_culprits(s);
                break;
            }
            evaluate(s);
        }
        if (s->updates != NULL) {
            update(s);
        }
        sim_queue_trigger_deltas(s);
    } while (s->n_run > 0);
    s->counters.instants++;
    if (s->counters.activations == first) {
        return;
    }
    seq = s->counters.notifications;
    for (struct sim_observer *o = s->observers; o != NULL; o = o->next) {
        o->end_of_instant(o->ctx, s->now);
    }
    SIM_REQUIRE(s, seq == s->counters.notifications, "an observer that notified");
}

/* Go to the next instant and run it. */
static enum sim_status step(struct sim *s, sim_time_t until)
{
    if (s->n_delta == 0 && s->updates == NULL) { /* else: made between runs */
        sim_time_t t = sim_queue_next(s);

        if (t == SIM_TIME_MAX) {
            return SIM_IDLE;
        }
        if (t > until) {
            s->now = until;
            return SIM_REACHED;
        }
        s->now = t;
        sim_queue_trigger(s, t);
    }
    instant(s);
    if (s->looping) {
        return SIM_DELTA_LOOP;
    }
    if (s->overflow) {
        return SIM_OVERFLOW;
    }
    return s->stop ? SIM_STOPPED : SIM_SLICE;
}

enum sim_status sim_run(struct sim *s, sim_time_t until, uint64_t max_instants)
{
    enum sim_status status = SIM_SLICE;

    SIM_REQUIRE(s, !s->running, "sim_run inside sim_run");
    if (!s->started) {
        s->started = true;
        if (s->on_start != NULL) {
            s->on_start(s);
        }
    }
    if (s->looping || s->overflow) {
        return s->looping ? SIM_DELTA_LOOP : SIM_OVERFLOW; /* for good */
    }
    if (s->stop) {
        s->stop = false;
        return SIM_STOPPED;
    }
    if (until < s->now) {
        return SIM_REACHED;
    }
    s->running = true;
    for (uint64_t done = 0; status == SIM_SLICE; done++) {
        if (max_instants != 0 && done == max_instants) {
            break;
        }
        status = step(s, until);
    }
    s->running = false;
    if (status == SIM_STOPPED) {
        s->stop = false;
    }
    return status;
}
