/*
 * Boxes of tensors (SPEC TENSOR-1 to TENSOR-3).
 *
 * A box is copied in parts of 16 bytes, which lie together in both memories whatever
 * the tensor and the swizzle are: lines of boxes are multiples of 16 bytes, and so are
 * strides and the place in a line where a box begins. Each is a bulk copy of its own to
 * one mbarrier or in one group.
 */
#include "machine.h"

#include "eval.h"
#include <string.h>

struct box {
    const struct tensor *t;
    const struct interp_buffer *memory; /* of all tensors */
    int64_t at[TENSOR_RANKS];           /* its first element */
    uint32_t shared;                    /* its place in the block */
};

struct line { /* of the box: in the tensor */
    bool inside;
    int64_t offset; /* of element 0 of the first dimension */
};

static const uint8_t types[N_TENSOR_TYPES] = {
    [TENSOR_U8] = TY_U8,        [TENSOR_U16] = TY_U16,     [TENSOR_U32] = TY_U32,
    [TENSOR_S32] = TY_S32,      [TENSOR_U64] = TY_U64,     [TENSOR_S64] = TY_S64,
    [TENSOR_F16] = TY_F16,      [TENSOR_F32] = TY_F32,     [TENSOR_F64] = TY_F64,
    [TENSOR_BF16] = TY_BF16,    [TENSOR_F32_FTZ] = TY_F32, [TENSOR_TF32] = TY_TF32,
    [TENSOR_TF32_FTZ] = TY_TF32};

/* ---- what a box is ---- */

static bool find_map(struct interp *x, struct thread *t, const struct insn *in,
                     uint32_t operand, struct box *b)
{
    struct place p;
    uint64_t number;

    if (!machine_place(x, t, in, &in->o[operand], SPACE_GENERIC, 64, &p)) {
        return false;
    }
    memcpy(&number, p.data, sizeof(number));
    number -= TENSOR_NUMBER;
    if (p.size < TENSOR_MAP || number >= x->l->n_tensors) {
        return machine_fail(x, in, "no tensor map");
    }
    b->t = &x->l->tensor[number];
    b->memory = &x->l->buffer[x->l->tensors];
    return true;
}

static bool find_box(struct interp *x, struct thread *t, const struct insn *in,
                     uint32_t operand, struct box *b)
{
    const bool writes = has(in, MOD_BULK_GROUP);

    if (!find_map(x, t, in, operand, b)) {
        return false;
    }
    if (in->group[operand + 1] != b->t->rank ||
        !has(in, (enum mod)(MOD_1D + b->t->rank - 1))) {
        return machine_fail(x, in, "a tensor of another rank");
    }
    for (uint32_t d = 0; d < b->t->rank; d++) {
        b->at[d] = (int32_t)machine_read(x, t, &in->o[operand + 1 + d]);
        if (writes && b->at[d] < 0) {
            return machine_fail(x, in, "a negative coordinate where it writes");
        }
    }
    return b->at[0] * b->t->stride[0] % TENSOR_LINE == 0 ||
           machine_fail(x, in, "the first coordinate is inside of 16 bytes");
}

/* Line i of the box, the second dimension first. */
static struct line line_of(const struct box *b, uint32_t i)
{
    struct line l = {.inside = true};

    for (uint32_t d = 1; d < b->t->rank; d++) {
        const uint32_t n = tensor_extent(b->t, d);
        const int64_t x = b->at[d] + (int64_t)(i % n) * b->t->step[d];

        l.inside = l.inside && x >= 0 && x < b->t->dim[d];
        l.offset += x * b->t->stride[d];
        i /= n;
    }
    return l;
}

/* Is the element at a byte of the line inside? */
static bool has_byte(const struct box *b, const struct line *l, uint32_t byte)
{
    const int64_t x = b->at[0] + byte / b->t->stride[0];

    return l->inside && x >= 0 && x < b->t->dim[0];
}

/* Bytes of global memory; NULL: the tensor does not lie in its memory. */
static uint8_t *in_memory(struct interp *x, const struct insn *in, const struct box *b,
                          const struct line *l, uint32_t byte, uint32_t n)
{
    const int64_t at =
        (int64_t)b->t->at + l->offset + b->at[0] * b->t->stride[0] + byte;

    if (at < TENSOR_MAPS || at + n > b->memory->size) {
        (void)machine_fail(x, in, "a box out of bounds");
        return NULL;
    }
    return b->memory->data + at;
}

/* A swizzle exchanges 16 bytes with others of the same 128: which ones, the number of
 * the 128 says. */
static uint32_t swizzled(const struct box *b, uint32_t place)
{
    const uint32_t row = place / 128 % (1u << b->t->swizzle);

    return (place / TENSOR_LINE ^ row) * TENSOR_LINE;
}

