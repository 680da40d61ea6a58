#include "sweep/sweep_run.h"

#include "base/nomem.h"
#include "io/diag.h"
#include "io/file.h"
#include "io/outdir.h"
#include "sweep/merge.h"
#include "sweep/stats_file.h"
#include "sweep/status.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 5 /* messages of a cause; "sweep status" has all */ };

struct sweeping {
    const struct sweep_run_options *opt;
    struct sweep sweep;
    char *dir;
    int lock; /* of dir */
    struct plan_file plan;
    uint64_t *todo;
    uint64_t n_todo, n_chosen;
    uint64_t n_failed; /* of those chosen that stay as they are */
    uint64_t n_unread; /* that the merge could not read */
    struct pool_result result;
    struct smw_err *e;
    int code; /* that the command ends with */
};

/* ---- the plan ---- */

static bool is_same(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    bool same = f != NULL && g != NULL;

    while (same) {
        char x[8192], y[8192];
        size_t n = fread(x, 1, sizeof(x), f), m = fread(y, 1, sizeof(y), g);

        same = n == m && memcmp(x, y, n) == 0;
        if (n == 0) {
            break;
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    if (g != NULL) {
        fclose(g);
    }
    return same;
}

static bool is_chosen(void *ctx, uint64_t index)
{
    const struct sweeping *s = ctx;

    return range_has(&s->opt->only, index);
}

/* Others may run by the plan that is there, so one who runs a part does not change
 * it. */
static bool keep_plan(struct sweeping *s, const char *path, struct smw_err *e)
{
    bool ok, holds = false;

    if (!plan_read(&s->plan, path, s->sweep.path, e)) {
        return false;
    }
    ok = plan_holds(&s->plan, &s->sweep, is_chosen, s, &holds, e);
    if (ok && !holds) {
        err_set(e, SMW_ERR_INPUT, "the plan in %s is not that of this sweep file",
                s->dir);
        err_hint(e, "'smwave sweep plan' makes it anew, --only runs a part of it");
    }
    if (!ok || !holds) {
        plan_close(&s->plan);
    }
    return ok && holds;
}

/* A plan that is the same stays the same file. */
static bool renew_plan(struct sweeping *s, const char *path, struct smw_err *e)
{
    bool is_new = !store_is(s->dir);
    char *made = store_beside(s->dir, PLAN_FILE);
    struct plan_made counts;
    bool ok = !is_new || (plan_check(&s->sweep, e) &&
                          store_create(s->dir, &s->sweep, s->opt->force, &s->lock, e));

    ok = ok && plan_make(&s->sweep, made, &counts, e) &&
         (is_same(made, path) || rename(made, path) == 0 ||
          err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno))) &&
         (is_new || store_create(s->dir, &s->sweep, s->opt->force, NULL, e)) &&
         plan_read(&s->plan, path, s->sweep.path, e);
    (void)unlink(made);
    free(made);
    return ok;
}

static bool make_plan(struct sweeping *s, struct smw_err *e)
{
    char *path = file_join(s->dir, PLAN_FILE);
    bool is_there = store_is(s->dir);
    bool ok =
        !is_there || outdir_hold(s->dir, OUTDIR_SWEEP, s->opt->force, &s->lock, e);

    ok = ok && (s->opt->only.n > 0 && is_there ? keep_plan(s, path, e)
                                               : renew_plan(s, path, e));
    free(path);
    return ok;
}

/* ---- what is to be run ---- */

static bool is_to_run(const struct sweeping *s, const struct store_done *d)
{
    switch (d->status) {
    case STORE_MISSING: return true;
    case STORE_OK: return false;
    case STORE_FAILED: return d->host || s->opt->failed;
    }
    return true;
}

static bool choose(struct sweeping *s, struct smw_err *e)
{
    if (!range_check(&s->opt->only, s->plan.n, e)) {
        return false;
    }
    s->todo = tb_alloc(s->plan.n * sizeof(*s->todo));
    for (uint64_t i = 0; i < s->plan.n; i++) {
        struct store_done d;
        struct sweep_point p;

        if (!range_has(&s->opt->only, i)) {
            continue;
        }
        if (!plan_point(&s->plan, i, &p, e)) {
            return false;
        }
        store_find_out(s->dir, &p, &d);
        sweep_point_free(&p);
        s->n_chosen++;
        if (is_to_run(s, &d)) {
            s->todo[s->n_todo++] = i;
        } else {
            s->n_failed += d.status == STORE_FAILED;
        }
    }
    return true;
}

static void announce(const struct sweeping *s)
{
    printf("%s: %" PRIu64 " point%s", s->sweep.name, s->n_chosen,
           s->n_chosen == 1 ? "" : "s");
    if (s->n_todo < s->n_chosen) {
        printf(", %" PRIu64 " to run", s->n_todo);
    }
    printf("\n");
    fflush(stdout);
}

