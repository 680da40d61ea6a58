/*
 * device_functions.h - a header of older releases: what .cu files have anyway.
 */
#ifndef SMWAVE_DEVICE_FUNCTIONS_H
#define SMWAVE_DEVICE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_DEVICE_FUNCTIONS_H */
