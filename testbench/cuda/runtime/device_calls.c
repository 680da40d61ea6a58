/* Calls about the calling thread's device that move nothing: limits, preferences,
 * flags, versions, identities. */
#include "runtime/rt.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What programs are told the driver is: the newest release whose functions are here. */
enum { DRIVER_VERSION = 13000 };

/* What the limits are before a program sets them: seen on an H100 with CUDA 13.0. The
 * model keeps nothing of an L2 apart. */
static const struct {
    size_t at_first;
    bool settable;
} limits[] = {
    [cudaLimitStackSize] = {1024, true},
    [cudaLimitPrintfFifoSize] = {8650752, true},
    [cudaLimitMallocHeapSize] = {8 << 20, true},
    [cudaLimitDevRuntimeSyncDepth] = {2, false},
    [cudaLimitDevRuntimePendingLaunchCount] = {2048, true},
    [cudaLimitMaxL2FetchGranularity] = {64, true},
    [cudaLimitPersistingL2CacheSize] = {0, true},
};

static cudaError_t limit_of(enum cudaLimit l, struct rt_device **d)
{
    cudaError_t rc = rt_current(d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((unsigned)l >= sizeof(limits) / sizeof(limits[0])) {
        return cudaErrorInvalidValue;
    }
    return limits[l].settable ? cudaSuccess : cudaErrorUnsupportedLimit;
}

/* Kernels that are launched first from now on have it; a device's heap would be one for
 * all modules, and so has a size only until the first of them allocates. */
static cudaError_t set_heap(struct rt_device *d, size_t value)
{
    struct smw_err e;

    value = value < SMW_MIN_HEAP ? SMW_MIN_HEAP : value;
    return smw_device_heap(d->dev, value, &e) ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* The model has no such bounds but for the stack and the heap: values are kept and
 * told.
 */
static cudaError_t set_limit(enum cudaLimit l, size_t value)
{
    struct rt_device *d;
    cudaError_t rc = limit_of(l, &d);

    if (rc == cudaSuccess && l == cudaLimitStackSize &&
        value > d->facts.local_bytes_per_thread) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess && l == cudaLimitMallocHeapSize) {
        rc = set_heap(d, value);
    }
    if (rc == cudaSuccess) {
        d->limit[l] = value;
        d->limit_set[l] = true;
    }
    return rc;
}

static cudaError_t get_limit(size_t *value, enum cudaLimit l)
{
    struct rt_device *d;
    cudaError_t rc = limit_of(l, &d);

    if (rc == cudaSuccess && value == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *value = d->limit_set[l] ? d->limit[l] : limits[l].at_first;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return RT_CALL(set_limit(limit, value));
}

RT_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    return RT_CALL(get_limit(value, limit));
}

RT_API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return RT_CALL(set_limit(limit, value));
}

RT_API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return RT_CALL(get_limit(value, limit));
}

static cudaError_t set_cache(enum cudaFuncCache config)
{
    struct rt_device *d;
    struct smw_err e = {0};
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((unsigned)config > cudaFuncCachePreferEqual) {
        return cudaErrorInvalidValue;
    }
    /* refused by devices whose memory has no such split, which ignore it */
    (void)smw_device_cache_config(d->dev, (enum smw_cache_config)config, &e);
    d->cache = config;
    return cudaSuccess;
}

static cudaError_t get_cache(enum cudaFuncCache *config)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess && config == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *config = d->cache;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    return RT_CALL(set_cache(config));
}

RT_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    return RT_CALL(get_cache(config));
}

RT_API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return RT_CALL(set_cache(config));
}

RT_API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return RT_CALL(get_cache(config));
}

static cudaError_t set_bank(enum cudaSharedMemConfig config)
{
    struct rt_device *d;
    struct smw_err e = {0};
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((unsigned)config > cudaSharedMemBankSizeEightByte) {
        return cudaErrorInvalidValue;
    }
    if (d->facts.shared_bank_bytes == 8 && config != cudaSharedMemBankSizeDefault) {
        (void)smw_device_bank_mode(d->dev,
                                   config == cudaSharedMemBankSizeEightByte ? 8 : 4,
                                   &e);
        d->bank = config;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    return RT_CALL(set_bank(config));
}

static cudaError_t get_bank(enum cudaSharedMemConfig *config)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess && config == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *config = d->bank != cudaSharedMemBankSizeDefault
                      ? d->bank
                      : cudaSharedMemBankSizeFourByte;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    return RT_CALL(get_bank(config));
}

