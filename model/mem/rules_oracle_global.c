/* Global, local and constant memory by brute force. The facts: PG4.2 F.3.2 (1.x), F.4.2
 * (2.x, 3.x), 5.3.2 (constants); from 5.0 on as counted on an H100. */
#include "mem/rules_oracle.h"

#include <string.h>

struct tally {
    struct rules_lines l;
    bool met[2 * ISA_LANES]; /* found in the answer */
};

static uint32_t lanes_from(uint32_t first, uint32_t n)
{
    return n == 32 ? UINT32_MAX : ((1u << n) - 1) << first;
}

static uint32_t count(uint32_t m)
{
    return (uint32_t)__builtin_popcount(m);
}

/* What these lanes touch. */
static void add_bytes(const struct rules_access *a, uint32_t lanes,
                      struct rules_line *l)
{
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint64_t first = a->addr[__builtin_ctz(m)] % 128;

        for (uint64_t at = first; at < first + a->bytes; at++) {
            l->bytes[at / 64] |= 1ull << at % 64;
        }
    }
}

/* A transaction of 32, 64 or 128 bytes that serves these lanes. */
static void transact(struct tally *y, const struct rules_access *a, uint64_t at,
                     uint32_t size, uint32_t lanes)
{
    struct rules_line *l = &y->l.line[y->l.n++];

    l->addr = at - at % 128;
    l->lanes = lanes;
    l->sectors = ((1u << size / 32) - 1) << at % 128 / 32;
    l->bytes[0] = l->bytes[1] = 0;
    add_bytes(a, lanes, l);
    y->l.transactions[size / 64]++;
    y->l.moved += size;
}

/* Pieces of this many bytes that the lanes touch: none crosses one. */
static uint32_t pieces(const struct rules_access *a, uint32_t lanes, uint32_t bytes)
{
    uint32_t n = 0;

    for (; lanes != 0; n++) {
        uint64_t piece = a->addr[__builtin_ctz(lanes)] / bytes;

        for (uint32_t m = lanes; m != 0; m &= m - 1) {
            lanes &= a->addr[__builtin_ctz(m)] / bytes == piece ? ~(m & (~m + 1)) : ~0u;
        }
    }
    return n;
}

static void count_request(struct tally *y, const struct rules_access *a, uint32_t lanes)
{
    y->l.requests += lanes != 0;
    y->l.sectors += pieces(a, lanes, 32);
    y->l.lines += pieces(a, lanes, 128);
}

/* ---- 1.0 and 1.1 ---- */

/* Does lane k touch word k of a segment that begins where segments do? */
static bool in_order(const struct rules_access *a, uint32_t first, uint32_t lanes,
                     uint64_t *base)
{
    bool known = false;

    if (a->bytes < 4) {
        return false;
    }
    for (uint32_t k = 0; k < 16; k++) {
        uint64_t ahead = (uint64_t)k * a->bytes;

        if ((lanes >> (first + k) & 1u) == 0) {
            continue;
        }
        if (a->addr[first + k] < ahead ||
            (known && a->addr[first + k] - ahead != *base)) {
            return false;
        }
        *base = a->addr[first + k] - ahead;
        known = true;
    }
    return *base % (a->bytes == 4 ? 64 : 128) == 0;
}

static void strict_half(struct tally *y, const struct rules_access *a, uint32_t first,
                        uint32_t lanes)
{
    uint64_t base = 0;

    if (!in_order(a, first, lanes, &base)) {
        for (uint32_t lane = first; lane < first + 16; lane++) {
            if ((lanes >> lane & 1u) != 0) {
                transact(y, a, a->addr[lane] / 32 * 32, 32, 1u << lane);
            }
        }
    } else if (a->bytes == 16) {
        transact(y, a, base, 128, lanes & lanes_from(first, 8));
        transact(y, a, base + 128, 128, lanes & lanes_from(first + 8, 8));
    } else {
        transact(y, a, base, a->bytes * 16, lanes);
    }
}

/* ---- 1.2 and 1.3 ---- */

static void segments_half(struct tally *y, const struct rules_access *a, uint32_t left)
{
    uint32_t whole = a->bytes == 1 ? 32 : a->bytes == 2 ? 64 : 128;

    while (left != 0) {
        uint64_t seg = a->addr[__builtin_ctz(left)] / whole * whole;
        uint64_t lowest = UINT64_MAX, highest = 0;
        uint32_t lanes = 0, size = whole;

        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            uint64_t at = a->addr[lane];

            if ((left >> lane & 1u) == 0 || at < seg || at >= seg + whole) {
                continue;
            }
            lanes |= 1u << lane;
            lowest = at < lowest ? at : lowest;
            highest = at + a->bytes - 1 > highest ? at + a->bytes - 1 : highest;
        }
        while (size > 32 && (highest < seg + size / 2 || lowest >= seg + size / 2)) {
            size /= 2;
            seg += lowest >= seg + size ? size : 0;
        }
        transact(y, a, seg, size, lanes);
        left &= ~lanes;
    }
}

