#include "mem/mem.h"

#include <string.h>

const struct sim_proto mem_req_proto = {"mem_req", sizeof(struct mem_req)};
const struct sim_proto mem_wave_proto = {"mem_wave", sizeof(struct mem_wave)};
const struct sim_proto mem_line_proto = {"mem_line", sizeof(struct mem_line)};
const struct sim_proto mem_burst_proto = {"mem_burst", sizeof(struct mem_burst)};

uint32_t mem_full_sectors(const uint64_t bytes[2])
{
    uint32_t full = 0;

    for (uint32_t s = 0; s < MEM_SECTORS; s++) {
        uint32_t m = (uint32_t)(bytes[s / 2] >> (s % 2 * MEM_SECTOR));

        full |= (m == UINT32_MAX ? 1u : 0u) << s;
    }
    return full;
}

void mem_copy_bytes(uint8_t *dst, const uint8_t *src, const uint64_t bytes[2])
{
    if ((bytes[0] & bytes[1]) == UINT64_MAX) {
        memcpy(dst, src, MEM_LINE);
        return;
    }
    for (uint32_t s = 0; s < MEM_SECTORS; s++) {
        uint32_t m = (uint32_t)(bytes[s / 2] >> (s % 2 * MEM_SECTOR));
        uint8_t *d = dst + s * MEM_SECTOR;
        const uint8_t *from = src + s * MEM_SECTOR;

        if (m == UINT32_MAX) {
            memcpy(d, from, MEM_SECTOR);
            continue;
        }
        while (m != 0) {
            uint32_t i = (uint32_t)__builtin_ctz(m);

            if (i % 4 == 0 && (m >> i & 0xf) == 0xf) { /* a word, mostly */
                memcpy(d + i, from + i, 4);
                m &= ~(0xfu << i);
            } else {
                d[i] = from[i];
                m &= m - 1;
            }
        }
    }
}

void mem_planned_of(struct mem_planned *p, const struct mem_req *r, uint32_t sm,
                    sim_cycle_t cycle)
{
    memset(p, 0, sizeof(*p));
    memcpy(p->addr, r->addr, sizeof(p->addr));
    p->base = r->space == ISA_SP_SHARED ? r->base : 0;
    p->block = r->block;
    p->cycle = cycle;
    p->pc = r->pc;
    p->mask = r->mask;
    p->sm = sm;
    p->op = r->op;
    p->space = r->space;
    p->bytes = (uint8_t)(r->size * r->vec);
    p->bank_mode = r->bank_mode;
    p->launch = r->launch;
    p->warp = r->warp;
    p->block_warp = r->block_warp;
}
