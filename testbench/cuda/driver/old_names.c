/*
 * Names without _v2, for programs that look functions up by themselves and were written
 * for the oldest driver. With addresses of 64 bits both forms are the same function:
 * only those are here of which that is so.
 */
#include "driver/driver.h"

#undef cuCtxDestroy /* cuda.h says the second form for each */
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuEventDestroy
#undef cuMemHostRegister
#undef cuStreamDestroy

#define OLD_NAME(name, declared, given)                                                \
    RT_API CUresult name declared;                                                     \
    RT_API CUresult name declared                                                      \
    {                                                                                  \
        return name##_v2 given;                                                        \
    }

OLD_NAME(cuCtxDestroy, (CUcontext context), (context))
OLD_NAME(cuCtxPopCurrent, (CUcontext * context), (context))
OLD_NAME(cuCtxPushCurrent, (CUcontext context), (context))
OLD_NAME(cuDevicePrimaryCtxRelease, (CUdevice device), (device))
OLD_NAME(cuDevicePrimaryCtxReset, (CUdevice device), (device))
OLD_NAME(cuDevicePrimaryCtxSetFlags, (CUdevice device, unsigned flags), (device, flags))
OLD_NAME(cuEventDestroy, (CUevent event), (event))
OLD_NAME(cuMemHostRegister, (void *p, size_t bytes, unsigned flags), (p, bytes, flags))
OLD_NAME(cuStreamDestroy, (CUstream stream), (stream))
