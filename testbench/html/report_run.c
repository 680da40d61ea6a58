/* report_run.c - report_run() of report.h: reading the folder, and the top of the page. */
#include "html/run_page.h"

#include "config.h"
#include <stdlib.h>
#include <string.h>

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
    const char *name = page_text(json_array_get(p->kernels, i), "name");
    size_t same = 0, number = 0;

    for (size_t k = 0; k < p->n; k++) {
        if (strcmp(page_text(json_array_get(p->kernels, k), "name"), name) == 0) {
            same++;
            number += k <= i;
        }
    }
    text_add(out, "%s", name);
    if (same > 1) {
        text_add(out, " #%zu", number);
    }
}

static json_t *read_json(const char *dir, const char *name, bool needed, struct err *e)
{
    char *path = file_join(dir, name);
    struct err missing = {0};
    json_error_t why;
    size_t size = 0;
    char *text = file_read(path, FILE_LIMIT, &size, ERR_INPUT, &missing);
    json_t *j = text == NULL ? NULL : json_loadb(text, size, 0, &why);

    if (text == NULL && needed) {
        err_set(e, ERR_INPUT, "%s is no folder of a run: it has no %s", dir, name);
        err_hint(e, "smwave run TARGET -o DIR makes one, smwave sweep run one of many");
    } else if (text != NULL && !json_is_object(j)) {
        err_set(e, ERR_INPUT, "%s: line %d: %s", path, j == NULL ? why.line : 1,
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
static void read_config(struct run_page *p, const char *dir)
{
    char *path = file_join(dir, "config.yml"), cc[64] = "", mhz[64] = "";
    struct smw_config *c = smw_config_new();
    struct err ignored = {0};
    size_t size = 0;

    p->config = file_read(path, FILE_LIMIT, &size, ERR_INPUT, &ignored);
    if (p->config != NULL && config_load(c, path, NULL, &ignored) &&
        smw_config_check(c, &ignored)) {
        smw_config_show(c, "gpu.compute_capability", cc, sizeof(cc));
        smw_config_show(c, "gpu.clock", mhz, sizeof(mhz));
        p->device.rules = config_rules(cc, &ignored);
        p->device.max_blocks = key_number(c, "sm.max_blocks");
        p->device.max_warps = key_number(c, "sm.max_warps");
        p->max_warps = p->device.max_warps;
        p->clock_mhz = strtod(mhz, NULL);
        p->clock_mhz *= strstr(mhz, "GHz") != NULL ? 1000 : 1;
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
        bool seen = false;

        for (size_t k = 0; k < i && !seen; k++) {
            seen = strcmp(page_text(json_array_get(p->kernels, k), "name"), name) == 0;
        }
        if (seen) {
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

/* ---- launches ---- */

static void block_text(const json_t *a, struct text *out)
{
    size_t n = json_array_size(a);

    while (n > 1 && json_integer_value(json_array_get(a, n - 1)) == 1) {
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        text_add(out, "%s%lld", i == 0 ? "" : "\xc3\x97",
                 (long long)json_integer_value(json_array_get(a, i)));
    }
}

static void put_launch(struct run_page *p, size_t i, double longest)
{
    const json_t *k = json_array_get(p->kernels, i);
    double cycles = page_counter(p, i, "cycles");
    double hits = page_counter(p, i, "l1.ld.hit_sectors");
    struct text label = {0}, shape = {0};

    page_label(p, i, &label);
    block_text(json_object_get(k, "grid"), &shape);
    text_add(&shape, " \xc2\xb7 ");
    block_text(json_object_get(k, "block"), &shape);
    html_row(p->out);
    html_cell(p->out, label.s);
    if (!json_is_true(json_object_get(k, "complete"))) {
        text_add(p->out, " <span class=\"bad\">(not complete)</span>");
    }
    text_add(p->out, "<td class=\"nowrap\">");
    html_text(p->out, shape.s);
    text_add(p->out, "<td class=\"num share\" style=\"--p:%.1f%%\">",
             longest > 0 ? 100 * cycles / longest : 0);
    html_number(p->out, cycles, 6);
    html_cell_number(p->out, cycles > 0 ? page_counter(p, i, "warp_insts") / cycles : 0,
                     3);
    html_cell_percent(p->out, page_counter(p, i, "sm.warp_cycles"),
                      page_counter(p, i, "sm.active_cycles") * p->max_warps);
    html_cell_number(p->out, page_shared(p, i, "wavefronts"), 6);
    html_cell_number(p->out, page_shared(p, i, "conflicts"), 6);
    html_cell_percent(p->out,
                      page_counter(p, i, "global.ld.wanted_bytes") +
                          page_counter(p, i, "global.st.wanted_bytes"),
                      page_counter(p, i, "global.ld.bytes") +
                          page_counter(p, i, "global.st.bytes"));
    html_cell_percent(p->out, hits, hits + page_counter(p, i, "l1.ld.miss_sectors"));
    html_cell_percent(p->out, page_counter(p, i, "l2.read.hit_sectors"),
                      page_counter(p, i, "l2.read.sectors"));
    html_cell_number(p->out,
                     page_counter(p, i, "dram.read.bytes") +
                         page_counter(p, i, "dram.write.bytes"),
                     6);
    text_free(&label);
    text_free(&shape);
}

static void put_launches(struct run_page *p)
{
    static const struct html_column c[] = {
        {"Launch", NULL, false},
        {"Grid \xc2\xb7 block", NULL, false},
        {"Cycles", "of the SM clock, from the launch to its last store", true},
        {"IPC", "warp instructions per cycle, of all SMs", true},
        {"Warps", "achieved occupancy: resident warps of those an SM could hold", true},
        {"Wavefronts", "passes through the banks of shared memory", true},
        {"Conflicts", "of those, passes that bank conflicts add", true},
        {"Coalescing", "bytes that lanes wanted of the bytes that moved", true},
        {"L1 hits", "sectors of loads", true},
        {"L2 hits", "sectors read", true},
        {"DRAM bytes", "read and written", true}};
    double longest = 0;

    html_section(p->out, "launches", "Launches", NULL);
    for (size_t i = 0; i < p->n; i++) {
        double cycles = page_counter(p, i, "cycles");

        longest = cycles > longest ? cycles : longest;
    }
    html_table(p->out, "t-launches", "Launches in their order", c, ARRAY_LEN(c),
               p->n > 1 ? HTML_SORTED : HTML_PLAIN);
    for (size_t i = 0; i < p->n; i++) {
        put_launch(p, i, longest);
    }
    html_table_end(p->out);
    html_section_end(p->out);
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
        {"launches", "Launches"},    {"activity", "Activity"},
        {"banks", "Banks"},          {"lines", "Instructions"},
        {"occupancy", "Occupancy"},  {"counters", "Counters"},
        {"config", "Configuration"},
    };
    struct text name = {0}, full = {0};

    title(p, &name);
    text_add(&full, "%s on %s - smwave", name.s,
             page_text(json_object_get(p->stats, "config"), "name"));
    html_open(p->out, full.s);
    html_bar(p->out, name.s, nav, ARRAY_LEN(nav));
    put_head(p);
    put_launches(p);
    page_activity(p);
    page_banks(p);
    page_lines(p);
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

bool report_run(const char *dir, struct text *out, struct err *e)
{
    struct run_page p = {.out = out};

    p.stats = read_json(dir, "stats.json", true, e);
    p.report = read_json(dir, "report.json", false, e);
    p.explain = read_json(dir, "explain.json", false, e);
    p.profile = read_json(dir, "profile.json", false, e);
    if (e->kind == ERR_NONE) {
        p.kernels = json_object_get(p.stats, "kernels");
        p.n = json_array_size(p.kernels);
        read_config(&p, dir);
        put_page(&p);
    }
    json_decref(p.stats);
    json_decref(p.report);
    json_decref(p.explain);
    json_decref(p.profile);
    free(p.config);
    return e->kind == ERR_NONE;
}
