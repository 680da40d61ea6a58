#include "compare.h"

#include "base/arena.h"
#include "base/attr.h"
#include "base/nomem.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the dumps ---- */

struct value {
    char *text; /* bits without leading zeros; NULL: none yet */
    size_t capacity;
    uint32_t pair; /* of common variables; READER_NONE: none */
    bool fired, changed;
    bool vector; /* its text is bits */
    bool number; /* at most 64 bits, all known: bits */
    uint64_t bits;
};

struct side {
    struct reader *r;
    struct value *value; /* by signal */
    uint32_t *changed;   /* signals that changed at this time */
    uint32_t n_changed;
    uint64_t next; /* time of the changes not read yet */
    bool begun;    /* there was a time */
    bool ended;    /* there are none */
};

struct pair { /* a variable that both have */
    const char *path;
    uint32_t var; /* of the first dump */
    uint32_t signal[2];
    bool event, vector;
    bool set; /* it differs at time 0: not compared */
};

struct compare {
    struct arena arena;
    struct side side[2];
    struct pair *pair;
    const struct compare_listener *listener; /* NULL: none */
    uint32_t n_pairs;
};

/* ---- matching ---- */

struct name {
    const char *path;
    uint32_t var;
};

/* Names that are said twice keep their order. */
static int by_path(const void *a, const void *b)
{
    const struct name *m = a, *n = b;
    int order = strcmp(m->path, n->path);

    return order != 0 ? order : m->var < n->var ? -1 : m->var > n->var;
}

static int by_declaration(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;

    return p->var < q->var ? -1 : p->var > q->var;
}

static bool is_clock(const struct reader_var *v)
{
    return strcmp(v->name, "clk") == 0 ||
           (strcmp(v->name, "cycle") == 0 && v->kind == READER_INTEGER);
}

static uint32_t list_names(struct compare *c, const struct reader *r, struct name *out)
{
    char path[READER_MAX_PATH];
    uint32_t n = 0;

    for (uint32_t i = 0; i < reader_vars(r); i++) {
        if (!is_clock(reader_var(r, i))) {
            reader_path(r, reader_var(r, i), path, sizeof(path));
            out[n++] = (struct name){arena_strdup(&c->arena, path), i};
        }
    }
    return n;
}

static bool are_comparable(const struct reader_var *a, const struct reader_var *b)
{
    return a->kind == b->kind ||
           (a->kind <= READER_INTEGER && b->kind <= READER_INTEGER);
}

static bool add_pair(struct compare *c, const struct name *a, const struct name *b)
{
    const struct reader_var *va = reader_var(c->side[0].r, a->var);
    const struct reader_var *vb = reader_var(c->side[1].r, b->var);

    if (!are_comparable(va, vb)) {
        return false;
    }
    c->pair[c->n_pairs++] = (struct pair){.path = a->path,
                                          .var = a->var,
                                          .signal = {va->signal, vb->signal},
                                          .event = va->kind == READER_EVENT,
                                          .vector = va->kind <= READER_INTEGER};
    return true;
}

static void note(const struct compare *c, enum compare_note which, const char *path)
{
    if (c->listener != NULL) {
        c->listener->note(c->listener->ctx, which, path, NULL, NULL);
    }
}

