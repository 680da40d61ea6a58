/* Instructions. */
#include "read_priv.h"

#include <ctype.h>
#include <string.h>

static bool operand(struct reader *r, struct opnd *o);

static bool address(struct reader *r, struct opnd *o)
{
    const char *s;
    size_t n;

    *o = (struct opnd){.kind = OPND_ADDR, .reg = NO_REG};
    n = read_word(r, &s);
    o->reg = read_find_reg(r, s, n);
    if (o->reg == NO_REG) {
        const struct symbol *y = read_find_symbol(r, s, n);

        if (y == NULL) {
            return read_fail(r, "address of what?");
        }
        o->space = y->space;
        o->value = y->at;
    }
    if (read_take(r, "+")) {
        o->value += read_number(r);
    }
    return true; /* the bracket is the caller's: coordinates may follow */
}

/* Functions are numbered from 1. */
static bool function_value(struct reader *r, const char *s, size_t n, struct opnd *o)
{
    for (uint32_t i = 0; i < r->c->n_funcs; i++) {
        const char *const name = r->c->func[i].name;

        if (strlen(name) == n && memcmp(name, s, n) == 0) {
            *o = (struct opnd){.kind = OPND_IMM, .reg = NO_REG, .value = i + 1};
            return true;
        }
    }
    return read_fail(r, "unknown name");
}

/* .b0, .h10, .b7654: parts of a register. */
static bool selected(struct reader *r, struct opnd *o)
{
    const char *s;
    size_t n;

    if (*r->p != '.') {
        return true;
    }
    r->p++;
    n = read_word(r, &s);
    if (n < 2 || n >= sizeof(o->part) || (s[0] != 'b' && s[0] != 'h')) {
        return read_fail(r, "part of a register");
    }
    memcpy(o->part, s, n);
    return true;
}

static bool named(struct reader *r, struct opnd *o)
{
    const char *s;
    size_t n = read_word(r, &s);
    const struct symbol *y;

    if (n == 0) {
        return read_fail(r, "an operand is missing");
    }
    if (n == 1 && s[0] == '_') { /* nobody wants it */
        return true;
    }
    o->reg = read_find_reg(r, s, n);
    if (o->reg != NO_REG) {
        o->kind = OPND_REG;
        return selected(r, o);
    }
    if (s[0] == '%') {
        const char *axis; /* %tid.x */

        if (*r->p == '.') {
            r->p++;
            (void)read_word(r, &axis);
        }
        o->kind = OPND_SREG;
        o->value = name_sreg(s + 1, (size_t)(r->p - s) - 1);
        return o->value < N_SREGS || read_fail(r, "special register");
    }
    if ((s[0] == 'L' || s[0] == 'T') && n > 1 && isdigit((unsigned char)s[1])) {
        o->kind = OPND_LABEL;
        o->value = read_label_number(r, s, n);
        return true;
    }
    y = read_find_symbol(r, s, n);
    if (y == NULL) {
        return function_value(r, s, n, o);
    }
    *o = (struct opnd){.kind = OPND_IMM,
                       .reg = NO_REG,
                       .value = y->at,
                       .space = y->space};
    if (y->space == SPACE_GLOBAL) { /* others: an offset in their space */
        o->value += GENERIC_GLOBALS;
    }
    return true;
}

static bool operand(struct reader *r, struct opnd *o)
{
    *o = (struct opnd){.reg = NO_REG};
    read_skip(r);
    if (read_take(r, "[")) {
        return address(r, o);
    }
    o->negated =
        read_take(r, "!") || (strncmp(r->p, "-%", 2) == 0 && read_take(r, "-"));
    if (isdigit((unsigned char)*r->p) || *r->p == '-') {
        o->kind = OPND_IMM;
        o->value = read_number(r);
        return true;
    }
    return named(r, o);
}

static bool one_operand(struct reader *r, struct insn *in)
{
    if (in->n == MAX_OPNDS) {
        return read_fail(r, "too many operands");
    }
    return operand(r, &in->o[in->n++]);
}

/* One, or those of a vector; with the coordinates that stand in its bracket. */
static bool group(struct reader *r, struct insn *in)
{
    const uint32_t first = in->n;
    const bool vector = read_take(r, "{");

    do {
        if (!one_operand(r, in)) {
            return false;
        }
    } while (vector && read_take(r, ","));
    if ((vector && !read_expect(r, "}")) || in->n_groups == MAX_OPND_GROUPS) {
        return read_fail(r, "operands");
    }
    in->group[in->n_groups++] = (uint8_t)(in->n - first);
    if (vector || in->o[first].kind != OPND_ADDR) {
        return true;
    }
    return read_take(r, ",") ? group(r, in) && read_expect(r, "]")
                             : read_expect(r, "]");
}

