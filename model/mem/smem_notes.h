/*
 * smem_notes.h - what shared memory keeps in mind of its banks for those who observe them,
 * now or later.
 *
 * Of each bank the word it served last, of the last wave all that tells what its banks do.
 * Which of them are in conflict is found out only when somebody asks.
 */
#ifndef MEM_SMEM_NOTES_H
#define MEM_SMEM_NOTES_H

#include "mem/mem.h"
#include "mem/rules.h"

struct smem_notes {
    uint32_t banks; /* bit b: something is noted of bank b */
    uint32_t word[32];
    uint8_t mode[32]; /* bytes of a bank word then */
    uint8_t warp[32];

    /* the last wave */
    uint32_t busy; /* its banks */
    uint8_t op;
    bool conflict; /* its request is in conflict, and kept */
    uint8_t size, bank_mode;
    uint32_t mask, base;
    uint64_t addr[ISA_LANES];
    sim_cycle_t idle_at; /* when its banks are free */
    bool settled;        /* it is known which banks are in conflict: these */
    uint32_t conflicts;
};

/* The access that a request is. */
static inline struct rules_access smem_access_of(const struct mem_req *r)
{
    return (struct rules_access){.op = r->op,
                                 .bytes = (uint8_t)(r->size * r->vec),
                                 .bank_mode = r->bank_mode,
                                 .mask = r->mask,
                                 .addr = r->addr};
}

/* w, of r, is served and its banks are busy until idle_at; conflict: r is in conflict. */
void smem_note(struct smem_notes *n, const struct rules_cc *rules,
               const struct mem_req *r, const struct mem_wave *w, bool conflict,
               sim_cycle_t idle_at);

/* Banks in conflict: of the request of the last wave; of any. */
uint32_t smem_noted_conflict(const struct smem_notes *n, const struct rules_cc *rules);
uint32_t smem_conflict(const struct rules_cc *rules, const struct rules_access *a,
                       uint32_t base);

#endif /* MEM_SMEM_NOTES_H */
