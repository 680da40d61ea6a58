#include "run/launch_file.h"

#include "io/file.h"
#include "io/num.h"
#include "run/launch_keys.h"
#include "run/launch_override.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = YAML_MAX_BYTES };

static const uint64_t max_buffer_bytes = UINT64_C(1) << 32;

/* ---- buffers ---- */

int32_t launch_find_buffer(const struct launch_file *l, const char *name)
{
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        if (strcmp(l->buffers[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

bool launch_unknown_buffer(const struct launch_file *l, const struct yaml_node *n,
                           struct smw_err *e)
{
    const uint32_t n_names = l->n_buffers + l->n_textures;
    const char **names = tb_alloc((n_names + 1) * sizeof(*names));
    const char *nearest;

    for (uint32_t i = 0; i < l->n_buffers; i++) {
        names[i] = l->buffers[i].name;
    }
    for (uint32_t i = 0; i < l->n_textures; i++) {
        names[l->n_buffers + i] = l->textures[i].name;
    }
    yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e, "there is no buffer '%s'", n->text);
    nearest = err_nearest(n->text, names, n_names);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
    free(names);
    return false;
}

int32_t launch_find_named(const struct launch_file *l, const char *name)
{
    const int32_t buffer = launch_find_buffer(l, name);
    const int32_t texture = buffer < 0 ? launch_find_texture(l, name) : -1;

    return texture >= 0 ? (int32_t)l->n_buffers + texture : buffer;
}

bool launch_check_name(const struct launch_file *l, const struct yaml_node *key,
                       const char *what, struct smw_err *e)
{
    const char *t = key->text;
    bool ok = (*t >= 'a' && *t <= 'z') || (*t >= 'A' && *t <= 'Z') || *t == '_';

    for (; ok && *t != '\0'; t++) {
        ok = (*t >= 'a' && *t <= 'z') || (*t >= 'A' && *t <= 'Z') || *t == '_' ||
             (*t >= '0' && *t <= '9');
    }
    if (!ok || strcmp(key->text, "nan") == 0 || strcmp(key->text, "inf") == 0) {
        yaml_refuse(&l->yaml, key, SMW_ERR_INPUT, e, "'%s' cannot name %s", key->text,
                    what);
        err_hint(e, "letters, digits and underscores, no digit first");
        return false;
    }
    return true;
}

/* The name of a file, and of no other buffer's. */
static bool read_dump(const struct launch_file *l, const struct launch_buffer *b,
                      struct smw_err *e)
{
    if (!value_need(&l->yaml, b->dump, YAML_SCALAR, "dump", e)) {
        return false;
    }
    if (b->dump->text[0] == '\0') {
        return yaml_refuse(&l->yaml, b->dump, SMW_ERR_INPUT, e,
                           "dump: the name is empty");
    }
    for (const struct launch_buffer *o = l->buffers; o < b; o++) {
        if (o->dump != NULL && strcmp(o->dump->text, b->dump->text) == 0) {
            return yaml_refuse(&l->yaml, b->dump, SMW_ERR_INPUT, e,
                               "dump: buffer '%s' goes to '%s' too", o->name,
                               b->dump->text);
        }
    }
    return true;
}

static bool read_buffer(struct launch_file *l, const struct yaml_node *n,
                        struct launch_buffer *b, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;
    const struct yaml_node *init, *address = yaml_get(n, "address");

    b->name = n->key->text;
    b->at = n;
    if (!launch_check_name(l, n->key, "a buffer", e) ||
        !launch_check_map(y, n, LAUNCH_BUFFER, e) ||
        !value_read_type(y, yaml_get(n, "type"), &b->type, e) ||
        !value_read_u64(y, yaml_get(n, "count"), "count", 1, UINT64_MAX, &b->count,
                        e)) {
        return false;
    }
    if (b->count > max_buffer_bytes / value_type_size(b->type)) {
        return yaml_refuse(y, yaml_get(n, "count"), SMW_ERR_INPUT, e,
                           "buffer '%s' is larger than 4 GiB", b->name);
    }
    if (address != NULL &&
        !value_read_u64(y, address, "address", 1, UINT64_MAX, &b->address, e)) {
        return false;
    }
    b->dump = yaml_get(n, "dump");
    if (b->dump != NULL && !read_dump(l, b, e)) {
        return false;
    }
    init = yaml_get(n, "init");
    b->has_init = init != NULL;
    return init == NULL || value_read_init(y, init, b->type, &b->init, e);
}

static bool read_buffers(struct launch_file *l, const struct yaml_node *n,
                         struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_MAP, "buffers", e)) {
        return false;
    }
    l->buffers = tb_alloc(n->n * sizeof(*l->buffers));
    for (const struct yaml_node *b = n->first; b != NULL; b = b->next) {
        if (!read_buffer(l, b, &l->buffers[l->n_buffers], e)) {
            return false;
        }
        l->n_buffers++;
    }
    return true;
}

/* ---- symbols ---- */

/* {type: f32, iota: [0, 1]}: the form without its type, as a node of its own. The tree
 * keeps the children; only the copy's first link skips the type. */
static bool split_type(struct launch_file *l, struct launch_symbol *s,
                       struct smw_err *e)
{
    struct yaml_node *first = s->at->first;

    s->form = *s->at;
    if (s->at->kind != YAML_MAP || yaml_get(s->at, "type") == NULL) {
        return true;
    }
    s->has_type = true;
    if (!value_read_type(&l->yaml, yaml_get(s->at, "type"), &s->type, e)) {
        return false;
    }
    if (s->at->n != 2) {
        return yaml_refuse(
            &l->yaml, s->at, SMW_ERR_INPUT, e,
            "symbol '%s' takes a type and one of fill, iota, file, random", s->name);
    }
    if (strcmp(first->key->text, "type") == 0) {
        s->form.first = first->next;
    } else {
        first->next = NULL;
    }
    s->form.n = 1;
    return true;
}

static bool read_symbol(struct launch_file *l, const struct yaml_node *n,
                        struct launch_symbol *s, struct smw_err *e)
{
    struct value_init probe;

    s->name = n->key->text;
    s->at = n;
    if (!split_type(l, s, e)) {
        return false;
    }
    /* Without a type only the form can be checked here; f64 takes every number. */
    return value_read_init(&l->yaml, &s->form, s->has_type ? s->type : VALUE_F64,
                           &probe, e);
}

static bool read_symbols(struct launch_file *l, const struct yaml_node *n,
                         struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_MAP, "symbols", e)) {
        return false;
    }
    l->symbols = tb_alloc(n->n * sizeof(*l->symbols));
    for (const struct yaml_node *s = n->first; s != NULL; s = s->next) {
        if (!read_symbol(l, s, &l->symbols[l->n_symbols], e)) {
            return false;
        }
        l->n_symbols++;
    }
    return true;
}

