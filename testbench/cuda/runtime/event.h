/* event.h - marks in streams, and in graphs that are being recorded. */
#ifndef RUNTIME_EVENT_H
#define RUNTIME_EVENT_H

#include "runtime/op.h"

struct CUevent_st {
    uint32_t device;
    unsigned flags;
    uint64_t mark; /* 0: never recorded */
    /* Recorded last in a stream that was being recorded: the graph, and what came
     * before it there. NULL: not. */
    struct rt_capture *captured;
    cudaGraphNode_t *before; /* owned */
    uint32_t n_before;
};

struct CUevent_st *rt_event(cudaEvent_t e); /* NULL: it is none */
/* ---- capture.c ---- */
cudaError_t rt_capture_record(struct CUstream_st *s, struct CUevent_st *v);
cudaError_t rt_capture_wait(struct CUstream_st *s, struct CUevent_st *v);

#endif /* RUNTIME_EVENT_H */
