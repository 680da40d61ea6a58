#include "cmd/sweep_where.h"

#include "io/cli.h"

static const struct argp_option option_table[] = {
    {"output", 'o', "DIR", 0,
     "the folder of the sweep, if SWEEP is a file (default: smwave-out/NAME)", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct sweep_where *w = state->input;

    switch (key) {
    case 'o': w->out = arg; return 0;
    case ARGP_KEY_ARG:
        if (w->word != NULL) {
            argp_error(state, "one sweep at a time: '%s' is a second one", arg);
        }
        w->word = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which sweep? Its file or its folder");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

void sweep_where_parse(struct sweep_where *w, const char *doc, int argc, char **argv)
{
    const struct argp argp = {.options = option_table,
                              .parser = parse_option,
                              .args_doc = "SWEEP|DIR",
                              .doc = doc};

    cli_parse(&argp, argc, argv, w);
}
