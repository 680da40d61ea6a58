/* gen_priv.h - the state of the generator, for its files. */
#ifndef RANDOM_GEN_PRIV_H
#define RANDOM_GEN_PRIV_H

#include "gen.h"
#include "rng.h"

enum gen_class {          /* of registers that hold data */
                 CLASS_H, /* b16 */
                 CLASS_R, /* b32 */
                 CLASS_D, /* b64 */
                 CLASS_F, /* f32 */
                 CLASS_G, /* f64 */
                 CLASS_P, /* predicates */
                 N_CLASSES
};

/* Every comparison of floating point. */
#define GEN_CMP_F "{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}"

enum { MAX_FUNCTIONS = 3, MAX_FORMALS = 4 };

struct gen_function {
    bool by_reg; /* arguments in registers */
    uint8_t n_args;
    uint8_t arg[MAX_FORMALS]; /* enum gen_class */
    bool has_result;
    uint8_t result;
};

enum shared_mode { SHARED_NONE, SHARED_WRITE, SHARED_READ };

/* Registers of the kernel besides the classes: %t0 linear thread, %t1 to %t5 and %a2 to
 * %a5 scratch, %z16, %z32, %z64 divisors and unused results, %c loop counters, %k loop
 * predicates, %a0 the input, %a1 the thread's bytes of the output; in shared memory %b0
 * its own bytes, %b1 all, %b3 the cells of atomics, %b2 scratch. */
struct gen {
    struct gen_program *p;
    struct rng rng;
    uint32_t groups; /* enum gen_group */
    uint8_t n_regs[N_CLASSES];
    uint32_t n_labels, n_tables, n_counters;
    struct gen_function function[MAX_FUNCTIONS];
    uint32_t n_functions;
    bool in_function;
    bool whole;       /* warps, and matrices for them */
    bool sync;        /* exchanges of warps as since 7.0 */
    bool old;         /* PTX of before 6.0: no tables of targets */
    bool newest;      /* capability 9.0 */
    bool wide;        /* 64-bit addresses */
    bool wide_shared; /* of shared memory too */
    uint32_t turns;   /* of loops taken together, inside of which none may leave */
    bool exited;      /* some threads may have left */
    bool apart;       /* some may be at the end already, and wait there */
    bool has_shared, has_local, has_const;
    bool spins; /* has cells for gen_spin() */
    enum shared_mode mode;
    bool dynamic;                    /* that memory is the extern array */
    uint32_t own_shared, all_shared; /* bytes per thread, of all threads */
    uint8_t cell[2][8];              /* operation of an atomic's cell: shared, global */
    uint8_t cluster_cell[8];         /* and of one that the cluster shares */
    uint8_t tensor_sum;              /* operation on the tensor of TENSOR_SUM */
    uint32_t tensor_leader;          /* thread of each block that stores for it */
    uint32_t n_cluster;              /* blocks of a cluster */
    uint32_t cluster[3];
    uint32_t left; /* statements still to write */
    uint32_t label_exit;
};

/* ---- text ---- */

void put(struct gen *g, const char *s);
void put_u(struct gen *g, uint64_t v);
/* %u (uint32_t) and %s. */
void putf(struct gen *g, const char *format, ...);

uint32_t gen_below(struct gen *g, uint32_t n);
bool gen_chance(struct gen *g, uint32_t percent);
/* One of the words that | separates, length in *n. */
const char *gen_word(struct gen *g, const char *words, uint32_t *n);
/* The template with one of the words in each {..|..}, @ replaced by type. */
void gen_expand(struct gen *g, const char *template, const char *type);

/* ---- operands ---- */

void gen_reg(struct gen *g, enum gen_class c);   /* any of the class */
void gen_guard(struct gen *g, uint32_t percent); /* "@%p1 ", perhaps */
void gen_predicate(struct gen *g, bool maybe_negated);
/* cp.async of bytes whose source is as long as a number says (how 0), a register, which
 * is made in front of it (1), or that is ignored by a predicate (2). */
void gen_copy_size(struct gen *g, uint32_t how, uint32_t bytes);
void gen_copy_end(struct gen *g, uint32_t how, uint32_t bytes, bool hinted);
uint64_t gen_value(struct gen *g); /* of bits: often a special one */

/* Of a memory operation: .cta, .gpu, ... */
void gen_scope(struct gen *g);

/* ---- statements ---- */

void gen_alu(struct gen *g);   /* gen_alu.c: one instruction of the tables */
void gen_half(struct gen *g);  /* gen_half.c: one of narrow floating point */
void gen_video(struct gen *g); /* gen_video.c */
void gen_async(struct gen *g); /* gen_async.c: of a thread alone */
void gen_async_together(struct gen *g);
void gen_async_variables(struct gen *g);
void gen_async_places(struct gen *g);
/* A loop that waits for a phase of the mbarrier at an address; words, "" or ".parity"
 * and more, say what the operand is. */
