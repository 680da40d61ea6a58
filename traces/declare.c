#include "wave_priv.h"

#include <string.h>

uint32_t wave_count_modules(const struct sim_module *m)
{
    uint32_t n = 1;

    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        n += wave_count_modules(c);
    }
    return n;
}

/* Some variable of the dump in m or below follows the clock. */
static bool uses_clock(const struct wave *w, const struct sim_module *m,
                       const struct sim_clock *clock)
{
    for (const struct sim_probe *p = m->probes; m->clock == clock && p != NULL;
         p = p->next) {
        if (wave_traces(w, p)) {
            return true;
        }
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        if (uses_clock(w, c, clock)) {
            return true;
        }
    }
    return false;
}

static bool has_probe(const struct sim_module *m, const char *name)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (strcmp(p->desc->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static dump_id clock_var(struct wave *w, const struct sim_module *m, const char *name,
                         enum dump_kind kind, uint32_t width, dump_id of)
{
    if (has_probe(m, name) || (w->cfg.cycles && kind == DUMP_WIRE)) {
        return DUMP_NONE; /* half a cycle is nothing */
    }
    return dump_add(w->dump, &(struct dump_var){
                                 .kind = kind, .name = name, .width = width, .of = of});
}

/* clk and cycle in the scope of m. The first module of a clock declares them, others
 * have aliases. */
static void declare_clock(struct wave *w, struct sim_module *m)
{
    struct wave_head *h = &w->head[w->n_heads++];
    struct wave_domain *d = w->domain;

    while (d < w->domain + w->n_domains && d->clock != m->clock) {
        d++;
    }
    if (d == w->domain + w->n_domains) {
        w->n_domains++;
        d->clock = m->clock;
        d->clk = DUMP_NONE;
        d->cycle = DUMP_NONE;
    }
    h->module = m;
    h->clk = clock_var(w, m, "clk", DUMP_WIRE, 1, d->clk);
    h->cycle = clock_var(w, m, "cycle", DUMP_INTEGER, 64, d->cycle);
    d->clk = d->clk == DUMP_NONE ? h->clk : d->clk;
    d->cycle = d->cycle == DUMP_NONE ? h->cycle : d->cycle;
}

static void declare_probe(struct wave *w, const struct sim_probe *p)
{
    struct wave_var *v = wave_var_of(w, p);
    struct dump_var d = {.kind = DUMP_WIRE,
                         .name = p->desc->name,
                         .width = p->desc->width,
                         .of = DUMP_NONE};

    switch (p->desc->kind) {
    case SIM_PROBE_BITS:
    case SIM_PROBE_UINT:
    case SIM_PROBE_RATE:
    case SIM_PROBE_LEVEL: break;
    case SIM_PROBE_STATE:
        v->table = wave_table_of(w, p);
        d.names = p->desc->names;
        d.n_names = p->desc->n_names;
        break;
    case SIM_PROBE_TEXT: d.kind = DUMP_STRING; break;
    case SIM_PROBE_EVENT: d.kind = DUMP_EVENT; break;
    }
    v->id = dump_add(w->dump, &d);
}

static void declare_module(struct wave *w, struct sim_module *m, bool root)
{
    if (!wave_has_below(w, m)) {
        return;
    }
    dump_scope(w->dump, m->name);
    if (m->clock != NULL && (root || m->clock != m->parent->clock) &&
        uses_clock(w, m, m->clock)) {
        declare_clock(w, m);
    }
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (wave_traces(w, p)) {
            declare_probe(w, p);
        }
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        declare_module(w, c, false);
    }
    dump_upscope(w->dump);
}

void wave_declare(struct wave *w)
{
    uint32_t n = wave_count_modules(w->root);

    w->domain = sim_alloc(w->sim, n * sizeof(w->domain[0]));
    w->head = sim_alloc(w->sim, n * sizeof(w->head[0]));
    w->table = sim_alloc(w->sim, (w->n_traced + 1) * sizeof(w->table[0]));
    declare_module(w, w->root, true);
}

const struct wave_head *wave_head_of(const struct wave *w, const struct sim_module *m)
{
    for (uint32_t i = 0; i < w->n_heads; i++) {
        if (w->head[i].module == m) {
            return &w->head[i];
        }
    }
    return NULL;
}
