/*
 * bulk.h - bulk copies of capability 9.0 (SPEC BULK-1): what an instruction says, apart
 * from the form. A lane asks for a copy by itself, which an engine of the SM makes.
 */
#ifndef ISA_BULK_H
#define ISA_BULK_H

#include "isa/uop.h"

enum isa_bulk_what {
    ISA_BULK_LOAD,  /* global memory to shared memory; an mbarrier counts the bytes */
    ISA_BULK_SEND,  /* shared memory to that of the cluster; likewise */
    ISA_BULK_STORE, /* shared memory to global memory; bulk groups */
    ISA_BULK_PREFETCH, /* global memory into the L2 */
    ISA_BULK_COMMIT,   /* a bulk group ends */
    ISA_BULK_WAIT,     /* until n bulk groups are left */
    ISA_BULK_WAIT_READ /* the same, as far as they read shared memory */
};

/* An operand: a register, of 64 bits if wide, and a constant. */
struct isa_bulk_operand {
    isa_ref ref; /* ISA_NO_REF: only the constant */
    bool wide;
    int64_t imm;
};

enum { ISA_BULK_DIMS = 5 };

/* Behind uop.bulk. Without dims: to, from, bytes; else map and coord in place of the
 * address in global memory and of bytes. */
struct isa_bulk {
    uint8_t what; /* enum isa_bulk_what */
    uint8_t dims; /* of a tensor; 0: a line of bytes */
    bool reduces; /* by form.sub, of form.type or the map's type */
    bool multicast;
    struct isa_bulk_operand
        shared; /* the place in shared memory: to of LOAD, else from */
    struct isa_bulk_operand global; /* in global memory; the map; SEND: to */
    struct isa_bulk_operand bytes;  /* WAIT: groups */
    struct isa_bulk_operand bar, ranks;
    struct isa_bulk_operand coord[ISA_BULK_DIMS];
};

/* The value of an operand in a lane. */
static inline uint64_t isa_bulk_value(const struct isa_bulk_operand *o,
                                      const struct isa_lanes *w, uint32_t lane)
{
    const uint32_t *p;

    if (o->ref == ISA_NO_REF) {
        return (uint64_t)o->imm;
    }
    p = o->ref >= 0 ? w->r + (size_t)o->ref * ISA_LANES
                    : w->k + (size_t)(-1 - o->ref) * ISA_LANES;
    return (uint64_t)o->imm +
           (o->wide ? p[2 * lane] | (uint64_t)p[2 * lane + 1] << 32 : p[lane]);
}

#endif /* ISA_BULK_H */
