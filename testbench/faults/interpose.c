/*
 * interpose.c - an object for LD_PRELOAD that makes one call of a program fail: the
 * n-th of a kind, over the program and the processes that it forks. Test only; Linux
 * and glibc.
 *
 * FAULTS_STATE names a file of sizeof(struct state) bytes, which all of them map: who
 * calls writes kind and nth into it, and reads from it how many calls of each kind
 * there were and what failed. Nothing fails and nothing is counted before the
 * program's own constructors. FAULTS_WHERE, if set, has the stack of the call that
 * fails printed.
 *
 * Allocations, processes and threads are functions defined here. Files are system
 * calls, since the C library makes most of them without asking for a symbol: a filter
 * (seccomp(2)) raises SIGSYS at each, whose handler counts it and either makes the
 * call, with a mark that lets it pass, or fails it. So SIGSYS is never blocked, and
 * the program must start no other: the filter would stay, the handler would not.
 * Reading, writing and closing fail for plain files and standard output only.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum kind { /* faults.py has the same list */
            NONE,
            ALLOCATE,
            FORK, /* and threads */
            OPEN,
            READ,
            WRITE,
            SHORT, /* a write that writes half of it; as WRITE */
            RENAME,
            MKDIR,
            CLOSE, /* it is closed, and says that it failed */
            CLASSES
};

struct state {
    uint64_t kind, nth; /* nth of the kind fails; 0: none does */
    uint64_t fired;
    int64_t live; /* allocations of the first process not freed at its end */
    atomic_uint_fast64_t count[CLASSES];
    char what[64]; /* that failed */
};

static const int error_of[CLASSES] = {
    [ALLOCATE] = ENOMEM, [FORK] = EAGAIN, [OPEN] = EMFILE,  [READ] = EIO,
    [WRITE] = ENOSPC,    [RENAME] = EIO,  [MKDIR] = EACCES, [CLOSE] = EIO,
};

/* A system call with this as its last argument, which none of them has, is ours. */
enum { MARK = 0x5a17c0de, ARGUMENTS = 6 };

static const struct {
    int number;
    enum kind kind;
    const char *name;
} calls[] = {
#ifdef SYS_open
    {SYS_open, OPEN, "open"},
#endif
    {SYS_openat, OPEN, "openat"},
    {SYS_read, READ, "read"},
    {SYS_readv, READ, "readv"},
    {SYS_pread64, READ, "pread64"},
    {SYS_write, WRITE, "write"},
    {SYS_writev, WRITE, "writev"},
    {SYS_pwrite64, WRITE, "pwrite64"},
    {SYS_ftruncate, WRITE, "ftruncate"},
    {SYS_fsync, WRITE, "fsync"},
    {SYS_fdatasync, WRITE, "fdatasync"},
#ifdef SYS_rename
    {SYS_rename, RENAME, "rename"},
#endif
#ifdef SYS_renameat
    {SYS_renameat, RENAME, "renameat"},
#endif
    {SYS_renameat2, RENAME, "renameat2"},
#ifdef SYS_mkdir
    {SYS_mkdir, MKDIR, "mkdir"},
#endif
    {SYS_mkdirat, MKDIR, "mkdirat"},
    {SYS_close, CLOSE, "close"},
};

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

static struct state *state; /* NULL: not yet, or not asked for */
static atomic_int_fast64_t live;
static pid_t first;

/* ---- what fails ---- */

/* In a library that does not look whether it got its memory, which no caller can help;
 * what callers do against it is in yaml.c. */
static _Thread_local int careless;

static void tell(const char *name)
{
    void *stack[48];

    state->fired = 1;
    strncpy(state->what, name, sizeof(state->what) - 1);
    if (getenv("FAULTS_WHERE") != NULL) {
        backtrace_symbols_fd(stack, backtrace(stack, 48), STDERR_FILENO);
    }
}