/* Fill c->pair in the order of a's variables. */
static void match(struct compare *c, struct compare_result *out)
{
    struct reader *a = c->side[0].r, *b = c->side[1].r;
    struct name *in_a =
        arena_alloc(&c->arena, (reader_vars(a) + (size_t)1) * sizeof(*in_a));
    struct name *in_b =
        arena_alloc(&c->arena, (reader_vars(b) + (size_t)1) * sizeof(*in_b));
    uint32_t n_a = list_names(c, a, in_a), n_b = list_names(c, b, in_b);

    c->pair = arena_alloc(&c->arena, (n_a + (size_t)1) * sizeof(*c->pair));
    qsort(in_a, n_a, sizeof(*in_a), by_path);
    qsort(in_b, n_b, sizeof(*in_b), by_path);
    for (uint32_t i = 0, k = 0; i < n_a || k < n_b;) {
        int order = i == n_a ? 1 : k == n_b ? -1 : strcmp(in_a[i].path, in_b[k].path);

        if (order == 0 && !add_pair(c, &in_a[i], &in_b[k])) {
            note(c, COMPARE_ONLY_A, in_a[i].path);
            note(c, COMPARE_ONLY_B, in_b[k].path);
        } else if (order != 0) {
            note(c, order < 0 ? COMPARE_ONLY_A : COMPARE_ONLY_B,
                 order < 0 ? in_a[i].path : in_b[k].path);
        }
        i += order <= 0;
        k += order >= 0;
    }
    qsort(c->pair, c->n_pairs, sizeof(*c->pair), by_declaration);
    out->common = c->n_pairs;
    out->only[0] = n_a > c->n_pairs ? n_a - c->n_pairs : 0;
    out->only[1] = n_b > c->n_pairs ? n_b - c->n_pairs : 0;
}

/* ---- reading ---- */

static void begin_side(struct compare *c, struct side *s)
{
    uint32_t n = reader_signals(s->r);

    s->value = arena_alloc(&c->arena, (n + (size_t)1) * sizeof(*s->value));
    s->changed = arena_alloc(&c->arena, (n + (size_t)1) * sizeof(*s->changed));
    for (uint32_t i = 0; i < n; i++) {
        s->value[i].pair = READER_NONE;
    }
}

static void keep(struct side *s, const struct reader_change *c)
{
    struct value *v = &s->value[c->signal];
    const char *text = c->text;
    size_t n;

    if (v->pair == READER_NONE) {
        return;
    }
    while (v->vector && text[0] == '0' && text[1] != '\0') {
        text++;
    }
    n = strlen(text) + 1;
    if (n > v->capacity) {
        v->text = nomem_realloc(v->text, 2 * n);
        v->capacity = 2 * n;
    }
    memcpy(v->text, text, n);
    v->number = v->vector && c->known && n <= 65;
    v->bits = c->value;
    v->fired = true;
    if (!v->changed) {
        v->changed = true;
        s->changed[s->n_changed++] = c->signal;
    }
}

/* Read the changes up to the next time. What follows a $dumpoff is not looked at. */
static bool advance(struct side *s, struct smw_err *e)
{
    struct reader_change c;

    for (;;) {
        switch (reader_next(s->r, &c, e)) {
        case READER_CHANGE: keep(s, &c); break;
        case READER_TIME:
            if (s->begun && c.time == s->next) {
                break; /* said twice */
            }
            s->begun = true;
            s->next = c.time;
            return true;
        case READER_BEGUN:
        case READER_ON: break;
        case READER_OFF:
        case READER_END: s->ended = true; return true;
        case READER_FAILED: return false;
        }
    }
}

static void forget(struct side *s)
{
    for (uint32_t i = 0; i < s->n_changed; i++) {
        s->value[s->changed[i]].changed = false;
        s->value[s->changed[i]].fired = false;
    }
    s->n_changed = 0;
}

/* ---- comparing ---- */

static const char *shown(const struct pair *p, const struct value *v)
{
    if (p->event) {
        return v->fired ? "happens" : "does not happen";
    }
    return v->text != NULL ? v->text : "no value";
}

/* The signals of b may be those of several variables: each has its own pair. */
static bool differs(const struct compare *c, const struct pair *p)
{
    return strcmp(shown(p, &c->side[0].value[p->signal[0]]),
                  shown(p, &c->side[1].value[p->signal[1]])) != 0;
}

/* For people: numbers in decimal, texts without their escapes (blanks are \040). */
static void print_value(const struct compare *c, const struct pair *p, int side,
                        char *buf, size_t size)
{
    const struct value *v = &c->side[side].value[p->signal[side]];
    const char *text = shown(p, v);
    size_t n = 0;

    if (v->number && !p->event) {
        snprintf(buf, size, "%" PRIu64, v->bits);
        return;
    }
    for (; *text != '\0' && n + 1 < size; text++) {
        bool blank = strncmp(text, "\\040", 4) == 0;

        buf[n++] = (char)(blank ? ' ' : *text);
        text += blank ? 3 : 0;
    }
    buf[n] = '\0';
}

