/* cmd_why.c - "smwave why": the chain of waits that made a launch as long as it is. */
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "cmd/run_options.h"
#include "cmd/run_show.h"
#include "cmd/why_marks.h"
#include "cmd/why_text.h"
#include "io/cli.h"

#include "io/num.h"
#include "run/loop.h"
#include "run/run.h"
#include "track/why.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SETS = 256, PARTS = 24, MOST_PARTS = 1000000 };

enum { OPT_CYCLE = 256, OPT_LAUNCH, OPT_PARTS, OPT_MAX, OPT_MARK };

struct options {
    const char *target, *config, *sets[MAX_SETS];
    const char *mark; /* the folder of a run; NULL: none */
    uint32_t n_sets;
    struct why_ask ask;
    uint64_t max;
    bool json;
};

static const struct argp_option option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0,
     "the device: a preset or a configuration file", 1},
    {"set", 's', "KEY=VALUE", 0, "change one configuration key; may be repeated", 1},
    {"launch", OPT_LAUNCH, "N", 0,
     "of launch N, counted from 0 (default: the longest, or the one that runs in the "
     "cycle)",
     2},
    {"cycle", OPT_CYCLE, "CYCLE", 0,
     "what led to the instruction that issued last up to that cycle of the SM clock "
     "(default: to the end of the launch)",
     2},
    {"record-max", OPT_MAX, "N", 0,
     "the record holds at most N warp instructions (default: 4000000)", 2},
    {"mark", OPT_MARK, "DIR", 0,
     "DIR has a run of TARGET, on DIR/config.yml without -c: write DIR/run.why.gtkw, "
     "its "
     "waveform with the longest parts of the chain as markers",
     3},
    {"parts", OPT_PARTS, "N", 0,
     "list N parts of the chain, from its begin and its end (default: 24)", 3},
    {"json", 'j', NULL, 0, "print JSON", 3},
    {0},
};

static uint64_t number(struct argp_state *state, const char *name, const char *arg,
                       uint64_t least, uint64_t most)
{
    uint64_t v = 0;

    if (num_u64(arg, &v) != NUM_OK || v < least || v > most) {
        argp_error(state,
                   "--%s takes a whole number from %" PRIu64 " to %" PRIu64
                   ", not '%s'",
                   name, least, most, arg);
    }
    return v;
}

static void add_set(struct argp_state *state, struct options *o, const char *arg)
{
    if (o->n_sets == MAX_SETS) {
        argp_error(state, "an option is given more than %d times", MAX_SETS);
    }
    o->sets[o->n_sets++] = arg;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'c': o->config = arg; return 0;
    case 's': add_set(state, o, arg); return 0;
    case 'j': o->json = true; return 0;
    case OPT_MARK: o->mark = arg; return 0;
    case OPT_LAUNCH:
        o->ask.launch =
            (uint32_t)number(state, "launch", arg, 0, WHY_LONGEST - UINT64_C(1));
        return 0;
    case OPT_CYCLE:
        o->ask.cycle = number(state, "cycle", arg, 0, WHY_NEVER - 1);
        return 0;
    case OPT_PARTS:
        o->ask.parts = (uint32_t)number(state, "parts", arg, 0, MOST_PARTS);
        return 0;
    case OPT_MAX:
        o->max = number(state, "record-max", arg, 1, TRACK_MOST_INSTS);
        return 0;
    case ARGP_KEY_ARG:
        if (o->target != NULL) {
            argp_error(state, "one target at a time: '%s' is a second one", arg);
        }
        o->target = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "of which kernel? A launch file, a built-in one such as "
                          "'reverse', or the folder of a run");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp why_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "TARGET|DIR",
    .doc =
        "Run TARGET and tell what made a launch of it as long as it is: the chain of "
        "waits that ends with the launch.\v"
        "Of each instruction of the chain the part says what it waited for last: a "
        "result, a barrier and its last arrival, its scheduler, a pipe, an answer of "
        "memory and where on its way the time went. The parts follow one another "
        "without a gap: they add up to the cycles of the launch. Making one cause "
        "cheaper gains what the chain has of it at most, and less where another chain "
        "is nearly as long. Of a folder DIR in which a built-in target was run with a "
        "waveform, that target is run again on the folder's device, as with --mark "
        "DIR. "
        "Nothing else is written.\n\n"
        "  smwave why reduction-small\n"
        "  smwave why smwave-out/reverse\n"
        "  smwave why reverse --cycle 938\n"};

/* ---- the run ---- */

