/*
 * cmd_run.c - "smwave run": a launch file from its text to its results.
 */
#include "cli.h"

#include "config.h"
#include "explain.h"
#include "loop.h"
#include "outdir.h"
#include "races.h"
#include "results.h"
#include "run_options.h"
#include "totals.h"
#include "trace_report.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    struct run_options opt;
    struct launch_file file;
    struct smw_config *config;
    struct host host;
    struct tracing_plan plan;
    struct tracing *tracing;
    struct explain *explain; /* NULL: not asked for */
    bool traced;             /* there are waveforms to look at */
    struct tracing_outcome outcome;
    struct loop_result loop;
    struct expect_result *expects;
    struct findings findings;
    struct races races; /* among them */
    char *path, *name, *outdir;
    uint32_t printed; /* launches whose output was printed */
    double startup;   /* seconds from the command to the first simulated cycle */
};

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- before the run ---- */

/* The model found itself broken: nothing it holds can be trusted but the files. */
static void on_panic(void *ctx, const char *text)
{
    struct run *r = ctx;

    tracing_abort(r->tracing);
    fprintf(stderr, "smwave: internal error: %s\n", text);
    fflush(NULL);
    _exit(TB_INTERNAL);
}

static bool load_config(struct run *r, struct err *e)
{
    const struct yaml_node *n = r->file.config;
    const struct yaml *y = &r->file.yaml;

    r->config = smw_config_new();
    if (r->opt.config != NULL) {
        if (!config_load(r->config, r->opt.config, NULL, e)) {
            return false;
        }
    } else if (n != NULL && !config_load(r->config, n->text, y->name, e)) {
        if (e->file[0] == '\0') {
            err_at(e, y->name, y->text, n->line, n->column, n->width);
        }
        return false;
    }
    for (uint32_t i = 0; i < r->opt.n_overrides; i++) {
        if (!config_override(r->config, r->opt.overrides[i], e)) {
            return false;
        }
    }
    if (smw_config_check(r->config, e)) {
        return true;
    }
    for (uint32_t i = r->opt.n_overrides;
         i > 0 && !config_blame_override(r->opt.overrides[i - 1], e); i--) {
    }
    return false;
}

static bool plan_views(struct run *r, struct err *e)
{
    r->plan.cycles = r->opt.cycles;
    r->plan.log_degree = r->opt.log_degree;
    r->plan.log_wait = r->opt.log_wait;
    for (uint32_t i = 0; i < r->opt.n_views; i++) {
        if (!view_parse(r->plan.views, &r->plan.n_views, r->opt.views[i], e)) {
            return false;
        }
    }
    return r->opt.n_views == 0 || r->plan.n > 0 ||
           err_set(e, ERR_USAGE, "--view: there is no waveform to view");
}

/* What the launch file says, but for what the options say. */
static bool plan_selection(struct run *r, struct err *e)
{
    struct trace_select *s = &r->plan.select, options = {0};
    bool ok = true;

    for (uint32_t i = 0; ok && i < r->opt.n_traces; i++) {
        const struct run_trace *t = &r->opt.traces[i];

        ok = trace_select_set(&options, t->item, &(struct trace_said){.what = t->name},
                              t->text, e);
    }
    if (ok && r->opt.n_traces > 0 && r->plan.n == 0) {
        ok = err_set(e, ERR_USAGE, "%s: there is no waveform", r->opt.traces[0].name);
    }
    trace_select_override(s, &r->file.trace.select);
    trace_select_override(s, &options);
    trace_select_free(&options);
    return ok && trace_select_check(s, e);
}

