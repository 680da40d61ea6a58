/* family_pair.c - two accesses of one byte, and what orders them or does not. */
#include "maker.h"

static const enum step_kind first_kind[] = {STORE, LOAD, STORE};
static const enum step_kind second_kind[] = {LOAD, STORE, STORE};

struct pair {
    uint32_t conflict; /* index of first_kind */
    struct party a, b;
};

static void access_pair(struct maker *m, const struct pair *p, bool second)
{
    maker_noise(m);
    (void)maker_access(m, second ? second_kind[p->conflict] : first_kind[p->conflict],
                       second ? &p->b : &p->a);
    maker_noise(m);
}

/* Two lanes' masks that share no lane, which meet by an index xor 16. */
static struct pair lanes_pair(struct maker *m)
{
    const uint32_t warp = rng_below(&m->r, m->k->n_warps);
    struct pair p = {.conflict = rng_below(&m->r, 3)};
    const bool all = rng_chance(&m->r, 50);

    p.a.who = p.b.who = maker_warp(0, warp);
    p.a.space = p.b.space = rng_below(&m->r, 2);
    p.a.size = p.b.size = 1u << rng_below(&m->r, 3);
    p.b.xor_ = all ? 1 + rng_below(&m->r, 31) : 16;
    if (!all) {
        const uint32_t lanes =
            rng_chance(&m->r, 50) ? 0xffff : 1u << rng_below(&m->r, 16);

        p.a.who.lanes = lanes;
        p.b.who.lanes = lanes << 16;
    }
    return p;
}

/* Lane 31 hands on, or 15: what it has met before the second half meets it. */
static void meet_chained(struct maker *m, const struct pair *p, bool broken)
{
    const uint32_t a = p->a.who.lanes, b = p->b.who.lanes;
    const uint32_t pivot = a | b ? 1u << rng_below(&m->r, LANES) : 1;

    maker_meet(m, p->a.who, a | pivot);
    if (!broken) {
        maker_meet(m, p->a.who, pivot | b);
    }
}

enum lanes_order { MEET_ALL, MEET_PART, MEET_CHAIN, MEET_BARRIER, LANES_ORDERS };

static void order_lanes(struct maker *m, const struct pair *p)
{
    static const char *const how[] = {"__syncwarp()", "__syncwarp(mask)",
                                      "two __syncwarp(mask), one behind the other",
                                      "__syncthreads()"};
    const enum lanes_order order = rng_below(&m->r, LANES_ORDERS);

    m->k->how = how[order];
    switch (order) {
    case MEET_ALL: maker_meet(m, p->a.who, all_bits); return;
    case MEET_PART: maker_meet(m, p->a.who, p->a.who.lanes | p->b.who.lanes); return;
    case MEET_CHAIN: meet_chained(m, p, false); return;
    case MEET_BARRIER:
    case LANES_ORDERS: maker_barrier(m, 1); return;
    }
}

static void part_lanes(struct maker *m, const struct pair *p)
{
    static const char *const how[] = {"nothing", "a shuffle", "a fence",
                                      "__syncwarp(mask) without the second's lanes",
                                      "half of two __syncwarp(mask)"};
    uint32_t order = rng_below(&m->r, 5);

    if (p->a.who.lanes == all_bits) {
        order %= 3;
    }
    m->k->how = how[order];
    switch (order) {
    case 1:
        maker_add(m, SHUFFLE, maker_warp(0, 0))->n = all_bits;
        m->k->step[m->k->n - 1].who = p->a.who;
        m->k->step[m->k->n - 1].who.lanes = all_bits;
        return;
    case 2: (void)maker_fence(m, p->a.who, SCOPE_GPU); return;
    case 3: maker_meet(m, p->a.who, p->a.who.lanes); return;
    case 4:
        maker_meet(m, p->a.who, p->a.who.lanes | (1u << 31 & ~p->b.who.lanes));
        return;
    default: return;
    }
}

void family_lanes(struct maker *m)
{
    struct pair p;

    m->k->n_warps = 1 + rng_below(&m->r, 2);
    p = lanes_pair(m);
    access_pair(m, &p, false);
    if (!m->racy) {
        order_lanes(m, &p);
    } else {
        part_lanes(m, &p);
    }
    access_pair(m, &p, true);
    if (m->racy && p.a.who.lanes != all_bits && rng_chance(&m->r, 30) &&
        m->k->step[m->k->n - 1].kind == second_kind[p.conflict] &&
        !m->k->step[m->k->n - 1].own && !m->k->step[m->k->n - 2].own &&
        m->k->step[m->k->n - 2].kind == first_kind[p.conflict]) {
        m->k->step[m->k->n - 2].form = BRANCH;
        m->k->step[m->k->n - 1].form = OTHERWISE;
        m->k->how = "if and else";
    }
}

/* ---- warps ---- */

