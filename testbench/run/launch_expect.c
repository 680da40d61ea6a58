/* The key expect of a launch file. */
#include "run/launch_file.h"

#include "io/file.h"
#include "run/launch_keys.h"
#include <stdlib.h>
#include <string.h>

static bool read_hash(const struct yaml *y, const struct yaml_node *n, uint64_t *out,
                      struct smw_err *e)
{
    size_t digits;

    if (!value_need(y, n, YAML_SCALAR, "fnv1a", e)) {
        return false;
    }
    digits = strspn(n->text, "0123456789abcdefABCDEF");
    if (digits != 16 || n->text[16] != '\0') {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "fnv1a: '%s' is not 16 hexadecimal digits", n->text);
    }
    *out = strtoull(n->text, NULL, 16);
    return true;
}

static bool read_sum(const struct yaml *y, const struct yaml_node *n,
                     struct launch_expect *x, struct smw_err *e)
{
    x->check = CHECK_SUM;
    x->sum_at = n;
    return value_read_f64(y, n, "sum", &x->sum, e);
}

/* The value of equals: a form, or {fnv1a: HEX}, or {sum: V}. */
static bool read_equals(struct launch_file *l, const struct yaml_node *n,
                        struct launch_expect *x, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;
    struct value_init probe;

    if (n->kind == YAML_MAP) {
        if (!launch_check_map(y, n, LAUNCH_EQUALS, e)) {
            return false;
        }
        if (n->n != 1) {
            return yaml_refuse(
                y, n, SMW_ERR_INPUT, e,
                "equals takes one of fill, iota, file, random, fnv1a, sum");
        }
        if (strcmp(n->first->key->text, "fnv1a") == 0) {
            x->check = CHECK_FNV1A;
            return read_hash(y, n->first, &x->fnv1a, e);
        }
        if (strcmp(n->first->key->text, "sum") == 0) {
            return read_sum(y, n->first, x, e);
        }
    }
    x->form = n;
    return value_read_init(y, n, x->has_type ? x->type : VALUE_F64, &probe, e);
}

/* What is looked at: a buffer of the file, or a symbol of the module. */
static bool read_subject(struct launch_file *l, const struct yaml_node *n,
                         struct launch_expect *x, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;
    const struct yaml_node *buffer = yaml_get(n, "buffer");
    const struct yaml_node *symbol = yaml_get(n, "symbol");
    const struct yaml_node *type = yaml_get(n, "type");

    if ((buffer == NULL) == (symbol == NULL)) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "an expectation names either a buffer or "
                           "a symbol");
    }
    x->buffer = -1;
    x->what = buffer != NULL ? buffer : symbol;
    if (!value_need(y, x->what, YAML_SCALAR, buffer != NULL ? "buffer" : "symbol", e)) {
        return false;
    }
    x->name = x->what->text;
    if (type != NULL) {
        x->has_type = true;
        if (!value_read_type(y, type, &x->type, e)) {
            return false;
        }
    }
    if (buffer == NULL) {
        return true;
    }
    x->buffer = launch_find_buffer(l, x->name);
    if (x->buffer < 0) {
        return launch_unknown_buffer(l, buffer, e);
    }
    if (type != NULL) {
        return yaml_refuse(y, type->key, SMW_ERR_INPUT, e,
                           "the type of a buffer is given where the buffer is");
    }
    x->has_type = true;
    x->type = l->buffers[x->buffer].type;
    return true;
}

static bool read_count(struct launch_file *l, const struct yaml_node *n,
                       struct launch_expect *x, struct smw_err *e)
{
    if (n == NULL) {
        return true;
    }
    if (!value_read_u64(&l->yaml, n, "count", 1, UINT32_MAX, &x->count, e)) {
        return false;
    }
    if (x->buffer >= 0 && x->count > l->buffers[x->buffer].count) {
        return yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e,
                           "count: buffer '%s' has only %llu elements", x->name,
                           (unsigned long long)l->buffers[x->buffer].count);
    }
    return true;
}

static bool read_tolerance(struct launch_file *l, const struct yaml_node *n,
                           const struct launch_expect *x, double *out,
                           struct smw_err *e)
{
    const char *const name = n == NULL ? "" : n->key->text;

    if (n == NULL) {
        return true;
    }
    if (!value_read_f64(&l->yaml, n, name, out, e)) {
        return false;
    }
    if (!(*out >= 0)) {
        return yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e,
                           "%s: %s is not a number of 0 or more", name, n->text);
    }
    if (x->check == CHECK_FNV1A) {
        return yaml_refuse(&l->yaml, n->key, SMW_ERR_INPUT, e,
                           "a hash has no tolerance: it matches or not");
    }
    return true;
}

static bool read_ulp(struct launch_file *l, const struct yaml_node *n,
                     struct launch_expect *x, struct smw_err *e)
{
    if (n == NULL) {
        return true;
    }
    if (x->check != CHECK_EQUALS || (x->has_type && !value_type_is_float(x->type))) {
        return yaml_refuse(&l->yaml, n->key, SMW_ERR_INPUT, e,
                           "ulp is for elements that are floats");
    }
    return value_read_u64(&l->yaml, n, "ulp", 0, UINT64_MAX, &x->ulp, e);
}

static bool read_expect(struct launch_file *l, const struct yaml_node *n,
                        struct launch_expect *x, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;
    const struct yaml_node *equals, *fnv1a, *sum;

    x->at = n;
    if (!launch_check_map(y, n, LAUNCH_EXPECT, e) || !read_subject(l, n, x, e)) {
        return false;
    }
    equals = yaml_get(n, "equals");
    fnv1a = yaml_get(n, "fnv1a");
    sum = yaml_get(n, "sum");
    if ((equals != NULL) + (fnv1a != NULL) + (sum != NULL) != 1) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "an expectation needs one of equals, fnv1a, sum");
    }
    if (fnv1a != NULL) {
        x->check = CHECK_FNV1A;
    }
    return (equals == NULL || read_equals(l, equals, x, e)) &&
           (fnv1a == NULL || read_hash(y, fnv1a, &x->fnv1a, e)) &&
           (sum == NULL || read_sum(y, sum, x, e)) &&
           read_count(l, yaml_get(n, "count"), x, e) &&
           read_tolerance(l, yaml_get(n, "tolerance"), x, &x->tolerance, e) &&
           read_tolerance(l, yaml_get(n, "relative"), x, &x->relative, e) &&
           read_ulp(l, yaml_get(n, "ulp"), x, e);
}

bool launch_read_expects(struct launch_file *l, const struct yaml_node *n,
                         struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_LIST, "expect", e)) {
        return false;
    }
    l->expects = tb_alloc(n->n * sizeof(*l->expects));
    for (const struct yaml_node *x = n->first; x != NULL; x = x->next) {
        if (!read_expect(l, x, &l->expects[l->n_expects], e)) {
            return false;
        }
        l->n_expects++;
    }
    return true;
}
