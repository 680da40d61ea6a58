/*
 * expr_fuzz.c - libFuzzer: any bytes as an expression of a sweep file. It is refused
 * with a reason, or has a value, twice the same one, and a number reads back as
 * printed.
 */
#include "io/expr.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void resolve(void *ctx, const char *name, struct expr_value *out)
{
    static const char *const values[] = {"4096", "-0.5", "text", "0x10", "1e300"};

    (void)ctx;
    if (name[0] != 'u') { /* those have no value */
        *out =
            expr_value_of(values[strlen(name) % (sizeof(values) / sizeof(values[0]))]);
    }
}

static bool same(const struct expr_value *a, const struct expr_value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    return a->kind == EXPR_NUMBER
               ? a->number == b->number
               : a->kind == EXPR_NONE || strcmp(a->text, b->text) == 0;
}

static void value(const struct expr *x)
{
    struct expr_value a = {0}, b = {0};
    struct smw_err e = {0};

    if (!expr_eval(x, resolve, NULL, &a, &e)) {
        must(e.kind != SMW_ERR_NONE && e.message[0] != '\0');
        return;
    }
    must(expr_eval(x, resolve, NULL, &b, &e) && same(&a, &b));
    if (a.kind == EXPR_NUMBER) {
        char text[EXPR_NUMBER_SIZE];

        expr_print(a.number, text);
        b = expr_value_of(text);
        must(same(&a, &b));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct smw_err e = {0};
    struct expr *x;

    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    x = expr_parse(text, NULL, NULL, SMW_ERR_INPUT, &e);
    if (x != NULL) {
        value(x);
        expr_free(x);
    } else {
        must(e.kind != SMW_ERR_NONE && e.message[0] != '\0');
    }
    free(text);
    return 0;
}
