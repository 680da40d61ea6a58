/*
 * texture_fetch_functions.h - fetches through texture objects, which .cu files have
 * anyway.
 */
#ifndef SMWAVE_TEXTURE_FETCH_FUNCTIONS_H
#define SMWAVE_TEXTURE_FETCH_FUNCTIONS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_TEXTURE_FETCH_FUNCTIONS_H */
