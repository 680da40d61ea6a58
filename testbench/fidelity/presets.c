/*
 * presets.c - what the memory of each device sustains: a table of all presets.
 *
 *   stream_presets [-k KEY=VALUE]... [-b BOUNDS] [TESTBENCH_DIR [PRESET]...]
 *
 * Reads, writes and copies buffers of 1 GiB, or of a quarter of the memory where that
 * is less, by loops of float4 in which a grid strides: as many blocks of 256 threads as
 * are on the SMs at once, 3 to 8 of each, so that none runs when the others are done.
 * GB/s count what the loop moves, a copy both ways; beside them is the share of what
 * the data buses move at most. Parts of the buffers are simulated (stream.h): 64 MiB,
 * with the L2 made smaller to a part of that where it is larger: blocks drift apart for
 * some turns of the loop, of which the largest device then has sixteen.
 *
 * BOUNDS is a CSV file: preset,loop,least,most,why, in percent of the peak. It fails if
 * one of a preset that was run does not hold, or names a loop that there is not.
 */
#include "io/file.h"
#include "io/sheet.h"
#include "run/config.h"
#include "stream.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ROW = 1, EXIT_USAGE = 2, EXIT_IO = 7, MAX_KEYS = 32, PTX_LIMIT = 1 << 20 };
enum { MAX_BOUNDS = 96, NAME_SIZE = 16 };
enum { WARP = 32, THREADS = 256, UNIT = 16 };

#define MIB        1048576.0
#define WHOLE      (1024 * MIB) /* of a buffer, at most */
#define SIMULATED  (64 * MIB)   /* of a buffer */
#define LARGEST_L2 (4 * MIB)    /* beside that */

static const struct {
    const char *name, *does; /* the kernel, what tables call it */
    uint32_t ways;           /* that each byte of a buffer is moved */
} loops[] = {{"read4", "read", 1}, {"write4", "write", 1}, {"copy4", "copy", 2}};

enum { N_LOOPS = sizeof(loops) / sizeof(loops[0]) };

struct bound {
    char preset[NAME_SIZE], loop[NAME_SIZE];
    double least, most; /* percent of the peak */
    bool asked, met;
};

struct table {
    const char *key[MAX_KEYS];
    uint32_t n_keys;
    struct bound bound[MAX_BOUNDS];
    uint32_t n_bounds;
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

static void read_bounds(struct table *t, const char *path)
{
    struct sheet s;
    struct smw_err e;

    err_clear(&e);
    if (!sheet_open(&s, path, &e)) {
        die(EXIT_IO, e.message);
    }
    for (; sheet_next(&s); t->n_bounds++) {
        struct bound *const b = &t->bound[t->n_bounds];

        if (t->n_bounds == MAX_BOUNDS) {
            die(EXIT_IO, "more bounds than there is room for");
        }
        (void)sheet_name(&s, "preset", b->preset, NAME_SIZE);
        (void)sheet_name(&s, "loop", b->loop, NAME_SIZE);
        b->least = sheet_number(&s, "least");
        b->most = sheet_number(&s, "most");
    }
    if (!sheet_good(&s) || t->n_bounds == 0) {
        die(EXIT_IO, sheet_good(&s) ? "no bounds in the file" : e.message);
    }
    sheet_close(&s);
}

/* Only those of this preset are asked for, and of others that are. */
static void ask_bounds(struct table *t, const char *preset)
{
    for (uint32_t i = 0; i < t->n_bounds; i++) {
        t->bound[i].asked |= strcmp(t->bound[i].preset, preset) == 0;
    }
}

/* A loop of a preset moves so many percent of the peak. */
static void compare(struct table *t, const char *preset, const char *loop, double share)
{
    for (uint32_t i = 0; i < t->n_bounds; i++) {
        struct bound *const b = &t->bound[i];

        if (strcmp(b->preset, preset) == 0 && strcmp(b->loop, loop) == 0) {
            b->met = share >= b->least && share <= b->most;
            if (!b->met) {
                fprintf(stderr, "stream_presets: %s %s: %.1f %%\n", preset, loop,
                        share);
            }
        }
    }
}

static bool bounds_hold(const struct table *t)
{
    bool ok = true;

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

/* A row: the preset, its peak, and of each loop GB/s and percent. False: one of them
 * was refused. */
static bool print_preset(struct table *t, const char *preset)
{
    struct smw_config *const c = configure(t, preset);
    const double memory = stream_value(c, "dram.size"), l2 = stream_value(c, "l2.size");
    struct stream s = {.ptx_name = "streams.ptx",
                       .ptx = t->ptx,
                       .ptx_size = t->ptx_size,
                       .threads = THREADS,
                       .unit = UNIT};
    double us = 0, peak = 0;
    struct smw_err e;
    bool ok = true;

    err_clear(&e);
    s.blocks = (uint32_t)stream_value(c, "gpu.sms") *
               ((uint32_t)stream_value(c, "sm.max_warps") * WARP / THREADS);
    s.bytes = (uint64_t)(memory / 4 < WHOLE ? memory / 4 : WHOLE);
    s.part = parts_of((double)s.bytes, SIMULATED);
    s.l2_part = parts_of(l2, LARGEST_L2);
    printf("%-8s", preset);
    for (uint32_t i = 0; ok && i < N_LOOPS; i++) {
        double gbs;

        s.kernel = loops[i].name;
        ok = stream_run(&s, c, &us, &peak, &e);
        gbs = loops[i].ways * (double)s.bytes / (1e3 * us);
        if (ok && i == 0) {
            printf(" %7.1f", peak / 1e9);
        }
        if (ok) {
            printf("  %7.1f %5.1f %%", gbs, 1e11 * gbs / peak);
            compare(t, preset, loops[i].does, 1e11 * gbs / peak);
        }
    }
    printf("\n");
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

    while ((c = getopt(argc, argv, "k:b:")) != -1) {
        if (c == 'b') {
            read_bounds(t, optarg);
            continue;
        }
        if (c != 'k' || t->n_keys == MAX_KEYS || strchr(optarg, '=') == NULL) {
            die(EXIT_USAGE, "usage: stream_presets [-k KEY=VALUE]... "
                            "[-b BOUNDS] [TESTBENCH_DIR [PRESET]...]");
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
    printf("%-8s %7s  %15s  %15s  %15s\n", "GB/s", "peak", "read", "write", "copy");
    for (uint32_t k = 0; all && smw_preset_name(k) != NULL; k++) {
        ask_bounds(&t, smw_preset_name(k));
        ok = print_preset(&t, smw_preset_name(k)) && ok;
    }
    for (; i < argc; i++) {
        ask_bounds(&t, argv[i]);
        ok = print_preset(&t, argv[i]) && ok;
    }
    free(t.ptx);
    free(path);
    return ok && bounds_hold(&t) ? 0 : EXIT_ROW;
}
