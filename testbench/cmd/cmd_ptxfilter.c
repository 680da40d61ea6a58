/*
 * cmd_ptxfilter.c - "smwave ptxfilter": a filter process for rows of pcs. A viewer
 * writes a value per line and waits for a line in answer, which goes out at once.
 */
#include "cmd/commands.h"
#include "io/cli.h"

#include "io/file.h"
#include "run/ptx_files.h"
#include "trace/pc_text.h"
#include "view.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VALUE = 64 /* bytes of a value that is answered by itself; the rest is dropped */
};

const struct argp ptxfilter_argp = {
    .options = ptx_option_table,
    .parser = ptx_parse_option,
    .args_doc = "[FILE.ptx|DUMP|RUN.pcs.txt...]",
    .doc =
        "Answer values of pc, a line each, with the instruction there and its source "
        "line: a translate process for GTKWave. What is no pc is passed through, "
        "as all is where there is no table."
        "\vSave files that smwave writes need no process: they translate by "
        "RUN.pcs.txt, "
        "which a run leaves beside its dump. For a dump without it, name the PTX; pcs "
        "depend on the device (-c), which orders instructions. Of several files "
        "the "
        "first that knows a pc answers. Without a file: the table in the current "
        "directory.",
};

/* ---- tables ---- */

static bool of_ptx(struct code *c, const char *path, const char *config,
                   struct smw_err *e)
{
    struct ptx_loaded l;
    bool ok = ptx_load(&l, path, config, e);

    if (ok) {
        code_of_module(c, l.module);
    }
    ptx_unload(&l);
    return ok;
}

static bool is_directory(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool of_file(struct code *c, const char *file, const char *config,
                    struct smw_err *e)
{
    char *run = is_directory(file) ? file_join(file, "run.vcd") : tb_strdup(file);
    size_t n = view_code_path(run, NULL, 0) + 1;
    char *table = tb_alloc(n);
    bool ok;

    if (file_ends(run, ".txt")) {
        snprintf(table, n, "%s", run);
    } else {
        view_code_path(run, table, n);
    }
    ok =
        file_ends(run, ".ptx") ? of_ptx(c, run, config, e) : code_of_table(c, table, e);
    free(table);
    free(run);
    return ok;
}

static int is_table(const struct dirent *entry)
{
    return file_ends(entry->d_name, ".pcs.txt");
}

/* The one table of the current directory. */
static bool of_here(struct code *c, struct smw_err *e)
{
    struct dirent **entry = NULL;
    int n = scandir(".", &entry, is_table, alphasort);
    bool ok;

    if (n == 1) {
        ok = code_of_table(c, entry[0]->d_name, e);
    } else {
        ok = err_set(e, SMW_ERR_INPUT,
                     n > 1 ? "which table? There are %s and %s"
                           : "there is no table of instructions here",
                     n > 1 ? entry[0]->d_name : "", n > 1 ? entry[1]->d_name : "");
        err_hint(e, "name the PTX, the dump or its RUN.pcs.txt");
    }
    for (int i = 0; i < n; i++) {
        free(entry[i]);
    }
    free(entry);
    return ok;
}

/* ---- the filter ---- */

/* A line, or what of it there is room for, without what is not printable. False: the
 * input is over. */
static bool read_value(char value[VALUE])
{
    size_t n = 0;
    int c = getchar();

    if (c == EOF) {
        return false;
    }
    for (; c != EOF && c != '\n'; c = getchar()) {
        if (c > ' ' && c <= '~' && n + 1 < VALUE) {
            value[n++] = (char)c;
        }
    }
    value[n] = '\0';
    return true;
}

/* NULL: it is none. */
static const char *find(const struct code *code, uint32_t n, const char *value)
{
    size_t digits = strspn(value, "0123456789abcdefABCDEF");
    unsigned long long pc;

    if (digits == 0 || digits > 16 || value[digits] != '\0') {
        return NULL;
    }
    pc = strtoull(value, NULL, 16);
    for (uint32_t i = 0; i < n; i++) {
        if (pc < code[i].n && code[i].text[pc] != NULL) {
            return code[i].text[pc];
        }
    }
    return NULL;
}

static void filter(const struct code *code, uint32_t n)
{
    char value[VALUE];

    while (read_value(value)) {
        const char *text = find(code, n, value);

        /* "?red?" in front would be taken for a colour */
        if (puts(text != NULL ? text : value + strspn(value, "?")) == EOF ||
            fflush(stdout) != 0) {
            break; /* the viewer has gone */
        }
    }
}

int cmd_ptxfilter(int argc, char **argv)
{
    struct ptx_options o = {.n = 0};
    struct code code[PTX_MAX_WORDS] = {{NULL, 0}};
    struct smw_err e = {0};
    uint32_t n = 0;
    bool ok = true;
    int status;

    cli_parse(&ptxfilter_argp, argc, argv, &o);
    if (o.n == 0) {
        ok = of_here(&code[n++], &e);
    }
    for (uint32_t i = 0; ok && i < o.n; i++) {
        ok = of_file(&code[n++], o.word[i], o.config, &e);
    }
    status = ok ? TB_OK : (int)diag_error(&e);
    if (ok || !isatty(STDIN_FILENO)) { /* a viewer would wait for ever */
        filter(code, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        code_free(&code[i]);
    }
    return status;
}
