/*
 * cuda_texture_types.h - a header of older releases: types of textures.
 */
#ifndef SMWAVE_CUDA_TEXTURE_TYPES_H
#define SMWAVE_CUDA_TEXTURE_TYPES_H
#include "texture_types.h"
#endif /* SMWAVE_CUDA_TEXTURE_TYPES_H */
