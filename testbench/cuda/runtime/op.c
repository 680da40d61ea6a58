#include "runtime/op.h"
#include "runtime/capture.h"
#include <stdlib.h>
#include <string.h>

/* In the model's step, with the lock held by whoever steps. */
static void call_host(void *arg)
{
    struct rt_host_call *c = arg;

    rt_thread()->in_callback = true;
    if (c->callback != NULL) {
        c->callback(c->stream, cudaSuccess, c->arg);
    } else {
        c->fn(c->arg);
    }
    rt_thread()->in_callback = false;
    free(c);
}

static cudaError_t host_issue(struct CUstream_st *s, const struct rt_host_call *c)
{
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};
    struct rt_host_call *copy;
    cudaError_t rc = rt_order(s);

    if (rc != cudaSuccess) {
        return rc;
    }
    copy = malloc(sizeof(*copy));
    if (copy == NULL) {
        return cudaErrorMemoryAllocation;
    }
    *copy = *c;
    rt_background();
    return rt_ran(d, smw_queue_call(d->dev, s->id, call_host, copy, &e), &e,
                  "a call of the host");
}

cudaError_t rt_issue(struct CUstream_st *s, const struct rt_op *op)
{
    switch (op->kind) {
    case RT_OP_EMPTY:
    case RT_OP_ALLOC: /* memory of a graph is there before it runs */
    case RT_OP_RELEASE: return cudaSuccess;
    case RT_OP_KERNEL: return rt_launch_issue(s, &op->u.launch);
    case RT_OP_COPY: return rt_copy_issue(s, &op->u.copy);
    case RT_OP_FILL: return rt_fill_issue(s, &op->u.fill);
    case RT_OP_HOST: return host_issue(s, &op->u.host);
    case RT_OP_RECORD: return rt_record_issue(s, op->u.event);
    case RT_OP_WAIT: return rt_wait_issue(s, op->u.event);
    case RT_OP_CHILD: return rt_child_issue(s, op->u.child);
    }
    return cudaErrorUnknown;
}

/* What the call costs that asks for op. */
static enum smw_host_call call_of(const struct rt_op *op)
{
    enum {
        SMALL_FILL = 4096
    }; /* a larger one is a kernel of the driver's, on an H100 */

    switch (op->kind) {
    case RT_OP_KERNEL:
    case RT_OP_HOST: return SMW_HOST_LAUNCH;
    case RT_OP_COPY:
        return rt_copy_inside(&op->u.copy) ? SMW_HOST_INSIDE : SMW_HOST_COPY;
    case RT_OP_FILL:
        return op->u.fill.width * op->u.fill.height <= SMALL_FILL ? SMW_HOST_FILL
                                                                  : SMW_HOST_LAUNCH;
    case RT_OP_RECORD: return SMW_HOST_RECORD;
    case RT_OP_EMPTY:
    case RT_OP_ALLOC:
    case RT_OP_RELEASE:
    case RT_OP_WAIT: return SMW_HOST_WAIT;
    case RT_OP_CHILD: break;
    }
    return SMW_HOST_GRAPH;
}

cudaError_t rt_submit(struct CUstream_st *s, const struct rt_op *op)
{
    cudaError_t rc;

    if (s->capture != NULL) {
        return rt_capture_add(s, op);
    }
    rc = rt_capture_implicit(s);
    if (rc == cudaSuccess) {
        smw_host_call(rt_stream_device(s)->dev, call_of(op));
        rc = rt_issue(s, op);
    }
    return rc;
}

bool rt_op_copy(struct rt_op *to, const struct rt_op *from)
{
    struct rt_op copy = *from;

    if (from->kind == RT_OP_KERNEL) {
        /* At least a byte: a kernel without parameters has a block of its own too. */
        copy.u.launch.params = calloc(1, (size_t)from->u.launch.param_bytes + 1);
        if (copy.u.launch.params == NULL) {
            return false;
        }
        if (from->u.launch.param_bytes > 0) {
            memcpy(copy.u.launch.params, from->u.launch.params,
                   from->u.launch.param_bytes);
        }
    }
    *to = copy;
    return true;
}

void rt_op_free(struct rt_op *op)
{
    if (op->kind == RT_OP_KERNEL) {
        free(op->u.launch.params);
        op->u.launch.params = NULL;
    }
}
