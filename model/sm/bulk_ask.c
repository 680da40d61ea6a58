#include "sm/bulk_ask.h"

#include "sm/access.h"
#include "sm/fault.h"

#include <string.h>

struct asker { /* the lane that asks */
    struct sm *s;
    uint32_t i, lane;
    struct bulk_job *j;
};

/* A place that is no multiple of unit. */
static bool misaligned(const struct asker *a, const char *what, uint64_t v,
                       uint32_t unit)
{
    const struct sm_what w = {.rule = "misaligned", .addr = v};

    if (v % unit == 0) {
        return false;
    }
    sm_raise_fault(a->s, a->i, a->lane, &w,
                   "bulk copy: %s 0x%llx is not a multiple of %u", what,
                   (unsigned long long)v, unit);
    return true;
}

static bool invalid(const struct asker *a, const char *what)
{
    sm_raise_fault(a->s, a->i, a->lane, SM_RULE("invalid-access"), "bulk copy: %s",
                   what);
    return false;
}

/* On devices an illegal instruction, no illegal address (SPEC TENSOR-1, TENSOR-2). */
static bool wrong_map(const struct asker *a, const char *what)
{
    sm_raise_fault(a->s, a->i, a->lane, SM_RULE("invalid-tensor-map"), "bulk copy: %s",
                   what);
    return false;
}

/* ---- shared memory ---- */

/* The offset into the window of shared memory that an operand says. */
static uint64_t offset_of(const struct asker *a, const struct isa_lanes *lanes,
                          const struct isa_bulk_operand *o)
{
    const uint64_t addr = isa_bulk_value(o, lanes, a->lane);

    return addr - ISA_SHARED_WINDOW < ISA_WINDOW_SIZE ? addr - ISA_SHARED_WINDOW : addr;
}

/* The place that an offset means, and the rank of its block. */
static uint32_t place_of(const struct asker *a, uint64_t offset, uint32_t *rank)
{
    const struct isa_cluster *const c = &a->s->warps.warp[a->i].env.cluster;

    *rank = isa_rank_of(offset, c->rank);
    return offset >> ISA_RANK_SHIFT == 0
               ? (uint32_t)offset
               : (uint32_t)offset & ((1u << ISA_RANK_SHIFT) - 1);
}

static bool inside_shared(const struct asker *a, const char *what, uint32_t place,
                          uint32_t rank, uint32_t bytes)
{
    const struct warp *w = &a->s->warps.warp[a->i];
    const uint32_t most = a->s->shared->launch[w->launch].shared_bytes;
    const struct sm_what about = {.rule = "out-of-bounds",
                                  .space = "shared",
                                  .addr = place};

    if (place <= most && bytes <= most - place &&
        (rank < w->env.cluster.size || rank == w->env.cluster.rank)) {
        return true;
    }
    sm_raise_fault(a->s, a->i, a->lane, &about,
                   "bulk copy: %s of %u bytes at 0x%x of shared memory of the block of "
                   "rank %u: the kernel has %u bytes, the cluster %u blocks",
                   what, bytes, place, rank, most,
                   w->env.cluster.size == 0 ? 1 : w->env.cluster.size);
    return false;
}

static bool ask_shared(const struct asker *a, const struct isa_lanes *lanes,
                       const struct isa_bulk_operand *o, uint32_t unit, uint32_t *place,
                       uint32_t *rank)
{
    const uint64_t addr = offset_of(a, lanes, o);

    if (misaligned(a, "the address in shared memory", addr, unit)) {
        return false;
    }
    *place = place_of(a, addr, rank);
    return true;
}

/* SPEC BULK-1: the mbarrier is in the block that gets the bytes. */
static bool ask_barrier(const struct asker *a, const struct isa_lanes *lanes,
                        uint32_t rank)
{
    const uint64_t addr = offset_of(a, lanes, &a->j->say->bar);
    uint32_t of;

    if (misaligned(a, "the address of the mbarrier", addr, 8)) {
        return false;
    }
    a->j->bar = place_of(a, addr, &of);
    if (!inside_shared(a, "an mbarrier", a->j->bar, of, 8)) {
        return false;
    }
    return of == rank || a->j->say->multicast ||
           invalid(a, "the mbarrier is in another block than the bytes go to");
}

