/*
 * The rows of the save file: a group per module, in declaration order, named as the
 * scopes are.
 *
 * Modules alike and in a row ("warp00", "warp01", ...) make an array. Its members with
 * a state and nothing below get a row each, the state in words and colours, which opens
 * into their other probes; if all have a busy bit, the array is one row with their
 * busy mask, which opens into them. Of other arrays the first member is shown open.
 * What never changed inside the window is closed.
 */
#include "wave_priv.h"

#include <string.h>

enum { SHOWN = 8 /* members of an array; the others are in a closed group */ };

struct rows {
    const struct wave *w;
    FILE *f;
    uint32_t n_groups; /* begun so far: a colour each */
};

/* ---- what a module is ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of a name without the number at its end. */
static size_t stem(const char *name)
{
    size_t n = strlen(name);

    while (n > 0 && is_digit(name[n - 1])) {
        n--;
    }
    return n;
}

static bool is_numbered(const struct sim_module *m)
{
    return is_digit(m->name[strlen(m->name) - 1]);
}

static bool are_alike(const struct sim_module *a, const struct sim_module *b)
{
    size_t n = stem(a->name);

    return is_numbered(a) && is_numbered(b) && n == stem(b->name) &&
           strncmp(a->name, b->name, n) == 0;
}

static const struct sim_probe *find(const struct wave *w, const struct sim_module *m,
                                    enum sim_probe_kind kind, const char *name)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (p->desc->kind == kind && wave_traces(w, p) &&
            (name == NULL || strcmp(p->desc->name, name) == 0)) {
            return p;
        }
    }
    return NULL;
}

static const struct sim_probe *state_of(const struct wave *w,
                                        const struct sim_module *m)
{
    return m->first == NULL ? find(w, m, SIM_PROBE_STATE, NULL) : NULL;
}

static const struct sim_probe *busy_of(const struct wave *w, const struct sim_module *m)
{
    const struct sim_probe *p = find(w, m, SIM_PROBE_BITS, "busy");

    return p != NULL && p->desc->width == 1 ? p : NULL;
}

static bool is_active(const struct wave *w, const struct sim_module *m)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        const struct wave_var *v = wave_var_of(w, p);

        if (v != NULL && v->id != DUMP_NONE && v->active) {
            return true;
        }
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        if (is_active(w, c)) {
            return true;
        }
    }
    return false;
}

/* Before anything was seen nothing is known to be quiet. */
static bool is_quiet(const struct wave *w, const struct sim_module *m)
{
    return w->phase == WAVE_CLOSED && !is_active(w, m);
}

/* ---- one probe ---- */

static enum gtkw_colour colour_of(const struct sim_probe *p, enum gtkw_colour group)
{
    static const char *const bad[] = {"conflict", "fault", "miss", "row_miss", "stall"};

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (strcmp(p->desc->name, bad[i]) == 0) {
            return GTKW_RED;
        }
    }
    return group;
}

static uint32_t flags_of(const struct sim_probe_desc *d)
{
    switch (d->kind) {
    case SIM_PROBE_BITS: return d->width == 1 ? GTKW_BITS : GTKW_HEX;
    case SIM_PROBE_UINT: return GTKW_DECIMAL;
    case SIM_PROBE_LEVEL: return GTKW_CURVE;
    case SIM_PROBE_STATE: return GTKW_STATES;
    case SIM_PROBE_TEXT: return GTKW_TEXT;
    case SIM_PROBE_EVENT: return GTKW_BITS;
    }
    return GTKW_HEX;
}

static void variable(struct rows *r, dump_id id, uint32_t flags,
                     enum gtkw_colour colour, const char *alias)
{
    char name[WAVE_PATH_MAX];
    const struct gtkw_trace t = {.flags = flags,
                                 .colour = colour,
                                 .alias = alias,
                                 .name = name};

