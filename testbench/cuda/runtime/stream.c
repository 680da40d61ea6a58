/*
 * Streams. The model runs what is in one stream in order and knows nothing else; the
 * rules of the default streams are made of marks (CUDA C++ Programming Guide, "Default
 * Stream"): what goes into the legacy stream waits for all that is in blocking streams,
 * and they for it. A stream in which nothing is left needs no mark.
 */
#include "runtime/capture.h"
#include "runtime/module.h"
#include "runtime/op.h"
#include <stdlib.h>

struct rt_device *rt_stream_device(const struct CUstream_st *s)
{
    return &rt_process()->device[s->device];
}

cudaStream_t rt_per_thread(cudaStream_t s)
{
    return s == NULL ? cudaStreamPerThread : s;
}

static bool blocking(const struct CUstream_st *s)
{
    return (s->flags & cudaStreamNonBlocking) == 0;
}

static cudaError_t create(struct rt_device *d, unsigned flags, int priority,
                          struct CUstream_st **out)
{
    struct CUstream_st *s = calloc(1, sizeof(*s));

    if (s == NULL || !rt_handle_add(&rt_process()->handles, RT_STREAM, s, s)) {
        free(s);
        return cudaErrorMemoryAllocation;
    }
    s->device = rt_device_index(d);
    s->id = d->next_stream++;
    s->flags = flags;
    s->priority = priority;
    s->next = d->streams;
    d->streams = s;
    *out = s;
    return cudaSuccess;
}

cudaError_t rt_stream(cudaStream_t handle, struct CUstream_st **out)
{
    struct rt_thread *t = rt_thread();
    struct rt_device *d;
    struct CUstream_st *s;
    cudaError_t rc;

    if (handle == NULL || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
        rc = rt_current(&d);
        if (rc != cudaSuccess) {
            return rc;
        }
        if (handle != cudaStreamPerThread) {
            *out = &d->legacy;
            return cudaSuccess;
        }
        s = t->stream[t->device];
        if (rt_handle_find(&rt_process()->handles, RT_STREAM, s) == NULL) {
            rc = create(d, cudaStreamDefault, 0, &s);
            t->stream[t->device] = s;
        }
        *out = s;
        return rc;
    }
    s = rt_handle_find(&rt_process()->handles, RT_STREAM, handle);
    if (s == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    rc = rt_device_open((int)s->device, &d);
    *out = s;
    return rc;
}

/* What s does next waits for all that is in other now. */
static cudaError_t join(struct rt_device *d, struct CUstream_st *s,
                        const struct CUstream_st *other)
{
    struct smw_err e = {0};
    uint64_t mark;

    if (smw_stream_idle(d->dev, other->id)) {
        return cudaSuccess;
    }
    mark = smw_queue_mark(d->dev, other->id, &e);
    return rt_ran(d, mark != 0 && smw_queue_wait(d->dev, s->id, mark, &e), &e,
                  "order between streams");
}

cudaError_t rt_order(struct CUstream_st *s)
{
    struct rt_device *d = rt_stream_device(s);
    cudaError_t rc = cudaSuccess;

    if (s == &d->legacy) {
        for (struct CUstream_st *t = d->streams; t != NULL && rc == cudaSuccess;
             t = t->next) {
            if (blocking(t) && t->seen_legacy < t->n_ops) {
                t->seen_legacy = t->n_ops;
                rc = join(d, s, t);
            }
        }
    } else if (blocking(s) && s->legacy_seen < d->legacy.n_ops) {
        s->legacy_seen = d->legacy.n_ops;
        rc = join(d, s, &d->legacy);
    }
    s->n_ops++;
    d->busy = true;
    return rc;
}

cudaError_t rt_stream_wait(struct CUstream_st *s)
{
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};
    cudaError_t rc = cudaSuccess;

    /* The legacy stream is done when all blocking streams are. */
    if (s == &d->legacy) {
        rc = rt_order(s);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    rc = rt_ran(d, smw_synchronize_stream(d->dev, s->id, &e), &e,
                "waiting for a stream");
    smw_host_call(d->dev, SMW_HOST_SYNC);
    if (rc == cudaSuccess) {
        rt_managed_from(d);
    }
    return rc;
}

void rt_streams_close(struct rt_device *d)
{
    while (d->streams != NULL) {
        struct CUstream_st *s = d->streams;

        d->streams = s->next;
        rt_handle_remove(&rt_process()->handles, RT_STREAM, s);
        rt_capture_drop(s);
        free(s);
    }
}

/* ---- calls ---- */

static cudaError_t create_stream(cudaStream_t *out, unsigned flags, int priority)
{
    struct rt_device *d;
    struct CUstream_st *s;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL || (flags & ~(unsigned)cudaStreamNonBlocking) != 0) {
        return cudaErrorInvalidValue;
    }
    if (priority < RT_PRIORITY_GREATEST) {
        priority = RT_PRIORITY_GREATEST;
    }
    if (priority > RT_PRIORITY_LEAST) {
        priority = RT_PRIORITY_LEAST;
    }
    rc = create(d, flags, priority, &s);
    if (rc == cudaSuccess) {
        *out = s;
    }
    return rc;
}

