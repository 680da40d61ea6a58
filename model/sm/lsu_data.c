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

    if (t->straight) { /* very often */
        memcpy(t->data, r->d[first], sizeof(t->data));
        return;
    }
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

    if (t->straight) {
        memcpy(r->d[first], t->data, sizeof(t->data));
        return;
    }
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

/* ---- textures ---- */

static uint64_t line_of(uint64_t addr)
{
    return addr & ~(uint64_t)(MEM_LINE - 1);
}

/* The line of addr among n; a new one behind them if it is none of these. */
static struct rules_line *find_line(struct rules_lines *plan, uint32_t *n,
                                    uint64_t addr)
{
    struct rules_line *l;

    for (uint32_t i = *n; i > 0; i--) { /* lanes mostly stay in the last one */
        l = &plan[(i - 1) / LSU_PIECE_LINES].line[(i - 1) % LSU_PIECE_LINES];
        if (l->addr == addr) {
            return l;
        }
    }
    l = &plan[*n / LSU_PIECE_LINES].line[*n % LSU_PIECE_LINES];
    memset(l, 0, sizeof(*l));
    l->addr = addr;
    (*n)++;
    return l;
}

enum { QUAD = 4, MOST_LANES = 2 * QUAD }; /* of a request */

/* Distinct sectors of the lanes of a request. */
static uint32_t quad_sectors(const struct tex_work *w, uint32_t lanes)
{
    uint64_t seen[MOST_LANES * TEX_TAPS];
    uint32_t n = 0;

    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        for (uint32_t k = 0; k < w->n; k++) {
            const uint64_t sector = w->addr[k][attr_lowest_bit(m)] / MEM_SECTOR;
            uint32_t i = 0;

            while (i < n && seen[i] != sector) {
                i++;
            }
            if (i == n && sector != 0) {
                seen[n++] = sector;
            }
        }
    }
    return n;
}

uint32_t lsu_plan_texels(const struct tex_work *w,
                         struct rules_lines plan[LSU_TEXEL_PIECES],
                         struct lsu_texels *out)
{
    const uint32_t bytes = w->desc->texel;
    const uint32_t lanes = w->desc->layout == TEX_LINEAR ? MOST_LANES : QUAD;
    uint32_t n = 0, pieces;

    *out = (struct lsu_texels){0};
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        for (uint32_t k = 0; k < w->n; k++) {
            const uint64_t at = w->addr[k][lane];

            if (at != 0) {
                struct rules_line *l = find_line(plan, &n, line_of(at));

                l->lanes |= 1u << lane;
                l->sectors |= 1u << at % MEM_LINE / MEM_SECTOR;
                mem_byte_set(l->bytes, (uint32_t)(at % MEM_LINE), bytes);
            }
        }
    }
    for (uint32_t first = 0; first < ISA_LANES; first += lanes) {
        const uint32_t own = quad_sectors(w, w->mask & rules_lanes(first, lanes));

        out->sectors += own;
        out->requests += own != 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        out->distinct += mem_sector_count(
            plan[i / LSU_PIECE_LINES].line[i % LSU_PIECE_LINES].sectors);
    }
    pieces = n == 0 ? 1 : (n + LSU_PIECE_LINES - 1) / LSU_PIECE_LINES;
    for (uint32_t i = 0; i < pieces; i++) {
        plan[i].n = i + 1 < pieces ? LSU_PIECE_LINES : n - i * LSU_PIECE_LINES;
    }
    return pieces;
}

void lsu_take_texels(const struct mem_line *t, struct tex_work *w)
{
    for (uint32_t m = t->lanes; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        for (uint32_t k = 0; k < w->n; k++) {
            if (w->addr[k][lane] - t->addr < MEM_LINE) {
                tex_take(w, k, lane, t->data + (w->addr[k][lane] - t->addr));
            }
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
