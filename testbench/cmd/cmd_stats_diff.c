/*
 * cmd_stats_diff.c - "smwave stats diff A B": the counters of two runs compared.
 */
#include "cmd/answer.h"
#include "cmd/cmd_stats.h"
#include "io/cli.h"

#include "sweep/diff.h"
#include "sweep/plan.h"
#include "sweep/table.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_BYTES = 256 << 20 };

struct options {
    const char *path[2];
    uint32_t n;
    struct diff_options diff;
};

static const struct argp_option diff_options[] = {DIFF_ARGP_OPTIONS, {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->path)) {
            argp_error(state, "'%s' is one run too many", arg);
        }
        o->path[o->n++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->n < ARRAY_LEN(o->path)) {
            argp_error(state, "which two runs?");
        }
        return 0;
    default: return diff_parse_option(&o->diff, key, arg);
    }
}

const struct argp stats_diff_argp = {
    .options = diff_options,
    .parser = parse_option,
    .args_doc = "A B",
    .doc =
        "Compare the counters of two runs: A and B are directories of runs or their "
        "stats.json. Launches are matched by position and must agree in their kernels; "
        "grid, block and the state of a run are compared like counters. Printed are "
        "the "
        "values that differ."
        "\v"
        "Exit codes: 0 no difference but what is allowed, 1 there are others, 2 usage, "
        "4 a file that is no statistics or cannot be read.\n\n"
        "  smwave stats diff before after\n"
        "  smwave stats diff before after -t 'cycles=+1%' -t 'l2.*=any'\n"};

/* ---- reading ---- */

/* A run: the file of its statistics and what is in it. */
struct run {
    char *path;
    json_t *root, *kernels;
};

static bool refuse(const struct run *r, struct smw_err *e, const char *why)
{
    err_set(e, SMW_ERR_INPUT, "no statistics of a run: %s", why);
    err_at(e, r->path, NULL, 0, 0, 0);
    return false;
}

static bool check_kernel(const struct run *r, json_t *k, struct smw_err *e)
{
    const char *name;
    json_t *v;

    if (!json_is_string(json_object_get(k, "name"))) {
        return refuse(r, e, "a launch has no name");
    }
    if (!json_is_object(json_object_get(k, "counters"))) {
        return refuse(r, e, "a launch has no counters");
    }
    json_object_foreach(json_object_get(k, "counters"), name, v)
    {
        if (!json_is_number(v) && !json_is_string(v)) {
            return refuse(r, e, "a counter is no number");
        }
    }
    return true;
}

static bool parse(struct run *r, const char *text, size_t size, struct smw_err *e)
{
    json_error_t why;
    size_t i;
    json_t *k;

    r->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (r->root == NULL) {
        err_set(e, SMW_ERR_INPUT, "no JSON: %s", why.text);
        err_at(e, r->path, text, (uint32_t)why.line, (uint32_t)why.column, 0);
        return false;
    }
    if (json_integer_value(json_object_get(r->root, "schema")) != 1) {
        return refuse(r, e, "\"schema\" is not 1");
    }
    r->kernels = json_object_get(r->root, "kernels");
    if (!json_is_array(r->kernels)) {
        return refuse(r, e, "there is no list of kernels");
    }
    json_array_foreach(r->kernels, i, k)
    {
        if (!check_kernel(r, k, e)) {
            return false;
        }
    }
    return true;
}

static bool is_of_sweep(const char *path)
{
    char *plan = file_join(path, PLAN_FILE);
    bool there = access(plan, F_OK) == 0;

    free(plan);
    return there;
}

static bool read_run(struct run *r, const char *path, struct smw_err *e)
{
    struct stat st;
    size_t size = 0;
    char *text;
    bool ok;

    r->path = stat(path, &st) == 0 && S_ISDIR(st.st_mode)
                  ? file_join(path, "stats.json")
                  : tb_strdup(path);
    text = file_read(r->path, MAX_BYTES, &size, SMW_ERR_INPUT, e);
    if (text == NULL && is_of_sweep(path)) {
        err_hint(e, "'smwave sweep diff' compares sweeps");
    }
    ok = text != NULL && parse(r, text, size, e);
    free(text);
    return ok;
}

static void free_run(struct run *r)
{
    json_decref(r->root);
    free(r->path);
}

/* ---- comparing ---- */

/* Texts of lists live in *text. */
static struct diff_value value_of(json_t *v, struct text *text)
{
    size_t i;
    json_t *part;

