/* Shared memory by brute force. The facts: PG4.2 F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x);
 * from 5.0 on as counted on an H100. */
#include "mem/rules_oracle.h"

#include <string.h>

enum { MAX_GROUPS = 8, HALF = 16, MAX_BANKS = 128, MAX_PER_BANK = 128, SMALL = 8 };

struct group { /* lanes judged together */
    uint32_t lanes;
    uint32_t word, words; /* of each lane: 1.x judges one at a time */
    uint32_t passes, rounds;
    uint32_t step[HALF], n_steps; /* 1.x loads: whom each pass serves */
    uint32_t seen;                /* passes of the answer that serve it */
};

struct truth {
    const struct oracle_device *d;
    const struct rules_access *a;
    struct group group[MAX_GROUPS];
    uint32_t n_groups; /* with an active lane */
};

struct tally { /* rows that one bank is asked for */
    uint32_t n[MAX_BANKS];
    uint32_t row[MAX_BANKS][MAX_PER_BANK];
};

static bool is_tesla(uint32_t cc)
{
    return cc < 20;
}

static bool is_kepler(uint32_t cc)
{
    return cc >= 30 && cc < 50;
}

static bool is_atomic(const struct rules_access *a)
{
    return a->op == MEM_ATOM || a->op == MEM_RED;
}

static bool is_native(const struct truth *t)
{
    return is_atomic(t->a) && t->d->cc >= 50;
}

/* Each lane takes its bank for itself; atomics that count do not. */
static bool is_alone(const struct truth *t)
{
    return is_native(t) && !t->a->counts;
}

static bool is_locked(const struct truth *t)
{
    return is_atomic(t->a) && t->d->cc < 50;
}

static uint32_t words_of(const struct rules_access *a)
{
    return a->bytes <= 4 ? 1 : a->bytes / 4u;
}

static uint32_t word_at(const struct rules_access *a, uint32_t lane, uint32_t i)
{
    return (uint32_t)(a->addr[lane] / 4) + i;
}

struct oracle_device oracle_device(uint32_t cc)
{
    struct oracle_device d = {.cc = cc, .broadcast = RULES_FIRST_LANE, .lanes_128 = 8};

    if (is_kepler(cc)) {
        d.lanes_128 = 16; /* assumed: no document says */
    }
    d.extra_128 = cc >= 20 && cc < 30;
    d.banks = is_tesla(cc) ? 16 : 32;
    return d;
}

void oracle_place(const struct oracle_device *d, uint32_t bank_mode, uint32_t word,
                  uint32_t *bank, uint32_t *row)
{
    uint32_t byte = 4 * word, wide = bank_mode;

    if (is_kepler(d->cc) && bank_mode == 4) {
        wide = 8; /* words i and i + banks of 2 * banks share a row */
    }
    *bank = byte / bank_mode % d->banks;
    *row = byte / (wide * d->banks);
}

/* ---- counting ---- */

static uint32_t tally_add(struct tally *y, uint32_t bank, uint32_t row, bool distinct)
{
    uint32_t k = distinct ? 0 : y->n[bank];

    while (k < y->n[bank] && y->row[bank][k] != row) {
        k++;
    }
    if (k == y->n[bank]) {
        y->row[bank][y->n[bank]++] = row;
    }
    return y->n[bank];
}

/* The largest number of distinct rows (or of lanes) that lie in one bank. */
static uint32_t worst_bank(const struct truth *t, uint32_t lanes, uint32_t word,
                           uint32_t words, bool distinct)
{
    struct tally y;
    uint32_t worst = 0;

    memset(y.n, 0, sizeof(y.n));
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t bank_before = MAX_BANKS, row_before = 0;

        for (uint32_t i = word; i < word + words; i++) {
            uint32_t w = word_at(t->a, (uint32_t)__builtin_ctz(m), i), bank, row, n;

            oracle_place(t->d, t->a->bank_mode, w, &bank, &row);
            if (bank == bank_before && row == row_before) {
                continue; /* one row has both words of the lane */
            }
            bank_before = bank;
            row_before = row;
            n = tally_add(&y, bank, row, distinct);
            worst = n > worst ? n : worst;
        }
    }
    return worst;
}

/* Those of the lanes that want the same word of so many bytes as this one. */
static uint32_t same_word(const struct rules_access *a, uint32_t lanes, uint32_t i,
                          uint32_t lane, uint32_t bytes)
{
    uint32_t w = word_at(a, lane, i) / (bytes / 4), same = 0;

    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(m);

        same |= word_at(a, k, i) / (bytes / 4) == w ? 1u << k : 0;
    }
    return same;
}

