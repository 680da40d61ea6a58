/*
 * npy.h - NumPy's .npy files, the subset a buffer can come from: versions 1 to 3,
 * little-endian numbers, C order, any shape (elements in memory order).
 */
#ifndef IO_NPY_H
#define IO_NPY_H

#include "base/err.h"
#include "io/value_type.h"

struct npy {
    enum value_type type;
    uint64_t count;   /* elements, all dimensions multiplied */
    const void *data; /* inside the text given */
};

/* name: for messages. SMW_ERR_INPUT on anything else than a whole file of that kind. */
bool npy_parse(const void *file, size_t size, const char *name, struct npy *out,
               struct smw_err *e);

/* The type of which an array of these elements is: that of unsigned integers as wide
 * where NumPy has none of its own, bf16 and those of 8 bits. */
enum value_type npy_type(enum value_type type);

enum { NPY_HEADER = 128 };
/* What stands before count elements in a file; returns its size. */
size_t npy_header(enum value_type type, uint64_t count, char out[static NPY_HEADER]);

#endif /* IO_NPY_H */
