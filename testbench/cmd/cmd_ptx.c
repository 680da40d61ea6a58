/* cmd_ptx.c - "smwave ptx": what the PTX front end accepts and makes of a file. */
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "io/cli.h"

#include "run/ptx_files.h"
#include <stdlib.h>
#include <string.h>

struct ptx_words {
    struct ptx_options shared;
    const char *kernel; /* NULL: all */
    bool json;
};

static const struct argp_option option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0, "the device to load PTX for", 0},
    {"kernel", 'k', "NAME", 0, "schedule: this kernel and what it calls", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct ptx_words *w = state->input;

    if (key == ARGP_KEY_NO_ARGS) {
        argp_error(state, "check, list, disasm or schedule?");
        return 0;
    }
    if (key == 'j') {
        w->json = true;
        return 0;
    }
    if (key == 'k') {
        w->kernel = arg;
        return 0;
    }
    return ptx_parse_option(key, arg, state);
}

const struct argp ptx_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc =
        "check FILE.ptx...\nlist [FILE.ptx]\ndisasm FILE.ptx\nschedule FILE.ptx",
    .doc =
        "Check PTX files, list the instructions modelled or the kernels of a file, "
        "show "
        "the micro-operations a file becomes, or show what a device runs beside what "
        "the file has."
        "\vschedule: on the left the instructions as they are written, each behind the "
        "number of its line, on the right those that run, in their order; ^ marks one "
        "that runs before another that is written before it. ptx.schedule=as_written "
        "in the device's file (-c) runs them as they are written.",
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

/* Where the errors of one file go. */
struct errors {
    json_t *list; /* NULL: printed */
    int code;
};

static void take_error(void *ctx, const struct smw_err *e)
{
    struct errors *errors = ctx;

    if (errors->list == NULL) {
        print_error(&errors->code, e);
        return;
    }
    errors->code = TB_INPUT;
    json_array_append_new(errors->list, answer_error(e));
}

/* answer NULL: for people. False: the file could not be read. */
static bool check_file(const char *file, bool quiet, json_t *answer, int *code)
{
    struct errors errors = {.list = answer != NULL ? json_array() : NULL};
    struct smw_err e = {0};
    size_t size = 0;
    char *text = ptx_read(file, &size, &e);
    bool ok = false;

    if (text == NULL) {
        print_error(code, &e);
        json_decref(errors.list);
        return false;
    }
    ok = smw_ptx_check(text, size, file, take_error, &errors);
    if (answer != NULL) {
        json_array_append_new(answer, json_pack("{s:s, s:b, s:o}", "file", file, "ok",
                                                (int)ok, "errors", errors.list));
    } else if (ok && !quiet) {
        printf("%s: ok\n", file);
    }
    *code = errors.code != TB_OK ? errors.code : *code;
    free(text);
    return true;
}

static int check(const struct ptx_options *o, bool quiet, bool json)
{
    json_t *answer = json ? json_array() : NULL;
    bool readable = true;
    int code = TB_OK;

    for (uint32_t i = 1; i < o->n; i++) {
        readable = check_file(o->word[i], quiet, answer, &code) && readable;
    }
    if (json && readable) {
        answer_print(answer);
    } else {
        json_decref(answer);
    }
    return code;
}

static void add_line(void *ctx, const char *text)
{
    json_array_append_new(ctx, json_string(text));
}

/* What there is to know of a file, or of the front end. */
static int answer(const struct ptx_words *w, bool kernels)
{
    struct ptx_loaded l;
    struct smw_err e = {0};
    json_t *forms;
    bool ok;

    if (w->shared.n == 1) {
        forms = json_array();
        smw_ptx_list(add_line, forms);
        answer_print(forms);
        return TB_OK;
    }
    ok = ptx_load(&l, w->shared.word[1], w->shared.config, &e) &&
         (w->kernel == NULL || smw_kernel(l.module, w->kernel, &e) != NULL);
    if (ok) {
        answer_print(kernels ? answer_kernels(l.module)
                             : answer_insts(l.module, w->kernel));
    }
    ptx_unload(&l);
    return ok ? TB_OK : (int)diag_error(&e);
}

static int list(const struct ptx_options *o)
{
    struct smw_err e = {0};
    size_t size = 0;
    char *text;
    bool ok;

    if (o->n == 1) {
        smw_ptx_list(print_line, NULL);
        return TB_OK;
    }
    text = ptx_read(o->word[1], &size, &e);
    ok = text != NULL && smw_ptx_kernels(text, size, o->word[1], print_line, NULL, &e);
    free(text);
    return ok ? TB_OK : (int)diag_error(&e);
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

static int schedule(const struct ptx_words *w)
{
    struct ptx_loaded l;
    struct smw_err e = {0};
    bool ok = ptx_load(&l, w->shared.word[1], w->shared.config, &e) &&
              smw_show_order(l.module, w->kernel, print_line, NULL, &e);

    ptx_unload(&l);
    return ok ? TB_OK : (int)diag_error(&e);
}

int cmd_ptx(int argc, char **argv)
{
    enum { CHECK, LIST, DISASM, SCHEDULE };
    static const char *const commands[] = {"check", "list", "disasm", "schedule"};
    static const char *const wants[] = {
        [CHECK] = "check takes the files to check",
        [LIST] = "list takes one file, or none",
        [DISASM] = "disasm takes one file",
        [SCHEDULE] = "schedule takes one file",
    };
    struct ptx_words w = {.kernel = NULL};
    struct cli_common said;
    int i;

    said = cli_parse(&ptx_argp, argc, argv, &w);
    i = cli_choose("ptx", "command", w.shared.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (i == LIST ? w.shared.n > 2 : w.shared.n < 2 || (i != CHECK && w.shared.n > 2)) {
        return diag_usage("ptx", "%s", wants[i]);
    }
    if (w.kernel != NULL && i != SCHEDULE) {
        return diag_usage("ptx", "--kernel is of schedule");
    }
    if (w.json && i != CHECK) {
        return answer(&w, i == LIST);
    }
    if (i == LIST) {
        return list(&w.shared);
    }
    return i == CHECK    ? check(&w.shared, said.quiet, w.json)
           : i == DISASM ? disasm(&w.shared)
                         : schedule(&w);
}