struct job {
    const struct options *o;
    struct run run;
    struct track *track;
    struct loop_result end;
    char *target, *config; /* of a folder; NULL: as asked */
    const char *mark;
};

/* What to run, where to mark, on which device. */
static bool find_target(struct job *j, struct smw_err *e)
{
    const char *target = j->o->target;
    struct stat s;

    j->mark = j->o->mark;
    if (file_ends(target, ".cu")) {
        err_set(e, SMW_ERR_INPUT, "%s: a program has many launches; one is looked at",
                target);
        err_hint(e, "smwave exec --record DIR -- PROGRAM writes a launch file of each "
                    "into DIR");
        return false;
    }
    if (stat(target, &s) == 0 && S_ISDIR(s.st_mode)) {
        j->target = why_target_of(target, e);
        j->mark = j->mark == NULL ? target : j->mark;
        if (j->target == NULL) {
            return false;
        }
    }
    if (j->mark != NULL && j->o->config == NULL) {
        j->config = file_join(j->mark, "config.yml");
    }
    return true;
}

/* A folder tells the name of what was run, not where its launch file lies. */
static bool read_target(struct job *j, const struct run_request *q, struct smw_err *e)
{
    if (run_read(&j->run, q, e)) {
        return true;
    }
    if (j->target != NULL && e->kind == SMW_ERR_INPUT) {
        err_hint(e, "smwave why LAUNCHFILE --mark %s", j->o->target);
    }
    return false;
}

static bool run_recorded(struct job *j, struct smw_err *e)
{
    const struct options *o = j->o;
    struct run_request q = {.target = o->target,
                            .config = o->config,
                            .sets = o->sets,
                            .n_sets = o->n_sets};
    const struct smw_options device = {.check = SMW_CHECK_FAST,
                                       .patient = true,
                                       .in_step = true,
                                       .max_cycles = RUN_MAX_CYCLES};
    const struct track_plan plan = {.why = true, .max = o->max};

    if (!find_target(j, e)) {
        return false;
    }
    q.target = j->target != NULL ? j->target : q.target;
    q.config = j->config != NULL ? j->config : q.config;
    if (!read_target(j, &q, e) || !run_open(&j->run, &device, e)) {
        return false;
    }
    j->track = track_open(j->run.host.device, j->run.config, &plan, e);
    if (j->track == NULL) {
        return false;
    }
    loop_hold();
    j->end = loop_run(j->run.host.device, &(struct loop_options){0});
    loop_release();
    return run_conclude(&j->run, j->end.status, e);
}

/* All parts of the chain, the longest of them into the waveform. */
static bool mark(struct job *j, struct smw_err *e)
{
    struct why_ask all = j->o->ask;
    json_t *why;
    bool ok;

    if (j->mark == NULL) {
        return true;
    }
    all.parts = MOST_PARTS;
    why = why_chain(j->track, &all, e);
    ok = why != NULL && why_mark(j->mark, why, smw_sm_hz(j->run.host.device), e);
    json_decref(why);
    if (ok && !j->o->json) {
        printf("markers in %s/run.why.gtkw\n", j->mark);
    }
    return ok;
}

static void print(const struct options *o, json_t *why)
{
    struct text t = {0};

    if (o->json) {
        answer_print(why);
        return;
    }
    why_text(why, &t);
    fputs(t.s, stdout);
    text_free(&t);
    json_decref(why);
}

/* A run that did not end well is told of as by "run": the chain of a launch that came
 * to its end is printed all the same. */
static int answer(struct job *j, struct smw_err *e)
{
    json_t *why = why_chain(j->track, &j->o->ask, e);

    run_show_fault(&j->run);
    if (why == NULL) {
        return (int)diag_error(e);
    }
    print(j->o, why);
    if (!mark(j, e)) {
        return (int)diag_error(e);
    }
    run_show_wrong(&j->run, SMW_CHECK_FAST);
    if (j->end.signal != 0) {
        return 128 + j->end.signal;
    }
    return (int)diag_exit(run_verdict(&j->run, false));
}

int cmd_why(int argc, char **argv)
{
    struct options o = {.ask = {.launch = WHY_LONGEST,
                                .cycle = WHY_NEVER,
                                .parts = PARTS},
                        .max = WHY_MAX_INSTS};
    struct job j = {.o = &o};
    struct smw_err e = {0};
    int code;

    cli_parse(&why_argp, argc, argv, &o);
    code = run_recorded(&j, &e) ? answer(&j, &e) : (int)diag_error(&e);
    track_close(j.track);
    run_close(&j.run);
    free(j.target);
    free(j.config);
    return code;
}
