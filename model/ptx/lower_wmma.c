/*
 * wmma: its products become those of mma; its loads and stores become, for each
 * register, an address and an access, and where the elements of a register do not lie
 * side by side in memory, one for each element. Elements of 16 bits are loaded side by
 * side all the same since 7.5, and turned in registers, as machine code does.
 */
#include "isa/tile.h"
#include "ptx/lower_priv.h"

enum { TURN_SINCE_CC = 75 }; /* movmatrix */

struct access { /* a load or a store being lowered */
    const struct ptx_insn *in;
    struct isa_form form; /* frag: the matrix that is moved */
    struct isa_uop where; /* an access without values */
    isa_ref base, stride;
    bool is_load;
    uint32_t bits;  /* of an element */
    uint32_t per;   /* elements of a register */
    uint32_t parts; /* accesses for a register */
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

/* The elements of a register one by one. */
static bool scattered(struct ptx_lower *w, const struct access *x, uint32_t reg,
                      isa_ref value)
{
    struct isa_uop pack;
    isa_ref at;

    begin(w, &pack, &x->form);
    pack.exec = isa_exec_wmma(ISA_WMMA_PACK);
    pack.imm = x->bits;
    pack.n_src = (uint8_t)x->per;
    for (uint32_t s = 0; s < x->per; s++) {
        const isa_ref part = ptx_temp(w, PTX_W32);
        struct isa_uop u;

        if (!x->is_load) {
            begin(w, &u, &x->form);
            u.exec = isa_exec_wmma(ISA_WMMA_PART);
            u.imm = (int64_t)x->bits * s;
            u.src[0] = value;
            u.n_src = 1;
            u.dst[0] = part;
            ptx_reads(&u, value, PTX_W32);
            ptx_writes(&u, part, PTX_W32);
            if (!ptx_uop_add(w, &u)) {
                return false;
            }
        }
        if (!address(w, x, ISA_WMMA_ADDRESS, reg, s, &at) ||
            !move(w, x, at, x->bits / 8, part)) {
            return false;
        }
        pack.src[s] = part;
        ptx_reads(&pack, part, PTX_W32);
    }
    pack.dst[0] = value;
    ptx_writes(&pack, value, PTX_W32);
    return !x->is_load || ptx_uop_add(w, &pack);
}

/* Pairs of elements that lie side by side, and a movmatrix that turns the 8 by 8. */
static bool turned(struct ptx_lower *w, const struct access *x, uint32_t reg,
                   isa_ref value)
{
    static const struct isa_form form = {.op = ISA_OP_MOVMATRIX,
                                         .type = ISA_T_B16,
                                         .sub = ISA_S_TRANS,
                                         .vec = 1};
    const isa_ref loaded = ptx_temp(w, PTX_W32);
    struct isa_uop u;
    isa_ref at;

    if (!address(w, x, ISA_WMMA_TURNED, reg, 0, &at) || !move(w, x, at, 4, loaded)) {
        return false;
    }
    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &form)) {
        return false;
    }
    u.src[0] = loaded;
    u.n_src = 1;
    u.dst[0] = value;
    u.aside |= ISA_ASIDE_ALL;
    ptx_reads(&u, loaded, PTX_W32);
    ptx_writes(&u, value, PTX_W32);
    return ptx_uop_add(w, &u);
}

/* One register of the fragment. */
static bool one_register(struct ptx_lower *w, const struct access *x, uint32_t reg,
                         isa_ref value)
{
    isa_ref at;

    if (x->per == 1 || is_in_line(x)) {
        return address(w, x, ISA_WMMA_ADDRESS, reg, 0, &at) &&
               move(w, x, at, x->bits == 64 ? 8 : 4, value);
    }
    return x->is_load && x->bits == 16 && w->target != NULL &&
                   w->target->cc >= TURN_SINCE_CC
               ? turned(w, x, reg, value)
               : scattered(w, x, reg, value);
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

static bool lower_move(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const bool is_load = in->form.sub == ISA_S_LOAD;
    struct access x = {.in = in, .form = in->form, .is_load = is_load};
    const enum isa_frag frag = (enum isa_frag)in->form.frag;
    const enum isa_type type = isa_wmma_reg_type(&in->form, frag);
    isa_ref list[PTX_MAX_ELEMS];

    x.bits = isa_type_bits((enum isa_type)in->form.type);
    x.per = x.bits >= 32 ? 1 : 32 / x.bits;
    if (!place(w, &x, &o[is_load], in->n_opnds > 2 ? &o[2] : NULL) ||
        !registers(w, &o[!is_load], type, is_load, list)) {
        return false;
    }
    for (uint32_t i = 0; i < isa_wmma_regs(&in->form, frag); i++) {
        const uint32_t mark = w->next_temp;

        if (!one_register(w, &x, i, list[i])) {
            return false;
        }
        w->next_temp = i % 4 == 3 ? mark : w->next_temp;
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
