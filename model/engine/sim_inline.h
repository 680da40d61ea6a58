/*
 * sim_inline.h - the structures of the engine, and those of its functions that run so
 * often that they must be inline. sim.h includes this file and has the contracts;
 * nobody but the engine touches the fields.
 *
 * Where a notification waits (queue.c has the reasons):
 *   next    cycle now + 1: an array per clock, emptied as a whole
 *   wheel   fewer than SIM_WHEEL cycles ahead: a list per cycle, found by bitmap
 *   far     further ahead: a radix queue per clock
 *   timed   notified in picoseconds: one radix queue
 *   delta   this instant: an array per simulation
 */
#ifndef ENGINE_SIM_INLINE_H
#define ENGINE_SIM_INLINE_H

#define SIM_WHEEL      256u /* cycles; a power of two, a multiple of 64 */
#define SIM_CYCLE_NONE UINT64_MAX
#define SIM_CULPRITS   512u /* bytes of the list of names */
#define SIM_AHEAD      16u  /* so many places ahead in a list, events are prefetched */

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
    struct sim_event **slot;     /* its place in the chunk of a list: chain.h */
    uint64_t when;               /* cycle of clock, or picoseconds, as queue says */
    uint64_t seq;                /* of the pending notification */
    struct sim_clock *clock;     /* never NULL: sim->no_clock stands for none */
    struct sim_process *process; /* the first that it wakes; NULL: it wakes none */
    struct sim_wake *more;       /* further ones: a ring, of which this is the last */
    uint32_t at;                 /* index in next or delta, list in far or timed */
    uint32_t queue;              /* enum sim_queue */
    const char *name;
};

_Static_assert(sizeof(struct sim_event) == 64, "an event is as large as a cache line");

