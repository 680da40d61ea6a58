/* The calls that copy: each becomes a box of bytes. */
#include "runtime/array.h"
#include "runtime/copy.h"
#include "runtime/module.h"

#include "runtime/per_thread.h"

#define PER_THREAD cudaStreamPerThread

static uint64_t address(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

struct rt_copy rt_copy_line(const void *dst, const void *src, uint64_t count,
                            enum cudaMemcpyKind kind, bool blocking)
{
    struct rt_copy c = {
        .dst = address(dst),
        .src = address(src),
        .width = count,
        .height = 1,
        .depth = 1,
        .dst_pitch = count,
        .src_pitch = count,
        .dst_layer = count,
        .src_layer = count,
        .kind = kind,
        .blocking = blocking,
    };

    c.as_asked.srcPtr =
        (struct cudaPitchedPtr){(void *)(uintptr_t)src, count, count, 1};
    c.as_asked.dstPtr =
        (struct cudaPitchedPtr){(void *)(uintptr_t)dst, count, count, 1};
    c.as_asked.extent = (struct cudaExtent){count, 1, 1};
    c.as_asked.kind = kind;
    return c;
}

static struct rt_copy rectangle(const void *dst, size_t dpitch, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind, bool blocking)
{
    struct rt_copy c = rt_copy_line(dst, src, width, kind, blocking);

    c.height = height;
    c.dst_pitch = dpitch;
    c.src_pitch = spitch;
    c.as_asked.srcPtr.pitch = spitch;
    c.as_asked.dstPtr.pitch = dpitch;
    c.as_asked.srcPtr.ysize = c.as_asked.dstPtr.ysize = height;
    c.as_asked.extent.height = height;
    return c;
}

static cudaError_t line(void *dst, const void *src, size_t count,
                        enum cudaMemcpyKind kind, cudaStream_t s, bool blocking)
{
    struct rt_copy c = rt_copy_line(dst, src, count, kind, blocking);

    return rt_copy(&c, s);
}

RT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return RT_CALL(line(dst, src, count, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t count,
                                   enum cudaMemcpyKind kind)
{
    return RT_CALL(line(dst, src, count, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(line(dst, src, count, kind, s, false));
}

static cudaError_t flat(void *dst, size_t dpitch, const void *src, size_t spitch,
                        size_t width, size_t height, enum cudaMemcpyKind kind,
                        cudaStream_t s, bool blocking)
{
    struct rt_copy c =
        rectangle(dst, dpitch, src, spitch, width, height, kind, blocking);

    if ((unsigned)kind <= cudaMemcpyDefault && (width > dpitch || width > spitch)) {
        return height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
    }
    return rt_copy(&c, s);
}

RT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    return RT_CALL(flat(dst, dpitch, src, spitch, width, height, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpy2D_ptds(void *dst, size_t dpitch, const void *src,
                                     size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    return RT_CALL(
        flat(dst, dpitch, src, spitch, width, height, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                                     size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(flat(dst, dpitch, src, spitch, width, height, kind, s, false));
}

/* ---- three dimensions ---- */

struct side {
    uint64_t addr, pitch, layer, element;
};

/* One side of cudaMemcpy3D(): an array, whose positions count elements, or memory,
 * whose positions count bytes. */
static cudaError_t side_of(cudaArray_const_t handle, const struct cudaPitchedPtr *p,
                           const struct cudaPos *at, const struct cudaExtent *x,
                           struct side *out)
{
    const struct cudaArray *a = rt_array(handle);

    if ((handle != NULL) == (p->ptr != NULL)) {
        return cudaErrorInvalidValue;
    }
    if (handle == NULL) {
        out->element = 1;
        out->pitch = p->pitch;
        out->layer = p->pitch * (x->depth > 1 ? p->ysize : x->height);
        out->addr = address(p->ptr) + at->x + at->y * p->pitch + at->z * out->layer;
        if (x->depth > 1 && p->ysize < x->height + at->y) {
            return cudaErrorInvalidValue;
        }
        return cudaSuccess;
    }
    if (a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    if (at->x + x->width > a->extent.width || at->y + x->height > rt_array_rows(a) ||
        at->z + x->depth > (a->extent.depth > 0 ? a->extent.depth : 1)) {
        return cudaErrorInvalidValue;
    }
    out->element = a->element;
    out->pitch = a->pitch;
    out->layer = a->pitch * rt_array_rows(a);
    out->addr = a->addr + at->x * a->element + at->y * out->pitch + at->z * out->layer;
    return cudaSuccess;
}

cudaError_t rt_copy_of_parms(const struct cudaMemcpy3DParms *p, bool blocking,
                             struct rt_copy *out)
{
    struct side dst, src;
    struct rt_copy c = {.blocking = blocking};
    uint64_t element;
    cudaError_t rc;

    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    if (p->extent.width == 0 || p->extent.height == 0 || p->extent.depth == 0) {
        *out = c; /* nothing, from wherever */
        return cudaSuccess;
    }
    rc = side_of(p->srcArray, &p->srcPtr, &p->srcPos, &p->extent, &src);
    if (rc == cudaSuccess) {
        rc = side_of(p->dstArray, &p->dstPtr, &p->dstPos, &p->extent, &dst);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    /* With an array the extent counts its elements. */
    element = p->srcArray != NULL ? src.element : dst.element;
    if (p->srcArray != NULL && p->dstArray != NULL && src.element != dst.element) {
        return cudaErrorInvalidValue;
    }
    c.dst = dst.addr;
    c.src = src.addr;
    c.width = p->extent.width * element;
    c.height = p->extent.height;
    c.depth = p->extent.depth;
    c.dst_pitch = dst.pitch;
    c.src_pitch = src.pitch;
    c.dst_layer = dst.layer;
    c.src_layer = src.layer;
    c.kind = p->kind;
    c.as_asked = *p;
    *out = c;
    return cudaSuccess;
}

static cudaError_t box(const struct cudaMemcpy3DParms *p, cudaStream_t s, bool blocking)
{
    struct rt_copy c;
    cudaError_t rc = rt_copy_of_parms(p, blocking, &c);

    return rc == cudaSuccess ? rt_copy(&c, s) : rc;
}

RT_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return RT_CALL(box(p, NULL, true));
}

RT_API cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *p)
{
    return RT_CALL(box(p, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t s)
{
    return RT_CALL(box(p, s, false));
}

/* ---- between devices ---- */

/* Addresses are unified: the devices' numbers are checked and say nothing new. */
static cudaError_t peer(void *dst, int to, const void *src, int from, size_t count,
                        cudaStream_t s, bool blocking)
{
    struct rt_device *d;
    struct rt_copy c =
        rt_copy_line(dst, src, count, cudaMemcpyDeviceToDevice, blocking);
    cudaError_t rc = rt_device_open(to, &d);

    if (rc == cudaSuccess) {
        rc = rt_device_open(from, &d);
    }
    return rc == cudaSuccess ? rt_copy(&c, s) : rc;
}

RT_API cudaError_t cudaMemcpyPeer(void *dst, int to, const void *src, int from,
                                  size_t count)
{
    return RT_CALL(peer(dst, to, src, from, count, NULL, true));
}

RT_API cudaError_t cudaMemcpyPeerAsync(void *dst, int to, const void *src, int from,
                                       size_t count, cudaStream_t s)
{
    return RT_CALL(peer(dst, to, src, from, count, s, false));
}

static cudaError_t peer_box(const struct cudaMemcpy3DPeerParms *p, cudaStream_t s,
                            bool blocking)
{
    struct cudaMemcpy3DParms q;
    struct rt_device *d;
    cudaError_t rc;

    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_device_open(p->dstDevice, &d);
    if (rc == cudaSuccess) {
        rc = rt_device_open(p->srcDevice, &d);
    }
    q = (struct cudaMemcpy3DParms){p->srcArray, p->srcPos,        p->srcPtr,
                                   p->dstArray, p->dstPos,        p->dstPtr,
                                   p->extent,   cudaMemcpyDefault};
    return rc == cudaSuccess ? box(&q, s, blocking) : rc;
}

RT_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return RT_CALL(peer_box(p, NULL, true));
}

RT_API cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *p)
{
    return RT_CALL(peer_box(p, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                         cudaStream_t s)
{
    return RT_CALL(peer_box(p, s, false));
}

/* ---- symbols ---- */

cudaError_t rt_symbol_at(const void *symbol, uint64_t offset, uint64_t count,
                         uint64_t *addr)
{
    struct rt_variable *v;
    struct rt_device *d;
    uint64_t at;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess) {
        rc = rt_symbol(d, symbol, &v, &at);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (offset > v->size || count > v->size - offset) {
        return cudaErrorInvalidValue;
    }
    *addr = at + offset;
    return cudaSuccess;
}

static cudaError_t symbol_copy(const void *symbol, const void *other, size_t count,
                               size_t offset, enum cudaMemcpyKind kind, cudaStream_t s,
                               bool to_symbol, bool blocking)
{
    struct rt_copy c;
    uint64_t at;
    cudaError_t rc = rt_symbol_at(symbol, offset, count, &at);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault &&
        kind != (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost)) {
        return cudaErrorInvalidMemcpyDirection;
    }
    c = to_symbol ? rt_copy_line((void *)(uintptr_t)at, other, count, kind, blocking)
                  : rt_copy_line(other, (void *)(uintptr_t)at, count, kind, blocking);
    return rt_copy(&c, s);
}

RT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                                      size_t offset, enum cudaMemcpyKind kind)
{
    return RT_CALL(symbol_copy(symbol, src, count, offset, kind, NULL, true, true));
}

RT_API cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *src,
                                           size_t count, size_t offset,
                                           enum cudaMemcpyKind kind)
{
    return RT_CALL(
        symbol_copy(symbol, src, count, offset, kind, PER_THREAD, true, true));
}

RT_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                           size_t count, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(symbol_copy(symbol, src, count, offset, kind, s, true, false));
}

RT_API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                        size_t offset, enum cudaMemcpyKind kind)
{
    return RT_CALL(symbol_copy(symbol, dst, count, offset, kind, NULL, false, true));
}

RT_API cudaError_t cudaMemcpyFromSymbol_ptds(void *dst, const void *symbol,
                                             size_t count, size_t offset,
                                             enum cudaMemcpyKind kind)
{
    return RT_CALL(
        symbol_copy(symbol, dst, count, offset, kind, PER_THREAD, false, true));
}

RT_API cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                             size_t count, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(symbol_copy(symbol, dst, count, offset, kind, s, false, false));
}

static cudaError_t symbol_address(void **p, const void *symbol)
{
    uint64_t at;
    cudaError_t rc;

    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_symbol_at(symbol, 0, 0, &at);
    if (rc == cudaSuccess) {
        *p = (void *)(uintptr_t)at;
    }
    return rc;
}

RT_API cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
    return RT_CALL(symbol_address(p, symbol));
}

static cudaError_t symbol_size(size_t *size, const void *symbol)
{
    struct rt_variable *v;
    struct rt_device *d;
    uint64_t at;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess && size == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        rc = rt_symbol(d, symbol, &v, &at);
    }
    if (rc == cudaSuccess) {
        *size = v->size;
    }
    return rc;
}

RT_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    return RT_CALL(symbol_size(size, symbol));
}
