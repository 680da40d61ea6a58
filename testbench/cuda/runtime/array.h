/* array.h - memory of cudaMallocArray(): elements in rows, on the device. */
#ifndef RUNTIME_ARRAY_H
#define RUNTIME_ARRAY_H

#include "runtime/rt.h"

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* in elements; height and depth 0: no such dimension */
    unsigned flags;
    uint64_t element; /* bytes */
    uint64_t addr, pitch;
};

/* NULL: it is none. */
struct cudaArray *rt_array(cudaArray_const_t a);
uint64_t rt_array_rows(const struct cudaArray *a); /* of a layer */
/* Shape, size and channels for the model. Layers of cubes are faces. */
struct smw_texture rt_array_texture(const struct cudaArray *a);
/* Bits of all its channels and their kind into t; false: the description makes no
 * sense. */
bool rt_channels(const struct cudaChannelFormatDesc *d, struct smw_texture *t);

#endif /* RUNTIME_ARRAY_H */
