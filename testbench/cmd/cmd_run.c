/*
 * cmd_run.c - "smwave run": a run (run.h) with its waveforms, on a terminal.
 */
#include "cmd/commands.h"
#include "io/cli.h"

#include "base/nomem.h"
#include "cmd/cmd_exec.h"
#include "cmd/run_gains.h"
#include "cmd/run_options.h"
#include "cmd/run_show.h"
#include "io/num.h"
#include "io/outdir.h"
#include "io/processors.h"
#include "report/explain.h"
#include "report/profile.h"
#include "run/loop.h"
#include "run/run.h"
#include "run/team.h"
#include "trace/totals.h"
#include "trace/trace_report.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    struct run_options opt;
    struct run run;
    struct tracing_plan plan;
    struct tracing *tracing;
    struct explain *explain; /* NULL: not asked for */
    struct advice advice;    /* on what it shows */
    struct profile *profile; /* the same */
    struct track *track;     /* the same */
    struct team *team;       /* NULL: one thread */
    bool traced;             /* there are waveforms to look at */
    struct tracing_outcome outcome;
    struct loop_result loop;
    char *outdir;
    int lock;         /* of outdir */
    uint32_t printed; /* launches whose output was printed */
    double startup;   /* seconds from the command to the first simulated cycle */
    int code;         /* that it ends with */
};

/* ---- before the run ---- */

/* The model found itself broken: nothing it holds can be trusted but the files. */
static void on_panic(void *ctx, const char *text)
{
    struct command *c = ctx;

    tracing_abort(c->tracing);
    fprintf(stderr, "smwave: internal error: %s\n", text);
    fflush(NULL);
    _exit(TB_INTERNAL);
}

static bool plan_views(struct command *c, struct smw_err *e)
{
    c->plan.cycles = c->opt.waves.timescale != NULL
                         ? strcmp(c->opt.waves.timescale, "cycle") == 0
                         : c->run.file.trace.cycles;
    c->plan.log_degree = c->opt.log_degree;
    c->plan.log_wait = c->opt.log_wait;
    c->plan.second_thread = true;
    for (uint32_t i = 0; i < c->opt.waves.n_views; i++) {
        if (!view_parse(c->plan.views, &c->plan.n_views, c->opt.waves.views[i], e)) {
            return false;
        }
    }
    return c->opt.waves.n_views == 0 || c->plan.n > 0 ||
           err_set(e, SMW_ERR_USAGE, "--view: there is no waveform to view");
}

/* What the launch file says, but for what the options say. */
static bool plan_selection(struct command *c, struct smw_err *e)
{
    struct trace_select *s = &c->plan.select, options = {0};
    bool ok = true;

    for (uint32_t i = 0; ok && i < c->opt.waves.n_asked; i++) {
        const struct trace_asked *t = &c->opt.waves.asked[i];

        ok = trace_select_set(&options, t->item, &(struct trace_said){.what = t->name},
                              t->text, e);
    }
    if (ok && c->opt.waves.n_asked > 0 && c->plan.n == 0) {
        ok = err_set(e, SMW_ERR_USAGE, "%s: there is no waveform",
                     c->opt.waves.asked[0].name);
    }
    trace_select_override(s, &c->run.file.trace.select);
    trace_select_override(s, &options);
    trace_select_free(&options);
    return ok && trace_select_check(s, e);
}

/* Where files are written is the matter of who calls, not of who wrote the launch
 * file. */
static bool stays_inside(const struct command *c, struct smw_err *e)
{
    size_t n = strlen(c->outdir);

    for (uint32_t i = 0; i < c->plan.n; i++) {
        const char *path = c->plan.path[i];

        if (c->plan.streamed[i] || strncmp(path, c->outdir, n) != 0 || path[n] != '/' ||
            strchr(path + n + 1, '/') != NULL) {
            err_set(e, SMW_ERR_INPUT,
                    "a launch file cannot say where its waveform is written");
            err_hint(e, "it may be vcd, fst, vcd.gz or none; --trace takes a file");
            return false;
        }
    }
    return true;
}

