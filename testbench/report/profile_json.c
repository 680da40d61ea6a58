/* profile_json.c - profile_json() of profile.h: a key a line, so that it can be
 * read. */
#include "report/profile_priv.h"

#include "io/source.h"
#include "run/findings.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* "key": value, on a line of its own; the value is given away. */
static void put(struct text *out, const char *key, json_t *value)
{
    char *s = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_PRESERVE_ORDER);

    text_add(out, "%s\n  \"%s\": %s", out->n > 1 ? "," : "", key,
             s == NULL ? "null" : s);
    free(s);
    json_decref(value);
}

static json_t *number(uint64_t v)
{
    return json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v);
}

/* ---- launches ---- */

static uint64_t cycle_at(const struct profile *p, uint64_t ps)
{
    return sim_cycle_of(p->clock, ps);
}

static json_t *bank_array(const struct profile *p, const uint64_t *v)
{
    json_t *a = json_array();

    for (uint32_t b = 0; b < p->setup.rules.banks; b++) {
        json_array_append_new(a, number(v[b]));
    }
    return a;
}

static json_t *launch_object(const struct profile *p, uint32_t i)
{
    static const struct profile_banks none;
    const struct profile_banks *b = i < p->n_launches ? &p->launch[i].banks : &none;
    struct smw_result k = {0};
    json_t *o = json_object();

    (void)smw_result(p->device, i, &k);
    json_object_set_new(o, "name", findings_string(k.kernel));
    json_object_set_new(o, "started", json_boolean(k.started));
    json_object_set_new(o, "start",
                        number(k.started ? cycle_at(p, k.start_ps) : p->end));
    json_object_set_new(o, "end", number(k.finished ? cycle_at(p, k.end_ps) : p->end));
    json_object_set_new(o, "bank_accesses", bank_array(p, b->accesses));
    json_object_set_new(o, "bank_conflicts", bank_array(p, b->conflicts));
    return o;
}

/* ---- series ---- */

static json_t *sum_series(const struct profile *p, uint32_t n, uint32_t series)
{
    json_t *a = json_array();

    for (uint32_t w = 0; w < n; w++) {
        uint64_t sum = 0;

        for (uint32_t i = 0; i < p->n_sms; i++) {
            sum += p->sm[i].row[w][series];
        }
        json_array_append_new(a, number(sum));
    }
    return a;
}

/* Of the SMs that had warps: cycles that issued. */
static json_t *sm_rows(const struct profile *p, uint32_t n)
{
    json_t *rows = json_array();

    for (uint32_t i = 0; i < p->n_sms; i++) {
        json_t *o, *issue;

        if (!p->sm[i].ever) {
            continue;
        }
        o = json_object();
        issue = json_array();
        for (uint32_t w = 0; w < n; w++) {
            json_array_append_new(issue, number(p->sm[i].row[w][PROFILE_ISSUE]));
        }
        json_object_set_new(o, "sm", number(i));
        json_object_set_new(o, "issue", issue);
        json_array_append_new(rows, o);
    }
    return rows;
}

static json_t *bank_rows(const struct profile *p, uint32_t n, bool conflicts)
{
    json_t *rows = json_array();

    for (uint32_t b = 0; b < p->setup.rules.banks; b++) {
        json_t *row = json_array();

        for (uint32_t w = 0; w < n; w++) {
            const struct profile_banks *x = &p->window[w];

            json_array_append_new(row,
                                  number((conflicts ? x->conflicts : x->accesses)[b]));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ---- sources ---- */

static bool has_source(const json_t *a, const char *file, uint32_t line)
{
    const json_t *o;
    size_t i;

    json_array_foreach(a, i, o)
    {
        if ((uint32_t)json_integer_value(json_object_get(o, "line")) == line &&
            strcmp(json_string_value(json_object_get(o, "file")), file) == 0) {
            return true;
        }
    }
    return false;
}

static void add_source(json_t *a, struct source *s, const struct smw_inst *inst)
{
    const char *slash = strrchr(inst->file, '/');
    const char *name = slash == NULL ? inst->file : slash + 1;
    char text[160];
    json_t *o;

    if (has_source(a, name, inst->line)) {
        return;
    }
    source_line(s, inst->file, inst->line, text, sizeof(text));
    if (text[0] == '\0') {
        return;
    }
    o = json_object();
    json_object_set_new(o, "file", findings_string(name));
    json_object_set_new(o, "line", number(inst->line));
    json_object_set_new(o, "text", findings_string(text));
    json_array_append_new(a, o);
}

/* The lines that memory instructions come from. */
static json_t *sources(const struct profile *p, const char *module_path)
{
    struct source s = {.module_path = module_path};
    json_t *a = json_array();

    for (uint32_t i = 0; i < p->n_launches; i++) {
        for (uint32_t pc = 0; pc < p->launch[i].n_needs; pc++) {
            struct smw_inst inst;

            if (p->launch[i].needs[pc] != 0 && smw_inst(p->device, i, pc, &inst) &&
                inst.file != NULL && inst.line != 0) {
                add_source(a, &s, &inst);
            }
        }
    }
    source_free(&s);
    return a;
}

void profile_json(struct profile *p, const char *module_path, struct text *out)
{
    json_t *launches = json_array();
    uint32_t n;

    profile_finish(p);
    n = (uint32_t)((p->end + (UINT64_C(1) << p->shift) - 1) >> p->shift);
    n = n < PROFILE_WINDOWS ? n : PROFILE_WINDOWS;
    for (uint32_t i = 0; i < smw_results(p->device); i++) {
        json_array_append_new(launches, launch_object(p, i));
    }
    text_add(out, "{");
    put(out, "schema", json_integer(1));
    put(out, "cycles", number(p->end));
    put(out, "window", number(UINT64_C(1) << p->shift));
    put(out, "windows", number(n));
    put(out, "sms", number(p->n_sms));
    put(out, "schedulers", number(p->schedulers));
    put(out, "issue_interval", number(p->issue_interval));
    put(out, "banks", number(p->setup.rules.banks));
    put(out, "launches", launches);
    for (uint32_t s = 0; s < PROFILE_SERIES; s++) {
        put(out, profile_name(s), sum_series(p, n, s));
    }
    put(out, "sm_issue", sm_rows(p, n));
    put(out, "bank_accesses", bank_rows(p, n, false));
    put(out, "bank_conflicts", bank_rows(p, n, true));
    put(out, "sources", sources(p, module_path));
    text_add(out, "\n}\n");
}
