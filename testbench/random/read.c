/* read.c - the text of a program to struct code: one statement to a line. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SYMBOLS = 64, MAX_LABELS = 1024, MAX_CLASSES = 32, NAME = 24 };

struct symbol {
    char name[NAME];
    uint8_t space;
    uint32_t at, bytes;
};

struct reg_class { /* .reg .b32 %r<10>; or .reg .b32 %fa */
    char prefix[NAME];
    uint16_t base, n;
    bool single; /* no number follows the prefix */
};

struct reader {
    struct code *c;
    const char *p; /* where it reads */
    uint32_t line;
    bool failed;
    struct symbol symbol[MAX_SYMBOLS];
    uint32_t n_symbols, n_module_symbols;
    struct func *f; /* the one being read */
    struct reg_class reg_class[MAX_CLASSES];
    uint32_t n_classes;
    uint32_t param_at;
    uint32_t depth; /* of braces */
    uint32_t label[MAX_LABELS], table[MAX_LABELS];
};

static bool fail(struct reader *r, const char *what)
{
    if (!r->failed) {
        (void)snprintf(r->c->error, sizeof(r->c->error), "line %u: %s: %.60s", r->line,
                       what, r->p);
        for (char *s = r->c->error; *s != '\0'; s++) {
            if (*s == '\n') {
                *s = '\0';
                break;
            }
        }
    }
    r->failed = true;
    return false;
}

/* ---- words ---- */

static void skip(struct reader *r)
{
    while (*r->p == ' ' || *r->p == '\t') {
        r->p++;
    }
}

static bool take(struct reader *r, const char *s)
{
    size_t n = strlen(s);

    skip(r);
    if (strncmp(r->p, s, n) != 0) {
        return false;
    }
    r->p += n;
    return true;
}

