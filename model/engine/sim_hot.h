/*
 * sim_hot.h - structures and hot paths of the engine. Included by sim.h; the fields are
 * the engine's own and no part of its contract.
 *
 * Where a notification waits (queue.c has the reasons):
 *   next    cycle now + 1: an array per clock, emptied as a whole
 *   wheel   fewer than SIM_WHEEL cycles ahead: a list per cycle, found by bitmap
 *   far     further ahead: a radix queue per clock
 *   timed   notified in picoseconds: one radix queue per simulation
 *   delta   this instant: an array per simulation
 */
#ifndef ENGINE_SIM_HOT_H
#define ENGINE_SIM_HOT_H

#define SIM_WHEEL      256u /* cycles; a power of two, a multiple of 64 */
#define SIM_CYCLE_NONE UINT64_MAX
#define SIM_CULPRITS   512u /* bytes of the list of names */

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
    struct sim_event *next, *prev; /* in a list of a wheel or a radix queue */
    uint64_t when;                 /* cycle of clock, or picoseconds, as queue says */
    uint64_t seq;                  /* of the pending notification */
    struct sim_clock *clock;       /* never NULL: sim->no_clock stands for none */
    struct sim_process *process;   /* the first to wake, NULL if there is none */
    struct sim_wake *more;         /* the other processes */
    uint32_t at;                   /* index in next or delta, list in far or timed */
    uint32_t queue;                /* enum sim_queue */
    /* one cache line up to here: all that notifying and triggering touch */
    struct sim *sim;
    struct sim_wake **more_tail;
    const char *name;
};

_Static_assert(offsetof(struct sim_event, sim) == 64, "an event's hot part is a line");

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

/* A queue of events far ahead: radix.h. */
#define SIM_RADIX_FEW    24u /* events in the sorted array */
#define SIM_RADIX_SLOTS  64u
#define SIM_RADIX_LEVELS 11u /* of six bits each */

struct sim_radix {
    uint32_t n;              /* events held */
    bool spread;             /* over the lists, not in few */
    uint32_t levels;         /* bit l: map[l] is not 0 */
    uint64_t base;           /* no event is earlier */
    struct sim_event **list; /* SIM_RADIX_LEVELS * SIM_RADIX_SLOTS */
    struct {
        uint64_t when;
        struct sim_event *event;
    } few[SIM_RADIX_FEW];
    uint64_t map[SIM_RADIX_LEVELS];
};

struct sim_clock {
    struct sim *sim;
    sim_time_t now;    /* the instant for which cycle holds */
    sim_cycle_t cycle; /* latest edge at or before now */
    sim_cycle_t last;  /* latest edge before SIM_TIME_MAX */
    sim_cycle_t due;   /* nothing is pending earlier; SIM_CYCLE_NONE: nothing at all */
    bool vague;        /* nothing may be pending at due either */
    uint32_t index;    /* in sim->due_time */
    uint32_t n_next, capacity; /* entries in next; events of this clock, or more */
    struct sim_event **next;
    /* edge_time * den + rem = cycle * num, 0 <= rem < den: exact for ever */
    sim_time_t edge_time;
    uint64_t rem;
    sim_time_t next_time; /* of edge cycle + 1 */
    uint64_t next_rem;
    uint64_t due_rem;  /* valid while the time of due is known */
    uint32_t n_wheel;  /* events in buckets */
    uint32_t n_beyond; /* the same, and those in far */
    uint32_t n_events;
    struct sim_event **bucket;    /* SIM_WHEEL lists */
    uint64_t map[SIM_WHEEL / 64]; /* buckets that hold something */
    uint64_t num, den;
    uint64_t whole, frac;      /* num / den, num % den */
    uint64_t num_inv, den_inv; /* UINT64_MAX / num, UINT64_MAX / den */
    struct sim_radix far;
    const char *name;
};

struct sim {
    sim_time_t now;
    /* When each source is due at the earliest: source 0 are the events notified in
     * picoseconds, the others are the clocks. SIM_TIME_MAX: never; 0: look it up. */
    sim_time_t *due_time;
    struct sim_clock **clock; /* of each source; NULL for source 0 */
    uint32_t n_sources, source_capacity;
    bool timed_vague; /* nothing may be pending at due_time[0] */
    bool running, started, shuffled;
    bool stop;              /* end the run after this instant, for whatever reason */
    bool overflow, looping; /* the reason, and for good */
    uint32_t n_delta, delta_capacity;
    uint32_t n_run, run_capacity;
    uint32_t delta_limit;
    struct sim_event **delta;
    struct sim_process **run;
    struct sim_signal *updates, **updates_tail;
    struct sim_counters counters; /* notifications is the sequence number as well */
    uint64_t shuffle;             /* state of the generator */
    struct sim_observer *observers, **observers_tail;
    struct sim_event **gather; /* room for all events twice: merging */
    uint32_t gather_capacity;
    uint32_t n_events, n_processes;
    struct sim_radix timed;
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
        c->vague = false;
        c->sim->due_time[c->index] = c->next_time;
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
    struct sim *s = e->clock->sim;

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
