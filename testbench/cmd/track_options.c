#include "cmd/track_options.h"

#include "cmd/trace_options.h"
#include "io/num.h"
#include <inttypes.h>
#include <string.h>

enum {
    OPT_BLOCKS = 0x300,
    OPT_PIPELINE,
    OPT_TIMELINE,
    OPT_RECORD_FROM,
    OPT_RECORD_MAX
};

static const struct argp_option option_table[] = {
    {"blocks", OPT_BLOCKS, NULL, 0,
     "a row for each block into blocks.csv: its SM, begin and end, what its warps did "
     "in how many cycles, wavefronts and sectors",
     2},
    {"pipeline", OPT_PIPELINE, "konata|konata:block", 0,
     "each warp instruction with its stages, from the cycle in which its warp comes to "
     "it to that of its result, into pipeline.kanata for the viewer Konata; a thread "
     "of "
     "it is a warp, or a block",
     2},
    {"timeline", OPT_TIMELINE, "perfetto", 0,
     "SMs, their warps and units, launches, barriers, waits and counters over time "
     "into "
     "timeline.json, for ui.perfetto.dev and chrome://tracing",
     2},
    {"record-from", OPT_RECORD_FROM, "CYCLE", 0,
     "pipeline and timeline begin at that cycle of the SM clock (default: 0)", 2},
    {"record-max", OPT_RECORD_MAX, "N", 0,
     "they hold at most N warp instructions (default: 100000), and it is said where "
     "they end",
     2},
    {0},
};

static uint64_t cycle_or_count(struct argp_state *state, const char *name,
                               const char *arg)
{
    uint64_t v = 0;

    if (num_u64(arg, &v) != NUM_OK) {
        argp_error(state, "--%s takes a whole number below 2^64, not '%s'", name, arg);
    }
    return v;
}

static void pipeline(struct argp_state *state, const char *arg)
{
    struct track_options *o = state->input;

    if (strcmp(arg, "konata") != 0 && strcmp(arg, "konata:block") != 0) {
        argp_error(state, "--pipeline is konata or konata:block, not '%s'", arg);
    }
    o->plan.pipeline = true;
    o->plan.lane = arg[strlen("konata")] == ':' ? TRACK_BY_BLOCK : TRACK_BY_WARP;
}

static uint64_t track_max(struct argp_state *state, const char *arg)
{
    uint64_t n = cycle_or_count(state, "record-max", arg);

    if (n < 1 || n > TRACK_MOST_INSTS) {
        argp_error(state, "--record-max takes 1 to %" PRIu64 ", not '%s'",
                   TRACK_MOST_INSTS, arg);
    }
    return n;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct track_options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT: o->plan.max = TRACK_MAX_INSTS; break;
    case OPT_BLOCKS: o->plan.blocks = true; break;
    case OPT_PIPELINE: pipeline(state, arg); break;
    case OPT_TIMELINE:
        if (strcmp(arg, "perfetto") != 0) {
            argp_error(state, "--timeline is perfetto, not '%s'", arg);
        }
        o->plan.timeline = true;
        break;
    case OPT_RECORD_FROM:
        o->plan.from = cycle_or_count(state, "record-from", arg);
        o->record_said = "--record-from";
        break;
    case OPT_RECORD_MAX:
        o->plan.max = track_max(state, arg);
        o->record_said = "--record-max";
        break;
    case ARGP_KEY_END:
        if (o->record_said != NULL && !o->plan.pipeline && !o->plan.timeline) {
            argp_error(state, "%s goes with --pipeline or --timeline", o->record_said);
        }
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp track_argp = {.options = option_table, .parser = parse_option};

const struct argp_child options_of_runs[] = {{&trace_argp, 0, NULL, 0},
                                             {&track_argp, 0, NULL, 0},
                                             {0}};