/* Where files are written is the matter of who calls, not of who wrote the launch file. */
static bool stays_inside(const struct run *r, struct err *e)
{
    size_t n = strlen(r->outdir);

    for (uint32_t i = 0; i < r->plan.n; i++) {
        const char *path = r->plan.path[i];

        if (r->plan.streamed[i] || strncmp(path, r->outdir, n) != 0 || path[n] != '/' ||
            strchr(path + n + 1, '/') != NULL) {
            err_set(e, ERR_INPUT,
                    "a launch file cannot say where its waveform is written");
            err_hint(e, "it may be vcd, fst, vcd.gz or none; --trace takes a file");
            return false;
        }
    }
    return true;
}

static bool plan_files(struct run *r, struct err *e)
{
    const struct launch_trace *t = &r->file.trace;
    const char *list = r->opt.trace;
    enum results_format format;

    for (uint32_t i = 0; i < r->opt.n_stats; i++) {
        if (!results_format(r->opt.stats[i], &format, e)) {
            return false;
        }
    }
    if (r->opt.report != NULL && !findings_sarif_name(r->opt.report, e)) {
        return false;
    }
    r->outdir = r->opt.outdir != NULL ? tb_strdup(r->opt.outdir)
                                      : tb_printf("smwave-out/%s", r->name);
    if (list == NULL) {
        list = t->format != NULL ? t->format : "vcd";
    }
    for (size_t n = strlen(r->outdir); n > 1 && r->outdir[n - 1] == '/'; n--) {
        r->outdir[n - 1] = '\0';
    }
    if (tracing_parse(&r->plan, list, r->outdir, e) &&
        (r->opt.trace != NULL || stays_inside(r, e))) {
        return plan_views(r, e) && plan_selection(r, e);
    }
    if (r->opt.trace == NULL && t->format_at != NULL) {
        e->kind = ERR_INPUT;
        err_at(e, r->file.yaml.name, r->file.yaml.text, t->format_at->line,
               t->format_at->column, t->format_at->width);
    }
    return false;
}

static bool attach(struct run *r, struct err *e)
{
    if (r->plan.n > 0) {
        code_of_module(&r->plan.code, r->host.module);
    }
    r->tracing = tracing_open(r->host.device, &r->plan, r->host.module, r->config,
                              r->name, r->outdir, e);
    r->traced = r->tracing != NULL;
    if (r->opt.explain) {
        r->explain = explain_open(r->host.device, r->opt.worst);
    }
    return e->kind == ERR_NONE;
}

/* Two cannot have it. */
static bool share_stdout(struct run *r, struct err *e)
{
    for (uint32_t i = 0; r->opt.json && i < r->plan.n; i++) {
        if (r->plan.streamed[i]) {
            return err_set(e, ERR_USAGE,
                           "--json and --trace - cannot both have standard output");
        }
    }
    return tracing_take_stdout(&r->plan, e);
}

static bool prepare(struct run *r, struct err *e)
{
    return run_target(r->opt.target, &r->path, &r->name, e) &&
           launch_read(&r->file, r->path, e) && load_config(r, e) && plan_files(r, e) &&
           share_stdout(r, e) &&
           host_open(&r->host, &r->file, r->config, &r->opt.device, e) &&
           host_launch(&r->host, e) &&
           tracing_check(r->host.device, &r->plan, r->host.module, e) &&
           outdir_prepare(r->outdir, r->opt.force, e) && attach(r, e);
}

/* ---- the run ---- */

/* What kernels printed, in the order of the launches, once each has ended. */
static void print_output(void *ctx)
{
    struct run *r = ctx;
    struct smw_result k;

    while (smw_result(r->host.device, r->printed, &k) && k.finished) {
        if (k.output != NULL) {
            fputs(k.output, r->opt.json ? stderr : stdout);
        }
        r->printed++;
    }
}

static void after_slice(void *ctx)
{
    struct run *r = ctx;

    print_output(r);
    if (!tracing_flush(r->tracing)) {
        smw_stop(r->host.device); /* closing it tells why */
    }
}

/* What the launch that did not finish printed so far. */
static void print_last_output(struct run *r)
{
    struct smw_result k;

    print_output(r);
    if (smw_result(r->host.device, r->printed, &k) && k.started && k.output != NULL) {
        fputs(k.output, r->opt.json ? stderr : stdout);
    }
}