/* ---- launches ---- */

/* The limits are the device's matter, as those of registers and carveouts. */
bool launch_read_extent(const struct yaml *y, const struct yaml_node *n,
                        const char *what, uint32_t *out, struct smw_err *e)
{
    const struct yaml_node *v;
    uint32_t i = 0;

    out[0] = out[1] = out[2] = 1;
    if (n->kind == YAML_SCALAR) {
        return value_read_u32(y, n, what, 0, UINT32_MAX, &out[0], e);
    }
    if (!value_need(y, n, YAML_LIST, what, e)) {
        return false;
    }
    if (n->n < 1 || n->n > 3) {
        return yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s takes 1 to 3 numbers, not %u",
                           what, n->n);
    }
    for (v = n->first; v != NULL; v = v->next) {
        if (!value_read_u32(y, v, what, 0, UINT32_MAX, &out[i++], e)) {
            return false;
        }
    }
    return true;
}

static bool read_bank_mode(const struct yaml *y, const struct yaml_node *n,
                           uint32_t *out, struct smw_err *e)
{
    if (n == NULL) {
        return true;
    }
    if (!value_read_u32(y, n, "bank_mode", 4, 8, out, e)) {
        return false;
    }
    return *out == 4 || *out == 8 ||
           yaml_refuse(y, n, SMW_ERR_INPUT, e, "bank_mode: %s is neither 4 nor 8",
                       n->text);
}

