#include "sweep/point.h"

#include "base/nomem.h"
#include "io/diag.h"
#include "io/file.h"
#include "run/run.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICE = 5000 /* instants; some milliseconds */ };

/* ---- what went wrong, in a line ---- */

static enum store_cause cause_of(enum smw_err_kind kind)
{
    switch (kind) {
    case SMW_ERR_KERNEL: return CAUSE_KERNEL;
    case SMW_ERR_CONFIG: return CAUSE_CONFIG;
    case SMW_ERR_USAGE:
    case SMW_ERR_INPUT: return CAUSE_INPUT;
    case SMW_ERR_DEADLOCK: return CAUSE_DEADLOCK;
    case SMW_ERR_LIMIT: return CAUSE_LIMIT;
    case SMW_ERR_IO: return CAUSE_IO;
    case SMW_ERR_NOMEM: return CAUSE_MEMORY;
    case SMW_ERR_NONE:
    case SMW_ERR_INTERNAL: return CAUSE_INTERNAL;
    }
    return CAUSE_INTERNAL;
}

static void fail(struct store_done *d, enum smw_err_kind kind, const char *error)
{
    d->status = STORE_FAILED;
    d->exit = (int)diag_exit(kind);
    d->cause = cause_of(kind);
    d->host = kind == SMW_ERR_IO || kind == SMW_ERR_NOMEM;
    snprintf(d->error, sizeof(d->error), "%.*s", (int)strcspn(error, "\n"), error);
}

/* Results do not say in which folder they or what they are of lie. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static void fail_for(struct store_done *d, const struct smw_err *e, const char *dir)
{
    size_t n = strlen(dir);
    const char *message = e->message;
    struct text t = {0};

    if (strncmp(message, dir, n) == 0 && message[n] == '/') {
        message += n + 1;
    }
    while (memchr(message, '/', strcspn(message, " '")) != NULL) {
        message++; /* "DIR/nowhere.ptx: No such file or directory" */
    }
    if (e->file[0] != '\0' && e->line != 0) {
        text_add(&t, "%s:%u: ", last_part(e->file), e->line);
    }
    text_add(&t, "%s", message);
    if (e->hint[0] != '\0' && (e->kind == SMW_ERR_CONFIG || /* what is allowed */
                               strncmp(e->hint, "did you mean", 12) == 0)) {
        text_add(&t, "; %s", e->hint);
    }
    fail(d, e->kind, t.s);
    text_free(&t);
}

void point_out_of_time(struct store_done *d, double seconds)
{
    char number[EXPR_NUMBER_SIZE], text[64];

    expr_print(seconds, number);
    snprintf(text, sizeof(text), "more than %s s of wall time", number);
    fail(d, SMW_ERR_LIMIT, text);
    d->cause = CAUSE_TIME;
    d->host = true;
}

static void fail_for_fault(struct store_done *d, const struct smw_fault *f,
                           const struct point_limits *l)
{
    bool out_of_cycles = f->kind == SMW_ERR_LIMIT && l->cycles > 0;
    struct text t = {0};

    if (f->ptx_file != NULL && f->ptx_line != 0) {
        text_add(&t, "%s:%u: ", last_part(f->ptx_file), f->ptx_line);
    }
    if (out_of_cycles) {
        text_add(&t, "more than %" PRIu64 " cycles", l->cycles);
    } else {
        text_add(&t, "%s", f->message);
    }
    if (f->kernel != NULL) {
        text_add(&t, ", in kernel %s", f->kernel);
    }
    fail(d, f->kind, t.s);
    text_free(&t);
}

static void fail_for_data(struct store_done *d, const struct run *r)
{
    for (uint32_t i = 0; i < r->results.n_expects; i++) {
        const struct expect_result *x = &r->expects[i];

        if (!x->ok) {
            char *text = tb_printf("%s%s%s", x->wrong_what,
                                   x->detail[0] != '\0' ? "; " : "", x->detail);

            fail(d, SMW_ERR_KERNEL, text);
            free(text);
            return;
        }
    }
    fail(d, SMW_ERR_KERNEL,
         r->findings.n > 0 ? r->findings.list[0].message : "a race in shared memory");
}

