#include "trace/dumpfile.h"

#include "base/nomem.h"
#include "dump.h"
#include "gzip.h"
#include "io/file.h"
#include "trace/totals.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* How the converter ends; above SYSTEM the number of a system's error. GAVE_UP: the
 * library did, in what it unpacks. */
enum { NO_MEMORY = 70, NO_PROGRAM = 127, SYSTEM = 128, GAVE_UP = 255 };

/* ---- FST ---- */

/* A damaged FST can keep its reader busy for ever: processor time in proportion to the
 * file, far more than a whole one takes. */
static void bound_time(const char *path)
{
    struct stat st;
    rlim_t seconds = 5;

    if (stat(path, &st) == 0) {
        seconds += (rlim_t)st.st_size / 100000;
    }
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
}

/* What the system refuses to read, the library takes for data: it ends by that, or the
 * reader, for which it makes no sense, closes its end. It is to hear what was refused.
 */
static void on_end(int signal_number)
{
    if (dump_fst_error() != 0) {
        _exit(SYSTEM + dump_fst_error());
    }
    (void)raise(signal_number); /* once more, for what it does by default */
}

/* The converter's process. */
struct conversion {
    const char *path;
    FILE *out;
    bool ok;
};

static void try_convert(void *arg)
{
    struct conversion *const c = arg;

    c->ok = dump_fst_to_vcd(c->path, c->out) && fclose(c->out) == 0;
}

static void convert(const char *path, int fd)
{
    static const int ends_by[] = {SIGPIPE, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    const struct sigaction end = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND};
    struct conversion c = {.path = path};

    if (!dump_has_fst()) {
        if (dup2(fd, STDOUT_FILENO) >= 0) {
            execlp("fst2vcd", "fst2vcd", "-e", "-f", path, (char *)NULL);
        }
        _exit(NO_PROGRAM);
    }
    for (size_t i = 0; i < ARRAY_LEN(ends_by); i++) {
        (void)sigaction(ends_by[i], &end, NULL);
    }
    c.out = fdopen(fd, "wb");
    if (c.out == NULL || !nomem_try(try_convert, &c)) {
        _exit(NO_MEMORY);
    }
    _exit(dump_fst_error() != 0 ? SYSTEM + dump_fst_error() : c.ok ? 0 : 1);
}

static bool start_converter(struct dumpfile *d, struct smw_err *e)
{
    int ends[2];

    d->outside = !dump_has_fst();
    if (pipe(ends) != 0) {
        return err_set(e, SMW_ERR_IO, "%s: %s", d->path, strerror(errno));
    }
    (void)fflush(stdout); /* or the reader, which flushes all it finds, says it again */
    d->converter = fork();
    if (d->converter == 0) {
        (void)close(ends[0]);
        bound_time(d->path);
        convert(d->path, ends[1]);
    }
    (void)close(ends[1]);
    if (d->converter < 0) {
        d->converter = 0;
        (void)close(ends[0]);
        return err_set(e, SMW_ERR_IO, "%s: %s", d->path, strerror(errno));
    }
    fclose(d->f);
    d->f = fdopen(ends[0], "rb");
    if (d->f == NULL) {
        (void)close(ends[0]);
        return err_set(e, SMW_ERR_NOMEM, "%s: out of memory", d->path);
    }
    return true;
}

void dumpfile_blame(struct dumpfile *d, struct smw_err *e)
{
    struct smw_err why = {0};

    if (!dumpfile_finish(d, &why) &&
        (why.kind == SMW_ERR_IO || why.kind == SMW_ERR_NOMEM)) {
        *e = why;
    }
}

bool dumpfile_finish(struct dumpfile *d, struct smw_err *e)
{
    int status = 0, code;

    if (d->converter == 0) {
        return true;
    }
    fclose(d->f); /* or it might wait for us */
    d->f = NULL;
    while (waitpid(d->converter, &status, 0) < 0 && errno == EINTR) {
    }
    d->converter = 0;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == 0) {
        return true;
    }
    *e = (struct smw_err){0}; /* what the reader made of the rest says less */
    if (d->outside && code == NO_PROGRAM) {
        err_set(e, SMW_ERR_INPUT, "%s: this smwave was built without FST files",
                d->path);
        err_hint(e, "install gtkwave, whose fst2vcd makes a VCD of it");
    } else if (code == NO_MEMORY) {
        err_set(e, SMW_ERR_NOMEM, "%s: out of memory", d->path);
    } else if (code == GAVE_UP) {
        err_set(e, SMW_ERR_IO,
                "%s could not be read: it is damaged, or there is no memory for it",
                d->path);
    } else if (code > SYSTEM) {
        err_set(e, SMW_ERR_IO, "%s: %s", d->path, strerror(code - SYSTEM));
    } else {
        err_set(e, SMW_ERR_INPUT, "%s: this is no FST, or it is damaged", d->path);
        err_hint(e, "a run that was killed leaves an FST that does not open");
    }
    return false;
}

/* ---- opening ---- */

