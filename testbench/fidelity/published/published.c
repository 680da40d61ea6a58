/*
 * published.c - whether kernels whose figures on older devices are published come out
 * in the same order on the model.
 *
 *   published [-g GROUP] [-r GLOB] [-k KEY=VALUE]... [--csv] [DIR]
 *     -g GROUP       only this group of the table
 *     -r GLOB        only kernels whose name matches
 *     -k KEY=VALUE   a key of the configuration, as often as needed
 *     --csv          as a table for programs
 *
 * DIR, the folder of published.csv and of the PTX, defaults to
 * testbench/fidelity/published. Figures are bytes per second that the kernel has use
 * of; the README of the fidelity program says how each was run. It fails if a pair of a
 * group that differs by more than 5 % on the device is in another order on the model
 * and wrong.csv does not name it, or if an answer is wrong.
 */
#include "answers.h"
#include "io/file.h"
#include "run/config.h"
#include "smwave.h"

#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ORDER = 1, EXIT_USAGE = 2, EXIT_IO = 7 };
enum { MAX_KEYS = 16, PTX_LIMIT = 4 << 20 };

struct options {
    const char *dir, *group, *pattern, *key[MAX_KEYS];
    uint32_t n_keys;
    bool csv;
};

static _Noreturn void die(int status, const char *what)
{
    fprintf(stderr, "published: %s\n", what);
    exit(status);
}

/* ---- running ---- */

static void set(struct smw_config *c, const char *assignment)
{
    struct smw_err e;

    err_clear(&e);
    if (strchr(assignment, '=') == NULL) {
        die(EXIT_USAGE, "a key is given as KEY=VALUE");
    }
    if (!config_override(c, assignment, &e)) {
        die(EXIT_USAGE, e.message);
    }
}

static struct smw_config *configure(const struct options *o, const struct row *r)
{
    struct smw_config *const c = smw_config_new();
    struct smw_err e;

    err_clear(&e);
    if (!smw_config_preset(c, r->preset, &e)) {
        die(EXIT_USAGE, e.message);
    }
    if (r->key[0] != '\0') {
        set(c, r->key);
    }
    for (uint32_t i = 0; i < o->n_keys; i++) {
        set(c, o->key[i]);
    }
    return c;
}

/* A second launch finds in the L2 what the first one left there to be written, as those
 * that were measured did. Without an L2 one launch says all. */
static uint32_t launches_of(const struct smw_config *c)
{
    char size[32];

    return smw_config_show(c, "l2.size", size, sizeof(size)) && size[0] == '0' ? 1 : 2;
}

/* The kernel's parameters: its buffers and the argument; false: it has others. */
static bool lay_out(const struct smw_kernel *k, const uint64_t *addr, uint32_t n_addr,
                    int32_t argument, unsigned char *params, uint32_t *bytes)
{
    struct smw_param p;

    if (smw_kernel_params(k) != n_addr + 1) {
        return false;
    }
    for (uint32_t i = 0; i <= n_addr; i++) {
        (void)smw_kernel_param(k, i, &p);
        memcpy(params + p.offset, i < n_addr ? (const void *)&addr[i] : &argument,
               p.size);
        *bytes = p.offset + p.size;
    }
    return true;
}

/* Fill, launch, read back. Parameters are (out, in, argument), ROW_ADD's (array,
 * argument). */
static bool run_on(const struct row *r, struct smw_device *d,
                   const struct smw_kernel *k, uint32_t launches, uint32_t *words,
                   struct smw_result *result, struct smw_err *e)
{
    const uint64_t bytes = 4 * (uint64_t)r->words;
    const uint32_t n_buffers = r->does == ROW_ADD ? 1 : 2;
    unsigned char params[64];
    uint64_t addr[2];
    struct smw_launch l = {.grid = {r->grid[0], r->grid[1], 1},
                           .block = {r->block[0], r->block[1], 1},
                           .shared = r->shared,
                           .params = params};

