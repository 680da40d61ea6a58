/*
 * lex.h - PTX text to tokens; private to the front end.
 *
 * A token is a slice of the text, which must outlive the lexer. Comments and blanks are
 * skipped. The lexer holds the current token and the next one; after an error (already
 * described in *e) every further token is TK_BAD.
 */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "base/err.h"
#include <stddef.h>

enum ptx_tk {
    TK_END,
    TK_BAD,    /* *e says why */
    TK_ID,     /* name, %name, $name, _ */
    TK_DOT,    /* .word: directive, type or modifier; the slice holds the word alone */
    TK_INT,    /* value in u */
    TK_F32,    /* 0fXXXXXXXX, bits in u */
    TK_F64,    /* 0dXXXXXXXXXXXXXXXX or decimal, bits in u */
    TK_STRING, /* the slice is what stands between the quotes */
    TK_SHL,
    TK_SHR,
    TK_EQ,
    TK_NE,
    TK_LE,
    TK_GE,
    TK_AND,
    TK_OR,
    TK_PUNCT /* one character, in u */
};

struct ptx_tok {
    const char *s;
    uint32_t len;
    uint32_t line, column; /* 1-based; columns count bytes */
    uint32_t width;        /* characters a caret underlines */
    enum ptx_tk kind;
    bool is_unsigned; /* TK_INT with the U suffix or too large for s64 */
    uint64_t u;
};

struct ptx_lex {
    const char *text, *at, *end, *line_start;
    uint32_t line;
    struct ptx_tok t, next;
    const char *prev_end; /* where the token before t ended */
    const char *file;     /* for messages */
    struct smw_err *e;
};

void ptx_lex_init(struct ptx_lex *x, const char *text, size_t size, const char *file,
                  struct smw_err *e);
/* The same of a text whose first line has another number than 1. */
void ptx_lex_init_at(struct ptx_lex *x, const char *text, size_t size, uint32_t line,
                     const char *file, struct smw_err *e);
void ptx_lex_advance(struct ptx_lex *x);

/* Refuse token t; false. The caller adds a hint if it has one; the source line comes
 * when the error is told (refuse.c). */
bool ptx_lex_fail(struct ptx_lex *x, const struct ptx_tok *t, const char *fmt, ...)
    ATTR_PRINTF(3, 4);

static inline bool ptx_tok_punct(const struct ptx_tok *t, char c)
{
    return t->kind == TK_PUNCT && t->u == (unsigned char)c;
}

bool ptx_tok_is(const struct ptx_tok *t, enum ptx_tk kind, const char *word);

#endif /* PTX_LEX_H */
