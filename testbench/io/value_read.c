/* value_read.c - the scalars and forms of value.h, from YAML. */
#include "io/value.h"

#include "io/num.h"
#include "io/small_float.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- shapes ---- */

static const char *const kind_names[] = {
    [YAML_SCALAR] = "a single value", [YAML_MAP] = "a map", [YAML_LIST] = "a list"};

bool value_need(const struct yaml *y, const struct yaml_node *n, enum yaml_kind kind,
                const char *what, struct smw_err *e)
{
    if (n->kind == kind) {
        return true;
    }
    return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s must be %s, not %s", what,
                       kind_names[kind], yaml_kind_name(n));
}

bool value_check_keys(const struct yaml *y, const struct yaml_node *map,
                      const char *what, const char *const *names, uint32_t n_names,
                      uint32_t n_required, struct smw_err *e)
{
    if (!value_need(y, map, YAML_MAP, what, e)) {
        return false;
    }
    for (const struct yaml_node *n = map->first; n != NULL; n = n->next) {
        const char *nearest;
        bool known = false;

        for (uint32_t i = 0; i < n_names; i++) {
            known = known || strcmp(n->key->text, names[i]) == 0;
        }
        if (known) {
            continue;
        }
        yaml_refuse(y, n->key, SMW_ERR_INPUT, e, "unknown key '%s' in %s", n->key->text,
                    what);
        nearest = err_nearest(n->key->text, names, n_names);
        if (nearest != NULL) {
            err_hint(e, "did you mean '%s'?", nearest);
        }
        return false;
    }
    for (uint32_t i = 0; i < n_required; i++) {
        if (yaml_get(map, names[i]) == NULL) {
            return yaml_refuse(y, map, SMW_ERR_INPUT, e, "%s has no '%s'", what,
                               names[i]);
        }
    }
    return true;
}

bool value_check_map(const struct yaml *y, const struct yaml_node *map,
                     const char *what, const struct value_key *keys, uint32_t n,
                     struct smw_err *e)
{
    const char *names[VALUE_MAX_KEYS];
    uint32_t n_required = 0, at = 0;

    for (uint32_t pass = 0; pass < 2;
         pass++) { /* those that must be there come first */
        for (uint32_t i = 0; i < n && at < VALUE_MAX_KEYS; i++) {
            if (keys[i].required == (pass == 0)) {
                names[at++] = keys[i].name;
            }
        }
        n_required = pass == 0 ? at : n_required;
    }
    return value_check_keys(y, map, what, names, at, n_required, e);
}

/* ---- scalars ---- */

static bool out_of_range(const struct yaml *y, const struct yaml_node *n,
                         const char *what, uint64_t min, uint64_t max,
                         struct smw_err *e)
{
    if (max == UINT64_MAX) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "%s: %s is out of range, it may be %" PRIu64 " to 2^64 - 1",
                           what, n->text, min);
    }
    return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                       "%s: %s is out of range, it may be %" PRIu64 " to %" PRIu64,
                       what, n->text, min, max);
}

bool value_read_u64(const struct yaml *y, const struct yaml_node *n, const char *what,
                    uint64_t min, uint64_t max, uint64_t *out, struct smw_err *e)
{
    enum num_result r;
    uint64_t v = 0;

    if (!value_need(y, n, YAML_SCALAR, what, e)) {
        return false;
    }
    r = num_u64(n->text, &v);
    if (r == NUM_BAD) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s: '%s' is not a whole number",
                           what, n->text);
    }
    if (r == NUM_OVERFLOW || v < min || v > max) {
        return out_of_range(y, n, what, min, max, e);
    }
    *out = v;
    return true;
}

bool value_read_u32(const struct yaml *y, const struct yaml_node *n, const char *what,
                    uint32_t min, uint32_t max, uint32_t *out, struct smw_err *e)
{
    uint64_t v = 0;

    if (!value_read_u64(y, n, what, min, max, &v, e)) {
        return false;
    }
    *out = (uint32_t)v;
    return true;
}

