/*
 * The rows of a save file: a group per scope, in declaration order, named as the scopes
 * are.
 *
 * Scopes alike and in a row ("warp00", "warp01", ...) make an array. Its members with
 * a state and nothing below get a row each, the state in words and colours, which opens
 * into their other variables; if all have a busy bit, the array is one row with their
 * busy mask, which opens into them, under a curve of how many bits are set. Of other
 * arrays the first member is shown open. What never changed is closed.
 */
#include "view_priv.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 /* members of an array; the others are in a closed group */ };

struct rows {
    const struct view *view;
    const struct view_tree *tree;
    struct view_out *out;
    uint32_t n_groups; /* begun so far: a colour each */
};

/* ---- what a scope is ---- */

/* Some row lies in s or below; the clocks of a scope without others do not count. */
static bool has_below(const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown && !v->clock) {
            return true;
        }
    }
    for (const struct view_scope *c = s->first; c != NULL; c = c->next) {
        if (has_below(c)) {
            return true;
        }
    }
    return false;
}

static bool is_numbered(const struct view_scope *s)
{
    return s->name[view_stem(s->name)] != '\0';
}

static bool are_alike(const struct view_scope *a, const struct view_scope *b)
{
    size_t n = view_stem(a->name);

    return is_numbered(a) && is_numbered(b) && n == view_stem(b->name) &&
           strncmp(a->name, b->name, n) == 0;
}

static const struct view_var *state_of(const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; s->first == NULL && v != NULL;
         v = v->next) {
        if (v->kind == VIEW_STATE && v->shown) {
            return v;
        }
    }
    return NULL;
}

static const struct view_var *busy_of(const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->kind == VIEW_BITS && v->shown && v->width == 1 &&
            v->desc->role == SIM_ROLE_BUSY) {
            return v;
        }
    }
    return NULL;
}

static bool is_active(const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown && v->active && !v->clock) {
            return true;
        }
    }
    for (const struct view_scope *c = s->first; c != NULL; c = c->next) {
        if (is_active(c)) {
            return true;
        }
    }
    return false;
}

/* What a view of banks or of a warp is for: shown whatever it did, as is all around. */
static bool is_asked_for(const struct view_scope *s)
{
    if (state_of(s) != NULL) {
        return true;
    }
    for (const struct view_scope *c = s->first; c != NULL; c = c->next) {
        if (is_asked_for(c)) {
            return true;
        }
    }
    return false;
}

/* Before anything was seen nothing is known to be quiet. */
static bool is_quiet(const struct rows *r, const struct view_scope *s)
{
    if (s->absent) {
        return true;
    }
    switch (r->view->name) {
    case VIEW_BANKS:
    case VIEW_WARP:
    case VIEW_BANK:
        if (is_asked_for(s)) {
            return false;
        }
        break;
    case VIEW_OVERVIEW:
    case VIEW_SCHEDULER:
    case VIEW_PIPELINE:
    case VIEW_COALESCER:
    case VIEW_MEMORY:
    case N_VIEWS: break;
    }
    return r->tree->complete && !is_active(s);
}

/* ---- one variable ---- */

static uint32_t flags_of(const struct view_var *v)
{
    switch (v->kind) {
    case VIEW_BITS:
        return v->width == 1 ? GTKW_BITS : v->states != NULL ? GTKW_CODE : GTKW_HEX;
    case VIEW_NUMBER: return GTKW_DECIMAL;
    case VIEW_CURVE: return GTKW_CURVE;
    case VIEW_STATE: return v->states != NULL ? GTKW_STATES : GTKW_BITS;
    case VIEW_TEXT: return GTKW_TEXT;
    case VIEW_EVENT: return GTKW_BITS;
    }
    return GTKW_HEX;
}

/* How long a window of a rate is. The dump has the rate from the end of its window on,
 * when it is known; it is drawn over the window itself. 0: not known. */
static uint64_t rate_window(const struct view_tree *t)
{
    const struct view_marks *m = &t->marks;

    return m->set[VIEW_MARK_KERNEL_START] && m->start_cycle != 0
               ? (uint64_t)((double)m->at[VIEW_MARK_KERNEL_START] /
                                (double)m->start_cycle * SIM_RATE_CYCLES +
                            0.5)
               : 0;
}

