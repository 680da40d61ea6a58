/* Calls, and parameters of functions. */
#include "ptx/flow_priv.h"

static bool check_argument(struct ptx_check *c, const struct ptx_pvar *formal)
{
    const struct ptx_pvar *v;

    c->type = formal->p.type;
    if (c->o->kind != OK_PARAM) {
        if (formal->p.type != ISA_T_PRED &&
            formal->p.size != isa_type_bits(formal->p.type) / 8) {
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

bool ptx_check_call(struct ptx_parser *p, const struct ptx_insn *in,
                    const struct ptx_ir *g)
{
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

    return in->form.op == ISA_OP_MOV && o[0].kind == OK_REG && o[1].kind == OK_PARAM &&
                   in->guard == PTX_NONE
               ? &o[1]
               : NULL;
}

/* The address of some parameter is taken. */
static bool some_address(const struct ptx_ir *f)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        if (takes_address(f, &f->insn[i]) != NULL) {
            return true;
        }
    }
    return false;
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

/* Registers that some instruction reads. */
static const bool *find_uses(struct ptx_parser *p)
{
    const struct ptx_ir *const f = p->fn;
    bool *const used = arena_alloc(p->a, f->n_vreg + 1);
    struct ptx_access x;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        ptx_accesses(f, &f->insn[i], &x);
        for (uint32_t k = 0; k < x.n_use; k++) {
            used[x.use[k]] = true;
        }
    }
    return used;
}

/* The local variable that holds parameter v, made on first use; in whole words, as the
 * area it is copied from. */
static uint32_t local_copy(struct ptx_parser *p, struct ptx_pvar *v)
{
    struct ptx_ir *const f = p->fn;
    const uint32_t align = v->p.align > 4 ? v->p.align : 4;
    const uint32_t bytes = (v->p.size + 3) & ~3u;

    if (v->local == PTX_NONE) {
        f->local_bytes = (f->local_bytes + align - 1) & ~(align - 1);
        v->local = f->n_local;
        *PTX_PUSH(p->a, f->local, f->n_local, f->cap_local) =
            (struct ptx_local){v->s, v->len, f->local_bytes, bytes, align};
        f->local_bytes += bytes;
    }
    return v->local;
}

/* A parameter whose address is computed with lives in local memory: the address is of
 * that space, and loads by name go there too. */
static bool move_to_local(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    const bool *used = NULL;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        struct ptx_opnd *const o = &f->opnd[in->opnd];
        const struct ptx_check c = {.p = p,
                                    .in = in,
                                    .o = &o[1],
                                    .type = (enum isa_type)in->form.type};

        if (in->form.op != ISA_OP_MOV || o[0].kind != OK_REG || o[1].kind != OK_PARAM) {
            continue;
        }
        used = used == NULL ? find_uses(p) : used;
        if (!used[o[0].id]) {
            continue;
        }
        if (f->pvar[o[1].id].is_ret) {
            return ptx_refuse_opnd(&c,
                                   "the address of the result of a .func is no value");
        }
        o[1].id = local_copy(p, &f->pvar[o[1].id]);
        o[1].kind = OK_LOCAL;
    }
    for (uint32_t i = 0; i < f->n_insn && used != NULL; i++) {
        struct ptx_insn *const in = &f->insn[i];
        struct ptx_opnd *const o = &f->opnd[in->opnd + 1];

        if (in->form.op == ISA_OP_LD && in->form.space == ISA_SP_PARAM &&
            o->sub == OK_PARAM && f->pvar[o->id].local != PTX_NONE) {
            in->form.space = ISA_SP_LOCAL;
            o->sub = OK_LOCAL;
            o->id = f->pvar[o->id].local;
        }
    }
    return true;
}

bool ptx_check_bases(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    const struct ptx_opnd **base = NULL;
    bool computes = false;

    for (uint32_t i = 0; i < f->n_insn && !f->is_kernel; i++) {
        struct ptx_insn *const in = &f->insn[i];
        struct ptx_check c = {.p = p, .in = in, .type = (enum isa_type)in->form.type};
        struct ptx_opnd *o;

        if (in->form.space != ISA_SP_PARAM ||
            (in->form.op != ISA_OP_LD && in->form.op != ISA_OP_ST)) {
            continue;
        }
        o = &f->opnd[in->opnd + (in->form.op == ISA_OP_LD ? 1 : 0)];
        c.o = o;
        if (o->sub != OK_REG) {
            continue;
        }
        if (base == NULL) {
            base = find_bases(p);
            computes = some_address(f);
        }
        if (base[o->id] == NULL && in->form.op == ISA_OP_LD && computes) {
            in->form.space = ISA_SP_LOCAL; /* computed: move_to_local() */
            continue;
        }
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
    return f->is_kernel || move_to_local(p);
}
