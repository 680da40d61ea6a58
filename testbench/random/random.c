/*
 * smwave_random - random valid PTX programs, through the model and through an
 * interpreter that was written apart from it; every byte of memory must agree.
 */
#include "cover.h"
#include "gen.h"
#include "shrink.h"
#include "trial.h"
#include <argp.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_FAILED = 20, MAX_THREADS = 64 };

struct options {
    uint64_t count, seed, report, threads;
    bool shrink, show, cover, functional;
    const char *keep, *plant, *preset, *file, *order;
    uint32_t groups, without; /* enum gen_group */
};

/* What the threads share. They take a batch of seeds each, so that what a device sees
 * does not depend on their number. */
struct crew {
    const struct options *o;
    pthread_mutex_t lock; /* of what follows and of the output */
    uint64_t next;        /* programs that someone has taken */
    uint64_t done, failed;
    bool broken; /* no memory, no file */
    struct trial_totals sum;
    struct cover *cover; /* NULL: not wanted */
};

enum {
    KEY_SHRINK = 256,
    KEY_KEEP,
    KEY_PLANT,
    KEY_PRESET,
    KEY_SHOW,
    KEY_REPORT,
    KEY_COVER,
    KEY_FILE,
    KEY_ORDER,
    KEY_FUNCTIONAL,
    KEY_GROUP,
    KEY_WITHOUT
};

static const struct argp_option option_table[] = {
    {"count", 'n', "COUNT", 0, "programs to run (default 1000)", 0},
    {"threads", 'j', "N", 0, "threads that share the work (default 1)", 0},
    {"seed", 's', "SEED", 0, "seed of the first; each further one adds 1 (default 1)",
     0},
    {"shrink", KEY_SHRINK, NULL, 0, "make a program that fails smaller", 0},
    {"keep", KEY_KEEP, "DIR", 0, "write programs that fail to DIR", 0},
    {"plant", KEY_PLANT, "OP", 0, "let the interpreter get instruction OP wrong", 0},
    {"preset", KEY_PRESET, "NAME", 0, "all that can be on this device", 0},
    {"order", KEY_ORDER, "ORDER", 0, "ptx.schedule: assembler (default) or as_written",
     0},
    {"functional", KEY_FUNCTIONAL, NULL, 0,
     "run each program a second time, without time: the same memory and counts", 0},
    {"group", KEY_GROUP, "GROUP", 0,
     "instructions that every program has: " GEN_GROUP_NAMES, 0},
    {"without", KEY_WITHOUT, "GROUP", 0, "instructions that no program has by chance",
     0},
    {"file", KEY_FILE, "FILE.ptx", 0, "this text instead of the seed's own", 0},
    {"show", KEY_SHOW, NULL, 0, "print the programs and run nothing", 0},
    {"cover", KEY_COVER, NULL, 0, "print what the programs had in them, and what not",
     0},
    {"report", KEY_REPORT, "N", 0, "say after every N programs how far it is", 0},
    {0}};

