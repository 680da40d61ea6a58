#include "mem/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLOC_ALIGN = 256 };
/* So many, that the addresses of small devices stay below 4 GiB. */
enum { GAP = 1 << 20, MAX_GAPS = 1024 };

static uint64_t rounded_to(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Index of the first range that begins after addr. */
static uint32_t range_after(const struct memory *m, uint64_t addr)
{
    uint32_t lo = 0, hi = m->n_ranges;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (m->range[mid].addr > addr) {
            hi = mid;
        } else {
            lo = mid + 1;
        }
    }
    return lo;
}

/* ---- allocate ---- */

/* Room in the tables for one more. */
static bool grow(struct memory *m, struct smw_err *e)
{
    uint32_t max = m->max_ranges == 0 ? 16 : 2 * m->max_ranges;
    struct memory_range *grown = m->range;

    if (m->n_ranges == m->max_ranges) {
        grown = realloc(m->range, max * sizeof(grown[0]));
        if (grown != NULL) {
            m->range = grown;
            m->max_ranges = max;
        }
    }
    if (m->freed == NULL) {
        m->freed = calloc(MEMORY_FREED, sizeof(m->freed[0]));
    }
    if (grown == NULL || m->freed == NULL || !room_reserve(&m->room, m->n_ranges + 1) ||
        !room_reserve(&m->host_room, m->n_ranges + 1)) {
        return err_set(e, SMW_ERR_NOMEM, "no memory for the table of allocations");
    }
    return true;
}

static void insert(struct memory *m, const struct memory_range *r)
{
    uint32_t i = range_after(m, r->addr);

    memmove(&m->range[i + 1], &m->range[i], (m->n_ranges - i) * sizeof(m->range[0]));
    m->range[i] = *r;
    m->n_ranges++;
    m->shifted = m->shifted || r->shift != 0;
}

/* With gaps, where addresses of the device's own memory end. */
static uint64_t last_address(const struct memory *m)
{
    const uint64_t small = 1ull << 32;

    return m->base + m->size + (uint64_t)MAX_GAPS * GAP <= small
               ? small
               : m->base + MEMORY_SPAN / 2;
}

/* With gaps: an address that was not used before, while there are any; else the lowest
 * that is free now. */
static uint64_t next_address(struct memory *m, uint64_t bytes)
{
    uint64_t at = m->next + (m->n_alloc == 0 || m->n_alloc >= MAX_GAPS ? 0 : GAP);

    if (at + bytes <= last_address(m)) {
        m->next = at + bytes;
        return at;
    }
    at = m->base;
    for (uint32_t i = 0; i < m->n_ranges; i++) {
        const struct memory_range *r = &m->range[i];

        if (r->addr - at >= bytes) {
            break;
        }
        at = r->addr + rounded_to(r->bytes, ALLOC_ALIGN);
    }
    return at;
}

static bool refuse(const struct memory *m, uint64_t bytes, struct smw_err *e)
{
    uint64_t largest, left = room_left(&m->room, &largest);

    (void)err_set(e, SMW_ERR_INPUT,
                  "out of device memory: %llu bytes asked for, %llu of %llu are free",
                  (unsigned long long)bytes, (unsigned long long)left,
                  (unsigned long long)m->size);
    if (bytes <= left) {
        err_hint(e, "in pieces of at most %llu bytes", (unsigned long long)largest);
    }
    return err_code(e, SMW_CODE_OUT_OF_MEMORY);
}

bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *addr, struct smw_err *e)
{
    struct memory_range r = {.bytes = bytes, .name = ""};
    uint64_t at;

    if (bytes == 0) {
        return err_set(e, SMW_ERR_INPUT, "an allocation of 0 bytes");
    }
    if (bytes > m->size) {
        return refuse(m, bytes, e);
    }
    if (!grow(m, e)) {
        return false;
    }
    if (!room_take(&m->room, bytes, rounded_to(bytes, ALLOC_ALIGN), &at)) {
        return refuse(m, bytes, e);
    }
    r.addr = m->gaps ? next_address(m, rounded_to(bytes, ALLOC_ALIGN))
                     : at - ISA_GLOBAL_BASE + m->base;
    r.shift = r.addr - at;
    m->n_alloc++;
    insert(m, &r);
    *addr = r.addr;
    return true;
}

/* ---- pages of the host ---- */

static uint64_t host_base(const struct memory *m)
{
    return m->base + MEMORY_SPAN / 2;
}

