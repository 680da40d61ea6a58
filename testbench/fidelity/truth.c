#include "truth.h"

#include "io/file.h"
#include "io/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the reductions: inputs of more bytes came from DRAM (README.md). */
enum { KEPT_BYTES = 64 << 10 };

enum {
    SEED_A = 262,
    SEED_B = 263,
    SEED_REVERSE = 393,
    REVERSE_WORDS = 1024,
    OFFSET_WORDS = 1 << 19, /* copied with an offset */
    STRIDE_WORDS = 1 << 21, /* copied with a stride */
    COPY_OUT_WORDS = 65536,
    STREAM_SMS = 132, /* of the device that bandwidth.csv is of ... */
    L2_BYTES = 50 << 20,
    STREAM_THREADS = 256 /* ... and of a block of its kernels */
};

static void copy_text(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from);
}

static struct truth_row *add(struct truth *t, const char *table)
{
    t->row = tb_realloc(t->row, (t->n + 1) * sizeof(t->row[0]));
    memset(&t->row[t->n], 0, sizeof(t->row[0]));
    t->row[t->n].table = table;
    return &t->row[t->n++];
}

/* ---- cases.csv and h100.csv ---- */

/* "f", "i:MASK" or "iota" */
static struct truth_buffer filled(const char *how, double words, uint64_t seed)
{
    struct truth_buffer b = {.words = (uint64_t)words, .seed = seed};

    if (strncmp(how, "i:", 2) == 0) {
        b.fill = TRUTH_MASKED;
        b.mask = (uint32_t)strtoul(how + 2, NULL, 16);
    } else {
        b.fill = strcmp(how, "iota") == 0 ? TRUTH_IOTA : TRUTH_FLOATS;
    }
    return b;
}

static void read_case(struct sheet *s, struct truth_row *r)
{
    const char *const source = sheet_text(s, "source");

    r->id = (uint32_t)sheet_number(s, "id");
    r->set = strcmp(sheet_text(s, "set"), "judge") == 0 ? "judge" : "tune";
    copy_text(r->kernel, sizeof(r->kernel), sheet_text(s, "kernel"));
    (void)snprintf(r->ptx, sizeof(r->ptx), "%s.ptx", source);
    r->grid[0] = (uint32_t)sheet_number(s, "grid_x");
    r->grid[1] = (uint32_t)sheet_number(s, "grid_y");
    r->block[0] = (uint32_t)sheet_number(s, "block_x");
    r->block[1] = (uint32_t)sheet_number(s, "block_y");
    r->grid[2] = r->block[2] = 1;
    r->shared = (uint32_t)sheet_number(s, "shared");
    r->buffer[0] = filled(sheet_text(s, "a"), sheet_number(s, "a_words"), SEED_A);
    r->buffer[1] = filled(sheet_text(s, "b"), sheet_number(s, "b_words"), SEED_B);
    r->buffer[2].words = (uint64_t)sheet_number(s, "c_words");
    r->n_buffers = 3;
    r->scalar[0] = (int32_t)sheet_number(s, "n");
    r->scalar[1] = (int32_t)sheet_number(s, "m");
    r->n_scalars = 2;
    r->out_buffer = 2;
    r->out_words = r->buffer[2].words;
    r->checked = sheet_number(s, "approximate") == 0;
}

/* The columns of stall reasons, which have the profiler's names. */
static const char *const stall_columns[STALL_N] = {
#define X(name, field) [STALL_##name] = "stall_" #field,
    STALL_REASONS(X)
#undef X
};

static const char *stall_column(enum stall why)
{
    return why == STALL_BRANCH ? "stall_branch_resolving" : stall_columns[why];
}

static void read_case_truth(struct sheet *s, struct truth_row *r)
{
    r->out_fnv1a = sheet_hex(s, "output_fnv1a");
    r->warm = sheet_number(s, "fresh_cycles");
    r->refilled = true;
    r->cold = sheet_number(s, "cold_cycles");
    r->warp_insts = sheet_number(s, "smsp__inst_executed.sum");
    for (enum stall why = 0; why < STALL_N; why++) {
        r->stall[why] = sheet_number(s, stall_column(why));
    }
}

/* The two files have a row for each case, in the same order. Code too long to be kept
 * as PTX (code.cu) is left out. */
