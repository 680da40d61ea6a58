#include "mem/rules.h"

#include "base/bits.h"
#include <string.h>

/* Sources: PG4.2 = CUDA C Programming Guide 4.2, appendix F and section 4.2; RTAPI5.5 =
 * CUDA runtime API 5.5 (error numbers); OCC = the CUDA occupancy calculator. */
static const struct rules_cc rules_table[] = {
    {
        .cc = 20,
        .max_grid = {65535, 65535, 65535}, /* PG4.2 F-2 */
        .max_block = {1024, 1024, 64},
        .max_threads = 1024,
        .max_param_bytes = 4096,
        .max_shared_per_block = 49152,
        .max_regs_per_thread = 63,
        .max_local_bytes = 524288,
        .max_grids = 16,
        .launch_error_config = 9, /* RTAPI5.5 */
        .launch_error_resources = 7,
        .max_blocks = 8,
        .max_warps = 48,
        .regs = 32768,
        .reg_unit = 64,
        .doubled_reg_unit = 1ull << 21 | 1ull << 22 | 1ull << 29 | 1ull << 30 |
                            1ull << 37 | 1ull << 38 | 1ull << 45 | 1ull << 46, /* OCC */
        .warp_granularity = 2,                                                 /* OCC */
        .shared_unit = 128,                                                    /* OCC */
        .onchip_kb = 64,
        .split = {{48, 16}, {16, 48}}, /* PG4.2 F.4.1 */
        .banks = 32,                   /* PG4.2 F.4.3 */
        .group_lanes_64 = 16,
        .group_lanes_128 = 8,
        .wide128_extra_way = true,
        .coalesce_lanes_64 = 16, /* PG4.2 F.4.2 */
        .coalesce_lanes_128 = 8,
        .l1_caches_global = true,
        .store_drops_line = true, /* PTX 3.2, cache operators */
    },
};

const struct rules_cc *rules_entry(uint32_t i)
{
    return i < ARRAY_LEN(rules_table) ? &rules_table[i] : NULL;
}

const struct rules_cc *rules_find(uint32_t cc)
{
    for (uint32_t i = 0; i < ARRAY_LEN(rules_table); i++) {
        if (rules_table[i].cc == cc) {
            return &rules_table[i];
        }
    }
    return NULL;
}

/* ---- shared memory ---- */

/* Distinct words met so far, by bank, in the order of the lanes that touched them. */
struct bank_words {
    uint8_t n[32];
    uint32_t word[32][PTX_LANES];
};

/* The pass in which word w is served: its place among the distinct words of its bank. */
static uint32_t rank_of_word(struct bank_words *b, uint32_t banks, uint32_t w)
{
    uint32_t bank = w & (banks - 1);
    uint32_t i = 0;

    while (i < b->n[bank] && b->word[bank][i] != w) {
        i++;
    }
    if (i == b->n[bank]) {
        b->word[bank][b->n[bank]++] = w;
    }
    return i;
}

/* Atomics: every lane takes its bank for a pass of its own, same word included. */
static uint32_t rank_of_lane(struct bank_words *b, uint32_t banks, uint32_t w)
{
    return b->n[w & (banks - 1)]++;
}

/* One group of lanes judged together; passes are appended to *out. */
static void split_group(const struct rules_cc *r, uint32_t op, uint32_t words,
                        uint32_t mask, const uint64_t addr[PTX_LANES],
                        struct rules_waves *out)
{
    struct bank_words b;
    uint32_t passes = 0;

    memset(b.n, 0, sizeof(b.n));
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        for (uint32_t i = 0; i < words; i++) {
            uint32_t w = (uint32_t)(addr[lane] >> 2) + i;
            uint32_t rank = op >= MEM_ATOM ? rank_of_lane(&b, r->banks, w)
                                           : rank_of_word(&b, r->banks, w);

            if (rank >= passes) {
                memset(out->lanes[out->n + rank], 0, sizeof(out->lanes[0]));
                passes = rank + 1;
            }
            out->lanes[out->n + rank][i] |= 1u << lane;
        }
    }
    out->n += passes;
    if (passes > out->degree) {
        out->degree = passes;
    }
}

