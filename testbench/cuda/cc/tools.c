/* tools.c - lists of words; clang and the folder ROOT. */
#include "cc/cc.h"

#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- words ---- */

static void add_word(struct cc_words *l, char *word)
{
    if (l->n + 2 > l->capacity) {
        l->capacity = l->capacity == 0 ? 16 : 2 * l->capacity;
        l->w = tb_realloc(l->w, l->capacity * sizeof(*l->w));
    }
    l->w[l->n++] = word;
    l->w[l->n] = NULL;
}

void cc_add(struct cc_words *l, const char *fmt, ...)
{
    va_list args, again;
    char *word;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    word = tb_alloc((size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(word, (size_t)(n < 0 ? 0 : n) + 1, fmt, again);
    va_end(again);
    va_end(args);
    add_word(l, word);
}

void cc_add_all(struct cc_words *l, const struct cc_words *from)
{
    for (uint32_t i = 0; i < from->n; i++) {
        add_word(l, tb_strdup(from->w[i]));
    }
}

void cc_words_free(struct cc_words *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        free(l->w[i]);
    }
    free(l->w);
    *l = (struct cc_words){0};
}

void cc_words_quote(const struct cc_words *l, struct text *t)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+.,/:@%";

    for (uint32_t i = 0; i < l->n; i++) {
        const char *word = l->w[i];
        bool quote = word[0] == '\0' || word[strspn(word, plain)] != '\0';

        text_add(t, "%s%s", i > 0 ? " " : "", quote ? "'" : "");
        for (; *word != '\0'; word++) {
            text_add(t, *word == '\'' ? "'\\''" : "%c", *word);
        }
        text_add(t, "%s", quote ? "'" : "");
    }
}

/* ---- clang ---- */

/* The versions that are tested, the newest first; then the others that could do. */
static const char *const clangs[] = {"clang-19", "clang-16", "clang-14", "clang-18",
                                     "clang-17", "clang-15", "clang"};

enum { OLDEST = 14 };

/* The program in PATH; the caller frees. NULL: not there. */
static char *in_path(const char *name)
{
    const char *path = getenv("PATH");

    while (path != NULL && *path != '\0') {
        size_t n = strcspn(path, ":");
        char *file = tb_printf("%.*s/%s", (int)n, path, name);

        if (n > 0 && access(file, X_OK) == 0) {
            return file;
        }
        free(file);
        path += n + (path[n] == ':');
    }
    return NULL;
}

/* What "-dumpversion" prints begins with it; 0: it prints no number. */
static uint32_t major_of(const char *clang)
{
    char *const argv[] = {(char *)clang, (char *)"-dumpversion", NULL};
    posix_spawn_file_actions_t actions;
    char buf[64] = "";
    int fds[2], status = 0;
    pid_t pid;
    ssize_t n = 0;

    if (pipe(fds) != 0) {
        return 0;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    if (posix_spawn(&pid, clang, &actions, NULL, argv, environ) != 0) {
        pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    if (pid > 0) {
        n = read(fds[0], buf, sizeof(buf) - 1);
        waitpid(pid, &status, 0);
    }
    close(fds[0]);
    buf[n > 0 ? n : 0] = '\0';
    return (uint32_t)strtoul(buf, NULL, 10);
}

static bool judge_version(struct cc_tools *t, struct smw_err *e)
{
    const char *dash = strrchr(t->clang, '-');

    /* clang-14 says it in its name */
    t->major = dash != NULL ? (uint32_t)strtoul(dash + 1, NULL, 10) : 0;
    if (t->major == 0) {
        t->major = major_of(t->clang);
    }
    if (t->major < OLDEST) {
        err_set(e, SMW_ERR_USAGE, "%s: version %u is too old, or it is no clang",
                t->clang, (unsigned)t->major);
        err_hint(e, "clang 14, 16 and 19 are tested; SMWAVE_CLANG names one");
        return false;
    }
    return true;
}

bool cc_find_clang(struct cc_tools *t, struct smw_err *e)
{
    const char *said = getenv("SMWAVE_CLANG");

    if (said != NULL && *said != '\0') {
        t->clang = strchr(said, '/') != NULL ? tb_strdup(said) : in_path(said);
        if (t->clang == NULL || access(t->clang, X_OK) != 0) {
            err_set(e, SMW_ERR_USAGE, "SMWAVE_CLANG: there is no program '%s'", said);
            return false;
        }
        return judge_version(t, e);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(clangs); i++) {
        t->clang = in_path(clangs[i]);
        if (t->clang != NULL) {
            return judge_version(t, e);
        }
    }
    err_set(e, SMW_ERR_USAGE, "there is no clang in PATH, which compiles CUDA C++");
    err_hint(e, "Debian has it: apt-get install clang-19 (or clang-16, clang-14)");
    return false;
}

char *cc_find_root(struct smw_err *e)
{
    /* from the folder of the program: built, installed */
    static const char *const places[] = {"cuda", "../libexec/smwave",
                                         "../../libexec/smwave"};
    char exe[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    char *slash;

    exe[n > 0 ? n : 0] = '\0';
    slash = strrchr(exe, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    for (uint32_t i = 0; i < ARRAY_LEN(places) && slash != NULL; i++) {
        char *root = tb_printf("%s/%s", exe, places[i]);
        char *header = tb_printf("%s/include/cuda_runtime.h", root);
        char *real = access(header, R_OK) == 0 ? realpath(root, NULL) : NULL;

        free(root);
        free(header);
        if (real != NULL) {
            return real;
        }
    }
    err_set(e, SMW_ERR_INPUT, "the headers of CUDA are not where this program is (%s)",
            exe);
    err_hint(e, "they belong into cuda/include beside it or ../libexec/smwave/include");
    return NULL;
}

void cc_tools_free(struct cc_tools *t)
{
    free(t->clang);
    free(t->root);
    *t = (struct cc_tools){0};
}
