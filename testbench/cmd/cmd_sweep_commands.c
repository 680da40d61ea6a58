/*
 * cmd_sweep_commands.c - "smwave sweep commands": a sweep as one command a line.
 */
#include "cmd/cmd_sweep.h"
#include "io/cli.h"

#include "io/num.h"
#include "sweep/jobs_options.h"
#include <stdlib.h>
#include <string.h>

enum { OPT_CHUNK = JOBS_OWN };

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep (default: smwave-out/NAME.sweep)", 0},
    {"chunk", OPT_CHUNK, "N", 0, "points of a command (default: 1)", 0},
    {"jobs", 'j', "N", 0, "processes of a command (default: 1)", 0},
    {"program", JOBS_PROGRAM, "PATH", 0, "smwave where the commands run", 0},
    {"force", JOBS_FORCE, NULL, 0, "write into a directory smwave did not write", 0},
    {"yes", JOBS_YES, NULL, 0, "plan more than a million points", 0},
    {0}};

struct options {
    struct jobs_options jobs;
    uint32_t workers;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case OPT_CHUNK:
        if (num_u64(arg, &o->jobs.chunk) != NUM_OK || o->jobs.chunk == 0) {
            argp_error(state, "--chunk takes a number of points, not '%s'", arg);
        }
        return 0;
    case 'j':
        if (num_u32(arg, &o->workers) != NUM_OK || o->workers == 0) {
            argp_error(state, "-j takes a number of processes, not '%s'", arg);
        }
        return 0;
    default: return jobs_parse_option(key, arg, &o->jobs, state);
    }
}

const struct argp sweep_commands_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP",
    .doc =
        "Plan a sweep and print the commands that run it, one a line, for the shell. "
        "They may run in any order, at once, on any host that sees the folder, and "
        "again; what has ended is left out. 'smwave sweep merge' follows them."
        "\v"
        "  smwave sweep commands banks --chunk 10 | parallel -j 8\n"
        "  smwave sweep commands banks | xargs -d '\\n' -P 8 -n 1 sh -c\n"};

int cmd_sweep_commands(int argc, char **argv)
{
    struct options o = {.jobs = {.chunk = 1}, .workers = 1};
    struct smw_err e = {0};
    struct jobs j;
    struct text commands = {0};
    int code = TB_OK;

    cli_parse(&sweep_commands_argp, argc, argv, &o);
    if (jobs_open(&j, &o.jobs, &e)) {
        jobs_commands(&j, o.workers, &commands);
        if (commands.n != 0) { /* there may be no text then */
            fwrite(commands.s, 1, commands.n, stdout);
        }
    } else {
        code = (int)diag_error(&e);
    }
    text_free(&commands);
    jobs_close(&j);
    return code;
}
