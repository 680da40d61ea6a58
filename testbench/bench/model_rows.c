#include "model_rows.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* n words; a benchmark without memory has nothing to say. */
static uint32_t *words_new(uint32_t n)
{
    uint32_t *words = calloc(n, sizeof(words[0]));

    if (words == NULL) {
        perror("model_bench");
        exit(1);
    }
    return words;
}

static uint32_t as_word(float f)
{
    uint32_t word;

    memcpy(&word, &f, sizeof(word));
    return word;
}

/* Small whole numbers without a pattern: sums of them are exact in any order. */
static uint32_t small(uint32_t i)
{
    return (i * 2654435761u) >> 29;
}

static struct plan_buffer *buffer(struct plan *p, uint32_t words)
{
    struct plan_buffer *b = &p->buffers[p->n_buffers++];

    b->words = words;
    return b;
}

static void scalar(struct plan *p, uint32_t value)
{
    p->scalars[p->n_scalars++] = value;
}

static void shape(struct plan *p, uint32_t grid, uint32_t block)
{
    p->grid[0] = grid;
    p->block[0] = block;
    p->grid[1] = p->block[1] = 1;
    p->launches = 1;
}

/* Sums of blocks of 512 of 2^log2 elements. */
static void fill_reduction(struct plan *p, uint32_t log2, uint32_t sms)
{
    enum { BLOCK = 512 };
    uint32_t n = 1u << log2;
    struct plan_buffer *in = buffer(p, n), *out = buffer(p, n / BLOCK);

    (void)sms;
    shape(p, n / BLOCK, BLOCK);
    p->shared = BLOCK * 4;
    p->elements = n;
    scalar(p, n);
    in->init = words_new(n);
    out->want = words_new(n / BLOCK);
    for (uint32_t b = 0; b < n / BLOCK; b++) {
        float sum = 0;

        for (uint32_t i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            in->init[i] = as_word((float)small(i));
            sum += (float)small(i);
        }
        out->want[b] = as_word(sum);
    }
}

/* 2^log2 launches of two warps that reverse 64 words: what a launch costs. */
static void fill_reverse(struct plan *p, uint32_t log2, uint32_t sms)
{
    enum { N = 64 };
    struct plan_buffer *d = buffer(p, N);

    (void)sms;
    shape(p, 1, N);
    p->launches = 1u << log2;
    p->elements = N << log2;
    scalar(p, N);
    d->init = words_new(N);
    d->want = words_new(N);
    for (uint32_t i = 0; i < N; i++) {
        d->init[i] = i;
        d->want[i] = log2 == 0 ? N - 1 - i : i;
    }
}

/* 2^log2 threads in blocks of 256, all lanes of a warp in one bank. */
static void fill_conflict(struct plan *p, uint32_t log2, uint32_t sms)
{
    enum { BLOCK = 256, STRIDE = 32, ROUNDS = 16 };
    uint32_t n = 1u << log2, value[BLOCK], next[BLOCK];
    struct plan_buffer *out = buffer(p, n);

    (void)sms;
    shape(p, n / BLOCK, BLOCK);
    p->shared = 32 * STRIDE * 4;
    p->elements = n;
    scalar(p, STRIDE);
    scalar(p, ROUNDS);
    for (uint32_t t = 0; t < BLOCK; t++) {
        value[t] = t;
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t t = 0; t < BLOCK; t++) {
            next[t] = 3 * value[t] + value[t ^ 1];
        }
        memcpy(value, next, sizeof(value));
    }
    out->want = words_new(n);
    for (uint32_t i = 0; i < n; i++) {
        out->want[i] = value[i % BLOCK];
    }
}

