/* Initialisers of module variables. */
#include "base/bits.h"
#include "ptx/ptx_priv.h"

#include <string.h>

struct init {
    struct ptx_parser *p;
    uint32_t sym;
    uint32_t elem; /* bytes of one element */
    uint8_t *data;
    uint64_t at, size, cap; /* bytes; size: of the variable, 0 while open */
    bool open;
};

static bool room(struct init *in, const struct ptx_tok *t, uint32_t bytes)
{
    if (!in->open && in->at + bytes > in->size) {
        return ptx_fail(in->p, t, "more initialisers than elements");
    }
    if (in->at + bytes > PTX_MAX_VAR) {
        return ptx_fail(in->p, t, "variable too large");
    }
    if (in->at + bytes > in->cap) {
        uint8_t *bigger;

        in->cap = 2 * (in->at + bytes);
        bigger = arena_alloc(in->p->a, in->cap);
        if (in->at > 0) {
            memcpy(bigger, in->data, in->at);
        }
        in->data = bigger;
    }
    return true;
}

static bool put(struct init *in, const struct ptx_tok *t, uint64_t v)
{
    if (!room(in, t, in->elem)) {
        return false;
    }
    for (uint32_t i = 0; i < in->elem; i++) {
        in->data[in->at + i] = (uint8_t)(v >> (8 * i));
    }
    in->at += in->elem;
    return true;
}

/* sym, sym+4, generic(sym), generic(sym)+4 */
static bool address(struct init *in, struct ptx_reloc *r)
{
    struct ptx_parser *const p = in->p;
    const struct ptx_name *n;
    struct ptx_const c;

    memset(r, 0, sizeof(*r));
    if (ptx_tok_is(&p->lex.t, TK_ID, "generic")) {
        ptx_lex_advance(&p->lex);
        if (!ptx_expect(p, '(')) {
            return false;
        }
        r->generic = true;
    }
    const struct ptx_tok t = p->lex.t;
    n = t.kind == TK_ID ? ptx_scope_find(&p->names, t.s, t.len, false) : NULL;
    if (n == NULL) {
        return ptx_fail_unknown(p, &t, "variable", 1u << NK_SYM | 1u << NK_FUNC);
    }
    r->is_fn = n->kind == NK_FUNC;
    if (!r->is_fn && (n->kind != NK_SYM || p->pr->sym[n->id].space == ISA_SP_SHARED)) {
        return ptx_fail(p, &t, "initialiser is no global or constant variable");
    }
    r->target = n->id;
    ptx_lex_advance(&p->lex);
    if (r->generic && !ptx_accept(p, ')')) {
        if (!ptx_tok_punct(&p->lex.t, '+') && !ptx_tok_punct(&p->lex.t, '-')) {
            return ptx_expect(p, ')');
        }
        if (!ptx_const_expr(p, &c) || !ptx_expect(p, ')')) {
            return false;
        }
        r->addend = (int64_t)c.u;
    }
    if (ptx_tok_punct(&p->lex.t, '+') || ptx_tok_punct(&p->lex.t, '-')) {
        const struct ptx_tok plus = p->lex.t;

        if (!ptx_const_expr(p, &c)) {
            return false;
        }
        if (c.is_float) {
            return ptx_fail(p, &plus, "expected an integer offset");
        }
        r->addend += (int64_t)c.u;
    }
    return true;
}

static bool relocate(struct init *in, const struct ptx_tok *t, struct ptx_reloc r)
{
    struct ptx_private *const pr = in->p->pr;

    if (in->elem != 4 && in->elem != 8) {
        return ptx_fail(in->p, t, "an address needs an element of 4 or 8 bytes");
    }
    r.symbol = in->sym;
    r.offset = (uint32_t)in->at;
    r.bytes = (uint8_t)in->elem;
    *PTX_PUSH(in->p->a, pr->reloc, pr->n_reloc, pr->cap_reloc) = r;
    return put(in, t, 0);
}

