/* Calls, and parameters of functions. */
#include "ptx/flow.h"

static bool check_argument(struct ptx_check *c, const struct ptx_pvar *formal)
{
    const struct ptx_pvar *v;

    c->type = formal->p.type;
    if (c->o->kind != OK_PARAM) {
        if (formal->p.size != ptx_type_bits(formal->p.type) / 8) {
            return ptx_refuse_opnd(c, "'%s' has %u bytes: pass a .param variable",
                                   formal->p.name, formal->p.size);
        }
        return formal->is_ret ? ptx_check_dst(c, true) : ptx_check_src(c, true);
    }
    v = &c->p->fn->pvar[c->o->id];
    if (v->is_own || c->o->value != 0) {
        return ptx_refuse_opnd(c, "pass a .param variable of the caller");
    }
    if (v->p.size != formal->p.size) {
        return ptx_refuse_opnd(c, "'%s' has %u bytes, '%s' wants %u", v->p.name,
                               v->p.size, formal->p.name, formal->p.size);
    }
    return true;
}

bool ptx_check_call(struct ptx_parser *p, const struct ptx_insn *in)
{
    const struct ptx_ir *const g = p->pr->fn[in->callee];
    const struct ptx_tok t = {.line = in->line,
                              .column = in->column,
                              .width = 4 /* call */};
    struct ptx_check c = {.p = p, .in = in};

    if (in->n_rets != g->n_rets || in->n_call - in->n_rets != g->n_params) {
        return ptx_fail(p, &t, "'%s' has %u results and %u parameters, not %u and %u",
                        g->name, g->n_rets, g->n_params, in->n_rets,
                        in->n_call - in->n_rets);
    }
    for (uint32_t i = 0; i < in->n_call; i++) {
        c.o = &p->fn->opnd[in->opnd + i];
        if (!check_argument(&c, &g->pvar[i])) {
            return false;
        }
    }
    return true;
}

/* ---- parameters of functions through registers ---- */

/* mov.b64 %rd, param: the operand that says so, NULL if in is something else. */
static const struct ptx_opnd *takes_address(const struct ptx_ir *f,
                                            const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &f->opnd[in->opnd];

    return in->form.op == PTX_OP_MOV && o[0].kind == OK_REG && o[1].kind == OK_PARAM &&
                   in->guard == PTX_NONE
               ? &o[1]
               : NULL;
}

/* Of each register: what it always holds the address of, NULL: nothing known. */
static const struct ptx_opnd **find_bases(struct ptx_parser *p)
{
    const struct ptx_ir *const f = p->fn;
    const struct ptx_opnd **const base =
        arena_alloc(p->a, (f->n_vreg + 1) * sizeof(base[0]));
    uint32_t *const n_def = arena_alloc(p->a, (f->n_vreg + 1) * sizeof(n_def[0]));
    struct ptx_access x;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_opnd *const o = takes_address(f, &f->insn[i]);

        ptx_accesses(f, &f->insn[i], &x);
        for (uint32_t k = 0; k < x.n_def; k++) {
            n_def[x.def[k]]++;
        }
        if (o != NULL) {
            base[x.def[0]] = o;
        }
    }
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        base[r] = n_def[r] == 1 ? base[r] : NULL;
    }
    return base;
}

bool ptx_check_bases(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    const struct ptx_opnd **base = NULL;

    for (uint32_t i = 0; i < f->n_insn && !f->is_kernel; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        struct ptx_check c = {.p = p, .in = in, .type = (enum ptx_type)in->form.type};
        struct ptx_opnd *o;

        if (in->form.space != PTX_SP_PARAM ||
            (in->form.op != PTX_OP_LD && in->form.op != PTX_OP_ST)) {
            continue;
        }
        o = &f->opnd[in->opnd + (in->form.op == PTX_OP_LD ? 1 : 0)];
        c.o = o;
        if (o->sub != OK_REG) {
            continue;
        }
        base = base == NULL ? find_bases(p) : base;
        if (base[o->id] == NULL) {
            return ptx_refuse_opnd(&c, "parameters of a .func are addressed by name");
        }
        o->value += base[o->id]->value;
        o->sub = OK_PARAM;
        o->id = base[o->id]->id;
        if (!ptx_check_param_address(&c)) {
            return false;
        }
    }
    return true;
}
