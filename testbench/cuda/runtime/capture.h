/* capture.h - recording what goes into streams as a graph, instead of doing it. */
#ifndef RUNTIME_CAPTURE_H
#define RUNTIME_CAPTURE_H

#include "runtime/graph.h"

struct rt_capture {           /* kept until the process ends: events may name it */
    struct CUgraph_st *graph; /* NULL: ended */
    struct CUstream_st *origin;
    enum cudaStreamCaptureMode mode;
    const struct rt_thread *thread; /* that began it */
    uint64_t id;
    bool invalid; /* by a call that cannot be recorded */
    struct rt_capture *next;
};

/* Calls that wait for the device or make memory are refused while a recording forbids
 * them: in mode global to every thread, in mode thread-local to the one that began it.
 * Such a recording is invalid then. */
cudaError_t rt_capture_forbids(void);
/* The legacy stream would have to wait for a stream that is being recorded. */
cudaError_t rt_capture_implicit(const struct CUstream_st *s);
void rt_capture_drop(struct CUstream_st *s); /* it goes away */

#endif /* RUNTIME_CAPTURE_H */
