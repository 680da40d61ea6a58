/*
 * interp.h - runs a program, one thread after the other.
 *
 * A thread runs until it exits or meets an instruction that needs others: a barrier or
 * an exchange of its warp. When all threads of a warp (of the block) that live have met
 * the same one, it takes place. Blocks of a cluster run together. So a program's answer
 * must not depend on the order of its threads between two barriers; the generator sees
 * to that.
 *
 * What a valid program does not do ends the run as invalid, with the reason: reads of
 * shared and local bytes never written, accesses outside what there is or misaligned,
 * divisions by zero, threads that meet different exchanges, too many steps.
 */
#ifndef RANDOM_INTERP_H
#define RANDOM_INTERP_H

#include "code.h"
#include "tensor.h"
#include "texture.h"

enum {
    MAX_BUFFERS = 3,
    MAX_THREADS = 256, /* of a cluster */
    MAX_CLUSTER = 8,
    MAX_SHARED = 32768,
    MAX_LOCAL = 128
};

struct interp_buffer {
    uint64_t base; /* address the program is given */
    uint8_t *data;
    uint32_t size;
};

struct interp_launch {
    uint32_t grid[3], block[3];
    uint32_t cluster[3];     /* blocks; 0: it does not say it */
    uint32_t dynamic_shared; /* bytes */
    const uint8_t
        *params; /* as the kernel's parameters lie: each aligned to its size */
    uint32_t param_bytes;
    struct interp_buffer buffer[MAX_BUFFERS];
    uint32_t n_buffers;
    struct texture *texture; /* object i + 1; what surfaces hold changes */
    uint32_t n_textures;
    const struct tensor *tensor;
    uint32_t n_tensors;
    uint32_t tensors; /* the buffer that they lie in */
    uint8_t plant;    /* enum op whose results are wrong in bit 0; N_OPS: none */
};

struct interp; /* the room for a run; used again and again */

struct interp *interp_new(void);
void interp_free(struct interp *x);

/* False: error in c->error. Global variables change in c->globals. */
bool interp_run(struct interp *x, struct code *c, const struct interp_launch *l);

#endif /* RANDOM_INTERP_H */
