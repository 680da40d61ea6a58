/* Operands as written; whether they fit the instruction is for check.c. */
#include "ptx/ptx_priv.h"

#include <string.h>

static void place(struct ptx_opnd *o, const struct ptx_tok *t)
{
    memset(o, 0, sizeof(*o));
    o->line = t->line;
    o->column = t->column;
    o->width = t->width;
}

static uint32_t keep(struct ptx_parser *p, const struct ptx_opnd *o, uint32_t n)
{
    struct ptx_ir *const f = p->fn;
    const uint32_t first = f->n_opnd;

    for (uint32_t i = 0; i < n; i++) {
        *PTX_PUSH(p->a, f->opnd, f->n_opnd, f->cap_opnd) = o[i];
    }
    return first;
}

/* %tid.x, %laneid: o becomes it and the words are taken. */
static bool special(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_opnd *o,
                    bool *is_special)
{
    uint32_t len = t->len;
    uint32_t sreg;
    const struct ptx_tok next = p->lex.t; /* after t */

    *is_special = true;
    o->kind = OK_SREG;
    if (next.kind == TK_DOT && next.s == t->s + t->len + 1 &&
        ptx_find_sreg(t->s, t->len + 1 + next.len, &sreg)) {
        ptx_lex_advance(&p->lex);
        o->width = len + 1 + next.len;
        o->id = sreg;
        return true;
    }
    if (ptx_find_sreg(t->s, len, &sreg)) {
        o->id = sreg;
        return true;
    }
    *is_special = false;
    return true;
}

/* %v or %v.x of a vector register. */
static bool vector_register(struct ptx_parser *p, const struct ptx_name *n,
                            struct ptx_opnd *o)
{
    static const char letters[2][5] = {"xyzw", "rgba"};
    const uint32_t first = n->id / 8, count = n->id % 8;
    struct ptx_opnd e[4];

    if (p->lex.t.kind == TK_DOT && p->lex.t.len == 1) {
        for (uint32_t i = 0; i < count; i++) {
            if (*p->lex.t.s == letters[0][i] || *p->lex.t.s == letters[1][i]) {
                ptx_lex_advance(&p->lex);
                o->kind = OK_REG;
                o->id = first + i;
                return true;
            }
        }
        return ptx_fail(p, &p->lex.t, "the vector register has no such element");
    }
    for (uint32_t i = 0; i < count; i++) {
        e[i] = *o;
        e[i].kind = OK_REG;
        e[i].id = first + i;
    }
    o->kind = OK_VEC;
    o->n = (uint8_t)count;
    o->id = keep(p, e, count);
    return true;
}

static bool special_vector(struct ptx_parser *p, const struct ptx_tok *t,
                           struct ptx_opnd *o)
{
    static const struct {
        const char *name;
        uint32_t first;
    } v[] = {{"%tid", ISA_SR_TID_X},
             {"%ntid", ISA_SR_NTID_X},
             {"%ctaid", ISA_SR_CTAID_X},
             {"%nctaid", ISA_SR_NCTAID_X},
             {"%clusterid", ISA_SR_CLUSTERID_X},
             {"%nclusterid", ISA_SR_NCLUSTERID_X},
             {"%cluster_ctaid", ISA_SR_CLUSTER_CTAID_X},
             {"%cluster_nctaid", ISA_SR_CLUSTER_NCTAID_X}};
    struct ptx_opnd e[4];

    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        if (!ptx_tok_is(t, TK_ID, v[i].name)) {
            continue;
        }
        if (p->lex.t.kind == TK_DOT) {
            return ptx_fail(p, &p->lex.t, "%s has the elements .x, .y and .z",
                            v[i].name);
        }
        for (uint32_t k = 0; k < 4; k++) {
            e[k] = *o;
            e[k].kind = k < 3 ? OK_SREG : OK_IMM; /* the fourth element reads as 0 */
            e[k].id = v[i].first + k;
        }
        o->kind = OK_VEC;
        o->n = 4;
        o->id = keep(p, e, 4);
        return true;
    }
    return ptx_fail_unknown(p, t, "register", 1u << NK_REG | 1u << NK_VECREG);
}

/* Special registers that no device modelled here has a use for. */
static bool is_foreign_sreg(const struct ptx_tok *t)
{
    return t->len >= 3 && memcmp(t->s, "%pm", 3) == 0;
}

/* symbol[+offset] after the symbol has been taken */
static bool offset(struct ptx_parser *p, struct ptx_opnd *o)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_const c;

    if (!ptx_tok_punct(&t, '+') && !ptx_tok_punct(&t, '-')) {
        return true;
    }
    if (!ptx_const_expr(p, &c)) {
        return false;
    }
    if (c.is_float) {
        return ptx_fail(p, &t, "expected an integer offset");
    }
    o->value += c.u;
    return true;
}

