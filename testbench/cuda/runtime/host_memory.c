/*
 * Memory of the host that kernels use in place: pinned, mapped, managed. Its pages lie
 * at the address that the device has for them, so one pointer does for both and nothing
 * is copied.
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE, mincore() */
#include "runtime/memory.h"
#include "runtime/module.h"
#include <errno.h>
#include <sys/mman.h>

/* smw_alloc_host() takes whole pages of the model. */
#define MODEL_PAGE UINT64_C(65536)

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + MODEL_PAGE - 1) / MODEL_PAGE * MODEL_PAGE;
}

static void *map_at(void *ctx, uint64_t addr, uint64_t bytes)
{
    void *at = (void *)(uintptr_t)addr;
    void *p =
        mmap(at, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    (void)ctx;
    if (p == MAP_FAILED) {
        return NULL;
    }
    if (p != at) { /* kernels before 4.17 take the address as a hint */
        munmap(p, bytes);
        return NULL;
    }
    return p;
}

static cudaError_t take(struct rt_device *d, void **p, uint64_t bytes,
                        enum rt_memory kind, unsigned flags)
{
    struct smw_err e = {0};
    struct rt_range r = {
        .bytes = bytes,
        .reserved = whole_pages(bytes),
        .kind = kind,
        .device = rt_device_index(d),
        .flags = flags,
    };

    if (bytes > UINT64_MAX - MODEL_PAGE ||
        !smw_alloc_host(d->dev, r.reserved, map_at, NULL, &r.addr, &e)) {
        return cudaErrorMemoryAllocation;
    }
    r.on_device = r.addr;
    if (!rt_range_add(&rt_process()->ranges, &r)) {
        (void)smw_free(d->dev, r.addr, &e);
        munmap((void *)(uintptr_t)r.addr, r.reserved);
        return cudaErrorMemoryAllocation;
    }
    rt_process()->host_memory = true;
    *p = (void *)(uintptr_t)r.addr;
    return cudaSuccess;
}

cudaError_t rt_free_host(void *p, enum rt_memory kind)
{
    struct rt *rt = rt_process();
    struct rt_range *r = rt_range_find(&rt->ranges, (uint64_t)(uintptr_t)p);
    struct smw_err e = {0};
    struct rt_range gone;
    struct rt_device *d;
    cudaError_t rc;

    if (r == NULL || r->addr != (uint64_t)(uintptr_t)p || r->kind != kind) {
        return cudaErrorInvalidValue;
    }
    rc = rt_device_open((int)r->device, &d);
    if (rc == cudaSuccess) {
        rc = rt_settle(d);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    gone = *r;
    rc = rt_ran(d, smw_free(d->dev, gone.addr, &e), &e, "cudaFreeHost");
    if (rc == cudaSuccess) {
        rt_range_remove(&rt->ranges, r);
        munmap((void *)(uintptr_t)gone.addr, gone.reserved);
    }
    return rc;
}

/* The device is about to go: what is left is its memory no more. */
void rt_memory_forget(uint32_t device)
{
    struct rt_ranges *s = &rt_process()->ranges;

    for (uint32_t i = s->n; i-- > 0;) {
        struct rt_range r = s->range[i];

        if (r.device != device) {
            continue;
        }
        rt_range_remove(s, &s->range[i]);
        if (r.kind == RT_PINNED || r.kind == RT_MANAGED) {
            munmap((void *)(uintptr_t)r.addr, r.reserved);
        }
    }
}

/* ---- calls ---- */

static cudaError_t host_alloc(void **p, size_t bytes, unsigned flags)
{
    const unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (p == NULL || (flags & ~known) != 0) {
        return cudaErrorInvalidValue;
    }
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    return take(d, p, bytes, RT_PINNED, flags);
}

RT_API cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags)
{
    return RT_CALL(host_alloc(p, bytes, flags));
}

RT_API cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return RT_CALL(host_alloc(p, bytes, cudaHostAllocDefault));
}

static cudaError_t free_host(void *p)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    return rc != cudaSuccess || p == NULL ? rc : rt_free_host(p, RT_PINNED);
}

RT_API cudaError_t cudaFreeHost(void *p)
{
    return RT_CALL(free_host(p));
}

static cudaError_t managed(void **p, size_t bytes, unsigned flags)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (p == NULL || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
        return cudaErrorInvalidValue;
    }
    if (bytes == 0) {
        *p = NULL;
        return cudaSuccess;
    }
    return take(d, p, bytes, RT_MANAGED, flags);
}

RT_API cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags)
{
    return RT_CALL(managed(p, bytes, flags));
}

