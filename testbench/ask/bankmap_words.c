/* bankmap_words.c - a shared access in words: the rule applied, why it conflicts, what
 * would help. What would help is tried with the rules before it is said. */
#include "ask/bankmap.h"

#include "base/bits.h"
#include <string.h>

enum { LISTED = 3 }; /* passes of a bank that are told one by one */

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static const char *group_name(uint32_t lanes)
{
    return lanes >= ISA_LANES ? "warp" : lanes == 16 ? "half-warp" : "quarter-warp";
}

void bankmap_words_free(struct bankmap_words *w)
{
    text_free(&w->headline);
    text_free(&w->rule);
    text_free(&w->why);
    text_free(&w->fix);
}

void bankmap_describe(const struct bankmap_request *r, struct text *out)
{
    static const char *const ops[] = {"load", "store", "atomic", "atomic"};

    text_add(out, "%s %s of %u byte%s per lane, %s",
             r->setup.space == BANKMAP_SHARED ? "shared" : "global", ops[r->setup.op],
             r->access.bytes, plural(r->access.bytes), r->formula);
    if (r->access.mask != UINT32_MAX) {
        char lanes[BANKMAP_LIST];

        bankmap_lanes(r->access.mask, lanes);
        text_add(out, r->access.mask == 0 ? ", no lane" : ", lanes %s", lanes);
    }
}

/* ---- the rule ---- */

static bool is_native(const struct bankmap_setup *s)
{
    return s->op >= MEM_ATOM && s->rules.atomics == RULES_ATOMICS_NATIVE;
}

static bool is_locked(const struct bankmap_setup *s)
{
    return s->op >= MEM_ATOM && !is_native(s);
}

/* Does one word per pass go to many lanes, and no more? */
static bool one_broadcast(const struct bankmap_setup *s)
{
    return s->rules.one_broadcast && s->op != MEM_STORE;
}

static void rule_of_groups(const struct bankmap_request *r,
                           const struct bankmap_plan *p, struct text *out)
{
    const struct rules_cc *rules = &r->setup.rules;

    text_add(out, "%u banks of %u bits. ", rules->banks,
             8 * (r->setup.bank_mode > rules->bank_bytes ? r->setup.bank_mode
                                                         : rules->bank_bytes));
    if (p->group_lanes >= ISA_LANES) {
        text_add(out, "The whole warp is judged at once");
    } else {
        text_add(out, "Each %s is judged alone", group_name(p->group_lanes));
    }
    if (p->by_word) {
        text_add(out, ", and each of the %u words of its lanes is a request of its own",
                 p->words);
    }
    if (p->merged) {
        text_add(out, ", twice as many lanes as usual because neighbours read the same "
                      "(BANK-8)");
    } else if (p->by_word || p->group_lanes == rules->group_lanes) {
        text_add(out, rules->one_broadcast ? " (BANK-7)" : "");
    } else {
        text_add(out, " (BANK-2)");
    }
    text_add(out, ". ");
}

static void rule_of_pass(const struct bankmap_setup *s, struct text *out)
{
    static const char *const broadcasts[] = {"that of the first lane waiting",
                                             "that most lanes wait for",
                                             "that fewest lanes wait for"};

    if (is_locked(s)) {
        text_add(out,
                 "In rounds, the lanes still waiting load and lock their words; one "
                 "lane of each word operates, stores and unlocks; the others try "
                 "again (BANK-5). ");
    }
    if (is_native(s)) {
        text_add(out, "A pass serves one lane of each bank, even if lanes share a word "
                      "(BANK-5).");
    } else if (one_broadcast(s)) {
        text_add(
            out,
            "A pass broadcasts one word, %s, and serves one lane of each other bank "
            "(BANK-7).",
            broadcasts[s->rules.broadcast]);
    } else if (s->bank_mode >= 8) {
        text_add(out,
                 "With %u-byte words, a pass serves one %u-bit word of each bank, to "
                 "any number of lanes (BANK-6).",
                 s->bank_mode, 8 * s->bank_mode);
    } else if (s->rules.bank_bytes == 8) {
        text_add(out,
                 "With 4-byte words, a pass serves from each bank words i and i + %u "
                 "of one segment of %u, to any number of lanes (BANK-6).",
                 s->rules.banks, 2 * s->rules.banks);
    } else {
        text_add(out,
                 "A pass serves one 32-bit word of each bank, %s any number of lanes "
                 "(BANK-1).",
                 s->op == MEM_LOAD ? "to" : "for");
    }
}

/* ---- why ---- */