static void variable(struct rows *r, const struct view_var *v, enum gtkw_colour colour,
                     const char *alias, uint32_t more_flags)
{
    uint32_t flags = more_flags & GTKW_COUNT ? GTKW_DECIMAL : flags_of(v);
    bool letters = r->view->name == VIEW_PIPELINE && v->stages != NULL;
    bool bad = v->desc->role == SIM_ROLE_BAD;
    struct gtkw_trace t = {.flags = flags | more_flags,
                           .colour = v->clock ? GTKW_PLAIN
                                     : bad    ? GTKW_RED
                                              : colour,
                           .alias = alias,
                           .filter = letters ? v->stages : v->states,
                           .name = v->path};

    if (view_never_fired(r->tree, v)) {
        r->out->to->never(r->out, alias);
        return;
    }
    if (v->desc->kind == SIM_PROBE_RATE) {
        t.alias = v->desc->label != NULL ? v->desc->label : t.alias;
        t.earlier = rate_window(r->tree);
    }
    if (v->desc->kind == SIM_PROBE_RATE && v->desc->role == SIM_ROLE_PER_CYCLE) {
        t.shift = attr_lowest_bit(SIM_RATE_CYCLES); /* a power of two */
        t.flags |= GTKW_SHIFTED;
    }
    if (v->kind == VIEW_STATE) {
        t.colour = GTKW_PLAIN; /* the states have their own */
        t.bits = r->tree->named && v->states != NULL && v->width > 1 ? v->width : 0;
    }
    r->out->to->trace(r->out, &t);
}

/* A mask whose width says more than its digits, where wavefronts are near one
 * another. */
static bool is_counted(const struct rows *r, const struct view_var *v)
{
    return r->view->name == VIEW_BANKS && v->desc->role == SIM_ROLE_LANES;
}

/* But the clocks, which come last. */
static void variables(struct rows *r, const struct view_scope *s,
                      enum gtkw_colour colour, const struct view_var *but)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown && v != but && !v->clock) {
            bool counted = is_counted(r, v);
            const char *label = counted ? v->desc->label : NULL;

            variable(r, v, colour, label != NULL ? label : v->name,
                     counted ? GTKW_COUNT : 0u);
        }
    }
}

/* Clocks are drawn whatever the scope, at the end: all have seen one before. */
static void clocks(struct rows *r, const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown && v->clock) {
            variable(r, v, GTKW_PLAIN, v->name, 0);
        }
    }
}

/* ---- arrays ---- */

struct array {
    struct view_scope *first, *end; /* end: the sibling behind the last member */
    uint32_t n;                     /* members with a row */
    bool rows;                      /* each has a state and nothing below */
    bool busy;                      /* each has a busy bit too */
};

static struct array array_at(struct view_scope *s)
{
    struct array a = {.first = s, .end = s, .rows = true, .busy = true};

    do {
        if (has_below(a.end)) {
            a.n++;
            a.rows = a.rows && state_of(a.end) != NULL;
            a.busy = a.busy && busy_of(a.end) != NULL;
        }
        a.end = a.end->next;
    } while (a.end != NULL && are_alike(s, a.end));
    a.rows = a.rows && a.n > 0 && is_numbered(s);
    a.busy = a.busy && a.rows;
    return a;
}

/* The letters of s, and below them what they are about. */
static void stage_rows(struct rows *r, const struct view_scope *s,
                       enum gtkw_colour colour, const struct view_var *state)
{
    variable(r, state, colour, s->name, 0);
    variables(r, s, colour, state);
}

/* The state of s, which opens into the rest. open: the view is about this one. */
static void member_row(struct rows *r, const struct view_scope *s,
                       enum gtkw_colour colour, bool open)
{
    const struct view_var *state = state_of(s);
    bool alone = true;

    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        alone = alone && (v == state || !v->shown);
    }
    if (alone) {
        variable(r, state, colour, s->name, 0);
        return;
    }
    if (open && r->view->name == VIEW_PIPELINE) {
        stage_rows(r, s, colour, state);
        return;
    }
    variable(r, state, colour, s->name, GTKW_BEGIN | (open ? 0u : GTKW_CLOSED));
    variables(r, s, colour, state);
    r->out->to->end(r->out, s->name, !open);
}

enum part { PART_SHOWN, PART_MORE, PART_QUIET };