    switch (v == NULL ? JSON_NULL : json_typeof(v)) {
    case JSON_NULL:
    case JSON_OBJECT: break;
    case JSON_INTEGER:
        return (struct diff_value){.kind = DIFF_INT, .i = json_integer_value(v)};
    case JSON_REAL:
        return (struct diff_value){.kind = DIFF_REAL, .d = json_real_value(v)};
    case JSON_STRING:
        return (struct diff_value){.kind = DIFF_TEXT, .text = json_string_value(v)};
    case JSON_TRUE: return (struct diff_value){.kind = DIFF_TEXT, .text = "yes"};
    case JSON_FALSE: return (struct diff_value){.kind = DIFF_TEXT, .text = "no"};
    case JSON_ARRAY: /* grid, block */
        json_array_foreach(v, i, part)
        {
            text_add(text, "%s%" JSON_INTEGER_FORMAT, i == 0 ? "" : "x",
                     json_integer_value(part));
        }
        return (struct diff_value){.kind = DIFF_TEXT,
                                   .text = text->s == NULL ? "" : text->s};
    }
    return (struct diff_value){.kind = DIFF_NONE};
}

static void compare_member(struct diff *d, const char *name, json_t *a, json_t *b)
{
    struct text text[2] = {{0}, {0}};
    struct diff_value left = value_of(a, &text[0]), right = value_of(b, &text[1]);

    if (a != NULL || b != NULL) {
        diff_value(d, name, &left, &right);
    }
    text_free(&text[0]);
    text_free(&text[1]);
}

/* A counter that only one has is found in the order of that one. */
static void compare_counters(struct diff *d, json_t *a, json_t *b)
{
    const char *name;
    json_t *v;

    json_object_foreach(a, name, v)
    {
        compare_member(d, name, v, json_object_get(b, name));
    }
    json_object_foreach(b, name, v)
    {
        if (json_object_get(a, name) == NULL) {
            compare_member(d, name, NULL, v);
        }
    }
}

/* Either may be missing. */
static void compare_launch(struct diff *d, size_t i, json_t *a, json_t *b)
{
    static const char *const members[] = {"name",     "grid", "block",
                                          "complete", "regs", "shared_bytes"};
    const char *name =
        json_string_value(json_object_get(a != NULL ? a : b, members[0]));
    struct text key = {0};
    char *heading = tb_printf("launch %zu: %s%s", i, name,
                              a == NULL   ? ", in B only"
                              : b == NULL ? ", in A only"
                                          : "");

    text_add(&key, "%zu,", i);
    table_csv_field(name, &key);
    diff_group(d, heading, key.s);
    for (uint32_t m = 0; m < ARRAY_LEN(members); m++) {
        compare_member(d, m == 0 ? "kernel" : members[m],
                       json_object_get(a, members[m]), json_object_get(b, members[m]));
    }
    /* Of different kernels, or of one that is missing, nothing more is worth a word. */
    if (a != NULL && b != NULL &&
        json_equal(json_object_get(a, "name"), json_object_get(b, "name")) != 0) {
        compare_counters(d, json_object_get(a, "counters"),
                         json_object_get(b, "counters"));
    }
    text_free(&key);
    free(heading);
}

static int compare(const struct run *a, const struct run *b, struct diff_options *opt,
                   struct smw_err *e)
{
    size_t n = json_array_size(a->kernels);
    struct answer_stream rows;
    struct diff d;
    int code;

    n = json_array_size(b->kernels) > n ? json_array_size(b->kernels) : n;
    diff_begin(&d, opt, answer_stream_or_stdout(opt->json ? &rows : NULL), "values",
               "launch,kernel");
    diff_group(&d, "run", ",");
    compare_member(&d, "status", json_object_get(a->root, "status"),
                   json_object_get(b->root, "status"));
    for (size_t i = 0; i < n; i++) {
        compare_launch(&d, i, json_array_get(a->kernels, i),
                       json_array_get(b->kernels, i));
    }
    code = diff_end(&d, e);
    if (opt->json) {
        answer_end_diff(&rows, code != TB_USAGE);
    }
    return code;
}

int cmd_stats_diff(int argc, char **argv)
{
    struct options o = {.n = 0};
    struct run run[2] = {{0}, {0}};
    struct smw_err e = {0};
    int code = TB_OK;

    cli_parse(&stats_diff_argp, argc, argv, &o);
    if (read_run(&run[0], o.path[0], &e) && read_run(&run[1], o.path[1], &e)) {
        code = compare(&run[0], &run[1], &o.diff, &e);
    }
    if (e.kind != SMW_ERR_NONE) {
        code = (int)diag_error(&e);
    }
    free_run(&run[0]);
    free_run(&run[1]);
    diff_options_free(&o.diff);
    return code;
}
