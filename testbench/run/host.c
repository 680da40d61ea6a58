#include "run/host.h"

#include "io/file.h"
#include "run/args.h"
#include "run/history.h"
#include "run/textures.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 };

static const uint64_t max_module_bytes = UINT64_C(256) << 20;

bool host_at_node(const struct host *h, const struct yaml_node *n, struct smw_err *e)
{
    const struct yaml *y = &h->file->yaml;

    if (e->file[0] == '\0') {
        yaml_point(y, n, e);
    }
    return false;
}

/* Results name the module without its directory; messages need the whole path. */
static bool of_module(struct host *h, struct smw_err *e)
{
    if (strcmp(e->file, h->module_name) == 0) {
        snprintf(e->file, sizeof(e->file), "%s", h->module_path);
    }
    return false;
}

/* ---- the module ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Its text, to be freed; *path as opened. */
static char *read_module(struct host *h, const struct yaml_node *n, char **path,
                         size_t *size, struct smw_err *e)
{
    char *text;

    if (file_ends(n->text, ".cu")) {
        yaml_refuse(&h->file->yaml, n, SMW_ERR_INPUT, e,
                    "'%s' is CUDA C, a module is PTX", n->text);
        err_hint(e, "'smwave cc -ptx -lineinfo %.200s' translates it", n->text);
        return NULL;
    }
    *path = file_relative(h->file->yaml.name, n->text);
    text = file_read(*path, max_module_bytes, size, SMW_ERR_INPUT, e);
    if (text == NULL) {
        (void)host_at_node(h, n, e);
    }
    return text;
}

static struct smw_module *find_loaded(const struct host *h, const char *files)
{
    for (uint32_t i = 0; i < h->n_loaded; i++) {
        if (strcmp(h->loaded[i].files, files) == 0) {
            return h->loaded[i].module;
        }
    }
    return NULL;
}

static void note_loaded(struct host *h, const char *files, struct smw_module *m)
{
    h->loaded = tb_realloc(h->loaded, (h->n_loaded + 1) * sizeof(*h->loaded));
    h->loaded[h->n_loaded] =
        (struct host_loaded){.files = tb_strdup(files), .module = m};
    h->n_loaded++; /* behind what may find no memory: then h is still closed */
}

/* The first path and its last part are the module's names in messages and results. */
static void name_module(struct host *h, const char *path)
{
    free(h->module_path);
    free(h->module_name);
    h->module_path = h->module_name = NULL;
    h->module_path = tb_strdup(path);
    h->module_name = tb_strdup(last_part(path));
}

/* The module of one file, or of several that are linked. One that the device has
 * already is loaded no more. */
static bool load_module(struct host *h, const struct yaml_node *n, struct smw_err *e)
{
    uint32_t n_texts = n->kind == YAML_LIST ? n->n : 1, i = 0;
    const struct yaml_node *at = n->kind == YAML_LIST ? n->first : n;
    struct smw_text *t = tb_alloc(n_texts * sizeof(*t));
    struct text files = {0};
    bool ok = true;

    for (; ok && i < n_texts; at = at->next) {
        char *path = NULL;

        t[i].text = read_module(h, at, &path, &t[i].size, e);
        ok = t[i].text != NULL;
        if (path != NULL) {
            text_add(&files, "%s\n", path);
        }
        if (ok && i == 0) {
            name_module(h, path);
        }
        t[i].name = ok ? tb_strdup(last_part(path)) : NULL;
        i += ok;
        free(path);
    }
    h->module = ok ? find_loaded(h, files.s) : NULL;
    if (ok && h->module == NULL) {
        h->module = smw_load_linked(h->device, t, n_texts, e);
        ok = h->module != NULL || of_module(h, e) || host_at_node(h, n, e);
        if (ok) {
            note_loaded(h, files.s, h->module);
        }
    }
    while (i > 0) {
        i--;
        free((void *)(uintptr_t)t[i].text);
        free((void *)(uintptr_t)t[i].name);
    }
    free(t);
    text_free(&files);
    return ok;
}

static bool load_modules(struct host *h, struct smw_err *e)
{
    const struct yaml_node *list = h->file->modules;

    for (const struct yaml_node *n = list != NULL ? list->first : NULL; n != NULL;
         n = n->next) {
        if (!load_module(h, n, e)) {
            return false;
        }
    }
    return load_module(h, h->file->module, e);
}

/* ---- data ---- */

static int by_address(const void *a, const void *b)
{
    const struct launch_buffer *x = *(const struct launch_buffer *const *)a;
    const struct launch_buffer *y = *(const struct launch_buffer *const *)b;

    return x->address < y->address ? -1 : x->address > y->address;
}

/* The lowest place that bytes fit in now. */
static bool next_place(struct host *h, uint64_t bytes, uint64_t *at, struct smw_err *e)
{
    return smw_alloc(h->device, bytes, at, e) && smw_free(h->device, *at, e);
}

