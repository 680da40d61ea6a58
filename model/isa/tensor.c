#include "isa/tensor.h"

#include "base/attr.h"

#include <stddef.h>
#include <string.h>

static const struct {
    uint8_t bytes, type;
} types[ISA_TENSOR_TYPES] = {{1, ISA_T_U8},   {2, ISA_T_U16}, {4, ISA_T_U32},
                             {4, ISA_T_S32},  {8, ISA_T_U64}, {8, ISA_T_S64},
                             {2, ISA_T_F16},  {4, ISA_T_F32}, {8, ISA_T_F64},
                             {2, ISA_T_BF16}, {4, ISA_T_F32}, {4, ISA_T_TF32},
                             {4, ISA_T_TF32}};

uint32_t isa_tensor_size(uint8_t type)
{
    return types[type].bytes;
}

enum isa_type isa_tensor_element(uint8_t type)
{
    return (enum isa_type)types[type].type;
}

/* ---- boxes ---- */

/* What a coordinate of the first dimension counts: elements, of interleaved tensors
 * slices of channels of 16 or 32 bytes. */
static uint32_t unit_of(const struct isa_tensor *t)
{
    return t->interleave == 0 ? isa_tensor_size(t->type) : 16u * t->interleave;
}

/* Of the box in a dimension. The first has no stride, and of interleaved tensors a box
 * has one slice in the last dimension but one, whatever its side (SPEC TENSOR-2). */
static uint32_t extent(const struct isa_tensor *t, uint32_t d)
{
    if (d == 0) {
        return t->box[0];
    }
    return t->interleave != 0 && d + 2 == t->rank
               ? 1
               : (t->box[d] + t->step[d] - 1) / t->step[d];
}

/* Bytes of a line of the box, and from one to the next in shared memory. */
static uint32_t line_of(const struct isa_tensor *t)
{
    return extent(t, 0) * unit_of(t);
}

static uint32_t pitch_of(const struct isa_tensor *t)
{
    const uint32_t span = 16u << t->swizzle;

    return t->interleave == 0 && t->swizzle != ISA_SWIZZLE_NONE
               ? (line_of(t) + span - 1) / span * span
               : line_of(t);
}

/* Where the byte is whose place would be addr without swizzle (SPEC TENSOR-3). */
static uint32_t swizzled(uint8_t swizzle, uint32_t addr)
{
    const uint32_t bits = (1u << swizzle) - 1;

    return addr ^ (addr >> 7 & bits) << 4;
}

uint32_t isa_tensor_place(const struct isa_tensor *t, uint32_t at, uint32_t offset)
{
    const uint32_t line = line_of(t);

    return swizzled(t->swizzle, at + offset / line * pitch_of(t) + offset % line);
}

