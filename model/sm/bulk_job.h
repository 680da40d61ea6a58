/*
 * bulk_job.h - one bulk copy of one thread (SPEC BULK-2), and the requests that it is
 * made of: each moves up to 32 pieces of 1 to 16 bytes, first out of the memory that it
 * reads, then into that which it writes. Nothing here knows time or an SM.
 */
#ifndef SM_BULK_JOB_H
#define SM_BULK_JOB_H

#include "isa/bulk.h"
#include "isa/tensor.h"
#include "mem/mem.h"

struct bulk_job {
    struct sim_txn txn;
    struct bulk_job *next; /* of the SM's, begun later */
    const struct isa_bulk *say;
    struct isa_uop move, tell; /* of its requests: data, and what mbarriers are told */
    struct isa_tensor map;     /* say->dims != 0 */
    int32_t coord[ISA_BULK_DIMS];
    uint64_t global;       /* without a map: address in global memory */
    uint32_t shared;       /* place in the block's own shared memory; of LOAD in each */
    uint32_t to;           /* SEND: the place in the other block's */
    uint32_t bar;          /* the place of the mbarrier */
    uint32_t ranks;        /* blocks of the cluster that get it: bits; none: its own */
    uint32_t bytes, grain; /* of all, of a piece; 0: nothing is to be done */
    uint32_t first;        /* byte of the next request */
    uint32_t reading;      /* requests that have not read yet */
    uint32_t under_way;    /* requests, those of mbarriers too */
    bool told;             /* the mbarriers are being told, or there are none */
    uint8_t warp, lane, slot, launch;
    uint32_t group;       /* of the lane's bulk groups, from 0 on */
    sim_cycle_t begun_at; /* its first request leaves then at the earliest ... */
    sim_cycle_t began_at; /* ... and left then */
    uint32_t pc;
    uint64_t block;
    uint32_t index; /* of the request that began it, for traces */
};

/* The job that r is of. */
struct bulk_job *bulk_job_of(const struct mem_req *r);

/* say and form are set, and what the operands are: the rest. */
void bulk_job_begin(struct bulk_job *j, const struct isa_form *form);

static inline bool bulk_has_more(const struct bulk_job *j)
{
    return j->first < j->bytes;
}

/* The next request: it reads, unless all of it lies outside the tensor (mask 0). */
void bulk_next(struct bulk_job *j, struct mem_req *r);
/* r has read, or need not: it becomes the one that writes; false: nothing is written
 * (mask 0). Of LOAD the places are those in the shared memory of any of the blocks. */
bool bulk_turn(const struct bulk_job *j, struct mem_req *r);
/* What mbarriers are told. */
void bulk_tell(const struct bulk_job *j, struct mem_req *r);

#endif /* SM_BULK_JOB_H */
