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
#include "smwave/err.h"
#include <stdbool.h>
#include <stdint.h>

/* Every e may be NULL: nobody wants to know. */

/* *e, or *own, made empty, if nobody wants to know: for who looks into it. */
struct smw_err *err_or(struct smw_err *e, struct smw_err *own);

/* Make *e empty. */
void err_clear(struct smw_err *e);

/* Fill *e unless it is filled already, with the code that most errors of the kind have.
 * Returns false, so that refusing is one line. */
bool err_set(struct smw_err *e, enum smw_err_kind kind, const char *fmt, ...)
    ATTR_PRINTF(3, 4);

/* Is an argument there? False if p is NULL: *e names it with the words of what. */
bool err_given(const void *p, const char *what, struct smw_err *e);

/* Another code, for an error that is filled. Returns false too. */
bool err_code(struct smw_err *e, enum smw_code code);

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
