/*
 * ranges.h - the memory that the runtime has given out, or that a program has
 * registered: which kind an address is in, and whose.
 */
#ifndef RUNTIME_RANGES_H
#define RUNTIME_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum rt_memory {
    RT_DEVICE_MEMORY,
    RT_PINNED,    /* of the host, the same address on the device */
    RT_MANAGED,   /* the same, and either side may be asked to keep it */
    RT_REGISTERED /* of the host, registered later: another address on the device */
};

struct rt_range {
    uint64_t addr;     /* as the host writes it */
    uint64_t bytes;    /* as they were asked for, 1 or more */
    uint64_t reserved; /* bytes of pages behind it; 0: none of the host's */
    uint64_t on_device;
    enum rt_memory kind;
    uint32_t device;
    unsigned flags; /* cudaHostAlloc(), cudaHostRegister() */
    void *pool;     /* NULL: of none */
    bool of_graph;  /* a graph takes it again at each launch: never given back */
};

struct rt_ranges {          /* all zero: empty */
    struct rt_range *range; /* by address, none overlaps another */
    uint32_t n, cap;
};

/* False: out of memory. r overlaps none of those there. */
bool rt_range_add(struct rt_ranges *s, const struct rt_range *r);
/* The one that holds the byte at addr; NULL: none. Valid until the next change. */
struct rt_range *rt_range_find(const struct rt_ranges *s, uint64_t addr);
/* The first that ends behind addr: to look for overlaps; NULL: none. */
struct rt_range *rt_range_after(const struct rt_ranges *s, uint64_t addr);
void rt_range_remove(struct rt_ranges *s, const struct rt_range *r);
void rt_ranges_free(struct rt_ranges *s);

#endif /* RUNTIME_RANGES_H */