bool memory_alloc_host(struct memory *m, uint64_t bytes, uint64_t *addr,
                       struct smw_err *e)
{
    const uint64_t all = rounded_to(bytes, MEMORY_PAGE);
    struct memory_range r = {.bytes = bytes, .name = ""};
    uint64_t at, pages;

    if (bytes == 0) {
        return err_set(e, SMW_ERR_INPUT, "an allocation of 0 bytes");
    }
    if (!grow(m, e)) {
        return false;
    }
    if (m->size > MEMORY_SPAN / 2 || bytes > MEMORY_SPAN / 2 ||
        !room_take(&m->host_room, all, all, &at)) {
        (void)err_set(e, SMW_ERR_INPUT,
                      "no addresses are left for %llu bytes of the host's memory",
                      (unsigned long long)bytes);
        return err_code(e, SMW_CODE_OUT_OF_MEMORY);
    }
    pages = (at + all) / MEMORY_PAGE;
    if (pages > m->n_host_pages) {
        uint8_t **grown = realloc(m->host_page, pages * sizeof(grown[0]));

        if (grown == NULL) {
            room_give(&m->host_room, at, all);
            return err_set(e, SMW_ERR_NOMEM, "no memory for a page table");
        }
        memset(grown + m->n_host_pages, 0,
               (pages - m->n_host_pages) * sizeof(grown[0]));
        m->host_page = grown;
        m->n_host_pages = pages;
    }
    r.addr = host_base(m) + at;
    r.shift = r.addr - (MEM_HOST_BIT + at);
    insert(m, &r);
    *addr = r.addr;
    return true;
}

static void set_pages(struct memory *m, const struct memory_range *r, uint8_t *host)
{
    uint64_t first = (r->addr - host_base(m)) / MEMORY_PAGE;
    uint64_t n = rounded_to(r->bytes, MEMORY_PAGE) / MEMORY_PAGE;

    for (uint64_t i = 0; i < n; i++) {
        m->host_page[first + i] = host == NULL ? NULL : host + i * MEMORY_PAGE;
    }
}

void memory_lend(struct memory *m, uint64_t addr, uint8_t *host, bool lent)
{
    struct memory_range *r = &m->range[range_after(m, addr) - 1];

    r->host = host;
    r->lent = lent;
    set_pages(m, r, host);
}

/* ---- free ---- */

/* Bytes of the device that are nobody's: pages go back to the host, parts of pages
 * become zeros. */
static void forget(struct memory *m, uint64_t at, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t from = at % MEMORY_PAGE;
        uint64_t part = MEMORY_PAGE - from < bytes ? MEMORY_PAGE - from : bytes;
        uint8_t **page = &m->page[(at - ISA_GLOBAL_BASE) / MEMORY_PAGE];

        if (part == MEMORY_PAGE) {
            free(*page);
            *page = NULL;
        } else if (*page != NULL) {
            memset(*page + from, 0, part);
        }
        at += part;
        bytes -= part;
    }
}

static void remember(struct memory *m, const struct memory_range *r)
{
    struct memory_freed *f = &m->freed[m->n_freed++ % MEMORY_FREED];

    f->addr = r->addr;
    f->bytes = r->bytes;
    (void)snprintf(f->name, sizeof(f->name), "%s", r->name);
}

bool memory_release(struct memory *m, uint64_t addr)
{
    uint32_t i = range_after(m, addr);
    struct memory_range r;

    if (i == 0 || m->range[i - 1].addr != addr) {
        return false;
    }
    r = m->range[--i];
    if (addr >= host_base(m)) {
        set_pages(m, &r, NULL);
        room_give(&m->host_room, addr - host_base(m), rounded_to(r.bytes, MEMORY_PAGE));
    } else {
        uint64_t at = addr - r.shift, end = ISA_GLOBAL_BASE + m->size;
        uint64_t all = rounded_to(r.bytes, ALLOC_ALIGN);

        forget(m, at, r.bytes);
        room_give(&m->room, at, all < end - at ? all : end - at);
    }
    remember(m, &r);
    m->n_ranges--;
    memmove(&m->range[i], &m->range[i + 1], (m->n_ranges - i) * sizeof(m->range[0]));
    return true;
}

uint64_t memory_left(const struct memory *m)
{
    uint64_t largest;

    return room_left(&m->room, &largest);
}

/* ---- find ---- */

const struct memory_range *memory_find_own(const struct memory *m, uint64_t addr)
{
    uint32_t i = range_after(m, addr);

    if (i == 0 || addr - m->range[i - 1].addr >= m->range[i - 1].bytes) {
        return NULL;
    }
    return &m->range[i - 1];
}