static cudaError_t host_register(void *p, size_t bytes, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    uint64_t addr = (uint64_t)(uintptr_t)p;
    struct rt *rt = rt_process();
    struct rt_device *d;
    const struct rt_range *next;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (p == NULL || bytes == 0 || (flags & ~known) != 0 || addr + bytes < addr) {
        return cudaErrorInvalidValue;
    }
    if ((flags & cudaHostRegisterIoMemory) != 0) {
        rt_say("cudaHostRegister: memory of other devices (cudaHostRegisterIoMemory) "
               "is not supported");
        return cudaErrorNotSupported;
    }
    next = rt_range_after(&rt->ranges, addr);
    if (next != NULL && next->addr < addr + bytes) {
        return next->kind == RT_REGISTERED ? cudaErrorHostMemoryAlreadyRegistered
                                           : cudaErrorInvalidValue;
    }
    return rt_range_add(&rt->ranges, &(struct rt_range){.addr = addr,
                                                        .bytes = bytes,
                                                        .kind = RT_REGISTERED,
                                                        .device = rt_device_index(d),
                                                        .flags = flags})
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

RT_API cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    return RT_CALL(host_register(p, bytes, flags));
}

/* Its alias on the device, where one was asked for, begins on a page of the host. */
static uint64_t alias_of(const struct rt_range *r)
{
    return r->on_device & ~UINT64_C(4095);
}

static cudaError_t host_unregister(void *p)
{
    struct rt *rt = rt_process();
    struct rt_range *r = rt_range_find(&rt->ranges, (uint64_t)(uintptr_t)p);
    struct smw_err e = {0};
    struct rt_device *d;
    cudaError_t rc;

    if (p == NULL || (r != NULL && r->kind != RT_REGISTERED)) {
        return cudaErrorInvalidValue;
    }
    if (r == NULL || r->addr != (uint64_t)(uintptr_t)p) {
        return cudaErrorHostMemoryNotRegistered;
    }
    rc = rt_device_open((int)r->device, &d);
    if (rc == cudaSuccess) {
        rc = rt_settle(d);
    }
    if (rc == cudaSuccess && r->on_device != 0) {
        rc = rt_ran(d, smw_free(d->dev, alias_of(r), &e), &e, "cudaHostUnregister");
    }
    if (rc == cudaSuccess) {
        rt_range_remove(&rt->ranges, r);
    }
    return rc;
}

RT_API cudaError_t cudaHostUnregister(void *p)
{
    return RT_CALL(host_unregister(p));
}

static void *stay(void *ctx, uint64_t addr, uint64_t bytes)
{
    (void)addr, (void)bytes;
    return ctx;
}

/* Pages of the model are larger than those of the host: bytes behind the program's that
 * nothing is mapped at get pages, so that a kernel that runs over the end by little
 * finds memory. They stay. */
static bool fill_gaps(uint64_t from, uint64_t to)
{
    unsigned char resident;

    for (uint64_t at = from; at < to; at += 4096) {
        void *page = (void *)(uintptr_t)at;

        if (mincore(page, 4096, &resident) != 0 && errno == ENOMEM &&
            mmap(page, 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page) {
            return false;
        }
    }
    return true;
}

/* Registered memory has another address on the device, since it has its own already. */
static cudaError_t alias(struct rt_range *r)
{
    uint64_t first = r->addr & ~UINT64_C(4095), at;
    uint64_t bytes = whole_pages(r->addr + r->bytes - first);
    struct smw_err e = {0};
    struct rt_device *d;
    cudaError_t rc = rt_device_open((int)r->device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (!fill_gaps(first, first + bytes) ||
        !smw_alloc_host(d->dev, bytes, stay, (void *)(uintptr_t)first, &at, &e)) {
        return cudaErrorMemoryAllocation;
    }
    r->on_device = at + (r->addr - first);
    rt_process()->host_memory = true;
    return cudaSuccess;
}

static cudaError_t device_pointer(void **out, void *host, unsigned flags)
{
    uint64_t addr = (uint64_t)(uintptr_t)host;
    struct rt_device *d;
    struct rt_range *r;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    r = rt_range_find(&rt_process()->ranges, addr);
    if (out == NULL || host == NULL || flags != 0 || r == NULL ||
        (r->kind != RT_PINNED && r->kind != RT_REGISTERED)) {
        return cudaErrorInvalidValue;
    }
    if (r->on_device == 0) {
        rc = alias(r);
    }
    if (rc == cudaSuccess) {
        *out = (void *)(uintptr_t)(r->on_device + (addr - r->addr));
    }
    return rc;
}

RT_API cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    return RT_CALL(device_pointer(out, host, flags));
}

static cudaError_t host_flags(unsigned *flags, const void *host)
{
    struct rt_device *d;
    const struct rt_range *r;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    r = rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)host);
    if (flags == NULL || r == NULL || r->kind == RT_DEVICE_MEMORY ||
        r->kind == RT_MANAGED) {
        return cudaErrorInvalidValue;
    }
    *flags = r->flags | cudaHostAllocMapped; /* all is, where addresses are unified */
    return cudaSuccess;
}

RT_API cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    return RT_CALL(host_flags(flags, host));
}
