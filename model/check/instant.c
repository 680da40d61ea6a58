#include "check/instant.h"

#include "base/nomem.h"
#include "check/check_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 8 }; /* 4-byte words of a lane's access, at most 32 bytes */

enum told_kind { TOLD_ACCESS, TOLD_ANSWER, TOLD_FENCE, TOLD_ARRIVE, TOLD_MEET };

struct told {
    struct check_teller by;
    enum told_kind kind;
    bool beyond;  /* of a fence */
    uint64_t key; /* of a meeting */
    struct check_access a;
    uint64_t addr[CHECK_LANES];
    uint32_t data[MAX_ROWS][CHECK_LANES];
};

struct rank { /* of something told */
    uint64_t delta, block;
    uint32_t launch;
    uint32_t at; /* index, which is the order in which it was told */
};

struct check_instant {
    struct sim *sim;
    struct check_global *g;
    void (*found)(void *sm);
    struct sim_event later;
    struct sim_process step;
    struct told *told;
    struct rank *rank;
    uint32_t n, max;
};

/* ---- telling ---- */

static struct told *add(struct check_instant *t, const struct check_teller *by,
                        enum told_kind kind)
{
    const struct check_block *b = &by->c->slot[by->slot].b;
    struct told *e;

    if (t->n == t->max) {
        t->max = t->max == 0 ? 16 : 2 * t->max;
        t->told = nomem_realloc(t->told, t->max * sizeof(t->told[0]));
        t->rank = nomem_realloc(t->rank, t->max * sizeof(t->rank[0]));
    }
    t->rank[t->n] =
        (struct rank){sim_counters(t->sim)->deltas, b->block, b->launch, t->n};
    e = &t->told[t->n++];
    e->by = *by;
    e->kind = kind;
    sim_notify_delta(&t->later);
    return e;
}

void check_tell_access(struct check_instant *t, const struct check_teller *by,
                       const struct check_access *a)
{
    struct told *e = add(t, by, TOLD_ACCESS);

    e->a = *a;
    memcpy(e->addr, a->addr, sizeof(e->addr));
    if ((a->flags & CHECK_WRITE) != 0) {
        memcpy(e->data, a->data,
               (size_t)a->vec * (a->size == 8 ? 2 : 1) * sizeof(e->data[0]));
    }
}

void check_tell_answer(struct check_instant *t, const struct check_teller *by,
                       const struct check_access *a)
{
    struct told *e = add(t, by, TOLD_ANSWER);

    e->a = *a;
    memcpy(e->addr, a->addr, sizeof(e->addr));
}

void check_tell_fence(struct check_instant *t, const struct check_teller *by,
                      bool beyond)
{
    add(t, by, TOLD_FENCE)->beyond = beyond;
}

void check_tell_arrive(struct check_instant *t, const struct check_teller *by)
{
    (void)add(t, by, TOLD_ARRIVE);
}

void check_tell_meet(struct check_instant *t, const struct check_teller *by,
                     uint64_t key)
{
    add(t, by, TOLD_MEET)->key = key;
}

/* ---- handing on ---- */

static int compare(const void *x, const void *y)
{
    const struct rank *a = x, *b = y;

    if (a->delta != b->delta) {
        return a->delta < b->delta ? -1 : 1;
    }
    if (a->launch != b->launch) {
        return a->launch < b->launch ? -1 : 1;
    }
    if (a->block != b->block) {
        return a->block < b->block ? -1 : 1;
    }
    return a->at < b->at ? -1 : a->at > b->at;
}

static void hand_on(struct check_instant *t, struct told *e)
{
    const struct check_teller *by = &e->by;

    switch (e->kind) {
    case TOLD_ACCESS:
        e->a.addr = e->addr; /* not before: the list has moved when it grew */
        e->a.data = (const uint32_t(*)[CHECK_LANES])e->data;
        if (check_global_access(t->g, by->c, by->slot, &e->a)) {
            t->found(by->sm);
        }
        return;
    case TOLD_ANSWER:
        e->a.addr = e->addr;
        check_global_reread(t->g, by->c, by->slot, &e->a);
        return;
    case TOLD_FENCE:
        check_global_fence(t->g, by->c, by->slot, by->warp, e->beyond);
        return;
    case TOLD_ARRIVE: check_global_arrive(t->g, by->c, by->slot, by->warp); return;
    case TOLD_MEET: check_global_meet(t->g, by->c, by->slot, by->warp, e->key); return;
    }
}

/* What was told in this delta waits for the next one: others may still tell more. */
static void keep_rest(struct check_instant *t, uint32_t first)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < t->n; i++) {
        const struct rank r = t->rank[i];

        t->told[n] = t->told[r.at]; /* of one delta all come after those before it */
        t->rank[n] = (struct rank){r.delta, r.block, r.launch, n};
        n++;
    }
    t->n = n;
}

static void step(void *self)
{
    struct check_instant *t = self;
    const uint64_t now = sim_counters(t->sim)->deltas;
    uint32_t n = 0;

    while (n < t->n && t->rank[n].delta != now) {
        n++;
    }
    if (n > 1) {
        qsort(t->rank, n, sizeof(t->rank[0]), compare);
    }
    for (uint32_t i = 0; i < n; i++) {
        hand_on(t, &t->told[t->rank[i].at]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct told *e = &t->told[t->rank[i].at];

        if (n > 1 && e->kind == TOLD_ACCESS) {
            check_global_reread(t->g, e->by.c, e->by.slot, &e->a);
        }
    }
    keep_rest(t, n);
}

struct check_instant *check_instant_new(struct sim *s, struct check_global *g,
                                        void (*found)(void *sm))
{
    struct check_instant *t = nomem_calloc(1, sizeof(*t));

    t->sim = s;
    t->g = g;
    t->found = found;
    sim_event_init(&t->later, s, NULL, "check");
    sim_process_init(&t->step, s, "check", step, t);
    sim_wake_on(&t->step, &t->later);
    return t;
}

void check_instant_free(struct check_instant *t)
{
    if (t != NULL) {
        free(t->told);
        free(t->rank);
        free(t);
    }
}
