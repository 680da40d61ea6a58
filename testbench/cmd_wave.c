/*
 * cmd_wave.c - "smwave wave": views of a dump that a run wrote, and dumps compared.
 */
#include "cli.h"

#include "compare.h"
#include "file.h"
#include "gzip.h"
#include "reader.h"
#include "totals.h"
#include "view.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_VIEW = 256, OPT_DIFF };

struct options {
    const char *word[3]; /* the command and its dumps */
    uint32_t n;
    const char *views[VIEW_MAX];
    uint32_t n_views;
    bool diff;
};

static const struct argp_option option_table[] = {
    {"view", OPT_VIEW, "LIST", 0,
     "overview, banks, scheduler, pipeline, coalescer, memory, warp=N, bank=N, "
     "separated by "
     "commas; may be repeated (default: overview)",
     1},
    {"diff", OPT_DIFF, NULL, 0,
     "compare: name the first time and signal at which the dumps differ; exit code 1 "
     "if "
     "they do",
     1},
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
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->word)) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "view or compare?"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp wave_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "view DUMP\ncompare A B",
    .doc =
        "Waveforms that smwave wrote: make save files for GTKWave, put two runs side "
        "by side.\v"
        "DUMP is a .vcd or .vcd.gz file or the directory of a run. Save files go "
        "beside the "
        "dump: run.gtkw for the overview, run.banks.gtkw for the view of the banks. "
        "compare writes run.compare.gtkw, with the same rows for both, and prints "
        "the twinwave command; with --diff it only says where they differ.",
};

/* ---- dumps ---- */

struct dump_file {
    char *path;
    FILE *f;
    struct reader *r;
    struct arena arena; /* of the tree */
    struct view_tree tree;
};

static void dump_close(struct dump_file *d)
{
    reader_close(d->r);
    if (d->f != NULL) {
        fclose(d->f);
    }
    arena_free(&d->arena);
    free(d->path);
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n > m && strcmp(s + n - m, end) == 0;
}

static bool dump_open(struct dump_file *d, const char *path, struct err *e)
{
    struct stat st;

    *d = (struct dump_file){.path = NULL};
    arena_init(&d->arena);
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        d->path = file_join(path, "run.vcd");
        if (access(d->path, F_OK) != 0) {
            char *compressed = tb_printf("%s.gz", d->path);

            if (access(compressed, F_OK) == 0) {
                free(d->path);
                d->path = compressed;
            } else {
                free(compressed);
            }
        }
    } else {
        d->path = tb_strdup(path);
    }
    d->f = gzip_is_name(d->path) ? gzip_read(d->path) : fopen(d->path, "rb");
    if (d->f == NULL) {
        return err_set(e, ERR_IO, "%s: %s", d->path, strerror(errno));
    }
    d->r = reader_open(d->f, d->path, e);
    if (d->r == NULL && ends_in(d->path, ".fst")) {
        err_hint(e, "fst2vcd makes a VCD of an FST");
    }
    return d->r != NULL;
}

static bool is_beside(void *ctx, const char *name)
{
    const struct dump_file *d = ctx;
    char *path = file_relative(d->path, name);
    bool is = access(path, R_OK) == 0;

    free(path);
    return is;
}

/* The bare name of the table of instructions, NULL: there is none. */
static const char *code_beside(struct dump_file *d)
{
    const char *slash = strrchr(d->path, '/'),
               *dump = slash != NULL ? slash + 1 : d->path;
    size_t n = view_code_path(dump, NULL, 0) + 1;
    char *name = arena_alloc(&d->arena, n);

    view_code_path(dump, name, n);
    return is_beside(d, name) ? name : NULL;
}

/* What the run's other files beside the dump tell. */
static void read_neighbours(struct dump_file *d)
{
    char *stats = file_relative(d->path, "stats.json");
    char *log = file_relative(d->path, "events.log");
    struct err ignored = {0};
    struct text lines = {0};
    size_t size = 0;
    char *json = file_read(stats, UINT64_C(1) << 28, &size, ERR_IO, &ignored);
    FILE *f = fopen(log, "rb");

    if (json != NULL) {
        totals_lines(json, size, &lines);
        d->tree.totals = lines.s != NULL ? arena_strdup(&d->arena, lines.s) : NULL;
    }
    if (f != NULL) {
        view_read_log(&d->tree, f);
        fclose(f);
    }
    text_free(&lines);
    free(json);
    free(stats);
    free(log);
}

static bool dump_read(struct dump_file *d, struct err *e)
{
    view_tree_init(&d->tree, &d->arena);
    d->tree.code = code_beside(d);
    if (!view_read(&d->tree, d->r, is_beside, d, e)) {
        if (e->file[0] == '\0') {
            err_at(e, d->path, NULL, 0, 0, 0);
        }
        return false;
    }
    if (reader_was_cut(d->r)) {
        fprintf(stderr, "smwave: %s ends in the middle of a line\n", d->path);
    }
    if (d->tree.missing_states > 0) {
        fprintf(stderr,
                "smwave: the state_*.txt files of the run are not beside %s: states "
                "will be numbers\n",
                d->path);
    }
    read_neighbours(d);
    return true;
}

/* ---- views ---- */

