#include "runtime/memory.h"
#include "runtime/capture.h"
#include "runtime/module.h"
#include <string.h>

/* Rows of cudaMallocPitch() and cudaMalloc3D() begin at multiples of this: what devices
 * have done since 2.0 (seen: 512). */
enum { PITCH = 512 };

bool rt_place(uint64_t addr, struct rt_place *out)
{
    struct rt *rt = rt_process();
    const struct rt_range *r = rt_range_find(&rt->ranges, addr);
    struct smw_allocation a;

    if (r != NULL) {
        *out = (struct rt_place){
            .device = r->kind == RT_DEVICE_MEMORY,
            .pinned = r->kind != RT_DEVICE_MEMORY,
            .of = r->device,
            .left = r->addr + r->bytes - addr,
            .begin = r->addr,
        };
        return true;
    }
    /* a variable of a module, or host memory by the address the device has for it */
    for (uint32_t i = 0; i < rt->settings.n_devices; i++) {
        if (rt->device[i].dev != NULL && smw_find(rt->device[i].dev, addr, &a)) {
            *out = (struct rt_place){
                .device = true,
                .of = i,
                .left = a.addr + a.bytes - addr,
                .begin = a.addr,
            };
            return true;
        }
    }
    return false;
}

cudaError_t rt_malloc(struct rt_device *d, uint64_t bytes, void *pool, void **p)
{
    struct smw_err e = {0};
    uint64_t addr;

    /* No message: programs try how much there is. */
    if (!smw_alloc(d->dev, bytes, &addr, &e)) {
        return smw_fault(d->dev) != NULL && smw_fault(d->dev)->kind != SMW_ERR_NONE
                   ? rt_ran(d, false, &e, "cudaMalloc")
                   : cudaErrorMemoryAllocation;
    }
    return rt_adopt(d, addr, bytes, pool, p);
}

cudaError_t rt_adopt(struct rt_device *d, uint64_t addr, uint64_t bytes, void *pool,
                     void **p)
{
    struct smw_err e = {0};
    struct rt_range r = {
        .addr = addr,
        .on_device = addr,
        .bytes = bytes,
        .kind = RT_DEVICE_MEMORY,
        .device = rt_device_index(d),
        .pool = pool,
    };

    if (!rt_range_add(&rt_process()->ranges, &r)) {
        (void)smw_free(d->dev, r.addr, &e);
        return cudaErrorMemoryAllocation;
    }
    *p = (void *)(uintptr_t)r.addr;
    return cudaSuccess;
}

void rt_keep(void *p)
{
    struct rt_range *r = rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)p);

    if (r != NULL) {
        r->of_graph = true;
    }
}

cudaError_t rt_free(void *p)
{
    struct rt *rt = rt_process();
    struct rt_range *r = rt_range_find(&rt->ranges, (uint64_t)(uintptr_t)p);
    struct smw_err e = {0};
    struct rt_device *d;
    cudaError_t rc;

    if (r == NULL || r->addr != (uint64_t)(uintptr_t)p || r->kind != RT_DEVICE_MEMORY) {
        return cudaErrorInvalidValue;
    }
    rc = rt_device_open((int)r->device, &d);
    if (rc == cudaSuccess) {
        rc = rt_settle(d);
    }
    if (rc != cudaSuccess || r->of_graph) {
        return rc;
    }
    rc = rt_ran(d, smw_free(d->dev, r->addr, &e), &e, "cudaFree");
    if (rc == cudaSuccess) {
        rt_range_remove(&rt->ranges, r);
    }
    return rc;
}

/* ---- calls ---- */

