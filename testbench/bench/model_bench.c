/*
 * model_bench.c - how fast the model runs, without waveforms.
 *
 *   model_bench [-n RUNS] [-c FILE.csv -l LABEL] [KERNELS_DIR]
 *
 * Runs each row RUNS times (5) and prints the best and the median; with -c appends one
 * line per row to a history. Run by hand on a quiet machine, no test.
 */
#include "smwave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct row {
    const char *name, *kernel, *sms;
    uint32_t log2_n; /* elements */
};

static const struct row rows[] = {
    {"reduction shared, 1 SM", "cal_sum_ker", "1", 16},
    {"reduction shared, 15 SMs", "cal_sum_ker", "15", 16},
    {"reduction global, 1 SM", "cal_sum_ker0", "1", 16},
    {"reduction global, 15 SMs", "cal_sum_ker0", "15", 16},
    {"reduction shared, 15 SMs", "cal_sum_ker", "15", 20},
    {"reduction global, 15 SMs", "cal_sum_ker0", "15", 20},
};

enum { BLOCK = 512, MAX_RUNS = 101 };

struct measured {
    double seconds[MAX_RUNS]; /* of stepping, sorted */
    struct stat_counters counters;
    uint64_t activations;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *read_text(const char *dir, size_t *size)
{
    char path[1024];
    FILE *f;
    char *text;

    (void)snprintf(path, sizeof(path), "%s/reduction.ptx", dir);
    f = fopen(path, "rb");
    if (f == NULL) {
        perror(path);
        exit(7);
    }
    text = malloc(1 << 20);
    *size = text == NULL ? 0 : fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}

static void die(const struct err *e)
{
    fprintf(stderr, "model_bench: %s\n", e->message);
    exit(1);
}

/* One run; the sums are checked, so that speed is never bought with a wrong answer. */
static double run_once(const struct row *r, const char *text, size_t size,
                       struct measured *m)
{
    struct err e;
    struct smw_config *c = smw_config_new();
    uint32_t n = 1u << r->log2_n, blocks = n / BLOCK;
    float *data = malloc(n * sizeof(data[0]));
    struct smw_launch l = {.grid = {blocks, 1, 1},
                           .block = {BLOCK, 1, 1},
                           .shared = BLOCK * sizeof(float),
                           .carveout = -1};
    struct {
        uint64_t in, out;
        uint32_t n;
    } params = {.n = n};
    struct smw_device *d;
    struct smw_module *mod;
    const struct smw_kernel *k;
    struct smw_result result;
    struct smw_progress p;
    double t;

    err_clear(&e);
    for (uint32_t i = 0; i < n; i++) {
        data[i] = 0.5f;
    }
    if (!smw_config_preset(c, "gtx480", &e) ||
        !smw_config_set(c, "gpu.sms", r->sms, &e)) {
        die(&e);
    }
    d = smw_open(c, NULL, &e);
    mod = d == NULL ? NULL : smw_load(d, text, size, "reduction.ptx", &e);
    k = mod == NULL ? NULL : smw_kernel(mod, r->kernel, &e);
    l.params = &params;
    l.param_bytes = 20;
    if (k == NULL || !smw_alloc(d, n * sizeof(float), &params.in, &e) ||
        !smw_alloc(d, blocks * sizeof(float), &params.out, &e) ||
        !smw_write(d, params.in, data, n * sizeof(float), &e) ||
        !smw_launch(d, k, &l, &e)) {
        die(&e);
    }
    t = now();
    if (!smw_synchronize(d, &e)) {
        die(&e);
    }
    t = now() - t;
    if (!smw_read(d, params.out, data, blocks * sizeof(float), &e)) {
        die(&e);
    }
    for (uint32_t i = 0; i < blocks; i++) {
        if (data[i] != 0.5f * BLOCK) {
            fprintf(stderr, "model_bench: block %u sums to %g\n", i, (double)data[i]);
            exit(1);
        }
    }
    (void)smw_result(d, 0, &result);
    smw_progress(d, &p);
    m->counters = result.counters;
    m->activations = p.activations;
    smw_close(d);
    smw_config_free(c);
    free(data);
    return t;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void report(const struct row *r, const struct measured *m, uint32_t runs,
                   FILE *csv, const char *label)
{
    double best = m->seconds[0], median = m->seconds[runs / 2];
    double insts = (double)m->counters.warp_insts;

    printf("%-26s 2^%-2u %9.0f %9.1f %9.1f %8.0f %8.0f %8.2f %8.2f\n", r->name,
           r->log2_n, insts / 1e3, (double)m->counters.thread_insts / best / 1e6,
           (double)m->counters.thread_insts / median / 1e6, best / insts * 1e9,
           median / insts * 1e9, (double)m->counters.cycles / median / 1e6,
           (double)m->activations / insts);
    if (csv != NULL) {
        fprintf(csv, "%s,\"%s\",%u,%llu,%llu,%llu,%llu,%.6f,%.6f\n", label, r->name,
                r->log2_n, (unsigned long long)m->counters.warp_insts,
                (unsigned long long)m->counters.thread_insts,
                (unsigned long long)m->counters.cycles,
                (unsigned long long)m->activations, best, median);
    }
}

int main(int argc, char **argv)
{
    const char *csv_path = NULL, *label = "", *dir = "testbench/kernels";
    uint32_t runs = 5;
    FILE *csv = NULL;
    size_t size;
    char *text;
    int o;

    while ((o = getopt(argc, argv, "n:c:l:")) != -1) {
        switch (o) {
        case 'n': runs = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'c': csv_path = optarg; break;
        case 'l': label = optarg; break;
        default:
            fprintf(stderr, "usage: model_bench [-n RUNS] [-c FILE -l LABEL] [DIR]\n");
            return 2;
        }
    }
    if (optind < argc) {
        dir = argv[optind];
    }
    if (runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "model_bench: -n takes 1 to %d\n", MAX_RUNS);
        return 2;
    }
    text = read_text(dir, &size);
    if (csv_path != NULL && (csv = fopen(csv_path, "a")) == NULL) {
        perror(csv_path);
        return 7;
    }
    printf("%-26s %-4s %9s %9s %9s %8s %8s %8s %8s\n", "gtx480, no waveforms", "n",
           "k warp", "M thr/s", "M thr/s", "ns/warp", "ns/warp", "M cyc/s", "wakes/");
    printf("%-26s %-4s %9s %9s %9s %8s %8s %8s %8s\n", "", "", "insts", "best",
           "median", "best", "median", "median", "inst");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct measured m;

        for (uint32_t k = 0; k < runs; k++) {
            m.seconds[k] = run_once(&rows[i], text, size, &m);
        }
        qsort(m.seconds, runs, sizeof(m.seconds[0]), by_value);
        report(&rows[i], &m, runs, csv, label);
    }
    if (csv != NULL && fclose(csv) != 0) {
        perror(csv_path);
        return 7;
    }
    free(text);
    return 0;
}
