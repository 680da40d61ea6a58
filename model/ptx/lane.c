#include "ptx/lane.h"

#define BIT4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
const uint32_t lane_bit[PTX_LANES] = {BIT4(0),  BIT4(4),  BIT4(8),  BIT4(12),
                                      BIT4(16), BIT4(20), BIT4(24), BIT4(28)};

#define PAIR2(n) 1u << (n), 1u << (n), 2u << (n), 2u << (n)
#define PAIR8(n) PAIR2(n), PAIR2((n) + 2), PAIR2((n) + 4), PAIR2((n) + 6)
const uint32_t lane_bit_of_word[2 * PTX_LANES] = {PAIR8(0), PAIR8(8), PAIR8(16),
                                                  PAIR8(24)};

static const struct lane_table *const tables[] = {
    &lane_int_table,   &lane_mul_table, &lane_bits_table, &lane_logic_table,
    &lane_carry_table, &lane_cmp_table, &lane_mov_table,  &lane_f32_table,
    &lane_f64_table,   &lane_cvt_table, &lane_warp_table,
};

/* No set says "not given", which is enumerator 0. */
static bool in(uint32_t set, uint32_t v)
{
    return set == 0 ? v == 0 : (set >> v & 1u) != 0;
}

static bool matches(const struct lane_row *r, const struct ptx_form *f)
{
    /* Where an instruction stands, not what it computes. */
    const uint16_t silent = PTX_F_UNI | PTX_F_ALIGNED | PTX_F_VOLATILE;
    const uint8_t vec = f->op == PTX_OP_MOV && f->vec > 1 ? f->vec : 0;

    return r->op == f->op && in(r->types, f->type) && in(r->types2, f->type2) &&
           in(r->rounds, f->round) && in(r->bools, f->boolop) && r->cmp == f->cmp &&
           r->sub == f->sub && r->vec == vec &&
           (f->flags & (uint16_t) ~(r->any | silent)) == r->flags;
}

static bool cpu_has_fma(void)
{
#if LANE_HAS_FMA_VARIANTS
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

bool ptx_select(const struct ptx_form *f, struct ptx_selected *out)
{
    for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
        for (uint32_t i = 0; i < tables[t]->n; i++) {
            const struct lane_row *r = &tables[t]->row[i];

            if (matches(r, f)) {
                out->exec =
                    r->exec_fma != NULL && cpu_has_fma() ? r->exec_fma : r->exec;
                out->class = r->class;
                out->weight = r->weight;
                return true;
            }
        }
    }
    return false;
}
