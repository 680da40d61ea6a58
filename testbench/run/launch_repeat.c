/*
 * launch_repeat.c - the key repeat of a launch file:
 *
 *   - repeat: {times: 4, var: i}
 *     launches:
 *       - {kernel: step, grid: [8], block: [64], args: [d, i * 512, {f32: i / 2}]}
 *
 * The launches stand in its place four times. A number in them may be an expression
 * (io/expr.h) of the variables of the repeats around it, which count from 0.
 */
#include "io/expr.h"
#include "io/file.h"
#include "run/launch_file.h"
#include "run/launch_keys.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8, MAX_LAUNCHES = 100000, MAX_NODES = 20 * MAX_LAUNCHES };

struct round { /* of one repeat */
    const char *name;
    uint64_t now;
    const struct round *outer;
};

struct copier {
    struct launch_file *l;
    struct smw_err *e;
    struct yaml_node **last; /* where the next launch is hung */
    uint32_t n, n_rounds, n_nodes;
};

static const struct round *find(const struct round *r, const char *name)
{
    while (r != NULL && strcmp(r->name, name) != 0) {
        r = r->outer;
    }
    return r;
}

static bool is_other(void *ctx, const struct expr *x, const char *name, uint32_t offset)
{
    (void)x;
    (void)offset;
    return find(ctx, name) == NULL; /* go on until one is a variable */
}

static void value_of(void *ctx, const char *name, struct expr_value *out)
{
    const struct round *const r = find(ctx, name);

    if (r != NULL) {
        *out = (struct expr_value){.kind = EXPR_NUMBER, .number = (double)r->now};
    }
}

/* The text of a scalar, with the value of an expression in its place. */
static bool evaluate(struct copier *c, const struct round *r, struct yaml_node *n)
{
    struct smw_err ignored = {0};
    struct expr *const x = expr_parse(n->text, &c->l->yaml, n, SMW_ERR_INPUT, &ignored);
    struct expr_value v = {.kind = EXPR_NONE};
    char *text;
    bool ok;

    if (x == NULL || expr_names(x, is_other, (void *)(uintptr_t)r)) {
        expr_free(x);
        return true; /* no expression, or of no variable */
    }
    ok = expr_eval(x, value_of, (void *)(uintptr_t)r, &v, c->e);
    expr_free(x);
    if (ok && v.kind != EXPR_NUMBER) {
        return yaml_refuse(&c->l->yaml, n, SMW_ERR_INPUT, c->e,
                           "'%s' has no value in round %llu: it may use only the "
                           "variables of repeat",
                           n->text, (unsigned long long)r->now);
    }
    text = ok ? yaml_alloc(&c->l->yaml, EXPR_NUMBER_SIZE) : NULL;
    if (text == NULL) {
        return ok ? err_set(c->e, SMW_ERR_NOMEM, "no memory for a launch") : false;
    }
    expr_print(v.number, text);
    n->text = text;
    return true;
}

/* A copy of n and of what is below it, not of its siblings; NULL and *e. */
static struct yaml_node *copy(struct copier *c, const struct round *r,
                              const struct yaml_node *n)
{
    struct yaml_node *const to = yaml_alloc(&c->l->yaml, sizeof(*to));
    struct yaml_node **last;

    if (to == NULL || ++c->n_nodes > MAX_NODES) {
        yaml_refuse(&c->l->yaml, n, to == NULL ? SMW_ERR_NOMEM : SMW_ERR_INPUT, c->e,
                    "repeats make too much of this");
        return NULL;
    }
    *to = *n;
    to->next = NULL;
    to->first = NULL;
    last = &to->first;
    for (const struct yaml_node *k = n->first; k != NULL; k = k->next) {
        struct yaml_node *const child = copy(c, r, k);

        if (child == NULL) {
            return NULL;
        }
        *last = child;
        last = &child->next;
    }
    if (n->kind == YAML_SCALAR &&
        (n->key == NULL || strcmp(n->key->text, "kernel") != 0) &&
        !evaluate(c, r, to)) {
        return NULL;
    }
    return to;
}

static bool take_launches(struct copier *c, const struct round *r, uint32_t depth,
                          struct yaml_node *first);

