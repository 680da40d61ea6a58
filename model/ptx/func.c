/* Functions: header, body, labels. */
#include "ptx/ptx_priv.h"

#include <stdio.h>
#include <string.h>

/* ---- header ---- */

static void place_params(struct ptx_ir *f)
{
    const uint32_t unit = f->is_kernel ? 1 : 4;
    uint32_t at = 0;

    for (uint32_t i = 0; i < f->n_pvar; i++) {
        struct ptx_param *const q = &f->pvar[i].p;
        const uint32_t align = q->align > unit ? q->align : unit;

        at = (at + align - 1) & ~(align - 1);
        q->offset = at;
        at += (q->size + unit - 1) & ~(unit - 1);
    }
    f->param_bytes = at;
    f->area_words = f->is_kernel ? 0 : (at + 3) / 4;
}

static bool header_param(struct ptx_parser *p, bool is_ret)
{
    struct ptx_ir *const f = p->fn;
    const struct ptx_tok head = p->lex.t;
    struct ptx_pvar v;
    bool in_reg = false;

    if (ptx_accept_dot(p, "reg")) {
        if (f->is_kernel) {
            return ptx_fail(p, &head, "parameters of a kernel are in .param space");
        }
        in_reg = true;
    } else if (!ptx_accept_dot(p, "param")) {
        return ptx_fail(p, &head, "expected .param or .reg");
    }
    if (!ptx_param_decl(p, &v, true)) {
        return false;
    }
    if (v.p.type == ISA_T_PRED && !in_reg) {
        return ptx_fail(p, &head, "a parameter cannot be a predicate");
    }
    v.is_own = true;
    v.is_ret = is_ret;
    if (in_reg) {
        v.reg = f->n_vreg;
        *PTX_PUSH(p->a, f->vreg, f->n_vreg, f->cap_vreg) =
            (struct ptx_vreg){v.s, v.len, PTX_NONE, (uint8_t)v.p.type};
    }
    *PTX_PUSH(p->a, f->pvar, f->n_pvar, f->cap_pvar) = v;
    return true;
}

/* Parameters become names when the function has got its own. */
static bool declare_params(struct ptx_parser *p)
{
    const struct ptx_ir *const f = p->fn;

    for (uint32_t i = 0; i < f->n_pvar; i++) {
        const struct ptx_pvar *const v = &f->pvar[i];
        const struct ptx_tok t = {.s = v->s,
                                  .len = v->len,
                                  .line = v->line,
                                  .column = v->column,
                                  .width = v->len,
                                  .kind = TK_ID};

        if ((v->len != 1 || *v->s != '_') &&
            !(v->reg != PTX_NONE ? ptx_declare(p, &t, NK_REG, v->reg)
                                 : ptx_declare(p, &t, NK_PARAM, i))) {
            return false;
        }
    }
    return true;
}

static bool header_params(struct ptx_parser *p, bool is_ret)
{
    if (!ptx_accept(p, '(')) {
        return true;
    }
    if (ptx_accept(p, ')')) {
        return true;
    }
    do {
        if (!header_param(p, is_ret)) {
            return false;
        }
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ')');
}

bool ptx_prototype(struct ptx_parser *p, struct ptx_ir **out)
{
    struct ptx_ir *const proto = arena_alloc(p->a, sizeof(*proto));
    struct ptx_ir *const f = p->fn;
    const struct ptx_tok t = p->lex.t;
    bool ok;

    proto->alias = PTX_NONE;
    p->fn = proto;
    ok = header_params(p, true);
    proto->n_rets = proto->n_pvar;
    if (ok && p->lex.t.kind == TK_ID) { /* the name, by which nothing is meant */
        ptx_lex_advance(&p->lex);
    }
    ok = ok && header_params(p, false);
    proto->n_params = proto->n_pvar - proto->n_rets;
    place_params(proto);
    p->fn = f;
    if (ok && proto->param_bytes > PTX_MAX_PARAMS) {
        return ptx_fail(p, &t, "parameters of more than %d bytes", PTX_MAX_PARAMS);
    }
    *out = proto;
    (void)(ok && ptx_accept_dot(p, "noreturn"));
    return ok && ptx_expect(p, ';');
}

