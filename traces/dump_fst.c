/*
 * FST, by the writer that Debian's verilator package carries.
 *
 * What that writer leaves to its callers: it writes a value again that has not changed;
 * it takes every time as given; and it looks at no result of a write, so that its calls
 * are watched (fst_io.h) and the finished file is checked here, section by section.
 * A file is whole only when closed:
 * changes are collected in memory and written by the section, and what describes them
 * follows at the end. Until then that lies in FILE.hier: readers take it from there, so
 * that of a process that was killed they show what was written. Before the first
 * section readers can do nothing with it: until then both have other names (part.h).
 */
#define _POSIX_C_SOURCE 200809L /* unlink() */

#include "dump.h"

#include "base/nomem.h"
#include "fst_file.h"
#include "fst_io.h"
#include "part.h"
#include <errno.h>
#include <fstapi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_WIDTH = 64,
    MIN_VARS = 256,
    ROOM_PER_VAR = MAX_WIDTH + 32, /* bytes of temporary files: value and whereabouts */
    CLOSING_ROOM = 1 << 14,        /* the same for all, towards the end */
    /* Changes written at a time: their number decides, for time spent would be seen in
     * the file. Few at first, so that it soon opens. */
    FIRST_SECTION = 1 << 10,
    SECTION = 1 << 18,
    SECTION_GROWTH = 4,
    SECTION_TIMES = 3 /* with fewer the writer would not do it */
};

enum shown { SHOWN_NONE, SHOWN_VALUE, SHOWN_X, SHOWN_Z };

struct fst_var {
    fstHandle handle;
    dump_id of; /* the variable that keeps the value: itself, unless a second name */
    enum dump_kind kind;
    uint32_t width;
    const char *name; /* the loader's */
    enum shown shown;
    uint64_t value; /* if SHOWN_VALUE, of vectors */
    char *text;     /* the same of strings; owned */
    size_t room;    /* for text */
};

struct fst_scope {
    const struct fst_scope *up;
    const char *path; /* dotted, with a dot behind */
};

struct fst_table { /* of names, as declared */
    const char *const *names;
    uint32_t n_names, width;
    fstEnumHandle handle;
    struct fst_table *next;
};

struct dump_fst {
    struct dump base;
    struct arena *arena;
    const char *path, *hier;
    const char *part, *part_hier; /* their names until it opens; NULL: that is over */
    int error;                    /* of giving them their names */
    void *fst;
    struct fst_var *var;
    uint32_t n_vars, max_vars;
    const struct fst_scope *scope;
    struct fst_table *tables;
    uint64_t now, written; /* time of what follows; the last one in the file */
    bool has_time;         /* some time is in the file */
    uint32_t section;      /* changes to be collected */
    uint32_t n_changes;    /* so far */
    uint32_t n_times;      /* at which they are */
    bool is_off;
};

static struct dump_fst *fst_of(struct dump *d)
{
    return (struct dump_fst *)d;
}

/* ---- declaring ---- */

static void comment(struct dump *d, const char *text)
{
    fstWriterSetComment(fst_of(d)->fst, text);
}

static void scope(struct dump *d, const char *name)
{
    struct dump_fst *f = fst_of(d);
    struct fst_scope *s = arena_alloc(f->arena, sizeof(*s));

    s->up = f->scope;
    s->path = arena_printf(f->arena, "%s%s.", s->up != NULL ? s->up->path : "", name);
    f->scope = s;
    fstWriterSetScope(f->fst, FST_ST_VCD_MODULE, name, NULL);
}

static void upscope(struct dump *d)
{
    struct dump_fst *f = fst_of(d);

    f->scope = f->scope->up;
    fstWriterSetUpscope(f->fst);
}

/* The digits of value, most significant first, towards the end of room. */
static const char *to_bits(char room[MAX_WIDTH], uint64_t value, uint32_t width)
{
    static const char digits[16][5] = {"0000", "0001", "0010", "0011", "0100", "0101",
                                       "0110", "0111", "1000", "1001", "1010", "1011",
                                       "1100", "1101", "1110", "1111"};
    char *at = room + MAX_WIDTH;

    for (uint32_t i = 0; i < width; i += 4) {
        at -= 4;
        memcpy(at, digits[value >> i & 15u], 4);
    }
    return room + MAX_WIDTH - width;
}

