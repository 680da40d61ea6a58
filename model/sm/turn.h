/*
 * turn.h - which lanes of a warp have their turn, from compute capability 7.0 on (SPEC
 * SIMT-3, SIMT-4): paths.h put to use in an SM.
 *
 * Lanes run until they leave, come to where they meet others, wait for lanes that a
 * member mask names, or poll in a loop what others may change; then other lanes of
 * their warp have their turn. Before 7.0 none of this happens.
 *
 * What is here changes the stack; who calls it fetches what is on top then
 * (meet_fetch()).
 */
#ifndef SM_TURN_H
#define SM_TURN_H

#include "sm/sm_priv.h"

/* Have the lanes of a warp turns? */
bool turn_is_free(const struct sm *s);

/* Of a block that begins: nobody waits. */
static inline void turn_begin(struct warp *w)
{
    if (UNLIKELY(w->turns != NULL)) {
        w->turns->syncing = w->turns->met = 0;
    }
}

/* Lanes have left the kernel. */
void turn_gone(struct warp *w);

static inline void turn_left(struct warp *w)
{
    if (UNLIKELY(w->turns != NULL)) {
        turn_gone(w);
    }
}

/* The lanes of warp i let others run before they go on at pc. False: there are none. */
bool turn_give(struct sm *s, uint32_t i, uint32_t pc);

/* Of the lanes in mask, those some of whose members do not execute u with them; u has
 * members, or is a barrier of the block, of which all are. */
uint32_t turn_lacking(const struct warp *w, const struct isa_uop *u, uint32_t mask);

/* Lanes of warp i, those in mask, execute its next instruction: those that lack members
 * wait for them. False: there are none. */
bool turn_wait(struct sm *s, uint32_t i, uint32_t mask);

/* Lanes that do not run have come to the top of the stack: others run, if any can.
 * False: none can but those at a barrier. */
bool turn_next(struct sm *s, uint32_t i);

#endif /* SM_TURN_H */
