#include "sm/lsu_data.h"

/* Where the lane's piece i of a request lies in the data of its line t. */
static inline uint64_t place(const struct mem_req *r, const struct mem_line *t,
                             bool local, uint32_t i, uint32_t lane)
{
    uint64_t at = r->addr[lane] + lsu_piece_offset(r, i);

    if (local) {
        at = lsu_local_addr(r->base, at, lane);
    }
    return at - t->addr;
}

void lsu_fill_line(const struct mem_req *r, struct mem_line *t)
{
    bool local = r->space == ISA_SP_LOCAL;
    uint32_t n = lsu_piece_bytes(r);
    uint32_t first = local ? t->piece : 0;
    uint32_t last = local ? t->piece + 1u : r->words;

    if (r->words == 1 && n == 4 && !local) { /* nearly always */
        for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            lsu_put(t->data + (r->addr[lane] - t->addr), r->d[0][lane], 4);
        }
        return;
    }
    for (uint32_t i = first; i < last; i++) {
        for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            lsu_put(t->data + place(r, t, local, i, lane), r->d[i][lane], n);
        }
    }
}

void lsu_empty_line(const struct mem_line *t, struct mem_req *r)
{
    bool local = r->space == ISA_SP_LOCAL;
    uint32_t n = lsu_piece_bytes(r);
    uint32_t first = local ? t->piece : 0;
    uint32_t last = local ? t->piece + 1u : r->words;

    if (r->words == 1 && n == 4 && !local) {
        for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            r->d[0][lane] = lsu_get(t->data + (r->addr[lane] - t->addr), 4);
        }
        return;
    }
    for (uint32_t i = first; i < last; i++) {
        for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            r->d[i][lane] = lsu_get(t->data + place(r, t, local, i, lane), n);
        }
    }
}

/* Of a lane's bytes in d those behind the first n become zeros. */
static void clear_rest(struct mem_req *r, uint32_t lane, uint32_t n)
{
    for (uint32_t i = n / 4; i < r->words; i++) {
        r->d[i][lane] &=
            i == n / 4 && n % 4 != 0 ? UINT32_MAX >> (32 - 8 * (n % 4)) : 0;
    }
}

void lsu_land(struct mem_req *r)
{
    const struct mem_copy *c = r->copy;
    const uint32_t bytes = 4u * r->words;

    r->op = MEM_STORE;
    r->space = ISA_SP_SHARED;
    r->mask = c->mask;
    r->base = c->base;
    for (uint32_t m = c->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        r->addr[lane] = c->to[lane];
        if (c->bytes[lane] < bytes) {
            clear_rest(r, lane, c->bytes[lane]);
        }
    }
}
