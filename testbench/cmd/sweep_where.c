#include "cmd/sweep_where.h"

error_t sweep_where_parse(int key, char *arg, struct argp_state *state)
{
    struct sweep_where *w = state->input;

    switch (key) {
    case 'o': w->out = arg; return 0;
    case 'j': w->json = true; return 0;
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