static bool ask_ranks(const struct asker *a, const struct isa_lanes *lanes,
                      uint32_t rank)
{
    const struct isa_cluster *const c = &a->s->warps.warp[a->i].env.cluster;
    const uint32_t size = c->size == 0 ? 1 : c->size;

    a->j->ranks = 1u << rank;
    if (a->j->say->multicast) {
        a->j->ranks =
            (uint32_t)isa_bulk_value(&a->j->say->ranks, lanes, a->lane) & 0xffff;
        if (a->j->ranks == 0 || a->j->ranks >> size != 0) {
            return invalid(a, "its mask names no block, or one that the cluster lacks");
        }
    }
    return true;
}

/* ---- global memory ---- */

static bool inside_global(const struct asker *a, uint64_t addr, uint64_t bytes)
{
    const struct sm_what about = {.rule = "out-of-bounds",
                                  .space = "global",
                                  .addr = addr};

    if (bytes == 0 || access_is_global(a->s, addr, bytes)) {
        return true;
    }
    sm_raise_fault(
        a->s, a->i, a->lane, &about,
        "bulk copy: %llu bytes at 0x%llx of global memory are not inside one "
        "allocation",
        (unsigned long long)bytes, (unsigned long long)addr);
    return false;
}

/* What of the box lies inside the tensor lies inside an allocation; what a store writes
 * behind the tensor's end need not. Of a prefetch what comes behind that is not asked
 * for. */
static bool box_inside(const struct asker *a)
{
    struct bulk_job *j = a->j;
    const uint32_t grain = isa_tensor_grain(&j->map, j->coord, false);
    uint32_t end = 0;

    for (uint32_t at = 0; at < j->bytes; at += grain) {
        const struct memory_range *const near = &a->s->near;
        uint64_t addr;

        if (!isa_tensor_find(&j->map, j->coord, at, &addr)) {
            continue;
        }
        end = at + grain;
        if (!(addr - near->addr < near->bytes &&
              near->bytes - (addr - near->addr) >= grain) &&
            !inside_global(a, addr, grain)) {
            return false;
        }
    }
    j->bytes = j->say->what == ISA_BULK_PREFETCH ? end : j->bytes;
    return true;
}

/* The 128 bytes at a generic address; false: a fault. */
static bool read_map(const struct asker *a, uint64_t addr,
                     uint8_t bytes[ISA_TENSOR_BYTES])
{
    const struct warp *w = &a->s->warps.warp[a->i];
    const struct ptx_module *m = a->s->shared->launch[w->launch].module;

    if (misaligned(a, "the address of the tensor map", addr, 64)) {
        return false;
    }
    if (addr - ISA_PARAM_WINDOW < ISA_WINDOW_SIZE) {
        addr -= ISA_PARAM_WINDOW;
        if (addr + ISA_TENSOR_BYTES > w->env.param_bytes) {
            return invalid(a, "the tensor map is behind the parameters");
        }
        memcpy(bytes, w->env.param + addr, ISA_TENSOR_BYTES);
        return true;
    }
    if (addr - ISA_CONST_WINDOW < ISA_WINDOW_SIZE) {
        addr -= ISA_CONST_WINDOW;
        if (addr + ISA_TENSOR_BYTES > m->const_bytes) {
            return invalid(a, "the tensor map is behind the constants");
        }
        memcpy(bytes, m->const_image + addr, ISA_TENSOR_BYTES);
        return true;
    }
    if (addr - ISA_LOCAL_WINDOW < ISA_WINDOW_SIZE) {
        return invalid(a, "the tensor map is in local memory: a compiler that knows no "
                          "__grid_constant__ puts parameters there; keep it in "
                          "__constant__ memory");
    }
    if (!inside_global(a, addr, ISA_TENSOR_BYTES)) {
        return false;
    }
    memory_read(a->s->shared->memory, addr, bytes, ISA_TENSOR_BYTES);
    return true;
}

static bool stores_before(const struct bulk_job *j)
{
    for (uint32_t d = 0; d < j->say->dims; d++) {
        if (j->say->what == ISA_BULK_STORE && j->coord[d] < 0) {
            return true;
        }
    }
    return false;
}