/* The table that says the names of v's values. */
static fstEnumHandle table_of(struct dump_fst *f, const struct dump_var *v)
{
    struct fst_table *t = f->tables;
    const char **bits;

    while (t != NULL &&
           (t->names != v->names || t->n_names != v->n_names || t->width != v->width)) {
        t = t->next;
    }
    if (t != NULL) {
        return t->handle;
    }
    bits = arena_alloc(f->arena, v->n_names * sizeof(bits[0]));
    for (uint32_t i = 0; i < v->n_names; i++) {
        char room[MAX_WIDTH];

        bits[i] =
            arena_printf(f->arena, "%.*s", (int)v->width, to_bits(room, i, v->width));
    }
    t = arena_alloc(f->arena, sizeof(*t));
    t->names = v->names;
    t->n_names = v->n_names;
    t->width = v->width;
    t->handle = fstWriterCreateEnumTable(f->fst, v->name, v->n_names, v->width,
                                         (const char **)v->names, bits);
    t->next = f->tables;
    f->tables = t;
    return t->handle;
}

static enum fstVarType type_of(enum dump_kind kind)
{
    switch (kind) {
    case DUMP_WIRE: return FST_VT_VCD_WIRE;
    case DUMP_INTEGER: return FST_VT_VCD_INTEGER;
    case DUMP_STRING: return FST_VT_GEN_STRING;
    case DUMP_EVENT: return FST_VT_VCD_EVENT;
    }
    return FST_VT_VCD_WIRE;
}

static struct fst_var *new_var(struct dump_fst *f)
{
    if (f->n_vars == f->max_vars) {
        uint32_t n = f->max_vars == 0 ? MIN_VARS : 2 * f->max_vars;
        struct fst_var *v = arena_alloc(f->arena, n * sizeof(v[0]));

        if (f->n_vars > 0) {
            memcpy(v, f->var, f->n_vars * sizeof(v[0]));
        }
        f->var = v;
        f->max_vars = n;
    }
    return &f->var[f->n_vars++];
}

static dump_id add(struct dump *d, const struct dump_var *v)
{
    struct dump_fst *f = fst_of(d);
    struct fst_var *n = new_var(f);
    dump_id id = f->n_vars - 1;
    char range[16] = "";
    const char *name;

    n->kind = v->kind;
    n->width = v->kind == DUMP_EVENT ? 1 : v->width;
    n->of = v->of == DUMP_NONE ? id : f->var[v->of].of;
    if (v->kind == DUMP_WIRE && v->width > 1) {
        snprintf(range, sizeof(range), "[%u:0]", (unsigned)(v->width - 1));
    }
    n->name = arena_printf(f->arena, "%s%s%s", f->scope != NULL ? f->scope->path : "",
                           v->name, range);
    if (v->names != NULL && v->n_names > 0) {
        fstWriterEmitEnumTableRef(f->fst, table_of(f, v));
    }
    name = range[0] == '\0' ? v->name : arena_printf(f->arena, "%s %s", v->name, range);
    n->handle = fstWriterCreateVar(f->fst, type_of(v->kind), FST_VD_IMPLICIT, n->width,
                                   name, v->of == DUMP_NONE ? 0 : f->var[v->of].handle);
    return id;
}

static size_t loader_name(const struct dump *d, dump_id id, char *buf, size_t size)
{
    const struct dump_fst *f = (const struct dump_fst *)d;

    return id < f->n_vars ? (size_t)snprintf(buf, size, "%s", f->var[id].name) : 0;
}

/* ---- changes ---- */

/* The first values have the first time, as all others have theirs. */
static void begin(struct dump *d)
{
    fst_of(d)->n_changes = 0;
}

static void set_time(struct dump *d, uint64_t t)
{
    fst_of(d)->now = t;
}

static bool rename_to(struct dump_fst *f, const char *from, const char *to)
{
    if (rename(from, to) != 0 && f->error == 0) {
        f->error = errno;
    }
    return f->error == 0;
}

/* There is a section: from here on the file opens. */
static void publish(struct dump_fst *f)
{
    if (f->part != NULL && rename_to(f, f->part_hier, f->hier) &&
        rename_to(f, f->part, f->path)) {
        f->part = NULL;
    }
}

static void emit_time(struct dump_fst *f)
{
    bool flush = f->n_changes >= f->section && f->n_times >= SECTION_TIMES;

    if (flush) {
        fstWriterFlushContext(f->fst); /* the next time does it */
        f->n_changes = 0;
        f->n_times = 0;
        f->section = f->section < SECTION ? f->section * SECTION_GROWTH : SECTION;
    }
    fstWriterEmitTimeChange(f->fst, f->now);
    if (flush) {
        publish(f);
    }
}

