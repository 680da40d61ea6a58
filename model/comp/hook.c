#include "comp/comp.h"
#include "comp/state.h"

#include <string.h>

#define RECORD_MAX 512u /* bytes */

void sim_hook_init(struct sim_hook *h, struct sim *s, const char *name)
{
    sim_comp(s);
    h->sim = s;
    h->name = arena_strdup(&s->arena, name);
    h->listeners = NULL;
}

void sim_listen(struct sim_hook *h, struct sim_listener *l)
{
    struct sim_listener **tail = &h->listeners;

    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    l->next = NULL;
    *tail = l;
}

/* Make room for one more record and size more bytes. */
static void reserve(struct sim_comp *c, size_t size)
{
    if (c->n_records == c->record_capacity) {
        size_t capacity = c->n_records == 0 ? 64 : c->n_records * 2;
        struct sim_record *fresh = sim_alloc(c->sim, capacity * sizeof(*fresh));

        if (c->n_records > 0) {
            memcpy(fresh, c->record, c->n_records * sizeof(*fresh));
        }
        c->record = fresh;
        c->sorted = sim_alloc(c->sim, capacity * sizeof(*fresh));
        c->record_capacity = capacity;
    }
    if (c->byte_capacity - c->n_bytes < size) {
        size_t capacity = c->byte_capacity == 0 ? 8192 : c->byte_capacity * 2;
        char *fresh = sim_alloc(c->sim, capacity);

        if (c->n_bytes > 0) {
            memcpy(fresh, c->bytes, c->n_bytes);
        }
        c->bytes = fresh;
        c->byte_capacity = capacity;
    }
}

void sim_raise(struct sim_hook *h, const struct sim_module *from, const void *record,
               size_t size)
{
    struct sim_comp *c = h->sim->comp;
    size_t room = (size + 15) & ~(size_t)15;
    struct sim_record *r = NULL;

    SIM_REQUIRE(h->sim, !c->delivering && size <= RECORD_MAX, h->name);
    reserve(c, room);
    r = &c->record[c->n_records++];
    c->pending = true;
    r->hook = h;
    r->from = from;
    r->offset = c->n_bytes;
    if (size > 0) {
        memcpy(c->bytes + c->n_bytes, record, size);
    }
    c->n_bytes += room;
}

/* Merge sort by module order, stable; modules mostly run in order, so that most of it
 * is already sorted. Returns where the result lies: v or tmp. */
static struct sim_record *sort(struct sim_record *v, struct sim_record *tmp, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        struct sim_record *from = v;

        for (size_t lo = 0; lo < n; lo += 2 * width) {
            size_t mid = lo + width < n ? lo + width : n;
            size_t hi = mid + width < n ? mid + width : n;
            size_t i = lo, j = mid;

            for (size_t k = lo; k < hi; k++) {
                bool right =
                    i == mid || (j < hi && from[j].from->order < from[i].from->order);
                tmp[k] = from[right ? j++ : i++];
            }
        }
        v = tmp;
        tmp = from;
    }
    return v;
}

void sim_hooks_deliver(struct sim_comp *c, sim_time_t now)
{
    struct sim_record *v = NULL;

    if (!c->numbered) {
        sim_number(c->sim);
    }
    v = sort(c->record, c->sorted, c->n_records);
    c->delivering = true;
    for (size_t i = 0; i < c->n_records; i++) {
        struct sim_listener *l = v[i].hook->listeners;

        for (; l != NULL; l = l->next) {
            l->heard(l->ctx, now, v[i].from, c->bytes + v[i].offset);
        }
    }
    c->delivering = false;
    c->n_records = 0;
    c->n_bytes = 0;
}
