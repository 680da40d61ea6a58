/* The calls that copy to and from arrays by position: x in bytes, y in rows. */
#include "runtime/array.h"
#include "runtime/copy.h"
#include "runtime/per_thread.h"

#define PER_THREAD cudaStreamPerThread

/* Bytes of a row that belong to elements. */
static uint64_t row_bytes(const struct cudaArray *a)
{
    return a->extent.width * a->element;
}

static cudaError_t check_box(const struct cudaArray *a, size_t x, size_t y,
                             size_t width, size_t height)
{
    if (a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    return x > row_bytes(a) || width > row_bytes(a) - x || y > rt_array_rows(a) ||
                   height > rt_array_rows(a) - y
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

static void *at(const struct cudaArray *a, size_t x, size_t y)
{
    return (void *)(uintptr_t)(a->addr + y * a->pitch + x);
}

static cudaError_t rectangle(void *dst, size_t dpitch, const void *src, size_t spitch,
                             size_t width, size_t height, enum cudaMemcpyKind kind,
                             cudaStream_t s, bool blocking)
{
    struct rt_copy c = rt_copy_line(dst, src, width, kind, blocking);

    c.height = height;
    c.dst_pitch = dpitch;
    c.src_pitch = spitch;
    return rt_copy(&c, s);
}

static cudaError_t to_array(cudaArray_t dst, size_t x, size_t y, const void *src,
                            size_t spitch, size_t width, size_t height,
                            enum cudaMemcpyKind kind, cudaStream_t s, bool blocking)
{
    const struct cudaArray *a = rt_array(dst);
    cudaError_t rc = check_box(a, x, y, width, height);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (width > spitch) {
        return cudaErrorInvalidPitchValue;
    }
    return rectangle(at(a, x, y), a->pitch, src, spitch, width, height, kind, s,
                     blocking);
}

static cudaError_t from_array(void *dst, size_t dpitch, cudaArray_const_t src, size_t x,
                              size_t y, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t s, bool blocking)
{
    const struct cudaArray *a = rt_array(src);
    cudaError_t rc = check_box(a, x, y, width, height);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (width > dpitch) {
        return cudaErrorInvalidPitchValue;
    }
    return rectangle(dst, dpitch, at(a, x, y), a->pitch, width, height, kind, s,
                     blocking);
}

static cudaError_t between(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                           size_t sx, size_t sy, size_t width, size_t height,
                           enum cudaMemcpyKind kind, cudaStream_t s)
{
    const struct cudaArray *a = rt_array(dst), *b = rt_array(src);
    cudaError_t rc = check_box(a, dx, dy, width, height);

    if (rc == cudaSuccess) {
        rc = check_box(b, sx, sy, width, height);
    }
    return rc == cudaSuccess ? rectangle(at(a, dx, dy), a->pitch, at(b, sx, sy),
                                         b->pitch, width, height, kind, s, true)
                             : rc;
}

/* A run of bytes that goes on in the next row: a beginning, whole rows, an end. */
struct run {
    const struct cudaArray *a;
    size_t x, y, count;
    char *other;
    enum cudaMemcpyKind kind;
    bool to;
};

static cudaError_t part(const struct run *r, size_t x, size_t y, size_t done,
                        size_t width, size_t rows, cudaStream_t s, bool blocking)
{
    char *other = r->other + done;

    return r->to ? rectangle(at(r->a, x, y), r->a->pitch, other, width, width, rows,
                             r->kind, s, blocking)
                 : rectangle(other, width, at(r->a, x, y), r->a->pitch, width, rows,
                             r->kind, s, blocking);
}

static cudaError_t run_of_bytes(const struct run *r, cudaStream_t s, bool blocking)
{
    size_t row, x = r->x, y = r->y, done = 0;

    if (r->a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    row = row_bytes(r->a);
    if (x >= row || y >= rt_array_rows(r->a) ||
        r->count > (rt_array_rows(r->a) - y) * row - x) {
        return cudaErrorInvalidValue;
    }
    while (done < r->count) {
        size_t left = r->count - done;
        size_t width = x > 0 || left < row ? (left < row - x ? left : row - x) : row;
        size_t rows = width == row ? left / row : 1;
        cudaError_t rc = part(r, x, y, done, width, rows, s, blocking);

        if (rc != cudaSuccess) {
            return rc;
        }
        done += width * rows;
        y += rows;
        x = 0;
    }
    return cudaSuccess;
}

static cudaError_t run_to(cudaArray_t dst, size_t x, size_t y, const void *src,
                          size_t count, enum cudaMemcpyKind kind, cudaStream_t s,
                          bool blocking)
{
    struct run r = {rt_array(dst), x, y, count, (char *)(uintptr_t)src, kind, true};

    return run_of_bytes(&r, s, blocking);
}

static cudaError_t run_from(void *dst, cudaArray_const_t src, size_t x, size_t y,
                            size_t count, enum cudaMemcpyKind kind, cudaStream_t s,
                            bool blocking)
{
    struct run r = {rt_array(src), x, y, count, dst, kind, false};

    return run_of_bytes(&r, s, blocking);
}

static cudaError_t run_between(cudaArray_t dst, size_t dx, size_t dy,
                               cudaArray_const_t src, size_t sx, size_t sy,
                               size_t count, enum cudaMemcpyKind kind, cudaStream_t s)
{
    const struct cudaArray *b = rt_array(src);

    if (b == NULL || (sx > 0 && count > row_bytes(b) - sx)) {
        return b == NULL ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    }
    if (count <= row_bytes(b) - sx) {
        return between(dst, dx, dy, src, sx, sy, count, 1, kind, s);
    }
    return count % row_bytes(b) != 0 ? cudaErrorInvalidValue
                                     : between(dst, dx, dy, src, 0, sy, row_bytes(b),
                                               count / row_bytes(b), kind, s);
}

/* ---- calls ---- */

RT_API cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y,
                                       const void *src, size_t spitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind)
{
    return RT_CALL(to_array(dst, x, y, src, spitch, width, height, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t dst, size_t x, size_t y,
                                            const void *src, size_t spitch,
                                            size_t width, size_t height,
                                            enum cudaMemcpyKind kind)
{
    return RT_CALL(
        to_array(dst, x, y, src, spitch, width, height, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y,
                                            const void *src, size_t spitch,
                                            size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(to_array(dst, x, y, src, spitch, width, height, kind, s, false));
}

RT_API cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch,
                                         cudaArray_const_t src, size_t x, size_t y,
                                         size_t width, size_t height,
                                         enum cudaMemcpyKind kind)
{
    return RT_CALL(from_array(dst, dpitch, src, x, y, width, height, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpy2DFromArray_ptds(void *dst, size_t dpitch,
                                              cudaArray_const_t src, size_t x, size_t y,
                                              size_t width, size_t height,
                                              enum cudaMemcpyKind kind)
{
    return RT_CALL(
        from_array(dst, dpitch, src, x, y, width, height, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch,
                                              cudaArray_const_t src, size_t x, size_t y,
                                              size_t width, size_t height,
                                              enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(from_array(dst, dpitch, src, x, y, width, height, kind, s, false));
}

RT_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy,
                                            cudaArray_const_t src, size_t sx, size_t sy,
                                            size_t width, size_t height,
                                            enum cudaMemcpyKind kind)
{
    return RT_CALL(between(dst, dx, dy, src, sx, sy, width, height, kind, NULL));
}

RT_API cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t dst, size_t dx, size_t dy,
                                                 cudaArray_const_t src, size_t sx,
                                                 size_t sy, size_t width, size_t height,
                                                 enum cudaMemcpyKind kind)
{
    return RT_CALL(between(dst, dx, dy, src, sx, sy, width, height, kind, PER_THREAD));
}

RT_API cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y,
                                     const void *src, size_t count,
                                     enum cudaMemcpyKind kind)
{
    return RT_CALL(run_to(dst, x, y, src, count, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpyToArray_ptds(cudaArray_t dst, size_t x, size_t y,
                                          const void *src, size_t count,
                                          enum cudaMemcpyKind kind)
{
    return RT_CALL(run_to(dst, x, y, src, count, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y,
                                          const void *src, size_t count,
                                          enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(run_to(dst, x, y, src, count, kind, s, false));
}

RT_API cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x,
                                       size_t y, size_t count, enum cudaMemcpyKind kind)
{
    return RT_CALL(run_from(dst, src, x, y, count, kind, NULL, true));
}

RT_API cudaError_t cudaMemcpyFromArray_ptds(void *dst, cudaArray_const_t src, size_t x,
                                            size_t y, size_t count,
                                            enum cudaMemcpyKind kind)
{
    return RT_CALL(run_from(dst, src, x, y, count, kind, PER_THREAD, true));
}

RT_API cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x,
                                            size_t y, size_t count,
                                            enum cudaMemcpyKind kind, cudaStream_t s)
{
    return RT_CALL(run_from(dst, src, x, y, count, kind, s, false));
}

RT_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy,
                                          cudaArray_const_t src, size_t sx, size_t sy,
                                          size_t count, enum cudaMemcpyKind kind)
{
    return RT_CALL(run_between(dst, dx, dy, src, sx, sy, count, kind, NULL));
}

RT_API cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t dst, size_t dx, size_t dy,
                                               cudaArray_const_t src, size_t sx,
                                               size_t sy, size_t count,
                                               enum cudaMemcpyKind kind)
{
    return RT_CALL(run_between(dst, dx, dy, src, sx, sy, count, kind, PER_THREAD));
}
