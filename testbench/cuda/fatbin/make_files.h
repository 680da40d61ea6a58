/* make_files.h - for tests: files with fat binaries in them, made of nothing. */
#ifndef FATBIN_MAKE_FILES_H
#define FATBIN_MAKE_FILES_H

#include "fatbin/fatbin.h"

struct made { /* bytes; the maker ends the process without memory */
    uint8_t *data;
    size_t n;
};

struct made_section {
    const char *name;
    struct made content;
};

void made_add(struct made *m, const void *data, size_t n);
void made_free(struct made *m);
struct made made_fatbin(const struct fatbin_source *s, uint32_t n);
/* An ELF file of 64 bits with these sections. machine: 62 of x86-64, 190 of a
 * device. */
struct made made_elf(uint16_t machine, uint32_t flags, uint8_t abi,
                     const struct made_section *s, uint32_t n);
/* An archive; names longer than 15 characters stand in its list of names. */
struct made made_archive(const struct made_section *member, uint32_t n);

#endif /* FATBIN_MAKE_FILES_H */
