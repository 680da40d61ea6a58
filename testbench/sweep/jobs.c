#include "sweep/jobs.h"

#include "io/outdir.h"
#include "sweep/stats_file.h"
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- words ---- */

void jobs_quote(struct text *out, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";

    if (text[0] != '\0' && text[strspn(text, plain)] == '\0') {
        text_add(out, "%s", text);
        return;
    }
    text_add(out, "'");
    for (const char *c = text; *c != '\0'; c++) {
        text_add(out, *c == '\'' ? "'\\''" : "%c", *c);
    }
    text_add(out, "'");
}

void jobs_command(const struct jobs *j, const char *workers, const char *only,
                  struct text *out)
{
    jobs_quote(out, j->program);
    text_add(out, " sweep run ");
    jobs_quote(out, j->file);
    text_add(out, " -o ");
    jobs_quote(out, j->dir);
    text_add(out, " -j %s --only %s", workers, only);
}

void jobs_commands(const struct jobs *j, uint32_t workers, struct text *out)
{
    char only[48], processes[16];

    snprintf(processes, sizeof(processes), "%u", workers);
    for (uint64_t i = 0; i < j->n_todo; i++) {
        uint64_t first = j->todo[i] * j->chunk, last = j->n_points - 1;

        last = last - first < j->chunk ? last : first + j->chunk - 1;
        if (first == last) {
            snprintf(only, sizeof(only), "%" PRIu64, first);
        } else {
            snprintf(only, sizeof(only), "%" PRIu64 "-%" PRIu64, first, last);
        }
        jobs_command(j, processes, only, out);
        text_add(out, "\n");
    }
}

/* ---- scripts ---- */

bool jobs_write(const char *dir, const char *name, struct text *script,
                struct smw_err *e)
{
    char *path = file_join(dir, name);
    bool ok = outdir_make_parents(path, e) && file_write(path, script->s, script->n, e);

    if (ok && chmod(path, 0755) != 0) {
        ok = err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
    }
    free(path);
    text_free(script);
    return ok;
}

bool jobs_spawn(char *const *argv, int *status, struct smw_err *e)
{
    pid_t pid;
    int error;

    fflush(stdout);
    error = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
    while (error == 0 && waitpid(pid, status, 0) < 0) {
        error = errno == EINTR ? 0 : errno;
    }
    return error == 0 || err_set(e, SMW_ERR_IO, "%s: %s", argv[0], strerror(error));
}

/* ---- places ---- */

/* The path of this program; its name where the system does not tell. */
static char *own_path(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    if (n <= 0 || (size_t)n == sizeof(path) - 1) {
        return tb_strdup("smwave");
    }
    path[n] = '\0';
    return tb_strdup(path);
}

static char *absolute(const char *path, struct smw_err *e)
{
    char *found = realpath(path, NULL), *copy;

    if (found == NULL) {
        err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
        return NULL;
    }
    copy = tb_strdup(found);
    free(found);
    return copy;
}

static bool places(struct jobs *j, const struct jobs_options *opt, struct smw_err *e)
{
    const char *path = j->sweep.path;
    bool shipped = strncmp(path, FILE_BUILTIN, strlen(FILE_BUILTIN)) == 0;

    j->program = opt->program != NULL ? tb_strdup(opt->program) : own_path();
    j->file = shipped ? tb_strdup(opt->what) : absolute(path, e);
    if (j->file == NULL) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const char *word = i == 0 ? j->program : i == 1 ? j->file : j->dir;

        if (strpbrk(word, "\r\n") != NULL) {
            return err_set(e, SMW_ERR_USAGE,
                           "a path holds a line end: commands cannot");
        }
    }
    return true;
}

/* ---- what is to be run ---- */

static bool is_ended(const struct store_done *done)
{
    return done->status == STORE_OK || (done->status == STORE_FAILED && !done->host);
}

static bool find_todo(struct jobs *j, struct smw_err *e)
{
    char *path = file_join(j->dir, PLAN_FILE);
    struct plan_file plan;
    bool ok = plan_read(&plan, path, NULL, e);

    free(path);
    if (!ok) {
        return false;
    }
    j->n_points = plan.n;
    j->todo = tb_alloc((plan.n / j->chunk + 1) * sizeof(*j->todo));
    for (uint64_t i = 0; ok && i < plan.n; i++) {
        struct sweep_point p = {0};
        struct store_done done;

        ok = plan_point(&plan, i, &p, e);
        if (ok) {
            store_find_out(j->dir, &p, &done);
            j->n_ended += is_ended(&done);
            if (!is_ended(&done) &&
                (j->n_todo == 0 || j->todo[j->n_todo - 1] != i / j->chunk)) {
                j->todo[j->n_todo++] = i / j->chunk;
            }
        }
        sweep_point_free(&p);
    }
    plan_close(&plan);
    return ok;
}

static bool make_plan(struct jobs *j, struct smw_err *e)
{
    char *path = file_join(j->dir, PLAN_FILE);
    struct plan_made made;
    bool ok = plan_make(&j->sweep, path, &made, e);

    free(path);
    return ok;
}

bool jobs_open(struct jobs *j, const struct jobs_options *opt, struct smw_err *e)
{
    char *path = sweep_find(opt->what, e), *dir;
    bool ok;

    *j = (struct jobs){.chunk = opt->chunk};
    ok = path != NULL && sweep_read(&j->sweep, path, e);
    free(path);
    if (!ok || !plan_check_size(&j->sweep, opt->yes, e) || !plan_check(&j->sweep, e)) {
        return false;
    }
    dir = store_dir(&j->sweep, opt->out);
    ok = store_create(dir, &j->sweep, opt->force, NULL, e);
    j->dir = ok ? absolute(dir, e) : NULL;
    free(dir);
    return j->dir != NULL && places(j, opt, e) && make_plan(j, e) && find_todo(j, e);
}

void jobs_close(struct jobs *j)
{
    sweep_free(&j->sweep);
    free(j->program);
    free(j->file);
    free(j->dir);
    free(j->todo);
    *j = (struct jobs){0};
}
