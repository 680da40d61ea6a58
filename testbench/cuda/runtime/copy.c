/*
 * Copies and fills as operations of a stream: checked when they are asked for, turned
 * into transfers of the model when they are queued.
 */
#include "runtime/copy.h"
#include "runtime/memory.h"
#include <stdlib.h>
#include <string.h>

/* Bytes from the first to behind the last that are touched; false: no such number. */
static bool span(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch,
                 uint64_t layer, uint64_t *out)
{
    uint64_t rows, layers;

    return !__builtin_mul_overflow(pitch, height - 1, &rows) &&
           !__builtin_mul_overflow(layer, depth - 1, &layers) &&
           !__builtin_add_overflow(rows, layers, out) &&
           !__builtin_add_overflow(*out, width, out);
}

static bool empty(const struct rt_copy *c)
{
    return c->width == 0 || c->height == 0 || c->depth == 0;
}

/* One side. What the direction calls the device's may be any memory that the runtime
 * knows; what it calls the host's may be anything: seen on an H100. */
static cudaError_t check_side(uint64_t addr, uint64_t bytes, bool must_be_known)
{
    struct rt_place p;

    if (addr == 0 || addr + bytes < addr) {
        return cudaErrorInvalidValue;
    }
    if (!rt_place(addr, &p)) {
        return must_be_known || rt_device_window(addr) ? cudaErrorInvalidValue
                                                       : cudaSuccess;
    }
    return bytes > p.left ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t rt_copy_check(const struct rt_copy *c)
{
    bool dst_known =
        c->kind == cudaMemcpyHostToDevice || c->kind == cudaMemcpyDeviceToDevice;
    bool src_known =
        c->kind == cudaMemcpyDeviceToHost || c->kind == cudaMemcpyDeviceToDevice;
    uint64_t dst, src;
    cudaError_t rc;

    if (empty(c)) {
        return cudaSuccess;
    }
    if ((unsigned)c->kind > cudaMemcpyDefault) {
        return cudaErrorInvalidMemcpyDirection;
    }
    if (c->height > 1 && (c->dst_pitch < c->width || c->src_pitch < c->width)) {
        return cudaErrorInvalidPitchValue;
    }
    if (!span(c->width, c->height, c->depth, c->dst_pitch, c->dst_layer, &dst) ||
        !span(c->width, c->height, c->depth, c->src_pitch, c->src_layer, &src)) {
        return cudaErrorInvalidValue;
    }
    rc = check_side(c->dst, dst, dst_known);
    return rc == cudaSuccess ? check_side(c->src, src, src_known) : rc;
}

/* ---- between two places of the host ---- */

static void move_box(void *arg)
{
    struct rt_copy *c = arg;

    for (uint64_t z = 0; z < c->depth; z++) {
        for (uint64_t y = 0; y < c->height; y++) {
            memmove((char *)(uintptr_t)c->dst + z * c->dst_layer + y * c->dst_pitch,
                    (char *)(uintptr_t)c->src + z * c->src_layer + y * c->src_pitch,
                    c->width);
        }
    }
    free(c);
}

static cudaError_t queue_on_host(struct CUstream_st *s, const struct rt_copy *c)
{
    struct rt_device *d = rt_stream_device(s);
    struct rt_copy *own = malloc(sizeof(*own));
    struct smw_err e = {0};

    if (own == NULL) {
        return cudaErrorMemoryAllocation;
    }
    *own = *c;
    return rt_ran(d, smw_queue_call(d->dev, s->id, move_box, own, &e), &e, "a copy");
}

/* ---- over the link, or on the device ---- */

static cudaError_t queue_layers(struct CUstream_st *s, const struct rt_copy *c,
                                struct smw_transfer *t)
{
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};

    t->stream = s->id;
    t->dst = c->dst;
    t->src = c->src;
    t->width = c->width;
    t->height = c->height;
    t->depth = c->depth;
    t->dst_pitch = c->dst_pitch;
    t->src_pitch = c->src_pitch;
    t->dst_layer = c->dst_layer;
    t->src_layer = c->src_layer;
    return rt_ran(d, smw_queue_copy(d->dev, t, &e), &e, "a copy");
}

