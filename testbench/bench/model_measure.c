#include "model_measure.h"

#include "base/err.h"
#include "run/team.h"
#include "smwave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 1024, TEXT = 1 << 20, PARAMS = 8 * PLAN_BUFFERS + 4 * PLAN_SCALARS };

/* The simulation loop, by a name that callgrind can be told: called through a pointer
 * that the compiler must believe to change, it is a function of its own in any
 * build. */
bool bench_loop(struct smw_device *d, struct smw_err *e);

bool bench_loop(struct smw_device *d, struct smw_err *e)
{
    return smw_synchronize(d, e);
}

extern char **environ; /* POSIX leaves it to the program */

static bool (*volatile const loop)(struct smw_device *, struct smw_err *) = bench_loop;

struct text {
    char *bytes;
    size_t size;
};

/* Seconds: of the processor, which others on the machine disturb less; of the wall
 * where several processors work for the row. */
static double now(const struct row *r)
{
    struct timespec t;

    clock_gettime(r->threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void die(const struct row *r, const char *text)
{
    fprintf(stderr, "model_bench: %s: %s\n", r->name, text);
    exit(1);
}

static struct text read_text(const struct row *r, const char *dir)
{
    struct text text = {malloc(TEXT), 0};
    char path[PATH];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/%s", dir, r->work->file);
    f = fopen(path, "rb");
    if (f == NULL || text.bytes == NULL) {
        perror(path);
        exit(7);
    }
    text.size = fread(text.bytes, 1, TEXT, f);
    fclose(f);
    return text;
}

static struct smw_config *configure(const struct row *r)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e;

    err_clear(&e);
    if (!smw_config_preset(c, r->preset, &e) ||
        (!r->all_sms && !smw_config_set(c, "gpu.sms", "1", &e))) {
        die(r, e.message);
    }
    return c;
}

static uint32_t count_sms(const struct row *r)
{
    struct smw_config *c = configure(r);
    char text[32];

    if (!smw_config_show(c, "gpu.sms", text, sizeof(text))) {
        die(r, "no gpu.sms");
    }
    smw_config_free(c);
    return (uint32_t)strtoul(text, NULL, 10);
}

/* Buffers and parameters on the device; the addresses go to addr. */
static void prepare(const struct row *r, const struct plan *p, struct smw_device *d,
                    uint64_t *addr, unsigned char *params)
{
    uint32_t at = 0;
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        const struct plan_buffer *b = &p->buffers[i];

        if (!smw_alloc(d, 4ull * b->words, &addr[i], &e) ||
            (b->init != NULL && !smw_write(d, addr[i], b->init, 4ull * b->words, &e))) {
            die(r, e.message);
        }
        memcpy(params + at, &addr[i], 8);
        at += 8;
    }
    memcpy(params + at, p->scalars, 4 * p->n_scalars);
}

static void launch(const struct row *r, const struct plan *p, struct smw_device *d,
                   const struct text *text, const unsigned char *params)
{
    struct smw_launch l = {.grid = {p->grid[0], p->grid[1], 1},
                           .block = {p->block[0], p->block[1], 1},
                           .shared = p->shared,
                           .params = params,
                           .param_bytes = 8 * p->n_buffers + 4 * p->n_scalars};
    const struct smw_kernel *k;
    struct smw_module *m;
    struct smw_err e;

    err_clear(&e);
    m = smw_load(d, text->bytes, text->size, r->work->file, &e);
    k = m == NULL ? NULL : smw_kernel(m, r->work->kernel, &e);
    if (k == NULL) {
        die(r, e.message);
    }
    for (uint32_t i = 0; i < p->launches; i++) {
        if (!smw_launch(d, k, &l, &e)) {
            die(r, e.message);
        }
    }
}

static void check_answer(const struct row *r, const struct plan *p,
                         struct smw_device *d, const uint64_t *addr)
{
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        const struct plan_buffer *b = &p->buffers[i];

        for (uint32_t k = 0; b->want != NULL && k < b->words; k++) {
            uint32_t got;

            if (!smw_read(d, addr[i] + 4ull * k, &got, 4, &e)) {
                die(r, e.message);
            }
            if (got != b->want[k]) {
                fprintf(stderr,
                        "model_bench: %s: word %u of buffer %u is %08x, not %08x\n",
                        r->name, k, i, got, b->want[k]);
                exit(1);
            }
        }
    }
}

