/*
 * cmd_sweep_merge.c - "smwave sweep merge": results.csv and results.sqlite of what has
 * ended.
 */
#include "cmd/cmd_sweep.h"

#include "cmd/sweep_answer.h"
#include "cmd/sweep_where.h"
#include "io/cli.h"
#include "report/sweep_draw.h"
#include "sweep/merge.h"
#include "sweep/status.h"
#include <stdlib.h>

enum { OPT_JSON = 'j' };

struct options {
    struct sweep_where where; /* first: all that its parser knows of */
    bool json;
};

static const struct argp_option option_table[] = {
    SWEEP_WHERE_OPTION,
    {"json", OPT_JSON, NULL, 0,
     "print JSON: the counts, each point that failed, and what was written", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    if (key == OPT_JSON) {
        o->json = true;
        return 0;
    }
    return sweep_where_parse(key, arg, state);
}

const struct argp sweep_merge_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP|DIR",
    .doc = "Collect the points of a sweep that have ended into results.csv and "
           "results.sqlite, in the order of the plan, and draw the plots that the "
           "sweep file names and the page report.html.\v"
           "Exit code 8 if results of a point that ended well cannot be read: 'smwave "
           "sweep run' runs it again.",
};

int cmd_sweep_merge(int argc, char **argv)
{
    struct options o = {.json = false};
    struct sweep_table t;
    struct text text = {0};
    struct smw_err e = {0};
    struct cli_common said;
    char *dir;
    int code = TB_OK;

    said = cli_parse(&sweep_merge_argp, argc, argv, &o);
    dir = store_find(o.where.word, o.where.out, &e);
    if (dir != NULL && table_load(&t, dir, &e)) {
        if (merge_write(&t, dir, &e) && draw_all(&t, dir, &e)) {
            code = t.n_unread > 0 ? TB_SWEEP : TB_OK;
            status_print(&t, 5, &text);
            if (o.json) {
                sweep_answer(&t, dir, true);
            } else if (!said.quiet) {
                printf("%sresults in %s/%s and %s\n", text.s, dir, STORE_CSV,
                       STORE_SQLITE);
            }
        }
        text_free(&text);
        table_free(&t);
    }
    free(dir);
    return e.kind == SMW_ERR_NONE ? code : (int)diag_error(&e);
}
