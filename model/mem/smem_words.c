#include "mem/smem_words.h"

#include "base/attr.h"

static uint32_t merge(uint32_t old, uint32_t v, uint32_t addr, uint32_t size)
{
    uint32_t shift = (addr & 3u) * 8;
    uint32_t m = size == 1 ? 0xffu : 0xffffu;

    if (size >= 4) {
        return v;
    }
    return (old & ~(m << shift)) | (v & m) << shift;
}

static uint32_t extract(uint32_t word, uint32_t addr, uint32_t size)
{
    uint32_t m = size == 1 ? 0xffu : 0xffffu;

    return size >= 4 ? word : word >> ((addr & 3u) * 8) & m;
}

/* The lane of mask that comes first when lanes go in ascending order of lane ^
 * order. */
static uint32_t next_lane(uint32_t mask, uint32_t order)
{
    static const uint32_t with_bit[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00,
                                         0xffff0000};

    if (LIKELY(order == 0)) {
        return (uint32_t)__builtin_ctz(mask);
    }
    for (uint32_t b = 5; b-- > 0;) {
        uint32_t first = (order >> b & 1u) != 0 ? with_bit[b] : ~with_bit[b];

        mask &= (mask & first) != 0 ? first : UINT32_MAX;
    }
    return (uint32_t)__builtin_ctz(mask);
}

/* Word i of every lane, 32 bits, lanes in ascending order. */
static void move_words(uint32_t *base, struct mem_req *r, uint32_t lanes, uint32_t i)
{
    uint32_t *d = r->d[i];

    base += i;
    if (r->op == MEM_LOAD && lanes == UINT32_MAX) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            d[lane] = base[(uint32_t)r->addr[lane] >> 2];
        }
    } else if (r->op == MEM_LOAD) {
        for (uint32_t m = lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            d[lane] = base[(uint32_t)r->addr[lane] >> 2];
        }
    } else if (lanes == UINT32_MAX) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            base[(uint32_t)r->addr[lane] >> 2] = d[lane];
        }
    } else {
        for (uint32_t m = lanes; m != 0; m &= m - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(m);

            base[(uint32_t)r->addr[lane] >> 2] = d[lane];
        }
    }
}

void smem_move(uint32_t *base, struct mem_req *r, const struct mem_wave *w)
{
    uint32_t per_word = r->size < 4 ? 4 / r->size : 1; /* elements in one bank word */
    uint32_t words =
        (uint32_t)r->size * r->vec <= 4 ? 1 : (uint32_t)r->size * r->vec / 4;

    if (r->size == 4 && (w->order == 0 || r->op == MEM_LOAD)) { /* nearly always */
        for (uint32_t i = 0; i < r->vec; i++) {
            move_words(base, r, w->lanes[i], i);
        }
        return;
    }
    if (per_word > r->vec) {
        per_word = r->vec;
    }
    for (uint32_t i = 0; i < words; i++) {
        for (uint32_t m = w->lanes[i], lane; m != 0; m &= ~(1u << lane)) {
            uint32_t at, *p;

            lane = next_lane(m, w->order);
            at = (uint32_t)r->addr[lane] + 4 * i;
            p = base + (at >> 2);
            for (uint32_t j = 0; j < per_word; j++, at += r->size) {
                uint32_t *d = &r->d[i * per_word + j][lane];

                if (r->op == MEM_LOAD) {
                    *d = extract(*p, at, r->size);
                } else {
                    *p = merge(*p, *d, at, r->size);
                }
            }
        }
    }
}

/* d is the state and the operand; on the way back the state before, and whether a phase
 * ended or, of a wait, is over. */
static void mbarrier(uint32_t *base, struct mem_req *r, uint32_t lanes)
{
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t *p = base + ((uint32_t)r->addr[lane] >> 2);
        uint64_t state = r->d[0][lane] | (uint64_t)r->d[1][lane] << 32;
        uint64_t result, now;
        bool over;

        now = isa_mbarrier(&r->uop->form, p[0] | (uint64_t)p[1] << 32, state,
                           r->d[2][lane], &result, &over);
        p[0] = (uint32_t)now;
        p[1] = (uint32_t)(now >> 32);
        if (r->uop->form.sub == ISA_S_TEST || r->uop->form.sub == ISA_S_TRY) {
            r->d[3][lane] = (uint32_t)result;
            continue;
        }
        r->d[0][lane] = (uint32_t)result;
        r->d[1][lane] = (uint32_t)(result >> 32);
        r->d[3][lane] = over;
    }
}

void smem_atom(uint32_t *base, struct mem_req *r, const struct mem_wave *w)
{
    enum isa_sub sub = (enum isa_sub)r->uop->form.sub;
    enum isa_type type = (enum isa_type)r->uop->form.type;

    if (UNLIKELY(r->uop->kind == ISA_K_MBAR || r->uop->kind == ISA_K_LATE ||
                 r->uop->kind == ISA_K_TX)) {
        mbarrier(base, r, w->lanes[1]);
        return;
    }
    for (uint32_t m = w->lanes[r->size == 8]; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t at = (uint32_t)r->addr[lane];
        uint32_t *p = base + (at >> 2);
        uint64_t old = extract(p[0], at, r->size);
        uint64_t now;

        if (r->size == 8) {
            old |= (uint64_t)p[1] << 32;
        }
        now = isa_atom(sub, type, old, mem_atom_operand(r, 0, lane),
                       mem_atom_operand(r, 1, lane));
        p[0] = merge(p[0], (uint32_t)now, at, r->size);
        if (r->size == 8) {
            p[1] = (uint32_t)(now >> 32);
        }
        r->d[0][lane] = (uint32_t)old;
        r->d[1][lane] = (uint32_t)(old >> 32);
    }
}
