/*
 * expr.h - the expressions of sweep files: where, derive and collect.
 *
 *   or      = and {"||" and}
 *   and     = compare {"&&" compare}
 *   compare = sum [("==" | "!=" | "<" | "<=" | ">" | ">=") sum]
 *   sum     = product {("+" | "-") product}
 *   product = unary {("*" | "/" | "%") unary}
 *   unary   = ("-" | "!") unary | power
 *   power   = primary ["**" unary]
 *   primary = number | string | name | function "(" or {"," or} ")" | "(" or ")"
 *
 * A number is 12, 0x1f, 0.5 or 1e6; a string stands in " or '; a name is letters,
 * digits and _ in parts joined by dots, and may end in @ and the name of a kernel.
 * Functions are min and max of one or more numbers, log2, ceil and floor of one.
 *
 * Numbers are double precision, so integers are exact up to 2^53. / is the exact
 * quotient, % the rest with the sign of the left side. What is true is 1, what is not
 * 0. == and != compare all values; a number never equals a text. Everything else takes
 * numbers.
 *
 * A value may be none: a name that has no value, a division by zero, log2 of a number
 * that is not above zero, a result beyond double precision. An operation on none gives
 * none. There are two exceptions: 0 && none is 0, and 1 || none is 1.
 */
#ifndef IO_EXPR_H
#define IO_EXPR_H

#include "io/yaml.h"

enum { EXPR_MAX_DEPTH = 64, EXPR_NUMBER_SIZE = 32 };

enum expr_kind { EXPR_NONE, EXPR_NUMBER, EXPR_TEXT };

struct expr_value {
    enum expr_kind kind;
    double number;
    const char *text; /* borrowed from the expression or from who resolved the name */
};

struct expr;

/* Parse text. It stands at the node `at` of y, where errors point (NULL, NULL: it
 * stands in no file). kind: the kind of error of a refusal. NULL and *e on failure. */
struct expr *expr_parse(const char *text, const struct yaml *y,
                        const struct yaml_node *at, enum smw_err_kind kind,
                        struct smw_err *e);
void expr_free(struct expr *x);

/* Is x a name and nothing else? */
bool expr_is_name(const struct expr *x);

/* Called for a name: fill *out with what it stands for. It is none before. */
typedef void expr_resolve(void *ctx, const char *name, struct expr_value *out);

/* False and *e: a text where a number belongs. */
bool expr_eval(const struct expr *x, expr_resolve *resolve, void *ctx,
               struct expr_value *out, struct smw_err *e);

/* fn for each name in x, in order, until it returns false. */
typedef bool expr_name(void *ctx, const struct expr *x, const char *name,
                       uint32_t offset);
bool expr_names(const struct expr *x, expr_name *fn, void *ctx);

/* Fill *e, pointing at width characters from offset of the text of x. Returns false. */
bool expr_refuse(const struct expr *x, uint32_t offset, uint32_t width,
                 struct smw_err *e, const char *fmt, ...) ATTR_PRINTF(5, 6);

/* The text as a value: a number if it reads as one, 256, 0x100, 0.5; else the text. */
struct expr_value expr_value_of(const char *text);

/* The shortest decimal number that reads back as v: 256, 0.5, 1e+20. */
void expr_print(double v, char buf[static EXPR_NUMBER_SIZE]);

#endif /* IO_EXPR_H */