/* ---- 2.0 and later ---- */

/* Whether one of these lanes has the address of `lane`. */
static bool has_word(const struct rules_access *a, uint32_t lanes, uint32_t lane)
{
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        if (a->addr[__builtin_ctz(m)] == a->addr[lane]) {
            return true;
        }
    }
    return false;
}

/* apart: no request has two lanes of one word. */
static void lines_group(struct tally *y, const struct rules_access *a, uint32_t left,
                        bool whole_lines, bool apart)
{
    while (left != 0) {
        uint64_t line = a->addr[__builtin_ctz(left)] / 128;
        struct rules_line *l = &y->l.line[y->l.n++];

        l->addr = line * 128;
        l->lanes = l->sectors = 0;
        l->bytes[0] = l->bytes[1] = 0;
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            if ((left >> lane & 1u) != 0 && a->addr[lane] / 128 == line &&
                !(apart && has_word(a, l->lanes, lane))) {
                l->lanes |= 1u << lane;
                l->sectors |= 1u << a->addr[lane] % 128 / 32;
            }
        }
        add_bytes(a, l->lanes, l);
        if (whole_lines) { /* what is fetched: the L1 still hears what is wanted */
            y->l.transactions[2]++;
            y->l.moved += 128;
        } else {
            y->l.transactions[0] += count(l->sectors);
            y->l.moved += count(l->sectors) * 32;
        }
        left &= ~l->lanes;
    }
}

static uint32_t request_lanes(uint32_t cc, uint32_t bytes)
{
    if (cc < 20) {
        return 16;
    }
    if (cc >= 50 || bytes <= 4) {
        return 32;
    }
    return bytes == 8 ? 16 : 8;
}

/* ---- the answer ---- */

static bool is_same_line(const struct rules_line *x, const struct rules_line *y)
{
    return x->addr == y->addr && x->lanes == y->lanes && x->sectors == y->sectors &&
           x->bytes[0] == y->bytes[0] && x->bytes[1] == y->bytes[1];
}

static const char *compare(struct tally *y, const struct rules_lines *l)
{
    if (l->n != y->l.n) {
        return "n";
    }
    if (l->requests != y->l.requests) {
        return "requests";
    }
    if (l->sectors != y->l.sectors || l->lines != y->l.lines) {
        return "sectors or lines";
    }
    if (memcmp(l->transactions, y->l.transactions, sizeof(l->transactions)) != 0) {
        return "transactions";
    }
    if (l->moved != y->l.moved) {
        return "moved";
    }
    memset(y->met, 0, sizeof(y->met));
    for (uint32_t i = 0; i < l->n; i++) { /* in any order */
        uint32_t k = i, tries = 0;

        while (tries < l->n &&
               (y->met[k] || !is_same_line(&l->line[i], &y->l.line[k]))) {
            k = (k + 1) % l->n;
            tries++;
        }
        if (tries == l->n) {
            return "a line";
        }
        y->met[k] = true;
    }
    return NULL;
}

static void clear(struct tally *y)
{
    y->l.n = y->l.requests = y->l.sectors = y->l.lines = y->l.moved = 0;
    memset(y->l.transactions, 0, sizeof(y->l.transactions));
}

const char *oracle_global(uint32_t cc, const struct rules_access *a,
                          const struct rules_lines *l)
{
    uint32_t n = request_lanes(cc, a->bytes);
    struct tally y;

    clear(&y);
    for (uint32_t first = 0; first < ISA_LANES; first += n) {
        uint32_t lanes = a->mask & lanes_from(first, n);

        count_request(&y, a, lanes);
        if (lanes == 0) {
            continue;
        }
        if (cc < 12) {
            strict_half(&y, a, first, lanes);
        } else if (cc < 20) {
            segments_half(&y, a, lanes);
        } else { /* an L1 before 5.0 fetches lines */
            lines_group(&y, a, lanes, a->in_l1 && cc < 50,
                        cc >= 70 && a->op >= MEM_ATOM && !a->counts);
        }
    }
    return compare(&y, l);
}

const char *oracle_local(const struct rules_access *a, const struct rules_lines *l)
{
    struct tally y;

    clear(&y);
    count_request(&y, a, a->mask);
    lines_group(&y, a, a->mask, false, false);
    return compare(&y, l);
}

const char *oracle_const(uint32_t cc, const struct rules_access *a, uint32_t requests)
{
    uint32_t n = cc < 20 ? 16 : 32, expected = 0;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        bool first = (a->mask >> lane & 1u) != 0;

        for (uint32_t k = lane / n * n; k < lane; k++) {
            first &= (a->mask >> k & 1u) == 0 || a->addr[k] != a->addr[lane];
        }
        expected += first;
    }
    return requests == expected ? NULL : "requests";
}
