#include "sm/async.h"

#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

struct async *async_of(struct async **at)
{
    if (*at == NULL) {
        *at = nomem_calloc(1, sizeof(**at));
    }
    return *at;
}

void async_begin(struct async *a)
{
    memset(a, 0, sizeof(*a));
}

void async_add(struct async *a, struct mem_copy *c)
{
    c->number = a->begun++;
    memcpy(c->group, a->commits, sizeof(c->group));
    c->next = NULL;
    if (a->first == NULL) {
        a->first = c;
    } else {
        a->last->next = c;
    }
    a->last = c;
}

void async_remove(struct async *a, struct mem_copy *c)
{
    struct mem_copy **at = &a->first, *before = NULL;

    while (*at != c) {
        before = *at;
        at = &before->next;
    }
    *at = c->next;
    if (a->last == c) {
        a->last = before;
    }
}

void async_commit(struct async *a, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a->commits[lane] += lanes >> lane & 1u;
    }
}

bool async_must_wait(const struct async *a, uint32_t lanes, uint32_t n)
{
    for (const struct mem_copy *c = a->first; c != NULL; c = c->next) {
        for (uint32_t m = c->mask & lanes; m != 0; m &= m - 1) {
            uint32_t lane = attr_lowest_bit(m);

            if (a->commits[lane] - c->group[lane] > n) {
                return true;
            }
        }
    }
    return false;
}

bool async_has_older(const struct async *a, uint32_t lanes, uint32_t n)
{
    for (const struct mem_copy *c = a->first; c != NULL && c->number < n; c = c->next) {
        if ((c->mask & lanes) != 0) {
            return true;
        }
    }
    return false;
}

uint32_t async_groups(const struct async *a)
{
    uint32_t most = 0;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        uint32_t n = 0, last = 0;

        for (const struct mem_copy *c = a->first; c != NULL; c = c->next) {
            if ((c->mask >> lane & 1u) != 0 && (n == 0 || c->group[lane] != last)) {
                last = c->group[lane];
                n++;
            }
        }
        most = n > most ? n : most;
    }
    return most;
}
