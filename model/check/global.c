#include "check/global.h"

#include "check/check_priv.h"
#include "check/pages.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = 16, CELL_BITS = 12, MAX_GRIDS = 64 };

static const uint32_t no_write = UINT32_MAX, any_write = UINT32_MAX - 1;

struct mark { /* an access */
    uint64_t block;
    uint32_t launch, clock, thread, pc;
    sim_cycle_t cycle;
    uint8_t bytes; /* of the word; 0: none */
    uint8_t flags; /* enum check_flag */
};

struct word {
    struct mark write, read[2];
    uint32_t value; /* last written */
    uint32_t flag;  /* 1 + index of the flag, of flag_launch; 0: it publishes nothing */
    uint32_t flag_launch;
};

struct known { /* of each flag: how many of its publications */
    uint32_t n[CHECK_MAX_FLAGS];
};

struct publication {
    uint64_t block;
    uint32_t clock;
    uint32_t before; /* 1 + index of the block's last one; 0: none */
};

struct flag {
    struct publication *list;
    uint32_t n, max;
    uint32_t *last;    /* of each block: 1 + index of its last one */
    struct known join; /* what those who published knew */
};

struct side { /* a block of a launch */
    uint32_t clock, told;
    bool fenced;
    uint32_t flag_pc[CHECK_MAX_WARPS]; /* as in struct shadow */
    struct known *known;               /* NULL: nothing */
};

struct grid { /* a launch */
    uint32_t launch;
    uint64_t n_blocks;
    struct side **side; /* NULL: has not accessed anything */
    struct flag *flag;
    uint32_t n_flags;
    bool lost; /* too many flags or blocks */
};

struct check_global {
    struct check found;
    bool races;
    struct pages written;        /* a bit for each byte */
    struct pages cell;           /* struct word */
    struct grid grid[MAX_GRIDS]; /* of launch % MAX_GRIDS */
};

static void *zeroed(size_t bytes)
{
    return memset(check_grow(NULL, bytes), 0, bytes);
}

struct check_global *check_global_new(bool races)
{
    struct check_global *g = zeroed(sizeof(*g));

    g->races = races;
    return g;
}

static void free_grid(struct grid *k)
{
    for (uint64_t i = 0; i < k->n_blocks; i++) {
        if (k->side[i] != NULL) {
            free(k->side[i]->known);
            free(k->side[i]);
        }
    }
    for (uint32_t i = 0; i < k->n_flags; i++) {
        free(k->flag[i].list);
        free(k->flag[i].last);
    }
    free(k->side);
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
    pages_free(&g->cell);
    free(g->found.found);
    free(g);
}

