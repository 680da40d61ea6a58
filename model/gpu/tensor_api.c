/* Tensor maps of the public interface. */
#include "base/err.h"
#include "isa/tensor.h"
#include "smwave.h"

enum { MOST_PROMOTION = 3 };

static const char *read_tensor(const struct smw_tensor *t, struct isa_tensor *out)
{
    *out = (struct isa_tensor){.base = t->address,
                               .type = (uint8_t)t->type,
                               .rank = (uint8_t)t->rank,
                               .interleave = (uint8_t)t->interleave,
                               .swizzle = (uint8_t)t->swizzle,
                               .promotion = (uint8_t)t->promotion,
                               .nan_fill = t->fill != 0};
    if (t->type >= ISA_TENSOR_TYPES) {
        return "there is no such data type";
    }
    if (t->rank > ISA_TENSOR_RANKS || t->interleave > UINT8_MAX ||
        t->swizzle > UINT8_MAX || t->promotion > MOST_PROMOTION || t->fill > 1) {
        return "a rank, interleave, swizzle, promotion or fill there is not";
    }
    for (uint32_t d = 0; d < t->rank; d++) {
        out->dim[d] = t->dim[d];
        out->stride[d] = d == 0 ? isa_tensor_size(out->type) : t->stride[d - 1];
        out->box[d] = t->box[d];
        out->step[d] = t->step[d];
    }
    return isa_tensor_wrong(out);
}

static bool refuse(struct smw_err *e, const char *why)
{
    return err_set(e, SMW_ERR_INPUT, "tensor map: %s", why);
}

bool smw_tensor_map(const struct smw_tensor *t, void *map, struct smw_err *e)
{
    struct isa_tensor out;
    const char *why;

    if (!err_given(t, "smw_tensor_map: the tensor", e) ||
        !err_given(map, "smw_tensor_map: the map", e)) {
        return false;
    }
    why = read_tensor(t, &out);
    if (why != NULL) {
        return refuse(e, why);
    }
    isa_tensor_write(&out, map);
    return true;
}

bool smw_tensor_move(void *map, uint64_t address, struct smw_err *e)
{
    struct isa_tensor t;
    const char *why;

    if (!err_given(map, "smw_tensor_move: the map", e)) {
        return false;
    }
    if (!isa_tensor_read(map, &t)) {
        return refuse(e, "these 128 bytes are none");
    }
    t.base = address;
    why = isa_tensor_wrong(&t);
    if (why != NULL) {
        return refuse(e, why);
    }
    isa_tensor_write(&t, map);
    return true;
}