    if (id != DUMP_NONE &&
        dump_loader_name(r->w->dump, id, name, sizeof(name)) < sizeof(name)) {
        gtkw_trace(r->f, &t);
    }
}

/* extra: flags of a group that the row heads. */
static void probe(struct rows *r, const struct sim_probe *p, enum gtkw_colour colour,
                  const char *alias, uint32_t extra)
{
    const struct wave_var *v = wave_var_of(r->w, p);
    char name[WAVE_PATH_MAX];
    struct gtkw_trace t = {.flags = flags_of(p->desc) | extra,
                           .colour = colour_of(p, colour),
                           .alias = alias,
                           .name = name};

    if (p->desc->kind == SIM_PROBE_STATE) {
        t.filter = r->w->table[v->table].file;
        t.colour = GTKW_PLAIN; /* the states have their own */
    }
    if (dump_loader_name(r->w->dump, v->id, name, sizeof(name)) < sizeof(name)) {
        gtkw_trace(r->f, &t);
    }
}

static void probes(struct rows *r, const struct sim_module *m, enum gtkw_colour colour,
                   const struct sim_probe *but)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (p != but && wave_traces(r->w, p)) {
            probe(r, p, colour, p->desc->name, 0);
        }
    }
}

static void clocks(struct rows *r, const struct sim_module *m)
{
    const struct wave_head *h = wave_head_of(r->w, m);

    if (h != NULL) {
        variable(r, h->clk, GTKW_BITS, GTKW_PLAIN, "clk");
        variable(r, h->cycle, GTKW_DECIMAL, GTKW_PLAIN, "cycle");
    }
}

/* ---- arrays ---- */

struct array {
    struct sim_module *first, *end; /* end: the sibling behind the last member */
    uint32_t n;                     /* members with a variable */
    bool rows;                      /* each has a state and nothing below */
    bool busy;                      /* each has a busy bit too */
};

static struct array array_at(const struct wave *w, struct sim_module *m)
{
    struct array a = {.first = m, .end = m, .rows = true, .busy = true};

    do {
        if (wave_has_below(w, a.end)) {
            a.n++;
            a.rows = a.rows && state_of(w, a.end) != NULL;
            a.busy = a.busy && busy_of(w, a.end) != NULL;
        }
        a.end = a.end->next;
    } while (a.end != NULL && are_alike(m, a.end));
    a.rows = a.rows && a.n > 0 && is_numbered(m);
    a.busy = a.busy && a.rows;
    return a;
}

/* The state of m, which opens into the rest. */
static void member_row(struct rows *r, const struct sim_module *m,
                       enum gtkw_colour colour)
{
    const struct sim_probe *state = state_of(r->w, m);
    bool alone = true;

    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        alone = alone && (p == state || !wave_traces(r->w, p));
    }
    if (alone) {
        probe(r, state, colour, m->name, 0);
        return;
    }
    probe(r, state, colour, m->name, GTKW_BEGIN | GTKW_CLOSED);
    probes(r, m, colour, state);
    gtkw_end(r->f, NULL, true);
}

enum part { PART_SHOWN, PART_MORE, PART_QUIET };

/* In which part of the array's rows the member belongs; n_active counts the ones
 * before it that were not quiet. */
static enum part part_of(const struct wave *w, const struct sim_module *m,
                         uint32_t *n_active)
{
    if (is_quiet(w, m)) {
        return PART_QUIET;
    }
    return (*n_active)++ < SHOWN ? PART_SHOWN : PART_MORE;
}

static void member_rows(struct rows *r, const struct array *a, enum part part,
                        const char *label, enum gtkw_colour colour)
{
    uint32_t n_active = 0;
    bool begun = false;

    for (struct sim_module *m = a->first; m != a->end; m = m->next) {
        if (!wave_has_below(r->w, m) || part_of(r->w, m, &n_active) != part) {
            continue;
        }
        if (!begun && label != NULL) {
            gtkw_begin(r->f, label, true);
        }
        begun = true;
        member_row(r, m, colour);
    }
    if (begun && label != NULL) {
        gtkw_end(r->f, label, true);
    }
}

