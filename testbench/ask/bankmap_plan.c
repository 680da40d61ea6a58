/* bankmap_plan.c - what the rules answer, and that answer seen from lanes and banks. */
#include "ask/bankmap.h"

#include "base/bits.h"
#include <string.h>

bool bankmap_is_width(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

uint64_t bankmap_highest(enum bankmap_space space, uint32_t bytes)
{
    return (space == BANKMAP_SHARED ? UINT32_MAX : UINT64_MAX) - (bytes - 1);
}

static struct rules_access access_of(const struct bankmap_setup *s,
                                     const struct bankmap_access *a)
{
    return (struct rules_access){
        .op = s->op,
        .bytes = (uint8_t)a->bytes,
        .bank_mode = (uint8_t)s->bank_mode,
        .in_l1 = s->in_l1,
        .mask = a->mask,
        .addr = a->addr,
    };
}

void bankmap_shared(const struct bankmap_setup *s, const struct bankmap_access *a,
                    struct rules_waves *out)
{
    struct rules_access r = access_of(s, a);

    rules_shared(&s->rules, &r, out);
}

void bankmap_global(const struct bankmap_setup *s, const struct bankmap_access *a,
                    struct rules_lines *out)
{
    struct rules_access r = access_of(s, a);

    rules_global(&s->rules, &r, out);
}

static bool is_locked(const struct bankmap_setup *s)
{
    return s->op >= MEM_ATOM && s->rules.atomics != RULES_ATOMICS_NATIVE;
}

uint32_t bankmap_requests(const struct bankmap_setup *s, const struct bankmap_access *a,
                          const struct rules_waves *w)
{
    if (!s->rules.split_words) {
        return a->mask != 0;
    }
    return is_locked(s) ? w->ideal / 2 : w->ideal; /* its load and its store */
}

void bankmap_transactions(const struct rules_lines *l, char buf[48])
{
    size_t n = 0;

    buf[0] = '\0';
    for (uint32_t i = 3; i-- > 0;) {
        if (l->transactions[i] != 0) {
            n += (size_t)snprintf(buf + n, 48 - n, "%s%ux%u", n == 0 ? "" : "+",
                                  l->transactions[i], 32u << i);
        }
    }
}

/* ---- groups ---- */

/* Aligned blocks of n lanes with an active one. */
static uint32_t blocks_with_lanes(uint32_t mask, uint32_t n)
{
    uint32_t blocks = 0;

    for (uint32_t i = 0; i < ISA_LANES; i += n) {
        blocks += (mask >> i & (n == 32 ? UINT32_MAX : (1u << n) - 1)) != 0;
    }
    return blocks;
}

/* The rules say how many groups there were: more lanes each than usual if fewer. */
static void find_groups(const struct bankmap_setup *s, const struct bankmap_access *a,
                        struct bankmap_plan *p)
{
    const struct rules_cc *r = &s->rules;
    uint32_t groups = is_locked(s) ? p->w.ideal / 2 : p->w.ideal;

    p->by_word = r->split_words && a->bytes > 4;
    groups /= p->by_word ? p->words : 1;
    p->group_lanes = a->bytes <= 4 || p->by_word ? r->group_lanes
                     : a->bytes == 8             ? r->group_lanes_64
                                                 : r->group_lanes_128;
    while (p->group_lanes < ISA_LANES &&
           blocks_with_lanes(a->mask, p->group_lanes) > groups) {
        p->group_lanes *= 2;
        p->merged = true;
    }
}

/* A number for the group that pass i belongs to. A pass without lanes is a group's
 * first. */
static uint32_t group_of(const struct bankmap_plan *p, uint32_t i)
{
    while (i + 1 < p->w.n && p->w.kind[i] == RULES_PASS_EMPTY) {
        i++;
    }
    for (uint32_t k = 0; k < BANKMAP_MAX_WORDS; k++) {
        uint32_t lanes = p->w.lanes[i][k];

        if (lanes != 0) {
            return (uint32_t)__builtin_ctz(lanes) / p->group_lanes +
                   (p->by_word ? ISA_LANES * k : 0);
        }
    }
    return UINT32_MAX;
}

static void number_passes(struct bankmap_plan *p)
{
    for (uint32_t i = 0; i < p->w.n; i++) {
        bool same = i > 0 && group_of(p, i) == group_of(p, i - 1);

        p->first[i] = same ? p->first[i - 1] : i;
    }
}

/* ---- banks ---- */

/* Do lanes of one group want different words of one bank? */
static bool has_distinct(const struct bankmap_access *a, const struct bankmap_plan *p)
{
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        for (uint32_t n = m & (m - 1); n != 0; n &= n - 1) {
            uint32_t other = (uint32_t)__builtin_ctz(n);

            for (uint32_t k = 0; k < p->words; k++) {
                if (lane / p->group_lanes == other / p->group_lanes &&
                    p->bank[lane][k] == p->bank[other][k] &&
                    p->word[lane][k] != p->word[other][k]) {
                    return true;
                }
            }
        }
    }
    return false;
}