static bool plan_files(struct command *c, struct smw_err *e)
{
    const struct launch_trace *t = &c->run.file.trace;
    const char *list = c->opt.waves.trace;
    enum results_format format;

    for (uint32_t i = 0; i < c->opt.n_stats; i++) {
        if (!results_format(c->opt.stats[i], &format, e)) {
            return false;
        }
    }
    if (c->opt.report != NULL && !findings_sarif_name(c->opt.report, e)) {
        return false;
    }
    c->outdir = c->opt.outdir != NULL ? tb_strdup(c->opt.outdir)
                                      : tb_printf("smwave-out/%s", c->run.name);
    if (list == NULL) {
        list = t->format != NULL ? t->format : "vcd";
    }
    for (size_t n = strlen(c->outdir); n > 1 && c->outdir[n - 1] == '/'; n--) {
        c->outdir[n - 1] = '\0';
    }
    if (tracing_parse(&c->plan, list, c->outdir, e) &&
        (c->opt.waves.trace != NULL || stays_inside(c, e))) {
        return plan_views(c, e) && plan_selection(c, e);
    }
    if (c->opt.waves.trace == NULL && t->format_at != NULL) {
        e->kind = SMW_ERR_INPUT;
        yaml_point(&c->run.file.yaml, t->format_at, e);
    }
    return false;
}

static bool attach(struct command *c, struct smw_err *e)
{
    loop_hold();
    if (c->plan.n > 0) {
        code_of_launches(&c->plan.code, c->run.host.module, c->run.host.device);
    }
    c->tracing = tracing_open(c->run.host.device, &c->plan, c->run.host.module,
                              c->run.config, c->run.name, c->outdir, e);
    c->traced = c->tracing != NULL;
    if (c->opt.explain || c->opt.profile) {
        c->explain = explain_open(c->run.host.device, c->opt.worst);
    }
    if (c->opt.profile && e->kind == SMW_ERR_NONE) {
        c->profile = profile_open(c->run.host.device, c->run.config, e);
    }
    if (track_is_asked(&c->opt.track.plan) && e->kind == SMW_ERR_NONE) {
        c->track = track_open(c->run.host.device, c->run.config, &c->opt.track.plan, e);
    }
    return e->kind == SMW_ERR_NONE;
}

/* Two cannot have it. */
static bool share_stdout(struct command *c, struct smw_err *e)
{
    for (uint32_t i = 0; c->opt.json && i < c->plan.n; i++) {
        if (c->plan.streamed[i]) {
            return err_set(e, SMW_ERR_USAGE,
                           "--json and --trace - cannot both have standard output");
        }
    }
    return tracing_take_stdout(&c->plan, e);
}

/* How many threads pay for what is launched: two are measured to. A short run is over
 * before they help, and they want SMs to share. */
static uint32_t threads_that_pay(const struct command *c)
{
    enum { SMS = 4, WARPS = 1024, THREADS = 2 };
    uint64_t sms = 0, blocks = 0, warps = 0;
    char text[32];

    if (smw_config_show(c->run.config, "gpu.sms", text, sizeof(text))) {
        (void)num_u64(text, &sms);
    }
    for (uint32_t i = 0; i < c->run.file.n_runs; i++) {
        const struct smw_launch *l = &c->run.file.runs[i].launch;
        const uint64_t n = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
        const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];

        blocks = n > blocks ? n : blocks;
        warps += n * ((threads + 31) / 32);
    }
    return processors() >= THREADS && sms >= SMS && blocks >= SMS && warps >= WARPS
               ? THREADS
               : 1;
}

/* Threads compute SMs ahead of each other: nothing can look at them meanwhile. */
static bool open_team(struct command *c, struct smw_err *e)
{
    const char *why = c->plan.n > 0    ? "waveforms (--trace none: without)"
                      : c->opt.explain ? "--explain"
                      : c->opt.profile ? "--profile"
                      : track_is_asked(&c->opt.track.plan)
                          ? "--pipeline, --timeline and --blocks"
                      : c->opt.device.check >= SMW_CHECK_FULL ? "--check full or global"
                      : c->opt.device.shuffle != 0            ? "--shuffle"
                                                              : NULL;

    struct smw_err refused = {0};
    uint32_t n = c->opt.threads;

    c->opt.device.in_step = why != NULL;
    if (n == 0) {
        n = why == NULL ? threads_that_pay(c) : 1;
    }
    if (n == 1) {
        return true;
    }
    if (why != NULL) {
        return err_set(e, SMW_ERR_USAGE, "--threads %u does not go with %s", n, why);
    }
    c->team = team_open(n, c->opt.threads == 0 ? &refused : e);
    c->opt.device.team = team_of(c->team);
    return c->team != NULL || c->opt.threads == 0;
}