/* What is in another device's queue is not ordered with ours: it runs first, and the
 * copy before anything else. */
static cudaError_t queue_between(struct CUstream_st *s, const struct rt_copy *c,
                                 uint32_t from, uint32_t to)
{
    uint32_t other = s->device == to ? from : to;
    struct smw_transfer t = {
        .direction = s->device == to ? SMW_FROM_PEER : SMW_TO_PEER,
    };
    struct rt_device *peer;
    cudaError_t rc = rt_device_open((int)other, &peer);

    if (rc == cudaSuccess) {
        rc = rt_settle(peer);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    t.peer = peer->dev;
    rc = queue_layers(s, c, &t);
    return rc == cudaSuccess ? rt_stream_wait(s) : rc;
}

/* The stream that moves the bytes: s, unless the memory is another device's. Then that
 * device's own, after s and before what follows in it. */
static cudaError_t mover(struct CUstream_st *s, uint32_t device,
                         struct CUstream_st **out)
{
    struct rt_device *d;
    cudaError_t rc;

    *out = s;
    if (device == s->device) {
        return cudaSuccess;
    }
    rc = rt_stream_wait(s);
    if (rc == cudaSuccess) {
        rc = rt_device_open((int)device, &d);
    }
    if (rc == cudaSuccess) {
        *out = &d->legacy;
        rc = rt_order(*out);
    }
    return rc;
}

cudaError_t rt_copy_issue(struct CUstream_st *s, const struct rt_copy *c)
{
    struct rt_place dst = {0}, src = {0};
    struct smw_transfer t = {0};
    struct CUstream_st *by;
    cudaError_t rc;

    if (empty(c)) {
        return cudaSuccess;
    }
    rc = rt_order(s);
    if (rc != cudaSuccess) {
        return rc;
    }
    (void)rt_place(c->dst, &dst);
    (void)rt_place(c->src, &src);
    if (!dst.device && !src.device) {
        return queue_on_host(s, c);
    }
    if (dst.device && src.device && dst.of != src.of) {
        rc = s->device == dst.of ? cudaSuccess : mover(s, src.of, &by);
        by = s->device == dst.of ? s : by;
        return rc == cudaSuccess ? queue_between(by, c, src.of, dst.of) : rc;
    }
    t.direction = !src.device ? SMW_UP : !dst.device ? SMW_DOWN : SMW_ON_DEVICE;
    t.pinned = !src.device ? src.pinned : dst.pinned;
    rc = mover(s, dst.device ? dst.of : src.of, &by);
    if (rc == cudaSuccess) {
        rc = queue_layers(by, c, &t);
    }
    return rc == cudaSuccess && by != s ? rt_stream_wait(by) : rc;
}

bool rt_copy_inside(const struct rt_copy *c)
{
    struct rt_place dst = {0}, src = {0};

    (void)rt_place(c->dst, &dst);
    (void)rt_place(c->src, &src);
    return dst.device && src.device;
}

/* Whether the host goes on before the bytes are there: between devices' memory, and, if
 * it was asked for, with pinned memory. Bytes of other memory of the host are staged:
 * they may change as soon as the call is back. */
static bool host_waits(const struct rt_copy *c)
{
    struct rt_place dst = {0}, src = {0};
    bool dst_known = rt_place(c->dst, &dst), src_known = rt_place(c->src, &src);

    if (dst.device && src.device) {
        return false;
    }
    return c->blocking || !dst_known || !src_known;
}

/* Few bytes of memory that is not pinned are taken at once, and the host goes on: CUDA
 * Runtime API, "API synchronization behavior". */
static bool is_staged(const struct CUstream_st *s, const struct rt_copy *c)
{
    enum { MOST = 64 << 10 };
    struct rt_place dst = {0}, src = {0};

    return !c->blocking && s->capture == NULL && c->height == 1 && c->depth <= 1 &&
           c->width <= MOST && rt_place(c->dst, &dst) && dst.device &&
           dst.of == s->device && !rt_place(c->src, &src);
}

/* They go by memory of ours, which is freed behind the copy. */
static cudaError_t copy_staged(struct CUstream_st *s, const struct rt_copy *c)
{
    struct rt_op op = {.kind = RT_OP_COPY, .u.copy = *c};
    struct rt_device *d = rt_stream_device(s);
    void *stage = malloc(c->width);
    struct smw_err e = {0};
    cudaError_t rc;

    if (stage == NULL) {
        return cudaErrorMemoryAllocation;
    }
    memcpy(stage, (const void *)(uintptr_t)c->src, c->width);
    op.u.copy.src = (uintptr_t)stage;
    rc = rt_submit(s, &op);
    if (rc != cudaSuccess) {
        free(stage);
        return rc;
    }
    return rt_ran(d, smw_queue_call(d->dev, s->id, free, stage, &e), &e, "a copy");
}

cudaError_t rt_copy(const struct rt_copy *c, cudaStream_t stream)
{
    struct rt_op op = {.kind = RT_OP_COPY, .u.copy = *c};
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc == cudaSuccess) {
        rc = rt_copy_check(c);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (s->capture != NULL && c->blocking) {
        return cudaErrorStreamCaptureImplicit;
    }
    if (empty(c)) {
        return cudaSuccess;
    }
    if (is_staged(s, c)) {
        return copy_staged(s, c);
    }
    rc = rt_submit(s, &op);
    if (rc != cudaSuccess || s->capture != NULL || !host_waits(c)) {
        return rc;
    }
    return rt_stream_wait(s);
}

/* ---- fills ---- */

cudaError_t rt_fill_check(const struct rt_fill *f)
{
    struct rt_place p;
    uint64_t bytes;

    if (f->width == 0 || f->height == 0) {
        return cudaSuccess;
    }
    if (f->value_bytes != 1 && f->value_bytes != 2 && f->value_bytes != 4) {
        return cudaErrorInvalidValue;
    }
    if ((f->height > 1 && f->pitch < f->width) || f->dst % f->value_bytes != 0 ||
        !span(f->width, f->height, 1, f->pitch, 0, &bytes) || !rt_place(f->dst, &p) ||
        bytes > p.left) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

/* Registered memory has another address there. */
static uint64_t device_address(uint64_t addr)
{
    const struct rt_range *r = rt_range_find(&rt_process()->ranges, addr);

    return r != NULL && r->on_device != 0 ? r->on_device + (addr - r->addr) : addr;
}

cudaError_t rt_fill_issue(struct CUstream_st *s, const struct rt_fill *f)
{
    struct smw_err e = {0};
    struct rt_place p;
    struct rt_device *d;
    struct CUstream_st *by;
    cudaError_t rc;

    if (f->width == 0 || f->height == 0) {
        return cudaSuccess;
    }
    if (!rt_place(f->dst, &p)) {
        return cudaErrorInvalidValue; /* freed since */
    }
    rc = rt_order(s);
    if (rc == cudaSuccess) {
        rc = mover(s, p.of, &by);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    d = rt_stream_device(by);
    rc = rt_ran(d,
                smw_queue_fill(d->dev, by->id, device_address(f->dst), f->value,
                               f->value_bytes, f->width, f->height, f->pitch, &e),
                &e, "cudaMemset");
    return rc == cudaSuccess && by != s ? rt_stream_wait(by) : rc;
}

cudaError_t rt_fill(const struct rt_fill *f, cudaStream_t stream, bool blocking)
{
    struct rt_place p = {0};
    struct rt_op op = {.kind = RT_OP_FILL, .u.fill = *f};
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc == cudaSuccess) {
        rc = rt_fill_check(f);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (f->width == 0 || f->height == 0) {
        return cudaSuccess;
    }
    rc = rt_submit(s, &op);
    (void)rt_place(f->dst, &p);
    return rc == cudaSuccess && blocking && p.pinned && s->capture == NULL
               ? rt_stream_wait(s)
               : rc;
}
