#include "check/cells.h"

#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

struct check *check_new(uint32_t n_slots, bool lock_step)
{
    struct check *c = nomem_calloc(1, sizeof(*c) + n_slots * sizeof(c->slot[0]));

    c->lock_step = lock_step;
    c->n_slots = n_slots;
    c->slot = (struct shadow *)(c + 1);
    return c;
}

void check_free(struct check *c)
{
    if (c == NULL) {
        return;
    }
    for (uint32_t i = 0; i < c->n_slots; i++) {
        free(c->slot[i].word);
        free(c->slot[i].byte);
        free(c->slot[i].local);
        free(c->slot[i].warp);
        free(c->slot[i].flag);
        free(c->slot[i].copy);
        free(c->slot[i].reads.of);
    }
    free(c->found);
    free(c->awaited);
    free(c);
}

void check_begin(struct check *c, uint32_t slot, const struct check_block *b)
{
    struct shadow *s = &c->slot[slot];

    s->b = *b;
    s->n_words = (b->bytes + 3) / 4;
    if (s->n_words > s->max_words) {
        s->max_words = s->n_words;
        s->word = nomem_realloc(s->word, s->max_words * sizeof(s->word[0]));
        free(s->byte);
        s->byte = NULL;
    }
    if (s->n_words != 0) {
        memset(s->word, 0, s->n_words * sizeof(s->word[0]));
    }
    if (s->warp == NULL) {
        s->warp = nomem_realloc(NULL, CHECK_MAX_WARPS * sizeof(s->warp[0]));
    }
    cell_forget_reads(&s->reads);
    local_begin(s);
    order_begin(s);
    copies_begin(s);
}

/* ---- words and bytes ---- */

static void split(struct shadow *s, uint32_t word)
{
    if (s->byte == NULL) {
        s->byte = nomem_realloc(NULL, 4ull * s->max_words * sizeof(s->byte[0]));
    }
    cell_split(&s->reads, &s->word[word], &s->byte[4 * word]);
}

/* n bytes at an address, inside one word. */
static void touch_bytes(struct touch *t, uint32_t addr, uint32_t n, uint32_t value)
{
    struct shadow *s = t->s;
    struct cell *w = &s->word[addr / 4];

    if (addr / 4 >= s->n_words) {
        return; /* out of bounds, which is told by others */
    }
    if ((t->a->flags & (CHECK_ATOMIC | CHECK_VOLATILE)) != 0) {
        order_flag(s, w, t->a);
    }
    t->is_flag = w->flag != 0;
    t->addr = addr;
    if (n == 4 && !w->split) {
        t->bytes = 4;
        t->value = value;
        cell_touch(t, w);
        return;
    }
    if (!w->split) {
        split(s, addr / 4);
    }
    t->bytes = 1;
    for (uint32_t i = 0; i < n; i++) {
        t->addr = addr + i;
        t->value = value >> 8 * i & 0xff;
        cell_touch(t, &s->byte[addr + i]);
    }
}

static uint32_t datum(const struct check_access *a, uint32_t k, uint32_t lane)
{
    return (a->flags & CHECK_WRITE) != 0 ? a->data[k][lane] : 0;
}

bool check_access(struct check *c, uint32_t slot, const struct check_access *a)
{
    struct touch t = {.c = c,
                      .s = &c->slot[slot],
                      .a = a,
                      .space = CHECK_SHARED,
                      .reads = &c->slot[slot].reads};
    uint32_t n = a->size < 4 ? a->size : 4;
    uint32_t pieces = a->vec * (a->size == 8 ? 2u : 1u);

    if ((a->flags & (CHECK_WRITE | CHECK_ATOMIC)) == CHECK_WRITE) {
        order_write(&t.s->flag_pc[a->warp], a);
    }

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        t.lane = attr_lowest_bit(m);
        for (uint32_t k = 0; k < pieces; k++) {
            touch_bytes(&t, (uint32_t)a->addr[t.lane] + k * n, n, datum(a, k, t.lane));
        }
    }
    return t.hazard;
}

bool check_last_write(const struct check *c, uint32_t slot, uint64_t addr,
                      struct check_writer *out)
{
    const struct shadow *s = &c->slot[slot];

    return addr / 4 < s->n_words &&
           cell_writer(&s->word[addr / 4], s->byte == NULL ? NULL : &s->byte[addr],
                       out);
}