struct bank_set bankmap_pass(const struct bankmap_plan *p, uint32_t pass)
{
    struct bank_set banks = {{0}};

    for (uint32_t k = 0; k < p->words; k++) {
        for (uint32_t m = p->w.lanes[pass][k]; m != 0; m &= m - 1) {
            bank_set_add(&banks, p->bank[__builtin_ctz(m)][k]);
        }
    }
    return banks;
}

static void count_ways(struct bankmap_plan *p, uint32_t least)
{
    uint32_t in_group[BANKS_MAX];
    uint32_t longest = 0;

    for (uint32_t i = 0; i < p->w.n; i++) {
        struct bank_set banks = bankmap_pass(p, i);

        if (p->first[i] == i) {
            memset(in_group, 0, sizeof(in_group));
        }
        for (uint32_t b = bank_set_from(&banks, 0); b < BANKS_MAX;
             b = bank_set_from(&banks, b + 1)) {
            in_group[b]++;
            p->busy[b]++;
            p->again[b] += in_group[b] > least;
            if (in_group[b] > p->ways[b]) {
                p->ways[b] = in_group[b];
            }
            if (in_group[b] > longest) {
                longest = in_group[b];
                p->worst_bank = b;
                p->worst_first = p->first[i];
            }
        }
    }
}

void bankmap_plan(const struct bankmap_setup *s, const struct bankmap_access *a,
                  struct bankmap_plan *p)
{
    memset(p, 0, sizeof(*p));
    bankmap_shared(s, a, &p->w);
    p->words = a->bytes <= 4 ? 1 : a->bytes / 4;
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        for (uint32_t k = 0; k < p->words; k++) {
            uint32_t w = (uint32_t)(a->addr[lane] >> 2) + k;

            p->word[lane][k] = w;
            p->bank[lane][k] = (uint8_t)rules_bank(&s->rules, s->bank_mode, w);
        }
    }
    for (uint32_t i = 0; i < p->w.n; i++) {
        for (uint32_t k = 0; k < p->words; k++) {
            for (uint32_t m = p->w.lanes[i][k]; m != 0; m &= m - 1) {
                p->pass[__builtin_ctz(m)][k] = (uint8_t)(i + 1);
            }
        }
    }
    find_groups(s, a, p);
    number_passes(p);
    count_ways(p, is_locked(s) ? 2 : 1); /* locked: a load and a store */
    p->distinct = has_distinct(a, p);
}

/* ---- lanes in words ---- */

/* Members first, first + step ... to last, and no other. */
static bool is_progression(const struct bank_set *s, uint32_t *first, uint32_t *step,
                           uint32_t *last)
{
    if (bank_set_count(s) < 4) {
        return false;
    }
    *first = bank_set_from(s, 0);
    *step = bank_set_from(s, *first + 1) - *first;
    *last = *first;
    for (uint32_t i = *first; i < BANKS_MAX; i = bank_set_from(s, i + 1)) {
        if (i != *first && i != *last + *step) {
            return false;
        }
        *last = i;
    }
    return true;
}

void bankmap_banks(const struct bank_set *s, char buf[BANKMAP_LIST])
{
    uint32_t first, step, last, parts = 0, listed = 0;
    size_t n = 0;

    buf[0] = '\0';
    if (is_progression(s, &first, &step, &last) && step > 1) {
        snprintf(buf, BANKMAP_LIST, "%u, %u, %u ... %u", first, first + step,
                 first + 2 * step, last);
        return;
    }
    for (uint32_t from = bank_set_from(s, 0); from < BANKS_MAX; parts++) {
        uint32_t to = from;

        if (parts == 6) {
            snprintf(buf + n, BANKMAP_LIST - n, " and %u more",
                     bank_set_count(s) - listed);
            return;
        }
        while (to + 1 < BANKS_MAX && bank_set_has(s, to + 1)) {
            to++;
        }
        n += (size_t)snprintf(buf + n, BANKMAP_LIST - n,
                              from == to       ? "%s%u"
                              : to == from + 1 ? "%s%u, %u"
                                               : "%s%u-%u",
                              parts == 0 ? "" : ", ", from, to);
        listed += to - from + 1;
        from = bank_set_from(s, to + 1);
    }
}

void bankmap_lanes(uint32_t mask, char buf[BANKMAP_LIST])
{
    struct bank_set lanes = {{mask}};

    bankmap_banks(&lanes, buf);
}
