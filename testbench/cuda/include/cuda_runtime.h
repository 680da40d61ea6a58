/*
 * cuda_runtime.h - CUDA for C++: the functions of the runtime with typed arguments,
 * and, in a .cu file, everything that a kernel may use.
 */
#ifndef SMWAVE_CUDA_RUNTIME_H
#define SMWAVE_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "smwave/runtime_templates.h"
#endif

#if defined(__CUDA__) && defined(__clang__)
#include "smwave/device_atomics.h"
#include "smwave/device_memory.h"
#include "smwave/device_sync.h"
#include "smwave/device_texture.h"
#include "smwave/device_variables.h"
#include "smwave/managed.h"
#endif

#endif /* SMWAVE_CUDA_RUNTIME_H */
