#include "cmd/exec_options.h"

#include "cmd/commands.h"
#include "io/cli.h"
#include "io/num.h"
#include "report/explain.h"
#include <string.h>

enum {
    OPT_FORCE = 256,
    OPT_CHECK,
    OPT_MAX_CYCLES,
    OPT_LAUNCHES,
    OPT_RECORD,
    OPT_EXPLAIN,
    OPT_PROFILE,
    OPT_STATS,
    OPT_JSON,
    OPT_THREADS
};

static const struct argp_option option_table[] = {
    {"config", 'c', "DEVICE", 0,
     "the device: a preset or a configuration file; several with commas between are "
     "the "
     "program's devices 0, 1 ... (default: " RT_DEFAULT_DEVICE ")",
     1},
    {"set", 's', "KEY=VALUE", 0,
     "change one configuration key of all devices; may be repeated", 1},
    {"launches", OPT_LAUNCHES, "LIST", 0,
     "time these launches only, 3,7-9,20-, counted from 1; the others compute the "
     "same, "
     "in no modelled time",
     1},
    {"output", 'o', "DIR", 0, "write into DIR (default: smwave-out/NAME)", 2},
    {"force", OPT_FORCE, NULL, 0, "write into a directory smwave did not write", 2},
    {"stats", OPT_STATS, "FILE", 0,
     "counters of the first device into FILE.json, FILE.csv or FILE.txt as well; may "
     "be "
     "repeated",
     2},
    {"json", OPT_JSON, NULL, 0,
     "print stats.json instead of the summary, on standard error too", 2},
    {"record", OPT_RECORD, "DIR", 0,
     "each timed launch as a launch file with its code and data into DIR: smwave run "
     "DIR/1-KERNEL.yml runs it alone",
     2},
    {"explain", OPT_EXPLAIN, "N", 0,
     "what each memory instruction cost, by line, and the N worst accesses with their "
     "lanes; explain.json has the same",
     2},
    {"profile", OPT_PROFILE, NULL, 0,
     "where the cycles of the SMs went over time: profile.json and explain.json, for "
     "'smwave report'",
     2},
    {"check", OPT_CHECK, "none|fast|full|global", 0,
     "how closely to watch kernels, as 'smwave run' does (default: fast)", 3},
    {"max-cycles", OPT_MAX_CYCLES, "N", 0,
     "a launch that is running after N cycles of the device times out (0: none does; "
     "default: 1000000000)",
     3},
    {"threads", OPT_THREADS, "N", 0,
     "compute the SMs in N threads at once, 1 to 64; the results are the same. Without "
     "--trace, --explain and --profile, and with --check none or fast (default: 1)",
     3},
    {0},
};

static uint64_t number(struct argp_state *state, const char *name, const char *arg,
                       uint64_t most)
{
    uint64_t v = 0;

    if (num_u64(arg, &v) != NUM_OK || v > most) {
        argp_error(state, "--%s takes a whole number up to %llu, not '%s'", name,
                   (unsigned long long)most, arg);
    }
    return v;
}

static void one_of(struct argp_state *state, const char *name, const char *arg,
                   const char *const *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(arg, words[i]) == 0) {
            return;
        }
    }
    argp_error(state, "--%s: '%s' is not one of its words, see --help", name, arg);
}

