/* bankmap_lines.c - a global access in words: the rule applied, what is moved in vain,
 * what would help. */
#include "ask/bankmap.h"

#include "base/bits.h"
#include <string.h>

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

uint32_t bankmap_moves(const struct bankmap_setup *s, const struct rules_lines *l,
                       uint32_t i)
{
    bool whole = s->rules.coalescing == RULES_LINES && l->moved == MEM_LINE * l->n;

    return whole ? 0xfu : l->line[i].sectors;
}

uint32_t bankmap_touched(const struct rules_line *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < 2; i++) {
        n += bits_count((uint32_t)l->bytes[i]) +
             bits_count((uint32_t)(l->bytes[i] >> 32));
    }
    return n;
}

uint32_t bankmap_word_touched(const struct rules_line *l, uint32_t w)
{
    uint32_t bytes = (uint32_t)(l->bytes[w / 16] >> (4 * (w % 16))) & 0xfu;

    return bytes == 0 ? 0 : bytes == 0xf ? 2 : 1;
}

static void rule(const struct bankmap_request *r, struct text *out)
{
    const struct rules_cc *c = &r->setup.rules;
    uint32_t bytes = r->access.bytes;
    uint32_t lanes = bytes <= 4   ? c->coalesce_lanes
                     : bytes == 8 ? c->coalesce_lanes_64
                                  : c->coalesce_lanes_128;
    bool whole = r->setup.in_l1 && r->setup.op == MEM_LOAD && c->l1_fills_lines;

    text_add(out, "%s is a request (COAL-1). ",
             lanes >= ISA_LANES ? "The whole warp"
             : lanes == 16      ? "Each half-warp"
                                : "Each quarter-warp");
    switch (c->coalescing) {
    case RULES_STRICT:
        text_add(out, "It coalesces if lane k touches word k of an aligned segment and "
                      "words have 4, 8 or 16 bytes; else every lane moves 32 bytes of "
                      "its own (COAL-5).");
        break;
    case RULES_SEGMENTS:
        text_add(
            out,
            "The aligned segment of %u bytes around the first lane waiting serves "
            "all lanes in it, and shrinks while only one half is touched (COAL-6).",
            bytes == 1   ? 32u
            : bytes == 2 ? 64u
                         : 128u);
        break;
    case RULES_LINES:
        text_add(out, whole ? "The L1 takes whole lines of 128 bytes (COAL-3)."
                            : "Sectors of 32 bytes that are touched move, line by line "
                              "(COAL-2, COAL-3).");
        break;
    }
}

/* Distinct bytes that lanes want. A byte wanted in two transactions counts twice; none
 * moves more than it is worth. */
static uint32_t wanted(const struct rules_lines *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->n; i++) {
        n += bankmap_touched(&l->line[i]);
    }
    return n;
}

static uint64_t lowest(const struct bankmap_access *a)
{
    uint64_t low = UINT64_MAX;

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint64_t addr = a->addr[__builtin_ctz(m)];

        low = addr < low ? addr : low;
    }
    return low;
}

static void why(const struct bankmap_request *r, const struct rules_lines *l,
                struct text *out)
{
    uint32_t used = wanted(l);
    uint64_t low = lowest(&r->access);

    if (used >= l->moved) {
        text_add(out, "Every byte that moves is wanted.");
        return;
    }
    text_add(out, "%u of the %u bytes that move are wanted by no lane", l->moved - used,
             l->moved);
    if (low % MEM_LINE != 0) {
        text_add(out, "; the first byte wanted, %llu, is no multiple of 128",
                 (unsigned long long)low);
    }
    text_add(out, ".");
}

/* ---- what would help ---- */

static uint32_t moved_by(const struct bankmap_setup *s, const struct bankmap_access *a)
{
    struct rules_lines l;

    bankmap_global(s, a, &l);
    return l.moved;
}

static void find_fix(const struct bankmap_request *r, const struct rules_lines *l,
                     struct text *out)
{
    struct bankmap_access shifted = r->access, packed = r->access;
    uint64_t low = lowest(&r->access);
    uint32_t after_shift, after_pack, active = 0;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        shifted.addr[lane] -= low;
        packed.addr[lane] = (uint64_t)lane * packed.bytes;
        active += r->access.mask >> lane & 1u;
    }
    after_shift = moved_by(&r->setup, &shifted);
    after_pack = moved_by(&r->setup, &packed);
    if (after_shift < l->moved && low % MEM_LINE != 0) {
        text_add(out, "Starting at a multiple of 128 bytes: %u bytes move.",
                 after_shift);
    } else if (after_pack < l->moved && wanted(l) >= active * packed.bytes) {
        text_add(out,
                 "With lane i on element i (another layout, or a detour through shared "
                 "memory): %u bytes move.",
                 after_pack);
    }
}

void bankmap_words_global(const struct bankmap_request *r, const struct rules_lines *l,
                          struct bankmap_words *out)
{
    char transactions[48];
    uint32_t n = l->transactions[0] + l->transactions[1] + l->transactions[2];

    memset(out, 0, sizeof(*out));
    rule(r, &out->rule);
    if (r->access.mask == 0) {
        text_add(&out->headline, "no transaction");
        text_add(&out->why, "No lane is active.");
        return;
    }
    bankmap_transactions(l, transactions);
    text_add(
        &out->headline,
        "%u request%s, %u transaction%s (%s): %u bytes move, %u are wanted (%u %%)",
        l->requests, plural(l->requests), n, plural(n), transactions, l->moved,
        wanted(l), 100 * wanted(l) / l->moved);
    why(r, l, &out->why);
    find_fix(r, l, &out->fix);
}
