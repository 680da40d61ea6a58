/*
 * fidelity.c - how far the model's time is from a device's: every launch that was
 * measured (truth.h), run again.
 *
 *   fidelity [OPTION]... [TESTBENCH_DIR]
 *     -c NAME        the configuration (h100, which is what was measured)
 *     -k KEY=VALUE   a key of it, as often as needed
 *     -t TABLE       only 'cases', 'reductions' or 'bandwidth'
 *     -s SET         only the rows that may tune the model ('tune'), or that judge; of
 *                    the table bandwidth 'l2', 'dram' or 'slow' (README)
 *     -r GLOB        only kernels whose name matches, as in 'k_copy*'
 *     -j N           processes (as many as there are processors)
 *     -e N           of the cases that may tune the model every Nth (1)
 *     -p N           an Nth of buffers of 512 MiB (16), which takes an Nth of the time
 *     -m             only the means
 *     --csv          as a table for programs
 *     --stalls       with stall reasons (needs --csv): warps stalled per issue
 *     --bounds FILE  fail if a mean or an error is above those of the file
 *
 * TESTBENCH_DIR defaults to testbench. Warm is the last launch against the median of
 * the device's later ones, cold the first launch against its first, in cycles of an SM.
 * Of bandwidth only GB/s are compared, of launches that follow one another. It fails if
 * an answer is not the device's.
 */
#include "io/file.h"
#include "io/processors.h"
#include "io/sheet.h"
#include "rerun.h"
#include "run/config.h"
#include "stream.h"

#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_ROW = 1, EXIT_USAGE = 2, EXIT_IO = 7, MAX_KEYS = 32, MAX_PROCESSES = 256 };
enum { PTX_LIMIT = 16 << 20 };

struct options {
    const char *dir, *config, *table, *set, *pattern, *bounds;
    const char *key[MAX_KEYS];
    uint32_t n_keys, processes, part, every;
    bool means_only, csv, stalls;
};

/* What all processes see: who takes which row, and what came out. */
struct shared {
    uint32_t next;
    struct rerun rerun[];
};

static const char usage[] =
    "usage: fidelity [-c CONFIG] [-k KEY=VALUE]... [-t TABLE] [-s SET]\n"
    "                [-r GLOB] [-e N] [-j N] [-m] [-p N] [--csv [--stalls]]\n"
    "                [--bounds FILE] [TESTBENCH_DIR]\n";

static _Noreturn void die(int status, const char *what)
{
    fprintf(stderr, "fidelity: %s\n", what);
    exit(status);
}

/* ---- options ---- */

static bool parse(int argc, char **argv, struct options *o)
{
    enum { CSV = 256, BOUNDS, STALLS };
    static const struct option names[] = {{"csv", no_argument, NULL, CSV},
                                          {"bounds", required_argument, NULL, BOUNDS},
                                          {"stalls", no_argument, NULL, STALLS},
                                          {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "c:e:k:t:s:r:j:mp:", names, NULL)) != -1) {
        switch (c) {
        case 'c': o->config = optarg; break;
        case 'k':
            if (o->n_keys == MAX_KEYS || strchr(optarg, '=') == NULL) {
                die(EXIT_USAGE, "-k takes KEY=VALUE, at most 32 times");
            }
            o->key[o->n_keys++] = optarg;
            break;
        case 't': o->table = optarg; break;
        case 's': o->set = optarg; break;
        case 'e': o->every = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'r': o->pattern = optarg; break;
        case 'j': o->processes = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'm': o->means_only = true; break;
        case 'p': o->part = (uint32_t)strtoul(optarg, NULL, 10); break;
        case CSV: o->csv = true; break;
        case BOUNDS: o->bounds = optarg; break;
        case STALLS: o->stalls = true; break;
        default: return false;
        }
    }
    if (optind < argc) {
        o->dir = argv[optind++];
    }
    return optind == argc && (o->csv || !o->stalls) && o->processes >= 1 &&
           o->processes <= MAX_PROCESSES && o->every >= 1 && o->part >= 1 &&
           o->part <= STREAM_MOST_PARTS;
}

