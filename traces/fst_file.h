/*
 * fst_file.h - what became of an FST on the disk. Its writer looks at no result of a
 * write.
 */
#ifndef FST_FILE_H
#define FST_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct fst_content {
    bool header, changes, names; /* sections that are there */
    uint64_t good;               /* bytes of whole sections from its beginning on */
    uint64_t size;
};

/* Whole sections fill the file, and none is missing. */
bool fst_file_is_whole(const char *path, struct fst_content *c);

/* Make of one that is not whole what a process leaves that is killed, from which
 * readers take what there is: no time in its header, and whole sections. False: there
 * is nothing to be had. */
bool fst_file_save(const char *path, const struct fst_content *c);

#endif /* FST_FILE_H */
