/* Asynchronous copies into shared memory: SPEC CHECK-6. */
#include "check/check_priv.h"

#include "base/nomem.h"

#include <string.h>

void copies_begin(struct shadow *s)
{
    s->n_copies = 0;
    memset(s->commits, 0, sizeof(s->commits));
}

bool check_copy(struct check *c, uint32_t slot, const struct check_access *a)
{
    struct shadow *s = &c->slot[slot];
    struct copying *k;

    if (s->n_copies == s->max_copies) {
        s->copy = nomem_grow(s->copy, &s->max_copies, sizeof(s->copy[0]));
    }
    k = &s->copy[s->n_copies++];
    k->lanes = a->mask;
    k->pc = a->pc;
    k->cycle = a->cycle;
    k->warp = a->warp;
    k->bytes = (uint8_t)(a->size * a->vec);
    memcpy(k->group, s->commits[a->warp], sizeof(k->group));
    for (uint32_t lane = 0; lane < CHECK_LANES; lane++) {
        k->addr[lane] = (uint32_t)a->addr[lane];
    }
    return check_access(c, slot, a);
}

void check_commit(struct check *c, uint32_t slot, uint32_t warp, uint32_t lanes)
{
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        c->slot[slot].commits[warp][attr_lowest_bit(m)]++;
    }
}

/* The lane's write of the copy becomes one that it did just now, unless another has
 * come since. */
static void settle(struct shadow *s, const struct copying *k, uint32_t lane,
                   struct cell *c)
{
    struct seen *p = &c->write;

    if ((p->flags & CHECK_ASYNC) == 0 || p->warp != k->warp || p->pc != k->pc ||
        p->cycle != k->cycle || (p->lanes >> lane & 1u) == 0) {
        return;
    }
    p->flags &= (uint8_t)~CHECK_ASYNC;
    p->clock = s->know[k->warp].at[k->warp];
    p->sync = s->warp[k->warp].sync;
}

static void settle_lane(struct shadow *s, const struct copying *k, uint32_t lane)
{
    const uint32_t end = k->addr[lane] + k->bytes;

    for (uint32_t addr = k->addr[lane]; addr < end && addr / 4 < s->n_words;
         addr += 4) {
        struct cell *w = &s->word[addr / 4];

        if (!w->split) {
            settle(s, k, lane, w);
            continue;
        }
        for (uint32_t b = 0; b < 4; b++) {
            settle(s, k, lane, &s->byte[addr + b]);
        }
    }
}

void check_copies_over(struct check *c, uint32_t slot, uint32_t warp, uint32_t lanes,
                       uint32_t n)
{
    struct shadow *s = &c->slot[slot];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->n_copies; i++) {
        struct copying *k = &s->copy[i];

        for (uint32_t m = k->warp == warp ? k->lanes & lanes : 0; m != 0; m &= m - 1) {
            uint32_t lane = attr_lowest_bit(m);

            if (s->commits[warp][lane] - k->group[lane] > n) {
                settle_lane(s, k, lane);
                k->lanes &= ~(1u << lane);
            }
        }
        if (k->lanes != 0) {
            s->copy[kept++] = *k;
        }
    }
    s->n_copies = kept;
}
