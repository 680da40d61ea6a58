#include "runtime/rt.h"
#include <stddef.h>

static const struct {
    int number;
    const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) {number, #name, text},
#include "runtime/errors.inc"
#undef ERROR
};

static const char unknown[] = "unrecognized error code";

RT_API const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (errors[i].number == (int)error) {
            return errors[i].name;
        }
    }
    return unknown;
}

RT_API const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        if (errors[i].number == (int)error) {
            return errors[i].text;
        }
    }
    return unknown;
}

RT_API cudaError_t cudaGetLastError(void)
{
    cudaError_t e = rt_thread()->last;

    rt_thread()->last = cudaSuccess;
    return e;
}

RT_API cudaError_t cudaPeekAtLastError(void)
{
    return rt_thread()->last;
}

cudaError_t rt_error_of(enum smw_code code)
{
    switch (code) {
    case SMW_CODE_NONE: return cudaErrorUnknown;
    /* Configurations: so it is in CUDA 13.0, seen on an H100. The documentation has a
     * number of their own, cudaErrorInvalidConfiguration. */
    case SMW_CODE_INVALID_CONFIGURATION:
    case SMW_CODE_INVALID_VALUE:
    case SMW_CODE_INVALID_ADDRESS: return cudaErrorInvalidValue;
    case SMW_CODE_OUT_OF_MEMORY: return cudaErrorMemoryAllocation;
    case SMW_CODE_OUT_OF_RESOURCES: return cudaErrorLaunchOutOfResources;
    case SMW_CODE_INVALID_PTX:
    case SMW_CODE_UNSUPPORTED_PTX: return cudaErrorInvalidPtx;
    case SMW_CODE_NO_KERNEL_IMAGE: return cudaErrorNoKernelImageForDevice;
    case SMW_CODE_NOT_FOUND: return cudaErrorSymbolNotFound;
    case SMW_CODE_COOPERATIVE_TOO_LARGE: return cudaErrorCooperativeLaunchTooLarge;
    case SMW_CODE_INVALID_CLUSTER: return cudaErrorInvalidClusterSize;
    case SMW_CODE_NOT_SUPPORTED: return cudaErrorNotSupported;
    case SMW_CODE_ILLEGAL_ADDRESS: return cudaErrorIllegalAddress;
    case SMW_CODE_MISALIGNED: return cudaErrorMisalignedAddress;
    case SMW_CODE_ILLEGAL_INSTRUCTION: return cudaErrorIllegalInstruction;
    case SMW_CODE_ASSERT: return cudaErrorAssert;
    case SMW_CODE_TRAP:
    case SMW_CODE_LAUNCH_FAILURE: return cudaErrorLaunchFailure;
    case SMW_CODE_DEADLOCK:
    case SMW_CODE_TIMEOUT: return cudaErrorLaunchTimeout;
    }
    return cudaErrorUnknown;
}
