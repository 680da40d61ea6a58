#include "check/check_priv.h"

#include "base/nomem.h"

#include <string.h>

static const uint32_t no_write = UINT32_MAX, any_write = UINT32_MAX - 1;

void order_join(struct clocks *a, const struct clocks *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        a->at[i] = a->at[i] > b->at[i] ? a->at[i] : b->at[i];
    }
}

void order_begin(struct shadow *s)
{
    memset(s->warp, 0, s->b.warps * sizeof(s->warp[0]));
    memset(s->know, 0, sizeof(s->know));
    memset(s->told, 0, sizeof(s->told));
    memset(s->read, 0, sizeof(s->read));
    memset(s->barrier, 0, sizeof(s->barrier));
    memset(&s->cluster, 0, sizeof(s->cluster));
    memset(&s->exited, 0, sizeof(s->exited));
    memset(s->phase, 0, sizeof(s->phase));
    s->n_flags = 0;
    s->fenced = 0;
    memset(s->flag_pc, 0xff, sizeof(s->flag_pc));
    memset(s->global_flag_pc, 0xff, sizeof(s->global_flag_pc));
    for (uint32_t w = 0; w < s->b.warps; w++) {
        s->know[w].at[w] = 1; /* its first accesses are known to nobody else */
    }
}

/* Inside one warp: is there a lane of p that the lane has not met since? */
static bool has_met(const struct warp_order *w, const struct seen *p, uint32_t lane,
                    uint32_t *other)
{
    uint32_t rest = p->lanes & ~(1u << lane);

    if (w->full_at > p->sync) {
        return true;
    }
    for (; rest != 0; rest &= rest - 1) {
        uint32_t o = attr_lowest_bit(rest);

        if (w->met[lane][o] <= p->sync) {
            *other = o;
            return false;
        }
    }
    return true;
}

bool order_is_before(const struct shadow *s, const struct seen *p, uint32_t warp,
                     uint32_t lane, uint32_t *other)
{
    if (p->warp == warp) {
        return has_met(&s->warp[warp], p, lane, other);
    }
    *other = attr_lowest_bit(p->lanes);
    return s->know[warp].at[p->warp] >= p->clock;
}

void check_sync(struct check *c, uint32_t slot, uint32_t warp, uint32_t members)
{
    struct warp_order *w = &c->slot[slot].warp[warp];
    uint32_t known[CHECK_LANES]; /* by any member */

    w->sync++;
    if (members == UINT32_MAX) {
        w->full_at = w->sync;
        return;
    }
    memset(known, 0, sizeof(known));
    for (uint32_t m = members; m != 0; m &= m - 1) {
        const uint32_t *met = w->met[attr_lowest_bit(m)];

        for (uint32_t k = 0; k < CHECK_LANES; k++) {
            known[k] = met[k] > known[k] ? met[k] : known[k];
        }
    }
    for (uint32_t m = members; m != 0; m &= m - 1) {
        known[attr_lowest_bit(m)] = w->sync;
    }
    for (uint32_t m = members; m != 0; m &= m - 1) {
        memcpy(w->met[attr_lowest_bit(m)], known, sizeof(known));
    }
}

/* ---- barriers ---- */

void check_arrive(struct check *c, uint32_t slot, uint32_t barrier, uint32_t warp)
{
    struct shadow *s = &c->slot[slot];

    order_acquire(s, warp);
    order_join(&s->barrier[barrier], &s->know[warp], s->b.warps);
    s->know[warp].at[warp]++;
}

void check_leave(struct check *c, uint32_t slot, uint32_t barrier, uint32_t warp,
                 bool all)
{
    struct shadow *s = &c->slot[slot];

    order_join(&s->know[warp],
               barrier == CHECK_CLUSTER ? &s->cluster : &s->barrier[barrier],
               s->b.warps);
    check_sync(c, slot, warp, UINT32_MAX); /* who only arrives, waits for no lane */
    if (all) {
        s->phase[warp]++;
        order_join(&s->know[warp], &s->exited, s->b.warps);
    }
}

void check_complete(struct check *c, uint32_t slot, uint32_t barrier)
{
    memset(&c->slot[slot].barrier[barrier], 0, sizeof(struct clocks));
}

void check_cluster_over(struct check *c, uint32_t slot)
{
    c->slot[slot].cluster = c->slot[slot].barrier[CHECK_CLUSTER];
    check_complete(c, slot, CHECK_CLUSTER);
}

void check_exit(struct check *c, uint32_t slot, uint32_t warp)
{
    struct shadow *s = &c->slot[slot];

    order_join(&s->exited, &s->know[warp], s->b.warps);
}

/* ---- fences ---- */

void order_acquire(struct shadow *s, uint32_t warp)
{
    order_join(&s->know[warp], &s->read[warp], s->b.warps);
}

void check_fence(struct check *c, uint32_t slot, uint32_t warp)
{
    struct shadow *s = &c->slot[slot];

    order_acquire(s, warp);
    s->told[warp] = s->know[warp];
    s->know[warp].at[warp]++;
    s->fenced |= 1u << warp;
    s->flag_pc[warp] = any_write;
    s->global_flag_pc[warp] = any_write;
}

static struct clocks *flag_of(struct shadow *s, struct cell *c)
{
    if (c->flag == 0) {
        if (s->n_flags == s->max_flags) {
            s->flag = nomem_grow(s->flag, &s->max_flags, sizeof(s->flag[0]));
        }
        memset(&s->flag[s->n_flags], 0, sizeof(s->flag[0]));
        c->flag = ++s->n_flags;
    }
    return &s->flag[c->flag - 1];
}

void order_write(uint32_t *pc, const struct check_access *a)
{
    *pc = *pc == any_write || *pc == a->pc ? a->pc : no_write;
}

bool order_reads(const struct check_access *a)
{
    return (a->flags & (CHECK_ATOMIC | CHECK_WRITE)) != CHECK_WRITE;
}

bool order_publishes(const struct shadow *s, const uint32_t *pc,
                     const struct check_access *a)
{
    return (a->flags & CHECK_ATOMIC) != 0 ? (s->fenced >> a->warp & 1u) != 0
                                          : !order_reads(a) && pc[a->warp] == a->pc;
}

void order_read(struct shadow *s, const struct cell *c, uint32_t warp)
{
    if (c->flag != 0) {
        order_join(&s->know[warp], &s->flag[c->flag - 1], s->b.warps);
    }
}

void order_flag(struct shadow *s, struct cell *c, const struct check_access *a)
{
    if (order_reads(a)) {
        order_read(s, c, a->warp);
    }
    if (order_publishes(s, s->flag_pc, a)) {
        order_join(flag_of(s, c), &s->told[a->warp], s->b.warps);
    }
}