static bool to_number(const char *s, uint64_t *v)
{
    char *end;

    *v = strtoull(s, &end, 0);
    return *s != '\0' && *s != '-' && *end == '\0';
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    bool ok = true;

    switch (key) {
    case 'n': ok = to_number(arg, &o->count); break;
    case 's': ok = to_number(arg, &o->seed); break;
    case 'j':
        ok = to_number(arg, &o->threads) && o->threads > 0 && o->threads <= MAX_THREADS;
        break;
    case KEY_COVER: o->cover = true; break;
    case KEY_REPORT: ok = to_number(arg, &o->report); break;
    case KEY_SHRINK: o->shrink = true; break;
    case KEY_KEEP: o->keep = arg; break;
    case KEY_PLANT: o->plant = arg; break;
    case KEY_PRESET: o->preset = arg; break;
    case KEY_FILE: o->file = arg; break;
    case KEY_GROUP:
    case KEY_WITHOUT:
        *(key == KEY_GROUP ? &o->groups : &o->without) |= gen_group_named(arg);
        if (gen_group_named(arg) == 0) {
            argp_error(state, "no group '%s': " GEN_GROUP_NAMES, arg);
        }
        break;
    case KEY_ORDER: o->order = arg; break;
    case KEY_SHOW: o->show = true; break;
    case KEY_FUNCTIONAL: o->functional = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    if (!ok) {
        argp_error(state, "'%s' is not a number, or not one for this", arg);
    }
    return 0;
}

static long most_resident_kb(void)
{
    struct rusage u;

    return getrusage(RUSAGE_SELF, &u) == 0 ? u.ru_maxrss : 0;
}

static long resident_kb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long all, resident = 0;

    if (f != NULL) {
        if (fscanf(f, "%ld %ld", &all, &resident) != 2) {
            resident = 0;
        }
        (void)fclose(f);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void report(const struct trial_totals *sum, const char *what)
{
    (void)printf("%s: %" PRIu64 " programs, %" PRIu64 " warp instructions, %" PRIu64
                 " thread instructions, %" PRIu64 " cycles, %" PRIu64
                 " devices, %ld KiB, at most %ld KiB\n",
                 what, sum->programs, sum->warp_insts, sum->thread_insts, sum->cycles,
                 sum->devices, resident_kb(), most_resident_kb());
    (void)fflush(stdout);
}

static void keep(const struct gen_program *p, const char *dir, uint64_t seed)
{
    char path[512];
    FILE *f;

    (void)snprintf(path, sizeof(path), "%s/%" PRIu64 ".ptx", dir, seed);
    f = fopen(path, "w");
    if (f == NULL || fputs(p->text, f) == EOF) {
        perror(path);
    }
    if (f != NULL && fclose(f) != 0) {
        perror(path);
    }
}

static void tell(struct trial *t, struct gen_program *p, const struct options *o,
                 uint64_t seed, uint32_t preset, enum verdict v)
{
    (void)printf("seed %" PRIu64 " on %s, grid %ux%u, block %ux%ux%u: %s\n", seed,
                 trial_preset(t, preset), p->grid[0], p->grid[1], p->block[0],
                 p->block[1], p->block[2], trial_reason(t));
    if (o->keep != NULL) {
        keep(p, o->keep, seed);
    }
    if (o->shrink && v != VERDICT_INVALID) { /* that has no smaller ones like it */
        shrink(t, p, preset, v);
        (void)printf("made smaller, grid %ux%u: %s\n", p->grid[0], p->grid[1],
                     trial_reason(t));
        (void)fputs(p->text, stdout);
    }
    (void)fflush(stdout);
}

/* The device of a seed, the same for a batch; by name if one is asked for. */
static uint32_t choose(const struct trial *t, const struct options *o, uint64_t seed)
{
    for (uint32_t i = 0; o->preset != NULL && i < trial_presets(t); i++) {
        if (strcmp(o->preset, trial_preset(t, i)) == 0) {
            return i;
        }
    }
    return (uint32_t)((seed / TRIAL_BATCH * UINT64_C(0x9e3779b97f4a7c15) >> 33) %
                      trial_presets(t));
}

/* With the seed's launch and input. */
static bool read_file(const char *path, struct gen_program *p)
{
    FILE *f = fopen(path, "r");

    if (f == NULL) {
        perror(path);
        return false;
    }
    p->n = (uint32_t)fread(p->text, 1, GEN_TEXT - 1, f);
    p->text[p->n] = '\0';
    (void)fclose(f);
    return true;
}

/* One program; false: no file. */
static bool one(struct crew *c, struct trial *t, struct gen_program *p, uint64_t seed)
{
    uint32_t preset = choose(t, c->o, seed);
    enum verdict v;

    gen_program(p, seed, c->o->groups, c->o->without);
    if (c->o->file != NULL && !read_file(c->o->file, p)) {
        return false;
    }
    if (c->o->show) {
        (void)fputs(p->text, stdout);
        return true;
    }
    if (p->clusters || p->tensors) {
        preset = trial_device(t, preset, 9.0, HUGE_VAL);
    } else if (p->spins || p->in_step) {
        preset =
            trial_device(t, preset, p->spins ? 7.0 : 0.0, p->spins ? HUGE_VAL : 7.0);
    }
    v = trial_run(t, p, preset);
    if (v == VERDICT_SAME && c->cover == NULL) {
        return true;
    }
    (void)pthread_mutex_lock(&c->lock);
    if (c->cover != NULL) {
        cover_add(c->cover, p, trial_code(t));
    }
    if (v != VERDICT_SAME) {
        c->failed++;
        tell(t, p, c->o, seed, preset, v);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return true;
}

/* The next seeds of one device, as an offset; how many. */
static uint64_t take(struct crew *c, uint64_t *first)
{
    uint64_t n = 0;

    (void)pthread_mutex_lock(&c->lock);
    *first = c->next;
    if (!c->broken && c->failed < MAX_FAILED) {
        n = TRIAL_BATCH - (c->o->seed + c->next) % TRIAL_BATCH;
        n = n < c->o->count - c->next ? n : c->o->count - c->next;
        c->next += n;
    }
    (void)pthread_mutex_unlock(&c->lock);
    return n;
}

/* n more programs are done, by one whose totals were *before. */
static void account(struct crew *c, const struct trial *t, struct trial_totals *before,
                    uint64_t n)
{
    const uint64_t every = c->o->report;
    struct trial_totals now;

    trial_totals(t, &now);
    (void)pthread_mutex_lock(&c->lock);
    c->sum.programs += now.programs - before->programs;
    c->sum.thread_insts += now.thread_insts - before->thread_insts;
    c->sum.warp_insts += now.warp_insts - before->warp_insts;
    c->sum.cycles += now.cycles - before->cycles;
    c->sum.devices += now.devices - before->devices;
    if (every != 0 && (c->done + n) / every != c->done / every) {
        report(&c->sum, "so far");
    }
    c->done += n;
    (void)pthread_mutex_unlock(&c->lock);
    *before = now;
}

static void *work(void *ctx)
{
    struct crew *c = ctx;
    struct trial *t =
        trial_new(&(struct trial_options){.plant = c->o->plant,
                                          .order = c->o->order,
                                          .functional = c->o->functional});
    struct gen_program *p = malloc(sizeof(*p));
    struct trial_totals before = {0};
    bool ok = t != NULL && p != NULL;
    uint64_t first, n;

    while (ok && (n = take(c, &first)) > 0) {
        for (uint64_t i = 0; ok && i < n; i++) {
            ok = one(c, t, p, c->o->seed + first + i);
        }
        account(c, t, &before, n);
    }
    if (!ok) {
        (void)pthread_mutex_lock(&c->lock);
        c->broken = true;
        (void)pthread_mutex_unlock(&c->lock);
    }
    trial_free(t);
    free(p);
    return NULL;
}

static void run(struct crew *c)
{
    pthread_t thread[MAX_THREADS];
    uint64_t n = 0;

    while (n + 1 < c->o->threads && pthread_create(&thread[n], NULL, work, c) == 0) {
        n++;
    }
    (void)work(c);
    while (n > 0) {
        (void)pthread_join(thread[--n], NULL);
    }
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        option_table,
        parse,
        NULL,
        "Runs random PTX programs through the model and through an "
        "independent interpreter, and compares all memory.",
        NULL,
        NULL,
        NULL};
    struct options o = {.count = 1000, .seed = 1, .threads = 1};
    struct crew c = {.o = &o, .lock = PTHREAD_MUTEX_INITIALIZER};

    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0) {
        return 2;
    }
    /* What one program frees the next one takes, without a way through the system. */
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 28);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 28);
    (void)mallopt(M_TOP_PAD, 1 << 24);
    c.cover = o.cover ? cover_new() : NULL;
    run(&c);
    if (!o.show) {
        report(&c.sum, c.failed == 0 && !c.broken ? "all agree" : "not all agree");
    }
    if (c.cover != NULL) {
        cover_print(c.cover, stdout);
        cover_free(c.cover);
    }
    return c.broken ? 70 : c.failed == 0 ? 0 : 1;
}
