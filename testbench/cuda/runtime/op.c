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

cudaError_t rt_submit(struct CUstream_st *s, const struct rt_op *op)
{
    cudaError_t rc;

    if (s->capture != NULL) {
        return rt_capture_add(s, op);
    }
    rc = rt_capture_implicit(s);
    return rc == cudaSuccess ? rt_issue(s, op) : rc;
}

bool rt_op_copy(struct rt_op *to, const struct rt_op *from)
{
    struct rt_op copy = *from;

    if (from->kind == RT_OP_KERNEL && from->u.launch.param_bytes > 0) {
        copy.u.launch.params = malloc(from->u.launch.param_bytes);
        if (copy.u.launch.params == NULL) {
            return false;
        }
        memcpy(copy.u.launch.params, from->u.launch.params, from->u.launch.param_bytes);
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
