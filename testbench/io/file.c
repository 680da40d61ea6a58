#include "io/file.h"

#include "base/nomem.h"
#include "io/diag.h"
#include "part.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- memory ---- */

void tb_no_memory(void)
{
    if (nomem_is_tried()) {
        nomem(); /* somebody has to tidy up first */
    }
    fputs("smwave: out of memory\n", stderr);
    exit(TB_INTERNAL);
}

static void *need(void *p)
{
    if (p == NULL) {
        tb_no_memory();
    }
    return p;
}

void *tb_alloc(size_t n)
{
    return need(calloc(1, n == 0 ? 1 : n));
}

void *tb_realloc(void *p, size_t n)
{
    return need(realloc(p, n == 0 ? 1 : n));
}

char *tb_strdup(const char *s)
{
    size_t n = strlen(s) + 1;

    return memcpy(tb_alloc(n), s, n);
}

char *tb_printf(const char *fmt, ...)
{
    va_list ap;
    char *s;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    s = tb_alloc((size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return s;
}

/* ---- growing text ---- */

static void text_reserve(struct text *t, size_t more)
{
    if (t->capacity - t->n > more) {
        return;
    }
    t->capacity = (t->n + more + 1) * 2;
    t->s = tb_realloc(t->s, t->capacity);
}

void text_add_bytes(struct text *t, const void *data, size_t n)
{
    text_reserve(t, n);
    if (n > 0) {
        memcpy(t->s + t->n, data, n);
    }
    t->n += n;
    t->s[t->n] = '\0';
}

void text_add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    text_reserve(t, (size_t)n);
    va_start(ap, fmt);
    vsnprintf(t->s + t->n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->n += (size_t)n;
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

/* ---- time ---- */

double tb_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- names ---- */

char *file_join(const char *dir, const char *name)
{
    size_t n = strlen(dir);

    return tb_printf("%s%s%s", dir, n > 0 && dir[n - 1] == '/' ? "" : "/", name);
}

/* Drop "." and "x/.." parts of a relative path, so that a table can be searched. */
static void normalise(char *path)
{
    char *out = path, *in = path;

    while (*in != '\0') {
        size_t n = strcspn(in, "/");

        if (n == 2 && memcmp(in, "..", 2) == 0 && out > path) {
            out--;
            while (out > path && out[-1] != '/') {
                out--;
            }
        } else if (n > 0 && !(n == 1 && *in == '.')) {
            memmove(out, in, n);
            out += n;
            if (in[n] == '/') {
                *out++ = '/';
            }
        }
        in += n + (in[n] == '/');
    }
    *out = '\0';
}

/* Descriptors of a shell: what it hands over as "<(command)" is a pipe and ends. */
static bool is_handed_over(const char *path)
{
    return strncmp(path, "/dev/fd/", 8) == 0 || strcmp(path, "/dev/stdin") == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

char *file_relative(const char *from, const char *path)
{
    const char *slash = strrchr(from, '/');
    size_t prefix = strlen(FILE_BUILTIN);
    char *joined;

    if (path[0] == '/') { /* a file cannot ask for what the shell hands over */
        return tb_printf("%s%s", is_handed_over(path) ? "/." : "", path);
    }
    if (strncmp(from, FILE_BUILTIN, prefix) == 0) {
        int n = slash == NULL ? 0 : (int)(slash - from - (ptrdiff_t)prefix + 1);

        joined = tb_printf(FILE_BUILTIN "%.*s%s", n, from + prefix, path);
        normalise(joined + prefix);
        return joined;
    }
    if (slash == NULL) {
        return tb_strdup(path);
    }
    return tb_printf("%.*s%s", (int)(slash - from + 1), from, path);
}

bool file_ends(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);

    return n > k && strcmp(path + n - k, end) == 0;
}

char *file_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = tb_strdup(slash == NULL ? path : slash + 1);
    char *dot = strrchr(stem, '.');

    if (dot != NULL && dot >= stem + strspn(stem, ".")) { /* never "." or ".." */
        *dot = '\0';
    }
    return stem;
}

/* ---- reading and writing ---- */

const struct file_builtin *file_find_builtin(const char *path)
{
    for (uint32_t i = 0; i < file_n_builtins; i++) {
        if (strcmp(file_builtins[i].path, path) == 0) {
            return &file_builtins[i];
        }
    }
    return NULL;
}

static char *read_builtin(const char *path, size_t *size, enum smw_err_kind kind,
                          struct smw_err *e)
{
    const struct file_builtin *b = file_find_builtin(path + strlen(FILE_BUILTIN));
    char *data;

    if (b == NULL) {
        err_set(e, kind, "%s: no such built-in file", path);
        return NULL;
    }
    data = tb_alloc(b->size + 1);
    memcpy(data, b->data, b->size);
    *size = b->size;
    return data;
}

/* A named pipe may never say anything and a device never end: a name that comes from a
 * file of somebody else must not make us wait. */
static FILE *open_plain(const char *path, enum smw_err_kind kind, struct smw_err *e)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    FILE *f;

    if (path[0] == '\0') {
        err_set(e, kind, "a file without a name");
    } else if (fd < 0 || fstat(fd, &st) != 0) {
        err_set(e, kind, "%s: %s", path, strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        err_set(e, kind, "%s is a directory, not a file", path);
    } else if (!S_ISREG(st.st_mode) &&
               !(S_ISFIFO(st.st_mode) && is_handed_over(path))) {
        err_set(e, kind, "%s is a pipe or a device, not a file", path);
    } else if (fcntl(fd, F_SETFL, 0) == 0 && (f = fdopen(fd, "rb")) != NULL) {
        return f;
    } else {
        err_set(e, kind, "%s: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return NULL;
}

static char *read_open(FILE *f, const char *path, uint64_t limit, size_t *size,
                       enum smw_err_kind kind, struct smw_err *e)
{
    struct stat st;
    size_t n = 0;
    char *data;

    if (fstat(fileno(f), &st) != 0) {
        err_set(e, kind, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > limit) {
        err_set(e, kind, "%s is too large (%llu bytes, at most %llu)", path,
                (unsigned long long)st.st_size, (unsigned long long)limit);
        return NULL;
    }
    /* A pipe has no size: grow, and stop at the limit. */
    for (size_t room = S_ISREG(st.st_mode) ? (size_t)st.st_size + 1 : 65536;;
         room *= 2) {
        data = n == 0 ? tb_alloc(room + 1) : tb_realloc(data, room + 1);
        n += fread(data + n, 1, room - n, f);
        if (n < room || n > limit) {
            break;
        }
    }
    if (ferror(f) != 0 || n > limit) {
        err_set(e, kind, n > limit ? "%s is too large" : "%s could not be read", path);
        free(data);
        return NULL;
    }
    data[n] = '\0';
    *size = n;
    return data;
}

char *file_read(const char *path, uint64_t limit, size_t *size, enum smw_err_kind kind,
                struct smw_err *e)
{
    FILE *f;
    char *data;

    if (strncmp(path, FILE_BUILTIN, strlen(FILE_BUILTIN)) == 0) {
        return read_builtin(path, size, kind, e);
    }
    f = open_plain(path, kind, e);
    if (f == NULL) {
        return NULL;
    }
    data = read_open(f, path, limit, size, kind, e);
    fclose(f);
    return data;
}

char *file_read_if_there(const char *path, uint64_t limit, size_t *size,
                         enum smw_err_kind kind, struct smw_err *e)
{
    struct smw_err why = {0};
    char *text = file_read(path, limit, size, kind, &why);

    if (text == NULL && (access(path, F_OK) == 0 || errno != ENOENT)) {
        *e = why;
    }
    return text;
}

FILE *file_input(const char **name, struct smw_err *e)
{
    FILE *f;

    if (strcmp(*name, "-") == 0) {
        *name = "standard input";
        return stdin;
    }
    f = fopen(*name, "rb");
    if (f == NULL) {
        err_set(e, SMW_ERR_INPUT, "%s: %s", *name, strerror(errno));
    }
    return f;
}

static bool refuse_write(const char *path, struct smw_err *e)
{
    return err_set(e, SMW_ERR_IO, "%s: %s", path,
                   errno != 0 ? strerror(errno) : "it could not be written");
}

bool file_write(const char *path, const void *data, size_t size, struct smw_err *e)
{
    struct part p;
    bool ok;

    if (part_open(&p, path) == NULL) {
        return refuse_write(path, e);
    }
    errno = 0;
    ok = size == 0 || fwrite(data, 1, size, p.f) == size; /* data may be NULL then */
    errno = part_close(&p, ok ? 0 : errno != 0 ? errno : EIO);
    return errno == 0 || refuse_write(path, e);
}

bool text_write(const char *dir, const char *name, struct text *t, struct smw_err *e)
{
    char *path = dir == NULL ? tb_strdup(name) : file_join(dir, name);
    bool ok = file_write(path, t->s == NULL ? "" : t->s, t->n, e);

    free(path);
    text_free(t);
    return ok;
}
