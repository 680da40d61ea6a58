/* cuda_pipeline.h - the primitives; the C++ class is not here. */
#ifndef SMWAVE_CUDA_PIPELINE_H
#define SMWAVE_CUDA_PIPELINE_H
#include "cuda_pipeline_primitives.h"
#endif /* SMWAVE_CUDA_PIPELINE_H */