/* 0xFF(sym), 0xFF00(sym) ...: the bytes of an address one by one, lowest first. */
static bool masked(struct init *in)
{
    struct ptx_private *const pr = in->p->pr;
    const struct ptx_tok t = in->p->lex.t;
    struct ptx_reloc r, *last = pr->n_reloc > 0 ? &pr->reloc[pr->n_reloc - 1] : NULL;
    uint32_t byte = 0;

    while (byte < 8 && t.u != 0xffull << (8 * byte)) {
        byte++;
    }
    ptx_lex_advance(&in->p->lex);
    if (!ptx_expect(in->p, '(') || !address(in, &r) || !ptx_expect(in->p, ')')) {
        return false;
    }
    if (byte == 8 || in->elem != 1) {
        return ptx_fail(in->p, &t, "a mask selects one byte, for an element of 1 byte");
    }
    if (byte == 0) {
        r.symbol = in->sym;
        r.offset = (uint32_t)in->at;
        r.bytes = 1; /* grows to 8 */
        *PTX_PUSH(in->p->a, pr->reloc, pr->n_reloc, pr->cap_reloc) = r;
    } else if (last == NULL || last->symbol != in->sym || last->bytes != byte ||
               last->offset + byte != in->at || last->target != r.target ||
               last->is_fn != r.is_fn || last->addend != r.addend) {
        return ptx_fail(in->p, &t, "bytes of an address out of order");
    } else {
        last->bytes++;
    }
    return put(in, &t, 0);
}

static uint64_t narrow(const struct ptx_const *c, enum isa_type type)
{
    const uint64_t u = c->u;
    double d;

    if (c->is_float && c->imm == IMM_F64 && isa_type_bits(type) == 32) {
        return bits_of_f32((float)bits_f64(u));
    }
    if (c->is_float && c->imm == IMM_F32 && isa_type_bits(type) == 64) {
        return bits_of_f64((double)bits_f32((uint32_t)u));
    }
    if (c->is_float || !isa_type_is_float(type)) {
        return u;
    }
    d = c->is_unsigned ? (double)u : (double)(int64_t)u;
    return isa_type_bits(type) == 32 ? bits_of_f32((float)d) : bits_of_f64(d);
}

static bool element(struct init *in)
{
    struct ptx_parser *const p = in->p;
    const struct ptx_tok t = p->lex.t;
    struct ptx_const c;
    struct ptx_reloc r;

    if (t.kind == TK_ID && !ptx_tok_is(&t, TK_ID, "WARP_SZ")) {
        return address(in, &r) && relocate(in, &t, r);
    }
    if (t.kind == TK_INT && ptx_tok_punct(&p->lex.next, '(')) {
        return masked(in);
    }
    if (!ptx_const_expr(p, &c)) {
        return false;
    }
    if (c.is_float && !isa_type_is_float(p->pr->sym[in->sym].type)) {
        return ptx_fail(p, &t, "floating point constant for an integer variable");
    }
    return put(in, &t, narrow(&c, p->pr->sym[in->sym].type));
}

static bool list(struct init *in, uint32_t depth)
{
    if (!ptx_tok_punct(&in->p->lex.t, '{')) {
        return element(in);
    }
    if (depth >= PTX_MAX_NESTING) {
        return ptx_fail(in->p, &in->p->lex.t, "initialiser nested too deeply");
    }
    ptx_lex_advance(&in->p->lex);
    if (ptx_accept(in->p, '}')) {
        return true;
    }
    do {
        if (!list(in, depth + 1)) {
            return false;
        }
    } while (ptx_accept(in->p, ','));
    return ptx_expect(in->p, '}');
}

static bool read_values(struct init *in, uint32_t first_reloc)
{
    struct ptx_parser *const p = in->p;
    const struct ptx_tok t = p->lex.t;

    ptx_lex_advance(&p->lex); /* = */
    if (!list(in, 0)) {
        return false;
    }
    for (uint32_t i = first_reloc; i < p->pr->n_reloc; i++) {
        if (p->pr->reloc[i].bytes != 4 && p->pr->reloc[i].bytes != 8) {
            return ptx_fail(p, &t, "an address is not complete");
        }
    }
    return true;
}

bool ptx_init(struct ptx_parser *p, uint32_t sym, bool open_size)
{
    struct init in = {.p = p, .sym = sym, .open = open_size};
    const uint32_t first_reloc = p->pr->n_reloc;
    uint8_t *data;

    if (isa_type_is_narrow(p->pr->sym[sym].type)) {
        return ptx_fail(p, &p->lex.t, "a variable of .%s has no initial value",
                        isa_type_name(p->pr->sym[sym].type));
    }
    in.elem = isa_type_bits(p->pr->sym[sym].type) / 8;
    in.size = p->pr->sym[sym].size;
    if (!read_values(&in, first_reloc)) {
        p->pr->n_reloc = first_reloc; /* of a variable in a function: it is refused */
        return false;
    }
    if (open_size) {
        p->pr->sym[sym].size = in.at;
    }
    data = arena_alloc(p->a, p->pr->sym[sym].size);
    if (in.at > 0) {
        memcpy(data, in.data, in.at);
    }
    p->pr->sym[sym].init = data;
    return true;
}