static bool ask_map(const struct asker *a, const struct isa_lanes *lanes)
{
    struct bulk_job *j = a->j;
    uint8_t bytes[ISA_TENSOR_BYTES];

    if (!read_map(a, isa_bulk_value(&j->say->global, lanes, a->lane), bytes)) {
        return false;
    }
    if (!isa_tensor_read(bytes, &j->map)) {
        return wrong_map(a, "at the address of the tensor map is none");
    }
    if (j->map.rank != j->say->dims) {
        return wrong_map(a, "the tensor map has another number of dimensions");
    }
    for (uint32_t d = 0; d < j->say->dims; d++) {
        j->coord[d] = (int32_t)isa_bulk_value(&j->say->coord[d], lanes, a->lane);
    }
    if (stores_before(j)) {
        return wrong_map(a, "it writes and has a negative coordinate");
    }
    if (j->map.interleave == 0 &&
        (uint32_t)j->coord[0] * isa_tensor_size(j->map.type) % 16 != 0) {
        return wrong_map(a,
                         "the first coordinate does not begin a multiple of 16 bytes");
    }
    return true;
}

static bool ask_line(const struct asker *a, const struct isa_lanes *lanes)
{
    struct bulk_job *j = a->j;

    j->bytes = (uint32_t)isa_bulk_value(&j->say->bytes, lanes, a->lane);
    if (misaligned(a, "the size", j->bytes, 16)) {
        return false;
    }
    if (j->say->what == ISA_BULK_SEND) {
        return true;
    }
    j->global = isa_bulk_value(&j->say->global, lanes, a->lane);
    return !misaligned(a, "the address in global memory", j->global, 16) &&
           inside_global(a, j->global, j->bytes);
}

/* ---- all of it ---- */

/* The two places in shared memory, and the mbarrier. */
static bool ask_places(const struct asker *a, const struct isa_lanes *lanes)
{
    struct bulk_job *j = a->j;
    const uint32_t own = a->s->warps.warp[a->i].env.cluster.rank;
    const uint32_t span = j->say->dims != 0 ? isa_tensor_span(&j->map) : j->bytes;
    uint32_t rank = own, of = own;

    if (j->say->what == ISA_BULK_PREFETCH) {
        return true;
    }
    if (!ask_shared(a, lanes, &j->say->shared, j->say->dims != 0 ? 128 : 16, &j->shared,
                    &rank) ||
        !inside_shared(a, "data", j->shared, rank, span)) {
        return false;
    }
    if (j->say->what == ISA_BULK_SEND &&
        (!ask_shared(a, lanes, &j->say->global, 16, &j->to, &of) ||
         !inside_shared(a, "data", j->to, of, j->bytes))) {
        return false;
    }
    if (j->say->what != ISA_BULK_LOAD && rank != own) {
        return invalid(a, "it reads the shared memory of another block");
    }
    of = j->say->what == ISA_BULK_LOAD ? rank : of;
    return j->say->what == ISA_BULK_STORE ||
           (ask_barrier(a, lanes, of) && ask_ranks(a, lanes, of));
}

static void count(struct sm *s, const struct bulk_job *j)
{
    struct smw_counters *c = s->warps.warp[j->warp].stats;
    const enum isa_bulk_what what = (enum isa_bulk_what)j->say->what;

    c->bulk_copies++;
    c->bulk_loaded += what == ISA_BULK_LOAD ? j->bytes : 0;
    c->bulk_stored += what == ISA_BULK_STORE ? j->bytes : 0;
    c->bulk_sent += what == ISA_BULK_SEND ? j->bytes : 0;
}

bool bulk_ask(struct sm *s, uint32_t i, uint32_t lane, struct bulk_job *j)
{
    const struct warp *w = &s->warps.warp[i];
    const struct asker a = {s, i, lane, j};

    j->say = w->head->bulk;
    j->warp = (uint8_t)i;
    j->lane = (uint8_t)lane;
    j->slot = w->slot;
    j->launch = w->launch;
    j->pc = w->pc;
    j->block = w->block;
    j->index = (uint32_t)s->issued;
    j->ranks = 1u << w->env.cluster.rank;
    if (!(j->say->dims != 0 ? ask_map(&a, &w->lanes) : ask_line(&a, &w->lanes))) {
        return false;
    }
    bulk_job_begin(j, &w->head->form);
    if (!ask_places(&a, &w->lanes) || (j->say->dims != 0 && !box_inside(&a))) {
        return false;
    }
    count(s, j);
    return true;
}
