/*
 * file.h - whole files in and out.
 *
 * A file is read from the disk or, when its name starts with FILE_BUILTIN, from the
 * table compiled into the program: built-in launch files find their PTX that way.
 */
#ifndef IO_FILE_H
#define IO_FILE_H

#include "base/err.h"
#include <stddef.h>
#include <stdio.h>

#define FILE_BUILTIN "builtin:"

struct file_builtin { /* a file compiled in; paths are relative to testbench/ */
    const char *path;
    const unsigned char *data;
    size_t size;
};

/* What the program was built with; generated. */
extern const struct file_builtin file_builtins[];
extern const uint32_t file_n_builtins;

const struct file_builtin *file_find_builtin(const char *path);

/* The whole file, with a zero byte behind it; the caller frees. NULL and *e of the
 * given kind if it cannot be read, is no regular file (a pipe the shell hands
 * over will do), or is larger than limit bytes.
 */
char *file_read(const char *path, uint64_t limit, size_t *size, enum smw_err_kind kind,
                struct smw_err *e);

/* A file to stream from, or for "-" standard input, whose name *name then becomes; the
 * caller closes what is not stdin. NULL and *e if it cannot be opened. */
FILE *file_input(const char **name, struct smw_err *e);

/* path as seen from the directory of the file from, which names it; the caller frees,
 * never NULL. */
char *file_relative(const char *from, const char *path);

/* "a/b/reverse.yml" -> "reverse"; the caller frees, never NULL. */
char *file_stem(const char *path);
/* Does it end so, behind something else? */
bool file_ends(const char *path, const char *end);

/* dir and name with one slash between; the caller frees, never NULL. */
char *file_join(const char *dir, const char *name);

/* Replace path by size bytes, at once (part.h). SMW_ERR_IO on failure. */
bool file_write(const char *path, const void *data, size_t size, struct smw_err *e);

/* A text that grows. */
struct text {
    char *s; /* terminated; NULL while empty */
    size_t n, capacity;
};

void text_add(struct text *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
void text_add_bytes(struct text *t, const void *data, size_t n);
void text_free(struct text *t);
/* Write it as file_write() does, to name in dir (NULL: name is the path), and free
 * it. */
bool text_write(const char *dir, const char *name, struct text *t, struct smw_err *e);

/* The same of a file that need not be there: then NULL, and *e is left alone. */
char *file_read_if_there(const char *path, uint64_t limit, size_t *size,
                         enum smw_err_kind kind, struct smw_err *e);

/* Never NULL: the program cannot go on without memory and says so (exit 70), once who
 * has something to tidy up has done so (nomem.h). */
_Noreturn void tb_no_memory(void);
void *tb_alloc(size_t n);
void *tb_realloc(void *p, size_t n);
char *tb_strdup(const char *s);
char *tb_printf(const char *fmt, ...) ATTR_PRINTF(1, 2);

/* Wall time in seconds, from whenever: for differences. */
double tb_seconds(void);

#endif /* IO_FILE_H */
