/*
 * Memory that is taken and given back in the order of a stream, and pools of it. Taking
 * happens at once; giving back waits until all that is queued has run.
 */
#include "runtime/memory.h"
#include "runtime/op.h"
#include "runtime/per_thread.h"
#include <stdlib.h>
#include <string.h>

struct CUmemPoolHandle_st {
    uint32_t device;
    bool is_default;
    uint64_t threshold, used, high;
    int reuse[4];             /* cudaMemPoolReuse... by their numbers */
    bool granted[RT_DEVICES]; /* other devices may use it */
};

static struct CUmemPoolHandle_st *find(cudaMemPool_t p)
{
    return rt_handle_find(&rt_process()->handles, RT_POOL, p);
}

static cudaError_t create(struct rt_device *d, bool is_default,
                          struct CUmemPoolHandle_st **out)
{
    struct CUmemPoolHandle_st *p = calloc(1, sizeof(*p));

    if (p == NULL || !rt_handle_add(&rt_process()->handles, RT_POOL, p, p)) {
        free(p);
        return cudaErrorMemoryAllocation;
    }
    p->device = rt_device_index(d);
    p->is_default = is_default;
    for (int i = 1; i < 4; i++) {
        p->reuse[i] = 1;
    }
    *out = p;
    return cudaSuccess;
}

/* The device's own; made when it is first asked for. */
static cudaError_t default_pool(struct rt_device *d, struct CUmemPoolHandle_st **out)
{
    cudaError_t rc = cudaSuccess;

    if (find(d->default_pool) == NULL) {
        rc = create(d, true, &d->default_pool);
    }
    if (rc == cudaSuccess && find(d->pool) == NULL) {
        d->pool = d->default_pool;
    }
    *out = d->default_pool;
    return rc;
}

/* Memory of a graph is there from when it is recorded on, so that addresses in the
 * graph are right, and stays while the device does: the graph may run again. */
static cudaError_t record(struct CUstream_st *s, enum rt_op_kind kind, void *memory,
                          uint64_t bytes)
{
    struct rt_op op = {.kind = kind};

    rt_keep(memory);
    op.u.memory.at = memory;
    op.u.memory.bytes = bytes;
    return rt_submit(s, &op);
}

static cudaError_t take(void **out, size_t bytes, struct CUmemPoolHandle_st *pool,
                        cudaStream_t stream, bool from_current)
{
    struct CUmemPoolHandle_st *first;
    struct CUstream_st *s;
    struct rt_device *d;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (out == NULL) {
        return cudaErrorInvalidValue;
    }
    d = rt_stream_device(s);
    rc = default_pool(d, &first);
    if (rc == cudaSuccess && from_current) {
        pool = d->pool;
    }
    if (rc == cudaSuccess && pool == NULL) {
        rc = cudaErrorInvalidValue;
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    if (bytes == 0) {
        *out = NULL;
        return cudaSuccess;
    }
    rc = rt_device_open((int)pool->device, &d);
    if (rc == cudaSuccess) {
        rc = rt_malloc(d, bytes, pool, out);
    }
    if (rc == cudaSuccess) {
        pool->used += bytes;
        pool->high = pool->used > pool->high ? pool->used : pool->high;
    }
    return rc == cudaSuccess && s->capture != NULL ? record(s, RT_OP_ALLOC, *out, bytes)
                                                   : rc;
}

RT_API cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t s)
{
    return RT_CALL(take(p, bytes, NULL, s, true));
}

RT_API cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t s)
{
    return RT_CALL(take(p, bytes, find(pool), s, false));
}

static cudaError_t give(void *p, cudaStream_t stream)
{
    const struct rt_range *r =
        rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)p);
    struct CUmemPoolHandle_st *pool;
    struct CUstream_st *s;
    uint64_t bytes;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (p == NULL || r == NULL || r->kind != RT_DEVICE_MEMORY) {
        return cudaErrorInvalidValue;
    }
    if (s->capture != NULL) {
        return record(s, RT_OP_RELEASE, p, 0);
    }
    pool = find(r->pool);
    bytes = r->bytes;
    rc = rt_free(p);
    if (rc == cudaSuccess && pool != NULL) {
        pool->used -= bytes;
    }
    return rc;
}

RT_API cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    return RT_CALL(give(p, s));
}

/* ---- pools ---- */

static cudaError_t get_default(cudaMemPool_t *out, int device)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_open(device, &d);

    if (rc == cudaSuccess && out == NULL) {
        rc = cudaErrorInvalidValue;
    }
    return rc == cudaSuccess ? default_pool(d, out) : rc;
}

RT_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return RT_CALL(get_default(pool, device));
}

static cudaError_t get_current(cudaMemPool_t *out, int device)
{
    cudaError_t rc = get_default(out, device);

    if (rc == cudaSuccess) {
        *out = rt_process()->device[device].pool;
    }
    return rc;
}

RT_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return RT_CALL(get_current(pool, device));
}

static cudaError_t set_current(int device, cudaMemPool_t pool)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_open(device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (find(pool) == NULL || pool->device != (uint32_t)device) {
        return cudaErrorInvalidValue;
    }
    d->pool = pool;
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return RT_CALL(set_current(device, pool));
}

