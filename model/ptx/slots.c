/* Registers to slots: linear scan over live ranges, lowest free slot first. */
#include "ptx/flow_priv.h"

#include <stdlib.h>
#include <string.h>

enum file { WORD, PAIR, PRED, N_FILES };

/* A binary heap of 64-bit keys, smallest first. */
struct heap {
    uint64_t *v;
    uint32_t n;
};

static void heap_add(struct heap *h, uint64_t key)
{
    uint32_t i = h->n++;

    while (i > 0 && h->v[(i - 1) / 2] > key) {
        h->v[i] = h->v[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->v[i] = key;
}

static uint64_t heap_take(struct heap *h)
{
    const uint64_t top = h->v[0], key = h->v[--h->n];
    uint32_t i = 0;

    for (;;) {
        uint32_t c = 2 * i + 1;

        if (c >= h->n) {
            break;
        }
        c += c + 1 < h->n && h->v[c + 1] < h->v[c];
        if (h->v[c] >= key) {
            break;
        }
        h->v[i] = h->v[c];
        i = c;
    }
    h->v[i] = key;
    return top;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static enum file file_of(const struct ptx_ir *f, uint32_t reg)
{
    if (f->vreg[reg].type == ISA_T_PRED) {
        return PRED;
    }
    return ptx_reg_bits(f, reg) == 64 ? PAIR : WORD;
}

void ptx_slots_build(struct arena *a, const struct ptx_ir *f,
                     const struct ptx_live *live, uint32_t area, uint32_t temps,
                     struct ptx_slots *slots)
{
    const size_t bytes = (f->n_vreg + 1) * sizeof(uint64_t);
    struct heap busy[N_FILES] = {{0}}, spare[N_FILES] = {{0}};
    uint32_t used[N_FILES] = {0}, base[N_FILES], n = 0;
    uint64_t *const order = arena_alloc(a, bytes);

    memset(slots, 0, sizeof(*slots));
    slots->of = arena_alloc(a, (f->n_vreg + 1) * sizeof(slots->of[0]));
    for (uint32_t c = 0; c < N_FILES; c++) {
        busy[c].v = arena_alloc(a, bytes);
        spare[c].v = arena_alloc(a, bytes);
    }
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        slots->of[r] = PTX_NONE;
        if (live->start[r] < live->end[r]) {
            order[n++] = (uint64_t)live->start[r] << 32 | r;
        }
    }
    qsort(order, n, sizeof(order[0]), by_key);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = (uint32_t)order[i];
        const enum file c = file_of(f, r);

        while (busy[c].n > 0 && busy[c].v[0] >> 32 <= live->start[r]) {
            heap_add(&spare[c], (uint32_t)heap_take(&busy[c]));
        }
        slots->of[r] = spare[c].n > 0 ? (uint32_t)heap_take(&spare[c]) : used[c]++;
        heap_add(&busy[c], (uint64_t)live->end[r] << 32 | slots->of[r]);
    }
    base[WORD] = area;
    base[PAIR] = area + used[WORD];
    base[PRED] = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = (uint32_t)order[i];
        const enum file c = file_of(f, r);

        slots->of[r] = base[c] + (c == PAIR ? 2 : 1) * slots->of[r];
    }
    slots->pairs = base[PAIR];
    slots->temp = base[PAIR] + 2 * used[PAIR];
    slots->temp_pair = slots->temp;
    slots->n_slots = slots->temp + temps;
    slots->n_preds = used[PRED] + f->uses_cc;
    slots->cc = f->uses_cc ? used[PRED] : PTX_NONE;
}

/* Any temporary slots may be of words, or of pairs. */
void ptx_frame_add(struct ptx_frame *frame, const struct ptx_slots *slots)
{
    const uint32_t temps = slots->n_slots - slots->temp;
    const uint32_t words = slots->pairs + temps;
    const uint32_t pairs = slots->temp - slots->pairs + (temps + 1) / 2 * 2;

    frame->words = words > frame->words ? words : frame->words;
    frame->pairs = pairs > frame->pairs ? pairs : frame->pairs;
}

void ptx_frame_fit(const struct ptx_frame *frame, const struct ptx_ir *f,
                   struct ptx_slots *slots)
{
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        if (slots->of[r] != PTX_NONE && file_of(f, r) == PAIR) {
            slots->of[r] += frame->words - slots->pairs;
        }
    }
    slots->temp_pair = frame->words + slots->temp - slots->pairs;
    slots->temp = slots->pairs;
    slots->pairs = frame->words;
    slots->n_slots = frame->words + frame->pairs;
}
