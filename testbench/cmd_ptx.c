/* cmd_ptx.c - "smwave ptx": what the PTX front end accepts and makes of a file. */
#include "cli.h"

#include "config.h"
#include "smwave.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 64 };

struct options {
    const char *word[MAX_WORDS];
    uint32_t n;
    const char *config;
};

static const struct argp_option option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0, "the device to load for (disasm)", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'c': o->config = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->n == MAX_WORDS) {
            argp_error(state, "at most %d files", MAX_WORDS - 1);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "check, list or disasm?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp ptx_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "check FILE.ptx...\nlist\ndisasm FILE.ptx",
    .doc =
        "Check PTX files, list the instructions modelled, or show the micro-operations "
        "a file becomes.",
};

static void print_line(void *ctx, const char *text)
{
    (void)ctx;
    puts(text);
}

static char *read_ptx(const char *path, size_t *size, struct err *e)
{
    return file_read(path, UINT64_C(256) << 20, size, ERR_INPUT, e);
}

static int check(const struct options *o)
{
    int code = TB_OK;

    for (uint32_t i = 1; i < o->n; i++) {
        struct err e = {0};
        size_t size = 0;
        char *text = read_ptx(o->word[i], &size, &e);

        if (text != NULL && smw_ptx_check(text, size, o->word[i], &e)) {
            printf("%s: ok\n", o->word[i]);
        } else {
            code = (int)diag_error(&e);
        }
        free(text);
    }
    return code;
}

static bool load_and_print(const struct options *o, struct smw_config *c,
                           struct smw_device **d, struct err *e)
{
    struct smw_module *m;
    size_t size = 0;
    char *text;

    if (o->config != NULL && !config_load(c, o->config, NULL, e)) {
        return false;
    }
    text = read_ptx(o->word[1], &size, e);
    if (text == NULL) {
        return false;
    }
    *d = smw_open(c, NULL, e);
    m = *d == NULL ? NULL : smw_load(*d, text, size, o->word[1], e);
    free(text);
    if (m != NULL) {
        smw_disasm(m, print_line, NULL);
    }
    return m != NULL;
}

static int disasm(const struct options *o)
{
    struct smw_config *c = smw_config_new();
    struct smw_device *d = NULL;
    struct err e = {0};
    bool ok = load_and_print(o, c, &d, &e);

    if (d != NULL) {
        smw_close(d);
    }
    smw_config_free(c);
    return ok ? TB_OK : (int)diag_error(&e);
}

int cmd_ptx(int argc, char **argv)
{
    static const char *const commands[] = {"check", "list", "disasm"};
    struct options o = {{NULL}, 0, NULL};
    int i;

    cli_parse(&ptx_argp, argc, argv, &o);
    i = cli_choose("ptx", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (i == 1) {
        if (o.n > 1) {
            return diag_usage("ptx", "list takes no file");
        }
        smw_ptx_list(print_line, NULL);
        return TB_OK;
    }
    if (o.n < 2 || (i == 2 && o.n > 2)) {
        return diag_usage("ptx", i == 0 ? "check takes the files to check"
                                        : "disasm takes one file");
    }
    return i == 0 ? check(&o) : disasm(&o);
}
