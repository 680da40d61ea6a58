#include "check/check_priv.h"

#include <stdlib.h>
#include <string.h>

struct check *check_new(uint32_t n_slots, bool lock_step)
{
    struct check *c = check_grow(NULL, sizeof(*c));

    memset(c, 0, sizeof(*c));
    c->lock_step = lock_step;
    c->n_slots = n_slots;
    c->slot = check_grow(NULL, n_slots * sizeof(c->slot[0]));
    memset(c->slot, 0, n_slots * sizeof(c->slot[0]));
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
    }
    free(c->slot);
    free(c->found);
    free(c);
}

void check_begin(struct check *c, uint32_t slot, const struct check_block *b)
{
    struct shadow *s = &c->slot[slot];

    s->b = *b;
    s->n_words = (b->bytes + 3) / 4;
    if (s->n_words > s->max_words) {
        s->max_words = s->n_words;
        s->word = check_grow(s->word, s->max_words * sizeof(s->word[0]));
        free(s->byte);
        s->byte = NULL;
    }
    if (s->n_words != 0) {
        memset(s->word, 0, s->n_words * sizeof(s->word[0]));
    }
    if (s->warp == NULL) {
        s->warp = check_grow(NULL, CHECK_MAX_WARPS * sizeof(s->warp[0]));
    }
    local_begin(s);
    order_begin(s);
    copies_begin(s);
}

/* One lane's access to one word or byte. */
struct touch {
    struct check *c;
    struct shadow *s;
    const struct check_access *a;
    uint32_t lane, addr;
    uint32_t value;
    uint32_t bytes; /* 1 or 4 */
    bool is_flag;   /* fences are published through the word */
    bool hazard;    /* something was found */
};

/* ---- hazards ---- */

static bool is_same_instruction(const struct touch *t, const struct seen *p)
{
    return p->warp == t->a->warp && p->pc == t->a->pc && p->cycle == t->a->cycle;
}

/* SPEC CHECK-2: accesses that are none whatever their order. */
static bool may_meet(const struct touch *t, const struct seen *p)
{
    uint8_t both = p->flags & t->a->flags, any = p->flags | t->a->flags;

    if ((any & CHECK_ATOMIC) != 0 &&
        ((both & CHECK_ATOMIC) != 0 || (any & CHECK_VOLATILE) != 0)) {
        return true;
    }
    if (t->is_flag && (both & CHECK_VOLATILE) != 0) {
        return true;
    }
    return t->c->lock_step && p->warp == t->a->warp && (both & CHECK_VOLATILE) != 0 &&
           !is_same_instruction(t, p);
}

/* Bytes of the cell that a write changes; what an atomic left is not known. */
static uint32_t bytes_changed(const struct touch *t, const struct cell *c)
{
    uint32_t differ = c->value ^ t->value, n = 0;

    if (((c->write.flags | t->a->flags) & (CHECK_ATOMIC | CHECK_ASYNC)) != 0) {
        return t->bytes;
    }
    for (uint32_t i = 0; i < t->bytes; i++) {
        n += (differ >> 8 * i & 0xff) != 0;
    }
    return n;
}

static void example_of(const struct touch *t, const struct seen *p, uint32_t other,
                       struct check_finding *f)
{
    const struct check_access *a = t->a;

    finding_unwritten(f, &t->s->b, a, t->lane);
    f->addr = t->addr;
    if (p != NULL) {
        f->kind = CHECK_RACE;
        f->error = p->warp != a->warp || (p->flags & CHECK_ASYNC) != 0;
        f->side[0] =
            (struct check_side){t->s->b.block, p->warp * CHECK_LANES + other, p->pc,
                                p->flags & (CHECK_WRITE | CHECK_ATOMIC |
                                            CHECK_VOLATILE | CHECK_ASYNC),
                                p->cycle};
    }
}

static void report(struct touch *t, const struct seen *p, uint32_t other,
                   uint32_t bytes)
{
    struct check_finding key, *f;
    bool writes = (t->a->flags & CHECK_WRITE) != 0;
    bool wrote = (p->flags & CHECK_WRITE) != 0;

    example_of(t, p, other, &key);
    f = finding_of(t->c, &key);
    f->count += bytes;
    f->raw += wrote && !writes ? bytes : 0;
    f->war += !wrote ? bytes : 0;
    f->waw += wrote && writes ? bytes : 0;
    f->in_warp += p->warp == t->a->warp ? bytes : 0;
    t->hazard = true;
    if ((p->flags & SEEN_UNWRITTEN) != 0) {
        finding_raced(t->c, t->s->b.kernel, p->pc);
    }
}

/* SPEC CHECK-1: is p, if there is one, not ordered before the access? */
static bool is_hazard(const struct touch *t, const struct seen *p, uint32_t *other)
{
    if ((p->flags & (SEEN_VALID | CHECK_ASYNC)) == (SEEN_VALID | CHECK_ASYNC)) {
        *other = attr_lowest_bit(p->lanes);
        return true;
    }
    return (p->flags & SEEN_VALID) != 0 && !may_meet(t, p) &&
           !order_is_before(t->s, p, t->a->warp, t->lane, other);
}