static bool parse_views(const struct options *o, struct view *list, uint32_t *n,
                        struct err *e)
{
    *n = 0;
    for (uint32_t i = 0; i < o->n_views; i++) {
        if (!view_parse(list, n, o->views[i], e)) {
            return false;
        }
    }
    return o->n_views > 0 || view_parse(list, n, "overview", e);
}

/* named_after: the dump, or another name in its place. */
static char *save_file(const char *named_after, const struct view *v)
{
    size_t n = view_path(named_after, v, NULL, 0) + 1;
    char *path = tb_alloc(n);

    view_path(named_after, v, path, n);
    return path;
}

static bool write_view(struct dump_file *d, const struct view *v, const char *path,
                       struct err *e)
{
    int error;

    if (!view_check(&d->tree, v, e)) {
        return false;
    }
    error = view_write(&d->tree, v, d->path, path);
    return error == 0 || err_set(e, ERR_IO, "%s: %s", path, strerror(error));
}

static int make_views(const struct options *o, struct err *e)
{
    struct view list[VIEW_MAX];
    struct dump_file d;
    uint32_t n;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return (int)diag_error(e);
    }
    ok = dump_open(&d, o->word[1], e) && dump_read(&d, e);
    for (uint32_t i = 0; ok && i < n; i++) {
        char *path = save_file(d.path, &list[i]);

        ok = write_view(&d, &list[i], path, e);
        if (ok) {
            printf("gtkwave %s\n", path);
        }
        free(path);
    }
    dump_close(&d);
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

/* One view of both: prints the command. */
static bool pair_up(struct dump_file *d, const struct view *v, struct err *e)
{
    char *path[2];
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        char *name = compared_name(d[i].path);

        path[i] = save_file(name, v);
        free(name);
    }
    if (strcmp(path[0], path[1]) == 0) {
        ok = err_set(e, ERR_USAGE, "compare: %s is both dumps", d[0].path);
    }
    for (int i = 0; ok && i < 2; i++) {
        ok = write_view(&d[i], v, path[i], e);
    }
    if (ok) {
        printf("twinwave %s %s + %s %s\n", d[0].path, path[0], d[1].path, path[1]);
    }
    free(path[0]);
    free(path[1]);
    return ok;
}

static void print_difference(const struct dump_file *d,
                             const struct compare_result *result, const char *unit)
{
    for (int i = 0; i < 2; i++) {
        if (result->ended[i] && result->path[0] == '\0') {
            printf("%s ends at time %" PRIu64 " (unit %s), the other goes on\n",
                   d[i].path, result->time, unit);
        }
    }
    if (result->path[0] == '\0') {
        return;
    }
    printf("first difference at time %" PRIu64 " (unit %s): %s\n", result->time, unit,
           result->path);
    for (int i = 0; i < 2; i++) {
        printf("    %s: %s\n", d[i].path, result->value[i]);
    }
    if (result->differing > 1) {
        printf("    and %u more at that time\n", (unsigned)(result->differing - 1));
    }
}

static int show_diff(struct dump_file *d, struct err *e)
{
    struct compare_result *result = tb_alloc(sizeof(*result));
    enum compare_verdict verdict = compare_dumps(d[0].r, d[1].r, result, e);
    const char *unit = compare_unit(d[0].r);
    int code = TB_OK;

    if (verdict == COMPARE_FAILED) {
        free(result);
        return (int)diag_error(e);
    }
    if (verdict == COMPARE_DIFFER) {
        print_difference(d, result, unit);
        code = TB_KERNEL;
    } else {
        printf("no difference in %u variables\n", (unsigned)result->common);
    }
    for (int i = 0; i < 2; i++) {
        if (result->only[i] > 0) {
            printf("%u variables are in %s only\n", (unsigned)result->only[i],
                   d[i].path);
        }
    }
    free(result);
    return code;
}

static int compare(const struct options *o, struct err *e)
{
    struct view list[VIEW_MAX];
    struct dump_file d[2];
    uint32_t n;
    int code = TB_OK;
    bool ok;

    if (!parse_views(o, list, &n, e)) {
        return (int)diag_error(e);
    }
    ok = dump_open(&d[0], o->word[1], e);
    ok = dump_open(&d[1], o->word[2], e) && ok;
    if (ok && o->diff) {
        code = show_diff(d, e);
    } else if (ok) {
        ok = compare_units(d[0].r, d[1].r, e) && dump_read(&d[0], e) &&
             dump_read(&d[1], e);
        if (ok) {
            compare_align(&d[0].tree, &d[1].tree);
        }
        for (uint32_t i = 0; ok && i < n; i++) {
            ok = pair_up(d, &list[i], e);
        }
    }
    dump_close(&d[0]);
    dump_close(&d[1]);
    return ok ? code : (int)diag_error(e);
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
    if (!view && o->n < 3) {
        return diag_usage("wave", "compare takes two dumps");
    }
    return TB_OK;
}

int cmd_wave(int argc, char **argv)
{
    static const char *const commands[] = {"view", "compare"};
    struct options o = {.n = 0};
    struct err e = {0};
    int i, code;

    cli_parse(&wave_argp, argc, argv, &o);
    i = cli_choose("wave", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    code = usage(&o, i == 0);
    if (code != TB_OK) {
        return code;
    }
    return i == 0 ? make_views(&o, &e) : compare(&o, &e);
}
