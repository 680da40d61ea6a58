#include "gzip.h"

#include <errno.h>
#include <limits.h>
#include <zlib.h>

enum { BLOCK = 1 << 16 };

bool gzip_is_built_in(void)
{
    return true;
}

/* What went wrong with f, as minus an errno. */
static int error_of(gzFile f)
{
    int code = Z_OK;

    (void)gzerror(f, &code);
    return code == Z_MEM_ERROR ? -ENOMEM : code == Z_ERRNO && errno > 0 ? -errno : -EIO;
}

static ssize_t write_some(void *ctx, const void *buf, size_t len)
{
    int took;

    errno = 0;
    took = gzwrite(ctx, buf, len > INT_MAX ? INT_MAX : (unsigned)len);
    return took > 0 ? took : error_of(ctx);
}

static int flush(void *ctx)
{
    errno = 0;
    return gzflush(ctx, Z_SYNC_FLUSH) == Z_OK ? 0 : error_of(ctx);
}

static int close_file(void *ctx)
{
    int code;

    errno = 0;
    code = gzclose(ctx);
    return code == Z_OK ? 0 : code == Z_MEM_ERROR ? -ENOMEM : errno > 0 ? -errno : -EIO;
}

bool gzip_sink(struct vcd_sink *sink, const char *path)
{
    gzFile f;

    errno = 0;
    f = gzopen(path, "wb");
    if (f == NULL) {
        errno = errno > 0 ? errno : ENOMEM;
        return false;
    }
    *sink = (struct vcd_sink){.write = write_some,
                              .flush = flush,
                              .close = close_file,
                              .ctx = f};
    return true;
}

/* A file that just ends was cut off: what there is will do. */
static bool copy_all(gzFile from, FILE *to)
{
    char block[BLOCK];
    int n, code = Z_OK;

    while ((n = gzread(from, block, sizeof(block))) > 0) {
        if (fwrite(block, 1, (size_t)n, to) != (size_t)n) {
            return false;
        }
    }
    (void)gzerror(from, &code);
    if (n < 0 && code != Z_BUF_ERROR) {
        errno = -error_of(from);
        return false;
    }
    return fflush(to) == 0;
}

FILE *gzip_read(const char *path)
{
    gzFile from;
    FILE *to;
    bool ok;
    int error;

    errno = 0;
    from = gzopen(path, "rb");
    if (from == NULL) {
        errno = errno > 0 ? errno : ENOMEM;
        return NULL;
    }
    to = tmpfile();
    ok = to != NULL && copy_all(from, to);
    error = errno;
    (void)gzclose_r(from);
    if (!ok) {
        if (to != NULL) {
            (void)fclose(to);
        }
        errno = error > 0 ? error : EIO;
        return NULL;
    }
    rewind(to);
    return to;
}
