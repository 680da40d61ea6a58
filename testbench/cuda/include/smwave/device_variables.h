/*
 * device_variables.h - threadIdx, blockIdx, blockDim, gridDim and warpSize: clang's,
 * with the conversions that its header only declares.
 */
#ifndef SMWAVE_DEVICE_VARIABLES_H
#define SMWAVE_DEVICE_VARIABLES_H
#include "../vector_types.h"
#include <__clang_cuda_builtin_vars.h>

#define SMW_CONVERT(name)                                                              \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const                 \
    {                                                                                  \
        return dim3(x, y, z);                                                          \
    }                                                                                  \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const                \
    {                                                                                  \
        uint3 v = {x, y, z};                                                           \
        return v;                                                                      \
    }
SMW_CONVERT(threadIdx)
SMW_CONVERT(blockIdx)
SMW_CONVERT(blockDim)
SMW_CONVERT(gridDim)
#undef SMW_CONVERT

#endif /* SMWAVE_DEVICE_VARIABLES_H */
