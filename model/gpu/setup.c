#include "gpu/device_priv.h"
#include "gpu/presets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct smw_config *smw_config_new(void)
{
    struct smw_config *c = calloc(1, sizeof(*c));

    if (c != NULL) {
        cfg_defaults(&gpu_schema, &c->gpu);
        smw_config_rename(c, "default");
    }
    return c;
}

struct smw_config *smw_config_copy(const struct smw_config *c)
{
    struct smw_config *copy = c == NULL ? NULL : malloc(sizeof(*copy));

    if (copy != NULL) {
        *copy = *c;
    }
    return copy;
}

void smw_config_free(struct smw_config *c)
{
    free(c);
}

const char *smw_preset_name(uint32_t i)
{
    return i < smw_n_presets ? smw_presets[i].name : NULL;
}

const char *smw_preset_doc(uint32_t i)
{
    return i < smw_n_presets ? smw_presets[i].doc : NULL;
}

static const struct preset *find_preset(const char *name, struct smw_err *e)
{
    const char *names[64];
    uint32_t n = 0;
    const char *near;

    for (uint32_t i = 0; i < smw_n_presets; i++) {
        if (strcmp(smw_presets[i].name, name) == 0) {
            return &smw_presets[i];
        }
        if (n < ARRAY_LEN(names)) {
            names[n++] = smw_presets[i].name;
        }
    }
    (void)err_set(e, SMW_ERR_CONFIG, "there is no preset \"%s\"", name);
    (void)err_code(e, SMW_CODE_NOT_FOUND);
    near = err_nearest(name, names, n);
    if (near != NULL) {
        err_hint(e, "did you mean \"%s\"?", near);
    } else {
        err_hint(e, "\"smwave config list\" names them");
    }
    return NULL;
}

/* Base first. depth guards against presets that extend each other. */
static bool apply_preset(struct smw_config *c, const char *name, uint32_t depth,
                         struct smw_err *e)
{
    const struct preset *p = find_preset(name, e);

    if (p == NULL) {
        return false;
    }
    if (depth > smw_n_presets) {
        return err_set(e, SMW_ERR_CONFIG, "preset \"%s\" extends itself", name);
    }
    if (p->extends != NULL && !apply_preset(c, p->extends, depth + 1, e)) {
        return false;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        if (!cfg_set(&gpu_schema, &c->gpu, p->pairs[i][0], p->pairs[i][1], e)) {
            return false;
        }
    }
    return true;
}

bool smw_config_preset(struct smw_config *c, const char *preset, struct smw_err *e)
{
    struct smw_config fresh;

    if (!err_given(c, "smw_config_preset: the configuration", e) ||
        !err_given(preset, "smw_config_preset: the preset's name", e)) {
        return false;
    }
    cfg_defaults(&gpu_schema, &fresh.gpu);
    if (!apply_preset(&fresh, preset, 0, e)) {
        return false;
    }
    smw_config_rename(&fresh, preset);
    *c = fresh;
    return true;
}

bool smw_config_set(struct smw_config *c, const char *key, const char *value,
                    struct smw_err *e)
{
    return err_given(c, "smw_config_set: the configuration", e) &&
           err_given(key, "smw_config_set: the key", e) &&
           err_given(value, "smw_config_set: the value", e) &&
           cfg_set(&gpu_schema, &c->gpu, key, value, e);
}

bool smw_config_check(const struct smw_config *c, struct smw_err *e)
{
    const struct rules_cc *rules;
    struct rules_split split;

    return err_given(c, "smw_config_check: the configuration", e) &&
           gpu_config_check(&c->gpu, &rules, &split, e);
}

bool smw_config_show(const struct smw_config *c, const char *key, char *buf,
                     size_t size)
{
    return c != NULL && key != NULL && buf != NULL && size != 0 &&
           cfg_show(&gpu_schema, &c->gpu, key, buf, size);
}

void smw_config_rename(struct smw_config *c, const char *name)
{
    if (c != NULL) {
        (void)snprintf(c->name, sizeof(c->name), "%s", name == NULL ? "" : name);
    }
}

const char *smw_config_name(const struct smw_config *c)
{
    return c == NULL ? "" : c->name;
}

uint64_t smw_config_digest(const struct smw_config *c)
{
    return c == NULL ? 0 : cfg_digest(&gpu_schema, &c->gpu);
}

struct each {
    void (*fn)(void *ctx, const struct smw_key *k);
    void *ctx;
    struct gpu_config defaults;
};

static void each_field(void *ctx, const char *key, const struct cfg_field *f)
{
    static const char *const types[] = {"integer", "integer", "bool", "choice", "text"};
    struct each *each = ctx;
    char range[160], def[CFG_TEXT_SIZE + 16];
    struct smw_key k = {.key = key,
                        .type = types[f->type],
                        .unit = cfg_unit_name(f->unit),
                        .range = range,
                        .def = def,
                        .doc = f->doc,
                        .rule = f->rule,
                        .display = (f->flags & CFG_DISPLAY) != 0};

    cfg_range(f, range, sizeof(range));
    (void)cfg_show(&gpu_schema, &each->defaults, key, def, sizeof(def));
    each->fn(each->ctx, &k);
}

void smw_config_each(void (*fn)(void *ctx, const struct smw_key *k), void *ctx)
{
    struct each each = {.fn = fn, .ctx = ctx};

    if (fn == NULL) {
        return;
    }
    cfg_defaults(&gpu_schema, &each.defaults);
    cfg_each(&gpu_schema, each_field, &each);
}
