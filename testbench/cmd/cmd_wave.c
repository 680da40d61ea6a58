/*
 * cmd_wave.c - "smwave wave": views of a dump that a run wrote, what it has, and dumps
 * compared.
 */
#include "cmd/commands.h"
#include "io/cli.h"

#include "cmd/cmd_wave_list.h"
#include "compare.h"
#include "io/file.h"
#include "trace/dumpfile.h"
#include "trace/savefile.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_VIEW = 256, OPT_DIFF, OPT_JSON };

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
    {"json", OPT_JSON, NULL, 0, "list: print JSON, an array of signals", 1},
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
    case OPT_JSON: o->json = true; return 0;
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

static int make_views(const struct options *o, struct smw_err *e)
{
    struct view list[VIEW_MAX];
    struct dumpfile d;
    uint32_t n;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return (int)diag_error(e);
    }
    ok = dumpfile_open(&d, o->word[1], e) && dumpfile_read(&d, e);
    for (uint32_t i = 0; ok && i < n; i++) {
        char *path = save_file(d.path, &list[i]);

        ok = write_view(&d, &list[i], path, e);
        if (ok && !o->quiet) {
            diag_print("gtkwave %s\n", path);
        }
        free(path);
    }
    dumpfile_close(&d);
    return ok ? TB_OK : (int)diag_error(e);
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

/* One view of both: prints the command unless quiet. */
static bool pair_up(struct dumpfile *d, const struct view *v, bool quiet,
                    struct smw_err *e)
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
    if (ok && !quiet) {
        diag_print("twinwave %s %s + %s %s\n", d[0].path, path[0], d[1].path, path[1]);
    }
    free(path[0]);
    free(path[1]);
    return ok;
}

static void print_difference(const struct dumpfile *d,
                             const struct compare_result *result, const char *unit)
{
    for (int i = 0; i < 2; i++) {
        if (result->ended[i] && result->path[0] == '\0') {
            diag_print("%s ends at time %" PRIu64 " (unit %s), the other goes on\n",
                       d[i].path, result->time, unit);
        }
    }
    if (result->path[0] == '\0') {
        return;
    }
    diag_print("first difference at time %" PRIu64 " (unit %s): %s\n", result->time,
               unit, result->path);
    for (int i = 0; i < 2; i++) {
        diag_print("    %s: %s\n", d[i].path, result->value[i]);
    }
    if (result->differing > 1) {
        diag_print("    and %u more at that time\n", (unsigned)(result->differing - 1));
    }
}

/* ---- what is not compared ---- */

enum { N_NOTES = COMPARE_SET + 1, NAMED = 8 /* of each kind */ };

struct notes {
    struct text list[N_NOTES];
    uint32_t n[N_NOTES];
};

static void take_note(void *ctx, enum compare_note note, const char *path,
                      const char *a, const char *b)
{
    struct notes *notes = ctx;

    if (notes->n[note]++ >= NAMED) {
        return;
    }
    text_add(&notes->list[note], "    %s", path);
    if (a != NULL) {
        text_add(&notes->list[note], ": %s, %s", a, b);
    }
    text_add(&notes->list[note], "\n");
}

static void print_notes(const struct dumpfile *d, const struct notes *notes,
                        enum compare_note note)
{
    uint32_t n = notes->n[note];
    const char *are = n == 1 ? " is" : "s are";

    if (n == 0) {
        return;
    }
    switch (note) {
    case COMPARE_ONLY_A:
    case COMPARE_ONLY_B:
        diag_print("%u variable%s in %s only:\n", (unsigned)n, are,
                   d[note == COMPARE_ONLY_B].path);
        break;
    case COMPARE_SET:
        diag_print("%u variable%s configured otherwise, and not compared:\n",
                   (unsigned)n, are);
        break;
    }
    diag_text(stdout, notes->list[note].s);
    if (n > NAMED) {
        diag_print("    and %u more\n", (unsigned)(n - NAMED));
    }
}

/* Did what ended end because all of it was there? */
static bool are_whole(struct dumpfile *d, enum compare_verdict verdict,
                      const struct compare_result *result, struct smw_err *e)
{
    for (int i = 0; i < 2; i++) {
        if ((verdict == COMPARE_SAME || result->ended[i]) &&
            !dumpfile_finish(&d[i], e)) {
            return false;
        }
    }
    for (int i = 0; i < 2; i++) { /* a difference may be what was not read */
        dumpfile_blame(&d[i], e);
    }
    return verdict != COMPARE_FAILED && e->kind == SMW_ERR_NONE;
}

