/*
 * oracle.h - which accesses of a kernel nothing orders. It runs the steps of each
 * thread, one thread after the other, keeps a log of all accesses with a vector clock
 * of all threads each, and compares them two by two. It has nothing from model/check:
 * no shadow memory, nothing that is kept for warps or blocks, nothing forgotten.
 *
 * What orders are the axioms of the PTX ISA, and what SPEC CHECK-1, CHECK-2 and CHECK-5
 * say beyond them: a flag in shared memory needs no fence at its reader, a barrier is
 * one, equal values are no hazard.
 */
#ifndef VERDICTS_ORACLE_H
#define VERDICTS_ORACLE_H

#include "kernel.h"

struct verdict {
    bool race;
    bool hung;  /* the kernel can wait for ever: the generator is wrong */
    bool vague; /* two unordered writes happen to have the same value */
    bool error; /* a racing pair is of two warps, or of two writes */
    bool pair[MAX_STEPS][MAX_STEPS]; /* of steps that race */
};

struct oracle;

struct oracle *oracle_new(void); /* NULL: no memory */
void oracle_free(struct oracle *o);
void oracle_judge(struct oracle *o, const struct kernel *k, struct verdict *v);

#endif /* VERDICTS_ORACLE_H */
