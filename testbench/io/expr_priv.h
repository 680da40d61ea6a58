/*
 * expr_priv.h - the tree of an expression, between its parser and its evaluation.
 */
#ifndef IO_EXPR_PRIV_H
#define IO_EXPR_PRIV_H

#include "io/expr.h"

enum expr_op {
    OP_NUMBER,
    OP_TEXT,
    OP_NAME,
    OP_OR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_POW,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_NEG,
    OP_NOT,
    OP_MIN,
    OP_MAX,
    OP_LOG2,
    OP_CEIL,
    OP_FLOOR
};

struct expr_node {
    enum expr_op op;
    uint32_t offset, width; /* in the text: of the operator, name or number */
    uint32_t a, b;          /* operands: indices of nodes */
    double number;
    char *text; /* TEXT, NAME */
};

struct expr {
    char *text;
    const struct yaml *y;
    const struct yaml_node *at;
    enum smw_err_kind kind;
    struct expr_node *nodes;
    uint32_t n, root;
};

#endif /* IO_EXPR_PRIV_H */
