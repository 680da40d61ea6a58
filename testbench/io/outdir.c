#include "io/outdir.h"

#include "io/file.h"
#include "part.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the marker says, and what messages call the results. */
static const struct {
    const char *text, *name;
} kinds[OUTDIR_KINDS] = {
    [OUTDIR_RUN] =
        {"smwave run wrote this directory; the next run into it replaces its "
         "results.\n",
         "a run"},
    [OUTDIR_PROGRAM] =
        {"smwave exec wrote this directory; the next program run into it "
         "replaces its results.\n",
         "a program"},
    [OUTDIR_RECORD] = {"smwave exec --record wrote this directory; the next record "
                       "replaces it.\n",
                       "a program's recording"},
    [OUTDIR_SWEEP] = {"smwave sweep wrote this directory; the same sweep goes on in "
                      "it.\n",
                      "a sweep"},
};

enum { MARKER_BYTES = 256 }; /* more than any of the texts */

/* Everything a run may write, besides the viewers' state_*.txt, stage_*.txt, run.*.gtkw
 * and run.*.sucl, and what lies in .surfer. */
static const char *const own_files[] = {
    "stats.json",   "config.yml",      "report.json",       "explain.json",
    "profile.json", "report.html",     "run.vcd",           "run.vcd.gz",
    "run.fst",      "run.fst.hier",    "run.fst.part.hier", "run.gtkw",
    "run.pcs.txt",  "events.log",      "summary.txt",       "module.ptx",
    "blocks.csv",   "pipeline.kanata", "timeline.json",     "run.sucl"};

/* The first n characters of name begin and end like this, with something between. */
static bool is_like(const char *name, size_t n, const char *begin, const char *end)
{
    size_t b = strlen(begin), t = strlen(end);

    return n > b + t && strncmp(name, begin, b) == 0 &&
           strncmp(name + n - t, end, t) == 0;
}

static bool is_own(const char *name)
{
    size_t n = strlen(name);

    n -= file_ends(name, PART_ENDING) ? strlen(PART_ENDING) : 0;
    for (size_t i = 0; i < ARRAY_LEN(own_files); i++) {
        if (strlen(own_files[i]) == n && strncmp(name, own_files[i], n) == 0) {
            return true;
        }
    }
    return is_like(name, n, "state_", ".txt") || is_like(name, n, "stage_", ".txt") ||
           is_like(name, n, "run.", ".gtkw") || is_like(name, n, "run.", ".sucl") ||
           is_like(name, n, "module-", ".ptx");
}

static bool make_directory(const char *path, struct smw_err *e)
{
    struct stat st;

    if (mkdir(path, 0777) == 0) {
        return true;
    }
    if (errno == EEXIST && stat(path, &st) == 0) {
        return S_ISDIR(st.st_mode) ||
               err_set(e, SMW_ERR_IO, "%s is a file, and results need a directory",
                       path);
    }
    return err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
}

/* path and its parents; path is changed and restored on the way. */
static bool make_path(char *path, struct smw_err *e)
{
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p == '/') {
            bool ok;

            *p = '\0';
            ok = make_directory(path, e);
            *p = '/';
            if (!ok) {
                return false;
            }
        }
    }
    return make_directory(path, e);
}

bool outdir_make_parents(const char *file, struct smw_err *e)
{
    const char *slash = strrchr(file, '/');
    char *dir;
    bool ok;

    if (slash == NULL || slash == file) {
        return true;
    }
    dir = tb_printf("%.*s", (int)(slash - file), file);
    ok = make_path(dir, e);
    free(dir);
    return ok;
}

/* What the directory holds: nothing, our marker, or something else. */
static bool look(const char *path, bool *empty, bool *ours, struct smw_err *e)
{
    DIR *d = opendir(path);

    if (d == NULL) {
        return err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
    }
    *empty = true;
    *ours = false;
    for (struct dirent *f = readdir(d); f != NULL; f = readdir(d)) {
        if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0) {
            continue;
        }
        *empty = false;
        *ours = *ours || strcmp(f->d_name, OUTDIR_MARKER) == 0;
    }
    closedir(d);
    return true;
}

static bool remove_file(const char *dir, const char *name, struct smw_err *e)
{
    char *file = file_join(dir, name);
    bool ok = unlink(file) == 0 || errno == ENOENT;

    if (!ok) {
        err_set(e, SMW_ERR_IO, "%s: %s", file, strerror(errno));
    }
    free(file);
    return ok;
}

/* Writing to it would change another file, or wait for a reader. */
static bool leads_away(const char *dir, const char *name)
{
    char *file = file_join(dir, name);
    struct stat st;
    bool away = lstat(file, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_nlink > 1);

    free(file);
    return away;
}

static bool is_mapping(const char *name)
{
    size_t n = strlen(name);

    n -= file_ends(name, PART_ENDING) ? strlen(PART_ENDING) : 0;
    return is_like(name, n, "state_", ".map") || is_like(name, n, "stage_", ".map") ||
           is_like(name, n, "run.", ".map");
}

/* What a run may write in path, or of that only what leads out of the directory. */
static bool remove_named(const char *path, bool all, bool (*is_one)(const char *name),
                         struct smw_err *e)
{
    DIR *d = opendir(path);
    bool ok = true;

    if (d == NULL) {
        return err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
    }
    for (struct dirent *f = readdir(d); ok && f != NULL; f = readdir(d)) {
        ok = !is_one(f->d_name) || (!all && !leads_away(path, f->d_name)) ||
             remove_file(path, f->d_name, e);
    }
    closedir(d);
    return ok;
}