static void tell_fault(struct run *r)
{
    const struct smw_fault *f = smw_fault(r->host.device);

    if (f != NULL && f->kind != ERR_NONE) {
        tracing_fault(r->tracing, f->kind, f->message);
    }
}

/* The head of the save files says what the run came to. */
static void tell_totals(struct run *r)
{
    struct results results = {.host = &r->host, .status = r->loop.status};
    struct text stats = {0}, lines = {0};

    if (r->tracing == NULL) {
        return;
    }
    results_stats(&results, RESULTS_JSON, &stats);
    totals_lines(stats.s, stats.n, &lines);
    tracing_totals(r->tracing, lines.s);
    text_free(&stats);
    text_free(&lines);
}

/* False and *e if the waveforms could not be completed; the run itself did happen. */
static bool simulate(struct run *r, struct err *e)
{
    struct loop_options opt = {.progress = isatty(STDERR_FILENO) != 0,
                               .slice = after_slice,
                               .ctx = r};

    r->loop = loop_run(r->host.device, &opt);
    print_last_output(r);
    tell_fault(r);
    tell_totals(r);
    return tracing_close(r->tracing, results_status(r->loop.status), &r->outcome, e);
}

/* Who waits where for whom, line by line; a line that the buffer cut off is left out.
 */
static void show_detail(const struct smw_fault *f)
{
    bool full = strlen(f->detail) + 1 == sizeof(f->detail);

    for (const char *line = f->detail; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        bool last = line[n] == '\0';

        fprintf(stderr, "    %.*s\n", last && full ? 3 : (int)n,
                last && full ? "..." : line);
        line += n + !last;
    }
}

static void show_where(const struct smw_fault *f)
{
    fprintf(stderr, "    in kernel %s", f->kernel == NULL ? "?" : f->kernel);
    if (f->kind == ERR_KERNEL) {
        fprintf(stderr, ", block (%u,%u,%u), thread (%u,%u,%u)", f->block[0],
                f->block[1], f->block[2], f->thread[0], f->thread[1], f->thread[2]);
    }
    fprintf(stderr, ", cycle %" PRIu64 "\n", f->cycle);
    if (f->inst[0] != '\0') {
        fprintf(stderr, "    instruction: %s\n", f->inst);
    }
    if (f->file != NULL) {
        fprintf(stderr, "    source: %s:%u\n", f->file, f->line);
    }
    show_detail(f);
}

static void show_fault(struct run *r, const struct smw_fault *f)
{
    struct err e = {0}, ignored = {0};
    size_t size = 0;
    char *text =
        file_read(r->host.module_path, UINT64_C(1) << 28, &size, ERR_IO, &ignored);

    err_set(&e, f->kind, "%s", f->message);
    if (f->ptx_line != 0) {
        err_at(&e, r->host.module_path, text, f->ptx_line, 0, 0);
    }
    free(text);
    diag_error(&e);
    show_where(f);
}

/* Print what is wrong with the results; how many are. */
static uint32_t show_wrong(struct run *r)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < r->file.n_expects; i++) {
        const struct expect_result *x = &r->expects[i];
        const struct yaml *y = &r->file.yaml;
        struct err e = {0};

        if (x->ok) {
            continue;
        }
        wrong++;
        err_set(&e, ERR_KERNEL, "%s", x->wrong_what);
        err_at(&e, y->name, y->text, x->expect->at->line, x->expect->at->column, 1);
        diag_error(&e);
        if (x->detail[0] != '\0') {
            fprintf(stderr, "    %s\n", x->detail);
        }
    }
    return wrong;
}

/* ---- after the run ---- */

static bool write_text(const char *dir, const char *name, struct text *t, struct err *e)
{
    char *path = dir == NULL ? tb_strdup(name) : file_join(dir, name);
    bool ok = file_write(path, t->s == NULL ? "" : t->s, t->n, e);

    free(path);
    text_free(t);
    return ok;
}

