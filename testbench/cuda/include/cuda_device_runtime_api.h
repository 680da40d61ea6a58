/*
 * cuda_device_runtime_api.h - the runtime for kernels that launch kernels, which the
 * model does not; the header has the types.
 */
#ifndef SMWAVE_CUDA_DEVICE_RUNTIME_API_H
#define SMWAVE_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime_api.h"
#endif /* SMWAVE_CUDA_DEVICE_RUNTIME_API_H */
