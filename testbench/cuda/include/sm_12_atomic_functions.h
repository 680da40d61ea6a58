/*
 * sm_12_atomic_functions.h - a header of older releases: atomic functions, which .cu
 * files have anyway.
 */
#ifndef SMWAVE_SM_12_ATOMIC_FUNCTIONS_H
#define SMWAVE_SM_12_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SM_12_ATOMIC_FUNCTIONS_H */
