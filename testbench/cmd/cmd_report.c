/* cmd_report.c - "smwave report": the page of a run or of a sweep. */
#include "cmd/commands.h"
#include "io/cli.h"

#include "io/file.h"
#include "report/report.h"
#include "sweep/store.h"
#include <stdlib.h>
#include <string.h>

struct options {
    const char *dir, *output;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE.html", 0, "the file to write (default: DIR/report.html)", 1},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'o': o->output = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->dir != NULL) {
            argp_error(state, "one folder at a time: '%s' is a second one", arg);
        }
        o->dir = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the folder of which run, or of which sweep?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp report_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc =
        "Make one HTML file of what a run or a sweep wrote into DIR, to be read in any "
        "browser, without a network.\v"
        "The page shows what the folder holds: launches, occupancy and counters of "
        "any run; the cost of each source line of one with --explain N; the activity "
        "of the SMs over time and the banks of shared memory, too, of one with "
        "--profile:\n\n"
        "  smwave run reduction-small --profile -o DIR\n"
        "  smwave report DIR\n"};

int cmd_report(int argc, char **argv)
{
    struct options o = {NULL, NULL};
    struct text page = {0};
    struct smw_err e = {0};
    struct cli_common said;
    char *path;
    bool ok;

    said = cli_parse(&report_argp, argc, argv, &o);
    path = o.output != NULL ? tb_strdup(o.output) : file_join(o.dir, "report.html");
    ok = (store_is(o.dir) ? report_sweep : report_run)(o.dir, &page, &e) &&
         file_write(path, page.s, page.n, &e);
    if (ok && !said.quiet) {
        printf("%s\n", path);
    }
    text_free(&page);
    free(path);
    return ok ? TB_OK : (int)diag_error(&e);
}
