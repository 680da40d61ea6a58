/*
 * rules_draw_test.h - for tests: random accesses of a warp, of the kinds that kernels
 * make and of kinds that only the rules' corners meet.
 */
#ifndef MEM_RULES_DRAW_TEST_H
#define MEM_RULES_DRAW_TEST_H

#include "mem/rules.h"

#include "mem/rand_test.h"

/* Addresses of all lanes from 0 on, below 256 KiB, aligned to bytes. */
static inline void rules_draw_addr(uint64_t addr[ISA_LANES], uint32_t bytes,
                                   uint64_t *seed)
{
    uint32_t kind = rand_below(seed, 12);
    uint32_t range = 64u << rand_below(seed, 11);
    uint32_t base = rand_below(seed, 49152 / 16) * 16u;
    uint32_t stride = rand_below(seed, 80);
    uint32_t few = 1 + rand_below(seed, 6);
    uint32_t odd = rand_below(seed, ISA_LANES);
    uint32_t apart = 1u << rand_below(seed, 2);

    for (uint32_t i = 0; i < ISA_LANES; i++) {
        uint32_t at = 0;

        switch (kind) {
        case 0: at = rand_below(seed, range); break;                   /* anywhere */
        case 1: at = base + rand_below(seed, 256); break;              /* clustered */
        case 2: at = base + i * stride * bytes; break;                 /* strided */
        case 3: at = base + i % few * 128u; break;                     /* broadcast */
        case 4: at = rand_below(seed, 64) * 128u + (base & 64); break; /* one bank */
        case 5: at = base + (i ^ (stride & 31)) * bytes; break;        /* permuted */
        case 6: at = base + i / few * 4u + rand_below(seed, 4); break; /* neighbours */
        case 7: at = base + rand_below(seed, few) * (stride * 4); break; /* few words */
        case 8: at = rand_below(seed, few) * 64u + rand_below(seed, few) * 4u; break;
        case 9: at = base / 128 * 128 + i * bytes; break; /* as coalescing likes it */
        case 10: /* pairs of lanes that agree, all or all but one */
            at = (i & apart) != 0 ? (uint32_t)addr[i ^ apart] : rand_below(seed, range);
            at += i == odd && (stride & 1) != 0 ? bytes : 0;
            break;
        default: /* in order but for one lane */
            at = base / 64 * 64 + (i == odd ? rand_below(seed, 32) : i) * bytes;
            break;
        }
        addr[i] = at / bytes * bytes;
    }
}

/* A mask; now and then nobody, half-warps and every other lane. */
static inline uint32_t rules_draw_mask(uint64_t *seed)
{
    switch (rand_below(seed, 40)) {
    case 0: return 0;
    case 1: return 0x0000ffff;
    case 2: return 0xffff0000;
    case 3: return 0x55555555u << rand_below(seed, 2);
    case 4: return 0x33333333u << 2 * rand_below(seed, 2);
    default: return rand_mask(seed);
    }
}

#endif /* MEM_RULES_DRAW_TEST_H */
