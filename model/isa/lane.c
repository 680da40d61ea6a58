#include "isa/lane.h"

#include "base/attr.h"

const struct lane_table *const lane_tables[] = {
    &lane_int_table,      &lane_mul_table,      &lane_bits_table,
    &lane_logic_table,    &lane_carry_table,    &lane_cmp_table,
    &lane_mov_table,      &lane_f32_table,      &lane_f64_table,
    &lane_cvt_table,      &lane_warp_table,     &lane_half_table,
    &lane_half_cmp_table, &lane_half_cvt_table, &lane_half_approx_table,
    &lane_tile_table,     &lane_rows_table,     &lane_mbarrier_table,
    &lane_wgmma_table,    &lane_sparse_table,
};
const uint32_t lane_n_tables = ARRAY_LEN(lane_tables);

/* No set says "not given", which is enumerator 0. */
static bool in(uint32_t set, uint32_t v)
{
    return set == 0 ? v == 0 : (set >> v & 1u) != 0;
}

static bool matches(const struct lane_row *r, const struct isa_form *f)
{
    /* Where an instruction stands, not what it computes. */
    const uint32_t silent = ISA_F_UNI | ISA_F_ALIGNED | ISA_F_VOLATILE | ISA_F_CTA;
    const uint8_t vec = f->op == ISA_OP_MOV && f->vec > 1 ? f->vec : 0;

    return r->op == f->op && in(r->types, f->type) && in(r->types2, f->type2) &&
           in(r->rounds, f->round) && in(r->bools, f->boolop) && r->cmp == f->cmp &&
           r->sub == f->sub && r->vec == vec &&
           (f->flags & ~(r->any | silent)) == r->flags;
}

bool isa_select(const struct isa_form *f, struct isa_selected *out)
{
    for (uint32_t t = 0; t < lane_n_tables; t++) {
        for (uint32_t i = 0; i < lane_tables[t]->n; i++) {
            const struct lane_row *r = &lane_tables[t]->row[i];

            if (matches(r, f)) {
                out->exec = lane_is_wide() ? r->exec_wide : r->exec;
                out->class = r->class;
                out->weight = r->weight;
                return true;
            }
        }
    }
    return false;
}
