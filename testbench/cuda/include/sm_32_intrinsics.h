/*
 * sm_32_intrinsics.h - intrinsic functions of a capability, which .cu files have
 * anyway.
 */
#ifndef SMWAVE_SM_32_INTRINSICS_H
#define SMWAVE_SM_32_INTRINSICS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SM_32_INTRINSICS_H */
