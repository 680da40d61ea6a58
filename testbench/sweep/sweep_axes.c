#include "sweep/sweep_priv.h"

#include "io/file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes ---- */

static struct sweep_dim *add_dim(struct sweep_reader *r, uint64_t n)
{
    struct sweep *s = r->s;

    s->dims = tb_realloc(s->dims, (s->n_dims + 1) * sizeof(*s->dims));
    s->dims[s->n_dims] = (struct sweep_dim){.n = n};
    return &s->dims[s->n_dims++];
}

static struct sweep_axis *add_axis(struct sweep_dim *d, const struct sweep_key *key)
{
    d->axes = tb_realloc(d->axes, (d->n_axes + 1) * sizeof(*d->axes));
    d->axes[d->n_axes] = (struct sweep_axis){.key = *key};
    return &d->axes[d->n_axes++];
}

static bool add_part(struct sweep_reader *r, struct sweep_axis *a, uint64_t *n,
                     const struct sweep_part *part)
{
    if (part->n > UINT64_MAX - *n) {
        return yaml_refuse(&r->s->yaml, part->value.at, SMW_ERR_INPUT, r->e,
                           "the list has more than 2^64 values");
    }
    a->parts = tb_realloc(a->parts, (a->n_parts + 1) * sizeof(*a->parts));
    a->parts[a->n_parts] = *part;
    a->parts[a->n_parts++].start = *n;
    *n += part->n;
    return true;
}

/* A key varies once. */
static bool check_new(struct sweep_reader *r, const struct sweep_key *key,
                      const struct sweep_dim *but)
{
    for (uint32_t i = 0; i < r->s->n_dims; i++) {
        const struct sweep_dim *d = &r->s->dims[i];

        for (uint32_t j = 0; d != but && j < d->n_axes; j++) {
            if (strcmp(d->axes[j].key.name, key->name) == 0) {
                return yaml_refuse(&r->s->yaml, key->at, SMW_ERR_INPUT, r->e,
                                   "'%s' varies already, from line %" PRIu32 " on",
                                   key->name, d->axes[j].key.at->line);
            }
        }
    }
    return true;
}

/* One item of the values of an axis: a value or a range. */
static bool add_item(struct sweep_reader *r, struct sweep_axis *a, uint64_t *n,
                     const struct yaml_node *item)
{
    struct sweep_part part = {.n = 1};

    if (sweep_read_range(r, item, &part)) {
        return add_part(r, a, n, &part);
    }
    if (r->e->kind != SMW_ERR_NONE || !sweep_check_value(r, &a->key, item)) {
        return false;
    }
    part.value = (struct sweep_value){.text = sweep_text(&a->key, item), .at = item};
    if (add_part(r, a, n, &part)) {
        return true;
    }
    free(part.value.text);
    return false;
}

/* The values of a key of grid or zip; *n: how many. */
static bool read_axis(struct sweep_reader *r, struct sweep_dim *d,
                      const struct yaml_node *v, uint64_t *n)
{
    struct sweep_key key;
    struct sweep_axis *a;

    *n = 0;
    if (!sweep_read_key(r, v->key, &key) || !check_new(r, &key, NULL)) {
        return false;
    }
    a = add_axis(d, &key);
    if (v->kind != YAML_LIST) {
        return add_item(r, a, n, v);
    }
    if (v->n == 0) {
        return yaml_refuse(&r->s->yaml, v, SMW_ERR_INPUT, r->e, "%s has no values",
                           key.name);
    }
    for (const struct yaml_node *item = v->first; item != NULL; item = item->next) {
        if (!add_item(r, a, n, item)) {
            return false;
        }
    }
    return true;
}

bool sweep_read_grid(struct sweep_reader *r, const struct yaml_node *n)
{
    if (!value_need(&r->s->yaml, n, YAML_MAP, "grid", r->e)) {
        return false;
    }
    for (const struct yaml_node *v = n->first; v != NULL; v = v->next) {
        uint64_t count;
        struct sweep_dim *d = add_dim(r, 1);

        if (!read_axis(r, d, v, &count)) {
            return false;
        }
        d->n = count;
    }
    return true;
}

bool sweep_read_zip(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep_dim *d;

    if (!value_need(&r->s->yaml, n, YAML_MAP, "zip", r->e)) {
        return false;
    }
    if (n->n == 0) {
        return yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e, "zip is empty");
    }
    d = add_dim(r, 0);
    for (const struct yaml_node *v = n->first; v != NULL; v = v->next) {
        uint64_t count;

        if (!read_axis(r, d, v, &count)) {
            return false;
        }
        if (d->n == 0) {
            d->n = count;
        }
        if (count != d->n) {
            yaml_refuse(&r->s->yaml, v, SMW_ERR_INPUT, r->e,
                        "'%s' has %" PRIu64 " value%s, but '%s' has %" PRIu64,
                        v->key->text, count, count == 1 ? "" : "s", n->first->key->text,
                        d->n);
            err_hint(r->e, "what is zipped advances together; grid combines");
            return false;
        }
    }
    return true;
}

/* ---- list ---- */

static struct sweep_axis *list_axis(struct sweep_reader *r, struct sweep_dim *d,
                                    const struct yaml_node *v)
{
    struct sweep_axis *a;
    struct sweep_key key;

    if (!sweep_read_key(r, v->key, &key) || !check_new(r, &key, d)) {
        return NULL;
    }
    for (uint32_t i = 0; i < d->n_axes; i++) {
        if (strcmp(d->axes[i].key.name, key.name) == 0) {
            return &d->axes[i];
        }
    }
    a = add_axis(d, &key);
    a->parts = tb_alloc(d->n * sizeof(*a->parts));
    a->n_parts = (uint32_t)d->n;
    for (uint32_t i = 0; i < a->n_parts; i++) {
        a->parts[i].start = i;
        a->parts[i].n = 1;
    }
    return a;
}

static bool read_choice(struct sweep_reader *r, struct sweep_dim *d,
                        const struct yaml_node *choice, uint32_t index)
{
    const struct yaml *y = &r->s->yaml;

    if (!value_need(y, choice, YAML_MAP, "a choice of list", r->e)) {
        return false;
    }
    if (choice->n == 0) {
        return yaml_refuse(y, choice, SMW_ERR_INPUT, r->e, "the choice is empty");
    }
    for (const struct yaml_node *v = choice->first; v != NULL; v = v->next) {
        struct sweep_axis *a = list_axis(r, d, v);
        struct sweep_part range;

        if (a == NULL || !sweep_check_value(r, &a->key, v)) {
            return false;
        }
        if (sweep_read_range(r, v, &range)) {
            yaml_refuse(y, v, SMW_ERR_INPUT, r->e,
                        "a choice takes one value, not a range");
            err_hint(r->e, "grid takes ranges");
        }
        if (r->e->kind != SMW_ERR_NONE) {
            return false;
        }
        a->parts[index].value =
            (struct sweep_value){.text = sweep_text(&a->key, v), .at = v};
    }
    return true;
}

bool sweep_read_list(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep_dim *d;
    uint32_t index = 0;

    if (!value_need(&r->s->yaml, n, YAML_LIST, "list", r->e)) {
        return false;
    }
    if (n->n == 0) {
        return yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e, "list is empty");
    }
    d = add_dim(r, n->n);
    for (const struct yaml_node *c = n->first; c != NULL; c = c->next) {
        if (!read_choice(r, d, c, index++)) {
            return false;
        }
    }
    return true;
}
