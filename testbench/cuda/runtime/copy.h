/* copy.h - copies and fills of any shape, as the calls ask for them. */
#ifndef RUNTIME_COPY_H
#define RUNTIME_COPY_H

#include "runtime/op.h"

/* Checks, queues in stream, and waits where the call does. */
cudaError_t rt_copy(const struct rt_copy *c, cudaStream_t stream);
/* blocking: the call waits if the memory is the host's too (CUDA Runtime API, "API
 * synchronization behavior"). */
cudaError_t rt_fill(const struct rt_fill *f, cudaStream_t stream, bool blocking);
/* count bytes one after the other */
struct rt_copy rt_copy_line(const void *dst, const void *src, uint64_t count,
                            enum cudaMemcpyKind kind, bool blocking);
/* What cudaMemcpy3D()'s structure says. */
cudaError_t rt_copy_of_parms(const struct cudaMemcpy3DParms *p, bool blocking,
                             struct rt_copy *out);
/* symbol + offset, count bytes of it, on the calling thread's device */
cudaError_t rt_symbol_at(const void *symbol, uint64_t offset, uint64_t count,
                         uint64_t *addr);

#endif /* RUNTIME_COPY_H */