static bool write_stats_files(struct run *r, const struct results *results,
                              struct err *e)
{
    for (uint32_t i = 0; i < r->opt.n_stats; i++) {
        enum results_format format = RESULTS_JSON;
        struct text t = {0};

        results_format(r->opt.stats[i], &format, e);
        results_stats(results, format, &t);
        if (!write_text(NULL, r->opt.stats[i], &t, e)) {
            return false;
        }
    }
    return true;
}

static bool write_timing(struct run *r, struct err *e)
{
    struct smw_progress p = {0};
    double s = r->loop.seconds > 0 ? r->loop.seconds : 1e-9;
    struct text t = {0};

    if (r->opt.timing == NULL) {
        return true;
    }
    smw_progress(r->host.device, &p);
    text_add(
        &t,
        "{\n  \"startup_seconds\": %.6f,\n  \"seconds\": %.6f,\n  \"cycles\": %" PRIu64
        ",\n  \"cycles_per_second\": %.0f,\n  \"thread_insts\": %" PRIu64
        ",\n  \"thread_insts_per_second\": %.0f,\n  \"warp_insts\": %" PRIu64
        ",\n  \"activations\": %" PRIu64 ",\n  \"activations_per_second\": %.0f\n}\n",
        r->startup, s, p.cycles, (double)p.cycles / s, p.thread_insts,
        (double)p.thread_insts / s, p.warp_insts, p.activations,
        (double)p.activations / s);
    return write_text(NULL, r->opt.timing, &t, e);
}

static bool write_sarif(struct run *r, struct err *e)
{
    struct text t = {0};

    if (r->opt.report == NULL) {
        return true;
    }
    findings_sarif(&r->findings, &t);
    return write_text(NULL, r->opt.report, &t, e);
}

static bool write_files(struct run *r, const struct results *results, struct err *e)
{
    struct text stats = {0}, config = {0}, report = {0};
    bool ok;

    results_stats(results, RESULTS_JSON, &stats);
    config_print(r->config, &config);
    results_report(results, &report);
    ok = write_text(r->outdir, "stats.json", &stats, e);
    ok = write_text(r->outdir, "config.yml", &config, e) && ok;
    ok = write_text(r->outdir, "report.json", &report, e) && ok;
    if (r->explain != NULL) {
        struct text explain = {0};

        explain_json(r->explain, &explain);
        ok = write_text(r->outdir, "explain.json", &explain, e) && ok;
    }
    return write_stats_files(r, results, e) && write_timing(r, e) &&
           write_sarif(r, e) && ok;
}

static void print_save_file(const struct run *r, const char *label,
                            const struct view *v)
{
    char *path = tracing_save_file(&r->plan, 0, v);

    printf("%s%s\n", label, path);
    free(path);
}

/* How to look at it. */
static void print_waveform(const struct run *r)
{
    print_save_file(r,
                    r->plan.streamed[0] ? "waveform:  on standard output; save file "
                                        : "waveform:  gtkwave ",
                    NULL);
    for (uint32_t i = 0; i < r->plan.n_views; i++) {
        if (r->plan.views[i].name != VIEW_OVERVIEW) {
            print_save_file(r, "           gtkwave ", &r->plan.views[i]);
        }
    }
    trace_report_extent(stdout, &r->plan.select, &r->outcome);
}

static void print_results(struct run *r, const struct results *results)
{
    struct text t = {0};

    if (r->opt.json) {
        results_stats(results, RESULTS_JSON, &t);
        fputs(t.s, stdout);
        text_free(&t);
        return;
    }
    results_summary(results, diag_color(stdout), &t);
    if (r->explain != NULL) {
        explain_text(r->explain, r->host.module_path, diag_color(stdout), &t);
    }
    fputs(t.s, stdout);
    text_free(&t);
    printf("\nresults in %s\n", r->outdir);
    if (r->traced) {
        print_waveform(r);
    }
}

