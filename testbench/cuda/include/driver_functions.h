/*
 * driver_functions.h - make_cudaExtent() and its like, which cuda_runtime_api.h
 * defines.
 */
#ifndef SMWAVE_DRIVER_FUNCTIONS_H
#define SMWAVE_DRIVER_FUNCTIONS_H
#include "cuda_runtime_api.h"
#endif /* SMWAVE_DRIVER_FUNCTIONS_H */