bool value_read_f64(const struct yaml *y, const struct yaml_node *n, const char *what,
                    double *out, struct smw_err *e)
{
    if (!value_need(y, n, YAML_SCALAR, what, e)) {
        return false;
    }
    switch (num_f64(n->text, out)) {
    case NUM_OK: return true;
    case NUM_OVERFLOW:
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s: %s does not fit a double", what,
                           n->text);
    case NUM_BAD: break;
    }
    return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s: '%s' is not a number", what,
                       n->text);
}

bool value_read_bool(const struct yaml *y, const struct yaml_node *n, const char *what,
                     bool *out, struct smw_err *e)
{
    if (!value_need(y, n, YAML_SCALAR, what, e)) {
        return false;
    }
    if (strcmp(n->text, "true") != 0 && strcmp(n->text, "false") != 0) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s: '%s' is neither true nor false",
                           what, n->text);
    }
    *out = n->text[0] == 't';
    return true;
}

bool value_read_choice(const struct yaml *y, const struct yaml_node *n,
                       const char *what, const char *const *names, uint32_t n_names,
                       uint32_t *out, struct smw_err *e)
{
    char list[256] = "";
    const char *nearest;
    size_t used = 0;

    if (!value_need(y, n, YAML_SCALAR, what, e)) {
        return false;
    }
    for (uint32_t i = 0; i < n_names; i++) {
        if (strcmp(n->text, names[i]) == 0) {
            *out = i;
            return true;
        }
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 i == 0 ? "" : ", ", names[i]);
    }
    yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s: '%s' is not one of %s", what, n->text,
                list);
    nearest = err_nearest(n->text, names, n_names);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
    return false;
}

/* ---- numbers of a type ---- */

bool value_read_type(const struct yaml *y, const struct yaml_node *n,
                     enum value_type *out, struct smw_err *e)
{
    const char *names[VALUE_TYPES];
    uint32_t index = 0;

    for (uint32_t i = 0; i < VALUE_TYPES; i++) {
        names[i] = value_type_name((enum value_type)i);
    }
    if (!value_read_choice(y, n, "type", names, VALUE_TYPES, &index, e)) {
        return false;
    }
    *out = (enum value_type)index;
    return true;
}

static bool read_float(const struct yaml *y, const struct yaml_node *n,
                       enum value_type type, uint64_t *bits, struct smw_err *e)
{
    enum num_result r;

    *bits = 0;
    if (type == VALUE_F32) {
        float f = 0;

        r = num_f32(n->text, &f);
        memcpy(bits, &f, sizeof(f));
    } else {
        double d = 0;

        r = num_f64(n->text, &d);
        memcpy(bits, &d, sizeof(d));
        if (r == NUM_OK && small_float_is(type)) {
            *bits = small_float_bits(type, d);
            if (isfinite(d) && !isfinite(small_float_value(type, *bits))) {
                r = NUM_OVERFLOW;
            }
        }
    }
    if (r == NUM_BAD) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "'%s' is not a number", n->text);
    }
    if (r == NUM_OVERFLOW) { /* of small types too */
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s is too large for %s", n->text,
                           value_type_name(type));
    }
    return true;
}

static bool fits(struct num_int v, enum value_type type)
{
    uint32_t width = value_type_size(type) * 8;
    uint64_t max;

    if (value_type_is_signed(type)) {
        max = (UINT64_C(1) << (width - 1)) - 1;
        return v.magnitude <= max + v.negative;
    }
    max = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    return v.magnitude <= max && (!v.negative || v.magnitude == 0);
}

bool value_read_number(const struct yaml *y, const struct yaml_node *n,
                       enum value_type type, uint64_t *bits, struct smw_err *e)
{
    struct num_int v = {0};
    enum num_result r;
    double d;

    if (!value_need(y, n, YAML_SCALAR, "a number", e)) {
        return false;
    }
    if (value_type_is_float(type)) {
        return read_float(y, n, type, bits, e);
    }
    r = num_int(n->text, &v);
    if (r == NUM_BAD && num_f64(n->text, &d) == NUM_OK) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "%s is not a whole number, %s needs one", n->text,
                           value_type_name(type));
    }
    if (r == NUM_BAD) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "'%s' is not a number", n->text);
    }
    if (r == NUM_OVERFLOW || !fits(v, type)) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s does not fit %s", n->text,
                           value_type_name(type));
    }
    *bits = num_bits(v);
    return true;
}

