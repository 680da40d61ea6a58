/*
 * fatbin.h - CUDA fat binaries: what a program carries for devices, read and written.
 *
 * A fat binary is a header and entries one after the other, each the same code for one
 * target: PTX text, or machine code (an ELF file) that only that architecture runs. A
 * model of PTX wants the text. Compilers leave fat binaries
 *
 *   in files      in the sections .nv_fatbin and __nv_relfatbin (code that is still to
 *                 be linked) of objects, libraries and programs, in members of
 *                 archives, or as a file of their own: fatbin_read_file()
 *   in memory     behind the wrapper that a program hands to its runtime when it
 *                 starts, or plain, as cuModuleLoadData() gets them:
 *                 fatbin_read_memory()
 *
 * In place of a fat binary there may be PTX text, which clang embeds as it is given, or
 * one ELF file of machine code.
 *
 * Everything read may be hostile: nothing outside the bytes given is touched, and no
 * more than FATBIN_MAX_UNPACKED bytes are made of an entry. Only what a header in
 * memory says of its own length must be believed, since nobody knows better.
 *
 * Layout: the structures of "cuda_fatbin_decompression" (public, GitHub) and ZLUDA's
 * zluda_fatbin; the bits of flags for 'a' and 'f' targets, zstd and code for link-time
 * optimisation were seen in what nvcc 13.0 writes.
 */
#ifndef FATBIN_FATBIN_H
#define FATBIN_FATBIN_H

#include "base/err.h"
#include <stddef.h>

enum {
    FATBIN_MAX_UNPACKED = 1 << 28, /* bytes of one entry: a limit of ours */
    FATBIN_MAX_ENTRIES = 1 << 16,  /* of all that is read at once; ours too */
    FATBIN_ALIGN = 8               /* of a fat binary and its entries, bytes */
};

enum fatbin_kind {
    FATBIN_PTX,
    FATBIN_ELF, /* machine code */
    FATBIN_IR,  /* for optimisation at link time: no machine runs it */
    FATBIN_OTHER
};

enum fatbin_packing { FATBIN_PLAIN, FATBIN_LZ4, FATBIN_ZSTD };

struct fatbin_entry {
    enum fatbin_kind kind;
    enum fatbin_packing packing;
    uint32_t raw_kind; /* the number in the entry: 1 PTX, 2 ELF, 8 IR */
    uint32_t target;   /* 10 * major + minor: 75 of sm_75; 0: not known */
    char suffix;       /* 'a': of that capability only; 'f': of its family; 0: none */
    bool debug;        /* compiled with -G */
    uint32_t ptx;      /* 10 * major + minor of .version; 0: no PTX, or not known */
    const void *data;  /* as stored, in the bytes that were read */
    uint64_t stored;   /* bytes of data */
    uint64_t size;     /* bytes when unpacked, zeros behind a text among them */
    char *source;      /* name of the source file, NULL: not said */
};

/* A fat binary, or what stands in place of one. */
struct fatbin_image {
    char *where;       /* for messages: "prog", "libx.a(member.o)" */
    char section[20];  /* "" : none */
    uint64_t offset;   /* in the file or member; 0 in memory */
    bool to_link;      /* compiled with -rdc=true: its names may be of other images */
    uint32_t first, n; /* entries */
};

struct fatbin {
    struct fatbin_image *image;
    uint32_t n_images, cap_images;
    struct fatbin_entry *entry;
    uint32_t n_entries, cap_entries;
};

/* All the fat binaries in a file, in the order of its bytes. The bytes stay the
 * caller's and are referred to. A file without any, of a known kind or not, is refused
 * (SMW_ERR_INPUT), a damaged one too; *out is empty then. name: for messages. */
bool fatbin_read_file(const void *file, size_t size, const char *name,
                      struct fatbin *out, struct smw_err *e);

/* What a pointer in this process leads to: the wrapper (magic number 0x466243b1,
 * version 1; or 2, whose list are the images to link), a fat binary, PTX text that ends
 * with a zero, or an ELF file. Of a version 2 wrapper machine code that is linked
 * already is the first image, as in the file. name: for messages. */
bool fatbin_read_memory(const void *image, const char *name, struct fatbin *out,
                        struct smw_err *e);

void fatbin_free(struct fatbin *f);

/* "sm_90a" of machine code, "compute_90a" of all else; buf: 24 bytes or more. */
const char *fatbin_target_name(const struct fatbin_entry *x, char *buf, size_t size);

enum fatbin_choice {
    FATBIN_FOUND,
    FATBIN_TOO_NEW, /* PTX there is, but for newer devices */
    FATBIN_NO_PTX   /* machine code alone, or nothing at all */
};

/* The PTX of image i for a device of capability cc (10 * major + minor): of the highest
 * target that the device has, into *entry. If there is none *e says why, what is there
 * and what to ask the compiler for. */
enum fatbin_choice fatbin_choose(const struct fatbin *f, uint32_t i, uint32_t cc,
                                 uint32_t *entry, struct smw_err *e);

/* The entry unpacked, with a zero behind it, which *size does not count; zeros at the
 * end of PTX are not part of it. The caller frees. NULL and *e if it is damaged; name:
 * where it is, for messages. */
char *fatbin_unpack(const struct fatbin_entry *x, const char *name, size_t *size,
                    struct smw_err *e);

/* The kernels of an entry that was unpacked, by their names in the code (mangled).
 * Calls fn(ctx, name, length) for each, in order. */
void fatbin_kernels(enum fatbin_kind kind, const char *data, size_t size,
                    void (*fn)(void *ctx, const char *name, size_t n), void *ctx);

/* ---- writing ---- */

struct fatbin_source {
    enum fatbin_kind kind; /* PTX or ELF */
    enum fatbin_packing packing;
    const char *data; /* PTX: text */
    size_t size;
    uint32_t target;    /* 75 of sm_75 */
    char suffix;        /* 'a', 'f' or 0 */
    uint32_t ptx;       /* 10 * major + minor of .version; 0: no PTX */
    const char *source; /* name of the source file; NULL: none */
};

/* A fat binary of n entries; the caller frees *bytes. False and *e without memory, or
 * if a source is too large. */
bool fatbin_write(const struct fatbin_source *s, uint32_t n, void **bytes, size_t *size,
                  struct smw_err *e);

#endif /* FATBIN_FATBIN_H */
