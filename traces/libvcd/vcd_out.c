#define _POSIX_C_SOURCE 200809L /* ftruncate() */

#include "libvcd/vcd_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void vcd_fail(struct vcd *w, int code)
{
    if (w->error == 0) {
        w->error = code;
    }
}

void vcd_freeze(struct vcd *w, int code)
{
    vcd_fail(w, code);
    w->frozen = true;
    vcd_state_changed(w);
}

bool vcd_grow(struct vcd *w, void **array, size_t *cap, size_t need, size_t size)
{
    size_t want = *cap < 16 ? 16 : *cap;
    void *bigger;

    if (need <= *cap) {
        return true;
    }
    while (want < need) {
        want *= 2;
    }
    bigger = realloc(*array, want * size);
    if (bigger == NULL) {
        vcd_fail(w, ENOMEM);
        return false;
    }
    *array = bigger;
    *cap = want;
    return true;
}

uint64_t vcd_bytes_written(const struct vcd *w)
{
    return w->flushed + (uint64_t)(w->p - w->buf);
}

/* end is where the next line must ask vcd_more(): the buffer or the limit. */
static void set_end(struct vcd *w)
{
    size_t room = w->dead ? 0 : w->cap;

    if (w->guard && w->limit != 0) {
        uint64_t stop = w->limit > w->reserve ? w->limit - w->reserve : 0;
        uint64_t left = stop > w->flushed ? stop - w->flushed : 0;

        if (left < room) {
            room = (size_t)left;
        }
    }
    w->end = w->buf + room;
    if (w->end < w->p) {
        w->end = w->p; /* already past the limit: nothing fits */
    }
}

void vcd_state_changed(struct vcd *w)
{
    w->live = w->begun && !w->off && !w->limited && !w->frozen && !w->dead;
    set_end(w);
}

bool vcd_limit_allows(const struct vcd *w, uint64_t need)
{
    return w->limit == 0 || vcd_bytes_written(w) + need + w->reserve <= w->limit;
}

/* The sink took the buffer up to here and no more. What it holds shall end with a whole
 * line, for half of one can be read as another one; every buffer begins with one. */
static void give_up(struct vcd *w, const char *took)
{
    const char *line = took;

    w->dead = true;
    while (line > w->buf && line[-1] != '\n') {
        line--;
    }
    if (line != took && w->sink.cut != NULL) {
        uint64_t kept = w->flushed - (uint64_t)(took - line);

        if (w->sink.cut(w->sink.ctx, kept) == 0) {
            w->flushed = kept;
        }
    }
}

/* Everything in the buffer to the sink. After an error the buffer is thrown away. */
static void drain(struct vcd *w)
{
    const char *from = w->buf;

    while (from != w->p) { /* never, once dead: nothing gets in */
        ssize_t took = w->sink.write(w->sink.ctx, from, (size_t)(w->p - from));

        if (took == -EINTR) {
            continue;
        }
        if (took <= 0) {
            vcd_fail(w, took < 0 ? (int)-took : EIO);
            give_up(w, from);
            break;
        }
        from += took;
        w->flushed += (uint64_t)took;
    }
    w->p = w->buf;
    vcd_state_changed(w);
}

char *vcd_more(struct vcd *w, size_t need)
{
    if (w->guard && !vcd_limit_allows(w, need)) {
        vcd_trip(w);
        return NULL;
    }
    drain(w);
    if (w->dead) {
        return NULL;
    }
    if (need > w->cap) {
        void *buf = w->buf;

        if (!vcd_grow(w, &buf, &w->cap, need, 1)) {
            vcd_freeze(w, ENOMEM);
            return NULL;
        }
        w->buf = buf;
        w->p = w->buf;
        set_end(w);
    }
    return w->p;
}

void vcd_limit(struct vcd *w, uint64_t bytes)
{
    w->limit = bytes;
    set_end(w);
}

bool vcd_limited(const struct vcd *w)
{
    return w->limited;
}

int vcd_error(const struct vcd *w)
{
    return w->error;
}

const char *vcd_strerror(int code)
{
    static const char *const words[] = {
        "no error",
        "call out of order",
        "not a name that every reader takes",
        "the scope has a variable of that name",
        "bad width, or not the width of the alias' target",
        "not possible for a variable of this kind",
        "no such variable",
        "time went backwards",
        "text contains $end",
    };

    if (code > 0) {
        return strerror(code);
    }
    return code >= VCD_ETEXT ? words[-code] : "unknown error";
}

int vcd_flush(struct vcd *w)
{
    int rc;

    drain(w);
    if (!w->dead && w->sink.flush != NULL) {
        rc = w->sink.flush(w->sink.ctx);
        if (rc < 0) {
            vcd_fail(w, -rc);
            w->dead = true;
            vcd_state_changed(w);
        }
    }
    return w->error;
}