static bool prepare(struct command *c, struct smw_err *e)
{
    const struct run_request q = {.target = c->opt.target,
                                  .config = c->opt.config,
                                  .sets = c->opt.overrides,
                                  .n_sets = c->opt.n_overrides,
                                  .launches = c->opt.launches,
                                  .n_launches = c->opt.n_launches};

    return run_read(&c->run, &q, e) && plan_files(c, e) && share_stdout(c, e) &&
           open_team(c, e) && run_open(&c->run, &c->opt.device, e) &&
           tracing_check(c->run.host.device, &c->plan, c->run.host.module, e) &&
           outdir_prepare(c->outdir, OUTDIR_RUN, c->opt.force, &c->lock, e) &&
           attach(c, e);
}

/* ---- the run ---- */

static void tell_lost(const struct smw_result *k)
{
    if (k->output_lost > 0) {
        fflush(stdout);
        fprintf(stderr, "smwave: %" PRIu64 " more lines of %s's printf are not kept\n",
                k->output_lost, k->kernel);
    }
}

/* What kernels printed, in the order of the launches, once each has ended. */
static void print_output(void *ctx)
{
    struct command *c = ctx;
    struct smw_result k;

    while (smw_result(c->run.host.device, c->printed, &k) && k.finished) {
        if (k.output != NULL) {
            fwrite(k.output, 1, k.output_bytes, c->opt.json ? stderr : stdout);
            tell_lost(&k);
        }
        c->printed++;
    }
}

static void after_slice(void *ctx)
{
    struct command *c = ctx;

    print_output(c);
    if (!tracing_flush(c->tracing)) {
        smw_stop(c->run.host.device); /* closing it tells why */
    }
}

/* What the launch that did not finish printed so far. */
static void print_last_output(struct command *c)
{
    struct smw_result k;

    print_output(c);
    if (smw_result(c->run.host.device, c->printed, &k) && k.started &&
        k.output != NULL) {
        fwrite(k.output, 1, k.output_bytes, c->opt.json ? stderr : stdout);
        tell_lost(&k);
    }
}

static void tell_fault(struct command *c)
{
    const struct smw_fault *f = smw_fault(c->run.host.device);

    if (f != NULL && f->kind != SMW_ERR_NONE) {
        tracing_fault(c->tracing, f->kind, f->message);
    }
}

/* The head of the save files says what the run came to. */
static void tell_totals(struct command *c)
{
    struct results results = {.host = &c->run.host, .status = c->loop.status};
    struct text stats = {0}, lines = {0};

    if (c->tracing == NULL) {
        return;
    }
    results_stats(&results, RESULTS_JSON, &stats);
    totals_lines(stats.s, stats.n, &lines);
    tracing_totals(c->tracing, lines.s);
    text_free(&stats);
    text_free(&lines);
}

/* What other SMs did behind a fault depends on who is computed ahead: again, with
 * none. */
static bool run_alone(struct command *c, const struct loop_options *opt,
                      struct smw_err *e)
{
    c->opt.device.team = NULL;
    c->opt.device.in_step = true;
    if (!run_open_again(&c->run, &c->opt.device, e)) {
        return false;
    }
    c->loop = loop_run(c->run.host.device, opt);
    return true;
}

static bool close_waveforms(struct command *c, struct smw_err *e)
{
    bool ok = tracing_close(c->tracing, results_status(c->loop.status), &c->outcome, e);

    c->tracing = NULL;
    return ok;
}

