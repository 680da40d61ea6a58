/*
 * The 128 bytes of a tensor map, as a driver for an H100 writes them (SPEC TENSOR-1):
 * read off maps of drawn tensors (testbench/golden/data/h100/tensor_maps.csv).
 */
#include "isa/tensor.h"

#include <string.h>

/*
 * In words of 64 bits:
 *
 *   0      address
 *   1      bits 4 to 6 rank less 1, 7 to 10 type, 11 interleave, 13 swizzle, 15 NaNs
 *          outside, 16 tf32, 17 promotion; from 32 on the first stride in 16 bytes
 *   2, 3   the others, by words of 32 bits; bits 32 to 35 of each from bit 32 of 3 on
 *   4 to 6 dimensions less 1, by words of 32 bits
 *   6      from bit 32 on element strides less 1, 3 bits each; from 56 the box's first
 *          side less 1
 *   7      its other sides less 1, by bytes
 *   8, 9   bytes of the box; bytes after which the swizzle repeats
 */
enum {
    WORDS = ISA_TENSOR_BYTES / 8,
    AT_SHAPE = 1,
    AT_DIM = 4,
    AT_STEP = 6,
    AT_BOX = 7
};

/* By CUtensorMapDataType; bit 9 is that of tf32. */
static const uint16_t codes[ISA_TENSOR_TYPES] = {0, 1, 2,  3, 4,          5,         6,
                                                 7, 9, 10, 8, 7 | 1 << 9, 8 | 1 << 9};

/* Word i of those of 32 bits. */
static void put(uint64_t *w, uint32_t i, uint64_t v)
{
    w[i / 2] |= (v & UINT32_MAX) << 32 * (i % 2);
}

static uint64_t get(const uint64_t *w, uint32_t i)
{
    return w[i / 2] >> 32 * (i % 2) & UINT32_MAX;
}

/* What a driver notes as the bytes of the box: rounded down where element strides leave
 * a rest, other than what is copied. */
static uint64_t noted_bytes(const struct isa_tensor *t)
{
    uint64_t n = isa_tensor_size(t->type);

    for (uint32_t d = 0; d < t->rank; d++) {
        n *= t->box[d] / t->step[d];
    }
    return n;
}

void isa_tensor_write(const struct isa_tensor *t, uint8_t map[ISA_TENSOR_BYTES])
{
    uint64_t w[WORDS] = {t->base};

    w[AT_SHAPE] = (uint64_t)(t->rank - 1u) << 4 | (uint64_t)codes[t->type] << 7 |
                  (uint64_t)t->interleave << 11 | (uint64_t)t->swizzle << 13 |
                  (uint64_t)t->nan_fill << 15 | (uint64_t)t->promotion << 17;
    for (uint32_t d = 0; d < t->rank; d++) {
        put(w, 2 * AT_DIM + d, t->dim[d] - 1);
        w[AT_STEP] |= (uint64_t)(t->step[d] - 1) << (32 + 3 * d);
        if (d == 0) {
            w[AT_STEP] |= (uint64_t)(t->box[0] - 1) << 56;
            continue;
        }
        put(w, 2 + d, t->stride[d] / 16);
        w[3] |= t->stride[d] / 16 >> 32 << (28 + 4 * d);
        w[AT_BOX] |= (uint64_t)(t->box[d] - 1) << 8 * (d - 1);
    }
    w[8] = noted_bytes(t);
    w[9] = t->swizzle == ISA_SWIZZLE_NONE ? 16 : 128u << t->swizzle;
    memcpy(map, w, sizeof(w));
}

static void read_dimension(const uint64_t *w, uint32_t d, struct isa_tensor *out)
{
    out->dim[d] = get(w, 2 * AT_DIM + d) + 1;
    out->step[d] = (uint32_t)(w[AT_STEP] >> (32 + 3 * d) & 7) + 1;
    if (d == 0) {
        out->box[0] = (uint32_t)(w[AT_STEP] >> 56) + 1;
        out->stride[0] = isa_tensor_size(out->type);
        return;
    }
    out->box[d] = (uint32_t)(w[AT_BOX] >> 8 * (d - 1) & 0xff) + 1;
    out->stride[d] = (get(w, 2 + d) | (w[3] >> (28 + 4 * d) & 15) << 32) * 16;
}

bool isa_tensor_read(const uint8_t map[ISA_TENSOR_BYTES], struct isa_tensor *out)
{
    uint8_t same[ISA_TENSOR_BYTES];
    uint64_t w[WORDS];
    uint32_t type = 0;

    memcpy(w, map, sizeof(w));
    memset(out, 0, sizeof(*out));
    while (type < ISA_TENSOR_TYPES && codes[type] != (w[AT_SHAPE] >> 7 & 0x20f)) {
        type++;
    }
    out->rank = (uint8_t)((w[AT_SHAPE] >> 4 & 7) + 1);
    if (type == ISA_TENSOR_TYPES || out->rank > ISA_TENSOR_RANKS) {
        return false;
    }
    out->type = (uint8_t)type;
    out->base = w[0];
    out->interleave = w[AT_SHAPE] >> 11 & 3;
    out->swizzle = w[AT_SHAPE] >> 13 & 3;
    out->nan_fill = (w[AT_SHAPE] >> 15 & 1) != 0;
    out->promotion = w[AT_SHAPE] >> 17 & 3;
    for (uint32_t d = 0; d < out->rank; d++) {
        read_dimension(w, d, out);
    }
    if (isa_tensor_wrong(out) != NULL) {
        return false;
    }
    isa_tensor_write(out, same);
    return memcmp(map, same, sizeof(same)) == 0;
}
