/*
 * cmd_exec.c - "smwave exec": a CUDA program on the model. The work is done inside the
 * program's process (cuda/session); here its environment is set, and what came of it is
 * told.
 */
#include "cmd/cmd_exec.h"

#include "cc/cc.h"
#include "cmd/commands.h"
#include "cmd/exec_options.h"
#include "cmd/exec_program.h"
#include "cmd/exec_report.h"
#include "io/cli.h"
#include "io/outdir.h"
#include "run/config.h"
#include "run/results.h"
#include "run/target.h"
#include "session/session.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGS = 4096 };

struct exec {
    struct exec_options opt;
    struct rt_settings settings;
    char *path;   /* of the program */
    char *libdir; /* where the runtime library is */
    char *outdir, *record, *trace, *set, *views, *scopes, *stats;
    char *device;          /* as the environment has it */
    uint32_t cc;           /* of the first device: 10 * major + minor */
    int lock, record_lock; /* of outdir, of record */
    struct exec_end end;
};

/* ---- what is asked for ---- */

static char *absolute(const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    char *whole = here != NULL ? file_join(here, path) : tb_strdup(path);

    for (size_t n = strlen(whole); n > 1 && whole[n - 1] == '/'; n--) {
        whole[n - 1] = '\0';
    }
    free(here);
    return whole;
}

static bool is_path(const char *device)
{
    return strchr(device, '/') != NULL || file_ends(device, ".yml") ||
           file_ends(device, ".yaml");
}

/* One device is what the options make of it; its name goes into the list. */
static bool check_device(struct exec *x, const char *name, struct text *list,
                         struct smw_err *e)
{
    struct smw_config *c = config_new();
    bool ok = config_load(c, name, NULL, e);
    struct smw_device_facts facts;
    char *path = is_path(name) ? absolute(name) : tb_strdup(name);

    for (uint32_t i = 0; ok && i < x->opt.n_overrides; i++) {
        ok = config_override(c, x->opt.overrides[i], e);
    }
    if (ok && !smw_config_check(c, e)) {
        ok = false;
        for (uint32_t i = x->opt.n_overrides;
             i > 0 && !config_blame_override(x->opt.overrides[i - 1], e); i--) {
        }
    }
    if (ok && smw_config_facts(c, &facts, e) && x->cc == 0) {
        x->cc = facts.cc_major * 10 + facts.cc_minor;
    }
    if (ok && strlen(path) >= sizeof(x->settings.device[0])) {
        ok = err_set(e, SMW_ERR_INPUT, "the path of '%s' is too long", name);
    }
    text_add(list, "%s%s", list->n > 0 ? "," : "", path);
    free(path);
    smw_config_free(c);
    return ok;
}

static bool check_devices(struct exec *x, struct smw_err *e)
{
    const char *said = x->opt.config, *env = getenv("SMWAVE_DEVICE");
    char *names = tb_strdup(said != NULL  ? said
                            : env != NULL ? env
                                          : RT_DEFAULT_DEVICE);
    struct text list = {0};
    uint32_t n = 0;
    bool ok = true;

    for (char *name = names; ok && name != NULL; n++) {
        char *next = strchr(name, ',');

        if (next != NULL) {
            *next++ = '\0';
        }
        ok = n < RT_DEVICES ? check_device(x, name, &list, e)
                            : err_set(e, SMW_ERR_USAGE, "--config: at most %d devices",
                                      RT_DEVICES);
        name = next;
    }
    free(names);
    x->device = list.s;
    return ok;
}

/* The words of the list that are files, as seen from everywhere. */
static char *absolute_traces(const char *list)
{
    char *copy = tb_strdup(list);
    struct text t = {0};

    for (char *word = copy; word != NULL;) {
        char *next = strchr(word, ','), *path = NULL;

        if (next != NULL) {
            *next++ = '\0';
        }
        if (file_ends(word, ".vcd") || file_ends(word, ".fst") ||
            (file_ends(word, ".vcd.gz") && strcmp(word, "vcd.gz") != 0)) {
            path = absolute(word);
        }
        text_add(&t, "%s%s", t.n > 0 ? "," : "", path != NULL ? path : word);
        free(path);
        word = next;
    }
    free(copy);
    return t.s;
}