/* False and *e if the waveforms could not be completed; the run itself did happen. */
static bool simulate(struct command *c, struct smw_err *e)
{
    struct loop_options opt = {.progress = !c->opt.quiet && isatty(STDERR_FILENO) != 0,
                               .slice = after_slice,
                               .ctx = c};

    c->loop = loop_run(c->run.host.device, &opt);
    if (c->loop.status == SMW_FAULT && !c->opt.device.in_step &&
        !run_alone(c, &opt, e)) {
        return false;
    }
    print_last_output(c);
    tell_fault(c);
    tell_totals(c);
    return close_waveforms(c, e);
}

/* ---- after the run ---- */

static bool write_stats_files(struct command *c, struct smw_err *e)
{
    for (uint32_t i = 0; i < c->opt.n_stats; i++) {
        enum results_format format = RESULTS_JSON;
        struct text t = {0};

        results_format(c->opt.stats[i], &format, e);
        results_stats(&c->run.results, format, &t);
        if (!text_write(NULL, c->opt.stats[i], &t, e)) {
            return false;
        }
    }
    return true;
}

static bool write_timing(struct command *c, struct smw_err *e)
{
    struct smw_progress p = {0};
    double s = c->loop.seconds > 0 ? c->loop.seconds : 1e-9;
    struct text t = {0};

    if (c->opt.timing == NULL) {
        return true;
    }
    smw_progress(c->run.host.device, &p);
    text_add(
        &t,
        "{\n  \"startup_seconds\": %.6f,\n  \"seconds\": %.6f,\n  \"cycles\": %" PRIu64
        ",\n  \"cycles_per_second\": %.0f,\n  \"thread_insts\": %" PRIu64
        ",\n  \"thread_insts_per_second\": %.0f,\n  \"warp_insts\": %" PRIu64
        ",\n  \"activations\": %" PRIu64 ",\n  \"activations_per_second\": %.0f\n}\n",
        c->startup, s, p.cycles, (double)p.cycles / s, p.thread_insts,
        (double)p.thread_insts / s, p.warp_insts, p.activations,
        (double)p.activations / s);
    return text_write(NULL, c->opt.timing, &t, e);
}

static bool write_sarif(struct command *c, struct smw_err *e)
{
    struct text t = {0};

    if (c->opt.report == NULL) {
        return true;
    }
    findings_sarif(&c->run.findings, &t);
    return text_write(NULL, c->opt.report, &t, e);
}

static bool write_explain(struct command *c, struct smw_err *e)
{
    struct text t = {0};

    if (c->explain == NULL) {
        return true;
    }
    explain_json(c->explain, &c->advice, &t);
    return text_write(c->outdir, "explain.json", &t, e);
}

static bool write_profile(struct command *c, struct smw_err *e)
{
    struct text t = {0};

    if (c->profile == NULL) {
        return true;
    }
    profile_json(c->profile, c->run.host.module_path, &t);
    return text_write(c->outdir, "profile.json", &t, e);
}

static bool write_files(struct command *c, struct smw_err *e)
{
    bool ok = run_write(&c->run, c->outdir, e);

    ok = run_write_config(&c->run, c->outdir, e) && ok;
    ok = write_explain(c, e) && ok;
    ok = write_profile(c, e) && ok;
    ok = track_write(c->track, c->outdir, e) && ok;
    return write_stats_files(c, e) && write_timing(c, e) && write_sarif(c, e) && ok;
}

static void print_save_file(const struct command *c, const char *label,
                            const struct view *v)
{
    char *path = tracing_save_file(&c->plan, 0, v);

    diag_print("%s%s\n", label, path);
    free(path);
}

/* How to look at it. */
static void print_waveform(const struct command *c)
{
    print_save_file(c,
                    c->plan.streamed[0] ? "waveform:  on standard output; save file "
                                        : "waveform:  gtkwave ",
                    NULL);
    for (uint32_t i = 0; i < c->plan.n_views; i++) {
        if (c->plan.views[i].name != VIEW_OVERVIEW) {
            print_save_file(c, "           gtkwave ", &c->plan.views[i]);
        }
    }
    trace_report_extent(stdout, &c->plan.select, &c->outcome);
}

