/*
 * The top of a view: what ran, in one row that opens into the rest; what the scope of
 * the trace left out; and in the overview and in the view of the banks a band with the
 * conflicts, which are what most look for first, in that of the memory one with the way
 * of a request. All of a band stands again in its scope below.
 */
#include "view_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- the title ---- */

void view_title_write(const struct view_tree *t, struct view_out *o)
{
    const char *const line[] = {t->totals, t->cycles ? VIEW_TIME_IN_CYCLES : NULL};
    const char *name = t->heading != NULL ? t->heading : "";
    const char *device = t->config_name != NULL ? t->config_name : "";
    char title[GTKW_HEADING_LENGTH + 1];
    bool more = strlen(name) + strlen(device) > sizeof(title) - 5;

    for (size_t i = 0; i < ARRAY_LEN(line); i++) {
        more = more || (line[i] != NULL && line[i][0] != '\0');
    }
    if (name[0] == '\0' && device[0] == '\0' && !more) {
        return;
    }
    snprintf(title, sizeof(title), "%s%s%s", name,
             name[0] != '\0' && device[0] != '\0' ? " on " : "", device);
    title[strcspn(title, "\n")] = '\0';
    if (!more) {
        o->to->heading(o, title);
        return;
    }
    o->to->begin(o, title, true);
    if (strlen(name) + strlen(device) > sizeof(title) - 5) {
        o->to->heading(o, name);
        o->to->heading(o, device);
    }
    for (size_t i = 0; i < ARRAY_LEN(line); i++) {
        if (line[i] != NULL && line[i][0] != '\0') {
            o->to->heading(o, line[i]);
        }
    }
    o->to->end(o, title, true);
}

/* ---- what is missing ---- */

#define OF(view) (1u << (view))

/* Scopes, by name or by what stands before their number, and the views of them. */
static const struct {
    const char *scope, *words;
    unsigned views;
} parts[] = {
    {"warp", "warps",
     OF(VIEW_OVERVIEW) | OF(VIEW_SCHEDULER) | OF(VIEW_PIPELINE) | OF(VIEW_WARP)},
    {"sched", "schedulers",
     OF(VIEW_OVERVIEW) | OF(VIEW_SCHEDULER) | OF(VIEW_PIPELINE) | OF(VIEW_BANKS)},
    {"bank", "banks", OF(VIEW_OVERVIEW) | OF(VIEW_BANKS) | OF(VIEW_BANK)},
    {"lsu", "lsu", OF(VIEW_OVERVIEW) | OF(VIEW_COALESCER)},
    {"l2", "l2", OF(VIEW_OVERVIEW) | OF(VIEW_MEMORY)},
    {"dram", "dram", OF(VIEW_OVERVIEW) | OF(VIEW_MEMORY)},
};

static bool is_called(const struct view_scope *s, const char *name)
{
    size_t n = view_stem(s->name);

    return strcmp(s->name, name) == 0 ||
           (n == strlen(name) && strncmp(s->name, name, n) == 0);
}

static bool is_shown(const struct view_scope *s, const char *name)
{
    for (; s != NULL; s = s->next) {
        for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
            if (v->shown && !v->clock && is_called(s, name)) {
                return true;
            }
        }
        if (is_shown(s->first, name)) {
            return true;
        }
    }
    return false;
}

void view_missing_write(const struct view_tree *t, const struct view *v,
                        struct view_out *o)
{
    char row[128] = "";
    size_t n = 0;

    for (size_t i = 0; t->scoped && i < ARRAY_LEN(parts); i++) {
        if ((parts[i].views & OF(v->name)) != 0 && !is_shown(t->root, parts[i].scope)) {
            n += (size_t)snprintf(row + n, sizeof(row) - n, "%s%s",
                                  n == 0 ? "not traced: " : ", ", parts[i].words);
        }
    }
    if (n > 0) {
        o->to->heading(o, row);
    }
}

/* ---- the conflicts ---- */

static const struct view_var *named(const struct view_scope *s, const char *name)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (strcmp(v->name, name) == 0 && v->shown) {
            return v;
        }
    }
    return NULL;
}

/* The scope with the event "conflict": the first in which it happened, else *any is the
 * first that has it. */
static const struct view_scope *find_conflicts(const struct view_scope *s,
                                               const struct view_scope **any)
{
    for (; s != NULL; s = s->next) {
        const struct view_var *v = named(s, "conflict");
        const struct view_scope *below;

        if (v != NULL && v->kind == VIEW_EVENT) {
            *any = *any != NULL ? *any : s;
            if (v->active) {
                return s;
            }
        }
        below = find_conflicts(s->first, any);
        if (below != NULL) {
            return below;
        }
    }
    return NULL;
}

/* The row of the first bank that was at work beside the crossbar s. */
static const struct view_var *bank_row(const struct view_scope *s,
                                       const struct view_scope **bank)
{
    const struct view_var *first = NULL;

    for (const struct view_scope *b = s->parent != NULL ? s->parent->first : NULL;
         b != NULL; b = b->next) {
        const struct view_var *row = is_called(b, "bank") ? named(b, "row") : NULL;

        if (row != NULL && (first == NULL || (row->active && !first->active))) {
            first = row;
            *bank = b;
        }
    }
    return first;
}