struct sim_process {
    void (*run)(void *self);
    void *self;
    bool queued; /* it is to run in this instant */
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

/* Events in order of arrival: chain.h. */
typedef uintptr_t sim_chain;
struct sim_chunk;

/* A queue of events far ahead: radix.h. */
#define SIM_RADIX_ROOM   68u /* places of the sorted array; it holds half as many */
#define SIM_RADIX_START  4u  /* places before the first that stay zero */
#define SIM_RADIX_BITS   6u  /* per level */
#define SIM_RADIX_SLOTS  (1u << SIM_RADIX_BITS)
#define SIM_RADIX_LEVELS ((63u + SIM_RADIX_BITS) / SIM_RADIX_BITS)

struct sim_radix {
    uint32_t head, tail; /* few[head..tail) is in use, the earliest first */
    uint32_t n_lists;    /* events in list */
    uint32_t levels;     /* bit l: map[l] is not 0 */
    uint64_t horizon;    /* few is earlier, list is not; UINT64_MAX: nothing in list */
    uint64_t base;       /* no event is earlier */
    sim_chain *list;     /* SIM_RADIX_LEVELS * SIM_RADIX_SLOTS; NULL: not needed yet */
    struct sim *sim;
    uint64_t when[SIM_RADIX_ROOM];
    struct sim_event *event[SIM_RADIX_ROOM];
    uint64_t map[SIM_RADIX_LEVELS];
};

struct sim_clock {
    struct sim *sim;
    sim_time_t now;    /* the instant for which cycle holds */
    sim_cycle_t cycle; /* latest edge at or before now */
    sim_cycle_t last;  /* latest edge before SIM_TIME_MAX */
    /* No event of this clock is pending for an earlier cycle; SIM_CYCLE_NONE: none is
     * pending at all. */
    sim_cycle_t due;
    struct sim_event **next;
    uint32_t n_next, capacity; /* entries in next; events of this clock, or more */
    uint32_t index;            /* in sim->due_time */
    bool vague;                /* perhaps nothing is pending at due itself */
    /* edge_time * den + rem = cycle * num, 0 <= rem < den: exact for ever */
    sim_time_t edge_time;
    uint64_t rem;
    sim_time_t next_time; /* of edge cycle + 1 */
    uint64_t next_rem;
    uint64_t due_rem;          /* valid while the time of due is known */
    uint64_t whole, frac, den; /* num / den, num % den */
    uint64_t num;
    uint64_t near;    /* products for this many cycles fit, and den_up serves them */
    uint64_t den_up;  /* 2^64 / den rounded up; 0 if den is 1 */
    uint32_t n_wheel; /* lists of bucket that hold something */
    uint32_t n_events;
    sim_chain *bucket;            /* SIM_WHEEL lists */
    uint64_t map[SIM_WHEEL / 64]; /* which hold something */
    struct sim_radix far;
    uint64_t num_inv, den_inv; /* UINT64_MAX / num, UINT64_MAX / den */
    sim_time_t end_time;       /* sim_run_end(): the time it was asked for, ... */
    sim_cycle_t end;           /* ... and its answer */
    const char *name;
};

struct sim {
    sim_time_t now;
    /* A source is a place from which events come: source 0 has those that were notified
     * in picoseconds, each clock is a source of its own. Of each source: no event of it
     * is pending for an earlier time. SIM_TIME_MAX: none is; 0: look it up. */
    sim_time_t *due_time;
    struct sim_clock **clock; /* of each source; NULL for source 0 */
    sim_time_t rest;          /* no source but `first` has an earlier event */
    uint32_t first;           /* the source that had the earliest event last time */
    uint32_t n_sources;
    uint32_t n_run, n_delta;
    struct sim_process **run;
    struct sim_event **delta;
    /* a cache line up to here */
    struct sim_signal *updates, **updates_tail;
    struct sim_counters counters; /* notifications is the sequence number as well */
    struct sim_observer *observers;
    const bool *telling; /* true: an observer may want to hear of this instant */
    /* The run ends after this instant, for whatever reason; any thread may set it. */
    _Atomic bool stop;
    bool shuffled;
    bool timed_vague; /* nothing may be pending at due_time[0] */
    bool running, started;
    bool overflow, looping; /* reasons for which a run stops and cannot go on */
    bool in_deltas;         /* in an instant, after its first evaluate phase */
    sim_time_t goal;        /* of the whole: see sim_comes_to() */
    sim_time_t until;       /* the run goes no further than to this time, */
    uint64_t last_instant;  /* and to this instant, counted from the first */
    uint32_t delta_limit;
    struct sim_event **gather; /* room for all events */
    struct sim_chunk *free_chunks;
    struct sim_radix timed;
    uint64_t shuffle; /* state of the generator */
    struct sim_observer **observers_tail;
    struct sim_alarm *alarms; /* earliest first */
    uint32_t source_capacity, delta_capacity, run_capacity;
    uint32_t n_events, n_processes;
    char *culprits;
    void (*panic)(void *ctx, const char *text);
    void *panic_ctx;
    /* The layer above: its state, and what it does before the first instant. */
    void *comp;
    void *border; /* of a domain, likewise */
    void (*on_start)(struct sim *s);
    struct sim_clock *no_clock;
    struct sim *whole;   /* itself, or the simulation that it is a domain of */
    struct sim *domains; /* of the whole, linked by next_domain */
    struct sim *next_domain;
    struct arena arena;
};

static inline bool sim_stops(const struct sim *s)
{
    return atomic_load_explicit(&s->stop, memory_order_relaxed);
}

static inline void sim_set_stop(struct sim *s, bool stop)
{
    atomic_store_explicit(&s->stop, stop, memory_order_relaxed);
}

/* ---- clocks ---- */

sim_cycle_t sim_cycle_slow(struct sim_clock *c);

static inline sim_cycle_t sim_cycle(struct sim_clock *c)
{
    return LIKELY(c->now == c->sim->now) ? c->cycle : sim_cycle_slow(c);
}

sim_cycle_t sim_run_end_slow(struct sim_clock *c);

static inline sim_cycle_t sim_run_end(struct sim_clock *c)
{
    return LIKELY(c->end_time == c->sim->whole->goal) ? c->end : sim_run_end_slow(c);
}

/* ---- events ---- */

/* Notify e at cycle k of its clock, whatever the case; the clock's cycle is up to date.
 * The second takes cycles from now. */
void sim_notify_slow(struct sim_event *e, sim_cycle_t k);
void sim_notify_slow_cycles(struct sim_event *e, uint64_t n);
void sim_notify_delta_slow(struct sim_event *e);

/* The earliest event of source c is at time t now, sooner than before. 0: look it
 * up. */
static inline void sim_lower_due(struct sim_clock *c, sim_time_t t)
{
    struct sim *s = c->sim;

    s->due_time[c->index] = t;
    if (c->index != s->first && t < s->rest) {
        s->rest = t;
    }
}

/* Notify e at cycle k = c->cycle + 1. The caller has made sure that nothing is pending
 * for e, that time reaches that far, and that c->next has room. */
static inline void sim_push_next(struct sim_clock *c, struct sim_event *e,
                                 sim_cycle_t k)
{
    e->when = k;
    e->seq = ++c->sim->counters.notifications;
    e->queue = SIM_Q_NEXT;
    e->at = c->n_next;
    c->next[c->n_next++] = e;
    if (c->due != k) {
        c->due = k; /* nothing can be pending before the next cycle */
        c->vague = false;
        sim_lower_due(c, c->next_time);
    }
}

/* Notify e at cycle k, for a caller who knows that its clock is in cycle `cycle`. */
static inline void sim_notify_from(struct sim_event *e, sim_cycle_t cycle,
                                   sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (LIKELY(k - cycle == 1 && e->queue == SIM_Q_NONE && c->n_next < c->capacity &&
               cycle < c->last)) {
        sim_push_next(c, e, k);
    } else {
        sim_notify_slow(e, k);
    }
}

static inline void sim_notify_at(struct sim_event *e, sim_cycle_t k)
{
    sim_notify_from(e, sim_cycle(e->clock), k);
}

static inline void sim_notify_cycles(struct sim_event *e, uint64_t n)
{
    struct sim_clock *c = e->clock;
    sim_cycle_t cycle = sim_cycle(c);

    if (LIKELY(n == 1 && e->queue == SIM_Q_NONE && c->n_next < c->capacity &&
               cycle < c->last)) {
        sim_push_next(c, e, cycle + 1);
    } else {
        sim_notify_slow_cycles(e, n);
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

#endif /* ENGINE_SIM_INLINE_H */
