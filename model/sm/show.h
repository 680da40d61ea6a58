/*
 * show.h - what observers of an SM see: its probes.
 */
#ifndef SM_SHOW_H
#define SM_SHOW_H

#include "sm/sm_priv.h"

/* Declare the probes: of the SM, its array and barriers, a scheduler, a warp. */
void show_sm(struct sm *s);
void show_onchip(struct sm *s);
void show_scheduler(struct sm *s, struct scheduler *d);
void show_warp(struct sm *s, struct warp *w);
/* Is a probe of a scheduler or of a warp watched? The step asks it anew whenever
 * sm.looked is false. */
bool show_is_watched(const struct sm *s);
/* Show what has changed: blocks or warps came or went; the on-chip array was divided;
 * warps came to barriers or went on. */
void show_occupancy(struct sm *s);
void show_split(struct sm *s);
void show_barriers(struct sm *s);
/* Copies began or are over, groups were ended, a phase of an mbarrier has. */
void show_async(struct sm *s);
void show_phase(struct sm *s);
/* Called only while a probe is watched: warp i issues the first instruction of this
 * cycle from scheduler d; warp i issues one. */
void show_issue(struct sm *s, struct scheduler *d, uint32_t i);
void show_count(struct sm *s, uint32_t i);
enum warp_state warp_state(const struct warp *w);
const char *warp_state_name(enum warp_state state);
/* The instructions that u is (SPEC STAT-1). */
uint32_t show_insts(const struct isa_uop *u);
/* Called only while a probe is watched: an access is answered. */
void show_answer(struct sm *s, const struct mem_req *r);
/* Warp i is about to be given to another block: keep what it issued last, which its
 * scheduler still shows. */
void show_forget(struct sm *s, uint32_t i);
/* What observers see of the warp now. */
void warp_show(struct sm *s, uint32_t i);

/* The state of w, warp i, which is settled, has changed: update it, and show it to
 * those who watch. */
static inline void warp_changed(struct sm *s, struct warp *w, uint32_t i)
{
    warp_update(&s->warps, w, i);
    if (SIM_PROBES && UNLIKELY(s->shown)) {
        warp_show(s, i);
    }
}

/* The same for a warp that is not settled. */
static inline void warp_look(struct sm *s, struct warp *w, uint32_t i)
{
    warp_settle(&s->warps, w, i);
    warp_count_wait(&s->warps, w);
    warp_changed(s, w, i);
}

#endif /* SM_SHOW_H */
