#include "mem/rules.h"

#include "base/attr.h"

#include <string.h>

static uint32_t coalesce_lanes(const struct rules_cc *r, uint32_t bytes)
{
    return bytes <= 4   ? r->coalesce_lanes
           : bytes == 8 ? r->coalesce_lanes_64
                        : r->coalesce_lanes_128;
}

/* ---- building what travels ---- */

static struct rules_line *new_line(struct rules_lines *out, uint64_t base)
{
    struct rules_line *l = &out->line[out->n++];

    memset(l, 0, sizeof(*l));
    l->addr = base;
    return l;
}

/* The lane's bytes belong to this line. Returns the sectors it touches. */
static uint32_t join(struct rules_line *l, uint64_t addr, uint32_t lane, uint32_t bytes)
{
    uint32_t offset = (uint32_t)(addr - l->addr);
    uint32_t last = (offset + bytes - 1) / MEM_SECTOR;

    l->lanes |= 1u << lane;
    mem_byte_set(l->bytes, offset, bytes);
    return ((1u << (last + 1)) - 1) & ~((1u << offset / MEM_SECTOR) - 1);
}

static uint64_t line_of(uint64_t addr)
{
    return addr & ~(uint64_t)(MEM_LINE - 1);
}

/* One transaction of 32, 64 or 128 bytes. */
static void count_transaction(struct rules_lines *out, uint32_t bytes)
{
    out->transactions[bytes == 128 ? 2 : bytes == 64 ? 1 : 0]++;
    out->moved += bytes;
}

/* The sectors of an aligned segment of 32, 64 or 128 bytes. */
static uint32_t segment_sectors(uint64_t addr, uint32_t size)
{
    uint32_t first = (uint32_t)(addr % MEM_LINE) / MEM_SECTOR;

    return ((1u << size / MEM_SECTOR) - 1) << first;
}

/* Distinct sectors and lines that lanes of a request touch, whatever moves them. */
static void count_touched(struct rules_lines *out, uint32_t bytes, uint32_t mask,
                          const uint64_t addr[ISA_LANES])
{
    uint64_t line[ISA_LANES];
    uint32_t sectors[ISA_LANES], n = 0;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct rules_line l = {.addr = line_of(addr[lane])};
        uint32_t touched = join(&l, addr[lane], lane, bytes);
        uint32_t i = 0;

        while (i < n && line[i] != l.addr) {
            i++;
        }
        if (i == n) {
            line[n] = l.addr;
            sectors[n++] = 0;
        }
        sectors[i] |= touched;
    }
    out->lines += n;
    for (uint32_t i = 0; i < n; i++) {
        out->sectors += mem_sector_count(sectors[i]);
    }
}

/* ---- 2.0 and later: lines ---- */

/* Do all lanes of the warp access words side by side? */
static bool are_words_in_order(const struct rules_access *a)
{
    const uint64_t base = a->addr[0];
    uint64_t differs = 0;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        differs |= a->addr[lane] - (base + 4ull * lane);
    }
    return differs == 0;
}

/* The bytes of the line at base that lanes of mask want. False: some want others. */
static bool bytes_of_line(const struct rules_access *a, uint32_t mask, uint64_t base,
                          uint64_t bytes[2])
{
    uint64_t ones = (1ull << a->bytes) - 1; /* 16 at most, and aligned: in one half */

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint64_t offset = a->addr[__builtin_ctz(m)] - base;

        if (offset >= MEM_LINE) {
            return false;
        }
        bytes[offset / 64] |= ones << offset % 64;
    }
    return true;
}

/* The common case, one line for all lanes: false if there are more. */
static bool split_into_one(const struct rules_access *a, uint32_t mask,
                           struct rules_lines *out)
{
    const uint64_t first = a->addr[attr_lowest_bit(mask)], base = line_of(first);
    uint64_t bytes[2] = {0, 0};
    struct rules_line *l = &out->line[out->n];

    if (mask == UINT32_MAX && a->bytes == 4 && first == base && are_words_in_order(a)) {
        bytes[0] = bytes[1] = UINT64_MAX;
        out->straight = true;
    } else if (!bytes_of_line(a, mask, base, bytes)) {
        return false;
    }
    l->addr = base;
    l->lanes = mask;
    l->sectors = ((uint32_t)bytes[0] != 0 ? 1u : 0) | (bytes[0] >> 32 != 0 ? 2u : 0) |
                 ((uint32_t)bytes[1] != 0 ? 4u : 0) | (bytes[1] >> 32 != 0 ? 8u : 0);
    l->bytes[0] = bytes[0];
    l->bytes[1] = bytes[1];
    out->n++;
    return true;
}

static void split_into_lines(const struct rules_access *a, uint32_t mask,
                             struct rules_lines *out)
{
    uint32_t from = out->n;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t base = line_of(a->addr[lane]);
        uint32_t i = out->n; /* lanes mostly stay in the last line */
        struct rules_line *l;

