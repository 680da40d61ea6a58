#include "gpu/spare.h"

#include "mem/rules_ideal.h"

#include <stdlib.h>
#include <string.h>

static const struct cfg_field ideal_fields[] = {
    CFG_TEXT(
        struct ideal_config, conflicts, "none",
        "shared accesses without bank conflicts: none, all, or places (tile.cu:12, "
        "or a PTX line)",
        "IDEAL-1"),
    CFG_TEXT(
        struct ideal_config, sectors, "none",
        "global loads and stores as if lanes lay side by side: none, all or places",
        "IDEAL-2"),
    CFG_TEXT(struct ideal_config, latency, "none",
             "global loads that are answered like a hit of the L1: none, all or places",
             "IDEAL-3"),
};
const struct cfg_table ideal_keys = CFG_TABLE(ideal_fields);

struct spare_rule {
    const char *key, *what;
    enum ideal_cost cost;
    size_t offset;
};

static const struct spare_rule spare_rules[] = {
    {"ideal.conflicts", "shared access", IDEAL_CONFLICTS,
     offsetof(struct ideal_config, conflicts)},
    {"ideal.sectors", "global load or store", IDEAL_SECTORS,
     offsetof(struct ideal_config, sectors)},
    {"ideal.latency", "global load", IDEAL_LATENCY,
     offsetof(struct ideal_config, latency)},
};

static const char *value_of(const struct spare_rule *r, const struct ideal_config *c)
{
    return (const char *)c + r->offset;
}

static bool is_none(const char *value)
{
    return strcmp(value, "none") == 0;
}

/* ---- places ---- */

struct spare_place {
    char file[CFG_TEXT_SIZE]; /* "": of the PTX text */
    uint32_t line;            /* 0: everywhere */
};

/* The place at *text, which goes on behind it and its comma. */
static bool next_place(const char **text, struct spare_place *out)
{
    const char *end = strchr(*text, ','), *digits = *text;
    size_t n = end == NULL ? strlen(*text) : (size_t)(end - *text);
    char *rest;
    unsigned long line;

    for (size_t i = 0; i < n; i++) {
        digits = (*text)[i] == ':' ? *text + i + 1 : digits;
    }
    out->file[0] = '\0';
    if (digits != *text) {
        size_t name = (size_t)(digits - 1 - *text);

        memcpy(out->file, *text, name);
        out->file[name] = '\0';
    }
    if (*digits < '1' || *digits > '9') {
        return false;
    }
    line = strtoul(digits, &rest, 10);
    if (rest != *text + n || line > UINT32_MAX) {
        return false;
    }
    out->line = (uint32_t)line;
    *text += end == NULL ? n : n + 1;
    return end == NULL || **text != '\0';
}

static bool check_places(const struct spare_rule *r, const char *value,
                         struct smw_err *e)
{
    struct spare_place at;
    const char *text = value;

    while (*text != '\0' || text == value) {
        if (!next_place(&text, &at)) {
            (void)err_set(e, SMW_ERR_CONFIG, "%s: \"%s\" is no list of places", r->key,
                          value);
            err_hint(e, "none, all, or places such as tile.cu:12,tile.cu:14; a number "
                        "alone is a line of the PTX text");
            return false;
        }
    }
    return true;
}

bool spare_check(const struct ideal_config *c, struct smw_err *e)
{
    for (uint32_t i = 0; i < ARRAY_LEN(spare_rules); i++) {
        const char *value = value_of(&spare_rules[i], c);

        if (!is_none(value) && strcmp(value, "all") != 0 &&
            !check_places(&spare_rules[i], value, e)) {
            return false;
        }
    }
    return true;
}

bool spare_moves_early(const struct ideal_config *c)
{
    return !is_none(c->sectors) || !is_none(c->latency);
}

/* ---- marks ---- */

/* Matrices are accessed by rows, mbarriers and copies by rules of their own. */
static bool may_be_spared(const struct spare_rule *r, const struct isa_uop *u)
{
    const bool load = u->kind == ISA_K_LOAD;

    switch (r->cost) {
    case IDEAL_CONFLICTS:
        return (load || u->kind == ISA_K_STORE || u->kind == ISA_K_ATOM ||
                u->kind == ISA_K_RED || u->kind == ISA_K_LOAD_ROWS ||
                u->kind == ISA_K_STORE_ROWS) &&
               (u->form.space == ISA_SP_SHARED || u->form.space == ISA_SP_GENERIC);
    case IDEAL_SECTORS:
    case IDEAL_LATENCY:
        return (load || (r->cost == IDEAL_SECTORS && u->kind == ISA_K_STORE)) &&
               (u->form.space == ISA_SP_GLOBAL || u->form.space == ISA_SP_GENERIC);
    }
    return false;
}

static bool is_at(const struct ptx_module *m, const struct isa_uop *u,
                  const struct spare_place *at)
{
    const char *file;
    uint32_t own;

    if (at->file[0] == '\0') {
        (void)ptx_text_at(m, u->line, &own);
        return own == at->line;
    }
    if (u->src_line != at->line || u->src_file >= m->n_files) {
        return false;
    }
    file = m->files[u->src_file];
    return strcmp(ptx_base_name(file), at->file) == 0 || strcmp(file, at->file) == 0;
}

/* at NULL: everywhere. */
static uint32_t mark(const struct spare_rule *r, struct ptx_module *m,
                     const struct spare_place *at)
{
    uint32_t n = 0;

    for (uint32_t pc = 0; pc < m->n_uops; pc++) {
        struct isa_uop *u = &m->uops[pc];

        if (may_be_spared(r, u) && (at == NULL || is_at(m, u, at))) {
            u->ideal |= r->cost;
            n++;
        }
    }
    return n;
}

bool spare_mark(const struct ideal_config *c, struct ptx_module *m, struct smw_err *e)
{
    for (uint32_t i = 0; i < ARRAY_LEN(spare_rules); i++) {
        const struct spare_rule *r = &spare_rules[i];
        const char *text = value_of(r, c);
        struct spare_place at;

        if (is_none(text)) {
            continue;
        }
        if (strcmp(text, "all") == 0) {
            (void)mark(r, m, NULL);
            continue;
        }
        while (*text != '\0' && next_place(&text, &at)) {
            if (mark(r, m, &at) == 0) {
                (void)err_set(e, SMW_ERR_CONFIG, "%s: there is no %s at %s%s%u", r->key,
                              r->what, at.file, at.file[0] == '\0' ? "PTX line " : ":",
                              at.line);
                err_hint(e, "smwave run --explain lists accesses with their lines");
                return false;
            }
        }
    }
    return true;
}
