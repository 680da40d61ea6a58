/*
 * A dump in front of another one: its times are picoseconds, the other's are units of
 * its caller's making, such as cycles. Of all changes in a unit the last one of each
 * variable is passed on when the unit is over, in the order of their first ones; an
 * event that happened passes once.
 */
#include "dump.h"

#include "base/nomem.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_VARS = 256 };

enum due { DUE_NOTHING, DUE_VALUE, DUE_X, DUE_Z, DUE_TEXT, DUE_FIRE };

struct late { /* what a variable is to become */
    enum due due;
    uint64_t value;
    char *text;  /* owned */
    size_t room; /* for it */
};

struct dump_units {
    struct dump base;
    struct dump *to;
    struct arena *arena;
    uint64_t (*unit)(void *ctx, uint64_t t);
    void *ctx;
    uint64_t now; /* unit */
    bool begun;
    struct late *var; /* by id */
    dump_id *due;     /* those that are not DUE_NOTHING, in order */
    uint32_t n_vars, max_vars, n_due;
};

static struct dump_units *units_of(const struct dump *d)
{
    return (struct dump_units *)d;
}

/* ---- declaring ---- */

static void comment(struct dump *d, const char *text)
{
    dump_comment(units_of(d)->to, text);
}

static void scope(struct dump *d, const char *name)
{
    dump_scope(units_of(d)->to, name);
}

static void upscope(struct dump *d)
{
    dump_upscope(units_of(d)->to);
}

static void make_room(struct dump_units *c)
{
    uint32_t n = c->max_vars == 0 ? MIN_VARS : 2 * c->max_vars;
    struct late *var;

    if (c->n_vars < c->max_vars) {
        return;
    }
    var = arena_alloc(c->arena, n * sizeof(var[0]));
    if (c->n_vars > 0) {
        memcpy(var, c->var, c->n_vars * sizeof(var[0]));
    }
    c->var = var;
    c->due = arena_alloc(c->arena, n * sizeof(c->due[0])); /* nothing is due yet */
    c->max_vars = n;
}

static dump_id add(struct dump *d, const struct dump_var *v)
{
    struct dump_units *c = units_of(d);

    make_room(c);
    c->var[c->n_vars++] = (struct late){.due = DUE_NOTHING};
    return dump_add(c->to, v);
}

static size_t loader_name(const struct dump *d, dump_id id, char *buf, size_t size)
{
    return dump_loader_name(units_of(d)->to, id, buf, size);
}

static void begin(struct dump *d)
{
    dump_begin(units_of(d)->to);
    units_of(d)->begun = true;
}

/* ---- changes ---- */

static void pass_on(struct dump_units *c, dump_id id)
{
    struct late *v = &c->var[id];

    switch (v->due) {
    case DUE_NOTHING: break;
    case DUE_VALUE: dump_set(c->to, id, v->value); break;
    case DUE_X: dump_set_x(c->to, id); break;
    case DUE_Z: dump_set_z(c->to, id); break;
    case DUE_TEXT: dump_set_text(c->to, id, v->text); break;
    case DUE_FIRE: dump_fire(c->to, id); break;
    }
    v->due = DUE_NOTHING;
}

/* The unit is over. */
static void settle(struct dump_units *c)
{
    for (uint32_t i = 0; i < c->n_due; i++) {
        pass_on(c, c->due[i]);
    }
    c->n_due = 0;
}

static void set_time(struct dump *d, uint64_t t)
{
    struct dump_units *c = units_of(d);
    uint64_t unit = c->unit(c->ctx, t);

    if (unit != c->now) {
        settle(c);
        c->now = unit;
    }
    dump_time(c->to, unit);
}

/* What was due for the variable is not any more; NULL: there is no such one. */
static struct late *change(struct dump_units *c, dump_id id, enum due due)
{
    struct late *v = id < c->n_vars ? &c->var[id] : NULL;

    if (v == NULL) {
        return NULL;
    }
    if (v->due == DUE_NOTHING && c->begun) {
        c->due[c->n_due++] = id;
    }
    v->due = due;
    return v;
}

/* Initial values are of no unit. */
static void changed(struct dump_units *c, dump_id id)
{
    if (!c->begun) {
        pass_on(c, id);
    }
}

static void set(struct dump *d, dump_id id, uint64_t value)
{
    struct late *v = change(units_of(d), id, DUE_VALUE);

    if (v != NULL) {
        v->value = value;
        changed(units_of(d), id);
    }
}

static void set_x(struct dump *d, dump_id id)
{
    if (change(units_of(d), id, DUE_X) != NULL) {
        changed(units_of(d), id);
    }
}

static void set_z(struct dump *d, dump_id id)
{
    if (change(units_of(d), id, DUE_Z) != NULL) {
        changed(units_of(d), id);
    }
}

static void set_text(struct dump *d, dump_id id, const char *text)
{
    struct dump_units *c = units_of(d);

    if (id < c->n_vars) {
        c->var[id].text = nomem_put_text(c->var[id].text, &c->var[id].room, text);
        (void)change(c, id, DUE_TEXT);
        changed(c, id);
    }
}

static void fire(struct dump *d, dump_id id)
{
    if (change(units_of(d), id, DUE_FIRE) != NULL) {
        changed(units_of(d), id);
    }
}

static void off(struct dump *d)
{
    settle(units_of(d));
    dump_off(units_of(d)->to);
}

static int flush(struct dump *d)
{
    return dump_flush(units_of(d)->to);
}

static uint64_t bytes(const struct dump *d)
{
    return dump_bytes(units_of(d)->to);
}

static int close_both(struct dump *d, uint64_t *n)
{
    struct dump_units *c = units_of(d);

    settle(c);
    for (uint32_t i = 0; i < c->n_vars; i++) {
        free(c->var[i].text);
    }
    return dump_close(c->to, n);
}

struct dump *dump_in_units(struct dump *to, struct arena *arena,
                           uint64_t (*unit)(void *ctx, uint64_t t), void *ctx)
{
    struct dump_units *c = arena_alloc(arena, sizeof(*c));
    struct dump_format *format = arena_alloc(arena, sizeof(*format));

    *format = (struct dump_format){.comment = comment,
                                   .scope = scope,
                                   .upscope = upscope,
                                   .add = add,
                                   .loader_name = loader_name,
                                   .begin = begin,
                                   .time = set_time,
                                   .set = set,
                                   .set_x = set_x,
                                   .set_z = set_z,
                                   .set_text = set_text,
                                   .fire = fire,
                                   .off = off,
                                   .flush = flush,
                                   .bytes = bytes,
                                   .close = close_both,
                                   .words = to->format->words};
    c->base.format = format;
    c->to = to;
    c->arena = arena;
    c->unit = unit;
    c->ctx = ctx;
    return &c->base;
}