static void append(struct argp_state *state, const char **list, uint32_t *n,
                   const char *arg)
{
    if (*n == EXEC_MAX_LIST) {
        argp_error(state, "an option is given more than %d times", EXEC_MAX_LIST);
    }
    list[(*n)++] = arg;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    static const char *const checks[] = {"none", "fast", "full", "global"};
    struct exec_options *o = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->waves;
        state->child_inputs[1] = &o->track;
        return 0;
    case 'c': o->config = arg; return 0;
    case 's': append(state, o->overrides, &o->n_overrides, arg); return 0;
    case 'o': o->outdir = arg; return 0;
    case OPT_FORCE: o->force = true; return 0;
    case OPT_LAUNCHES: o->launches = arg; return 0;
    case OPT_RECORD: o->record = arg; return 0;
    case OPT_CHECK:
        one_of(state, "check", arg, checks, ARRAY_LEN(checks));
        o->check = arg;
        return 0;
    case OPT_MAX_CYCLES:
        (void)number(state, "max-cycles", arg, UINT64_MAX);
        o->max_cycles = arg;
        return 0;
    case OPT_STATS: append(state, o->stats, &o->n_stats, arg); return 0;
    case OPT_JSON: o->json = true; return 0;
    case OPT_THREADS:
        if (number(state, "threads", arg, 64) == 0) {
            argp_error(state, "--threads takes 1 to 64, not '%s'", arg);
        }
        o->threads = arg;
        return 0;
    case OPT_EXPLAIN:
        (void)number(state, "explain", arg, EXPLAIN_MAX_WORST);
        o->said[RT_SAID_EXPLAIN] = arg;
        return 0;
    case OPT_PROFILE: o->said[RT_SAID_PROFILE] = "1"; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp exec_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc =
        "Run a CUDA program on a modelled GPU.\v"
        "The program was made by 'smwave cc', or by nvcc with '-cudart shared'. It "
        "runs as it is: its standard output and its exit code are its own. "
        "Afterwards the summary of its launches is on standard error, and DIR has "
        "what a run writes: stats.json, report.json, config.yml, waveforms; "
        "report.json has the program's exit code, and the one that 'smwave run' would "
        "end with. Waveforms are written if --trace asks for them.",
    .children = options_of_runs,
};

/* The option that the word is, NULL: none. */
static const struct argp_option *option_of(const char *word)
{
    const struct argp_option *o;
    size_t n = strcspn(word + 2, "=");

    for (uint32_t i = 0; (o = cli_options(&exec_argp, i)) != NULL; i++) {
        for (; !cli_is_last(o); o++) {
            if (word[1] == '-' ? o->name != NULL && strncmp(o->name, word + 2, n) == 0
                               : o->key == word[1]) {
                return o;
            }
        }
    }
    return NULL;
}

int exec_first_word(int argc, char *const *argv)
{
    for (int i = 1; i < argc; i++) {
        const struct argp_option *o;

        if (strcmp(argv[i], "--") == 0 || argv[i][0] != '-' || argv[i][1] == '\0') {
            return i;
        }
        o = option_of(argv[i]);
        if (o != NULL && o->arg != NULL &&
            (argv[i][1] == '-' ? strchr(argv[i], '=') == NULL : argv[i][2] == '\0')) {
            i++; /* what it takes */
        }
    }
    return argc;
}

void exec_options_parse(struct exec_options *o, int argc, char **argv)
{
    int first = exec_first_word(argc, argv);

    o->quiet = cli_parse(&exec_argp, first < argc ? first : argc, argv, o).quiet;
    if (track_is_asked(&o->track.plan)) {
        (void)track_plan_text(&o->track.plan, o->track_text, sizeof(o->track_text));
        o->said[RT_SAID_TRACK] = o->track_text;
    }
    o->max_cycles = o->max_cycles == NULL ? EXEC_MAX_CYCLES : o->max_cycles;
    if (first < argc && strcmp(argv[first], "--") == 0) {
        o->divided = true;
        first++;
    }
    o->program = argv + (first < argc ? first : argc);
}

const char *exec_misplaced(const struct exec_options *o)
{
    if (o->divided || o->program[0] == NULL) {
        return NULL;
    }
    for (char *const *word = o->program + 1; *word != NULL && strcmp(*word, "--") != 0;
         word++) {
        const size_t n = strcspn(*word, "=");
        const struct argp_option *known;

        if (n < 3 || strncmp(*word, "--", 2) != 0) {
            continue;
        }
        known = option_of(*word);
        if (known != NULL && strlen(known->name) == n - 2) {
            return *word;
        }
    }
    return NULL;
}
