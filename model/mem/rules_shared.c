#include "mem/rules.h"

#include "base/bits.h"
#include <string.h>

/* What two accesses must share to be served by a bank in one pass: the bank's row, be
 * it a word of 32, 64 or 128 bits or the 32-bit words i and i + 32 (SPEC BANK-1,
 * BANK-6). */
struct row {
    uint32_t bank, row;
};

/* Where 32-bit words lie: SPEC BANK-1, BANK-6. */
struct map {
    uint32_t word_bits, bank_mask, row_bits;
};

static inline struct map map_of(const struct rules_cc *r, uint32_t mode)
{
    const uint32_t bytes = mode > r->bank_bytes ? mode : r->bank_bytes;

    return (struct map){.word_bits = rules_word_bits(mode),
                        .bank_mask = r->banks - 1,
                        .row_bits = attr_lowest_bit(r->banks) + rules_word_bits(bytes)};
}

static inline struct row row_of(struct map m, uint32_t w)
{
    return (struct row){w >> m.word_bits & m.bank_mask, w >> m.row_bits};
}

uint32_t rules_row(const struct rules_cc *r, uint32_t bank_mode, uint32_t w)
{
    return row_of(map_of(r, bank_mode), w).row;
}

/* ---- many rows of a bank, one after the other ---- */

/* Distinct rows met so far, by bank, in the order of the lanes that touched them. */
struct bank_rows {
    uint8_t n[BANKS_MAX];
    uint64_t met[BANKS_MAX]; /* bit r: one that is r modulo 64 may be among them */
    uint32_t row[BANKS_MAX][ISA_LANES];
};

static void no_rows(struct bank_rows *b, const struct rules_cc *r)
{
    memset(b->n, 0, r->banks * sizeof(b->n[0]));
    memset(b->met, 0, r->banks * sizeof(b->met[0]));
}

/* The pass in which a row is served: its place among the distinct rows of its bank. */
static inline uint32_t rank_of_row(struct bank_rows *b, struct row at)
{
    const uint64_t bit = 1ull << at.row % 64;
    const uint32_t n = b->n[at.bank];

    if ((b->met[at.bank] & bit) != 0) {
        for (uint32_t i = 0; i < n; i++) {
            if (b->row[at.bank][i] == at.row) {
                return i;
            }
        }
    }
    b->met[at.bank] |= bit;
    b->row[at.bank][n] = at.row;
    b->n[at.bank]++;
    return n;
}

/* SPEC BANK-5: native atomics but those that count. */
static bool takes_lanes_alone(const struct rules_cc *r, const struct rules_access *a)
{
    return a->op >= MEM_ATOM && r->atomics == RULES_ATOMICS_NATIVE && !a->counts;
}

/* Such an atomic: every lane takes its bank for a pass of its own, same word included.
 */
static uint32_t rank_of_lane(struct bank_rows *b, struct row at)
{
    return b->n[at.bank]++;
}

static void new_pass(struct rules_waves *out, enum rules_pass kind)
{
    out->kind[out->n] = (uint8_t)kind;
    memset(out->lanes[out->n], 0, sizeof(out->lanes[0]));
    out->n++;
}

/* n lanes from first on want words of one stretch of as many as there are banks, which
 * begins at a multiple of it: without a branch per lane. Every bank has one row of it,
 * whatever the map. */
static inline bool are_one_stretch(const struct rules_cc *r,
                                   const struct rules_access *a, uint32_t first,
                                   uint32_t n)
{
    uint64_t differs = 0;

    for (uint32_t lane = first; lane < first + n; lane++) {
        differs |= a->addr[lane] ^ a->addr[first];
    }
    return differs < 4ull * r->banks;
}

/* The same of the lanes of mask, which are neighbours or are taken not to be. */
static bool is_one_stretch(const struct rules_cc *r, const struct rules_access *a,
                           uint32_t mask)
{
    const uint32_t first = attr_lowest_bit(mask), n = bits_count(mask);

    return mask >> first == UINT32_MAX >> (ISA_LANES - n) &&
           are_one_stretch(r, a, first, n);
}

/* Pass p, one of those there are or the next one, serves word i of the lane. */
static inline void put(struct rules_waves *out, uint32_t p, uint32_t lane, uint32_t i,
                       enum rules_pass kind)
{
    if (p == out->n) {
        new_pass(out, kind);
    }
    out->lanes[p][i] |= 1u << lane;
}

/* Each lane of mask wants so many words; alone: not with other lanes. Part of its
 * caller, which knows both mostly when it is compiled. */
