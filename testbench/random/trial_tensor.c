#include "trial_tensor.h"

#include <string.h>

static struct smw_tensor described(const struct tensor *t, uint64_t addr)
{
    struct smw_tensor s = {.type = t->type,
                           .rank = t->rank,
                           .interleave = t->interleave,
                           .swizzle = t->swizzle,
                           .promotion = t->promotion,
                           .fill = t->nans,
                           .address = addr + t->at};

    for (uint32_t d = 0; d < t->rank; d++) {
        s.dim[d] = t->dim[d];
        s.box[d] = t->box[d];
        s.step[d] = t->step[d];
        if (d > 0) {
            s.stride[d - 1] = t->stride[d];
        }
    }
    return s;
}

bool trial_tensor_maps(const struct gen_program *p, uint64_t addr,
                       uint8_t maps[TENSOR_MAPS], struct smw_err *e)
{
    for (uint32_t i = 0; i < N_TENSORS; i++) {
        const struct smw_tensor s = described(&p->tensor[i], addr);

        if (!smw_tensor_map(&s, maps + i * TENSOR_MAP, e)) {
            return false;
        }
    }
    return true;
}

void trial_tensor_numbers(uint8_t maps[TENSOR_MAPS])
{
    memset(maps, 0, TENSOR_MAPS);
    for (uint32_t i = 0; i < N_TENSORS; i++) {
        const uint64_t number = TENSOR_NUMBER + i;

        memcpy(maps + i * TENSOR_MAP, &number, sizeof(number));
    }
}

bool trial_tensors_write(const struct gen_program *p, struct smw_device *d,
                         struct smw_module *m, uint64_t addr,
                         const uint8_t maps[TENSOR_MAPS], struct smw_err *e)
{
    return smw_write(d, addr, maps, TENSOR_MAPS, e) &&
           smw_write(d, addr + TENSOR_MAPS, p->tensor_memory + TENSOR_MAPS,
                     p->tensor_bytes - TENSOR_MAPS, e) &&
           smw_write_symbol(m, TENSOR_SYMBOL, 0, maps, TENSOR_MAPS, e);
}
