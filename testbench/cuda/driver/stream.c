/* Streams and events: they are the runtime's. */
#include "driver/driver.h"

RT_API CUresult cuStreamCreate(CUstream *s, unsigned flags)
{
    return CU_CONTEXT(cudaStreamCreateWithFlags(s, flags));
}

RT_API CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return CU_CONTEXT(cudaStreamCreateWithPriority(s, flags, priority));
}

RT_API CUresult cuStreamGetPriority(CUstream s, int *priority)
{
    return CU_CONTEXT(cudaStreamGetPriority(s, priority));
}

RT_API CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
    return CU_CONTEXT(cudaStreamGetFlags(s, flags));
}

/* Contexts of a device share its streams: the current one, if it is of that device. */
static CUresult get_context(CUstream handle, CUcontext *out)
{
    struct CUstream_st *s;
    CUresult rc = cu_of(rt_stream(handle, &s));

    if (rc == CUDA_SUCCESS && out == NULL) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) {
        *out = cu_current()->device == s->device ? cu_current() : cu_primary(s->device);
    }
    return rc;
}

RT_API CUresult cuStreamGetCtx(CUstream s, CUcontext *c)
{
    return CU_LOCKED(true, get_context(s, c));
}

RT_API CUresult cuStreamWaitEvent(CUstream s, CUevent event, unsigned flags)
{
    return CU_CONTEXT(cudaStreamWaitEvent(s, event, flags));
}

/* The two types differ in the enumeration of the second parameter alone, and of that
 * both say int and give 0. */
union callback {
    CUstreamCallback driver;
    cudaStreamCallback_t runtime;
};

RT_API CUresult cuStreamAddCallback(CUstream s, CUstreamCallback fn, void *arg,
                                    unsigned flags)
{
    union callback c = {.driver = fn};

    return CU_CONTEXT(cudaStreamAddCallback(s, c.runtime, arg, flags));
}

RT_API CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void *arg)
{
    return CU_CONTEXT(cudaLaunchHostFunc(s, fn, arg));
}

RT_API CUresult cuStreamQuery(CUstream s)
{
    return CU_CONTEXT(cudaStreamQuery(s));
}

RT_API CUresult cuStreamSynchronize(CUstream s)
{
    return CU_CONTEXT(cudaStreamSynchronize(s));
}

RT_API CUresult cuStreamDestroy_v2(CUstream s)
{
    return CU_CONTEXT(cudaStreamDestroy(s));
}

RT_API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    return CU_CONTEXT(cudaEventCreateWithFlags(event, flags));
}

RT_API CUresult cuEventRecord(CUevent event, CUstream s)
{
    return CU_CONTEXT(cudaEventRecord(event, s));
}

RT_API CUresult cuEventQuery(CUevent event)
{
    return CU_CONTEXT(cudaEventQuery(event));
}

RT_API CUresult cuEventSynchronize(CUevent event)
{
    return CU_CONTEXT(cudaEventSynchronize(event));
}

RT_API CUresult cuEventDestroy_v2(CUevent event)
{
    return CU_CONTEXT(cudaEventDestroy(event));
}

RT_API CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return CU_CONTEXT(cudaEventElapsedTime(ms, start, end));
}

RT_API CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end)
{
    return cuEventElapsedTime(ms, start, end);
}
