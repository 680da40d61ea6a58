/*
 * tensor.h - a tensor in global memory and a box of it: what the generator decides, the
 * interpreter reads and the model is told (SPEC TENSOR-1, TENSOR-2).
 *
 * All lie in one piece of memory, behind room for their maps. The maps are there, in
 * constant memory and in a parameter; for the interpreter one is a number.
 */
#ifndef RANDOM_TENSOR_H
#define RANDOM_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

/* As cuTensorMapEncodeTiled() counts them. */
enum tensor_type {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_F32_FTZ,
    TENSOR_TF32,
    TENSOR_TF32_FTZ,
    N_TENSOR_TYPES
};

/* What programs do with each of them. */
enum tensor_role {
    TENSOR_FAR,   /* large boxes are loaded, by some threads for all of the block */
    TENSOR_FAR2,  /* the same */
    TENSOR_NEAR,  /* small ones, by any thread for itself */
    TENSOR_OWN,   /* has a part for each thread, which stores and loads there */
    TENSOR_BLOCK, /* and one for each block */
    TENSOR_SUM,   /* anyone reduces into it, by one commutative operation */
    N_TENSORS
};

enum {
    TENSOR_RANKS = 5,
    TENSOR_LINE = 16, /* lines of boxes are multiples of these bytes */
    TENSOR_MAP = 128,
    TENSOR_MAPS = N_TENSORS * TENSOR_MAP,
    TENSOR_BYTES = 81920
};

/* The constant that holds the maps: the first of a program. */
#define TENSOR_SYMBOL "UM"

/* What the interpreter's maps begin with, plus the number of the tensor. */
#define TENSOR_NUMBER UINT64_C(0x7e45012000000000)

struct tensor {
    uint8_t type; /* enum tensor_type */
    uint8_t rank;
    uint8_t interleave; /* 0, or 1, 2: slices of 16 and 32 bytes */
    uint8_t swizzle;    /* 0, or 1, 2, 3: 32, 64 and 128 bytes */
    uint8_t promotion;
    bool nans;   /* are outside, else zeros */
    uint32_t at; /* in the memory of all */
    uint32_t dim[TENSOR_RANKS];
    uint32_t stride[TENSOR_RANKS]; /* bytes; [0]: of what a coordinate counts there */
    uint32_t box[TENSOR_RANKS], step[TENSOR_RANKS];
};

/* Of the box in a dimension. */
static inline uint32_t tensor_extent(const struct tensor *t, uint32_t d)
{
    if (d == 0) {
        return t->box[0];
    }
    return t->interleave != 0 && d + 2 == t->rank
               ? 1
               : (t->box[d] + t->step[d] - 1) / t->step[d];
}

static inline uint32_t tensor_lines(const struct tensor *t)
{
    uint32_t n = 1;

    for (uint32_t d = 1; d < t->rank; d++) {
        n *= tensor_extent(t, d);
    }
    return n;
}

static inline uint32_t tensor_line(const struct tensor *t)
{
    return t->box[0] * t->stride[0];
}

/* From a line to the next in shared memory: whole spans of a swizzle. */
static inline uint32_t tensor_pitch(const struct tensor *t)
{
    const uint32_t span = 16u << t->swizzle, line = tensor_line(t);

    return t->interleave != 0 || t->swizzle == 0 ? line
                                                 : (line + span - 1) / span * span;
}

#endif /* RANDOM_TENSOR_H */
