/*
 * icnt.h - the interconnect between SMs and memory partitions: two crossbars, one for
 * requests, one for answers.
 *
 *   in  from_sm[i], to out to_part[p]      mem_line, routed by address
 *   in  from_part[p], to out to_sm[i]      mem_line, routed by the line's SM
 *
 * A packet is one header flit plus its data in flits; an output takes one packet at a
 * time, flits cycles each, inputs in turn (round robin per output). A packet at the head
 * of an input waits for its own output and holds up what is behind it. Packets from one
 * input to one output stay in order.
 */
#ifndef MEM_ICNT_H
#define MEM_ICNT_H

#include "cfg/cfg.h"
#include "mem/mem.h"

struct icnt_config {
    uint64_t clock;      /* Hz */
    uint32_t latency;    /* cycles of its clock from input to output, each way */
    uint32_t flit_bytes; /* data bytes moved per output and cycle */
    uint32_t queue;      /* packets an input holds */
};

enum { ICNT_N_FIELDS = 4 };

extern const struct cfg_field icnt_fields[ICNT_N_FIELDS];

struct icnt;

struct icnt *icnt_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct icnt_config *cfg, uint32_t n_sms, uint32_t n_parts);
struct sim_in *icnt_from_sm(struct icnt *n, uint32_t sm);
struct sim_out *icnt_to_sm(struct icnt *n, uint32_t sm);
struct sim_in *icnt_from_part(struct icnt *n, uint32_t part);
struct sim_out *icnt_to_part(struct icnt *n, uint32_t part);

/* SPEC PART-1: the partition of an address; 256-byte units, XOR-folded. */
uint32_t icnt_partition(uint64_t addr, uint32_t n_parts);

#endif /* MEM_ICNT_H */
