#include "cmd/exec_program.h"

#include "fatbin/fatbin.h"
#include "io/file.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const uint64_t max_program = UINT64_C(4) << 30;

/* ---- where ---- */

static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static char *in_path(const char *name)
{
    const char *at = getenv("PATH");

    for (at = at != NULL ? at : "/usr/bin:/bin"; *at != '\0';) {
        size_t n = strcspn(at, ":");
        char *path = tb_printf("%.*s/%s", n > 0 ? (int)n : 1, n > 0 ? at : ".", name);

        if (is_file(path) && access(path, X_OK) == 0) {
            return path;
        }
        free(path);
        at += n + (at[n] == ':');
    }
    return NULL;
}

char *exec_find(const char *name, struct smw_err *e)
{
    char *path;

    if (strchr(name, '/') == NULL) {
        path = in_path(name);
        if (path != NULL) {
            return path;
        }
        err_set(e, SMW_ERR_INPUT, "there is no program '%s' in PATH", name);
        if (is_file(name)) {
            err_hint(e,
                     file_ends(name, ".cu") ? "'smwave run %.200s' compiles and runs it"
                                            : "did you mean './%.200s'?",
                     name);
        }
        return NULL;
    }
    if (!is_file(name)) {
        err_set(e, SMW_ERR_INPUT, "there is no program '%s'", name);
        return NULL;
    }
    if (file_ends(name, ".cu")) {
        err_set(e, SMW_ERR_INPUT, "'%s' is CUDA C, not a program", name);
        err_hint(e, "'smwave run %.200s' compiles and runs it", name);
        return NULL;
    }
    if (access(name, X_OK) != 0) {
        err_set(e, SMW_ERR_INPUT, "'%s' cannot be run: %s", name, strerror(errno));
        return NULL;
    }
    return tb_strdup(name);
}

/* ---- what ---- */

static bool has(const char *bytes, size_t n, const char *word)
{
    size_t m = strlen(word);

    for (const char *at = bytes;
         n >= m && (at = memchr(at, word[0], n - m + 1)) != NULL; at++) {
        n -= (size_t)(at - bytes);
        bytes = at;
        if (n >= m && memcmp(at, word, m) == 0) {
            return true;
        }
        if (n <= m) {
            break;
        }
        n--;
        bytes++;
    }
    return false;
}

enum exec_kind exec_look(const char *path)
{
    struct smw_err ignored = {0};
    struct fatbin fat = {0};
    enum exec_kind kind = EXEC_NO_CODE;
    size_t size = 0;
    char *bytes = file_read(path, max_program, &size, SMW_ERR_INPUT, &ignored);

    if (bytes == NULL) {
        return EXEC_NO_CODE;
    }
    if (fatbin_read_file(bytes, size, path, &fat, &ignored)) {
        /* the names of libraries that are loaded are in the file as they are */
        kind =
            has(bytes, size, "libcudart.so") || has(bytes, size, "libsmwave_cudart.so")
                ? EXEC_SHARED
                : EXEC_STATIC;
    }
    fatbin_free(&fat);
    free(bytes);
    return kind;
}

/* ---- running ---- */

static bool start(const char *path, char *const *argv, const sigset_t *mask, pid_t *pid,
                  struct smw_err *e)
{
    posix_spawnattr_t attr;
    sigset_t defaults;
    int error;

    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGINT);
    (void)sigaddset(&defaults, SIGQUIT);
    (void)posix_spawnattr_init(&attr);
    (void)posix_spawnattr_setsigdefault(&attr, &defaults);
    (void)posix_spawnattr_setsigmask(&attr, mask);
    (void)posix_spawnattr_setflags(&attr,
                                   POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn(pid, path, NULL, &attr, argv, environ);
    (void)posix_spawnattr_destroy(&attr);
    if (error == 0) {
        return true;
    }
    err_set(e, SMW_ERR_INPUT, "'%s' cannot be run: %s", path, strerror(error));
    if (error == ENOEXEC) {
        err_hint(e, "it is no program of this machine");
    }
    return false;
}

/* Until the child ends; a SIGTERM that comes meanwhile is the child's. */
static int wait_for(pid_t pid, const sigset_t *heard)
{
    int status = 0, signal = 0;

    while (waitpid(pid, &status, WNOHANG) != pid) {
        if (sigwait(heard, &signal) == 0 && signal == SIGTERM) {
            (void)kill(pid, SIGTERM);
        }
    }
    return status;
}

bool exec_run(const char *path, char *const *argv, struct exec_end *end,
              struct smw_err *e)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old_int, old_quit;
    sigset_t heard, before;
    int status;
    pid_t pid;
    bool ok;

    (void)sigemptyset(&ignore.sa_mask);
    (void)sigemptyset(&heard);
    (void)sigaddset(&heard, SIGTERM);
    (void)sigaddset(&heard, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &heard, &before);
    (void)sigaction(SIGINT, &ignore, &old_int);
    (void)sigaction(SIGQUIT, &ignore, &old_quit);
    ok = start(path, argv, &before, &pid, e);
    if (ok) {
        status = wait_for(pid, &heard);
        *end = (struct exec_end){
            .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
            .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        };
    }
    (void)sigaction(SIGINT, &old_int, NULL);
    (void)sigaction(SIGQUIT, &old_quit, NULL);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}
