/*
 * model_rows.h - the runs whose speed is measured: kernels with their data and answers.
 *
 * A row is a work, its size, a device and how many of the device's SMs are switched on.
 * Its name is made of these: "shared-16/gtx480/1", "chase-10/h100/all"; " x4", if four
 * threads compute it, and " stalls", if stall.* are counted, follow. Adding a work
 * or a device is a line in a table of model_rows.c.
 */
#ifndef BENCH_MODEL_ROWS_H
#define BENCH_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLAN_BUFFERS = 3,
    PLAN_SCALARS = 3,
    ROW_SIZES = 2, /* at most, per work */
    ROW_NAME = 64  /* bytes for a name */
};

/* A buffer of 32-bit words, a parameter of the kernel. */
struct plan_buffer {
    uint32_t words;
    uint32_t *init; /* what is written before the launch; NULL: nothing */
    uint32_t *want; /* what must be there at the end; NULL: not looked at */
};

/* What one run launches. Parameters: the addresses of the buffers, then the scalars. */
struct plan {
    uint32_t grid[2], block[2];
    uint32_t shared;   /* dynamic bytes */
    uint32_t launches; /* one after the other */
    uint32_t elements; /* what the cost per element is counted in */
    uint32_t n_buffers, n_scalars;
    struct plan_buffer buffers[PLAN_BUFFERS];
    uint32_t scalars[PLAN_SCALARS];
};

struct work {
    const char *name, *file, *kernel;
    uint32_t log2[ROW_SIZES]; /* the sizes that are measured; 0: none */
    /* Fill *p, all zero, for a size and a device of so many SMs. */
    void (*fill)(struct plan *p, uint32_t log2, uint32_t sms);
};

struct row {
    char name[ROW_NAME];
    const struct work *work;
    const char *preset;
    bool all_sms; /* else one */
    uint32_t log2;
    uint32_t threads; /* that compute SMs; at least 1 */
    bool stalls;      /* stall.* are counted */
};

/* Row i of those that match the pattern (as in file names; NULL: all) and the preset
 * (NULL: all), at the given size (0: those of the table), with one thread. False past
 * the last. */
bool row_get(uint32_t i, const char *pattern, const char *preset, uint32_t log2,
             struct row *r);

void plan_fill(struct plan *p, const struct row *r, uint32_t sms);
uint64_t plan_bytes(const struct plan *p); /* of all buffers */
void plan_free(struct plan *p);

#endif /* BENCH_MODEL_ROWS_H */
