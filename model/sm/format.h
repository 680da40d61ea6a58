/*
 * format.h - the format strings of kernel printf.
 *
 * Arguments lie as vprintf's second parameter points at them: each aligned to its size,
 * int and char in 4 bytes, long long, pointers and doubles in 8.
 */
#ifndef SM_FORMAT_H
#define SM_FORMAT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of arguments a format asks for, a multiple of 4; *n_args: how many they are. */
uint32_t format_bytes(const char *format, uint32_t *n_args);

/* Where the strings of %s come from: the text at a generic address into buf,
 * terminated. */
struct format_source {
    void (*string)(void *ctx, uint64_t addr, char *buf, size_t size);
    void *ctx;
};

/* The text, at most size - 1 characters and a terminator; returns its length. args: n
 * bytes, arguments beyond them read as 0. */
size_t format_text(const char *format, const uint8_t *args, uint32_t n,
                   const struct format_source *source, char *buf, size_t size);

#endif /* SM_FORMAT_H */