/* Something follows: the time it has must be in the file. */
static void write_time(struct dump_fst *f)
{
    f->n_changes++;
    if (!f->has_time || f->now > f->written) {
        emit_time(f);
        f->n_times++;
        f->written = f->now;
        f->has_time = true;
    }
}

/* The variable that keeps the value of id; NULL: no change is taken. */
static struct fst_var *kept(struct dump_fst *f, dump_id id)
{
    return id < f->n_vars && !f->is_off ? &f->var[f->var[id].of] : NULL;
}

static void set(struct dump *d, dump_id id, uint64_t value)
{
    struct dump_fst *f = fst_of(d);
    struct fst_var *v = kept(f, id);
    char room[MAX_WIDTH];

    if (v == NULL) {
        return;
    }
    value &= UINT64_MAX >> (MAX_WIDTH - v->width);
    if (v->shown == SHOWN_VALUE && v->value == value) {
        return;
    }
    v->shown = SHOWN_VALUE;
    v->value = value;
    write_time(f);
    fstWriterEmitValueChange(f->fst, v->handle, to_bits(room, value, v->width));
}

/* All bits to the same letter. */
static void fill(struct dump_fst *f, struct fst_var *v, char letter, enum shown shown)
{
    char bits[MAX_WIDTH];

    if (v == NULL || v->shown == shown) {
        return;
    }
    v->shown = shown;
    memset(bits, letter, v->width);
    write_time(f);
    fstWriterEmitValueChange(f->fst, v->handle, bits);
}

static void set_x(struct dump *d, dump_id id)
{
    fill(fst_of(d), kept(fst_of(d), id), 'x', SHOWN_X);
}

static void set_z(struct dump *d, dump_id id)
{
    fill(fst_of(d), kept(fst_of(d), id), 'z', SHOWN_Z);
}

static void set_text(struct dump *d, dump_id id, const char *text)
{
    struct dump_fst *f = fst_of(d);
    struct fst_var *v = kept(f, id);

    if (v == NULL || (v->shown == SHOWN_VALUE && strcmp(v->text, text) == 0)) {
        return;
    }
    v->text = nomem_put_text(v->text, &v->room, text);
    v->shown = SHOWN_VALUE;
    write_time(f);
    fstWriterEmitVariableLengthValueChange(f->fst, v->handle, text,
                                           (uint32_t)strlen(text));
}

static void fire(struct dump *d, dump_id id)
{
    struct dump_fst *f = fst_of(d);
    const struct fst_var *v = kept(f, id);

    if (v != NULL) {
        write_time(f);
        fstWriterEmitValueChange(f->fst, v->handle, "1");
    }
}

static void off(struct dump *d)
{
    struct dump_fst *f = fst_of(d);

    write_time(f);
    fstWriterEmitDumpActive(f->fst, 0);
    for (dump_id id = 0; id < f->n_vars; id++) {
        if (f->var[id].kind == DUMP_WIRE || f->var[id].kind == DUMP_INTEGER) {
            set_x(d, id);
        }
    }
    f->is_off = true;
}

/* What there is must be whole. */
static int flush(struct dump *d)
{
    (void)d;
    return 0;
}

/* ---- the end ---- */

static uint64_t bytes(const struct dump *d)
{
    (void)d;
    return 0;
}

/* The writer maps temporary files without asking whether what it wrote there fits: it
 * must not get that far where there is no room. Else errno. */
static bool has_room(size_t n)
{
    static const char zeros[4096];
    FILE *f = tmpfile();
    bool ok = f != NULL;
    int error;

    for (size_t at = 0; ok && at < n; at += sizeof(zeros)) {
        ok = fwrite(zeros, sizeof(zeros), 1, f) == 1;
    }
    ok = ok && fflush(f) == 0;
    error = errno;
    if (f != NULL) {
        (void)fclose(f);
    }
    errno = error;
    return ok;
}

static void discard(struct dump_fst *f)
{
    if (f->part != NULL) {
        (void)unlink(f->part);
        (void)unlink(f->part_hier);
    } else {
        (void)unlink(f->path);
    }
    (void)unlink(f->hier);
}

