/*
 * sm_20_atomic_functions.h - atomic functions of a capability, which .cu files have
 * anyway.
 */
#ifndef SMWAVE_SM_20_ATOMIC_FUNCTIONS_H
#define SMWAVE_SM_20_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SM_20_ATOMIC_FUNCTIONS_H */
