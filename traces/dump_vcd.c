#define _POSIX_C_SOURCE 200809L /* poll() */

#include "dump.h"

#include "gzip.h"
#include "libvcd/vcd.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

struct dump_vcd {
    struct dump base;
    struct vcd *vcd;
    int stream;
    bool whole_only; /* compressed: nothing to be had before the end */
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

/* Both count in the order of declaration, and DUMP_NONE is VCD_NONE. */
static dump_id add(struct dump *d, const struct dump_var *v)
{
    if (v->of != DUMP_NONE) {
        return vcd_alias(vcd_of(d), kind_of(v->kind), v->name, v->width, v->of);
    }
    return vcd_add(vcd_of(d), kind_of(v->kind), v->name, v->width);
}

static size_t loader_name(const struct dump *d, dump_id id, char *buf, size_t size)
{
    return vcd_loader_name(vcd_of(d), id, buf, size);
}

static void begin(struct dump *d)
{
    vcd_begin(vcd_of(d));
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

static int flush(struct dump *d)
{
    const struct dump_vcd *v = (const struct dump_vcd *)d;

    return v->whole_only ? vcd_error(v->vcd) : vcd_flush(v->vcd);
}

static uint64_t bytes(const struct dump *d)
{
    return vcd_bytes_written(vcd_of(d));
}

static int close_vcd(struct dump *d, uint64_t *n)
{
    *n = bytes(d);
    return vcd_close(vcd_of(d));
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

static struct vcd *open_bytes(struct dump_vcd *d, const char *path,
                              const struct vcd_options *options)
{
    struct vcd_sink sink = {.write = write_stream, .ctx = d};
    struct vcd *vcd;

    if (d->stream == 0 && !gzip_is_name(path)) {
        return vcd_open_path(path, options);
    }
    if (d->stream == 0) {
        d->whole_only = true;
        if (!gzip_sink(&sink, path)) {
            return NULL;
        }
    }
    vcd = vcd_open(&sink, options);
    if (vcd == NULL && sink.close != NULL) {
        (void)sink.close(sink.ctx);
        errno = ENOMEM;
    }
    return vcd;
}

struct dump *dump_open_vcd(const char *path, const struct dump_options *o)
{
    const struct vcd_options options = {.version = o->version,
                                        .timescale = o->cycles ? "1 ns" : "1 ps"};
    struct dump_vcd *d = arena_alloc(o->arena, sizeof(*d));

    d->base.format = &format;
    d->stream = o->stream;
    d->vcd = open_bytes(d, path, &options);
    return d->vcd != NULL ? &d->base : NULL;
}
