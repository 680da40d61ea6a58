/* cmd_ptx.c - "smwave ptx": what the PTX front end accepts and makes of a file. */
#include "cmd/commands.h"
#include "io/cli.h"

#include "run/ptx_files.h"
#include <stdlib.h>
#include <string.h>

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS) {
        argp_error(state, "check, list or disasm?");
        return 0;
    }
    return ptx_parse_option(key, arg, state);
}

const struct argp ptx_argp = {
    .options = ptx_option_table,
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

static void print_error(void *ctx, const struct smw_err *e)
{
    int *code = ctx;

    *code = (int)diag_error(e);
}

static int check(const struct ptx_options *o, bool quiet)
{
    int code = TB_OK;

    for (uint32_t i = 1; i < o->n; i++) {
        struct smw_err e = {0};
        size_t size = 0;
        char *text = ptx_read(o->word[i], &size, &e);

        if (text == NULL) {
            print_error(&code, &e);
        } else if (smw_ptx_check(text, size, o->word[i], print_error, &code) &&
                   !quiet) {
            printf("%s: ok\n", o->word[i]);
        }
        free(text);
    }
    return code;
}

static int disasm(const struct ptx_options *o)
{
    struct ptx_loaded l;
    struct smw_err e = {0};
    bool ok = ptx_load(&l, o->word[1], o->config, &e);

    if (ok) {
        smw_disasm(l.module, print_line, NULL);
    }
    ptx_unload(&l);
    return ok ? TB_OK : (int)diag_error(&e);
}

int cmd_ptx(int argc, char **argv)
{
    static const char *const commands[] = {"check", "list", "disasm"};
    struct ptx_options o = {{NULL}, 0, NULL};
    struct cli_common said;
    int i;

    said = cli_parse(&ptx_argp, argc, argv, &o);
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
    return i == 0 ? check(&o, said.quiet) : disasm(&o);
}
