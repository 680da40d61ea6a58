/* machine.h - the state of a run, for the two files that work on it. */
#ifndef RANDOM_MACHINE_H
#define RANDOM_MACHINE_H

#include "interp.h"

enum { MAX_DEPTH = 6, MAX_STEPS = 1 << 20, WARP = 32, MAX_COPIES = 16 };

enum { MAX_MBARRIERS = MAX_THREADS + 1 };

enum thread_state {
    THREAD_RUNS,
    THREAD_WAITS,
    THREAD_SLEEPS, /* for a phase of an mbarrier */
    THREAD_EXITED
};

struct copy {                  /* that is under way */
    uint32_t to, bytes, reads; /* the rest becomes zeros */
    uint32_t group;
    uint8_t data[16];
};

struct mbarrier {
    const uint8_t *at;
    uint32_t expected, pending, bytes, phase;
};

struct frame {
    uint32_t func, back; /* instruction to return to */
    uint64_t r[MAX_REGS];
    bool written[MAX_REGS];
    uint8_t param[PARAM_BYTES];
};

struct thread {
    uint8_t state;
    bool cc;
    uint32_t pc, depth, steps;
    uint32_t tid[3], lane;
    struct frame frame[MAX_DEPTH];
    uint8_t local[MAX_LOCAL];
    bool local_written[MAX_LOCAL];
    struct copy copy[MAX_COPIES];
    uint32_t n_copies, group;
};

struct interp {
    struct code *c;
    const struct interp_launch *l;
    uint32_t ctaid[3];
    uint32_t n_threads;
    bool failed;
    uint8_t shared[MAX_SHARED];
    bool shared_written[MAX_SHARED];
    struct mbarrier mbarrier[MAX_MBARRIERS];
    uint32_t n_mbarriers;
    struct thread thread[MAX_THREADS];
};

bool machine_fail(struct interp *x, const struct insn *in, const char *what);

/* A register that was never written makes the program invalid. */
uint64_t machine_reg(struct interp *x, const struct thread *t, uint16_t reg);
uint64_t machine_read(struct interp *x, const struct thread *t, const struct opnd *o);
void machine_write(struct interp *x, struct thread *t, uint16_t reg, uint64_t v);
bool machine_guard(struct interp *x, const struct thread *t, const struct insn *in);

struct place {
    uint8_t *data;
    bool *written; /* NULL: everything is */
    uint32_t size; /* bytes from data on */
    bool is_global;
};

/* Where an address operand of so many bytes leads. False: failed. */
bool machine_place(struct interp *x, struct thread *t, const struct insn *in,
                   const struct opnd *o, uint32_t space, uint32_t bytes,
                   struct place *p);

/* async.c: cp.async and what goes with it, mbarrier. False: failed. */
bool machine_cp(struct interp *x, struct thread *t, const struct insn *in);
bool machine_mbarrier(struct interp *x, struct thread *t, const struct insn *in);

/* ld, ldu, st, atom, red. False: failed. */
bool machine_memory(struct interp *x, struct thread *t, const struct insn *in);

/* The instruction is one at which the n threads of a warp that live, or of the block
 * for bar, have met. */
bool machine_meet(struct interp *x, struct thread *const *t, uint32_t n,
                  const struct insn *in);

/* tex.c: tex, tld4, txq, suld, sust, sured, suq. False: failed. */
bool machine_texture(struct interp *x, struct thread *t, const struct insn *in);

/* tile.c: what a whole warp does with matrices. */
bool machine_tile(struct interp *x, struct thread *const *t, uint32_t n,
                  const struct insn *in);

#endif /* RANDOM_MACHINE_H */
