#include "runtime/array.h"
#include "runtime/memory.h"
#include <stdlib.h>

enum { ROW = 32 }; /* rows begin at multiples of it, bytes */

struct cudaArray *rt_array(cudaArray_const_t a)
{
    return rt_handle_find(&rt_process()->handles, RT_ARRAY, a);
}

uint64_t rt_array_rows(const struct cudaArray *a)
{
    return a->extent.height > 0 ? a->extent.height : 1;
}

/* Bytes of an element; 0: the description makes no sense. One, two or four channels of
 * 8, 16 or 32 bits, all of one width, without a gap. */
static uint64_t element_bytes(const struct cudaChannelFormatDesc *d)
{
    const int bits[4] = {d->x, d->y, d->z, d->w};
    uint32_t n = 0;

    while (n < 4 && bits[n] != 0) {
        n++;
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (bits[i] != (i < n ? bits[0] : 0)) {
            return 0;
        }
    }
    if (n == 0 || n == 3 || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)) {
        return 0;
    }
    switch (d->f) {
    case cudaChannelFormatKindSigned:
    case cudaChannelFormatKindUnsigned: break;
    case cudaChannelFormatKindFloat:
        if (bits[0] == 8) {
            return 0;
        }
        break;
    default: /* a number of the program's; formats of pictures are not supported */
        return 0;
    }
    return n * (uint64_t)bits[0] / 8;
}

static cudaError_t create(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                          struct cudaExtent x, unsigned flags)
{
    struct rt_device *d;
    struct cudaArray *a;
    uint64_t bytes;
    void *p;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL || desc == NULL || x.width == 0 || (x.depth > 0 && x.height == 0)) {
        return cudaErrorInvalidValue;
    }
    if (element_bytes(desc) == 0) {
        return cudaErrorInvalidChannelDescriptor;
    }
    if (x.width > (1u << 28) || x.height > (1u << 20) || x.depth > (1u << 16)) {
        return cudaErrorInvalidValue;
    }
    a = calloc(1, sizeof(*a));
    if (a == NULL) {
        return cudaErrorMemoryAllocation;
    }
    a->desc = *desc;
    a->extent = x;
    a->flags = flags;
    a->element = element_bytes(desc);
    a->pitch = (x.width * a->element + ROW - 1) / ROW * ROW;
    bytes = a->pitch * rt_array_rows(a) * (x.depth > 0 ? x.depth : 1);
    rc = rt_malloc(d, bytes, NULL, &p);
    if (rc == cudaSuccess && !rt_handle_add(&rt_process()->handles, RT_ARRAY, a, a)) {
        (void)rt_free(p);
        rc = cudaErrorMemoryAllocation;
    }
    if (rc != cudaSuccess) {
        free(a);
        return rc;
    }
    a->addr = (uint64_t)(uintptr_t)p;
    *out = a;
    return cudaSuccess;
}

RT_API cudaError_t cudaMallocArray(cudaArray_t *array,
                                   const struct cudaChannelFormatDesc *desc,
                                   size_t width, size_t height, unsigned flags)
{
    struct cudaExtent x = {.width = width, .height = height};

    return RT_CALL(create(array, desc, x, flags));
}

RT_API cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent x, unsigned flags)
{
    return RT_CALL(create(array, desc, x, flags));
}

static cudaError_t destroy(cudaArray_t array)
{
    struct cudaArray *a = rt_array(array);
    cudaError_t rc;

    if (array == NULL) {
        return cudaSuccess;
    }
    if (a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    rc = rt_free((void *)(uintptr_t)a->addr);
    if (rc == cudaSuccess) {
        rt_handle_remove(&rt_process()->handles, RT_ARRAY, a);
        free(a);
    }
    return rc;
}

RT_API cudaError_t cudaFreeArray(cudaArray_t array)
{
    return RT_CALL(destroy(array));
}

static cudaError_t info(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                        unsigned *flags, cudaArray_const_t array)
{
    const struct cudaArray *a = rt_array(array);

    if (a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    if (desc != NULL) {
        *desc = a->desc;
    }
    if (extent != NULL) {
        *extent = a->extent;
    }
    if (flags != NULL) {
        *flags = a->flags;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                                    struct cudaExtent *extent, unsigned *flags,
                                    cudaArray_t array)
{
    return RT_CALL(info(desc, extent, flags, array));
}

RT_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                                      cudaArray_const_t array)
{
    return RT_CALL(desc == NULL ? cudaErrorInvalidValue
                                : info(desc, NULL, NULL, array));
}

RT_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind f)
{
    struct cudaChannelFormatDesc d = {.x = x, .y = y, .z = z, .w = w, .f = f};

    return d;
}
