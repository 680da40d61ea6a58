/* Tensor maps. */
#include "driver/driver.h"

#include <string.h>

/* What of rank numbers a map holds is in t; the others stay 0. */
static void take(struct smw_tensor *t, const cuuint64_t *dim, const cuuint64_t *stride,
                 const cuuint32_t *box, const cuuint32_t *step)
{
    for (unsigned d = 0; d < t->rank; d++) {
        t->dim[d] = dim[d];
        t->box[d] = box[d];
        t->step[d] = step[d];
        if (d > 0) {
            t->stride[d - 1] = stride[d - 1];
        }
    }
}

static CUresult encode(CUtensorMap *map, const struct smw_tensor *t)
{
    struct smw_err e;

    if (!smw_tensor_map(t, map, &e)) {
        rt_say_error("cuTensorMapEncodeTiled", &e);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type,
                                       cuuint32_t rank, void *address,
                                       const cuuint64_t *dim, const cuuint64_t *stride,
                                       const cuuint32_t *box, const cuuint32_t *step,
                                       CUtensorMapInterleave interleave,
                                       CUtensorMapSwizzle swizzle,
                                       CUtensorMapL2promotion promotion,
                                       CUtensorMapFloatOOBfill fill)
{
    struct smw_tensor t = {.type = type,
                           .rank = rank,
                           .interleave = interleave,
                           .swizzle = swizzle,
                           .promotion = promotion,
                           .fill = fill,
                           .address = (uint64_t)(uintptr_t)address};

    if (map == NULL || (uintptr_t)map % CU_TENSOR_MAP_ALIGNMENT != 0 || dim == NULL ||
        box == NULL || step == NULL || (rank > 1 && stride == NULL) || rank == 0 ||
        rank > CU_TENSOR_MAP_MAX_RANK) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    take(&t, dim, stride, box, step);
    return CU_LOCKED(false, encode(map, &t));
}

static CUresult move(CUtensorMap *map, void *address)
{
    struct smw_err e;

    if (!smw_tensor_move(map, (uint64_t)(uintptr_t)address, &e)) {
        rt_say_error("cuTensorMapReplaceAddress", &e);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
    if (map == NULL || (uintptr_t)map % CU_TENSOR_MAP_ALIGNMENT != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CU_LOCKED(false, move(map, address));
}
