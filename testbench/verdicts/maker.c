#include "maker.h"

#include <string.h>

struct step *maker_add(struct maker *m, enum step_kind kind, struct who who)
{
    struct step *s = &m->k->step[m->k->n++];

    memset(s, 0, sizeof(*s));
    s->kind = kind;
    s->who = who;
    s->scope = SCOPE_GPU;
    return s;
}

struct step *maker_access(struct maker *m, enum step_kind kind, const struct party *p)
{
    struct step *s = maker_add(m, kind, p->who);

    s->space = p->space;
    s->size = kind == ATOMIC ? 4 : p->size;
    s->mul = 1;
    s->and_ = all_bits;
    s->xor_ = p->xor_;
    s->form = rng_chance(&m->r, 50) ? PREDICATE : BRANCH;
    return s;
}

struct who maker_warp(uint32_t block, uint32_t warp)
{
    return (struct who){1u << block, 1u << warp, all_bits};
}

struct who maker_lane(uint32_t block, uint32_t warp, uint32_t lane)
{
    return (struct who){1u << block, 1u << warp, 1u << lane};
}

void maker_barrier(struct maker *m, uint32_t blocks)
{
    struct step *s = maker_add(m, BARRIER, (struct who){blocks, all_bits, all_bits});

    s->count = m->k->n_warps * LANES;
}

void maker_meet(struct maker *m, struct who warp, uint32_t members)
{
    warp.lanes = members;
    maker_add(m, MEET, warp)->n = members;
}

struct step *maker_fence(struct maker *m, struct who who, enum scope scope)
{
    struct step *s = maker_add(m, FENCE, who);

    s->scope = scope;
    s->strength = VOLATILE + rng_below(&m->r, 3);
    return s;
}

static struct step *flag(struct maker *m, enum step_kind kind, struct who who,
                         enum space space, uint32_t n, enum scope scope)
{
    struct step *s = maker_add(m, kind, who);

    s->space = space;
    s->n = n;
    s->count = 1;
    s->scope = scope;
    s->atomic = rng_chance(&m->r, 50);
    /* a volatile access has the scope of the system, an atomic is none */
    s->strength =
        scope == SCOPE_GPU && !s->atomic && rng_chance(&m->r, 50) ? VOLATILE : RELAXED;
    return s;
}

struct step *maker_signal(struct maker *m, struct who who, enum space space, uint32_t n,
                          enum scope scope)
{
    return flag(m, SIGNAL, who, space, n, scope);
}

struct step *maker_wait(struct maker *m, struct who who, enum space space, uint32_t n,
                        enum scope scope)
{
    return flag(m, WAIT, who, space, n, scope);
}

void maker_noise(struct maker *m)
{
    while (rng_chance(&m->r, 30) && m->k->n < MAX_STEPS - 8) {
        const struct party p = {.who = {rng_below(&m->r, 8) | 1, all_bits,
                                        rng_chance(&m->r, 50)
                                            ? all_bits
                                            : (uint32_t)rng_next(&m->r) | 1},
                                .space = rng_below(&m->r, 2),
                                .size = 1u << rng_below(&m->r, 3)};

        maker_access(m, rng_chance(&m->r, 50) ? LOAD : STORE, &p)->own = true;
    }
}
