#include "trace/tracing.h"

#include "dump.h"
#include "gpu/observe.h"
#include "gzip.h"
#include "io/file.h"
#include "io/processors.h"
#include "wave.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tracing {
    struct wave *waves[TRACING_MAX];
    uint32_t n;
    struct trace_bind *bind;
    bool guest;
    struct code code;            /* of a guest: of the modules so far */
    struct sigaction pipe, size; /* what became of the signals before */
};

/* ---- the list ---- */

static void plan(struct tracing_plan *p, enum wave_format format, char *path)
{
    p->format[p->n] = format;
    p->path[p->n++] = path;
}

static bool can_fst(struct smw_err *e)
{
    if (dump_has_fst()) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "--trace: this smwave was built without FST files");
    err_hint(e,
             "write VCD, which vcd2fst of GTKWave converts; or install verilator and "
             "zlib1g-dev, and build again");
    return false;
}

static bool can_gzip(struct smw_err *e)
{
    if (gzip_is_built_in()) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "--trace: this smwave was built without zlib");
    err_hint(e, "write FILE.vcd and compress that; or install zlib1g-dev, and build "
                "again");
    return false;
}

static bool add_stream(struct tracing_plan *p, const char *outdir, struct smw_err *e)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->streamed[i]) {
            return err_set(e, SMW_ERR_USAGE, "--trace: '-' is given twice");
        }
    }
    p->streamed[p->n] = true;
    plan(p, WAVE_VCD, file_join(outdir, "run.vcd"));
    return true;
}

static bool add(struct tracing_plan *p, const char *word, const char *outdir,
                struct smw_err *e)
{
    static const char *const names[] = {"vcd", "fst", "vcd.gz", "none"};
    const char *nearest;

    if (strcmp(word, "none") == 0) {
        return true;
    }
    if (p->n == TRACING_MAX) {
        return err_set(e, SMW_ERR_USAGE, "--trace: at most %d waveforms", TRACING_MAX);
    }
    if (strcmp(word, "-") == 0) {
        return add_stream(p, outdir, e);
    }
    if (strcmp(word, "vcd") == 0) {
        plan(p, WAVE_VCD, file_join(outdir, "run.vcd"));
        return true;
    }
    if (file_ends(word, ".vcd")) {
        plan(p, WAVE_VCD, tb_strdup(word));
        return true;
    }
    if (strcmp(word, "vcd.gz") == 0) {
        plan(p, WAVE_VCD, file_join(outdir, "run.vcd.gz"));
        return can_gzip(e);
    }
    if (file_ends(word, ".vcd.gz")) {
        plan(p, WAVE_VCD, tb_strdup(word));
        return can_gzip(e);
    }
    if (strcmp(word, "fst") == 0) {
        plan(p, WAVE_FST, file_join(outdir, "run.fst"));
        return can_fst(e);
    }
    if (file_ends(word, ".fst")) {
        plan(p, WAVE_FST, tb_strdup(word));
        return can_fst(e);
    }
    err_set(e, SMW_ERR_USAGE,
            "--trace: '%s' is not one of vcd, fst, vcd.gz, none, FILE.vcd, FILE.fst, "
            "FILE.vcd.gz, -",
            word);
    nearest = err_nearest(word, names, ARRAY_LEN(names));
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
    return false;
}

bool tracing_parse(struct tracing_plan *p, const char *list, const char *outdir,
                   struct smw_err *e)
{
    char *copy = tb_strdup(list);
    bool ok = true;

    *p = (struct tracing_plan){0};
    for (char *word = copy; ok && word != NULL;) {
        char *comma = strchr(word, ',');

        if (comma != NULL) {
            *comma++ = '\0';
        }
        ok = add(p, word, outdir, e);
        word = comma;
    }
    free(copy);
    if (!ok) {
        tracing_plan_free(p);
    }
    return ok;
}

/* Standard output that was closed is held by a file that cannot be written to. */
static bool is_writable(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        flags = -1;
    }
    return flags >= 0;
}

