/*
 * gen.h - a seed to a random valid PTX program and its launch.
 *
 * Valid: every access in bounds and aligned, nothing read before it is written, bounded
 * loops, no division by zero, exchanges of warps and barriers only where all threads
 * that live come by. Deterministic: between two barriers a thread writes only its own
 * bytes of shared and global memory, but for atomics on cells with one commutative
 * operation each.
 *
 * A seed gives the same program for ever, as long as nothing here changes: reports name
 * the seed and the version.
 *
 * Lines that end in "//=" carry that (barriers, own addresses, loop counters): who
 * makes a program smaller leaves them.
 */
#ifndef RANDOM_GEN_H
#define RANDOM_GEN_H

#include "tensor.h"
#include "texture.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GEN_TEXT = 131072,
    GEN_LONG = 65536,    /* of it: behind that no further statement begins */
    GEN_IN = 1024,       /* bytes of the input that indices reach */
    GEN_IN_ALL = 1088,   /* all of it, for offsets */
    GEN_SLOT = 192,      /* bytes of the output per thread */
    GEN_BULK_BYTES = 64, /* behind them, where there are bulk copies */
    GEN_MAX_THREADS = 112,
    GEN_MAX_BLOCKS = 4,
    GEN_OUT = (GEN_SLOT + GEN_BULK_BYTES) * GEN_MAX_THREADS * GEN_MAX_BLOCKS,
    GEN_GLOBALS = 128, /* bytes of the variable G */
    GEN_PARAMS = 64
};

/* Kinds of instructions that a program may have besides the rest: bits of a set. */
enum gen_group {
    GEN_VIDEO = 1,
    GEN_ASYNC = 2,
    GEN_TILE = 4,
    GEN_TEX = 8,
    GEN_BULK = 16,
    GEN_CLUSTER = 32,
    GEN_TENSOR = 64,
    GEN_HINT = 128,
    GEN_GROUPS = 255
};

/* Of the parameter block, in this order: the input's address, the output's, then
 * bytes, then the objects of the textures; of tensors the address of their memory, then
 * their maps. */
struct gen_program {
    char text[GEN_TEXT];
    uint32_t n; /* of text, without the final 0 */
    uint32_t grid[3], block[3];
    uint32_t n_threads, n_blocks;
    uint32_t cluster[3]; /* what the launch says; 0: nothing */
    bool clusters;       /* blocks that work together: capability 9.0 or later */
    uint32_t slot;       /* bytes of the output per thread */
    uint32_t dynamic_shared;
    uint32_t address_bits;
    uint8_t params[GEN_PARAMS]; /* behind the two addresses */
    uint32_t n_params;          /* bytes of them */
    bool has_globals;           /* there is a variable G */
    bool turns;   /* loops that wait: how often they turn is a matter of time */
    bool spins;   /* lanes of a warp wait for each other: capability 7.0 or later */
    bool in_step; /* it polls, and has exchanges of a warp without .sync, which have no
                     certain lanes then from 7.0 on (SPEC SIMT-4): an older device */
    uint8_t in[GEN_IN_ALL];
    struct texture texture[MAX_TEXTURES];
    uint32_t n_textures;
    struct tensor tensor[N_TENSORS];
    bool tensors;          /* there are these */
    uint32_t tensor_bytes; /* of the memory that they lie in, maps included */
    uint8_t tensor_memory[TENSOR_BYTES];
};

/* groups: those that it has for certain; if it is 0, others by chance, but for those of
 * without. */
void gen_program(struct gen_program *p, uint64_t seed, uint32_t groups,
                 uint32_t without);

/* All names, for a message. */
#define GEN_GROUP_NAMES "video, async, tile, tex, bulk, cluster, tensor or hint"

/* The number of a group's name; 0: there is none. */
uint32_t gen_group_named(const char *name);

#endif /* RANDOM_GEN_H */
