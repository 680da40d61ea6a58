#include "comp/comp.h"
#include "comp/comp_priv.h"

#include <stdio.h>
#include <string.h>

static void end_of_instant(void *ctx, sim_time_t now)
{
    struct sim_comp *c = ctx;

    c->pending = false;
    if (c->records.n > 0) {
        sim_hooks_deliver(c, &c->records, now);
    }
    if (c->n_dirty > 0) {
        sim_probes_deliver(c, now);
    }
#if SIM_VERIFY
    if (c->verified++ % 64 == 0) {
        const struct sim_probe *stray = sim_find_stray(c->sim);

        SIM_REQUIRE(c->sim, stray == NULL, stray->desc->name);
    }
#endif
}

/* Only who looks needs numbers: without watchers they are given at the first record. */
static void on_start(struct sim *s) /* the whole: only it has one */
{
    if (sim_comp(s)->watchers != NULL) {
        sim_number(s);
    }
}

struct sim_comp *sim_comp(struct sim *s)
{
    struct sim_comp *c;

    s = s->whole;
    c = s->comp;
    if (c == NULL) {
        c = sim_alloc(s, sizeof(*c));
        c->sim = s;
        c->records.sim = s;
        c->observer.end_of_instant = end_of_instant;
        c->observer.ctx = c;
        c->observer.pending = &c->pending;
        s->comp = c;
        s->on_start = on_start;
        sim_observe(s, &c->observer);
    }
    return c;
}

void sim_module_init(struct sim_module *m, struct sim *s, struct sim_module *parent,
                     struct sim_clock *clock, const char *name)
{
    struct sim_comp *c = sim_comp(s);
    struct sim_module **first = parent != NULL ? &parent->first : &c->first_root;
    struct sim_module **last = parent != NULL ? &parent->last : &c->last_root;

    SIM_REQUIRE(s, !s->running && (parent == NULL || parent->sim->whole == s->whole),
                name);
    memset(m, 0, sizeof(*m));
    m->sim = s;
    m->parent = parent;
    m->clock = clock != NULL || parent == NULL ? clock : parent->clock;
    m->name = arena_strdup(&s->arena, name);
    if (*first == NULL) {
        *first = m;
    } else {
        (*last)->next = m;
    }
    *last = m;
    c->numbered = false;
}

/* The module after m in depth-first order, NULL at the end of the tree below top (of
 * the whole forest if top is NULL). */
static struct sim_module *successor(const struct sim_module *m,
                                    const struct sim_module *top)
{
    if (m->first != NULL) {
        return m->first;
    }
    while (m != top && m->next == NULL) {
        m = m->parent;
        if (m == NULL) {
            return NULL;
        }
    }
    return m == top ? NULL : m->next;
}

uint32_t sim_number(struct sim *s)
{
    struct sim_comp *c = sim_comp(s);
    uint32_t modules = 0;
    uint32_t probes = 0;
    size_t words;

    s = c->sim;
    if (c->numbered) {
        return c->n_probes;
    }
    if (c->n_dirty > 0) {
        sim_probes_deliver(c, s->now); /* under their old numbers */
    }
    for (struct sim_module *m = c->first_root; m != NULL; m = successor(m, NULL)) {
        m->order = modules++;
        for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
            p->id = probes++;
        }
    }
    words = probes / 64 + 1;
    c->n_probes = probes;
    c->probe = sim_alloc(s, probes * sizeof(c->probe[0]));
    c->changed = sim_alloc(s, probes * sizeof(c->changed[0]));
    c->dirty = sim_alloc(s, words * sizeof(c->dirty[0]));
    c->dirty_words = sim_alloc(s, (words / 64 + 1) * sizeof(c->dirty_words[0]));
    for (struct sim_module *m = c->first_root; m != NULL; m = successor(m, NULL)) {
        for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
            c->probe[p->id] = p;
        }
    }
    c->numbered = true;
    return probes;
}

/* Append name to the n bytes in buf, as far as it fits; the new n. */
static size_t append(char *buf, size_t size, size_t n, const char *name)
{
    size_t more = strlen(name);

    more = more < size - 1 - n ? more : size - 1 - n;
    memcpy(buf + n, name, more);
    buf[n + more] = '\0';
    return n + more;
}

static size_t path_of(const struct sim_module *m, char *buf, size_t size)
{
    size_t n = 0;

    if (m->parent != NULL) {
        n = append(buf, size, path_of(m->parent, buf, size), ".");
    }
    return append(buf, size, n, m->name);
}

char *sim_path(const struct sim_module *m, char *buf, size_t size)
{
    SIM_REQUIRE(m->sim, size > 0, m->name);
    (void)path_of(m, buf, size);
    return buf;
}

char *sim_port_path(const struct sim_module *m, const char *port, char *buf,
                    size_t size)
{
    size_t used = strlen(sim_path(m, buf, size));

    snprintf(buf + used, size - used, ".%s", port);
    return buf;
}

/* The name of the first port of m that is not bound, NULL if all are. */
static const char *unbound(const struct sim_module *m)
{
    for (const struct sim_in *i = m->ins; i != NULL; i = i->next) {
        if (i->peer == NULL) {
            return i->name;
        }
    }
    for (const struct sim_out *o = m->outs; o != NULL; o = o->next) {
        if (o->peer == NULL) {
            return o->name;
        }
    }
    return NULL;
}

bool sim_check_bound(const struct sim_module *m, char *path, size_t size)
{
    for (const struct sim_module *at = m; at != NULL; at = successor(at, m)) {
        const char *port = unbound(at);

        if (port != NULL) {
            sim_port_path(at, port, path, size);
            return false;
        }
    }
    return true;
}