uint32_t isa_tensor_span(const struct isa_tensor *t)
{
    const uint64_t n = (uint64_t)isa_tensor_box(t) / line_of(t) * pitch_of(t);

    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

uint32_t isa_tensor_box(const struct isa_tensor *t)
{
    uint64_t n = unit_of(t);

    for (uint32_t d = 0; d < t->rank; d++) {
        n *= extent(t, d);
    }
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

uint32_t isa_tensor_grain(const struct isa_tensor *t, const int32_t *at, bool stores)
{
    const uint32_t size = unit_of(t);
    const int64_t x = at[0];
    uint64_t all = 16 | t->base | (uint64_t)(x * (int64_t)size);

    if (!stores && x + t->box[0] > (int64_t)t->dim[0]) {
        all |= t->dim[0] * size;
    }
    for (uint32_t d = 1; d < t->rank; d++) {
        all |= t->stride[d];
    }
    all |= line_of(t);
    return (uint32_t)(all & -all);
}

bool isa_tensor_find(const struct isa_tensor *t, const int32_t *at, uint32_t offset,
                     uint64_t *addr)
{
    const uint32_t size = unit_of(t);
    uint32_t index = offset / size;
    bool inside = true;

    *addr = t->base + offset % size;
    for (uint32_t d = 0; d < t->rank; d++) {
        const uint32_t n = extent(t, d);
        const int64_t x = at[d] + (int64_t)(index % n) * (d == 0 ? 1 : t->step[d]);

        inside = inside && x >= 0 && x < (int64_t)t->dim[d];
        *addr += (uint64_t)x * (d == 0 ? size : t->stride[d]);
        index /= n;
    }
    return inside;
}

/* By CUtensorMapDataType. */
enum { TFLOAT32 = 11 };

bool isa_tensor_converts(const struct isa_tensor *t)
{
    return t->type >= TFLOAT32;
}

uint32_t isa_tensor_loaded(uint32_t word)
{
    return (word & 0x7fffffffu) > 0x7f800000u
               ? 0x7fffe000u
               : (word + 0xfffu + (word >> 13 & 1)) & 0xffffe000u;
}

void isa_tensor_fill(const struct isa_tensor *t, uint8_t out[16])
{
    for (uint32_t i = 0; i < 16; i++) {
        out[i] = !t->nan_fill ? 0 : i % 2 == 0 ? 0xf7 : 0x7f;
    }
}

/* ---- what a driver says of it ---- */

/* Taken are boxes of 131,072 bytes, refused those of 261,120: the shared memory of a
 * block lies between. */
enum { MOST_BYTES = 227 * 1024 };

static const char *wrong_strides(const struct isa_tensor *t, uint32_t d)
{
    const uint64_t unit = t->interleave == 2 ? 32 : 16;

    if (d == 0) {
        return NULL;
    }
    if (t->stride[d] % unit != 0) {
        return unit == 32 ? "a stride is no multiple of 32 bytes"
                          : "a stride is no multiple of 16 bytes";
    }
    return t->stride[d] >= 1ull << 40 ? "a stride is 2^40 bytes or more" : NULL;
}

static const char *wrong_dimension(const struct isa_tensor *t, uint32_t d)
{
    if (t->dim[d] == 0 || t->dim[d] > 1ull << 32) {
        return "a dimension is not 1 to 2^32 elements";
    }
    if (t->box[d] == 0 || t->box[d] > 256) {
        return "a side of the box is not 1 to 256 elements";
    }
    if (t->step[d] == 0 || t->step[d] > 8) {
        return "an element stride is not 1 to 8";
    }
    return wrong_strides(t, d);
}

/* As a driver counts them: with the stride that the first dimension has not. */
static uint64_t bytes_wanted(const struct isa_tensor *t)
{
    uint64_t n = isa_tensor_size(t->type);

    for (uint32_t d = 0; d < t->rank; d++) {
        n *= (t->box[d] + t->step[d] - 1) / t->step[d];
    }
    return n;
}

static const char *wrong_line(const struct isa_tensor *t)
{
    const uint32_t bytes = t->box[0] * isa_tensor_size(t->type);

    if (t->interleave == 0 && bytes % 16 != 0) {
        return "a line of the box is no multiple of 16 bytes";
    }
    if (t->interleave == 0 && t->swizzle != ISA_SWIZZLE_NONE &&
        bytes > 16u << t->swizzle) {
        return "a line of the box is longer than the swizzle";
    }
    if (bytes_wanted(t) > MOST_BYTES) {
        return "the box is larger than shared memory";
    }
    return NULL;
}

const char *isa_tensor_wrong(const struct isa_tensor *t)
{
    const enum isa_type type = isa_tensor_element(t->type);

    if (t->rank == 0 || t->rank > ISA_TENSOR_RANKS) {
        return "the rank is not 1 to 5";
    }
    if (t->interleave > 2 || t->swizzle > ISA_SWIZZLE_128) {
        return "there is no such interleave or swizzle";
    }
    if (t->interleave != 0 && t->rank < 3) {
        return "interleaved tensors have 3 dimensions at least";
    }
    if (t->base % (t->interleave == 2 ? 32 : 16) != 0 || t->base >> 57 != 0) {
        return "the address is not aligned, or 2^57 or more";
    }
    if (t->nan_fill && !isa_type_is_float(type) && !isa_type_is_narrow(type)) {
        return "NaNs are of floating types";
    }
    for (uint32_t d = 0; d < t->rank; d++) {
        const char *why = wrong_dimension(t, d);

        if (why != NULL) {
            return why;
        }
    }
    return wrong_line(t);
}