static bool read_cache_config(const struct yaml *y, const struct yaml_node *n,
                              enum smw_cache_config *out, struct smw_err *e)
{
    uint32_t index = 0;

    if (n == NULL) {
        return true;
    }
    if (!value_read_choice(y, n, "cache_config", launch_cache_names, LAUNCH_CACHE_NAMES,
                           &index, e)) {
        return false;
    }
    *out = (enum smw_cache_config)index;
    return true;
}

static bool read_options(const struct yaml *y, const struct yaml_node *n,
                         struct smw_launch *out, struct smw_err *e)
{
    const struct yaml_node *shared = yaml_get(n, "shared");
    const struct yaml_node *opt_in = yaml_get(n, "opt_in_shared");
    const struct yaml_node *carveout = yaml_get(n, "carveout");
    const struct yaml_node *regs = yaml_get(n, "regs");
    const struct yaml_node *stream = yaml_get(n, "stream");
    const struct yaml_node *begin = yaml_get(n, "begin_ps");
    const struct yaml_node *functional = yaml_get(n, "functional");
    const struct yaml_node *cooperative = yaml_get(n, "cooperative");
    const struct yaml_node *cluster = yaml_get(n, "cluster");
    uint32_t percent = 0;

    if (carveout != NULL) {
        if (!value_read_u32(y, carveout, "carveout", 0, INT32_MAX, &percent, e)) {
            return false;
        }
        out->has_carveout = true;
        out->carveout = percent;
    }
    return (shared == NULL ||
            value_read_u64(y, shared, "shared", 0, UINT32_MAX, &out->shared, e)) &&
           (opt_in == NULL ||
            value_read_bool(y, opt_in, "opt_in_shared", &out->opt_in_shared, e)) &&
           (regs == NULL ||
            value_read_u32(y, regs, "regs", 1, UINT32_MAX, &out->regs, e)) &&
           (stream == NULL ||
            value_read_u32(y, stream, "stream", 0, UINT32_MAX, &out->stream, e)) &&
           (begin == NULL ||
            value_read_u64(y, begin, "begin_ps", 0, UINT64_MAX, &out->begin_ps, e)) &&
           (functional == NULL ||
            value_read_bool(y, functional, "functional", &out->functional, e)) &&
           (cooperative == NULL ||
            value_read_bool(y, cooperative, "cooperative", &out->cooperative, e)) &&
           (cluster == NULL ||
            launch_read_extent(y, cluster, "cluster", out->cluster, e)) &&
           read_bank_mode(y, yaml_get(n, "bank_mode"), &out->bank_mode, e) &&
           read_cache_config(y, yaml_get(n, "cache_config"), &out->cache_config, e);
}

/* Two hexadecimal digits for each byte. */
static bool check_raw(const struct launch_file *l, const struct yaml_node *n,
                      struct smw_err *e)
{
    size_t digits;

    if (!value_need(&l->yaml, n, YAML_SCALAR, "raw", e)) {
        return false;
    }
    digits = strspn(n->text, "0123456789abcdefABCDEF");
    return (digits != 0 && digits % 2 == 0 && n->text[digits] == '\0') ||
           yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e,
                       "raw: '%.40s' is not bytes of two hexadecimal digits", n->text);
}

static bool check_typed(const struct launch_file *l, const struct yaml_node *a,
                        bool inner, struct smw_err *e)
{
    enum value_type type;
    uint64_t bits = 0;

    if (a->n != 1) {
        return yaml_refuse(&l->yaml, a, SMW_ERR_INPUT, e,
                           "an argument is a buffer, a number or {type: value}");
    }
    if (!inner && strcmp(a->first->key->text, "raw") == 0) {
        return check_raw(l, a->first, e);
    }
    return value_read_type(&l->yaml, a->first->key, &type, e) &&
           value_read_number(&l->yaml, a->first, type, &bits, e);
}

