#include "check/check_priv.h"

#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

/* The instructions of a finding, whichever came first. */
static void pair_of(const struct check_finding *f, uint32_t pc[2])
{
    bool swap = (f->side[1].flags & CHECK_WRITE) != (f->side[0].flags & CHECK_WRITE)
                    ? (f->side[1].flags & CHECK_WRITE) != 0
                    : f->side[1].pc < f->side[0].pc;

    pc[0] = f->side[swap].pc;
    pc[1] = f->side[!swap].pc;
}

static bool is_read_and_write(const struct check_finding *f)
{
    return ((f->side[0].flags ^ f->side[1].flags) & CHECK_WRITE) != 0;
}

bool check_is_same(const struct check_finding *a, const struct check_finding *b)
{
    uint32_t x[2], y[2];

    if (a->kind != b->kind || a->kernel != b->kernel || a->space != b->space) {
        return false;
    }
    if (a->kind == CHECK_UNINITIALISED) {
        return a->side[1].pc == b->side[1].pc;
    }
    pair_of(a, x);
    pair_of(b, y);
    return is_read_and_write(a) == is_read_and_write(b) && x[0] == y[0] && x[1] == y[1];
}

bool check_is_earlier(const struct check_finding *a, const struct check_finding *b)
{
    if (a->error != b->error) {
        return a->error;
    }
    if (a->side[1].cycle != b->side[1].cycle) {
        return a->side[1].cycle < b->side[1].cycle;
    }
    if (a->block != b->block) {
        return a->block < b->block;
    }
    return a->addr < b->addr;
}

/* SPEC CHECK-3: the example, which shows what makes it an error. */
static void take_example(struct check_finding *a, const struct check_finding *b)
{
    struct check_finding old = *a;

    *a = *b;
    a->count = old.count;
    a->raw = old.raw;
    a->war = old.war;
    a->waw = old.waw;
    a->in_warp = old.in_warp;
    a->error = old.error || b->error;
    a->raced = old.raced;
}

void check_merge(struct check_finding *a, const struct check_finding *b)
{
    if (check_is_earlier(b, a)) {
        take_example(a, b);
    }
    a->count += b->count;
    a->raw += b->raw;
    a->war += b->war;
    a->waw += b->waw;
    a->in_warp += b->in_warp;
    a->error = a->error || b->error;
    a->raced = a->raced || b->raced;
}

void finding_unwritten(struct check_finding *f, const struct check_block *b,
                       const struct check_access *a, uint32_t lane)
{
    memset(f, 0, sizeof(*f));
    f->kind = CHECK_UNINITIALISED;
    f->kernel = b->kernel;
    f->launch = b->launch;
    f->block = b->block;
    f->addr = a->addr[lane];
    f->size = a->size;
    f->side[1] = (struct check_side){b->block, a->warp * CHECK_LANES + lane, a->pc,
                                     a->flags, a->cycle};
    f->side[0] = f->side[1];
}

struct check_finding *finding_of(struct check *c, const struct check_finding *key)
{
    for (uint32_t i = c->n_found; i > 0; i--) { /* the latest is likely */
        struct check_finding *f = &c->found[i - 1];

        if (check_is_same(f, key)) {
            if (key->error && !f->error) {
                take_example(f, key);
            }
            return f;
        }
    }
    if (c->n_found == c->max_found) {
        c->found = nomem_grow(c->found, &c->max_found, sizeof(c->found[0]));
    }
    c->found[c->n_found] = *key;
    return &c->found[c->n_found++];
}

void finding_raced(struct check *c, const void *kernel, uint32_t pc)
{
    for (uint32_t i = 0; i < c->n_found; i++) {
        struct check_finding *f = &c->found[i];

        if (f->kind == CHECK_UNINITIALISED && f->kernel == kernel &&
            f->side[1].pc == pc) {
            f->raced = true;
        }
    }
}

uint32_t check_n_findings(const struct check *c)
{
    return c->n_found;
}

const struct check_finding *check_finding(const struct check *c, uint32_t i)
{
    return &c->found[i];
}
