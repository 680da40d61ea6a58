#include "answers.h"

#include <string.h>

uint32_t answers_input(const struct row *r, uint32_t i)
{
    const float f = (float)(i % 4093);
    uint32_t w = i * 0x9e3779b9u;

    if (r->does == ROW_ADD) {
        memcpy(&w, &f, sizeof(w));
    }
    return w;
}

static uint32_t threads(const struct row *r)
{
    return r->grid[0] * r->grid[1] * r->block[0] * r->block[1];
}

/* The word that belongs at word i of the output; not for sums. */
static uint32_t expected(const struct row *r, uint32_t i)
{
    enum { TILE = 32 };
    const uint32_t width = (uint32_t)r->argument, y = i / width, x = i % width;
    const uint32_t ty = y % TILE, tx = x % TILE;

    switch (r->does) {
    case ROW_TRANSPOSE: return answers_input(r, x * width + y);
    case ROW_INSIDE: return answers_input(r, (y - ty + tx) * width + x - tx + ty);
    case ROW_MOVED: return answers_input(r, (x - tx + ty) * width + y - ty + tx);
    case ROW_SUM:
    case ROW_COPY:
    case ROW_ADD:
    case ROW_N_DOES: break;
    }
    return answers_input(r, i);
}

static bool is_sum(const struct row *r, const uint32_t *out)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < r->words; i++) {
        sum += answers_input(r, i);
    }
    for (uint32_t i = 0; i < r->grid[0]; i++) {
        sum -= out[i];
    }
    return sum == 0;
}

/* As often as it was launched, one was added where threads are: every word, from an
 * offset on, or one word in a stride. */
static bool is_added(const struct row *r, const uint32_t *out, uint32_t launches)
{
    const bool strided = strstr(r->kernel, "stride") != NULL;
    const uint32_t step = strided ? (uint32_t)r->argument : 1;
    const uint32_t first = strided ? 0 : (uint32_t)r->argument;

    for (uint32_t i = 0; i < r->words; i++) {
        const bool mine =
            i >= first && (i - first) % step == 0 && (i - first) / step < threads(r);
        const float f = (float)(i % 4093) + (mine ? (float)launches : 0);
        uint32_t bits;

        memcpy(&bits, &f, sizeof(bits));
        if (bits != out[i]) {
            return false;
        }
    }
    return true;
}

bool answers_are_right(const struct row *r, const uint32_t *out, uint32_t launches)
{
    if (r->does == ROW_SUM) {
        return is_sum(r, out);
    }
    if (r->does == ROW_ADD) {
        return is_added(r, out, launches);
    }
    for (uint32_t i = 0; i < r->words; i++) {
        if (out[i] != expected(r, i)) {
            return false;
        }
    }
    return true;
}

double answers_bytes(const struct row *r)
{
    switch (r->does) {
    case ROW_SUM: return 4.0 * r->words;
    case ROW_ADD: return 8.0 * threads(r);
    case ROW_COPY:
    case ROW_TRANSPOSE:
    case ROW_INSIDE:
    case ROW_MOVED:
    case ROW_N_DOES: break;
    }
    return 8.0 * r->words;
}