static bool triple(struct ptx_parser *p, uint32_t v[3])
{
    uint32_t n = 0;

    v[1] = 1;
    v[2] = 1;
    do {
        const struct ptx_tok t = p->lex.t;

        if (n == 3) {
            return ptx_fail(p, &t, "at most three numbers");
        }
        if (!ptx_const_u32(p, UINT32_MAX, &v[n]) ||
            (v[n] == 0 && !ptx_fail(p, &t, "expected a positive number"))) {
            return false;
        }
        n++;
    } while (ptx_accept(p, ','));
    return true;
}

static bool header_directives(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    uint32_t ignored;

    while (p->lex.t.kind == TK_DOT) {
        const struct ptx_tok t = p->lex.t;
        bool ok;

        if (ptx_accept_dot(p, "maxntid")) {
            ok = triple(p, f->maxntid);
        } else if (ptx_accept_dot(p, "reqntid")) {
            ok = triple(p, f->reqntid);
        } else if (ptx_accept_dot(p, "minnctapersm")) {
            ok = ptx_const_u32(p, UINT32_MAX, &f->minnctapersm);
        } else if (ptx_accept_dot(p, "maxnctapersm")) {
            ok = ptx_const_u32(p, UINT32_MAX, &ignored);
        } else if (ptx_accept_dot(p, "maxclusterrank")) {
            ok = ptx_const_u32(p, UINT32_MAX, &f->max_cluster);
        } else if (ptx_accept_dot(p, "explicitcluster")) {
            ok = f->explicit_cluster = true;
        } else if (ptx_accept_dot(p, "reqnctapercluster")) {
            ok = triple(p, f->cluster);
        } else if (ptx_accept_dot(p, "maxnreg")) {
            ok = ptx_const_u32(p, UINT32_MAX, &f->maxnreg);
        } else if (ptx_accept_dot(p, "noreturn")) {
            ok = true;
        } else {
            static const char *const names[] = {"maxntid", "reqntid",  "minnctapersm",
                                                "maxnreg", "noreturn", "pragma"};
            ok = ptx_tok_is(&t, TK_DOT, "pragma")
                     ? ptx_body_directive(p)
                     : ptx_fail_near(p, &t, "unknown directive", names,
                                     ARRAY_LEN(names));
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---- body ---- */

static bool call_param(struct ptx_parser *p)
{
    struct ptx_ir *const f = p->fn;
    struct ptx_pvar v;
    struct ptx_tok t = p->lex.t;

    if (!ptx_param_decl(p, &v, false)) {
        return false;
    }
    *PTX_PUSH(p->a, f->pvar, f->n_pvar, f->cap_pvar) = v;
    t.s = v.s;
    t.len = v.len;
    t.line = v.line;
    t.column = v.column;
    t.width = v.len;
    return ptx_declare(p, &t, NK_PARAM, f->n_pvar - 1) && ptx_expect(p, ';');
}

static bool body_declaration(struct ptx_parser *p)
{
    bool is_extern = false;

    while (ptx_accept_dot(p, "visible") || ptx_accept_dot(p, "weak") ||
           ptx_tok_is(&p->lex.t, TK_DOT, "extern")) {
        is_extern |= ptx_accept_dot(p, "extern");
    }
    if (ptx_accept_dot(p, "reg")) {
        return ptx_reg_decl(p);
    }
    if (ptx_accept_dot(p, "param")) {
        return call_param(p);
    }
    if (ptx_accept_dot(p, "local")) {
        return ptx_variable(p, ISA_SP_LOCAL, false);
    }
    if (ptx_accept_dot(p, "shared")) {
        return ptx_variable(p, ISA_SP_SHARED, is_extern);
    }
    if (ptx_accept_dot(p, "global")) {
        return ptx_variable(p, ISA_SP_GLOBAL, is_extern);
    }
    if (ptx_accept_dot(p, "const")) {
        return ptx_variable(p, ISA_SP_CONST, is_extern);
    }
    return ptx_body_directive(p);
}

static bool statement(struct ptx_parser *p, const struct ptx_tok *open)
{
    const struct ptx_tok t = p->lex.t;
    char buf[48];

    if (ptx_accept(p, '{')) {
        return ptx_scope_open(p, &t);
    }
    if (ptx_accept(p, '}')) {
        return ptx_scope_close(p);
    }
    if (ptx_accept(p, ';')) {
        return true;
    }
    if (t.kind == TK_DOT) {
        return body_declaration(p);
    }
    if (t.kind == TK_ID && ptx_tok_punct(&p->lex.next, ':')) {
        return ptx_label(p);
    }
    if (t.kind == TK_ID || ptx_tok_punct(&t, '@')) {
        return ptx_instruction(p);
    }
    if (t.kind == TK_END) {
        return ptx_fail(p, open, "function has no closing brace");
    }
    return ptx_fail(p, &t, "expected an instruction before %s",
                    ptx_tok_text(&t, buf, sizeof(buf)));
}

/* Control can reach the end of the body. */
static bool falls_off(const struct ptx_ir *f)
{
    const struct ptx_insn *const last = f->n_insn > 0 ? &f->insn[f->n_insn - 1] : NULL;

    if (f->n_label > 0 && f->label[f->n_label - 1].at == f->n_insn) {
        return true;
    }
    return last == NULL || last->guard != PTX_NONE ||
           (last->form.op != ISA_OP_BRA && last->form.op != ISA_OP_BRX &&
            last->form.op != ISA_OP_RET && last->form.op != ISA_OP_EXIT);
}

void ptx_add_ret(struct arena *a, struct ptx_ir *f, uint32_t line, uint32_t column)
{
    struct ptx_insn in = {.form = {.op = ISA_OP_RET, .vec = 1},
                          .guard = PTX_NONE,
                          .line = line,
                          .column = column,
                          .text = "ret",
                          .text_len = 3};

    while (ptx_rows[in.row].op != ISA_OP_RET) {
        in.row++;
    }
    *PTX_PUSH(a, f->insn, f->n_insn, f->cap_insn) = in;
}

static bool body(struct ptx_parser *p)
{
    const struct ptx_tok open = p->lex.t;
    struct ptx_ir *const f = p->fn;
    struct ptx_mark mark;
    struct ptx_tok last = open;

    p->src_file = 0;
    p->src_line = 0;
    p->inlined = 0;
    if (!ptx_expect(p, '{') || !ptx_scope_open(p, &open)) {
        return false;
    }
    while (p->depth > 0) {
        mark = (struct ptx_mark){p->lex, p->n_pending};
        last = p->lex.t;
        if (!statement(p, &open) && !ptx_skip_statement(p, &mark)) {
            return false;
        }
    }
    mark = (struct ptx_mark){p->lex, p->n_pending};
    if (f->n_refusals == 0 && !ptx_check_bases(p) && !ptx_skip_statement(p, &mark)) {
        return false;
    }
    if (f->n_refusals > 0) {
        ptx_empty_body(p->pr, f);
    } else if (falls_off(f)) {
        ptx_add_ret(p->a, f, last.line, last.column);
    }
    return true;
}

bool ptx_same_shape(const struct ptx_ir *a, const struct ptx_ir *b)
{
    if (a->n_rets != b->n_rets || a->n_params != b->n_params ||
        a->is_kernel != b->is_kernel) {
        return false;
    }
    for (uint32_t i = 0; i < a->n_rets + a->n_params; i++) {
        if (a->pvar[i].p.size != b->pvar[i].p.size) {
            return false;
        }
    }
    return true;
}

/* Enter f under its name, or complete what was declared before. */
static bool enter(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_ir *f,
                  bool has_body)
{
    const struct ptx_name *const n = ptx_scope_find(&p->names, t->s, t->len, false);
    struct ptx_ir *old;

    if (n == NULL || n->kind != NK_FUNC) {
        *PTX_PUSH(p->a, p->pr->fn, p->pr->n_fn, p->pr->cap_fn) = f;
        p->fn_id = p->pr->n_fn - 1;
        return ptx_declare(p, t, NK_FUNC, p->fn_id);
    }
    p->fn_id = n->id;
    old = p->pr->fn[n->id];
    if (old->is_defined && has_body) {
        return ptx_fail(p, t, "'%s' is defined twice, first in line %u", f->name,
                        old->line);
    }
    if (!ptx_same_shape(old, f)) {
        return ptx_fail(p, t, "'%s' differs from its declaration in line %u", f->name,
                        old->line);
    }
    old->linkage = old->linkage > f->linkage ? old->linkage : f->linkage;
    if (has_body) {
        f->alias = old->alias;
        f->linkage = old->linkage;
        p->pr->fn[n->id] = f;
    }
    return true;
}

static bool function_name(struct ptx_parser *p, struct ptx_tok *t)
{
    char buf[48];

    *t = p->lex.t;
    if (t->kind != TK_ID) {
        return ptx_fail(p, t, "expected the name of a function before %s",
                        ptx_tok_text(t, buf, sizeof(buf)));
    }
    p->fn->name = ptx_copy(p->a, t->s, t->len);
    p->fn->line = t->line;
    p->fn->column = t->column;
    ptx_lex_advance(&p->lex);
    return true;
}

/* What stands between the name and the body. */
static bool parameters(struct ptx_parser *p, struct smw_err *why)
{
    const struct ptx_mark mark = {p->lex, p->n_pending};

    return (header_params(p, false) && header_directives(p)) ||
           ptx_skip_header(p, &mark, why);
}

static bool scoped_body(struct ptx_parser *p)
{
    ptx_scope_push(&p->names);
    if (!declare_params(p) || !body(p)) {
        return false;
    }
    ptx_scope_pop(&p->names);
    p->fn = NULL;
    return true;
}

static bool skipped_body(struct ptx_parser *p)
{
    ptx_empty_body(p->pr, p->fn);
    p->fn = NULL;
    return ptx_skip_braces(p);
}

bool ptx_function(struct ptx_parser *p, bool is_kernel, bool is_extern)
{
    struct ptx_ir *const f = arena_alloc(p->a, sizeof(*f));
    struct smw_err why = {0}; /* it cannot be run */
    struct ptx_tok name;
    bool has_body;

    p->fn = f;
    f->is_kernel = is_kernel;
    f->is_extern = is_extern;
    f->linkage = p->linkage;
    p->linkage = PTX_OWN; /* of what is declared in its body */
    f->alias = PTX_NONE;
    f->opnd = ptx_grow(p->a, NULL, 0, &f->cap_opnd, sizeof(f->opnd[0]));
    ptx_map_clear(p->map);
    p->n_pending = 0;
    if ((!is_kernel && !header_params(p, true)) || !function_name(p, &name)) {
        return false;
    }
    f->n_rets = f->n_pvar;
    if (!parameters(p, &why)) {
        return false;
    }
    f->n_params = f->n_pvar - f->n_rets;
    place_params(f);
    if (f->param_bytes > PTX_MAX_PARAMS) {
        return ptx_fail(p, &name, "parameters of more than %d bytes", PTX_MAX_PARAMS);
    }
    has_body = ptx_tok_punct(&p->lex.t, '{');
    if (!enter(p, &name, f, has_body)) {
        return false;
    }
    if (why.kind != SMW_ERR_NONE) {
        ptx_refuse_fn(p->pr, p->fn_id, &why);
    }
    p->fn = has_body ? f : NULL;
    f->is_defined = has_body;
    if (!has_body) { /* compilers of CUDA 3.1 to 4.0 leave the semicolon out */
        return p->lex.t.kind == TK_DOT || ptx_expect(p, ';');
    }
    return f->n_refusals > 0 ? skipped_body(p) : scoped_body(p);
}