static void judge(struct store_done *d, const struct run *r,
                  const struct point_limits *l)
{
    enum smw_err_kind kind = run_verdict(r, false);

    if (kind == SMW_ERR_NONE) {
        d->status = STORE_OK;
    } else if (r->results.fault != NULL) {
        fail_for_fault(d, r->results.fault, l);
    } else if (kind == SMW_ERR_KERNEL) {
        fail_for_data(d, r);
    } else {
        fail(d, kind, results_status(r->results.status));
    }
}

/* ---- the run ---- */

static void on_panic(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "smwave: internal error: %s\n", text);
    fflush(NULL);
    _exit(TB_INTERNAL);
}

enum ending { ENDED, OUT_OF_TIME, STOPPED };

static enum ending simulate(struct run *r, const struct point_limits *l,
                            enum smw_status *status)
{
    double end = l->seconds > 0 ? tb_seconds() + l->seconds : 0;

    for (;;) {
        *status = smw_step(r->host.device, SLICE);
        if (*status != SMW_RUNNING) {
            return ENDED;
        }
        if (l->stop != NULL && atomic_load(l->stop)) {
            return STOPPED;
        }
        if (end > 0 && tb_seconds() > end) {
            return OUT_OF_TIME;
        }
    }
}

static bool write_output(const struct run *r, const char *dir, struct smw_err *e)
{
    struct text t = {0};
    struct smw_result k;

    for (uint32_t i = 0; smw_result(r->host.device, i, &k); i++) {
        if (k.started && k.output_bytes > 0) {
            text_add_bytes(&t, k.output, k.output_bytes);
        }
    }
    return t.n == 0 || text_write(dir, "output.txt", &t, e);
}

/* False if it was stopped; *e or done is filled else. */
static bool run_it(struct run *r, const char *dir, const struct point_limits *l,
                   struct store_done *done, struct smw_err *e)
{
    struct smw_options o = {.check = SMW_CHECK_FAST,
                            .patient = true,
                            .max_cycles = l->cycles,
                            .stalls = l->stalls,
                            .panic = on_panic};
    enum smw_status status = SMW_RUNNING;

    if (!run_open(r, &o, e)) {
        return true;
    }
    switch (simulate(r, l, &status)) {
    case ENDED: break;
    case STOPPED: return false;
    case OUT_OF_TIME: point_out_of_time(done, l->seconds); return true;
    }
    if (run_conclude(r, status, e) && run_write(r, dir, e) && write_output(r, dir, e)) {
        judge(done, r, l);
    }
    return true;
}

/* "key=value" of each; freed as a whole. */
static char **join_pairs(const struct sweep_pair *pair, uint32_t n)
{
    char **list = tb_alloc((n + 1) * sizeof(*list));

    for (uint32_t i = 0; i < n; i++) {
        list[i] = tb_printf("%s=%s", pair[i].key, pair[i].value);
    }
    return list;
}

static void free_pairs(char **list)
{
    for (char **s = list; s != NULL && *s != NULL; s++) {
        free(*s);
    }
    free(list);
}

struct trial {
    const struct sweep_point *p;
    const char *dir;
    const struct point_limits *l;
    struct store_done *done;
    char **sets, **launches;
    struct run run;
    bool ended;
};

static void try_point(void *arg)
{
    struct trial *const t = arg;
    const struct sweep_point *p = t->p;
    struct smw_err e = {0};
    struct run_request q = {.target = p->target_path,
                            .config = p->config_path,
                            .n_sets = p->n_set,
                            .n_launches = p->n_launch};

    t->sets = join_pairs(p->set, p->n_set);
    t->launches = join_pairs(p->launch, p->n_launch);
    q.sets = (const char *const *)t->sets;
    q.launches = (const char *const *)t->launches;
    t->ended = !run_read(&t->run, &q, &e) || run_it(&t->run, t->dir, t->l, t->done, &e);
    if (t->ended && e.kind != SMW_ERR_NONE) {
        fail_for(t->done, &e, t->dir);
    }
}

bool point_run(const struct sweep_point *p, const char *dir,
               const struct point_limits *l, struct store_done *done)
{
    struct trial t = {.p = p, .dir = dir, .l = l, .done = done};
    bool enough;

    *done = (struct store_done){.index = p->index, .digest = p->digest};
    enough = nomem_try(try_point, &t);
    run_close(&t.run);
    free_pairs(t.sets);
    free_pairs(t.launches);
    if (!enough) {
        nomem();
    }
    return t.ended;
}

void point_out_of_memory(struct store_done *d)
{
    fail(d, SMW_ERR_NOMEM, "out of memory");
}
