/*
 * mma_shapes_test.h - the forms of mma by the names that testbench/fidelity/mma.cu
 * gives them, such as m16n8k16_f32_f16 or m16n8k32_s8_u8.
 */
#ifndef ISA_MMA_SHAPES_TEST_H
#define ISA_MMA_SHAPES_TEST_H

#include "isa/h100_rows_test.h"
#include "isa/lane.h"
#include "isa/mma_draw_test.h"
#include "isa/tile.h"
#include <stdio.h>

static const char *const mma_shape_names[ISA_N_SHAPES] = {
    [ISA_SHAPE_NONE] = "",
    [ISA_SHAPE_M8N8K4] = "m8n8k4",
    [ISA_SHAPE_M8N8K16] = "m8n8k16",
    [ISA_SHAPE_M8N8K32] = "m8n8k32",
    [ISA_SHAPE_M8N8K128] = "m8n8k128",
    [ISA_SHAPE_M16N8K4] = "m16n8k4",
    [ISA_SHAPE_M16N8K8] = "m16n8k8",
    [ISA_SHAPE_M16N8K16] = "m16n8k16",
    [ISA_SHAPE_M16N8K32] = "m16n8k32",
    [ISA_SHAPE_M16N8K64] = "m16n8k64",
    [ISA_SHAPE_M16N8K128] = "m16n8k128",
    [ISA_SHAPE_M16N8K256] = "m16n8k256",
    [ISA_SHAPE_M16N16K16] = "",
    [ISA_SHAPE_M8N32K16] = "",
    [ISA_SHAPE_M32N8K16] = "",
    [ISA_SHAPE_M16N16K8] = "",
};

static inline uint8_t mma_type(const char *word)
{
    for (uint32_t t = ISA_T_NONE + 1; t < ISA_N_TYPES; t++) {
        if (strcmp(isa_type_name((enum isa_type)t), word) == 0) {
            return (uint8_t)t;
        }
    }
    return ISA_T_NONE;
}

static inline uint8_t mma_layout(const char *word)
{
    return strcmp(word, "row") == 0 ? ISA_LAYOUT_ROW : ISA_LAYOUT_COL;
}

/* False: not a name of a form. */
static inline bool mma_form(const char *name, struct isa_form *f)
{
    char word[6][16] = {{0}};
    const int n = sscanf(name, "%15[^_]_%15[^_]_%15[^_]_%15[^_]_%15[^_]_%15[^_]",
                         word[0], word[1], word[2], word[3], word[4], word[5]);

    *f = (struct isa_form){.op = ISA_OP_MMA,
                           .vec = 1,
                           .layout = {ISA_LAYOUT_ROW, ISA_LAYOUT_COL}};
    for (uint32_t s = 1; s < ISA_N_SHAPES; s++) {
        if (strcmp(word[0], mma_shape_names[s]) == 0) {
            f->shape = (uint8_t)s;
        }
    }
    if (n == 6) {
        f->layout[0] = mma_layout(word[1]);
        f->layout[1] = mma_layout(word[2]);
        f->type = mma_type(word[3]);
        f->type2 = f->type3 = mma_type(word[4]);
        f->type4 = mma_type(word[5]);
    } else if (strcmp(word[1], "f64") == 0) {
        f->type = f->type2 = f->type3 = f->type4 = ISA_T_F64;
    } else if (strcmp(word[1], "xor") == 0 || strcmp(word[1], "and") == 0) {
        f->type = f->type4 = ISA_T_S32;
        f->type2 = f->type3 = ISA_T_B1;
        f->boolop = strcmp(word[1], "xor") == 0 ? ISA_B_XOR : ISA_B_AND;
    } else if (n == 4 && word[1][0] == 'f') { /* 8-bit floating point */
        f->type = f->type4 = mma_type(word[1]);
        f->type2 = mma_type(word[2]);
        f->type3 = mma_type(word[3]);
    } else if (word[1][0] == 'f') {
        f->type = f->type4 = mma_type(word[1]);
        f->type2 = f->type3 = mma_type(word[2]);
    } else {
        f->type = f->type4 = ISA_T_S32;
        f->type2 = mma_type(word[1]);
        f->type3 = mma_type(word[2]);
        f->flags = n == 4 ? ISA_F_SATFINITE : 0;
    }
    return f->shape != ISA_SHAPE_NONE && f->type2 != ISA_T_NONE;
}