static bool operands(struct reader *r, struct insn *in)
{
    if (read_take(r, ";")) {
        return true;
    }
    do {
        if (!group(r, in)) {
            return false;
        }
        if (read_take(r, "|")) {
            struct opnd o;

            if (!operand(r, &o)) {
                return false;
            }
            in->pair = o.reg;
        }
        in->n_to = in->n_to == 0 ? in->n : in->n_to;
    } while (read_take(r, ","));
    if (in->hinted) { /* that policy is without effect, whatever it is */
        in->n--;
        in->n_groups--;
    }
    return read_expect(r, ";");
}

static void set_round(struct insn *in, uint32_t m)
{
    if (m == MOD_RN || m == MOD_RZ || m == MOD_RM || m == MOD_RP || m == MOD_RNI ||
        m == MOD_RZI || m == MOD_RMI || m == MOD_RPI || m == MOD_RNA) {
        in->round = (uint8_t)m;
    }
}

static void set_cmp(struct insn *in, uint32_t m)
{
    static const uint8_t all[] = {MOD_EQ,  MOD_NE,  MOD_LT,  MOD_LE,  MOD_GT,  MOD_GE,
                                  MOD_LO,  MOD_LS,  MOD_HI,  MOD_HS,  MOD_EQU, MOD_NEU,
                                  MOD_LTU, MOD_LEU, MOD_GTU, MOD_GEU, MOD_NUM, MOD_NAN};

    for (uint32_t i = 0; i < sizeof(all); i++) {
        if (m == all[i]) {
            in->cmp = (uint8_t)m;
        }
    }
    if (m == MOD_AND || m == MOD_OR || m == MOD_XOR) {
        in->logic = (uint8_t)m;
    }
}

static void set_space(struct insn *in, uint32_t m)
{
    if (m == MOD_GLOBAL) {
        in->space = SPACE_GLOBAL;
    } else if (m == MOD_SHARED) {
        in->space = SPACE_SHARED;
    } else if (m == MOD_LOCAL) {
        in->space = SPACE_LOCAL;
    } else if (m == MOD_CONST) {
        in->space = SPACE_CONST;
    } else if (m == MOD_PARAM) {
        in->space = SPACE_PARAM;
    }
}

