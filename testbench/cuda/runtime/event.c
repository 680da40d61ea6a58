/* Events are marks in streams; their time is the model's. */
#include "runtime/event.h"
#include <stdlib.h>

struct CUevent_st *rt_event(cudaEvent_t e)
{
    return rt_handle_find(&rt_process()->handles, RT_EVENT, e);
}

cudaError_t rt_record_issue(struct CUstream_st *s, cudaEvent_t handle)
{
    struct CUevent_st *v = rt_event(handle);
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};
    uint64_t mark;
    cudaError_t rc;

    if (v == NULL || v->device != s->device) {
        return cudaErrorInvalidResourceHandle;
    }
    rc = rt_order(s);
    if (rc != cudaSuccess) {
        return rc;
    }
    mark = smw_queue_mark(d->dev, s->id, &e);
    rc = rt_ran(d, mark != 0, &e, "cudaEventRecord");
    if (rc == cudaSuccess) {
        v->mark = mark;
        v->captured = NULL;
    }
    return rc;
}

cudaError_t rt_wait_issue(struct CUstream_st *s, cudaEvent_t handle)
{
    const struct CUevent_st *v = rt_event(handle);
    struct rt_device *d = rt_stream_device(s), *other;
    struct smw_err e = {0};
    uint64_t ps;
    cudaError_t rc;

    if (v == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    if (v->mark == 0) {
        return cudaSuccess; /* never recorded: nothing to wait for */
    }
    if (v->device != s->device) { /* devices have no common time: it runs first */
        rc = rt_device_open((int)v->device, &other);
        return rc != cudaSuccess
                   ? rc
                   : rt_ran(other, smw_synchronize_mark(other->dev, v->mark, &e), &e,
                            "cudaStreamWaitEvent");
    }
    if (smw_mark_reached(d->dev, v->mark, &ps)) {
        return cudaSuccess;
    }
    rc = rt_order(s);
    return rc != cudaSuccess ? rc
                             : rt_ran(d, smw_queue_wait(d->dev, s->id, v->mark, &e), &e,
                                      "cudaStreamWaitEvent");
}

/* ---- calls ---- */

static cudaError_t create(cudaEvent_t *out, unsigned flags)
{
    const unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    struct rt_device *d;
    struct CUevent_st *v;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    /* Of other processes only without times: CUDA Runtime API, cudaEventCreateWithFlags
     */
    if (out == NULL || (flags & ~known) != 0 ||
        ((flags & cudaEventInterprocess) != 0 &&
         (flags & cudaEventDisableTiming) == 0)) {
        return cudaErrorInvalidValue;
    }
    v = calloc(1, sizeof(*v));
    if (v == NULL || !rt_handle_add(&rt_process()->handles, RT_EVENT, v, v)) {
        free(v);
        return cudaErrorMemoryAllocation;
    }
    v->device = rt_device_index(d);
    v->flags = flags;
    *out = v;
    return cudaSuccess;
}

RT_API cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return RT_CALL(create(event, cudaEventDefault));
}

RT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    return RT_CALL(create(event, flags));
}

static cudaError_t destroy(cudaEvent_t event)
{
    struct CUevent_st *v = rt_event(event);
    const struct rt_device *d;

    if (v == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    d = &rt_process()->device[v->device];
    if (d->sticky != cudaSuccess) {
        return d->sticky;
    }
    free(v->before);
    rt_handle_remove(&rt_process()->handles, RT_EVENT, v);
    free(v);
    return cudaSuccess;
}

RT_API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return RT_CALL(destroy(event));
}