bool tracing_take_stdout(struct tracing_plan *p, struct smw_err *e)
{
    bool streamed = false;

    for (uint32_t i = 0; i < p->n; i++) {
        streamed = streamed || p->streamed[i];
    }
    if (!streamed) {
        return true;
    }
    if (isatty(STDOUT_FILENO) != 0) {
        err_set(e, SMW_ERR_USAGE, "--trace -: standard output is a terminal");
        err_hint(e, "let a program read it: smwave run TARGET --trace - | shmidcat | "
                    "gtkwave -v -I run.gtkw");
        return false;
    }
    p->stream = is_writable(STDOUT_FILENO)
                    ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                    : -1;
    if (p->stream < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        return err_set(e, SMW_ERR_IO, "--trace -: standard output: %s",
                       strerror(errno));
    }
    return true;
}

void tracing_plan_free(struct tracing_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        free(p->path[i]);
    }
    if (p->stream > 0) {
        (void)close(p->stream);
    }
    code_free(&p->code);
    trace_select_free(&p->select);
    *p = (struct tracing_plan){0};
}

/* ---- save files ---- */

char *tracing_save_file(const struct tracing_plan *p, uint32_t i, const struct view *v)
{
    static const struct view overview = {.name = VIEW_OVERVIEW};
    size_t n;
    char *path;

    v = v != NULL ? v : &overview;
    n = view_path(p->path[i], v, NULL, 0) + 1;
    path = tb_alloc(n);
    view_path(p->path[i], v, path, n);
    return path;
}

/* Of two dumps that would share one, run.vcd and run.fst, the second has its ending in
 * the name: run.fst.gtkw. */
static char *own_save_file(const struct tracing_plan *p, uint32_t i)
{
    char *path = tracing_save_file(p, i, NULL);

    for (uint32_t k = 0; k < i; k++) {
        char *other = tracing_save_file(p, k, NULL);
        bool same = strcmp(path, other) == 0;

        free(other);
        if (same) {
            free(path);
            return tb_printf("%s.gtkw", p->path[i]);
        }
    }
    return path;
}

/* ---- the waves ---- */

static void ignore_signals(struct tracing *t)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &t->pipe);
    (void)sigaction(SIGXFSZ, &ignore, &t->size);
}

/* A scope that is wrong stands somewhere. */
static void blame(const struct trace_select *s, struct smw_err *e)
{
    struct trace_said said = s->scope_said;

    if (e->kind != SMW_ERR_INPUT || strncmp(e->message, "trace scope", 11) != 0) {
        return;
    }
    if (said.node == NULL) {
        e->kind = SMW_ERR_USAGE;
    } else {
        yaml_point(said.yaml, said.node, e);
    }
}

bool tracing_check(struct smw_device *d, const struct tracing_plan *p,
                   struct smw_module *m, struct smw_err *e)
{
    struct wave_config c = {0};
    struct trace_bind *b;
    bool ok;

    if (p->n == 0) {
        return true;
    }
    b = trace_bind_new(&p->select, d, m, &c, e);
    ok = b != NULL && wave_check(smw_sim(d), smw_root(d), NULL, &c, e);
    trace_bind_free(b);
    blame(&p->select, e);
    return ok;
}

static bool open_wave(struct tracing *t, struct smw_device *d, uint32_t i,
                      const struct tracing_plan *p, struct wave_config *c,
                      struct smw_err *e)
{
    char *gtkw = own_save_file(p, i);
    struct wave *w;

    c->path = p->path[i];
    c->stream = p->streamed[i] ? p->stream : 0;
    c->format = p->format[i];
    c->gtkw_path = gtkw;
    w = wave_open(smw_sim(d), smw_root(d), NULL, c, e);
    free(gtkw);
    c->events_path = NULL; /* the first one's */
    if (w == NULL) {
        return false;
    }
    t->waves[t->n++] = w;
    trace_bind_add(t->bind, w);
    return wave_check_views(w, e);
}