static int fails(enum kind kind, const char *name)
{
    uint64_t n;

    if (state == NULL || (kind == ALLOCATE && careless != 0)) {
        return 0;
    }
    n = atomic_fetch_add(&state->count[kind], 1) + 1;
    if (state->kind != kind || state->nth != n) {
        return 0;
    }
    tell(name);
    errno = error_of[kind];
    return 1;
}

/* ---- allocations ---- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

static void *keep(void *p)
{
    if (p != NULL && state != NULL) {
        atomic_fetch_add(&live, 1);
    }
    return p;
}

void *malloc(size_t n)
{
    return fails(ALLOCATE, "malloc") ? NULL : keep(__libc_malloc(n));
}

void *calloc(size_t n, size_t size)
{
    return fails(ALLOCATE, "calloc") ? NULL : keep(__libc_calloc(n, size));
}

void *realloc(void *p, size_t n)
{
    void *new;

    if (fails(ALLOCATE, "realloc")) {
        return NULL;
    }
    new = __libc_realloc(p, n);
    return p == NULL ? keep(new) : new;
}

void *aligned_alloc(size_t align, size_t n)
{
    return fails(ALLOCATE, "aligned_alloc") ? NULL : keep(__libc_memalign(align, n));
}

void *memalign(size_t align, size_t n);
void *memalign(size_t align, size_t n)
{
    return fails(ALLOCATE, "memalign") ? NULL : keep(__libc_memalign(align, n));
}

int posix_memalign(void **p, size_t align, size_t n)
{
    void *new = fails(ALLOCATE, "posix_memalign") ? NULL : __libc_memalign(align, n);

    if (new == NULL) {
        return ENOMEM;
    }
    *p = keep(new);
    return 0;
}

void free(void *p)
{
    if (p != NULL && state != NULL) {
        atomic_fetch_sub(&live, 1);
    }
    __libc_free(p);
}

/* ---- functions ---- */

static struct {
    void *(*mmap)(void *at, size_t n, int protection, int flags, int fd, off_t offset);
    pid_t (*fork)(void);
    int (*pthread_create)(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
    int (*sigprocmask)(int how, const sigset_t *set, sigset_t *old);
    int (*pthread_sigmask)(int how, const sigset_t *set, sigset_t *old);
    int (*sigaction)(int signum, const struct sigaction *on, struct sigaction *old);
    int (*fy_parser_set_string)(void *parser, const char *s, size_t n);
} next;

static void find(void *function, const char *name)
{
    void *const found = dlsym(RTLD_NEXT, name);

    memcpy(function, &found, sizeof(found));
}

static void find_all(void)
{
    find(&next.mmap, "mmap");
    find(&next.fork, "fork");
    find(&next.pthread_create, "pthread_create");
    find(&next.sigprocmask, "sigprocmask");
    find(&next.pthread_sigmask, "pthread_sigmask");
    find(&next.sigaction, "sigaction");
    find(&next.fy_parser_set_string, "fy_parser_set_string");
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) != 0 && fails(ALLOCATE, "mmap")) {
        return MAP_FAILED;
    }
    if (next.mmap == NULL) {
        find_all();
    }
    return next.mmap(at, n, protection, flags, fd, offset);
}

pid_t fork(void)
{
    return fails(FORK, "fork") ? -1 : next.fork();
}

int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                   void *arg)
{
    return fails(FORK, "pthread_create") ? EAGAIN : next.pthread_create(t, a, fn, arg);
}

/* Of libfyaml. */
int fy_parser_set_string(void *parser, const char *s, size_t n);
int fy_parser_set_string(void *parser, const char *s, size_t n)
{
    int result;

    careless++;
    result = next.fy_parser_set_string(parser, s, n);
    careless--;
    return result;
}

static const sigset_t *without_sigsys(const sigset_t *set, sigset_t *copy)
{
    if (set == NULL) {
        return NULL;
    }
    *copy = *set;
    (void)sigdelset(copy, SIGSYS);
    return copy;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    return next.sigprocmask(how, without_sigsys(set, &copy), old);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    return next.pthread_sigmask(how, without_sigsys(set, &copy), old);
}