/* The lanes whose word one pass of 1.x broadcasts. */
static uint32_t chosen(const struct truth *t, uint32_t lanes, uint32_t i)
{
    uint32_t best = 0;

    for (uint32_t m = lanes; m != 0;) { /* word after word, by their lowest lanes */
        uint32_t same =
            same_word(t->a, lanes, i, (uint32_t)__builtin_ctz(m), t->a->bank_mode);
        int n = __builtin_popcount(same), of_best = __builtin_popcount(best);

        switch (t->d->broadcast) {
        case RULES_FIRST_LANE: return same;
        case RULES_MOST_LANES: best = n > of_best ? same : best; break;
        case RULES_ADVERSARIAL: best = best == 0 || n < of_best ? same : best; break;
        }
        m &= ~same;
    }
    return best;
}

/* Whom a pass of 1.x serves: all lanes of the broadcast word, one of each other
 * bank. */
static uint32_t served_with(const struct oracle_device *d, const struct rules_access *a,
                            uint32_t lanes, uint32_t i, uint32_t broadcast)
{
    bool busy[MAX_BANKS] = {false};
    uint32_t served = broadcast, bank, row;

    oracle_place(d, a->bank_mode, word_at(a, (uint32_t)__builtin_ctz(broadcast), i),
                 &bank, &row);
    busy[bank] = true;

    for (uint32_t m = lanes & ~broadcast; m != 0; m &= m - 1) {
        uint32_t bit = m & (~m + 1);

        oracle_place(d, a->bank_mode, word_at(a, (uint32_t)__builtin_ctz(m), i), &bank,
                     &row);
        served |= busy[bank] ? 0 : bit;
        busy[bank] = true;
    }
    return served;
}

/* Passes that load for these lanes of a group; step gets whom each serves on 1.x. */
static uint32_t load_passes(const struct truth *t, const struct group *g,
                            uint32_t lanes, uint32_t step[HALF])
{
    uint32_t n = 0;

    if (!is_tesla(t->d->cc)) {
        return worst_bank(t, lanes, g->word, g->words, true);
    }
    while (lanes != 0) {
        step[n] = served_with(t->d, t->a, lanes, g->word, chosen(t, lanes, g->word));
        lanes &= ~step[n];
        n++;
    }
    return n;
}

static uint32_t store_passes(const struct truth *t, const struct group *g,
                             uint32_t lanes)
{
    return worst_bank(t, lanes, g->word, g->words, true);
}

/* The lowest of these lanes for each location. */
static uint32_t first_of_each(const struct rules_access *a, uint32_t lanes)
{
    uint32_t first = 0;

    for (uint32_t m = lanes; m != 0;) {
        first |= m & (~m + 1);
        m &= ~same_word(a, lanes, 0, (uint32_t)__builtin_ctz(m), 4);
    }
    return first;
}

static void judge_group(const struct truth *t, struct group *g)
{
    uint32_t waiting = g->lanes, step[HALF];

    g->rounds = 1;
    if (is_native(t)) {
        g->passes = worst_bank(t, g->lanes, g->word, g->words, !is_alone(t));
    } else if (t->a->op == MEM_LOAD) {
        g->passes = load_passes(t, g, g->lanes, g->step);
        g->n_steps = is_tesla(t->d->cc) ? g->passes : 0;
    } else if (t->a->op == MEM_STORE) {
        g->passes = store_passes(t, g, g->lanes);
    } else {
        for (g->rounds = 0; waiting != 0; g->rounds++) {
            uint32_t done = first_of_each(t->a, waiting);

            g->passes += load_passes(t, g, waiting, step) + store_passes(t, g, done);
            waiting &= ~done;
        }
    }
    if (t->d->extra_128 && t->a->bytes == 16 && !is_tesla(t->d->cc)) {
        g->passes++;
    }
}

/* ---- groups ---- */

static bool pairs_are_equal(const struct rules_access *a, uint32_t apart)
{
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        bool both = (a->mask >> i & 1u) != 0 && (a->mask >> (i ^ apart) & 1u) != 0;

        if (both && a->addr[i] != a->addr[i ^ apart]) {
            return false;
        }
    }
    return true;
}

static uint32_t lanes_judged(const struct oracle_device *d,
                             const struct rules_access *a)
{
    bool merged = d->cc >= 50 && a->op == MEM_LOAD && !a->rows &&
                  (pairs_are_equal(a, 1) || pairs_are_equal(a, 2));

    if (is_tesla(d->cc)) {
        return HALF;
    }
    if (a->bytes == 16) {
        return merged ? 2 * d->lanes_128 : d->lanes_128; /* pairs of groups */
    }
    if (a->bytes == 8 && !is_kepler(d->cc)) {
        return merged ? 32 : 16;
    }
    return 32;
}

