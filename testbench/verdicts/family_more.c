/* family_more.c - patterns of whole kernels, and accesses that need no order. */
#include "maker.h"

/* One byte that several warps read, each of which tells the writer that it has read. */
void family_readers(struct maker *m)
{
    const enum space space = rng_below(&m->r, 2);
    const uint32_t warps = m->k->n_warps = 3 + rng_below(&m->r, MAX_WARPS - 2);
    const uint32_t writer = rng_below(&m->r, warps);
    const uint32_t forgotten = (writer + 1 + rng_below(&m->r, warps - 1)) % warps;
    const uint32_t at = rng_below(&m->r, 32), start = rng_below(&m->r, warps);
    struct party p = {.space = space, .size = 1u << rng_below(&m->r, 3)};

    m->k->how =
        m->racy ? "one of several readers does not arrive" : "all readers arrive";
    for (uint32_t i = 0; i < warps; i++) {
        const uint32_t w = (start + i) % warps;
        struct step *s;

        if (w == writer) {
            continue;
        }
        p.who = maker_lane(0, w, rng_below(&m->r, LANES));
        s = maker_access(m, LOAD, &p);
        s->mul = 0;
        s->add = at;
        if (!m->racy || w != forgotten) {
            s = maker_add(m, ARRIVE, maker_warp(0, w));
            s->n = 1 + w;
            s->count = 2 * LANES;
        }
    }
    for (uint32_t w = 0; w < warps; w++) {
        if (w != writer && (!m->racy || w != forgotten)) {
            struct step *s = maker_add(m, BARRIER, maker_warp(0, writer));

            s->n = 1 + w;
            s->count = 2 * LANES;
        }
    }
    p.who = maker_lane(0, writer, rng_below(&m->r, LANES));
    {
        struct step *s = maker_access(m, STORE, &p);

        s->mul = 0;
        s->add = at;
    }
}

/* Neighbours' values, turn by turn; two barriers for each. */
void family_loop(struct maker *m)
{
    static const char *const how[] = {"no barrier before the read",
                                      "no barrier behind the read"};
    const uint32_t missing = rng_below(&m->r, 2), turns = 2 + rng_below(&m->r, 3);
    struct party p = {.who = {1, all_bits, all_bits},
                      .space = rng_below(&m->r, 2),
                      .size = 1u << rng_below(&m->r, 3)};

    m->k->n_warps = 1 + rng_below(&m->r, 3);
    m->k->how = m->racy ? how[missing] : "two barriers in each turn";
    maker_add(m, LOOP, p.who)->count = turns;
    (void)maker_access(m, STORE, &p);
    maker_noise(m);
    if (!m->racy || missing != 0) {
        maker_barrier(m, 1);
    }
    p.xor_ = 1 + rng_below(&m->r, m->k->n_warps == 3 ? 31 : m->k->n_warps * LANES - 1);
    (void)maker_access(m, LOAD, &p);
    if (!m->racy || missing != 1) {
        maker_barrier(m, 1);
    }
    (void)maker_add(m, AGAIN, p.who);
}

/* A reduction: threads below a stride take what is a stride behind them. */
void family_tree(struct maker *m)
{
    const enum space space = rng_below(&m->r, 2);
    const uint32_t warps = m->k->n_warps = 1u << rng_below(&m->r, 3);
    const uint32_t levels = 5 + (warps == 4 ? 2 : warps == 2 ? 1 : 0);
    const uint32_t missing = rng_below(&m->r, levels);
    struct party p = {.who = {1, all_bits, all_bits}, .space = space, .size = 4};

    m->k->how = m->racy ? "one level has no barrier" : "a barrier at each level";
    (void)maker_access(m, STORE, &p);
    for (uint32_t level = 0; level < levels; level++) {
        const uint32_t stride = warps * LANES >> (level + 1);
        struct party low = p;
        struct step *s;

        if (!m->racy || level != missing) {
            maker_barrier(m, 1);
        }
        low.who.warps = stride >= LANES ? (1u << stride / LANES) - 1 : 1;
        low.who.lanes = stride >= LANES ? all_bits : (1u << stride) - 1;
        s = maker_access(m, LOAD, &low);
        s->add = stride;
        (void)maker_access(m, LOAD, &low);
        (void)maker_access(m, STORE, &low);
    }
}

