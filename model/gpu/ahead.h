/*
 * ahead.h - running a GPU whose SMs are domains, in several threads at once: each SM as
 * far ahead of the rest as nobody can reach it.
 *
 * The rest (dispatcher, interconnect, partitions) is the whole simulation itself. With
 * the next instant anywhere at G, an SM runs up to the earliest of
 *   - what the interconnect could send at G, less one cycle: the latency to the SM;
 *   - the instant in which it sends a finished block, or leaves the interconnect's
 *     input with so few credits that the next one could want more (L1_SENDS);
 *   - if it holds no block, what those that hold one have reached: before, the launch,
 *     and with it what the host does next, cannot end.
 * When a block may be sent to it, or it has few credits, it runs no further than the
 * next instant of the rest, or the edge at which a message that an SM sends at G
 * reaches the rest: what follows from either is heard a cycle later. It stays at G
 * whenever not exactly one launch is resident, or no SM holds a block. Then the rest
 * follows to where all SMs are.
 *
 * SMs and the rest take turns, and what passes between them waits at borders (comp.h),
 * so nothing depends on threads. Within an instant order does not matter (DESIGN.md),
 * so all that is sent, counted and timed is what it is without domains - but for what
 * other SMs did in the cycles behind a fault, until it was heard.
 */
#ifndef GPU_AHEAD_H
#define GPU_AHEAD_H

#include "gpu/gpu.h"
#include "smwave.h"

struct ahead;

/* The SMs of g are domains. lead: cycles from the interconnect to an SM.
 * Elaboration. */
struct ahead *ahead_new(struct gpu *g, uint32_t lead, const struct smw_team *team);

/* sim_run() of the whole. Afterwards it is the same time everywhere. max_instants: of
 * the whole without its SMs, or some more. */
enum sim_status ahead_run(struct ahead *a, sim_time_t until, uint64_t max_instants);

#endif /* GPU_AHEAD_H */
