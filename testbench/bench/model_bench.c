/*
 * model_bench.c - how fast the model runs, without waveforms.
 *
 *   model_bench [OPTION]... [KERNELS_DIR]
 *     -n RUNS     runs per row (5): best and median
 *     -r GLOB     only the rows whose name matches, as in 'shared-16/gtx480/1'
 *     -d DEVICE   only the rows of gtx480, k20x or h100
 *     -e LOG2     this size for every work, not those of the table
 *     -t THREADS  that compute SMs (1); a row's name says so if there are more
 *     -s          count stall.* too; the name says so
 *     -i          also host instructions, counted by callgrind (some 50 times slower)
 *     -c FILE -l LABEL   append the rows to a history
 *     -m, --markdown     the table as it stands in the README
 *     --max-memory MB    fail if a row needs more, the kernel's buffers not counted
 *     --linear[=LOG2,LOG2...]   instead: cost per element over sizes (16 to 22) of the
 *                 reductions; with -i in instructions, and more than 10 % between two
 *                 sizes is a failure
 *     -1          run one row once and print nothing; for use under a profiler
 *
 * KERNELS_DIR defaults to testbench/kernels. Every row checks its answer. Times mean
 * something on a quiet machine alone.
 */
#include "model_measure.h"
#include "model_tables.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ROW = 1, EXIT_USAGE = 2, EXIT_IO = 7, LINEAR_SIZES = 16 };

struct options {
    const char *dir, *program, *pattern, *preset, *csv, *label;
    uint32_t runs, log2, threads, max_mb;
    uint32_t sizes[LINEAR_SIZES], n_sizes; /* of --linear */
    bool insts, markdown, once, stalls;
};

static const char usage[] =
    "usage: model_bench [-n RUNS] [-r GLOB] [-d DEVICE] [-e LOG2] [-t THREADS]\n"
    "                   [-i] [-m] [-c FILE -l LABEL] [--max-memory MB] "
    "[--linear[=LOG2,...]]\n"
    "                   [-s] [-1] [KERNELS_DIR]\n";