static char *joined(const char *const *list, uint32_t n)
{
    struct text t = {0};

    for (uint32_t i = 0; i < n; i++) {
        text_add(&t, "%s%s", i > 0 ? ";" : "", list[i]);
    }
    return t.s;
}

/* Paths with semicolons between, as seen from everywhere. */
static char *absolute_files(const char *const *list, uint32_t n)
{
    struct text t = {0};

    for (uint32_t i = 0; i < n; i++) {
        char *path = absolute(list[i]);

        text_add(&t, "%s%s", i > 0 ? ";" : "", path);
        free(path);
    }
    return t.s;
}

/* The default level does not, nor do those named below it. */
static bool looks_for_races(const struct exec *x)
{
    const char *level = x->opt.check;

    return level != NULL &&
           (strcmp(level, "full") == 0 || strcmp(level, "global") == 0);
}

static bool check_outputs(const struct exec *x, struct smw_err *e)
{
    const char *const *said = x->opt.said;
    enum results_format format;

    for (uint32_t i = 0; i < x->opt.n_stats; i++) {
        if (!results_format(x->opt.stats[i], &format, e)) {
            return false;
        }
        if (strchr(x->opt.stats[i], ';') != NULL) {
            return err_set(e, SMW_ERR_USAGE, "--stats: a name without ';', not '%s'",
                           x->opt.stats[i]);
        }
    }
    if (x->record != NULL && strcmp(x->record, x->outdir) == 0) {
        return err_set(e, SMW_ERR_USAGE, "--record: not into %s, where the results go",
                       x->outdir);
    }
    if (x->opt.threads == NULL || strtoul(x->opt.threads, NULL, 0) < 2) {
        return true;
    }
    if (said[RT_SAID_TRACE] != NULL && strcmp(said[RT_SAID_TRACE], "none") != 0) {
        return err_set(e, SMW_ERR_USAGE, "--threads: not with --trace");
    }
    if (said[RT_SAID_EXPLAIN] != NULL || said[RT_SAID_PROFILE] != NULL) {
        return err_set(e, SMW_ERR_USAGE, "--threads: not with --explain and --profile");
    }
    if (said[RT_SAID_TRACK] != NULL) {
        return err_set(e, SMW_ERR_USAGE,
                       "--threads: not with --pipeline, --timeline and --blocks");
    }
    return !looks_for_races(x) ||
           err_set(e, SMW_ERR_USAGE, "--threads: only with --check none or fast");
}

/* What the program's runtime would refuse is refused here, in the words of options. */
static bool check_settings(struct exec *x, struct smw_err *e)
{
    struct tracing_plan plan = {0};
    struct smw_err wrong = {0};

    if (x->opt.launches != NULL) {
        (void)setenv("SMWAVE_LAUNCHES", x->opt.launches, 1);
        (void)unsetenv("SMWAVE_DEVICE");
        if (!rt_settings_read(&x->settings, NULL, &wrong)) {
            return err_set(
                e, SMW_ERR_USAGE,
                "--launches is numbers from 1 and ranges, \"3,7-9,20-\", not "
                "'%s'",
                x->opt.launches);
        }
    }
    memcpy(x->settings.said, x->opt.said, sizeof(x->settings.said));
    if (!session_plan(&plan, &x->settings, x->outdir, e)) {
        return false;
    }
    tracing_plan_free(&plan);
    return true;
}

