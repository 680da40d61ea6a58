/* cudaDeviceGetAttribute(): most attributes are members of the properties. */
#include "runtime/properties.h"
#include <stddef.h>

enum form { INT, SIZE, CONSTANT };

static const struct attribute {
    enum cudaDeviceAttr attr;
    enum form form;
    uint32_t at; /* of the member, or the constant */
} attributes[] = {
#define P(member) offsetof(struct cudaDeviceProp, member)
#define I(a, m)                                                                        \
    {                                                                                  \
        cudaDevAttr##a, INT, P(m)                                                      \
    }
#define S(a, m)                                                                        \
    {                                                                                  \
        cudaDevAttr##a, SIZE, P(m)                                                     \
    }
#define C(a, v)                                                                        \
    {                                                                                  \
        cudaDevAttr##a, CONSTANT, v                                                    \
    }
    I(MaxThreadsPerBlock, maxThreadsPerBlock),
    I(MaxBlockDimX, maxThreadsDim[0]),
    I(MaxBlockDimY, maxThreadsDim[1]),
    I(MaxBlockDimZ, maxThreadsDim[2]),
    I(MaxGridDimX, maxGridSize[0]),
    I(MaxGridDimY, maxGridSize[1]),
    I(MaxGridDimZ, maxGridSize[2]),
    S(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    S(TotalConstantMemory, totalConstMem),
    I(WarpSize, warpSize),
    S(MaxPitch, memPitch),
    I(MaxRegistersPerBlock, regsPerBlock),
    I(ClockRate, clockRate),
    S(TextureAlignment, textureAlignment),
    I(GpuOverlap, deviceOverlap),
    I(MultiProcessorCount, multiProcessorCount),
    I(KernelExecTimeout, kernelExecTimeoutEnabled),
    I(Integrated, integrated),
    I(CanMapHostMemory, canMapHostMemory),
    I(ComputeMode, computeMode),
    S(SurfaceAlignment, surfaceAlignment),
    I(ConcurrentKernels, concurrentKernels),
    I(EccEnabled, ECCEnabled),
    I(PciBusId, pciBusID),
    I(PciDeviceId, pciDeviceID),
    I(PciDomainId, pciDomainID),
    I(TccDriver, tccDriver),
    I(MemoryClockRate, memoryClockRate),
    I(GlobalMemoryBusWidth, memoryBusWidth),
    I(L2CacheSize, l2CacheSize),
    I(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    I(AsyncEngineCount, asyncEngineCount),
    I(UnifiedAddressing, unifiedAddressing),
    S(TexturePitchAlignment, texturePitchAlignment),
    I(ComputeCapabilityMajor, major),
    I(ComputeCapabilityMinor, minor),
    I(StreamPrioritiesSupported, streamPrioritiesSupported),
    I(GlobalL1CacheSupported, globalL1CacheSupported),
    I(LocalL1CacheSupported, localL1CacheSupported),
    S(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    I(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    I(ManagedMemory, managedMemory),
    I(IsMultiGpuBoard, isMultiGpuBoard),
    I(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    I(HostNativeAtomicSupported, hostNativeAtomicSupported),
    I(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    I(PageableMemoryAccess, pageableMemoryAccess),
    I(ConcurrentManagedAccess, concurrentManagedAccess),
    I(ComputePreemptionSupported, computePreemptionSupported),
    I(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    I(CooperativeLaunch, cooperativeLaunch),
    I(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    S(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    C(CanFlushRemoteWrites, 0),
    I(HostRegisterSupported, hostRegisterSupported),
    I(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    I(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    I(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    I(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    I(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    S(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    I(SparseCudaArraySupported, sparseCudaArraySupported),
    I(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    I(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    I(MemoryPoolsSupported, memoryPoolsSupported),
    I(GPUDirectRDMASupported, gpuDirectRDMASupported),
    I(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    I(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    I(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    I(ClusterLaunch, clusterLaunch),
    I(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    I(IpcEventSupport, ipcEventSupported),
    C(MemSyncDomainCount, 1),
    C(NumaConfig, 0),
    C(NumaId, 0),
    C(MpsEnabled, 0),
    C(HostNumaId, 0),
    /* textures and surfaces: none */
    I(MaxTexture1DWidth, maxTexture1D),
    I(MaxTexture2DWidth, maxTexture2D[0]),
    I(MaxTexture2DHeight, maxTexture2D[1]),
    I(MaxTexture3DWidth, maxTexture3D[0]),
    I(MaxTexture3DHeight, maxTexture3D[1]),
    I(MaxTexture3DDepth, maxTexture3D[2]),
    I(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    I(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    I(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    I(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    I(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    I(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    I(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    I(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    I(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    I(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    I(MaxTextureCubemapWidth, maxTextureCubemap),
    I(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    I(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    I(MaxSurface1DWidth, maxSurface1D),
    I(MaxSurface2DWidth, maxSurface2D[0]),
    I(MaxSurface2DHeight, maxSurface2D[1]),
    I(MaxSurface3DWidth, maxSurface3D[0]),
    I(MaxSurface3DHeight, maxSurface3D[1]),
    I(MaxSurface3DDepth, maxSurface3D[2]),
    I(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    I(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    I(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    I(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    I(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    I(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    I(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    I(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    I(MaxTexture1DLinearWidth, maxTexture1DLinear),
    I(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    I(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    I(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    I(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    I(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    I(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
#undef P
#undef I
#undef S
#undef C
};

static int value_of(const struct attribute *a, const struct cudaDeviceProp *p)
{
    const char *at = (const char *)p + a->at;
    size_t size;

    switch (a->form) {
    case INT: return *(const int *)(const void *)at;
    case SIZE:
        size = *(const size_t *)(const void *)at;
        return size > INT32_MAX ? INT32_MAX : (int)size;
    case CONSTANT: return (int)a->at;
    }
    return 0;
}

static cudaError_t attribute(int *value, enum cudaDeviceAttr attr, int device)
{
    struct cudaDeviceProp p;
    struct rt_device *d;
    cudaError_t rc = rt_device_known(device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (value == NULL) {
        return cudaErrorInvalidValue;
    }
    rt_properties(d, &p);
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
        if (attributes[i].attr == attr) {
            *value = value_of(&attributes[i], &p);
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                          int device)
{
    return RT_CALL(attribute(value, attr, device));
}
