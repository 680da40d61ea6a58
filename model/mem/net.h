/*
 * net.h - the network between the SMs of a GPC, for clusters (SPEC CLUSTER-3, -4):
 * requests to the shared memory of other blocks, their answers, and the arrivals at
 * barriers of clusters.
 *
 *   in  req(i)     mem_req   of SM i, to shared memory of away.to
 *   out serve(i)   mem_req   those to SM i
 *   in  back(i)    mem_req   the same, served by SM i
 *   out answer(i)  mem_req   answers to requests of SM i
 *   in  arrive(i)  mem_req   a block of SM i has come to the barrier of its cluster
 *   out release(i) mem_req   the same: the others have come too
 *
 * A request and its answer travel in packets of a sector: lanes of a load or store that
 * touch one sector go together, lanes of an atomic only if they mean different words.
 * An SM sends a packet, or takes one, every interval cycles; requests of one SM stay in
 * order. Requests and answers do not wait for each other.
 *
 * An arrival has op DRAIN; block is the number of its cluster, mask how many blocks
 * that has, vec 1 if all threads of the block have exited: then it is not given back.
 */
#ifndef MEM_NET_H
#define MEM_NET_H

#include "cfg/cfg.h"
#include "mem/mem.h"

struct net_config {
    uint32_t latency;  /* SM cycles of a request, and of its answer, on the way */
    uint32_t interval; /* SM cycles between two packets that an SM sends or takes */
    uint32_t barrier;  /* SM cycles from the last arrival to the release, at least 2 */
    uint32_t release;  /* SM cycles that barrier.cluster.arrive with .release takes */
};

extern const struct cfg_table net_keys;

struct net;

/* blocks: resident on an SM at most. */
struct net *net_new(struct sim_module *parent, const struct net_config *cfg,
                    uint32_t n_sms, uint32_t blocks);
struct sim_in *net_req(struct net *n, uint32_t sm);
struct sim_out *net_serve(struct net *n, uint32_t sm);
struct sim_in *net_back(struct net *n, uint32_t sm);
struct sim_out *net_answer(struct net *n, uint32_t sm);
struct sim_in *net_arrive(struct net *n, uint32_t sm);
/* Arrivals are on their way to a barrier. */
bool net_is_meeting(const struct net *n);
struct sim_out *net_release(struct net *n, uint32_t sm);

/* Packets of a request's data: for whoever counts them. */
uint32_t net_packets(const struct mem_req *r);

#endif /* MEM_NET_H */
