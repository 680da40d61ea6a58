#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "fst_io.h"

#include "base/nomem.h"
#include <errno.h>
#include <sys/stat.h>

static _Thread_local int first_error;

int fst_io_error(void)
{
    return first_error;
}

void fst_io_clear(void)
{
    first_error = 0;
}

void fst_io_note(int error)
{
    if (first_error == 0) {
        first_error = error != 0 ? error : EIO;
    }
}

FILE *fst_io_open(const char *path, const char *mode)
{
    FILE *f = fopen(path, mode);

    if (f == NULL && errno != ENOENT) {
        fst_io_note(errno);
    }
    return f;
}

FILE *fst_io_temporary(void)
{
    FILE *f = tmpfile();

    if (f == NULL) {
        fst_io_note(errno);
    }
    return f;
}

int fst_io_close(FILE *f)
{
    int result;

    if (ferror(f) != 0) { /* of whatever was done with it */
        fst_io_note(EIO);
    }
    errno = 0;
    result = fclose(f);
    if (result != 0) {
        fst_io_note(errno);
    }
    return result;
}

int fst_io_flush(FILE *f)
{
    int result;

    errno = 0;
    result = fflush(f);
    if (result != 0) {
        fst_io_note(errno);
    }
    return result;
}

static void note_of(FILE *f)
{
    if (ferror(f) != 0) {
        fst_io_note(errno);
    }
}

size_t fst_io_write(const void *data, size_t size, size_t n, FILE *f)
{
    const size_t done = fwrite(data, size, n, f);

    note_of(f);
    return done;
}

size_t fst_io_read(void *data, size_t size, size_t n, FILE *f)
{
    const size_t done = fread(data, size, n, f);

    note_of(f);
    return done;
}

int fst_io_getc(FILE *f)
{
    const int c = fgetc(f);

    if (c == EOF) {
        note_of(f);
    }
    return c;
}

/* It may read up to the place. */
int fst_io_seek(FILE *f, off_t offset, int whence)
{
    const int failed = fseeko(f, offset, whence);

    if (failed != 0) {
        fst_io_note(errno);
    }
    return failed;
}

int fst_io_gzread(gzFile f, void *data, unsigned n)
{
    int done;

    errno = 0;
    done = gzread(f, data, n);
    if (done < 0) {
        fst_io_note(errno);
    }
    return done;
}

gzFile fst_io_gzdopen(int fd, const char *mode)
{
    gzFile f = gzdopen(fd, mode);

    if (f == NULL) {
        fst_io_note(ENOMEM);
    }
    return f;
}

int fst_io_gzwrite(gzFile f, const void *data, unsigned n)
{
    int done, code = Z_OK;

    errno = 0;
    done = gzwrite(f, data, n);
    if (done <= 0 && n > 0) {
        (void)gzerror(f, &code);
        fst_io_note(code == Z_MEM_ERROR ? ENOMEM : errno);
    }
    return done;
}

int fst_io_truncate(int fd, off_t size)
{
    int result = ftruncate(fd, size);

    if (result != 0) {
        fst_io_note(errno);
    }
    return result;
}

int fst_io_gzclose(gzFile f)
{
    int result;

    errno = 0;
    result = gzclose(f);
    if (result != Z_OK) {
        fst_io_note(result == Z_MEM_ERROR ? ENOMEM : errno);
    }
    return result;
}

void *fst_io_map(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    struct stat st;
    void *p;

    if (fstat(fd, &st) != 0 || st.st_size < offset ||
        (size_t)(st.st_size - offset) < n) {
        fst_io_note(EIO);
        flags = MAP_PRIVATE | MAP_ANONYMOUS;
        protection |= PROT_WRITE;
        fd = -1;
        offset = 0;
    }
    n = n == 0 ? 1 : n;
    p = mmap(at, n, protection, flags, fd, offset);
    if (p == MAP_FAILED) {
        fst_io_note(ENOMEM);
        nomem();
    }
    return p;
}

/* ---- memory ---- */

static void *need(void *p, size_t n)
{
    if (p == NULL && n > 0) {
        fst_io_note(ENOMEM);
        nomem();
    }
    return p;
}

void *fst_io_malloc(size_t n)
{
    return need(malloc(n), n);
}

void *fst_io_calloc(size_t n, size_t size)
{
    return need(calloc(n, size), n * size);
}

void *fst_io_realloc(void *p, size_t n)
{
    return need(realloc(p, n), n);
}

char *fst_io_strdup(const char *s)
{
    const size_t n = strlen(s) + 1;

    return memcpy(fst_io_malloc(n), s, n);
}