/* The two that a call names. */
static cudaError_t find_both(cudaEvent_t event, cudaStream_t stream,
                             struct CUevent_st **v, struct CUstream_st **s)
{
    *v = rt_event(event);
    return *v == NULL ? cudaErrorInvalidResourceHandle : rt_stream(stream, s);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    struct rt_op op = {.kind = RT_OP_RECORD, .u.event = event};
    struct CUevent_st *v;
    struct CUstream_st *s;
    cudaError_t rc = find_both(event, stream, &v, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((flags & ~(unsigned)cudaEventRecordExternal) != 0) {
        return cudaErrorInvalidValue;
    }
    if (v->device != s->device) {
        return cudaErrorInvalidResourceHandle;
    }
    if (s->capture != NULL && flags == cudaEventRecordDefault) {
        return rt_capture_record(s, v);
    }
    return rt_submit(s, &op);
}

RT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t s)
{
    return RT_CALL(record(event, s, cudaEventRecordDefault));
}

RT_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t s,
                                            unsigned flags)
{
    return RT_CALL(record(event, s, flags));
}

static cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    struct rt_op op = {.kind = RT_OP_WAIT, .u.event = event};
    struct CUevent_st *v;
    struct CUstream_st *s;
    cudaError_t rc = find_both(event, stream, &v, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((flags & ~(unsigned)cudaEventWaitExternal) != 0) {
        return cudaErrorInvalidValue;
    }
    if (flags == cudaEventWaitDefault && v->captured != NULL) {
        return rt_capture_wait(s, v);
    }
    if (flags == cudaEventWaitDefault && s->capture != NULL) {
        return cudaErrorStreamCaptureIsolation;
    }
    return rt_submit(s, &op);
}

RT_API cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t event,
                                       unsigned flags)
{
    return RT_CALL(wait_event(s, event, flags));
}

/* The event's device. */
static cudaError_t look(cudaEvent_t event, struct CUevent_st **v, struct rt_device **d)
{
    *v = rt_event(event);
    if (*v == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    if ((*v)->captured != NULL) {
        return cudaErrorCapturedEvent;
    }
    return rt_device_open((int)(*v)->device, d);
}

static cudaError_t query(cudaEvent_t event)
{
    struct CUevent_st *v;
    struct rt_device *d;
    uint64_t ps;
    cudaError_t rc = look(event, &v, &d);

    if (rc != cudaSuccess || v->mark == 0 || smw_mark_reached(d->dev, v->mark, &ps)) {
        return rc;
    }
    rc = rt_poll(d);
    if (rc != cudaSuccess) {
        return rc;
    }
    return smw_mark_reached(d->dev, v->mark, &ps) ? cudaSuccess : cudaErrorNotReady;
}

RT_API cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return RT_CALL(query(event));
}

static cudaError_t wait_for(cudaEvent_t event)
{
    struct smw_err e = {0};
    struct CUevent_st *v;
    struct rt_device *d;
    cudaError_t rc = look(event, &v, &d);

    if (rc != cudaSuccess || v->mark == 0) {
        return rc;
    }
    rc = rt_ran(d, smw_synchronize_mark(d->dev, v->mark, &e), &e,
                "cudaEventSynchronize");
    smw_host_call(d->dev, SMW_HOST_SYNC);
    return rc;
}

RT_API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return RT_CALL(wait_for(event));
}

/* Milliseconds of the model, and no rounding to what a real device's clock can tell. */
static cudaError_t elapsed(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    struct CUevent_st *a, *b;
    struct rt_device *d;
    uint64_t from, to;
    cudaError_t rc = look(start, &a, &d);

    if (rc == cudaSuccess) {
        rc = look(end, &b, &d);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (ms == NULL) {
        return cudaErrorInvalidValue;
    }
    if (a->device != b->device || a->mark == 0 || b->mark == 0 ||
        ((a->flags | b->flags) & cudaEventDisableTiming) != 0) {
        return cudaErrorInvalidResourceHandle;
    }
    if (!smw_mark_reached(d->dev, a->mark, &from) ||
        !smw_mark_reached(d->dev, b->mark, &to)) {
        return cudaErrorNotReady;
    }
    *ms = (float)(((double)to - (double)from) / 1e9);
    return cudaSuccess;
}

RT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    return RT_CALL(elapsed(ms, start, end));
}
