/*
 * csv.h - the records of a CSV file, one after the other, in constant memory.
 *
 * Fields are separated by commas and may be quoted ("" is a quote inside); a quoted
 * field may hold commas and line ends. Lines end with LF or CR LF, the last one may
 * lack it. Blank lines, and lines that begin with # before the first record, are passed
 * over; a byte order mark at the start too.
 */
#ifndef IO_CSV_H
#define IO_CSV_H

#include "base/err.h"
#include <stddef.h>
#include <stdio.h>

struct csv;

struct csv_field {
    const char *s; /* terminated */
    size_t n;
    uint32_t at; /* where it begins in the record's text */
};

/* name is used in messages and must outlive the reader. */
struct csv *csv_open(FILE *f, const char *name);
void csv_close(struct csv *c);

/* The next record: its fields, *n of them, valid until the next call. NULL at the end
 * of the file, and with *e filled on failure. */
const struct csv_field *csv_next(struct csv *c, uint32_t *n, struct smw_err *e);

/* Let *e, filled already, point at a field of the record; NULL: at its end. */
void csv_blame(const struct csv *c, const struct csv_field *field, struct smw_err *e);

#endif /* IO_CSV_H */
