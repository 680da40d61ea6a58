/*
 * presets.c - what the memory of each device sustains: a table of all presets.
 *
 *   stream_presets [-k KEY=VALUE]... [-b BOUNDS] [-s TABLE] [-o] [TESTBENCH_DIR
 *                  [PRESET]...]
 *
 * Reads, writes and copies buffers of 1 GiB, or of a quarter of the memory where that
 * is less, by loops of float4 in which a grid strides: as many blocks of 256 threads as
 * are on the SMs at once, 3 to 8 of each, so that none runs when the others are done.
 * GB/s count what the loop moves, a copy both ways; beside them is the share of what
 * the data buses move at most. Parts of the buffers are simulated (stream.h): 64 MiB,
 * with the L2 made smaller to a part of that where it is larger: blocks drift apart for
 * some turns of the loop, of which the largest device then has sixteen.
 *
 * BOUNDS is a CSV file: preset,loop,least,most,source,why, in percent of the peak;
 * source is what somebody measured, or empty. It fails if one of a preset that was run
 * does not hold, or names a loop that there is not; without PRESET those run that it
 * names. -o prints what was made as such a
 * file: preset,loop,peak,gbs,percent,source,off, the last in percent of the source; and
 * TABLE is one that was kept: it fails if a loop that was run makes more than a
 * hundredth of the peak more or less than is said there.
 */
#include "io/file.h"
#include "io/sheet.h"
#include "run/config.h"
#include "stream.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ROW = 1, EXIT_USAGE = 2, EXIT_IO = 7, MAX_KEYS = 32, PTX_LIMIT = 1 << 20 };
enum { MAX_BOUNDS = 96, NAME_SIZE = 16 };
enum { WARP = 32, THREADS = 256, UNIT = 16 };

#define MIB         1048576.0
#define WHOLE       (1024 * MIB) /* of a buffer, at most */
#define SIMULATED   (64 * MIB)   /* of a buffer */
#define LARGEST_L2  (4 * MIB)    /* beside that */

#define KEPT_WITHIN 1.0 /* of the peak, in percent */

static const struct {
    const char *name, *does; /* the kernel, what tables call it */
    uint32_t ways;           /* that each byte of a buffer is moved */
} loops[] = {{"read4", "read", 1}, {"write4", "write", 1}, {"copy4", "copy", 2}};

enum { N_LOOPS = sizeof(loops) / sizeof(loops[0]) };

struct bound {
    char preset[NAME_SIZE], loop[NAME_SIZE];
    double least, most; /* percent of the peak */
    double source;      /* the same; 0: none */
    double kept;        /* what it made, by the table; 0: not said */
    bool asked, met;
};

struct table {
    const char *key[MAX_KEYS];
    uint32_t n_keys;
    struct bound bound[MAX_BOUNDS];
    uint32_t n_bounds;
    bool as_csv, keeps; /* -o, -s */
    bool strays;        /* a loop makes what the table does not say */
    char *ptx;
    size_t ptx_size;
};

static _Noreturn void die(int status, const char *what)
{
    fprintf(stderr, "stream_presets: %s\n", what);
    exit(status);
}

static struct smw_config *configure(const struct table *t, const char *preset)
{
    struct smw_config *const c = smw_config_new();
    struct smw_err e;
    bool ok;

    err_clear(&e);
    ok = smw_config_preset(c, preset, &e);
    for (uint32_t i = 0; ok && i < t->n_keys; i++) {
        ok = config_override(c, t->key[i], &e);
    }
    if (!ok) {
        die(EXIT_USAGE, e.message);
    }
    return c;
}

/* ---- bounds ---- */

static struct bound *find_bound(struct table *t, const char *preset, const char *loop)
{
    for (uint32_t i = 0; i < t->n_bounds; i++) {
        if (strcmp(t->bound[i].preset, preset) == 0 &&
            strcmp(t->bound[i].loop, loop) == 0) {
            return &t->bound[i];
        }
    }
    return NULL;
}

/* The row's bound; a new one if it has none so far. */
static struct bound *bound_of_row(struct table *t, struct sheet *s)
{
    char preset[NAME_SIZE] = "", loop[NAME_SIZE] = "";
    struct bound *b;

