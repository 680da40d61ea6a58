/* Asynchronous copies through the L1: SPEC ASYNC-2. */
#include "mem/rules.h"

#include "base/bits.h"
#include <string.h>

enum { TAG_BANKS = 4, L1_BANKS = 32 };

/* The bank of tags in which a line is looked up: each bit of its number turns the two
 * bits of the bank by 1, 2, 3, 1, 2, 3 ... */
static uint32_t tag_bank(uint64_t line)
{
    uint32_t bank = 0;

    for (uint32_t i = 0; line >> i != 0; i++) {
        bank ^= (line >> i & 1u) != 0 ? i % 3 + 1 : 0;
    }
    return bank;
}

/* Of the lanes in mask: which turn of the tags each one's line has; returns turns. */
static uint32_t take_turns(const struct rules_copy *c, uint32_t mask,
                           uint8_t turn[ISA_LANES])
{
    uint32_t n[TAG_BANKS] = {0}, most = 1;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m), first = mask & c->some;
        uint64_t line = c->from[lane] / MEM_LINE;

        if ((c->some >> lane & 1u) == 0) {
            turn[lane] = 0; /* it reads nothing, and goes with the first */
            continue;
        }
        while (c->from[attr_lowest_bit(first)] / MEM_LINE != line) {
            first &= first - 1;
        }
        if (attr_lowest_bit(first) != lane) {
            turn[lane] = turn[attr_lowest_bit(first)];
            continue;
        }
        turn[lane] = (uint8_t)n[tag_bank(line)]++;
        most = turn[lane] + 1u > most ? turn[lane] + 1u : most;
    }
    return most;
}

struct use { /* of the banks by the lanes of one turn */
    uint8_t from[L1_BANKS], to[BANKS_MAX];
};

static uint32_t worst(const struct rules_copy *c, uint32_t lanes, uint32_t words)
{
    struct use u;
    uint32_t most = 1;

    memset(&u, 0, sizeof(u));
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        for (uint32_t i = 0; i < words; i++) {
            uint32_t to = ++u.to[(c->to[lane] / 4 + i) % c->to_banks], from = 0;

            if ((c->some >> lane & 1u) != 0) {
                from = ++u.from[(c->from[lane] / 4 + i) % L1_BANKS];
            }
            to = to > from ? to : from;
            most = to > most ? to : most;
        }
    }
    return most;
}

/* Each word of the lanes goes with the first of the n passes in which its banks are
 * free, or with the last. */
static void fill(const struct rules_copy *c, uint32_t lanes, uint32_t words, uint32_t n,
                 struct rules_waves *out)
{
    uint32_t from[RULES_MAX_WAVES];
    struct bank_set to[RULES_MAX_WAVES];
    const uint32_t first = out->n;

    memset(from, 0, n * sizeof(from[0]));
    memset(to, 0, n * sizeof(to[0]));
    memset(out->lanes[first], 0, n * sizeof(out->lanes[0]));
    memset(out->kind + first, RULES_PASS_MOVE, n);
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        for (uint32_t i = 0; i < words; i++) {
            uint32_t a = 1u << (c->from[lane] / 4 + i) % L1_BANKS;
            uint32_t b = (c->to[lane] / 4 + i) % c->to_banks, p = 0;

            while (p + 1 < n && ((from[p] & a) != 0 || bank_set_has(&to[p], b))) {
                p++;
            }
            from[p] |= (c->some >> lane & 1u) != 0 ? a : 0;
            bank_set_add(&to[p], b);
            out->lanes[first + p][i] |= 1u << lane;
        }
    }
    out->n += n;
}

void rules_copy(const struct rules_copy *c, struct rules_waves *out)
{
    const uint32_t words = c->bytes / 4, group = ISA_LANES / words;
    uint8_t turn[ISA_LANES] = {0};

    out->n = 0;
    out->ideal = 0;
    out->degree = 1;
    out->rounds = 1;
    for (uint32_t at = 0; at < ISA_LANES; at += group) {
        const uint32_t mask = c->mask & rules_lanes(at, group);
        const uint32_t turns = mask == 0 ? 0 : take_turns(c, mask, turn);

        for (uint32_t t = 0; t < turns; t++) {
            uint32_t lanes = 0, n;

            for (uint32_t m = mask; m != 0; m &= m - 1) {
                uint32_t lane = attr_lowest_bit(m);

                lanes |= (uint32_t)(turn[lane] == t) << lane;
            }
            n = worst(c, lanes, words);
            fill(c, lanes, words, n, out);
            out->ideal++;
            out->degree = n > out->degree ? n : out->degree;
        }
    }
    out->depth = out->n - out->ideal + 1;
}

uint32_t rules_copy_sectors(const struct rules_copy *c)
{
    uint64_t key[ISA_LANES];
    uint32_t n = 0;

    for (uint32_t m = c->mask & c->some; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m), i = 0;
        uint64_t sector = c->from[lane] / MEM_SECTOR;

        key[n] = sector << 32 | c->to[lane] / MEM_SECTOR << 5 |
                 ((c->to[lane] - (uint32_t)c->from[lane]) & (MEM_SECTOR - 1));
        while (key[i] != key[n]) {
            i++;
        }
        n += i == n;
    }
    return n;
}
