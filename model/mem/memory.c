#include "mem/memory.h"

#include "base/arena.h"
#include "base/nomem.h"
#include "mem/tex.h"

#include <stdlib.h>
#include <string.h>

#define NO_PAGE   UINT64_MAX
#define PAGE_BITS MEMORY_PAGE_BITS
#define PEER_BITS 49 /* the lowest bit of a peer's number, which begins with 1 */

_Static_assert(MEMORY_PAGE == 1 << PAGE_BITS, "pages");
_Static_assert(MEM_HOST_BIT << 1 == 1ull << PEER_BITS, "peers are above the host's");

static const uint8_t zero_line[MEM_LINE];

static uint64_t pages_for(uint64_t bytes)
{
    return bytes / MEMORY_PAGE + (bytes % MEMORY_PAGE != 0);
}

bool memory_init(struct memory *m, uint64_t size, struct smw_err *e)
{
    memset(m, 0, sizeof(*m));
    m->size = size;
    m->base = m->next = ISA_GLOBAL_BASE;
    m->n_pages = pages_for(size);
    m->page = calloc(m->n_pages, sizeof(m->page[0]));
    if (m->page == NULL || !room_init(&m->room, ISA_GLOBAL_BASE, size) ||
        !room_init(&m->host_room, 0, MEMORY_SPAN / 2)) {
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
    free(m->host_page);
    free(m->freed);
    room_free(&m->room);
    room_free(&m->host_room);
    memset(m, 0, sizeof(*m));
}

void memory_set_base(struct memory *m, uint64_t base)
{
    m->base = m->next = base;
    m->shifted = m->shifted || base != ISA_GLOBAL_BASE;
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

/* ---- pages ---- */

/* Index of the page that holds addr; NO_PAGE outside, where a segment that serves no
 * lane may lie (SPEC COAL-5), and where the host's and the peers' pages are. */
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

static const struct memory *peer_of(const struct memory *m, uint64_t addr)
{
    const uint64_t i = addr >> PEER_BITS;

    return i == 0 || i > MEMORY_MAX_PEERS ? NULL : m->peer[i - 1];
}

static const uint8_t *own_page(const struct memory *m, uint64_t addr)
{
    uint64_t i = page_of(m, addr);

    if (i != NO_PAGE) {
        return m->page[i];
    }
    i = (addr - MEM_HOST_BIT) >> PAGE_BITS;
    return i < m->n_host_pages ? m->host_page[i] : NULL;
}

/* NULL: zeros. */
static ATTR_NOINLINE const uint8_t *any_page(const struct memory *m, uint64_t addr)
{
    const struct memory *peer = peer_of(m, addr);

    return peer == NULL ? own_page(m, addr)
                        : own_page(peer, addr & ((1ull << PEER_BITS) - 1));
}

const uint8_t *memory_line(const struct memory *m, uint64_t addr)
{
    const uint64_t i = page_of(m, addr);
    const uint8_t *page = i == NO_PAGE ? any_page(m, addr) : m->page[i];

    return page == NULL ? zero_line : page + (addr & (MEMORY_PAGE - 1));
}

static uint8_t *page_rw(struct memory *m, uint64_t i)
{
    if (m->page[i] == NULL) {
        m->page[i] = nomem_calloc(1, MEMORY_PAGE);
        if (i < m->n_pages && i >= m->n_used) {
            m->n_used = i + 1;
        }
    }
    return m->page[i];
}

static ATTR_NOINLINE uint8_t *any_page_rw(struct memory *m, uint64_t addr)
{
    const uint64_t k = addr >> PEER_BITS;
    struct memory *of = peer_of(m, addr) == NULL ? m : m->peer[k - 1];
    const uint64_t own = addr & ((1ull << PEER_BITS) - 1);
    const uint64_t i = page_of(of, own);

    return i != NO_PAGE ? page_rw(of, i)
                        : of->host_page[(own - MEM_HOST_BIT) >> PAGE_BITS];
}

uint8_t *memory_line_rw(struct memory *m, uint64_t addr)
{
    const uint64_t i = page_of(m, addr);

    return (i == NO_PAGE ? any_page_rw(m, addr) : page_rw(m, i)) +
           (addr & (MEMORY_PAGE - 1));
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

static void serve(struct memory *m, struct mem_line *t)
{
    switch ((enum mem_op)t->op) {
    case MEM_LOAD: memcpy(t->data, memory_line(m, t->addr), MEM_LINE); break;
    case MEM_STORE:
        if (!mem_is_early(t) && (t->bytes[0] | t->bytes[1]) != 0) {
            mem_copy_bytes(memory_line_rw(m, t->addr), t->data, t->bytes);
        }
        break;
    case MEM_DRAIN: break; /* ends in the LSU */
    case MEM_ATOM:
    case MEM_RED: do_atomic(memory_line_rw(m, t->addr), t->atom); break;
    }
}

static ATTR_NOINLINE void serve_watched(struct memory *m, struct mem_line *t)
{
    uint8_t before[MEM_LINE];

    memcpy(before, memory_line(m, t->addr), MEM_LINE);
    serve(m, t);
    m->changed |= memcmp(before, memory_line(m, t->addr), MEM_LINE) != 0;
}

void memory_serve(struct memory *m, struct mem_line *t)
{
    if (UNLIKELY(m->watched)) {
        serve_watched(m, t);
    } else {
        serve(m, t);
    }
}

/* ---- host copies ---- */

/* Of n bytes from addr on, in an array: the first that lie together. */
static uint64_t array_piece(const struct memory_range *r, uint64_t addr, uint64_t n,
                            uint64_t *at)
{
    uint64_t place;
    const uint64_t piece = tex_row_piece(r->array, addr - r->addr, &place);

    *at = r->addr + place;
    return piece < n ? piece : n;
}

static const struct memory_range *array_at(const struct memory *m, uint64_t addr)
{
    const struct memory_range *r = m->n_arrays != 0 ? memory_find_own(m, addr) : NULL;

    return r != NULL && r->array != NULL ? r : NULL;
}

static void read_plain(const struct memory *m, uint64_t addr, void *dst, uint64_t n)
{
    uint8_t *to = dst;

    addr = memory_back(m, addr);
    while (n > 0) {
        uint64_t at = addr % MEMORY_PAGE;
        uint64_t part = MEMORY_PAGE - at < n ? MEMORY_PAGE - at : n;
        const uint8_t *p = any_page(m, addr);

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

static void write_plain(struct memory *m, uint64_t addr, const void *src, uint64_t n)
{
    const uint8_t *from = src;

    addr = memory_back(m, addr);
    while (n > 0) {
        uint64_t at = addr % MEMORY_PAGE;
        uint64_t part = MEMORY_PAGE - at < n ? MEMORY_PAGE - at : n;

        memcpy(any_page_rw(m, addr) + at, from, part);
        addr += part;
        from += part;
        n -= part;
    }
}

void memory_read(const struct memory *m, uint64_t addr, void *dst, uint64_t n)
{
    const struct memory_range *r = array_at(m, addr);
    uint8_t *to = dst;

    if (r == NULL) {
        read_plain(m, addr, dst, n);
        return;
    }
    while (n > 0) {
        uint64_t at, part = array_piece(r, addr, n, &at);

        read_plain(m, at, to, part);
        addr += part;
        to += part;
        n -= part;
    }
}

void memory_write(struct memory *m, uint64_t addr, const void *src, uint64_t n)
{
    const struct memory_range *r = array_at(m, addr);
    const uint8_t *from = src;

    if (r == NULL) {
        write_plain(m, addr, src, n);
        return;
    }
    while (n > 0) {
        uint64_t at, part = array_piece(r, addr, n, &at);

        write_plain(m, at, from, part);
        addr += part;
        from += part;
        n -= part;
    }
}
