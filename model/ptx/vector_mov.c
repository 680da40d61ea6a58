/*
 * vector_mov.c - mov.v2 and mov.v4 become one mov for each element. All are read before
 * one is written: what an earlier one has written lies in a register of its own first.
 */
#include "ptx/ptx_priv.h"

struct move {
    struct ptx_parser *p;
    const struct ptx_insn *in; /* the whole */
    struct ptx_insn one;       /* as one of its parts begins */
};

static bool add(struct move *m, struct ptx_opnd to, struct ptx_opnd from)
{
    struct ptx_ir *const f = m->p->fn;
    struct ptx_insn in = m->one;

    in.opnd = f->n_opnd;
    *PTX_PUSH(m->p->a, f->opnd, f->n_opnd, f->cap_opnd) = to;
    *PTX_PUSH(m->p->a, f->opnd, f->n_opnd, f->cap_opnd) = from;
    if (!ptx_check(m->p, &in)) {
        return false;
    }
    *PTX_PUSH(m->p->a, f->insn, f->n_insn, f->cap_insn) = in;
    return true;
}

static struct ptx_opnd element(const struct ptx_ir *f, const struct ptx_opnd *o,
                               uint32_t i)
{
    struct ptx_opnd e = f->opnd[o->id + i];

    e.line = o->line; /* of a register that is a vector */
    e.column = o->column;
    e.width = o->width;
    return e;
}

/* Is what element i has before the move in a register that an earlier one writes? */
static bool is_written(const struct ptx_ir *f, const struct ptx_opnd *o, uint32_t i)
{
    const struct ptx_opnd *const from = &f->opnd[o[1].id + i];
    bool written = false;

    for (uint32_t k = 0; k < i; k++) {
        const struct ptx_opnd *const to = &f->opnd[o[0].id + k];

        written |= from->kind == OK_REG && to->kind == OK_REG && to->id == from->id;
    }
    return written;
}

static struct ptx_opnd fresh(struct move *m)
{
    struct ptx_ir *const f = m->p->fn;

    *PTX_PUSH(m->p->a, f->vreg, f->n_vreg, f->cap_vreg) =
        (struct ptx_vreg){"%mov", 4, PTX_NONE, m->one.form.type};
    return (struct ptx_opnd){.kind = OK_REG, .id = f->n_vreg - 1};
}

bool ptx_vector_mov(struct ptx_parser *p, const struct ptx_insn *in)
{
    struct ptx_ir *const f = p->fn;
    const struct ptx_opnd o[2] = {f->opnd[in->opnd], f->opnd[in->opnd + 1]};
    struct move m = {p, in, *in};
    struct ptx_opnd from[4];

    m.one.form.vec = 1;
    for (m.one.row = 0; ptx_rows[m.one.row].op != ISA_OP_MOV; m.one.row++) {
    }
    for (uint32_t i = 0; i < in->form.vec; i++) {
        from[i] = element(f, &o[1], i);
        if (is_written(f, o, i)) {
            const struct ptx_opnd temp = fresh(&m);

            if (!add(&m, temp, from[i])) {
                return false;
            }
            from[i] = temp;
        }
    }
    for (uint32_t i = 0; i < in->form.vec; i++) {
        const struct ptx_opnd to = element(f, &o[0], i);

        if (to.kind != OK_SINK && !add(&m, to, from[i])) {
            return false;
        }
    }
    return true;
}