static int show_diff(struct dumpfile *d, struct smw_err *e)
{
    struct compare_result *result = tb_alloc(sizeof(*result));
    struct notes notes = {.n = {0}};
    struct compare_listener listener = {take_note, &notes};
    enum compare_verdict verdict = compare_dumps(d[0].r, d[1].r, &listener, result, e);
    int code = TB_OK;

    if (!are_whole(d, verdict, result, e)) {
        code = (int)diag_error(e);
    } else if (verdict == COMPARE_DIFFER) {
        print_difference(d, result, compare_unit(d[0].r));
        code = TB_KERNEL;
    } else {
        diag_print("no difference in %u variables\n",
                   (unsigned)(result->common - result->set));
    }
    for (int i = 0; i < N_NOTES; i++) {
        if (code == TB_OK || code == TB_KERNEL) {
            print_notes(d, &notes, (enum compare_note)i);
        }
        text_free(&notes.list[i]);
    }
    free(result);
    return code;
}

static int compare(const struct options *o, struct smw_err *e)
{
    struct view list[VIEW_MAX];
    struct dumpfile d[2];
    uint32_t n;
    int code = TB_OK;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return (int)diag_error(e);
    }
    ok = dumpfile_open(&d[0], o->word[1], e);
    ok = dumpfile_open(&d[1], o->word[2], e) && ok;
    if (ok && o->diff) {
        code = show_diff(d, e);
    } else if (ok) {
        ok = compare_units(d[0].r, d[1].r, e) && dumpfile_read(&d[0], e) &&
             dumpfile_read(&d[1], e);
        if (ok) {
            compare_align(&d[0].tree, &d[1].tree);
        }
        for (uint32_t i = 0; ok && i < n; i++) {
            ok = pair_up(d, &list[i], o->quiet, e);
        }
    }
    dumpfile_close(&d[0]);
    dumpfile_close(&d[1]);
    return ok ? code : (int)diag_error(e);
}

/* ---- check ---- */

static int is_save_file(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 5 && strcmp(entry->d_name + n - 5, ".gtkw") == 0;
}

/* Save files of the dump, in the order of their names. */
static int check_views(const struct dumpfile *d, bool quiet, struct smw_err *e)
{
    const char *slash = strrchr(d->path, '/');
    const char *dump = slash != NULL ? slash + 1 : d->path;
    char *dir = tb_printf("%.*s", (int)(dump - d->path), d->path);
    struct dirent **entry = NULL;
    int n = scandir(dir[0] != '\0' ? dir : ".", &entry, is_save_file, alphasort);
    bool ok = n >= 0 || err_set(e, errno == ENOMEM ? SMW_ERR_NOMEM : SMW_ERR_IO,
                                "%s: %s", dir[0] != '\0' ? dir : ".", strerror(errno));

    for (int i = 0; i < n; i++) {
        char *path = tb_printf("%s%s", dir, entry[i]->d_name);
        uint32_t rows;

        if (ok && savefile_is_of(path, dump, e)) {
            ok = savefile_check(path, d->r, &rows, e);
            if (ok && !quiet) {
                diag_print("    %s: %u rows\n", entry[i]->d_name, (unsigned)rows);
            }
        }
        ok = ok && e->kind == SMW_ERR_NONE;
        free(path);
        free(entry[i]);
    }
    free(entry);
    free(dir);
    return ok ? TB_OK : (int)diag_error(e);
}

/* The dump to its end, then its save files. */
static int check_one(struct dumpfile *d, bool quiet, struct smw_err *e)
{
    struct reader_change c;
    uint64_t changes = 0;
    enum reader_step step;

    do {
        step = reader_next(d->r, &c, e);
        changes += step == READER_CHANGE;
    } while (step != READER_END && step != READER_FAILED);
    if (step == READER_FAILED || !dumpfile_finish(d, e)) {
        return (int)diag_error(e);
    }
    if (reader_was_cut(d->r)) {
        err_set(e, SMW_ERR_INPUT, "%s ends in the middle of a line", d->path);
        return (int)diag_error(e);
    }
    if (!quiet) {
        diag_print("%s: %u variables, %" PRIu64 " changes, to time %" PRIu64
                   " (unit %s)\n",
                   d->path, (unsigned)reader_vars(d->r), changes, c.time,
                   compare_unit(d->r));
    }
    return check_views(d, quiet, e);
}

static int check(const struct options *o)
{
    int worst = TB_OK;

    for (uint32_t i = 1; i < o->n; i++) {
        struct smw_err e = {0};
        struct dumpfile d;
        int code = dumpfile_open(&d, o->word[i], &e) ? check_one(&d, o->quiet, &e)
                                                     : (int)diag_error(&e);

        dumpfile_close(&d);
        worst = code != TB_OK ? code : worst;
    }
    return worst;
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
        if (o.diff || o.json || o.n_views > 0) {
            return diag_usage("wave", "check takes dumps and no options");
        }
        return check(&o);
    }
    if (o.json && i != 3) {
        return diag_usage("wave", "--json belongs to list");
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
