/*
 * Bulk copies.
 *
 * What a copy reads it is given when it is asked for; that must not change before it is
 * known to be read. What it writes counts as never written (in global memory: as out of
 * bounds) until somebody has waited: for a phase of the mbarrier that it tells, or for
 * its group. It is done at that moment, which may be any.
 */
#include "machine.h"

#include "eval.h"
#include <string.h>

static bool overlap(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t m)
{
    return a != NULL && b != NULL && a < b + m && b < a + n;
}

bool machine_bulk_uses(const struct interp *x, const uint8_t *data, uint32_t bytes,
                       bool writes)
{
    for (uint32_t i = 0; i < x->n_bulks; i++) {
        const struct bulk *b = &x->bulk[i];

        if (overlap(b->to, b->bytes, data, bytes) ||
            (writes && overlap(b->from, b->bytes, data, bytes))) {
            return true;
        }
    }
    return false;
}

/* ---- the end of a copy ---- */

static void reduce(const struct bulk *b)
{
    const enum ty ty = (enum ty)b->ty;
    const uint32_t n = ty_bits(ty) / 8;

    for (uint32_t i = 0; i < b->bytes; i += n) {
        uint64_t old = 0, v = 0;

        memcpy(&old, b->to + i, n);
        memcpy(&v, b->data + i, n);
        v = machine_changed(b->in, ty, old, v, 0, b->written == NULL);
        memcpy(b->to + i, &v, n);
    }
}

static void end(const struct bulk *b)
{
    if (has(b->in, MOD_REDUCE)) {
        reduce(b);
    } else {
        memcpy(b->to, b->data, b->bytes);
    }
    if (b->written != NULL) {
        memset(b->written, true, b->bytes);
    }
}

void machine_bulk_finish(struct interp *x, const struct mbarrier *bar)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < x->n_bulks; i++) {
        struct bulk *b = &x->bulk[i];

        if (bar != NULL && b->bar != bar) {
            x->bulk[left++] = *b;
            continue;
        }
        end(b);
        if (b->bar != NULL) {
            machine_complete(&x->mbarrier[b->bar - x->mbarrier], b->bytes);
        }
    }
    x->n_bulks = left;
}

/* All groups of the thread but the latest ones. */
static bool wait_group(struct interp *x, const struct thread *t, const struct insn *in)
{
    const uint32_t keep = (uint32_t)in->o[0].value, me = (uint32_t)(t - x->thread);
    uint32_t left = 0;

    for (uint32_t i = 0; i < x->n_bulks; i++) {
        struct bulk *b = &x->bulk[i];
        const bool mine = b->bar == NULL && b->thread == me && b->group != NO_GROUP &&
                          b->group + keep < t->bulk_group;

        if (mine && !has(in, MOD_READ)) {
            end(b);
            continue;
        }
        b->from = mine ? NULL : b->from;
        x->bulk[left++] = *b;
    }
    x->n_bulks = left;
    return true;
}

static bool commit_group(struct interp *x, struct thread *t)
{
    const uint32_t me = (uint32_t)(t - x->thread);

    for (uint32_t i = 0; i < x->n_bulks; i++) {
        struct bulk *b = &x->bulk[i];

        if (b->bar == NULL && b->thread == me && b->group == NO_GROUP) {
            b->group = t->bulk_group;
        }
    }
    t->bulk_group++;
    return true;
}

/* ---- its begin ---- */

/* Two reductions by one operation may be under way to the same bytes. */
static bool free_to_write(const struct interp *x, const struct insn *in,
                          const struct bulk_part *c)
{
    for (uint32_t i = 0; i < x->n_bulks; i++) {
        const struct bulk *b = &x->bulk[i];

        if (overlap(b->from, b->bytes, c->to.data, c->bytes) ||
            (overlap(b->to, b->bytes, c->to.data, c->bytes) &&
             (!has(in, MOD_REDUCE) || b->ty != c->ty ||
              memcmp(b->in->mods, in->mods, sizeof(in->mods)) != 0))) {
            return false;
        }
    }
    return true;
}

