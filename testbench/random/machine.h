/* machine.h - the state of a run, for the files that work on it. */
#ifndef RANDOM_MACHINE_H
#define RANDOM_MACHINE_H

#include "interp.h"

enum { MAX_DEPTH = 6, MAX_STEPS = 1 << 20, WARP = 32, MAX_COPIES = 16 };

enum {
    MAX_MBARRIERS = 3 * MAX_THREADS + 5 * MAX_CLUSTER,
    MAX_BULK = 64,                /* bytes of a bulk copy */
    MAX_BULKS = 16 * MAX_THREADS, /* under way */
    NO_GROUP = UINT32_MAX
};

enum thread_state {
    THREAD_RUNS,
    THREAD_WAITS,
    THREAD_SLEEPS, /* for a phase of an mbarrier or of the cluster's barrier */
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

struct bulk { /* a bulk copy under way, or the part of it that one block gets */
    const struct insn *in;
    uint8_t *to;
    bool *written;              /* of the bytes there; NULL: in global memory */
    const uint8_t *from;        /* to be left alone; NULL: read already */
    const struct mbarrier *bar; /* that it tells; NULL: it is of a group */
    uint32_t thread, group;     /* NO_GROUP: of the one that is not closed yet */
    uint32_t bytes;
    uint8_t ty; /* enum ty: what a reduction takes them for */
    uint8_t data[MAX_BULK];
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
    uint32_t block;              /* in its cluster */
    uint32_t arrivals, passages; /* at the cluster's barrier */
    uint32_t bulk_group;
    struct frame frame[MAX_DEPTH];
    uint8_t local[MAX_LOCAL];
    bool local_written[MAX_LOCAL];
    struct copy copy[MAX_COPIES];
    uint32_t n_copies, group;
};

struct block {
    uint32_t ctaid[3];
    uint8_t shared[MAX_SHARED];
    bool shared_written[MAX_SHARED];
};

struct interp {
    struct code *c;
    const struct interp_launch *l;
    uint32_t cluster[3], n_blocks; /* blocks of a cluster */
    uint32_t n_threads;            /* of a block */
    bool failed;
    struct block block[MAX_CLUSTER]; /* by rank */
    struct bulk bulk[MAX_BULKS];
    uint32_t n_bulks;
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
/* The mbarrier at an address operand. NULL: there is none. */
struct mbarrier *machine_find_mbarrier(struct interp *x, struct thread *t,
                                       const struct insn *in, const struct opnd *o);
/* So many bytes less are expected. */
void machine_complete(struct mbarrier *b, uint32_t bytes);

struct bulk_part { /* bytes of a copy that lie together in both memories */
    struct place to, from;
    const uint8_t *data;  /* what is read, of now */
    struct mbarrier *bar; /* NULL: of a group */
    uint64_t blocks;      /* those that get it, as a mask; 0: that of the place */
    uint32_t bytes;
    uint8_t ty; /* enum ty: of a reduction's elements */
};

/* bulk.c: cp.async.bulk and what goes with it. False: failed. */
bool machine_bulk(struct interp *x, struct thread *t, const struct insn *in);
bool machine_bulk_begin(struct interp *x, struct thread *t, const struct insn *in,
                        const struct bulk_part *part);
/* The mbarrier at an operand, and the blocks that the next one may name. */
bool machine_bulk_told(struct interp *x, struct thread *t, const struct insn *in,
                       uint32_t operand, struct bulk_part *part);
/* Those that tell an mbarrier are done; NULL: all. */
void machine_bulk_finish(struct interp *x, const struct mbarrier *bar);
/* Bytes that a copy under way writes, or reads where they are to be written. */
bool machine_bulk_uses(const struct interp *x, const uint8_t *data, uint32_t bytes,
                       bool writes);

/* tensor.c: the same of boxes of tensors. */
bool machine_tensor(struct interp *x, struct thread *t, const struct insn *in);

/* cluster.c: the shape of clusters is the kernel's, or else the launch's; false: they
 * do not agree, or the grid is no whole number of them. */
bool machine_cluster_shape(struct interp *x);
/* The blocks of the cluster at a place of the grid of clusters, x first. */
void machine_cluster_place(struct interp *x, const uint32_t at[3]);
/* barrier.cluster, mapa, getctarank. False: failed. */
bool machine_cluster(struct interp *x, struct thread *t, const struct insn *in);

/* What an atomic operation makes of old, of a type. flush: subnormals of f32, as sums
 * in global memory do. */
uint64_t machine_changed(const struct insn *in, enum ty t, uint64_t old, uint64_t a,
                         uint64_t b, bool flush);

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
