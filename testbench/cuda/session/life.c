#include "session/life.h"

#include "io/diag.h"
#include "report/advice.h"
#include "run/run.h"
#include "session/story.h"
#include "trace/totals.h"
#include <stdlib.h>
#include <string.h>

/* Files in between: writing them takes at most one part in so many of the time, and is
 * not repeated before the pause is over, in seconds. */
enum { WRITING_SHARE = 20 };
static const double write_pause = 0.1;

static void say(struct smw_err *e)
{
    if (e->kind != SMW_ERR_NONE) {
        diag_error(e);
        *e = (struct smw_err){0};
    }
}

void life_open(struct life *l, char *dir, struct smw_device *d, struct smw_config *c,
               const struct rt_settings *s)
{
    struct smw_err e = {0};
    const char *worst = s->said[RT_SAID_EXPLAIN];

    *l = (struct life){.dir = dir,
                       .device = d,
                       .config = c,
                       .write_at = tb_seconds() + write_pause};
    l->checks = s->check >= SMW_CHECK_FULL;
    if (session_plan(&l->plan, s, dir, &e)) {
        l->tracing = tracing_open(d, &l->plan, NULL, c, smw_config_name(c), dir, &e);
    }
    say(&e);
    l->explained = worst != NULL;
    l->stats =
        s->out != NULL && strcmp(dir, s->out) == 0 ? s->said[RT_SAID_STATS] : NULL;
    if (worst != NULL || s->said[RT_SAID_PROFILE] != NULL) {
        l->explain =
            explain_open(d, worst != NULL ? (uint32_t)strtoul(worst, NULL, 10) : 0);
    }
    if (s->said[RT_SAID_PROFILE] != NULL) {
        l->profile = profile_open(d, c, &e);
    }
    say(&e);
    if (s->said[RT_SAID_TRACK] != NULL &&
        track_plan_parse(&l->tracked, s->said[RT_SAID_TRACK], &e)) {
        l->track = track_open(d, c, &l->tracked, &e);
    }
    say(&e);
}

void life_module(struct life *l, struct smw_module *m, const char *text, size_t size)
{
    char name[32] = "module.ptx";
    struct smw_err e = {0};
    char *path;

    l->n_modules++;
    if (l->n_modules > 1) {
        snprintf(name, sizeof(name), "module-%u.ptx", (unsigned)l->n_modules);
    }
    path = file_join(l->dir, name);
    (void)file_write(path, text, size, &e);
    say(&e);
    tracing_module(l->tracing, m);
    if (l->module_path == NULL) {
        l->module_path = path;
    } else {
        free(path);
    }
}

static enum smw_status status_of(const struct smw_fault *f)
{
    if (f == NULL || f->kind == SMW_ERR_NONE) {
        return SMW_DONE;
    }
    return f->kind == SMW_ERR_DEADLOCK ? SMW_DEADLOCK
           : f->kind == SMW_ERR_LIMIT  ? SMW_LIMIT
                                       : SMW_FAULT;
}

/* What run.h has of a launch file's run, of this one. */
static struct run as_run(const struct life *l)
{
    return (struct run){
        .config = l->config,
        .host = {.config = l->config,
                 .device = l->device,
                 .module_path = l->module_path,
                 .stalls = true,
                 .checks = l->checks},
    };
}

/* Launches may still be on their way: the files say "interrupted". */
static void write_so_far(struct life *l)
{
    struct run r = as_run(l);
    struct smw_err e = {0};

    r.results = (struct results){.host = &r.host, .status = SMW_STOPPED};
    (void)run_write(&r, l->dir, &e);
}

void life_launched(struct life *l)
{
    const double now = tb_seconds();
    double took;

    (void)tracing_flush(l->tracing);
    if (now < l->write_at && smw_results(l->device) > 1) {
        return;
    }
    write_so_far(l);
    took = (tb_seconds() - now) * WRITING_SHARE;
    l->write_at = now + (took > write_pause ? took : write_pause);
}

void life_fault(struct life *l, const struct smw_fault *f)
{
    tracing_fault(l->tracing, f->kind, f->message);
}

static void close_waves(struct life *l, const struct run *r)
{
    struct text stats = {0}, lines = {0};
    struct smw_err e = {0};

    if (l->tracing == NULL) {
        return;
    }
    results_stats(&r->results, RESULTS_JSON, &stats);
    totals_lines(stats.s, stats.n, &lines);
    tracing_totals(l->tracing, lines.s);
    text_free(&stats);
    text_free(&lines);
    (void)tracing_close(l->tracing, results_status(r->results.status), NULL, &e);
    l->tracing = NULL;
    say(&e);
}

/* Counters into each file that was asked for. */
static void write_stats(const struct life *l, const struct run *r, struct smw_err *e)
{
    for (const char *at = l->stats; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, ";");
        char *path = tb_printf("%.*s", (int)n, at);
        enum results_format format;
        struct text t = {0};

        if (results_format(path, &format, e)) {
            results_stats(&r->results, format, &t);
            (void)text_write(NULL, path, &t, e);
        }
        text_free(&t);
        free(path);
        at += n + (at[n] == ';');
    }
}

static void write_files(struct life *l, const struct run *r, struct smw_err *e)
{
    const char *source = l->module_path != NULL ? l->module_path : "";
    struct text explain = {0}, profile = {0}, story = {0};
    struct advice advice = {0};

    (void)run_write(r, l->dir, e);
    (void)run_write_config(r, l->dir, e);
    write_stats(l, r, e);
    if (l->explain != NULL) {
        advice_make(&advice, l->explain);
        explain_json(l->explain, &advice, &explain);
        (void)text_write(l->dir, "explain.json", &explain, e);
    }
    if (l->profile != NULL) {
        profile_json(l->profile, source, &profile);
        (void)text_write(l->dir, "profile.json", &profile, e);
    }
    if (track_write(l->track, l->dir, e)) {
        track_tell_cut(l->track, l->tracked.max);
    }
    story_tell(&r->results, &story);
    if (l->explained) {
        explain_text(l->explain, &advice, source, false, &story);
    }
    (void)text_write(l->dir, "summary.txt", &story, e);
    advice_free(&advice);
}

void life_close(struct life *l)
{
    struct smw_err e = {0};
    struct run r;

    if (l->dir == NULL) {
        return;
    }
    r = as_run(l);
    r.host.file = &r.file;
    (void)run_conclude(&r, status_of(smw_fault(l->device)), &e);
    if (l->module_path != NULL) {
        races_show(&r.host);
    }
    close_waves(l, &r);
    write_files(l, &r, &e);
    say(&e);
    findings_free(&r.findings);
    free(r.expects);
    explain_close(l->explain);
    profile_close(l->profile);
    track_close(l->track);
    tracing_plan_free(&l->plan);
    free(l->module_path);
    free(l->dir);
    *l = (struct life){0};
}