/* Any name: register, variable, label ...; t has been taken. */
static bool named(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_opnd *o)
{
    const uint32_t reg = ptx_find_reg(p, t);
    const struct ptx_name *n;
    bool is_special;

    if (reg != PTX_NONE) {
        o->kind = OK_REG;
        o->id = reg;
        return true;
    }
    n = ptx_scope_find(&p->names, t->s, t->len, false);
    if (n != NULL && n->kind == NK_VECREG) {
        return vector_register(p, n, o);
    }
    if (n == NULL && *t->s == '%') {
        if (is_foreign_sreg(t)) {
            ptx_fail(p, t, "special register %.*s is not supported", (int)t->len, t->s);
            return ptx_lacks(p);
        }
        return special(p, t, o, &is_special) && (is_special || special_vector(p, t, o));
    }
    if (n == NULL) {
        return ptx_fail_unknown(p, t, "name", ~(1u << NK_RANGE));
    }
    o->id = n->id;
    switch ((enum ptx_name_kind)n->kind) {
    case NK_SYM: o->kind = OK_SYM; return offset(p, o);
    case NK_LOCAL: o->kind = OK_LOCAL; return offset(p, o);
    case NK_PARAM: o->kind = OK_PARAM; return offset(p, o);
    case NK_FUNC:
        if (p->pr->fn[n->id]->is_kernel) {
            return ptx_fail(p, t,
                            "the address of a kernel is not supported: it is for "
                            "kernels that launch others (dynamic parallelism)");
        }
        o->kind = OK_IMM;
        o->base = n->id + 1;
        return true;
    case NK_REG:
    case NK_RANGE:
    case NK_VECREG:
    case NK_PROTO:
    case NK_LABEL:
    case NK_TARGETS: break;
    }
    return ptx_fail(p, t, "'%.*s' cannot be an operand", (int)t->len, t->s);
}

/* generic(sym)[+offset] */
static bool generic(struct ptx_parser *p, struct ptx_opnd *o)
{
    ptx_lex_advance(&p->lex);
    if (!ptx_expect(p, '(')) {
        return false;
    }
    const struct ptx_tok t = p->lex.t;
    ptx_lex_advance(&p->lex);
    if (t.kind != TK_ID || !named(p, &t, o) || o->kind != OK_SYM) {
        return ptx_fail(p, &t, "expected a variable");
    }
    o->sub = 1;
    return ptx_expect(p, ')') && offset(p, o);
}

static bool constant(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_const c;

    if (!ptx_const_expr(p, &c)) {
        return false;
    }
    o->kind = OK_IMM;
    o->sub = (uint8_t)c.imm;
    o->value = c.u;
    return true;
}

static bool address(struct ptx_parser *p, struct ptx_opnd *o)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_opnd base;

    place(&base, &t);
    if (ptx_tok_is(&t, TK_ID, "generic")) {
        if (!generic(p, &base)) {
            return false;
        }
    } else if (t.kind == TK_ID && !ptx_tok_is(&t, TK_ID, "WARP_SZ")) {
        ptx_lex_advance(&p->lex);
        if (!named(p, &t, &base) || (base.kind == OK_REG && !offset(p, &base))) {
            return false;
        }
    } else if (!constant(p, &base)) {
        return false;
    }
    if (base.kind == OK_SREG || base.kind == OK_VEC ||
        (base.kind == OK_IMM && base.sub != IMM_INT)) {
        return ptx_fail(p, &t, "expected an address");
    }
    const bool is_generic = base.kind == OK_SYM && base.sub == 1;
    o->neg = is_generic; /* generic() inside an address */
    o->sub = base.kind;
    o->kind = OK_ADDR;
    o->id = base.id;
    o->value = base.value;
    o->column = base.column;
    o->width = base.width;
    o->line = base.line;
    if (p->in_texture && ptx_accept(p, ',')) {
        p->in_texture = false;
        if (!ptx_operand(p, &p->inside)) {
            return false;
        }
        if (ptx_tok_punct(&p->lex.t, ',')) {
            ptx_fail(p, &p->lex.t, "a sampler apart from the texture is not supported");
            return ptx_lacks(p);
        }
    }
    return ptx_expect(p, ']');
}

static bool simple(struct ptx_parser *p, struct ptx_opnd *o)
{
    const struct ptx_tok t = p->lex.t;
    bool neg;

    place(o, &t);
    neg = (ptx_tok_punct(&t, '!') || ptx_tok_punct(&t, '-')) &&
          p->lex.next.kind == TK_ID && !ptx_tok_is(&p->lex.next, TK_ID, "WARP_SZ");
    if (neg) {
        ptx_lex_advance(&p->lex);
    }
    const struct ptx_tok name = p->lex.t;
    if (name.kind != TK_ID || ptx_tok_is(&name, TK_ID, "WARP_SZ")) {
        return constant(p, o);
    }
    if (ptx_tok_is(&name, TK_ID, "_")) {
        o->kind = OK_SINK;
        ptx_lex_advance(&p->lex);
        return true;
    }
    if (ptx_tok_is(&name, TK_ID, "generic") && ptx_tok_punct(&p->lex.next, '(')) {
        return generic(p, o);
    }
    ptx_lex_advance(&p->lex);
    if (!named(p, &name, o)) {
        return false;
    }
    o->neg = neg;
    if (o->kind == OK_REG) {
        ptx_video_parts(p, o);
    }
    if (neg && o->kind != OK_REG) {
        return ptx_fail(p, &t, "'!' belongs before a predicate");
    }
    return true;
}

