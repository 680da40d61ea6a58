#include "sm/untimed_data.h"

#include "base/attr.h"
#include "sm/lsu_data.h"

#define PAGE_BYTES (UINT64_C(1) << MEMORY_PAGE_BITS)

static ATTR_NOINLINE uint8_t *find_page(struct untimed_pages *p, uint64_t number)
{
    struct untimed_page *page = &p->page[number % UNTIMED_PAGES];

    page->number = number;
    page->bytes = memory_line_rw(p->memory, number << MEMORY_PAGE_BITS);
    return page->bytes;
}

static inline uint8_t *byte_at(struct untimed_pages *p, uint64_t addr)
{
    uint64_t number = addr >> MEMORY_PAGE_BITS;
    const struct untimed_page *page = &p->page[number % UNTIMED_PAGES];
    uint8_t *bytes =
        LIKELY(page->number == number) ? page->bytes : find_page(p, number);

    return bytes + (addr & (PAGE_BYTES - 1));
}

/* All lanes, each so many bytes behind the one before it? */
static inline bool is_even(const struct mem_req *r, uint64_t stride)
{
    const uint64_t first = r->addr[0];
    uint64_t other = 0;

    if (r->mask != UINT32_MAX) {
        return false;
    }
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        other |= r->addr[l] ^ (first + stride * l);
    }
    return other == 0;
}

/* ---- global memory ---- */

/* The lanes side by side and all in one page? */
static inline bool is_row(const struct mem_req *r, uint32_t bytes)
{
    return (r->addr[0] & (PAGE_BYTES - 1)) <= PAGE_BYTES - bytes * ISA_LANES &&
           is_even(r, bytes);
}

static void move_words(struct untimed_pages *p, struct mem_req *r)
{
    if (is_row(r, 4)) {
        uint8_t *row = byte_at(p, r->addr[0]);

        if (r->op == MEM_LOAD) {
            memcpy(r->d[0], row, sizeof(r->d[0]));
        } else {
            memcpy(row, r->d[0], sizeof(r->d[0]));
        }
        return;
    }
    if (r->op == MEM_LOAD) {
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = attr_lowest_bit(m);

            memcpy(&r->d[0][lane], byte_at(p, r->addr[lane]), 4);
        }
        return;
    }
    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        memcpy(byte_at(p, r->addr[lane]), &r->d[0][lane], 4);
    }
}

/* Piece after piece of n bytes of a row; n is known where this is compiled. */
static inline void move_row(struct mem_req *r, uint8_t *row, uint32_t n)
{
    const uint32_t stride = n * r->words;

    for (uint32_t i = 0; i < r->words; i++) {
        uint32_t *const d = r->d[i];
        uint8_t *const at = row + (size_t)i * n;

        if (r->op == MEM_LOAD) {
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                d[l] = lsu_get(at + l * stride, n);
            }
        } else {
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                lsu_put(at + l * stride, d[l], n);
            }
        }
    }
}

/* An aligned access of a lane lies in one page. */
static void move_pieces(struct untimed_pages *p, struct mem_req *r)
{
    const uint32_t n = lsu_piece_bytes(r);

    if (is_row(r, n * r->words)) {
        uint8_t *const row = byte_at(p, r->addr[0]);

        switch (n) {
        case 1: move_row(r, row, 1); break;
        case 2: move_row(r, row, 2); break;
        default: move_row(r, row, 4); break;
        }
        return;
    }
    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);
        uint8_t *at = byte_at(p, r->addr[lane]);

        for (uint32_t i = 0; i < r->words; i++) {
            if (r->op == MEM_LOAD) {
                r->d[i][lane] = lsu_get(at + lsu_piece_offset(r, i), n);
            } else {
                lsu_put(at + lsu_piece_offset(r, i), r->d[i][lane], n);
            }
        }
    }
}

static void do_atomics(struct untimed_pages *p, struct mem_req *r)
{
    const struct memory_atom what = {(enum isa_sub)r->uop->form.sub,
                                     (enum isa_type)r->uop->form.type, r->size};

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);
        uint64_t old =
            memory_atomic(byte_at(p, r->addr[lane]), &what,
                          mem_atom_operand(r, 0, lane), mem_atom_operand(r, 1, lane));

        r->d[0][lane] = (uint32_t)old;
        r->d[1][lane] = (uint32_t)(old >> 32);
    }
}

void untimed_global(struct untimed_pages *p, struct mem_req *r)
{
    if (r->op >= MEM_ATOM) {
        do_atomics(p, r);
    } else if (r->words == 1 && r->size == 4) {
        move_words(p, r);
    } else {
        move_pieces(p, r);
    }
}

void untimed_texels(const struct untimed_pages *p, struct tex_work *w)
{
    for (uint32_t k = 0; k < w->n; k++) {
        for (uint32_t m = w->mask; m != 0; m &= m - 1) {
            const uint32_t lane = attr_lowest_bit(m);
            const uint64_t at = w->addr[k][lane];

            if (at != 0) {
                tex_take(w, k, lane,
                         memory_line(p->memory, at & ~(uint64_t)(MEM_LINE - 1)) +
                             at % MEM_LINE);
            }
        }
    }
}

/* ---- what a warp or the launch has of its own ---- */

void untimed_local(uint8_t *bytes, struct mem_req *r)
{
    const uint32_t n = lsu_piece_bytes(r);
    const bool even = n == 4 && r->addr[0] % 4 == 0 && is_even(r, 0);

    for (uint32_t i = 0; i < r->words; i++) {
        const uint64_t offset = lsu_piece_offset(r, i);

        if (even) {
            uint8_t *row = bytes + lsu_local_addr(0, r->addr[0] + offset, 0);
            const bool load = r->op == MEM_LOAD;

            memcpy(load ? (void *)r->d[i] : row, load ? row : (void *)r->d[i],
                   sizeof(r->d[i]));
            continue;
        }
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = attr_lowest_bit(m);
            uint8_t *at = bytes + lsu_local_addr(0, r->addr[lane] + offset, lane);

            if (r->op == MEM_LOAD) {
                r->d[i][lane] = lsu_get(at, n);
            } else {
                lsu_put(at, r->d[i][lane], n);
            }
        }
    }
}

void untimed_const(const uint8_t *image, struct mem_req *r)
{
    const uint32_t n = lsu_piece_bytes(r);
    const bool even = is_even(r, 0); /* as constants are mostly read */

    for (uint32_t i = 0; i < r->words; i++) {
        if (even) {
            const uint32_t d = lsu_get(image + r->addr[0] + lsu_piece_offset(r, i), n);

            for (uint32_t l = 0; l < ISA_LANES; l++) {
                r->d[i][l] = d;
            }
            continue;
        }
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t lane = attr_lowest_bit(m);

            r->d[i][lane] = lsu_get(image + r->addr[lane] + lsu_piece_offset(r, i), n);
        }
    }
}
