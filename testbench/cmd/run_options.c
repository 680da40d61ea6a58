#include "cmd/run_options.h"

#include "cmd/commands.h"
#include "cmd/track_options.h"
#include "io/cli.h"
#include "io/file.h"
#include "io/num.h"
#include "report/explain.h"
#include "run/target.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPT_FORCE = 256,
    OPT_LAUNCH,
    OPT_LOG_DEGREE,
    OPT_LOG_WAIT,
    OPT_STATS,
    OPT_CHECK,
    OPT_EXPLAIN,
    OPT_GAINS,
    OPT_PROFILE,
    OPT_STRICT,
    OPT_SHUFFLE,
    OPT_MAX_CYCLES,
    OPT_THREADS,
    OPT_JSON,
    OPT_TIMING,
    OPT_REPORT,
    OPT_DLCM,
    OPT_FUNCTIONAL
};

static const struct argp_option option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0,
     "the device: a preset or a configuration file", 1},
    {"set", 's', "KEY=VALUE", 0, "change one configuration key; may be repeated", 1},
    {"launch", OPT_LAUNCH, "PATH=VALUE", 0,
     "change the launch file: PATH joins names and positions from 0, as in "
     "launches.0.block=[128], buffers.d.count=4096, launches.*.args.1=0.5; kernel=NAME "
     "of all launches, kernel.0=NAME of one; may be repeated",
     1},
    {"dlcm", OPT_DLCM, "ca|cg", 0,
     "cache global loads in L1 or not, as the assembler's -dlcm: sm.l1.global", 1},
    {"functional", OPT_FUNCTIONAL, NULL, 0,
     "the results of all launches alone, at least ten times as fast: in no modelled "
     "time, "
     "without waveforms, counters of blocks and instructions only; launches.*."
     "functional=true of the launch file",
     1},
    {"output", 'o', "DIR", 0, "write into DIR (default: smwave-out/NAME)", 2},
    {"force", OPT_FORCE, NULL, 0, "write into a directory smwave did not write", 2},
    {"stats", OPT_STATS, "FILE", 0,
     "counters into FILE.json, FILE.csv or FILE.txt as well; may be repeated", 2},
    {"json", OPT_JSON, NULL, 0, "print stats.json instead of the summary", 2},
    {"report", OPT_REPORT, "FILE.sarif", 0,
     "faults and what the checks found into FILE as SARIF 2.1.0, for editors and "
     "continuous integration; report.json has the same",
     2},
    {"timing", OPT_TIMING, "FILE", 0, "wall-clock figures into FILE, as JSON", 2},
    {"explain", OPT_EXPLAIN, "N", 0,
     "what each memory instruction cost, and the N worst accesses with their lanes; "
     "explain.json has the same",
     2},
    {"gains", OPT_GAINS, "N", 0,
     "up to N further runs tell what the heaviest advice of --explain or --profile "
     "would "
     "gain (default: 4 with --explain, else 0); 'smwave stats rules' lists what is "
     "looked at",
     2},
    {"profile", OPT_PROFILE, NULL, 0,
     "where the cycles of the SMs went over time, what each bank did and what each "
     "memory instruction cost: profile.json and explain.json, for 'smwave report'",
     2},
    {"log-degree", OPT_LOG_DEGREE, "N", 0,
     "conflicts of a lower degree are left out of events.log", 2},
    {"log-wait", OPT_LOG_WAIT, "CYCLES", 0,
     "events.log also names the waits of warps for memory that took that long", 4},
    {"check", OPT_CHECK, "none|fast|full|global", 0,
     "how closely to watch the kernel: bounds, alignment and hangs are always found; "
     "fast also finds barriers that only some threads come to and accesses past the "
     "end "
     "of one shared array into another; full also races in shared memory (between "
     "warps, and of two writes, "
     "an error, else a warning), reads of shared, local and global memory "
     "that nobody wrote (warnings) and accesses a little past the end of a buffer; "
     "global "
     "also races in global memory, inside blocks and between them (default: fast)",
     3},
    {"check-strict", OPT_STRICT, NULL, 0,
     "warnings of the checks fail the run as errors do", 3},
    {"max-cycles", OPT_MAX_CYCLES, "N", 0,
     "stop after N cycles of the SM clock (0: never; default: 1000000000)", 3},
    {"threads", OPT_THREADS, "N|auto", 0,
     "compute the SMs in N threads at once; the results are the same. Only with "
     "--trace "
     "none, without --explain and --profile, and with --check none or fast. auto (the "
     "default): 2 where that goes and pays, for grids of some size on two processors",
     3},
    {"shuffle", OPT_SHUFFLE, "SEED", 0,
     "run the model's processes in random order (0: do not); no result may change", 3},
    {0},
};

static void append(struct argp_state *state, const char **list, uint32_t *n,
                   const char *arg)
{
    if (*n == RUN_MAX_LIST) {
        argp_error(state, "an option is given more than %d times", RUN_MAX_LIST);
    }
    list[(*n)++] = arg;
}

static uint64_t number(struct argp_state *state, const char *name, const char *arg)
{
    uint64_t v = 0;

    if (num_u64(arg, &v) != NUM_OK) {
        argp_error(state, "--%s takes a whole number below 2^64, not '%s'", name, arg);
    }
    return v;
}

