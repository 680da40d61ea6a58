/*
 * cbank.h - constant memory: the constant cache of an SM.
 *
 *   in  req    mem_req   from the LSU, in order
 *   out rsp    mem_req   loads with data, in order
 *
 * A request takes one pass per distinct address among its lanes (SPEC CONST-1), interval
 * cycles each; a single address is broadcast. The answer leaves with the last pass,
 * latency cycles after issue if nothing was in its way. Every access hits (DEVIATIONS).
 */
#ifndef MEM_CBANK_H
#define MEM_CBANK_H

#include "cfg/cfg.h"
#include "mem/mem.h"
#include "stat/counters.h"

struct cbank_config {
    uint32_t latency;  /* SM cycles from issue to a usable result, one address */
    uint32_t interval; /* SM cycles per distinct address */
    uint32_t queue;    /* requests held */
};

enum { CBANK_N_FIELDS = 3 };

extern const struct cfg_field cbank_fields[CBANK_N_FIELDS];

struct cbank;

/* hops: cycles on ports between issue and the SM's take, part of latency. */
struct cbank *cbank_new(struct sim_module *parent, const struct cbank_config *cfg,
                        uint32_t hops, struct stat_counters *stats);
struct sim_in *cbank_req(struct cbank *b);
struct sim_out *cbank_rsp(struct cbank *b);

/* Between instants: the constant bank that requests of a resident launch read. */
void cbank_image(struct cbank *b, uint32_t launch, const uint8_t *image,
                 uint32_t bytes);

#endif /* MEM_CBANK_H */
