/*
 * sm_13_double_functions.h - a header of older releases: what .cu files have anyway.
 */
#ifndef SMWAVE_SM_13_DOUBLE_FUNCTIONS_H
#define SMWAVE_SM_13_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SM_13_DOUBLE_FUNCTIONS_H */
