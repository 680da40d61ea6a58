#include "runtime/capture.h"
#include "runtime/event.h"
#include "runtime/per_thread.h"
#include <stdlib.h>
#include <string.h>

static bool active(const struct rt_capture *c)
{
    return c->graph != NULL;
}

cudaError_t rt_capture_forbids(void)
{
    const struct rt_thread *t = rt_thread();
    cudaError_t rc = cudaSuccess;

    if (t->capture_mode == cudaStreamCaptureModeRelaxed && t->capture_mode_set) {
        return cudaSuccess;
    }
    for (struct rt_capture *c = rt_process()->captures; c != NULL; c = c->next) {
        if (active(c) &&
            (c->mode == cudaStreamCaptureModeGlobal ||
             (c->mode == cudaStreamCaptureModeThreadLocal && c->thread == t))) {
            c->invalid = true;
            rc = cudaErrorStreamCaptureUnsupported;
        }
    }
    return rc;
}

cudaError_t rt_capture_implicit(const struct CUstream_st *s)
{
    struct rt_device *d = rt_stream_device(s);

    if (s != &d->legacy) {
        return cudaSuccess;
    }
    for (struct CUstream_st *t = d->streams; t != NULL; t = t->next) {
        if (t->capture != NULL && (t->flags & cudaStreamNonBlocking) == 0) {
            t->capture->invalid = true;
            return cudaErrorStreamCaptureImplicit;
        }
    }
    return cudaSuccess;
}

static bool set_tail(struct CUstream_st *s, const cudaGraphNode_t *nodes, uint32_t n)
{
    cudaGraphNode_t *tail = malloc((n + 1) * sizeof(*tail));

    if (tail == NULL) {
        return false;
    }
    if (n > 0) {
        memcpy(tail, nodes, n * sizeof(*tail));
    }
    free(s->tail);
    s->tail = tail;
    s->n_tail = n;
    return true;
}

void rt_capture_drop(struct CUstream_st *s)
{
    if (s->capture != NULL && s->capture->origin == s) { /* nobody can end it */
        s->capture->invalid = true;
        s->capture->origin = NULL;
    }
    free(s->tail);
    s->tail = NULL;
    s->n_tail = 0;
    s->capture = NULL;
}

cudaError_t rt_capture_add(struct CUstream_st *s, const struct rt_op *op)
{
    cudaGraphNode_t node;
    cudaError_t rc;

    if (s->capture->invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    rc = rt_graph_add(s->capture->graph, s->tail, s->n_tail, op, &node);
    if (rc == cudaSuccess && !set_tail(s, &node, 1)) {
        rc = cudaErrorMemoryAllocation;
    }
    return rc;
}

/* An event between streams that are being recorded is no node, but an edge. */
cudaError_t rt_capture_record(struct CUstream_st *s, struct CUevent_st *v)
{
    cudaGraphNode_t *before;

    if (s->capture->invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    before = malloc((s->n_tail + 1) * sizeof(*before));
    if (before == NULL) {
        return cudaErrorMemoryAllocation;
    }
    if (s->n_tail > 0) {
        memcpy(before, s->tail, s->n_tail * sizeof(*before));
    }
    free(v->before);
    v->before = before;
    v->n_before = s->n_tail;
    v->captured = s->capture;
    return cudaSuccess;
}

static bool in_list(const cudaGraphNode_t *list, uint32_t n, cudaGraphNode_t x)
{
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] == x) {
            return true;
        }
    }
    return false;
}

cudaError_t rt_capture_wait(struct CUstream_st *s, struct CUevent_st *v)
{
    cudaGraphNode_t *all;
    uint32_t n = 0;
    bool ok;

    if (!active(v->captured)) {
        return cudaErrorInvalidValue; /* of a recording that has ended */
    }
    if (s->capture != NULL && s->capture != v->captured) {
        return cudaErrorStreamCaptureMerge;
    }
    if (s == &rt_stream_device(s)->legacy) {
        return cudaErrorStreamCaptureImplicit;
    }
    if (v->captured->invalid) {
        return cudaErrorStreamCaptureInvalidated;
    }
    all = malloc((s->n_tail + v->n_before + 1) * sizeof(*all));
    if (all == NULL) {
        return cudaErrorMemoryAllocation;
    }
    for (uint32_t i = 0; i < s->n_tail; i++) {
        all[n++] = s->tail[i];
    }
    for (uint32_t i = 0; i < v->n_before; i++) {
        if (!in_list(s->tail, s->n_tail, v->before[i])) {
            all[n++] = v->before[i];
        }
    }
    s->capture = v->captured;
    ok = set_tail(s, all, n);
    free(all);
    return ok ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* ---- calls ---- */

static cudaError_t begin(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    struct rt *rt = rt_process();
    struct rt_capture *c;
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) {
        return cudaErrorInvalidValue;
    }
    if (s == &rt_stream_device(s)->legacy) {
        return cudaErrorStreamCaptureUnsupported;
    }
    if (s->capture != NULL) {
        return cudaErrorIllegalState;
    }
    c = calloc(1, sizeof(*c));
    if (c == NULL || (c->graph = rt_graph_new(false)) == NULL) {
        free(c);
        return cudaErrorMemoryAllocation;
    }
    c->origin = s;
    c->mode = mode;
    c->thread = rt_thread();
    c->id = rt->captures != NULL ? rt->captures->id + 1 : 1;
    c->next = rt->captures;
    rt->captures = c;
    s->capture = c;
    return set_tail(s, NULL, 0) ? cudaSuccess : cudaErrorMemoryAllocation;
}