static cudaError_t take(void **p, size_t bytes)
{
    struct rt_device *d;
    cudaError_t rc;

    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_current(&d);
    if (rc == cudaSuccess) {
        rc = rt_capture_forbids();
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    return rt_malloc(d, bytes, NULL, p);
}

RT_API cudaError_t cudaMalloc(void **p, size_t bytes)
{
    return RT_CALL(take(p, bytes));
}

static cudaError_t give(void *p)
{
    struct rt_device *d;
    const struct rt_range *r;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess || p == NULL) {
        return rc;
    }
    rc = rt_capture_forbids();
    if (rc != cudaSuccess) {
        return rc;
    }
    r = rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)p);
    if (r != NULL && r->kind == RT_MANAGED) {
        return rt_free_host(p, RT_MANAGED);
    }
    return rt_free(p);
}

RT_API cudaError_t cudaFree(void *p)
{
    return RT_CALL(give(p));
}

static uint64_t pitch_of(uint64_t width)
{
    return (width + PITCH - 1) / PITCH * PITCH;
}

static cudaError_t take_pitched(struct cudaPitchedPtr *out, struct cudaExtent x)
{
    struct rt_device *d;
    uint64_t pitch, rows;
    void *p = NULL;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (x.width > INT32_MAX) { /* cudaDeviceProp.memPitch */
        return cudaErrorInvalidValue;
    }
    pitch = pitch_of(x.width);
    if (__builtin_mul_overflow(x.height, x.depth, &rows) ||
        (pitch > 0 && rows > UINT64_MAX / pitch)) {
        return cudaErrorMemoryAllocation;
    }
    if (pitch * rows > 0) {
        rc = rt_malloc(d, pitch * rows, NULL, &p);
    }
    if (rc == cudaSuccess) {
        out->ptr = p;
        out->pitch = pitch;
        out->xsize = x.width;
        out->ysize = x.height;
    }
    return rc;
}

static cudaError_t malloc_pitch(void **p, size_t *pitch, size_t width, size_t height)
{
    struct cudaExtent x = {.width = width, .height = height, .depth = 1};
    struct cudaPitchedPtr at;
    cudaError_t rc;

    if (p == NULL || pitch == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = take_pitched(&at, x);
    if (rc == cudaSuccess) {
        *p = at.ptr;
        *pitch = at.pitch;
    }
    return rc;
}

RT_API cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    return RT_CALL(malloc_pitch(p, pitch, width, height));
}

RT_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent x)
{
    return RT_CALL(p == NULL ? cudaErrorInvalidValue : take_pitched(p, x));
}

static cudaError_t memory_info(size_t *free_bytes, size_t *total)
{
    struct rt_device *d;
    uint64_t f, t;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    smw_memory_info(d->dev, &f, &t);
    if (free_bytes != NULL) {
        *free_bytes = f;
    }
    if (total != NULL) {
        *total = t;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    return RT_CALL(memory_info(free_bytes, total));
}

static cudaError_t pointer_attributes(struct cudaPointerAttributes *a, const void *p)
{
    uint64_t addr = (uint64_t)(uintptr_t)p;
    const struct rt_range *r;
    struct rt_place place;
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (a == NULL) {
        return cudaErrorInvalidValue;
    }
    memset(a, 0, sizeof(*a));
    if (!rt_place(addr, &place)) {
        a->type = cudaMemoryTypeUnregistered;
        a->device = cudaInvalidDeviceId;
        a->hostPointer = (void *)(uintptr_t)addr;
        return cudaSuccess;
    }
    r = rt_range_find(&rt_process()->ranges, addr);
    a->device = (int)place.of;
    if (place.device) {
        a->type = cudaMemoryTypeDevice;
        a->devicePointer = (void *)(uintptr_t)addr;
        return cudaSuccess;
    }
    a->type = r->kind == RT_MANAGED ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    a->hostPointer = (void *)(uintptr_t)addr;
    a->devicePointer =
        r->on_device != 0 ? (void *)(uintptr_t)(r->on_device + (addr - r->addr)) : NULL;
    return cudaSuccess;
}

RT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
                                            const void *p)
{
    return RT_CALL(pointer_attributes(a, p));
}
