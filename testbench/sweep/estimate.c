#include "sweep/estimate.h"

#include "sweep/point.h"
#include "sweep/stats_file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tried {
    double seconds; /* of all that ran */
    uint32_t n;
    uint64_t index[ESTIMATE_POINTS];
    bool cut_off;             /* one was stopped before its end */
    struct store_done failed; /* the first that did; status MISSING: none */
    struct text kernels;      /* cycles@KERNEL of the first point, if it has several */
    uint32_t n_kernels;
};

static bool add_kernel(void *ctx, const char *kernel, const char *name,
                       const struct expr_value *value)
{
    struct tried *t = ctx;

    (void)value;
    if (strcmp(name, "cycles") == 0) {
        text_add(&t->kernels, "%scycles@%s", t->n_kernels == 0 ? "" : ", ", kernel);
        t->n_kernels++;
    }
    return true;
}

/* What tells the kernels of a point apart, where its columns do not. */
static void find_kernels(const char *part, const struct sweep *sweep, struct tried *t)
{
    struct stats_file f;
    struct smw_err e = {0};

    for (uint32_t i = 0; i < sweep->n_collect; i++) {
        if (strchr(sweep->collect[i].name, '@') != NULL || t->n_kernels != 0) {
            return;
        }
    }
    if (stats_open(&f, part, &e)) {
        (void)stats_each(&f, add_kernel, t);
        stats_close(&f);
    }
}

static void try_point(const struct plan_file *plan, const char *dir,
                      const struct sweep *sweep, uint64_t index, struct tried *t)
{
    struct point_limits l = {.cycles = sweep->limits.cycles,
                             .stalls = sweep_has_stalls(sweep),
                             .seconds = ESTIMATE_SECONDS};
    struct store_done done = {0};
    struct sweep_point p;
    struct smw_err e = {0};
    char *part = store_begin(dir, index, &e);
    double started = tb_seconds();

    if (part == NULL || !plan_point(plan, index, &p, &e)) {
        free(part);
        return;
    }
    if (point_run(&p, part, &l, &done) &&
        (done.status == STORE_OK || done.cause == CAUSE_TIME)) {
        t->seconds += tb_seconds() - started;
        find_kernels(part, sweep, t);
        t->index[t->n++] = index;
        t->cut_off = t->cut_off || done.cause == CAUSE_TIME;
    } else if (done.status == STORE_FAILED && t->failed.status == STORE_MISSING) {
        t->failed = done;
        t->failed.index = index;
    }
    store_discard(part);
    sweep_point_free(&p);
    free(part);
}

void estimate_duration(double seconds, struct text *out)
{
    static const struct {
        double below, unit;
        const char *name;
    } scale[] = {{1, 1e-3, "ms"},
                 {100, 1, "s"},
                 {6000, 60, "min"},
                 {172800, 3600, "h"},
                 {0, 86400, "days"}};
    uint32_t i = 0;
    double v;

    while (scale[i].below > 0 && seconds >= scale[i].below) {
        i++;
    }
    v = seconds / scale[i].unit;
    text_add(out, v < 10 && i > 0 ? "%.1f %s" : "%.0f %s", v, scale[i].name);
}

void estimate(const struct plan_file *plan, const char *dir, const struct sweep *sweep,
              struct text *out)
{
    const uint64_t wanted[ESTIMATE_POINTS] = {0, plan->n / 2, plan->n - 1};
    struct tried t = {0};

    for (uint32_t i = 0; i < ESTIMATE_POINTS; i++) {
        if (i == 0 || wanted[i] != wanted[i - 1]) {
            try_point(plan, dir, sweep, wanted[i], &t);
        }
    }
    if (t.failed.status == STORE_FAILED) {
        text_add(out, "smwave: warning: point %" PRIu64 " fails: %s\n", t.failed.index,
                 t.failed.error);
    }
    if (t.n_kernels > 1) {
        text_add(out,
                 "note: point %" PRIu64 " has %u kernels; collect: [%s] tells them "
                 "apart\n",
                 t.index[0], t.n_kernels, t.kernels.s);
    }
    text_free(&t.kernels);
    if (t.n == 0) {
        return;
    }
    text_add(out, "estimate: %" PRIu64 " point%s take%s %s ", plan->n,
             plan->n == 1 ? "" : "s", plan->n == 1 ? "s" : "",
             t.cut_off ? "more than" : "about");
    estimate_duration(t.seconds / t.n * (double)plan->n, out);
    text_add(out, " of one processor, judging by point%s ", t.n == 1 ? "" : "s");
    for (uint32_t i = 0; i < t.n; i++) {
        text_add(out, "%s%" PRIu64,
                 i == 0        ? ""
                 : i + 1 < t.n ? ", "
                               : " and ",
                 t.index[i]);
    }
    text_add(out, "\n");
}
