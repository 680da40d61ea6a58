/*
 * math_functions.h - a header of older releases: what .cu files have anyway.
 */
#ifndef SMWAVE_MATH_FUNCTIONS_H
#define SMWAVE_MATH_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_MATH_FUNCTIONS_H */
