/*
 * Which loads only take what bits are put into (SPEC CHECK-4). A compiler that does not
 * optimise sets a bit field by a load of the word around it, logic, and a store; the
 * first time nobody has written that word, and no thread minds.
 *
 * Of each register there is what becomes of its value, at worst: by a move what
 * becomes of the copy; by logic, by which bits are put together, only whether the
 * result decides something.
 */
#include "ptx/flow_priv.h"

#include <string.h>

enum fate {
    FATE_PARTS,  /* bits of it are stored with others, or nothing is done with it */
    FATE_STORED, /* it is stored as it is */
    FATE_DECIDES /* it is an address, a condition, a number, or leaves the thread */
};

struct inserts {
    const struct ptx_ir *f;
    uint8_t *fate; /* enum fate of each register */
    struct ptx_access *x;
    bool more;
};

/* Where the variables of a thread are, or may be. */
static bool is_own_space(const struct ptx_insn *in)
{
    return in->form.space == ISA_SP_LOCAL || in->form.space == ISA_SP_GENERIC;
}

/* How many operands from the first source on are put together bit by bit; 0: it is no
 * such instruction. */
static uint32_t n_parts(const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_NOT:
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_BFE: return 1;
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_BFI:
    case ISA_OP_PRMT: return 2;
    case ISA_OP_LOP3: return 3;
    default: return 0;
    }
}

static bool is_move(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_MOV ||
           (in->form.op == ISA_OP_CVT && !isa_type_is_float(in->form.type) &&
            !isa_type_is_float(in->form.type2));
}

static void raise_to(struct inserts *p, uint32_t reg, uint8_t fate)
{
    if (p->fate[reg] < fate) {
        p->fate[reg] = fate;
        p->more = true;
    }
}

static void raise_all(struct inserts *p, const struct ptx_opnd *o, uint8_t fate)
{
    const bool list = o->kind == OK_VEC || o->kind == OK_PAIR;

    for (uint32_t k = 0; k < (list ? o->n : 1u); k++) {
        const struct ptx_opnd *const e = list ? &p->f->opnd[o->id + k] : o;

        if (e->kind == OK_REG || (e->kind == OK_ADDR && e->sub == OK_REG)) {
            raise_to(p, e->id, fate);
        }
    }
}

/* The worst of what the instruction writes. */
static uint8_t fate_of_results(const struct inserts *p)
{
    uint8_t worst = FATE_PARTS;

    for (uint32_t k = 0; k < p->x->n_def; k++) {
        worst = p->fate[p->x->def[k]] > worst ? p->fate[p->x->def[k]] : worst;
    }
    return worst;
}

static void look(struct inserts *p, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &p->f->opnd[in->opnd];
    uint32_t parts; /* operands from the second on whose fate is not to decide */
    uint8_t fate = FATE_DECIDES;

    ptx_accesses(p->f, in, p->x);
    if (in->form.op == ISA_OP_ST && is_own_space(in)) {
        parts = 1;
        fate = FATE_STORED;
    } else if (is_move(in)) {
        parts = 1;
        fate = fate_of_results(p);
    } else if ((parts = n_parts(in)) != 0) {
        fate = fate_of_results(p) == FATE_DECIDES ? FATE_DECIDES : FATE_PARTS;
    }
    if (parts == 0) {
        for (uint32_t k = 0; k < p->x->n_use; k++) {
            raise_to(p, p->x->use[k], FATE_DECIDES);
        }
        return;
    }
    if (in->guard != PTX_NONE) {
        raise_to(p, in->guard, FATE_DECIDES);
    }
    for (uint32_t i = in->form.op == ISA_OP_ST ? 0 : 1; i < in->n_opnds; i++) {
        raise_all(p, &o[i], i >= 1 && i <= parts ? fate : FATE_DECIDES);
    }
}

void ptx_flow_inserts(struct arena *a, struct ptx_ir *f)
{
    struct inserts p = {.f = f, .more = true};

    if (f->local_bytes == 0) {
        return;
    }
    p.fate = arena_alloc(a, f->n_vreg + 1);
    p.x = arena_alloc(a, sizeof(*p.x));
    memset(p.fate, FATE_PARTS, f->n_vreg + 1);
    while (p.more) {
        p.more = false;
        for (uint32_t i = f->n_insn; i > 0; i--) { /* results before what they are of */
            look(&p, &f->insn[i - 1]);
        }
    }
    for (uint32_t i = 0; i < f->n_insn; i++) {
        struct ptx_insn *const in = &f->insn[i];

        if (in->form.op == ISA_OP_LD && is_own_space(in)) {
            ptx_accesses(f, in, p.x);
            in->inserts = fate_of_results(&p) == FATE_PARTS;
        }
    }
}
