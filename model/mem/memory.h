/*
 * memory.h - the bytes of device memory: one backing store, the point of coherence.
 *
 * Addresses from ISA_GLOBAL_BASE up to the device's size, in pages that come into being
 * when they are first written; allocations are aligned to 256 bytes and remembered, so
 * that an address can be told to belong to one or to none.
 *
 * With gaps, the addresses that programs and hosts see have a MiB more between two
 * allocations, so that an address a little past the end of one is not inside the next.
 * The bytes themselves lie where they lie without gaps; memory_back() says where. Local
 * memory is a second range, marked by MEM_LOCAL_BIT. No time here: the L2 slices decide
 * when.
 */
#ifndef MEM_MEMORY_H
#define MEM_MEMORY_H

#include "base/err.h"
#include "mem/mem.h"

/* Bytes of an aligned 64 KiB lie beside each other: a pointer into them that
 * memory_line_rw() gave leads to all of them. */
enum { MEMORY_PAGE_BITS = 16 };

struct memory_range {     /* an allocation */
    uint64_t addr, bytes; /* bytes as asked for */
    const char *name;     /* borrowed; "": none */
    uint64_t shift;       /* bytes that addr is ahead of where the allocation lies */
};

struct memory {
    uint8_t **page; /* global, then local pages; NULL: never touched, zeros */
    uint64_t n_pages, n_local_pages;
    uint64_t n_used;            /* global pages from here on were never written */
    uint64_t size;              /* bytes of global memory */
    uint64_t next;              /* first free byte */
    bool gaps;                  /* between allocations, see above */
    struct memory_range *range; /* ascending */
    uint32_t n_ranges, max_ranges;
};

/* size: bytes of device memory; local: bytes of local memory over all threads. */
bool memory_init(struct memory *m, uint64_t size, struct smw_err *e);
void memory_free(struct memory *m);

/* Room for local memory of this many bytes, zeroed; earlier contents are lost. */
bool memory_reserve_local(struct memory *m, uint64_t bytes, struct smw_err *e);

/* bytes > 0 at a multiple of 256. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *addr, struct smw_err *e);

/* The allocation at addr has this name, kept as it is. */
void memory_name(struct memory *m, uint64_t addr, const char *name);

/* The allocation that holds addr, NULL if none does. */
const struct memory_range *memory_find(const struct memory *m, uint64_t addr);
/* The allocation whose nearer end is closest to addr, NULL if there is none. */
const struct memory_range *memory_nearest(const struct memory *m, uint64_t addr);

/* Where the byte at an address inside an allocation lies. */
uint64_t memory_back(const struct memory *m, uint64_t addr);

/* The 128 bytes of a line for reading; zeros if it was never written or is outside. */
const uint8_t *memory_line(const struct memory *m, uint64_t addr);
/* The same for writing; inside. */
uint8_t *memory_line_rw(struct memory *m, uint64_t addr);

struct memory_atom { /* what an atomic does to one element */
    enum isa_sub sub;
    enum isa_type type;
    uint32_t size; /* bytes */
};
/* It is done to the element at p, with operands b and c. Returns what was there. */
uint64_t memory_atomic(uint8_t *p, const struct memory_atom *a, uint64_t b, uint64_t c);

/* What a request does to the bytes of its line: a load takes them all, a store writes
 * those of its mask, an atomic goes lane after lane (SPEC L2-3). */
void memory_serve(struct memory *m, struct mem_line *t);

/* Host copies; the range must lie inside one allocation. */
void memory_read(const struct memory *m, uint64_t addr, void *dst, uint64_t n);
void memory_write(struct memory *m, uint64_t addr, const void *src, uint64_t n);

#endif /* MEM_MEMORY_H */
