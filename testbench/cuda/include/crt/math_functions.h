/*
 * crt/math_functions.h - a header that programs should not name, and some do.
 */
#ifndef SMWAVE_CRT_MATH_FUNCTIONS_H
#define SMWAVE_CRT_MATH_FUNCTIONS_H
#include "../cuda_runtime.h"
#endif /* SMWAVE_CRT_MATH_FUNCTIONS_H */