/* There is a directory of that name in dir; what else has the name is removed. */
static bool is_directory(const char *dir, const char *name, bool *is, struct smw_err *e)
{
    char *path = file_join(dir, name);
    struct stat st;
    bool there = lstat(path, &st) == 0;

    *is = there && S_ISDIR(st.st_mode);
    free(path);
    return !there || *is || remove_file(dir, name, e);
}

/* The mapping files, and their directories if nothing else lies there. */
static bool remove_mappings(const char *path, bool all, struct smw_err *e)
{
    char *top = file_join(path, ".surfer"), *mappings = file_join(top, "mappings");
    bool is = false;
    bool ok = is_directory(path, ".surfer", &is, e) &&
              (!is || is_directory(top, "mappings", &is, e));

    if (ok && is) {
        ok = remove_named(mappings, all, is_mapping, e);
    }
    if (ok && is && all) {
        (void)rmdir(mappings);
        (void)rmdir(top);
    }
    free(mappings);
    free(top);
    return ok;
}

static bool remove_own(const char *path, bool all, struct smw_err *e)
{
    return remove_named(path, all, is_own, e) && remove_mappings(path, all, e);
}

/* The marker, open for the lock and for what it says; -1 and *e. */
static int open_marker(const char *path, struct smw_err *e)
{
    char *marker;
    int fd;

    if (leads_away(path, OUTDIR_MARKER) && !remove_file(path, OUTDIR_MARKER, e)) {
        return -1;
    }
    marker = file_join(path, OUTDIR_MARKER);
    fd = open(marker, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) {
        err_set(e, SMW_ERR_IO, "%s: %s", marker, strerror(errno));
    }
    free(marker);
    return fd;
}

/* Others share it in a sweep. */
static bool take_lock(const char *path, int fd, enum outdir_kind kind,
                      struct smw_err *e)
{
    int how = kind == OUTDIR_SWEEP ? LOCK_SH : LOCK_EX;

    if (flock(fd, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
        return true;
    }
    err_set(e, SMW_ERR_IO, "another smwave is writing into %s", path);
    err_hint(e, "wait until it has ended, or choose another directory with -o");
    return false;
}

/* The directory is of that kind then. One that is not known, of another version or just
 * being made, is in nobody's way. */
static bool claim(const char *path, int fd, enum outdir_kind kind, bool force,
                  struct smw_err *e)
{
    const char *text = kinds[kind].text;
    char said[MARKER_BYTES] = "";
    size_t n = strlen(text);

    if (pread(fd, said, sizeof(said) - 1, 0) >= 0 && strcmp(said, text) == 0) {
        return true;
    }
    for (size_t i = 0; !force && i < OUTDIR_KINDS; i++) {
        if (strcmp(said, kinds[i].text) == 0) {
            err_set(e, SMW_ERR_IO, "%s holds the results of %s, and this is %s", path,
                    kinds[i].name, kinds[kind].name);
            err_hint(e, "choose another directory with -o, or replace them with "
                        "--force");
            return false;
        }
    }
    return (ftruncate(fd, 0) == 0 && pwrite(fd, text, n, 0) == (ssize_t)n) ||
           err_set(e, SMW_ERR_IO, "%s/" OUTDIR_MARKER ": %s", path, strerror(errno));
}

bool outdir_hold(const char *path, enum outdir_kind kind, bool force, int *lock,
                 struct smw_err *e)
{
    int fd = open_marker(path, e);

    if (fd < 0) {
        return false;
    }
    if ((lock != NULL && !take_lock(path, fd, kind, e)) ||
        !claim(path, fd, kind, force, e)) {
        (void)close(fd);
        return false;
    }
    if (lock == NULL) {
        (void)close(fd);
    } else {
        *lock = fd;
    }
    return true;
}

static bool is_unfinished(const char *name)
{
    return is_own(name) &&
           (file_ends(name, PART_ENDING) || file_ends(name, PART_ENDING ".hier"));
}

static bool is_unfinished_mapping(const char *name)
{
    return is_mapping(name) && file_ends(name, PART_ENDING);
}

void outdir_tidy(const char *path)
{
    char *mappings = file_join(path, ".surfer/mappings");
    struct smw_err ignored = {0};

    (void)remove_named(path, true, is_unfinished, &ignored);
    (void)remove_named(mappings, true, is_unfinished_mapping, &ignored);
    free(mappings);
}

void outdir_release(int lock)
{
    if (lock != OUTDIR_UNLOCKED) {
        (void)close(lock);
    }
}

bool outdir_prepare(const char *path, enum outdir_kind kind, bool force, int *lock,
                    struct smw_err *e)
{
    char *copy = tb_strdup(path);
    bool empty = false, ours = false, ok;

    ok = path[0] != '\0' ? make_path(copy, e)
                         : err_set(e, SMW_ERR_IO, "the output directory has no name");
    free(copy);
    if (!ok || !look(path, &empty, &ours, e)) {
        return false;
    }
    if (!empty && !ours && !force) {
        err_set(e, SMW_ERR_IO, "%s is not empty and was not written by smwave", path);
        err_hint(e, "choose another directory with -o, or write into it with --force");
        return false;
    }
    if (!outdir_hold(path, kind, force, lock, e)) {
        return false;
    }
    /* What came into an empty one before we had the lock is of one of us. */
    ok = remove_own(path, ours || empty, e);
    if (!ok && lock != NULL) {
        outdir_release(*lock);
        *lock = OUTDIR_UNLOCKED;
    }
    return ok;
}
