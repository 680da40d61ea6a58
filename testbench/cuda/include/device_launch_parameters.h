/*
 * device_launch_parameters.h - threadIdx and its like, which .cu files have anyway.
 */
#ifndef SMWAVE_DEVICE_LAUNCH_PARAMETERS_H
#define SMWAVE_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_DEVICE_LAUNCH_PARAMETERS_H */