/* A product of 2^log2 elements: square matrices, or twice as wide as high. */
static void fill_matmul(struct plan *p, uint32_t log2, uint32_t sms)
{
    enum { TILE = 16 };
    uint32_t rows = 1u << log2 / 2, inner = rows, cols = 1u << (log2 - log2 / 2);
    struct plan_buffer *a = buffer(p, rows * inner), *b = buffer(p, inner * cols);
    struct plan_buffer *c = buffer(p, rows * cols);

    (void)sms;
    shape(p, cols / TILE, TILE);
    p->grid[1] = rows / TILE;
    p->block[1] = TILE;
    p->elements = rows * cols;
    scalar(p, rows);
    scalar(p, inner);
    scalar(p, cols);
    a->init = words_new(a->words);
    b->init = words_new(b->words);
    c->want = words_new(c->words);
    for (uint32_t i = 0; i < a->words; i++) {
        a->init[i] = as_word((float)small(i));
    }
    for (uint32_t i = 0; i < b->words; i++) {
        b->init[i] = as_word((float)small(i + 7));
    }
    for (uint32_t i = 0; i < c->words; i++) {
        uint32_t row = i / cols, col = i % cols, sum = 0;

        for (uint32_t k = 0; k < inner; k++) {
            sum += small(row * inner + k) * small(k * cols + col + 7);
        }
        c->want[i] = as_word((float)sum);
    }
}

/* A lone thread on each SM, 2^log2 loads each of which needs the one before, over 1
 * MB. */
static void fill_chase(struct plan *p, uint32_t log2, uint32_t sms)
{
    uint32_t steps = 1u << log2, n = 1u << 18;
    struct plan_buffer *next = buffer(p, n), *out = buffer(p, sms);

    shape(p, sms, 1);
    p->elements = steps * sms;
    scalar(p, steps);
    next->init = words_new(n);
    out->want = words_new(sms);
    for (uint32_t i = 0; i < n; i++) {
        next->init[i] = (i * 20021 + 12345) % n; /* one cycle through all */
    }
    for (uint32_t t = 0; t < sms; t++) {
        uint32_t at = t;

        for (uint32_t step = 0; step < steps; step++) {
            at = next->init[at];
        }
        out->want[t] = at;
    }
}

static const struct work works[] = {
    {"shared", "reduction.ptx", "cal_sum_ker", {16, 20}, fill_reduction},
    {"global", "reduction.ptx", "cal_sum_ker0", {16, 20}, fill_reduction},
    {"reverse", "reverse.ptx", "staticReverse", {8, 0}, fill_reverse},
    {"conflict", "bench.ptx", "conflict", {14, 0}, fill_conflict},
    {"matmul", "matmul.ptx", "matmul", {14, 0}, fill_matmul},
    {"chase", "bench.ptx", "chase", {10, 0}, fill_chase},
};

static const char *const presets[] = {"gtx480", "k20x", "h100"};

bool row_get(uint32_t i, const char *pattern, const char *preset, uint32_t log2,
             struct row *r)
{
    const uint32_t n = LEN(presets) * LEN(works) * ROW_SIZES * 2;

    for (uint32_t k = 0; k < n; k++) {
        struct row x = {.preset = presets[k / (n / LEN(presets))],
                        .work = &works[k / (2 * ROW_SIZES) % LEN(works)],
                        .all_sms = k % 2 != 0};
        uint32_t size = k / 2 % ROW_SIZES;

        x.log2 = log2 == 0 ? x.work->log2[size] : size == 0 ? log2 : 0;
        (void)snprintf(x.name, sizeof(x.name), "%s-%u/%s/%s", x.work->name, x.log2,
                       x.preset, x.all_sms ? "all" : "1");
        if (x.log2 == 0 || (preset != NULL && strcmp(preset, x.preset) != 0) ||
            (pattern != NULL && fnmatch(pattern, x.name, 0) != 0)) {
            continue;
        }
        if (i-- == 0) {
            *r = x;
            return true;
        }
    }
    return false;
}

void plan_fill(struct plan *p, const struct row *r, uint32_t sms)
{
    memset(p, 0, sizeof(*p));
    r->work->fill(p, r->log2, sms);
}

uint64_t plan_bytes(const struct plan *p)
{
    uint64_t words = 0;

    for (uint32_t i = 0; i < p->n_buffers; i++) {
        words += p->buffers[i].words;
    }
    return words * sizeof(uint32_t);
}

void plan_free(struct plan *p)
{
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        free(p->buffers[i].init);
        free(p->buffers[i].want);
    }
}
