#include "mem/memory.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BITS = MEMORY_PAGE_BITS, PAGE_BYTES = 1 << PAGE_BITS, ALLOC_ALIGN = 256 };

#define NO_PAGE UINT64_MAX
/* So many, that the addresses of small devices stay below 4 GiB. */
enum { GAP = 1 << 20, MAX_GAPS = 1024 };

static const uint8_t zero_line[MEM_LINE];

static uint64_t pages_for(uint64_t bytes)
{
    return bytes / PAGE_BYTES + (bytes % PAGE_BYTES != 0);
}

bool memory_init(struct memory *m, uint64_t size, struct smw_err *e)
{
    memset(m, 0, sizeof(*m));
    m->size = size;
    m->next = ISA_GLOBAL_BASE;
    m->n_pages = pages_for(size);
    m->page = calloc(m->n_pages, sizeof(m->page[0]));
    if (m->page == NULL) {
        return err_set(e, SMW_ERR_NOMEM, "no memory for the page table of %llu bytes",
                       (unsigned long long)size);
    }
    return true;
}

void memory_free(struct memory *m)
{
    for (uint64_t i = 0; i < m->n_used; i++) {
        free(m->page[i]);
    }
    for (uint64_t i = 0; i < m->n_local_pages; i++) {
        free(m->page[m->n_pages + i]);
    }
    free(m->page);
    free(m->range);
    memset(m, 0, sizeof(*m));
}

bool memory_reserve_local(struct memory *m, uint64_t bytes, struct smw_err *e)
{
    uint64_t want = pages_for(bytes);

    for (uint64_t i = m->n_pages; i < m->n_pages + m->n_local_pages; i++) {
        free(m->page[i]);
        m->page[i] = NULL;
    }
    if (want > m->n_local_pages) {
        uint8_t **grown = realloc(m->page, (m->n_pages + want) * sizeof(m->page[0]));

        if (grown == NULL) {
            return err_set(e, SMW_ERR_NOMEM, "no memory for %llu bytes of local memory",
                           (unsigned long long)bytes);
        }
        memset(grown + m->n_pages, 0, want * sizeof(grown[0]));
        m->page = grown;
        m->n_local_pages = want;
    }
    return true;
}

