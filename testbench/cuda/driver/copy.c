/* Copies and fills. */
#include "runtime/copy.h"
#include "driver/driver.h"

static void *pointer(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

RT_API CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return CU_CONTEXT(cudaMemcpy(pointer(dst), pointer(src), n, cudaMemcpyDefault));
}

RT_API CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream s)
{
    return CU_CONTEXT(
        cudaMemcpyAsync(pointer(dst), pointer(src), n, cudaMemcpyDefault, s));
}

RT_API CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t n)
{
    return CU_CONTEXT(cudaMemcpy(pointer(dst), src, n, cudaMemcpyHostToDevice));
}

RT_API CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t n)
{
    return CU_CONTEXT(cudaMemcpy(dst, pointer(src), n, cudaMemcpyDeviceToHost));
}

RT_API CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t n)
{
    return CU_CONTEXT(
        cudaMemcpy(pointer(dst), pointer(src), n, cudaMemcpyDeviceToDevice));
}

RT_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t n,
                                     CUstream s)
{
    return CU_CONTEXT(cudaMemcpyAsync(pointer(dst), src, n, cudaMemcpyHostToDevice, s));
}

RT_API CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t n, CUstream s)
{
    return CU_CONTEXT(cudaMemcpyAsync(dst, pointer(src), n, cudaMemcpyDeviceToHost, s));
}

RT_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t n,
                                     CUstream s)
{
    return CU_CONTEXT(
        cudaMemcpyAsync(pointer(dst), pointer(src), n, cudaMemcpyDeviceToDevice, s));
}

/* Addresses say which device they are of; the contexts must be some. */
static CUresult two_contexts(CUcontext a, CUcontext b)
{
    return a != NULL && b != NULL && cu_context_lives(a) && cu_context_lives(b)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_CONTEXT;
}

RT_API CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext to, CUdeviceptr src,
                             CUcontext from, size_t n)
{
    CUresult rc = CU_LOCKED(true, two_contexts(to, from));

    return rc == CUDA_SUCCESS ? cuMemcpyDtoD_v2(dst, src, n) : rc;
}

RT_API CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src,
                                  CUcontext from, size_t n, CUstream s)
{
    CUresult rc = CU_LOCKED(true, two_contexts(to, from));

    return rc == CUDA_SUCCESS ? cuMemcpyDtoDAsync_v2(dst, src, n, s) : rc;
}

/* ---- rectangles ---- */

struct side {
    const char *at;
    size_t pitch;
};

/* pitch 0: rows one behind the other. */
static CUresult side_of(CUmemorytype type, const void *host, CUdeviceptr device,
                        size_t pitch, size_t x, size_t y, size_t width,
                        struct side *out)
{
    const char *base = NULL;

    switch ((int)type) {
    case CU_MEMORYTYPE_HOST: base = host; break;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: base = pointer(device); break;
    case CU_MEMORYTYPE_ARRAY:
        rt_say("cuMemcpy2D: arrays of the driver interface are not supported");
        return CUDA_ERROR_NOT_SUPPORTED;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    if (base == NULL || (pitch != 0 && (x > pitch || width > pitch - x))) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    out->pitch = pitch != 0 ? pitch : x + width;
    out->at = (const char *)((uintptr_t)base + y * out->pitch + x);
    return CUDA_SUCCESS;
}

static enum cudaMemcpyKind kind_of(CUmemorytype dst, CUmemorytype src)
{
    if (dst == CU_MEMORYTYPE_UNIFIED || src == CU_MEMORYTYPE_UNIFIED) {
        return cudaMemcpyDefault;
    }
    if (dst == CU_MEMORYTYPE_HOST) {
        return src == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost
                                         : cudaMemcpyDeviceToHost;
    }
    return src == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice
                                     : cudaMemcpyDeviceToDevice;
}

static CUresult rectangle(const CUDA_MEMCPY2D *c, CUstream s, bool blocking)
{
    struct side dst, src;
    enum cudaMemcpyKind kind;
    CUresult rc;

    if (c == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (c->WidthInBytes == 0 || c->Height == 0) {
        return CUDA_SUCCESS;
    }
    rc = side_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch,
                 c->dstXInBytes, c->dstY, c->WidthInBytes, &dst);
    if (rc == CUDA_SUCCESS) {
        rc = side_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch,
                     c->srcXInBytes, c->srcY, c->WidthInBytes, &src);
    }
    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    kind = kind_of(c->dstMemoryType, c->srcMemoryType);
    return cu_of(blocking ? cudaMemcpy2D((void *)(uintptr_t)dst.at, dst.pitch, src.at,
                                         src.pitch, c->WidthInBytes, c->Height, kind)
                          : cudaMemcpy2DAsync((void *)(uintptr_t)dst.at, dst.pitch,
                                              src.at, src.pitch, c->WidthInBytes,
                                              c->Height, kind, s));
}

