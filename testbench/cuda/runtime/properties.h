/* properties.h - struct cudaDeviceProp of each release, and cudaDeviceGetAttribute().
 */
#ifndef RUNTIME_PROPERTIES_H
#define RUNTIME_PROPERTIES_H

#include "runtime/rt.h"

/* As CUDA 13 lays it out: by its header, seen in release 13.0. */
struct rt_properties_13 {
#define MEMBER(type, name, count) type name count;
#include "runtime/properties_13.inc"
#undef MEMBER
    int reserved[63];
};

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *p, int device);
void rt_properties(const struct rt_device *d, struct cudaDeviceProp *p);
int rt_double_ratio(const struct rt_device *d);

/* cudaGetDeviceProperties() as programs of other releases call it (versions.c). */
cudaError_t rt_properties_11(void *p, int device);
cudaError_t rt_properties_to_13(void *p, int device);

#endif /* RUNTIME_PROPERTIES_H */
