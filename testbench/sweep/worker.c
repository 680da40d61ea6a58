#include "sweep/worker.h"

#include "base/nomem.h"
#include "io/diag.h"
#include "io/file.h"
#include "io/num.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The simulation looks at the clock itself; these are for when it does not get
 * there. */
enum { CPU_GRACE = 5 /* seconds */ };

/* Sanitizers reserve all of the address space. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMITS_MEMORY false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMITS_MEMORY false
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY true
#endif

/* ---- the child ---- */

static uint64_t address_space(void)
{
    uint64_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f != NULL) {
        if (fscanf(f, "%" SCNu64, &pages) != 1) {
            pages = 0;
        }
        fclose(f);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The smaller of what may be and what shall be. */
static void limit(int resource, uint64_t soft)
{
    struct rlimit r;

    if (getrlimit(resource, &r) == 0 &&
        (r.rlim_cur == RLIM_INFINITY || soft < r.rlim_cur)) {
        r.rlim_cur = soft;
        (void)setrlimit(resource, &r);
    }
}

static void limit_all(const struct job *j)
{
    limit(RLIMIT_CORE, 0);
    if (j->limits.seconds > 0) {
        limit(RLIMIT_CPU, (uint64_t)ceil(j->limits.seconds) + CPU_GRACE);
    }
    if (j->memory > 0 && LIMITS_MEMORY) {
        limit(RLIMIT_AS, address_space() + j->memory);
    }
}

/* Ctrl-C and a time limit of a cluster reach all processes of the group: what becomes
 * of the points that run is for the pool to say. */
static void be_deaf(void)
{
    static const int deaf[] = {SIGINT, SIGTERM, SIGUSR1, SIGQUIT, SIGPIPE, SIGXFSZ};
    sigset_t none;

    for (uint32_t i = 0; i < ARRAY_LEN(deaf); i++) {
        (void)signal(deaf[i], SIG_IGN);
    }
    (void)signal(SIGCHLD, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

struct work {
    const struct job *j;
    uint64_t index;
    int code;
};

static void try_work(void *arg)
{
    struct work *const w = arg;
    struct store_done done;
    struct smw_err e = {0};

    switch (job_run(w->j, w->index, &done, &e)) {
    case JOB_DONE: w->code = TB_OK; return;
    case JOB_STOPPED: return; /* nobody can */
    case JOB_UNWRITTEN: break;
    }
    fprintf(stderr, "smwave: error: %s\n", e.message);
    w->code = (int)diag_exit(e.kind);
}

/* The memory of the pool's process has other owners than ours. */
static int work(const struct job *j, uint64_t index)
{
    struct work w = {.j = j, .index = index, .code = TB_INTERNAL};

    if (!nomem_try(try_work, &w)) {
        fputs("smwave: out of memory\n", stderr);
    }
    return w.code;
}

static void child(const struct job *j, uint64_t index, pid_t pool, const int *pipe_fd)
{
    be_deaf();
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != pool) {
        _exit(TB_INTERNAL); /* it was gone before */
    }
    (void)dup2(pipe_fd[1], STDOUT_FILENO);
    (void)dup2(pipe_fd[1], STDERR_FILENO);
    (void)close(pipe_fd[0]);
    (void)close(pipe_fd[1]);
    limit_all(j);
    _exit(work(j, index));
}

/* ---- the parent ---- */

static bool open_pipe(int *pipe_fd)
{
    if (pipe(pipe_fd) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(pipe_fd[i], F_SETFD, FD_CLOEXEC);
    }
    (void)fcntl(pipe_fd[0], F_SETFL, O_NONBLOCK);
    return true;
}

pid_t worker_start(const struct job *j, uint64_t index, int *say, struct smw_err *e)
{
    pid_t pool = getpid(), pid;
    sigset_t all, old;
    int pipe_fd[2];

    if (!open_pipe(pipe_fd)) {
        err_set(e, SMW_ERR_IO, "no pipe to a worker: %s", strerror(errno));
        return -1;
    }
    fflush(NULL);
    (void)sigfillset(&all); /* until the child has put off the pool's handlers */
    (void)sigprocmask(SIG_SETMASK, &all, &old);
    pid = fork();
    if (pid == 0) {
        child(j, index, pool, pipe_fd);
    }
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    (void)close(pipe_fd[1]);
    if (pid < 0) {
        err_set(e, SMW_ERR_IO, "no process for a worker: %s", strerror(errno));
        (void)close(pipe_fd[0]);
        return -1;
    }
    *say = pipe_fd[0];
    return pid;
}

/* The first line that says something, without what stands in front of all of them. */
static void first_line(const char *said, char *line, size_t size)
{
    static const char front[] = "smwave: ";

    said += strspn(said, "\n");
    if (strncmp(said, front, sizeof(front) - 1) == 0) {
        said += sizeof(front) - 1;
    }
    snprintf(line, size, "%.*s", (int)strcspn(said, "\n"), said);
}

static void memory_line(const struct job *j, char *line, size_t size)
{
    char bytes[NUM_SIZE];

    if (j->memory == 0) {
        snprintf(line, size, "out of memory");
        return;
    }
    num_size(j->memory, bytes);
    snprintf(line, size, "more than %s of memory", bytes);
}

void worker_judge(const struct worker_end *w, const struct job *j, struct store_done *d)
{
    bool killed = WIFSIGNALED(w->status);
    int sig = killed ? WTERMSIG(w->status) : 0;

    d->status = STORE_FAILED;
    d->host = true;
    d->exit = killed ? 128 + sig : WEXITSTATUS(w->status);
    if (w->overdue || sig == SIGXCPU) {
        point_out_of_time(d, j->limits.seconds);
    } else if (strstr(w->said, "out of memory") != NULL) {
        d->cause = CAUSE_MEMORY;
        d->exit = TB_INTERNAL;
        memory_line(j, d->error, sizeof(d->error));
    } else if (killed) {
        d->cause = CAUSE_SIGNAL;
        snprintf(d->error, sizeof(d->error), "killed by signal %d (%s)", sig,
                 strsignal(sig));
    } else {
        d->cause = d->exit == TB_IO ? CAUSE_IO : CAUSE_INTERNAL;
        d->host = d->cause == CAUSE_IO;
        first_line(w->said, d->error, sizeof(d->error));
    }
}
