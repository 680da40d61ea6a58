/*
 * device_atomic_functions.h - atomic functions, which .cu files have anyway.
 */
#ifndef SMWAVE_DEVICE_ATOMIC_FUNCTIONS_H
#define SMWAVE_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_DEVICE_ATOMIC_FUNCTIONS_H */
