#include "comp/comp.h"
#include "comp/comp_priv.h"

#include <string.h>

void sim_probe_init(struct sim_probe *p, struct sim_module *m,
                    const struct sim_probe_desc *desc, void *ctx, uint64_t initial)
{
    SIM_REQUIRE(m->sim, !m->sim->running, desc->name);
    memset(p, 0, sizeof(*p));
    p->value = initial;
    p->sim = m->sim;
    p->desc = desc;
    p->ctx = ctx;
    p->module = m;
    if (m->probes == NULL) {
        m->probes = p;
    } else {
        m->last_probe->next = p;
    }
    m->last_probe = p;
    sim_comp(m->sim)->numbered = false;
}

void sim_module_shows(struct sim_module *m, void (*show)(void *ctx), void *ctx)
{
    m->show = show;
    m->show_ctx = ctx;
}

void sim_module_looks(struct sim_module *m, bool *looked)
{
    m->looked = looked;
}

/* What is set is not news. */
static void catch_up(struct sim_module *m)
{
    m->showing = true;
    m->stray = NULL;
    m->show(m->show_ctx);
    m->showing = false;
}

/* Who observes m, or awaits it, has changed. */
static void tell_module(struct sim_module *m)
{
    if (m->looked != NULL) {
        *m->looked = false;
    }
    if (m->show != NULL && m->watched && m->sim->started) {
        catch_up(m);
    }
}

static const struct sim_probe *stray_below(struct sim_module *m)
{
    const struct sim_probe *stray = NULL;

    if (m->show != NULL && m->watched) {
        catch_up(m);
        stray = m->stray;
    }
    for (struct sim_module *c = m->first; stray == NULL && c != NULL; c = c->next) {
        stray = stray_below(c);
    }
    return stray;
}

const struct sim_probe *sim_find_stray(struct sim *s)
{
    const struct sim_probe *stray = NULL;

    for (struct sim_module *m = sim_comp(s)->first_root;
         s->started && stray == NULL && m != NULL; m = m->next) {
        stray = stray_below(m);
    }
    return stray;
}

void sim_probe_watch(struct sim_probe *p)
{
    struct sim_module *m = p->module;

    if (!p->watched) {
        SIM_REQUIRE(m->sim, !m->sim->running, p->desc->name);
        p->watched = true;
        m->watched = true;
        m->awaited = false;
        tell_module(m);
    }
}

void sim_probe_await(struct sim_probe *p)
{
    if (!p->module->awaited) {
        p->module->awaited = true;
        tell_module(p->module);
    }
}

void sim_probe_keep(struct sim_probe *p)
{
    sim_probe_watch(p);
    p->kept = true;
}

void sim_probe_unwatch(struct sim_probe *p)
{
    struct sim_module *m = p->module;

    if (p->watched && !p->kept) {
        p->watched = false;
        m->watched = false;
        for (const struct sim_probe *q = m->probes; q != NULL; q = q->next) {
            m->watched |= q->watched;
        }
        tell_module(m);
    }
}

void sim_watch(struct sim *s, struct sim_watcher *w)
{
    struct sim_watcher **tail = &sim_comp(s)->watchers;

    SIM_REQUIRE(s, !sim_has_domains(s), "domains are not at the same instant");
    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    w->next = NULL;
    *tail = w;
}

/* p, which is watched, gets another value, or its event happens. */
static ATTR_NOINLINE void change(struct sim_probe *p, uint64_t v)
{
    struct sim *s = p->sim;
    struct sim_comp *c = sim_comp(s);

    if (UNLIKELY(p->module->showing)) {
        if (p->value != v && p->module->stray == NULL) {
            p->module->stray = p;
        }
        p->value = v;
        return;
    }
    if (UNLIKELY(!s->started)) {
        p->value = v; /* nothing was shown yet: this is the initial value */
        return;
    }
    if (p->dirty) {
        p->value = v;
        return;
    }
    if (UNLIKELY(!c->numbered)) {
        sim_number(s);
    }
    p->shown = p->value;
    p->value = v;
    p->dirty = true;
    c->n_dirty++;
    c->pending = true;
    c->dirty[p->id / 64] |= (uint64_t)1 << (p->id % 64);
    c->dirty_words[p->id / 4096] |= (uint64_t)1 << (p->id / 64 % 64);
}

/* Most are set to what they are. */
void sim_probe_changed(struct sim_probe *p, uint64_t v)
{
    if (p->value != v || p->desc->kind == SIM_PROBE_EVENT) {
        change(p, v);
    }
}

/* Append to changed the probes of word w that are not back at their old value. */
static size_t collect(struct sim_comp *c, uint32_t w, size_t n)
{
    uint64_t bits = c->dirty[w];

    c->dirty[w] = 0;
    for (; bits != 0; bits &= bits - 1) {
        struct sim_probe *p = c->probe[w * 64 + attr_lowest_bit(bits)];

        p->dirty = false;
        if (p->value != p->shown || p->desc->kind == SIM_PROBE_EVENT) {
            c->changed[n++] = p;
        }
    }
    return n;
}

void sim_probes_deliver(struct sim_comp *c, sim_time_t now)
{
    size_t n = 0;

    for (uint32_t i = 0; i * 4096 < c->n_probes; i++) {
        uint64_t words = c->dirty_words[i];

        c->dirty_words[i] = 0;
        for (; words != 0; words &= words - 1) {
            n = collect(c, i * 64 + attr_lowest_bit(words), n);
        }
    }
    c->n_dirty = 0;
    if (n == 0) {
        return;
    }
    for (struct sim_watcher *w = c->watchers; w != NULL; w = w->next) {
        w->changed(w->ctx, now, c->changed, n);
    }
}