static bool check_arg(const struct launch_file *l, const struct yaml_node *a,
                      bool inner, struct smw_err *e)
{
    struct num_int integer;
    double number = 0;

    if (a->kind == YAML_MAP) {
        return check_typed(l, a, inner, e);
    }
    if (a->kind == YAML_LIST && !inner) { /* the members of a structure */
        for (const struct yaml_node *m = a->first; m != NULL; m = m->next) {
            if (!check_arg(l, m, true, e)) {
                return false;
            }
        }
        return true;
    }
    if (!value_need(&l->yaml, a, YAML_SCALAR, "an argument", e)) {
        return false;
    }
    if (launch_find_named(l, a->text) >= 0 ||
        (!inner && strcmp(a->text, "zero") == 0)) {
        return true;
    }
    if (num_int(a->text, &integer) == NUM_BAD && num_f64(a->text, &number) == NUM_BAD) {
        return launch_unknown_buffer(l, a, e);
    }
    return !inner || yaml_refuse(&l->yaml, a, SMW_ERR_INPUT, e,
                                 "a number inside a structure needs its type, "
                                 "{type: %s}",
                                 a->text);
}

static bool read_run(struct launch_file *l, const struct yaml_node *n,
                     struct launch_run *r, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;

    if (!launch_check_map(y, n, LAUNCH_RUN, e)) {
        return false;
    }
    r->at = n;
    r->kernel = yaml_get(n, "kernel");
    r->args = yaml_get(n, "args");
    if (!value_need(y, r->kernel, YAML_SCALAR, "kernel", e) ||
        !launch_read_extent(y, yaml_get(n, "grid"), "grid", r->launch.grid, e) ||
        !launch_read_extent(y, yaml_get(n, "block"), "block", r->launch.block, e) ||
        !read_options(y, n, &r->launch, e)) {
        return false;
    }
    if (r->args == NULL) {
        return true;
    }
    if (!value_need(y, r->args, YAML_LIST, "args", e)) {
        return false;
    }
    for (const struct yaml_node *a = r->args->first; a != NULL; a = a->next) {
        if (!check_arg(l, a, false, e)) {
            return false;
        }
    }
    return true;
}

static bool read_runs(struct launch_file *l, struct yaml_node *n, struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_LIST, "launches", e)) {
        return false;
    }
    if (!launch_repeat(l, n, e)) {
        return false;
    }
    if (n->n == 0) {
        return yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e, "launches is empty");
    }
    l->runs = tb_alloc(n->n * sizeof(*l->runs));
    for (const struct yaml_node *r = n->first; r != NULL; r = r->next) {
        if (!read_run(l, r, &l->runs[l->n_runs], e)) {
            return false;
        }
        l->n_runs++;
    }
    return true;
}

/* ---- the file ---- */

/* One file, or several that are linked. */
static bool check_module(const struct yaml *y, const struct yaml_node *n,
                         const char *what, struct smw_err *e)
{
    if (n == NULL || n->kind != YAML_LIST) {
        return value_need(y, n, YAML_SCALAR, what, e);
    }
    for (const struct yaml_node *m = n->first; m != NULL; m = m->next) {
        if (!value_need(y, m, YAML_SCALAR, what, e)) {
            return false;
        }
    }
    return n->n > 0 || yaml_refuse(y, n, SMW_ERR_INPUT, e, "%s is an empty list", what);
}

static bool check_modules(const struct yaml *y, const struct yaml_node *n,
                          struct smw_err *e)
{
    if (n == NULL) {
        return true;
    }
    if (!value_need(y, n, YAML_LIST, "modules", e)) {
        return false;
    }
    for (const struct yaml_node *m = n->first; m != NULL; m = m->next) {
        if (!check_module(y, m, "a module", e)) {
            return false;
        }
    }
    return true;
}

static struct yaml_node *launches_of(struct yaml_node *root)
{
    struct yaml_node *n = root->first;