/* The number of the peer that has it, MEMORY_MAX_PEERS: none has. */
static uint32_t find_peer(const struct memory *m, uint64_t addr,
                          const struct memory_range **r)
{
    uint32_t i = 0;

    for (; i < MEMORY_MAX_PEERS; i++) {
        *r = m->peer[i] == NULL ? NULL : memory_find_own(m->peer[i], addr);
        if (*r != NULL && (!m->peer_host_only[i] || (*r)->host != NULL)) {
            return i;
        }
    }
    *r = NULL;
    return i;
}

const struct memory_range *memory_find(const struct memory *m, uint64_t addr)
{
    const struct memory_range *r = memory_find_own(m, addr);

    if (r == NULL) {
        (void)find_peer(m, addr, &r);
    }
    return r;
}

bool memory_locate(const struct memory *m, uint64_t addr, struct memory_range *out)
{
    const struct memory_range *r = memory_find_own(m, addr);
    uint64_t window = 0;

    if (r == NULL) {
        window = (find_peer(m, addr, &r) + 1ull) * (MEM_HOST_BIT << 1);
    }
    if (r == NULL) {
        return false;
    }
    *out = *r;
    out->shift -= window;
    return true;
}

const struct memory_range *memory_nearest(const struct memory *m, uint64_t addr)
{
    uint32_t i = range_after(m, addr);
    uint64_t below, above;

    if (m->n_ranges == 0) {
        return NULL;
    }
    if (i == 0) {
        return &m->range[0];
    }
    if (i == m->n_ranges) {
        return &m->range[i - 1];
    }
    below = m->range[i - 1].addr + m->range[i - 1].bytes - 1; /* its last byte */
    below = addr > below ? addr - below : 0;
    above = m->range[i].addr - addr;
    return below <= above ? &m->range[i - 1] : &m->range[i];
}

static const struct memory_freed *freed_own(const struct memory *m, uint64_t addr)
{
    uint64_t n = m->n_freed < MEMORY_FREED ? m->n_freed : MEMORY_FREED;

    for (uint64_t i = 1; i <= n; i++) {
        const struct memory_freed *f = &m->freed[(m->n_freed - i) % MEMORY_FREED];

        if (addr - f->addr < f->bytes) {
            return f;
        }
    }
    return NULL;
}

const struct memory_freed *memory_freed(const struct memory *m, uint64_t addr)
{
    const struct memory_freed *f =
        memory_find(m, addr) != NULL ? NULL : freed_own(m, addr);

    for (uint32_t i = 0; i < MEMORY_MAX_PEERS && f == NULL; i++) {
        if (m->peer[i] != NULL && memory_find(m, addr) == NULL) {
            f = freed_own(m->peer[i], addr);
        }
    }
    return f;
}

void memory_name(struct memory *m, uint64_t addr, const char *name)
{
    uint32_t i = range_after(m, addr);

    if (i > 0 && m->range[i - 1].addr == addr) {
        m->range[i - 1].name = name;
    }
}

void memory_set_array(struct memory *m, uint64_t addr, const struct tex_desc *array)
{
    uint32_t i = range_after(m, addr);

    if (i > 0 && m->range[i - 1].addr == addr) {
        m->range[i - 1].array = array;
        m->n_arrays++;
    }
}

uint64_t memory_back(const struct memory *m, uint64_t addr)
{
    struct memory_range r;

    return m->shifted && memory_locate(m, addr, &r) ? addr - r.shift : addr;
}

/* ---- peers ---- */

bool memory_join(struct memory *m, struct memory *peer, bool host_only)
{
    uint32_t at = MEMORY_MAX_PEERS;

    for (uint32_t i = 0; i < MEMORY_MAX_PEERS; i++) {
        if (m->peer[i] == peer) {
            m->peer_host_only[i] = host_only;
            return true;
        }
        at = m->peer[i] == NULL && i < at ? i : at;
    }
    if (at == MEMORY_MAX_PEERS) {
        return false;
    }
    m->peer[at] = peer;
    m->peer_host_only[at] = host_only;
    m->shifted = true;
    return true;
}

void memory_part(struct memory *m, const struct memory *peer)
{
    for (uint32_t i = 0; i < MEMORY_MAX_PEERS; i++) {
        if (m->peer[i] == peer) {
            m->peer[i] = NULL;
        }
    }
}

bool memory_has_peers(const struct memory *m)
{
    for (uint32_t i = 0; i < MEMORY_MAX_PEERS; i++) {
        if (m->peer[i] != NULL) {
            return true;
        }
    }
    return false;
}