static void make_groups(struct truth *t)
{
    uint32_t n = lanes_judged(t->d, t->a);
    uint32_t parts = is_tesla(t->d->cc) ? words_of(t->a) : 1;

    t->n_groups = 0;
    for (uint32_t i = 0; i < parts; i++) {
        for (uint32_t first = 0; first < ISA_LANES; first += n) {
            uint32_t all = n == 32 ? UINT32_MAX : ((1u << n) - 1) << first;
            struct group *g = &t->group[t->n_groups];

            if ((t->a->mask & all) == 0) {
                continue;
            }
            g->lanes = t->a->mask & all;
            g->word = i;
            g->words = words_of(t->a) / parts;
            g->passes = g->n_steps = g->seen = 0;
            judge_group(t, g);
            t->n_groups++;
        }
    }
}

/* ---- the answer, pass by pass ---- */

/* No pass asks one bank for two rows, or serves two atomics there. */
static bool banks_suffice(const struct truth *t, const uint32_t lanes[4], bool distinct)
{
    uint32_t user[MAX_BANKS] = {0}, row_of[MAX_BANKS]; /* lanes, from 1 */

    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t m = lanes[i]; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m), bank, row;

            oracle_place(t->d, t->a->bank_mode, word_at(t->a, lane, i), &bank, &row);
            if (user[bank] != 0 &&
                ((!distinct && user[bank] != lane + 1) || row_of[bank] != row)) {
                return false;
            }
            user[bank] = lane + 1;
            row_of[bank] = row;
        }
    }
    return true;
}

/* The group that a pass serves, NULL if none or several. */
static struct group *served_group(struct truth *t, const uint32_t lanes[4])
{
    for (uint32_t k = 0; k < t->n_groups; k++) {
        struct group *g = &t->group[k];
        bool here = false, elsewhere = false;

        for (uint32_t i = 0; i < 4; i++) {
            bool of_group = i >= g->word && i < g->word + g->words;

            here |= of_group && (lanes[i] & g->lanes) != 0;
            elsewhere |= (of_group ? lanes[i] & ~g->lanes : lanes[i]) != 0;
        }
        if (here) {
            return elsewhere ? NULL : g;
        }
    }
    return NULL;
}

static const char *check_move(struct truth *t, const uint32_t lanes[4],
                              uint32_t served[4])
{
    struct group *g = served_group(t, lanes);

    if (g == NULL) {
        return "a pass serves nobody, or several groups";
    }
    if (!banks_suffice(t, lanes, !is_alone(t))) {
        return "a pass asks one bank twice";
    }
    if (g->n_steps != 0 &&
        (g->seen >= g->n_steps || lanes[g->word] != g->step[g->seen])) {
        return "a pass serves other lanes than the broadcast allows";
    }
    g->seen++;
    for (uint32_t i = 0; i < 4; i++) {
        if ((served[i] & lanes[i]) != 0) {
            return "a word is served twice";
        }
        served[i] |= lanes[i];
    }
    return NULL;
}