    (void)sheet_name(s, "preset", preset, NAME_SIZE);
    (void)sheet_name(s, "loop", loop, NAME_SIZE);
    b = find_bound(t, preset, loop);
    if (b != NULL) {
        return b;
    }
    if (t->n_bounds == MAX_BOUNDS) {
        die(EXIT_IO, "more bounds than there is room for");
    }
    b = &t->bound[t->n_bounds++];
    *b = (struct bound){.most = 100};
    memcpy(b->preset, preset, NAME_SIZE);
    memcpy(b->loop, loop, NAME_SIZE);
    return b;
}

static void read_limits(struct bound *b, struct sheet *s)
{
    b->least = sheet_number(s, "least");
    b->most = sheet_number(s, "most");
    b->source = sheet_text(s, "source")[0] == '\0' ? 0 : sheet_number(s, "source");
}

static void read_kept(struct bound *b, struct sheet *s)
{
    b->kept = sheet_number(s, "percent");
}

static void read_rows(struct table *t, const char *path,
                      void (*row)(struct bound *b, struct sheet *s))
{
    struct sheet s;
    struct smw_err e;
    bool good;

    err_clear(&e);
    if (!sheet_open(&s, path, &e)) {
        die(EXIT_IO, e.message);
    }
    while (sheet_next(&s)) {
        row(bound_of_row(t, &s), &s);
    }
    good = sheet_good(&s);
    sheet_close(&s);
    if (!good || t->n_bounds == 0) {
        die(EXIT_IO, good ? "no rows in the file" : e.message);
    }
}

/* Only those of this preset are asked for, and of others that are. */
static void ask_bounds(struct table *t, const char *preset)
{
    for (uint32_t i = 0; i < t->n_bounds; i++) {
        t->bound[i].asked |= strcmp(t->bound[i].preset, preset) == 0;
    }
}

/* As the table says, if there is one. */
static bool is_kept(const struct table *t, const struct bound *b, double share)
{
    return !t->keeps ||
           (b != NULL && b->kept > 0 && fabs(share - b->kept) <= KEPT_WITHIN);
}

/* A loop of a preset moves so many percent of the peak. */
static void compare(struct table *t, struct bound *b, const char *preset,
                    const char *loop, double share)
{
    if (!is_kept(t, b, share)) {
        t->strays = true;
        fprintf(stderr, "stream_presets: %s %s makes %.1f %%, by the table %.1f %%\n",
                preset, loop, share, b == NULL ? 0 : b->kept);
    }
    if (b != NULL) {
        b->met = share >= b->least && share <= b->most;
        if (!b->met) {
            fprintf(stderr, "stream_presets: %s %s: %.1f %%\n", preset, loop, share);
        }
    }
}

static bool bounds_hold(const struct table *t)
{
    bool ok = !t->strays;

    for (uint32_t i = 0; i < t->n_bounds; i++) {
        const struct bound *const b = &t->bound[i];

        if (b->asked && !b->met) {
            fprintf(stderr, "stream_presets: %s %s is not within %.1f to %.1f %%\n",
                    b->preset, b->loop, b->least, b->most);
            ok = false;
        }
    }
    return ok;
}

/* ---- rows ---- */

/* The least power of two that divides bytes into parts of at most most. */
static uint32_t parts_of(double bytes, double most)
{
    uint32_t n = 1;

    while (bytes / n > most) {
        n *= 2;
    }
    return n;
}

/* What a loop of the preset makes, of a peak of so many GB/s: a record of its own, or
 * part of the preset's line. */
static void print_loop(struct table *t, const char *preset, uint32_t loop, double gbs,
                       double peak)
{
    struct bound *const b = find_bound(t, preset, loops[loop].does);
    const double share = 100 * gbs / peak, source = b == NULL ? 0 : b->source;

    if (!t->as_csv) {
        if (loop == 0) {
            printf("%-8s %7.1f", preset, peak);
        }
        printf("  %7.1f %5.1f %%", gbs, share);
    } else if (source > 0) {
        printf("%s,%s,%.1f,%.1f,%.1f,%.1f,%+.1f\n", preset, loops[loop].does, peak, gbs,
               share, source, 100 * (share / source - 1));
    } else {
        printf("%s,%s,%.1f,%.1f,%.1f,,\n", preset, loops[loop].does, peak, gbs, share);
    }
    compare(t, b, preset, loops[loop].does, share);
}