static void report(const struct compare *c, const struct pair *p,
                   struct compare_result *out)
{
    snprintf(out->path, sizeof(out->path), "%s", p->path);
    for (int i = 0; i < 2; i++) {
        print_value(c, p, i, out->value[i], sizeof(out->value[i]));
    }
}

/* What changed at this time; the number of pairs that are not equal now. */
static uint32_t compare_time(struct compare *c, struct compare_result *out)
{
    uint32_t n = 0, first = READER_NONE;

    for (int i = 0; i < 2; i++) {
        const struct side *s = &c->side[i];

        for (uint32_t k = 0; k < s->n_changed; k++) {
            uint32_t pair = s->value[s->changed[k]].pair;
            const struct pair *p = &c->pair[pair];
            bool counted = p->set || (i == 1 && c->side[0].value[p->signal[0]].changed);

            if (!counted && differs(c, p)) {
                n++;
                first = pair < first ? pair : first;
            }
        }
    }
    if (n > 0) {
        report(c, &c->pair[first], out);
    }
    return n;
}

/* At time 0 nothing has happened: what differs is how the two are built. */
static void set_aside(struct compare *c, struct compare_result *out)
{
    for (uint32_t i = 0; i < c->n_pairs; i++) {
        struct pair *p = &c->pair[i];
        char value[2][sizeof(out->value[0])];

        p->set = !p->event && differs(c, p);
        out->set += p->set;
        if (p->set && c->listener != NULL) {
            print_value(c, p, 0, value[0], sizeof(value[0]));
            print_value(c, p, 1, value[1], sizeof(value[1]));
            c->listener->note(c->listener->ctx, COMPARE_SET, p->path, value[0],
                              value[1]);
        }
    }
}

static enum compare_verdict walk(struct compare *c, struct compare_result *out,
                                 struct smw_err *e)
{
    struct side *a = &c->side[0], *b = &c->side[1];

    if (!advance(a, e) || !advance(b, e)) { /* to the first times */
        return COMPARE_FAILED;
    }
    while (!a->ended || !b->ended) {
        bool go_a = !a->ended && (b->ended || a->next <= b->next);
        bool go_b = !b->ended && (a->ended || b->next <= a->next);

        out->time = go_a ? a->next : b->next;
        if ((go_a && !advance(a, e)) || (go_b && !advance(b, e))) {
            return COMPARE_FAILED;
        }
        if (out->time == 0 && go_a && go_b) {
            set_aside(c, out);
        }
        out->differing = compare_time(c, out);
        if (out->differing > 0) {
            return COMPARE_DIFFER;
        }
        forget(a);
        forget(b);
        if (a->ended != b->ended) {
            out->ended[0] = a->ended;
            out->ended[1] = b->ended;
            return COMPARE_DIFFER;
        }
    }
    return COMPARE_SAME;
}

static void pair_up(struct compare *c)
{
    for (uint32_t i = c->n_pairs; i-- > 0;) { /* the first of several names wins */
        c->side[0].value[c->pair[i].signal[0]].pair = i;
        c->side[1].value[c->pair[i].signal[1]].pair = i;
        c->side[0].value[c->pair[i].signal[0]].vector = c->pair[i].vector;
        c->side[1].value[c->pair[i].signal[1]].vector = c->pair[i].vector;
    }
}

static void without_blanks(const char *text, char *buf, size_t size)
{
    size_t n = 0;

    for (; *text != '\0' && n + 1 < size; text++) {
        if (*text != ' ') {
            buf[n++] = *text;
        }
    }
    buf[n] = '\0';
}

