/*
 * sim_hot.h - structures and hot paths of the engine. Included by sim.h; the fields are
 * the engine's own and no part of its contract.
 *
 * Where a notification waits (queue.c has the reasons):
 *   next    cycle now + 1: an array per clock, emptied as a whole
 *   wheel   fewer than SIM_WHEEL cycles ahead: a list per cycle, found by bitmap
 *   far     further ahead: a heap per clock
 *   timed   notified in picoseconds: one heap per simulation
 *   delta   this instant: an array per simulation
 */
#ifndef ENGINE_SIM_HOT_H
#define ENGINE_SIM_HOT_H

#define SIM_WHEEL      256u /* cycles; a power of two, a multiple of 64 */
#define SIM_CYCLE_NONE UINT64_MAX

enum sim_queue {
    SIM_Q_NONE,
    SIM_Q_NEXT,
    SIM_Q_WHEEL,
    SIM_Q_FAR,
    SIM_Q_TIMED,
    SIM_Q_DELTA
};

struct sim_wake {
    struct sim_process *process;
    struct sim_wake *next;
};

struct sim_event {
    struct sim_event *next, *prev; /* in a wheel's list */
    uint64_t when;                 /* cycle of clock, or picoseconds, as queue says */
    uint64_t seq;                  /* of the pending notification */
    struct sim *sim;
    struct sim_clock *clock;     /* never NULL: sim->no_clock stands for none */
    struct sim_process *process; /* the first to wake, NULL if there is none */
    uint32_t at;                 /* index in next, far, timed, delta */
    enum sim_queue queue;
    struct sim_wake *more, **more_tail; /* the other processes */
    const char *name;
};

struct sim_process {
    void (*run)(void *self);
    void *self;
    bool queued; /* runnable */
    struct sim *sim;
    const char *name;
};

struct sim_signal {
    uint64_t value, written;
    struct sim *sim;
    struct sim_signal *next_update;
    uint64_t mask; /* width bits */
    bool updating;
    struct sim_event changed;
};

struct sim_heap_slot {
    uint64_t when, seq;
    struct sim_event *event;
};

struct sim_heap {
    struct sim_heap_slot *slot;
    uint32_t n, capacity;
};

struct sim_clock {
    struct sim *sim;
    sim_time_t now;      /* the instant for which cycle holds */
    sim_cycle_t cycle;   /* latest edge at or before now */
    sim_cycle_t last;    /* latest edge before SIM_TIME_MAX */
    sim_cycle_t due;     /* earliest pending cycle, SIM_CYCLE_NONE if none */
    sim_time_t due_time; /* its time, 0 while not computed */
    struct sim_event **next;
    uint32_t n_next, capacity; /* entries in next; events of this clock, or more */
    /* edge_time * den + rem = cycle * num, 0 <= rem < den: exact for ever */
    sim_time_t edge_time;
    uint64_t rem, due_rem;
    uint64_t num, den;
    uint64_t whole, frac;         /* num / den, num % den */
    uint64_t num_inv, den_inv;    /* UINT64_MAX / num, UINT64_MAX / den */
    struct sim_event **bucket;    /* SIM_WHEEL lists; head->prev is the tail */
    uint64_t map[SIM_WHEEL / 64]; /* buckets that hold something */
    uint32_t n_wheel;
    uint32_t n_events;
    struct sim_heap far;
    struct sim_clock *next_clock;
    const char *name;
};

struct sim {
    sim_time_t now;
    struct sim_event **delta;
    uint32_t n_delta, delta_capacity;
    struct sim_signal *updates, **updates_tail;
    struct sim_process **run;
    uint32_t n_run, run_capacity;
    struct sim_counters counters; /* notifications is the sequence number as well */
    struct sim_clock *clocks, **clocks_tail;
    struct sim_heap timed;
    struct sim_event **gather; /* room for all events: ties across clocks */
    uint32_t gather_capacity;
    uint32_t n_events, n_processes;
    uint32_t delta_limit;
    bool running, stop, overflow, looping, started;
    uint64_t shuffle; /* state of the generator; 0: in order */
    struct sim_observer *observers, **observers_tail;
    char *culprits;
    void (*panic)(void *ctx, const char *text);
    void *panic_ctx;
    /* The layer above: its state, and what it does before the first instant. */
    void *comp;
    void (*on_start)(struct sim *s);
    struct sim_clock *no_clock;
    struct arena arena;
};

/* ---- clocks ---- */

sim_cycle_t sim_cycle_slow(struct sim_clock *c);

static inline sim_cycle_t sim_cycle(struct sim_clock *c)
{
    return LIKELY(c->now == c->sim->now) ? c->cycle : sim_cycle_slow(c);
}

/* ---- events ---- */

/* Every case of a notification at cycle k > c->cycle, which is up to date. */
void sim_notify_slow(struct sim_event *e, sim_cycle_t k);
void sim_notify_delta_slow(struct sim_event *e);

/* The caller knows: nothing pending, k = c->cycle + 1 can be reached, there is room. */
static inline void sim_push_next(struct sim_clock *c, struct sim_event *e,
                                 sim_cycle_t k)
{
    e->when = k;
    e->seq = ++c->sim->counters.notifications;
    e->queue = SIM_Q_NEXT;
    e->at = c->n_next;
    c->next[c->n_next++] = e;
    if (c->due != k) {
        c->due = k; /* nothing can be due before the next cycle */
        c->due_time = 0;
    }
}

static inline void sim_notify_at(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;
    sim_cycle_t cycle = sim_cycle(c);

    if (LIKELY(k - cycle == 1 && e->queue == SIM_Q_NONE && c->n_next < c->capacity &&
               cycle < c->last)) {
        sim_push_next(c, e, k);
    } else {
        SIM_REQUIRE(e->sim, k > cycle, e->name);
        sim_notify_slow(e, k);
    }
}

static inline void sim_notify_cycles(struct sim_event *e, uint64_t n)
{
    struct sim_clock *c = e->clock;
    sim_cycle_t cycle = sim_cycle(c);

    if (LIKELY(n == 1 && e->queue == SIM_Q_NONE && c->n_next < c->capacity &&
               cycle < c->last)) {
        sim_push_next(c, e, cycle + 1);
    } else {
        SIM_REQUIRE(e->sim, n >= 1, e->name);
        sim_notify_slow(e, n > SIM_CYCLE_NONE - cycle ? SIM_CYCLE_NONE : cycle + n);
    }
}

static inline void sim_notify_delta(struct sim_event *e)
{
    struct sim *s = e->sim;

    if (LIKELY(e->queue == SIM_Q_NONE && s->n_delta < s->delta_capacity)) {
        e->seq = ++s->counters.notifications;
        e->queue = SIM_Q_DELTA;
        e->at = s->n_delta;
        s->delta[s->n_delta++] = e;
    } else {
        sim_notify_delta_slow(e);
    }
}

static inline bool sim_pending(const struct sim_event *e)
{
    return e->queue != SIM_Q_NONE;
}

/* ---- signals ---- */

static inline uint64_t sim_read(const struct sim_signal *g)
{
    return g->value;
}

static inline void sim_write(struct sim_signal *g, uint64_t v)
{
    g->written = v & g->mask;
    if (!g->updating) {
        struct sim *s = g->sim;

        g->updating = true;
        g->next_update = NULL;
        *s->updates_tail = g;
        s->updates_tail = &g->next_update;
    }
}

#endif /* ENGINE_SIM_HOT_H */
