/* Declarations of variables, registers and parameters. */
#include "ptx/ptx_priv.h"

#include <string.h>

static bool is_pow2(uint64_t v)
{
    return v != 0 && (v & (v - 1)) == 0;
}

static bool ptr_words(struct ptx_parser *p, struct ptx_decl *d)
{
    static const struct {
        const char *word;
        enum isa_space space;
    } spaces[] = {{"global", ISA_SP_GLOBAL},
                  {"shared", ISA_SP_SHARED},
                  {"local", ISA_SP_LOCAL},
                  {"const", ISA_SP_CONST}};

    d->is_ptr = true;
    d->ptr_space = ISA_SP_GENERIC;
    for (size_t i = 0; i < ARRAY_LEN(spaces); i++) {
        if (ptx_accept_dot(p, spaces[i].word)) {
            d->ptr_space = spaces[i].space;
            return true;
        }
    }
    return true;
}

static bool alignment(struct ptx_parser *p, uint32_t *align)
{
    const struct ptx_tok t = p->lex.t;

    if (!ptx_const_u32(p, 1u << 20, align)) {
        return false;
    }
    return is_pow2(*align) || ptx_fail(p, &t, "alignment is a power of two");
}

static const char *const type_words[] = {"b8",  "b16",   "b32", "b64", "u8",   "u16",
                                         "u32", "u64",   "s8",  "s16", "s32",  "s64",
                                         "f16", "f16x2", "f32", "f64", "pred", "align",
                                         "ptr", "v2",    "v4"};

/* The other narrow types are words of instructions only. */
static bool is_declared(enum isa_type t)
{
    return t != ISA_T_NONE && (t < ISA_T_BF16 || t >= ISA_T_F32);
}

static enum ptx_opaque opaque_of(const struct ptx_tok *t)
{
    return ptx_tok_is(t, TK_DOT, "texref")       ? PTX_TEXREF
           : ptx_tok_is(t, TK_DOT, "surfref")    ? PTX_SURFREF
           : ptx_tok_is(t, TK_DOT, "samplerref") ? PTX_SAMPLERREF
                                                 : PTX_PLAIN;
}

bool ptx_decl_head(struct ptx_parser *p, struct ptx_decl *d)
{
    uint32_t ptr_align;

    memset(d, 0, sizeof(*d));
    d->vec = 1;
    while (p->lex.t.kind == TK_DOT) {
        const struct ptx_tok t = p->lex.t;
        const enum isa_type type = ptx_type_of(t.s, t.len);
        const char *why = ptx_unsupported_word(t.s, t.len);

        ptx_lex_advance(&p->lex);
        if (d->type == ISA_T_NONE && opaque_of(&t) != PTX_PLAIN) {
            d->opaque = opaque_of(&t);
            d->type = ISA_T_B64;
            continue;
        }
        if (why != NULL) {
            ptx_fail(p, &t, ".%.*s is not supported: %s", (int)t.len, t.s, why);
            return ptx_lacks(p);
        }
        if (is_declared(type) && d->type == ISA_T_NONE) {
            d->type = type;
        } else if (ptx_tok_is(&t, TK_DOT, "align")) {
            /* after .ptr it is the alignment of what is pointed to */
            if (!alignment(p, d->is_ptr ? &ptr_align : &d->align)) {
                return false;
            }
        } else if (ptx_tok_is(&t, TK_DOT, "ptr")) {
            ptr_words(p, d);
        } else if (ptx_tok_is(&t, TK_DOT, "v2") || ptx_tok_is(&t, TK_DOT, "v4")) {
            d->vec = (uint32_t)(t.s[1] - '0');
        } else {
            return ptx_fail_near(p, &t, "unknown type", type_words,
                                 ARRAY_LEN(type_words));
        }
    }
    if (d->type == ISA_T_NONE) {
        return ptx_fail(p, &p->lex.t, "expected a type such as .b32");
    }
    return true;
}

bool ptx_dims(struct ptx_parser *p, uint64_t *count, bool *is_array, bool *is_open)
{
    *count = 1;
    *is_array = false;
    *is_open = false;
    while (ptx_tok_punct(&p->lex.t, '[')) {
        const struct ptx_tok t = p->lex.t;
        uint32_t n = 0;

        ptx_lex_advance(&p->lex);
        if (ptx_accept(p, ']')) {
            if (*is_array) {
                return ptx_fail(p, &t, "only the first dimension may be open");
            }
            *is_open = true;
        } else {
            if (!ptx_const_u32(p, PTX_MAX_VAR, &n) || !ptx_expect(p, ']')) {
                return false;
            }
            *count *= n;
            if (*count > PTX_MAX_VAR) {
                return ptx_fail(p, &t, "array too large");
            }
        }
        *is_array = true;
    }
    return true;
}

