/*
 * The ring: the last cycles of changes, in memory, and what was known before them.
 *
 * Records stand in chunks, oldest first; the changes of an instant, behind a record
 * with its time, are never in two. A chunk that falls out of the ring leaves its values
 * in the variables' value, which so is what it was when the ring begins. Writing it
 * does what would have been done had the dump been open: the same bytes.
 */
#include "wave_priv.h"

#include <inttypes.h>

enum { MIN_RECORDS = 4096 };

struct chunk {
    struct chunk *next;
    uint32_t n;
    sim_time_t last; /* time of its last instant */
    struct wave_record record[];
};

struct wave_ring {
    struct chunk *head, *tail, *free; /* head NULL: empty */
    uint32_t room;                    /* records per chunk: an instant fits */
    uint32_t n_chunks, max_chunks;
    sim_time_t complete; /* nothing at or after it has been dropped */
};

void wave_ring_begin(struct wave *w)
{
    struct wave_ring *r = sim_alloc(w->sim, sizeof(*r));
    uint64_t limit = w->cfg.ring_bytes != 0 ? w->cfg.ring_bytes : WAVE_RING_BYTES;
    size_t bytes;

    r->room = w->n_vars + 1 > MIN_RECORDS ? w->n_vars + 1 : MIN_RECORDS;
    bytes = sizeof(struct chunk) + r->room * sizeof(struct wave_record);
    r->max_chunks = (uint32_t)(limit / bytes);
    r->max_chunks = r->max_chunks < 2 ? 2 : r->max_chunks;
    r->complete = w->start;
    w->ring = r;
    w->phase = WAVE_KEEPING;
}

/* ---- dropping ---- */

/* Drop instants before t from the front of c, at record *at; true: all of them. */
static bool drop_before(struct wave *w, const struct chunk *c, uint32_t *at,
                        sim_time_t t)
{
    for (; *at < c->n; (*at)++) {
        const struct wave_record *r = &c->record[*at];

        if (r->var == WAVE_TIME && r->value >= t) {
            return false;
        }
        if (r->var != WAVE_TIME) {
            w->var[r->var].value = r->value;
        }
    }
    return true;
}

static void drop_head(struct wave *w)
{
    struct wave_ring *r = w->ring;
    struct chunk *c = r->head;
    uint32_t at = 0;

    (void)drop_before(w, c, &at, SIM_TIME_MAX);
    r->complete = c->last + 1;
    r->head = c->next;
    c->next = r->free;
    r->free = c;
}

/* The first time that a ring has which is written at the time now. */
static sim_time_t horizon(const struct wave *w, sim_time_t now)
{
    sim_cycle_t c = sim_cycle_of(w->clock, now);

    return c > w->cfg.ring ? sim_edge(w->clock, c - w->cfg.ring) : 0;
}

/* An empty chunk behind the tail. */
static void add_chunk(struct wave *w, sim_time_t now)
{
    struct wave_ring *r = w->ring;
    sim_time_t from = horizon(w, now);
    struct chunk *c;

    while (r->head != NULL && r->head->last < from) {
        drop_head(w);
    }
    if (r->free == NULL && r->n_chunks < r->max_chunks) {
        r->free =
            sim_alloc(w->sim, sizeof(struct chunk) + r->room * sizeof(c->record[0]));
        r->n_chunks++;
    } else if (r->free == NULL) {
        drop_head(w);
    }
    c = r->free;
    r->free = c->next;
    c->next = NULL;
    c->n = 0;
    if (r->head == NULL) {
        r->head = c;
    } else {
        r->tail->next = c;
    }
    r->tail = c;
}

void wave_ring_keep(struct wave *w, sim_time_t now, struct sim_probe *const *p,
                    size_t n)
{
    struct wave_ring *r = w->ring;
    uint32_t most = n < w->n_vars ? (uint32_t)n : w->n_vars;
    struct chunk *c;

    if (r->head == NULL || r->room - r->tail->n < most + 1) {
        add_chunk(w, now);
    }
    c = r->tail;
    c->record[c->n++] = (struct wave_record){.value = now, .var = WAVE_TIME};
    for (size_t i = 0; i < n; i++) {
        const struct wave_var *v = wave_var_of(w, p[i]);

        if (v != NULL) {
            c->record[c->n++] = (struct wave_record){.value = p[i]->value,
                                                     .var = (uint32_t)(v - w->var)};
        }
    }
    c->last = now;
}

/* ---- writing ---- */

/* Where the dump begins and ends. */
static void set_extent(struct wave *w)
{
    sim_time_t from = horizon(w, w->fired);
    sim_cycle_t last = sim_cycle_of(w->clock, w->fired);
    sim_time_t complete = w->ring->complete;
    sim_time_t stop = SIM_TIME_MAX;

    if (w->cfg.after < UINT64_MAX - last - 1) {
        stop = sim_edge(w->clock, last + 1 + w->cfg.after);
    }
    w->wanted = from > w->start ? from : w->start;
    if (complete > w->wanted) { /* from the next cycle on */
        complete = sim_edge(w->clock, sim_cycle_of(w->clock, complete - 1) + 1);
        w->start = complete < w->fired ? complete : w->fired;
    } else {
        w->start = w->wanted;
    }
    w->stop = stop < w->stop ? stop : w->stop;
}

void wave_ring_write(struct wave *w)
{
    struct wave_ring *r = w->ring;
    uint32_t from = 0;

    set_extent(w);
    while (r->head != NULL && drop_before(w, r->head, &from, w->start)) {
        drop_head(w);
        from = 0;
    }
    dump_comment(w->dump, arena_printf(sim_arena(w->sim), "written at cycle %" PRIu64,
                                       sim_cycle_of(w->clock, w->fired)));
    wave_begin(w);
    w->replaying = true;
    for (const struct chunk *c = r->head; c != NULL; c = c->next) {
        wave_replay(w, c->record, from, c->n);
        from = 0;
    }
    w->replaying = false;
    r->head = NULL;
    wave_log_trigger(w);
}