/* Lanes that a pass serves in a bank, and the first word it moves there. */
static uint32_t lanes_at(const struct bankmap_plan *p, uint32_t pass, uint32_t bank,
                         uint32_t *word)
{
    uint32_t lanes = 0;

    for (uint32_t k = p->words; k-- > 0;) {
        for (uint32_t lane = ISA_LANES; lane-- > 0;) {
            if ((p->w.lanes[pass][k] >> lane & 1u) != 0 && p->bank[lane][k] == bank) {
                lanes |= 1u << lane;
                *word = p->word[lane][k];
            }
        }
    }
    return lanes;
}

/* "word 0 for lane 0, word 32 for lane 16 and 14 more": a bank, pass by pass. */
static void list_passes(const struct bankmap_plan *p, uint32_t bank, struct text *out)
{
    uint32_t listed = 0;

    for (uint32_t i = p->worst_first; i < p->w.n && p->first[i] == p->worst_first;
         i++) {
        uint32_t word = 0, lanes = lanes_at(p, i, bank, &word);
        char names[BANKMAP_LIST];

        if (lanes == 0) {
            continue;
        }
        if (listed == LISTED && p->ways[bank] > LISTED + 1) {
            text_add(out, " and %u more", p->ways[bank] - LISTED);
            return;
        }
        bankmap_lanes(lanes, names);
        text_add(out, "%s word %u for lane%s %s", listed == 0 ? "" : ",", word,
                 plural(bits_count(lanes)), names);
        listed++;
    }
}

static struct bank_set banks_as_bad(const struct bankmap_plan *p)
{
    struct bank_set banks = {{0}};

    for (uint32_t b = 0; b < BANKS_MAX; b++) {
        if (p->ways[b] == p->ways[p->worst_bank]) {
            bank_set_add(&banks, b);
        }
    }
    return banks;
}

/* Lanes of the most wanted word. */
static uint32_t crowd(const struct bankmap_request *r, const struct bankmap_plan *p,
                      uint32_t *word)
{
    uint32_t best = 0;

    for (uint32_t m = r->access.mask; m != 0; m &= m - 1) {
        uint32_t w = p->word[__builtin_ctz(m)][0], same = 0;

        for (uint32_t k = r->access.mask; k != 0; k &= k - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(k);

            same |= (uint32_t)(p->word[lane][0] == w) << lane;
        }
        if (bits_count(same) > bits_count(best)) {
            best = same;
            *word = w;
        }
    }
    return best;
}

static void why_rounds(const struct bankmap_request *r, const struct bankmap_plan *p,
                       struct text *out)
{
    char names[BANKMAP_LIST];
    uint32_t word = 0, lanes = crowd(r, p, &word);

    bankmap_lanes(lanes, names);
    text_add(out, "Word %u is wanted by %u lanes (%s): %u rounds.", word,
             bits_count(lanes), names, p->w.rounds);
}

static void why_conflict(const struct bankmap_request *r, const struct bankmap_plan *p,
                         struct text *out)
{
    struct bank_set banks = banks_as_bad(p);
    char names[BANKMAP_LIST];

    if (p->w.rounds > 1) {
        why_rounds(r, p, out);
        return;
    }
    if (p->ways[p->worst_bank] > 1) {
        if (bank_set_count(&banks) > 1) {
            bankmap_banks(&banks, names);
            text_add(out, "Banks %s work %u times each. ", names,
                     p->ways[p->worst_bank]);
        }
        text_add(out, "Bank %u:", p->worst_bank);
        list_passes(p, p->worst_bank, out);
        text_add(out, ".%s",
                 one_broadcast(&r->setup) && !p->distinct
                     ? " Only one word is broadcast per pass."
                     : "");
    }
    if (r->access.bytes == 16 && r->setup.rules.extra_way_128) {
        text_add(out,
                 "%sEvery %s of a 128-bit access takes one more pass, which moves "
                 "nothing (BANK-3).",
                 out->n == 0 ? "" : " ", group_name(r->setup.rules.group_lanes_128));
    }
}

static void why_none(const struct bankmap_request *r, const struct bankmap_plan *p,
                     struct text *out)
{
    uint32_t word = 0, lanes = crowd(r, p, &word);

    if (r->access.mask == 0) {
        text_add(out, "No lane is active.");
        return;
    }
    if (p->distinct) {
        text_add(out,
                 "Every bank works at most once%s, though some hold several of the "
                 "words: they share a row.",
                 p->w.ideal > 1 ? " for each request" : "");
        return;
    }
    text_add(out, "No bank has to serve more than one word%s.",
             p->w.ideal > 1 ? " of a request" : "");
    if (bits_count(lanes) > 1) {
        char names[BANKMAP_LIST];

        bankmap_lanes(lanes, names);
        text_add(out, " Lanes that want one word share it: word %u goes %s lanes %s.",
                 word, r->setup.op == MEM_LOAD ? "to" : "with", names);
    }
}

