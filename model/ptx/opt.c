/* What the passes share, and their order. */
#include "ptx/opt_priv.h"

#include <string.h>

enum { MAX_BETWEEN = 256 }; /* instructions looked through for a write */

void ptx_opt_look(struct ptx_opt *o)
{
    const struct ptx_ir *const f = o->f;
    const size_t regs = (f->n_vreg + 1) * sizeof(uint32_t);

    ptx_flow_build(o->a, f, &o->flow);
    ptx_live_build(o->a, f, &o->flow, &o->live);
    memset(o->n_def, 0, regs);
    memset(o->n_use, 0, regs);
    memset(o->def, 0xff, regs);
    for (uint32_t i = 0; i < f->n_insn; i++) {
        ptx_accesses(f, &f->insn[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            o->n_def[o->x.def[k]]++;
            o->def[o->x.def[k]] = i;
        }
        for (uint32_t k = 0; k < o->x.n_use; k++) {
            o->n_use[o->x.use[k]]++;
        }
    }
}

/* A register that is live from the start holds a parameter, or is read unwritten by
 * some path. With one write and no such path, the write comes before every reading. */
bool ptx_opt_is_value(const struct ptx_opt *o, uint32_t reg)
{
    return o->n_def[reg] == 1 && o->live.start[reg] > 0 &&
           (o->f->insn[o->def[reg]].guard == PTX_NONE ||
            o->f->insn[o->def[reg]].is_fresh);
}

uint32_t ptx_opt_made_for(const struct ptx_opt *o, const struct ptx_opnd *v)
{
    if (v->kind != OK_REG || v->neg || o->n_use[v->id] != 1 ||
        !ptx_opt_is_value(o, v->id) || o->gone[o->def[v->id]]) {
        return PTX_NONE;
    }
    return o->def[v->id];
}

void ptx_opt_take_in(struct ptx_opt *o, uint32_t at)
{
    o->n_use[o->f->opnd[o->f->insn[at].opnd].id]--;
    o->gone[at] = true;
}

bool ptx_opt_is_written(struct ptx_opt *o, uint32_t reg, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        ptx_accesses(o->f, &o->f->insn[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            if (o->x.def[k] == reg) {
                return true;
            }
        }
    }
    return false;
}

bool ptx_opt_holds(struct ptx_opt *o, const struct ptx_opnd *v, uint32_t from,
                   uint32_t to)
{
    if (v->kind == OK_IMM || v->kind == OK_SYM) {
        return true;
    }
    if (v->kind != OK_REG) {
        return false;
    }
    return ptx_opt_is_value(o, v->id) ||
           (from <= to && to - from <= MAX_BETWEEN &&
            o->flow.block_of[from] == o->flow.block_of[to] &&
            !ptx_opt_is_written(o, v->id, from, to));
}

uint32_t ptx_opt_operands(struct ptx_opt *o, uint32_t n)
{
    const uint32_t first = o->f->n_opnd;

    for (uint32_t i = 0; i < n; i++) {
        *PTX_PUSH(o->a, o->f->opnd, o->f->n_opnd, o->f->cap_opnd) =
            (struct ptx_opnd){0};
    }
    return first;
}

uint32_t ptx_opt_register(struct ptx_opt *o, enum isa_type type)
{
    *PTX_PUSH(o->a, o->f->vreg, o->f->n_vreg, o->f->cap_vreg) =
        (struct ptx_vreg){.s = "", .number = PTX_NONE, .type = type};
    return o->f->n_vreg - 1;
}

uint16_t ptx_opt_row(enum isa_op op, const char *operands)
{
    uint16_t row = 0;

    while (ptx_rows[row].op != op || strcmp(ptx_rows[row].operands, operands) != 0) {
        row++;
    }
    return row;
}

void ptx_opt_sweep(struct ptx_opt *o)
{
    struct ptx_ir *const f = o->f;
    const uint32_t n_old = f->n_insn;
    struct ptx_insn *const old = f->insn;
    uint32_t *const now = arena_alloc(o->a, (n_old + 1) * sizeof(now[0]));
    uint32_t *const first = arena_alloc(o->a, (n_old + 1) * sizeof(first[0]));
    uint32_t *const next = arena_alloc(o->a, (n_old + 1) * sizeof(next[0]));

    memset(first, 0xff, (n_old + 1) * sizeof(first[0]));
    for (uint32_t i = n_old; i > 0; i--) { /* lists in the order of the text */
        if (o->to[i - 1] != PTX_NONE) {
            next[i - 1] = first[o->to[i - 1]];
            first[o->to[i - 1]] = i - 1;
        }
    }
    f->insn = arena_alloc(o->a, (n_old + 1) * sizeof(f->insn[0]));
    f->n_insn = 0;
    for (uint32_t i = 0; i <= n_old; i++) {
        for (uint32_t k = first[i]; k != PTX_NONE; k = next[k]) {
            f->insn[f->n_insn++] = old[k];
        }
        now[i] = f->n_insn;
        if (i < n_old && !o->gone[i] && o->to[i] == PTX_NONE) {
            f->insn[f->n_insn++] = old[i];
        }
    }
    for (uint32_t i = 0; i < f->n_label; i++) {
        f->label[i].at = now[f->label[i].at];
    }
    memset(o->gone, 0, n_old * sizeof(o->gone[0]));
    memset(o->to, 0xff, n_old * sizeof(o->to[0]));
    f->cap_insn = n_old;
}

/* ---- what nobody reads ---- */

bool ptx_opt_is_simple(const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_FMA:
    case ISA_OP_MIN:
    case ISA_OP_MAX:
    case ISA_OP_ABS:
    case ISA_OP_NEG:
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_NOT:
    case ISA_OP_LOP3:
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_SHF:
    case ISA_OP_PRMT:
    case ISA_OP_BFE:
    case ISA_OP_BFI:
    case ISA_OP_SETP:
    case ISA_OP_SELP:
    case ISA_OP_CVT:
    case ISA_OP_CVTA: return (in->form.flags & (ISA_F_CC_IN | ISA_F_CC_OUT)) == 0;
    default: return false;
    }
}

