/*
 * wmma: its products become those of mma; its loads and stores become, for each
 * register, an address and an access, and where the elements of a register do not lie
 * side by side in memory, one for each element. Elements of 16 bits are loaded side by
 * side all the same since 7.5, and turned in registers, as machine code does.
 */
#include "isa/tile.h"
#include "ptx/lower_priv.h"

#include <string.h>

enum { TURN_SINCE_CC = 75 }; /* movmatrix */

struct access { /* a load or a store being lowered */
    const struct ptx_insn *in;
    struct isa_form form; /* frag: the matrix that is moved */
    struct isa_uop where; /* an access without values */
    isa_ref base, stride;
    bool is_load;
    uint32_t bits; /* of an element */
    uint32_t per;  /* elements of a register */
};

/* Elements of a register lie side by side in memory. */
static bool is_in_line(const struct access *x)
{
    const enum isa_frag frag = (enum isa_frag)x->form.frag;
    const struct isa_at a = isa_wmma_at(&x->form, frag, 0, 0, 0);
    const struct isa_at b = isa_wmma_at(&x->form, frag, 0, 0, 1);

    return x->form.layout[0] == ISA_LAYOUT_ROW ? a.row == b.row : a.col == b.col;
}

static void begin(struct ptx_lower *w, struct isa_uop *u, const struct isa_form *form)
{
    ptx_uop_init(w, u);
    u->form = *form;
    u->kind = ISA_K_ALU;
    u->class = ISA_CL_IADD;
}

static bool address(struct ptx_lower *w, const struct access *x,
                    enum isa_wmma_step step, uint32_t reg, uint32_t s, isa_ref *at)
{
    const enum ptx_width width = x->where.addr64 ? PTX_W64 : PTX_W32;
    struct isa_uop u;

    begin(w, &u, &x->form);
    u.exec = isa_exec_wmma(step);
    u.imm = isa_wmma_imm(reg, s, x->where.imm);
    u.addr64 = x->where.addr64;
    u.src[0] = x->base;
    u.src[1] = x->stride;
    u.n_src = 2;
    ptx_reads(&u, x->base, width);
    ptx_reads(&u, x->stride, PTX_W32);
    u.dst[0] = *at = ptx_temp(w, width);
    ptx_writes(&u, *at, width);
    return ptx_uop_add(w, &u);
}

/* bytes at register at, into or out of the register value. */
static bool move(struct ptx_lower *w, const struct access *x, isa_ref at,
                 uint32_t bytes, isa_ref value)
{
    const enum ptx_width width = bytes == 8 ? PTX_W64 : PTX_W32;
    struct isa_uop u = x->where;

    u.form = (struct isa_form){.op = x->is_load ? ISA_OP_LD : ISA_OP_ST,
                               .type = (uint8_t)(bytes == 8   ? ISA_T_B64
                                                 : bytes == 4 ? ISA_T_B32
                                                 : bytes == 2 ? ISA_T_B16
                                                              : ISA_T_B8),
                               .space = x->where.form.space,
                               .vec = 1};
    u.kind = x->is_load ? ISA_K_LOAD : ISA_K_STORE;
    u.class = ISA_CL_MEM;
    u.size = (uint8_t)bytes;
    u.dst_bits = bytes == 8 ? 64 : 32;
    u.addr = at;
    u.imm = 0;
    u.needs = u.sets = 0;
    ptx_reads(&u, at, x->where.addr64 ? PTX_W64 : PTX_W32);
    if (x->is_load) {
        u.dst[0] = value;
        ptx_writes(&u, value, width);
    } else {
        u.src[0] = value;
        u.n_src = 1;
        ptx_reads(&u, value, width);
    }
    return ptx_uop_add(w, &u);
}

/* ---- elements that do not lie side by side ---- */

/* Loads: what is loaded for a register, before it becomes that. All of a matrix is
 * asked for before the first register is made of it. */
struct parts {
    isa_ref of[4];
};

static bool is_turned(const struct ptx_lower *w, const struct access *x)
{
    return x->is_load && x->bits == 16 && ptx_lowers_for(w, TURN_SINCE_CC);
}

/* Pairs of elements that lie side by side, for a movmatrix; else each element. */
static bool load_parts(struct ptx_lower *w, const struct access *x, uint32_t reg,
                       struct parts *p)
{
    const bool turned = is_turned(w, x);
    isa_ref at;

    for (uint32_t s = 0; s < (turned ? 1 : x->per); s++) {
        if (!address(w, x, turned ? ISA_WMMA_TURNED : ISA_WMMA_ADDRESS, reg, s, &at) ||
            !move(w, x, at, turned ? 4 : x->bits / 8, p->of[s])) {
            return false;
        }
    }
    return true;
}