/* How operands of a type are drawn. */
static inline int mma_kind(enum isa_type t)
{
    return t == ISA_T_F16                       ? DRAW_F16
           : t == ISA_T_BF16                    ? DRAW_BF16
           : t == ISA_T_TF32                    ? DRAW_TF32
           : t == ISA_T_F32                     ? DRAW_F32
           : t == ISA_T_F64                     ? DRAW_F64
           : t == ISA_T_S32                     ? DRAW_SUM
           : t == ISA_T_E4M3 || t == ISA_T_E5M2 ? DRAW_BYTES
                                                : DRAW_BITS;
}

static inline int mma_exponent_bits(enum isa_type t)
{
    return t == ISA_T_F16 || t == ISA_T_E4M3 || t == ISA_T_E5M2 ? 5
           : t == ISA_T_BF16 || t == ISA_T_TF32                 ? 8
           : t == ISA_T_F64                                     ? 11
                                                                : 0;
}

/* Words of fragments of a lane, in the order D, A, B, C. */
struct mma_run {
    struct isa_form form;
    struct isa_tile tile;
    struct isa_selected selected;
    uint32_t words[ISA_N_FRAGS], first[ISA_N_FRAGS]; /* registers of 32 bits */
    uint32_t r[(4 + 8 + 8 + 8 + 8 + 8) * ISA_LANES];
    isa_ref list[ISA_TILE_REGS];
    struct isa_uop u;
    struct isa_env env;
};

static inline bool mma_begin(struct mma_run *m, const char *name, uint32_t cc)
{
    uint32_t slot = 0, n = 0;

    memset(m, 0, sizeof(*m));
    if (!mma_form(name, &m->form) || !isa_select(&m->form, &m->selected)) {
        return false;
    }
    isa_tile_of(&m->form, &m->tile);
    m->env.cc = cc;
    for (uint32_t f = 0; f < ISA_N_FRAGS; f++) {
        m->first[f] = slot;
        m->words[f] = m->tile.regs[f] * (m->tile.wide ? 2 : 1);
        for (uint32_t i = 0; i < m->tile.regs[f]; i++) {
            m->list[n++] = (isa_ref)(slot + i * (m->tile.wide ? 2 : 1));
        }
        slot += m->words[f];
    }
    m->u.form = m->form;
    m->u.tile = m->list;
    return true;
}

/* Word i of lane l of a fragment. */
static inline uint32_t *mma_word(struct mma_run *m, enum isa_frag f, uint32_t l,
                                 uint32_t i)
{
    const uint32_t wide = m->tile.wide;

    return wide ? &m->r[(m->first[f] + (i & ~1u)) * ISA_LANES + 2 * l + (i & 1)]
                : &m->r[(m->first[f] + i) * ISA_LANES + l];
}

/* Product number index of those that testbench/fidelity/mma.cu draws. */
static inline void mma_product(struct mma_run *m, uint64_t index)
{
    static const int roles[ISA_N_FRAGS] = {-1, DRAW_A, DRAW_B, DRAW_C};
    const uint8_t types[ISA_N_FRAGS] = {m->form.type, m->form.type2, m->form.type3,
                                        m->form.type4};
    const int in_e = mma_exponent_bits((enum isa_type)m->form.type2);
    const struct isa_lanes lanes = {.r = m->r, .env = &m->env};

    for (uint32_t f = ISA_FRAG_A; f < ISA_N_FRAGS; f++) {
        const int kind = mma_kind((enum isa_type)types[f]);

        for (uint32_t l = 0; l < ISA_LANES; l++) {
            for (uint32_t i = 0; i < m->words[f]; i++) {
                *mma_word(m, (enum isa_frag)f, l, i) =
                    draw_word(roles[f], kind, (int)(index % DRAW_MODES), in_e,
                              (index * ISA_LANES + l) * m->words[f] + i);
            }
        }
    }
    m->selected.exec(&m->u, &lanes, LANE_ALL);
}

/* Of D of n products from the first on. */
static inline uint64_t mma_hash_of(struct mma_run *m, uint64_t first, uint32_t n)
{
    uint64_t h = H100_HASH;

    for (uint32_t k = 0; k < n; k++) {
        mma_product(m, first + k);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            for (uint32_t i = 0; i < m->words[ISA_FRAG_D]; i++) {
                h = h100_hash(h, *mma_word(m, ISA_FRAG_D, l, i));
            }
        }
    }
    return h;
}

#endif /* ISA_MMA_SHAPES_TEST_H */
