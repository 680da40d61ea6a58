/*
 * rules_csv_test.h - for tests: tables of facts, and the accesses that their rows
 * describe in words.
 *
 * A file is CSV with a heading; cells in quotes may contain commas and doubled quotes.
 * A file that cannot be read, a column that is not there and a row of another length
 * fail the test.
 */
#ifndef MEM_RULES_CSV_TEST_H
#define MEM_RULES_CSV_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CSV_MAX_BYTES = 1 << 18, CSV_MAX_CELLS = 1 << 15 };

struct csv {
    char *text; /* the file, cut into cells */
    char **cell;
    uint32_t columns, rows; /* without the heading */
};

/* Cut the cell that begins at *at in place; returns it, *at goes past it, *end is what
 * ended it. */
static inline char *csv_cut(char **at, char *end)
{
    char *from = *at, *to = *at, *cell = *at;
    bool quoted = false;

    for (; *from != '\0' && (quoted || (*from != ',' && *from != '\n')); from++) {
        if (*from == '\r' && from[1] == '\n') {
            continue; /* lines may end as RFC 4180 has them */
        }
        if (*from != '"') {
            *to++ = *from;
        } else if (quoted && from[1] == '"') {
            *to++ = *from++;
        } else {
            quoted = !quoted;
        }
    }
    *end = *from;
    *at = from + (*from != '\0');
    *to = '\0';
    return cell;
}

static inline struct csv csv_open(const char *dir, const char *name)
{
    struct csv c = {malloc(CSV_MAX_BYTES), malloc(CSV_MAX_CELLS * sizeof(char *)), 0,
                    0};
    uint32_t n = 0;
    char path[4096], end = ',', *at = c.text;
    FILE *f;
    size_t size;

    assert_true((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) <
                sizeof(path));
    f = fopen(path, "rb");
    if (f == NULL) {
        fail_msg("%s cannot be read", path);
    }
    size = fread(c.text, 1, CSV_MAX_BYTES - 1, f);
    assert_true(size < CSV_MAX_BYTES - 1);
    assert_int_equal(fclose(f), 0);
    c.text[size] = '\0';
    while (*at != '\0') {
        assert_true(n < CSV_MAX_CELLS);
        c.cell[n++] = csv_cut(&at, &end);
        if (end != ',' && c.columns == 0) {
            c.columns = n;
        }
        if (end != ',' && n % c.columns != 0) {
            fail_msg("%s: the row of %s has another length", name, c.cell[n - 1]);
        }
    }
    assert_true(c.columns != 0 && n % c.columns == 0);
    c.rows = n / c.columns - 1;
    assert_true(c.rows != 0);
    return c;
}

static inline void csv_close(struct csv *c)
{
    free(c->text);
    free(c->cell);
}

static inline const char *csv_cell(const struct csv *c, uint32_t row,
                                   const char *column)
{
    for (uint32_t k = 0; k < c->columns; k++) {
        if (strcmp(c->cell[k], column) == 0) {
            return c->cell[(row + 1) * c->columns + k];
        }
    }
    fail_msg("no column %s", column);
    return "";
}

/* A whole number, else the test fails. */
static inline uint64_t csv_number(const struct csv *c, uint32_t row, const char *column,
                                  int base)
{
    const char *cell = csv_cell(c, row, column);
    char *end;
    uint64_t v = strtoull(cell, &end, base);

    if (*cell == '\0' || *end != '\0') {
        fail_msg("column %s: '%s' is no number", column, cell);
    }
    return v;
}

/* ---- "word index = 16*(tid%2) (read)" ---- */

static inline int64_t csv_sum(const char **at, int64_t tid);

static inline int64_t csv_factor(const char **at, int64_t tid)
{
    int64_t v = 0;

    *at += strspn(*at, " ");
    if (**at == '(') {
        (*at)++;
        v = csv_sum(at, tid);
        assert_int_equal(**at, ')');
        (*at)++;
    } else if (strncmp(*at, "tid", 3) == 0) {
        v = tid;
        *at += 3;
    } else {
        char *end;

        v = strtoll(*at, &end, 10);
        assert_ptr_not_equal(end, *at);
        *at = end;
    }
    *at += strspn(*at, " ");
    return v;
}

static inline int64_t csv_product(const char **at, int64_t tid)
{
    int64_t v = csv_factor(at, tid);

    while (**at != '\0' && strchr("*/%", **at) != NULL) {
        char sign = *(*at)++;
        int64_t w = csv_factor(at, tid);

        v = sign == '*' ? v * w : sign == '/' ? v / w : v % w;
    }
    return v;
}

static inline int64_t csv_sum(const char **at, int64_t tid)
{
    int64_t v = csv_product(at, tid);

    for (;;) {
        if (**at == '+') {
            (*at)++;
            v += csv_product(at, tid);
        } else if (**at == '-') {
            (*at)++;
            v -= csv_product(at, tid);
        } else if (strncmp(*at, "xor ", 4) == 0) {
            *at += 4;
            v ^= csv_product(at, tid);
        } else {
            return v;
        }
    }
}

/* The byte address of a lane from what a row says: an index of elements, a first
 * address of consecutive elements, or one place for all. */
static inline uint64_t csv_address(const char *pattern, uint32_t tid, uint32_t bytes)
{
    static const char *const marks[] = {"index = ", "element "};
    const char *at = strstr(pattern, "first address ");

    if (at != NULL) {
        return strtoull(at + strlen("first address "), NULL, 10) + tid * bytes;
    }
    for (uint32_t k = 0; k < 2; k++) {
        at = strstr(pattern, marks[k]);
        if (at != NULL) {
            at += strlen(marks[k]);
            return (uint64_t)csv_sum(&at, tid) * bytes;
        }
    }
    assert_non_null(strstr(pattern, "all threads"));
    assert_non_null(strstr(pattern, "word 0"));
    return 0;
}

#endif /* MEM_RULES_CSV_TEST_H */
