/*
 * err.h - errors of users' input as values.
 *
 * A function that can refuse its input takes a struct smw_err * last, fills it once
 * (the first refusal wins) and returns false or NULL. Only the program prints; what it
 * needs for "file:line:column, the source line, a caret, the nearest known name"
 * travels in the structure.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/attr.h"
#include <stdbool.h>
#include <stdint.h>

enum smw_err_kind {
    SMW_ERR_NONE,
    SMW_ERR_USAGE,    /* a wrong command line */
    SMW_ERR_CONFIG,   /* a configuration key or value */
    SMW_ERR_INPUT,    /* PTX, launch file, a launch the device's limits refuse */
    SMW_ERR_KERNEL,   /* the modelled kernel is at fault */
    SMW_ERR_DEADLOCK, /* live warps and nothing left to happen */
    SMW_ERR_LIMIT,    /* cycles or simulated time ran out */
    SMW_ERR_IO,       /* a file could not be read or written */
    SMW_ERR_NOMEM,    /* the host is out of memory */
    SMW_ERR_INTERNAL  /* a broken contract inside the model */
};

struct smw_err {
    enum smw_err_kind kind;
    uint32_t line, column; /* 1-based; 0: not known */
    uint32_t width;        /* characters the caret underlines; 0: one */
    char file[256];        /* as the user named it; "" if there is none */
    char message[512];     /* one line, no full stop, lower case first word */
    char hint[256];        /* "did you mean ...", "see ..."; "" if there is none */
    char source[256];      /* the source line the caret points into; "" if none */
    uint32_t caret;        /* column in source, if its front was cut off; 0: column */
};

/* Make *e empty. */
void err_clear(struct smw_err *e);

/* Fill *e unless it is filled already. Returns false, so that refusing is one line. */
bool err_set(struct smw_err *e, enum smw_err_kind kind, const char *fmt, ...)
    ATTR_PRINTF(3, 4);

/* Say where: file may be NULL, line and column 0. text: the whole input, NULL if gone;
 * its line number line is copied as the source line. */
void err_at(struct smw_err *e, const char *file, const char *text, uint32_t line,
            uint32_t column, uint32_t width);

/* Add a hint to a filled error. */
void err_hint(struct smw_err *e, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* The entry of names (n strings) nearest to word by edit distance, NULL if none is
 * close enough to be meant (at most a third of the word's length, at least one edit).
 */
const char *err_nearest(const char *word, const char *const *names, uint32_t n);

#endif /* BASE_ERR_H */
