/* What kernels need and prefer: attributes, preferences, occupancy. */
#include "runtime/module.h"
#include <stdlib.h>
#include <string.h>

static cudaError_t current_kernel(const void *func, struct rt_device **d,
                                  struct rt_function **f, struct rt_kernel **k)
{
    cudaError_t rc = rt_current(d);

    return rc == cudaSuccess ? rt_kernel(*d, func, f, k) : rc;
}

/* The most dynamic shared memory of a launch: what was set, or what goes without. */
static uint64_t dynamic_room(const struct rt_device *d, const struct rt_kernel *k,
                             uint64_t limit)
{
    struct smw_kernel_facts f;

    (void)d;
    smw_kernel_facts(k->kernel, &f);
    return limit > f.static_shared ? limit - f.static_shared : 0;
}

static cudaError_t get_attributes(struct cudaFuncAttributes *a, const void *func)
{
    struct smw_kernel_facts f;
    struct rt_device *d;
    struct rt_kernel *k;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (a == NULL) {
        return cudaErrorInvalidValue;
    }
    smw_kernel_facts(k->kernel, &f);
    memset(a, 0, sizeof(*a));
    a->sharedSizeBytes = f.static_shared;
    a->constSizeBytes = f.const_bytes;
    a->localSizeBytes = f.local_per_thread;
    a->maxThreadsPerBlock = (int)f.max_threads;
    a->numRegs = (int)f.regs;
    a->ptxVersion = (int)f.target;
    a->binaryVersion = (int)(d->facts.cc_major * 10 + d->facts.cc_minor);
    a->maxDynamicSharedSizeBytes =
        k->max_dynamic >= 0 ? k->max_dynamic
                            : (int)dynamic_room(d, k, d->facts.shared_per_block);
    a->preferredShmemCarveout = k->carveout;
    a->nonPortableClusterSizeAllowed = k->any_cluster;
    a->clusterDimMustBeSet = f.explicit_cluster;
    a->requiredClusterWidth = (int)f.cluster[0];
    a->requiredClusterHeight = (int)f.cluster[1];
    a->requiredClusterDepth = (int)f.cluster[2];
    return cudaSuccess;
}

RT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *func)
{
    return RT_CALL(get_attributes(a, func));
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute attr,
                                 int value)
{
    struct rt_device *d;
    struct rt_kernel *k;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 ||
            (uint64_t)value > dynamic_room(d, k, d->facts.shared_per_block_optin)) {
            return cudaErrorInvalidValue;
        }
        k->max_dynamic = value;
        return cudaSuccess;
    }
    if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < -1 || value > 100) {
            return cudaErrorInvalidValue;
        }
        k->carveout = value;
        return cudaSuccess;
    }
    if (attr == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        if (value < 0 || value > 1) {
            return cudaErrorInvalidValue;
        }
        k->any_cluster = value != 0;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
                                        int value)
{
    return RT_CALL(set_attribute(func, attr, value));
}

