/*
 * memory.h - the bytes of device memory: one backing store, the point of coherence.
 *
 * Bytes lie from ISA_GLOBAL_BASE up to the device's size, in pages that come into being
 * when they are first written; allocations are aligned to 256 bytes and remembered, so
 * that an address can be told to belong to one or to none. Freed room is taken again,
 * lowest first, and is zero as if nobody had ever used it.
 *
 * The addresses that programs and hosts see may differ from where bytes lie, by the
 * shift of each allocation; memory_back() takes it off, and what comes after it
 * (caches, DRAM) knows nothing of it. Three things make a shift (SPEC ADDR-1):
 *   - base: where the addresses begin, so that devices of one process are apart;
 *   - gaps: a MiB more between two allocations, so that an address a little past the
 *     end of one is not inside the next, and addresses that are not used again;
 *   - pages of the host's own and of other devices, which lie behind the device's own,
 *     marked by MEM_HOST_BIT and by the bits above it.
 * Local memory is a range of its own, marked by MEM_LOCAL_BIT. No time here: the L2
 * slices decide when.
 */
#ifndef MEM_MEMORY_H
#define MEM_MEMORY_H

#include "base/err.h"
#include "base/room.h"
#include "mem/mem.h"

/* Bytes of an aligned page lie beside each other: a pointer into them that
 * memory_line_rw() gave leads to all of them. */
enum {
    MEMORY_PAGE_BITS = 16,
    MEMORY_PAGE = 1 << MEMORY_PAGE_BITS, /* bytes */
    MEMORY_MAX_PEERS = 32,               /* other devices whose memory can be reached */
    MEMORY_FREED = 256,                  /* freed allocations that are remembered */
    MEMORY_FREED_NAME = 64               /* their names are cut */
};

/* Addresses that a device takes, its host's pages among them, from its base on: the
 * first half is for its own memory, the second for pages of the host. */
#define MEMORY_SPAN (1ull << 40)

/* A byte of the host's pages; the bits above, up to MEM_LOCAL_BIT, number a peer. */
#define MEM_HOST_BIT (1ull << 48)

struct tex_desc;

struct memory_range {     /* an allocation */
    uint64_t addr, bytes; /* bytes as asked for */
    const char *name;     /* borrowed; "": none */
    uint64_t shift; /* addr is so many bytes ahead of where the allocation lies, modulo
                       2^64 */
    uint8_t *host;  /* pages of the host's own; NULL: the device's */
    bool lent;      /* host is not the user's: a module's constants */
    const struct tex_desc *array; /* owned by the caller: the bytes are texels in tiles,
                                     and the host sees them in rows; NULL: they are not
                                     */
};

struct memory_freed {
    uint64_t addr, bytes; /* 0: none */
    char name[MEMORY_FREED_NAME];
};

struct memory {
    uint8_t **page; /* global, then local pages; NULL: never touched, zeros */
    uint64_t n_pages, n_local_pages;
    uint64_t n_used;            /* global pages from here on were never written */
    uint64_t size;              /* bytes of global memory */
    uint64_t base;              /* address of the first byte */
    bool gaps;                  /* between allocations, see above */
    bool shifted;               /* a shift may not be 0 */
    struct memory_range *range; /* ascending */
    uint32_t n_ranges, max_ranges;
    uint32_t n_arrays;     /* that there ever were */
    struct room room;      /* where bytes lie that are free */
    uint64_t n_alloc;      /* allocations there ever were */
    uint64_t next;         /* with gaps: the address of the next one */
    struct room host_room; /* offsets of the host's pages that are free */
    uint8_t **host_page;   /* by such an offset; NULL: none */
    uint64_t n_host_pages;
    struct memory *peer[MEMORY_MAX_PEERS]; /* NULL: none */
    bool peer_host_only[MEMORY_MAX_PEERS]; /* only the host's pages of it */
    struct memory_freed *freed;            /* a ring of MEMORY_FREED */
    uint64_t n_freed;
    bool watched; /* whoever set it learns ... */
    bool changed; /* ... that a request changed a byte */
};

/* size: bytes of device memory; local: bytes of local memory over all threads. */
bool memory_init(struct memory *m, uint64_t size, struct smw_err *e);
void memory_free(struct memory *m);

/* Before anything is allocated: where addresses begin, a multiple of MEMORY_PAGE. */
void memory_set_base(struct memory *m, uint64_t base);

/* Room for local memory of this many bytes, zeroed; earlier contents are lost. */
bool memory_reserve_local(struct memory *m, uint64_t bytes, struct smw_err *e);

/* ---- memory_alloc.c: allocations ---- */

/* bytes > 0 at a multiple of 256. */
bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *addr, struct smw_err *e);

/* An address for bytes > 0 of the host's, a multiple of MEMORY_PAGE; nothing is there
 * until memory_lend() says what, or memory_release() gives it back. */
bool memory_alloc_host(struct memory *m, uint64_t bytes, uint64_t *addr,
                       struct smw_err *e);
/* Whole pages: bytes rounded up to MEMORY_PAGE. */
void memory_lend(struct memory *m, uint64_t addr, uint8_t *host, bool lent);

/* SPEC ADDR-2: the allocation at addr, of either kind, is no more. False: there is
 * none. */
bool memory_release(struct memory *m, uint64_t addr);

/* The allocation at addr has this name, kept as it is. */
void memory_name(struct memory *m, uint64_t addr, const char *name);

/* The allocation that holds addr, of this device or of a peer; NULL if none does. Its
 * shift is that of its own device. */
const struct memory_range *memory_find(const struct memory *m, uint64_t addr);
/* The same, of this device only. */
const struct memory_range *memory_find_own(const struct memory *m, uint64_t addr);
/* The same as memory_find(), copied, with the shift that memory_back() takes off. */
bool memory_locate(const struct memory *m, uint64_t addr, struct memory_range *out);
/* The allocation whose nearer end is closest to addr, NULL if there is none. */
const struct memory_range *memory_nearest(const struct memory *m, uint64_t addr);
/* The last one freed that held addr, if addr is in none now and that is remembered. */
const struct memory_freed *memory_freed(const struct memory *m, uint64_t addr);

/* Bytes that can still be allocated, perhaps in pieces. */
uint64_t memory_left(const struct memory *m);

/* Allocations of peer can be reached from m; host_only: those of the host's pages.
 * False: the table is full. Said again, the last word counts. */
bool memory_join(struct memory *m, struct memory *peer, bool host_only);
void memory_part(struct memory *m, const struct memory *peer);
bool memory_has_peers(const struct memory *m);

/* The allocation at addr holds texels of *array, whose base is addr: what
 * memory_read() and memory_write() take is rows, as tex_rows() has them. */
void memory_set_array(struct memory *m, uint64_t addr, const struct tex_desc *array);

/* Where the byte at an address inside an allocation lies. */
uint64_t memory_back(const struct memory *m, uint64_t addr);

/* ---- bytes, by where they lie ---- */

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

/* Host copies, by address; the range must lie inside one allocation. */
void memory_read(const struct memory *m, uint64_t addr, void *dst, uint64_t n);
void memory_write(struct memory *m, uint64_t addr, const void *src, uint64_t n);

#endif /* MEM_MEMORY_H */