static bool variable_name(struct ptx_parser *p, struct ptx_tok *t)
{
    char buf[48];

    *t = p->lex.t;
    if (t->kind != TK_ID || (t->len == 1 && *t->s == '_')) {
        return ptx_fail(p, t, "expected a name before %s",
                        ptx_tok_text(t, buf, sizeof(buf)));
    }
    ptx_lex_advance(&p->lex);
    return true;
}

static uint32_t natural_align(const struct ptx_decl *d)
{
    const uint32_t bytes = isa_type_bits(d->type) / 8 * d->vec;

    return d->align != 0 ? d->align : bytes;
}

/* References are variables of the module; what a sampler of its own would say of a
 * texture, the host says when it makes one. */
static bool check_opaque(struct ptx_parser *p, const struct ptx_tok *t,
                         const struct ptx_decl *d, enum isa_space space)
{
    static const char *const name[] = {"", "texref", "surfref", "samplerref"};

    if (d->opaque == PTX_SAMPLERREF) {
        ptx_fail(p, t, "a sampler apart from the texture is not supported");
        return ptx_lacks(p);
    }
    if (d->opaque != PTX_PLAIN && (space != ISA_SP_GLOBAL || p->fn != NULL)) {
        return ptx_fail(p, t, "a .%s is a .global variable of the module",
                        name[d->opaque]);
    }
    return true;
}

static bool check_type(struct ptx_parser *p, const struct ptx_tok *t,
                       const struct ptx_decl *d)
{
    if (d->type == ISA_T_PRED) {
        return ptx_fail(p, t, "predicates live in registers only");
    }
    return !d->is_ptr || ptx_fail(p, t, ".ptr belongs to parameters");
}

static bool local_variable(struct ptx_parser *p, const struct ptx_decl *d)
{
    struct ptx_ir *const f = p->fn;
    const uint32_t align = natural_align(d);
    struct ptx_tok t;
    uint64_t count, bytes;
    bool is_array, is_open;

    if (!variable_name(p, &t) || !ptx_dims(p, &count, &is_array, &is_open)) {
        return false;
    }
    bytes = count * d->vec * (isa_type_bits(d->type) / 8);
    if (is_open) {
        return ptx_fail(p, &t, "a local array needs a size");
    }
    if (ptx_tok_punct(&p->lex.t, '=')) {
        return ptx_fail(p, &p->lex.t, "a local variable has no initialiser");
    }
    f->local_bytes = (f->local_bytes + align - 1) & ~(align - 1);
    if (bytes > PTX_MAX_VAR - f->local_bytes) {
        return ptx_fail(p, &t, "local variables too large");
    }
    *PTX_PUSH(p->a, f->local, f->n_local, f->cap_local) =
        (struct ptx_local){t.s, t.len, f->local_bytes, (uint32_t)bytes, align};
    f->local_bytes += (uint32_t)bytes;
    return ptx_declare(p, &t, NK_LOCAL, f->n_local - 1);
}

/* A second declaration of a module variable is allowed if one of them is extern. */
static bool redeclared(struct ptx_parser *p, const struct ptx_tok *t,
                       enum isa_space space, bool is_extern, uint32_t *sym)
{
    const struct ptx_name *n = ptx_scope_find(&p->names, t->s, t->len, false);

    if (n == NULL || n->kind != NK_SYM || n->depth != p->names.depth ||
        p->pr->sym[n->id].space != space ||
        (!is_extern && !p->pr->sym[n->id].is_extern)) {
        return false;
    }
    *sym = n->id;
    return true;
}

static bool symbol_variable(struct ptx_parser *p, const struct ptx_decl *d,
                            enum isa_space space, bool is_extern)
{
    struct ptx_private *const pr = p->pr;
    struct ptx_symbol s = {.space = space,
                           .type = d->type,
                           .is_extern = is_extern,
                           .opaque = (uint8_t)d->opaque,
                           .linkage = p->linkage};
    struct ptx_tok t;
    uint64_t count;
    uint32_t sym;
    bool is_array, is_open;

    if (!variable_name(p, &t) || !ptx_dims(p, &count, &is_array, &is_open)) {
        return false;
    }
    s.name = ptx_copy(p->a, t.s, t.len);
    s.align = natural_align(d);
    s.size = is_open ? 0 : count * d->vec * (isa_type_bits(d->type) / 8);
    s.line = t.line;
    if (s.size > PTX_MAX_VAR) {
        return ptx_fail(p, &t, "variable too large");
    }
    if (redeclared(p, &t, space, is_extern, &sym)) {
        if (!is_extern) {
            s.linkage =
                s.linkage > pr->sym[sym].linkage ? s.linkage : pr->sym[sym].linkage;
            pr->sym[sym] = s;
        }
    } else {
        sym = pr->n_sym;
        *PTX_PUSH(p->a, pr->sym, pr->n_sym, pr->cap_sym) = s;
        if (!ptx_declare(p, &t, NK_SYM, sym)) {
            return false;
        }
    }
    if (ptx_tok_punct(&p->lex.t, '=')) {
        if (space == ISA_SP_SHARED || is_extern) {
            return ptx_fail(p, &p->lex.t, "%s variable has no initialiser",
                            is_extern ? "an extern" : "a shared");
        }
        return ptx_init(p, sym, is_open);
    }
    if (is_open && !is_extern && space != ISA_SP_SHARED) {
        return ptx_fail(p, &t, "an array without a size needs an initialiser");
    }
    return true;
}

