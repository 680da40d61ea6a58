#define _POSIX_C_SOURCE 200809L /* lstat(), O_NOFOLLOW */

#include "part.h"

#include "base/nomem.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool part_directory(const char *path)
{
    struct stat st;

    if (mkdir(path, 0777) == 0) {
        return true;
    }
    if (errno == EEXIST && lstat(path, &st) == 0) {
        errno = ENOTDIR;
        return S_ISDIR(st.st_mode);
    }
    return false;
}

bool part_is_replaceable(const char *path)
{
    struct stat st;

    return lstat(path, &st) != 0 ? errno == ENOENT
                                 : S_ISREG(st.st_mode) && st.st_nlink == 1;
}

/* What is there is of a process that was killed. */
static FILE *create(const char *path)
{
    FILE *f = NULL;
    int fd;

    (void)unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0) {
        f = fdopen(fd, "wb");
    }
    if (fd >= 0 && f == NULL) {
        (void)close(fd);
        (void)unlink(path);
        errno = ENOMEM;
    }
    return f;
}

bool part_is_refused(int error)
{
    return error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG;
}

FILE *part_open(struct part *p, const char *path)
{
    size_t n = strlen(path);

    *p = (struct part){.path = path};
    if (!part_is_replaceable(path)) {
        errno = 0;
        p->f = fopen(path, "wb");
        return p->f;
    }
    p->beside = malloc(n + sizeof(PART_ENDING));
    if (p->beside == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(p->beside, path, n);
    memcpy(p->beside + n, PART_ENDING, sizeof(PART_ENDING));
    p->f = create(p->beside);
    if (p->f == NULL) {
        int error = errno;

        free(p->beside);
        p->beside = NULL;
        errno = error;
        p->f = part_is_refused(error) ? fopen(path, "wb") : NULL;
    }
    return p->f;
}

int part_close(struct part *p, int error)
{
    if (error == 0 && ferror(p->f) != 0) {
        error = errno != 0 ? errno : EIO;
    }
    errno = 0;
    if (fclose(p->f) != 0 && error == 0) {
        error = errno != 0 ? errno : EIO;
    }
    if (p->beside != NULL && error == 0 && rename(p->beside, p->path) != 0) {
        error = errno;
    }
    if (p->beside != NULL && error != 0) {
        (void)unlink(p->beside);
    }
    free(p->beside);
    return error;
}

struct filling {
    void (*fill)(void *arg, FILE *f);
    void *arg;
    FILE *f;
};

static void try_fill(void *arg)
{
    const struct filling *const x = arg;

    x->fill(x->arg, x->f);
}

int part_write(const char *path, void (*fill)(void *arg, FILE *f), void *arg)
{
    struct filling x = {.fill = fill, .arg = arg};
    struct part p;

    x.f = part_open(&p, path);
    if (x.f == NULL) {
        return errno;
    }
    if (!nomem_try(try_fill, &x)) {
        (void)part_close(&p, ENOMEM);
        nomem();
    }
    return part_close(&p, 0);
}
