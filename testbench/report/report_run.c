/* report_run.c - report_run() of report.h: reading the folder, and the top of the
 * page. */
#include "report/page_priv.h"

#include "run/config.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 30 };

/* ---- reading ---- */

double page_number(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

uint64_t page_count(const json_t *o, const char *key)
{
    double v = page_number(o, key);

    return v > 0 && v < 9e18 ? (uint64_t)v : 0;
}

const char *page_text(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s == NULL ? "" : s;
}

double page_counter(const struct run_page *p, size_t i, const char *name)
{
    return page_number(json_object_get(json_array_get(p->kernels, i), "counters"),
                       name);
}

bool page_has_counter(const struct run_page *p, size_t i, const char *name)
{
    return json_object_get(json_object_get(json_array_get(p->kernels, i), "counters"),
                           name) != NULL;
}

double page_shared(const struct run_page *p, size_t i, const char *what)
{
    static const char *const ops[] = {"ld", "st", "atom"};
    double sum = 0;

    for (size_t k = 0; k < ARRAY_LEN(ops); k++) {
        char name[64];

        snprintf(name, sizeof(name), "shared.%s.%s", ops[k], what);
        sum += page_counter(p, i, name);
    }
    return sum;
}

void page_label(const struct run_page *p, size_t i, struct text *out)
{
    text_add(out, "%s", page_text(json_array_get(p->kernels, i), "name"));
    if (i < p->n && p->number[i] > 0) {
        text_add(out, " #%u", p->number[i]);
    }
}

static int by_name(const void *a, const void *b)
{
    const json_t *x = *(const json_t *const *)a, *y = *(const json_t *const *)b;

    return strcmp(page_text(x, "name"), page_text(y, "name"));
}

/* Launches of a kernel that is launched more than once are numbered, from 1. */
static void number_launches(struct run_page *p)
{
    const json_t **at = tb_alloc((p->n + 1) * sizeof(*at));
    uint32_t *count = tb_alloc((p->n + 1) * sizeof(*count));

    p->number = tb_alloc((p->n + 1) * sizeof(*p->number));
    for (size_t i = 0; i < p->n; i++) {
        at[i] = json_array_get(p->kernels, i);
    }
    qsort(at, p->n, sizeof(*at), by_name);
    for (size_t i = 0; i < p->n; i++) {
        const json_t *k = json_array_get(p->kernels, i);
        size_t lo = 0, hi = p->n;

        while (lo < hi) { /* the first of that name */
            size_t middle = (lo + hi) / 2;

            if (by_name(&at[middle], &k) < 0) {
                lo = middle + 1;
            } else {
                hi = middle;
            }
        }
        if (lo + 1 < p->n && by_name(&at[lo + 1], &k) == 0) {
            p->number[i] = ++count[lo];
        }
    }
    free(at);
    free(count);
}

static json_t *read_json(const char *dir, const char *name, bool needed,
                         struct smw_err *e)
{
    char *path = file_join(dir, name);
    struct smw_err unread = {0};
    json_error_t why;
    size_t size = 0;
    char *text = file_read_if_there(path, FILE_LIMIT, &size, SMW_ERR_INPUT, &unread);
    json_t *j = text == NULL ? NULL : json_loadb(text, size, 0, &why);

    if (unread.kind != SMW_ERR_NONE) {
        if (e->kind == SMW_ERR_NONE) {
            *e = unread;
        }
    } else if (text == NULL && needed) {
        if (access(dir, F_OK) != 0) {
            err_set(e, SMW_ERR_INPUT, "there is no folder %s", dir);
        }
        err_set(e, SMW_ERR_INPUT, "%s is no folder of a run: it has no %s", dir, name);
        err_hint(e, "smwave run TARGET -o DIR makes one, smwave sweep run one of many");
    } else if (text != NULL && !json_is_object(j)) {
        err_set(e, SMW_ERR_INPUT, "%s: line %d: %s", path, j == NULL ? why.line : 1,
                j == NULL ? why.text : "not an object");
    }
    free(text);
    free(path);
    return j;
}

static uint32_t key_number(const struct smw_config *c, const char *key)
{
    char text[64] = "";

    smw_config_show(c, key, text, sizeof(text));
    return (uint32_t)strtoul(text, NULL, 10);
}

/* What the device is; of a configuration that this program does not take, nothing. */
static void read_peaks(struct run_page *p, const struct smw_config *c)
{
    struct smw_err ignored = {0};
    struct smw_device_facts f;

    if (smw_config_facts(c, &f, &ignored)) {
        p->sms = f.sms;
        p->dram_gb = (double)f.memory_bytes_per_s / 1e9;
        p->issue_rate = (double)f.sms * f.warp_size * key_number(c, "sm.schedulers") *
                        key_number(c, "sm.issue_width") /
                        key_number(c, "sm.issue_interval");
    }
}

static void read_config(struct run_page *p, const char *dir, struct smw_err *e)
{
    char *path = file_join(dir, "config.yml"), cc[64] = "", mhz[64] = "";
    struct smw_config *c = config_new();
    struct smw_err ignored = {0}, why = {0};
    size_t size = 0;
    bool ok;

    p->config = file_read_if_there(path, FILE_LIMIT, &size, SMW_ERR_INPUT, e);
    ok = p->config != NULL && config_load(c, path, NULL, &why);
    if (why.kind != SMW_ERR_NONE && why.file[0] == '\0') {
        *e = why; /* not what it says, it could not be read */
    }
    if (ok && smw_config_check(c, &ignored)) {
        smw_config_show(c, "gpu.compute_capability", cc, sizeof(cc));
        smw_config_show(c, "gpu.clock", mhz, sizeof(mhz));
        p->device.rules = config_rules(cc, &ignored);
        p->device.max_blocks = key_number(c, "sm.max_blocks");
        p->device.max_warps = key_number(c, "sm.max_warps");
        p->max_warps = p->device.max_warps;
        p->clock_mhz = strtod(mhz, NULL);
        p->clock_mhz *= strstr(mhz, "GHz") != NULL ? 1000 : 1;
        read_peaks(p, c);
    }
    smw_config_free(c);
    free(path);
}

/* ---- the top ---- */

static void title(const struct run_page *p, struct text *out)
{
    size_t shown = 0, others = 0;

    for (size_t i = 0; i < p->n; i++) {
        const char *name = page_text(json_array_get(p->kernels, i), "name");

        if (p->number[i] > 1) {
            continue;
        }
        if (shown < 3) {
            text_add(out, "%s%s", shown == 0 ? "" : ", ", name);
            shown++;
        } else {
            others++;
        }
    }
    if (others > 0) {
        text_add(out, " and %zu more", others);
    }
    if (out->n == 0) {
        text_add(out, "no kernels");
    }
}

static void put_fault(struct run_page *p, const json_t *f)
{
    const json_t *ptx = json_object_get(f, "ptx"),
                 *source = json_object_get(f, "source");

    text_add(p->out, "<div class=\"box\" role=\"alert\"><strong class=\"bad\">");
    html_text(p->out, page_text(f, "message"));
    text_add(p->out, "</strong><br>in ");
    html_text(p->out, page_text(f, "kernel"));
    text_add(p->out, ", cycle ");
    html_grouped(p->out, page_count(f, "cycle"));
    if (page_text(f, "instruction")[0] != '\0') {
        text_add(p->out, ", at <code>");
        html_text(p->out, page_text(f, "instruction"));
        text_add(p->out, "</code>");
    }
    ptx = source != NULL ? source : ptx;
    if (page_text(ptx, "file")[0] != '\0') {
        text_add(p->out, ", ");
        html_text(p->out, page_text(ptx, "file"));
        text_add(p->out, ":%llu", (unsigned long long)page_count(ptx, "line"));
    }
    if (page_text(f, "detail")[0] != '\0') {
        text_add(p->out, "<pre>");
        html_text(p->out, page_text(f, "detail"));
        text_add(p->out, "</pre>");
    }
    text_add(p->out, "</div>\n");
}

static void put_findings(struct run_page *p)
{
    const json_t *fault = json_object_get(p->report, "fault"), *f;
    const json_t *findings = json_object_get(p->report, "findings");
    size_t i;

    if (json_is_object(fault)) {
        put_fault(p, fault);
    }
    json_array_foreach(findings, i, f)
    {
        const char *message = page_text(f, "message");

        if (json_is_object(fault) &&
            strcmp(message, page_text(fault, "message")) == 0) {
            continue;
        }
        text_add(p->out, "<div class=\"box\">");
        html_text(p->out, message);
        if (page_text(f, "missing")[0] != '\0') {
            text_add(p->out, "<br>");
            html_text(p->out, page_text(f, "missing"));
        }
        text_add(p->out, "</div>\n");
    }
}

/* Expectations that did not hold. */
static void put_expectations(struct run_page *p)
{
    const json_t *checks = json_object_get(p->report, "expect"), *x;
    size_t i;

    json_array_foreach(checks, i, x)
    {
        if (!json_is_true(json_object_get(x, "ok"))) {
            text_add(p->out, "<div class=\"box\"><strong class=\"bad\">");
            html_text(p->out, page_text(x, "message"));
            text_add(p->out, "</strong><pre>");
            html_text(p->out, page_text(x, "detail"));
            text_add(p->out, "</pre></div>\n");
        }
    }
}

static size_t n_ok(const struct run_page *p)
{
    const json_t *x;
    size_t i, ok = 0;

    json_array_foreach(json_object_get(p->report, "expect"), i, x)
    {
        ok += json_is_true(json_object_get(x, "ok"));
    }
    return ok;
}

static void put_status(struct run_page *p)
{
    const char *status = page_text(p->stats, "status");
    size_t checks = json_array_size(json_object_get(p->report, "expect"));
    bool complete = strcmp(status, "complete") == 0;
    bool good = complete && n_ok(p) == checks;

    text_add(p->out, " <span class=\"status %s\">", good ? "good" : "bad");
    html_text(p->out, complete && !good ? "wrong results" : status);
    text_add(p->out, "</span>");
}

static void fact(struct run_page *p, const char *name)
{
    text_add(p->out, "<div><dt>%s</dt><dd>", name);
}

static void fact_end(struct run_page *p)
{
    text_add(p->out, "</dd></div>\n");
}

static void put_facts(struct run_page *p)
{
    double cycles = 0, insts = 0, conflicts = 0, wavefronts = 0;
    size_t checks = json_array_size(json_object_get(p->report, "expect"));

    for (size_t i = 0; i < p->n; i++) {
        cycles += page_counter(p, i, "cycles");
        insts += page_counter(p, i, "warp_insts");
        conflicts += page_shared(p, i, "conflicts");
        wavefronts += page_shared(p, i, "wavefronts");
    }
    text_add(p->out, "<dl class=\"facts\">\n");
    fact(p, p->n == 1 ? "Cycles" : "Cycles of all launches");
    html_number(p->out, cycles, 6);
    if (p->clock_mhz > 0) {
        text_add(p->out, " <small>");
        html_number(p->out, cycles / p->clock_mhz, 4);
        text_add(p->out, "&nbsp;&micro;s</small>");
    }
    fact_end(p);
    fact(p, "Warp instructions");
    html_number(p->out, insts, 6);
    text_add(p->out, " <small>%.2f per cycle</small>", cycles > 0 ? insts / cycles : 0);
    fact_end(p);
    fact(p, "Bank conflicts");
    html_number(p->out, conflicts, 6);
    if (wavefronts > 0) {
        text_add(p->out, " <small>of ");
        html_number(p->out, wavefronts, 6);
        text_add(p->out, " wavefronts</small>");
    }
    fact_end(p);
    if (checks > 0) {
        fact(p, "Expectations");
        text_add(p->out, "%zu of %zu <small>hold</small>", n_ok(p), checks);
        fact_end(p);
    }
    text_add(p->out, "</dl>\n");
}

static void put_head(struct run_page *p)
{
    const json_t *config = json_object_get(p->stats, "config");
    struct text name = {0};

    title(p, &name);
    text_add(p->out, "<header>\n<h1>");
    html_text(p->out, name.s);
    put_status(p);
    text_add(p->out, "</h1>\n<p class=\"lead\">A run on <strong>");
    html_text(p->out, page_text(config, "name"));
    text_add(p->out, "</strong>");
    if (p->device.rules != NULL) {
        text_add(p->out, ", capability %u.%u", p->device.rules->cc / 10,
                 p->device.rules->cc % 10);
    }
    if (p->clock_mhz > 0) {
        text_add(p->out, ", %.0f&nbsp;MHz", p->clock_mhz);
    }
    if (json_is_true(json_object_get(config, "what_if"))) {
        text_add(p->out, ", <strong>what-if</strong>: no such device was built");
    }
    text_add(p->out, "</p>\n");
    put_findings(p);
    put_expectations(p);
    put_facts(p);
    page_notes(p);
    text_add(p->out, "</header>\n");
    text_free(&name);
}

void page_config(struct run_page *p)
{
    html_section(p->out, "config", "Configuration",
                 "As resolved: presets, files and options together. It loads back with "
                 "<code>smwave run TARGET -c config.yml</code>.");
    text_add(p->out, "<details><summary>config.yml</summary><pre>");
    html_text(p->out, p->config == NULL ? "not in the folder" : p->config);
    text_add(p->out, "</pre></details>\n");
    html_section_end(p->out);
}

static void put_page(struct run_page *p)
{
    static const struct html_nav nav[] = {
        {"advice", "Advice"},     {"launches", "Launches"},
        {"roofline", "Roofline"}, {"activity", "Activity"},
        {"banks", "Banks"},       {"lines", "Instructions"},
        {"stalls", "Stalls"},     {"occupancy", "Occupancy"},
        {"counters", "Counters"}, {"config", "Configuration"},
    };
    struct text name = {0}, full = {0};

    title(p, &name);
    text_add(&full, "%s on %s - smwave", name.s,
             page_text(json_object_get(p->stats, "config"), "name"));
    html_open(p->out, full.s);
    html_bar(p->out, name.s, nav, ARRAY_LEN(nav));
    put_head(p);
    page_advice(p);
    page_launches(p);
    page_roofline(p);
    page_activity(p);
    page_banks(p);
    page_lines(p);
    page_stalls(p);
    page_occupancy(p);
    page_counters(p);
    page_config(p);
    text_add(p->out, "<footer>smwave ");
    html_text(p->out, page_text(json_object_get(p->stats, "tool"), "version"));
    text_add(p->out, ", configuration ");
    html_text(p->out, page_text(json_object_get(p->stats, "config"), "digest"));
    text_add(p->out, "</footer>\n");
    html_close(p->out);
    text_free(&name);
    text_free(&full);
}

bool report_run(const char *dir, struct text *out, struct smw_err *e)
{
    struct run_page p = {.out = out};

    p.stats = read_json(dir, "stats.json", true, e);
    p.report = read_json(dir, "report.json", false, e);
    p.explain = read_json(dir, "explain.json", false, e);
    p.profile = read_json(dir, "profile.json", false, e);
    if (e->kind == SMW_ERR_NONE) {
        p.kernels = json_object_get(p.stats, "kernels");
        p.n = json_array_size(p.kernels);
        number_launches(&p);
        read_config(&p, dir, e);
    }
    if (e->kind == SMW_ERR_NONE) {
        put_page(&p);
    }
    json_decref(p.stats);
    json_decref(p.report);
    json_decref(p.explain);
    json_decref(p.profile);
    free(p.number);
    free(p.config);
    return e->kind == SMW_ERR_NONE;
}