/* ---- forms ---- */

const struct value_key value_form_keys[VALUE_FORM_KEYS] = {
    {"fill", "number", "every element has this value", false},
    {"iota", "iota",
     "[START, STEP]: element i is START + i * STEP; integers wrap, a step may be "
     "negative",
     false},
    {"file", "text",
     "a NumPy array (.npy) of the same type and number of elements, or a file of "
     "exactly "
     "the raw bytes, little-endian; relative to the launch file",
     false},
    {"random", "random", "numbers of the generator splitmix64, the same in every run",
     false},
};

const struct value_key value_random_keys[VALUE_RANDOM_KEYS] = {
    {"seed", "whole", "where the generator starts", true},
    {"mask", "word",
     "the bytes are 32-bit draws & MASK, whatever the type of the elements (all bits, "
     "unless said)",
     false},
    {"modulo", "positive",
     "one draw for each element, draw % MODULO, as a number of the element's type",
     false},
    {"offset", "integer", "added to draw % MODULO", false},
    {"uniform", "iota", "[A, B]: floats from A to below B, one draw for each", false},
    {"normal", "iota",
     "[MEAN, DEVIATION]: floats of the normal distribution, one draw for each", false},
};

/* A step may be negative whatever the type: it counts modulo 2^64. */
static bool read_step(const struct yaml *y, const struct yaml_node *n, uint64_t *step,
                      struct smw_err *e)
{
    struct num_int v = {0};

    if (!value_need(y, n, YAML_SCALAR, "the step of iota", e)) {
        return false;
    }
    switch (num_int(n->text, &v)) {
    case NUM_OK: *step = num_bits(v); return true;
    case NUM_OVERFLOW:
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s does not fit 64 bits", n->text);
    case NUM_BAD: break;
    }
    return yaml_refuse(y, n, SMW_ERR_INPUT, e, "'%s' is not a whole number", n->text);
}

static bool read_iota(const struct yaml *y, const struct yaml_node *n,
                      enum value_type type, struct value_init *out, struct smw_err *e)
{
    if (!value_need(y, n, YAML_LIST, "iota", e)) {
        return false;
    }
    if (n->n != 2) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "iota takes two numbers, [start, step], not %u", n->n);
    }
    if (value_type_is_float(type)) {
        return value_read_f64(y, n->first, "the start of iota", &out->start_f, e) &&
               value_read_f64(y, n->first->next, "the step of iota", &out->step_f, e);
    }
    return value_read_number(y, n->first, type, &out->start, e) &&
           read_step(y, n->first->next, &out->step, e);
}

static bool read_offset(const struct yaml *y, const struct yaml_node *n, uint64_t *out,
                        struct smw_err *e)
{
    int64_t v = 0;

    if (!value_need(y, n, YAML_SCALAR, "offset", e)) {
        return false;
    }
    switch (num_s64(n->text, &v)) {
    case NUM_OK: *out = (uint64_t)v; return true;
    case NUM_OVERFLOW:
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "offset: %s does not fit s64",
                           n->text);
    case NUM_BAD: break;
    }
    return yaml_refuse(y, n, SMW_ERR_INPUT, e, "offset: '%s' is not a whole number",
                       n->text);
}

/* uniform: [A, B] and normal: [MEAN, DEVIATION] */
static bool read_floats(const struct yaml *y, const struct yaml_node *n,
                        enum value_type type, struct value_init *out, struct smw_err *e)
{
    const char *const name = n->key->text;

    if (!value_type_is_float(type)) {
        return yaml_refuse(y, n->key, SMW_ERR_INPUT, e,
                           "%s makes floats, the elements are %s", name,
                           value_type_name(type));
    }
    if (!value_need(y, n, YAML_LIST, name, e)) {
        return false;
    }
    if (n->n != 2) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s takes two numbers, not %u", name,
                           n->n);
    }
    return value_read_f64(y, n->first, name, &out->start_f, e) &&
           value_read_f64(y, n->first->next, name, &out->step_f, e);
}

