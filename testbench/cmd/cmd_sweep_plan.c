/*
 * cmd_sweep_plan.c - "smwave sweep plan": the points of a sweep, counted and written
 * down.
 */
#include "cmd/cmd_sweep.h"

#include "cmd/answer.h"
#include "io/cli.h"
#include "io/file.h"
#include "sweep/estimate.h"
#include "sweep/store.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_YES = 256, OPT_FORCE, OPT_NO_ESTIMATE };

struct options {
    const char *file, *outdir;
    bool yes, force, no_estimate, quiet, json;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep (default: smwave-out/NAME.sweep)", 0},
    {"force", OPT_FORCE, NULL, 0, "write into a directory smwave did not write", 0},
    {"yes", OPT_YES, NULL, 0, "plan more than a million points", 0},
    {"no-estimate", OPT_NO_ESTIMATE, NULL, 0,
     "do not run three points to tell how long all will take", 0},
    {"json", 'j', NULL, 0,
     "print JSON: the counts, and the parameters; nothing is estimated", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'o': o->outdir = arg; return 0;
    case OPT_YES: o->yes = true; return 0;
    case OPT_FORCE: o->force = true; return 0;
    case OPT_NO_ESTIMATE: o->no_estimate = true; return 0;
    case 'j': o->json = true; return 0;
    case ARGP_KEY_ARG:
        if (o->file != NULL) {
            argp_error(state, "one sweep at a time: '%s' is a second one", arg);
        }
        o->file = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which sweep? A file, or a shipped one such as 'partition'");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp sweep_plan_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP",
    .doc = "Read a sweep file, check it, and list its points in " PLAN_FILE
           ", one a line, with the digest of all that their results follow from.",
};

/* "3 x 2" */
static void print_product(const struct sweep *s)
{
    for (uint32_t i = 0; i < s->n_dims; i++) {
        printf("%s%" PRIu64, i == 0 ? " = " : " x ", s->dims[i].n);
    }
}

static void print_axes(const struct sweep *s)
{
    for (uint32_t i = 0; i < s->n_dims; i++) {
        const struct sweep_dim *d = &s->dims[i];

        printf("  ");
        for (uint32_t j = 0; j < d->n_axes; j++) {
            printf("%s%s", j == 0 ? "" : ", ", d->axes[j].key.name);
        }
        printf(": %" PRIu64 " value%s\n", d->n, d->n == 1 ? "" : "s");
    }
}

static void report(const struct sweep *s, const char *dir, const struct plan_made *made)
{
    printf("%s: %" PRIu64 " point%s", s->name, made->points,
           made->points == 1 ? "" : "s");
    print_product(s);
    if (made->left_out > 0) {
        printf(", where leaves out %" PRIu64, made->left_out);
    }
    printf("\n");
    print_axes(s);
    if (made->refused > 0) {
        printf("  %" PRIu64 " of the points cannot run; the first of them is %" PRIu64
               "\n",
               made->refused, made->first_index);
    }
    printf("plan in %s/" PLAN_FILE "\n", dir);
    fflush(stdout);
}

static void answer(const struct sweep *s, const char *path,
                   const struct plan_made *made)
{
    json_t *all =
        json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", s->name, "plan", path, "points",
                  (json_int_t)made->points, "left_out", (json_int_t)made->left_out,
                  "refused", (json_int_t)made->refused);
    json_t *dims = json_array();

    if (made->refused > 0) {
        json_object_set_new(all, "first_refused",
                            json_integer((json_int_t)made->first_index));
    }
    for (uint32_t i = 0; i < s->n_dims; i++) {
        const struct sweep_dim *d = &s->dims[i];
        json_t *keys = json_array();

        for (uint32_t j = 0; j < d->n_axes; j++) {
            json_array_append_new(keys, json_string(d->axes[j].key.name));
        }
        json_array_append_new(dims, json_pack("{s:o, s:I}", "keys", keys, "values",
                                              (json_int_t)d->n));
    }
    json_object_set_new(all, "dimensions", dims);
    answer_print(all);
}

/* How long differs from run to run: it does not go where results go. */
static bool print_estimate(const struct sweep *s, const char *dir, const char *path,
                           struct smw_err *e)
{
    struct plan_file f;
    struct text t = {0};

    if (!plan_read(&f, path, s->path, e)) {
        return false;
    }
    estimate(&f, dir, s, &t);
    if (t.n > 0) {
        diag_text(stderr, t.s);
    }
    text_free(&t);
    plan_close(&f);
    return true;
}

static bool plan(const struct options *o, struct sweep *s, struct smw_err *e)
{
    struct plan_made made;
    char *dir, *path;
    bool ok;

    if (!plan_check_size(s, o->yes, e)) {
        return false;
    }
    dir = store_dir(s, o->outdir);
    path = file_join(dir, PLAN_FILE);
    ok = plan_check(s, e) && store_create(dir, s, o->force, NULL, e) &&
         plan_make(s, path, &made, e);
    if (ok) {
        if (o->json) {
            answer(s, path, &made);
        } else if (!o->quiet) {
            report(s, dir, &made);
        }
        if (made.refused > 0) {
            diag_warning(&made.first);
        }
        ok = o->quiet || o->json || o->no_estimate || print_estimate(s, dir, path, e);
    }
    free(path);
    free(dir);
    return ok;
}

int cmd_sweep_plan(int argc, char **argv)
{
    struct options o = {0};
    struct sweep s = {0};
    struct smw_err e = {0};
    char *path;
    bool ok;

    o.quiet = cli_parse(&sweep_plan_argp, argc, argv, &o).quiet;
    path = sweep_find(o.file, &e);
    ok = path != NULL && sweep_read(&s, path, &e) && plan(&o, &s, &e);
    sweep_free(&s);
    free(path);
    return ok ? TB_OK : (int)diag_error(&e);
}
