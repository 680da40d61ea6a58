/*
 * surface_indirect_functions.h - reads and writes through surface objects, which .cu
 * files have anyway.
 */
#ifndef SMWAVE_SURFACE_INDIRECT_FUNCTIONS_H
#define SMWAVE_SURFACE_INDIRECT_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SURFACE_INDIRECT_FUNCTIONS_H */