static bool is_asked(const struct options *o, const struct truth_row *r)
{
    const bool thinned = strcmp(r->table, "cases") == 0 && strcmp(r->set, "tune") == 0;

    return (!thinned || r->id % o->every == 0) &&
           (o->table == NULL || strcmp(o->table, r->table) == 0) &&
           (o->set == NULL || strcmp(o->set, r->set) == 0) &&
           (o->pattern == NULL || fnmatch(o->pattern, r->kernel, 0) == 0);
}

static void keep_asked(const struct options *o, struct truth *t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n; i++) {
        if (is_asked(o, &t->row[i])) {
            t->row[n++] = t->row[i];
        }
    }
    t->n = n;
}

static struct smw_config *configure(const struct options *o)
{
    struct smw_config *const c = smw_config_new();
    struct smw_err e;
    bool ok;

    err_clear(&e);
    ok = smw_config_preset(c, o->config, &e);
    for (uint32_t i = 0; ok && i < o->n_keys; i++) {
        ok = config_override(c, o->key[i], &e);
    }
    if (!ok || !smw_config_check(c, &e)) {
        die(EXIT_USAGE, e.message);
    }
    return c;
}

/* ---- running ---- */

/* A PTX file of one of the folders; the caller frees its text. */
static char *read_ptx(const struct options *o, const char *folder, const char *name,
                      struct rerun_text *t)
{
    char *const dir = file_join(o->dir, folder);
    char *const path = file_join(dir, name);
    struct smw_err e;
    char *text;

    err_clear(&e);
    text = file_read(path, PTX_LIMIT, &t->size, SMW_ERR_IO, &e);
    if (text == NULL) {
        die(EXIT_IO, e.message);
    }
    t->text = text;
    free(path);
    free(dir);
    return text;
}

static bool is_stream(const struct truth_row *row)
{
    return strcmp(row->table, "bandwidth") == 0;
}

static void run_row(const struct options *o, const struct smw_config *config,
                    const struct truth_row *row, struct rerun *r)
{
    const bool is_kernel = strcmp(row->table, "reductions") == 0;
    struct rerun_text ptx, others = {0};
    char *const own = read_ptx(o, is_kernel ? "kernels" : "fidelity", row->ptx, &ptx);
    char *const filler =
        row->displaced ? read_ptx(o, "fidelity", "kernels.ptx", &others) : NULL;

    if (is_stream(row)) {
        stream_row(row, config, ptx.text, ptx.size, o->part, r);
    } else {
        rerun_row(row, config, ptx, others, o->stalls, r);
    }
    free(own);
    free(filler);
}

