/*
 * trial.h - one program through the model and the interpreter, and what came of it.
 *
 * A device is opened for TRIAL_BATCH programs, so that a million need no million
 * devices; what a program finds there of those before it must not count. A small device
 * stands in for each preset: one SM, little memory.
 */
#ifndef RANDOM_TRIAL_H
#define RANDOM_TRIAL_H

#include "code.h"
#include "gen.h"
#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_BATCH = 64 };

enum verdict {
    VERDICT_SAME,
    VERDICT_INVALID,  /* the interpreter finds the program invalid */
    VERDICT_REFUSED,  /* the model does not take it */
    VERDICT_STOPPED,  /* fault, deadlock or limit in the model */
    VERDICT_LEFTOVER, /* transactions still live */
    VERDICT_DIFFERS,  /* bytes of memory */
    VERDICT_COUNTS    /* counters of the run without time */
};

struct trial;

struct trial_options {
    const char
        *plant; /* an instruction that the interpreter is to get wrong, or NULL */
    const char *order; /* a value of ptx.schedule; NULL: its default */
    bool functional;   /* run each program a second time, without time */
};
struct trial *trial_new(const struct trial_options *o);
void trial_free(struct trial *t);

uint32_t trial_presets(const struct trial *t);
const char *trial_preset(const struct trial *t, uint32_t i);

/* The first device from that one on, and from the first on again, whose capability is
 * least or more, and below most. */
uint32_t trial_device(const struct trial *t, uint32_t preset, double least,
                      double most);

/* What is wrong, in words: valid until the next run. */
const char *trial_reason(const struct trial *t);
enum verdict trial_run(struct trial *t, const struct gen_program *p, uint32_t preset);

struct trial_totals {
    uint64_t programs, thread_insts, warp_insts, cycles, devices;
};
/* Of the last run. */
const struct code *trial_code(const struct trial *t);

void trial_totals(const struct trial *t, struct trial_totals *sum);

#endif /* RANDOM_TRIAL_H */