static cudaError_t cache_config(const void *func, enum cudaFuncCache config)
{
    struct rt_device *d;
    struct rt_kernel *k;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    switch (config) {
    case cudaFuncCachePreferNone: k->cache = SMW_CACHE_NONE; return cudaSuccess;
    case cudaFuncCachePreferShared: k->cache = SMW_CACHE_SHARED; return cudaSuccess;
    case cudaFuncCachePreferL1: k->cache = SMW_CACHE_L1; return cudaSuccess;
    case cudaFuncCachePreferEqual: k->cache = SMW_CACHE_EQUAL; return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    return RT_CALL(cache_config(func, config));
}

static cudaError_t bank_config(const void *func, enum cudaSharedMemConfig config)
{
    struct rt_device *d;
    struct rt_kernel *k;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    switch (config) {
    case cudaSharedMemBankSizeDefault: k->bank_mode = 0; return cudaSuccess;
    case cudaSharedMemBankSizeFourByte:
    case cudaSharedMemBankSizeEightByte:
        /* devices whose banks have one width ignore it */
        k->bank_mode = d->facts.shared_bank_bytes == 8
                           ? (config == cudaSharedMemBankSizeEightByte ? 8 : 4)
                           : 0;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                              enum cudaSharedMemConfig config)
{
    return RT_CALL(bank_config(func, config));
}

static cudaError_t function_name(const char **name, const void *func)
{
    struct rt_function *f;
    struct rt_kernel *k;
    struct rt_device *d;
    cudaError_t rc =
        name != NULL ? current_kernel(func, &d, &f, &k) : cudaErrorInvalidValue;

    if (rc == cudaSuccess) {
        *name = f->name;
    }
    return rc;
}

RT_API cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    return RT_CALL(function_name(name, func));
}

static cudaError_t param_info(const void *func, size_t index, size_t *offset,
                              size_t *size)
{
    struct smw_param p;
    struct rt_device *d;
    struct rt_kernel *k;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (offset == NULL || index > UINT32_MAX ||
        !smw_kernel_param(k->kernel, (uint32_t)index, &p)) {
        return cudaErrorInvalidValue;
    }
    *offset = p.offset;
    if (size != NULL) {
        *size = p.size;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset,
                                        size_t *size)
{
    return RT_CALL(param_info(func, index, offset, size));
}

/* ---- occupancy ---- */

static bool resident(const struct rt_kernel *k, int threads, uint64_t dynamic,
                     uint32_t *blocks)
{
    struct smw_launch l = {
        .grid = {1, 1, 1},
        .block = {(uint32_t)threads, 1, 1},
        .shared = dynamic,
        .cache_config = k->cache,
        .opt_in_shared = true,
        .has_carveout = k->carveout >= 0,
        .carveout = k->carveout >= 0 ? (uint32_t)k->carveout : 0,
    };
    struct smw_err e = {0};

    return smw_occupancy(k->kernel, &l, blocks, &e);
}

static cudaError_t active_blocks(int *n, const void *func, int threads, size_t dynamic,
                                 unsigned flags)
{
    struct rt_device *d;
    struct rt_kernel *k;
    uint32_t blocks = 0;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (n == NULL || threads <= 0 ||
        (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) != 0) {
        return cudaErrorInvalidValue;
    }
    *n = resident(k, threads, dynamic, &blocks) ? (int)blocks : 0;
    return cudaSuccess;
}

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n,
                                                                 const void *func,
                                                                 int threads,
                                                                 size_t dynamic)
{
    return RT_CALL(active_blocks(n, func, threads, dynamic, cudaOccupancyDefault));
}

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n, const void *func, int threads, size_t dynamic, unsigned flags)
{
    return RT_CALL(active_blocks(n, func, threads, dynamic, flags));
}

/* The largest dynamic shared memory with which that many blocks still fit. */
static cudaError_t available_shared(size_t *dynamic, const void *func, int blocks,
                                    int threads)
{
    struct rt_device *d;
    struct rt_kernel *k;
    uint64_t lo = 0, hi;
    uint32_t n;
    cudaError_t rc = current_kernel(func, &d, NULL, &k);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (dynamic == NULL || blocks <= 0 || threads <= 0 ||
        !resident(k, threads, 0, &n) || n < (uint32_t)blocks) {
        return cudaErrorInvalidValue;
    }
    hi = dynamic_room(d, k, d->facts.shared_per_block_optin) + 1;
    while (hi - lo > 1) { /* lo fits, hi does not */
        uint64_t mid = lo + (hi - lo) / 2;

        if (resident(k, threads, mid, &n) && n >= (uint32_t)blocks) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    *dynamic = lo;
    return cudaSuccess;
}

RT_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic,
                                                             const void *func,
                                                             int blocks, int threads)
{
    return RT_CALL(available_shared(dynamic, func, blocks, threads));
}
