/*
 * fst_io.h - what the writer and the reader of FST files ask of the system. They are
 * another author's, look at no result, and are compiled with this in front
 * (FindFst.cmake), so that their calls come here: what fails is noted, and who closes a
 * file asks. Memory that is not there ends what is being done (nomem.h), noted as
 * ENOMEM: then the writer is left as it is and not asked again.
 *
 * The note is the thread's: a file that is written beside one that failed counts as
 * failed too.
 */
#ifndef FST_IO_H
#define FST_IO_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

/* The first error since it was last cleared; 0: none. */
int fst_io_error(void);
void fst_io_clear(void);
/* Note it, if it is the first. */
void fst_io_note(int error);

FILE *fst_io_open(const char *path, const char *mode);
FILE *fst_io_temporary(void);
int fst_io_close(FILE *f);
int fst_io_flush(FILE *f);
size_t fst_io_write(const void *data, size_t size, size_t n, FILE *f);
size_t fst_io_read(void *data, size_t size, size_t n, FILE *f);
int fst_io_getc(FILE *f);
int fst_io_seek(FILE *f, off_t offset, int whence);
int fst_io_gzread(gzFile f, void *data, unsigned n);
gzFile fst_io_gzdopen(int fd, const char *mode);
int fst_io_gzwrite(gzFile f, const void *data, unsigned n);
int fst_io_truncate(int fd, off_t size);
int fst_io_gzclose(gzFile f);
/* As mmap(), and never past the end of the file: what did not get there is zeros. */
void *fst_io_map(void *at, size_t n, int protection, int flags, int fd, off_t offset);
void *fst_io_malloc(size_t n);
void *fst_io_calloc(size_t n, size_t size);
void *fst_io_realloc(void *p, size_t n);
char *fst_io_strdup(const char *s);

#ifdef FST_IO_REPLACES
#define fopen     fst_io_open
#define tmpfile   fst_io_temporary
#define fclose    fst_io_close
#define fflush    fst_io_flush
#define fwrite    fst_io_write
#define fread     fst_io_read
#define fgetc     fst_io_getc
#define fseeko    fst_io_seek
#define gzread    fst_io_gzread
#define ftruncate fst_io_truncate
#define gzdopen   fst_io_gzdopen
#define gzwrite   fst_io_gzwrite
#undef gzclose
#define gzclose fst_io_gzclose
#define mmap    fst_io_map
#define malloc  fst_io_malloc
#define calloc  fst_io_calloc
#define realloc fst_io_realloc
#undef strdup
#define strdup fst_io_strdup
#endif

#endif /* FST_IO_H */
