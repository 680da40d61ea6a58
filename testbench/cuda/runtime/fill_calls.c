/* The calls that fill memory. */
#include "runtime/copy.h"
#include "runtime/per_thread.h"

static cudaError_t fill(void *p, size_t pitch, int value, size_t width, size_t height,
                        cudaStream_t s, bool blocking)
{
    struct rt_fill f = {
        .dst = (uint64_t)(uintptr_t)p,
        .width = width,
        .height = height,
        .pitch = pitch,
        .value = (uint32_t)value & 0xff,
        .value_bytes = 1,
    };

    return rt_fill(&f, s, blocking);
}

/* Layers follow each other: all rows are one rectangle, unless the box is lower than
 * what it is in. */
static cudaError_t fill_box(struct cudaPitchedPtr p, int value, struct cudaExtent x,
                            cudaStream_t s, bool blocking)
{
    for (size_t z = 0; z < x.depth; z++) {
        cudaError_t rc = fill((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value,
                              x.width, x.height, s, blocking);

        if (rc != cudaSuccess) {
            return rc;
        }
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaMemset(void *p, int value, size_t count)
{
    return RT_CALL(fill(p, count, value, count, 1, NULL, true));
}

RT_API cudaError_t cudaMemset_ptds(void *p, int value, size_t count)
{
    return RT_CALL(fill(p, count, value, count, 1, cudaStreamPerThread, true));
}

RT_API cudaError_t cudaMemsetAsync(void *p, int value, size_t count, cudaStream_t s)
{
    return RT_CALL(fill(p, count, value, count, 1, s, false));
}

RT_API cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width,
                                size_t height)
{
    return RT_CALL(fill(p, pitch, value, width, height, NULL, true));
}

RT_API cudaError_t cudaMemset2D_ptds(void *p, size_t pitch, int value, size_t width,
                                     size_t height)
{
    return RT_CALL(fill(p, pitch, value, width, height, cudaStreamPerThread, true));
}

RT_API cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                                     size_t height, cudaStream_t s)
{
    return RT_CALL(fill(p, pitch, value, width, height, s, false));
}

RT_API cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent x)
{
    return RT_CALL(fill_box(p, value, x, NULL, true));
}

RT_API cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr p, int value,
                                     struct cudaExtent x)
{
    return RT_CALL(fill_box(p, value, x, cudaStreamPerThread, true));
}

RT_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value,
                                     struct cudaExtent x, cudaStream_t s)
{
    return RT_CALL(fill_box(p, value, x, s, false));
}