static bool join_parts(struct ptx_lower *w, const struct access *x,
                       const struct parts *p, isa_ref value)
{
    static const struct isa_form turn = {.op = ISA_OP_MOVMATRIX,
                                         .type = ISA_T_B16,
                                         .sub = ISA_S_TRANS,
                                         .vec = 1};
    const bool turned = is_turned(w, x);
    struct isa_uop u;

    if (turned) {
        ptx_uop_init(w, &u);
        if (!ptx_set_form(w, &u, &turn)) {
            return false;
        }
        u.aside |= ISA_ASIDE_ALL;
    } else {
        begin(w, &u, &x->form);
        u.exec = isa_exec_wmma(ISA_WMMA_PACK);
        u.imm = x->bits;
    }
    u.n_src = (uint8_t)(turned ? 1 : x->per);
    for (uint32_t s = 0; s < u.n_src; s++) {
        u.src[s] = p->of[s];
        ptx_reads(&u, p->of[s], PTX_W32);
    }
    u.dst[0] = value;
    ptx_writes(&u, value, PTX_W32);
    return ptx_uop_add(w, &u);
}

static bool store_parts(struct ptx_lower *w, const struct access *x, uint32_t reg,
                        isa_ref value)
{
    isa_ref at;

    for (uint32_t s = 0; s < x->per; s++) {
        const isa_ref part = ptx_temp(w, PTX_W32);
        struct isa_uop u;

        begin(w, &u, &x->form);
        u.exec = isa_exec_wmma(ISA_WMMA_PART);
        u.imm = (int64_t)x->bits * s;
        u.src[0] = value;
        u.n_src = 1;
        u.dst[0] = part;
        ptx_reads(&u, value, PTX_W32);
        ptx_writes(&u, part, PTX_W32);
        if (!ptx_uop_add(w, &u) || !address(w, x, ISA_WMMA_ADDRESS, reg, s, &at) ||
            !move(w, x, at, x->bits / 8, part)) {
            return false;
        }
    }
    return true;
}

static bool whole_register(struct ptx_lower *w, const struct access *x, uint32_t reg,
                           isa_ref value)
{
    isa_ref at;

    return address(w, x, ISA_WMMA_ADDRESS, reg, 0, &at) &&
           move(w, x, at, x->bits == 64 ? 8 : 4, value);
}

/* The registers of a fragment; a result that is thrown away goes to a temporary. */
static bool registers(struct ptx_lower *w, const struct ptx_opnd *o, enum isa_type type,
                      bool is_result, isa_ref *list)
{
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id] : o;
    const uint32_t n = o->kind == OK_VEC ? o->n : 1;

    for (uint32_t i = 0; i < n; i++) {
        enum ptx_width width = type == ISA_T_F64 ? PTX_W64 : PTX_W32;

        if (is_result) {
            list[i] = e[i].kind == OK_REG ? ptx_reg_ref(w, e[i].id) : ISA_NO_REF;
            list[i] = list[i] == ISA_NO_REF ? ptx_temp(w, width) : list[i];
        } else if (!ptx_source(w, &e[i], type == ISA_T_F64 ? ISA_T_B64 : ISA_T_B32,
                               &list[i], &width)) {
            return false;
        }
    }
    return true;
}

/* Where the matrix begins, and how far apart its rows or columns are. */
static bool place(struct ptx_lower *w, struct access *x, const struct ptx_opnd *o,
                  const struct ptx_opnd *stride)
{
    enum ptx_width width;

    ptx_uop_init(w, &x->where);
    x->where.form.space = x->form.space;
    ptx_lower_address(w, &x->where, o);
    x->base = x->where.addr;
    if (x->base == ISA_NO_REF && !ptx_constant(w, 0, x->where.addr64, &x->base)) {
        return false;
    }
    if (stride != NULL) {
        return ptx_source(w, stride, ISA_T_B32, &x->stride, &width);
    }
    struct isa_at last = {0, 0}; /* without one the rows follow each other */
    const uint32_t n = isa_wmma_regs(&x->form, (enum isa_frag)x->form.frag);

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t i = 0; i < n * x->per; i++) {
            const struct isa_at at = isa_wmma_at(&x->form, (enum isa_frag)x->form.frag,
                                                 lane, i / x->per, i % x->per);

            last.row = at.row > last.row ? at.row : last.row;
            last.col = at.col > last.col ? at.col : last.col;
        }
    }
    return ptx_constant(w,
                        1 + (x->form.layout[0] == ISA_LAYOUT_ROW ? last.col : last.row),
                        false, &x->stride);
}