        while (i > from && out->line[i - 1].addr != base) {
            i--;
        }
        l = i > from ? &out->line[i - 1] : new_line(out, base);
        l->sectors |= join(l, a->addr[lane], lane, a->bytes);
    }
}

/* The lanes of a line whose words no lower lane of them wants. */
static uint32_t first_of_words(const struct rules_access *a, uint32_t lanes)
{
    uint32_t first = 0;
    uint64_t words[MEM_LINE / 64] = {0, 0};

    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t offset = (uint32_t)(a->addr[lane] % MEM_LINE);

        if ((words[offset / 64] >> offset % 64 & 1) == 0) {
            first |= 1u << lane;
            words[offset / 64] |= 1ull << offset % 64;
        }
    }
    return first;
}

/* Of each line as many as it takes for none to have two lanes of one word. */
static void split_turns(const struct rules_access *a, struct rules_lines *out,
                        uint32_t from)
{
    for (uint32_t i = from; i < out->n; i++) { /* it grows */
        struct rules_line *l = &out->line[i];
        uint32_t rest = l->lanes & ~first_of_words(a, l->lanes);
        struct rules_line *next;

        if (rest == 0) {
            continue;
        }
        next = new_line(out, l->addr);
        for (uint32_t m = rest; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            next->sectors |= join(next, a->addr[lane], lane, a->bytes);
        }
        l->lanes &= ~rest; /* its bytes and sectors are those of the first lanes */
    }
}

static void split_lines(const struct rules_access *a, uint32_t mask, bool whole,
                        bool by_turns, struct rules_lines *out)
{
    uint32_t from = out->n;

    if (!split_into_one(a, mask, out)) {
        split_into_lines(a, mask, out);
    }
    out->lines += out->n - from;
    for (uint32_t i = from; i < out->n; i++) {
        out->sectors += mem_sector_count(out->line[i].sectors);
    }
    if (by_turns) {
        split_turns(a, out, from);
    }
    for (uint32_t i = from; i < out->n; i++) {
        uint32_t n = mem_sector_count(out->line[i].sectors);

        out->transactions[whole ? 2 : 0] += whole ? 1 : n;
        out->moved += whole ? MEM_LINE : n * MEM_SECTOR;
    }
}

/* ---- 1.0, 1.1: in lane order, or every lane alone ---- */

static bool in_order(const struct rules_access *a, uint32_t first, uint32_t part,
                     uint64_t *base)
{
    uint32_t lane = (uint32_t)__builtin_ctz(part);

    if (a->bytes < 4) {
        return false;
    }
    *base = a->addr[lane] - (uint64_t)(lane - first) * a->bytes;
    if (*base % (16u * a->bytes > MEM_LINE ? MEM_LINE : 16u * a->bytes) != 0) {
        return false;
    }
    for (uint32_t m = part; m != 0; m &= m - 1) {
        lane = (uint32_t)__builtin_ctz(m);
        if (a->addr[lane] != *base + (uint64_t)(lane - first) * a->bytes) {
            return false;
        }
    }
    return true;
}

static void split_strict(const struct rules_access *a, uint32_t first, uint32_t part,
                         struct rules_lines *out)
{
    uint64_t base;

    if (in_order(a, first, part, &base)) {
        uint32_t size = a->bytes == 4 ? 64 : 128;

        for (uint32_t k = 0; k < 16u * a->bytes / size; k++) {
            uint32_t lanes = 16 / (16u * a->bytes / size);
            uint32_t served = part & rules_lanes(first + k * lanes, lanes);
            struct rules_line *l = new_line(out, line_of(base + (uint64_t)k * size));

            l->sectors = segment_sectors(base + (uint64_t)k * size, size);
            for (uint32_t m = served; m != 0; m &= m - 1) {
                uint32_t lane = (uint32_t)__builtin_ctz(m);

                (void)join(l, a->addr[lane], lane, a->bytes);
            }
            count_transaction(out, size);
        }
        return;
    }
    for (; part != 0; part &= part - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(part);
        struct rules_line *l = new_line(out, line_of(a->addr[lane]));

        l->sectors = join(l, a->addr[lane], lane, a->bytes);
        count_transaction(out, MEM_SECTOR);
    }
}

/* ---- 1.2, 1.3: segments ---- */

static void split_segments(const struct rules_access *a, uint32_t part,
                           struct rules_lines *out)
{
    uint32_t start = a->bytes == 1 ? 32 : a->bytes == 2 ? 64 : 128;