static BITS_INLINE void split_lanes(struct map map, const struct rules_access *a,
                                    uint32_t mask, uint32_t words, bool alone,
                                    enum rules_pass kind, struct bank_rows *b,
                                    struct rules_waves *out)
{
    const uint32_t first = out->n;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), rank = 0;
        uint32_t bank = BANKS_MAX; /* of the word before */

        for (uint32_t i = 0; i < words; i++) {
            struct row at = row_of(map, (uint32_t)(a->addr[lane] >> 2) + i);

            if (!alone) {
                rank = rank_of_row(b, at);
            } else if (at.bank != bank) {
                rank = rank_of_lane(b, at);
                bank = at.bank;
            }
            put(out, first + rank, lane, i, kind);
        }
    }
}

/* The lanes of mask, judged together; passes are appended. */
static void split_rows(const struct rules_cc *r, const struct rules_access *a,
                       uint32_t mask, uint32_t words, enum rules_pass kind,
                       struct rules_waves *out)
{
    const struct map map = map_of(r, a->bank_mode);
    const bool alone = takes_lanes_alone(r, a);
    uint32_t first = out->n;
    struct bank_rows b;

    if (!alone && is_one_stretch(r, a, mask)) {
        new_pass(out, kind);
        for (uint32_t i = 0; i < words; i++) {
            out->lanes[first][i] = mask;
        }
        return;
    }
    no_rows(&b, r);
    if (!alone && words == 1) { /* nearly always */
        split_lanes(map, a, mask, 1, false, kind, &b, out);
    } else {
        split_lanes(map, a, mask, words, alone, kind, &b, out);
    }
}

/* ---- 1.x: one broadcast word per pass ---- */

/* Lanes of left that wait for the word of the given lane. */
static uint32_t lanes_of_word(const uint32_t word[ISA_LANES], uint32_t left,
                              uint32_t lane)
{
    uint32_t same = 0;

    for (uint32_t m = left; m != 0; m &= m - 1) {
        uint32_t other = (uint32_t)__builtin_ctz(m);

        same |= (uint32_t)(word[other] == word[lane]) << other;
    }
    return same;
}

/* Lanes of the word that a pass broadcasts. */
static uint32_t pick_broadcast(enum rules_broadcast policy,
                               const uint32_t word[ISA_LANES], uint32_t left)
{
    uint32_t best = lanes_of_word(word, left, (uint32_t)__builtin_ctz(left));

    if (policy == RULES_FIRST_LANE) {
        return best;
    }
    for (uint32_t m = left & ~best; m != 0; m &= m - 1) {
        uint32_t same = lanes_of_word(word, left, (uint32_t)__builtin_ctz(m));
        uint32_t n = bits_count(same), most = bits_count(best);

        if (policy == RULES_MOST_LANES ? n > most : n < most) {
            best = same;
        }
    }
    return best;
}

/* SPEC BANK-7: the lanes of mask, a half-warp's 32-bit request. */
static void split_broadcast(const struct rules_cc *r, const struct rules_access *a,
                            uint32_t mask, enum rules_pass kind,
                            struct rules_waves *out)
{
    uint32_t word[ISA_LANES] = {0};
    uint32_t left = mask;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        word[lane] = (uint32_t)(a->addr[lane] >> 2) >> rules_word_bits(a->bank_mode);
    }
    while (left != 0) {
        uint32_t served = pick_broadcast(r->broadcast, word, left);
        struct bank_set taken = {{0}};

        bank_set_add(&taken, word[__builtin_ctz(served)] & (r->banks - 1));
        for (uint32_t m = left & ~served; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            uint32_t bank = word[lane] & (r->banks - 1);

            if (!bank_set_has(&taken, bank)) { /* one lane of each other bank */
                bank_set_add(&taken, bank);
                served |= 1u << lane;
            }
        }
        new_pass(out, kind);
        out->lanes[out->n - 1][0] = served;
        left &= ~served;
    }
}

/* ---- groups ---- */

static uint32_t words_of(const struct rules_access *a)
{
    return a->bytes <= 4 ? 1 : a->bytes / 4;
}

/* Passes of a load or a store by the lanes of one group; returns how many. */
static uint32_t split_group(const struct rules_cc *r, const struct rules_access *a,
                            uint32_t mask, enum rules_pass kind, bool reads,
                            struct rules_waves *out)
{
    uint32_t first = out->n;

    if (r->one_broadcast && reads) {
        split_broadcast(r, a, mask, kind, out);
    } else {
        split_rows(r, a, mask, words_of(a), kind, out);
    }
    return out->n - first;
}

/* SPEC BANK-5: rounds in which the lanes still waiting load and lock their words, and
 * of each word's lanes the lowest operates, stores and unlocks. */