bool ptx_variable(struct ptx_parser *p, enum isa_space space, bool is_extern)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_decl d;

    if (!ptx_decl_head(p, &d) || !check_type(p, &t, &d) ||
        !check_opaque(p, &t, &d, space)) {
        return false;
    }
    do {
        if (!(space == ISA_SP_LOCAL ? local_variable(p, &d)
                                    : symbol_variable(p, &d, space, is_extern))) {
            return false;
        }
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';');
}

static uint32_t new_vreg(struct ptx_parser *p, const struct ptx_tok *t, uint8_t type)
{
    struct ptx_ir *const f = p->fn;

    *PTX_PUSH(p->a, f->vreg, f->n_vreg, f->cap_vreg) =
        (struct ptx_vreg){t->s, t->len, PTX_NONE, type};
    return f->n_vreg - 1;
}

static bool one_register(struct ptx_parser *p, const struct ptx_decl *d)
{
    const struct ptx_tok t = p->lex.t;
    uint32_t n, first;

    if (t.kind != TK_ID) {
        return ptx_fail(p, &t, "expected the name of a register");
    }
    ptx_lex_advance(&p->lex);
    if (ptx_accept(p, '<')) {
        if (p->lex.t.kind != TK_INT || p->lex.t.u > UINT32_MAX) {
            return ptx_fail(p, &p->lex.t, "expected a count of registers");
        }
        if (d->vec != 1) {
            return ptx_fail(p, &t, "a range of vector registers");
        }
        n = (uint32_t)p->lex.t.u;
        ptx_lex_advance(&p->lex);
        *PTX_PUSH(p->a, p->range, p->n_range, p->cap_range) =
            (struct ptx_range){t.s, t.len, n, (uint8_t)d->type};
        return ptx_expect(p, '>') && ptx_declare(p, &t, NK_RANGE, p->n_range - 1);
    }
    first = new_vreg(p, &t, (uint8_t)d->type);
    for (uint32_t i = 1; i < d->vec; i++) {
        new_vreg(p, &t, (uint8_t)d->type);
    }
    return d->vec == 1 ? ptx_declare(p, &t, NK_REG, first)
                       : ptx_declare(p, &t, NK_VECREG, first * 8 + d->vec);
}

bool ptx_reg_decl(struct ptx_parser *p)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_decl d;

    if (!ptx_decl_head(p, &d)) {
        return false;
    }
    if (d.is_ptr || d.opaque != PTX_PLAIN || (d.type == ISA_T_PRED && d.vec != 1)) {
        return ptx_fail(p, &t, "a register cannot be declared so");
    }
    do {
        if (!one_register(p, &d)) {
            return false;
        }
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';');
}

bool ptx_param_decl(struct ptx_parser *p, struct ptx_pvar *v, bool may_omit_name)
{
    struct ptx_decl d;
    uint64_t count, bytes;
    bool is_array, is_open;

    if (!ptx_decl_head(p, &d)) {
        return false;
    }
    const struct ptx_tok t = p->lex.t;
    memset(v, 0, sizeof(*v));
    v->reg = PTX_NONE;
    v->local = PTX_NONE;
    v->line = t.line;
    v->column = t.column;
    if (d.opaque != PTX_PLAIN) {
        ptx_fail(p, &t,
                 "a reference as parameter is not supported: pass an object as "
                 ".u64");
        return ptx_lacks(p);
    }
    if (t.kind != TK_ID) {
        if (!may_omit_name) {
            return ptx_fail(p, &t, "expected the name of a parameter");
        }
        v->s = "_";
        v->len = 1;
    } else {
        v->s = t.s;
        v->len = t.len;
        ptx_lex_advance(&p->lex);
    }
    if (!ptx_dims(p, &count, &is_array, &is_open)) {
        return false;
    }
    bytes = d.type == ISA_T_PRED ? 4 : count * d.vec * (isa_type_bits(d.type) / 8);
    if (d.type == ISA_T_PRED && (!may_omit_name || d.vec != 1 || is_array)) {
        return ptx_fail(p, &t, "a parameter cannot be a predicate");
    }
    if (is_open || bytes == 0 || bytes > PTX_MAX_PARAMS) {
        return ptx_fail(p, &t, "parameter of %llu bytes: 1 to %d are possible",
                        (unsigned long long)bytes, PTX_MAX_PARAMS);
    }
    v->p = (struct ptx_param){.name = ptx_copy(p->a, v->s, v->len),
                              .type = is_array ? ISA_T_B8 : d.type,
                              .size = (uint32_t)bytes,
                              .align = natural_align(&d),
                              .is_pointer = d.is_ptr,
                              .pointee = d.ptr_space};
    return true;
}
