#include "sweep/store.h"

#include "io/diag.h"
#include "io/file.h"
#include "io/outdir.h"
#include "run/findings.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART ".part"
#define DONE "done.json"

enum { DONE_BYTES = 65536 };

const char *store_cause_name(enum store_cause c)
{
    static const char *const names[STORE_CAUSES] = {"kernel",   "config", "input",
                                                    "deadlock", "limit",  "io",
                                                    "memory",   "time",   "signal",
                                                    "internal"};

    return c < STORE_CAUSES ? names[c] : "internal";
}

const char *store_status_name(enum store_status s)
{
    switch (s) {
    case STORE_MISSING: return "missing";
    case STORE_OK: return "ok";
    case STORE_FAILED: return "failed";
    }
    return "";
}

/* ---- the folder ---- */

char *store_dir(const struct sweep *s, const char *out)
{
    return out != NULL ? tb_strdup(out) : tb_printf("smwave-out/%s.sweep", s->name);
}

static bool is_there(const char *dir, const char *name)
{
    char *path = file_join(dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

bool store_is(const char *dir)
{
    return is_there(dir, PLAN_FILE) && is_there(dir, STORE_SWEEP);
}

char *store_find(const char *word, const char *out, struct smw_err *e)
{
    struct sweep s = {0};
    struct stat st;
    char *dir = NULL, *file;

    if (stat(word, &st) == 0 && S_ISDIR(st.st_mode)) {
        dir = tb_strdup(word);
    } else {
        file = sweep_find(word, e);
        if (file != NULL && sweep_read(&s, file, e)) {
            dir = store_dir(&s, out);
            sweep_free(&s);
        }
        free(file);
    }
    if (dir != NULL && !store_is(dir)) {
        err_set(e, SMW_ERR_IO, "%s holds no sweep", dir);
        err_hint(e, "'smwave sweep run' makes one; -o says where");
        free(dir);
        return NULL;
    }
    return dir;
}

/* The copy says the name, which may have come from that of the file. */
static bool copy_sweep(const char *dir, const struct sweep *s, struct smw_err *e)
{
    struct text t = {0};
    struct yaml y;
    struct smw_err bad = {0};
    bool ok;

    text_add(&t, "%s", s->yaml.text);
    if (yaml_get(s->yaml.root, "name") == NULL) {
        size_t plain = t.n;

        text_add(&t, "%sname: %s\n", plain > 0 && t.s[plain - 1] == '\n' ? "" : "\n",
                 s->name);
        if (yaml_parse(&y, STORE_SWEEP, t.s, t.n, SMW_ERR_INPUT, &bad)) {
            yaml_free(&y);
        } else if (bad.kind == SMW_ERR_NOMEM) {
            tb_no_memory();
        } else {
            t.n = plain; /* of a form that takes no line more */
        }
    }
    ok = store_write(dir, STORE_SWEEP, t.s, t.n, e);
    text_free(&t);
    return ok;
}

static bool make_points(const char *dir, struct smw_err *e)
{
    char *points = file_join(dir, "points");
    bool ok = mkdir(points, 0777) == 0 || errno == EEXIST ||
              err_set(e, SMW_ERR_IO, "%s: %s", points, strerror(errno));

    free(points);
    return ok;
}

bool store_create(const char *dir, const struct sweep *s, bool force, int *lock,
                  struct smw_err *e)
{
    /* Preparing it twice would get into the way of who uses it already. */
    bool ours = is_there(dir, OUTDIR_MARKER) && store_is(dir);

    return (ours ? outdir_hold(dir, OUTDIR_SWEEP, force, lock, e)
                 : outdir_prepare(dir, OUTDIR_SWEEP, force, lock, e)) &&
           make_points(dir, e) && copy_sweep(dir, s, e);
}

/* ---- what is being written ---- */

/* Processes of different hosts may have the same number. */
static uint32_t this_host(void)
{
    char name[256] = "";
    uint32_t h = 2166136261u;

    (void)gethostname(name, sizeof(name) - 1);
    for (const char *s = name; *s != '\0'; s++) {
        h = (h ^ (unsigned char)*s) * 16777619u;
    }
    return h;
}

static char *beside(const char *dir, const char *name, long pid)
{
    return tb_printf("%s/.%s.%08" PRIx32 "-%ld" PART, dir, name, this_host(), pid);
}

char *store_beside(const char *dir, const char *name)
{
    return beside(dir, name, (long)getpid());
}

struct part { /* what the name of one says */
    uint32_t host;
    long pid;
    uint64_t index; /* of a point */
};

static bool read_part(const char *file, struct part *p)
{
    /* behind the first of them others may have put parts of their own */
    const char *tail = file[0] == '.' ? strstr(file, PART) : NULL, *owner = tail;
    char *end;

    while (owner != NULL && owner > file && *--owner != '.') {
    }
    if (owner == NULL || owner == file) {
        return false;
    }
    p->index = strtoull(file + 1, NULL, 10);
    p->host = (uint32_t)strtoul(owner + 1, &end, 16);
    if (*end != '-') {
        return false;
    }
    p->pid = strtol(end + 1, &end, 10);
    return p->pid > 0 && end == tail;
}

/* "smwave" and the state of process pid, 'R', 'Z'; false: there is no telling. */
static bool read_process(long pid, char name[32], char *state)
{
    char path[64];
    FILE *f;
    bool ok;

    snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
    f = fopen(path, "re");
    ok = f != NULL && fscanf(f, "%*d (%31[^)]) %c", name, state) == 2;
    if (f != NULL) {
        fclose(f);
    }
    return ok;
}

/* A dead process may wait to be asked for, and its number may be another's by now. */
static bool is_dead(const struct part *p)
{
    char name[32], ours[32], state = 'R', mine = 'R';

    if (p->host != this_host() || p->pid == (long)getpid() ||
        (kill((pid_t)p->pid, 0) != 0 && errno == ESRCH)) {
        return true;
    }
    return read_process(p->pid, name, &state) &&
           read_process((long)getpid(), ours, &mine) &&
           (state == 'Z' || strcmp(name, ours) != 0);
}

/* A folder of plain files, or a file. */
static void remove_tree(const char *path)
{
    DIR *d = unlink(path) == 0 ? NULL : opendir(path);

    if (d == NULL) {
        return;
    }
    for (struct dirent *f = readdir(d); f != NULL; f = readdir(d)) {
        if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0) {
            (void)unlinkat(dirfd(d), f->d_name, 0);
        }
    }
    closedir(d);
    (void)rmdir(path);
}

void store_clean(const char *dir, bool (*wanted)(void *ctx, uint64_t index), void *ctx)
{
    char *points = file_join(dir, "points");
    DIR *d = opendir(points);

    for (struct dirent *f = d == NULL ? NULL : readdir(d); f != NULL; f = readdir(d)) {
        struct part p;

        if (read_part(f->d_name, &p) && wanted(ctx, p.index) && is_dead(&p)) {
            char *path = file_join(points, f->d_name);

            remove_tree(path);
            free(path);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
    free(points);
    d = opendir(dir);
    for (struct dirent *f = d == NULL ? NULL : readdir(d); f != NULL; f = readdir(d)) {
        struct part p;

        /* what other hosts write there we do not know */
        if (read_part(f->d_name, &p) && p.host == this_host() && is_dead(&p)) {
            (void)unlinkat(dirfd(d), f->d_name, 0);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
}

bool store_replace(const char *dir, const char *name, const char *part, bool ok,
                   struct smw_err *e)
{
    char *path = file_join(dir, name);

    if (ok && rename(part, path) != 0) {
        ok = err_set(e, SMW_ERR_IO, "%s: %s", path, strerror(errno));
    }
    if (!ok) {
        (void)unlink(part);
    }
    free(path);
    return ok;
}

bool store_write(const char *dir, const char *name, const void *data, size_t size,
                 struct smw_err *e)
{
    char *part = store_beside(dir, name);
    bool ok = store_replace(dir, name, part, file_write(part, data, size, e), e);

    free(part);
    return ok;
}

/* ---- points ---- */

char *store_point(const char *dir, uint64_t index)
{
    return tb_printf("%s/points/%06" PRIu64, dir, index);
}

static char *part_of(const char *dir, uint64_t index, long pid)
{
    char *points = file_join(dir, "points"), name[32], *part;

    snprintf(name, sizeof(name), "%06" PRIu64, index);
    part = beside(points, name, pid);
    free(points);
    return part;
}

char *store_begin(const char *dir, uint64_t index, struct smw_err *e)
{
    char *part = part_of(dir, index, (long)getpid());
    bool ok = mkdir(part, 0777) == 0;

    if (!ok && errno == EEXIST) { /* of one who had our number */
        remove_tree(part);
        ok = mkdir(part, 0777) == 0;
    }
    if (!ok) {
        err_set(e, SMW_ERR_IO, "%s: %s", part, strerror(errno));
        free(part);
        return NULL;
    }
    return part;
}

void store_discard_of(const char *dir, uint64_t index, long pid)
{
    char *part = part_of(dir, index, pid);

    remove_tree(part);
    free(part);
}

void store_discard(const char *part)
{
    remove_tree(part);
}

static bool write_done(const char *part, const struct store_done *d, struct smw_err *e)
{
    bool failed = d->status == STORE_FAILED, ok;
    char *path = file_join(part, DONE), *text, digest[17];
    json_t *o = json_object();

    snprintf(digest, sizeof(digest), "%016" PRIx64, d->digest);
    json_object_set_new(o, "schema", json_integer(1));
    json_object_set_new(o, "index", json_integer((json_int_t)d->index));
    json_object_set_new(o, "digest", json_string(digest));
    json_object_set_new(o, "status", json_string(store_status_name(d->status)));
    json_object_set_new(o, "exit", json_integer(d->exit));
    if (failed) {
        json_t *error = findings_string(d->error);

        json_object_set_new(o, "cause", json_string(store_cause_name(d->cause)));
        json_object_set_new(o, "error", error);
        json_object_set_new(o, "host", json_boolean(d->host));
    }
    text = json_dumps(o, JSON_PRESERVE_ORDER);
    json_decref(o);
    ok = text != NULL ? file_write(path, text, strlen(text), e)
                      : err_set(e, SMW_ERR_NOMEM, "out of memory");
    free(text);
    free(path);
    return ok;
}

/* part becomes point; what is there goes aside first. */
static bool take_place(const char *part, const char *point, struct smw_err *e)
{
    char *aside = tb_printf("%s", part);
    bool ok = rename(part, point) == 0;

    if (!ok && (errno == ENOTEMPTY || errno == EEXIST)) {
        /* "...-12.part" and "...-012.part" are of one process */
        char *dash = strrchr(part, '-');

        free(aside);
        aside = tb_printf("%.*s-0%s", (int)(dash - part), part, dash + 1);
        remove_tree(aside);
        ok = rename(point, aside) == 0 && rename(part, point) == 0;
        remove_tree(aside);
    }
    free(aside);
    return ok || err_set(e, SMW_ERR_IO, "%s: %s", point, strerror(errno));
}

bool store_commit(const char *dir, const char *part, const struct store_done *done,
                  struct smw_err *e)
{
    char *point = store_point(dir, done->index);
    bool ok = write_done(part, done, e) && take_place(part, point, e);

    if (!ok) {
        remove_tree(part);
    }
    free(point);
    return ok;
}

static enum store_cause cause_of(const char *name)
{
    for (uint32_t i = 0; name != NULL && i < STORE_CAUSES; i++) {
        if (strcmp(name, store_cause_name((enum store_cause)i)) == 0) {
            return (enum store_cause)i;
        }
    }
    return CAUSE_INTERNAL;
}

static const char *string_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));

    return s != NULL ? s : "";
}

void store_unread(struct store_done *d, const struct smw_err *why)
{
    const char *slash = strrchr(why->message, '/');

    d->status = STORE_FAILED;
    d->exit = TB_IO;
    d->cause = CAUSE_IO;
    d->host = true;
    snprintf(d->error, sizeof(d->error), "%s",
             slash == NULL ? why->message : slash + 1);
}

bool store_read(const char *dir, uint64_t index, uint64_t digest,
                struct store_done *out, struct smw_err *e)
{
    char *point = store_point(dir, index), *path = file_join(point, DONE), *text;
    struct smw_err why = {0};
    size_t size = 0;
    json_t *o;

    *out = (struct store_done){.index = index, .digest = digest};
    text = file_read(path, DONE_BYTES, &size, SMW_ERR_IO, &why);
    if (text == NULL && access(path, F_OK) == 0) {
        *e = why;
    }
    o = text == NULL ? NULL : json_loadb(text, size, 0, NULL);
    if (strtoull(string_of(o, "digest"), NULL, 16) == digest && o != NULL) {
        bool ok = strcmp(string_of(o, "status"), "ok") == 0;

        out->status = ok ? STORE_OK : STORE_FAILED;
        out->exit = (int)json_integer_value(json_object_get(o, "exit"));
        out->cause = cause_of(string_of(o, "cause"));
        out->host = json_is_true(json_object_get(o, "host"));
        snprintf(out->error, sizeof(out->error), "%s", string_of(o, "error"));
    }
    json_decref(o);
    free(text);
    free(path);
    free(point);
    return e->kind == SMW_ERR_NONE;
}
