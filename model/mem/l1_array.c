#include "mem/l1_array.h"

#include <string.h>

void l1_array_init(struct l1_array *a, struct sim *sim, uint32_t max_bytes,
                   uint32_t ways)
{
    _Static_assert(L1_EMPTY == 0 && ISA_GLOBAL_BASE > 0, "zeroed lines are empty");
    memset(a, 0, sizeof(*a));
    a->ways = ways;
    a->max_lines = max_bytes / MEM_LINE;
    a->addr = sim_alloc(sim, a->max_lines * sizeof(a->addr[0]));
    a->place = sim_alloc(sim, a->max_lines * sizeof(a->place[0]));
    a->state = sim_alloc(sim, (a->max_lines + 1) * sizeof(a->state[0]));
    a->data = sim_alloc(sim, (size_t)(a->max_lines + 1) * MEM_LINE);
    a->held_words = (a->max_lines + 63) / 64;
    a->held = sim_alloc(sim, a->held_words * sizeof(a->held[0]));
}

/* Empty the lines that hold something, those that are dirty too or not. */
static void empty(struct l1_array *a, bool dirty_too)
{
    for (uint32_t k = 0; k < a->held_words; k++) {
        for (uint64_t m = a->held[k]; m != 0; m &= m - 1) {
            uint32_t i = 64 * k + attr_lowest_bit(m);

            if (dirty_too || !l1_line_dirty(l1_array_line(a, i))) {
                l1_array_drop(a, i);
                a->held[k] &= ~(1ull << i % 64);
            }
        }
    }
}

void l1_array_resize(struct l1_array *a, uint32_t bytes)
{
    a->n_sets = bytes / MEM_LINE / a->ways;
    a->sets = divisor_of(a->n_sets == 0 ? 1 : a->n_sets);
    empty(a, true);
}

void l1_array_forget(struct l1_array *a)
{
    empty(a, false);
}

static uint32_t first_of_set(const struct l1_array *a, uint64_t addr)
{
    return (uint32_t)remainder_of(&a->sets, addr / MEM_LINE) * a->ways;
}

uint32_t l1_array_find(const struct l1_array *a, uint64_t addr)
{
    uint32_t first;

    if (a->n_sets == 0) {
        return L1_NO_LINE;
    }
    first = first_of_set(a, addr);
    for (uint32_t i = first; i < first + a->ways; i++) {
        if (a->addr[i] == addr) {
            return i;
        }
    }
    return L1_NO_LINE;
}

uint32_t l1_array_victim(const struct l1_array *a, uint64_t addr)
{
    uint32_t first = first_of_set(a, addr);
    uint32_t best = first;

    for (uint32_t i = first; i < first + a->ways; i++) {
        if (a->addr[i] == L1_EMPTY) {
            return i;
        }
        if (l1_array_line(a, i)->used < l1_array_line(a, best)->used) {
            best = i;
        }
    }
    return best;
}

void l1_array_drop(struct l1_array *a, uint32_t i)
{
    a->addr[i] = L1_EMPTY;
    if (a->place[i] != 0) {
        a->state[a->place[i]] = (struct l1_line){0};
    }
}

/* Line i holds something of addr from now on. Returns its place. */
static uint32_t hold(struct l1_array *a, uint32_t i, uint64_t addr)
{
    a->addr[i] = addr;
    a->held[i / 64] |= 1ull << i % 64;
    if (a->place[i] == 0) {
        a->place[i] = ++a->n_places;
    }
    return a->place[i];
}

static void touch(struct l1_array *a, struct l1_line *l)
{
    l->used = ++a->clock;
}

uint8_t l1_array_missing(const struct l1_array *a, uint32_t i, const struct mem_line *t)
{
    const struct l1_line *l;
    uint8_t missing = 0;

    if (i == L1_NO_LINE) {
        return t->sectors;
    }
    l = l1_array_line(a, i);
    if (((t->bytes[0] & ~l->valid[0]) | (t->bytes[1] & ~l->valid[1])) == 0) {
        return 0;
    }
    for (uint32_t s = 0; s < MEM_SECTORS; s++) {
        uint32_t shift = s % 2 * 32;
        uint64_t want = t->bytes[s / 2] >> shift & UINT32_MAX;

        if ((want & ~(l->valid[s / 2] >> shift)) != 0) {
            missing |= (uint8_t)(1u << s);
        }
    }
    return missing;
}

void l1_array_read(struct l1_array *a, uint32_t i, struct mem_line *t)
{
    struct l1_line *l;
    uint64_t have[2];

    if (i == L1_NO_LINE) {
        return;
    }
    l = &a->state[a->place[i]];
    for (uint32_t h = 0; h < 2; h++) {
        have[h] = t->bytes[h] & l->valid[h];
        t->bytes[h] &= ~have[h];
    }
    if ((t->bytes[0] | t->bytes[1]) == 0) {
        memcpy(t->data, l1_array_data(a, i), MEM_LINE); /* nobody looks at the rest */
    } else {
        mem_copy_bytes(t->data, l1_array_data(a, i), have);
    }
    touch(a, l);
}

void l1_array_write(struct l1_array *a, uint32_t i, const struct mem_line *t,
                    bool dirty)
{
    const uint32_t place = hold(a, i, t->addr);
    struct l1_line *l = &a->state[place];

    for (uint32_t h = 0; h < 2; h++) {
        l->valid[h] |= t->bytes[h];
        l->dirty[h] |= dirty ? t->bytes[h] : 0;
    }
    mem_copy_bytes(a->data[place], t->data, t->bytes);
    if (dirty || l->used == 0) {
        touch(a, l);
    }
}

void l1_array_fill(struct l1_array *a, uint32_t i, const struct mem_line *f)
{
    const uint32_t place = hold(a, i, f->addr);
    struct l1_line *l = &a->state[place];
    uint64_t take[2];

    mem_sector_bytes(f->sectors, take);
    for (uint32_t h = 0; h < 2; h++) {
        take[h] &= ~l->valid[h];
        l->valid[h] |= take[h];
    }
    mem_copy_bytes(a->data[place], f->data, take);
    touch(a, l);
}