/* Buffer b at its address. Places are given lowest first: what is free below is taken
 * for a while, and noted in room. */
static bool place_buffer(struct host *h, const struct launch_buffer *b, uint64_t *room,
                         struct smw_err *e)
{
    const struct yaml_node *n = yaml_get(b->at, "address");
    uint64_t bytes = b->count * value_type_size(b->type), at, got;

    if (!next_place(h, bytes, &at, e)) {
        return host_at_node(h, b->at->key, e);
    }
    if (at < b->address && !smw_alloc(h->device, b->address - at, room, e)) {
        return host_at_node(h, n, e);
    }
    if (!smw_alloc(h->device, bytes, &got, e)) {
        return host_at_node(h, n, e);
    }
    if (got != b->address) {
        yaml_refuse(&h->file->yaml, n, SMW_ERR_INPUT, e,
                    "'%s' cannot lie at 0x%" PRIx64, b->name, b->address);
        err_hint(e,
                 "the lowest place that is left is 0x%" PRIx64
                 "; addresses are multiples of 256, and buffers do not overlap",
                 at);
        return false;
    }
    h->address[b - h->file->buffers] = got;
    return true;
}

/* Those that say where they lie, in ascending order. Not with checks, which keep
 * buffers apart: they find an access past the end of one rather than where it leads. */
static bool place_buffers(struct host *h, struct smw_err *e)
{
    const struct launch_file *l = h->file;
    const struct launch_buffer **list = tb_alloc((l->n_buffers + 1) * sizeof(*list));
    uint64_t *room = tb_alloc((l->n_buffers + 1) * sizeof(*room));
    uint32_t n = 0;
    bool ok = true;

    for (uint32_t i = 0; !h->checks && i < l->n_buffers; i++) {
        if (l->buffers[i].address != 0) {
            list[n++] = &l->buffers[i];
        }
    }
    qsort(list, n, sizeof(list[0]), by_address);
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = place_buffer(h, list[i], &room[i], e);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = room[i] == 0 || smw_free(h->device, room[i], e);
    }
    free(list);
    free(room);
    return ok;
}

static bool fill_buffer(struct host *h, uint32_t index, struct smw_err *e)
{
    const struct launch_buffer *b = &h->file->buffers[index];
    uint64_t bytes = b->count * value_type_size(b->type);
    unsigned char *data;
    bool ok;

    if (h->address[index] == 0 && !smw_alloc(h->device, bytes, &h->address[index], e)) {
        return host_at_node(h, b->at->key, e);
    }
    smw_name(h->device, h->address[index], b->name);
    data = tb_alloc(bytes);
    ok = value_fill(&b->init, b->type, data, bytes, e);
    if (ok && (b->init.form != FORM_ZERO || (b->has_init && h->checks))) {
        ok = smw_write(h->device, h->address[index], data, bytes, e) ||
             host_at_node(h, b->at->key, e);
    }
    free(data);
    return ok;
}

bool host_symbol_type(struct host *h, const char *name, const struct yaml_node *at,
                      enum value_type *type, struct smw_err *e)
{
    const char *declared = smw_symbol_type(h->module, name);
    uint64_t bytes = 0;

    if (declared == NULL) { /* this finds the nearest name */
        smw_symbol_size(h->module, name, &bytes, e);
        err_set(e, SMW_ERR_INPUT, "there is no variable '%s'", name);
        return host_at_node(h, at, e);
    }
    for (uint32_t i = 0; i < VALUE_TYPES; i++) {
        const char *known = value_type_name((enum value_type)i);

        if (strcmp(known, declared) == 0 || (known[0] == 'u' && declared[0] == 'b' &&
                                             strcmp(known + 1, declared + 1) == 0)) {
            *type = (enum value_type)i;
            return true;
        }
    }
    yaml_refuse(&h->file->yaml, at, SMW_ERR_INPUT, e,
                "symbol '%s' is of type .%s, which cannot be given", name, declared);
    err_hint(e, "write another type of the same size beside it, {type: u32, ...}");
    return false;
}

bool host_symbol_count(struct host *h, const char *name, const struct yaml_node *at,
                       enum value_type type, uint64_t *count, struct smw_err *e)
{
    uint64_t bytes = 0;

    if (!smw_symbol_size(h->module, name, &bytes, e)) {
        return host_at_node(h, at, e);
    }
    if (bytes % value_type_size(type) != 0 || bytes == 0) {
        return yaml_refuse(&h->file->yaml, at, SMW_ERR_INPUT, e,
                           "symbol '%s' has %" PRIu64
                           " bytes, which are no whole number "
                           "of %s",
                           name, bytes, value_type_name(type));
    }
    *count = bytes / value_type_size(type);
    return true;
}

static bool fill_symbol(struct host *h, const struct launch_symbol *s,
                        struct smw_err *e)
{
    const struct yaml *y = &h->file->yaml;
    enum value_type type = s->type;
    struct value_init init;
    uint64_t count = 0, bytes;
    unsigned char *data;
    bool ok;

