/*
 * untimed_data.h - what a request does to the bytes of its space when it takes no time:
 * no line, no cache and no bank lies between its lanes and them. The lanes of a store
 * write in ascending order, those of an atomic act in that order, as the parts with
 * time have it (SPEC L2-3).
 */
#ifndef SM_UNTIMED_DATA_H
#define SM_UNTIMED_DATA_H

#include "mem/memory.h"
#include "mem/tex.h"

enum { UNTIMED_PAGES = 64 };

struct untimed_pages { /* those of global memory that were used last */
    struct memory *memory;
    struct untimed_page {
        uint64_t number; /* address / size; 0: none, nothing is allocated there */
        uint8_t *bytes;
    } page[UNTIMED_PAGES]; /* by the low bits of the number */
};

/* Addresses are those of the bytes: memory_back(). */
void untimed_global(struct untimed_pages *p, struct mem_req *r);
/* The bytes of all texels that w names. */
void untimed_texels(const struct untimed_pages *p, struct tex_work *w);
/* bytes: of the warp, 32 times those of a thread. */
void untimed_local(uint8_t *bytes, struct mem_req *r);
void untimed_const(const uint8_t *image, struct mem_req *r);

#endif /* SM_UNTIMED_DATA_H */
