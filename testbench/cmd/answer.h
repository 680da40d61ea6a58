/*
 * answer.h - what commands print with --json: one JSON text on standard output. The
 * schemas are in golden/answers; a test holds every command's answer against its own.
 */
#ifndef CMD_ANSWER_H
#define CMD_ANSWER_H

#include "io/file.h"
#include "smwave.h"
#include <jansson.h>

/* Print it, and give it back. */
void answer_print(json_t *answer);

/* What is wrong and where: line, column (0: not known), message, hint. */
json_t *answer_error(const struct smw_err *e);

/* Rows of CSV below a heading: an array of objects, numbers where all of a field is
 * one. Prints what is wrong and gives NULL if it is none. */
json_t *answer_rows(const char *csv);

/* What writes CSV to a stream writes it here instead. */
struct answer_stream {
    FILE *f;
    char *text;
    size_t n;
};
void answer_begin(struct answer_stream *s);
/* The same if `to` is not NULL, else standard output. */
FILE *answer_stream_or_stdout(struct answer_stream *to);
/* The same for a comparison: its values and their difference are numbers where they can
 * be, fractions as well. */
void answer_end_diff(struct answer_stream *s, bool ok);
/* Print the rows that were written as JSON. ok false: nothing. */
void answer_end(struct answer_stream *s, bool ok);

/* The instructions that a module runs, in their order; kernel NULL: all, else those of
 * the function of that name. */
json_t *answer_insts(const struct smw_module *m, const char *kernel);

/* The kernels of a module. */
json_t *answer_kernels(const struct smw_module *m);

#endif /* CMD_ANSWER_H */