/* By what is no product of wmma: those read none that holds elements again. */
static bool is_read(struct ptx_lower *w, uint32_t reg)
{
    const struct ptx_ir *const f = w->f;
    struct ptx_access x;

    if (w->fi->is_read == NULL) {
        w->fi->is_read = arena_alloc(w->a, (f->n_vreg + 1) * sizeof(w->fi->is_read[0]));
        memset(w->fi->is_read, 0, (f->n_vreg + 1) * sizeof(w->fi->is_read[0]));
        for (uint32_t i = 0; i < f->n_insn; i++) {
            const struct isa_form *const form = &f->insn[i].form;

            if (form->op == ISA_OP_WMMA && form->sub == ISA_S_MMA) {
                continue;
            }
            ptx_accesses(f, &f->insn[i], &x);
            for (uint32_t k = 0; k < x.n_use; k++) {
                w->fi->is_read[x.use[k]] = true;
            }
        }
    }
    return w->fi->is_read[reg];
}

/* A load need not fill it. */
static bool is_spare(struct ptx_lower *w, const struct ptx_insn *in, uint32_t reg)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id + reg] : o;

    return in->form.sub == ISA_S_LOAD &&
           reg >= isa_wmma_distinct(&in->form, (enum isa_frag)in->form.frag) &&
           (e->kind != OK_REG || !is_read(w, e->id));
}

static bool lower_move(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const bool is_load = in->form.sub == ISA_S_LOAD;
    struct access x = {.in = in, .form = in->form, .is_load = is_load};
    const enum isa_frag frag = (enum isa_frag)in->form.frag;
    const enum isa_type type = isa_wmma_reg_type(&in->form, frag);
    const uint32_t n = isa_wmma_regs(&in->form, frag);
    isa_ref list[PTX_MAX_ELEMS];
    struct parts parts[PTX_MAX_ELEMS];
    bool whole;

    x.bits = isa_type_bits((enum isa_type)in->form.type);
    x.per = x.bits >= 32 ? 1 : 32 / x.bits;
    if (!place(w, &x, &o[is_load], in->n_opnds > 2 ? &o[2] : NULL) ||
        !registers(w, &o[!is_load], type, is_load, list)) {
        return false;
    }
    whole = x.per == 1 || is_in_line(&x);
    for (uint32_t i = 0; is_load && !whole && i < n; i++) {
        for (uint32_t s = 0; s < x.per; s++) {
            parts[i].of[s] = ptx_temp(w, PTX_W32);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t mark = w->next_temp;

        if (!is_spare(w, in, i) && !(whole     ? whole_register(w, &x, i, list[i])
                                     : is_load ? load_parts(w, &x, i, &parts[i])
                                               : store_parts(w, &x, i, list[i]))) {
            return false;
        }
        w->next_temp = i % 4 == 3 ? mark : w->next_temp;
    }
    for (uint32_t i = 0; is_load && !whole && i < n; i++) {
        if (!is_spare(w, in, i) && !join_parts(w, &x, &parts[i], list[i])) {
            return false;
        }
    }
    return true;
}

static bool lower_products(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    isa_ref regs[ISA_N_FRAGS][PTX_MAX_ELEMS];
    struct isa_wmma split;
    struct isa_tile t;

    isa_wmma_split(&in->form, &split);
    isa_tile_of(&split.form, &t);
    for (uint32_t i = 0; i < ISA_N_FRAGS; i++) {
        const enum isa_frag frag = (enum isa_frag)i;

        if (!registers(w, &o[i], isa_wmma_reg_type(&in->form, frag), frag == ISA_FRAG_D,
                       regs[i])) {
            return false;
        }
    }
    for (uint32_t p = 0; p < split.n; p++) {
        isa_ref *const list = arena_alloc(w->a, ISA_TILE_REGS * sizeof(list[0]));
        struct isa_uop u;
        uint32_t n = 0;

        ptx_uop_init(w, &u);
        if (!ptx_set_form(w, &u, &split.form)) {
            return false;
        }
        for (uint32_t i = 0; i < ISA_N_FRAGS; i++) {
            for (uint32_t k = 0; k < t.regs[i]; k++) {
                const isa_ref r = regs[split.from[i]][split.first[p][i] + k];

                list[n++] = r;
                (i == ISA_FRAG_D ? ptx_writes : ptx_reads)(&u, r,
                                                           t.wide ? PTX_W64 : PTX_W32);
            }
        }
        u.tile = list;
        u.aside |= ISA_ASIDE_ALL;
        u.dst[0] = list[0];
        if (!ptx_uop_add(w, &u)) {
            return false;
        }
    }
    return true;
}

bool ptx_lower_wmma(struct ptx_lower *w, const struct ptx_insn *in)
{
    return in->form.sub == ISA_S_MMA ? lower_products(w, in) : lower_move(w, in);
}