static bool read_cases(struct truth *t, const char *dir, struct smw_err *e)
{
    char *const cases = file_join(dir, "fidelity/cases.csv");
    char *const h100 = file_join(dir, "fidelity/h100.csv");
    struct sheet what, truth = {0};
    const bool opened = sheet_open(&what, cases, e) && sheet_open(&truth, h100, e);

    while (opened && sheet_next(&what)) {
        struct truth_row r = {.table = "cases"};

        read_case(&what, &r);
        if (!sheet_next(&truth) || sheet_number(&truth, "id") != r.id) {
            err_set(e, SMW_ERR_INPUT, "%s has no row of case %u in its place", h100,
                    r.id);
        } else if (strcmp(r.ptx, "code.ptx") != 0) {
            read_case_truth(&truth, &r);
            *add(t, "cases") = r;
        }
    }
    sheet_close(&what);
    sheet_close(&truth);
    free(cases);
    free(h100);
    return e->kind == SMW_ERR_NONE;
}

/* ---- measured/kernels.csv ---- */

static void read_shape(const char *t, uint32_t *shape)
{
    char *end;

    for (uint32_t i = 0; i < 3; i++) {
        shape[i] = (uint32_t)strtoul(t, &end, 10);
        t = *end == 'x' ? end + 1 : end;
    }
}

/* What the sources and the README of the table say of a kernel's arguments. */
static void read_config(struct truth_row *r, const char *config)
{
    const char *const equals = strchr(config, '=');
    const int32_t v = equals == NULL ? 0 : (int32_t)strtol(equals + 1, NULL, 10);
    const bool lecture = strncmp(r->kernel, "cal_sum", 7) == 0;

    r->n_buffers = 1;
    r->n_scalars = 1;
    r->scalar[0] = v;
    r->out_words = (uint64_t)v;
    switch (config[0]) {
    case 'n': /* n=64: reverse */
        copy_text(r->ptx, sizeof(r->ptx), "reverse.ptx");
        r->buffer[0] =
            (struct truth_buffer){REVERSE_WORDS, TRUTH_MASKED, 0xffff, SEED_REVERSE};
        r->shared = strcmp(r->kernel, "dynamicReverse") == 0 ? 4 * (uint32_t)v : 0;
        break;
    case 'N': /* N=1024 block=64: a sum per block */
        copy_text(r->ptx, sizeof(r->ptx), lecture ? "reduction.ptx" : "measured.ptx");
        r->buffer[0] =
            (struct truth_buffer){(uint64_t)v, lecture ? TRUTH_HALVES : TRUTH_FLOATS, 0,
                                  SEED_A};
        r->buffer[1] = (struct truth_buffer){r->grid[0], TRUTH_ZERO, 0, 0};
        r->n_buffers = 2;
        r->out_buffer = 1;
        r->out_words = r->grid[0];
        r->shared = strcmp(r->kernel, "cal_sum_ker0") == 0 ? 0 : 4 * r->block[0];
        break;
    default: /* offset=2, stride=4: a copy */
        copy_text(r->ptx, sizeof(r->ptx), "measured.ptx");
        r->buffer[0] =
            (struct truth_buffer){config[0] == 'o' ? OFFSET_WORDS : STRIDE_WORDS,
                                  TRUTH_FLOATS, 0, SEED_A};
        r->out_words = COPY_OUT_WORDS;
    }
}

static bool read_reductions(struct truth *t, const char *dir, struct smw_err *e)
{
    char *const path = file_join(dir, "golden/measured/kernels.csv");
    struct sheet s;
    const bool opened = sheet_open(&s, path, e);

    while (opened && sheet_next(&s)) {
        struct truth_row *const r = add(t, "reductions");

        r->set = "tune";
        r->id = (uint32_t)sheet_number(&s, "id");
        copy_text(r->kernel, sizeof(r->kernel), sheet_text(&s, "kernel"));
        read_shape(sheet_text(&s, "grid"), r->grid);
        read_shape(sheet_text(&s, "block"), r->block);
        read_config(r, sheet_text(&s, "config"));
        r->checked = true;
        r->out_fnv1a = sheet_hex(&s, "output_fnv1a");
        r->displaced = 4 * r->buffer[0].words > KEPT_BYTES;
        r->warm = sheet_number(&s, "warm_cycles_median");
        r->cold = sheet_number(&s, "sm_cycles_active_max");
        r->warp_insts = sheet_number(&s, "warp_insts");
    }
    sheet_close(&s);
    free(path);
    return e->kind == SMW_ERR_NONE;
}

/* ---- bandwidth.csv ---- */

/* A record has a column of microseconds for each of these. */
static const struct {
    const char *column, *kernel;
    bool reads, writes;
} streams[] = {{"rd_us", "read", true, false},
               {"wr_us", "write", false, true},
               {"cp_us", "copy", true, true}};

enum { N_STREAMS = sizeof(streams) / sizeof(streams[0]) };