/* In which part of the array's rows the member belongs; n_active counts the ones
 * before it that were not quiet. */
static enum part part_of(const struct rows *r, const struct view_scope *s,
                         uint32_t *n_active)
{
    uint32_t most = r->view->name == VIEW_SCHEDULER ? UINT32_MAX : SHOWN;

    if (is_quiet(r, s)) {
        return PART_QUIET;
    }
    return (*n_active)++ < most ? PART_SHOWN : PART_MORE;
}

static void member_rows(struct rows *r, const struct array *a, enum part part,
                        const char *label, enum gtkw_colour colour)
{
    uint32_t n_active = 0;
    bool begun = false;

    for (struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (!has_below(s) || part_of(r, s, &n_active) != part) {
            continue;
        }
        if (!begun && label != NULL) {
            r->out->to->begin(r->out, label, true);
        }
        begun = true;
        member_row(r, s, colour, r->view->name == VIEW_PIPELINE && part == PART_SHOWN);
    }
    if (begun && label != NULL) {
        r->out->to->end(r->out, label, true);
    }
}

static enum gtkw_colour next_colour(struct rows *r)
{
    static const enum gtkw_colour colours[] = {GTKW_GREEN,  GTKW_YELLOW, GTKW_BLUE,
                                               GTKW_ORANGE, GTKW_VIOLET, GTKW_INDIGO};

    return colours[r->n_groups++ % ARRAY_LEN(colours)];
}

/* One row of the busy bits of all, the last member first. */
static void busy_mask(struct rows *r, const struct array *a, uint32_t flags,
                      const char *name)
{
    const char **parts = arena_alloc(r->tree->arena, a->n * sizeof(*parts));
    uint32_t left = a->n;

    for (const struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (has_below(s)) {
            parts[--left] = busy_of(s)->path;
        }
    }
    r->out->to->trace(r->out, &(struct gtkw_trace){.flags = flags,
                                                   .colour = GTKW_YELLOW,
                                                   .alias = name,
                                                   .parts = parts,
                                                   .n_parts = a->n});
}

static void busy_curve(struct rows *r, const struct array *a, const char *label)
{
    char name[96];

    snprintf(name, sizeof(name), "busy %s", label);
    busy_mask(r, a, GTKW_CURVE | GTKW_COUNT, name);
}

/* How many are busy, as a curve; which, as a mask; what each does, below that. In the
 * view of the banks the curve comes last. */
static void bank_rows(struct rows *r, const struct array *a, const char *label)
{
    bool open = r->view->name == VIEW_BANKS;
    enum gtkw_colour colour = next_colour(r);
    char name[96];

    if (!open) {
        busy_curve(r, a, label);
    }
    snprintf(name, sizeof(name), "%s busy", label);
    busy_mask(r, a, GTKW_HEX | GTKW_BEGIN | (open ? 0u : GTKW_CLOSED), name);
    for (struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (has_below(s)) {
            member_row(r, s, colour, false);
        }
    }
    r->out->to->end(r->out, label, !open);
    if (open) {
        busy_curve(r, a, label);
    }
}

static void array_rows(struct rows *r, const struct array *a)
{
    enum gtkw_colour colour;
    char stem[64], label[80];

    snprintf(stem, sizeof(stem), "%.*ss", (int)view_stem(a->first->name),
             a->first->name);
    if (a->busy && a->n > 1) {
        bank_rows(r, a, stem);
        return;
    }
    colour = next_colour(r);
    if (r->view->name == VIEW_WARP || r->view->name == VIEW_BANK) {
        for (struct view_scope *s = a->first; s != a->end; s = s->next) {
            if (has_below(s)) {
                member_row(r, s, colour, true);
            }
        }
        return;
    }
    r->out->to->begin(r->out, stem, false);
    member_rows(r, a, PART_SHOWN, NULL, colour);
    snprintf(label, sizeof(label), "more %s", stem);
    member_rows(r, a, PART_MORE, label, colour);
    snprintf(label, sizeof(label), "idle %s", stem);
    member_rows(r, a, PART_QUIET, label, colour);
    r->out->to->end(r->out, stem, false);
}

/* ---- scopes ---- */

static void children(struct rows *r, const struct view_scope *s);
static void early_children(struct rows *r, const struct view_scope *s);