int sigaction(int signum, const struct sigaction *on, struct sigaction *old)
{
    struct sigaction copy;

    if (on == NULL) {
        return next.sigaction(signum, NULL, old);
    }
    copy = *on;
    (void)sigdelset(&copy.sa_mask, SIGSYS);
    return next.sigaction(signum, &copy, old);
}

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
static const int registers[ARGUMENTS] = {REG_RDI, REG_RSI, REG_RDX,
                                         REG_R10, REG_R8,  REG_R9};
#define REGISTER(c, i) ((c)->uc_mcontext.gregs[registers[i]])
#define RESULT(c)      ((c)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCHITECTURE   AUDIT_ARCH_AARCH64
#define REGISTER(c, i) ((c)->uc_mcontext.regs[i])
#define RESULT(c)      ((c)->uc_mcontext.regs[0])
#else
#error "which registers hold the arguments of a system call?"
#endif

static long make(int number, const long *a)
{
    long result = syscall(number, a[0], a[1], a[2], a[3], a[4], (long)MARK);

    return result < 0 ? -(long)errno : result;
}

/* Pipes and event counters between parts of a program do not fail like disks; standard
 * output may be anything. */
static int may_fail(enum kind kind, int fd)
{
    struct stat st;

    switch (kind) {
    case READ:
    case WRITE:
    case CLOSE:
        return fd == STDOUT_FILENO || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode));
    default: return 1;
    }
}

static long do_call(int i, long *a)
{
    const int number = calls[i].number;
    const enum kind kind = calls[i].kind;

    if (!may_fail(kind, (int)a[0])) {
        return make(number, a);
    }
    if (fails(kind, calls[i].name)) {
        if (kind == CLOSE) {
            (void)make(number, a);
        }
        return -error_of[kind];
    }
    if (number == SYS_write && a[2] > 1 && fails(SHORT, "write")) {
        a[2] /= 2;
    }
    return make(number, a);
}

static void on_sigsys(int signum, siginfo_t *info, void *context)
{
    ucontext_t *const c = context;
    const int before = errno;
    long a[ARGUMENTS];

    (void)signum;
    for (int i = 0; i < ARGUMENTS; i++) {
        a[i] = (long)REGISTER(c, i);
    }
    for (int i = 0; i < CALLS; i++) {
        if (calls[i].number == info->si_syscall) {
            RESULT(c) = do_call(i, a);
            break;
        }
    }
    errno = before;
}

static int filter(void)
{
    /* Little-endian: the lower half of an argument comes first. */
    enum { HEAD = 4, TAIL = 5 };
    struct sock_filter f[HEAD + CALLS + TAIL] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_filter *const tail = f + HEAD + CALLS;
    const struct sock_fprog program = {HEAD + CALLS + TAIL, f};

    for (int i = 0; i < CALLS; i++) {
        f[HEAD + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                   (uint32_t)calls[i].number,
                                                   (uint8_t)(CALLS - i), 0);
    }
    tail[0] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    tail[1] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, args[5]));
    tail[2] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MARK, 0, 1);
    tail[3] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    tail[4] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return -1;
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* ---- the beginning and the end ---- */

__attribute__((constructor)) static void begin(void)
{
    const char *const path = getenv("FAULTS_STATE");
    const struct sigaction on = {.sa_sigaction = on_sigsys,
                                 .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    void *stack[4], *at;
    int fd;

    find_all();
    fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    at = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    (void)backtrace(stack, 4); /* it allocates, once */
    if (at == MAP_FAILED || sigaction(SIGSYS, &on, NULL) != 0 || filter() != 0) {
        static const char words[] = "interpose: it cannot be done here\n";

        (void)!write(STDERR_FILENO, words, sizeof(words) - 1);
        _exit(99);
    }
    first = getpid();
    state = at;
}

__attribute__((destructor)) static void end(void)
{
    if (state != NULL && getpid() == first) {
        state->live = atomic_load(&live);
    }
}