static void row(const struct view_tree *t, struct view_out *o, const struct view_var *v,
                const char *alias, uint32_t flags, enum gtkw_colour colour)
{
    if (v != NULL && view_never_fired(t, v)) {
        o->to->never(o, alias);
    } else if (v != NULL) {
        o->to->trace(o, &(struct gtkw_trace){.flags = flags,
                                             .colour = colour,
                                             .alias = alias,
                                             .name = v->path});
    }
}

static bool is_at_work(const struct view_scope *s)
{
    for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
        if (v->shown && v->active && !v->clock) {
            return true;
        }
    }
    return false;
}

void view_conflicts_write(const struct view_tree *t, const struct view *v,
                          struct view_out *o)
{
    const struct view_scope *any = NULL, *bank = NULL;
    const struct view_scope *s = find_conflicts(t->root, &any);
    const struct view_var *of_bank;
    char label[64];
    bool grouped, idle;

    s = s != NULL ? s : any;
    if (s == NULL) {
        return;
    }
    grouped = v->name == VIEW_OVERVIEW; /* for the banks each row counts */
    idle = t->complete && !is_at_work(s);
    if (grouped) {
        o->to->begin(o, "conflicts", idle);
    } else if (idle) {
        o->to->heading(o, "shared memory: never used");
        return;
    }
    row(t, o, named(s, "conflict"), "conflict", GTKW_BITS, GTKW_RED);
    row(t, o, named(s, "degree"), "degree", GTKW_DECIMAL, GTKW_ORANGE);
    row(t, o, named(s, "lane_mask"), "lanes served", GTKW_DECIMAL | GTKW_COUNT,
        GTKW_ORANGE);
    if (!grouped) {
        return;
    }
    of_bank = bank_row(s, &bank);
    if (of_bank != NULL) {
        snprintf(label, sizeof(label), "row of %s", bank->name);
        row(t, o, of_bank, label, GTKW_DECIMAL, GTKW_ORANGE);
    }
    o->to->end(o, "conflicts", idle);
}

/* ---- the way of a request ---- */

/* Scopes from the SM to the DRAM and back. */
static const struct {
    const char *scope, *row;
    enum gtkw_colour colour;
} way[] = {
    {"l1", "hit", GTKW_ORANGE},      {"l1", "miss", GTKW_ORANGE},
    {"l1", "mshrs", GTKW_ORANGE},    {"req", "waiting", GTKW_VIOLET},
    {"l2", "hit", GTKW_GREEN},       {"l2", "miss", GTKW_GREEN},
    {"l2", "mshrs", GTKW_GREEN},     {"dram", "reads", GTKW_BLUE},
    {"dram", "writes", GTKW_BLUE},   {"dram", "row_miss", GTKW_BLUE},
    {"rsp", "waiting", GTKW_VIOLET},
};

/* The first of that name that did something, else *any is the first of all. */
static const struct view_scope *find_part(const struct view_scope *s, const char *name,
                                          const struct view_scope **any)
{
    for (; s != NULL; s = s->next) {
        const struct view_scope *below;

        if (is_called(s, name)) {
            *any = *any != NULL ? *any : s;
            if (is_at_work(s)) {
                return s;
            }
        }
        below = find_part(s->first, name, any);
        if (below != NULL) {
            return below;
        }
    }
    return NULL;
}

static const struct view_scope *part_of(const struct view_tree *t, const char *name)
{
    const struct view_scope *any = NULL, *s = find_part(t->root, name, &any);

    return s != NULL ? s : any;
}

/* "part5 l2 miss", in one row whatever it is: all of the way is to be seen at once. */
static void way_row(const struct view_tree *t, struct view_out *o,
                    const struct view_scope *s, const struct view_var *v,
                    enum gtkw_colour colour)
{
    char label[96];

    snprintf(label, sizeof(label), "%s%s%s %s",
             s->parent != NULL ? s->parent->name : "", s->parent != NULL ? " " : "",
             s->name, v->name);
    if (view_never_fired(t, v)) {
        o->to->never(o, label);
        return;
    }
    o->to->trace(o,
                 &(struct gtkw_trace){.flags = v->kind == VIEW_CURVE   ? GTKW_CURVE
                                               : v->kind == VIEW_EVENT ? GTKW_BITS
                                                                       : GTKW_DECIMAL,
                                      .colour = colour,
                                      .alias = label,
                                      .name = v->path,
                                      .low = true});
}

/* Where more than the L1 is traced: else it is all there is in the view. */
static void view_way_write(const struct view_tree *t, struct view_out *o)
{
    if (!is_shown(t->root, "l2") && !is_shown(t->root, "dram")) {
        return;
    }
    o->to->begin(o, "way of a request", false);
    for (size_t i = 0; i < ARRAY_LEN(way); i++) {
        const struct view_scope *s = part_of(t, way[i].scope);
        const struct view_var *v = s == NULL ? NULL : named(s, way[i].row);

        if (v != NULL) {
            way_row(t, o, s, v, way[i].colour);
        }
    }
    o->to->end(o, "way of a request", false);
}

/* ---- all of it ---- */

void view_body_write(const struct view_tree *t, const struct view *v,
                     struct view_out *o)
{
    view_title_write(t, o);
    view_missing_write(t, v, o);
    if (v->name == VIEW_OVERVIEW || v->name == VIEW_BANKS) {
        view_conflicts_write(t, v, o);
    }
    if (v->name == VIEW_MEMORY) {
        view_way_write(t, o);
    }
    view_rows_write(t, v, o);
}
