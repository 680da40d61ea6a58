/*
 * num.h - numbers from text, exactly.
 *
 * The whole text must be the number: no blanks, no trailing characters. Integers are
 * decimal or 0x hexadecimal with an optional sign; nothing wraps. Floating point is
 * correctly rounded and does not depend on the locale; nan, inf and -inf are written so
 * or with YAML's leading dot.
 */
#ifndef IO_NUM_H
#define IO_NUM_H

#include <stdbool.h>
#include <stdint.h>

enum num_result {
    NUM_OK,
    NUM_BAD,     /* not a number of this kind */
    NUM_OVERFLOW /* a number, but it does not fit */
};

/* An integer of up to 64 bits and a sign: from -(2^64-1) to 2^64-1. */
struct num_int {
    bool negative;
    uint64_t magnitude;
};

enum num_result num_int(const char *text, struct num_int *out);
enum num_result num_u64(const char *text, uint64_t *out);
enum num_result num_u32(const char *text, uint32_t *out);
enum num_result num_s64(const char *text, int64_t *out);
enum num_result num_f64(const char *text, double *out);

/* Rounded once, from the text: not through double. */
enum num_result num_f32(const char *text, float *out);

/* The integer as two's complement, modulo 2^64. */
uint64_t num_bits(struct num_int v);

enum { NUM_SIZE = 32 };

/* Bytes in the largest unit up to GiB that leaves a whole number: "48 KiB". */
void num_size(uint64_t bytes, char text[NUM_SIZE]);

#endif /* IO_NUM_H */