static bool find_library(struct exec *x, struct smw_err *e)
{
    char *root = cc_find_root(e), *library;
    bool ok;

    if (root == NULL) {
        return false;
    }
    x->libdir = file_join(root, "lib64");
    library = file_join(x->libdir, "libsmwave_cudart.so");
    ok = access(library, R_OK) == 0 ||
         err_set(e, SMW_ERR_INPUT, "the runtime library is not there: %s", library);
    free(library);
    free(root);
    return ok;
}

static void put(const char *name, const char *value)
{
    if (value != NULL) {
        (void)setenv(name, value, 1);
    } else {
        (void)unsetenv(name);
    }
}

/* Options are all that is said: variables of the caller's own are not heard, but for
 * those that no option of ours is for. */
static void set_environment(struct exec *x)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    char *search = path != NULL && path[0] != '\0' ? tb_printf("%s:%s", x->libdir, path)
                                                   : tb_strdup(x->libdir);

    put("LD_LIBRARY_PATH", search);
    put("SMWAVE_DEVICE", x->device);
    put("SMWAVE_SET", x->set);
    put("SMWAVE_OUT", x->outdir);
    put("SMWAVE_CHECK", x->opt.check);
    put("SMWAVE_LAUNCHES", x->opt.launches);
    put("SMWAVE_MAX_CYCLES", x->opt.max_cycles);
    put("SMWAVE_THREADS", x->opt.threads);
    for (uint32_t i = 0; i < RT_SAID_N; i++) {
        put(rt_said_variable((enum rt_said)i), x->opt.said[i]);
    }
    free(search);
}

/* What of the run is traced: of each thing what was said last, of signals all. */
static void complete_asked(struct exec *x)
{
    static const enum rt_said said[] = {
        [TRACE_SCOPE] = RT_SAID_TRACE_SCOPE,      [TRACE_DEPTH] = RT_SAID_TRACE_DEPTH,
        [TRACE_START] = RT_SAID_TRACE_START,      [TRACE_STOP] = RT_SAID_TRACE_STOP,
        [TRACE_RING_CYCLES] = RT_SAID_TRACE_RING, [TRACE_ON] = RT_SAID_TRACE_ON,
        [TRACE_AFTER] = RT_SAID_TRACE_AFTER,
    };
    const struct trace_options *o = &x->opt.waves;
    struct text scopes = {0};

    for (uint32_t i = 0; i < o->n_asked; i++) {
        if (o->asked[i].item == TRACE_SCOPE) {
            text_add(&scopes, "%s%s", scopes.s != NULL ? "," : "", o->asked[i].text);
        } else {
            x->opt.said[said[o->asked[i].item]] = o->asked[i].text;
        }
    }
    x->scopes = scopes.s;
    x->opt.said[RT_SAID_TRACE_SCOPE] = x->scopes;
}

/* Names of folders, and what the session is told. */
static void complete(struct exec *x, const char *name)
{
    char *stem = file_stem(name);
    char *standard = tb_printf("smwave-out/%s", stem);

    x->outdir = absolute(x->opt.outdir != NULL ? x->opt.outdir : standard);
    x->record = x->opt.record != NULL ? absolute(x->opt.record) : NULL;
    x->trace = x->opt.waves.trace != NULL ? absolute_traces(x->opt.waves.trace) : NULL;
    x->set = joined(x->opt.overrides, x->opt.n_overrides);
    x->views = joined(x->opt.waves.views, x->opt.waves.n_views);
    x->stats = absolute_files(x->opt.stats, x->opt.n_stats);
    x->opt.said[RT_SAID_STATS] = x->opt.n_stats > 0 ? x->stats : NULL;
    x->opt.said[RT_SAID_TRACE] = x->trace;
    x->opt.said[RT_SAID_VIEW] = x->views;
    x->opt.said[RT_SAID_TIMESCALE] = x->opt.waves.timescale;
    complete_asked(x);
    x->opt.said[RT_SAID_RECORD] = x->record;
    free(standard);
    free(stem);
}

