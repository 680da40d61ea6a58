/* Constant expressions, as in C. */
#include "base/bits.h"
#include "ptx/ptx_priv.h"

#include <string.h>

struct binary {
    enum ptx_tk kind;
    char c; /* of TK_PUNCT */
    uint8_t level;
};

static const struct binary binaries[] = {
    {TK_OR, 0, 1},       {TK_AND, 0, 2},      {TK_PUNCT, '|', 3}, {TK_PUNCT, '^', 4},
    {TK_PUNCT, '&', 5},  {TK_EQ, 0, 6},       {TK_NE, 0, 6},      {TK_LE, 0, 7},
    {TK_GE, 0, 7},       {TK_PUNCT, '<', 7},  {TK_PUNCT, '>', 7}, {TK_SHL, 0, 8},
    {TK_SHR, 0, 8},      {TK_PUNCT, '+', 9},  {TK_PUNCT, '-', 9}, {TK_PUNCT, '*', 10},
    {TK_PUNCT, '/', 10}, {TK_PUNCT, '%', 10},
};

static const struct binary *binary_of(const struct ptx_tok *t)
{
    for (size_t i = 0; i < ARRAY_LEN(binaries); i++) {
        if (t->kind == binaries[i].kind &&
            (t->kind != TK_PUNCT || t->u == (uint64_t)binaries[i].c)) {
            return &binaries[i];
        }
    }
    return NULL;
}

static bool negate(struct ptx_const *v)
{
    if (!v->is_float) {
        v->u = 0 - v->u;
        v->is_unsigned = false;
        return true;
    }
    v->u ^= v->imm == IMM_F32 ? 0x80000000u : 1ull << 63;
    return true;
}

static bool expression(struct ptx_parser *p, uint32_t level, struct ptx_const *out);

/* (.s64) and (.u64) */
static bool cast(struct ptx_parser *p, struct ptx_const *out, bool *is_cast)
{
    const bool u64 = ptx_tok_is(&p->lex.t, TK_DOT, "u64");

    *is_cast = u64 || ptx_tok_is(&p->lex.t, TK_DOT, "s64");
    if (!*is_cast) {
        return true;
    }
    ptx_lex_advance(&p->lex);
    if (!ptx_expect(p, ')') || !expression(p, 11, out)) {
        return false;
    }
    out->is_unsigned = u64;
    return true;
}

static bool primary(struct ptx_parser *p, struct ptx_const *out)
{
    const struct ptx_tok t = p->lex.t;
    bool is_cast;
    char buf[48];

    *out = (struct ptx_const){false, t.is_unsigned, t.u, IMM_INT};
    if (t.kind == TK_INT) {
        ptx_lex_advance(&p->lex);
        return true;
    }
    if (t.kind == TK_F32 || t.kind == TK_F64) {
        out->is_float = true;
        out->imm = t.kind == TK_F32 ? IMM_F32 : IMM_F64;
        ptx_lex_advance(&p->lex);
        return true;
    }
    if (ptx_tok_is(&t, TK_ID, "WARP_SZ")) {
        out->u = ISA_LANES;
        ptx_lex_advance(&p->lex);
        return true;
    }
    if (ptx_accept(p, '(')) {
        return cast(p, out, &is_cast) &&
               (is_cast || (expression(p, 0, out) && ptx_expect(p, ')')));
    }
    return ptx_fail(p, &t, "expected a constant before %s",
                    ptx_tok_text(&t, buf, sizeof(buf)));
}

static bool unary(struct ptx_parser *p, struct ptx_const *out)
{
    const struct ptx_tok t = p->lex.t;

    if (ptx_accept(p, '+')) {
        return expression(p, 11, out);
    }
    if (ptx_accept(p, '-')) {
        return expression(p, 11, out) && negate(out);
    }
    if (!ptx_tok_punct(&t, '~') && !ptx_tok_punct(&t, '!')) {
        return primary(p, out);
    }
    ptx_lex_advance(&p->lex);
    if (!expression(p, 11, out)) {
        return false;
    }
    if (out->is_float) {
        return ptx_fail(p, &t, "'%c' of a floating point constant", *t.s);
    }
    out->u = *t.s == '~' ? ~out->u : (uint64_t)(out->u == 0);
    return true;
}