/* ---- the end ---- */

static bool merge(struct sweeping *s, struct smw_err *e)
{
    struct sweep_table t;
    struct text text = {0};
    bool ok;

    if (!table_load(&t, s->dir, e)) {
        return false;
    }
    s->n_unread = t.n_unread;
    ok = merge_write(&t, s->dir, e);
    if (ok && s->result.signal == 0 && s->opt->publish != NULL) {
        ok = s->opt->publish(&t, s->dir, e);
    }
    status_print(&t, SHOWN, &text);
    if (s->opt->answer != NULL) {
        if (ok) {
            s->opt->answer(&t, s->dir, s->result.signal == 0);
        }
    } else if (!s->opt->quiet || t.n_failed > 0) {
        diag_text(s->opt->quiet ? stderr : stdout, text.s);
    }
    if (ok && !s->opt->quiet && s->opt->answer == NULL) {
        printf("results in %s/%s and %s\n", s->dir, STORE_CSV, STORE_SQLITE);
        if (s->result.signal == 0) {
            printf("page in %s/report.html\n", s->dir);
        }
    }
    text_free(&text);
    table_free(&t);
    return ok;
}

static void print_part(const struct sweeping *s)
{
    const struct pool_result *r = &s->result;

    printf("%" PRIu64 " ok, %" PRIu64 " failed; 'smwave sweep merge' collects them\n",
           r->n_ok, r->n_failed);
}

static int verdict(const struct sweeping *s)
{
    const struct pool_result *r = &s->result;

    if (r->signal != 0 && r->n_ok + r->n_failed < s->n_todo) {
        fflush(stdout);
        fprintf(stderr, "smwave: interrupted; the same command goes on\n");
        return 128 + r->signal;
    }
    return r->n_failed + s->n_failed + s->n_unread > 0 ? TB_SWEEP : TB_OK;
}

static bool run_all(struct sweeping *s, struct smw_err *e)
{
    const struct sweep_run_options *o = s->opt;
    const struct sweep_limits *l = &s->sweep.limits;
    const struct job job = {.dir = s->dir,
                            .plan = &s->plan,
                            .limits.cycles = l->cycles,
                            .limits.stalls = sweep_has_stalls(&s->sweep),
                            .limits.seconds = o->seconds > 0 ? o->seconds : l->seconds,
                            .memory = o->memory > 0 ? o->memory : l->memory};

    store_clean(s->dir, is_chosen, s);
    if (!choose(s, e)) {
        return false;
    }
    if (!o->quiet && o->answer == NULL) {
        announce(s);
    }
    return pool_run(&job, s->todo, s->n_todo, &o->pool, &s->result, e);
}

static int conclude(struct sweeping *s, struct smw_err *e)
{
    const struct pool_result *r = &s->result;

    if (r->n_unwritten > 0) {
        fprintf(stderr, "smwave: error: %" PRIu64 " point%s could not be written: ",
                r->n_unwritten, r->n_unwritten == 1 ? "" : "s");
        diag_text(stderr, r->unwritten.message);
        fputc('\n', stderr);
    }
    if (s->opt->only.n > 0) {
        if (!s->opt->quiet) {
            print_part(s);
        }
    } else if (!merge(s, e)) {
        return (int)diag_exit(e->kind);
    }
    return verdict(s);
}

static bool open_sweep(struct sweeping *s, struct smw_err *e)
{
    char *path = sweep_find(s->opt->word, e);
    bool ok = path != NULL && sweep_read(&s->sweep, path, e);

    free(path);
    ok = ok && plan_check_size(&s->sweep, s->opt->yes, e);
    if (ok) {
        s->dir = store_dir(&s->sweep, s->opt->out);
    }
    return ok;
}

static void try_sweep(void *arg)
{
    struct sweeping *const s = arg;

    if (!open_sweep(s, s->e) || !make_plan(s, s->e)) {
        s->code = (int)diag_exit(s->e->kind);
        return;
    }
    s->code = run_all(s, s->e) ? conclude(s, s->e) : (int)diag_exit(s->e->kind);
    plan_close(&s->plan);
}

int sweep_run(const struct sweep_run_options *o, struct smw_err *e)
{
    struct sweeping s = {.opt = o, .lock = OUTDIR_UNLOCKED, .e = e};

    if (!nomem_try(try_sweep, &s)) {
        if (s.lock != OUTDIR_UNLOCKED) {
            store_clean(s.dir, is_chosen, &s); /* of what was under way */
        }
        nomem(); /* what was allocated goes with the process */
    }
    outdir_release(s.lock);
    sweep_free(&s.sweep);
    free(s.todo);
    free(s.dir);
    return s.code;
}
