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

static const struct argp_option option_table[] = {
    SWEEP_WHERE_OPTION,
    SWEEP_JSON_OPTION("print JSON: the counts, each point that failed, and what was "
                      "written"),
    {0},
};

const struct argp sweep_merge_argp = {
    .options = option_table,
    .parser = sweep_where_parse,
    .args_doc = "SWEEP|DIR",
    .doc = "Collect the points of a sweep that have ended into results.csv and "
           "results.sqlite, in the order of the plan, and draw the plots that the "
           "sweep file names and the page report.html.\v"
           "Exit code 8 if results of a point that ended well cannot be read: 'smwave "
           "sweep run' runs it again.",
};

int cmd_sweep_merge(int argc, char **argv)
{
    struct sweep_where where = {0};
    struct sweep_table t;
    struct text text = {0};
    struct smw_err e = {0};
    struct cli_common said;
    char *dir;
    int code = TB_OK;

    said = cli_parse(&sweep_merge_argp, argc, argv, &where);
    dir = store_find(where.word, where.out, &e);
    if (dir != NULL && table_load(&t, dir, &e)) {
        if (merge_write(&t, dir, &e) && draw_all(&t, dir, &e)) {
            code = t.n_unread > 0 ? TB_SWEEP : TB_OK;
            status_print(&t, 5, &text);
            if (where.json) {
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