static void read_stream(struct sheet *s, uint32_t k, uint32_t id, struct truth_row *r)
{
    const double bytes = sheet_number(s, "bytes");
    const uint64_t words = (uint64_t)bytes / 4;

    r->set = bytes > L2_BYTES ? "dram" : "l2";
    r->id = id;
    (void)snprintf(r->kernel, sizeof(r->kernel), "%s_%s", streams[k].kernel,
                   sheet_text(s, "unroll"));
    copy_text(r->ptx, sizeof(r->ptx), "bandwidth.ptx");
    r->grid[0] = STREAM_SMS * (uint32_t)sheet_number(s, "blocks_per_sm");
    r->block[0] = STREAM_THREADS;
    r->grid[1] = r->grid[2] = r->block[1] = r->block[2] = 1;
    r->buffer[0].words = words;
    r->buffer[1].words = words;
    r->n_buffers = 2;
    r->scalar[0] = (int32_t)words;
    r->n_scalars = 1;
    r->bytes = bytes * (streams[k].reads + streams[k].writes);
    r->gbs = r->bytes / (1e3 * sheet_number(s, streams[k].column));
}

static double us_of(const struct truth_row *r)
{
    return r->bytes / (1e3 * r->gbs);
}

/* Rows of the same buffers and grid. */
static bool are_beside(const struct truth_row *a, const struct truth_row *b)
{
    return a->buffer[0].words == b->buffer[0].words && a->grid[0] == b->grid[0];
}

/* Does other tell that row r is the host's time? At first the host took up to 30 us for
 * a launch. Half the bytes of the same kernel and grid take about half as long, unless
 * it is the launches that take the time; and write_1 and write_4 are the same code, so
 * that where write_1 took longer, it and what was about as short is the host's time. */
static bool is_told_slow_by(const struct truth_row *r, const struct truth *t,
                            const struct truth_row *other)
{
    if (strcmp(r->kernel, other->kernel) == 0) {
        return other->grid[0] == r->grid[0] && other->bytes == 2 * r->bytes &&
               us_of(r) > 1.25 * TRUTH_LAUNCH_US && us_of(r) > 0.75 * us_of(other);
    }
    if (strcmp(other->kernel, "write_4") != 0 || !are_beside(r, other) ||
        strstr(r->kernel, "_1") == NULL) {
        return false;
    }
    for (const struct truth_row *w = t->row; w < t->row + t->n; w++) {
        if (strcmp(w->kernel, "write_1") == 0 && are_beside(r, w)) {
            return us_of(w) > 1.1 * us_of(other) && us_of(r) < 1.25 * us_of(w);
        }
    }
    return false;
}

static void tell_slow(struct truth *t, uint32_t first)
{
    for (uint32_t i = first; i < t->n; i++) {
        for (uint32_t j = first; j < t->n; j++) {
            if (is_told_slow_by(&t->row[i], t, &t->row[j])) {
                t->row[i].set = "slow";
            }
        }
    }
}

static bool read_bandwidth(struct truth *t, const char *dir, struct smw_err *e)
{
    char *const path = file_join(dir, "fidelity/bandwidth.csv");
    const uint32_t first = t->n;
    struct sheet s;
    const bool opened = sheet_open(&s, path, e);

    for (uint32_t id = 0; opened && sheet_next(&s); id++) {
        for (uint32_t k = 0; k < N_STREAMS; k++) {
            read_stream(&s, k, id, add(t, "bandwidth"));
        }
    }
    tell_slow(t, first);
    sheet_close(&s);
    free(path);
    return e->kind == SMW_ERR_NONE;
}

bool truth_read(struct truth *t, const char *dir, struct smw_err *e)
{
    t->row = NULL;
    t->n = 0;
    return read_reductions(t, dir, e) && read_cases(t, dir, e) &&
           read_bandwidth(t, dir, e);
}

void truth_free(struct truth *t)
{
    free(t->row);
}

/* ---- data ---- */

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint32_t bits_of(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof(u));
    return u;
}

uint32_t *truth_words(const struct truth_buffer *b)
{
    uint32_t *const w = tb_alloc(b->words * sizeof(w[0]));
    uint64_t state = b->seed;

    for (uint64_t i = 0; i < b->words; i++) {
        switch (b->fill) {
        case TRUTH_ZERO: w[i] = 0; break;
        case TRUTH_HALVES: w[i] = bits_of(0.5f); break;
        case TRUTH_FLOATS:
            w[i] = bits_of((float)((int32_t)(draw(&state) % 17) - 8));
            break;
        case TRUTH_MASKED: w[i] = (uint32_t)draw(&state) & b->mask; break;
        case TRUTH_IOTA: w[i] = (uint32_t)i; break;
        }
    }
    return w;
}
