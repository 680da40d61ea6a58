/*
 * tensor.h - tensor maps of capability 9.0 (SPEC TENSOR-1..3): a box of a tensor in
 * global memory, and where its elements go in shared memory. No time and no memory.
 *
 * The order of dimensions is that of the driver: 0 is the one whose elements follow one
 * another.
 */
#ifndef ISA_TENSOR_H
#define ISA_TENSOR_H

#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>

enum { ISA_TENSOR_BYTES = 128, ISA_TENSOR_RANKS = 5, ISA_TENSOR_TYPES = 13 };

enum isa_swizzle { ISA_SWIZZLE_NONE, ISA_SWIZZLE_32, ISA_SWIZZLE_64, ISA_SWIZZLE_128 };

struct isa_tensor {
    uint64_t base;
    uint64_t dim[ISA_TENSOR_RANKS];    /* elements */
    uint64_t stride[ISA_TENSOR_RANKS]; /* bytes; [0]: of an element */
    uint32_t box[ISA_TENSOR_RANKS];    /* elements of the tensor that it spans ... */
    uint32_t step[ISA_TENSOR_RANKS];   /* ... every how many is taken */
    uint8_t type;                      /* as CUtensorMapDataType counts */
    uint8_t rank;
    uint8_t interleave; /* 0, or 1, 2: 16 and 32 bytes */
    uint8_t swizzle;    /* enum isa_swizzle */
    uint8_t promotion;  /* bytes that the L2 fetches: without effect here */
    bool nan_fill;      /* outside are NaNs, else zeros */
};

/* The 128 bytes of a map and back; false: those are none. */
void isa_tensor_write(const struct isa_tensor *t, uint8_t map[ISA_TENSOR_BYTES]);
bool isa_tensor_read(const uint8_t map[ISA_TENSOR_BYTES], struct isa_tensor *out);

/* Why a driver refuses it, in words; NULL: it does not. The type is one of them. */
const char *isa_tensor_wrong(const struct isa_tensor *t);

/* Of a type: bytes, and what reductions take it for. */
uint32_t isa_tensor_size(uint8_t type);
enum isa_type isa_tensor_element(uint8_t type);

/* Bytes of a box, as an mbarrier counts them. */
uint32_t isa_tensor_box(const struct isa_tensor *t);
/* Bytes, at most 16, that lie together in both memories, inside or outside alike, with
 * the box at a place. Stores do not part 16 bytes that the tensor ends in. */
uint32_t isa_tensor_grain(const struct isa_tensor *t, const int32_t *at, bool stores);
/* Where byte offset of the box, a multiple of the grain, is in global memory; false:
 * outside the tensor. */
bool isa_tensor_find(const struct isa_tensor *t, const int32_t *at, uint32_t offset,
                     uint64_t *addr);
/* ... and in shared memory, if the box begins at a multiple of 128 there; how many
 * bytes that box spans, with what lies between its lines. */
uint32_t isa_tensor_place(const struct isa_tensor *t, uint32_t at, uint32_t offset);
uint32_t isa_tensor_span(const struct isa_tensor *t);
/* What a load makes of a word of elements: TFLOAT32 is rounded to 10 bits of fraction,
 * to nearest even; NaNs become one. */
bool isa_tensor_converts(const struct isa_tensor *t);
uint32_t isa_tensor_loaded(uint32_t word);
/* What stands for 16 bytes of elements outside. */
void isa_tensor_fill(const struct isa_tensor *t, uint8_t out[16]);

#endif /* ISA_TENSOR_H */
