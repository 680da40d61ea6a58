/*
 * paths.h - the paths of a warp from compute capability 7.0 on: lanes that have parted
 * go on apart, in turns (SPEC SIMT-3).
 *
 * A path is an entry of the SIMT stack (simt.h) whose lanes are in none above it; the
 * top one runs. Here another one is put on top: one that is ready, else lanes that wait
 * where others shall meet them and go on without those, else one that has had its turn.
 * Of several the one that has waited longest comes first, so that every path has its
 * turn.
 *
 * Nothing here knows a warp, its instructions or time: who calls it says which lanes
 * are barred because they wait for something else.
 */
#ifndef SM_PATHS_H
#define SM_PATHS_H

#include "sm/simt.h"

/* Puts a path on top that holds none of the lanes in barred: one that has not yielded,
 * else one that has. It may be the top one itself. Lanes in asleep can run no more than
 * those that have yielded: lanes that wait for nobody else are not kept waiting by
 * them. False: there is none, and nothing has changed. */
bool paths_turn(struct simt *s, uint32_t barred, uint32_t asleep);

/* The same of paths that are ready alone. */
bool paths_ready(struct simt *s, uint32_t barred);

/* The lanes, some of the running ones, are a path of their own from now on, on top, at
 * pc. The others of them, if there are any, are ready at rest. */
void paths_part(struct simt *s, uint32_t pc, uint32_t lanes, uint32_t rest);

/* The lanes of any path that are in lanes become a path of their own, on top, where
 * they stand. False: no path has any. */
bool paths_lift(struct simt *s, uint32_t lanes);

/* Paths that consist of lanes and stand where the top one does, in the same call of a
 * function, become part of it. Entries in between do not wait for these lanes any
 * more. */
void paths_join(struct simt *s, uint32_t lanes);

#endif /* SM_PATHS_H */
