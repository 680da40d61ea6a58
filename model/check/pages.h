/*
 * pages.h - what is kept of each page of addresses that was ever touched, found by the
 * page's number, whatever that is: addresses of a device may begin anywhere.
 */
#ifndef CHECK_PAGES_H
#define CHECK_PAGES_H

#include <stddef.h>
#include <stdint.h>

struct pages { /* zeroed: empty */
    struct page {
        uint64_t number;
        void *bytes; /* NULL: free */
    } * slot;
    uint64_t n, max; /* max: 0 or a power of two */
    uint64_t last;   /* the slot found last */
};

/* The page's memory, `bytes` of it, zeros at first; aborts without memory. */
void *pages_get(struct pages *p, uint64_t number, size_t bytes);
/* The same, NULL if nobody has asked for it yet. */
void *pages_find(struct pages *p, uint64_t number);
void pages_free(struct pages *p);

#endif /* CHECK_PAGES_H */