static struct place in_shared(struct interp *x, const struct thread *t,
                              const struct box *b, uint32_t i, uint32_t byte)
{
    struct block *own = &x->block[t->block];
    const uint32_t at = swizzled(b, b->shared + i * tensor_pitch(b->t) + byte);

    return (struct place){own->shared + at, own->shared_written + at, TENSOR_LINE,
                          false};
}

/* ---- loads ---- */

/* To a fraction of 10 bits, the even one of two that are as near. */
static void round_word(uint8_t *data)
{
    const uint32_t most = UINT32_C(1) << 13;
    uint32_t v, rest;

    memcpy(&v, data, sizeof(v));
    rest = v % most;
    if (v << 1 > UINT32_C(0xff000000)) {
        v = UINT32_C(0x7fffe000);
    } else {
        v -= rest;
        v += rest > most / 2 || (rest == most / 2 && (v & most) != 0) ? most : 0;
    }
    memcpy(data, &v, sizeof(v));
}

static bool load_part(struct interp *x, const struct insn *in, const struct box *b,
                      const struct line *l, uint32_t byte, struct bulk_part *part,
                      uint8_t data[TENSOR_LINE])
{
    const uint32_t size = b->t->stride[0], n = size < TENSOR_LINE ? size : TENSOR_LINE;

    part->from = (struct place){.is_global = true};
    for (uint32_t k = 0; k < TENSOR_LINE; k += n) {
        if (!has_byte(b, l, byte + k)) {
            for (uint32_t i = k; i < k + n; i++) {
                data[i] = !b->t->nans ? 0 : i % 2 == 0 ? 0xf7 : 0x7f;
            }
            continue;
        }
        const uint8_t *from = in_memory(x, in, b, l, byte + k, n);

        if (from == NULL) {
            return false;
        }
        memcpy(data + k, from, n);
        for (uint32_t i = 0; types[b->t->type] == TY_TF32 && i < n; i += 4) {
            round_word(data + k + i);
        }
        part->from.data = b->memory->data + (from - b->memory->data) - k;
    }
    return true;
}

/* ---- stores ---- */

/* 16 bytes are left out or written whole. *any: they are written. */
static bool store_part(struct interp *x, const struct insn *in, const struct box *b,
                       const struct line *l, uint32_t byte, struct bulk_part *part,
                       bool *any)
{
    *any = has_byte(b, l, byte);
    if (!*any) {
        return true;
    }
    part->to = (struct place){.is_global = true, .size = TENSOR_LINE};
    part->to.data = in_memory(x, in, b, l, byte, TENSOR_LINE);
    return part->to.data != NULL;
}

/* ---- all of it ---- */

static bool one_part(struct interp *x, struct thread *t, const struct insn *in,
                     const struct box *b, uint32_t i, uint32_t byte,
                     struct bulk_part part)
{
    const struct line l = line_of(b, i);
    const struct place shared = in_shared(x, t, b, i, byte);
    uint8_t data[TENSOR_LINE];
    bool any = true;

    part.data = part.bar != NULL ? data : shared.data;
    if (part.bar != NULL) {
        part.to = shared;
    } else {
        part.from = shared;
    }
    return (part.bar != NULL ? load_part(x, in, b, &l, byte, &part, data)
                             : store_part(x, in, b, &l, byte, &part, &any)) &&
           (!any || machine_bulk_begin(x, t, in, &part));
}

bool machine_tensor(struct interp *x, struct thread *t, const struct insn *in)
{
    const bool loads = !has(in, MOD_BULK_GROUP);
    const uint32_t map = loads && !has(in, MOD_PREFETCH) ? 1 : 0;
    struct bulk_part part = {.bytes = TENSOR_LINE};
    struct insn own = *in; /* its place is meant, and that in others by the mask */
    struct box b = {0};
    struct place p;
    uint32_t after;

    if (!find_box(x, t, in, map, &b) || has(in, MOD_PREFETCH)) {
        return !x->failed;
    }
    after = map + 1 + b.t->rank;
    own.cluster = false;
    if (!machine_place(x, t, &own, &in->o[loads ? 0 : after], SPACE_SHARED, 128, &p) ||
        (loads && !machine_bulk_told(x, t, in, after, &part))) {
        return false;
    }
    if (p.size < tensor_lines(b.t) * tensor_pitch(b.t)) {
        return machine_fail(x, in, "a box out of bounds of shared memory");
    }
    b.shared = (uint32_t)(p.data - x->block[t->block].shared);
    part.ty = types[b.t->type];
    for (uint32_t i = 0; i < tensor_lines(b.t); i++) {
        for (uint32_t k = 0; k < tensor_line(b.t); k += TENSOR_LINE) {
            if (!one_part(x, t, in, &b, i, k, part)) {
                return false;
            }
        }
    }
    return true;
}
