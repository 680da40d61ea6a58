/* The 128 bytes of a tensor map: a format of ours (DEVIATIONS). */
#include "isa/tensor.h"

#include <string.h>

static const uint64_t magic = 0x70616d2d65766177ull; /* "wave-map" */

/* In words of 64 bits: magic; address; what it is, by bytes; sides of the box, by
 * bytes less 1; then dimensions less 1 by words of 32 bits, and strides. */
enum { AT_KIND = 2, AT_BOX = 3, AT_DIM = 4, AT_STRIDE = 7, WORDS = 16 };

void isa_tensor_write(const struct isa_tensor *t, uint8_t map[ISA_TENSOR_BYTES])
{
    uint64_t w[WORDS] = {magic, t->base};

    w[AT_KIND] = (uint64_t)t->type | (uint64_t)t->rank << 8 |
                 (uint64_t)t->interleave << 16 | (uint64_t)t->swizzle << 24 |
                 (uint64_t)t->promotion << 32 | (uint64_t)t->nan_fill << 40;
    for (uint32_t d = 0; d < t->rank; d++) {
        w[AT_KIND] |= (uint64_t)(t->step[d] - 1) << (48 + 3 * d);
        w[AT_BOX] |= (uint64_t)(t->box[d] - 1) << 8 * d;
        w[AT_DIM + d / 2] |= (uint64_t)(uint32_t)(t->dim[d] - 1) << 32 * (d % 2);
        w[AT_STRIDE + d] = d == 0 ? 0 : t->stride[d];
    }
    memcpy(map, w, sizeof(w));
}

bool isa_tensor_read(const uint8_t map[ISA_TENSOR_BYTES], struct isa_tensor *out)
{
    uint64_t w[WORDS];

    memcpy(w, map, sizeof(w));
    memset(out, 0, sizeof(*out));
    out->base = w[1];
    out->type = (uint8_t)w[AT_KIND];
    out->rank = (uint8_t)(w[AT_KIND] >> 8);
    out->interleave = (uint8_t)(w[AT_KIND] >> 16);
    out->swizzle = (uint8_t)(w[AT_KIND] >> 24);
    out->promotion = (uint8_t)(w[AT_KIND] >> 32);
    out->nan_fill = (w[AT_KIND] >> 40 & 1) != 0;
    if (w[0] != magic || out->type >= ISA_TENSOR_TYPES || out->rank > ISA_TENSOR_RANKS) {
        return false;
    }
    for (uint32_t d = 0; d < out->rank; d++) {
        out->step[d] = (uint32_t)(w[AT_KIND] >> (48 + 3 * d) & 7) + 1;
        out->box[d] = (uint32_t)(w[AT_BOX] >> 8 * d & 0xff) + 1;
        out->dim[d] = (uint64_t)(uint32_t)(w[AT_DIM + d / 2] >> 32 * (d % 2)) + 1;
        out->stride[d] = d == 0 ? isa_tensor_size(out->type) : w[AT_STRIDE + d];
    }
    return isa_tensor_wrong(out) == NULL;
}
