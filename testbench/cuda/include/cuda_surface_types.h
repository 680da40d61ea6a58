/*
 * cuda_surface_types.h - a header of older releases: types of surfaces.
 */
#ifndef SMWAVE_CUDA_SURFACE_TYPES_H
#define SMWAVE_CUDA_SURFACE_TYPES_H
#include "surface_types.h"
#endif /* SMWAVE_CUDA_SURFACE_TYPES_H */
