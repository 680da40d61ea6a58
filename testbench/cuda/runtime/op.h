/*
 * op.h - what a stream is asked to do: a value that can be queued now, kept in a graph,
 * or both.
 */
#ifndef RUNTIME_OP_H
#define RUNTIME_OP_H

#include "runtime/rt.h"

enum rt_op_kind {
    RT_OP_EMPTY,
    RT_OP_KERNEL,
    RT_OP_COPY,
    RT_OP_FILL,
    RT_OP_HOST,
    RT_OP_RECORD,
    RT_OP_WAIT,
    RT_OP_CHILD,
    RT_OP_ALLOC,
    RT_OP_RELEASE
};

/* A box of bytes on either side. Rows are width bytes, pitch apart; layers height rows.
 */
struct rt_copy {
    uint64_t dst, src;             /* addresses: of a device, or pointers of the host */
    uint64_t width, height, depth; /* bytes, rows, layers */
    uint64_t dst_pitch, src_pitch; /* bytes from row to row */
    uint64_t dst_layer, src_layer; /* bytes from layer to layer */
    enum cudaMemcpyKind kind;
    struct cudaMemcpy3DParms as_asked; /* what a graph's node tells of itself */
    bool blocking; /* as cudaMemcpy(): the host waits, where a real one does */
};

struct rt_fill {
    uint64_t dst, width, height, pitch; /* width in bytes */
    uint32_t value, value_bytes;        /* 1, 2 or 4 */
};

struct rt_launch {
    struct rt_function *function;
    uint32_t grid[3], block[3];
    uint64_t shared;
    void *params; /* laid out as the kernel's, owned */
    uint32_t param_bytes;
    bool cooperative;
    uint32_t cluster[3]; /* blocks; all 0: as the kernel says */
};

struct rt_host_call { /* fn(arg), or callback(stream, cudaSuccess, arg) */
    cudaHostFn_t fn;
    cudaStreamCallback_t callback;
    cudaStream_t stream;
    void *arg;
};

struct rt_op {
    enum rt_op_kind kind;
    union {
        struct rt_launch launch;
        struct rt_copy copy;
        struct rt_fill fill;
        struct rt_host_call host;
        cudaEvent_t event; /* RECORD, WAIT */
        cudaGraph_t child; /* owned by the node */
        struct {
            void *at;
            uint64_t bytes;
        } memory; /* ALLOC, RELEASE */
    } u;
};

/* The operation after all that is in s, or into the graph that s is recorded into. What
 * op owns stays the caller's: it is copied. */
cudaError_t rt_submit(struct CUstream_st *s, const struct rt_op *op);
/* The same, but never recorded. */
cudaError_t rt_issue(struct CUstream_st *s, const struct rt_op *op);
/* *to becomes an operation of its own; false: out of memory. */
bool rt_op_copy(struct rt_op *to, const struct rt_op *from);
void rt_op_free(struct rt_op *op);

/* ---- copy.c ---- */
cudaError_t rt_copy_check(const struct rt_copy *c);
/* From memory of a device to memory of a device. */
bool rt_copy_inside(const struct rt_copy *c);
cudaError_t rt_copy_issue(struct CUstream_st *s, const struct rt_copy *c);
cudaError_t rt_fill_check(const struct rt_fill *f);
cudaError_t rt_fill_issue(struct CUstream_st *s, const struct rt_fill *f);
/* ---- launch.c ---- */
cudaError_t rt_launch_issue(struct CUstream_st *s, const struct rt_launch *l);
/* ---- event.c ---- */
cudaError_t rt_record_issue(struct CUstream_st *s, cudaEvent_t event);
cudaError_t rt_wait_issue(struct CUstream_st *s, cudaEvent_t event);
/* ---- graph_run.c ---- */
cudaError_t rt_child_issue(struct CUstream_st *s, cudaGraph_t child);
/* ---- capture.c ---- */
cudaError_t rt_capture_add(struct CUstream_st *s, const struct rt_op *op);

#endif /* RUNTIME_OP_H */
