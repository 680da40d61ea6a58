/* memory.h - where an address lies, and taking memory of a device. */
#ifndef RUNTIME_MEMORY_H
#define RUNTIME_MEMORY_H

#include "runtime/rt.h"

struct rt_place {   /* of an address that a program gives */
    bool device;    /* in memory of a device, which the host cannot reach */
    bool pinned;    /* of the host, known to the runtime */
    uint32_t of;    /* the device, of both kinds */
    uint64_t left;  /* bytes from the address to the end of what it is in */
    uint64_t begin; /* of what it is in */
};

/* False: memory of the host that the runtime knows nothing of. */
bool rt_place(uint64_t addr, struct rt_place *out);
/* bytes of d; *p is not changed on an error. */
cudaError_t rt_malloc(struct rt_device *d, uint64_t bytes, void *pool, void **p);
cudaError_t rt_free(void *p);
/* What the model gave at addr is memory of d, so many bytes; else it is given back. */
cudaError_t rt_adopt(struct rt_device *d, uint64_t addr, uint64_t bytes, void *pool,
                     void **p);
/* p is a graph's: rt_free() leaves it, since the graph may run again. */
void rt_keep(void *p);
/* Of kind RT_PINNED or RT_MANAGED. */
cudaError_t rt_free_host(void *p, enum rt_memory kind);

#endif /* RUNTIME_MEMORY_H */