static struct pair warps_pair(struct maker *m, uint32_t *a, uint32_t *b)
{
    struct pair p = {.conflict = rng_below(&m->r, 3)};

    m->k->n_warps = 2 + rng_below(&m->r, 3);
    *a = rng_below(&m->r, m->k->n_warps);
    *b = (*a + 1 + rng_below(&m->r, m->k->n_warps - 1)) % m->k->n_warps;
    p.a.who = maker_warp(0, *a);
    p.b.who = maker_warp(0, *b);
    p.a.space = p.b.space = rng_below(&m->r, 2);
    p.a.size = p.b.size = 1u << rng_below(&m->r, 3);
    p.b.xor_ = (*a ^ *b) * LANES + rng_below(&m->r, LANES);
    if (rng_chance(&m->r, 30)) { /* one thread each */
        const uint32_t lane = rng_below(&m->r, LANES);

        p.a.who.lanes = 1u << lane;
        p.b.who.lanes = 1u << (lane ^ (p.b.xor_ & (LANES - 1)));
    }
    return p;
}

static void barrier_of(struct maker *m, enum step_kind kind, uint32_t warp, uint32_t n,
                       uint32_t count)
{
    struct step *s = maker_add(m, kind, maker_warp(0, warp));

    s->n = n;
    s->count = count;
}

static void order_warps(struct maker *m, uint32_t a, uint32_t b)
{
    static const char *const how[] = {"__syncthreads()", "bar.sync of two warps",
                                      "bar.arrive and bar.sync"};
    const uint32_t order = rng_below(&m->r, 3), n = 1 + rng_below(&m->r, 15);

    m->k->how = how[order];
    if (order == 0) {
        maker_barrier(m, 1);
        return;
    }
    barrier_of(m, order == 1 ? BARRIER : ARRIVE, a, n, 2 * LANES);
    barrier_of(m, BARRIER, b, n, 2 * LANES);
}

static void part_warps(struct maker *m, uint32_t a, uint32_t b)
{
    static const char *const how[] = {"nothing", "a fence", "__syncwarp()",
                                      "two barriers of one warp each",
                                      "bar.arrive of the second"};
    const uint32_t order = rng_below(&m->r, 5);

    m->k->how = how[order];
    switch (order) {
    case 1:
        (void)maker_fence(m, (struct who){1, all_bits, all_bits}, SCOPE_GPU);
        return;
    case 2: maker_meet(m, (struct who){1, all_bits, 0}, all_bits); return;
    case 3:
        barrier_of(m, BARRIER, a, 1, LANES);
        barrier_of(m, BARRIER, b, 2, LANES);
        return;
    case 4:
        barrier_of(m, ARRIVE, b, 3, 2 * LANES);
        barrier_of(m, BARRIER, a, 3, 2 * LANES);
        return;
    default: return;
    }
}

void family_warps(struct maker *m)
{
    uint32_t a, b;
    const struct pair p = warps_pair(m, &a, &b);

    if (rng_chance(&m->r, 30)) {
        maker_barrier(m, 1);
    }
    access_pair(m, &p, false);
    if (!m->racy) {
        order_warps(m, a, b);
    } else {
        part_warps(m, a, b);
    }
    access_pair(m, &p, true);
    if (rng_chance(&m->r, 30)) {
        maker_barrier(m, 1);
    }
}

/* ---- flags ---- */

struct handing {         /* of what one party did to the other */
    struct who from, to; /* threads that signal and wait */
    enum space space;
    uint32_t n;
    bool fence_from, fence_to;
    enum scope signal, wait, fence_a, fence_b;
};

/* By a lane of each warp. Between blocks the flag is in global memory. */
static struct handing handing_of(struct maker *m, struct who from, struct who to,
                                 enum scope scope)
{
    struct handing h = {.fence_from = true,
                        .fence_to = true,
                        .signal = scope,
                        .wait = scope,
                        .fence_a = scope,
                        .fence_b = scope};

    from.lanes = 1u << rng_below(&m->r, LANES);
    to.lanes = 1u << rng_below(&m->r, LANES);
    h.from = from;
    h.to = to;
    h.space = from.blocks != to.blocks ? GLOBAL : (enum space)rng_below(&m->r, 2);
    h.n = rng_below(&m->r, N_FLAGS);
    return h;
}

static void hand_from(struct maker *m, const struct handing *h)
{
    struct step *s;

    if (h->fence_from && h->fence_a == h->signal && rng_chance(&m->r, 40)) {
        s = maker_signal(m, h->from, h->space, h->n, h->signal);
        s->strength = ORDERED;
        return;
    }
    if (h->fence_from) {
        (void)maker_fence(m, h->from, h->fence_a);
    }
    (void)maker_signal(m, h->from, h->space, h->n, h->signal);
}