static void work(const struct options *o, const struct truth *t, struct shared *s)
{
    struct smw_config *const config = configure(o);
    uint32_t i;

    while ((i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < t->n) {
        run_row(o, config, &t->row[i], &s->rerun[i]);
    }
    smw_config_free(config);
}

/* In processes: a row that crashes costs its process, and is seen. */
static struct shared *run_all(const struct options *o, const struct truth *t)
{
    const size_t size = sizeof(struct shared) + t->n * sizeof(struct rerun);
    struct shared *const s =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (s == MAP_FAILED) {
        die(EXIT_IO, "no memory to share");
    }
    smw_config_free(configure(o)); /* what is wrong with it is said once */
    for (uint32_t p = 0; p < o->processes; p++) {
        const pid_t pid = fork();

        if (pid == 0) {
            work(o, t, s);
            _exit(0);
        }
        if (pid < 0) {
            die(EXIT_IO, "no process can be started");
        }
    }
    while (wait(NULL) > 0) {
    }
    return s;
}

/* ---- results ---- */

enum metric { WARM, COLD, INSTS, GBS, N_METRICS };

static const char *const metric_names[N_METRICS] = {"warm", "cold", "insts", "gbs"};

struct pair {
    double device, model;
};

static struct pair pair_of(const struct truth_row *row, const struct rerun *r,
                           enum metric m)
{
    switch (m) {
    case WARM: return (struct pair){row->warm, (double)r->last.cycles};
    case COLD: return (struct pair){row->cold, (double)r->first.cycles};
    case GBS: return (struct pair){row->gbs, r->gbs};
    default: return (struct pair){row->warp_insts, (double)r->first.warp_insts};
    }
}

static double error_of(struct pair p)
{
    return p.device == 0 ? 0 : 100 * (p.model / p.device - 1);
}

/* "not_selected" and so on, as in the model's counters. */
static const char *const stall_names[STALL_N] = {
#define X(name, field) [STALL_##name] = #field,
    STALL_REASONS(X)
#undef X
};

/* Of the last launch, per issue, as the device's, which are empty if they were not
 * measured: one warp is selected per issue. */
static void print_stalls(const struct truth_row *row, const struct smw_counters *c)
{
    const double n[STALL_N] = {
#define X(name, field) [STALL_##name] = (double)c->stall_##field,
        STALL_REASONS(X)
#undef X
    };

    for (enum stall why = 0; why < STALL_N; why++) {
        if (row->stall[STALL_SELECTED] == 0) {
            printf(",");
        } else {
            printf(",%.3f", row->stall[why]);
        }
        printf(",%.3f", n[why] / n[STALL_SELECTED]);
    }
}

static bool has_metric(const struct truth_row *row, enum metric m)
{
    return is_stream(row) == (m == GBS);
}

static void print_row(const struct options *o, const struct truth_row *row,
                      const struct rerun *r)
{
    char shape[32];

    (void)snprintf(shape, sizeof(shape), o->csv ? "%ux%u,%ux%u" : "%ux%u %ux%u",
                   row->grid[0], row->grid[1], row->block[0], row->block[1]);
    printf(o->csv ? "%s,%s,%u,%s,%s" : "%-10s %-5s %3u %-18s %-15s", row->table,
           row->set, row->id, row->kernel, shape);
    for (enum metric m = WARM; m < N_METRICS; m++) {
        const struct pair p = pair_of(row, r, m);

        if (has_metric(row, m)) {
            printf(o->csv ? ",%.0f,%.0f,%.1f" : " %8.0f %8.0f %+5.0f%%", p.device,
                   p.model, error_of(p));
        } else if (o->csv) {
            printf(",,,");
        }
    }
    if (o->stalls) {
        print_stalls(row, &r->last);
    }
    printf("\n");
}

static void print_head(const struct options *o, const struct truth_row *row)
{
    if (o->csv) {
        printf("table,set,id,kernel,grid,block");
    } else {
        printf("%-10s %-5s %3s %-18s %-15s", "table", "set", "id", "kernel",
               "grid block");
    }
    for (enum metric m = WARM; m < N_METRICS; m++) {
        if (o->csv || has_metric(row, m)) {
            printf(o->csv ? ",%s_device,%s_model,%s_error" : " %8s %8s  error",
                   metric_names[m], o->csv ? metric_names[m] : "model",
                   metric_names[m]);
        }
    }
    for (enum stall why = 0; o->stalls && why < STALL_N; why++) {
        printf(",stall_%s_device,stall_%s_model", stall_names[why], stall_names[why]);
    }
    printf("\n");
}

/* Bandwidth has columns of its own, and comes last. */
static void print_rows(const struct options *o, const struct truth *t,
                       const struct shared *s)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (i == 0 ||
            (!o->csv && is_stream(&t->row[i]) && !is_stream(&t->row[i - 1]))) {
            print_head(o, &t->row[i]);
        }
        if (s->rerun[i].ok) {
            print_row(o, &t->row[i], &s->rerun[i]);
        }
    }
}

struct sums {
    uint32_t n;
    double mean, worst; /* of the absolute errors, percent */
    const struct truth_row *worst_row;
};

static struct sums sum_up(const struct truth *t, const struct shared *s,
                          const char *table, const char *set, enum metric m)
{
    struct sums sum = {0};

    for (uint32_t i = 0; i < t->n; i++) {
        double error;

        if (strcmp(t->row[i].table, table) != 0 || strcmp(t->row[i].set, set) != 0 ||
            !s->rerun[i].ok || !has_metric(&t->row[i], m)) {
            continue;
        }
        error = fabs(error_of(pair_of(&t->row[i], &s->rerun[i], m)));
        sum.n++;
        sum.mean += error;
        if (error >= sum.worst) {
            sum.worst = error;
            sum.worst_row = &t->row[i];
        }
    }
    sum.mean /= sum.n == 0 ? 1 : sum.n;
    return sum;
}

static const struct {
    const char *table, *set;
} sets[] = {{"reductions", "tune"}, {"cases", "tune"},   {"cases", "judge"},
            {"bandwidth", "dram"},  {"bandwidth", "l2"}, {"bandwidth", "slow"}};