static cudaError_t pool_create(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    struct rt_device *d;
    cudaError_t rc;

    if (out == NULL || props == NULL ||
        props->allocType != cudaMemAllocationTypePinned ||
        props->location.type != cudaMemLocationTypeDevice) {
        return cudaErrorInvalidValue;
    }
    if (props->handleTypes != cudaMemHandleTypeNone) {
        rt_say("cudaMemPoolCreate: pools for other processes are not supported");
        return cudaErrorNotSupported;
    }
    rc = rt_device_open(props->location.id, &d);
    return rc == cudaSuccess ? create(d, false, out) : rc;
}

RT_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                                     const struct cudaMemPoolProps *props)
{
    return RT_CALL(pool_create(pool, props));
}

/* What is taken from it stays taken. */
static cudaError_t pool_destroy(cudaMemPool_t pool)
{
    struct rt_device *d;

    if (find(pool) == NULL || pool->is_default) {
        return cudaErrorInvalidValue;
    }
    d = &rt_process()->device[pool->device];
    if (d->pool == pool) {
        d->pool = d->default_pool;
    }
    rt_handle_remove(&rt_process()->handles, RT_POOL, pool);
    free(pool);
    return cudaSuccess;
}

RT_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    return RT_CALL(pool_destroy(pool));
}

RT_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    (void)keep; /* nothing is kept beyond what is in use */
    return RT_CALL(find(pool) != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

/* The first three are ints, the others 64 bits: CUDA Runtime API, cudaMemPoolAttr. */
static cudaError_t set_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                 const void *value)
{
    struct CUmemPoolHandle_st *p = find(pool);
    uint64_t number;

    if (p == NULL || value == NULL) {
        return cudaErrorInvalidValue;
    }
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(&p->reuse[attr], value, sizeof(int));
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(&p->threshold, value, sizeof(p->threshold));
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        memcpy(&number, value, sizeof(number));
        if (number != 0) {
            return cudaErrorInvalidValue;
        }
        p->high = p->used;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: return cudaErrorInvalidValue;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                           enum cudaMemPoolAttr attr, void *value)
{
    return RT_CALL(set_attribute(pool, attr, value));
}

static cudaError_t get_attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                 void *value)
{
    const struct CUmemPoolHandle_st *p = find(pool);

    if (p == NULL || value == NULL) {
        return cudaErrorInvalidValue;
    }
    switch (attr) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        memcpy(value, &p->reuse[attr], sizeof(int));
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        memcpy(value, &p->threshold, sizeof(p->threshold));
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        memcpy(value, &p->used, sizeof(p->used));
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        memcpy(value, &p->high, sizeof(p->high));
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                           enum cudaMemPoolAttr attr, void *value)
{
    return RT_CALL(get_attribute(pool, attr, value));
}

/* The model knows access to all memory of a device alone, which is peer access. Access
 * to a pool gives that too, and stays when it is taken from the pool: a program that is
 * right does not see the difference. */
static cudaError_t grant(struct CUmemPoolHandle_st *p, uint32_t device, bool on)
{
    struct rt_device *d, *owner;
    struct smw_err e = {0};
    cudaError_t rc = cudaSuccess;

    if (on && device != p->device && !p->granted[device]) {
        rc = rt_device_open((int)device, &d);
        rc = rc == cudaSuccess ? rt_device_open((int)p->device, &owner) : rc;
        rc = rc == cudaSuccess ? rt_settle(owner) : rc;
        if (rc == cudaSuccess) {
            rc = rt_ran(d, smw_peer(d->dev, owner->dev, true, &e), &e,
                        "access to a pool");
        }
    }
    if (rc == cudaSuccess) {
        p->granted[device] = on;
    }
    return rc;
}

static cudaError_t set_access(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                              size_t n)
{
    struct CUmemPoolHandle_st *const p = find(pool);
    cudaError_t rc = cudaSuccess;

    if (p == NULL || (list == NULL && n > 0)) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n; i++) {
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            list[i].location.id < 0 ||
            (uint32_t)list[i].location.id >= rt_process()->settings.n_devices) {
            return cudaErrorInvalidValue;
        }
    }
    for (size_t i = 0; i < n && rc == cudaSuccess; i++) {
        rc = grant(p, (uint32_t)list[i].location.id,
                   list[i].flags == cudaMemAccessFlagsProtReadWrite);
    }
    return rc;
}

RT_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                        const struct cudaMemAccessDesc *list, size_t n)
{
    return RT_CALL(set_access(pool, list, n));
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                              const struct cudaMemLocation *location)
{
    const struct CUmemPoolHandle_st *p = find(pool);

    if (p == NULL || flags == NULL || location == NULL ||
        location->type != cudaMemLocationTypeDevice) {
        return cudaErrorInvalidValue;
    }
    if (location->id < 0 ||
        (uint32_t)location->id >= rt_process()->settings.n_devices) {
        return cudaErrorInvalidValue;
    }
    *flags = (uint32_t)location->id == p->device || p->granted[location->id]
                 ? cudaMemAccessFlagsProtReadWrite
                 : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

RT_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                        cudaMemPool_t pool,
                                        struct cudaMemLocation *location)
{
    return RT_CALL(get_access(flags, pool, location));
}