static uint32_t threads(struct argp_state *state, const char *arg)
{
    uint64_t n = 0;

    if (strcmp(arg, "auto") == 0) {
        return 0;
    }
    if (num_u64(arg, &n) != NUM_OK || n < 1 || n > RUN_MAX_THREADS) {
        argp_error(state, "--threads takes 1 to %d or auto, not '%s'", RUN_MAX_THREADS,
                   arg);
    }
    return (uint32_t)n;
}

static uint32_t worst(struct argp_state *state, const char *arg)
{
    uint64_t n = number(state, "explain", arg);

    if (n > EXPLAIN_MAX_WORST) {
        argp_error(state, "--explain takes at most %d, not '%s'", EXPLAIN_MAX_WORST,
                   arg);
    }
    return (uint32_t)n;
}

static uint32_t gains(struct argp_state *state, const char *arg)
{
    uint64_t n = number(state, "gains", arg);

    if (n > RUN_MAX_GAINS) {
        argp_error(state, "--gains takes at most %d, not '%s'", RUN_MAX_GAINS, arg);
    }
    return (uint32_t)n;
}

static enum smw_check check_level(struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"none", "fast", "full", "global"};

    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(arg, names[i]) == 0) {
            return (enum smw_check)i;
        }
    }
    argp_error(state, "--check is none, fast, full or global, not '%s'", arg);
    return SMW_CHECK_FAST;
}

static const char *dlcm(struct argp_state *state, const char *arg)
{
    if (strcmp(arg, "ca") != 0 && strcmp(arg, "cg") != 0) {
        argp_error(state, "--dlcm is ca or cg, not '%s'", arg);
    }
    return arg[1] == 'a' ? "sm.l1.global=true" : "sm.l1.global=false";
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct run_options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->waves;
        state->child_inputs[1] = &o->track;
        return 0;
    case 'c': o->config = arg; return 0;
    case 's': append(state, o->overrides, &o->n_overrides, arg); return 0;
    case OPT_LAUNCH: append(state, o->launches, &o->n_launches, arg); return 0;
    case OPT_DLCM:
        append(state, o->overrides, &o->n_overrides, dlcm(state, arg));
        return 0;
    case OPT_FUNCTIONAL:
        append(state, o->launches, &o->n_launches, "launches.*.functional=true");
        o->functional = true;
        return 0;
    case 'o': o->outdir = arg; return 0;
    case OPT_FORCE: o->force = true; return 0;
    case OPT_LOG_DEGREE: o->log_degree = number(state, "log-degree", arg); return 0;
    case OPT_LOG_WAIT: o->log_wait = number(state, "log-wait", arg); return 0;
    case OPT_STATS: append(state, o->stats, &o->n_stats, arg); return 0;
    case OPT_REPORT: o->report = arg; return 0;
    case OPT_JSON: o->json = true; return 0;
    case OPT_TIMING: o->timing = arg; return 0;
    case OPT_CHECK: o->device.check = check_level(state, arg); return 0;
    case OPT_STRICT: o->strict = true; return 0;
    case OPT_EXPLAIN:
        o->worst = worst(state, arg);
        o->explain = true;
        return 0;
    case OPT_GAINS:
        o->gains = gains(state, arg);
        o->gains_said = true;
        return 0;
    case OPT_MAX_CYCLES:
        o->device.max_cycles = number(state, "max-cycles", arg);
        return 0;
    case OPT_THREADS: o->threads = threads(state, arg); return 0;
    case OPT_SHUFFLE: o->device.shuffle = number(state, "shuffle", arg); return 0;
    case OPT_PROFILE: o->profile = true; return 0;
    case ARGP_KEY_ARG:
        if (o->target != NULL) {
            argp_error(state, "one target at a time: '%s' is a second one", arg);
        }
        o->target = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what shall run? A launch file, or a "
                          "built-in one such as 'reverse'");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static char *add_builtins(int key, const char *text, void *input)
{
    struct text t = {0};

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    text_add(&t, "Built-in targets:");
    for (uint32_t i = 0; i < file_n_builtins; i++) {
        char *name = target_builtin(file_builtins[i].path);

        if (name != NULL) {
            text_add(&t, " %s", name);
        }
        free(name);
    }
    text_add(
        &t,
        ". A file of that name wins.\n\nThe run writes stats.json, config.yml, "
        "report.json and its waveforms into DIR. Ctrl-C once ends it with what "
        "there is so far, twice at once.\n\nA waveform can be watched while the run "
        "goes on, or afterwards without a file:\n\n"
        "  smwave run TARGET -o DIR --trace - | shmidcat | "
        "gtkwave -v -I DIR/run.gtkw\n"
        "  tail -c +1 -f DIR/run.vcd | shmidcat | gtkwave -v -I DIR/run.gtkw\n"
        "  smwave run TARGET -o DIR --trace - | gtkwave -v DIR/run.gtkw\n");
    return t.s;
}

const struct argp run_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "TARGET",
    .doc = "Run the kernels of a launch file on a modelled GPU.\v",
    .children = options_of_runs,
    .help_filter = add_builtins,
};

void run_options_parse(struct run_options *o, int argc, char **argv)
{
    o->quiet = cli_parse(&run_argp, argc, argv, o).quiet;
    if (!o->gains_said) {
        o->gains = o->explain ? RUN_GAINS : 0;
    }
    if (o->functional && o->waves.trace == NULL) {
        o->waves.trace = "none"; /* there is nothing to see */
    }
}