static bool vector(struct ptx_parser *p, struct ptx_opnd *o)
{
    struct ptx_opnd e[PTX_MAX_ELEMS];
    uint32_t n = 0;

    do {
        if (n == PTX_MAX_ELEMS) {
            return ptx_fail(p, &p->lex.t, "vector too long");
        }
        if (!simple(p, &e[n])) {
            return false;
        }
        n++;
    } while (ptx_accept(p, ','));
    o->kind = OK_VEC;
    o->n = (uint8_t)n;
    o->id = keep(p, e, n);
    return ptx_expect(p, '}');
}

bool ptx_operand(struct ptx_parser *p, struct ptx_opnd *o)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_opnd e[2];

    place(o, &t);
    if (ptx_accept(p, '{')) {
        return vector(p, o);
    }
    if (ptx_accept(p, '[')) {
        return address(p, o);
    }
    if (!simple(p, &e[0])) {
        return false;
    }
    if (!ptx_accept(p, '|')) {
        *o = e[0];
        return true;
    }
    if (!simple(p, &e[1])) {
        return false;
    }
    o->kind = OK_PAIR;
    o->n = 2;
    o->id = keep(p, e, 2);
    return true;
}

/* ---- calls: (results), function, (arguments) ---- */

static bool call_list(struct ptx_parser *p, struct ptx_opnd *list, uint32_t *n)
{
    if (ptx_accept(p, ')')) {
        return true;
    }
    do {
        if (*n == 256) {
            return ptx_fail(p, &p->lex.t, "too many arguments");
        }
        if (!simple(p, &list[*n])) {
            return false;
        }
        (*n)++;
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ')');
}

/* A function by name, or *value, a register that has the value of one. */
static bool callee(struct ptx_parser *p, struct ptx_insn *in, struct ptx_opnd *value)
{
    const struct ptx_tok t = p->lex.t;
    const struct ptx_name *n;

    n = t.kind == TK_ID ? ptx_scope_find(&p->names, t.s, t.len, false) : NULL;
    if (t.kind == TK_ID && ptx_find_reg(p, &t) != PTX_NONE) {
        in->callee = PTX_NONE;
        return ptx_operand(p, value);
    }
    if (n == NULL || n->kind != NK_FUNC) {
        return ptx_fail_unknown(p, &t, "function", 1u << NK_FUNC);
    }
    if (p->pr->fn[n->id]->is_kernel) {
        return ptx_fail(p, &t, "a kernel cannot be called");
    }
    in->callee = n->id;
    ptx_lex_advance(&p->lex);
    return true;
}

/* What a function called through a value looks like. */
static bool prototype(struct ptx_parser *p, struct ptx_insn *in,
                      const struct ptx_opnd *value)
{
    const struct ptx_ir *const f = p->fn;
    const struct ptx_tok t = p->lex.t;
    const struct ptx_name *n;

    if (value->kind != OK_REG || ptx_reg_bits(f, value->id) != p->m->address_size ||
        isa_type_is_float((enum isa_type)f->vreg[value->id].type)) {
        return ptx_fail(p, &t, "the value of a function has %u bits",
                        p->m->address_size);
    }
    n = t.kind == TK_ID ? ptx_scope_find(&p->names, t.s, t.len, false) : NULL;
    if (n == NULL || n->kind != NK_PROTO) {
        return ptx_fail_unknown(p, &t, "prototype", 1u << NK_PROTO);
    }
    if (n->id == PTX_NONE) {
        ptx_fail(p, &t, "calls through .calltargets are not supported");
        err_hint(p->lex.e, "name a .callprototype");
        return false;
    }
    in->proto = n->id;
    ptx_lex_advance(&p->lex);
    return true;
}

bool ptx_call_operands(struct ptx_parser *p, struct ptx_insn *in)
{
    struct ptx_opnd list[256], value;
    uint32_t n = 0;
    bool more;

    if (ptx_accept(p, '(')) {
        if (!call_list(p, list, &n) || !ptx_expect(p, ',')) {
            return false;
        }
    }
    in->n_rets = n;
    if (!callee(p, in, &value)) {
        return false;
    }
    more = ptx_accept(p, ',');
    if (more && (in->callee != PTX_NONE || ptx_tok_punct(&p->lex.t, '('))) {
        if (!ptx_expect(p, '(') || !call_list(p, list, &n)) {
            return false;
        }
        more = ptx_accept(p, ',');
    }
    in->opnd = keep(p, list, n);
    in->n_call = n;
    if (in->callee == PTX_NONE) {
        (void)keep(p, &value, 1);
        return more ? prototype(p, in, &value)
                    : ptx_fail(p, &p->lex.t,
                               "a call through a register names a .callprototype");
    }
    return !more || ptx_fail(p, &p->lex.t, "a prototype is for calls through a value");
}
