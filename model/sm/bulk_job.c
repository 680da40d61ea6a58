#include "sm/bulk_job.h"

#include "base/bits.h"

#include <string.h>

/* In mem_req.frame_slot of its requests: the byte of the copy at which they begin. */
static uint32_t first_of(const struct mem_req *r)
{
    return r->frame_slot;
}

struct bulk_job *bulk_job_of(const struct mem_req *r)
{
    const size_t at = r->uop->kind == ISA_K_BULK ? offsetof(struct bulk_job, move)
                                                 : offsetof(struct bulk_job, tell);

    return (struct bulk_job *)(void *)((uintptr_t)r->uop - at);
}

static const struct isa_uop nothing = {
    .class = ISA_CL_MEM,
    .guard = ISA_P_TRUE,
    .dst = {ISA_NO_REF, ISA_NO_REF, ISA_NO_REF, ISA_NO_REF},
    .src = {ISA_NO_REF, ISA_NO_REF, ISA_NO_REF, ISA_NO_REF},
    .dst2 = ISA_NO_REF,
};

/* ---- what the pieces are ---- */

/* What each element of a reduction is; .b32 and .b64 of bits. */
static enum isa_type reduced(const struct bulk_job *j, const struct isa_form *form)
{
    const bool bits =
        form->sub == ISA_S_AND || form->sub == ISA_S_OR || form->sub == ISA_S_XOR;
    const enum isa_type type =
        j->say->dims != 0 ? isa_tensor_element(j->map.type) : (enum isa_type)form->type;

    if (bits) {
        return isa_type_bits(type) == 64 ? ISA_T_B64 : ISA_T_B32;
    }
    return type == ISA_T_TF32 ? ISA_T_F32 : type;
}

/* Halves go in pairs where they can. */
static void set_reduction(struct bulk_job *j, const struct isa_form *form)
{
    enum isa_type type = reduced(j, form);
    const uint32_t size = isa_type_bits(type) / 8;

    if (size == 2 && j->grain >= 4) {
        type = type == ISA_T_F16 ? ISA_T_F16X2 : ISA_T_BF16X2;
        j->grain = 4;
    } else if (j->grain > size) {
        j->grain = size;
    }
    j->move.form.type = (uint8_t)type;
    j->move.form.sub = form->sub;
}

void bulk_job_begin(struct bulk_job *j, const struct isa_form *form)
{
    const bool stores = j->say->what == ISA_BULK_STORE;

    j->move = nothing;
    j->move.form = *form;
    j->move.kind = ISA_K_BULK;
    j->tell = nothing;
    j->tell.kind = ISA_K_TX;
    j->tell.size = 8;
    j->tell.form = (struct isa_form){.op = ISA_OP_MBARRIER,
                                     .sub = ISA_S_COMPLETE_TX,
                                     .type = ISA_T_B64,
                                     .vec = 1};
    j->first = j->reading = j->under_way = 0;
    j->told = j->say->what == ISA_BULK_STORE || j->say->what == ISA_BULK_PREFETCH;
    j->grain = j->say->dims != 0 ? isa_tensor_grain(&j->map, j->coord, stores) : 16;
    if (j->say->dims != 0) {
        j->bytes = isa_tensor_box(&j->map);
    }
    if (j->say->reduces) {
        set_reduction(j, form);
    }
}

/* ---- requests ---- */

static void describe(const struct bulk_job *j, struct mem_req *r,
                     const struct isa_uop *uop)
{
    mem_req_clear(r);
    r->uop = uop;
    r->launch = j->launch;
    r->warp = j->warp;
    r->slot = j->slot;
    r->block = j->block;
    r->pc = j->pc;
    r->id = j->index;
    r->bank_mode = 4;
    r->vec = r->words = 1;
    r->bypass_l1 = true;
    r->copy = NULL;
    r->texture = NULL;
    r->away.lost = false;
}

/* Where byte `at` of the copy is in global memory; false: outside of the tensor. What
 * is written is inside or outside 16 bytes at a time (SPEC TENSOR-2). */
static bool in_global(const struct bulk_job *j, uint32_t at, uint64_t *addr)
{
    const uint32_t behind = j->say->what == ISA_BULK_STORE ? at % 16 : 0;
    bool inside;

    if (j->say->dims == 0) {
        *addr = j->global + at;
        return true;
    }
    inside = isa_tensor_find(&j->map, j->coord, at - behind, addr);
    *addr += behind;
    return inside;
}