enum { N_SETS = sizeof(sets) / sizeof(sets[0]) };

static void print_means(const struct truth *t, const struct shared *s)
{
    printf("%-10s %-5s %-5s %4s  mean error  largest\n", "table", "set", "of", "rows");
    for (uint32_t i = 0; i < N_SETS; i++) {
        for (enum metric m = WARM; m < N_METRICS; m++) {
            const struct sums sum = sum_up(t, s, sets[i].table, sets[i].set, m);

            if (sum.n != 0) {
                printf("%-10s %-5s %-5s %4u  %8.1f %%  %5.0f %% %s (row %u)\n",
                       sets[i].table, sets[i].set, metric_names[m], sum.n, sum.mean,
                       sum.worst, sum.worst_row->kernel, sum.worst_row->id);
            }
        }
    }
}

/* Rows that were refused, crashed or gave a wrong answer. */
static bool all_ran(const struct truth *t, const struct shared *s)
{
    bool ok = true;

    for (uint32_t i = 0; i < t->n; i++) {
        if (!s->rerun[i].ok) {
            fprintf(stderr, "fidelity: row %u of %s, %s: %s\n", t->row[i].id,
                    t->row[i].table, t->row[i].kernel,
                    s->rerun[i].why[0] == '\0' ? "its process died" : s->rerun[i].why);
            ok = false;
        }
    }
    return ok;
}

/* ---- bounds: table,set,of,mean,largest in percent ---- */

static bool holds(const struct truth *t, const struct shared *s, struct sheet *bound)
{
    const char *const table = sheet_text(bound, "table");
    const char *const set = sheet_text(bound, "set");
    const char *const of = sheet_text(bound, "of");
    const double mean = sheet_number(bound, "mean");
    const double largest = sheet_number(bound, "largest");
    enum metric m = WARM;
    struct sums sum;

    while (m < N_METRICS && strcmp(metric_names[m], of) != 0) {
        m++;
    }
    if (m == N_METRICS) {
        err_set(bound->e, SMW_ERR_INPUT, "a bound is of warm, cold, insts or gbs");
        sheet_blame(bound, "of");
        return false;
    }
    sum = sum_up(t, s, table, set, m);
    if (sum.n != 0 && sum.mean <= mean && sum.worst <= largest) {
        return true;
    }
    fprintf(stderr,
            "fidelity: %s %s %s: %u rows, mean %.1f %%, largest %.1f %%; the bounds "
            "are %.1f and %.1f\n",
            table, set, of, sum.n, sum.mean, sum.worst, mean, largest);
    return false;
}

static bool bounds_hold(const char *path, const struct truth *t, const struct shared *s)
{
    struct smw_err e;
    struct sheet bounds;
    uint32_t n = 0;
    bool ok = true;

    err_clear(&e);
    if (!sheet_open(&bounds, path, &e)) {
        die(EXIT_IO, e.message);
    }
    for (; sheet_next(&bounds); n++) {
        ok = holds(t, s, &bounds) && ok;
    }
    if (!sheet_good(&bounds) || n == 0) {
        die(EXIT_IO, n == 0 ? "no bounds in the file" : e.message);
    }
    sheet_close(&bounds);
    return ok;
}

int main(int argc, char **argv)
{
    struct options o = {.dir = "testbench",
                        .config = "h100",
                        .part = STREAM_PART,
                        .every = 1,
                        .processes = processors()};
    struct truth t;
    struct shared *s;
    struct smw_err e;
    bool ok;

    if (!parse(argc, argv, &o)) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    err_clear(&e);
    if (!truth_read(&t, o.dir, &e)) {
        die(EXIT_IO, e.message);
    }
    keep_asked(&o, &t);
    if (t.n == 0) {
        die(EXIT_USAGE, "no row is asked for");
    }
    s = run_all(&o, &t);
    if (!o.means_only) {
        print_rows(&o, &t, s);
    }
    if (!o.csv) {
        print_means(&t, s);
    }
    fflush(stdout);
    ok = all_ran(&t, s);
    ok = (o.bounds == NULL || bounds_hold(o.bounds, &t, s)) && ok;
    truth_free(&t);
    return ok ? 0 : EXIT_ROW;
}
