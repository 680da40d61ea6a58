/*
 * h100_rows_test.h - the tables of what an H100 computed, and the hash that the
 * device's programs make of results.
 */
#ifndef ISA_H100_ROWS_TEST_H
#define ISA_H100_ROWS_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { H100_LINE = 256 };

#define H100_HASH 0xcbf29ce484222325ull /* of nothing */

static inline uint64_t h100_hash(uint64_t h, uint32_t word)
{
    h = (h ^ word) * 0x100000001b3ull;
    return h ^ h >> 29;
}

/* The next line that is no comment; false: there is none. */
static inline bool h100_line(FILE *f, char line[H100_LINE])
{
    do {
        if (fgets(line, H100_LINE, f) == NULL) {
            return false;
        }
    } while (line[0] == '#');
    return true;
}

/* n products of a form, from number first on. */
struct h100_products {
    char form[64];
    uint32_t first, n;
    unsigned long long hash;
};

/* What a line says; n is 0 where it is not such a line. */
static inline struct h100_products h100_products_of(const char *line)
{
    struct h100_products p;

    if (sscanf(line, "%63[^,],%u,%u,%llx", p.form, &p.first, &p.n, &p.hash) != 4) {
        p.n = 0;
    }
    return p;
}

#endif /* ISA_H100_ROWS_TEST_H */
