/* wmma: its fragments are those of the products of mma that it is made of. */
#include "base/attr.h"
#include "isa/tile.h"

#include <string.h>

/* One shape of wmma: which of mma it is made of, and how often. */
struct plan {
    uint8_t rows, columns; /* products below, and beside each other */
    bool turned;           /* D, A and B turned about: A is B of the product */
};

static struct plan plan_of(const struct isa_form *f)
{
    switch ((enum isa_shape)f->shape) {
    case ISA_SHAPE_M16N16K16:
    case ISA_SHAPE_M16N16K8: return (struct plan){1, 2, false};
    case ISA_SHAPE_M32N8K16: return (struct plan){2, 1, false};
    case ISA_SHAPE_M8N32K16: return (struct plan){2, 1, true};
    default: return (struct plan){1, 1, false};
    }
}

static enum isa_shape shape_of(const struct isa_form *f)
{
    switch ((enum isa_shape)f->shape) {
    case ISA_SHAPE_M16N16K16:
    case ISA_SHAPE_M32N8K16:
    case ISA_SHAPE_M8N32K16: return ISA_SHAPE_M16N8K16;
    case ISA_SHAPE_M16N16K8: return ISA_SHAPE_M16N8K8;
    default: return (enum isa_shape)f->shape;
    }
}

/* The form of mma, of a load or store too: there all matrices have one type, of which
 * that is asked which is moved. */
static struct isa_form form_of(const struct isa_form *f)
{
    const bool is_mma = f->sub == ISA_S_MMA;
    struct isa_form m = {.op = ISA_OP_MMA,
                         .type = f->type,
                         .type2 = is_mma ? f->type2 : f->type,
                         .type3 = is_mma ? f->type3 : f->type,
                         .type4 = is_mma ? f->type4 : f->type,
                         .round = f->round,
                         .boolop = f->boolop,
                         .vec = 1,
                         .shape = (uint8_t)shape_of(f),
                         .layout = {ISA_LAYOUT_ROW, ISA_LAYOUT_COL},
                         .flags = f->flags};

    return m;
}

static enum isa_frag of_mma(const struct plan *p, enum isa_frag which)
{
    if (p->turned && which == ISA_FRAG_A) {
        return ISA_FRAG_B;
    }
    return p->turned && which == ISA_FRAG_B ? ISA_FRAG_A : which;
}

/* How many of the product's fragments one of wmma's is. */
static uint32_t count(const struct plan *p, enum isa_frag which)
{
    if (which == ISA_FRAG_A) {
        return p->rows;
    }
    return which == ISA_FRAG_B ? p->columns : (uint32_t)p->rows * p->columns;
}

static enum isa_type type_of(const struct isa_form *m, enum isa_frag which)
{
    const uint8_t type[ISA_N_FRAGS] = {m->type, m->type2, m->type3, m->type4};

    return (enum isa_type)type[which];
}

uint32_t isa_wmma_distinct(const struct isa_form *f, enum isa_frag which)
{
    const struct plan p = plan_of(f);
    const struct isa_form m = form_of(f);
    const enum isa_frag w = of_mma(&p, which);
    struct isa_tile t;

    isa_tile_of(&m, &t);
    return t.regs[w] * count(&p, w);
}

uint32_t isa_wmma_regs(const struct isa_form *f, enum isa_frag which)
{
    const struct plan p = plan_of(f);
    const struct isa_form m = form_of(f);

    return (which == ISA_FRAG_A || which == ISA_FRAG_B) &&
                   type_of(&m, of_mma(&p, which)) == ISA_T_F16
               ? 8 /* as on 7.0, where lanes hold elements twice */
               : isa_wmma_distinct(f, which);
}

enum isa_type isa_wmma_reg_type(const struct isa_form *f, enum isa_frag which)
{
    const struct plan p = plan_of(f);
    const struct isa_form m = form_of(f);

    return isa_tile_reg_type(&m, of_mma(&p, which));
}

struct isa_at isa_wmma_at(const struct isa_form *f, enum isa_frag which, uint32_t lane,
                          uint32_t reg, uint32_t s)
{
    const struct plan p = plan_of(f);
    const struct isa_form m = form_of(f);
    const enum isa_frag w = of_mma(&p, which);
    struct isa_tile t;
    struct isa_at at;

    isa_tile_of(&m, &t);
    const uint32_t per = t.elems[w] / t.regs[w];
    const uint32_t own = reg % (t.regs[w] * count(&p, w)); /* beyond it: again */
    const uint32_t block = own / t.regs[w];

    at = isa_tile_at(&m, &t, w, lane, own % t.regs[w] * per + s);
    if (p.rows > 1) {
        at.row += w == ISA_FRAG_B ? 0 : block * t.m;
    } else {
        at.col += w == ISA_FRAG_A ? 0 : block * t.n;
    }
    return p.turned ? (struct isa_at){at.col, at.row} : at;
}

void isa_wmma_split(const struct isa_form *f, struct isa_wmma *out)
{
    const struct plan p = plan_of(f);
    struct isa_tile t;

    memset(out, 0, sizeof(*out));
    out->n = (uint32_t)p.rows * p.columns;
    out->form = form_of(f);
    isa_tile_of(&out->form, &t);
    for (uint32_t w = 0; w < ISA_N_FRAGS; w++) {
        out->from[w] = (uint8_t)of_mma(&p, (enum isa_frag)w);
        for (uint32_t i = 0; i < out->n; i++) {
            out->first[i][w] =
                (uint8_t)(count(&p, (enum isa_frag)w) == 1 ? 0 : i * t.regs[w]);
        }
    }
}