static void set_seen(const struct touch *t, struct seen *p)
{
    const struct shadow *s = t->s;
    uint32_t w = t->a->warp;

    p->lanes = 1u << t->lane;
    p->pc = t->a->pc;
    p->clock = s->know[w].at[w];
    p->sync = s->warp[w].sync;
    p->cycle = t->a->cycle;
    p->warp = (uint8_t)w;
    p->flags = (uint8_t)(t->a->flags | SEEN_VALID);
}

/* ---- writes and reads ---- */

static void tell_unwritten(struct touch *t)
{
    struct check_finding key;

    example_of(t, NULL, 0, &key);
    finding_of(t->c, &key)->count += t->bytes;
    t->hazard = true;
}

static void write_cell(struct touch *t, struct cell *c)
{
    uint32_t other = 0, bytes = 0;

    if ((t->a->flags & CHECK_ATOMIC) != 0 && (c->write.flags & SEEN_VALID) == 0) {
        tell_unwritten(t);
    }
    if (is_hazard(t, &c->write, &other)) {
        bytes = bytes_changed(t, c);
        if (bytes != 0) {
            report(t, &c->write, other, bytes);
        }
    }
    for (uint32_t i = 0; i < ARRAY_LEN(c->read) && bytes == 0; i++) {
        if (is_hazard(t, &c->read[i], &other)) {
            report(t, &c->read[i], other, t->bytes);
            bytes = t->bytes; /* once for each byte */
        }
    }
    set_seen(t, &c->write);
    c->value = t->value;
    c->read[0].flags = c->read[1].flags = 0;
}

/* Which of the two reads a new one replaces: one of no use, one that came before it in
 * any case, one of the same warp, the older one. */
static struct seen *place_for(const struct touch *t, struct cell *c)
{
    struct seen *same = NULL;
    uint32_t other;

    for (uint32_t i = 0; i < ARRAY_LEN(c->read); i++) {
        struct seen *p = &c->read[i];

        if ((p->flags & SEEN_VALID) == 0 ||
            order_is_before(t->s, p, t->a->warp, t->lane, &other)) {
            return p;
        }
        same = p->warp == t->a->warp ? p : same;
    }
    if (same != NULL) {
        return same;
    }
    return c->read[0].cycle <= c->read[1].cycle ? &c->read[0] : &c->read[1];
}

static void read_cell(struct touch *t, struct cell *c)
{
    bool unwritten = (c->write.flags & SEEN_VALID) == 0;
    uint32_t other = 0;
    struct seen *p;

    if (unwritten) {
        tell_unwritten(t);
    } else if (is_hazard(t, &c->write, &other)) {
        report(t, &c->write, other, t->bytes);
    }
    for (uint32_t i = 0; i < ARRAY_LEN(c->read); i++) {
        p = &c->read[i];
        if ((p->flags & SEEN_VALID) != 0 && is_same_instruction(t, p)) {
            p->lanes |= 1u << t->lane;
            return;
        }
    }
    p = place_for(t, c);
    set_seen(t, p);
    p->flags |= unwritten ? SEEN_UNWRITTEN : 0;
}

static void touch_cell(struct touch *t, struct cell *c)
{
    if ((t->a->flags & CHECK_WRITE) != 0) {
        write_cell(t, c);
    } else {
        read_cell(t, c);
    }
}

/* ---- words and bytes ---- */

static void split(struct shadow *s, uint32_t word)
{
    struct cell *w = &s->word[word];

    if (s->byte == NULL) {
        s->byte = check_grow(NULL, 4ull * s->max_words * sizeof(s->byte[0]));
    }
    w->split = true;
    for (uint32_t i = 0; i < 4; i++) {
        s->byte[4 * word + i] = *w;
        s->byte[4 * word + i].value = w->value >> 8 * i & 0xff;
    }
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
        touch_cell(t, w);
        return;
    }
    if (!w->split) {
        split(s, addr / 4);
    }
    t->bytes = 1;
    for (uint32_t i = 0; i < n; i++) {
        t->addr = addr + i;
        t->value = value >> 8 * i & 0xff;
        touch_cell(t, &s->byte[addr + i]);
    }
}

static uint32_t datum(const struct check_access *a, uint32_t k, uint32_t lane)
{
    return (a->flags & CHECK_WRITE) != 0 ? a->data[k][lane] : 0;
}

bool check_access(struct check *c, uint32_t slot, const struct check_access *a)
{
    struct touch t = {.c = c, .s = &c->slot[slot], .a = a};
    uint32_t n = a->size < 4 ? a->size : 4;
    uint32_t pieces = a->vec * (a->size == 8 ? 2u : 1u);

    if ((a->flags & (CHECK_WRITE | CHECK_ATOMIC)) == CHECK_WRITE) {
        order_write(t.s, a);
    }

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        t.lane = attr_lowest_bit(m);
        for (uint32_t k = 0; k < pieces; k++) {
            touch_bytes(&t, (uint32_t)a->addr[t.lane] + k * n, n, datum(a, k, t.lane));
        }
    }
    return t.hazard;
}