bool memory_alloc(struct memory *m, uint64_t bytes, uint64_t *addr, struct smw_err *e)
{
    uint64_t used = m->next - ISA_GLOBAL_BASE;
    uint64_t shift = m->n_ranges != 0 ? m->range[m->n_ranges - 1].shift : 0;

    if (bytes == 0) {
        return err_set(e, SMW_ERR_INPUT, "an allocation of 0 bytes");
    }
    if (bytes > m->size - used) {
        return err_set(
            e, SMW_ERR_INPUT,
            "out of device memory: %llu bytes asked for, %llu of %llu are free",
            (unsigned long long)bytes, (unsigned long long)(m->size - used),
            (unsigned long long)m->size);
    }
    if (m->n_ranges == m->max_ranges) {
        uint32_t max = m->max_ranges == 0 ? 16 : 2 * m->max_ranges;
        struct memory_range *grown = realloc(m->range, max * sizeof(grown[0]));

        if (grown == NULL) {
            return err_set(e, SMW_ERR_NOMEM, "no memory for the table of allocations");
        }
        m->range = grown;
        m->max_ranges = max;
    }
    shift = m->gaps && m->n_ranges < MAX_GAPS ? m->n_ranges * GAP : shift;
    *addr = m->next + shift;
    m->range[m->n_ranges++] = (struct memory_range){*addr, bytes, "", shift};
    used += (bytes + ALLOC_ALIGN - 1) / ALLOC_ALIGN * ALLOC_ALIGN;
    m->next = ISA_GLOBAL_BASE + (used < m->size ? used : m->size);
    return true;
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

const struct memory_range *memory_find(const struct memory *m, uint64_t addr)
{
    uint32_t i = range_after(m, addr);

    if (i == 0 || addr - m->range[i - 1].addr >= m->range[i - 1].bytes) {
        return NULL;
    }
    return &m->range[i - 1];
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

void memory_name(struct memory *m, uint64_t addr, const char *name)
{
    uint32_t i = range_after(m, addr);

    if (i > 0 && m->range[i - 1].addr == addr) {
        m->range[i - 1].name = name;
    }
}

uint64_t memory_back(const struct memory *m, uint64_t addr)
{
    const struct memory_range *r = m->gaps ? memory_find(m, addr) : NULL;

    return r == NULL ? addr : addr - r->shift;
}

/* Index of the page that holds addr; NO_PAGE outside, where a segment that serves no
 * lane may lie (SPEC COAL-5). */
static uint64_t page_of(const struct memory *m, uint64_t addr)
{
    const bool local = (addr & MEM_LOCAL_BIT) != 0;
    const uint64_t from = local ? MEM_LOCAL_BIT : ISA_GLOBAL_BASE;
    const uint64_t i = (addr - from) >> PAGE_BITS;

    if (i >= (local ? m->n_local_pages : m->n_pages)) {
        return NO_PAGE;
    }
    return local ? m->n_pages + i : i;
}

const uint8_t *memory_line(const struct memory *m, uint64_t addr)
{
    const uint64_t i = page_of(m, addr);

    return i == NO_PAGE || m->page[i] == NULL ? zero_line
                                              : m->page[i] + (addr & (PAGE_BYTES - 1));
}

static uint8_t *page_rw(struct memory *m, uint64_t i)
{
    if (m->page[i] == NULL) {
        m->page[i] = calloc(1, PAGE_BYTES);
        if (m->page[i] == NULL) {
            arena_no_memory();
        }
        if (i < m->n_pages && i >= m->n_used) {
            m->n_used = i + 1;
        }
    }
    return m->page[i];
}

uint8_t *memory_line_rw(struct memory *m, uint64_t addr)
{
    return page_rw(m, page_of(m, addr)) + (addr & (PAGE_BYTES - 1));
}

/* ---- requests ---- */

/* PTX atom: an f32 sum in global memory flushes subnormals. */
static uint64_t flush_f32(uint64_t v)
{
    return (v & 0x7f800000u) == 0 ? v & 0x80000000u : v;
}

uint64_t memory_atomic(uint8_t *p, const struct memory_atom *a, uint64_t b, uint64_t c)
{
    bool flush = a->sub == ISA_S_ADD && a->type == ISA_T_F32;
    uint64_t old = 0, now;

    memcpy(&old, p, a->size); /* both little-endian */
    now = isa_atom(a->sub, a->type, flush ? flush_f32(old) : old,
                   flush ? flush_f32(b) : b, c);
    now = flush ? flush_f32(now) : now;
    memcpy(p, &now, a->size);
    return old;
}

static void do_atomic(uint8_t *bytes, struct mem_atom *a)
{
    const struct memory_atom what = {(enum isa_sub)a->sub, (enum isa_type)a->type,
                                     a->size};

    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        a->old[lane] =
            memory_atomic(bytes + a->offset[lane], &what, a->b[lane], a->c[lane]);
    }
}

void memory_serve(struct memory *m, struct mem_line *t)
{
    switch ((enum mem_op)t->op) {
    case MEM_LOAD: memcpy(t->data, memory_line(m, t->addr), MEM_LINE); break;
    case MEM_STORE:
        if ((t->bytes[0] | t->bytes[1]) != 0) {
            mem_copy_bytes(memory_line_rw(m, t->addr), t->data, t->bytes);
        }
        break;
    case MEM_ATOM:
    case MEM_RED: do_atomic(memory_line_rw(m, t->addr), t->atom); break;
    }
}

/* ---- host copies ---- */

void memory_read(const struct memory *m, uint64_t addr, void *dst, uint64_t n)
{
    uint8_t *to = dst;

    addr = memory_back(m, addr);
    while (n > 0) {
        uint64_t at = (addr - ISA_GLOBAL_BASE) % PAGE_BYTES;
        uint64_t part = PAGE_BYTES - at < n ? PAGE_BYTES - at : n;
        const uint8_t *p = m->page[page_of(m, addr)];

        if (p == NULL) {
            memset(to, 0, part);
        } else {
            memcpy(to, p + at, part);
        }
        addr += part;
        to += part;
        n -= part;
    }
}

void memory_write(struct memory *m, uint64_t addr, const void *src, uint64_t n)
{
    const uint8_t *from = src;

    addr = memory_back(m, addr);
    while (n > 0) {
        uint64_t at = (addr - ISA_GLOBAL_BASE) % PAGE_BYTES;
        uint64_t part = PAGE_BYTES - at < n ? PAGE_BYTES - at : n;

        memcpy(page_rw(m, page_of(m, addr)) + at, from, part);
        addr += part;
        from += part;
        n -= part;
    }
}
