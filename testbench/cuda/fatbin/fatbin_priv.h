/* fatbin_priv.h - what the readers of fat binaries share. */
#ifndef FATBIN_FATBIN_PRIV_H
#define FATBIN_FATBIN_PRIV_H

#include "fatbin/fatbin.h"

#define FATBIN_MAGIC         0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

enum { /* bits of flags in an entry */
       FATBIN_FLAG_64BIT = 0x1,
       FATBIN_FLAG_DEBUG = 0x2,
       FATBIN_FLAG_LINUX = 0x10,
       FATBIN_FLAG_LZ4 = 0x2000,
       FATBIN_FLAG_ZSTD = 0x8000,
       FATBIN_FLAG_SPECIFIC = 0x100000, /* sm_90a */
       FATBIN_FLAG_FAMILY = 0x200000    /* sm_100f */
};

enum { /* bytes, and where things are */
       FATBIN_HEADER = 16,
       FATBIN_ENTRY = 64,
       FATBIN_ENTRY_KIND = 0,    /* 16 bits */
       FATBIN_ENTRY_VERSION = 2, /* 16 bits: 0x101 */
       FATBIN_ENTRY_HEADER = 4,  /* bytes of the entry's header */
       FATBIN_ENTRY_ROOM = 8,    /* 64 bits: bytes of the data, padding included */
       FATBIN_ENTRY_PACKED = 16, /* bytes of packed data, 0: not packed */
       FATBIN_ENTRY_MINOR = 24,  /* 16 bits: of the PTX version */
       FATBIN_ENTRY_MAJOR = 26,  /* 16 bits */
       FATBIN_ENTRY_TARGET = 28, /* 75 of sm_75 */
       FATBIN_ENTRY_NAME = 32, /* where in the entry the source's name is, 0: nowhere */
       FATBIN_ENTRY_NAME_LEN = 36,
       FATBIN_ENTRY_FLAGS = 40,   /* 64 bits */
       FATBIN_ENTRY_UNPACKED = 56 /* 64 bits: bytes when unpacked, 0: not packed */
};

struct fatbin_bytes { /* what is being read */
    const uint8_t *data;
    uint64_t size;
    const char *where; /* for messages */
    const char *section;
    uint64_t offset; /* of data in its file */
    bool to_link;
};

/* Little-endian, from anywhere: nothing needs to be aligned. */
static inline uint64_t fatbin_get(const uint8_t *at, uint32_t bytes)
{
    uint64_t v = 0;

    for (uint32_t i = bytes; i > 0; i--) {
        v = v << 8 | at[i - 1];
    }
    return v;
}

static inline bool fatbin_is_elf(const uint8_t *at, uint64_t n)
{
    return n >= 4 && at[0] == 0x7f && at[1] == 'E' && at[2] == 'L' && at[3] == 'F';
}

bool fatbin_no_memory(struct smw_err *e);
/* Text that begins as PTX does: blanks, comments, then .version. */
bool fatbin_is_ptx(const uint8_t *at, uint64_t n);

/* The fat binary at the front of b becomes an image. *used: its bytes. */
bool fatbin_read_image(struct fatbin *f, const struct fatbin_bytes *b, uint64_t *used,
                       struct smw_err *e);
/* One PTX text or ELF file, b whole, becomes an image. */
bool fatbin_read_single(struct fatbin *f, const struct fatbin_bytes *b,
                        enum fatbin_kind kind, struct smw_err *e);
/* A section of a program: images and texts with zeros between them. */
bool fatbin_read_section(struct fatbin *f, const struct fatbin_bytes *b,
                         struct smw_err *e);
/* The sections of an ELF file that hold fat binaries. */
bool fatbin_read_elf(struct fatbin *f, const struct fatbin_bytes *b, struct smw_err *e);
/* The machine code in an ELF file for a device. */
bool fatbin_is_cubin(const uint8_t *at, uint64_t n);
/* 0 if it is not known. */
uint32_t fatbin_cubin_target(const uint8_t *at, uint64_t n);
bool fatbin_read_archive(struct fatbin *f, const struct fatbin_bytes *b,
                         struct smw_err *e);

/* An ELF file of 64 bits, little-endian: its sections. */
struct fatbin_elf {
    const uint8_t *data;
    uint64_t size;
    uint64_t table; /* offset of the section headers */
    uint32_t n;
    const uint8_t *names; /* of sections */
    uint64_t n_names;
};
struct fatbin_elf_section {
    const char *name; /* terminated */
    uint32_t type;
    uint64_t offset, size; /* in the file: checked; size 0 of those without bytes */
};
/* False, with what is wrong as *why, if it is none or damaged. */
bool fatbin_elf_open(struct fatbin_elf *x, const uint8_t *data, uint64_t size,
                     const char **why);
bool fatbin_elf_at(const struct fatbin_elf *x, uint32_t i,
                   struct fatbin_elf_section *s);

#endif /* FATBIN_FATBIN_PRIV_H */