RT_API cudaError_t cudaStreamBeginCapture(cudaStream_t s,
                                          enum cudaStreamCaptureMode mode)
{
    return RT_CALL(begin(s, mode));
}

static void mark_before(struct CUgraphNode_st *x)
{
    if (x->seen != 0) {
        return;
    }
    x->seen = 1;
    for (uint32_t i = 0; i < x->n_deps; i++) {
        mark_before(x->dep[i]);
    }
}

/* What other streams have recorded comes before the end of the one that began. */
static bool joined(const struct rt_capture *c)
{
    for (uint32_t i = 0; i < c->graph->n; i++) {
        c->graph->node[i]->seen = 0;
    }
    for (uint32_t i = 0; i < c->origin->n_tail; i++) {
        mark_before(c->origin->tail[i]);
    }
    for (uint32_t i = 0; i < c->graph->n; i++) {
        if (c->graph->node[i]->seen == 0) {
            return false;
        }
    }
    return true;
}

static void leave_all(struct rt_capture *c)
{
    struct rt *rt = rt_process();

    for (uint32_t i = 0; i < rt->settings.n_devices; i++) {
        for (struct CUstream_st *t = rt->device[i].streams; t != NULL; t = t->next) {
            if (t->capture == c) {
                t->capture = NULL;
                free(t->tail);
                t->tail = NULL;
                t->n_tail = 0;
            }
        }
    }
}

static cudaError_t end(cudaStream_t stream, cudaGraph_t *out)
{
    struct rt_capture *c;
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    c = s->capture;
    if (c == NULL) {
        return cudaErrorIllegalState;
    }
    if (out == NULL) {
        return cudaErrorInvalidValue;
    }
    if (c->origin != s) {
        return cudaErrorStreamCaptureUnmatched;
    }
    if (c->mode != cudaStreamCaptureModeRelaxed && c->thread != rt_thread()) {
        return cudaErrorStreamCaptureWrongThread;
    }
    rc = c->invalid   ? cudaErrorStreamCaptureInvalidated
         : !joined(c) ? cudaErrorStreamCaptureUnjoined
                      : cudaSuccess;
    leave_all(c);
    if (rc == cudaSuccess) {
        *out = c->graph;
    } else {
        *out = NULL;
        rt_graph_free(c->graph);
    }
    c->graph = NULL;
    return rc;
}

RT_API cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    return RT_CALL(end(s, graph));
}

static enum cudaStreamCaptureStatus status_of(const struct CUstream_st *s)
{
    return s->capture == NULL    ? cudaStreamCaptureStatusNone
           : s->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
}

static cudaError_t is_capturing(cudaStream_t stream,
                                enum cudaStreamCaptureStatus *status)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc == cudaSuccess && status == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        rc = rt_capture_implicit(s);
    }
    if (rc == cudaSuccess) {
        *status = status_of(s);
    }
    return rc;
}

RT_API cudaError_t cudaStreamIsCapturing(cudaStream_t s,
                                         enum cudaStreamCaptureStatus *status)
{
    return RT_CALL(is_capturing(s, status));
}

static cudaError_t info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                        unsigned long long *id, cudaGraph_t *graph,
                        const cudaGraphNode_t **deps, size_t *n)
{
    struct CUstream_st *s;
    cudaError_t rc = is_capturing(stream, status);

    if (rc == cudaSuccess) {
        rc = rt_stream(stream, &s);
    }
    if (rc != cudaSuccess || *status == cudaStreamCaptureStatusNone) {
        return rc;
    }
    if (id != NULL) {
        *id = s->capture->id;
    }
    if (graph != NULL) {
        *graph = s->capture->graph;
    }
    if (deps != NULL) {
        *deps = s->tail;
    }
    if (n != NULL) {
        *n = s->n_tail;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s,
                                               enum cudaStreamCaptureStatus *status,
                                               unsigned long long *id,
                                               cudaGraph_t *graph,
                                               const cudaGraphNode_t **deps, size_t *n)
{
    return RT_CALL(info(s, status, id, graph, deps, n));
}

static cudaError_t exchange(enum cudaStreamCaptureMode *mode)
{
    struct rt_thread *t = rt_thread();
    enum cudaStreamCaptureMode old =
        t->capture_mode_set ? t->capture_mode : cudaStreamCaptureModeGlobal;

    if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed) {
        return cudaErrorInvalidValue;
    }
    t->capture_mode = *mode;
    t->capture_mode_set = true;
    *mode = old;
    return cudaSuccess;
}

RT_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    return RT_CALL(exchange(mode));
}
