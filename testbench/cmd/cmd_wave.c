/*
 * cmd_wave.c - "smwave wave": views of a dump that a run wrote, what it has, and dumps
 * compared.
 */
#include "cmd/commands.h"
#include "io/cli.h"

#include "cmd/answer.h"
#include "cmd/cmd_wave.h"
#include "compare.h"
#include "io/file.h"
#include "run/findings.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_VIEW = 256, OPT_DIFF };

enum { MAX_WORDS = 65 };

struct options {
    const char *word[MAX_WORDS]; /* the command and its dumps */
    uint32_t n;
    const char *views[VIEW_MAX];
    uint32_t n_views;
    bool diff, json, quiet;
};

static const struct argp_option option_table[] = {
    {"view", OPT_VIEW, "LIST", 0,
     "overview, banks, scheduler, pipeline, coalescer, memory, warp=N or bank=N, "
     "separated by "
     "commas; may be given again (default: overview)",
     1},
    {"diff", OPT_DIFF, NULL, 0,
     "compare: name the first time and signal at which the dumps differ; exit code 1 "
     "if "
     "they do",
     1},
    {"json", 'j', NULL, 0,
     "print JSON: signals, save files, or what check or --diff found", 1},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case OPT_VIEW:
        if (o->n_views == VIEW_MAX) {
            argp_error(state, "--view is given more than %d times", (int)VIEW_MAX);
        }
        o->views[o->n_views++] = arg;
        return 0;
    case OPT_DIFF: o->diff = true; return 0;
    case 'j': o->json = true; return 0;
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->word)) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "view, list, compare or check?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp wave_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "view DUMP\nlist DUMP [PATTERN]\ncompare A B\ncheck DUMP...",
    .doc =
        "Waveforms that smwave wrote: make save files for GTKWave and command files "
        "for "
        "Surfer, list signals, put two runs side by side, check that all is there.\v"
        "DUMP is a .vcd, .vcd.gz or .fst file or the directory of a run. Save files go "
        "beside "
        "the "
        "dump: run.gtkw for the overview, run.banks.gtkw for the view of the banks; "
        "run.sucl and run.banks.sucl show the same in Surfer. "
        "list prints path, kind, width and unit of the signals and what they are; "
        "PATTERN is a glob of whole paths or of a scope, as in '*.l1' or '*mshr*'. "
        "compare writes run.compare.gtkw, with the same rows for both, and prints "
        "the twinwave command; with --diff it only says where they differ: "
        "not in clocks, in what one of them has alone or in what is configured "
        "otherwise. check reads all of a dump and finds what the save files beside it "
        "name.",
};

/* ---- views ---- */

static bool parse_views(const struct options *o, struct view *list, uint32_t *n,
                        struct smw_err *e)
{
    *n = 0;
    for (uint32_t i = 0; i < o->n_views; i++) {
        if (!view_parse(list, n, o->views[i], e)) {
            return false;
        }
    }
    return o->n_views > 0 || view_parse(list, n, "overview", e);
}

/* named_after: the dump, or another name in its place. An FST beside the VCD of the
 * same name has its ending in the name, as the run gives it: run.fst.gtkw. */
static char *save_file(const char *named_after, const struct view *v)
{
    size_t length = strlen(named_after);
    bool fst = length > 4 && strcmp(named_after + length - 4, ".fst") == 0;
    char *vcd = tb_printf("%.*s.vcd", (int)(fst ? length - 4 : 0), named_after);
    char *own =
        fst && access(vcd, R_OK) == 0 ? tb_printf("%s.gtkw", named_after) : NULL;
    const char *name = own != NULL ? own : named_after;
    size_t n = view_path(name, v, NULL, 0) + 1;
    char *path = tb_alloc(n);

    view_path(name, v, path, n);
    free(own);
    free(vcd);
    return path;
}

static bool write_view(struct dumpfile *d, const struct view *v, const char *path,
                       struct smw_err *e)
{
    struct stat st;
    int error;

    if (!view_check(&d->tree, v, e)) {
        return false;
    }
    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* it came with the dump */
        return err_set(e, SMW_ERR_IO, "%s is a link or a device: it is left alone",
                       path);
    }
    error = view_write(&d->tree, v, d->path, path);
    return error == 0 || err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(error));
}

/* {"dump": ..., "save_file": ...} */
static json_t *answer_file(const char *dump, const char *path)
{
    return json_pack("{s:o, s:o}", "dump", findings_string(dump), "save_file",
                     findings_string(path));
}

/* Print the answer if there is one and all went well. The exit code. */
static int conclude(json_t *answer, bool ok, const struct smw_err *e)
{
    if (!ok) {
        json_decref(answer);
        return (int)diag_error(e);
    }
    if (answer != NULL) {
        answer_print(answer);
    }
    return TB_OK;
}

