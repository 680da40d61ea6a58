/*
 * diag.h - how the program speaks of errors: like a good compiler.
 *
 *   reverse.yml:4:12: error: unknown key 'cuont'
 *       d: {type: s32, cuont: 64}
 *                      ^~~~~
 *   hint: did you mean 'count'?
 *
 * Colour only on a terminal without NO_COLOR.
 */
#ifndef IO_DIAG_H
#define IO_DIAG_H

#include "base/err.h"
#include <stdio.h>

enum tb_exit {
    TB_OK = 0,
    TB_KERNEL = 1,
    TB_USAGE = 2,
    TB_CONFIG = 3,
    TB_INPUT = 4,
    TB_DEADLOCK = 5,
    TB_LIMIT = 6,
    TB_IO = 7,
    TB_SWEEP = 8,
    TB_INTERNAL = 70,
    TB_SIGINT = 130,
    TB_SIGTERM = 143
};

/* What they mean, in one line each, in the order of their numbers. */
struct diag_exit {
    enum tb_exit code;
    const char *doc;
};
extern const struct diag_exit diag_exits[];
extern const uint32_t diag_n_exits;

enum tb_exit diag_exit(enum smw_err_kind kind);

/* Print e to stderr; the exit code it means. */
enum tb_exit diag_error(const struct smw_err *e);
/* The same of something that need not be wrong. */
void diag_warning(const struct smw_err *e);

/* "smwave: error: ..." without a place; TB_USAGE. */
enum tb_exit diag_usage(const char *command, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* One line "hint: ..." to stderr. */
void diag_hint(const char *fmt, ...) ATTR_PRINTF(1, 2);

/* f is a terminal that wants colour. */
bool diag_color(FILE *f);

/* text, control characters but tabs and line ends as "\\x1b": what somebody else named
 * does not get to speak to the terminal. */
void diag_text(FILE *f, const char *text);

/* The same to standard output, formatted. */
void diag_print(const char *fmt, ...) ATTR_PRINTF(1, 2);

/* The source line and the caret below it, as diag_error() prints them. */
void diag_source(FILE *f, const struct smw_err *e);

#endif /* IO_DIAG_H */