/* BANK-1 in the common case: no two different words in one bank. */
static bool is_conflict_free(uint32_t banks, uint32_t mask,
                             const uint64_t addr[PTX_LANES])
{
    uint32_t word[32];
    uint32_t seen = 0;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t w = (uint32_t)(addr[__builtin_ctz(m)] >> 2);
        uint32_t bank = w & (banks - 1);

        if ((seen >> bank & 1u) != 0 && word[bank] != w) {
            return false;
        }
        seen |= 1u << bank;
        word[bank] = w;
    }
    return true;
}

void rules_shared(const struct rules_cc *r, uint32_t op, uint32_t bytes, uint32_t mask,
                  const uint64_t addr[PTX_LANES], struct rules_waves *out)
{
    uint32_t words = bytes <= 4 ? 1 : bytes / 4;
    uint32_t lanes = bytes <= 4   ? PTX_LANES
                     : bytes == 8 ? r->group_lanes_64
                                  : r->group_lanes_128;
    uint32_t group = lanes == PTX_LANES ? UINT32_MAX : (1u << lanes) - 1;

    out->n = 0;
    out->ideal = 0;
    out->degree = 0;
    if (words == 1 && op < MEM_ATOM && mask != 0 &&
        is_conflict_free(r->banks, mask, addr)) {
        out->n = 1;
        out->ideal = 1;
        out->degree = 1;
        out->lanes[0][0] = mask;
        memset(&out->lanes[0][1], 0, 3 * sizeof(out->lanes[0][0]));
        return;
    }
    for (uint32_t first = 0; first < PTX_LANES; first += lanes) {
        uint32_t part = mask & (group << first);

        if (part == 0) {
            continue;
        }
        out->ideal++;
        if (words == 4 && r->wide128_extra_way) {
            memset(out->lanes[out->n++], 0, sizeof(out->lanes[0]));
        }
        split_group(r, op, words, part, addr, out);
    }
}

/* ---- global memory ---- */

static void add_lane(struct rules_lines *out, uint32_t from, uint64_t addr,
                     uint32_t lane, uint32_t bytes)
{
    uint64_t base = addr & ~(uint64_t)(MEM_LINE - 1);
    uint32_t offset = (uint32_t)(addr - base);
    uint32_t last = (offset + bytes - 1) / MEM_SECTOR;
    struct rules_line *l = NULL;

    for (uint32_t i = out->n; i > from; i--) { /* lanes mostly stay in the last line */
        if (out->line[i - 1].addr == base) {
            l = &out->line[i - 1];
            break;
        }
    }
    if (l == NULL) {
        l = &out->line[out->n++];
        memset(l, 0, sizeof(*l));
        l->addr = base;
    }
    l->lanes |= 1u << lane;
    for (uint32_t s = offset / MEM_SECTOR; s <= last; s++) {
        l->sectors |= 1u << s;
    }
    mem_byte_set(l->bytes, offset, bytes);
}

void rules_global(const struct rules_cc *r, uint32_t bytes, uint32_t mask,
                  const uint64_t addr[PTX_LANES], struct rules_lines *out)
{
    uint32_t lanes = bytes <= 4   ? PTX_LANES
                     : bytes == 8 ? r->coalesce_lanes_64
                                  : r->coalesce_lanes_128;
    uint32_t group = lanes == PTX_LANES ? UINT32_MAX : (1u << lanes) - 1;

    out->n = 0;
    out->requests = 0;
    out->sectors = 0;
    for (uint32_t first = 0; first < PTX_LANES; first += lanes) {
        uint32_t part = mask & (group << first);
        uint32_t from = out->n;

        out->requests += part != 0;
        for (; part != 0; part &= part - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(part);

            add_lane(out, from, addr[lane], lane, bytes);
        }
        for (uint32_t i = from; i < out->n; i++) {
            out->sectors += bits_count(out->line[i].sectors);
        }
    }
}
