#include "maker.h"

#include <string.h>

static const struct {
    const char *name;
    void (*make)(struct maker *m);
} families[] = {
    {"lanes of a warp", family_lanes},
    {"warps, barriers", family_warps},
    {"warps, flags", family_warp_flags},
    {"blocks, flags", family_blocks},
    {"many readers", family_readers},
    {"turns of a loop", family_loop},
    {"reduction", family_tree},
    {"locks", family_lock},
    {"last block", family_last},
    {"atomics", family_strong},
    {"bytes and values", family_bytes},
    {"random steps", family_soup},
    {"a lane for its warp", family_one_lane},
};

enum { N_FAMILIES = sizeof(families) / sizeof(families[0]) };

uint32_t kernel_families(void)
{
    return N_FAMILIES;
}

const char *kernel_family(uint32_t i)
{
    return families[i].name;
}

void kernel_make(struct kernel *k, uint64_t seed, bool racy)
{
    const uint32_t family = (uint32_t)(seed % N_FAMILIES);
    struct maker m = {.k = k, .r = {seed}, .racy = racy};

    memset(k, 0, sizeof(*k));
    k->family = family;
    k->n_blocks = k->n_warps = 1;
    k->racy = racy;
    families[family].make(&m);
}

/* ---- random steps: only the oracle knows ---- */

static void random_access(struct maker *m)
{
    struct party p = {.who = maker_warp(0, rng_below(&m->r, m->k->n_warps)),
                      .space = rng_below(&m->r, 2),
                      .size = 1u << rng_below(&m->r, 3)};
    struct step *s;

    if (rng_chance(&m->r, 50)) {
        p.who.lanes = rng_chance(&m->r, 50) ? 1u << rng_below(&m->r, LANES)
                                            : (uint32_t)rng_next(&m->r) | 1;
    } else if (rng_chance(&m->r, 20)) {
        p.who.warps = all_bits;
    }
    s = maker_access(m,
                     rng_chance(&m->r, 15)   ? ATOMIC
                     : rng_chance(&m->r, 60) ? LOAD
                                             : STORE,
                     &p);
    s->strength = s->kind == ATOMIC ? RELAXED : WEAK;
    s->base = 64 * rng_below(&m->r, 4);
    s->mul = rng_below(&m->r, 3);
    s->add = rng_below(&m->r, 4) * rng_below(&m->r, LANES);
    s->and_ = rng_chance(&m->r, 50) ? all_bits >> 25 : rng_below(&m->r, LANES);
    s->xor_ = rng_chance(&m->r, 50) ? 0 : rng_below(&m->r, LANES);
}

static void random_meeting(struct maker *m)
{
    const uint32_t warp = rng_below(&m->r, m->k->n_warps);

    maker_meet(m, maker_warp(0, warp),
               rng_chance(&m->r, 40) ? all_bits : (uint32_t)rng_next(&m->r) | 1u << 7);
}

/* Each number once: who comes when to one that is used again is open. */
static void random_barrier(struct maker *m, uint32_t *used)
{
    const uint32_t a = rng_below(&m->r, m->k->n_warps);
    const uint32_t b = (a + 1 + rng_below(&m->r, m->k->n_warps - 1)) % m->k->n_warps;

    if (*used == 15 || rng_chance(&m->r, 30)) {
        maker_barrier(m, 1);
        return;
    }
    ++*used;
    for (uint32_t i = 0; i < 2; i++) {
        const bool arrives = i == 0 && rng_chance(&m->r, 30);
        struct step *s =
            maker_add(m, arrives ? ARRIVE : BARRIER, maker_warp(0, i == 0 ? a : b));

        s->n = *used;
        s->count = 2 * LANES;
    }
}

/* The warp tells of all that its lanes did, or knows what another one told. */
static void random_flag(struct maker *m, uint32_t *told)
{
    const uint32_t warp = rng_below(&m->r, m->k->n_warps);
    const struct who one = maker_lane(0, warp, rng_below(&m->r, LANES));
    const uint32_t n = rng_below(&m->r, N_FLAGS);

    if (*told < N_FLAGS && (*told == 0 || rng_chance(&m->r, 50))) {
        const uint32_t f = (*told)++;

        const bool fence = !rng_chance(&m->r, 20);
        struct step *s;

        maker_meet(m, maker_warp(0, warp), all_bits);
        if (fence) {
            (void)maker_fence(m, one, rng_below(&m->r, 2));
        }
        s = maker_signal(m, one, f % 2, f, rng_below(&m->r, 2));
        if (!fence && !s->atomic) { /* as a store it would be no flag (SPEC CHECK-2) */
            s->atomic = true;
            s->strength = RELAXED;
        }
    } else {
        (void)maker_wait(m, one, n % *told % 2, n % *told, rng_below(&m->r, 2));
        if (!rng_chance(&m->r, 20)) {
            (void)maker_fence(m, one, rng_below(&m->r, 2));
        }
        maker_meet(m, maker_warp(0, warp), all_bits);
    }
}

void family_soup(struct maker *m)
{
    const uint32_t flags = rng_below(&m->r, 40);
    uint32_t told = 0, barriers = 0;
    const uint32_t most = 6 + rng_below(&m->r, MAX_STEPS - 16);

    m->k->unknown = true;
    m->k->how = "random steps";
    m->k->n_warps = 2 + rng_below(&m->r, 2);
    while (m->k->n < most) {
        const uint32_t what = rng_below(&m->r, 100);

        if (what < 40) {
            random_access(m);
        } else if (what < 40 + flags) {
            random_flag(m, &told);
        } else if (what < 80) {
            random_barrier(m, &barriers);
        } else {
            random_meeting(m);
        }
    }
}
