/*
 * gzip.h - compressed dumps, where zlib was found when this was built.
 *
 *   gzip.c      by zlib
 *   nogzip.c    in its place: nothing opens, with ENOSYS
 *
 * A compressed file is whole only when it is closed. Of one that was cut off, gzip and
 * viewers read what is there and complain.
 */
#ifndef GZIP_H
#define GZIP_H

#include "libvcd/vcd.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

bool gzip_is_built_in(void);

/* Is it called like one? */
static inline bool gzip_is_name(const char *path)
{
    size_t n = strlen(path);

    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

/* A sink that compresses into the file path, which is created or emptied. Equal bytes
 * give equal files. False and errno. */
bool gzip_sink(struct vcd_sink *sink, const char *path);

/* What is compressed in the file path, as a temporary file, from its beginning; of a
 * file that is not compressed the same bytes, of one that was cut off what there is.
 * NULL and errno. */
FILE *gzip_read(const char *path);

#endif /* GZIP_H */
