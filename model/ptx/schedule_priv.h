/*
 * schedule_priv.h - a piece of a basic block and what in it must come before what;
 * private to the pass that orders instructions.
 *
 * A piece is a run of instructions of one block, at most PTX_MAX_PIECE of them. Only
 * its last instruction can be one that nothing passes. Node i is the piece's
 * instruction i in the order of the text; an edge always leads to a later node.
 */
#ifndef PTX_SCHEDULE_PRIV_H
#define PTX_SCHEDULE_PRIV_H

#include "ptx/flow_priv.h"

enum { PTX_MAX_PIECE = 384 }; /* pairs of accesses are compared, each with each */

struct ptx_edge {
    uint32_t to, next; /* next: of the same node, PTX_NONE: last */
    uint32_t latency;  /* cycles from the issue of one to the issue of the other */
};

/* A value: what a register holds from one unguarded write of the piece, or from the
 * piece's start, to the next. Guarded writes change it. */
struct ptx_value {
    uint32_t reg, readers; /* readers: instructions of the piece, guarded writers too */
    bool is_out;           /* lives on behind the piece */
};

struct ptx_node {
    uint32_t edge;       /* first of those that leave it, PTX_NONE: none */
    uint32_t n_before;   /* edges that lead to it */
    uint32_t latency;    /* of its results, at least 1 */
    uint32_t use, n_use; /* values it reads, each once: in ptx_piece.list */
    uint32_t def, n_def; /* values it makes */
};

/* What an instruction does to memory. */
enum ptx_mem_kind {
    PTX_MEM_NONE, /* nothing, or reads what nobody writes */
    PTX_MEM_LOAD,
    PTX_MEM_STORE,
    PTX_MEM_ATOMIC, /* loads and stores */
    PTX_MEM_AREA,   /* arguments and results of calls */
    PTX_MEM_WALL    /* orders accesses of others: barriers, fences, volatile accesses */
};

/* Where an address comes from: a value, a variable, or the sum of two such. Two of one
 * root differ by their offsets. */
enum ptx_root_kind {
    PTX_ROOT_NONE,
    PTX_ROOT_VALUE,
    PTX_ROOT_SYMBOL,
    PTX_ROOT_LOCAL,
    PTX_ROOT_SUM /* id: in ptx_piece.sums */
};

struct ptx_mem {
    uint8_t kind;  /* enum ptx_mem_kind */
    uint8_t space; /* enum isa_space */
    uint8_t root;  /* enum ptx_root_kind */
    bool narrow;   /* a 32-bit address: wraps around there */
    bool inside;   /* SYMBOL: the bytes are the symbol's own */
    bool all; /* WALL: an exchange of all lanes of a warp, which may pass others ... */
    bool passes; /* ... and what a lane accesses */
    bool meets;  /* lanes wait for each other there, and others perhaps for them */
    uint32_t id; /* of the root */
    uint64_t offset;
    uint32_t bytes;
};

struct ptx_root {
    uint8_t kind; /* enum ptx_root_kind */
    uint32_t id;
    uint64_t offset;
};

struct ptx_root_sum { /* without their offsets, in an order of their own */
    struct ptx_root of[2];
};

struct ptx_piece {
    struct arena *a;
    const struct ptx_private *pr;
    const struct ptx_ir *f;
    const struct ptx_target *target;
    bool turns; /* lanes of a warp may have gone on without others: SPEC SIMT-3 */
    uint32_t first, n; /* instructions of f */
    struct ptx_node *node;
    struct ptx_mem *mem; /* of each node */
    struct ptx_edge *edges;
    uint32_t n_edges, cap_edges;
    struct ptx_value *values;
    uint32_t n_values, cap_values;
    uint32_t *list; /* values, of nodes */
    uint32_t n_list, cap_list;
    struct ptx_reader *readers;
    uint32_t n_readers, cap_readers;
    struct ptx_root *fixed; /* of each register that has one root wherever it is read */
    struct ptx_root_sum *sums;
    uint32_t n_sums, cap_sums;
    uint32_t n_roots, stamp;
    struct ptx_reg_state *reg; /* of each register and of the carry flag, last */
    struct ptx_access x;       /* of the instruction being looked at */
};

/* ---- schedule_deps.c ---- */
/* What the pieces of a function share. max: the longest of them. */
void ptx_piece_init(struct ptx_piece *p, struct arena *a, const struct ptx_private *pr,
                    const struct ptx_ir *f, const struct ptx_target *target,
                    uint32_t max);
/* Nodes, values and edges of instructions first .. first + n - 1. is_out[r]: register r
 * is read behind the piece before it is surely written. */
void ptx_piece_build(struct ptx_piece *p, uint32_t first, uint32_t n,
                     const bool *is_out);

/* Where what a register holds at the node being built comes from. */
void ptx_root_of(struct ptx_piece *p, uint32_t reg, struct ptx_root *root);
/* root: that of the sum of it and other. */
void ptx_root_add(struct ptx_piece *p, struct ptx_root *root,
                  const struct ptx_root *other);

/* ---- schedule_mem.c ---- */
/* What in does to memory, when the nodes before it are built. */
void ptx_mem_of(struct ptx_piece *p, const struct ptx_insn *in, struct ptx_mem *m);
/* Nothing of its block passes it, in either direction. */
bool ptx_is_wall(const struct ptx_ir *f, const struct ptx_target *t,
                 const struct ptx_insn *in);
/* Must the two keep their order because of memory? */
bool ptx_must_order(const struct ptx_mem *a, const struct ptx_mem *b);

#endif /* PTX_SCHEDULE_PRIV_H */