static bool prepare(struct exec *x, const char *name, struct smw_err *e)
{
    complete(x, name);
    return check_outputs(x, e) && check_devices(x, e) && check_settings(x, e) &&
           find_library(x, e) &&
           outdir_prepare(x->outdir, OUTDIR_PROGRAM, x->opt.force, &x->lock, e) &&
           (x->record == NULL ||
            outdir_prepare(x->record, OUTDIR_RECORD, x->opt.force, &x->record_lock, e));
}

/* ---- running ---- */

static int run_program(struct exec *x, char *const *argv, struct smw_err *e)
{
    struct exec_story story = {.dir = x->outdir,
                               .argv = argv,
                               .path = x->path,
                               .record = x->record,
                               .quiet = x->opt.quiet,
                               .json = x->opt.json,
                               .checked = looks_for_races(x)};
    const char *word = exec_misplaced(&x->opt);

    if (word != NULL) {
        diag_hint("'%s' stands behind the program and is its own; options of smwave "
                  "stand before it",
                  word);
    }
    set_environment(x);
    fflush(NULL);
    if (!exec_run(x->path, argv, &x->end, e)) {
        return (int)diag_error(e);
    }
    story.end = x->end;
    exec_tell(&story);
    return x->end.signal != 0 ? 128 + x->end.signal : x->end.code;
}

static void release(struct exec *x)
{
    outdir_release(x->lock);
    outdir_release(x->record_lock);
    free(x->path);
    free(x->libdir);
    free(x->outdir);
    free(x->record);
    free(x->trace);
    free(x->set);
    free(x->stats);
    free(x->views);
    free(x->scopes);
    free(x->device);
}

int cmd_exec(int argc, char **argv)
{
    struct exec x = {.lock = OUTDIR_UNLOCKED, .record_lock = OUTDIR_UNLOCKED};
    struct smw_err e = {0};
    int code;

    exec_options_parse(&x.opt, argc, argv);
    if (x.opt.program[0] == NULL) {
        return diag_usage("exec", "what shall run? A CUDA program, and its arguments");
    }
    x.path = exec_find(x.opt.program[0], &e);
    if (x.path == NULL || !prepare(&x, x.opt.program[0], &e)) {
        code = (int)diag_error(&e);
    } else {
        code = run_program(&x, x.opt.program, &e);
    }
    release(&x);
    return code;
}

/* ---- sources ---- */

bool exec_is_source(int argc, char *const *argv)
{
    int first = exec_first_word(argc, argv);

    return first < argc && file_ends(argv[first], ".cu");
}

/* As nvcc would be asked: for the device, with the lines of the source. */
static int compile(struct exec *x, const char *source)
{
    char *target = tb_printf("-arch=sm_%u", (unsigned)x->cc);
    char *words[] = {(char *)"smwave cc",
                     (char *)"-lineinfo",
                     target,
                     (char *)"-o",
                     x->path,
                     (char *)(uintptr_t)source,
                     NULL};
    int code = cc_main((int)ARRAY_LEN(words) - 1, words);

    free(target);
    return code;
}

int exec_source(int argc, char **argv)
{
    struct exec x = {.lock = OUTDIR_UNLOCKED, .record_lock = OUTDIR_UNLOCKED};
    struct smw_err e = {0};
    char *stem, *source = NULL;
    int code;

    exec_options_parse(&x.opt, argc, argv);
    if (!target_has_source(x.opt.program[0], &e)) {
        return (int)diag_error(&e);
    }
    stem = file_stem(x.opt.program[0]);
    if (!prepare(&x, x.opt.program[0], &e) ||
        !target_source(x.opt.program[0], x.outdir, &source, &e)) {
        code = (int)diag_error(&e);
    } else {
        x.path = file_join(x.outdir, stem);
        code = compile(&x, source);
        code = code != 0 ? TB_INPUT : run_program(&x, x.opt.program, &e);
    }
    free(source);
    free(stem);
    release(&x);
    return code;
}
