#include "run/ptx_files.h"

#include "io/file.h"
#include "run/config.h"
#include <stdlib.h>

const struct argp_option ptx_option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0, "the device to load PTX for", 0},
    {0},
};

error_t ptx_parse_option(int key, char *arg, struct argp_state *state)
{
    struct ptx_options *o = state->input;

    switch (key) {
    case 'c': o->config = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->n == PTX_MAX_WORDS) {
            argp_error(state, "at most %d words", PTX_MAX_WORDS);
        }
        o->word[o->n++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

char *ptx_read(const char *path, size_t *size, struct smw_err *e)
{
    return file_read(path, UINT64_C(256) << 20, size, SMW_ERR_INPUT, e);
}

bool ptx_load(struct ptx_loaded *l, const char *path, const char *config,
              struct smw_err *e)
{
    size_t size = 0;
    char *text = NULL;

    *l = (struct ptx_loaded){.config = config_new()};
    if (config_load(l->config, config != NULL ? config : CONFIG_STANDARD, NULL, e)) {
        text = ptx_read(path, &size, e);
        l->device = text != NULL ? smw_open(l->config, NULL, e) : NULL;
    }
    if (l->device != NULL) {
        l->module = smw_load(l->device, text, size, path, e);
    }
    free(text);
    return l->module != NULL;
}

void ptx_unload(struct ptx_loaded *l)
{
    if (l->device != NULL) {
        smw_close(l->device);
    }
    smw_config_free(l->config);
}