static bool check_var(struct copier *c, const struct yaml_node *n,
                      const struct round *outer)
{
    if (!value_need(&c->l->yaml, n, YAML_SCALAR, "var", c->e)) {
        return false;
    }
    if (strspn(n->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_") != strlen(n->text) ||
        n->text[0] == '\0' || (n->text[0] >= '0' && n->text[0] <= '9')) {
        return yaml_refuse(&c->l->yaml, n, SMW_ERR_INPUT, c->e,
                           "var: '%s' is no name of letters, digits and underscores",
                           n->text);
    }
    if (launch_find_buffer(c->l, n->text) >= 0 || find(outer, n->text) != NULL) {
        return yaml_refuse(&c->l->yaml, n, SMW_ERR_INPUT, c->e,
                           "var: '%s' is the name of %s", n->text,
                           find(outer, n->text) != NULL ? "a variable around it"
                                                        : "a buffer");
    }
    return true;
}

static bool repeat(struct copier *c, const struct round *outer, uint32_t depth,
                   const struct yaml_node *n)
{
    const struct yaml *const y = &c->l->yaml;
    const struct yaml_node *times, *var, *what, *launches;
    struct round r = {.name = "", .outer = outer};
    uint64_t n_times = 0;

    if (depth == MAX_DEPTH) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, c->e,
                           "repeats inside each other deeper than %d", MAX_DEPTH);
    }
    if (!launch_check_map(y, n, LAUNCH_REPEAT, c->e)) {
        return false;
    }
    what = yaml_get(n, "repeat");
    launches = yaml_get(n, "launches");
    if (!launch_check_map(y, what, LAUNCH_TIMES, c->e) ||
        !value_need(y, launches, YAML_LIST, "launches", c->e)) {
        return false;
    }
    times = yaml_get(what, "times");
    var = yaml_get(what, "var");
    if (!value_read_u64(y, times, "times", 1, MAX_LAUNCHES, &n_times, c->e) ||
        (var != NULL && !check_var(c, var, outer))) {
        return false;
    }
    r.name = var != NULL ? var->text : "";
    for (; r.now < n_times && launches->n != 0; r.now++) {
        if (++c->n_rounds > MAX_LAUNCHES) {
            return yaml_refuse(y, times, SMW_ERR_INPUT, c->e,
                               "repeats have more than %d rounds", MAX_LAUNCHES);
        }
        if (!take_launches(c, &r, depth + 1, launches->first)) {
            return false;
        }
    }
    return true;
}

static bool take_one(struct copier *c, const struct round *r, uint32_t depth,
                     struct yaml_node *n)
{
    struct yaml_node *one = n;

    if (n->kind == YAML_MAP && yaml_get(n, "repeat") != NULL) {
        return repeat(c, r, depth, n);
    }
    if (c->n == MAX_LAUNCHES && r != NULL) {
        return yaml_refuse(&c->l->yaml, n, SMW_ERR_INPUT, c->e,
                           "repeats make more than %d launches", MAX_LAUNCHES);
    }
    if (r != NULL) {
        one = copy(c, r, n);
    }
    if (one == NULL) {
        return false;
    }
    *c->last = one;
    c->last = &one->next;
    c->n++;
    return true;
}

static bool take_launches(struct copier *c, const struct round *r, uint32_t depth,
                          struct yaml_node *first)
{
    for (struct yaml_node *n = first, *next; n != NULL; n = next) {
        next = n->next; /* taking n may hang it elsewhere */
        if (!take_one(c, r, depth, n)) {
            return false;
        }
    }
    return true;
}

bool launch_repeat(struct launch_file *l, struct yaml_node *launches, struct smw_err *e)
{
    struct yaml_node *first = launches->first;
    struct copier c = {.l = l, .e = e, .last = &launches->first};

    for (const struct yaml_node *n = first; n != NULL; n = n->next) {
        if (n->kind == YAML_MAP && yaml_get(n, "repeat") != NULL) {
            launches->first = NULL;
            if (!take_launches(&c, NULL, 0, first)) {
                return false;
            }
            *c.last = NULL;
            launches->n = c.n;
            return true;
        }
    }
    return true;
}
