#include "ptx/lex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CH_SPACE = 1, CH_NAME = 2, CH_START = 4, CH_DIGIT = 8, CH_HEX = 16 };

static uint32_t char_class(unsigned char c)
{
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
        return CH_SPACE;
    }
    if (c >= '0' && c <= '9') {
        return CH_NAME | CH_DIGIT | CH_HEX;
    }
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        return CH_NAME | CH_START | CH_HEX;
    }
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$') {
        return CH_NAME | CH_START;
    }
    return c == '%' ? CH_START : 0;
}

static bool is_name(const struct ptx_lex *x, const char *p)
{
    return p < x->end && (char_class((unsigned char)*p) & CH_NAME) != 0;
}

bool ptx_lex_fail(struct ptx_lex *x, const struct ptx_tok *t, const char *fmt, ...)
{
    char message[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    if (x->e->kind == SMW_ERR_NONE) {
        err_set(x->e, SMW_ERR_INPUT, "%s", message);
        err_code(x->e, SMW_CODE_INVALID_PTX);
        err_at(x->e, x->file, NULL, t->line, t->column, t->width);
    }
    x->t.kind = TK_BAD;
    x->next.kind = TK_BAD;
    x->at = x->end;
    return false;
}

bool ptx_tok_is(const struct ptx_tok *t, enum ptx_tk kind, const char *word)
{
    return t->kind == kind && strlen(word) == t->len && memcmp(t->s, word, t->len) == 0;
}

static void newline(struct ptx_lex *x)
{
    x->line++;
    x->line_start = x->at;
}

static void bad(struct ptx_lex *x, struct ptx_tok *t, const char *message)
{
    if (x->e->kind == SMW_ERR_NONE) {
        err_set(x->e, SMW_ERR_INPUT, "%s", message);
        err_code(x->e, SMW_CODE_INVALID_PTX);
        err_at(x->e, x->file, NULL, t->line, t->column, t->width);
    }
    t->kind = TK_BAD;
    x->at = x->end;
}

static void place(const struct ptx_lex *x, struct ptx_tok *t)
{
    t->s = x->at;
    t->len = 0;
    t->width = 1;
    t->line = x->line;
    t->column = (uint32_t)(x->at - x->line_start) + 1;
    t->is_unsigned = false;
    t->u = 0;
}

/* A block comment; false if it has no end. */
static bool skip_block(struct ptx_lex *x)
{
    for (x->at += 2; x->at + 1 < x->end; x->at++) {
        if (x->at[0] == '*' && x->at[1] == '/') {
            x->at += 2;
            return true;
        }
        if (*x->at == '\n') {
            x->at++;
            newline(x);
            x->at--;
        }
    }
    return false;
}

/* Blanks and comments; false: a comment does not end, t is its start. */
static bool skip_blank(struct ptx_lex *x, struct ptx_tok *t)
{
    for (;;) {
        place(x, t);
        if (x->at == x->end) {
            return true;
        }
        if (*x->at == '\n') {
            x->at++;
            newline(x);
        } else if (char_class((unsigned char)*x->at) == CH_SPACE) {
            x->at++;
        } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '/') {
            const char *nl = memchr(x->at, '\n', (size_t)(x->end - x->at));

            x->at = nl != NULL ? nl : x->end;
        } else if (x->end - x->at >= 2 && x->at[0] == '/' && x->at[1] == '*') {
            t->width = 2;
            if (!skip_block(x)) {
                bad(x, t, "comment has no end");
                return false;
            }
        } else {
            return true;
        }
    }
}