/* NULL: a directory without one. */
static char *find(const char *path)
{
    static const char *const names[] = {"run.vcd", "run.vcd.gz", "run.fst"};
    struct stat st;

    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return tb_strdup(path);
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *name = file_join(path, names[i]);

        if (access(name, F_OK) == 0) {
            return name;
        }
        free(name);
    }
    return NULL;
}

bool dumpfile_open(struct dumpfile *d, const char *path, struct smw_err *e)
{
    bool fst;

    *d = (struct dumpfile){.path = NULL};
    arena_init(&d->arena);
    d->path = find(path);
    if (d->path == NULL) {
        err_set(e, SMW_ERR_IO, "%s has no waveform: no run.vcd, run.vcd.gz or run.fst",
                path);
        err_hint(e, "a run writes one into it with --trace vcd -o %s", path);
        return false;
    }
    d->f = gzip_is_name(d->path) ? gzip_read(d->path) : fopen(d->path, "rb");
    if (d->f == NULL) {
        return err_set(e, SMW_ERR_IO, "%s: %s", d->path, strerror(errno));
    }
    fst = file_ends(d->path, ".fst");
    if (fst && !start_converter(d, e)) {
        return false;
    }
    d->r = reader_open(d->f, d->path, e);
    if (d->r == NULL && fst && e->kind != SMW_ERR_NOMEM) {
        return dumpfile_finish(d, e) && false;
    }
    return d->r != NULL;
}

void dumpfile_close(struct dumpfile *d)
{
    reader_close(d->r);
    if (d->f != NULL) {
        fclose(d->f);
    }
    if (d->converter > 0) {
        (void)kill(d->converter, SIGKILL);
        while (waitpid(d->converter, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    arena_free(&d->arena);
    free(d->path);
    *d = (struct dumpfile){.path = NULL};
}

/* ---- reading ---- */

bool dumpfile_beside(void *ctx, const char *name)
{
    const struct dumpfile *d = ctx;
    char *path = file_relative(d->path, name);
    bool is = access(path, R_OK) == 0;

    free(path);
    return is;
}

/* The bare name of the table of instructions, NULL: there is none. */
static const char *code_beside(struct dumpfile *d)
{
    const char *slash = strrchr(d->path, '/');
    const char *dump = slash != NULL ? slash + 1 : d->path;
    size_t n = view_code_path(dump, NULL, 0) + 1;
    char *name = arena_alloc(&d->arena, n);

    view_code_path(dump, name, n);
    return dumpfile_beside(d, name) ? name : NULL;
}

/* What the run's other files beside the dump tell. */
static bool read_neighbours(struct dumpfile *d, struct smw_err *e)
{
    char *stats = file_relative(d->path, "stats.json");
    char *log = file_relative(d->path, "events.log");
    struct text lines = {0};
    size_t size = 0;
    char *json = file_read_if_there(stats, UINT64_C(1) << 28, &size, SMW_ERR_IO, e);
    FILE *f = e->kind == SMW_ERR_NONE ? fopen(log, "rb") : NULL;
    const int error = f == NULL ? errno : 0;

    if (json != NULL) {
        totals_lines(json, size, &lines);
        d->tree.totals = lines.s != NULL ? arena_strdup(&d->arena, lines.s) : NULL;
    }
    if (f != NULL) {
        view_read_log(&d->tree, f);
        if (ferror(f) != 0) {
            err_set(e, SMW_ERR_IO, "%s could not be read", log);
        }
        fclose(f);
    } else if (e->kind == SMW_ERR_NONE && error != ENOENT) {
        err_set(e, error == ENOMEM ? SMW_ERR_NOMEM : SMW_ERR_IO, "%s: %s", log,
                strerror(error));
    }
    text_free(&lines);
    free(json);
    free(stats);
    free(log);
    return e->kind == SMW_ERR_NONE;
}

/* In errors of the tree, which file it is; and what the tree could not know. */
static bool have_read(struct dumpfile *d, bool ok, struct smw_err *e)
{
    if (!ok) {
        dumpfile_blame(d, e);
        if (e->file[0] == '\0') {
            err_at(e, d->path, NULL, 0, 0, 0);
        }
        return false;
    }
    if (!d->tree.described) {
        fprintf(stderr,
                "smwave: %s does not say what its signals are: they are shown by their "
                "types\n",
                d->path);
    }
    return true;
}

bool dumpfile_read_names(struct dumpfile *d, struct smw_err *e)
{
    view_tree_init(&d->tree, &d->arena);
    return have_read(d, view_read_names(&d->tree, d->r, e), e);
}

bool dumpfile_read(struct dumpfile *d, struct smw_err *e)
{
    view_tree_init(&d->tree, &d->arena);
    d->tree.code = code_beside(d);
    if (!have_read(d, view_read(&d->tree, d->r, dumpfile_beside, d, e), e)) {
        return false;
    }
    if (!dumpfile_finish(d, e)) {
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
    return read_neighbours(d, e);
}
