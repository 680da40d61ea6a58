#include "check/cells.h"

#include "base/nomem.h"

#include <string.h>

/* ---- hazards ---- */

static bool is_of_block(const struct touch *t, const struct seen *p)
{
    return p->block == t->s->b.block;
}

static bool is_same_instruction(const struct touch *t, const struct seen *p)
{
    return is_of_block(t, p) && p->warp == t->a->warp && p->pc == t->a->pc &&
           p->cycle == t->a->cycle;
}

/* SPEC CHECK-2, CHECK-5: accesses that are no hazard whatever their order. */
static bool may_meet(const struct touch *t, const struct seen *p)
{
    const uint8_t both = p->flags & t->a->flags, any = p->flags | t->a->flags;
    const uint8_t strong = CHECK_ATOMIC | CHECK_VOLATILE;

    if (t->space == CHECK_GLOBAL) {
        return (p->flags & strong) != 0 && (t->a->flags & strong) != 0 &&
               (is_of_block(t, p) || (any & CHECK_CTA) == 0);
    }
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

/* Is p of use? Of global memory, accesses of other launches are not. */
static bool is_valid(const struct touch *t, const struct seen *p)
{
    return (p->flags & SEEN_VALID) != 0 && p->launch == t->s->b.launch;
}

/* Did p come before the access in any case? If not, *other is a lane of it. */
static bool is_before(const struct touch *t, const struct seen *p, uint32_t *other)
{
    if (!is_of_block(t, p)) {
        *other = attr_lowest_bit(p->lanes);
        return t->knows(t->ctx, p);
    }
    return order_is_before(t->s, p, t->a->warp, t->lane, other);
}

/* SPEC CHECK-1: is p, if there is one, not ordered before the access? */
static bool is_hazard(const struct touch *t, const struct seen *p, uint32_t *other)
{
    if ((p->flags & (SEEN_VALID | CHECK_ASYNC)) == (SEEN_VALID | CHECK_ASYNC)) {
        *other = attr_lowest_bit(p->lanes);
        return true;
    }
    return is_valid(t, p) && !may_meet(t, p) && !is_before(t, p, other);
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

/* ---- findings ---- */

static void example_of(const struct touch *t, const struct seen *p, uint32_t other,
                       struct check_finding *f)
{
    const uint8_t told =
        CHECK_WRITE | CHECK_ATOMIC | CHECK_VOLATILE | CHECK_ASYNC | CHECK_CTA;

    finding_unwritten(f, &t->s->b, t->a, t->lane);
    f->space = t->space;
    f->addr = t->addr;
    if (p != NULL) {
        f->kind = CHECK_RACE;
        f->side[0] = (struct check_side){p->block, p->warp * CHECK_LANES + other, p->pc,
                                         p->flags & told, p->cycle};
    }
}

static void report(struct touch *t, const struct seen *p, uint32_t other,
                   uint32_t bytes)
{
    const bool writes = (t->a->flags & CHECK_WRITE) != 0;
    const bool wrote = (p->flags & CHECK_WRITE) != 0;
    const bool in_warp = is_of_block(t, p) && p->warp == t->a->warp;
    struct check_finding key, *f;

    example_of(t, p, other, &key);
    key.error = !in_warp || (p->flags & CHECK_ASYNC) != 0 || (wrote && writes);
    f = finding_of(t->c, &key);
    f->count += bytes;
    f->raw += wrote && !writes ? bytes : 0;
    f->war += !wrote ? bytes : 0;
    f->waw += wrote && writes ? bytes : 0;
    f->in_warp += in_warp ? bytes : 0;
    t->hazard = true;
    if ((p->flags & SEEN_UNWRITTEN) != 0) {
        finding_raced(t->c, t->s->b.kernel, p->pc);
    }
}

/* Global memory has bits for this, which the host sets too. */
static bool is_unwritten(const struct touch *t, const struct cell *c)
{
    return t->space == CHECK_SHARED && (c->write.flags & SEEN_VALID) == 0 &&
           !t->s->b.others_write;
}

static void tell_unwritten(struct touch *t)
{
    struct check_finding key;

    example_of(t, NULL, 0, &key);
    finding_of(t->c, &key)->count += t->bytes;
    t->hazard = true;
}

/* ---- writes and reads ---- */

static void set_seen(const struct touch *t, struct seen *p)
{
    const struct shadow *s = t->s;
    const uint32_t w = t->a->warp;

    p->lanes = 1u << t->lane;
    p->pc = t->a->pc;
    p->clock = s->know[w].at[w];
    p->sync = s->warp[w].sync;
    p->cycle = t->a->cycle;
    p->block = (uint32_t)s->b.block;
    p->launch = s->b.launch;
    p->epoch = t->epoch;
    p->warp = (uint8_t)w;
    p->flags = (uint8_t)(t->a->flags | SEEN_VALID);
}

static uint32_t n_reads(const struct cell *c)
{
    return ARRAY_LEN(c->read) + (c->more != 0 ? MORE_READS : 0);
}

static struct seen *read_of(const struct touch *t, struct cell *c, uint32_t i)
{
    return i < ARRAY_LEN(c->read)
               ? &c->read[i]
               : &t->reads->of[c->more - 1].read[i - ARRAY_LEN(c->read)];
}

/* May a read that was dropped race with the write? A barrier of all warps of the block
 * behind it says that it does not. */
static bool is_doubtful(const struct touch *t, const struct cell *c)
{
    return c->launch_lost == t->s->b.launch + 1 &&
           (c->block_lost != (uint32_t)t->s->b.block ||
            c->phase_lost >= t->s->phase[t->a->warp]);
}

static void give_reads(const struct touch *t, struct cell *c)
{
    if (c->more != 0) {
        t->reads->of[c->more - 1].next_free = t->reads->free;
        t->reads->free = c->more;
        c->more = 0;
    }
}

/* More reads, all of no use. */
static uint32_t take_reads(struct read_pool *pool)
{
    const uint32_t taken = pool->free != 0 ? pool->free : pool->n + 1;

    if (pool->free != 0) {
        pool->free = pool->of[taken - 1].next_free;
    } else if (pool->n++ == pool->max) {
        pool->of = nomem_grow(pool->of, &pool->max, sizeof(pool->of[0]));
    }
    memset(&pool->of[taken - 1], 0, sizeof(pool->of[0]));
    return taken;
}

static bool is_strong(uint8_t flags)
{
    return (flags & (CHECK_ATOMIC | CHECK_VOLATILE)) != 0;
}

/* May p race with a later access that does not race with the write? Not behind a plain
 * write. Behind an atomic or a volatile one a plain access may, with later atomics; and
 * one that was not before it in any case, with later plain accesses. */
static bool is_of_use(const struct touch *t, const struct seen *p)
{
    uint32_t other;

    return is_strong(t->a->flags) && is_valid(t, p) &&
           (!is_strong(p->flags) || !is_before(t, p, &other));
}

/* Of atomics few are kept: histograms are full of them. */
static uint32_t n_places(const struct cell *c, const struct seen *p)
{
    return is_strong(p->flags) ? ARRAY_LEN(c->read) : n_reads(c);
}

/* The write that another replaced is kept among the reads if it is of use. */
static void keep_write(const struct touch *t, struct cell *c, const struct seen *old)
{
    if (!is_of_use(t, old)) {
        return;
    }
    if (is_same_instruction(t, old)) { /* an atomic's other lanes */
        c->write.lanes |= old->lanes;
        return;
    }
    if (!is_strong(old->flags) && c->more == 0 && is_valid(t, &c->read[0]) &&
        is_valid(t, &c->read[1])) {
        c->more = take_reads(t->reads);
    }
    for (uint32_t i = 0; i < n_places(c, old); i++) {
        struct seen *p = read_of(t, c, i);

        if (!is_valid(t, p)) {
            *p = *old;
            return;
        }
    }
}

static void forget_before_write(const struct touch *t, struct cell *c)
{
    bool more = false;

    for (uint32_t i = 0; i < n_reads(c); i++) {
        struct seen *p = read_of(t, c, i);

        if (i >= n_places(c, p) || !is_of_use(t, p)) {
            p->flags = 0;
        }
        more |= i >= ARRAY_LEN(c->read) && p->flags != 0;
    }
    if (!more) {
        give_reads(t, c);
    }
}

static void write_cell(struct touch *t, struct cell *c)
{
    const struct seen old = c->write;
    uint32_t other = 0, bytes = 0;

    if ((t->a->flags & CHECK_ATOMIC) != 0 && is_unwritten(t, c)) {
        tell_unwritten(t);
    }
    if (is_hazard(t, &c->write, &other)) {
        bytes = bytes_changed(t, c);
        if (bytes != 0) {
            report(t, &c->write, other, bytes);
        }
    }
    for (uint32_t i = 0; i < n_reads(c) && bytes == 0; i++) {
        struct seen *p = read_of(t, c, i);

        if (is_hazard(t, p, &other)) {
            report(t, p, other, t->bytes);
            bytes = t->bytes; /* once for each byte */
            p->flags = 0;
        }
    }
    t->c->n_doubtful += bytes == 0 && is_doubtful(t, c);
    set_seen(t, &c->write);
    c->value = t->value;
    forget_before_write(t, c);
    if (bytes == 0) {
        keep_write(t, c, &old);
    }
    c->launch_lost = 0;
}

/* p is dropped though nothing has ordered it. */
static struct seen *drop(const struct touch *t, struct cell *c, struct seen *p)
{
    const bool first = c->launch_lost != p->launch + 1;
    const uint32_t phase = is_of_block(t, p) ? t->s->phase[p->warp] : UINT32_MAX;

    if (first || c->block_lost == p->block) {
        c->phase_lost = first || phase > c->phase_lost ? phase : c->phase_lost;
    } else {
        c->phase_lost = UINT32_MAX;
    }
    c->launch_lost = p->launch + 1;
    c->block_lost = p->block;
    return p;
}

/* Which of the reads a new one replaces: one of no use, one that came before it in any
 * case, one of the same warp, the oldest one if there are no more. */
static struct seen *place_for(const struct touch *t, struct cell *c)
{
    struct seen *same = NULL, *oldest = &c->read[0];
    uint32_t other;

    for (uint32_t i = 0; i < n_reads(c); i++) {
        struct seen *p = read_of(t, c, i);

        if (!is_valid(t, p)) {
            return p;
        }
        if ((p->flags & CHECK_WRITE) != 0) { /* it may race with later reads too */
            continue;
        }
        if (is_before(t, p, &other)) {
            return p;
        }
        same = is_of_block(t, p) && p->warp == t->a->warp ? p : same;
        oldest = p->cycle < oldest->cycle ? p : oldest;
    }
    if (same != NULL) {
        return same;
    }
    if (c->more == 0) {
        c->more = take_reads(t->reads);
        return read_of(t, c, ARRAY_LEN(c->read));
    }
    return drop(t, c, oldest);
}

static void read_cell(struct touch *t, struct cell *c)
{
    const bool unwritten = is_unwritten(t, c);
    uint32_t other = 0;
    bool told = unwritten;
    struct seen *p;

    if (unwritten) {
        tell_unwritten(t);
    } else if (is_hazard(t, &c->write, &other)) {
        report(t, &c->write, other, t->bytes);
        told = true;
    }
    for (uint32_t i = 0; i < n_reads(c); i++) {
        p = read_of(t, c, i);
        if (!told && (p->flags & CHECK_WRITE) != 0 && is_hazard(t, p, &other)) {
            report(t, p, other, t->bytes);
            told = true;
        }
        if (is_valid(t, p) && is_same_instruction(t, p)) {
            p->lanes |= 1u << t->lane;
            return;
        }
    }
    p = place_for(t, c);
    set_seen(t, p);
    p->flags |= unwritten ? SEEN_UNWRITTEN : 0;
}

void cell_touch(struct touch *t, struct cell *c)
{
    if ((t->a->flags & CHECK_WRITE) != 0) {
        write_cell(t, c);
    } else {
        read_cell(t, c);
    }
}

void cell_split(struct read_pool *reads, struct cell *word, struct cell byte[4])
{
    word->split = true;
    for (uint32_t i = 0; i < 4; i++) {
        byte[i] = *word;
        byte[i].value = word->value >> 8 * i & 0xff;
        if (word->more != 0 && i > 0) { /* the first byte has those of the word */
            byte[i].more = take_reads(reads);
            reads->of[byte[i].more - 1] = reads->of[word->more - 1];
        }
    }
    word->more = 0;
}

void cell_forget_reads(struct read_pool *reads)
{
    reads->n = reads->free = 0;
}

uint64_t check_doubtful(const struct check *c)
{
    return c->n_doubtful;
}

bool cell_writer(const struct cell *word, const struct cell *byte,
                 struct check_writer *out)
{
    const struct seen *w = word->split && byte != NULL ? &byte->write : &word->write;

    if ((w->flags & SEEN_VALID) == 0 || w->lanes == 0) {
        return false;
    }
    *out = (struct check_writer){.launch = w->launch,
                                 .by = {.block = w->block,
                                        .thread = w->warp * CHECK_LANES +
                                                  attr_lowest_bit(w->lanes),
                                        .pc = w->pc,
                                        .flags = w->flags,
                                        .cycle = w->cycle}};
    return true;
}
