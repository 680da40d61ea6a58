/* run.c - the steps of a plan, printed or carried out. */
#include "cc/cc.h"

#include "fatbin/fatbin.h"
#include "io/diag.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_TEXT = 1 << 28 };

/* ---- printing ---- */

void cc_plan_environment(const struct cc_tools *t, FILE *f)
{
    fprintf(f, "#$ _THERE_=%s/bin\n", t->root);
    fprintf(f, "#$ TOP=%s\n", t->root);
    fprintf(f, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", t->root);
    fprintf(f, "#$ PATH=%s/bin:%s\n", t->root, getenv("PATH") ? getenv("PATH") : "");
    fprintf(f, "#$ INCLUDES=\"-I%s/include\"\n", t->root);
    fprintf(f, "#$ LIBRARIES=\"-L%s/lib64\"\n", t->root);
}

void cc_step_print(const struct cc_step *s, FILE *f)
{
    struct text t = {0};

    switch (s->kind) {
    case CC_RUN: cc_words_quote(&s->words, &t); break;
    case CC_REPAIR: text_add(&t, "smwave-repair %s -o %s", s->in, s->out); break;
    case CC_MARK: text_add(&t, "smwave-clusters %s", s->in); break;
    case CC_FINISH:
        text_add(&t, "smwave-finish %s -o %s", s->in, s->out);
        if (s->target[0].number > 0) {
            text_add(&t, " -arch compute_%u%s", (unsigned)s->target[0].number,
                     s->target[0].suffix ? "a" : "");
        }
        if (s->max_regs > 0) {
            text_add(&t, " -maxnreg %u", (unsigned)s->max_regs);
        }
        break;
    case CC_PACK:
        text_add(&t, "smwave-pack ");
        cc_words_quote(&s->words, &t);
        text_add(&t, " -o %s", s->out);
        for (uint32_t i = 0; i < s->words.n; i++) {
            text_add(&t, " -arch compute_%u%s", (unsigned)s->target[i].number,
                     s->target[i].suffix ? "a" : "");
        }
        break;
    case CC_REGISTER: text_add(&t, "smwave-register %s -o %s", s->in, s->out); break;
    }
    fprintf(f, "#$ %s\n", t.s);
    text_free(&t);
}

/* ---- commands ---- */

/* What they say on standard error is passed on, and explained once. */
static void pass_on(int fd, char **explained)
{
    FILE *f = fdopen(fd, "r");
    char *line = NULL;
    size_t capacity = 0;

    if (f == NULL) {
        close(fd);
        return;
    }
    while (getline(&line, &capacity, f) > 0) {
        fputs(line, stderr);
        if (*explained == NULL) {
            *explained = cc_explain(line);
        }
    }
    free(line);
    fclose(f);
}

static int wait_for(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return TB_IO;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int spawn(const struct cc_words *w)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t interrupt;
    char *explained = NULL;
    int fds[2], error, code = TB_IO;
    pid_t pid;

    if (pipe(fds) != 0) {
        return TB_IO;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    posix_spawnattr_init(&attr);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    posix_spawnattr_setsigdefault(&attr, &interrupt);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    fflush(NULL);
    error = posix_spawnp(&pid, w->w[0], &actions, &attr, w->w, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    if (error != 0) {
        close(fds[0]);
        fprintf(stderr, "smwave cc: error: %s: %s\n", w->w[0], strerror(error));
        return TB_IO;
    }
    pass_on(fds[0], &explained);
    code = wait_for(pid);
    if (code != 0 && explained != NULL) {
        diag_hint("%s", explained);
    }
    free(explained);
    return code;
}

/* ---- our own steps ---- */

static char *changed(const struct cc_step *s, const char *text)
{
    switch (s->kind) {
    case CC_REPAIR: {
        char *source = cc_source_repair(text);
        char *line = tb_printf("#line 1 \"%s\"\n%s", s->in, source);

        free(source);
        return line;
    }
    case CC_FINISH: return cc_ptx_finish(text, s->target[0], s->max_regs);
    case CC_REGISTER: return cc_asm_register(text);
    case CC_RUN:
    case CC_MARK:
    case CC_PACK: break;
    }
    return tb_strdup(text);
}

static bool change(const struct cc_step *s, struct smw_err *e)
{
    size_t size;
    char *text = file_read(s->in, MAX_TEXT, &size, SMW_ERR_INPUT, e), *out;
    bool ok;

    if (text == NULL) {
        return false;
    }
    out = changed(s, text);
    ok = file_write(s->out, out, strlen(out), e);
    free(out);
    free(text);
    return ok;
}

/* ".version 7.8" is 78; 0: it is not there. */
static uint32_t version_in(const char *ptx)
{
    const char *at = strstr(ptx, "\n.version ");
    unsigned major = 0, minor = 0;

    return at != NULL && sscanf(at, "\n.version %u.%u", &major, &minor) == 2
               ? 10 * major + minor
               : 0;
}

static bool pack(const struct cc_step *s, struct smw_err *e)
{
    struct fatbin_source source[CC_MAX_TARGETS] = {{0}};
    char *text[CC_MAX_TARGETS] = {0};
    void *bytes = NULL;
    size_t size;
    bool ok = true;

    for (uint32_t i = 0; i < s->words.n && ok; i++) {
        text[i] = file_read(s->words.w[i], MAX_TEXT, &size, SMW_ERR_INPUT, e);
        ok = text[i] != NULL;
        if (ok) {
            source[i] = (struct fatbin_source){.kind = FATBIN_PTX,
                                               .packing = FATBIN_PLAIN,
                                               .data = text[i],
                                               .size = size,
                                               .target = s->target[i].number,
                                               .suffix = s->target[i].suffix,
                                               .ptx = version_in(text[i])};
        }
    }
    ok = ok && fatbin_write(source, s->words.n, &bytes, &size, e) &&
         file_write(s->out, bytes, size, e);
    for (uint32_t i = 0; i < s->words.n; i++) {
        free(text[i]);
    }
    free(bytes);
    return ok;
}

/* What clang has no attribute for, it tells in its IR: one more pass, for sources that
 * have clusters only. */
static int mark(const struct cc_step *s, bool verbose)
{
    struct smw_err e = {0};
    size_t size;
    char *ptx = file_read(s->in, MAX_TEXT, &size, SMW_ERR_INPUT, &e), *ir, *out;
    int code = 0;

    if (ptx == NULL || !cc_ptx_is_marked(ptx)) {
        free(ptx);
        return (int)diag_exit(e.kind) == 0 ? 0 : (int)diag_error(&e);
    }
    if (verbose) {
        struct text t = {0};

        cc_words_quote(&s->words, &t);
        fprintf(stderr, "#$ %s\n", t.s);
        text_free(&t);
    }
    code = spawn(&s->words);
    if (code == 0) {
        ir = file_read(s->out, MAX_TEXT, &size, SMW_ERR_INPUT, &e);
        out = ir == NULL ? NULL : cc_ptx_mark(ptx, ir, &e);
        if (out == NULL || !file_write(s->in, out, strlen(out), &e)) {
            unlink(s->in); /* it would not be what the source says */
            code = (int)diag_error(&e);
        }
        free(out);
        free(ir);
    }
    free(ptx);
    return code;
}

static int take(const struct cc_step *s, bool verbose)
{
    struct smw_err e = {0};
    bool ok = false;

    switch (s->kind) {
    case CC_RUN: return spawn(&s->words);
    case CC_MARK: return mark(s, verbose);
    case CC_PACK: ok = pack(s, &e); break;
    case CC_REPAIR:
    case CC_FINISH:
    case CC_REGISTER: ok = change(s, &e); break;
    }
    return ok ? 0 : (int)diag_error(&e);
}

int cc_run(const struct cc_plan *p, const struct cc_options *o)
{
    void (*before)(int) = signal(SIGINT, SIG_IGN); /* commands end, we clean up */
    int code = 0;

    for (uint32_t i = 0; i < p->n && code == 0; i++) {
        if (o->verbose || o->dry) {
            cc_step_print(&p->step[i], stderr);
        }
        if (!o->dry) {
            code = take(&p->step[i], o->verbose);
        }
    }
    for (uint32_t i = 0; i < p->made.n && !o->dry && !o->keep; i++) {
        unlink(p->made.w[i]);
    }
    signal(SIGINT, before);
    return code;
}
