/*
 * cmd_wave_check.c - "smwave wave check": is all of a dump there, and what the save
 * files beside it name?
 */
#include "cmd/cmd_wave.h"

#include "cmd/answer.h"
#include "compare.h"
#include "io/diag.h"
#include "run/findings.h"
#include "trace/savefile.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where goes what is found. */
struct found {
    bool quiet;
    json_t *dump, *views; /* of the answer; NULL: for people */
};

static int is_save_file(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 5 && strcmp(entry->d_name + n - 5, ".gtkw") == 0;
}

static void found_view(const struct found *f, const char *name, uint32_t rows)
{
    if (f->views != NULL) {
        json_array_append_new(f->views,
                              json_pack("{s:o, s:I}", "file", findings_string(name),
                                        "rows", (json_int_t)rows));
    } else if (!f->quiet) {
        diag_print("    %s: %u rows\n", name, (unsigned)rows);
    }
}

/* Save files of the dump, in the order of their names. */
static bool check_views(const struct dumpfile *d, const struct found *f,
                        struct smw_err *e)
{
    const char *slash = strrchr(d->path, '/');
    const char *dump = slash != NULL ? slash + 1 : d->path;
    char *dir = tb_printf("%.*s", (int)(dump - d->path), d->path);
    struct dirent **entry = NULL;
    int n = scandir(dir[0] != '\0' ? dir : ".", &entry, is_save_file, alphasort);
    bool ok = n >= 0 || err_set(e, errno == ENOMEM ? SMW_ERR_NOMEM : SMW_ERR_IO,
                                "%s: %s", dir[0] != '\0' ? dir : ".", strerror(errno));

    for (int i = 0; i < n; i++) {
        char *path = tb_printf("%s%s", dir, entry[i]->d_name);
        uint32_t rows;

        if (ok && savefile_is_of(path, dump, e)) {
            ok = savefile_check(path, d->r, &rows, e);
            if (ok) {
                found_view(f, entry[i]->d_name, rows);
            }
        }
        ok = ok && e->kind == SMW_ERR_NONE;
        free(path);
        free(entry[i]);
    }
    free(entry);
    free(dir);
    return ok;
}

static void found_dump(const struct found *f, const struct dumpfile *d,
                       uint64_t changes, uint64_t time)
{
    if (f->dump != NULL) {
        json_object_set_new(f->dump, "variables", json_integer(reader_vars(d->r)));
        json_object_set_new(f->dump, "changes", json_integer((json_int_t)changes));
        json_object_set_new(f->dump, "time", json_integer((json_int_t)time));
        json_object_set_new(f->dump, "unit", findings_string(compare_unit(d->r)));
    } else if (!f->quiet) {
        diag_print("%s: %u variables, %" PRIu64 " changes, to time %" PRIu64
                   " (unit %s)\n",
                   d->path, (unsigned)reader_vars(d->r), changes, time,
                   compare_unit(d->r));
    }
}

/* The dump to its end, then its save files. */
static bool check_one(struct dumpfile *d, const struct found *f, struct smw_err *e)
{
    struct reader_change c;
    uint64_t changes = 0;
    enum reader_step step;

    do {
        step = reader_next(d->r, &c, e);
        changes += step == READER_CHANGE;
    } while (step != READER_END && step != READER_FAILED);
    if (step == READER_FAILED || !dumpfile_finish(d, e)) {
        return false;
    }
    if (reader_was_cut(d->r)) {
        return err_set(e, SMW_ERR_INPUT, "%s ends in the middle of a line", d->path);
    }
    found_dump(f, d, changes, c.time);
    return check_views(d, f, e);
}

/* A dump of the answer, of which nothing is known yet. */
static json_t *answer_dump(const char *path)
{
    static const char *const keys[] = {"variables", "changes", "time", "unit"};
    json_t *o = json_object();

    json_object_set_new(o, "dump", findings_string(path));
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        json_object_set_new(o, keys[i], json_null());
    }
    return o;
}

/* Into the answer, or for people if that is NULL. False: it cannot be read. */
static bool check_dump(const char *path, bool quiet, json_t *answer, int *worst)
{
    struct found f = {.quiet = quiet};
    struct smw_err e = {0};
    struct dumpfile d;
    bool ok;

    ok = dumpfile_open(&d, path, &e);
    if (answer != NULL) {
        f.dump = answer_dump(ok ? d.path : path);
        f.views = json_array();
    }
    ok = ok && check_one(&d, &f, &e);
    *worst = ok ? *worst : (int)diag_exit(e.kind);
    if (answer == NULL || (!ok && e.kind != SMW_ERR_INPUT)) {
        if (!ok) {
            (void)diag_error(&e);
        }
        json_decref(f.dump);
        json_decref(f.views);
    } else {
        json_object_set_new(f.dump, "save_files", f.views);
        json_object_set_new(f.dump, "ok", json_boolean(ok));
        json_object_set_new(f.dump, "error", ok ? json_null() : answer_error(&e));
        json_array_append_new(answer, f.dump);
    }
    dumpfile_close(&d);
    return ok || e.kind == SMW_ERR_INPUT;
}

int cmd_wave_check(const char *const *dumps, uint32_t n, bool quiet, bool json)
{
    json_t *answer = json ? json_array() : NULL;
    bool readable = true;
    int worst = TB_OK;

    for (uint32_t i = 0; i < n; i++) {
        readable = check_dump(dumps[i], quiet, answer, &worst) && readable;
    }
    if (json && readable) {
        answer_print(answer);
    } else {
        json_decref(answer);
    }
    return worst;
}
