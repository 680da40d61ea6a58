#include "io/expr_priv.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 1000 };

/* Longer operators before those they begin with. */
static const struct {
    const char *text;
    enum expr_op op;
    uint32_t level; /* of binding, loosest first */
} operators[] = {{"||", OP_OR, 0}, {"&&", OP_AND, 1}, {"==", OP_EQ, 2},
                 {"!=", OP_NE, 2}, {"<=", OP_LE, 2},  {">=", OP_GE, 2},
                 {"<", OP_LT, 2},  {">", OP_GT, 2},   {"+", OP_ADD, 3},
                 {"-", OP_SUB, 3}, {"**", OP_POW, 5}, {"*", OP_MUL, 4},
                 {"/", OP_DIV, 4}, {"%", OP_MOD, 4}};

enum { LEVEL_COMPARE = 2, LEVEL_UNARY = 5 };

static const char *const function_names[] = {"min", "max", "log2", "ceil", "floor"};

/* ---- parsing ---- */

struct parser {
    struct expr *x;
    const char *p; /* what is left */
    uint32_t depth;
    struct smw_err *e;
};

static bool parse_level(struct parser *s, uint32_t level, uint32_t *out);

static void skip_blanks(struct parser *s)
{
    s->p += strspn(s->p, " \t\n");
}

static uint32_t offset_of(const struct parser *s)
{
    return (uint32_t)(s->p - s->x->text);
}

static bool add_node(struct parser *s, const struct expr_node *n, uint32_t *out)
{
    if (s->x->n == MAX_NODES) {
        return expr_refuse(s->x, 0, 1, s->e,
                           "the expression has more than %d operations", MAX_NODES);
    }
    s->x->nodes = tb_realloc(s->x->nodes, (s->x->n + 1) * sizeof(*s->x->nodes));
    s->x->nodes[s->x->n] = *n;
    *out = s->x->n++;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Characters of the name at p: parts joined by dots, perhaps @ and a kernel. */
static size_t name_length(const char *p)
{
    size_t n = 0;
    bool kernel = false;

    while (is_letter(p[n]) || is_digit(p[n]) ||
           ((p[n] == '.' || (p[n] == '@' && !kernel)) &&
            (is_letter(p[n + 1]) || is_digit(p[n + 1]))) ||
           (kernel && p[n] == '$')) {
        kernel = kernel || p[n] == '@';
        n++;
    }
    return n;
}

static size_t number_length(const char *p)
{
    size_t n = 0;

    while (is_letter(p[n]) || is_digit(p[n]) || p[n] == '.' ||
           ((p[n] == '+' || p[n] == '-') && n > 0 &&
            (p[n - 1] == 'e' || p[n - 1] == 'E') &&
            !(p[0] == '0' && (p[1] == 'x' || p[1] == 'X')))) {
        n++;
    }
    return n;
}

static bool parse_number(struct parser *s, uint32_t *out)
{
    size_t n = number_length(s->p);
    struct expr_node node = {.op = OP_NUMBER,
                             .offset = offset_of(s),
                             .width = (uint32_t)n};
    char *word = tb_printf("%.*s", (int)n, s->p);
    struct expr_value v = expr_value_of(word);

    free(word);
    if (v.kind != EXPR_NUMBER) {
        return expr_refuse(s->x, node.offset, node.width, s->e,
                           "'%.*s' is not a number", (int)n, s->p);
    }
    s->p += n;
    node.number = v.number;
    return add_node(s, &node, out);
}

static bool parse_text(struct parser *s, uint32_t *out)
{
    const char *end = strchr(s->p + 1, *s->p);
    struct expr_node node = {.op = OP_TEXT, .offset = offset_of(s)};

    if (end == NULL) {
        return expr_refuse(s->x, node.offset, 1, s->e, "the text has no end, %c",
                           *s->p);
    }
    node.width = (uint32_t)(end + 1 - s->p);
    node.text = tb_printf("%.*s", (int)(end - s->p - 1), s->p + 1);
    s->p = end + 1;
    if (add_node(s, &node, out)) {
        return true;
    }
    free(node.text);
    return false;
}

static bool expect_close(struct parser *s, uint32_t open)
{
    skip_blanks(s);
    if (*s->p == ')') {
        s->p++;
        return true;
    }
    if (*s->p != '\0') {
        return expr_refuse(s->x, offset_of(s), 1, s->e,
                           "here an operator or ')' is expected");
    }
    return expr_refuse(s->x, open, 1, s->e, "the parenthesis is not closed");
}

/* min(a, b, c) is min(min(a, b), c). */
static bool parse_call(struct parser *s, struct expr_node *node, uint32_t *out)
{
    static const enum expr_op ops[] = {OP_MIN, OP_MAX, OP_LOG2, OP_CEIL, OP_FLOOR};
    char *name = tb_printf("%.*s", (int)node->width, s->x->text + node->offset);
    uint32_t open = offset_of(s), f = 0;
    const char *nearest;

    while (f < ARRAY_LEN(ops) && strcmp(function_names[f], name) != 0) {
        f++;
    }
    if (f == ARRAY_LEN(ops)) {
        expr_refuse(s->x, node->offset, node->width, s->e, "there is no function '%s'",
                    name);
        nearest = err_nearest(name, function_names, ARRAY_LEN(function_names));
        err_hint(s->e,
                 nearest != NULL ? "did you mean '%s'?"
                                 : "functions are min, max, log2, ceil, floor",
                 nearest);
        free(name);
        return false;
    }
    free(name);
    node->op = ops[f];
    s->p++;
    if (!parse_level(s, 0, &node->a)) {
        return false;
    }
    node->b = node->a;
    skip_blanks(s);
    if (*s->p == ',' && f > 1) {
        return expr_refuse(s->x, offset_of(s), 1, s->e, "%s takes one number",
                           function_names[f]);
    }
    while (*s->p == ',') {
        s->p++;
        if (!parse_level(s, 0, &node->b) || !add_node(s, node, &node->a)) {
            return false;
        }
        node->b = node->a;
        skip_blanks(s);
    }
    return expect_close(s, open) && add_node(s, node, out);
}

static bool parse_name(struct parser *s, uint32_t *out)
{
    size_t n = name_length(s->p);
    struct expr_node node = {.op = OP_NAME,
                             .offset = offset_of(s),
                             .width = (uint32_t)n};

    s->p += n;
    skip_blanks(s);
    if (*s->p == '(') {
        return parse_call(s, &node, out);
    }
    node.text = tb_printf("%.*s", (int)n, s->x->text + node.offset);
    if (add_node(s, &node, out)) {
        return true;
    }
    free(node.text);
    return false;
}

static bool parse_primary(struct parser *s, uint32_t *out)
{
    uint32_t open;

    skip_blanks(s);
    open = offset_of(s);
    if (is_digit(*s->p) || (*s->p == '.' && is_digit(s->p[1]))) {
        return parse_number(s, out);
    }
    if (*s->p == '"' || *s->p == '\'') {
        return parse_text(s, out);
    }
    if (is_letter(*s->p)) {
        return parse_name(s, out);
    }
    if (*s->p == '(') {
        s->p++;
        return parse_level(s, 0, out) && expect_close(s, open);
    }
    return expr_refuse(s->x, open, 1, s->e,
                       *s->p == '\0' ? "the expression ends where a value is expected"
                                     : "here a number, a text, a name or '(' is "
                                       "expected");
}

static bool parse_unary(struct parser *s, uint32_t *out)
{
    struct expr_node node = {.width = 1};

    skip_blanks(s);
    if (*s->p == '-' || (*s->p == '!' && s->p[1] != '=')) {
        node.op = *s->p == '-' ? OP_NEG : OP_NOT;
        node.offset = offset_of(s);
        s->p++;
        return parse_level(s, LEVEL_UNARY, &node.a) && add_node(s, &node, out);
    }
    if (!parse_primary(s, out)) {
        return false;
    }
    skip_blanks(s);
    if (s->p[0] != '*' || s->p[1] != '*') {
        return true;
    }
    node =
        (struct expr_node){.op = OP_POW, .offset = offset_of(s), .width = 2, .a = *out};
    s->p += 2;
    return parse_level(s, LEVEL_UNARY, &node.b) && add_node(s, &node, out);
}

/* The operator of the level that comes next, -1 if none does. */
static int next_operator(const struct parser *s, uint32_t level)
{
    for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
        if (strncmp(s->p, operators[i].text, strlen(operators[i].text)) == 0) {
            return operators[i].level == level ? (int)i : -1;
        }
    }
    return -1;
}