/* What is left of one that is not whole. */
static int save(struct dump_fst *f, const char *file, const struct fst_content *c)
{
    if (!fst_file_save(file, c) || (f->part != NULL && !rename_to(f, file, f->path))) {
        discard(f);
        return EIO;
    }
    return ENOSPC;
}

static int close_file(struct dump_fst *f, uint64_t *n)
{
    const char *file = f->part != NULL ? f->part : f->path;
    struct fst_content c;
    bool lost;

    *n = 0;
    if (fst_io_error() == ENOMEM) { /* the writer is half changed */
        if (f->part != NULL) {
            discard(f);
        }
        return ENOMEM;
    }
    f->n_changes = 0; /* a section needs more than a time */
    write_time(f);
    lost = fstWriterGetFseekFailed(f->fst) != 0;
    if (f->part != NULL) { /* or the writer would take it away */
        (void)rename_to(f, f->part_hier, f->hier);
    }
    fstWriterClose(f->fst);
    f->fst = NULL;
    lost = lost || fst_io_error() != 0;
    if (!fst_file_is_whole(file, &c) || lost) {
        int error = save(f, file, &c);

        *n = c.good;
        return fst_io_error() == ENOMEM ? ENOMEM : error;
    }
    *n = c.size;
    if (f->part != NULL && !rename_to(f, f->part, f->path)) {
        discard(f);
    }
    (void)unlink(f->hier);
    return f->error;
}

static int close_fst(struct dump *d, uint64_t *n)
{
    struct dump_fst *f = fst_of(d);
    const int error = close_file(f, n);

    for (dump_id id = 0; id < f->n_vars; id++) {
        free(f->var[id].text);
    }
    return error;
}

static const char *words(int error)
{
    return error == EIO ? "it is not whole: the disk may be full"
           : error == ENOSPC
               ? "it is not whole: the disk may be full; what there is opens "
                 "with its .hier file beside it"
               : strerror(error);
}

static const struct dump_format format = {
    .comment = comment,
    .scope = scope,
    .upscope = upscope,
    .add = add,
    .loader_name = loader_name,
    .begin = begin,
    .time = set_time,
    .set = set,
    .set_x = set_x,
    .set_z = set_z,
    .set_text = set_text,
    .fire = fire,
    .off = off,
    .flush = flush,
    .bytes = bytes,
    .close = close_fst,
    .words = words,
};

bool dump_has_fst(void)
{
    return true;
}

/* The writer cannot say why it fails. */
static void *create(struct dump_fst *f, uint32_t n_vars)
{
    struct stat st;
    FILE *file;
    void *fst;

    if (stat(f->path, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    file = fopen(f->part, "ab");
    if (file == NULL) {
        return NULL;
    }
    (void)fclose(file);
    if (!has_room(CLOSING_ROOM + n_vars * ROOM_PER_VAR)) {
        int error = errno;

        (void)unlink(f->part);
        errno = error;
        return NULL;
    }
    fst_io_clear();
    errno = 0;
    fst = fstWriterCreate(f->part, 1);
    if (fst == NULL || fst_io_error() != 0) {
        int error = fst_io_error() != 0 ? fst_io_error() : errno != 0 ? errno : EIO;

        if (fst != NULL) {
            fstWriterClose(fst);
        }
        (void)unlink(f->part);
        (void)unlink(f->part_hier);
        errno = error;
        return NULL;
    }
    return fst;
}

struct dump *dump_open_fst(const char *path, const struct dump_options *o)
{
    struct dump_fst *f = arena_alloc(o->arena, sizeof(*f));

    f->path = arena_strdup(o->arena, path);
    f->hier = arena_printf(o->arena, "%s.hier", path);
    f->part = arena_printf(o->arena, "%s" PART_ENDING, path);
    f->part_hier = arena_printf(o->arena, "%s" PART_ENDING ".hier", path);
    f->fst = create(f, o->n_vars);
    if (f->fst == NULL) {
        return NULL;
    }
    (void)unlink(path); /* they are not of this run */
    (void)unlink(f->hier);
    f->base.format = &format;
    f->arena = o->arena;
    f->section = FIRST_SECTION;
    fstWriterSetPackType(f->fst, FST_WR_PT_FASTLZ);
    fstWriterSetTimescale(f->fst, o->cycles ? -9 : -12);
    fstWriterSetDate(f->fst, ""); /* the default is today's */
    fstWriterSetVersion(f->fst, o->version != NULL ? o->version : "");
    return &f->base;
}
