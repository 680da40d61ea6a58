/*
 * ahead.h - one GPU computed by several threads. Each SM is a domain: a simulation with
 * a time of its own. An SM runs ahead of the rest of the GPU for as long as nothing
 * that the rest does could still reach it.
 *
 * The rest is the dispatcher, the interconnect and the memory partitions. They are one
 * simulation, called the whole. Let G be the time of the next instant, the earliest of
 * all SMs and of the whole. An SM runs from G up to the earliest of these times:
 *   - the time at which a message that the interconnect sends at G arrives at the SM,
 *     less one cycle;
 *   - the instant in which the SM sends back a finished block;
 *   - the instant in which the SM has fewer than L1_SENDS credits left for the
 *     interconnect: its next instant could need more;
 *   - if the SM holds no block: the time that the SMs which hold one have reached. The
 *     launch cannot end before, and when it ends the host may act.
 * An SM to which a block may be sent, or which has too few credits, may go on to the
 * next instant of the whole, or to the edge at which a message that an SM sends at G
 * reaches the whole. It would hear of the consequences of either one cycle later at the
 * earliest. SMs do not run ahead while no SM holds a block, nor unless exactly one
 * launch is resident. When the SMs have stopped, the whole follows to the time that all
 * of them have reached.
 *
 * In two cases an SM goes further. Its own steps run ahead of its domain as they do of
 * the engine (sm/alone.h), to the end of the run and not of the turn, while it has
 * asked nothing of anybody. And if it has asked for nothing when its turn ends, it goes
 * on for as long behind its next instant as it would behind G, and so on, up to
 * MOST_AHEAD cycles behind G: what it asks for then is not answered earlier.
 *
 * The SMs and the whole never run at the same time. What they send to each other waits
 * at the border between them (comp.h), so that no result depends on threads. The order
 * within an instant does not matter either (DESIGN.md), so that everything is sent,
 * counted and timed as without domains. There is one exception: when an SM is at fault,
 * other SMs may have gone on for some cycles before the fault is heard of.
 */
#ifndef GPU_AHEAD_H
#define GPU_AHEAD_H

#include "gpu/gpu.h"
#include "smwave.h"

struct ahead;

/* For a g whose SMs are domains; call it during elaboration. lead: cycles from the
 * interconnect to an SM. */
struct ahead *ahead_new(struct gpu *g, uint32_t lead, const struct smw_team *team);

/* As sim_run() for the whole and its SMs. Afterwards all have the same time. The run
 * ends after max_instants instants of the whole, or a few more; those of SMs do not
 * count. */
enum sim_status ahead_run(struct ahead *a, sim_time_t until, uint64_t max_instants);

#endif /* GPU_AHEAD_H */
