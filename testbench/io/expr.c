#include "io/expr_priv.h"

#include "io/num.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- where ---- */

/* The expression as it stands in the file, unless it is folded or has escapes. */
static bool stands_there(const struct expr *x, uint32_t *column)
{
    const char *line = x->y->text;
    size_t n;

    for (uint32_t i = 1; i < x->at->line; i++) {
        line = strchr(line, '\n');
        if (line == NULL) {
            return false;
        }
        line++;
    }
    n = strcspn(line, "\n");
    *column = x->at->column + x->at->quoted;
    return *column >= 1 && *column - 1 < n &&
           strncmp(line + *column - 1, x->text, strlen(x->text)) == 0;
}

bool expr_refuse(const struct expr *x, uint32_t offset, uint32_t width,
                 struct smw_err *e, const char *fmt, ...)
{
    char message[sizeof(e->message)];
    uint32_t column = 0;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    if (e->kind != SMW_ERR_NONE) {
        return false;
    }
    err_set(e, x->kind, "%s", message);
    if (x->y == NULL) {
        err_at(e, "expression", x->text, 1, offset + 1, width);
        e->line = 0;
    } else if (x->at->source == NULL && stands_there(x, &column)) {
        err_at(e, x->y->name, x->y->text, x->at->line, column + offset, width);
    } else {
        yaml_point(x->y, x->at, e);
    }
    return false;
}

bool expr_is_name(const struct expr *x)
{
    return x->nodes[x->root].op == OP_NAME;
}

bool expr_names(const struct expr *x, expr_name *fn, void *ctx)
{
    for (uint32_t i = 0; i < x->n; i++) {
        if (x->nodes[i].op == OP_NAME &&
            !fn(ctx, x, x->nodes[i].text, x->nodes[i].offset)) {
            return false;
        }
    }
    return true;
}

/* ---- values ---- */

struct evaluation {
    const struct expr *x;
    expr_resolve *resolve;
    void *ctx;
    struct smw_err *e;
};

static bool eval(const struct evaluation *v, uint32_t i, struct expr_value *out);

static struct expr_value number(double d)
{
    return isfinite(d) ? (struct expr_value){.kind = EXPR_NUMBER, .number = d}
                       : (struct expr_value){.kind = EXPR_NONE};
}

/* The value of operand i of operator n, which takes numbers. */
static bool eval_number(const struct evaluation *v, const struct expr_node *n,
                        uint32_t i, struct expr_value *out)
{
    const struct expr_node *operand = &v->x->nodes[i];

    if (!eval(v, i, out)) {
        return false;
    }
    if (out->kind != EXPR_TEXT) {
        return true;
    }
    return expr_refuse(v->x, operand->offset, operand->width, v->e,
                       "'%.*s' takes numbers, not the text '%s'", (int)n->width,
                       v->x->text + n->offset, out->text);
}

static bool eval_logic(const struct evaluation *v, const struct expr_node *n,
                       struct expr_value *out)
{
    bool decides = n->op == OP_OR; /* this operand alone decides */
    struct expr_value a, b;

    if (!eval_number(v, n, n->a, &a)) {
        return false;
    }
    if (a.kind == EXPR_NUMBER && (a.number != 0) == decides) {
        *out = number(decides);
        return true;
    }
    if (!eval_number(v, n, n->b, &b)) {
        return false;
    }
    if (b.kind == EXPR_NUMBER && (b.number != 0) == decides) {
        *out = number(decides);
    } else if (a.kind == EXPR_NONE || b.kind == EXPR_NONE) {
        out->kind = EXPR_NONE;
    } else {
        *out = number(!decides);
    }
    return true;
}

static bool eval_equal(const struct evaluation *v, const struct expr_node *n,
                       struct expr_value *out)
{
    struct expr_value a, b;
    bool same;