RT_API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *c)
{
    return cu_begin(true) ? cu_end(rectangle(c, NULL, true)) : cu_refused();
}

RT_API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *c)
{
    return cuMemcpy2D_v2(c);
}

RT_API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream s)
{
    return cu_begin(true) ? cu_end(rectangle(c, s, false)) : cu_refused();
}

/* ---- fills: n elements of value_bytes in each row ---- */

static CUresult fill(CUdeviceptr dst, size_t pitch, uint32_t value, uint32_t bytes,
                     size_t n, size_t height, CUstream s, bool blocking)
{
    struct rt_fill f = {
        .dst = dst,
        .height = height,
        .pitch = pitch,
        .value = value,
        .value_bytes = bytes,
    };

    if (__builtin_mul_overflow(n, bytes, &f.width) || dst % bytes != 0 ||
        (height > 1 && pitch % bytes != 0)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (height == 1) {
        f.pitch = f.width;
    }
    return cu_of(rt_fill(&f, s, blocking));
}

RT_API CUresult cuMemsetD8_v2(CUdeviceptr dst, unsigned char value, size_t n)
{
    return CU_LOCKED(true, fill(dst, 0, value, 1, n, 1, NULL, true));
}

RT_API CUresult cuMemsetD16_v2(CUdeviceptr dst, unsigned short value, size_t n)
{
    return CU_LOCKED(true, fill(dst, 0, value, 2, n, 1, NULL, true));
}

RT_API CUresult cuMemsetD32_v2(CUdeviceptr dst, unsigned value, size_t n)
{
    return CU_LOCKED(true, fill(dst, 0, value, 4, n, 1, NULL, true));
}

RT_API CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t n,
                                CUstream s)
{
    return CU_LOCKED(true, fill(dst, 0, value, 1, n, 1, s, false));
}

RT_API CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t n,
                                 CUstream s)
{
    return CU_LOCKED(true, fill(dst, 0, value, 2, n, 1, s, false));
}

RT_API CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t n, CUstream s)
{
    return CU_LOCKED(true, fill(dst, 0, value, 4, n, 1, s, false));
}

RT_API CUresult cuMemsetD2D8_v2(CUdeviceptr dst, size_t pitch, unsigned char value,
                                size_t n, size_t height)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 1, n, height, NULL, true));
}

RT_API CUresult cuMemsetD2D16_v2(CUdeviceptr dst, size_t pitch, unsigned short value,
                                 size_t n, size_t height)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 2, n, height, NULL, true));
}

RT_API CUresult cuMemsetD2D32_v2(CUdeviceptr dst, size_t pitch, unsigned value,
                                 size_t n, size_t height)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 4, n, height, NULL, true));
}

RT_API CUresult cuMemsetD2D8Async(CUdeviceptr dst, size_t pitch, unsigned char value,
                                  size_t n, size_t height, CUstream s)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 1, n, height, s, false));
}

RT_API CUresult cuMemsetD2D16Async(CUdeviceptr dst, size_t pitch, unsigned short value,
                                   size_t n, size_t height, CUstream s)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 2, n, height, s, false));
}

RT_API CUresult cuMemsetD2D32Async(CUdeviceptr dst, size_t pitch, unsigned value,
                                   size_t n, size_t height, CUstream s)
{
    return CU_LOCKED(true, fill(dst, pitch, value, 4, n, height, s, false));
}
