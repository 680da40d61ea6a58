/*
 * cmd_sweep_run.c - "smwave sweep run": the options.
 */
#include "cmd/cmd_sweep.h"

#include "cmd/sweep_answer.h"
#include "io/cli.h"
#include "io/num.h"
#include "io/processors.h"
#include "report/sweep_draw.h"
#include "sweep/dask.h"
#include "sweep/sweep_run.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
    OPT_RESUME = 256,
    OPT_FAILED,
    OPT_ONLY,
    OPT_IN_PROCESS,
    OPT_MEMORY,
    OPT_SECONDS,
    OPT_FORCE,
    OPT_YES,
    OPT_ON,
    OPT_JSON
};

enum { CHUNK = 8 /* points of a Dask task */ };

struct options {
    struct sweep_run_options run; /* first */
    const char *on, *address;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep (default: smwave-out/NAME.sweep)", 0},
    {"jobs", 'j', "N", 0, "so many points at a time (default: one per processor)", 0},
    {"force", OPT_FORCE, NULL, 0, "write into a directory smwave did not write", 0},
    {"json", OPT_JSON, NULL, 0,
     "print JSON at the end: the counts, each point that failed, and what was written",
     0},
    {"yes", OPT_YES, NULL, 0, "run more than a million points", 0},
    {0, 0, 0, 0, "Which points:", 1},
    {"resume", OPT_RESUME, NULL, 0,
     "leave out what has ended and not changed since; what the machine was the cause "
     "of (killed, disk, memory, wall time) is run again (default)",
     1},
    {"failed", OPT_FAILED, NULL, 0, "run all that failed again", 1},
    {"only", OPT_ONLY, "3,7-9", 0,
     "of these points; nothing is merged, so that several may run parts of a sweep in "
     "one folder",
     1},
    {0, 0, 0, 0, "How:", 2},
    {"in-process", OPT_IN_PROCESS, NULL, 0,
     "in threads: faster for tiny points, but without limits of memory, and a crash "
     "ends all",
     2},
    {"on", OPT_ON, "dask", 0,
     "by the workers of the Dask cluster whose scheduler is at ADDRESS, "
     "tcp://HOST:PORT; they see the folder and this program under the same paths. -j: "
     "processes of a task, default 1",
     2},
    {"seconds", OPT_SECONDS, "S", 0, "wall time of a point, instead of limits.seconds",
     2},
    {"memory", OPT_MEMORY, "SIZE", 0,
     "memory of a point, '512 MiB', instead of limits.memory", 2},
    {0},
};

static uint32_t jobs(struct argp_state *state, const char *arg)
{
    uint32_t n = 0;

    if (num_u32(arg, &n) != NUM_OK || n == 0 || n > POOL_MAX_WORKERS) {
        argp_error(state, "-j takes a number from 1 to %d, not '%s'", POOL_MAX_WORKERS,
                   arg);
    }
    return n;
}

static double seconds(struct argp_state *state, const char *arg)
{
    double s = 0;

    if (num_f64(arg, &s) != NUM_OK || !(s > 0) || s > 1e9) {
        argp_error(state, "--seconds takes a number above 0, not '%s'", arg);
    }
    return s;
}

static uint64_t memory(struct argp_state *state, const char *arg)
{
    uint64_t n = 0;

    if (!sweep_bytes(arg, &n)) {
        argp_error(state, "--memory takes a size such as '512 MiB', not '%s'", arg);
    }
    return n;
}

static void only(struct argp_state *state, struct range *r, const char *arg)
{
    struct smw_err e = {0};

    if (!range_parse(r, arg, &e)) {
        argp_error(state, "%s", e.message);
    }
}