    while (part != 0) {
        uint64_t lowest = a->addr[__builtin_ctz(part)];
        uint64_t at = lowest & ~(uint64_t)(start - 1);
        struct rules_line *l = new_line(out, line_of(at));
        uint32_t size = start, touched = 0;

        for (uint32_t m = part; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            if ((a->addr[lane] & ~(uint64_t)(start - 1)) == at) {
                touched |= join(l, a->addr[lane], lane, a->bytes);
            }
        }
        part &= ~l->lanes;
        while (size > MEM_SECTOR) { /* shrink to the half that is touched */
            uint32_t lower = segment_sectors(at, size / 2);
            uint32_t upper = segment_sectors(at + size / 2, size / 2);

            if ((touched & lower) != 0 && (touched & upper) != 0) {
                break;
            }
            at += (touched & lower) == 0 ? size / 2 : 0;
            size /= 2;
        }
        l->sectors = segment_sectors(at, size);
        count_transaction(out, size);
    }
}

/* ---- the rule ---- */

static void clear(struct rules_lines *out)
{
    out->n = 0;
    out->requests = 0;
    out->sectors = 0;
    out->lines = 0;
    memset(out->transactions, 0, sizeof(out->transactions));
    out->moved = 0;
    out->straight = false;
}

void rules_global(const struct rules_cc *r, const struct rules_access *a,
                  struct rules_lines *out)
{
    uint32_t lanes = coalesce_lanes(r, a->bytes);
    bool whole = a->in_l1 && a->op == MEM_LOAD && r->l1_fills_lines;
    bool by_turns = r->atoms_by_turns && a->op >= MEM_ATOM && !a->counts;

    clear(out);
    for (uint32_t first = 0; first < ISA_LANES; first += lanes) {
        uint32_t part = a->mask & rules_lanes(first, lanes);

        if (part == 0) {
            continue;
        }
        out->requests++;
        switch (r->coalescing) {
        case RULES_LINES: split_lines(a, part, whole, by_turns, out); break;
        case RULES_STRICT:
            count_touched(out, a->bytes, part, a->addr);
            split_strict(a, first, part, out);
            break;
        case RULES_SEGMENTS:
            count_touched(out, a->bytes, part, a->addr);
            split_segments(a, part, out);
            break;
        }
    }
}

void rules_local(const struct rules_access *a, struct rules_lines *out)
{
    clear(out);
    if (a->mask != 0) {
        out->requests = 1;
        split_lines(a, a->mask, false, false, out);
    }
}

uint32_t rules_const_addrs(const struct rules_cc *r, const struct rules_access *a,
                           uint64_t addr[ISA_LANES])
{
    uint32_t n = 0;

    for (uint32_t first = 0; first < ISA_LANES; first += r->const_lanes) {
        uint32_t from = n;

        for (uint32_t m = a->mask & rules_lanes(first, r->const_lanes); m != 0;
             m &= m - 1) {
            uint64_t at = a->addr[__builtin_ctz(m)];
            uint32_t i = from;

            while (i < n && addr[i] != at) {
                i++;
            }
            if (i == n) {
                addr[n++] = at;
            }
        }
    }
    return n;
}

/* Bit w: some of bytes 4w to 4w + 3 are wanted. */
static uint32_t words_of(uint64_t bytes)
{
    bytes |= bytes >> 1;
    bytes = (bytes | bytes >> 2) & 0x1111111111111111ull;
    bytes = (bytes | bytes >> 3) & 0x0303030303030303ull;
    bytes = (bytes | bytes >> 6) & 0x000f000f000f000full;
    bytes = (bytes | bytes >> 12) & 0x000000ff000000ffull;
    return (uint32_t)((bytes | bytes >> 24) & 0xffff);
}

/* How many lines want each word is counted for all words at once: bit w of plane k is
 * bit k of the number of word w. */
uint32_t rules_wavefronts(const struct rules_lines *lines)
{
    enum { PLANES = 7 }; /* 2 * ISA_LANES lines at most */
    uint32_t plane[PLANES] = {0}, most = 0, words = UINT32_MAX;

    for (uint32_t i = 0; i < lines->n; i++) {
        const uint64_t *const bytes = lines->line[i].bytes;
        uint32_t carry = words_of(bytes[0]) | words_of(bytes[1]) << 16;

        for (uint32_t k = 0; carry != 0; k++) {
            const uint32_t sum = plane[k] ^ carry;

            carry &= plane[k];
            plane[k] = sum;
        }
    }
    for (uint32_t k = PLANES; k > 0; k--) {
        if ((words & plane[k - 1]) != 0) {
            words &= plane[k - 1];
            most |= 1u << (k - 1);
        }
    }
    return most != 0 ? most : 1;
}

uint32_t rules_texture_cycles(const struct rules_cc *r, uint32_t texel, uint32_t taps,
                              bool linear, uint32_t mask)
{
    const uint32_t wide = texel <= 8 ? 1 : taps > 1 ? 4 : 2;
    const uint32_t halves = (linear ? 1 : 2) * wide * (taps > 4 ? 2 : 1);
    uint32_t quads = 0;

    for (uint32_t first = 0; first < ISA_LANES; first += 4) {
        quads += (mask & rules_lanes(first, 4)) != 0;
    }
    return (4 * quads * halves + 2 * r->tex_lanes - 1) / (2 * r->tex_lanes);
}
