#include "isa/tile.h"

#include "base/attr.h"

struct dims {
    uint16_t m, n, k;
};

static const struct dims shapes[ISA_N_SHAPES] = {
    [ISA_SHAPE_M8N8K4] = {8, 8, 4},       [ISA_SHAPE_M8N8K16] = {8, 8, 16},
    [ISA_SHAPE_M8N8K32] = {8, 8, 32},     [ISA_SHAPE_M8N8K128] = {8, 8, 128},
    [ISA_SHAPE_M16N8K4] = {16, 8, 4},     [ISA_SHAPE_M16N8K8] = {16, 8, 8},
    [ISA_SHAPE_M16N8K16] = {16, 8, 16},   [ISA_SHAPE_M16N8K32] = {16, 8, 32},
    [ISA_SHAPE_M16N8K64] = {16, 8, 64},   [ISA_SHAPE_M16N8K128] = {16, 8, 128},
    [ISA_SHAPE_M16N8K256] = {16, 8, 256},
};

static enum isa_type type_of(const struct isa_form *f, enum isa_frag which)
{
    const uint8_t type[ISA_N_FRAGS] = {f->type, f->type2, f->type3, f->type4};

    return (enum isa_type)type[which];
}

void isa_tile_of(const struct isa_form *f, struct isa_tile *t)
{
    const struct dims *const s = &shapes[f->shape];
    const uint32_t size[ISA_N_FRAGS] = {(uint32_t)s->m * s->n, (uint32_t)s->m * s->k,
                                        (uint32_t)s->k * s->n, (uint32_t)s->m * s->n};

    const uint32_t sparse = f->sub == ISA_S_SPARSE ? 2 : 1;

    t->m = s->m;
    t->n = s->n;
    t->k = s->k;
    t->wide = f->type == ISA_T_F64;
    t->parts = f->shape == ISA_SHAPE_M8N8K4 && !t->wide ? 4 : 1;
    for (uint32_t i = 0; i < ISA_N_FRAGS; i++) {
        t->bits[i] = isa_type_bits(type_of(f, (enum isa_frag)i));
        t->elems[i] = size[i] * t->parts / ISA_LANES / (i == ISA_FRAG_A ? sparse : 1);
        t->regs[i] = t->elems[i] * t->bits[i] / (t->wide ? 64 : 32);
    }
}

enum isa_type isa_tile_reg_type(const struct isa_form *f, enum isa_frag which)
{
    const enum isa_type t = type_of(f, which);

    return t == ISA_T_F32 || t == ISA_T_F64 ? t : ISA_T_B32;
}

/* Of one of the four products of 8 lanes that m8n8k4 of f16 is. */
static struct isa_at at_of_quarter(const struct isa_form *f, enum isa_frag which,
                                   uint32_t lane, uint32_t i)
{
    const uint32_t in = lane % 4, upper = lane < 16 ? 0 : 4;
    const bool by_rows = which == ISA_FRAG_A ? f->layout[0] == ISA_LAYOUT_ROW
                                             : f->layout[1] == ISA_LAYOUT_ROW;

    if (which == ISA_FRAG_A) {
        return by_rows ? (struct isa_at){in + upper, i}
                       : (struct isa_at){i + upper, in};
    }
    if (which == ISA_FRAG_B) {
        return by_rows ? (struct isa_at){in, i + upper}
                       : (struct isa_at){i, in + upper};
    }
    if (type_of(f, which) == ISA_T_F16) {
        return (struct isa_at){in + upper, i};
    }
    return (struct isa_at){(lane & 1) + (i & 2) + upper,
                           (i & 4) + (lane & 2) + (i & 1)};
}

struct isa_at isa_tile_at(const struct isa_form *f, const struct isa_tile *t,
                          enum isa_frag which, uint32_t lane, uint32_t i)
{
    const uint32_t bits = t->bits[which];
    const uint32_t per = bits >= 32 ? 1 : 32 / bits; /* elements of a register */
    const uint32_t r = i / per, s = i % per, group = lane / 4, in = lane % 4;

    if (t->parts > 1) {
        return at_of_quarter(f, which, lane, i);
    }
    if (which == ISA_FRAG_A) {
        const uint32_t halves = t->m / 8; /* registers below each other */

        return (struct isa_at){group + 8 * (r % halves),
                               (r / halves * 4 + in) * per + s};
    }
    if (which == ISA_FRAG_B) {
        return (struct isa_at){(r * 4 + in) * per + s, group};
    }
    return (struct isa_at){group + 8 * (i / 2), 2 * in + i % 2};
}

/* Chunks of a row of A: each has four bits of metadata. */
static uint32_t chunks_of(const struct isa_tile *t)
{
    const uint32_t bits = t->bits[ISA_FRAG_A];

    return t->k / (bits == 32 ? 2 : bits == 4 ? 8 : 4);
}

uint32_t isa_sparse_selectors(const struct isa_tile *t)
{
    return 16 / chunks_of(t);
}

uint32_t isa_sparse_at(const struct isa_tile *t, uint32_t selector,
                       const uint32_t *meta, uint32_t row, uint32_t i)
{
    const uint32_t bits = t->bits[ISA_FRAG_A];
    const uint32_t run = bits == 4 ? 2 : 1;   /* elements that go together */
    const uint32_t kept = bits == 32 ? 1 : 2; /* of a chunk ... */
    const uint32_t chunk = i / (run * kept);  /* ... of four bits of metadata */
    const uint32_t lanes = chunks_of(t) / 4;  /* whose words a row has */
    const uint32_t *const of4 = meta + row % 8 * 4 + selector * lanes % 4;
    const uint32_t half = row / 8;
    /* of 16 bits and more a word is of both rows, else of one */
    const uint32_t of = (bits >= 16 ? of4[chunk / 4] >> (half * 16 + chunk % 4 * 4)
                                    : of4[chunk / 8 * 2 + half] >> chunk % 8 * 4) &
                        15;

    if (bits == 32) { /* 4 or 14: the first or the second */
        return chunk * 2 + (of >> 3);
    }
    return (chunk * 4 + (of >> (i / run % 2 * 2) & 3)) * run + i % run;
}

/* SPEC MMA-2 has the sources. */
struct sum_row {
    uint8_t min_cc;
    uint8_t half, tf32, byte; /* products at once, by the type of A */
    uint8_t fraction, fraction_byte;
};

static const struct sum_row sums[] = {
    {90, 16, 8, 16, 25, 25}, {89, 8, 4, 16, 24, 13}, {80, 8, 4, 16, 24, 13},
    {75, 4, 4, 16, 24, 13},  {0, 4, 4, 16, 23, 13},
};

struct isa_sum isa_sum_of(enum isa_type a, uint32_t cc)
{
    const struct sum_row *r = sums;

    while (cc < r->min_cc) {
        r++;
    }
    if (a == ISA_T_E4M3 || a == ISA_T_E5M2) {
        return (struct isa_sum){r->byte, r->fraction_byte};
    }
    return (struct isa_sum){a == ISA_T_TF32 ? r->tf32 : r->half, r->fraction};
}

struct isa_sum isa_async_sum_of(enum isa_type a, uint32_t cc)
{
    if (a == ISA_T_E4M3 || a == ISA_T_E5M2) {
        return (struct isa_sum){32, 13};
    }
    return isa_sum_of(a, cc);
}
