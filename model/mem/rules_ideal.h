/*
 * rules_ideal.h - accesses without a cost: what an access would be whose lanes lay side
 * by side. A configuration names instructions and a cost (SPEC IDEAL-1..3); the rules
 * of rules.h are then asked about the addresses made here, and data moves from and to
 * the places the kernel says.
 */
#ifndef MEM_RULES_IDEAL_H
#define MEM_RULES_IDEAL_H

#include "mem/rules.h"

/* Bits of isa_uop.ideal. */
enum ideal_cost {
    IDEAL_CONFLICTS = 1u << 0, /* of banks of shared memory */
    IDEAL_SECTORS = 1u << 1,   /* of global memory beyond the least */
    IDEAL_LATENCY = 1u << 2    /* of global loads that miss the L1 */
};

/* SPEC IDEAL-1. Addresses in shared memory that conflict in no bank, for the lanes of
 * a: side by side; where the words of a lane are requests of their own, each of these
 * is. */
void ideal_shared(const struct rules_cc *r, const struct rules_access *a,
                  uint64_t addr[ISA_LANES]);

/* SPEC IDEAL-2. Addresses in the lines that the lanes of a touch, distinct places side
 * by side, equal ones equal. Which of the lines is told by where the first lane lies in
 * its own, so that accesses that together fill lines go to each of these once. */
void ideal_global(const struct rules_access *a, uint64_t addr[ISA_LANES]);

/* The least number of sectors that hold n distinct places of so many bytes. */
static inline uint32_t ideal_sectors(uint32_t n, uint32_t bytes)
{
    return (n * bytes + MEM_SECTOR - 1) / MEM_SECTOR;
}

/* Distinct addresses of the lanes of a. place[lane]: the how-manieth its own is in the
 * order of the lanes. */
uint32_t ideal_places(const struct rules_access *a, uint8_t place[ISA_LANES]);

#endif /* MEM_RULES_IDEAL_H */
