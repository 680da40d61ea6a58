#include "sweep/sweep_priv.h"

#include "io/file.h"
#include "io/yaml_flow.h"
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(const char *s)
{
    bool ok = is_letter(*s);

    for (; ok && *s != '\0'; s++) {
        ok = is_letter(*s) || (*s >= '0' && *s <= '9');
    }
    return ok;
}

static bool unknown_key(struct sweep_reader *r, const struct yaml_node *key)
{
    struct smw_err why = {0};

    smw_config_set(r->probe, key->text, "", &why);
    yaml_refuse(&r->s->yaml, key, SMW_ERR_CONFIG, r->e, "%s", why.message);
    if (why.hint[0] != '\0') {
        err_hint(r->e, "%s", why.hint);
    } else {
        err_hint(r->e, "keys are target, config, kernel, launch.PATH, those of "
                       "'smwave config list', and variables without a dot");
    }
    return false;
}

bool sweep_read_key(struct sweep_reader *r, const struct yaml_node *key,
                    struct sweep_key *out)
{
    const char *name = key->text;
    char buf[128];

    *out = (struct sweep_key){.name = name, .path = name, .at = key};
    if (strcmp(name, "target") == 0) {
        out->role = SWEEP_TARGET;
    } else if (strcmp(name, "config") == 0) {
        out->role = SWEEP_CONFIG;
    } else if (strcmp(name, "kernel") == 0 || strncmp(name, "kernel.", 7) == 0) {
        out->role = SWEEP_LAUNCH;
    } else if (strncmp(name, "launch.", 7) == 0 && name[7] != '\0') {
        out->role = SWEEP_LAUNCH;
        out->path = name + 7;
        if (strchr(out->path, '=') != NULL) {
            return yaml_refuse(&r->s->yaml, key, SMW_ERR_INPUT, r->e,
                               "'=' in a path of the launch file");
        }
    } else if (is_word(name)) {
        out->role = SWEEP_VARIABLE;
    } else if (smw_config_show(r->probe, name, buf, sizeof(buf))) {
        out->role = SWEEP_SET;
    } else {
        return unknown_key(r, key);
    }
    return true;
}

bool sweep_is_factor(const char *text)
{
    return text[0] == 'x' && text[1] >= '0' && text[1] <= '9';
}

bool sweep_check_value(struct sweep_reader *r, const struct sweep_key *key,
                       const struct yaml_node *value)
{
    if (value->kind != YAML_SCALAR && key->role != SWEEP_LAUNCH) {
        return yaml_refuse(&r->s->yaml, value, SMW_ERR_INPUT, r->e,
                           "%s takes single values, not %s", key->name,
                           yaml_kind_name(value));
    }
    if (value->kind == YAML_SCALAR && value->text[0] == '\0') {
        return yaml_refuse(&r->s->yaml, value, SMW_ERR_INPUT, r->e, "%s has no value",
                           key->name);
    }
    return true;
}

char *sweep_text(const struct sweep_key *key, const struct yaml_node *value)
{
    struct text t = {0};
    /* "[1]" in quotes is no list; most texts need none. */
    bool keeps_quotes = key->role == SWEEP_LAUNCH && value->quoted &&
                        strpbrk(value->text, "[]{},:#&*!|>%@`\"'\n") != NULL;

    if (value->kind == YAML_SCALAR && !keeps_quotes) {
        return tb_strdup(value->text);
    }
    yaml_flow(value, &t);
    return t.s;
}