/* All loops of a preset. False: one of them was refused. */
static bool print_preset(struct table *t, const char *preset)
{
    struct smw_config *const c = configure(t, preset);
    const double memory = stream_value(c, "dram.size"), l2 = stream_value(c, "l2.size");
    struct stream s = {.ptx_name = "streams.ptx",
                       .ptx = t->ptx,
                       .ptx_size = t->ptx_size,
                       .threads = THREADS,
                       .unit = UNIT};
    double us = 0, peak = 0; /* bytes a second */
    struct smw_err e;
    bool ok = true;

    err_clear(&e);
    s.blocks = (uint32_t)stream_value(c, "gpu.sms") *
               ((uint32_t)stream_value(c, "sm.max_warps") * WARP / THREADS);
    s.bytes = (uint64_t)(memory / 4 < WHOLE ? memory / 4 : WHOLE);
    s.part = parts_of((double)s.bytes, SIMULATED);
    s.l2_part = parts_of(l2, LARGEST_L2);
    for (uint32_t i = 0; ok && i < N_LOOPS; i++) {
        s.kernel = loops[i].name;
        ok = stream_run(&s, c, &us, &peak, &e);
        if (ok) {
            print_loop(t, preset, i, loops[i].ways * (double)s.bytes / (1e3 * us),
                       peak / 1e9);
        }
    }
    printf("%s", t->as_csv ? "" : "\n");
    fflush(stdout);
    if (!ok) {
        fprintf(stderr, "stream_presets: %s: %s\n", preset, e.message);
    }
    smw_config_free(c);
    return ok;
}

static int parse(int argc, char **argv, struct table *t)
{
    int c;

    while ((c = getopt(argc, argv, "k:b:s:o")) != -1) {
        if (c == 'b' || c == 's') {
            t->keeps |= c == 's';
            read_rows(t, optarg, c == 'b' ? read_limits : read_kept);
            continue;
        }
        if (c == 'o') {
            t->as_csv = true;
            continue;
        }
        if (c != 'k' || t->n_keys == MAX_KEYS || strchr(optarg, '=') == NULL) {
            die(EXIT_USAGE, "usage: stream_presets [-k KEY=VALUE]... "
                            "[-b BOUNDS] [-s TABLE] [-o] [TESTBENCH_DIR [PRESET]...]");
        }
        t->key[t->n_keys++] = optarg;
    }
    return optind;
}

int main(int argc, char **argv)
{
    struct table t = {0};
    int i = parse(argc, argv, &t);
    char *const path =
        file_join(i < argc ? argv[i++] : "testbench", "fidelity/streams.ptx");
    const bool all = i >= argc;
    struct smw_err e;
    bool ok = true;

    err_clear(&e);
    t.ptx = file_read(path, PTX_LIMIT, &t.ptx_size, SMW_ERR_IO, &e);
    if (t.ptx == NULL) {
        die(EXIT_IO, e.message);
    }
    if (t.as_csv) {
        printf("preset,loop,peak,gbs,percent,source,off\n");
    } else {
        printf("%-8s %7s  %15s  %15s  %15s\n", "GB/s", "peak", "read", "write", "copy");
    }
    for (uint32_t k = 0; all && smw_preset_name(k) != NULL; k++) {
        if (t.n_bounds == 0 || find_bound(&t, smw_preset_name(k), "read") != NULL) {
            ask_bounds(&t, smw_preset_name(k));
            ok = print_preset(&t, smw_preset_name(k)) && ok;
        }
    }
    for (; i < argc; i++) {
        ask_bounds(&t, argv[i]);
        ok = print_preset(&t, argv[i]) && ok;
    }
    free(t.ptx);
    free(path);
    return ok && bounds_hold(&t) ? 0 : EXIT_ROW;
}