static bool read_random(const struct yaml *y, const struct yaml_node *n,
                        enum value_type type, struct value_init *out, struct smw_err *e)
{
    const struct yaml_node *mask, *modulo, *offset, *uniform, *normal;

    if (!value_check_map(y, n, "random", value_random_keys, VALUE_RANDOM_KEYS, e) ||
        !value_read_u64(y, yaml_get(n, "seed"), "seed", 0, UINT64_MAX, &out->seed, e)) {
        return false;
    }
    mask = yaml_get(n, "mask");
    modulo = yaml_get(n, "modulo");
    offset = yaml_get(n, "offset");
    uniform = yaml_get(n, "uniform");
    normal = yaml_get(n, "normal");
    if (mask != NULL && modulo != NULL) {
        return yaml_refuse(y, modulo->key, SMW_ERR_INPUT, e,
                           "random takes either a mask or a modulo, not both");
    }
    if ((mask != NULL) + (modulo != NULL) + (uniform != NULL) + (normal != NULL) > 1) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "random takes one of mask, modulo, uniform, normal");
    }
    if (offset != NULL && modulo == NULL) {
        return yaml_refuse(y, offset->key, SMW_ERR_INPUT, e,
                           "random takes an offset only with a modulo");
    }
    if (uniform != NULL || normal != NULL) {
        out->form = uniform != NULL ? FORM_UNIFORM : FORM_NORMAL;
        return read_floats(y, uniform != NULL ? uniform : normal, type, out, e);
    }
    if (modulo == NULL) {
        out->form = FORM_RANDOM_MASK;
        out->mask = UINT32_MAX;
        return mask == NULL ||
               value_read_u64(y, mask, "mask", 0, UINT32_MAX, &out->mask, e);
    }
    out->form = FORM_RANDOM_MODULO;
    return value_read_u64(y, modulo, "modulo", 1, UINT64_MAX, &out->modulo, e) &&
           (offset == NULL || read_offset(y, offset, &out->offset, e));
}

static bool read_path(const struct yaml *y, const struct yaml_node *n,
                      struct value_init *out, struct smw_err *e)
{
    if (!value_need(y, n, YAML_SCALAR, "file", e)) {
        return false;
    }
    if (n->text[0] == '\0') {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "file: the name is empty");
    }
    out->path = n->text;
    return true;
}

bool value_read_init(const struct yaml *y, const struct yaml_node *n,
                     enum value_type type, struct value_init *out, struct smw_err *e)
{
    const struct yaml_node *v = n->first;

    *out = (struct value_init){.y = y, .at = n};
    if (n->kind == YAML_SCALAR) {
        if (strcmp(n->text, "zero") == 0) {
            return true;
        }
        yaml_refuse(y, n, SMW_ERR_INPUT, e, "'%s' is no way to fill a buffer", n->text);
        err_hint(e, "zero, {fill: V}, {iota: [START, STEP]}, {file: NAME} or "
                    "{random: {seed: S, mask: M}}");
        return false;
    }
    if (!value_check_map(y, n, "the contents", value_form_keys, VALUE_FORM_KEYS, e)) {
        return false;
    }
    if (n->n != 1) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e,
                           "the contents are given %s: one of fill, iota, file, random",
                           n->n == 0 ? "in no way" : "in several ways");
    }
    if (strcmp(v->key->text, "fill") == 0) {
        out->form = FORM_FILL;
        return value_read_number(y, v, type, &out->fill, e);
    }
    if (strcmp(v->key->text, "iota") == 0) {
        out->form = FORM_IOTA;
        return read_iota(y, v, type, out, e);
    }
    if (strcmp(v->key->text, "file") == 0) {
        out->form = FORM_FILE;
        return read_path(y, v, out, e);
    }
    return read_random(y, v, type, out, e);
}