void gen_turn_until(struct gen *g, const char *words, const char *barrier,
                    const char *operand);
void gen_bulk(struct gen *g); /* gen_bulk.c: of a thread alone */
void gen_bulk_together(struct gen *g);
void gen_bulk_variables(struct gen *g);
void gen_bulk_places(struct gen *g);
/* %a2: any place in the input from where 64 bytes can be copied. */
void gen_bulk_source(struct gen *g);
/* At the thread's own mbarrier for one arrival: made anew; bytes that are expected; the
 * arrival, with so many or 0, which leaves a state; the wait for it. */
void gen_bar_fresh(struct gen *g, const char *bar);
void gen_bar_expect(struct gen *g, const char *bar, uint32_t bytes);
void gen_bar_arrive(struct gen *g, const char *bar, const char *state, uint32_t bytes);
void gen_bar_wait(struct gen *g, const char *bar, const char *state);
/* For the thread's bulk groups but the latest ones, or until they have read. */
void gen_bulk_wait(struct gen *g, bool read, uint32_t left);
/* Between what threads wrote to shared memory, or to any, and copies of it. */
void gen_proxy_fence(struct gen *g, bool global);
void gen_tensor(struct gen *g); /* gen_tensor.c: of a thread alone */
void gen_tensor_together(struct gen *g);
void gen_tensor_choose(struct gen *g);   /* gen_tensor_map.c: the tensors ... */
void gen_tensor_describe(struct gen *g); /* ... in comments, for who reads the text */
struct gen_coords {
    bool fixed[TENSOR_RANKS]; /* else in a register */
    int64_t value[TENSOR_RANKS];
};
/* Of a box of a tensor, in the part that belongs to who asks where it has parts. */
void gen_tensor_coords(struct gen *g, enum tensor_role role, bool writes,
                       struct gen_coords *c);
/* [map, {coordinates}] */
void gen_tensor_box(struct gen *g, enum tensor_role role, const struct gen_coords *c);
void gen_tensor_variables(struct gen *g);
void gen_tensor_numbers(struct gen *g); /* while %t1 is the thread's in the grid */
void gen_tensor_places(struct gen *g);
/* gen_hint.c: the word for a cache policy, perhaps, and then the policy, which is the
 * last operand. */
bool gen_hint(struct gen *g);
/* The same in front of the last word written, the type. */
bool gen_hint_type(struct gen *g, bool may);
void gen_hint_policy(struct gen *g, bool hinted);
void gen_policy(struct gen *g); /* another one */
void gen_policy_places(struct gen *g);
void gen_cluster(struct gen *g); /* gen_cluster.c: where all of the cluster come by */
void gen_cluster_meet(struct gen *g);
void gen_cluster_alone(struct gen *g);
/* A grid of one cluster or two; who says their shape: launch, kernel or both. */
void gen_cluster_shape(struct gen *g);
void gen_cluster_variables(struct gen *g);
void gen_cluster_places(struct gen *g);
void gen_tile(struct gen *g); /* gen_tile.c: where whole warps come by */
void gen_tile_variables(struct gen *g);
void gen_tile_places(struct gen *g);
void gen_tex(struct gen *g); /* gen_tex.c: of a thread alone */
void gen_tex_choose(struct gen *g);
void gen_tex_places(struct gen *g);
void gen_cvt(struct gen *g);
void gen_chain(struct gen *g);    /* additions and more with carry */
void gen_memory(struct gen *g);   /* gen_mem.c: a load, a store, an atomic */
void gen_exchange(struct gen *g); /* of a warp, or a barrier */
void gen_spin(struct gen *g);     /* gen_spin.c: threads wait for each other in loops */
void gen_move(struct gen *g); /* gen_move.c: parts of registers, spaces, no effect */
void gen_call(struct gen *g);
void gen_functions(struct gen *g);
void gen_value_registers(struct gen *g); /* %v<2>, for the addresses of functions */
/* Anything that threads may do alone; depth of the nesting around it. */
void gen_statement(struct gen *g, uint32_t depth);

/* %t1: a multiple of align below bytes (a power of two); %a2 = base + %t1. */
void gen_offset(struct gen *g, uint32_t bytes, uint32_t align);
void gen_address(struct gen *g, const char *base);

/* Shared memory: between threads that write their own bytes and threads that read
 * all. */
void gen_switch_mode(struct gen *g, enum shared_mode mode);

#endif /* RANDOM_GEN_PRIV_H */
