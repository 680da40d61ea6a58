#include "engine/sim.h"
#include "engine/queue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELTA_LIMIT 10000u

static const bool never = false, always = true; /* of sim.telling */

struct sim *sim_new(void)
{
    struct sim *s = NULL;
    struct arena arena;

    arena_init(&arena);
    s = arena_alloc(&arena, sizeof(*s));
    s->no_clock = arena_alloc(&arena, sizeof(*s->no_clock));
    s->culprits = arena_alloc(&arena, SIM_CULPRITS);
    s->arena = arena;
    s->delta_limit = DELTA_LIMIT;
    s->observers_tail = &s->observers;
    s->telling = &never;
    s->updates_tail = &s->updates;
    s->whole = s;
    s->no_clock->sim = s;
    s->no_clock->now = SIM_TIME_MAX; /* never the present: cycles of it are refused */
    sim_queue_init(s);
    return s;
}

void sim_free(struct sim *s)
{
    struct arena arena;

    if (s != NULL) {
        while (s->domains != NULL) {
            struct sim *d = s->domains;

            s->domains = d->next_domain;
            sim_free(d);
        }
        arena = s->arena; /* s lies in it */
        arena_free(&arena);
    }
}

struct sim *sim_new_domain(struct sim *whole)
{
    struct sim *d;

    SIM_REQUIRE(whole, whole->whole == whole && !whole->started, "sim_new_domain");
    d = sim_new();
    d->whole = whole;
    d->next_domain = whole->domains;
    whole->domains = d;
    return d;
}

bool sim_has_domains(const struct sim *s)
{
    return s->whole->domains != NULL;
}

void sim_pass(struct sim *s, sim_time_t t)
{
    SIM_REQUIRE(s, !s->running && t >= s->now && t <= sim_next(s), "sim_pass");
    s->now = t;
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
    sim_set_stop(s, true);
}

void sim_shuffle(struct sim *s, uint64_t seed)
{
    s->shuffle = seed;
    s->shuffled = seed != 0;
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
    s->telling = s->observers == NULL && o->pending != NULL ? o->pending : &always;
    *s->observers_tail = o;
    s->observers_tail = &o->next;
}

/* ---- events, processes, signals ---- */

void sim_event_init(struct sim_event *e, struct sim *s, struct sim_clock *c,
                    const char *name)
{
    SIM_REQUIRE(s, !s->running, name);
    memset(e, 0, sizeof(*e));
    e->clock = c != NULL ? c : s->no_clock;
    e->name = arena_strdup(&s->arena, name);
    sim_queue_add_event(s, e->clock);
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

    SIM_REQUIRE(p->sim, !p->sim->running && p->sim == e->clock->sim, p->name);
    if (e->process == NULL) {
        e->process = p;
        return;
    }
    w = sim_alloc(p->sim, sizeof(*w));
    w->process = p;
    w->next = e->more != NULL ? e->more->next : w;
    if (e->more != NULL) {
        e->more->next = w;
    }
    e->more = w;
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
    const struct sim *whole = s->whole;
    char text[512];

    snprintf(text, sizeof(text), "broken contract at %" PRIu64 " ps in %s: %s", s->now,
             where, condition);
    if (whole->panic != NULL) {
        whole->panic(whole->panic_ctx, text);
    } else {
        fputs(text, stderr);
        fputc('\n', stderr);
    }
    abort();
}
