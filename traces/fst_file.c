#define _POSIX_C_SOURCE 200809L /* truncate() */

#include "fst_file.h"

#include <fstapi.h>
#include <stdio.h>
#include <unistd.h>

static bool read_u64(FILE *f, uint64_t *value)
{
    unsigned char b[8];

    *value = 0;
    if (fread(b, sizeof(b), 1, f) != 1) {
        return false;
    }
    for (size_t i = 0; i < sizeof(b); i++) {
        *value = *value << 8 | b[i];
    }
    return true;
}

/* A file is a row of sections: a byte for the kind, 8 for the length from there on. */
static void look(FILE *f, struct fst_content *c)
{
    uint64_t length;

    while (c->good < c->size) {
        int kind = fseek(f, (long)c->good, SEEK_SET) == 0 ? getc(f) : EOF;

        if (kind == EOF || kind == FST_BL_SKIP || !read_u64(f, &length) || length < 8 ||
            length > c->size - c->good - 1) {
            return;
        }
        c->header = c->header || kind == FST_BL_HDR;
        c->changes = c->changes || kind == FST_BL_VCDATA_DYN_ALIAS2;
        c->names = c->names || kind == FST_BL_HIER;
        c->good += 1 + length;
    }
}

bool fst_file_is_whole(const char *path, struct fst_content *c)
{
    FILE *f = fopen(path, "rb");
    long n = -1;

    *c = (struct fst_content){.size = 0};
    if (f == NULL) {
        return false;
    }
    if (fseek(f, 0, SEEK_END) == 0) {
        n = ftell(f);
    }
    c->size = n > 0 ? (uint64_t)n : 0;
    look(f, c);
    (void)fclose(f);
    return c->good == c->size && c->header && c->changes && c->names;
}

bool fst_file_save(const char *path, const struct fst_content *c)
{
    enum { TIMES_AT = 1 + 8, TIMES = 16 };
    static const char zeros[TIMES];
    FILE *file;
    bool ok;

    if (!c->header || !c->changes || truncate(path, (off_t)c->good) != 0) {
        return false;
    }
    file = fopen(path, "r+b");
    if (file == NULL) {
        return false;
    }
    ok = fseek(file, TIMES_AT, SEEK_SET) == 0 && fwrite(zeros, TIMES, 1, file) == 1;
    return fclose(file) == 0 && ok;
}