/* Who has to come is said by the text: there is nothing to wait for that the
 * assembler does not know. */
static bool knows_members(const struct ptx_ir *f, const struct ptx_insn *in)
{
    return (in->form.flags & ISA_F_SYNC) == 0 ||
           f->opnd[in->opnd + in->n_opnds - 1u].kind == OK_IMM;
}

/* Whether an instruction does nothing but write registers. To an assembler that is so
 * of shuffles and votes as well, and of a clock that is read; divisions and roots that
 * call a routine stay, as in what ptxas 13.0 writes for sm_90. */
static bool only_computes(const struct ptx_ir *f, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &f->opnd[in->opnd];
    struct isa_selected s;

    switch ((enum isa_op)in->form.op) {
    case ISA_OP_LD:
        return in->form.space == ISA_SP_PARAM && o[1].sub == OK_PARAM && f->is_kernel &&
               f->pvar[o[1].id].is_own;
    case ISA_OP_MOV: return true;
    case ISA_OP_RCP:
    case ISA_OP_SQRT:
    case ISA_OP_DIV:
    case ISA_OP_REM:
        return in->form.round == ISA_R_NONE && isa_type_bits(in->form.type) <= 32;
    case ISA_OP_MBARRIER:
    case ISA_OP_WGMMA: return false;
    default:
        return (in->form.flags & (ISA_F_CC_IN | ISA_F_CC_OUT)) == 0 &&
               knows_members(f, in) && isa_select(&in->form, &s);
    }
}

/* Whether somebody reads a result of instruction i, which has one. */
static bool is_read(struct ptx_opt *o, uint32_t i)
{
    bool read = false;

    ptx_accesses(o->f, &o->f->insn[i], &o->x);
    for (uint32_t k = 0; k < o->x.n_def; k++) {
        read |= o->n_use[o->x.def[k]] > 0;
    }
    return read || o->x.n_def == 0;
}

/* The predicate beside a result, as that of a shuffle, is not even written if nobody
 * reads it: others would wait for it. */
static void drop_beside(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        const struct ptx_opnd *const d = &o->f->opnd[o->f->insn[i].opnd];
        struct ptx_opnd *beside;

        if (o->f->insn[i].n_opnds == 0 || d->kind != OK_PAIR) {
            continue;
        }
        beside = &o->f->opnd[d->id + 1];
        if (beside->kind == OK_REG && o->n_use[beside->id] == 0) {
            beside->kind = OK_SINK;
        }
    }
}

void ptx_opt_dead(struct ptx_opt *o)
{
    bool more = true;

    while (more) {
        more = false;
        for (uint32_t i = o->f->n_insn; i > 0; i--) {
            if (o->gone[i - 1] || is_read(o, i - 1) ||
                !only_computes(o->f, &o->f->insn[i - 1])) {
                continue;
            }
            for (uint32_t k = 0; k < o->x.n_use; k++) {
                o->n_use[o->x.use[k]]--;
            }
            o->gone[i - 1] = true;
            more = true;
        }
    }
    drop_beside(o);
}

void ptx_opt_room(struct ptx_opt *o)
{
    const size_t regs = (o->f->n_vreg + 1) * sizeof(uint32_t);
    const size_t insns = o->f->n_insn + 1;

    o->n_def = arena_alloc(o->a, regs);
    o->n_use = arena_alloc(o->a, regs);
    o->def = arena_alloc(o->a, regs);
    o->gone = arena_alloc(o->a, insns * sizeof(o->gone[0]));
    o->to = arena_alloc(o->a, insns * sizeof(o->to[0]));
    memset(o->to, 0xff, insns * sizeof(o->to[0]));
}

struct ptx_opt *ptx_opt_new(struct arena *a, const struct ptx_private *pr, uint32_t cc,
                            struct ptx_ir *f)
{
    struct ptx_opt *const o = arena_alloc(a, sizeof(*o));

    o->a = a;
    o->pr = pr;
    o->cc = cc;
    o->f = f;
    ptx_opt_room(o);
    return o;
}

void ptx_opt_all(struct arena *a, const struct ptx_private *pr,
                 const struct ptx_target *target, const struct ptx_kernel *kernel,
                 struct ptx_ir *f)
{
    static void (*const passes[])(struct ptx_opt *) = {
        ptx_opt_hoist,  ptx_opt_copies,   ptx_opt_products,  ptx_opt_multiply_add,
        ptx_opt_dead,   ptx_opt_contract, ptx_opt_compare,   ptx_opt_dead,
        ptx_opt_unroll, ptx_opt_funnel,   ptx_opt_logic,     ptx_opt_offsets,
        ptx_opt_copies, ptx_opt_dead,     ptx_opt_addresses, ptx_opt_atomics,
        ptx_opt_dead,   ptx_opt_jumps,    ptx_opt_branches,  ptx_opt_rise,
        ptx_opt_wide,   ptx_opt_sums,     ptx_opt_divisors,
    };
    struct ptx_opt *const o = ptx_opt_new(a, pr, target->cc, f);

    o->kernel = kernel;
    o->fmad = target->fmad;
    o->max_words = ptx_free_words(target);
    for (uint32_t i = 0; i < ARRAY_LEN(passes); i++) {
        ptx_opt_look(o);
        passes[i](o);
        ptx_opt_sweep(o);
    }
    ptx_opt_look(o);
    ptx_opt_overhead(o);
}
