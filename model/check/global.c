#include "check/global.h"

#include "base/nomem.h"
#include "check/cells.h"
#include "check/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BITS = 16, /* bytes whose writes are known */
    WORD_BITS = 12, /* bytes whose words have cells */
    BYTE_BITS = 10, /* bytes that have cells of their own */
    BLOCK_BITS = 3, /* blocks */
    MAX_GRIDS = 64
};

struct known { /* of each flag: how many of its publications */
    uint32_t *of;
    uint32_t n; /* flags; of those after them none */
};

struct publication {
    uint32_t block, epoch;
    uint32_t before; /* 1 + index of the block's last one; 0: none */
};

struct flag {
    struct publication *list;
    uint32_t n, max;
    uint32_t run;      /* publications before those that the last block made in a row */
    struct pages last; /* uint32_t of each block: 1 + index of its last one */
    struct pages told; /* struct clocks of each block: what its warps published */
    struct known join; /* what those who published knew of other blocks */
};

struct side { /* a block of a launch */
    uint32_t epoch, told;
    bool fenced;
    uint32_t readers;   /* warps that have read flags since their last fences */
    struct known known; /* of other blocks */
    struct known read;  /* what it will know at the next fence of a reader */
};

struct grid { /* a launch */
    uint32_t launch;
    bool begun, lost; /* lost: too many flags or blocks */
    struct pages side;
    struct flag *flag;
    uint32_t n_flags, max_flags;
};

struct check_global {
    struct check found;
    bool races;
    struct pages written;        /* a bit for each byte */
    struct pages word, byte;     /* struct cell */
    struct grid grid[MAX_GRIDS]; /* of launch % MAX_GRIDS */
    uint64_t n_lost;             /* launches in which races were not looked for */
};

struct check_global *check_global_new(bool races)
{
    struct check_global *g = nomem_calloc(1, sizeof(*g));

    g->races = races;
    return g;
}

static void free_grid(struct grid *k)
{
    for (uint64_t i = 0; i < k->side.max; i++) {
        struct side *side = k->side.slot[i].bytes;

        for (uint32_t b = 0; side != NULL && b < 1u << BLOCK_BITS; b++) {
            free(side[b].known.of);
            free(side[b].read.of);
        }
    }
    for (uint32_t i = 0; i < k->n_flags; i++) {
        free(k->flag[i].list);
        free(k->flag[i].join.of);
        pages_free(&k->flag[i].last);
        pages_free(&k->flag[i].told);
    }
    pages_free(&k->side);
    free(k->flag);
    memset(k, 0, sizeof(*k));
}

void check_global_free(struct check_global *g)
{
    if (g == NULL) {
        return;
    }
    for (uint32_t i = 0; i < MAX_GRIDS; i++) {
        free_grid(&g->grid[i]);
    }
    pages_free(&g->written);
    pages_free(&g->word);
    pages_free(&g->byte);
    free(g->found.found);
    free(g->found.reads.of);
    free(g);
}

const struct check *check_global_findings(const struct check_global *g)
{
    return &g->found;
}

uint64_t check_global_lost(const struct check_global *g)
{
    return g->n_lost;
}

/* ---- what was written ---- */

static uint8_t *written_page(struct check_global *g, uint64_t i)
{
    return pages_get(&g->written, i, (1u << PAGE_BITS) / 8);
}

/* Bytes of n that nobody had written; n is at most 32, they lie in one page. */
static uint32_t touch(struct check_global *g, uint64_t addr, uint32_t n, bool writes)
{
    uint8_t *page = written_page(g, addr >> PAGE_BITS);
    uint32_t unwritten = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)(addr + i) & ((1u << PAGE_BITS) - 1);
        uint8_t bit = (uint8_t)(1u << at % 8);

        unwritten += (page[at / 8] & bit) == 0;
        page[at / 8] |= writes ? bit : 0;
    }
    return unwritten;
}

void check_global_host(struct check_global *g, uint64_t addr, uint64_t n)
{
    while (n > 0) {
        uint64_t at = addr & ((1u << PAGE_BITS) - 1);
        uint64_t part = (1u << PAGE_BITS) - at < n ? (1u << PAGE_BITS) - at : n;

        if (at % 8 == 0 && part % 8 == 0) {
            memset(written_page(g, addr >> PAGE_BITS) + at / 8, 0xff, part / 8);
        } else {
            part = part < 8 ? part : 8 - at % 8 < part ? 8 - at % 8 : part;
            (void)touch(g, addr, (uint32_t)part, true);
        }
        addr += part;
        n -= part;
    }
}