    if (!eval(v, n->a, &a) || !eval(v, n->b, &b)) {
        return false;
    }
    if (a.kind == EXPR_NONE || b.kind == EXPR_NONE) {
        out->kind = EXPR_NONE;
        return true;
    }
    same = a.kind == b.kind &&
           (a.kind == EXPR_TEXT ? strcmp(a.text, b.text) == 0 : a.number == b.number);
    *out = number(same == (n->op == OP_EQ));
    return true;
}

static double apply(enum expr_op op, double a, double b)
{
    switch (op) {
    case OP_LE: return a <= b;
    case OP_GE: return a >= b;
    case OP_LT: return a < b;
    case OP_GT: return a > b;
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_MOD: return fmod(a, b);
    case OP_POW: return pow(a, b);
    case OP_MIN: return a < b ? a : b;
    case OP_MAX: return a > b ? a : b;
    case OP_LOG2: return a > 0 ? log2(a) : NAN;
    case OP_CEIL: return ceil(a);
    case OP_FLOOR: return floor(a);
    case OP_NEG: return -a;
    case OP_NOT: return a == 0;
    case OP_NUMBER:
    case OP_TEXT:
    case OP_NAME:
    case OP_OR:
    case OP_AND:
    case OP_EQ:
    case OP_NE: break;
    }
    return NAN;
}

static bool is_unary(enum expr_op op)
{
    return op == OP_NEG || op == OP_NOT || op == OP_LOG2 || op == OP_CEIL ||
           op == OP_FLOOR;
}

static bool eval_arithmetic(const struct evaluation *v, const struct expr_node *n,
                            struct expr_value *out)
{
    struct expr_value a, b = number(0);

    if (!eval_number(v, n, n->a, &a) ||
        (!is_unary(n->op) && !eval_number(v, n, n->b, &b))) {
        return false;
    }
    if (a.kind == EXPR_NONE || b.kind == EXPR_NONE) {
        out->kind = EXPR_NONE;
    } else {
        *out = number(apply(n->op, a.number, b.number));
    }
    return true;
}

static bool eval(const struct evaluation *v, uint32_t i, struct expr_value *out)
{
    const struct expr_node *n = &v->x->nodes[i];

    *out = (struct expr_value){.kind = EXPR_NONE};
    if (n->op == OP_NUMBER) {
        *out = number(n->number);
    } else if (n->op == OP_TEXT) {
        out->kind = EXPR_TEXT;
        out->text = n->text;
    } else if (n->op == OP_NAME) {
        v->resolve(v->ctx, n->text, out);
    } else if (n->op == OP_OR || n->op == OP_AND) {
        return eval_logic(v, n, out);
    } else if (n->op == OP_EQ || n->op == OP_NE) {
        return eval_equal(v, n, out);
    } else {
        return eval_arithmetic(v, n, out);
    }
    return true;
}

bool expr_eval(const struct expr *x, expr_resolve *resolve, void *ctx,
               struct expr_value *out, struct smw_err *e)
{
    const struct evaluation v = {.x = x, .resolve = resolve, .ctx = ctx, .e = e};

    return eval(&v, x->root, out);
}

struct expr_value expr_value_of(const char *text)
{
    struct expr_value v = {.kind = EXPR_TEXT, .text = text};
    struct num_int i;
    double d = 0;

    if (num_int(text, &i) == NUM_OK) {
        d = (double)i.magnitude;
        return number(i.negative ? -d : d);
    }
    if (num_f64(text, &d) == NUM_OK && isfinite(d)) {
        return number(d);
    }
    return v;
}

void expr_print(double v, char buf[static EXPR_NUMBER_SIZE])
{
    double back = 0;

    if (v == floor(v) && fabs(v) < 1e18) {
        snprintf(buf, EXPR_NUMBER_SIZE, "%.0f", v == 0 ? 0.0 : v);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, EXPR_NUMBER_SIZE, "%.*g", digits, v);
        if (num_f64(buf, &back) == NUM_OK && back == v) {
            return;
        }
    }
}
