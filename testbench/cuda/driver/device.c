/* The devices, and what they are. */
#include "driver/driver.h"
#include "runtime/properties.h"
#include <string.h>

/* Features of real devices that the modelled ones are without: asked for, each is 0. */
static const CUdevice_attribute absent[] = {
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_MPS_ENABLED,
};

RT_API CUresult cuDeviceGetCount(int *n)
{
    return CU_DEVICE(cudaGetDeviceCount(n));
}

/* A device is its number. */
static CUresult get(CUdevice *device, int i)
{
    if (device == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (i < 0 || (uint32_t)i >= rt_process()->settings.n_devices) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    *device = i;
    return CUDA_SUCCESS;
}

RT_API CUresult cuDeviceGet(CUdevice *device, int i)
{
    return CU_LOCKED(false, get(device, i));
}

static CUresult properties(struct cudaDeviceProp *p, CUdevice device)
{
    struct rt_device *d;
    CUresult rc = cu_of(rt_device_known(device, &d));

    if (rc == CUDA_SUCCESS) {
        rt_properties(d, p);
    }
    return rc;
}

/* Cut where the room ends. */
static CUresult get_name(char *name, int size, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult rc = properties(&p, device);
    size_t n;

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (name == NULL || size <= 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    n = strlen(p.name) < (size_t)size - 1 ? strlen(p.name) : (size_t)size - 1;
    memcpy(name, p.name, n);
    name[n] = '\0';
    return CUDA_SUCCESS;
}

RT_API CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    return CU_LOCKED(false, get_name(name, size, device));
}

static CUresult get_uuid(CUuuid *uuid, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult rc = properties(&p, device);

    if (rc == CUDA_SUCCESS && uuid == NULL) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) {
        memcpy(uuid->bytes, p.uuid.bytes, sizeof(uuid->bytes));
    }
    return rc;
}

RT_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    return CU_LOCKED(false, get_uuid(uuid, device));
}

RT_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    return CU_LOCKED(false, get_uuid(uuid, device));
}

static CUresult total(size_t *bytes, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult rc = properties(&p, device);

    if (rc == CUDA_SUCCESS && bytes == NULL) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) {
        *bytes = p.totalGlobalMem;
    }
    return rc;
}

RT_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    return CU_LOCKED(false, total(bytes, device));
}

static cudaError_t attribute(int *value, CUdevice_attribute a, CUdevice device)
{
    cudaError_t rc = cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)a, device);

    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        if (rc == cudaErrorInvalidValue && value != NULL && absent[i] == a) {
            *value = 0;
            return cudaSuccess;
        }
    }
    return rc;
}

RT_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute a, CUdevice device)
{
    return CU_DEVICE(attribute(value, a, device));
}

static CUresult get_properties(CUdevprop *out, CUdevice device)
{
    struct cudaDeviceProp p;
    CUresult rc = properties(&p, device);

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = (CUdevprop){
        .maxThreadsPerBlock = p.maxThreadsPerBlock,
        .sharedMemPerBlock = (int)p.sharedMemPerBlock,
        .totalConstantMemory = (int)p.totalConstMem,
        .SIMDWidth = p.warpSize,
        .memPitch = (int)p.memPitch,
        .regsPerBlock = p.regsPerBlock,
        .clockRate = p.clockRate,
        .textureAlign = (int)p.textureAlignment,
    };
    memcpy(out->maxThreadsDim, p.maxThreadsDim, sizeof(out->maxThreadsDim));
    memcpy(out->maxGridSize, p.maxGridSize, sizeof(out->maxGridSize));
    return CUDA_SUCCESS;
}

RT_API CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device)
{
    return CU_LOCKED(false, get_properties(p, device));
}

static CUresult capability(int *major, int *minor, CUdevice device)
{
    struct rt_device *d;
    CUresult rc = cu_of(rt_device_known(device, &d));

    if (rc == CUDA_SUCCESS && (major == NULL || minor == NULL)) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) {
        *major = (int)d->facts.cc_major;
        *minor = (int)d->facts.cc_minor;
    }
    return rc;
}

RT_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    return CU_LOCKED(false, capability(major, minor, device));
}

RT_API CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device)
{
    return CU_DEVICE(cudaDeviceGetPCIBusId(text, size, device));
}

RT_API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
    return CU_DEVICE(cudaDeviceGetByPCIBusId(device, text));
}

RT_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    return CU_DEVICE(cudaDeviceCanAccessPeer(can, device, peer));
}
