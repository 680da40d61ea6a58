#include "run/results.h"

#include "stat/counters.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const char *results_status(enum smw_status status)
{
    switch (status) {
    case SMW_DONE: return "complete";
    case SMW_RUNNING:
    case SMW_STOPPED: return "interrupted";
    case SMW_FAULT: return "fault";
    case SMW_DEADLOCK: return "deadlock";
    case SMW_LIMIT: return "limit";
    }
    return "";
}

bool results_format(const char *path, enum results_format *out, struct smw_err *e)
{
    const char *dot = strrchr(path, '.');

    if (dot != NULL && strcmp(dot, ".json") == 0) {
        *out = RESULTS_JSON;
    } else if (dot != NULL && strcmp(dot, ".csv") == 0) {
        *out = RESULTS_CSV;
    } else if (dot != NULL && strcmp(dot, ".txt") == 0) {
        *out = RESULTS_TXT;
    } else {
        return err_set(e, SMW_ERR_USAGE,
                       "--stats: the name of '%s' must end in .json, .csv or .txt",
                       path);
    }
    return true;
}

/* ---- JSON ---- */

static json_t *integer(uint64_t v)
{
    return json_integer(v > INT64_MAX ? INT64_MAX : (json_int_t)v);
}

static json_t *triple(const uint32_t *v)
{
    json_t *a = json_array();

    for (uint32_t i = 0; i < 3; i++) {
        json_array_append_new(a, integer(v[i]));
    }
    return a;
}

/* PTX and file names come from users. */
static json_t *string(const char *s)
{
    return findings_string(s);
}

static void dump(json_t *j, struct text *out)
{
    char *s = json_dumps(j, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

    text_add(out, "%s\n", s == NULL ? "" : s);
    free(s);
    json_decref(j);
}

static json_t *tool_object(void)
{
    json_t *tool = json_object();

    json_object_set_new(tool, "name", json_string("smwave"));
    json_object_set_new(tool, "version", string(smw_version()));
    return tool;
}

static json_t *config_object(const struct results *r)
{
    const struct smw_config *c = r->host->config;
    json_t *config = json_object();
    char text[64], what_if[16] = "";

    snprintf(text, sizeof(text), "%016" PRIx64, smw_config_digest(c));
    json_object_set_new(config, "name", string(smw_config_name(c)));
    json_object_set_new(config, "digest", json_string(text));
    smw_config_show(c, "gpu.what_if", what_if, sizeof(what_if));
    if (strcmp(what_if, "true") == 0) {
        json_object_set_new(config, "what_if", json_true());
    }
    return config;
}

/* Was the counter counted? What was not is left out: a 0 would say something else. */
static bool is_counted(const struct results *r, const struct stat_desc *d)
{
    return r->host->stalls || !stat_is_stall(d->name);
}

static json_t *kernel_object(const struct results *r, const struct smw_result *k)
{
    json_t *o = json_object(), *counters = json_object();

    json_object_set_new(o, "name", string(k->kernel));
    json_object_set_new(o, "grid", triple(k->grid));
    json_object_set_new(o, "block", triple(k->block));
    json_object_set_new(o, "complete", json_boolean(k->finished));
    if (k->functional) {
        json_object_set_new(o, "functional", json_true());
    }
    json_object_set_new(o, "regs", integer(k->regs));
    json_object_set_new(o, "shared_bytes", integer(k->shared_bytes));
    for (uint32_t i = 0; i < stat_table_size; i++) {
        if (is_counted(r, &stat_table[i])) {
            json_object_set_new(counters, stat_table[i].name,
                                integer(stat_value(&k->counters, &stat_table[i])));
        }
    }
    json_object_set_new(counters, stat_limiter.name, string(k->limiter));
    json_object_set_new(o, "counters", counters);
    return o;
}

static void stats_json(const struct results *r, struct text *out)
{
    json_t *root = json_object(), *kernels = json_array();
    struct smw_result k;

    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "tool", tool_object());
    json_object_set_new(root, "config", config_object(r));
    json_object_set_new(root, "status", json_string(results_status(r->status)));
    for (uint32_t i = 0; i < smw_results(r->host->device); i++) {
        if (smw_result(r->host->device, i, &k)) {
            json_array_append_new(kernels, kernel_object(r, &k));
        }
    }
    json_object_set_new(root, "kernels", kernels);
    dump(root, out);
}