static int make_views(const struct options *o, struct smw_err *e)
{
    json_t *answer = o->json ? json_array() : NULL;
    struct view list[VIEW_MAX];
    struct dumpfile d;
    uint32_t n;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return conclude(answer, false, e);
    }
    ok = dumpfile_open(&d, o->word[1], e) && dumpfile_read(&d, e);
    for (uint32_t i = 0; ok && i < n; i++) {
        char *path = save_file(d.path, &list[i]);

        ok = write_view(&d, &list[i], path, e);
        if (ok && answer != NULL) {
            json_array_append_new(answer, answer_file(d.path, path));
        } else if (ok && !o->quiet) {
            diag_print("gtkwave %s\n", path);
        }
        free(path);
    }
    dumpfile_close(&d);
    return conclude(answer, ok, e);
}

/* ---- compare ---- */

/* "run.vcd" becomes "run.compare", from which save files have their names. */
static char *compared_name(const char *dump)
{
    static const struct view overview = {.name = VIEW_OVERVIEW};
    char *path = save_file(dump, &overview);
    char *name = tb_printf("%.*s.compare", (int)(strlen(path) - strlen(".gtkw")), path);

    free(path);
    return name;
}

/* One view of both: into the answer, or the command is printed unless quiet. */
static bool pair_up(struct dumpfile *d, const struct view *v, json_t *answer,
                    bool quiet, struct smw_err *e)
{
    char *path[2];
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        char *name = compared_name(d[i].path);

        path[i] = save_file(name, v);
        free(name);
    }
    if (strcmp(path[0], path[1]) == 0) {
        ok = err_set(e, SMW_ERR_USAGE, "compare: %s is both dumps", d[0].path);
    }
    for (int i = 0; ok && i < 2; i++) {
        ok = write_view(&d[i], v, path[i], e);
    }
    if (ok && answer != NULL) {
        json_array_append_new(answer, json_pack("{s:o, s:o}", "a",
                                                answer_file(d[0].path, path[0]), "b",
                                                answer_file(d[1].path, path[1])));
    } else if (ok && !quiet) {
        diag_print("twinwave %s %s + %s %s\n", d[0].path, path[0], d[1].path, path[1]);
    }
    free(path[0]);
    free(path[1]);
    return ok;
}

/* Save files of both with the same rows. */
static int pair_all(struct dumpfile *d, const struct options *o,
                    const struct view *list, uint32_t n, struct smw_err *e)
{
    json_t *answer = o->json ? json_array() : NULL;
    bool ok = compare_units(d[0].r, d[1].r, e) && dumpfile_read(&d[0], e) &&
              dumpfile_read(&d[1], e);

    if (ok) {
        compare_align(&d[0].tree, &d[1].tree);
    }
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = pair_up(d, &list[i], answer, o->quiet, e);
    }
    return conclude(answer, ok, e);
}

static int compare(const struct options *o, struct smw_err *e)
{
    struct view list[VIEW_MAX];
    struct dumpfile d[2];
    uint32_t n;
    int code;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return (int)diag_error(e);
    }
    ok = dumpfile_open(&d[0], o->word[1], e);
    ok = dumpfile_open(&d[1], o->word[2], e) && ok;
    code = !ok       ? (int)diag_error(e)
           : o->diff ? cmd_wave_diff(d, o->json, e)
                     : pair_all(d, o, list, n, e);
    dumpfile_close(&d[0]);
    dumpfile_close(&d[1]);
    return code;
}

/* ---- the command ---- */

static int usage(const struct options *o, bool view)
{
    if (o->n == 1) {
        return diag_usage("wave", "%s which dump?", o->word[0]);
    }
    if (view && o->n > 2) {
        return diag_usage("wave", "%s takes one dump, not '%s' as well", o->word[0],
                          o->word[2]);
    }
    if (view && o->diff) {
        return diag_usage("wave", "--diff belongs to compare");
    }
    if (!view && o->n > 3) {
        return diag_usage("wave", "compare takes two dumps, not '%s' as well",
                          o->word[3]);
    }
    if (!view && o->n < 3) {
        return diag_usage("wave", "compare takes two dumps");
    }
    return TB_OK;
}

static int list(const struct options *o)
{
    if (o->diff || o->n_views > 0) {
        return diag_usage("wave", "of the options list takes --json only");
    }
    if (o->n > 3) {
        return diag_usage("wave", "list takes a dump and a pattern, not '%s' as well",
                          o->word[3]);
    }
    return cmd_wave_list(o->word[1], o->n == 3 ? o->word[2] : NULL, o->json);
}

int cmd_wave(int argc, char **argv)
{
    static const char *const commands[] = {"view", "compare", "check", "list"};
    struct options o = {.n = 0};
    struct smw_err e = {0};
    int i, code;

    o.quiet = cli_parse(&wave_argp, argc, argv, &o).quiet;
    i = cli_choose("wave", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (i == 2 && o.n > 1) {
        if (o.diff || o.n_views > 0) {
            return diag_usage("wave", "of the options check takes --json only");
        }
        return cmd_wave_check(&o.word[1], o.n - 1, o.quiet, o.json);
    }
    if (i == 3 && o.n > 1) {
        return list(&o);
    }
    code = usage(&o, i == 0);
    if (code != TB_OK) {
        return code;
    }
    return i == 0 ? make_views(&o, &e) : compare(&o, &e);
}