/* ---- what would help ---- */

struct fix {
    uint32_t n; /* wavefronts */
    struct text text;
};

static uint32_t waves_of(const struct bankmap_setup *s, const struct bankmap_access *a)
{
    struct rules_waves w;

    bankmap_shared(s, a, &w);
    return w.n;
}

/* Keep the better one; of equals the one that came first. */
static void offer(struct fix *best, uint32_t n, const char *text)
{
    if (n < best->n) {
        best->n = n;
        text_free(&best->text);
        text_add(&best->text, "%s", text);
    }
}

static void try_strides(const struct bankmap_request *r, struct fix *best)
{
    for (uint64_t s = r->stride + 1; s <= r->stride + 4; s++) {
        struct bankmap_access a = r->access;
        char text[160];

        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            a.addr[lane] = lane * s * a.bytes;
        }
        snprintf(text, sizeof(text),
                 "a stride of %llu (pad every row of %llu elements by %llu)",
                 (unsigned long long)s, (unsigned long long)r->stride,
                 (unsigned long long)(s - r->stride));
        offer(best, waves_of(&r->setup, &a), text);
    }
}

/* One element, at least a word, left out after every row of the banks. */
static void try_padding(const struct bankmap_request *r, struct fix *best)
{
    struct bankmap_access a = r->access;
    uint32_t row = 4 * r->setup.rules.banks;
    uint32_t pad = a.bytes < 4 ? 4 : a.bytes;
    char text[160];

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a.addr[lane] += a.addr[lane] / row * pad;
    }
    if (pad == a.bytes) {
        snprintf(text, sizeof(text),
                 "element i at i + i / %u (one element unused after every %u)",
                 row / a.bytes, row / a.bytes);
    } else {
        snprintf(text, sizeof(text),
                 "element i at i + %u * (i / %u) (4 bytes unused after every %u)",
                 pad / a.bytes, row / a.bytes, row);
    }
    offer(best, waves_of(&r->setup, &a), text);
}

static void try_bank_mode(const struct bankmap_request *r, struct fix *best)
{
    struct bankmap_setup s = r->setup;

    if (s.rules.bank_bytes != 8 || s.bank_mode > 8) {
        return;
    }
    s.bank_mode = 12 - s.bank_mode;
    offer(best, waves_of(&s, &r->access),
          s.bank_mode == 8 ? "8-byte bank words (--bank-mode 8)"
                           : "4-byte bank words (--bank-mode 4)");
}

/* 1.x: words of a wide access apart, in arrays of their own. */
static void try_arrays(const struct bankmap_request *r, uint32_t words,
                       struct fix *best)
{
    struct bankmap_access a = r->access;
    char text[160];

    if (!r->setup.rules.split_words || words == 1) {
        return;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a.addr[lane] = a.addr[lane] / words;
    }
    a.bytes = 4;
    snprintf(text, sizeof(text), "%u arrays of 32-bit words, one for each part", words);
    offer(best, words * waves_of(&r->setup, &a), text);
}

static void find_fix(const struct bankmap_request *r, const struct bankmap_plan *p,
                     struct text *out)
{
    struct fix best = {.n = p->w.n};

    if (r->source == BANKMAP_STRIDE && r->stride > 0) {
        try_strides(r, &best);
    }
    try_padding(r, &best);
    try_arrays(r, p->words, &best);
    try_bank_mode(r, &best);
    if (best.text.n != 0) {
        text_add(out, "With %s: %u wavefront%s.", best.text.s, best.n, plural(best.n));
    } else if (r->setup.op >= MEM_ATOM) {
        uint32_t word = 0;

        if (bits_count(crowd(r, p, &word)) > 1) {
            text_add(out,
                     "Combine within the warp first, then let one lane of each word "
                     "do the atomic; or give lanes words of their own.");
        }
    }
    text_free(&best.text);
}

void bankmap_words_shared(const struct bankmap_request *r, const struct bankmap_plan *p,
                          struct bankmap_words *out)
{
    const struct rules_waves *w = &p->w;

    memset(out, 0, sizeof(*out));
    rule_of_groups(r, p, &out->rule);
    rule_of_pass(&r->setup, &out->rule);
    if (w->n == w->ideal) {
        text_add(&out->headline, "no conflict: %u wavefront%s", w->n, plural(w->n));
        why_none(r, p, &out->why);
        return;
    }
    text_add(&out->headline, "%u-way conflict: %u wavefronts where %u would be ideal",
             w->degree, w->n, w->ideal);
    why_conflict(r, p, &out->why);
    find_fix(r, p, &out->fix);
}
