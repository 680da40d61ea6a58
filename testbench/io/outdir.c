#include "io/outdir.h"

#include "io/file.h"
#include "part.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char marker_text[] =
    "smwave wrote this directory; the next run into it replaces its results.\n";

/* Everything a run may write, besides the viewer's state_*.txt, stage_*.txt and
 * run.*.gtkw. */
static const char *const own_files[] = {
    "stats.json",        "config.yml", "report.json", "explain.json", "profile.json",
    "report.html",       "run.vcd",    "run.vcd.gz",  "run.fst",      "run.fst.hier",
    "run.fst.part.hier", "run.gtkw",   "run.pcs.txt", "events.log",   "summary.txt",
    "module.ptx",        OUTDIR_MARKER};

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
           is_like(name, n, "run.", ".gtkw") || is_like(name, n, "module-", ".ptx");
}

static bool make_directory(const char *path, struct smw_err *e)
{
    struct stat st;

    if (mkdir(path, 0777) == 0) {
        return true;
    }
    if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return true;
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

/* What a run may write there, or of that only what leads out of the directory. */
static bool remove_own(const char *path, bool all, struct smw_err *e)
{
    DIR *d = opendir(path);
    bool ok = true;

    if (d == NULL) {
        return err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
    }
    for (struct dirent *f = readdir(d); ok && f != NULL; f = readdir(d)) {
        ok = !is_own(f->d_name) || (!all && !leads_away(path, f->d_name)) ||
             remove_file(path, f->d_name, e);
    }
    closedir(d);
    return ok;
}

bool outdir_prepare(const char *path, bool force, struct smw_err *e)
{
    char *copy = tb_strdup(path), *marker;
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
    if (!empty && !remove_own(path, ours, e)) {
        return false;
    }
    marker = file_join(path, OUTDIR_MARKER);
    ok = file_write(marker, marker_text, sizeof(marker_text) - 1, e);
    free(marker);
    return ok;
}