    while (strcmp(n->key->text, "launches") != 0) { /* it is required */
        n = n->next;
    }
    return n;
}

static bool read_file(struct launch_file *l, struct smw_err *e)
{
    const struct yaml *y = &l->yaml;
    struct yaml_node *const root = y->root;
    const struct yaml_node *buffers, *textures, *symbols, *expects, *trace, *base;

    if (!launch_check_map(y, root, LAUNCH_FILE, e)) {
        return false;
    }
    l->module = yaml_get(root, "module");
    l->modules = yaml_get(root, "modules");
    l->after = yaml_get(root, "after");
    l->config = yaml_get(root, "config");
    buffers = yaml_get(root, "buffers");
    textures = yaml_get(root, "textures");
    symbols = yaml_get(root, "symbols");
    expects = yaml_get(root, "expect");
    trace = yaml_get(root, "trace");
    base = yaml_get(root, "address_base");
    return check_module(y, l->module, "module", e) && check_modules(y, l->modules, e) &&
           (l->after == NULL || value_need(y, l->after, YAML_SCALAR, "after", e)) &&
           (l->config == NULL || value_need(y, l->config, YAML_SCALAR, "config", e)) &&
           (buffers == NULL || read_buffers(l, buffers, e)) &&
           (textures == NULL || launch_read_textures(l, textures, e)) &&
           (symbols == NULL || read_symbols(l, symbols, e)) &&
           read_runs(l, launches_of(root), e) &&
           (expects == NULL || launch_read_expects(l, expects, e)) &&
           (trace == NULL || launch_read_trace(l, trace, e)) &&
           read_cache_config(y, yaml_get(root, "cache_config"), &l->cache_config, e) &&
           read_bank_mode(y, yaml_get(root, "bank_mode"), &l->bank_mode, e) &&
           (base == NULL || value_read_u64(y, base, "address_base", 0, UINT64_MAX,
                                           &l->address_base, e));
}

static bool parse_changed(struct launch_file *l, const char *name, const char *text,
                          size_t size, const char *const *options, uint32_t n,
                          struct smw_err *e)
{
    *l = (struct launch_file){0};
    if (!yaml_parse(&l->yaml, name, text, size, SMW_ERR_INPUT, e)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!launch_override(&l->yaml, options[i], e)) {
            launch_free(l);
            return false;
        }
    }
    if (!read_file(l, e)) {
        launch_free(l);
        return false;
    }
    return true;
}

bool launch_parse(struct launch_file *l, const char *name, const char *text,
                  size_t size, struct smw_err *e)
{
    return parse_changed(l, name, text, size, NULL, 0, e);
}

bool launch_read_changed(struct launch_file *l, const char *path,
                         const char *const *options, uint32_t n, struct smw_err *e)
{
    size_t size = 0;
    char *text;
    bool ok;

    if (file_ends(path, ".ptx") || file_ends(path, ".cu")) {
        err_set(e, SMW_ERR_INPUT, "'%s' is no launch file but a module", path);
        if (file_ends(path, ".ptx")) {
            err_hint(e, "'smwave init %.180s' writes a launch file that runs it", path);
        } else {
            err_hint(e,
                     "'smwave run %.80s' runs it with the options of 'smwave exec'; "
                     "'smwave cc -ptx -lineinfo' and 'smwave init' make a launch file",
                     path);
        }
        return false;
    }
    text = file_read(path, MAX_FILE_BYTES, &size, SMW_ERR_INPUT, e);
    if (text == NULL) {
        return false;
    }
    ok = parse_changed(l, path, text, size, options, n, e);
    free(text);
    return ok;
}

bool launch_read(struct launch_file *l, const char *path, struct smw_err *e)
{
    return launch_read_changed(l, path, NULL, 0, e);
}

void launch_free(struct launch_file *l)
{
    free(l->buffers);
    free(l->textures);
    free(l->symbols);
    free(l->runs);
    free(l->expects);
    trace_select_free(&l->trace.select);
    yaml_free(&l->yaml);
    *l = (struct launch_file){0};
}
