/*
 * truth.h - what a real device did, as rows that can be run again on the model.
 *
 * A row is a launch: the kernel, its shape, how its buffers are filled, and what was
 * measured. Three tables are read, each in the form its README describes:
 *
 *   cases      fidelity/cases.csv and h100.csv: launches of the kernels beside them,
 *              some of which (judges) nobody looks at while the model is tuned
 *   reductions golden/measured/kernels.csv: reverses, block reductions and copies with
 *              offsets and strides
 *   bandwidth  fidelity/bandwidth.csv: streams through buffers of 8 and 16 MiB, which
 *              stay in the L2, and of 512 MiB, with kernels of bandwidth.ptx
 */
#ifndef FIDELITY_TRUTH_H
#define FIDELITY_TRUTH_H

#include "base/err.h"
#include "sm/stall.h"
#include <stdbool.h>
#include <stdint.h>

enum { TRUTH_BUFFERS = 3, TRUTH_SCALARS = 2 };

/* Microseconds of bandwidth.csv that no launch is below: the host's time for each of
 * those that follow one another. */
#define TRUTH_LAUNCH_US 4.4
/* Microseconds between two launches that follow one another, in which no SM works: the
 * median over 30 launches of h100.csv of 4 us and more, of the set "tune", of
 * us_back_to_back less warm_cycles at 1980 MHz. */
#define TRUTH_GAP_US 2.05

enum truth_fill {
    TRUTH_ZERO,
    TRUTH_HALVES, /* floats of 0.5 */
    TRUTH_FLOATS, /* floats from -8 to 8: a draw % 17 - 8 */
    TRUTH_MASKED, /* the low 32 bits of a draw & mask */
    TRUTH_IOTA    /* 0, 1, 2 ... */
};

struct truth_buffer {
    uint64_t words; /* of 32 bits */
    enum truth_fill fill;
    uint32_t mask;
    uint64_t seed; /* of splitmix64, one draw per word */
};

struct truth_row {
    const char *table; /* "cases", "reductions" or "bandwidth" */
    /* "judge": never looked at while the model was tuned; "tune" the rest. Bandwidth:
     * "l2" or "dram", where the buffers are, or "slow": in the L2, but what was
     * measured is the time that the host took to launch (README). */
    const char *set;
    uint32_t id; /* in its table */
    char kernel[64];
    char ptx[64]; /* file name in the folder of the table's kernels */
    uint32_t grid[3], block[3], shared;
    /* parameters of the kernel: the buffers' addresses, then the scalars */
    struct truth_buffer buffer[TRUTH_BUFFERS];
    int32_t scalar[TRUTH_SCALARS];
    uint32_t n_buffers, n_scalars;
    /* what the output is: words of a buffer; checked: its bits are exact */
    uint32_t out_buffer;
    uint64_t out_words, out_fnv1a;
    bool checked;
    bool displaced; /* warm: what the launch reads had left the L2 before (README.md) */
    bool refilled;  /* warm: the host had written inputs and output anew */
    double warm, cold; /* SM cycles: of a later launch, of the first one */
    double warp_insts; /* machine instructions executed by warps */
    /* Of the table cases: warps stalled for each reason (sm/stall.h), per issue, in the
     * second launch. */
    double stall[STALL_N];
    /* of the table bandwidth, else 0: bytes that a launch moves, and how many per ns */
    double bytes, gbs;
};

struct truth {
    struct truth_row *row;
    uint32_t n;
};

/* Read the tables below dir, the folder testbench of the sources. False and *e. The
 * caller frees with truth_free(). */
bool truth_read(struct truth *t, const char *dir, struct smw_err *e);
void truth_free(struct truth *t);

/* The words a buffer starts with; the caller frees. */
uint32_t *truth_words(const struct truth_buffer *b);

#endif /* FIDELITY_TRUTH_H */
