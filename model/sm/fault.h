/*
 * fault.h - a kernel at fault: the words for it, raised on the hook. The warp stops for
 * ever; whoever listens ends the run.
 */
#ifndef SM_FAULT_H
#define SM_FAULT_H

#include "sm/sm_priv.h"

/* Raise it, by a lane of the warp at the warp's pc; the warp stops for ever. */
void sm_raise_fault(struct sm *s, uint32_t warp, uint32_t lane,
                    const struct sm_what *what, const char *fmt, ...) ATTR_PRINTF(5, 6);
/* The same for what is not about memory. */
#define SM_RULE(id) (&(const struct sm_what){.rule = (id)})
/* The lane's access is outside of what it may access; limit: bytes of its space, not
 * global. */
void fault_bounds(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                  uint64_t limit);
/* The request came back lost: no such block of the cluster is there. */
void fault_away(struct sm *s, uint32_t i, const struct mem_req *r);
void fault_misaligned(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane);
/* The space does not offer it. */
void fault_invalid(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                   const char *why);
/* Those of the lanes away from a barrier that go on to the end of the kernel without
 * meeting the lanes here before: as good as exited (SPEC BAR-4). */
uint32_t fault_leaving(const struct sm *s, uint32_t i, uint32_t away, uint32_t here);
/* Not all live lanes are at barrier id, those in mask are. */
void fault_divergent(struct sm *s, uint32_t i, uint32_t mask, uint32_t id);
/* The block's barrier refuses that the lanes in mask come to it so. */
void fault_barrier(struct sm *s, uint32_t i, uint32_t mask, struct barrier_call call,
                   enum barrier_refusal why);

/* The member mask that lane l gives u, which has one. */
uint32_t fault_member_mask(const struct isa_uop *u, const struct isa_lanes *lanes,
                           uint32_t l);
/* Those lanes in mask that the member mask of u lacks, 0 if u has none (SPEC FAULT-4).
 */
uint32_t fault_outside(const struct sm *s, const struct warp *w,
                       const struct isa_uop *u, uint32_t mask);
/* Whether warp i is at fault by that, executing its next instruction. */
bool fault_members(struct sm *s, uint32_t i, uint32_t mask);

#endif /* SM_FAULT_H */