void check_global_freed(struct check_global *g, uint64_t addr, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t a = addr + i;
        uint8_t *page = pages_find(&g->written, a >> PAGE_BITS);

        if (page == NULL) {
            i += ((1u << PAGE_BITS) - 1) & ~a; /* nor is the rest of the page */
        } else {
            page[(a & ((1u << PAGE_BITS) - 1)) / 8] &= (uint8_t) ~(1u << a % 8);
        }
    }
}

/* ---- what comes before what ---- */

static void lose(struct check_global *g, struct grid *k)
{
    g->n_lost += !k->lost;
    k->lost = true;
}

static struct grid *grid_of(struct check_global *g, const struct check_block *b)
{
    struct grid *k = &g->grid[b->launch % MAX_GRIDS];

    if (!k->begun || k->launch != b->launch) {
        free_grid(k);
        k->launch = b->launch;
        k->begun = true;
        if (b->blocks > UINT32_MAX) {
            lose(g, k);
        }
    }
    return k;
}

/* What *p has of the block; NULL: nothing yet. */
static void *find_block(struct pages *p, uint32_t block, size_t bytes)
{
    char *page = pages_find(p, block >> BLOCK_BITS);

    return page != NULL ? page + (block & ((1u << BLOCK_BITS) - 1)) * bytes : NULL;
}

static void *of_block(struct pages *p, uint32_t block, size_t bytes)
{
    char *page = pages_get(p, block >> BLOCK_BITS, bytes << BLOCK_BITS);

    return page + (block & ((1u << BLOCK_BITS) - 1)) * bytes;
}

static struct side *side_of(struct grid *k, uint32_t block)
{
    struct side *side = of_block(&k->side, block, sizeof(*side));

    side->epoch += side->epoch == 0;
    return side;
}

static uint32_t last_of(struct flag *f, uint32_t block)
{
    const uint32_t *last = find_block(&f->last, block, sizeof(*last));

    return last != NULL ? *last : 0;
}

struct asker { /* an access of a block */
    struct grid *k;
    struct side *side;
};