static void check_on(const struct options *o, struct argp_state *state)
{
    const struct sweep_run_options *r = &o->run;

    if (r->word == NULL) {
        argp_error(state, "which sweep? A file, or a shipped one such as 'partition'");
    } else if (r->answer != NULL && r->only.n > 0) {
        argp_error(state, "--only merges nothing: 'smwave sweep merge --json' or "
                          "'smwave sweep status --json' answers then");
    } else if (o->on == NULL && o->address != NULL) {
        argp_error(state, "'%s' is the address of what? --on dask says it", o->address);
    } else if (o->on != NULL && o->address == NULL) {
        argp_error(state, "--on dask needs the scheduler's address, tcp://HOST:8786");
    } else if (o->on != NULL && (r->only.n > 0 || r->failed || r->pool.in_process ||
                                 r->seconds > 0 || r->memory > 0)) {
        argp_error(state,
                   "--on dask runs all points as the sweep file says: no --only, "
                   "--failed, --in-process, --seconds or --memory with it");
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *all = state->input;
    struct sweep_run_options *o = &all->run;

    switch (key) {
    case OPT_ON:
        if (strcmp(arg, "dask") != 0) {
            argp_error(state, "--on takes 'dask', not '%s'", arg);
        }
        all->on = arg;
        return 0;
    case 'o': o->out = arg; return 0;
    case 'j': o->pool.workers = jobs(state, arg); return 0;
    case OPT_RESUME: return 0;
    case OPT_FAILED: o->failed = true; return 0;
    case OPT_ONLY: only(state, &o->only, arg); return 0;
    case OPT_IN_PROCESS: o->pool.in_process = true; return 0;
    case OPT_SECONDS: o->seconds = seconds(state, arg); return 0;
    case OPT_MEMORY: o->memory = memory(state, arg); return 0;
    case OPT_FORCE: o->force = true; return 0;
    case OPT_YES: o->yes = true; return 0;
    case OPT_JSON: o->answer = sweep_answer; return 0;
    case ARGP_KEY_ARG:
        if (strstr(arg, "://") != NULL && all->address == NULL) {
            all->address = arg;
            return 0;
        }
        if (o->word != NULL) {
            argp_error(state, "one sweep at a time: '%s' is a second one", arg);
        }
        o->word = arg;
        return 0;
    case ARGP_KEY_END: check_on(all, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp sweep_run_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP [ADDRESS]",
    .doc = "Run the points of a sweep, each in a process of its own, and collect their "
           "results: results.csv, results.sqlite, the plots that the sweep names, and "
           "report.html.\vThe same command again goes on where it stopped. Ctrl-C once "
           "lets the points that run finish, as SIGTERM and SIGUSR1 do; twice stops "
           "them.\n\nExit code 8: all was run and some points failed; 'smwave sweep "
           "status' says which and why.",
};

static uint32_t workers_of_host(void)
{
    const uint32_t n = processors();

    return n > POOL_MAX_WORKERS ? POOL_MAX_WORKERS : n;
}

/* All chunks by the workers; what is left to do here is to merge. */
static bool run_on_dask(const struct options *o, struct smw_err *e)
{
    const struct jobs_options opt = {.what = o->run.word,
                                     .out = o->run.out,
                                     .chunk = CHUNK,
                                     .force = o->run.force,
                                     .yes = o->run.yes};
    uint32_t workers = o->run.pool.workers == 0 ? 1 : o->run.pool.workers;
    struct jobs j;
    bool ok = jobs_open(&j, &opt, e) && dask_run(&j, o->address, workers, e);

    jobs_close(&j);
    return ok;
}

int cmd_sweep_run(int argc, char **argv)
{
    struct options all = {.run = {.publish = draw_all}};
    struct sweep_run_options *o = &all.run;
    struct smw_err e = {0};
    int code;

    o->quiet = cli_parse(&sweep_run_argp, argc, argv, &all).quiet;
    if (all.on != NULL && !run_on_dask(&all, &e)) {
        return (int)diag_error(&e);
    }
    o->pool.progress = !o->quiet && isatty(STDERR_FILENO) != 0;
    if (o->pool.workers == 0) {
        o->pool.workers = workers_of_host();
    }
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of it */
    code = sweep_run(o, &e);
    if (e.kind != SMW_ERR_NONE) {
        diag_error(&e);
    }
    return code;
}
