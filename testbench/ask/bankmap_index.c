#include "ask/bankmap_index.h"

#include <string.h>

enum { MAX_DEPTH = 100 };

enum op {
    OP_OR,
    OP_AND,
    OP_BITS_OR,
    OP_BITS_XOR,
    OP_BITS_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    N_OPS
};

/* A longer operator stands before those it begins with. */
static const struct {
    const char *text;
    uint32_t level; /* higher binds tighter */
} ops[N_OPS] = {
    [OP_OR] = {"||", 1},      [OP_AND] = {"&&", 2},     [OP_BITS_OR] = {"|", 3},
    [OP_BITS_XOR] = {"^", 4}, [OP_BITS_AND] = {"&", 5}, [OP_EQ] = {"==", 6},
    [OP_NE] = {"!=", 6},      [OP_LE] = {"<=", 7},      [OP_GE] = {">=", 7},
    [OP_SHL] = {"<<", 8},     [OP_SHR] = {">>", 8},     [OP_LT] = {"<", 7},
    [OP_GT] = {">", 7},       [OP_ADD] = {"+", 9},      [OP_SUB] = {"-", 9},
    [OP_MUL] = {"*", 10},     [OP_DIV] = {"/", 10},     [OP_MOD] = {"%", 10},
};

struct parser {
    const char *text, *at;
    int64_t tid;
    uint32_t depth;
    bool passed_over; /* of this part only the form matters */
    struct smw_err *e;
};

static void refuse(struct parser *p, const char *at, uint32_t width)
{
    err_at(p->e, NULL, p->text, 1, (uint32_t)(at - p->text) + 1, width);
}

static void blanks(struct parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool failed(const struct parser *p)
{
    return p->e->kind != SMW_ERR_NONE;
}

/* ---- values ---- */

static int64_t overflow(struct parser *p, const char *at, uint32_t width)
{
    if (!p->passed_over && !failed(p)) {
        err_set(p->e, SMW_ERR_USAGE, "for tid %d the result does not fit 64 bits",
                (int)p->tid);
        refuse(p, at, width);
    }
    return 0;
}

static int64_t shift(struct parser *p, const char *at, enum op op, int64_t a, int64_t b)
{
    if (b < 0 || b > 63) {
        if (!p->passed_over && !failed(p)) {
            err_set(p->e, SMW_ERR_USAGE,
                    "for tid %d this shifts by %lld, not by 0 to 63", (int)p->tid,
                    (long long)b);
            refuse(p, at, 2);
        }
        return 0;
    }
    if (op == OP_SHR) { /* arithmetic, whatever the compiler's own is */
        return a >= 0 ? a >> b : ~(~a >> b);
    }
    if (a < 0 || (a != 0 && b > 0 && a > INT64_MAX >> b)) {
        return overflow(p, at, 2);
    }
    return (int64_t)((uint64_t)a << b);
}

static int64_t divide(struct parser *p, const char *at, enum op op, int64_t a,
                      int64_t b)
{
    if (b == 0) {
        if (!p->passed_over && !failed(p)) {
            err_set(p->e, SMW_ERR_USAGE, "for tid %d this divides by zero",
                    (int)p->tid);
            refuse(p, at, 1);
        }
        return 0;
    }
    if (b == -1) {
        return op == OP_MOD ? 0 : a == INT64_MIN ? overflow(p, at, 1) : -a;
    }
    return op == OP_DIV ? a / b : a % b;
}

static int64_t arithmetic(struct parser *p, const char *at, enum op op, int64_t a,
                          int64_t b)
{
    int64_t v;
    bool over = op == OP_ADD   ? __builtin_add_overflow(a, b, &v)
                : op == OP_SUB ? __builtin_sub_overflow(a, b, &v)
                               : __builtin_mul_overflow(a, b, &v);

    return over ? overflow(p, at, 1) : v;
}

static int64_t apply(struct parser *p, const char *at, enum op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_OR: return a != 0 || b != 0;
    case OP_AND: return a != 0 && b != 0;
    case OP_BITS_OR: return a | b;
    case OP_BITS_XOR: return a ^ b;
    case OP_BITS_AND: return a & b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LE: return a <= b;
    case OP_GE: return a >= b;
    case OP_LT: return a < b;
    case OP_GT: return a > b;
    case OP_SHL:
    case OP_SHR: return shift(p, at, op, a, b);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return arithmetic(p, at, op, a, b);
    case OP_DIV:
    case OP_MOD: return divide(p, at, op, a, b);
    case N_OPS: break;
    }
    return 0;
}

/* ---- the grammar ---- */

static int64_t conditional(struct parser *p);

