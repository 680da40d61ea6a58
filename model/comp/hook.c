#include "comp/comp.h"
#include "comp/comp_priv.h"

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
static void reserve(struct sim_records *r, size_t size)
{
    if (r->n == r->capacity) {
        size_t capacity = r->n == 0 ? 64 : r->n * 2;
        struct sim_record *fresh = sim_alloc(r->sim, capacity * sizeof(*fresh));

        if (r->n > 0) {
            memcpy(fresh, r->record, r->n * sizeof(*fresh));
        }
        r->record = fresh;
        r->sorted = sim_alloc(r->sim, capacity * sizeof(*fresh));
        r->capacity = capacity;
    }
    if (r->byte_capacity - r->n_bytes < size) {
        size_t capacity = r->byte_capacity == 0 ? 8192 : r->byte_capacity * 2;
        char *fresh = sim_alloc(r->sim, capacity);

        if (r->n_bytes > 0) {
            memcpy(fresh, r->bytes, r->n_bytes);
        }
        r->bytes = fresh;
        r->byte_capacity = capacity;
    }
}

void sim_raise(struct sim_hook *h, const struct sim_module *from, const void *record,
               size_t size)
{
    struct sim_comp *c = h->sim->whole->comp;
    struct sim_border *border = from->sim->border;
    struct sim_records *r = border != NULL ? &border->records : &c->records;
    size_t room = (size + 15) & ~(size_t)15;
    struct sim_record *fresh;

    SIM_REQUIRE(h->sim, !c->delivering && size <= RECORD_MAX, h->name);
    reserve(r, room);
    fresh = &r->record[r->n++];
    fresh->hook = h;
    fresh->from = from;
    fresh->offset = r->n_bytes;
    if (size > 0) {
        memcpy(r->bytes + r->n_bytes, record, size);
    }
    r->n_bytes += room;
    if (border == NULL) {
        c->pending = true;
    } else {
        sim_stop(from->sim);
    }
}

void sim_tell(struct sim_hook *h, const struct sim_module *from, const void *record)
{
    for (struct sim_listener *l = h->listeners; l != NULL; l = l->next) {
        l->heard(l->ctx, sim_now(h->sim), from, record);
    }
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

void sim_hooks_deliver(struct sim_comp *c, struct sim_records *r, sim_time_t now)
{
    struct sim_record *v = NULL;

    if (!c->numbered) {
        sim_number(c->sim);
    }
    v = sort(r->record, r->sorted, r->n);
    c->delivering = true;
    for (size_t i = 0; i < r->n; i++) {
        struct sim_listener *l = v[i].hook->listeners;

        for (; l != NULL; l = l->next) {
            l->heard(l->ctx, now, v[i].from, r->bytes + v[i].offset);
        }
    }
    c->delivering = false;
    r->n = 0;
    r->n_bytes = 0;
}