static bool number(const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end != '\0' || value < min || value > max) {
        fprintf(stderr, "model_bench: %s is not a number of %u to %u\n", text, min,
                max);
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* "16,18": the sizes of --linear; NULL: all from 16 to 22. */
static bool size_list(const char *text, struct options *o)
{
    uint32_t n = 0;

    if (text == NULL) {
        text = "16,17,18,19,20,21,22";
    }
    for (const char *p = text; n < LINEAR_SIZES; p++) {
        char *end;
        unsigned long value = strtoul(p, &end, 10);

        if (end == p || value < 10 || value > 24 || (*end != ',' && *end != '\0')) {
            break;
        }
        o->sizes[n++] = (uint32_t)value;
        p = end;
        if (*end == '\0') {
            o->n_sizes = n;
            return true;
        }
    }
    fprintf(stderr, "model_bench: --linear takes sizes of 10 to 24, not %s\n", text);
    return false;
}

static bool parse(int argc, char **argv, struct options *o)
{
    enum { MAX_MEMORY = 256, LINEAR };
    static const struct option names[] = {{"markdown", no_argument, NULL, 'm'},
                                          {"max-memory", required_argument, NULL,
                                           MAX_MEMORY},
                                          {"linear", optional_argument, NULL, LINEAR},
                                          {NULL, 0, NULL, 0}};
    bool ok = true;
    int c;

    while (ok &&
           (c = getopt_long(argc, argv, "n:r:d:e:t:c:l:ims1", names, NULL)) != -1) {
        switch (c) {
        case 'n': ok = number(optarg, 1, MEASURE_RUNS, &o->runs); break;
        case 'r': o->pattern = optarg; break;
        case 'd': o->preset = optarg; break;
        case 'e': ok = number(optarg, 1, 24, &o->log2); break;
        case 't': ok = number(optarg, 1, 64, &o->threads); break;
        case 'c': o->csv = optarg; break;
        case 'l': o->label = optarg; break;
        case 'i': o->insts = true; break;
        case 'm': o->markdown = true; break;
        case 's': o->stalls = true; break;
        case '1': o->once = true; break;
        case MAX_MEMORY: ok = number(optarg, 1, 1 << 20, &o->max_mb); break;
        case LINEAR: ok = size_list(optarg, o); break;
        default: fputs(usage, stderr); ok = false;
        }
    }
    if (ok && optind < argc) {
        o->dir = argv[optind++];
    }
    if (ok && optind < argc) {
        fputs(usage, stderr);
        ok = false;
    }
    return ok;
}

/* Row i of those asked for, at 2^log2 (0: as the table says). */
static bool get_row(const struct options *o, uint32_t i, const char *pattern,
                    uint32_t log2, struct row *r)
{
    size_t n;

    if (!row_get(i, pattern, o->preset, log2, r)) {
        return false;
    }
    r->threads = o->threads;
    r->stalls = o->stalls;
    n = strlen(r->name);
    if (o->threads > 1) {
        (void)snprintf(r->name + n, sizeof(r->name) - n, " x%u", o->threads);
    }
    n = strlen(r->name);
    if (o->stalls) {
        (void)snprintf(r->name + n, sizeof(r->name) - n, " stalls");
    }
    return true;
}

static bool measure(const struct options *o, const struct row *r, struct measured *m)
{
    if (!measure_row(r, o->dir, o->runs, m)) {
        return false;
    }
    if (o->insts) {
        m->host_insts = measure_insts(r, o->dir, o->program);
        return m->host_insts != 0;
    }
    return true;
}

static bool small_enough(const struct options *o, const struct row *r,
                         const struct measured *m)
{
    uint64_t allowed = ((uint64_t)o->max_mb << 20) + m->buffers;

    if (o->max_mb == 0 || (m->peak != 0 && m->peak <= allowed)) {
        return true;
    }
    fprintf(stderr,
            "model_bench: %s: %.1f MB at its peak, more than %u MB and %.1f MB of "
            "buffers\n",
            r->name, (double)m->peak / (1 << 20), o->max_mb,
            (double)m->buffers / (1 << 20));
    return false;
}

static int show_rows(const struct options *o)
{
    FILE *csv = NULL;
    bool ok = true;
    struct row r;
    uint32_t i;

    if (o->csv != NULL && (csv = fopen(o->csv, "a")) == NULL) {
        perror(o->csv);
        return EXIT_IO;
    }
    table_head(o->markdown);
    for (i = 0; get_row(o, i, o->pattern, o->log2, &r); i++) {
        struct measured m;

        if (!measure(o, &r, &m)) {
            ok = false;
            continue;
        }
        table_row(&r, &m, o->markdown);
        ok = small_enough(o, &r, &m) && ok;
        if (csv != NULL && !history_add(csv, o->label, &r, &m)) {
            ok = false;
            break;
        }
    }
    if (csv != NULL && fclose(csv) != 0) {
        perror(o->csv);
        return EXIT_IO;
    }
    if (i == 0) {
        fprintf(stderr, "model_bench: no row matches\n");
        return EXIT_USAGE;
    }
    return ok ? 0 : EXIT_ROW;
}

/* One line of the table of --linear: row i at each size. False past the last row. */
static bool show_linear(const struct options *o, uint32_t i, bool *ok)
{
    const char *pattern = o->pattern == NULL ? "[sg][hl]*-*/gtx480/*" : o->pattern;
    double least = 0, most = 0;
    struct row r;

    for (uint32_t k = 0; k < o->n_sizes; k++) {
        struct measured m;
        double cost;

        if (!get_row(o, i, pattern, o->sizes[k], &r)) {
            return false;
        }
        if (k == 0) {
            printf("%-8s %-8s %-4s", r.work->name, r.preset, r.all_sms ? "all" : "1");
        }
        if (!measure(o, &r, &m)) {
            *ok = false;
            return true;
        }
        cost = (o->insts ? (double)m.host_insts : m.median * 1e9) / (double)m.elements;
        least = k == 0 || cost < least ? cost : least;
        most = cost > most ? cost : most;
        printf(" %8.2f", cost);
        fflush(stdout);
    }
    printf(" %8.1f %%\n", 100 * (most / least - 1));
    *ok = *ok && (!o->insts || most <= 1.1 * least);
    return true;
}

static int linear(const struct options *o)
{
    uint32_t i = 0;
    bool ok = true;

    printf("%s per element, at 2^\n%-22s", o->insts ? "host instructions" : "ns", "");
    for (uint32_t k = 0; k < o->n_sizes; k++) {
        printf(" %8u", o->sizes[k]);
    }
    printf(" %10s\n", "spread");
    while (show_linear(o, i, &ok)) {
        i++;
    }
    if (i == 0) {
        fprintf(stderr, "model_bench: no row matches; sizes stand in the name: *\n");
        return EXIT_USAGE;
    }
    if (!ok) {
        fprintf(stderr, "model_bench: the cost does not grow linearly\n");
    }
    return ok ? 0 : EXIT_ROW;
}

int main(int argc, char **argv)
{
    struct options o = {.dir = "testbench/kernels",
                        .program = argv[0],
                        .label = "",
                        .threads = 1,
                        .runs = 5};
    struct measured m;
    struct row r;

    if (!parse(argc, argv, &o)) {
        return EXIT_USAGE;
    }
    if (o.n_sizes != 0) {
        return linear(&o);
    }
    if (o.once) {
        if (!get_row(&o, 0, o.pattern, o.log2, &r)) {
            fprintf(stderr, "model_bench: no row matches\n");
            return EXIT_USAGE;
        }
        measure_here(&r, o.dir, 1, &m);
        return 0;
    }
    return show_rows(&o);
}
