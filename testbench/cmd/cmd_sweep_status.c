/*
 * cmd_sweep_status.c - "smwave sweep status": how far it has come, and what failed.
 */
#include "cmd/cmd_sweep.h"

#include "cmd/sweep_answer.h"
#include "cmd/sweep_where.h"
#include "io/cli.h"
#include "sweep/status.h"
#include <stdlib.h>

static const struct argp_option option_table[] = {
    SWEEP_WHERE_OPTION,
    SWEEP_JSON_OPTION("print JSON: the counts, and each point that failed"),
    {0},
};

const struct argp sweep_status_argp = {
    .options = option_table,
    .parser = sweep_where_parse,
    .args_doc = "SWEEP|DIR",
    .doc = "Count the points of a sweep that are done, that failed and that are still "
           "to be run; for each cause, the messages of what failed.\v"
           "Exit code 8 if a point failed.",
};

int cmd_sweep_status(int argc, char **argv)
{
    struct sweep_where where = {0};
    struct sweep_table t;
    struct text text = {0};
    struct smw_err e = {0};
    char *dir;
    int code = TB_OK;

    cli_parse(&sweep_status_argp, argc, argv, &where);
    dir = store_find(where.word, where.out, &e);
    if (dir == NULL || !table_load(&t, dir, &e)) {
        free(dir);
        return (int)diag_error(&e);
    }
    if (where.json) {
        sweep_answer(&t, NULL, false);
    } else {
        status_print(&t, 0, &text);
        diag_text(stdout, text.s);
    }
    code = t.n_failed > 0 ? TB_SWEEP : TB_OK;
    text_free(&text);
    table_free(&t);
    free(dir);
    return code;
}