/* ---- how a host waits: told, and without a meaning here ---- */

static cudaError_t check_flags(unsigned flags)
{
    const unsigned schedule = flags & cudaDeviceScheduleMask;

    if ((flags & ~(unsigned)cudaDeviceMask) != 0 ||
        (schedule != cudaDeviceScheduleAuto && schedule != cudaDeviceScheduleSpin &&
         schedule != cudaDeviceScheduleYield &&
         schedule != cudaDeviceScheduleBlockingSync)) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t set_flags(int device, unsigned flags)
{
    cudaError_t rc = rt_start();

    if (rc != cudaSuccess) {
        return rc;
    }
    if (device < 0 || (uint32_t)device >= rt_process()->settings.n_devices) {
        return cudaErrorInvalidDevice;
    }
    rc = check_flags(flags);
    if (rc == cudaSuccess) {
        rt_process()->flags[device] = flags;
    }
    return rc;
}

RT_API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    return RT_CALL(set_flags(rt_thread()->device, flags));
}

static cudaError_t get_flags(unsigned *flags)
{
    cudaError_t rc = rt_start();

    if (rc == cudaSuccess && flags == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) { /* mapping is always possible */
        *flags = rt_process()->flags[rt_thread()->device] | cudaDeviceMapHost;
    }
    return rc;
}

RT_API cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    return RT_CALL(get_flags(flags));
}

static cudaError_t init_device(int device, unsigned device_flags, unsigned flags)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_known(device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if ((flags & ~(unsigned)cudaInitDeviceFlagsAreValid) != 0) {
        return cudaErrorInvalidValue;
    }
    return flags != 0 ? set_flags(device, device_flags) : cudaSuccess;
}

RT_API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    return RT_CALL(init_device(device, device_flags, flags));
}

/* The first that is there. */
static cudaError_t valid_devices(const int *list, int n)
{
    cudaError_t rc = rt_start();

    if (rc != cudaSuccess) {
        return rc;
    }
    if (n < 0 || (list == NULL && n > 0)) {
        return cudaErrorInvalidValue;
    }
    for (int i = 0; i < n; i++) {
        if (list[i] < 0 || (uint32_t)list[i] >= rt_process()->settings.n_devices) {
            return cudaErrorInvalidDevice;
        }
    }
    if (n > 0) {
        rt_thread()->device = list[0];
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaSetValidDevices(int *list, int n)
{
    return RT_CALL(valid_devices(list, n));
}

/* ---- identities ---- */

static cudaError_t bus_id(char *out, int size, int device)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_known(device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL || size < 13) {
        return cudaErrorInvalidValue;
    }
    snprintf(out, (size_t)size, "0000:%02X:00.0", (unsigned)device + 1);
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int device)
{
    return RT_CALL(bus_id(out, size, device));
}

/* "[domain]:[bus]:[device].[function]", "[domain]:[bus]:[device]" or "[bus]:[device].
 * [function]", in hexadecimal. */
static cudaError_t by_bus_id(int *device, const char *text)
{
    unsigned domain = 0, bus, slot, function = 0;
    cudaError_t rc = rt_start();

    if (rc != cudaSuccess) {
        return rc;
    }
    if (device == NULL || text == NULL) {
        return cudaErrorInvalidValue;
    }
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
        domain = 0;
        if (sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 3) {
            return cudaErrorInvalidValue;
        }
    }
    if (domain != 0 || bus == 0 || bus > rt_process()->settings.n_devices ||
        slot != 0 || function != 0) {
        return cudaErrorInvalidDevice;
    }
    *device = (int)bus - 1;
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    return RT_CALL(by_bus_id(device, text));
}

RT_API cudaError_t cudaDriverGetVersion(int *version)
{
    if (version == NULL) {
        return rt_note(cudaErrorInvalidValue);
    }
    *version = DRIVER_VERSION;
    return cudaSuccess;
}

RT_API cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (version == NULL) {
        return rt_note(cudaErrorInvalidValue);
    }
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* ---- what has nothing to do here ---- */

RT_API cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

RT_API cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

RT_API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}

RT_API cudaError_t
cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                   enum cudaFlushGPUDirectRDMAWritesScope scope)
{
    (void)target, (void)scope;
    return rt_note(cudaErrorNotSupported);
}