    for (uint32_t i = 0; i < n_buffers; i++) {
        if (!smw_alloc(d, bytes, &addr[i], e)) {
            return false;
        }
    }
    if (!lay_out(k, addr, n_buffers, r->argument, params, &l.param_bytes)) {
        err_set(e, SMW_ERR_INPUT, "%s has other parameters", r->kernel);
        return false;
    }
    for (uint32_t i = 0; i < r->words; i++) {
        words[i] = answers_input(r, i);
    }
    if (!smw_write(d, addr[n_buffers - 1], words, bytes, e)) {
        return false;
    }
    for (uint32_t i = 0; i < launches; i++) {
        if (!smw_launch(d, k, &l, e) || !smw_synchronize(d, e)) {
            return false;
        }
    }
    (void)smw_result(d, launches - 1, result);
    return smw_read(d, addr[0], words, r->does == ROW_SUM ? 4 * r->grid[0] : bytes, e);
}

static void run(const struct options *o, struct row *r)
{
    const struct smw_options opt = {.check = SMW_CHECK_FAST};
    struct smw_config *const config = configure(o, r);
    const uint32_t launches = launches_of(config);
    char *const path = file_join(o->dir, r->ptx);
    uint32_t *const words = tb_alloc(4 * (size_t)r->words);
    struct smw_result result;
    struct smw_module *m;
    const struct smw_kernel *k;
    struct smw_device *d;
    struct smw_err e;
    size_t size;
    char *ptx;

    err_clear(&e);
    ptx = file_read(path, PTX_LIMIT, &size, SMW_ERR_IO, &e);
    d = ptx == NULL ? NULL : smw_open(config, &opt, &e);
    m = d == NULL ? NULL : smw_load(d, ptx, size, r->ptx, &e);
    k = m == NULL ? NULL : smw_kernel(m, r->kernel, &e);
    if (k == NULL || !run_on(r, d, k, launches, words, &result, &e)) {
        die(EXIT_IO, e.message);
    }
    if (!answers_are_right(r, words, launches)) {
        die(EXIT_IO, "a kernel's answer is wrong");
    }
    r->side.model = answers_bytes(r) /
                    ((double)result.counters.cycles / (double)smw_sm_hz(d)) / 1e9;
    smw_close(d);
    free(words);
    free(ptx);
    free(path);
    smw_config_free(config);
}

/* ---- results ---- */

static void print_row(const struct options *o, const struct row *r,
                      const struct pairs_side *best)
{
    const struct pairs_side *const s = &r->side;

    if (o->csv) {
        printf("%s,%s,%s,%d,%.1f,%.1f,%.3f,%.3f\n", r->group, r->preset, r->kernel,
               r->argument, s->device, s->model, s->device / best->device,
               s->model / best->model);
        return;
    }
    printf("%-14s %-16s %8d %8.1f %8.1f %+6.0f%% %7.2f %7.2f\n", r->group, r->kernel,
           r->argument, s->device, s->model, 100 * (s->model / s->device - 1),
           s->device / best->device, s->model / best->model);
}

static void print_pair(const struct row *a, const struct row *b, bool is_old)
{
    printf(
        "  order%s: %s %d is above %s %d on the device (%.1f, %.1f GB/s), not on the "
        "model (%.1f, %.1f)\n",
        is_old ? ", known" : "", a->kernel, a->argument, b->kernel, b->argument,
        a->side.device, b->side.device, a->side.model, b->side.model);
}

/* Say which pairs are wrong; returns how many of them are not known. */
static uint32_t print_wrong(const struct options *o, const struct rows *t,
                            const struct row *rows, uint32_t n)
{
    uint32_t fresh = 0;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const bool is_old = rows_is_known(t, &rows[i], &rows[j]);

            if (!pairs_is_wrong(&rows[i].side, &rows[j].side)) {
                continue;
            }
            fresh += !is_old;
            if (!o->csv) {
                print_pair(&rows[i], &rows[j], is_old);
            }
        }
    }
    return fresh;
}