const struct check *check_global_findings(const struct check_global *g)
{
    return &g->found;
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

static struct grid *grid_of(struct check_global *g, const struct check_block *b)
{
    struct grid *k = &g->grid[b->launch % MAX_GRIDS];

    if (k->side == NULL || k->launch != b->launch) {
        free_grid(k);
        k->launch = b->launch;
        k->lost = b->blocks > CHECK_MAX_BLOCKS;
        k->n_blocks = k->lost ? 0 : b->blocks;
        k->side = zeroed((k->n_blocks + 1) * sizeof(k->side[0]));
        k->flag = zeroed(CHECK_MAX_FLAGS * sizeof(k->flag[0]));
    }
    return k;
}

static struct side *side_of(struct grid *k, uint64_t block)
{
    if (k->side[block] == NULL) {
        k->side[block] = zeroed(sizeof(struct side));
        k->side[block]->clock = 1;
        memset(k->side[block]->flag_pc, 0xff, sizeof(k->side[block]->flag_pc));
    }
    return k->side[block];
}

/* Does the block know of an access of another one? */
static bool knows(const struct grid *k, const struct side *s, const struct mark *p)
{
    for (uint32_t f = 0; s->known != NULL && f < k->n_flags; f++) {
        const struct flag *flag = &k->flag[f];

        for (uint32_t i = flag->last[p->block]; i != 0; i = flag->list[i - 1].before) {
            if (flag->list[i - 1].clock < p->clock) {
                break;
            }
            if (i <= s->known->n[f]) {
                return true;
            }
        }
    }
    return false;
}

static void learn(struct known *a, const struct known *b, uint32_t n)
{
    for (uint32_t f = 0; f < n; f++) {
        a->n[f] = a->n[f] > b->n[f] ? a->n[f] : b->n[f];
    }
}

static void publish(struct grid *k, struct flag *flag, uint64_t block)
{
    const struct side *s = k->side[block];

    if (flag->n == flag->max) {
        flag->max = flag->max == 0 ? 16 : 2 * flag->max;
        flag->list = check_grow(flag->list, flag->max * sizeof(flag->list[0]));
    }
    flag->list[flag->n] = (struct publication){block, s->told, flag->last[block]};
    flag->last[block] = ++flag->n;
    if (s->known != NULL) {
        learn(&flag->join, s->known, k->n_flags);
    }
}

/* An atomic or volatile access to the word. */
static void use_flag(struct grid *k, struct word *w, const struct check_block *b,
                     const struct check_access *a)
{
    struct side *s = k->side[b->block];
    bool reads = (a->flags & (CHECK_ATOMIC | CHECK_WRITE)) != CHECK_WRITE;
    bool publishes = (a->flags & CHECK_ATOMIC) != 0
                         ? s->fenced
                         : !reads && s->flag_pc[a->warp] == a->pc;
    bool is_flag = w->flag != 0 && w->flag_launch == b->launch;

    if (reads && is_flag) {
        if (s->known == NULL) {
            s->known = zeroed(sizeof(*s->known));
        }
        s->known->n[w->flag - 1] = k->flag[w->flag - 1].n;
        learn(s->known, &k->flag[w->flag - 1].join, k->n_flags);
    }
    if (!publishes) {
        return;
    }
    if (!is_flag && k->n_flags == CHECK_MAX_FLAGS) {
        k->lost = true;
        return;
    }
    if (!is_flag) {
        k->flag[k->n_flags].last = zeroed(k->n_blocks * sizeof(uint32_t));
        w->flag = ++k->n_flags;
        w->flag_launch = b->launch;
    }
    publish(k, &k->flag[w->flag - 1], b->block);
}

void check_global_fence(struct check_global *g, const struct check_block *b,
                        uint32_t warp)
{
    struct grid *k = g->races ? grid_of(g, b) : NULL;
    struct side *s;

    if (k == NULL || k->lost) {
        return;
    }
    s = side_of(k, b->block);
    s->told = s->clock++;
    s->fenced = true;
    s->flag_pc[warp] = any_write;
}

/* ---- hazards ---- */

struct piece { /* one lane's access to one word */
    const struct check_block *b;
    const struct check_access *a;
    struct grid *k;
    uint32_t lane;
    uint64_t addr;
    uint32_t value; /* in the place of its bytes */
    uint8_t bytes;
};

static bool is_hazard(const struct piece *t, const struct mark *p)
{
    uint8_t strong = CHECK_ATOMIC | CHECK_VOLATILE;

    return (p->bytes & t->bytes) != 0 && p->launch == t->b->launch &&
           p->block != t->b->block &&
           ((p->flags & strong) == 0 || (t->a->flags & strong) == 0) &&
           !knows(t->k, t->k->side[t->b->block], p);
}

static uint32_t n_bytes(uint32_t bytes)
{
    return (bytes & 1) + (bytes >> 1 & 1) + (bytes >> 2 & 1) + (bytes >> 3 & 1);
}

/* Bytes that another write changes. */
static uint32_t bytes_changed(const struct piece *t, const struct word *w)
{
    uint32_t differ = w->value ^ t->value, both = w->write.bytes & t->bytes, n = 0;

    if (((w->write.flags | t->a->flags) & CHECK_ATOMIC) != 0) {
        return n_bytes(both);
    }
    for (uint32_t i = 0; i < 4; i++) {
        n += (both >> i & 1) != 0 && (differ >> 8 * i & 0xff) != 0;
    }
    return n;
}

static void report(struct check_global *g, const struct piece *t, const struct mark *p,
                   uint32_t bytes)
{
    bool writes = (t->a->flags & CHECK_WRITE) != 0;
    bool wrote = (p->flags & CHECK_WRITE) != 0;
    struct check_finding key, *f;

    finding_unwritten(&key, t->b, t->a, t->lane);
    key.kind = CHECK_RACE;
    key.space = CHECK_GLOBAL;
    key.error = true;
    key.addr = t->addr;
    key.side[0] = (struct check_side){p->block, p->thread, p->pc, p->flags, p->cycle};
    f = finding_of(&g->found, &key);
    f->count += bytes;
    f->raw += wrote && !writes ? bytes : 0;
    f->war += !wrote ? bytes : 0;
    f->waw += wrote && writes ? bytes : 0;
}

static struct mark mark_of(const struct piece *t)
{
    return (struct mark){.block = t->b->block,
                         .launch = t->b->launch,
                         .clock = t->k->side[t->b->block]->clock,
                         .thread = t->a->warp * CHECK_LANES + t->lane,
                         .pc = t->a->pc,
                         .cycle = t->a->cycle,
                         .bytes = t->bytes,
                         .flags = t->a->flags};
}

static bool write_word(struct check_global *g, const struct piece *t, struct word *w)
{
    uint32_t bytes = is_hazard(t, &w->write) ? bytes_changed(t, w) : 0;

    if (bytes != 0) {
        report(g, t, &w->write, bytes);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(w->read) && bytes == 0; i++) {
        if (is_hazard(t, &w->read[i])) {
            bytes = n_bytes(w->read[i].bytes & t->bytes);
            report(g, t, &w->read[i], bytes);
        }
    }
    w->write = mark_of(t);
    w->value = t->value;
    w->read[0].bytes = w->read[1].bytes = 0;
    return bytes != 0;
}

static bool read_word(struct check_global *g, const struct piece *t, struct word *w)
{
    bool hazard = is_hazard(t, &w->write);
    struct mark *older =
        w->read[0].cycle <= w->read[1].cycle ? &w->read[0] : &w->read[1];

    if (hazard) {
        report(g, t, &w->write, n_bytes(w->write.bytes & t->bytes));
    }
    for (uint32_t i = 0; i < ARRAY_LEN(w->read); i++) { /* one of use to nobody */
        const struct mark *p = &w->read[i];

        if (p->bytes == 0 || p->launch != t->b->launch || p->block == t->b->block) {
            older = &w->read[i];
        }
    }
    *older = mark_of(t);
    return hazard;
}

static struct word *word_at(struct check_global *g, uint64_t addr)
{
    const uint32_t words = (1u << CELL_BITS) / 4;
    struct word *cell =
        pages_get(&g->cell, addr >> CELL_BITS, words * sizeof(struct word));

    return &cell[addr / 4 % words];
}

/* Each word of the lane's access. */
static bool race(struct check_global *g, struct piece *t)
{
    const struct check_access *a = t->a;
    uint32_t n = a->size < 4 ? a->size : 4, pieces = a->vec * (a->size == 8 ? 2u : 1u);
    bool strong = (a->flags & (CHECK_ATOMIC | CHECK_VOLATILE)) != 0, found = false;

    for (uint32_t k = 0; k < pieces; k++) {
        struct word *w;
        uint32_t at;

        t->addr = a->addr[t->lane] + k * n;
        at = (uint32_t)t->addr % 4;
        t->bytes = (uint8_t)(((1u << n) - 1) << at);
        t->value = (a->flags & CHECK_WRITE) != 0 ? a->data[k][t->lane] << 8 * at : 0;
        w = word_at(g, t->addr);
        if (strong) {
            use_flag(t->k, w, t->b, a);
        }
        found |=
            (a->flags & CHECK_WRITE) != 0 ? write_word(g, t, w) : read_word(g, t, w);
    }
    return found;
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

bool check_global_access(struct check_global *g, const struct check_block *b,
                         const struct check_access *a)
{
    struct piece t = {.b = b, .a = a};
    bool races = g->races && !grid_of(g, b)->lost, found = false;

    if (races) {
        uint32_t *pc;

        t.k = grid_of(g, b);
        pc = &side_of(t.k, b->block)->flag_pc[a->warp];
        if ((a->flags & (CHECK_WRITE | CHECK_ATOMIC)) == CHECK_WRITE) {
            *pc = *pc == any_write || *pc == a->pc ? a->pc : no_write;
        }
    }
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        t.lane = attr_lowest_bit(m);
        found |= unwritten(g, b, a, t.lane);
        if (races) {
            found |= race(g, &t);
        }
    }
    return found;
}