/* "threadIdx.x" is one name; so is a wrong one, for the message. */
static size_t name_length(const char *s)
{
    return strspn(s,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789");
}

static int64_t number(struct parser *p)
{
    const char *from = p->at;
    size_t n = name_length(from);
    uint64_t base = 10, v = 0;
    size_t i = 0;

    if (n > 2 && from[0] == '0' && (from[1] == 'x' || from[1] == 'X')) {
        base = 16;
        i = 2;
    }
    p->at += n;
    while (n > 1 && strchr("uUlL", from[n - 1]) != NULL) {
        n--; /* 32u, 1ull */
    }
    for (; i < n; i++) {
        uint64_t d = (uint64_t)(from[i] - '0');

        d = d <= 9 ? d : (uint64_t)((from[i] | 0x20) - 'a' + 10);
        if (d >= base) {
            err_set(p->e, SMW_ERR_USAGE, "'%.*s' is no whole number", (int)n, from);
            refuse(p, from, (uint32_t)n);
            return 0;
        }
        if (v > ((uint64_t)INT64_MAX - d) / base) {
            err_set(p->e, SMW_ERR_USAGE, "%.*s does not fit 64 bits", (int)n, from);
            refuse(p, from, (uint32_t)n);
            return 0;
        }
        v = v * base + d;
    }
    return (int64_t)v;
}

static int64_t name(struct parser *p)
{
    static const char *const names[] = {"tid", "lane", "threadIdx.x"};
    size_t n = name_length(p->at);
    char word[64];
    const char *nearest;

    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strlen(names[i]) == n && memcmp(names[i], p->at, n) == 0) {
            p->at += n;
            return p->tid;
        }
    }
    if (n >= sizeof(word)) {
        n = sizeof(word) - 1;
    }
    memcpy(word, p->at, n);
    word[n] = '\0';
    err_set(p->e, SMW_ERR_USAGE, "unknown name '%s'", word);
    refuse(p, p->at, (uint32_t)n);
    nearest = err_nearest(word, names, ARRAY_LEN(names));
    err_hint(p->e, nearest != NULL ? "did you mean '%s'?" : "the variable is '%s'",
             nearest != NULL ? nearest : names[0]);
    return 0;
}

static int64_t parenthesis(struct parser *p)
{
    const char *from = p->at++;
    int64_t v = conditional(p);

    blanks(p);
    if (!failed(p) && *p->at != ')') {
        err_set(p->e, SMW_ERR_USAGE, "this parenthesis is never closed");
        refuse(p, from, 1);
        return 0;
    }
    p->at++;
    return v;
}

static int64_t value(struct parser *p)
{
    char c;

    blanks(p);
    c = *p->at;
    if (c == '(') {
        return parenthesis(p);
    }
    if (c >= '0' && c <= '9') {
        return number(p);
    }
    if (c != '\0' && c != '.' && name_length(p->at) > 0) {
        return name(p);
    }
    if (c == '\0') {
        err_set(p->e, SMW_ERR_USAGE, "the expression ends where a value must follow");
    } else {
        err_set(p->e, SMW_ERR_USAGE, "a value must stand here, not '%c'", c);
    }
    refuse(p, p->at, 1);
    return 0;
}

static int64_t unary(struct parser *p)
{
    const char *at;
    int64_t v;
    char c;

    blanks(p);
    at = p->at;
    c = *at;
    if (c == '\0' || strchr("-+~!", c) == NULL) {
        return value(p);
    }
    if (++p->depth > MAX_DEPTH) {
        err_set(p->e, SMW_ERR_USAGE, "the expression is nested too deeply");
        refuse(p, at, 1);
        return 0;
    }
    p->at++;
    v = unary(p);
    p->depth--;
    switch (c) {
    case '-': return v == INT64_MIN ? overflow(p, at, 1) : -v;
    case '~': return ~v;
    case '!': return v == 0;
    default: return v;
    }
}

static enum op next_op(struct parser *p)
{
    blanks(p);
    for (uint32_t i = 0; i < N_OPS; i++) {
        if (strncmp(p->at, ops[i].text, strlen(ops[i].text)) == 0) {
            return (enum op)i;
        }
    }
    return N_OPS;
}

/* Operators of at least this level. */
static int64_t binary(struct parser *p, uint32_t level)
{
    int64_t a = unary(p);

    for (;;) {
        enum op op = failed(p) ? N_OPS : next_op(p);
        bool outer = p->passed_over;
        const char *at = p->at;
        int64_t b;

        if (op == N_OPS || ops[op].level < level) {
            return a;
        }
        p->at += strlen(ops[op].text);
        p->passed_over = outer || (op == OP_OR && a != 0) || (op == OP_AND && a == 0);
        b = binary(p, ops[op].level + 1);
        p->passed_over = outer;
        if (!failed(p)) {
            a = apply(p, at, op, a, b);
        }
    }
}

static int64_t conditional(struct parser *p)
{
    bool outer = p->passed_over;
    const char *question;
    int64_t c, yes, no;

    if (++p->depth > MAX_DEPTH) {
        err_set(p->e, SMW_ERR_USAGE, "the expression is nested too deeply");
        refuse(p, p->at, 1);
        return 0;
    }
    c = binary(p, 1);
    blanks(p);
    if (failed(p) || *p->at != '?') {
        p->depth--;
        return c;
    }
    question = p->at++;
    p->passed_over = outer || c == 0;
    yes = conditional(p);
    blanks(p);
    if (!failed(p) && *p->at != ':') {
        err_set(p->e, SMW_ERR_USAGE, "this '?' has no ':'");
        refuse(p, question, 1);
        return 0;
    }
    p->at += !failed(p);
    p->passed_over = outer || c != 0;
    no = failed(p) ? 0 : conditional(p);
    p->passed_over = outer;
    p->depth--;
    return c != 0 ? yes : no;
}

bool index_eval(const char *text, uint32_t tid, int64_t *out, struct smw_err *e)
{
    struct parser p = {.text = text, .at = text, .tid = (int64_t)tid, .e = e};
    int64_t v = conditional(&p);

    blanks(&p);
    if (!failed(&p) && *p.at != '\0') {
        err_set(e, SMW_ERR_USAGE,
                *p.at == '=' ? "'=' assigns; '==' compares"
                             : "an operator must stand here");
        refuse(&p, p.at, 1);
    }
    if (failed(&p)) {
        return false;
    }
    *out = v;
    return true;
}
