/*
 * What a device says of itself. The structure of CUDA 12 is the widest; that of CUDA 11
 * is its beginning, that of CUDA 13 has some members less (properties_13.h).
 */
#include "runtime/properties.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What no limit of the model tells: alignments and texture sizes are those that every
 * device from 3.0 on has (CUDA C++ Programming Guide, "Technical Specifications per
 * Compute Capability"), since programs compute with them. */
enum { TEXTURE_ALIGNMENT = 512, TEXTURE_PITCH_ALIGNMENT = 32, MAX_PITCH = 2147483647 };

static int clamp(uint64_t x)
{
    return x > INT32_MAX ? INT32_MAX : (int)x;
}

static void fill_uuid(struct cudaDeviceProp *p, uint32_t index)
{
    static const char text[] = "smwave device ";

    memcpy(p->uuid.bytes, text, sizeof(text) - 1);
    p->uuid.bytes[15] = (char)index;
}

static void fill_limits(struct cudaDeviceProp *p, const struct smw_device_facts *f)
{
    p->totalGlobalMem = f->memory_bytes;
    p->sharedMemPerBlock = f->shared_per_block;
    p->regsPerBlock = (int)f->regs_per_block;
    p->warpSize = (int)f->warp_size;
    p->memPitch = MAX_PITCH;
    p->maxThreadsPerBlock = (int)f->max_threads_per_block;
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = (int)f->max_block[i];
        p->maxGridSize[i] = clamp(f->max_grid[i]);
    }
    p->totalConstMem = f->const_bytes;
    p->multiProcessorCount = (int)f->sms;
    p->maxThreadsPerMultiProcessor = (int)f->max_threads_per_sm;
    p->sharedMemPerMultiprocessor = f->shared_per_sm;
    p->regsPerMultiprocessor = (int)f->regs_per_sm;
    p->sharedMemPerBlockOptin = f->shared_per_block_optin;
    p->maxBlocksPerMultiProcessor = (int)f->max_blocks_per_sm;
    p->reservedSharedMemPerBlock = f->reserved_shared_per_block;
}

/* A link that both ways use at once has an engine for each: config host.link.engines.
 */
static int copy_engines(const struct rt_device *d)
{
    char text[32];

    return smw_config_show(d->config, "host.link.engines", text, sizeof(text)) &&
                   text[0] > '0' && text[0] <= '9'
               ? text[0] - '0'
               : 1;
}

void rt_properties(const struct rt_device *d, struct cudaDeviceProp *p)
{
    const struct smw_device_facts *f = &d->facts;
    uint32_t cc = f->cc_major * 10 + f->cc_minor;

    memset(p, 0, sizeof(*p));
    snprintf(p->name, sizeof(p->name), "%s", f->name);
    fill_uuid(p, rt_device_index(d));
    fill_limits(p, f);
    p->major = (int)f->cc_major;
    p->minor = (int)f->cc_minor;
    p->clockRate = clamp(f->sm_hz / 1000);
    p->memoryClockRate = clamp(f->memory_hz / 1000);
    p->memoryBusWidth = (int)f->bus_bits;
    p->l2CacheSize = clamp(f->l2_bytes);
    p->textureAlignment = TEXTURE_ALIGNMENT;
    p->texturePitchAlignment = TEXTURE_PITCH_ALIGNMENT;
    p->surfaceAlignment = TEXTURE_ALIGNMENT;
    p->deviceOverlap = 1;
    p->asyncEngineCount = copy_engines(d);
    p->canMapHostMemory = 1;
    p->computeMode = cudaComputeModeDefault;
    p->concurrentKernels = f->concurrent_kernels > 1;
    p->pciBusID = (int)rt_device_index(d) + 1;
    p->unifiedAddressing = 1;
    p->streamPrioritiesSupported = cc >= 35;
    p->globalL1CacheSupported = cc >= 20;
    p->localL1CacheSupported = cc >= 20;
    p->managedMemory = 1;
    p->concurrentManagedAccess = 0; /* the host waits until nothing runs */
    p->cooperativeLaunch = cc >= 60;
    p->clusterLaunch = cc >= 90;
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->singleToDoublePrecisionPerfRatio = rt_double_ratio(d);
}

/* The throughput of double precision differs by capability: CUDA C++ Programming Guide,
 * "Arithmetic Instructions", results per clock and SM of 32-bit and 64-bit add. */
int rt_double_ratio(const struct rt_device *d)
{
    static const struct {
        uint32_t cc;
        int ratio;
    } table[] = {
        {13, 8},  {20, 2},  {21, 12}, {30, 24}, {35, 3},  {37, 3}, {50, 32},
        {52, 32}, {53, 32}, {60, 2},  {61, 32}, {62, 32}, {70, 2}, {72, 2},
        {75, 32}, {80, 2},  {86, 64}, {87, 64}, {89, 64}, {90, 2},
    };
    uint32_t cc = d->facts.cc_major * 10 + d->facts.cc_minor;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].cc == cc) {
            return table[i].ratio;
        }
    }
    return 0;
}

static cudaError_t properties(struct cudaDeviceProp *p, int device)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_known(device, &d);

    if (rc == cudaSuccess && p == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        rt_properties(d, p);
    }
    return rc;
}

RT_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    return RT_CALL(properties(p, device)); /* its symbol: smwaveGetDeviceProperties */
}

RT_API cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *p, int device)
{
    return RT_CALL(properties(p, device));
}

/* CUDA 11's ends where the members of CUDA 12 begin. */
cudaError_t rt_properties_11(void *p, int device)
{
    struct cudaDeviceProp q;
    cudaError_t rc = RT_CALL(properties(p != NULL ? &q : NULL, device));

    if (rc == cudaSuccess) {
        memcpy(p, &q, offsetof(struct cudaDeviceProp, hostRegisterSupported));
    }
    return rc;
}

cudaError_t rt_properties_to_13(void *out, int device)
{
    struct rt_properties_13 p;
    struct cudaDeviceProp q;
    cudaError_t rc = RT_CALL(properties(out != NULL ? &q : NULL, device));

    if (rc != cudaSuccess) {
        return rc;
    }
    memset(&p, 0, sizeof(p));
#define MEMBER(type, name, count) memcpy(&p.name, &q.name, sizeof(p.name));
#include "runtime/properties_13.inc"
#undef MEMBER
    memcpy(out, &p, sizeof(p));
    return rc;
}

/* The device that has what is asked for and is the first of those. */
static cudaError_t choose(int *device, const struct cudaDeviceProp *want)
{
    struct rt_device *d;
    struct cudaDeviceProp p;
    cudaError_t rc = rt_start();

    if (rc != cudaSuccess) {
        return rc;
    }
    if (device == NULL || want == NULL) {
        return cudaErrorInvalidValue;
    }
    *device = 0;
    for (uint32_t i = 0; i < rt_process()->settings.n_devices; i++) {
        rc = rt_device_known((int)i, &d);
        if (rc != cudaSuccess) {
            return rc;
        }
        rt_properties(d, &p);
        if ((want->major == 0 ||
             p.major * 10 + p.minor >= want->major * 10 + want->minor) &&
            p.totalGlobalMem >= want->totalGlobalMem &&
            p.multiProcessorCount >= want->multiProcessorCount) {
            *device = (int)i;
            break;
        }
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *want)
{
    return RT_CALL(choose(device, want));
}