    if ((!s->has_type && !host_symbol_type(h, s->name, s->at->key, &type, e)) ||
        !host_symbol_count(h, s->name, s->at->key, type, &count, e) ||
        !value_read_init(y, &s->form, type, &init, e)) {
        return false;
    }
    bytes = count * value_type_size(type);
    data = tb_alloc(bytes);
    ok = value_fill(&init, type, data, bytes, e) &&
         (smw_write_symbol(h->module, s->name, 0, data, bytes, e) ||
          host_at_node(h, s->at->key, e));
    free(data);
    return ok;
}

static bool place_data(struct host *h, struct smw_err *e)
{
    const struct launch_file *l = h->file;

    h->address = tb_alloc((l->n_buffers + l->n_textures + 1) * sizeof(*h->address));
    if (!place_buffers(h, e)) {
        return false;
    }
    for (uint32_t i = 0; i < l->n_buffers; i++) {
        if (!fill_buffer(h, i, e)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < l->n_symbols; i++) {
        if (!fill_symbol(h, &l->symbols[i], e)) {
            return false;
        }
    }
    return textures_place(h, e);
}

static bool set_preferences(struct host *h, struct smw_err *e)
{
    const struct yaml_node *root = h->file->yaml.root;

    if (h->file->cache_config != SMW_CACHE_NONE &&
        !smw_device_cache_config(h->device, h->file->cache_config, e)) {
        return host_at_node(h, yaml_get(root, "cache_config"), e);
    }
    if (h->file->bank_mode != 0 &&
        !smw_device_bank_mode(h->device, h->file->bank_mode, e)) {
        return host_at_node(h, yaml_get(root, "bank_mode"), e);
    }
    return true;
}

bool host_prepare(struct host *h, struct smw_err *e)
{
    return load_modules(h, e) && set_preferences(h, e) && place_data(h, e);
}

bool host_open(struct host *h, const struct launch_file *file,
               struct smw_config *config, const struct smw_options *options,
               struct smw_err *e)
{
    struct smw_options with = {0};

    *h = (struct host){.file = file,
                       .config = config,
                       .stalls = options != NULL && options->stalls,
                       .checks = options != NULL && options->check >= SMW_CHECK_FULL};
    if (file->address_base != 0) {
        with = options != NULL ? *options : with;
        with.address_base = file->address_base;
        options = &with;
    }
    h->device = smw_open(config, options, e);
    if (h->device == NULL && strncmp(e->message, "address_base", 12) == 0) {
        (void)host_at_node(h, yaml_get(file->yaml.root, "address_base"), e);
    }
    if (h->device == NULL || !history_play(h, e) || !host_prepare(h, e)) {
        host_close(h);
        return false;
    }
    return true;
}

/* The device's refusals begin with the key they are about: "grid: 0 in y; ...". */
static const struct yaml_node *refused_key(const struct launch_run *r,
                                           const struct smw_err *e)
{
    size_t n = strcspn(e->message, ":");

    for (const struct yaml_node *k = r->at->first; k != NULL; k = k->next) {
        if (strlen(k->key->text) == n && strncmp(k->key->text, e->message, n) == 0) {
            return k;
        }
    }
    return r->at;
}

bool host_launch(struct host *h, struct smw_err *e)
{
    for (uint32_t i = 0; i < h->file->n_runs; i++) {
        const struct launch_run *r = &h->file->runs[i];
        const struct smw_kernel *k = smw_kernel(h->module, r->kernel->text, e);
        struct smw_launch launch = r->launch;
        void *params;
        bool ok;

        if (k == NULL) {
            return host_at_node(h, r->kernel, e);
        }
        if (!smw_can_run(k, e)) {
            return of_module(h, e);
        }
        params = args_build(h->file, r, k, h->address, &launch.param_bytes, e);
        if (params == NULL) {
            return false;
        }
        launch.params = params;
        ok = smw_launch(h->device, k, &launch, e);
        free(params);
        if (!ok) {
            return of_module(h, e) || host_at_node(h, refused_key(r, e), e);
        }
    }
    return true;
}

bool host_give_back(struct host *h, struct smw_err *e)
{
    if (!textures_give_back(h, e)) {
        return false;
    }
    for (uint32_t i = 0; i < h->file->n_buffers; i++) {
        if (!smw_free(h->device, h->address[i], e)) {
            return false;
        }
        h->address[i] = 0;
    }
    return true;
}

void host_close(struct host *h)
{
    if (h->device != NULL) {
        smw_close(h->device);
    }
    for (uint32_t i = 0; i < h->n_loaded && h->loaded != NULL; i++) {
        free(h->loaded[i].files);
    }
    free(h->loaded);
    free(h->module_path);
    free(h->module_name);
    free(h->address);
    free(h->arrays);
    *h = (struct host){0};
}
