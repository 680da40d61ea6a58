/* cuda_awbarrier.h - the primitives; the C++ class is not here. */
#ifndef SMWAVE_CUDA_AWBARRIER_H
#define SMWAVE_CUDA_AWBARRIER_H
#include "cuda_awbarrier_primitives.h"
#endif /* SMWAVE_CUDA_AWBARRIER_H */
