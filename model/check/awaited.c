/* awaited.c - reads of flags that are under way. There are few at a time. */
#include "check/check_priv.h"

#include "base/nomem.h"

#include <string.h>

void check_await(struct check *c, const void *key, enum check_space space,
                 const struct check_access *a)
{
    struct check_await *w;

    if (c->n_awaited == c->max_awaited) {
        c->awaited = nomem_grow(c->awaited, &c->max_awaited, sizeof(c->awaited[0]));
    }
    w = &c->awaited[c->n_awaited++];
    w->key = key;
    w->space = space;
    w->a = *a;
    memcpy(w->addr, a->addr, sizeof(w->addr));
}

bool check_answered(struct check *c, const void *key, struct check_await *out)
{
    for (uint32_t i = 0; i < c->n_awaited; i++) {
        if (c->awaited[i].key == key) {
            *out = c->awaited[i];
            c->awaited[i] = c->awaited[--c->n_awaited];
            return true;
        }
    }
    return false;
}

void check_reread(struct check *c, uint32_t slot, const struct check_access *a)
{
    struct shadow *s = &c->slot[slot];

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const uint64_t word = a->addr[attr_lowest_bit(m)] / 4;

        if (word < s->n_words) {
            order_read(s, &s->word[word], a->warp);
        }
    }
}
