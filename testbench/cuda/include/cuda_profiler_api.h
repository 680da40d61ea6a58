/*
 * cuda_profiler_api.h - cudaProfilerStart() and cudaProfilerStop(), which the runtime's
 * header has.
 */
#ifndef SMWAVE_CUDA_PROFILER_API_H
#define SMWAVE_CUDA_PROFILER_API_H
#include "cuda_runtime_api.h"
#endif /* SMWAVE_CUDA_PROFILER_API_H */