static bool parse_binary(struct parser *s, uint32_t level, uint32_t *out)
{
    int i;

    if (!parse_level(s, level + 1, out)) {
        return false;
    }
    for (skip_blanks(s); (i = next_operator(s, level)) >= 0; skip_blanks(s)) {
        struct expr_node node = {.op = operators[i].op,
                                 .offset = offset_of(s),
                                 .width = (uint32_t)strlen(operators[i].text),
                                 .a = *out};

        s->p += node.width;
        if (!parse_level(s, level + 1, &node.b) || !add_node(s, &node, out)) {
            return false;
        }
        skip_blanks(s);
        if (level == LEVEL_COMPARE && next_operator(s, level) >= 0) {
            return expr_refuse(s->x, offset_of(s), 1, s->e,
                               "comparisons do not follow one another; join them "
                               "with &&");
        }
    }
    return true;
}

static bool parse_level(struct parser *s, uint32_t level, uint32_t *out)
{
    bool ok;

    if (++s->depth > EXPR_MAX_DEPTH * (LEVEL_UNARY + 1)) {
        return expr_refuse(s->x, offset_of(s), 1, s->e,
                           "the expression nests more than %d levels", EXPR_MAX_DEPTH);
    }
    ok = level == LEVEL_UNARY ? parse_unary(s, out) : parse_binary(s, level, out);
    s->depth--;
    return ok;
}

static bool parse_all(struct parser *s)
{
    if (!parse_level(s, 0, &s->x->root)) {
        return false;
    }
    skip_blanks(s);
    if (*s->p == '\0') {
        return true;
    }
    expr_refuse(s->x, offset_of(s), 1, s->e, "here an operator is expected");
    if (*s->p == '=' || *s->p == '&' || *s->p == '|' || *s->p == '^') {
        err_hint(s->e, *s->p == '^' ? "a power is written **" : "did you mean '%c%c'?",
                 *s->p, *s->p);
    }
    return false;
}

struct expr *expr_parse(const char *text, const struct yaml *y,
                        const struct yaml_node *at, enum smw_err_kind kind,
                        struct smw_err *e)
{
    struct expr *x = tb_alloc(sizeof(*x));
    struct parser s = {.x = x, .e = e};

    *x = (struct expr){.text = tb_strdup(text), .y = y, .at = at, .kind = kind};
    s.p = x->text;
    if (parse_all(&s)) {
        return x;
    }
    expr_free(x);
    return NULL;
}

void expr_free(struct expr *x)
{
    if (x == NULL) {
        return;
    }
    for (uint32_t i = 0; i < x->n; i++) {
        free(x->nodes[i].text);
    }
    free(x->nodes);
    free(x->text);
    free(x);
}