/* The only row of s and what is below; NULL: there are more. */
static const struct view_var *only_row(const struct view_scope *s)
{
    const struct view_var *only = NULL;

    for (const struct view_scope *c = s->first; c != NULL; c = c->next) {
        if (has_below(c)) {
            return NULL;
        }
    }
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown) {
            if (only != NULL) {
                return NULL;
            }
            only = v;
        }
    }
    return only;
}

static void group(struct rows *r, const struct view_scope *s, bool closed)
{
    const struct view_var *only = r->view->name != VIEW_OVERVIEW ? only_row(s) : NULL;
    enum gtkw_colour colour = next_colour(r);

    if (only != NULL) { /* "sched0 inst" */
        char label[128];

        snprintf(label, sizeof(label), "%s %s", s->name, only->name);
        variable(r, only, colour, label, 0);
        return;
    }
    closed = closed || is_quiet(r, s);
    r->out->to->begin(r->out, s->name, closed);
    early_children(r, s);
    variables(r, s, colour, NULL);
    children(r, s);
    clocks(r, s);
    r->out->to->end(r->out, s->name, closed);
}

/* Some member of the array did something. In a view that shows what was asked for
 * whatever it did, too, the other members are quiet then: SMs without a block, say. */
static bool is_any_active(const struct rows *r, const struct array *a)
{
    for (const struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (r->tree->complete && is_active(s)) {
            return true;
        }
    }
    return false;
}

/* The members of an array one after the other; of many, the first is open and those
 * that are quiet are folded away behind the others. */
static void groups(struct rows *r, const struct array *a)
{
    enum { FEW = 4 }; /* schedulers, say: all open */
    bool many = a->n > FEW, any = many && is_any_active(r, a);
    uint32_t seen = 0, quiet = 0;
    char label[80];

    for (struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (!has_below(s)) {
            continue;
        }
        if (many && (is_quiet(r, s) || (any && !is_active(s)))) {
            quiet++;
        } else {
            group(r, s, seen++ > 0 && many);
        }
    }
    if (quiet == 0) {
        return;
    }
    snprintf(label, sizeof(label), "idle %.*ss", (int)view_stem(a->first->name),
             a->first->name);
    r->out->to->begin(r->out, label, true);
    for (struct view_scope *s = a->first; s != a->end; s = s->next) {
        if (has_below(s) && (is_quiet(r, s) || (any && !is_active(s)))) {
            group(r, s, true);
        }
    }
    r->out->to->end(r->out, label, true);
}

static bool has_busy_array(const struct view_scope *s)
{
    for (struct view_scope *c = s->first; c != NULL;) {
        struct array a = array_at(c);

        if (a.busy) {
            return true;
        }
        c = a.end;
    }
    return false;
}

/* What the view is about stands above all else of its scope: in the overview the
 * warps, a state in each row; in that of the banks these, for 32 to be seen at once. */
static bool is_early(const struct rows *r, const struct array *a)
{
    if (r->view->name == VIEW_OVERVIEW) {
        return a->rows && !a->busy;
    }
    return r->view->name == VIEW_BANKS &&
           (a->rows ? a->busy : has_busy_array(a->first));
}

static void array(struct rows *r, const struct array *a)
{
    if (a->rows) {
        array_rows(r, a);
    } else {
        groups(r, a);
    }
}

static void early_children(struct rows *r, const struct view_scope *s)
{
    for (struct view_scope *c = s->first; c != NULL;) {
        struct array a = array_at(c);

        if (is_early(r, &a)) {
            array(r, &a);
        }
        c = a.end;
    }
}

static void children(struct rows *r, const struct view_scope *s)
{
    struct view_scope *c = s->first;

    while (c != NULL) {
        struct array a = array_at(c);

        if (!is_early(r, &a)) {
            array(r, &a);
        }
        c = a.end;
    }
}

void view_rows_write(const struct view_tree *t, const struct view *v,
                     struct view_out *o)
{
    struct rows r = {.view = v, .tree = t, .out = o};

    for (const struct view_scope *s = t->root; s != NULL; s = s->next) {
        early_children(&r, s);
        variables(&r, s, GTKW_PLAIN, NULL);
        children(&r, s);
        clocks(&r, s);
    }
}