static void run_once(const struct row *r, const struct plan *p, const struct text *text,
                     const struct team *team, double *seconds, struct measured *m)
{
    struct smw_options opt = {.check = SMW_CHECK_FAST,
                              .stalls = r->stalls,
                              .team = team_of(team)};
    uint64_t addr[PLAN_BUFFERS];
    unsigned char params[PARAMS];
    struct smw_progress progress;
    double start = now(r), first;
    struct smw_config *c = configure(r);
    struct smw_device *d;
    struct smw_err e;

    err_clear(&e);
    d = smw_open(c, &opt, &e);
    if (d == NULL) {
        die(r, e.message);
    }
    prepare(r, p, d, addr, params);
    launch(r, p, d, text, params);
    first = now(r);
    if (!loop(d, &e)) {
        die(r, e.message);
    }
    *seconds = now(r) - first;
    m->startup = first - start;
    check_answer(r, p, d, addr);
    smw_progress(d, &progress);
    m->warp_insts = progress.warp_insts;
    m->thread_insts = progress.thread_insts;
    m->cycles = progress.cycles;
    m->activations = progress.activations;
    smw_close(d);
    smw_config_free(c);
}

/* VmHWM: the most this process ever had in memory. */
static uint64_t peak_bytes(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    unsigned long long kb = 0;
    char line[256];

    while (f != NULL && kb == 0 && fgets(line, sizeof(line), f) != NULL) {
        (void)sscanf(line, "VmHWM: %llu", &kb);
    }
    if (f != NULL) {
        fclose(f);
    }
    return kb * 1024;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

void measure_here(const struct row *r, const char *dir, uint32_t runs,
                  struct measured *m)
{
    struct text text = read_text(r, dir);
    double seconds[MEASURE_RUNS], startup = 0;
    struct team *team = NULL;
    struct plan p;
    struct smw_err e;

    err_clear(&e);
    memset(m, 0, sizeof(*m));
    if (r->threads > 1 && (team = team_open(r->threads, &e)) == NULL) {
        die(r, e.message);
    }
    plan_fill(&p, r, count_sms(r));
    for (uint32_t i = 0; i < runs; i++) {
        run_once(r, &p, &text, team, &seconds[i], m);
        if (i == 0) {
            startup = m->startup;
        }
    }
    qsort(seconds, runs, sizeof(seconds[0]), by_value);
    m->best = seconds[0];
    m->median = seconds[runs / 2];
    m->startup = startup;
    m->peak = peak_bytes();
    m->buffers = plan_bytes(&p);
    m->elements = p.elements;
    team_close(team);
    plan_free(&p);
    free(text.bytes);
}

bool measure_row(const struct row *r, const char *dir, uint32_t runs,
                 struct measured *m)
{
    int ends[2], status = 0;
    ssize_t got;
    pid_t child;

    fflush(NULL);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("model_bench");
        return false;
    }
    if (child == 0) {
        measure_here(r, dir, runs, m);
        _exit(write(ends[1], m, sizeof(*m)) == (ssize_t)sizeof(*m) ? 0 : 7);
    }
    close(ends[1]);
    got = read(ends[0], m, sizeof(*m)); /* less than a pipe holds: in one piece */
    close(ends[0]);
    if (waitpid(child, &status, 0) == child && status == 0 &&
        got == (ssize_t)sizeof(*m)) {
        return true;
    }
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "model_bench: %s: died of signal %d\n", r->name,
                WTERMSIG(status));
    }
    return false;
}

/* In the child: become callgrind running this program once; its log goes to fd. */
static void become_callgrind(const struct row *r, const char *dir, const char *program,
                             int fd)
{
    char log[32], size[16], pattern[ROW_NAME];
    const char *argv[] = {"valgrind",
                          "--tool=callgrind",
                          "--toggle-collect=bench_loop",
                          "--callgrind-out-file=/dev/null",
                          log,
                          program,
                          "-1",
                          r->stalls ? "-s" : "-1",
                          "-e",
                          size,
                          "-r",
                          pattern,
                          dir,
                          NULL};
    /* Nothing of the environment reaches the count. */
    static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", locale[] = "LC_ALL=C";
    char *env[] = {path, locale, NULL};

    (void)snprintf(log, sizeof(log), "--log-fd=%d", fd);
    (void)snprintf(size, sizeof(size), "%u", r->log2);
    (void)snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(r->name, " "),
                   r->name);
    environ = env;
    /* execvp changes none of the strings: the cast is for its old signature. */
    execvp(argv[0], (char *const *)argv);
    perror("valgrind");
    _exit(127);
}

uint64_t measure_insts(const struct row *r, const char *dir, const char *program)
{
    unsigned long long insts = 0;
    int ends[2], status = 0;
    char line[256];
    pid_t child;
    FILE *log;

    fflush(NULL);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("model_bench");
        return 0;
    }
    if (child == 0) {
        become_callgrind(r, dir, program, ends[1]);
    }
    close(ends[1]);
    log = fdopen(ends[0], "r");
    while (log != NULL && fgets(line, sizeof(line), log) != NULL) {
        const char *found = strstr(line, "Collected : ");

        if (found != NULL) {
            insts = strtoull(found + strlen("Collected : "), NULL, 10);
        }
    }
    if (log != NULL) {
        fclose(log);
    }
    if (waitpid(child, &status, 0) != child || status != 0 || insts == 0) {
        fprintf(stderr, "model_bench: %s: callgrind counted nothing\n", r->name);
        return 0;
    }
    return insts;
}