static void finish(struct ptx_lex *x, struct ptx_tok *t, const char *end)
{
    t->len = (uint32_t)(end - t->s);
    t->width = t->len;
    x->at = end;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Digits of base from p; the end. *over: the value does not fit 64 bits. */
static const char *scan_digits(const struct ptx_lex *x, const char *p, uint32_t base,
                               uint64_t *v, bool *over)
{
    *v = 0;
    *over = false;
    for (; p < x->end && digit_of(*p) < (int)base; p++) {
        const uint64_t d = (uint64_t)digit_of(*p);

        *over |= *v > (UINT64_MAX - d) / base;
        *v = *v * base + d;
    }
    return p;
}

/* 0f and 0d: exactly 8 or 16 hexadecimal digits. */
static void lex_hex_float(struct ptx_lex *x, struct ptx_tok *t, bool is_double)
{
    const int want = is_double ? 16 : 8;
    bool over;
    const char *p = scan_digits(x, x->at + 2, 16, &t->u, &over);
    const int n = (int)(p - x->at - 2);

    while (is_name(x, p)) {
        p++;
    }
    finish(x, t, p);
    t->kind = is_double ? TK_F64 : TK_F32;
    if (n != want || (int)t->len != want + 2) {
        bad(x, t,
            is_double ? "a 0d constant has exactly 16 hexadecimal digits"
                      : "a 0f constant has exactly 8 hexadecimal digits");
    }
}

/* Decimal with a point or an exponent. */
static void lex_decimal(struct ptx_lex *x, struct ptx_tok *t)
{
    char buf[64];
    char *stop;
    const char *p = x->at;
    double v;

    while (p < x->end &&
           (is_name(x, p) || *p == '.' ||
            ((*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E')))) {
        p++;
    }
    finish(x, t, p);
    t->kind = TK_F64;
    if (t->len >= sizeof(buf)) {
        bad(x, t, "number too long");
        return;
    }
    memcpy(buf, t->s, t->len);
    buf[t->len] = '\0';
    v = strtod(buf, &stop);
    if (*stop != '\0') {
        bad(x, t, "malformed number");
        return;
    }
    memcpy(&t->u, &v, sizeof(v));
}

static void lex_number(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *p = x->at;
    const char c = x->end - p >= 2 ? p[1] : '\0';
    uint32_t base = 10;
    bool over;

    if (*p == '0' && (c == 'f' || c == 'F' || c == 'd' || c == 'D')) {
        lex_hex_float(x, t, c == 'd' || c == 'D');
        return;
    }
    if (*p == '0' && (c == 'x' || c == 'X')) {
        base = 16;
        p += 2;
    } else if (*p == '0' && (c == 'b' || c == 'B')) {
        base = 2;
        p += 2;
    } else if (*p == '0') {
        base = 8;
    }
    const char *const digits = p;
    p = scan_digits(x, p, base, &t->u, &over);
    if (base != 16 && base != 2 && p < x->end &&
        (*p == '.' || *p == 'e' || *p == 'E')) {
        lex_decimal(x, t);
        return;
    }
    const bool none = p == digits;
    t->is_unsigned = t->u > INT64_MAX;
    if (p < x->end && *p == 'U') {
        t->is_unsigned = true;
        p++;
    }
    const bool tail = is_name(x, p);
    while (is_name(x, p)) {
        p++;
    }
    finish(x, t, p);
    t->kind = TK_INT;
    if (none || tail) {
        bad(x, t, "malformed number");
    } else if (over) {
        bad(x, t, "number does not fit 64 bits");
    }
}

static void lex_word(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *p = x->at + 1;

    while (is_name(x, p)) {
        p++;
    }
    finish(x, t, p);
    t->kind = TK_ID;
    if (t->len == 1 && *t->s == '%') {
        t->kind = TK_PUNCT;
        t->u = '%';
    }
}

/* .word, also .shared::cta and .L2::128B */
static void lex_dot(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *p = x->at + 1;

    while (is_name(x, p) || (x->end - p > 2 && p[0] == ':' && p[1] == ':' &&
                             p > x->at + 1 && is_name(x, p + 2))) {
        p += *p == ':' ? 2 : 1;
    }
    finish(x, t, p);
    if (t->len == 1) {
        bad(x, t, "a point without a word");
        return;
    }
    t->kind = TK_DOT;
    t->s++;
    t->len--;
}

static void lex_string(struct ptx_lex *x, struct ptx_tok *t)
{
    const char *p = x->at + 1;

    while (p < x->end && *p != '"' && *p != '\n') {
        p += *p == '\\' && x->end - p > 1 && p[1] != '\n' ? 2 : 1;
    }
    if (p >= x->end || *p != '"') {
        bad(x, t, "string has no end");
        return;
    }
    finish(x, t, p + 1);
    t->kind = TK_STRING;
    t->s++;
    t->len -= 2;
}

static const struct {
    char s[3];
    enum ptx_tk kind;
} pairs[] = {
    {"<<", TK_SHL}, {">>", TK_SHR}, {"==", TK_EQ},  {"!=", TK_NE},
    {"<=", TK_LE},  {">=", TK_GE},  {"&&", TK_AND}, {"||", TK_OR},
};

static void lex_punct(struct ptx_lex *x, struct ptx_tok *t)
{
    static const char known[] = "(){}[]<>,;:@!+-*/%&|^~?=";
    const unsigned char c = (unsigned char)*x->at;
    char message[64];

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        if (x->end - x->at >= 2 && memcmp(x->at, pairs[i].s, 2) == 0) {
            finish(x, t, x->at + 2);
            t->kind = pairs[i].kind;
            return;
        }
    }
    if (c == '\0' || strchr(known, c) == NULL) {
        if (c > 0x20 && c < 0x7f) {
            snprintf(message, sizeof(message), "unexpected character '%c'", c);
        } else {
            snprintf(message, sizeof(message), "unexpected byte 0x%02x", c);
        }
        bad(x, t, message);
        return;
    }
    t->u = c;
    finish(x, t, x->at + 1);
    t->kind = TK_PUNCT;
}

static void lex_one(struct ptx_lex *x, struct ptx_tok *t)
{
    uint32_t class;

    if (!skip_blank(x, t)) {
        return;
    }
    if (x->at == x->end) {
        t->kind = x->e->kind == SMW_ERR_NONE ? TK_END : TK_BAD;
        return;
    }
    class = char_class((unsigned char)*x->at);
    if (class & CH_DIGIT) {
        lex_number(x, t);
    } else if (class & CH_START) {
        lex_word(x, t);
    } else if (*x->at == '.') {
        lex_dot(x, t);
    } else if (*x->at == '"') {
        lex_string(x, t);
    } else {
        lex_punct(x, t);
    }
}

void ptx_lex_init(struct ptx_lex *x, const char *text, size_t size, const char *file,
                  struct smw_err *e)
{
    ptx_lex_init_at(x, text, size, 1, file, e);
}

void ptx_lex_init_at(struct ptx_lex *x, const char *text, size_t size, uint32_t line,
                     const char *file, struct smw_err *e)
{
    memset(x, 0, sizeof(*x));
    x->text = text;
    x->at = text;
    x->end = text + size;
    x->line_start = text;
    x->line = line;
    x->file = file;
    x->e = e;
    lex_one(x, &x->next);
    x->prev_end = text;
    x->t.s = text;
    ptx_lex_advance(x);
}

void ptx_lex_advance(struct ptx_lex *x)
{
    if (x->t.kind == TK_BAD) {
        return;
    }
    x->prev_end = x->t.s + x->t.len;
    x->t = x->next;
    if (x->t.kind != TK_END && x->t.kind != TK_BAD) {
        lex_one(x, &x->next);
    }
}
