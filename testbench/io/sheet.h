/*
 * sheet.h - a CSV file whose first record names its columns, read record by record,
 * with fields asked for by their columns' names.
 *
 * What is wrong is said once, in *e, with file and line. From then on sheet_next() is
 * false, so that a reader need not look after each field.
 */
#ifndef IO_SHEET_H
#define IO_SHEET_H

#include "io/csv.h"
#include <stdbool.h>
#include <stdint.h>

struct sheet {
    const char *path;
    FILE *f;
    struct csv *csv;
    char **name; /* of the columns */
    uint32_t n_columns;
    const struct csv_field *field; /* of the record at hand */
    struct smw_err *e;             /* not filled when the sheet is opened */
};

/* False and *e if the file cannot be read or has no head. Either way it is closed. path
 * and e outlive the sheet. */
bool sheet_open(struct sheet *s, const char *path, struct smw_err *e);
void sheet_close(struct sheet *s);

/* To the next record; false at the end, and if something is or was wrong. */
bool sheet_next(struct sheet *s);

/* Nothing has been wrong so far. */
bool sheet_good(const struct sheet *s);

/* The field of the record at hand in this column, valid until the next record. */
const char *sheet_text(struct sheet *s, const char *column);
/* The same as a name: at most size - 1 bytes, else something is wrong and false. */
bool sheet_name(struct sheet *s, const char *column, char *to, size_t size);
double sheet_number(struct sheet *s, const char *column);
/* A number in hexadecimal digits. */
uint64_t sheet_hex(struct sheet *s, const char *column);

/* Let *e, which the caller has filled, point at the field in this column. */
void sheet_blame(struct sheet *s, const char *column);

#endif /* IO_SHEET_H */
