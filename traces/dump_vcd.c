#define _POSIX_C_SOURCE 200809L /* poll() */

#include "dump.h"

#include "gzip.h"
#include "libvcd/vcd.h"
#include "part.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

struct enum_table { /* one of each list of names and width */
    struct enum_table *next;
    const char *const *names;
    uint32_t n_names, width, number;
};

struct dump_vcd {
    struct dump base;
    struct arena *arena;
    struct enum_table *tables;
    struct vcd *vcd;
    int stream;
    const char *path;
    const char *part; /* what the file is called until it opens; NULL: that is over */
    bool compressed;
    int error; /* of giving the file its name */
};

static struct vcd *vcd_of(const struct dump *d)
{
    return ((const struct dump_vcd *)d)->vcd;
}

static void comment(struct dump *d, const char *text)
{
    vcd_comment(vcd_of(d), text);
}

static void scope(struct dump *d, const char *name)
{
    vcd_scope(vcd_of(d), name);
}

static void upscope(struct dump *d)
{
    vcd_upscope(vcd_of(d));
}

static enum vcd_kind kind_of(enum dump_kind kind)
{
    switch (kind) {
    case DUMP_WIRE: return VCD_WIRE;
    case DUMP_INTEGER: return VCD_INTEGER;
    case DUMP_STRING: return VCD_STRING;
    case DUMP_EVENT: return VCD_EVENT;
    }
    return VCD_WIRE;
}

/* The table that says the names of v's values. */
static uint32_t table_of(struct dump_vcd *d, const struct dump_var *v)
{
    struct enum_table *t = d->tables;

    while (t != NULL &&
           (t->names != v->names || t->n_names != v->n_names || t->width != v->width)) {
        t = t->next;
    }
    if (t == NULL) {
        t = arena_alloc(d->arena, sizeof(*t));
        *t = (struct enum_table){.next = d->tables,
                                 .names = v->names,
                                 .n_names = v->n_names,
                                 .width = v->width};
        t->number = vcd_enum(d->vcd, v->name, v->width, v->names, v->n_names);
        d->tables = t;
    }
    return t->number;
}

/* Both count in the order of declaration, and DUMP_NONE is VCD_NONE. */
static dump_id add(struct dump *d, const struct dump_var *v)
{
    if (v->names != NULL && v->n_names > 0) {
        (void)vcd_enum_next(vcd_of(d), table_of((struct dump_vcd *)d, v));
    }
    if (v->of != DUMP_NONE) {
        return vcd_alias(vcd_of(d), kind_of(v->kind), v->name, v->width, v->of);
    }
    return vcd_add(vcd_of(d), kind_of(v->kind), v->name, v->width);
}

static size_t loader_name(const struct dump *d, dump_id id, char *buf, size_t size)
{
    return vcd_loader_name(vcd_of(d), id, buf, size);
}

/* From here on the file opens. */
static void begin(struct dump *d)
{
    struct dump_vcd *v = (struct dump_vcd *)d;

    vcd_begin(v->vcd);
    if (v->part != NULL && vcd_flush(v->vcd) == 0) {
        v->error = rename(v->part, v->path) == 0 ? 0 : errno;
        v->part = v->error == 0 ? NULL : v->part;
    }
}

static void set_time(struct dump *d, uint64_t t)
{
    vcd_time(vcd_of(d), t);
}

static void set(struct dump *d, dump_id id, uint64_t value)
{
    vcd_set_u64(vcd_of(d), id, value);
}

static void set_x(struct dump *d, dump_id id)
{
    vcd_set_x(vcd_of(d), id);
}

static void set_z(struct dump *d, dump_id id)
{
    vcd_set_z(vcd_of(d), id);
}

static void set_text(struct dump *d, dump_id id, const char *text)
{
    vcd_set_string(vcd_of(d), id, text);
}

static void fire(struct dump *d, dump_id id)
{
    vcd_fire(vcd_of(d), id);
}

static void off(struct dump *d)
{
    vcd_dumpoff(vcd_of(d));
}

/* Where a compressed file is flushed would be seen in it. */
static int flush(struct dump *d)
{
    const struct dump_vcd *v = (const struct dump_vcd *)d;

    return v->compressed ? vcd_error(v->vcd) : vcd_flush(v->vcd);
}

static uint64_t bytes(const struct dump *d)
{
    return vcd_bytes_written(vcd_of(d));
}

static int close_vcd(struct dump *d, uint64_t *n)
{
    const struct dump_vcd *v = (const struct dump_vcd *)d;
    int error;

    *n = bytes(d);
    error = vcd_close(v->vcd);
    if (v->part != NULL) { /* it never began, or has no name */
        (void)unlink(v->part);
    }
    return error != 0 ? error : v->error;
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
    .close = close_vcd,
    .words = vcd_strerror,
};

/* A pipe may be one that does not wait: we do. */
static ssize_t write_stream(void *ctx, const void *buf, size_t len)
{
    const struct dump_vcd *d = ctx;
    struct pollfd ready = {.fd = d->stream, .events = POLLOUT};
    ssize_t took;

    errno = 0;
    took = write(d->stream, buf, len);
    if (took < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        (void)poll(&ready, 1, -1);
        return -EINTR;
    }
    return took >= 0 ? took : errno > 0 ? -errno : -EIO;
}

static struct vcd *open_sink(const struct vcd_sink *sink,
                             const struct vcd_options *options)
{
    struct vcd *vcd = vcd_open(sink, options);

    if (vcd == NULL && sink->close != NULL) {
        (void)sink->close(sink->ctx);
        errno = ENOMEM;
    }
    return vcd;
}

static struct vcd *open_file(const struct dump_vcd *d, const char *path,
                             const struct vcd_options *options)
{
    struct vcd_sink sink;

    if (!d->compressed) {
        return vcd_open_path(path, options);
    }
    return gzip_sink(&sink, path) ? open_sink(&sink, options) : NULL;
}

/* Beside the path, if that can be; what is there is of a process that was killed. */
static struct vcd *open_part(struct dump_vcd *d, struct arena *arena,
                             const struct vcd_options *options)
{
    const char *part = arena_printf(arena, "%s" PART_ENDING, d->path);
    struct vcd *vcd = NULL;

    if (!part_is_replaceable(d->path)) {
        return open_file(d, d->path, options);
    }
    (void)unlink(part);
    vcd = open_file(d, part, options);
    if (vcd != NULL) {
        (void)unlink(d->path); /* it is not of this run */
        d->part = part;
    } else {
        int error = errno;

        (void)unlink(part);
        errno = error;
    }
    return vcd;
}

struct dump *dump_open_vcd(const char *path, const struct dump_options *o)
{
    const struct vcd_options options = {.version = o->version,
                                        .timescale = o->cycles ? "1 ns" : "1 ps"};
    struct dump_vcd *d = arena_alloc(o->arena, sizeof(*d));
    const struct vcd_sink sink = {.write = write_stream, .ctx = d};

    d->base.format = &format;
    d->arena = o->arena;
    d->stream = o->stream;
    d->path = arena_strdup(o->arena, path);
    d->compressed = d->stream == 0 && gzip_is_name(path);
    d->vcd =
        d->stream != 0 ? open_sink(&sink, &options) : open_part(d, o->arena, &options);
    if (d->vcd == NULL && d->stream == 0 && part_is_refused(errno)) {
        d->vcd = open_file(d, path, &options);
    }
    return d->vcd != NULL ? &d->base : NULL;
}