static enum gtkw_colour next_colour(struct rows *r)
{
    static const enum gtkw_colour colours[] = {GTKW_GREEN,  GTKW_YELLOW, GTKW_BLUE,
                                               GTKW_ORANGE, GTKW_VIOLET, GTKW_INDIGO};

    return colours[r->n_groups++ % ARRAY_LEN(colours)];
}

/* "#{bank busy[31:0]} gpu...bank31.busy ... gpu...bank00.busy", heading a group. */
static void busy_mask(struct rows *r, const struct array *a, const char *label)
{
    char name[WAVE_PATH_MAX];
    const struct sim_module **member = sim_alloc(r->w->sim, a->n * sizeof(member[0]));
    uint32_t n = 0;

    for (struct sim_module *m = a->first; m != a->end; m = m->next) {
        if (wave_has_below(r->w, m)) {
            member[n++] = m;
        }
    }
    fprintf(r->f, "@%x\n#{%s busy[%u:0]}",
            (unsigned)(GTKW_HEX | GTKW_BEGIN | GTKW_CLOSED), label, (unsigned)(n - 1));
    while (n-- > 0) {
        const struct wave_var *v = wave_var_of(r->w, busy_of(r->w, member[n]));

        dump_loader_name(r->w->dump, v->id, name, sizeof(name));
        fprintf(r->f, " %s", name);
    }
    putc('\n', r->f);
}

static void array_rows(struct rows *r, const struct array *a)
{
    enum gtkw_colour colour = next_colour(r);
    char label[80];

    snprintf(label, sizeof(label), "%.*ss", (int)stem(a->first->name), a->first->name);
    if (a->busy) {
        busy_mask(r, a, label);
        for (struct sim_module *m = a->first; m != a->end; m = m->next) {
            if (wave_has_below(r->w, m)) {
                member_row(r, m, colour);
            }
        }
        gtkw_end(r->f, NULL, true);
        return;
    }
    gtkw_begin(r->f, label, false);
    member_rows(r, a, PART_SHOWN, NULL, colour);
    snprintf(label, sizeof(label), "more %.*ss", (int)stem(a->first->name),
             a->first->name);
    member_rows(r, a, PART_MORE, label, colour);
    snprintf(label, sizeof(label), "idle %.*ss", (int)stem(a->first->name),
             a->first->name);
    member_rows(r, a, PART_QUIET, label, colour);
    snprintf(label, sizeof(label), "%.*ss", (int)stem(a->first->name), a->first->name);
    gtkw_end(r->f, label, false);
}

/* ---- modules ---- */

static void children(struct rows *r, const struct sim_module *m);

static void group(struct rows *r, const struct sim_module *m, bool closed)
{
    enum gtkw_colour colour = next_colour(r);

    closed = closed || is_quiet(r->w, m);
    gtkw_begin(r->f, m->name, closed);
    clocks(r, m);
    probes(r, m, colour, NULL);
    children(r, m);
    gtkw_end(r->f, m->name, closed);
}

static void children(struct rows *r, const struct sim_module *m)
{
    enum { FEW = 2 }; /* schedulers, say: all open */
    struct sim_module *c = m->first;

    while (c != NULL) {
        struct array a = array_at(r->w, c);
        uint32_t seen = 0;

        if (a.rows) {
            array_rows(r, &a);
            c = a.end;
            continue;
        }
        for (; c != a.end; c = c->next) {
            if (wave_has_below(r->w, c)) {
                group(r, c, seen++ > 0 && a.n > FEW);
            }
        }
    }
}

void wave_rows_write(const struct wave *w, FILE *f)
{
    struct rows r = {.w = w, .f = f};

    clocks(&r, w->root);
    probes(&r, w->root, GTKW_PLAIN, NULL);
    children(&r, w->root);
}