static void split_locked(const struct rules_cc *r, const struct rules_access *a,
                         uint32_t mask, struct rules_waves *out)
{
    enum rules_pass kind = RULES_PASS_LOCK;
    uint32_t rounds = 0;

    while (mask != 0) {
        uint32_t winners = 0;
        uint32_t first = out->n;

        for (uint32_t m = mask; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);
            bool first_of_word = true;

            for (uint32_t k = winners; k != 0 && first_of_word; k &= k - 1) {
                first_of_word = a->addr[__builtin_ctz(k)] >> 2 != a->addr[lane] >> 2;
            }
            winners |= (uint32_t)first_of_word << lane;
        }
        (void)split_group(r, a, mask, RULES_PASS_LOCK, true, out);
        out->kind[first] = (uint8_t)kind;
        (void)split_group(r, a, winners, RULES_PASS_MOVE, false, out);
        mask &= ~winners;
        kind = RULES_PASS_RETRY;
        rounds++;
    }
    out->rounds = rounds > out->rounds ? rounds : out->rounds;
}

/* SPEC BANK-8: every active lane and its active partner at distance d read one
 * address. */
static bool pairs_agree(const struct rules_access *a, uint32_t d)
{
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t partner = lane ^ d;

        if ((a->mask >> partner & 1u) != 0 && a->addr[lane] != a->addr[partner]) {
            return false;
        }
    }
    return true;
}

static uint32_t group_lanes(const struct rules_cc *r, const struct rules_access *a)
{
    uint32_t lanes = a->bytes <= 4   ? r->group_lanes
                     : a->bytes == 8 ? r->group_lanes_64
                                     : r->group_lanes_128;

    if (r->merges_pairs && !a->rows && a->bytes > 4 && a->op == MEM_LOAD &&
        (pairs_agree(a, 1) || pairs_agree(a, 2))) {
        lanes *= 2;
    }
    return lanes;
}

/* One half- or quarter-warp, or the whole warp. */
static void add_group(const struct rules_cc *r, const struct rules_access *a,
                      uint32_t mask, struct rules_waves *out)
{
    bool atomic = a->op >= MEM_ATOM;
    uint32_t first = out->n;

    if (atomic && r->atomics != RULES_ATOMICS_NATIVE) {
        out->ideal += 2; /* a load and a store */
        split_locked(r, a, mask, out);
    } else {
        out->ideal++;
        if (a->bytes == 16 && r->extra_way_128) {
            new_pass(out, RULES_PASS_EMPTY);
        }
        (void)split_group(r, a, mask, RULES_PASS_MOVE, a->op == MEM_LOAD, out);
    }
    if (out->n - first > out->degree) {
        out->degree = out->n - first;
    }
}

/* ---- the rule ---- */

/* BANK-1 in the common case: every bank has one row to serve. */
static bool is_conflict_free(const struct rules_cc *r, const struct rules_access *a)
{
    const struct map map = map_of(r, a->bank_mode);
    uint32_t row[BANKS_MAX];
    struct bank_set seen = {{0}};
    uint64_t low = UINT64_MAX, high = 0;

    if (a->mask == UINT32_MAX && are_one_stretch(r, a, 0, ISA_LANES)) {
        return true;
    }
    /* Words of which no two are as far apart as there are banks: different ones lie in
     * different banks (and in the same row or its neighbour, whatever the map). */
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint64_t w = a->addr[__builtin_ctz(m)] >> 2;

        low = w < low ? w : low;
        high = w > high ? w : high;
    }
    if (high - low < r->banks) {
        return true;
    }
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        struct row at = row_of(map, (uint32_t)(a->addr[__builtin_ctz(m)] >> 2));

        if (bank_set_has(&seen, at.bank) && row[at.bank] != at.row) {
            return false;
        }
        bank_set_add(&seen, at.bank);
        row[at.bank] = at.row;
    }
    return true;
}

/* Rows (native atomics: lanes) of the worst bank over the whole warp. */
static uint32_t worst_bank(const struct rules_cc *r, const struct rules_access *a)
{
    const struct map map = map_of(r, a->bank_mode);
    const uint32_t words = words_of(a);
    const bool alone = takes_lanes_alone(r, a);
    struct bank_rows b;
    uint32_t worst = 0;

    no_rows(&b, r);
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t bank = BANKS_MAX; /* of the word before */

        for (uint32_t i = 0; i < words; i++) {
            struct row at = row_of(map, (uint32_t)(a->addr[lane] >> 2) + i);
            uint32_t rank;

            if (at.bank == bank) {
                continue; /* one row: neighbours */
            }
            rank = alone ? rank_of_lane(&b, at) : rank_of_row(&b, at);
            worst = rank >= worst ? rank + 1 : worst;
            bank = at.bank;
        }
    }
    return worst;
}

/* 1.x: the words of a wide access are requests of their own, as if of 32 bits. */
static void split_by_word(const struct rules_cc *r, const struct rules_access *a,
                          struct rules_waves *out)
{
    uint64_t addr[ISA_LANES];
    struct rules_access part = *a;