const char *compare_unit(const struct reader *r)
{
    const char *text;

    for (uint32_t i = 0; (text = reader_comment(r, i)) != NULL; i++) {
        if (strcmp(text, VIEW_TIME_IN_CYCLES) == 0) {
            return "cycle";
        }
    }
    return reader_timescale(r);
}

bool compare_units(const struct reader *a, const struct reader *b, struct smw_err *e)
{
    char unit_a[64], unit_b[64];

    without_blanks(compare_unit(a), unit_a, sizeof(unit_a));
    without_blanks(compare_unit(b), unit_b, sizeof(unit_b));
    return strcmp(unit_a, unit_b) == 0 ||
           err_set(e, SMW_ERR_INPUT, "the units of time differ: %.40s and %.40s",
                   compare_unit(a), compare_unit(b));
}

enum compare_verdict compare_dumps(struct reader *a, struct reader *b,
                                   const struct compare_listener *l,
                                   struct compare_result *out, struct smw_err *e)
{
    struct compare c = {.side = {{.r = a}, {.r = b}}, .listener = l};
    enum compare_verdict verdict = COMPARE_FAILED;

    memset(out, 0, sizeof(*out));
    if (!compare_units(a, b, e)) {
        return COMPARE_FAILED;
    }
    arena_init(&c.arena);
    begin_side(&c, &c.side[0]);
    begin_side(&c, &c.side[1]);
    match(&c, out);
    pair_up(&c);
    if (c.n_pairs == 0) {
        err_set(e, SMW_ERR_INPUT, "the dumps have no variable in common");
    } else {
        verdict = walk(&c, out, e);
    }
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < reader_signals(c.side[i].r); k++) {
            free(c.side[i].value[k].text);
        }
    }
    arena_free(&c.arena);
    return verdict;
}

/* ---- rows ---- */

struct leaf {
    const char *path;
    struct view_var *var;
};

static int by_leaf(const void *a, const void *b)
{
    return strcmp(((const struct leaf *)a)->path, ((const struct leaf *)b)->path);
}

static size_t count_leaves(const struct view_scope *s)
{
    size_t n = 0;

    for (; s != NULL; s = s->next) {
        for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
            n++;
        }
        n += count_leaves(s->first);
    }
    return n;
}

static size_t collect(struct arena *a, struct view_scope *s, struct leaf *out)
{
    size_t n = 0;

    for (; s != NULL; s = s->next) {
        for (struct view_var *v = s->vars; v != NULL; v = v->next) {
            out[n++] = (struct leaf){arena_printf(a, "%s.%s", s->path, v->name), v};
        }
        n += collect(a, s->first, out + n);
    }
    return n;
}

static struct leaf *sorted_leaves(struct view_tree *t, size_t *n)
{
    struct leaf *leaf =
        arena_alloc(t->arena, (count_leaves(t->root) + 1) * sizeof(*leaf));

    *n = collect(t->arena, t->root, leaf);
    qsort(leaf, *n, sizeof(*leaf), by_leaf);
    return leaf;
}

static void align(struct view_var *a, struct view_var *b)
{
    bool active = a->active || b->active, zero = a->zero && b->zero;

    a->active = active;
    b->active = active;
    a->zero = zero;
    b->zero = zero;
    a->hidden = a->kind != b->kind;
    b->hidden = a->hidden;
}

void compare_align(struct view_tree *a, struct view_tree *b)
{
    size_t n_a, n_b, i = 0, k = 0;
    struct leaf *in_a = sorted_leaves(a, &n_a), *in_b = sorted_leaves(b, &n_b);

    while (i < n_a || k < n_b) {
        int order = i == n_a ? 1 : k == n_b ? -1 : strcmp(in_a[i].path, in_b[k].path);

        if (order < 0) {
            in_a[i++].var->hidden = true;
        } else if (order > 0) {
            in_b[k++].var->hidden = true;
        } else {
            align(in_a[i++].var, in_b[k++].var);
        }
    }
    a->start = b->start = a->start < b->start ? a->start : b->start;
    a->end = b->end = a->end > b->end ? a->end : b->end;
    a->complete = b->complete = a->complete && b->complete;
}
