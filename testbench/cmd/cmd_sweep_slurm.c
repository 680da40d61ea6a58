/*
 * cmd_sweep_slurm.c - "smwave sweep slurm": a sweep as job arrays of Slurm.
 */
#include "cmd/cmd_sweep.h"
#include "io/cli.h"

#include "io/num.h"
#include "sweep/jobs_options.h"
#include "sweep/slurm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
    OPT_CHUNK = JOBS_OWN,
    OPT_CPUS,
    OPT_MAX_ARRAY,
    OPT_MAX_RUNNING,
    OPT_MEM,
    OPT_PARTITION,
    OPT_SUBMIT,
    OPT_TIME
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep (default: smwave-out/NAME.sweep)", 1},
    {"force", JOBS_FORCE, NULL, 0, "write into a directory smwave did not write", 1},
    {"yes", JOBS_YES, NULL, 0, "plan more than a million points", 1},
    {"chunk", OPT_CHUNK, "N", 0, "points of a task (default: 20)", 2},
    {"max-running", OPT_MAX_RUNNING, "N", 0, "tasks at once (default: 32)", 2},
    {"max-array", OPT_MAX_ARRAY, "N", 0,
     "tasks of an array, the cluster's MaxArraySize (default: 1001)", 2},
    {"time", OPT_TIME, "TIME", 0, "of a task, at least 5 minutes (default: 00:30:00)",
     2},
    {"mem", OPT_MEM, "SIZE", 0, "of a task (default: 1G)", 2},
    {"cpus", OPT_CPUS, "N", 0, "of a task, and its processes (default: 1)", 2},
    {"partition", OPT_PARTITION, "NAME", 0, "of the cluster", 2},
    {"program", JOBS_PROGRAM, "PATH", 0, "smwave on the nodes (default: this one)", 2},
    {"submit", OPT_SUBMIT, NULL, 0, "submit the jobs as well", 3},
    {0}};

struct options {
    struct jobs_options jobs;
    struct slurm_options slurm;
    bool submit;
};

static void number(struct argp_state *state, const char *option, const char *arg,
                   uint32_t *out)
{
    if (num_u32(arg, out) != NUM_OK || *out == 0) {
        argp_error(state, "%s takes a number from 1, not '%s'", option, arg);
    }
}

static void need(bool ok, const struct smw_err *e)
{
    if (!ok) {
        exit((int)diag_error(e));
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    struct smw_err e = {0};
    uint32_t n = 0;

    switch (key) {
    case OPT_SUBMIT: o->submit = true; return 0;
    case OPT_CHUNK:
        number(state, "--chunk", arg, &n);
        o->jobs.chunk = n;
        return 0;
    case OPT_CPUS: number(state, "--cpus", arg, &o->slurm.cpus); return 0;
    case OPT_MAX_ARRAY:
        number(state, "--max-array", arg, &o->slurm.max_array);
        return 0;
    case OPT_MAX_RUNNING:
        number(state, "--max-running", arg, &o->slurm.max_running);
        return 0;
    case OPT_MEM:
        need(slurm_check_memory(arg, &e), &e);
        o->slurm.memory = arg;
        return 0;
    case OPT_TIME:
        need(slurm_check_time(arg, &e), &e);
        o->slurm.time = arg;
        return 0;
    case OPT_PARTITION:
        if (arg[0] == '\0' || arg[strcspn(arg, " \t\r\n\"'#\\")] != '\0') {
            argp_error(state, "'%s' is no name of a partition", arg);
        }
        o->slurm.partition = arg;
        return 0;
    default: return jobs_parse_option(key, arg, &o->jobs, state);
    }
}

const struct argp sweep_slurm_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP",
    .doc =
        "Plan a sweep and write OUT/slurm/array.sh, merge.sh and submit.sh: job "
        "arrays, "
        "a task of which runs a chunk of the plan, and a job that merges the results "
        "when they have ended. What submits them is printed, and run with --submit. "
        "Tasks whose node fails or whose time ends are queued again and go on where "
        "they were; once more on the same sweep, what has ended is left out."
        "\v"
        "  smwave sweep slurm banks --chunk 20 --time 00:30:00 --mem 1G\n"
        "  smwave sweep slurm banks --cpus 8 --chunk 200 --submit\n"};

/* Run submit.sh, which tells what was submitted. */
static bool submit(const char *dir, struct smw_err *e)
{
    char shell[] = "sh";
    char *path = file_join(dir, "submit.sh");
    char *argv[] = {shell, path, NULL};
    int status = 0;
    bool ok = jobs_spawn(argv, &status, e);

    free(path);
    if (!ok) {
        return false;
    }
    if (status != 0) {
        err_set(e, SMW_ERR_IO, "the jobs could not be submitted");
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
            err_hint(e, "sbatch comes with Slurm; is this a host that submits?");
        }
        return false;
    }
    return true;
}

static bool hand_over(const struct jobs *j, const struct options *o, struct smw_err *e)
{
    char *dir = file_join(j->dir, "slurm");
    struct text script = {0};
    bool ok;

    printf("# %s: %" PRIu64 " points, %" PRIu64 " have ended; %" PRIu64
           " tasks of up to %" PRIu64 " points\n",
           j->sweep.name, j->n_points, j->n_ended, j->n_todo, j->chunk);
    slurm_array_script(j, &o->slurm, &script);
    ok = jobs_write(dir, "array.sh", &script, e);
    slurm_merge_script(j, &o->slurm, &script);
    ok = ok && jobs_write(dir, "merge.sh", &script, e);
    slurm_submit_script(j, &o->slurm, &script);
    if (ok) {
        fputs(strchr(script.s, '\n') + 1, stdout);
    }
    ok = ok && jobs_write(dir, "submit.sh", &script, e);
    ok = ok && (!o->submit || submit(dir, e));
    text_free(&script);
    free(dir);
    return ok;
}

int cmd_sweep_slurm(int argc, char **argv)
{
    struct options o = {.jobs = {.chunk = 20},
                        .slurm = {.time = "00:30:00",
                                  .memory = "1G",
                                  .cpus = 1,
                                  .max_running = 32,
                                  .max_array = SLURM_MAX_ARRAY}};
    struct smw_err e = {0};
    struct jobs j;
    int code = TB_OK;

    cli_parse(&sweep_slurm_argp, argc, argv, &o);
    if (!jobs_open(&j, &o.jobs, &e) || !hand_over(&j, &o, &e)) {
        code = (int)diag_error(&e);
    }
    jobs_close(&j);
    return code;
}