/* vcd_open() has made room for these lines. */
static void put_head(struct vcd *w, const struct vcd_options *o, const char *magnitude,
                     const char *unit)
{
    char *p = w->p;

    if (o->version != NULL) {
        p = vcd_put_text(p, "$version ");
        p = vcd_put_text(p, o->version);
        p = vcd_put_text(p, " $end\n");
    }
    p = vcd_put_text(p, "$timescale ");
    p = vcd_put_text(p, magnitude);
    *p++ = ' ';
    p = vcd_put_text(p, unit);
    p = vcd_put_text(p, " $end\n");
    if (o->timezero != 0) {
        uint64_t size = (uint64_t)o->timezero;

        p = vcd_put_text(p, "$timezero ");
        if (o->timezero < 0) {
            *p++ = '-';
            size = -size;
        }
        p = vcd_put_u64(p, size);
        p = vcd_put_text(p, " $end\n");
    }
    w->p = p;
}

static void release(struct vcd *w)
{
    for (size_t i = 0; i < w->n_strings; i++) {
        free(w->strings[i].text);
    }
    free(w->strings);
    free(w->slots);
    free(w->words);
    free(w->decls);
    free(w->scopes);
    free(w->text);
    free(w->hash);
    free(w->buf);
    free(w);
}

static const struct vcd_options defaults;

static bool read_options(const struct vcd_options *o, const char **magnitude,
                         const char **unit)
{
    const char *scale = o->timescale != NULL ? o->timescale : "1 ns";

    if (!vcd_read_timescale(scale, magnitude, unit) ||
        (o->version != NULL && strstr(o->version, "$end") != NULL)) {
        errno = EINVAL;
        return false;
    }
    return true;
}

struct vcd *vcd_open(const struct vcd_sink *sink, const struct vcd_options *options)
{
    const struct vcd_options *o = options != NULL ? options : &defaults;
    const char *magnitude, *unit;
    size_t head = VCD_HEAD_SPARE, size = o->buffer;
    void *buf = NULL, *scopes = NULL;
    struct vcd *w;

    if (!read_options(o, &magnitude, &unit)) {
        return NULL;
    }
    head += o->version != NULL ? strlen(o->version) : 0;
    size = size == 0 ? VCD_BUFFER_DEFAULT : size;
    size = size < head ? head : size;
    w = calloc(1, sizeof(*w));
    if (w == NULL) {
        return NULL; /* errno is ENOMEM */
    }
    if (!vcd_grow(w, &buf, &w->cap, size, 1) ||
        !vcd_grow(w, &scopes, &w->scopes_cap, 1, sizeof(*w->scopes))) {
        free(buf);
        free(w);
        errno = ENOMEM;
        return NULL;
    }
    w->sink = *sink;
    w->keep_repeats = o->keep_repeats;
    w->buf = w->p = buf;
    w->scopes = scopes;
    w->scopes[0] = (struct vcd_level){0, 0};
    w->n_scopes = 1;
    w->time_due = true;
    set_end(w);
    put_head(w, o, magnitude, unit);
    return w;
}

int vcd_close(struct vcd *w)
{
    int code, rc = 0;

    if (w == NULL) {
        return 0;
    }
    if (!w->begun) {
        (void)vcd_begin(w);
    }
    w->guard = false; /* the reserve is for this */
    set_end(w);
    vcd_put_due_time(w);
    drain(w);
    if (w->sink.close != NULL) {
        rc = w->sink.close(w->sink.ctx);
    }
    if (rc < 0) {
        vcd_fail(w, -rc);
    }
    code = w->error;
    release(w);
    return code;
}

static int last_errno(void)
{
    return errno > 0 ? -errno : -EIO; /* the standard promises no errno */
}

static ssize_t stream_write(void *ctx, const void *buf, size_t len)
{
    size_t took;

    errno = 0;
    took = fwrite(buf, 1, len, ctx);
    return took > 0 ? (ssize_t)took : last_errno();
}

static int stream_flush(void *ctx)
{
    errno = 0;
    return fflush(ctx) == 0 ? 0 : last_errno();
}

static int stream_close(void *ctx)
{
    errno = 0;
    return fclose(ctx) == 0 ? 0 : last_errno();
}

/* Nothing is kept back: the stream has no buffer. Pipes and devices cannot be cut. */
static int path_cut(void *ctx, uint64_t len)
{
    errno = 0;
    return ftruncate(fileno(ctx), (off_t)len) == 0 ? 0 : last_errno();
}

struct vcd *vcd_open_file(FILE *stream, const struct vcd_options *options)
{
    struct vcd_sink sink = {.write = stream_write,
                            .flush = stream_flush,
                            .close = stream_flush,
                            .ctx = stream};

    return vcd_open(&sink, options);
}

struct vcd *vcd_open_path(const char *path, const struct vcd_options *options)
{
    struct vcd_sink sink = {.write = stream_write,
                            .flush = stream_flush,
                            .close = stream_close,
                            .cut = path_cut};
    const char *magnitude, *unit;
    FILE *stream;
    struct vcd *w;

    if (!read_options(options != NULL ? options : &defaults, &magnitude, &unit)) {
        return NULL; /* before the file is emptied */
    }
    stream = fopen(path, "wb");
    if (stream == NULL) {
        return NULL;
    }
    sink.ctx = stream;
    /* One buffer is enough: ours. A failure here costs a copy, nothing else. */
    (void)setvbuf(stream, NULL, _IONBF, 0);
    w = vcd_open(&sink, options);
    if (w == NULL) {
        (void)fclose(stream);
        errno = ENOMEM;
    }
    return w;
}
