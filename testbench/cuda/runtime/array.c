#include "runtime/array.h"
#include "runtime/memory.h"
#include <stdlib.h>

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

bool rt_channels(const struct cudaChannelFormatDesc *d, struct smw_texture *t)
{
    const uint64_t bytes = element_bytes(d);

    if (bytes == 0) {
        return false;
    }
    t->kind = d->f == cudaChannelFormatKindSigned     ? SMW_SIGNED
              : d->f == cudaChannelFormatKindUnsigned ? SMW_UNSIGNED
                                                      : SMW_FLOAT;
    t->bits = (uint32_t)d->x;
    t->channels = (uint32_t)(bytes * 8 / t->bits);
    return true;
}

static enum smw_shape shape_of(const struct cudaExtent *x, unsigned flags)
{
    if ((flags & cudaArrayCubemap) != 0) {
        return (flags & cudaArrayLayered) != 0 ? SMW_CUBE_LAYERED : SMW_CUBE;
    }
    if ((flags & cudaArrayLayered) != 0) {
        return x->height == 0 ? SMW_1D_LAYERED : SMW_2D_LAYERED;
    }
    return x->height == 0 ? SMW_1D : x->depth == 0 ? SMW_2D : SMW_3D;
}

struct smw_texture rt_array_texture(const struct cudaArray *a)
{
    struct smw_texture t = {.shape = shape_of(&a->extent, a->flags),
                            .layout = SMW_ARRAY,
                            .addr = a->addr,
                            .width = (uint32_t)a->extent.width,
                            .height = (uint32_t)a->extent.height,
                            .depth = (uint32_t)a->extent.depth};

    (void)rt_channels(&a->desc, &t);
    return t;
}

/* Cubes are as wide as high and have 6 faces for each layer; only what has layers can
 * do without a height and have a depth. */
static bool is_possible(const struct cudaExtent *x, unsigned flags)
{
    const bool layered = (flags & cudaArrayLayered) != 0;

    if (x->width == 0 || x->width > (1u << 28) || x->height > (1u << 20) ||
        x->depth > (1u << 16)) {
        return false;
    }
    if ((flags & cudaArrayCubemap) != 0) {
        return x->width == x->height && x->depth != 0 && x->depth % 6 == 0 &&
               (layered || x->depth == 6);
    }
    return layered ? x->depth != 0 : x->depth == 0 || x->height != 0;
}

static cudaError_t take_memory(struct rt_device *d, struct cudaArray *a)
{
    const struct smw_texture t = rt_array_texture(a);
    struct smw_err e = {0};
    void *p;
    cudaError_t rc;

    if (!smw_array(d->dev, &t, &a->addr, &a->pitch, &e)) {
        return smw_fault(d->dev) != NULL && smw_fault(d->dev)->kind != SMW_ERR_NONE
                   ? rt_ran(d, false, &e, "cudaMallocArray")
                   : cudaErrorMemoryAllocation;
    }
    rc = rt_adopt(d, a->addr,
                  a->pitch * rt_array_rows(a) *
                      (a->extent.depth > 0 ? a->extent.depth : 1),
                  NULL, &p);
    return rc;
}

static cudaError_t create(cudaArray_t *out, const struct cudaChannelFormatDesc *desc,
                          struct cudaExtent x, unsigned flags)
{
    struct rt_device *d;
    struct cudaArray *a;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL || desc == NULL) {
        return cudaErrorInvalidValue;
    }
    if (element_bytes(desc) == 0) {
        return cudaErrorInvalidChannelDescriptor;
    }
    if (!is_possible(&x, flags)) {
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
    rc = take_memory(d, a);
    if (rc == cudaSuccess && !rt_handle_add(&rt_process()->handles, RT_ARRAY, a, a)) {
        (void)rt_free((void *)(uintptr_t)a->addr);
        rc = cudaErrorMemoryAllocation;
    }
    if (rc != cudaSuccess) {
        free(a);
        return rc;
    }
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