static void print_speed(struct run *r)
{
    struct smw_progress p = {0};

    if (isatty(STDERR_FILENO) == 0 || r->loop.seconds <= 0) {
        return;
    }
    smw_progress(r->host.device, &p);
    fprintf(stderr,
            "simulated in %.2f s: %.1f million thread instructions per second\n",
            r->loop.seconds, (double)p.thread_insts / r->loop.seconds / 1e6);
}

/* Where it was when it was interrupted. */
static void show_standing(const struct run *r)
{
    struct smw_fault now = {.kind = ERR_LIMIT};

    if (r->loop.status == SMW_STOPPED) {
        smw_where(r->host.device, now.detail, sizeof(now.detail));
        show_detail(&now);
    }
}

static int verdict(struct run *r, const struct results *results, uint32_t wrong,
                   const struct err *io)
{
    if (r->loop.signal != 0) {
        show_standing(r);
        fprintf(stderr, "smwave: interrupted; results so far are in %s\n", r->outdir);
        return 128 + r->loop.signal;
    }
    if (results->fault != NULL) {
        return (int)diag_exit(results->fault->kind);
    }
    if (io->kind != ERR_NONE) {
        return (int)diag_exit(io->kind);
    }
    if (results->status == SMW_LIMIT) {
        return TB_LIMIT;
    }
    if (results->status != SMW_DONE) {
        return TB_INTERNAL;
    }
    if (wrong > 0 || r->races.errors > 0 || (r->opt.strict && r->races.warnings > 0)) {
        return TB_KERNEL;
    }
    return TB_OK;
}

static int conclude(struct run *r, struct err *e)
{
    const struct smw_fault *fault = smw_fault(r->host.device);
    struct results results = {.host = &r->host,
                              .status = r->loop.status,
                              .findings = &r->findings};
    struct finding found;
    uint32_t wrong = 0;

    if (findings_of_fault(fault, &found)) {
        findings_add(&r->findings, &found);
    }
    r->races = races_find(r->host.device, &r->findings);
    races_show(&r->host);
    if (fault != NULL && fault->kind != ERR_NONE) {
        results.fault = fault;
        show_fault(r, fault);
    }
    r->expects = tb_alloc((r->file.n_expects + 1) * sizeof(*r->expects));
    if (results.status == SMW_DONE) {
        if (!expect_check(&r->host, r->expects, e)) {
            return (int)diag_error(e);
        }
        results.expects = r->expects;
        results.n_expects = r->file.n_expects;
        wrong = show_wrong(r);
    }
    write_files(r, &results, e);
    if (e->kind != ERR_NONE) {
        diag_error(e);
    }
    print_results(r, &results);
    if (r->traced) {
        trace_report_missed(stderr, &r->plan.select, &r->outcome);
    }
    print_speed(r);
    return verdict(r, &results, wrong, e);
}

static void release(struct run *r)
{
    explain_close(r->explain);
    findings_free(&r->findings);
    host_close(&r->host);
    launch_free(&r->file);
    tracing_plan_free(&r->plan);
    if (r->config != NULL) {
        smw_config_free(r->config);
    }
    free(r->expects);
    free(r->path);
    free(r->name);
    free(r->outdir);
}

int cmd_run(int argc, char **argv)
{
    struct run r = {.opt.device.check = SMW_CHECK_FAST};
    struct err e = {0};
    double started = now();
    int code;

    r.opt.device.panic = on_panic;
    r.opt.device.panic_ctx = &r;
    run_options_parse(&r.opt, argc, argv);
    if (!prepare(&r, &e)) {
        code = (int)diag_error(&e);
    } else {
        r.startup = now() - started;
        simulate(&r, &e);
        code = conclude(&r, &e);
    }
    release(&r);
    return code;
}
