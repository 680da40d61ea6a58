#include "sweep/jobs_options.h"

error_t jobs_parse_option(int key, char *arg, struct jobs_options *o,
                          struct argp_state *state)
{
    switch (key) {
    case 'o': o->out = arg; return 0;
    case JOBS_FORCE: o->force = true; return 0;
    case JOBS_PROGRAM: o->program = arg; return 0;
    case JOBS_YES: o->yes = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what != NULL) {
            argp_error(state, "'%s' is one sweep too many", arg);
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->what == NULL) {
            argp_error(state, "which sweep?");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}