RT_API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return RT_CALL(create_stream(out, cudaStreamDefault, 0));
}

RT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    return RT_CALL(create_stream(out, flags, 0));
}

RT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags,
                                                int priority)
{
    return RT_CALL(create_stream(out, flags, priority));
}

/* What is in it still runs. */
static cudaError_t destroy(cudaStream_t handle)
{
    struct rt *rt = rt_process();
    struct CUstream_st *s = rt_handle_find(&rt->handles, RT_STREAM, handle);
    struct rt_device *d;
    cudaError_t rc;

    if (s == NULL || s == rt_thread()->stream[s->device]) {
        return cudaErrorInvalidResourceHandle;
    }
    d = rt_stream_device(s);
    rc = blocking(s) && s->seen_legacy < s->n_ops && d->sticky == cudaSuccess
             ? join(d, &d->legacy, s)
             : cudaSuccess;
    for (struct CUstream_st **at = &d->streams; *at != NULL; at = &(*at)->next) {
        if (*at == s) {
            *at = s->next;
            break;
        }
    }
    rt_handle_remove(&rt->handles, RT_STREAM, s);
    rt_capture_drop(s);
    free(s);
    return rc == cudaSuccess ? d->sticky : rc;
}

RT_API cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    return RT_CALL(destroy(s));
}

static cudaError_t wait_for(cudaStream_t handle)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && s->capture != NULL) {
        s->capture->invalid = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    if (rc == cudaSuccess) {
        rc = rt_capture_implicit(s);
    }
    return rc == cudaSuccess ? rt_stream_wait(s) : rc;
}

RT_API cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    return RT_CALL(wait_for(s));
}

static bool idle(struct rt_device *d, const struct CUstream_st *s)
{
    if (!smw_stream_idle(d->dev, s->id)) {
        return false;
    }
    if (s == &d->legacy) {
        for (const struct CUstream_st *t = d->streams; t != NULL; t = t->next) {
            if (blocking(t) && !smw_stream_idle(d->dev, t->id)) {
                return false;
            }
        }
    }
    return true;
}

static cudaError_t query(cudaStream_t handle)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);
    struct rt_device *d;

    if (rc != cudaSuccess) {
        return rc;
    }
    if (s->capture != NULL) {
        s->capture->invalid = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    d = rt_stream_device(s);
    if (idle(d, s)) {
        return cudaSuccess;
    }
    rc = rt_poll(d);
    if (rc != cudaSuccess) {
        return rc;
    }
    return idle(d, s) ? cudaSuccess : cudaErrorNotReady;
}

RT_API cudaError_t cudaStreamQuery(cudaStream_t s)
{
    return RT_CALL(query(s));
}

static cudaError_t get_flags(cudaStream_t handle, unsigned *flags)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && flags == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *flags = s->flags;
    }
    return rc;
}

RT_API cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags)
{
    return RT_CALL(get_flags(s, flags));
}

static cudaError_t get_priority(cudaStream_t handle, int *priority)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && priority == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *priority = s->priority;
    }
    return rc;
}

RT_API cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
    return RT_CALL(get_priority(s, priority));
}

static cudaError_t get_id(cudaStream_t handle, unsigned long long *id)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && id == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *id = (unsigned long long)s->device << 32 | s->id;
    }
    return rc;
}

RT_API cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id)
{
    return RT_CALL(get_id(s, id));
}

static cudaError_t get_device(cudaStream_t handle, int *device)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && device == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *device = (int)s->device;
    }
    return rc;
}

RT_API cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device)
{
    return RT_CALL(get_device(s, device));
}

RT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least != NULL) {
        *least = RT_PRIORITY_LEAST;
    }
    if (greatest != NULL) {
        *greatest = RT_PRIORITY_GREATEST;
    }
    return cudaSuccess;
}

static cudaError_t host_call(cudaStream_t handle, const struct rt_host_call *c)
{
    struct rt_op op = {.kind = RT_OP_HOST, .u.host = *c};
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (c->fn == NULL && c->callback == NULL) {
        return cudaErrorInvalidValue;
    }
    return rt_submit(s, &op);
}

RT_API cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *arg)
{
    struct rt_host_call c = {.fn = fn, .arg = arg};

    return RT_CALL(host_call(s, &c));
}

static cudaError_t add_callback(cudaStream_t handle, const struct rt_host_call *c,
                                unsigned flags)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(handle, &s);

    if (rc == cudaSuccess && flags != 0) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess && s->capture != NULL) {
        rc = cudaErrorStreamCaptureUnsupported;
    }
    return rc == cudaSuccess ? host_call(handle, c) : rc;
}

RT_API cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t fn,
                                         void *arg, unsigned flags)
{
    struct rt_host_call c = {.callback = fn, .stream = s, .arg = arg};

    return RT_CALL(add_callback(s, &c, flags));
}
