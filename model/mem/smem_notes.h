/*
 * smem_notes.h - short notes about what passed through shared memory, kept for probes
 * that become watched in the middle of a run. From the notes they get the values that
 * they would have had if somebody had watched from the beginning.
 *
 * The notes have the word that each bank served last, and all of the last wave that
 * says what its banks are doing. Which banks are in conflict takes long to compute; it
 * is computed only when somebody asks.
 */
#ifndef MEM_SMEM_NOTES_H
#define MEM_SMEM_NOTES_H

#include "mem/mem.h"
#include "mem/rules.h"

struct smem_notes {
    struct bank_set banks;    /* that have served something */
    uint32_t word[BANKS_MAX]; /* each bank: the word it served last, */
    uint8_t mode[BANKS_MAX];  /* the bytes of a bank word at that time, */
    uint8_t warp[BANKS_MAX];  /* and for which warp */

    /* the last wave */
    struct bank_set busy; /* its banks */
    uint8_t op;
    bool conflict; /* its request is in conflict: size to addr describe it */
    uint8_t size, bank_mode;
    bool counts;
    uint32_t mask, base;
    uint64_t addr[ISA_LANES];
    sim_cycle_t idle_at; /* when its banks are free */
    bool settled;        /* it is known which banks are in conflict: these */
    struct bank_set conflicts;
};

/* A request, in the form in which the rules take it. */
static inline struct rules_access smem_access_of(const struct mem_req *r)
{
    return (struct rules_access){.op = r->op,
                                 .bytes = (uint8_t)(r->size * r->vec),
                                 .bank_mode = r->bank_mode,
                                 .rows = r->uop != NULL && r->uop->n_tiles != 0,
                                 .counts = r->uop != NULL && r->uop->counts,
                                 .mask = r->mask,
                                 .addr = r->addr};
}

/* Note that w, a wave of request r, is served, and that its banks are busy until
 * idle_at. conflict: r is in conflict. */
void smem_note(struct smem_notes *n, const struct rules_cc *rules,
               const struct mem_req *r, const struct mem_wave *w, bool conflict,
               sim_cycle_t idle_at);

/* The set of banks in conflict: of the request to which the last wave belongs; of any
 * access, whose block's memory begins at base. */
struct bank_set smem_noted_conflict(const struct smem_notes *n,
                                    const struct rules_cc *rules);
struct bank_set smem_conflict(const struct rules_cc *rules,
                              const struct rules_access *a, uint32_t base);

#endif /* MEM_SMEM_NOTES_H */