static json_t *place_object(const char *file, uint32_t line)
{
    const char *slash = file == NULL ? NULL : strrchr(file, '/');
    json_t *o = json_object();

    json_object_set_new(o, "file", string(slash == NULL ? file : slash + 1));
    json_object_set_new(o, "line", integer(line));
    return o;
}

static json_t *fault_object(const struct smw_fault *f)
{
    json_t *o = json_object();

    json_object_set_new(o, "message", string(f->message));
    json_object_set_new(o, "kernel", string(f->kernel));
    json_object_set_new(o, "block", triple(f->block));
    json_object_set_new(o, "thread", triple(f->thread));
    json_object_set_new(o, "cycle", integer(f->cycle));
    json_object_set_new(o, "instruction", string(f->inst));
    json_object_set_new(o, "ptx", place_object(f->ptx_file, f->ptx_line));
    if (f->file != NULL) {
        json_object_set_new(o, "source", place_object(f->file, f->line));
        findings_set_inlined(o, &f->inlined);
    }
    if (f->detail[0] != '\0') {
        json_object_set_new(o, "detail", string(f->detail));
    }
    return o;
}

static json_t *expect_object(const struct expect_result *x)
{
    json_t *o = json_object();

    json_object_set_new(o, x->expect->buffer >= 0 ? "buffer" : "symbol",
                        string(x->expect->name));
    json_object_set_new(o, "check", json_string(expect_form(x->expect)));
    json_object_set_new(o, "count", integer(x->count));
    json_object_set_new(o, "ok", json_boolean(x->ok));
    if (!x->ok) {
        json_object_set_new(o, "message", string(x->wrong_what));
        json_object_set_new(o, "detail", string(x->detail));
    }
    return o;
}

void results_report(const struct results *r, struct text *out)
{
    json_t *root = json_object(), *checks = json_array();

    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "tool", tool_object());
    json_object_set_new(root, "status", json_string(results_status(r->status)));
    json_object_set_new(root, "fault",
                        r->fault == NULL ? json_null() : fault_object(r->fault));
    json_object_set_new(root, "findings",
                        r->findings == NULL ? json_array()
                                            : findings_json(r->findings));
    for (uint32_t i = 0; i < r->n_expects; i++) {
        json_array_append_new(checks, expect_object(&r->expects[i]));
    }
    json_object_set_new(root, "expect", checks);
    dump(root, out);
}

/* ---- text ---- */

static void stats_rows(const struct results *r, bool csv, struct text *out)
{
    struct smw_result k;

    if (csv) {
        text_add(out, "launch,kernel,counter,value,unit\n");
    }
    for (uint32_t i = 0; i < smw_results(r->host->device); i++) {
        if (!smw_result(r->host->device, i, &k)) {
            continue;
        }
        if (!csv) {
            text_add(out, "%s%s\n", i == 0 ? "" : "\n", k.kernel);
        }
        for (uint32_t j = 0; j < stat_table_size; j++) {
            const struct stat_desc *d = &stat_table[j];
            uint64_t v = stat_value(&k.counters, d);

            if (!is_counted(r, d)) {
                continue;
            }
            if (csv) {
                text_add(out, "%u,%s,%s,%" PRIu64 ",%s\n", i, k.kernel, d->name, v,
                         d->unit);
            } else {
                text_add(out, "    %-26s %20" PRIu64 " %s\n", d->name, v, d->unit);
            }
        }
        if (csv) {
            text_add(out, "%u,%s,%s,%s,\n", i, k.kernel, stat_limiter.name, k.limiter);
        } else {
            text_add(out, "    %-26s %20s\n", stat_limiter.name, k.limiter);
        }
    }
}

void results_stats(const struct results *r, enum results_format format,
                   struct text *out)
{
    switch (format) {
    case RESULTS_JSON: stats_json(r, out); break;
    case RESULTS_CSV: stats_rows(r, true, out); break;
    case RESULTS_TXT: stats_rows(r, false, out); break;
    }
}