/* Does the block know of an access of another one? */
static bool knows(void *ctx, const struct seen *p)
{
    const struct asker *t = ctx;
    const struct known *known = &t->side->known;

    for (uint32_t f = 0; f < known->n; f++) {
        struct flag *flag = &t->k->flag[f];
        uint32_t i = known->of[f] != 0 ? last_of(flag, p->block) : 0;

        for (; i != 0; i = flag->list[i - 1].before) {
            if (flag->list[i - 1].epoch < p->epoch) {
                break;
            }
            if (i <= known->of[f]) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t *known_of(struct known *a, uint32_t flag)
{
    if (flag >= a->n) {
        a->of = nomem_realloc(a->of, (flag + 1) * sizeof(a->of[0]));
        memset(a->of + a->n, 0, (flag + 1 - a->n) * sizeof(a->of[0]));
        a->n = flag + 1;
    }
    return &a->of[flag];
}

static void learn(struct known *a, const struct known *b)
{
    for (uint32_t f = b->n; f-- > 0;) { /* the last first: it grows once */
        uint32_t *n = known_of(a, f);

        *n = *n > b->of[f] ? *n : b->of[f];
    }
}

/* NULL: the launch has not used the word as a flag. */
static struct flag *known_flag(const struct grid *k, const struct cell *c)
{
    return c->flag != 0 && c->flag_launch == k->launch ? &k->flag[c->flag - 1] : NULL;
}

/* NULL: there are too many. */
static struct flag *flag_of(struct check_global *g, struct grid *k, struct cell *c)
{
    if (known_flag(k, c) == NULL) {
        if (k->n_flags == CHECK_MAX_FLAGS) {
            lose(g, k);
            return NULL;
        }
        if (k->n_flags == k->max_flags) {
            k->flag = nomem_grow(k->flag, &k->max_flags, sizeof(k->flag[0]));
        }
        memset(&k->flag[k->n_flags], 0, sizeof(k->flag[0]));
        c->flag = ++k->n_flags;
        c->flag_launch = k->launch;
    }
    return &k->flag[c->flag - 1];
}

static void publish(struct flag *flag, uint32_t block, const struct side *side)
{
    uint32_t *last = of_block(&flag->last, block, sizeof(*last));

    if (flag->n == flag->max) {
        flag->list = nomem_grow(flag->list, &flag->max, sizeof(flag->list[0]));
    }
    if (flag->n != 0 && flag->list[flag->n - 1].block != block) {
        flag->run = flag->n;
    }
    flag->list[flag->n] = (struct publication){block, side->told, *last};
    *last = ++flag->n;
    learn(&flag->join, &side->known);
}

/* Who reads what a plain store wrote knows nothing of those before it, unless the block
 * that stores does. */
static bool ends_chain(const struct asker *t, const struct cell *c, uint32_t block)
{
    const struct flag *flag = &t->k->flag[c->flag - 1];
    const struct known *known = &t->side->known;
    const uint32_t n = c->flag - 1 < known->n ? known->of[c->flag - 1] : 0;

    return flag->n != 0 &&
           n < (flag->list[flag->n - 1].block == block ? flag->run : flag->n);
}

/* What the warp has read is behind a fence now. */
static void acquire(struct side *side, uint32_t warp)
{
    if ((side->readers >> warp & 1u) != 0) {
        learn(&side->known, &side->read);
        side->readers &= ~(1u << warp);
    }
}

/* What those who published by the flag had done is known to who reads it, once it
 * fences. */
static void read_flag(const struct asker *t, struct shadow *s, struct flag *flag,
                      const struct cell *c, const struct check_access *a)
{
    const struct clocks *told =
        find_block(&flag->told, (uint32_t)s->b.block, sizeof(*told));

    if (told != NULL) {
        order_join(&s->read[a->warp], told, s->b.warps);
    }
    if ((a->flags & CHECK_CTA) == 0) {
        uint32_t *n = known_of(&t->side->read, c->flag - 1);

        *n = flag->n;
        learn(&t->side->read, &flag->join);
        t->side->readers |= 1u << a->warp;
    }
}

/* An atomic or volatile access to the word, inside its block and beyond. */
static void use_flag(struct check_global *g, const struct asker *t, struct shadow *s,
                     struct cell *c, const struct check_access *a)
{
    const uint32_t block = (uint32_t)s->b.block;
    const bool publishes = order_publishes(s, s->global_flag_pc, a);
    const bool publishes_beyond = (a->flags & CHECK_CTA) == 0 && t->side->fenced &&
                                  ((a->flags & CHECK_ATOMIC) != 0 || publishes);
    struct flag *flag = known_flag(t->k, c);

    if (flag != NULL && order_reads(a)) {
        read_flag(t, s, flag, c, a);
    } else if (flag != NULL && ends_chain(t, c, block)) {
        c->flag = 0;
    }
    if (!publishes && !publishes_beyond) {
        return;
    }
    flag = flag_of(g, t->k, c);
    if (flag != NULL && publishes) {
        order_join(of_block(&flag->told, block, sizeof(struct clocks)),
                   &s->told[a->warp], s->b.warps);
    }
    if (flag != NULL && publishes_beyond) {
        publish(flag, block, t->side);
    }
}

void check_global_fence(struct check_global *g, const struct check *c, uint32_t slot,
                        uint32_t warp, bool beyond)
{
    const struct check_block *b = &c->slot[slot].b;
    struct grid *k = g->races && beyond ? grid_of(g, b) : NULL;
    struct side *side;

    if (k == NULL || k->lost) {
        return;
    }
    side = side_of(k, (uint32_t)b->block);
    side->told = side->epoch++;
    side->fenced = true;
    acquire(side, warp);
}

void check_global_arrive(struct check_global *g, const struct check *c, uint32_t slot,
                         uint32_t warp)
{
    const struct check_block *b = &c->slot[slot].b;
    struct grid *k = g->races ? grid_of(g, b) : NULL;

    if (k != NULL && !k->lost) {
        acquire(side_of(k, (uint32_t)b->block), warp);
    }
}

/* ---- hazards ---- */

static struct cell *cell_of(struct pages *p, uint64_t addr, uint32_t bits,
                            uint32_t size)
{
    struct cell *cell = pages_get(p, addr >> bits, sizeof(*cell) * (1u << bits) / size);

    return &cell[(addr & ((1u << bits) - 1)) / size];
}

/* n bytes of the lane's access, inside one word. */
static void touch_bytes(struct check_global *g, struct touch *t, uint32_t n,
                        uint32_t value)
{
    const uint64_t addr = t->addr;
    struct cell *word = cell_of(&g->word, addr, WORD_BITS, 4);

    if ((t->a->flags & (CHECK_ATOMIC | CHECK_VOLATILE)) != 0) {
        use_flag(g, t->ctx, t->s, word, t->a);
    }
    if (n == 4 && !word->split) {
        t->bytes = 4;
        t->value = value;
        cell_touch(t, word);
        return;
    }
    if (!word->split) {
        cell_split(t->reads, word, cell_of(&g->byte, addr & ~3ull, BYTE_BITS, 1));
    }
    t->bytes = 1;
    for (uint32_t i = 0; i < n; i++) {
        t->addr = addr + i;
        t->value = value >> 8 * i & 0xff;
        cell_touch(t, cell_of(&g->byte, t->addr, BYTE_BITS, 1));
    }
}

static bool race(struct check_global *g, struct check *c, uint32_t slot,
                 const struct check_access *a)
{
    struct shadow *s = &c->slot[slot];
    struct asker asker = {.k = grid_of(g, &s->b)};
    struct touch t = {.c = &g->found,
                      .s = s,
                      .a = a,
                      .space = CHECK_GLOBAL,
                      .reads = &g->found.reads,
                      .knows = knows,
                      .ctx = &asker};
    const uint32_t n = a->size < 4 ? a->size : 4;
    const uint32_t pieces = a->vec * (a->size == 8 ? 2u : 1u);

    if (asker.k->lost) {
        return false;
    }
    asker.side = side_of(asker.k, (uint32_t)s->b.block);
    t.epoch = asker.side->epoch;
    if ((a->flags & (CHECK_WRITE | CHECK_ATOMIC)) == CHECK_WRITE) {
        order_write(&s->global_flag_pc[a->warp], a);
    }
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        t.lane = attr_lowest_bit(m);
        for (uint32_t k = 0; k < pieces && !asker.k->lost; k++) {
            t.addr = a->addr[t.lane] + (uint64_t)k * n;
            touch_bytes(g, &t, n,
                        (a->flags & CHECK_WRITE) != 0 ? a->data[k][t.lane] : 0);
        }
    }
    return t.hazard;
}

void check_global_reread(struct check_global *g, struct check *c, uint32_t slot,
                         const struct check_access *a)
{
    const uint8_t strong = CHECK_ATOMIC | CHECK_VOLATILE;
    struct shadow *s = &c->slot[slot];
    struct asker asker = {.k = g->races ? grid_of(g, &s->b) : NULL};

    if (asker.k == NULL || asker.k->lost || (a->flags & strong) == 0 ||
        !order_reads(a)) {
        return;
    }
    asker.side = side_of(asker.k, (uint32_t)s->b.block);
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        const struct cell *word =
            cell_of(&g->word, a->addr[attr_lowest_bit(m)], WORD_BITS, 4);
        struct flag *flag = known_flag(asker.k, word);

        if (flag != NULL) {
            read_flag(&asker, s, flag, word, a);
        }
    }
}

/* An atomic on a word that is nobody's: atomics are no hazard, and hand orders on. */
void check_global_meet(struct check_global *g, struct check *c, uint32_t slot,
                       uint32_t warp, uint64_t key)
{
    const uint64_t addr[CHECK_LANES] = {UINT64_C(1) << 62 | key << 2};
    const uint32_t data[1][CHECK_LANES] = {{0}};
    const struct check_access a = {.mask = 1,
                                   .warp = (uint8_t)warp,
                                   .flags = CHECK_ATOMIC | CHECK_WRITE,
                                   .size = 4,
                                   .vec = 1,
                                   .addr = addr,
                                   .data = data};

    if (g->races) {
        (void)race(g, c, slot, &a);
    }
}

static bool unwritten(struct check_global *g, const struct check_block *b,
                      const struct check_access *a, uint32_t lane)
{
    uint32_t n = (uint32_t)a->size * a->vec;
    uint32_t bytes = touch(g, a->addr[lane], n, (a->flags & CHECK_WRITE) != 0);
    struct check_finding key;

    if (bytes == 0 || (a->flags & (CHECK_WRITE | CHECK_ATOMIC)) == CHECK_WRITE) {
        return false;
    }
    finding_unwritten(&key, b, a, lane);
    key.space = CHECK_GLOBAL;
    finding_of(&g->found, &key)->count += bytes;
    return true;
}

bool check_global_access(struct check_global *g, struct check *c, uint32_t slot,
                         const struct check_access *a)
{
    bool found = g->races && race(g, c, slot, a);

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        found |= unwritten(g, &c->slot[slot].b, a, attr_lowest_bit(m));
    }
    return found;
}

bool check_global_last_write(struct check_global *g, uint64_t addr,
                             struct check_writer *out)
{
    const struct cell *word = pages_find(&g->word, addr >> WORD_BITS);
    const struct cell *byte = pages_find(&g->byte, addr >> BYTE_BITS);

    return word != NULL &&
           cell_writer(&word[(addr & ((1u << WORD_BITS) - 1)) / 4],
                       byte == NULL ? NULL : &byte[addr & ((1u << BYTE_BITS) - 1)],
                       out);
}