static void print_results(struct command *c)
{
    struct text t = {0};

    if (c->opt.json) {
        results_stats(&c->run.results, RESULTS_JSON, &t);
        fputs(t.s, stdout);
        text_free(&t);
        return;
    }
    if (!c->opt.quiet) {
        results_summary(&c->run.results, diag_color(stdout), &t);
    }
    if (c->opt.explain) {
        explain_text(c->explain, &c->advice, c->run.host.module_path,
                     diag_color(stdout), &t);
    }
    if (t.n > 0) {
        fputs(t.s, stdout);
    }
    text_free(&t);
    if (c->opt.quiet) {
        return;
    }
    diag_print("\nresults in %s\n", c->outdir);
    if (c->traced) {
        print_waveform(c);
    }
}

static void print_speed(struct command *c)
{
    struct smw_progress p = {0};

    if (c->opt.quiet || isatty(STDERR_FILENO) == 0 || c->loop.seconds <= 0) {
        return;
    }
    smw_progress(c->run.host.device, &p);
    fprintf(stderr,
            "simulated in %.2f s: %.1f million thread instructions per second\n",
            c->loop.seconds, (double)p.thread_insts / c->loop.seconds / 1e6);
}

static int verdict(struct command *c, const struct smw_err *io)
{
    if (c->loop.signal != 0) {
        run_show_standing(&c->run);
        fprintf(stderr, "smwave: interrupted; results so far are in %s\n", c->outdir);
        return 128 + c->loop.signal;
    }
    if (c->run.results.fault == NULL && io->kind != SMW_ERR_NONE) {
        return (int)diag_exit(io->kind);
    }
    return (int)diag_exit(run_verdict(&c->run, c->opt.strict));
}

/* While signals wait: they end the further runs, and what there is is written. */
static void advise(struct command *c)
{
    if (c->explain == NULL) {
        return;
    }
    advice_make(&c->advice, c->explain);
    if (c->loop.status == SMW_DONE) {
        run_gains(&c->advice, &c->opt, smw_results(c->run.host.device));
    }
}

static int conclude(struct command *c, struct smw_err *e)
{
    bool ok = run_conclude(&c->run, c->loop.status, e);

    races_show(&c->run.host);
    run_show_fault(&c->run);
    if (!ok) {
        return (int)diag_error(e);
    }
    run_show_wrong(&c->run, c->opt.device.check);
    advise(c);
    write_files(c, e);
    loop_release();
    if (e->kind != SMW_ERR_NONE) {
        diag_error(e);
    }
    print_results(c);
    if (c->traced) {
        trace_report_missed(stderr, &c->plan.select, &c->outcome);
    }
    track_tell_cut(c->track, c->opt.track.plan.max);
    print_speed(c);
    return verdict(c, e);
}

static void release(struct command *c)
{
    advice_free(&c->advice);
    explain_close(c->explain);
    profile_close(c->profile);
    track_close(c->track);
    run_close(&c->run);
    team_close(c->team);
    tracing_plan_free(&c->plan);
    outdir_release(c->lock);
    free(c->outdir);
}

static void run_it(void *arg)
{
    struct command *const c = arg;
    struct smw_err e = {0};
    double started = tb_seconds();

    if (!prepare(c, &e)) {
        c->code = (int)diag_error(&e);
        return;
    }
    c->startup = tb_seconds() - started;
    simulate(c, &e);
    c->code = c->run.host.device == NULL ? (int)diag_error(&e) : conclude(c, &e);
}

int cmd_run(int argc, char **argv)
{
    struct command c = {.lock = OUTDIR_UNLOCKED,
                        .opt.device = {.check = SMW_CHECK_FAST,
                                       .patient = true,
                                       .stalls = true,
                                       .max_cycles = RUN_MAX_CYCLES}};

    if (exec_is_source(argc, argv)) {
        return exec_source(argc, argv);
    }
    c.opt.device.panic = on_panic;
    c.opt.device.panic_ctx = &c;
    run_options_parse(&c.opt, argc, argv);
    if (!nomem_try(run_it, &c)) {
        tracing_leave(c.tracing);
        if (c.lock != OUTDIR_UNLOCKED) {
            outdir_tidy(c.outdir);
        }
        nomem(); /* what was allocated goes with the process */
    }
    release(&c);
    return c.code;
}