    part.bytes = 4;
    part.addr = addr;
    for (uint32_t i = 0; i < words_of(a); i++) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            addr[lane] = a->addr[lane] + 4ull * i;
        }
        for (uint32_t first = 0; first < ISA_LANES; first += r->group_lanes) {
            uint32_t mask = a->mask & rules_lanes(first, r->group_lanes);
            uint32_t from = out->n;

            if (mask != 0) {
                add_group(r, &part, mask, out);
            }
            for (uint32_t p = from; p < out->n && i != 0; p++) {
                out->lanes[p][i] = out->lanes[p][0];
                out->lanes[p][0] = 0;
            }
        }
    }
}

void rules_shared(const struct rules_cc *r, const struct rules_access *a,
                  struct rules_waves *out)
{
    uint32_t lanes;
    bool locked;

    out->rounds = 1;
    if (a->bytes <= 4 && a->op < MEM_ATOM && !r->split_words && a->mask != 0 &&
        is_conflict_free(r, a)) {
        out->n = 1;
        out->ideal = 1;
        out->degree = 1;
        out->depth = 1;
        out->kind[0] = RULES_PASS_MOVE;
        out->lanes[0][0] = a->mask;
        memset(&out->lanes[0][1], 0, 3 * sizeof(out->lanes[0][0]));
        return;
    }
    out->n = 0;
    out->ideal = 0;
    out->degree = 0;
    if (r->split_words && a->bytes > 4) {
        split_by_word(r, a, out);
        out->depth = worst_bank(r, a);
        return;
    }
    lanes = group_lanes(r, a);
    for (uint32_t first = 0; first < ISA_LANES; first += lanes) {
        uint32_t mask = a->mask & rules_lanes(first, lanes);

        if (mask != 0) {
            add_group(r, a, mask, out);
        }
    }
    locked = a->op >= MEM_ATOM && r->atomics != RULES_ATOMICS_NATIVE;
    /* the passes of the whole warp as one group are the rows of its worst bank */
    out->depth = lanes >= ISA_LANES && !locked ? out->n : worst_bank(r, a);
}

/* ---- which banks are in conflict ---- */

/* The banks that pass p takes. */
static struct bank_set banks_of(const struct rules_cc *r, const struct rules_access *a,
                                uint32_t base, const struct rules_waves *w, uint32_t p)
{
    struct bank_set banks = {{0}};

    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t m = w->lanes[p][i]; m != 0; m &= m - 1) {
            uint32_t word = (uint32_t)((base + a->addr[__builtin_ctz(m)]) >> 2) + i;

            bank_set_add(&banks, rules_bank(r, a->bank_mode, word));
        }
    }
    return banks;
}

/* Which group of lanes pass p serves: passes of a group have one number and follow one
 * another. */
static uint32_t group_of(const struct rules_cc *r, const struct rules_access *a,
                         const struct rules_waves *w, uint32_t p)
{
    bool by_word = r->split_words && a->bytes > 4;
    uint32_t lanes = by_word ? r->group_lanes : group_lanes(r, a);

    for (uint32_t i = 0; i < 4; i++) {
        if (w->lanes[p][i] != 0) {
            return (by_word ? i * ISA_LANES : 0) +
                   (uint32_t)__builtin_ctz(w->lanes[p][i]) / lanes;
        }
    }
    return UINT32_MAX; /* EMPTY */
}

struct bank_set rules_crowded(const struct rules_cc *r, const struct rules_access *a,
                              uint32_t base, const struct rules_waves *w)
{
    bool locked = a->op >= MEM_ATOM && r->atomics != RULES_ATOMICS_NATIVE;
    struct bank_set crowded = {{0}}, seen = {{0}};
    uint32_t group = UINT32_MAX;
    bool again = false, loads = false; /* a further round; the pass before was a load */

    for (uint32_t p = 0; w->n > w->ideal && p < w->n; p++) {
        struct bank_set banks = banks_of(r, a, base, w, p);
        uint32_t g = group_of(r, a, w, p);
        bool load = w->kind[p] != RULES_PASS_MOVE;

        if (bank_set_is_empty(&banks)) {
            continue;
        }
        if (g != group || (locked && load != loads)) {
            /* what an atomic loads and then stores it needs twice anyhow */
            seen = (struct bank_set){{0}};
        }
        again = (again && g == group) || w->kind[p] == RULES_PASS_RETRY;
        group = g;
        loads = load;
        if (!again) {
            struct bank_set both = bank_set_both(&seen, &banks);

            bank_set_add_all(&crowded, &both);
        } else {
            bank_set_add_all(&crowded, &banks);
        }
        bank_set_add_all(&seen, &banks);
    }
    return crowded;
}