/* A word that is changed under a lock, by a lane of each warp or of each block. */
void family_lock(struct maker *m)
{
    static const char *const how[] = {"no fence before the lock is given back",
                                      "no fence behind taking it", "one takes no lock"};
    const bool blocks = rng_chance(&m->r, 30);
    const uint32_t n = blocks ? 2 : 2 + rng_below(&m->r, 3);
    const enum space of_lock = blocks ? GLOBAL : (enum space)rng_below(&m->r, 2);
    uint32_t missing = rng_below(&m->r, 3);
    const uint32_t wrong = rng_below(&m->r, n);
    struct party p = {.space = blocks ? GLOBAL : (enum space)rng_below(&m->r, 2),
                      .size = 4};

    m->k->n_blocks = blocks ? n : 1;
    m->k->n_warps = blocks ? 1 : n;
    if (missing == 1 && of_lock == SHARED) {
        missing = 0;
    }
    m->k->how = m->racy ? how[missing] : "a lock and two fences";
    for (uint32_t i = 0; i < n; i++) {
        const enum scope scope = blocks ? SCOPE_GPU : (enum scope)rng_below(&m->r, 2);
        struct step *s;

        p.who = blocks ? maker_lane(i, 0, 3) : maker_lane(0, i, 5);
        if (!m->racy || missing != 2 || i != wrong) {
            s = maker_add(m, LOCK, p.who);
            s->space = of_lock;
            s->strength = RELAXED;
            s->scope = scope;
        }
        if (!m->racy || missing != 1) {
            (void)maker_fence(m, p.who, scope);
        }
        maker_access(m, LOAD, &p)->mul = 0;
        maker_access(m, STORE, &p)->mul = 0;
        if (!m->racy || missing != 0) {
            (void)maker_fence(m, p.who, scope);
        }
        if (!m->racy || missing != 2 || i != wrong) {
            s = maker_add(m, UNLOCK, p.who);
            s->space = of_lock;
            s->atomic = rng_chance(&m->r, 50);
            s->strength = RELAXED;
            s->scope = scope;
        }
    }
}

/* Each block writes a part, the last one reads all. */
void family_last(struct maker *m)
{
    static const char *const how[] = {"no fence before the count", "a fence of .cta",
                                      "no fence behind the count"};
    const uint32_t blocks = m->k->n_blocks = 2 + rng_below(&m->r, 2);
    const uint32_t missing = rng_below(&m->r, 3);
    const struct who one = {all_bits, 1, 1u << rng_below(&m->r, LANES)};
    struct party p = {.who = one, .space = GLOBAL, .size = 4};
    struct step *s;

    m->k->how = m->racy ? how[missing] : "a fence, a count and a fence";
    for (uint32_t b = 0; b < blocks; b++) {
        p.who.blocks = 1u << b;
        s = maker_access(m, STORE, &p);
        s->mul = 0;
        s->add = b;
    }
    if (!m->racy || missing != 0) {
        (void)maker_fence(m, one, m->racy && missing == 1 ? SCOPE_CTA : SCOPE_GPU);
    }
    s = maker_add(m, LAST, one);
    s->space = GLOBAL;
    s->strength = RELAXED;
    s->count = blocks - 1;
    if (!m->racy || missing != 2) {
        maker_fence(m, one, SCOPE_GPU)->winners = true;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        p.who = one;
        s = maker_access(m, LOAD, &p);
        s->mul = 0;
        s->add = b;
        s->winners = true;
    }
}

/* Atomics that nothing orders, and what is none or reaches too near. */
void family_strong(struct maker *m)
{
    static const char *const how[] = {"one is no atomic", "one has scope .cta"};
    const bool blocks = rng_chance(&m->r, 40);
    const uint32_t wrong = rng_below(&m->r, blocks ? 2 : 1);
    struct party p = {.space = blocks ? GLOBAL : (enum space)rng_below(&m->r, 2),
                      .size = 4};
    struct step *s;

    m->k->n_blocks = blocks ? 2 : 1;
    m->k->n_warps = blocks ? 1 : 2;
    m->k->how = m->racy ? how[wrong] : "atomics";
    p.who = blocks ? (struct who){1, all_bits, all_bits} : maker_warp(0, 0);
    s = maker_access(m, ATOMIC, &p);
    s->strength = RELAXED;
    s->and_ = rng_below(&m->r, LANES);
    s->scope = blocks ? SCOPE_GPU : (enum scope)rng_below(&m->r, 2);
    p.who = blocks ? (struct who){2, all_bits, all_bits} : maker_warp(0, 1);
    maker_noise(m);
    s = maker_access(m, m->racy && wrong == 0 ? STORE : ATOMIC, &p);
    s->and_ = s[-1].own ? 0 : s[-1].and_;
    if (m->racy && wrong == 0) { /* one thread writes */
        s->who.lanes = 1;
        s->strength = WEAK;
        return;
    }
    s->and_ = rng_below(&m->r, LANES);
    s->strength = RELAXED;
    s->scope = m->racy ? SCOPE_CTA : SCOPE_GPU;
}

/* Bytes beside each other, equal values, reads alone. */
void family_bytes(struct maker *m)
{
    const uint32_t kind = rng_below(&m->r, 3);
    struct party p = {.who = maker_warp(0, 0), .space = rng_below(&m->r, 2), .size = 1};
    struct step *s;

    m->k->n_warps = 2;
    m->k->how = kind == 0   ? (m->racy ? "neighbours that share a byte" : "neighbours")
                : kind == 1 ? (m->racy ? "two values" : "equal values")
                            : (m->racy ? "one that writes" : "reads alone");
    s = maker_access(m, kind == 2 ? LOAD : STORE, &p);
    s->mul = 0;
    s->add = 6;
    s->who.lanes = kind == 0 ? 8 : all_bits;
    s->same = kind == 1;
    maker_noise(m);
    p.who = maker_warp(0, 1);
    p.size = kind == 0 ? 2 : 1;
    s = maker_access(m, kind == 0 || (kind == 2 && !m->racy) ? LOAD : STORE, &p);
    s->mul = 0;
    s->add = kind == 0 ? (m->racy ? 3 : 2) : 6;
    s->who.lanes = kind == 0 || m->racy ? 4 : all_bits;
    s->same = kind == 1 && !m->racy;
}
