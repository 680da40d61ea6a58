/*
 * icnt.h - the interconnect between SMs and memory partitions: two crossbars, one for
 * requests, one for answers.
 *
 *   in  from_sm[i], to out to_part[p]      mem_line, routed by address
 *   in  from_part[p], to out to_sm[i]      mem_line, routed by the line's SM
 *
 * A packet is one header flit and its data in flits. An output takes one packet at a
 * time, one flit per cycle, and takes its inputs in turn (round robin per output). The
 * packet at the head of an input waits for its own output and holds up what is behind
 * it, unless the input sorts its packets by output. Packets from one input to one
 * output stay in order.
 */
#ifndef MEM_ICNT_H
#define MEM_ICNT_H

#include "cfg/cfg.h"
#include "mem/rules.h"

enum icnt_interleave { ICNT_AS_CAPABILITY, ICNT_ROUND_ROBIN, ICNT_FOLD };

struct icnt_config {
    uint64_t clock;      /* Hz */
    uint32_t latency;    /* cycles of its clock from input to output, each way */
    uint32_t flit_bytes; /* data bytes moved per output and cycle */
    uint32_t queue;      /* packets an input holds */
    uint32_t sorted;     /* more that it holds sorted by output; 0: its head blocks */
    uint32_t interleave; /* enum icnt_interleave: units over the partitions */
    uint32_t unit;       /* bytes of a unit: mem_parts_of() */
};

extern const struct cfg_table icnt_keys;

/* Let the key that concerns the rules change a copy of them. */
void icnt_adapt_rules(const struct icnt_config *cfg, struct rules_cc *rules);

struct icnt;

struct icnt *icnt_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct icnt_config *cfg, const struct rules_cc *rules,
                      uint32_t n_sms, const struct mem_parts *parts);
/* Before anything is sent: the receiver of requests has so many places, of which data
 * take so many per sector (mem_places()). 0, as new: only requests take places. */
void icnt_set_places(struct icnt *n, uint32_t per_sector, uint32_t queue);
struct sim_in *icnt_from_sm(struct icnt *n, uint32_t sm);
struct sim_out *icnt_to_sm(struct icnt *n, uint32_t sm);
struct sim_in *icnt_from_part(struct icnt *n, uint32_t part);
struct sim_out *icnt_to_part(struct icnt *n, uint32_t part);

struct icnt_map { /* how addresses are dealt to partitions */
    struct mem_parts parts;
    uint32_t fold_bits; /* of a digit; 0: no folding */
};

/* SPEC PART-1: the partition of an address. Units in turn; folded: each group of as
 * many units as there are partitions begins at another one. Together with
 * mem_part_addr() a bijection. */
uint32_t icnt_partition(uint64_t addr, const struct icnt_map *map);
struct icnt_map icnt_map_of(const struct mem_parts *parts, bool folds);

#endif /* MEM_ICNT_H */