static void hand_to(struct maker *m, const struct handing *h)
{
    struct step *s;

    s = maker_wait(m, h->to, h->space, h->n, h->wait);
    if (h->fence_to && h->fence_b == h->wait && rng_chance(&m->r, 40)) {
        s->strength = ORDERED;
    } else if (h->fence_to) {
        (void)maker_fence(m, h->to, h->fence_b);
    }
}

/* Before and behind the flag all lanes meet the one that has to do with it. */
void family_warp_flags(struct maker *m)
{
    static const char *const how[] = {"a flag without the writer's fence",
                                      "a flag without the reader's fence",
                                      "a flag that is signalled too early"};
    uint32_t a, b, broken = rng_below(&m->r, 3);
    const struct pair p = warps_pair(m, &a, &b);
    const enum scope scope = rng_below(&m->r, 2);
    struct handing h = handing_of(m, maker_warp(0, a), maker_warp(0, b), scope);

    m->k->how = "a flag and fences";
    if (broken == 1 && h.space == SHARED) { /* needs no such fence */
        broken = 0;
    }
    if (m->racy) {
        m->k->how = how[broken];
        h.fence_from = broken != 0;
        h.fence_to = broken != 1;
    }
    if (m->racy && broken == 2) {
        hand_from(m, &h);
    }
    access_pair(m, &p, false);
    maker_meet(m, p.a.who, all_bits);
    if (!m->racy || broken != 2) {
        hand_from(m, &h);
    }
    hand_to(m, &h);
    maker_meet(m, p.b.who, all_bits);
    access_pair(m, &p, true);
}

static struct pair blocks_pair(struct maker *m)
{
    struct pair p = {.conflict = rng_below(&m->r, 3)};

    m->k->n_blocks = 2;
    m->k->n_warps = 1 + rng_below(&m->r, 2);
    p.a.who = (struct who){1, all_bits, all_bits};
    p.b.who = (struct who){2, all_bits, all_bits};
    p.a.space = p.b.space = GLOBAL;
    p.a.size = p.b.size = 1u << rng_below(&m->r, 3);
    p.b.xor_ = rng_below(&m->r, LANES * m->k->n_warps);
    return p;
}

static const char *break_blocks(struct maker *m, struct handing *h)
{
    switch (rng_below(&m->r, 6)) {
    case 0: h->fence_from = false; return "no fence of the writer";
    case 1: h->fence_a = SCOPE_CTA; return "the writer's fence is .cta";
    case 2: h->fence_b = SCOPE_CTA; return "the reader's fence is .cta";
    case 3: h->signal = SCOPE_CTA; return "the flag's write is .cta";
    case 4: h->wait = SCOPE_CTA; return "the flag's read is .cta";
    default: h->fence_to = false; return "no fence of the reader";
    }
}

/* One thread of each block: no barrier then serves as the reader's fence. */
static void narrow(struct pair *p, struct handing *h)
{
    p->a.who = h->from;
    p->b.who = h->to;
    p->b.xor_ = 0;
    if (h->from.lanes != h->to.lanes) {
        p->b.who.lanes = h->to.lanes = h->from.lanes;
    }
}

void family_blocks(struct maker *m)
{
    struct pair p = blocks_pair(m);
    struct handing h = handing_of(m, maker_warp(0, 0), maker_warp(1, 0), SCOPE_GPU);
    const bool one = m->racy || rng_chance(&m->r, 50), nothing = rng_chance(&m->r, 20);

    if (one) {
        narrow(&p, &h);
    }
    m->k->how = "a flag and fences of the device";
    if (m->racy) {
        m->k->how = nothing ? "barriers of the blocks" : break_blocks(m, &h);
    }
    access_pair(m, &p, false);
    if (!one) {
        maker_barrier(m, 1);
    }
    if (m->racy && nothing) {
        maker_barrier(m, 3);
    } else {
        hand_from(m, &h);
        hand_to(m, &h);
    }
    if (!one) {
        maker_barrier(m, 2);
    }
    access_pair(m, &p, true);
}

/* SPEC CHECK-1, CHECK-5: a flag and a fence of one lane serve the whole warp. */
void family_one_lane(struct maker *m)
{
    uint32_t a, b;
    struct pair p = warps_pair(m, &a, &b);
    const bool writer = rng_chance(&m->r, 50);
    struct handing h = handing_of(m, maker_warp(0, a), maker_warp(0, b), SCOPE_GPU);

    p.a.who.lanes = p.b.who.lanes = all_bits;
    m->k->lenient = m->racy;
    m->k->how = !m->racy ? "the lanes meet the one of the flag"
                : writer ? "the writer's lanes do not meet the one that signals"
                         : "the reader's lanes do not meet the one that waits";
    access_pair(m, &p, false);
    if (!m->racy || !writer) {
        maker_meet(m, p.a.who, all_bits);
    }
    hand_from(m, &h);
    hand_to(m, &h);
    if (!m->racy || writer) {
        maker_meet(m, p.b.who, all_bits);
    }
    access_pair(m, &p, true);
}