static bool divide(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_const *a,
                   const struct ptx_const *b)
{
    const bool rem = op->u == '%';

    if (b->u == 0) {
        return ptx_fail(p, op, "division by zero in a constant");
    }
    if (a->is_unsigned) {
        a->u = rem ? a->u % b->u : a->u / b->u;
    } else if (b->u == UINT64_MAX) { /* -1: INT64_MIN / -1 wraps */
        a->u = rem ? 0 : 0 - a->u;
    } else {
        const int64_t x = (int64_t)a->u, y = (int64_t)b->u;

        a->u = (uint64_t)(rem ? x % y : x / y);
    }
    return true;
}

static uint64_t shifted(const struct ptx_const *a, uint64_t n, bool left)
{
    if (left) {
        return n < 64 ? a->u << n : 0;
    }
    if (a->is_unsigned || a->u <= INT64_MAX) {
        return n < 64 ? a->u >> n : 0;
    }
    return n < 64 ? ~(~a->u >> n) : UINT64_MAX;
}

static bool is_less(const struct ptx_const *a, const struct ptx_const *b, bool uns)
{
    return uns ? a->u < b->u : (int64_t)a->u < (int64_t)b->u;
}

static void compare(enum ptx_tk kind, char c, struct ptx_const *a,
                    const struct ptx_const *b)
{
    const bool uns = a->is_unsigned;
    bool r = false;

    if (kind == TK_EQ || kind == TK_NE) {
        r = (a->u == b->u) == (kind == TK_EQ);
    } else if (kind == TK_LE || kind == TK_GE) {
        r = kind == TK_LE ? !is_less(b, a, uns) : !is_less(a, b, uns);
    } else if (kind == TK_AND || kind == TK_OR) {
        r = kind == TK_AND ? a->u != 0 && b->u != 0 : a->u != 0 || b->u != 0;
    } else {
        r = c == '<' ? is_less(a, b, uns) : is_less(b, a, uns);
    }
    a->u = r;
    a->is_unsigned = false;
}

static bool apply(struct ptx_parser *p, const struct ptx_tok *op, struct ptx_const *a,
                  const struct ptx_const *b)
{
    const char c = op->kind == TK_PUNCT ? (char)op->u : '\0';

    if (a->is_float || b->is_float) {
        return ptx_fail(p, op, "operator on floating point constants");
    }
    if (op->kind == TK_SHL || op->kind == TK_SHR) {
        a->u = shifted(a, b->u, op->kind == TK_SHL);
        return true;
    }
    a->is_unsigned |= b->is_unsigned;
    switch (c) {
    case '+': a->u += b->u; return true;
    case '-': a->u -= b->u; return true;
    case '*': a->u *= b->u; return true;
    case '&': a->u &= b->u; return true;
    case '|': a->u |= b->u; return true;
    case '^': a->u ^= b->u; return true;
    case '/':
    case '%': return divide(p, op, a, b);
    default: compare(op->kind, c, a, b); return true;
    }
}

/* level: the weakest operator taken; 11: none. */
static bool expression(struct ptx_parser *p, uint32_t level, struct ptx_const *out)
{
    const struct binary *b;

    if (p->expr_depth >= PTX_MAX_NESTING) {
        return ptx_fail(p, &p->lex.t, "expression nested too deeply");
    }
    p->expr_depth++;
    if (!unary(p, out)) {
        return false;
    }
    while ((b = binary_of(&p->lex.t)) != NULL && b->level >= level) {
        const struct ptx_tok op = p->lex.t;
        struct ptx_const right;

        ptx_lex_advance(&p->lex);
        if (!expression(p, b->level + 1u, &right) || !apply(p, &op, out, &right)) {
            return false;
        }
    }
    if (level == 0 && ptx_accept(p, '?')) {
        struct ptx_const yes, no;

        if (!expression(p, 0, &yes) || !ptx_expect(p, ':') || !expression(p, 0, &no)) {
            return false;
        }
        *out = (out->is_float ? bits_f64(out->u) != 0.0 : out->u != 0) ? yes : no;
    }
    p->expr_depth--;
    return true;
}

bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out)
{
    p->expr_depth = 0;
    return expression(p, 0, out);
}

bool ptx_const_u32(struct ptx_parser *p, uint64_t max, uint32_t *out)
{
    const struct ptx_tok t = p->lex.t;
    struct ptx_const c;

    if (!ptx_const_expr(p, &c)) {
        return false;
    }
    if (c.is_float || c.u > max) {
        return ptx_fail(p, &t, "expected an integer from 0 to %llu",
                        (unsigned long long)max);
    }
    *out = (uint32_t)c.u;
    return true;
}
