/*
 * cmd_sweep_diff.c - "smwave sweep diff A B": the results of two sweeps compared, point
 * by point.
 */
#include "cmd/answer.h"
#include "cmd/cmd_sweep.h"
#include "io/cli.h"

#include "io/num.h"
#include "sweep/diff.h"
#include "sweep/side.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_BY = 256 };

struct options {
    const char *what[2];
    const char *by;
    uint32_t n;
    struct diff_options diff;
};

static const struct argp_option option_table[] = {
    DIFF_ARGP_OPTIONS,
    {"by", OPT_BY, "COLUMN,...", 0,
     "match points by these columns (default: the parameters)", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case OPT_BY: o->by = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->what)) {
            argp_error(state, "'%s' is one sweep too many", arg);
        }
        o->what[o->n++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->n < ARRAY_LEN(o->what)) {
            argp_error(state, "which two sweeps?");
        }
        return 0;
    default: return diff_parse_option(&o->diff, key, arg);
    }
}

const struct argp sweep_diff_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "A B",
    .doc =
        "Compare the results of two sweeps: A and B are folders of sweeps, sweep files "
        "whose folders are meant, or a results.csv. Points are matched by their "
        "parameters; compared are what the sweep collects, and the status, exit code "
        "and "
        "error of each point. Printed are the values that differ, and points that only "
        "one has."
        "\v"
        "Exit codes: 0 no difference but what is allowed, 1 there are others, 2 usage, "
        "4 a file that is no sweep's, 7 one that cannot be read.\n\n"
        "  smwave sweep diff before after -t 'cycles=+1%'\n"
        "  smwave sweep diff baseline.csv smwave-out/partition.sweep\n"};

/* ---- matching points ---- */

struct entry {
    const char *key;
    uint64_t row;
};

static int compare_entries(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int order = strcmp(a->key, b->key);

    return order != 0 ? order : a->row < b->row ? -1 : a->row > b->row;
}

/* partner[row of a]: the row of b of the same key, each once; UINT64_MAX: none.
 * taken[row of b]: it is somebody's. */
static void find_partners(const struct side *a, const struct side *b, uint64_t *partner,
                          bool *taken)
{
    struct entry *left = tb_alloc((a->n_rows + 1) * sizeof(*left));
    struct entry *right = tb_alloc((b->n_rows + 1) * sizeof(*right));
    uint64_t k = 0;

    for (uint64_t i = 0; i < a->n_rows; i++) {
        left[i] = (struct entry){a->key[i], i};
    }
    for (uint64_t i = 0; i < b->n_rows; i++) {
        right[i] = (struct entry){b->key[i], i};
        taken[i] = false;
    }
    qsort(left, a->n_rows, sizeof(*left), compare_entries);
    qsort(right, b->n_rows, sizeof(*right), compare_entries);
    for (uint64_t i = 0; i < a->n_rows; i++) {
        while (k < b->n_rows && strcmp(right[k].key, left[i].key) < 0) {
            k++;
        }
        partner[left[i].row] = UINT64_MAX;
        if (k < b->n_rows && strcmp(right[k].key, left[i].key) == 0) {
            partner[left[i].row] = right[k].row;
            taken[right[k++].row] = true;
        }
    }
    free(left);
    free(right);
}

/* ---- comparing ---- */

static struct diff_value value_of(const char *text)
{
    struct diff_value v = {.kind = DIFF_TEXT, .text = text};

    if (text[0] == '\0') {
        v.kind = DIFF_NONE;
    } else if (num_s64(text, &v.i) == NUM_OK) {
        v.kind = DIFF_INT;
    } else if (num_f64(text, &v.d) == NUM_OK) {
        v.kind = DIFF_REAL;
    }
    return v;
}

static void compare_cell(struct diff *d, const char *name, const char *a, const char *b)
{
    struct diff_value left = value_of(a), right = value_of(b);

    diff_value(d, name, &left, &right);
}

/* The heading and the key of a point, which may be missing on one side. */
static void head(struct diff *d, const struct side *a, const struct side *b, uint64_t i,
                 uint64_t k)
{
    const struct side *s = i != UINT64_MAX ? a : b;
    uint64_t row = i != UINT64_MAX ? i : k;
    struct text heading = {0}, key = {0};

    text_add(&heading, "point %s", side_cell(s, row, "index"));
    text_add(&key, "%s,%s", i == UINT64_MAX ? "" : side_cell(a, i, "index"),
             k == UINT64_MAX ? "" : side_cell(b, k, "index"));
    for (uint32_t p = 0; p < s->n_by; p++) {
        const char *text = s->cell[row * s->n_columns + s->by[p]];

        text_add(&heading, "%s %s=%s", p == 0 ? ":" : ",", s->column[s->by[p]], text);
        text_add(&key, ",");
        table_csv_field(text, &key);
    }
    text_add(&heading, "%s",
             i == UINT64_MAX   ? ", in B only"
             : k == UINT64_MAX ? ", in A only"
                               : "");
    diff_group(d, heading.s, key.s);
    text_free(&heading);
    text_free(&key);
}

