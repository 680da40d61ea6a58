/*
 * sm_30_intrinsics.h - shuffles and votes, which .cu files have anyway.
 */
#ifndef SMWAVE_SM_30_INTRINSICS_H
#define SMWAVE_SM_30_INTRINSICS_H
#include "cuda_runtime.h"
#endif /* SMWAVE_SM_30_INTRINSICS_H */
