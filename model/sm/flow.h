/*
 * flow.h - where an instruction takes its warp, and what it counts: the next one, a
 * branch, a call, the end. No time: who calls it says when the warp may go on.
 */
#ifndef SM_FLOW_H
#define SM_FLOW_H

#include "base/bits.h"
#include "sm/meet.h"

/* The warp goes on with the instruction after u, the one it issued. The pc of its entry
 * in the SIMT stack stays behind: it matters when the entry waits. */
static inline void flow_next(struct sm *s, struct warp *w, uint32_t i,
                             const struct isa_uop *u)
{
    uint32_t pc = w->pc + 1;

    if (LIKELY(w->reconv != pc)) {
        warp_head(&s->warps, w, i, pc, u + 1);
        return;
    }
    simt_next(&w->simt, pc);
    meet_fetch(s, i);
}

/* SPEC STAT-1: an instruction counts once. */
static inline void flow_count(const struct warp *w, const struct isa_uop *u,
                              uint32_t mask)
{
    if (LIKELY(!u->part)) {
        w->stats->warp_insts++;
        w->stats->thread_insts += mask == w->active ? w->n_active : bits_count(mask);
    }
}

/* SPEC PTX-4: an instruction of several, executed; its numbers may be odd. */
static inline bool flow_seq(const struct warp *w, const struct isa_uop *u,
                            uint32_t mask)
{
    const bool odd = u->seq->odd != ISA_ODD_NONE && isa_is_odd(u, &w->lanes, mask);
    const uint32_t more = u->seq->insts - 1u + (odd ? u->seq->odd_insts : 0u);

    u->exec(u, &w->lanes, mask);
    w->stats->warp_insts += more;
    w->stats->thread_insts += (uint64_t)more * bits_count(mask);
    return odd;
}

/* A branch that the lanes in mask take. True: the warp split. */
static inline bool flow_branch(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    uint32_t to = mask == 0 ? w->pc + 1 : u->target;
    bool split = false;

    w->stats->branches++;
    if ((mask == 0 || mask == w->active) && to != w->reconv && u->leaves == 0) {
        warp_head(&s->warps, w, i, to, u - w->pc + to); /* all lanes go on together */
    } else {
        if (simt_branch(&w->simt, u, w->pc, mask)) {
            w->stats->divergent++;
            split = true;
        }
        meet_fetch(s, i);
    }
    return split;
}

/* brx.idx: the lanes that go where the first one goes; the others issue it again.
 * False: the kernel is at fault. */
bool flow_brx(struct sm *s, uint32_t i, uint32_t mask);
/* False: the kernel is at fault. */
bool flow_call(struct sm *s, uint32_t i, uint32_t mask);
/* ret and exit. */
void flow_leave(struct sm *s, uint32_t i, uint32_t mask);
/* A trap or a failed assertion: a fault, unless mask is empty. */
void flow_stop(struct sm *s, uint32_t i, uint32_t mask);

#endif /* SM_FLOW_H */