static void compare_point(struct diff *d, const struct side *a, const struct side *b,
                          uint64_t i, uint64_t k)
{
    static const char *const state[] = {"status", "exit", "error"};

    head(d, a, b, i, k);
    if (i == UINT64_MAX || k == UINT64_MAX) {
        compare_cell(d, state[0], i == UINT64_MAX ? "" : side_cell(a, i, state[0]),
                     k == UINT64_MAX ? "" : side_cell(b, k, state[0]));
        return;
    }
    for (uint32_t c = 0; c < ARRAY_LEN(state); c++) {
        const char *left = side_cell(a, i, state[c]),
                   *right = side_cell(b, k, state[c]);

        if (left[0] != '\0' || right[0] != '\0') {
            compare_cell(d, state[c], left, right);
        }
    }
    if (strcmp(side_cell(a, i, state[0]), "ok") != 0 ||
        strcmp(side_cell(b, k, state[0]), "ok") != 0) {
        return; /* a point that failed has no values */
    }
    for (uint32_t c = 0; c < a->n_columns; c++) {
        int32_t other = side_find(b, a->column[c]);

        if (a->role[c] == TABLE_VALUE && other >= 0 && b->role[other] == TABLE_VALUE) {
            compare_cell(d, a->column[c], a->cell[i * a->n_columns + c],
                         b->cell[k * b->n_columns + (uint32_t)other]);
        }
    }
}

/* A column that only one has is told once. */
static void compare_columns(struct diff *d, const struct side *a, const struct side *b)
{
    struct text key = {0};

    text_add(&key, ",");
    for (uint32_t p = 0; p < a->n_by; p++) {
        text_add(&key, ",");
    }
    diff_group(d, "columns", key.s);
    for (int side = 0; side < 2; side++) {
        const struct side *s = side == 0 ? a : b, *other = side == 0 ? b : a;

        for (uint32_t c = 0; c < s->n_columns; c++) {
            if (s->role[c] == TABLE_VALUE && side_find(other, s->column[c]) < 0) {
                compare_cell(d, s->column[c], side == 0 ? "collected" : "",
                             side == 0 ? "" : "collected");
            }
        }
    }
    text_free(&key);
}

/* What comparing does not show: points that failed, or have not ended, on both
 * sides. */
static void tell_state(const char *what, const struct side *s)
{
    uint64_t failed = 0, missing = 0;

    for (uint64_t r = 0; r < s->n_rows; r++) {
        failed += strcmp(side_cell(s, r, "status"), "failed") == 0;
        missing += strcmp(side_cell(s, r, "status"), "missing") == 0;
    }
    printf("%s: %" PRIu64 " points", what, s->n_rows);
    if (failed > 0) {
        printf(", %" PRIu64 " failed", failed);
    }
    if (missing > 0) {
        printf(", %" PRIu64 " not ended", missing);
    }
    putchar('\n');
}

static int compare(const struct side *a, const struct side *b, struct diff_options *opt,
                   struct smw_err *e)
{
    uint64_t *partner = tb_alloc((a->n_rows + 1) * sizeof(*partner));
    bool *taken = tb_alloc((b->n_rows + 1) * sizeof(*taken));
    struct text keys = {0};
    struct answer_stream rows;
    struct diff d;
    int code;

    text_add(&keys, "index_a,index_b");
    for (uint32_t p = 0; p < a->n_by; p++) {
        text_add(&keys, ",");
        table_csv_field(a->column[a->by[p]], &keys);
    }
    find_partners(a, b, partner, taken);
    diff_begin(&d, opt, answer_stream_or_stdout(opt->json ? &rows : NULL), "values",
               keys.s);
    compare_columns(&d, a, b);
    for (uint64_t i = 0; i < a->n_rows; i++) {
        compare_point(&d, a, b, i, partner[i]);
    }
    for (uint64_t k = 0; k < b->n_rows; k++) {
        if (!taken[k]) {
            compare_point(&d, a, b, UINT64_MAX, k);
        }
    }
    if (!opt->csv) {
        tell_state("A", a);
        tell_state("B", b);
    }
    free(partner);
    free(taken);
    text_free(&keys);
    code = diff_end(&d, e);
    if (opt->json) {
        answer_end_diff(&rows, code != TB_USAGE);
    }
    return code;
}

int cmd_sweep_diff(int argc, char **argv)
{
    struct options o = {.n = 0};
    struct side a = {0}, b = {0};
    struct smw_err e = {0};
    int code = TB_OK;

    cli_parse(&sweep_diff_argp, argc, argv, &o);
    if (side_read(&a, o.what[0], &e) && side_read(&b, o.what[1], &e) &&
        side_match(&a, &b, o.by, &e)) {
        code = compare(&a, &b, &o.diff, &e);
    }
    if (e.kind != SMW_ERR_NONE) {
        code = (int)diag_error(&e);
    }
    side_free(&a);
    side_free(&b);
    diff_options_free(&o.diff);
    return code;
}
