/*
 * Local memory: a bit for each byte that its thread has written (CHECK-4). Compilers
 * load more than they use there, padding and neighbours: it is told of reads that find
 * nothing written.
 */
#include "check/check_priv.h"

#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

/* Beyond, blocks are not checked. */
static const uint64_t max_bytes = 64ull << 20;

void local_begin(struct shadow *s)
{
    uint64_t bytes = (s->b.local * s->b.warps * CHECK_LANES + 7) / 8;

    s->n_local = bytes <= max_bytes ? bytes : 0;
    if (s->n_local > s->max_local) {
        s->max_local = s->n_local;
        s->local = nomem_realloc(s->local, s->max_local);
    }
    if (s->n_local != 0) {
        memset(s->local, 0, s->n_local);
    }
}

bool check_local(struct check *c, uint32_t slot, const struct check_access *a)
{
    struct shadow *s = &c->slot[slot];
    uint32_t n = (uint32_t)a->size * a->vec;
    bool found = false;

    for (uint32_t m = a->mask; m != 0 && s->n_local != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);
        uint64_t thread = (uint64_t)a->warp * CHECK_LANES + lane;
        uint64_t first = thread * s->b.local + a->addr[lane];
        uint32_t unwritten = 0;

        for (uint64_t i = first; i < first + n; i++) {
            uint8_t bit = (uint8_t)(1u << i % 8);

            if ((a->flags & CHECK_WRITE) != 0) {
                s->local[i / 8] |= bit;
            } else {
                unwritten += (s->local[i / 8] & bit) == 0;
            }
        }
        if (unwritten == n) {
            struct check_finding key;

            finding_unwritten(&key, &s->b, a, lane);
            key.space = CHECK_LOCAL;
            finding_of(c, &key)->count += unwritten;
            found = true;
        }
    }
    return found;
}
