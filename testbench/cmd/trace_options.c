#include "cmd/trace_options.h"

#include "io/file.h"
#include <string.h>

enum {
    OPT_TRACE = 512, /* apart from the keys of commands */
    OPT_VIEW,
    OPT_TIMESCALE,
    OPT_TRACE_SCOPE,
    OPT_TRACE_DEPTH,
    OPT_TRACE_START,
    OPT_TRACE_STOP,
    OPT_TRACE_RING,
    OPT_TRACE_ON,
    OPT_TRACE_AFTER
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "Waveforms:", 4},
    {"trace", OPT_TRACE, "LIST", 0,
     "waveforms: vcd, fst, vcd.gz (compressed), none, FILE.vcd, FILE.fst, FILE.vcd.gz, "
     "or, but for a program, - for a VCD on standard output; separated by commas",
     4},
    {"view", OPT_VIEW, "LIST", 0,
     "save files of the waveform for GTKWave, besides the overview: banks, scheduler, "
     "pipeline, coalescer, memory, warp=N or bank=N; may be repeated",
     4},
    {"timescale", OPT_TIMESCALE, "ps|cycle", 0,
     "time in waveforms and events.log: picoseconds (default), or cycles of the SM "
     "clock, which GTKWave calls nanoseconds",
     4},
    {"trace-scope", OPT_TRACE_SCOPE, "PATTERN", 0,
     "only signals whose path, or that of a module above, matches: a shell pattern, "
     "'gpu.sm0.*', or a regular expression, '/bank0[0-3]/'; a list with commas; may "
     "be repeated",
     4},
    {"trace-depth", OPT_TRACE_DEPTH, "N", 0,
     "only N levels of modules below the top (0: all)", 4},
    {"trace-start", OPT_TRACE_START, "POINT", 0,
     "from there on: an SM cycle, block=3, block=(1,0,0), kernel=NAME, kernel=2 (the "
     "second launch), pc=FILE:LINE, pc=KERNEL+0x18, conflict>=8, barrier, race; what "
     "comes before a cycle is mostly not watched",
     4},
    {"trace-stop", OPT_TRACE_STOP, "POINT", 0,
     "up to there; a block or a kernel stops it when it ends", 4},
    {"trace-ring", OPT_TRACE_RING, "CYCLES", 0,
     "keep the last SM cycles in memory (256 MiB at most) and write so many of them "
     "around the point of --trace-on (default: 2000); it records, and costs, all the "
     "time",
     4},
    {"trace-on", OPT_TRACE_ON, "POINT", 0,
     "what writes the ring: any POINT, or deadlock, fault, end (the default)", 4},
    {"trace-after", OPT_TRACE_AFTER, "CYCLES", 0,
     "so many of the cycles of --trace-ring behind the point (default: half; none "
     "behind the end of the run)",
     4},
    {0},
};

static void append_view(struct argp_state *state, const char *arg)
{
    struct trace_options *o = state->input;

    if (o->n_views == TRACE_MAX_LIST) {
        argp_error(state, "--view is given more than %d times", TRACE_MAX_LIST);
    }
    o->views[o->n_views++] = arg;
}

static void append_asked(struct argp_state *state, enum trace_item item,
                         const char *name, const char *arg)
{
    struct trace_options *o = state->input;

    if (o->n_asked == TRACE_MAX_LIST) {
        argp_error(state, "%s is given too often", name);
    }
    o->asked[o->n_asked++] = (struct trace_asked){item, name, arg};
}

static const char *timescale(struct argp_state *state, const char *arg)
{
    if (strcmp(arg, "ps") != 0 && strcmp(arg, "cycle") != 0) {
        argp_error(state, "--timescale is ps or cycle, not '%s'", arg);
    }
    return arg;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    static const struct {
        enum trace_item item;
        const char *name;
    } asks[] = {
        [OPT_TRACE_SCOPE - OPT_TRACE_SCOPE] = {TRACE_SCOPE, "--trace-scope"},
        [OPT_TRACE_DEPTH - OPT_TRACE_SCOPE] = {TRACE_DEPTH, "--trace-depth"},
        [OPT_TRACE_START - OPT_TRACE_SCOPE] = {TRACE_START, "--trace-start"},
        [OPT_TRACE_STOP - OPT_TRACE_SCOPE] = {TRACE_STOP, "--trace-stop"},
        [OPT_TRACE_RING - OPT_TRACE_SCOPE] = {TRACE_RING_CYCLES, "--trace-ring"},
        [OPT_TRACE_ON - OPT_TRACE_SCOPE] = {TRACE_ON, "--trace-on"},
        [OPT_TRACE_AFTER - OPT_TRACE_SCOPE] = {TRACE_AFTER, "--trace-after"},
    };
    struct trace_options *o = state->input;

    switch (key) {
    case OPT_TRACE: o->trace = arg; return 0;
    case OPT_VIEW: append_view(state, arg); return 0;
    case OPT_TIMESCALE: o->timescale = timescale(state, arg); return 0;
    default: break;
    }
    if (key < OPT_TRACE_SCOPE || key > OPT_TRACE_AFTER) {
        return ARGP_ERR_UNKNOWN;
    }
    append_asked(state, asks[key - OPT_TRACE_SCOPE].item,
                 asks[key - OPT_TRACE_SCOPE].name, arg);
    return 0;
}

const struct argp trace_argp = {.options = option_table, .parser = parse_option};
