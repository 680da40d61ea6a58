/* maker.h - what the families of kernels are made with. */
#ifndef VERDICTS_MAKER_H
#define VERDICTS_MAKER_H

#include "kernel.h"

struct maker {
    struct kernel *k;
    struct rng r;
    bool racy;
};

struct party { /* threads that access, and what */
    struct who who;
    enum space space;
    uint32_t size, xor_;
};

static const uint32_t all_bits = UINT32_MAX;

struct step *maker_add(struct maker *m, enum step_kind kind, struct who who);
/* A load, store or atomic of each thread's element, or of its partner's. */
struct step *maker_access(struct maker *m, enum step_kind kind, const struct party *p);
struct who maker_warp(uint32_t block, uint32_t warp);
struct who maker_lane(uint32_t block, uint32_t warp, uint32_t lane);
/* A barrier of all the block's warps. */
void maker_barrier(struct maker *m, uint32_t blocks);
void maker_meet(struct maker *m, struct who warp, uint32_t members);
struct step *maker_fence(struct maker *m, struct who who, enum scope scope);
/* Steps of a flag; strength and whether by an atomic are drawn. */
struct step *maker_signal(struct maker *m, struct who who, enum space space, uint32_t n,
                          enum scope scope);
struct step *maker_wait(struct maker *m, struct who who, enum space space, uint32_t n,
                        enum scope scope);
/* Accesses of each thread's own bytes, which race with nothing. */
void maker_noise(struct maker *m);

/* ---- the families ---- */

void family_lanes(struct maker *m);
void family_warps(struct maker *m);
void family_warp_flags(struct maker *m);
void family_blocks(struct maker *m);
void family_readers(struct maker *m);
void family_loop(struct maker *m);
void family_tree(struct maker *m);
void family_lock(struct maker *m);
void family_last(struct maker *m);
void family_strong(struct maker *m);
void family_bytes(struct maker *m);
void family_one_lane(struct maker *m);
void family_soup(struct maker *m);

#endif /* VERDICTS_MAKER_H */