/* The rows of one group, which are neighbours in the table: run, print, compare. */
static struct pairs_sum run_group(const struct options *o, const struct rows *t,
                                  struct row *rows, uint32_t n, uint32_t *fresh)
{
    struct pairs_side side[ROWS_MAX], best = {0, 0};

    for (uint32_t i = 0; i < n; i++) {
        run(o, &rows[i]);
        side[i] = rows[i].side;
        best.device = side[i].device > best.device ? side[i].device : best.device;
        best.model = side[i].model > best.model ? side[i].model : best.model;
    }
    for (uint32_t i = 0; i < n; i++) {
        print_row(o, &rows[i], &best);
    }
    *fresh += print_wrong(o, t, rows, n);
    fflush(stdout);
    return pairs_count(side, n);
}

static bool parse(int argc, char **argv, struct options *o)
{
    enum { CSV = 256 };
    static const struct option names[] = {{"csv", no_argument, NULL, CSV},
                                          {NULL, 0, NULL, 0}};
    int c;

    while ((c = getopt_long(argc, argv, "g:r:k:", names, NULL)) != -1) {
        switch (c) {
        case 'g': o->group = optarg; break;
        case 'r': o->pattern = optarg; break;
        case 'k':
            if (o->n_keys == MAX_KEYS) {
                return false;
            }
            o->key[o->n_keys++] = optarg;
            break;
        case CSV: o->csv = true; break;
        default: return false;
        }
    }
    if (optind < argc) {
        o->dir = argv[optind++];
    }
    return optind == argc;
}

static void keep_asked(const struct options *o, struct rows *t)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < t->n; i++) {
        const struct row *const r = &t->row[i];

        if ((o->group == NULL || strcmp(o->group, r->group) == 0) &&
            (o->pattern == NULL || fnmatch(o->pattern, r->kernel, 0) == 0)) {
            t->row[kept++] = *r;
        }
    }
    t->n = kept;
}

static void print_head(const struct options *o)
{
    if (o->csv) {
        printf("group,preset,kernel,argument,device_gbps,model_gbps,device_of_best,"
               "model_of_best\n");
    } else {
        printf("%-14s %-16s %8s %8s %8s %7s %7s %7s\n", "group", "kernel", "argument",
               "device", "model", "error", "of best", "of best");
    }
}

int main(int argc, char **argv)
{
    struct options o = {.dir = "testbench/fidelity/published"};
    struct rows *const t = tb_alloc(sizeof(*t));
    struct pairs_sum sum = {0};
    uint32_t fresh = 0;
    struct smw_err e;

    if (!parse(argc, argv, &o)) {
        fputs("usage: published [-g GROUP] [-r GLOB] [-k KEY=VALUE]... [--csv] [DIR]\n",
              stderr);
        return EXIT_USAGE;
    }
    err_clear(&e);
    if (!rows_read(t, o.dir, &e)) {
        die(EXIT_IO, e.message);
    }
    keep_asked(&o, t);
    if (t->n == 0) {
        die(EXIT_USAGE, "no row is asked for");
    }
    print_head(&o);
    for (uint32_t i = 0, j; i < t->n; i = j) {
        struct pairs_sum of_group;

        for (j = i + 1; j < t->n && strcmp(t->row[i].group, t->row[j].group) == 0;) {
            j++;
        }
        of_group = run_group(&o, t, &t->row[i], j - i, &fresh);
        sum.n += of_group.n;
        sum.wrong += of_group.wrong;
    }
    if (!o.csv) {
        printf("%u of %u pairs are in the device's order\n", sum.n - sum.wrong, sum.n);
    }
    free(t);
    return fresh == 0 ? 0 : EXIT_ORDER;
}