static bool is(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* What stands behind ::, which counts here for shared::cluster and L2::cache_hint. */
static void skip_detail(struct reader *r, struct insn *in, const char *word)
{
    while (strncmp(r->p, "::", 2) == 0) {
        const char *s;
        size_t n;

        r->p += 2;
        n = read_word(r, &s);
        in->cluster =
            in->cluster || (strncmp(word, "shared::", 8) == 0 && is(s, n, "cluster"));
        in->hinted = in->hinted || is(s, n, "cache_hint");
    }
}

static bool modifier(struct reader *r, struct insn *in, const char *s, size_t n)
{
    uint32_t m = name_mod(s, n);
    enum ty t = m == UINT32_MAX ? name_type(s, n) : TY_NONE;

    if (is(s, n, "L1") || is(s, n, "L2") || is(s, n, "tile")) {
        return true; /* a hint, where to prefetch, or what goes without saying */
    }
    if (t != TY_NONE) {
        uint8_t *const types[] = {&in->ty, &in->ty2, &in->ty3, &in->ty4};
        uint32_t i = 0;

        while (i < 3 && *types[i] != TY_NONE) {
            i++;
        }
        *types[i] = (uint8_t)t;
        return true;
    }
    if (m == UINT32_MAX) {
        r->p = s;
        return read_fail(r, "modifier");
    }
    if (m == MOD_ROW || m == MOD_COL) { /* of A first, then of B */
        in->a_col = has(in, MOD_ROW) || has(in, MOD_COL) ? in->a_col : m == MOD_COL;
        in->b_col = m == MOD_COL;
    }
    in->mods[m / 64] |= UINT64_C(1) << (m % 64);
    in->ftz = in->ftz || m == MOD_FTZ;
    in->sat = in->sat || m == MOD_SAT;
    in->n_vec = m == MOD_V2 ? 2 : m == MOD_V4 ? 4 : in->n_vec;
    set_round(in, m);
    set_cmp(in, m);
    set_space(in, m);
    return true;
}

static bool mnemonic(struct reader *r, struct insn *in)
{
    const char *s;
    size_t n = read_word(r, &s);
    uint32_t op = name_op(s, n);

    if (op == UINT32_MAX) {
        r->p = s;
        return read_fail(r, "instruction");
    }
    in->name = s;
    in->op = (uint8_t)op;
    while (*r->p == '.') {
        r->p++;
        n = read_word(r, &s);
        skip_detail(r, in, s);
        if (!modifier(r, in, s, n)) {
            return false;
        }
    }
    in->name_len = (uint32_t)(r->p - in->name);
    return true;
}

static bool actuals(struct reader *r, struct arg *args, uint8_t *n)
{
    *n = 0;
    if (!read_expect(r, "(")) {
        return false;
    }
    while (!read_take(r, ")")) {
        const char *s;
        size_t len;
        uint16_t reg;
        const struct symbol *y;

        if (*n == MAX_ARGS || (*n > 0 && !read_expect(r, ","))) {
            return read_fail(r, "arguments");
        }
        len = read_word(r, &s);
        reg = read_find_reg(r, s, len);
        y = reg == NO_REG ? read_find_symbol(r, s, len) : NULL;
        if (reg == NO_REG && y == NULL) {
            return read_fail(r, "argument");
        }
        args[*n] =
            reg != NO_REG
                ? (struct arg){true, reg, (uint16_t)(ty_bits(r->f->reg_ty[reg]) / 8)}
                : (struct arg){false, (uint16_t)y->at, (uint16_t)y->bytes};
        (*n)++;
    }
    return true;
}

/* call (results), name, (arguments); or, of what register %v has the number of,
 * call (results), %v0, (arguments), prototype; */
static bool call(struct reader *r, struct insn *in)
{
    struct call *k = &r->c->call[r->c->n_calls];
    char callee[NAME];
    const char *s;

    if (r->c->n_calls == MAX_CALLS) {
        return read_fail(r, "too many calls");
    }
    in->o[0] = (struct opnd){.kind = OPND_LABEL, .value = r->c->n_calls++};
    k->n_results = 0;
    read_skip(r);
    if (*r->p == '(' &&
        (!actuals(r, k->result, &k->n_results) || !read_expect(r, ","))) {
        return false;
    }
    read_skip(r);
    k->by_value = *r->p == '%';
    if (k->by_value) {
        const size_t n = read_word(r, &s);

        k->reg = read_find_reg(r, s, n);
        return (k->reg != NO_REG && read_expect(r, ",") &&
                actuals(r, k->arg, &k->n_args) && read_expect(r, ",") &&
                read_word(r, &s) > 0 && read_expect(r, ";")) ||
               read_fail(r, "call through a register");
    }
    if (!read_name(r, callee) || !read_expect(r, ",") ||
        !actuals(r, k->arg, &k->n_args)) {
        return false;
    }
    for (uint32_t i = 0; i < r->c->n_funcs; i++) {
        const struct func *f = &r->c->func[i];

        if (strcmp(f->name, callee) == 0) {
            k->func = (uint8_t)i;
            return (f->n_args == k->n_args && f->n_results == k->n_results &&
                    read_expect(r, ";")) ||
                   read_fail(r, "arguments of a call");
        }
    }
    return read_fail(r, "function");
}

bool read_instruction(struct reader *r)
{
    struct insn *in = &r->c->insn[r->c->n_insns];

    if (r->c->n_insns == MAX_INSNS) {
        return read_fail(r, "too many instructions");
    }
    r->c->n_insns++;
    memset(in, 0, sizeof(*in));
    in->round = in->cmp = in->logic = MOD_NONE;
    in->guard = in->pair = NO_REG;
    in->n_vec = 1;
    in->line = r->line;
    if (read_take(r, "@")) {
        const char *s;
        size_t n;

        in->guard_negated = read_take(r, "!");
        n = read_word(r, &s);
        in->guard = read_find_reg(r, s, n);
        if (in->guard == NO_REG) {
            return read_fail(r, "guard");
        }
    }
    read_skip(r);
    if (!mnemonic(r, in)) {
        return false;
    }
    return in->op == OP_CALL ? call(r, in) : operands(r, in);
}

/* T3: .branchtargets L1, L2; */
