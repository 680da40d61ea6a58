/*
 * rules_oracle.h - for tests: what a shared, global, local or constant access must
 * become, found by brute force from the lanes' addresses alone.
 *
 * Written from the programming guides and from what an H100 counted, not from the rule
 * functions, and without the fields of the rules' table: a wrong figure there is found
 * too. Each check returns NULL if the answer is right, else what is wrong with it.
 */
#ifndef MEM_RULES_ORACLE_H
#define MEM_RULES_ORACLE_H

#include "mem/rules.h"

struct oracle_device {
    uint32_t cc;                    /* 10 * major + minor */
    enum rules_broadcast broadcast; /* 1.x only */
    uint32_t lanes_128;             /* 2.0 and later: lanes of a 128-bit group ... */
    bool extra_128;                 /* ... and whether each takes one pass more */
    uint32_t banks;
};

/* As the capability has it; the broadcast word is the first lane's. */
struct oracle_device oracle_device(uint32_t cc);

const char *oracle_shared(const struct oracle_device *d, const struct rules_access *a,
                          const struct rules_waves *w);
const char *oracle_global(uint32_t cc, const struct rules_access *a,
                          const struct rules_lines *l);
const char *oracle_local(const struct rules_access *a, const struct rules_lines *l);
const char *oracle_const(uint32_t cc, const struct rules_access *a, uint32_t requests);

/* Bank and row of a 32-bit word. */
void oracle_place(const struct oracle_device *d, uint32_t bank_mode, uint32_t word,
                  uint32_t *bank, uint32_t *row);

/* 1.x: the fewest and most passes that any choice of broadcast words gives a load of
 * one half-warp's lanes, 8 of them at most, 32 bits or less each. */
void oracle_broadcast_range(const struct rules_access *a, uint32_t *fewest,
                            uint32_t *most);

#endif /* MEM_RULES_ORACLE_H */