/* What the numbers of events.log are of. The caller frees. */
static char *log_heading(const char *name, const struct tracing_plan *p,
                         const struct smw_config *config)
{
    char cc[64] = "";

    smw_config_show(config, "gpu.compute_capability", cc, sizeof(cc));
    return tb_printf(
        "%s on %s, capability %s, by smwave %s: time in %s, cycle of the SM "
        "clock, event",
        name, smw_config_name(config), cc, smw_version(),
        p->cycles ? "cycles of the SM clock" : "ps");
}

struct tracing *tracing_open(struct smw_device *d, const struct tracing_plan *p,
                             struct smw_module *m, const struct smw_config *config,
                             const char *name, const char *outdir, struct smw_err *e)
{
    static const char *const none[] = {NULL};
    struct tracing *t = p->n == 0 ? NULL : tb_alloc(sizeof(*t));
    char *events = file_join(outdir, "events.log");
    char *heading = log_heading(name, p, config);
    struct wave_config c = {
        .events_path = events,
        .log_heading = heading,
        .heading = name,
        .views = p->views,
        .n_views = p->n_views,
        .cycles = p->cycles,
        .log_degree = p->log_degree,
        .log_wait = p->log_wait,
        .second_thread = p->second_thread && processors() > 1,
        .version = smw_version(),
        .code = (const char *const *)p->code.text,
        .n_code = p->code.n,
        .digest = smw_config_digest(config),
        .config_name = smw_config_name(config),
    };
    bool ok = true;

    if (p->guest) { /* a table that tracing_module() fills */
        c.code = none;
        c.n_code = ARRAY_LEN(none);
    }
    if (t != NULL) {
        t->guest = p->guest;
        if (!t->guest) {
            ignore_signals(t);
        }
        t->bind = trace_bind_new(&p->select, d, m, &c, e);
        ok = t->bind != NULL;
    }
    for (uint32_t i = 0; ok && i < p->n; i++) {
        ok = open_wave(t, d, i, p, &c, e);
    }
    if (!ok) {
        tracing_close(t, NULL, NULL, e);
        t = NULL;
    }
    free(heading);
    free(events);
    return t;
}

void tracing_module(struct tracing *t, struct smw_module *m)
{
    if (t == NULL) {
        return;
    }
    code_add_module(&t->code, m);
    trace_bind_module(t->bind, m);
    for (uint32_t i = 0; i < t->n; i++) {
        (void)wave_code(t->waves[i], (const char *const *)t->code.text, t->code.n);
    }
}

void tracing_fault(struct tracing *t, enum smw_err_kind kind, const char *text)
{
    for (uint32_t i = 0; t != NULL && i < t->n; i++) {
        wave_fault(t->waves[i], kind, text);
    }
}

bool tracing_flush(struct tracing *t)
{
    bool read = true;

    for (uint32_t i = 0; t != NULL && i < t->n; i++) {
        read = wave_flush(t->waves[i]) && read;
    }
    return read;
}

void tracing_totals(struct tracing *t, const char *text)
{
    for (uint32_t i = 0; t != NULL && i < t->n; i++) {
        wave_totals(t->waves[i], text);
    }
}

bool tracing_close(struct tracing *t, const char *status, struct tracing_outcome *out,
                   struct smw_err *e)
{
    bool ok = true;

    if (t == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < t->n; i++) {
        ok = wave_close(t->waves[i], status, e) && ok;
    }
    if (out != NULL && t->n > 0) {
        out->begun = wave_extent(t->waves[0], &out->extent);
    }
    trace_bind_free(t->bind);
    code_free(&t->code);
    if (!t->guest) {
        (void)sigaction(SIGPIPE, &t->pipe, NULL);
        (void)sigaction(SIGXFSZ, &t->size, NULL);
    }
    free(t);
    return ok;
}

void tracing_leave(struct tracing *t)
{
    for (uint32_t i = 0; t != NULL && i < t->n; i++) {
        wave_stop_thread(t->waves[i]);
    }
}

void tracing_abort(struct tracing *t)
{
    for (uint32_t i = 0; t != NULL && i < t->n; i++) {
        wave_abort(t->waves[i]);
    }
}