/* ... and in shared memory. */
static uint32_t in_shared(const struct bulk_job *j, uint32_t at)
{
    return j->say->dims == 0 ? j->shared + at
                             : isa_tensor_place(&j->map, j->shared, at);
}

/* Pieces of r that are inside the tensor, with their addresses in global memory. */
static void aim_global(const struct bulk_job *j, struct mem_req *r, uint32_t lanes)
{
    r->space = ISA_SP_GLOBAL;
    r->mask = 0;
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        r->mask |= (uint32_t)in_global(j, first_of(r) + lane * j->grain, &r->addr[lane])
                   << lane;
    }
}

static void aim_shared(const struct bulk_job *j, struct mem_req *r, uint32_t lanes)
{
    r->space = ISA_SP_SHARED;
    r->mask = lanes;
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        r->addr[lane] = in_shared(j, first_of(r) + lane * j->grain);
    }
}

/* All pieces of r. */
static uint32_t lanes_of(const struct bulk_job *j, const struct mem_req *r)
{
    const uint32_t n = (j->bytes - first_of(r)) / j->grain;

    return n >= ISA_LANES ? UINT32_MAX : (1u << n) - 1;
}

void bulk_next(struct bulk_job *j, struct mem_req *r)
{
    describe(j, r, &j->move);
    r->op = MEM_LOAD;
    r->size = (uint8_t)(j->grain > 8 || j->grain == 4 ? 4 : j->grain);
    r->vec = (uint8_t)(j->grain / r->size);
    r->words = (uint8_t)(j->grain > 4 ? j->grain / 4 : 1);
    r->frame_slot = j->first;
    if (j->say->what == ISA_BULK_LOAD || j->say->what == ISA_BULK_PREFETCH) {
        aim_global(j, r, lanes_of(j, r));
    } else {
        aim_shared(j, r, lanes_of(j, r));
    }
    j->first += (uint32_t)bits_count(lanes_of(j, r)) * j->grain;
    j->reading++;
    j->under_way++;
}

/* SPEC TENSOR-2: what was outside. */
static void fill(const struct bulk_job *j, struct mem_req *r, uint32_t lanes)
{
    uint8_t bytes[16];

    isa_tensor_fill(&j->map, bytes);
    for (uint32_t k = 0; k < r->words; k++) {
        uint32_t word = 0;

        memcpy(&word, bytes + 4 * (size_t)k, r->size < 4 ? r->size : 4);
        for (uint32_t m = lanes; m != 0; m &= m - 1) {
            r->d[k][attr_lowest_bit(m)] = word;
        }
    }
}

/* Elements as they come to shared memory. */
static void convert(struct mem_req *r)
{
    for (uint32_t k = 0; k < r->words; k++) {
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint32_t *const word = &r->d[k][attr_lowest_bit(m)];

            *word = isa_tensor_loaded(*word);
        }
    }
}

bool bulk_turn(const struct bulk_job *j, struct mem_req *r)
{
    const uint32_t lanes = lanes_of(j, r);

    r->op = j->say->reduces ? MEM_RED : MEM_STORE;
    switch ((enum isa_bulk_what)j->say->what) {
    case ISA_BULK_LOAD:
        if (j->say->dims != 0 && isa_tensor_converts(&j->map)) {
            convert(r);
        }
        if (r->mask != lanes) {
            fill(j, r, lanes & ~r->mask);
        }
        aim_shared(j, r, lanes);
        return true;
    case ISA_BULK_SEND:
        aim_shared(j, r, lanes);
        for (uint32_t m = lanes; m != 0; m &= m - 1) {
            r->addr[attr_lowest_bit(m)] += (uint64_t)j->to - j->shared;
        }
        return true;
    case ISA_BULK_STORE: aim_global(j, r, lanes); return r->mask != 0;
    case ISA_BULK_PREFETCH:
    case ISA_BULK_COMMIT:
    case ISA_BULK_WAIT:
    case ISA_BULK_WAIT_READ: break;
    }
    return false;
}

void bulk_tell(const struct bulk_job *j, struct mem_req *r)
{
    describe(j, r, &j->tell);
    r->op = MEM_ATOM;
    r->space = ISA_SP_SHARED;
    r->size = 8;
    r->words = 2;
    r->mask = 1;
    r->addr[0] = j->bar;
    r->d[0][0] = r->d[1][0] = 0;
    r->d[2][0] = j->bytes;
}