static bool expect(struct reader *r, const char *s)
{
    return take(r, s) || fail(r, "not as expected");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

/* Its length; 0: there is none. */
static size_t word(struct reader *r, const char **s)
{
    skip(r);
    *s = r->p;
    while (is_word(*r->p)) {
        r->p++;
    }
    return (size_t)(r->p - *s);
}

static bool name(struct reader *r, char *buf)
{
    const char *s;
    size_t n = word(r, &s);

    if (n == 0 || n >= NAME) {
        return fail(r, "a name is missing");
    }
    memcpy(buf, s, n);
    buf[n] = '\0';
    return true;
}

static uint64_t number(struct reader *r)
{
    char *end;
    uint64_t v;

    skip(r);
    if (r->p[0] == '0' && (r->p[1] == 'f' || r->p[1] == 'd')) {
        v = strtoull(r->p + 2, &end, 16);
    } else if (*r->p == '-') {
        v = (uint64_t)strtoll(r->p, &end, 0);
    } else {
        v = strtoull(r->p, &end, 0);
    }
    if (end == r->p) {
        (void)fail(r, "a number is missing");
    }
    r->p = end;
    return v;
}

static enum ty type(struct reader *r)
{
    const char *s;
    size_t n;
    enum ty t;

    if (!expect(r, ".")) {
        return TY_NONE;
    }
    n = word(r, &s);
    t = name_type(s, n);
    if (t == TY_NONE) {
        (void)fail(r, "a type is missing");
    }
    return t;
}

/* ---- symbols, registers, labels ---- */

static struct symbol *add_symbol(struct reader *r)
{
    if (r->n_symbols == MAX_SYMBOLS) {
        (void)fail(r, "too many variables");
        return &r->symbol[0];
    }
    memset(&r->symbol[r->n_symbols], 0, sizeof(r->symbol[0]));
    return &r->symbol[r->n_symbols++];
}

static const struct symbol *find_symbol(const struct reader *r, const char *s, size_t n)
{
    for (uint32_t i = r->n_symbols; i > 0; i--) {
        const struct symbol *y = &r->symbol[i - 1];

        if (strncmp(y->name, s, n) == 0 && y->name[n] == '\0') {
            return y;
        }
    }
    return NULL;
}

static uint16_t find_reg(const struct reader *r, const char *s, size_t n)
{
    for (uint32_t i = 0; i < r->n_classes; i++) {
        const struct reg_class *k = &r->reg_class[i];
        size_t len = strlen(k->prefix);

        if (n < len || memcmp(s, k->prefix, len) != 0) {
            continue;
        }
        if (k->single) {
            if (n == len) {
                return k->base;
            }
        } else if (n > len && isdigit((unsigned char)s[len])) {
            uint32_t v = (uint32_t)strtoul(s + len, NULL, 10);

            return v < k->n ? (uint16_t)(k->base + v) : NO_REG;
        }
    }
    return NO_REG;
}

static uint16_t add_regs(struct reader *r, enum ty t, const char *prefix, uint32_t n)
{
    struct reg_class *k = &r->reg_class[r->n_classes];
    uint32_t count = n == 0 ? 1 : n;

    if (r->n_classes == MAX_CLASSES || r->f->n_regs + count > MAX_REGS) {
        (void)fail(r, "too many registers");
        return 0;
    }
    r->n_classes++;
    (void)snprintf(k->prefix, sizeof(k->prefix), "%s", prefix);
    k->base = (uint16_t)r->f->n_regs;
    k->n = (uint16_t)count;
    k->single = n == 0;
    for (uint32_t i = 0; i < count; i++) {
        r->f->reg_ty[r->f->n_regs++] = (uint8_t)t;
    }
    return k->base;
}

/* L12: or T3: to 12 or 3. */
static uint32_t label_number(struct reader *r, const char *s, size_t n)
{
    uint32_t v = n > 1 ? (uint32_t)strtoul(s + 1, NULL, 10) : MAX_LABELS;

    if (v >= MAX_LABELS) {
        (void)fail(r, "not a label");
        return 0;
    }
    return v;
}

/* ---- declarations ---- */

static uint32_t align_up(uint32_t v, uint32_t a)
{
    return a == 0 ? v : (v + a - 1) / a * a;
}

static bool image(struct reader *r, uint8_t *bytes, uint32_t n)
{
    uint32_t i = 0;

    if (!expect(r, "{")) {
        return false;
    }
    do {
        if (i == n) {
            return fail(r, "too many values");
        }
        bytes[i++] = (uint8_t)number(r);
    } while (take(r, ","));
    return expect(r, "}");
}

/* .align A .b8 NAME[SIZE] {= {...}}; in a space whose bytes are counted in *at. */
static bool variable(struct reader *r, enum space space, uint32_t *at, uint8_t *bytes)
{
    struct symbol *y = add_symbol(r);
    uint32_t align = 1;

    if (take(r, ".align")) {
        align = (uint32_t)number(r);
    }
    (void)type(r);
    if (!name(r, y->name) || !expect(r, "[")) {
        return false;
    }
    y->space = (uint8_t)space;
    *at = align_up(*at, align);
    y->at = *at;
    if (take(r, "]")) { /* extern */
        r->c->dynamic_shared = true;
        return expect(r, ";");
    }
    y->bytes = (uint32_t)number(r);
    *at += y->bytes;
    if (!expect(r, "]") || *at > IMAGE_BYTES * 16 ||
        (bytes != NULL && *at > IMAGE_BYTES)) {
        return fail(r, "variable");
    }
    if (take(r, "=") && (bytes == NULL || !image(r, bytes + y->at, y->bytes))) {
        return fail(r, "initial values");
    }
    return expect(r, ";");
}

/* {.align A} .type NAME{[SIZE]} */
static bool param(struct reader *r, struct arg *a)
{
    struct symbol *y = add_symbol(r);
    uint32_t align = take(r, ".align") ? (uint32_t)number(r) : 0;
    uint32_t bytes = ty_bits(type(r)) / 8;

    if (!name(r, y->name)) {
        return false;
    }
    align = align == 0 ? bytes : align;
    if (take(r, "[")) {
        bytes *= (uint32_t)number(r);
        (void)expect(r, "]");
    }
    r->param_at = align_up(r->param_at, align);
    y->space = SPACE_PARAM;
    y->at = r->param_at;
    y->bytes = bytes;
    r->param_at += bytes;
    if (r->param_at > PARAM_BYTES) {
        return fail(r, "too many parameters");
    }
    if (a != NULL) {
        *a = (struct arg){false, (uint16_t)y->at, (uint16_t)bytes};
    }
    return true;
}

/* ( .param ..., .reg ... ) of a function's head */
static bool formals(struct reader *r, struct arg *args, uint8_t *n)
{
    *n = 0;
    if (!expect(r, "(")) {
        return false;
    }
    while (!take(r, ")")) {
        struct arg *a = &args[*n];

        if (*n == MAX_ARGS || (*n > 0 && !expect(r, ","))) {
            return fail(r, "parameters");
        }
        if (take(r, ".param")) {
            if (!param(r, a)) {
                return false;
            }
        } else if (take(r, ".reg")) {
            enum ty t = type(r);
            char prefix[NAME];

            if (!name(r, prefix)) {
                return false;
            }
            *a = (struct arg){true, add_regs(r, t, prefix, 0),
                              (uint16_t)(ty_bits(t) / 8)};
        } else {
            return fail(r, "parameter");
        }
        (*n)++;
    }
    return true;
}

static bool function(struct reader *r, bool is_kernel)
{
    struct code *c = r->c;

    if (c->n_funcs == MAX_FUNCS) {
        return fail(r, "too many functions");
    }
    r->f = &c->func[c->n_funcs++];
    memset(r->f, 0, sizeof(*r->f));
    r->n_classes = 0;
    r->param_at = 0;
    r->n_module_symbols = r->n_symbols;
    r->f->entry = c->n_insns;
    if (is_kernel) {
        c->kernel = c->n_funcs - 1;
    } else {
        skip(r);
        if (*r->p == '(' && !formals(r, r->f->result, &r->f->n_results)) {
            return false;
        }
    }
    if (!name(r, r->f->name) || !formals(r, r->f->arg, &r->f->n_args)) {
        return false;
    }
    r->f->param_bytes = r->param_at;
    return true;
}

static bool registers(struct reader *r)
{
    enum ty t = type(r);
    char prefix[NAME];
    uint32_t n = 0;

    if (!name(r, prefix)) {
        return false;
    }
    if (take(r, "<")) {
        n = (uint32_t)number(r);
        (void)expect(r, ">");
    }
    (void)add_regs(r, t, prefix, n);
    return expect(r, ";");
}

static bool directive(struct reader *r)
{
    struct code *c = r->c;

    if (take(r, ".version") || take(r, ".target")) {
        return true;
    }
    if (take(r, ".address_size")) {
        c->address_bits = (uint32_t)number(r);
        return true;
    }
    if (take(r, ".const")) {
        return variable(r, SPACE_CONST, &c->const_bytes, c->constants);
    }
    if (take(r, ".global")) {
        return variable(r, SPACE_GLOBAL, &c->global_bytes, c->globals);
    }
    if (take(r, ".extern .shared") || take(r, ".shared")) {
        return variable(r, SPACE_SHARED, &c->shared_bytes, NULL);
    }
    if (take(r, ".local")) {
        return variable(r, SPACE_LOCAL, &c->local_bytes, NULL);
    }
    if (take(r, ".visible .entry")) {
        return function(r, true);
    }
    if (take(r, ".func")) {
        return function(r, false);
    }
    if (take(r, ".reg")) {
        return registers(r);
    }
    if (take(r, ".param")) {
        return param(r, NULL) && expect(r, ";");
    }
    return fail(r, "directive");
}

/* ---- instructions ---- */

static bool operand(struct reader *r, struct opnd *o);

static bool address(struct reader *r, struct opnd *o)
{
    const char *s;
    size_t n;

    *o = (struct opnd){.kind = OPND_ADDR, .reg = NO_REG};
    n = word(r, &s);
    o->reg = find_reg(r, s, n);
    if (o->reg == NO_REG) {
        const struct symbol *y = find_symbol(r, s, n);

        if (y == NULL) {
            return fail(r, "address of what?");
        }
        o->space = y->space;
        o->value = y->at;
    }
    if (take(r, "+")) {
        o->value += number(r);
    }
    return expect(r, "]");
}

static bool named(struct reader *r, struct opnd *o)
{
    const char *s;
    size_t n = word(r, &s);
    const struct symbol *y;

    if (n == 0) {
        return fail(r, "an operand is missing");
    }
    if (n == 6 && memcmp(s, "WARP_S", 6) == 0) {
        return fail(r, "operand");
    }
    o->reg = find_reg(r, s, n);
    if (o->reg != NO_REG) {
        o->kind = OPND_REG;
        return true;
    }
    if (s[0] == '%') {
        while (*r->p == '.' || is_word(*r->p)) {
            r->p++;
        }
        o->kind = OPND_SREG;
        o->value = name_sreg(s + 1, (size_t)(r->p - s) - 1);
        return o->value < N_SREGS || fail(r, "special register");
    }
    if ((s[0] == 'L' || s[0] == 'T') && n > 1 && isdigit((unsigned char)s[1])) {
        o->kind = OPND_LABEL;
        o->value = label_number(r, s, n);
        return true;
    }
    y = find_symbol(r, s, n);
    if (y == NULL) {
        return fail(r, "unknown name");
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
    skip(r);
    if (take(r, "[")) {
        return address(r, o);
    }
    o->negated = take(r, "!");
    if (isdigit((unsigned char)*r->p) || *r->p == '-') {
        o->kind = OPND_IMM;
        o->value = number(r);
        return true;
    }
    return named(r, o);
}

static bool operands(struct reader *r, struct insn *in)
{
    bool vector = false;

    if (take(r, ";")) {
        return true;
    }
    do {
        if (in->n == MAX_OPNDS) {
            return fail(r, "too many operands");
        }
        vector = take(r, "{") || vector;
        if (!operand(r, &in->o[in->n++])) {
            return false;
        }
        if (vector && take(r, "}")) {
            vector = false;
        }
        if (take(r, "|")) {
            struct opnd o;

            if (!operand(r, &o)) {
                return false;
            }
            in->pair = o.reg;
        }
    } while (take(r, ","));
    return expect(r, ";");
}

static void set_round(struct insn *in, uint32_t m)
{
    if (m == MOD_RN || m == MOD_RZ || m == MOD_RM || m == MOD_RP || m == MOD_RNI ||
        m == MOD_RZI || m == MOD_RMI || m == MOD_RPI) {
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

static bool modifier(struct reader *r, struct insn *in, const char *s, size_t n)
{
    uint32_t m = name_mod(s, n);
    enum ty t = m == UINT32_MAX ? name_type(s, n) : TY_NONE;

    if (t != TY_NONE) {
        if (in->ty == TY_NONE) {
            in->ty = (uint8_t)t;
        } else {
            in->ty2 = (uint8_t)t;
        }
        return true;
    }
    if (m == UINT32_MAX) {
        r->p = s;
        return fail(r, "modifier");
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
    size_t n = word(r, &s);
    uint32_t op = name_op(s, n);

    if (op == UINT32_MAX) {
        r->p = s;
        return fail(r, "instruction");
    }
    in->op = (uint8_t)op;
    while (*r->p == '.') {
        r->p++;
        n = word(r, &s);
        if (!modifier(r, in, s, n)) {
            return false;
        }
    }
    return true;
}

static bool actuals(struct reader *r, struct arg *args, uint8_t *n)
{
    *n = 0;
    if (!expect(r, "(")) {
        return false;
    }
    while (!take(r, ")")) {
        const char *s;
        size_t len;
        uint16_t reg;
        const struct symbol *y;

        if (*n == MAX_ARGS || (*n > 0 && !expect(r, ","))) {
            return fail(r, "arguments");
        }
        len = word(r, &s);
        reg = find_reg(r, s, len);
        y = reg == NO_REG ? find_symbol(r, s, len) : NULL;
        if (reg == NO_REG && y == NULL) {
            return fail(r, "argument");
        }
        args[*n] =
            reg != NO_REG
                ? (struct arg){true, reg, (uint16_t)(ty_bits(r->f->reg_ty[reg]) / 8)}
                : (struct arg){false, (uint16_t)y->at, (uint16_t)y->bytes};
        (*n)++;
    }
    return true;
}

/* call (results), name, (arguments); */
static bool call(struct reader *r, struct insn *in)
{
    struct call *k = &r->c->call[r->c->n_calls];
    char callee[NAME];

    if (r->c->n_calls == MAX_CALLS) {
        return fail(r, "too many calls");
    }
    in->o[0] = (struct opnd){.kind = OPND_LABEL, .value = r->c->n_calls++};
    k->n_results = 0;
    skip(r);
    if (*r->p == '(' && (!actuals(r, k->result, &k->n_results) || !expect(r, ","))) {
        return false;
    }
    if (!name(r, callee) || !expect(r, ",") || !actuals(r, k->arg, &k->n_args)) {
        return false;
    }
    for (uint32_t i = 0; i < r->c->n_funcs; i++) {
        const struct func *f = &r->c->func[i];

        if (strcmp(f->name, callee) == 0) {
            k->func = (uint8_t)i;
            return (f->n_args == k->n_args && f->n_results == k->n_results &&
                    expect(r, ";")) ||
                   fail(r, "arguments of a call");
        }
    }
    return fail(r, "function");
}

static bool instruction(struct reader *r)
{
    struct insn *in = &r->c->insn[r->c->n_insns];

    if (r->c->n_insns == MAX_INSNS) {
        return fail(r, "too many instructions");
    }
    r->c->n_insns++;
    memset(in, 0, sizeof(*in));
    in->round = in->cmp = in->logic = MOD_NONE;
    in->guard = in->pair = NO_REG;
    in->n_vec = 1;
    in->line = r->line;
    if (take(r, "@")) {
        const char *s;
        size_t n;

        in->guard_negated = take(r, "!");
        n = word(r, &s);
        in->guard = find_reg(r, s, n);
        if (in->guard == NO_REG) {
            return fail(r, "guard");
        }
    }
    skip(r);
    if (!mnemonic(r, in)) {
        return false;
    }
    return in->op == OP_CALL ? call(r, in) : operands(r, in);
}

/* T3: .branchtargets L1, L2; */
static bool targets(struct reader *r, uint32_t table)
{
    struct code *c = r->c;
    uint32_t i = c->n_switches;

    if (i == MAX_SWITCHES) {
        return fail(r, "too many tables");
    }
    c->n_switches++;
    c->n_targets[i] = 0;
    r->table[table] = i;
    do {
        const char *s;
        size_t n = word(r, &s);

        if (c->n_targets[i] == MAX_TARGETS) {
            return fail(r, "too many targets");
        }
        c->target[i][c->n_targets[i]++] = label_number(r, s, n);
    } while (take(r, ","));
    return expect(r, ";");
}

static bool label_or_instruction(struct reader *r)
{
    const char *start = r->p, *s;
    size_t n = word(r, &s);

    if (n > 0 && take(r, ":")) {
        uint32_t v = label_number(r, s, n);

        if (take(r, ".branchtargets")) {
            return targets(r, v);
        }
        r->label[v] = r->c->n_insns;
        return true;
    }
    r->p = start;
    return instruction(r);
}

static bool statement(struct reader *r)
{
    skip(r);
    if (*r->p == '\n' || *r->p == '\0' || strncmp(r->p, "//", 2) == 0) {
        return true;
    }
    if (*r->p == '{') {
        r->depth++;
        return true;
    }
    if (*r->p == '}') {
        r->depth--;
        if (r->depth == 0) { /* what falls off the end returns */
            struct insn *in = &r->c->insn[r->c->n_insns];

            if (r->c->n_insns == MAX_INSNS) {
                return fail(r, "too many instructions");
            }
            memset(in, 0, sizeof(*in));
            in->op = OP_RET;
            in->guard = in->pair = NO_REG;
            in->line = r->line;
            r->c->n_insns++;
            r->n_symbols = r->n_module_symbols;
        }
        return true;
    }
    return *r->p == '.' ? directive(r) : label_or_instruction(r);
}

/* Numbers of labels to places. */
static bool resolve(struct reader *r)
{
    struct code *c = r->c;

    for (uint32_t i = 0; i < c->n_insns; i++) {
        struct insn *in = &c->insn[i];

        if (in->op == OP_BRA) {
            in->o[0].value = r->label[in->o[0].value];
        } else if (in->op == OP_BRX) {
            in->o[1].value = r->table[in->o[1].value];
        } else {
            continue;
        }
        if (in->op == OP_BRA ? in->o[0].value > c->n_insns
                             : in->o[1].value >= c->n_switches) {
            r->line = in->line;
            return fail(r, "no such label");
        }
    }
    for (uint32_t i = 0; i < c->n_switches; i++) {
        for (uint32_t k = 0; k < c->n_targets[i]; k++) {
            c->target[i][k] = r->label[c->target[i][k]];
            if (c->target[i][k] > c->n_insns) {
                return fail(r, "no such label");
            }
        }
    }
    return true;
}

bool code_read(struct code *c, const char *text)
{
    struct reader r = {.c = c, .p = text, .line = 1};

    c->n_insns = c->n_funcs = c->n_calls = c->n_switches = 0;
    c->const_bytes = c->global_bytes = c->shared_bytes = c->local_bytes = 0;
    c->dynamic_shared = false;
    c->address_bits = 64;
    c->error[0] = '\0';
    memset(c->constants, 0, sizeof(c->constants));
    memset(c->globals, 0, sizeof(c->globals));
    memset(r.label, 0xff, sizeof(r.label));
    memset(r.table, 0xff, sizeof(r.table));
    for (; *r.p != '\0'; r.line++) {
        const char *end;

        if (!statement(&r)) {
            return false;
        }
        end = strchr(r.p, '\n');
        if (end == NULL) {
            break;
        }
        r.p = end + 1;
    }
    return resolve(&r);
}
