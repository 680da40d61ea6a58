/*
 * reader_priv.h - what the files of the VCD reader share.
 *
 *   reader_words.c   bytes, words, numbers, identifier codes
 *   reader_head.c    declarations
 *   reader.c         changes
 */
#ifndef READER_PRIV_H
#define READER_PRIV_H

#include "reader.h"

#include "base/arena.h"
#include "base/attr.h"

enum { BLOCK = 1 << 16, MAX_CODE = 16 /* bytes of an identifier code */ };

struct code { /* entry of the table of identifier codes */
    char text[MAX_CODE + 1];
    uint32_t signal; /* READER_NONE: free */
};

struct signal {
    enum reader_kind kind;
    uint32_t width;
};

struct comment {
    const char *text;
    struct comment *next;
};

struct reader {
    FILE *f;
    const char *name;
    struct arena arena;
    unsigned char block[BLOCK];
    size_t at, n; /* in block */
    uint32_t line;
    bool eof, cut, failed, ended;

    char *word; /* terminated */
    size_t length, capacity;
    char *value; /* the word before it, while a pair is read */
    size_t value_capacity;
    char bit[2]; /* terminated */

    struct reader_scope *scope;
    struct reader_var *var;
    struct signal *signal;
    struct code *table;
    uint32_t n_scopes, scopes_capacity, n_vars, vars_capacity, n_signals,
        signals_capacity, table_size;
    uint32_t open, depth; /* the scope we are in, READER_NONE: none */
    const char *timescale, *version;
    struct comment *first_comment, *last_comment;

    uint64_t time;
    bool timed;   /* a time was said */
    bool in_vars; /* inside of $dumpvars */
};

/* ---- reader_words.c ---- */

/* The dump is refused, for the reason fmt with arg. False. */
bool reader_refuse(struct reader *r, struct smw_err *e, const char *fmt,
                   const char *arg) ATTR_PRINTF(3, 0);
/* The next word into r->word. False at the end, or with *e after a refusal. A word that
 * the end of the file cut off is none. */
bool reader_word(struct reader *r, struct smw_err *e);
/* The same where the file must not end. */
bool reader_need_word(struct reader *r, struct smw_err *e);
bool reader_is(const struct reader *r, const char *text);
/* The words up to $end, a blank between, in the arena; very long texts lose their end.
 * NULL and *e. */
const char *reader_text(struct reader *r, struct smw_err *e);
bool reader_skip(struct reader *r, struct smw_err *e);
/* Decimal, nothing else, without overflow. */
bool reader_number(const char *s, uint64_t *v);

/* The code's entry, or the free one where it belongs. */
struct code *reader_find(const struct reader *r, const char *text);
/* Make the table of codes that large, a power of two. */
void reader_make_table(struct reader *r, uint32_t size);
/* Room for one more behind n elements of p. */
void *reader_grow(void *p, uint32_t *capacity, uint32_t n, size_t size);

#endif /* READER_PRIV_H */