static const char *check_moves(struct truth *t, const struct rules_waves *w)
{
    uint32_t served[4] = {0}, empty = 0;
    bool extra = t->d->extra_128 && t->a->bytes == 16 && !is_tesla(t->d->cc);

    for (uint32_t p = 0; p < w->n; p++) {
        const uint32_t *l = w->lanes[p];
        const char *wrong = NULL;

        if (w->kind[p] == RULES_PASS_EMPTY) {
            empty++;
            wrong = (l[0] | l[1] | l[2] | l[3]) != 0 ? "an empty pass serves" : NULL;
        } else if (w->kind[p] == RULES_PASS_MOVE) {
            wrong = check_move(t, l, served);
        } else {
            wrong = "a lock without an atomic";
        }
        if (wrong != NULL) {
            return wrong;
        }
    }
    for (uint32_t k = 0; k < t->n_groups; k++) {
        if (t->group[k].seen + extra != t->group[k].passes) {
            return "passes of a group";
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (served[i] != (i < words_of(t->a) ? t->a->mask : 0)) {
            return "a word is not served";
        }
    }
    return empty == (extra ? t->n_groups : 0) ? NULL : "empty passes";
}

/* Do n passes from the p-th serve each word of these lanes once? */
static const char *check_batch(const struct truth *t, const struct rules_waves *w,
                               uint32_t p, uint32_t n, uint32_t lanes)
{
    uint32_t served[4] = {0};

    if (p + n > w->n) {
        return "too few passes";
    }
    for (; n != 0; n--, p++) {
        if (!banks_suffice(t, w->lanes[p], true)) {
            return "a pass asks one bank twice";
        }
        for (uint32_t i = 0; i < 4; i++) {
            if ((served[i] & w->lanes[p][i]) != 0) {
                return "a word is served twice in a round";
            }
            served[i] |= w->lanes[p][i];
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (served[i] != (i < words_of(t->a) ? lanes : 0)) {
            return "a round serves other lanes";
        }
    }
    return NULL;
}

/* Group after group: all waiting lanes read and lock, one of each location goes on. */
static const char *check_rounds(struct truth *t, const struct rules_waves *w)
{
    uint32_t p = 0, step[HALF];

    for (uint32_t k = 0; k < t->n_groups; k++) {
        struct group *g = &t->group[k];
        uint32_t waiting = g->lanes;

        for (uint32_t round = 0; waiting != 0; round++) {
            uint32_t done = first_of_each(t->a, waiting);
            uint32_t loads = load_passes(t, g, waiting, step);
            uint32_t stores = store_passes(t, g, done);
            const char *wrong = check_batch(t, w, p, loads, waiting);

            wrong = wrong != NULL ? wrong : check_batch(t, w, p + loads, stores, done);
            if (wrong != NULL) {
                return wrong;
            }
            for (uint32_t i = 0; i < loads + stores; i++, p++) {
                uint32_t kind = i >= loads             ? RULES_PASS_MOVE
                                : i == 0 && round != 0 ? RULES_PASS_RETRY
                                                       : RULES_PASS_LOCK;

                if (w->kind[p] != kind) {
                    return "kind of an atomic's pass";
                }
                if (is_tesla(t->d->cc) && i < loads && w->lanes[p][0] != step[i]) {
                    return "a lock serves other lanes than the broadcast allows";
                }
            }
            waiting &= ~done;
        }
    }
    return p == w->n ? NULL : "too many passes";
}

const char *oracle_shared(const struct oracle_device *d, const struct rules_access *a,
                          const struct rules_waves *w)
{
    struct truth t;
    uint32_t n = 0, degree = 0, rounds = 0, depth;

    t.d = d;
    t.a = a;
    make_groups(&t);
    for (uint32_t k = 0; k < t.n_groups; k++) {
        n += t.group[k].passes;
        degree = t.group[k].passes > degree ? t.group[k].passes : degree;
        rounds = t.group[k].rounds > rounds ? t.group[k].rounds : rounds;
    }
    depth = worst_bank(&t, a->mask, 0, words_of(a), !is_alone(&t));
    if (w->n != n) {
        return "n";
    }
    if (w->ideal != t.n_groups * (is_locked(&t) ? 2 : 1)) {
        return "ideal";
    }
    if (w->degree != degree) {
        return "degree";
    }
    if (w->depth != depth) {
        return "depth";
    }
    if (w->rounds != rounds && a->mask != 0) {
        return "rounds";
    }
    return is_locked(&t) ? check_rounds(&t, w) : check_moves(&t, w);
}

/* ---- all choices of broadcast words ---- */

struct range {
    uint32_t fewest, most; /* 0: not known yet */
};

static struct range range_of(const struct rules_access *a, uint32_t lanes,
                             const uint32_t lane_of[SMALL],
                             struct range known[1 << SMALL])
{
    uint32_t key = 0;
    const struct oracle_device d = oracle_device(10);
    struct range *r;

    for (uint32_t k = 0; k < SMALL; k++) {
        key |= (lanes >> lane_of[k] & 1u) << k;
    }
    r = &known[key];
    if (lanes == 0 || r->most != 0) {
        return *r;
    }
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t word = same_word(a, lanes, 0, (uint32_t)__builtin_ctz(m), 4);
        struct range rest =
            range_of(a, lanes & ~served_with(&d, a, lanes, 0, word), lane_of, known);

        if (r->most == 0 || rest.fewest + 1 < r->fewest) {
            r->fewest = rest.fewest + 1;
        }
        r->most = rest.most + 1 > r->most ? rest.most + 1 : r->most;
    }
    return *r;
}

void oracle_broadcast_range(const struct rules_access *a, uint32_t *fewest,
                            uint32_t *most)
{
    struct range known[1 << SMALL];
    uint32_t lane_of[SMALL], n = 0;
    struct range r;

    memset(known, 0, sizeof(known));
    for (uint32_t m = a->mask; m != 0 && n < SMALL; m &= m - 1) {
        lane_of[n++] = (uint32_t)__builtin_ctz(m);
    }
    for (; n < SMALL; n++) {
        lane_of[n] = ISA_LANES - 1; /* not of the lower half-warp */
    }
    r = range_of(a, a->mask, lane_of, known);
    *fewest = r.fewest;
    *most = r.most;
}