static bool begin(struct interp *x, struct thread *t, const struct insn *in,
                  const struct bulk_part *c)
{
    const bool reads_shared = !c->from.is_global;
    struct bulk *b = &x->bulk[x->n_bulks];

    for (uint32_t i = 0; i < c->bytes; i++) {
        if ((c->from.written != NULL && !c->from.written[i]) ||
            (has(in, MOD_REDUCE) && c->to.written != NULL && !c->to.written[i] &&
             !machine_bulk_uses(x, c->to.data, c->bytes, false))) {
            return machine_fail(x, in, "a copy of bytes never written");
        }
    }
    if (x->n_bulks == MAX_BULKS || c->bytes > MAX_BULK) {
        return machine_fail(x, in, "too many bulk copies, or too long");
    }
    if (machine_bulk_uses(x, c->from.data, c->bytes, false) ||
        !free_to_write(x, in, c)) {
        return machine_fail(x, in, "bulk copies in each other's way");
    }
    *b = (struct bulk){.in = in,
                       .to = c->to.data,
                       .written = c->to.written,
                       .from = reads_shared ? c->from.data : NULL,
                       .bar = c->bar,
                       .thread = (uint32_t)(t - x->thread),
                       .group = NO_GROUP,
                       .ty = c->ty,
                       .bytes = c->bytes};
    memcpy(b->data, c->data, c->bytes);
    b->data[0] ^= in->op == x->l->plant;
    if (c->to.written != NULL) {
        memset(c->to.written, false, c->bytes);
    }
    x->n_bulks++;
    return true;
}

/* The same place, and the same mbarrier, of each block of the mask. */
static bool multicast(struct interp *x, struct thread *t, const struct insn *in,
                      const struct bulk_part *c)
{
    const struct block *own = &x->block[t->block];

    for (uint32_t i = 0; i < x->n_blocks; i++) {
        struct bulk_part k = *c;
        const uint8_t *bar;

        if ((c->blocks >> i & 1) == 0) {
            continue;
        }
        k.to.data = x->block[i].shared + (c->to.data - own->shared);
        k.to.written = x->block[i].shared_written + (c->to.data - own->shared);
        bar = x->block[i].shared + (c->bar->at - own->shared);
        k.bar = NULL;
        for (uint32_t m = 0; m < x->n_mbarriers; m++) {
            k.bar = x->mbarrier[m].at == bar ? &x->mbarrier[m] : k.bar;
        }
        if (k.bar == NULL || !begin(x, t, in, &k)) {
            return machine_fail(x, in, "no mbarrier in another block");
        }
    }
    return true;
}

bool machine_bulk_begin(struct interp *x, struct thread *t, const struct insn *in,
                        const struct bulk_part *part)
{
    return part->blocks != 0 ? multicast(x, t, in, part) : begin(x, t, in, part);
}

bool machine_bulk_told(struct interp *x, struct thread *t, const struct insn *in,
                       uint32_t operand, struct bulk_part *part)
{
    part->bar = machine_find_mbarrier(x, t, in, &in->o[operand]);
    part->blocks = 0;
    if (part->bar == NULL || !has(in, MOD_MULTICAST)) {
        return part->bar != NULL;
    }
    part->blocks = machine_read(x, t, &in->o[operand + 1]);
    return (part->blocks != 0 && part->blocks >> x->n_blocks == 0) ||
           machine_fail(x, in, "a mask of blocks");
}

/* The place of so many bytes, multiples of 16 there. */
static bool place(struct interp *x, struct thread *t, const struct insn *in,
                  uint32_t operand, uint32_t space, uint32_t bytes, struct place *p)
{
    return machine_place(x, t, in, &in->o[operand], space, 16, p) &&
           (p->size >= bytes || machine_fail(x, in, "a copy out of bounds"));
}

static bool copy(struct interp *x, struct thread *t, const struct insn *in)
{
    const bool group = has(in, MOD_BULK_GROUP), load = !group && has(in, MOD_GLOBAL);
    struct bulk_part c = {.bytes = (uint32_t)machine_read(x, t, &in->o[2])};
    struct insn own = *in; /* what is read is the block's own */

    own.cluster = false;
    if (c.bytes == 0 || c.bytes % 16 != 0) {
        return machine_fail(x, in, "the size of a copy");
    }
    if (!place(x, t, in, 0, group ? SPACE_GLOBAL : SPACE_SHARED, c.bytes, &c.to) ||
        !place(x, t, &own, 1, load ? SPACE_GLOBAL : SPACE_SHARED, c.bytes, &c.from)) {
        return false;
    }
    c.data = c.from.data;
    c.ty = in->ty;
    return (group || machine_bulk_told(x, t, in, 3, &c)) &&
           machine_bulk_begin(x, t, in, &c);
}

bool machine_bulk(struct interp *x, struct thread *t, const struct insn *in)
{
    if (has(in, MOD_TENSOR)) {
        return machine_tensor(x, t, in);
    }
    if (has(in, MOD_PREFETCH)) {
        return true;
    }
    if (has(in, MOD_COMMIT_GROUP)) {
        return commit_group(x, t);
    }
    return has(in, MOD_WAIT_GROUP) ? wait_group(x, t, in) : copy(x, t, in);
}
