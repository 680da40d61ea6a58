/* texture.h - a texture or surface of a launch: what the generator decides, the
 * interpreter reads and the model is told. */
#ifndef RANDOM_TEXTURE_H
#define RANDOM_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum tex_shape {
    TEX_1D,
    TEX_2D,
    TEX_3D,
    TEX_A1D, /* layers of one or two dimensions */
    TEX_A2D,
    TEX_CUBE, /* six faces */
    N_TEX_SHAPES
};

enum tex_kind { TEX_UNSIGNED, TEX_SIGNED, TEX_FLOAT };

enum tex_beyond { TEX_WRAP, TEX_CLAMP, TEX_MIRROR, TEX_BORDER };

enum { MAX_TEXTURES = 4, TEXTURE_BYTES = 16384 };

struct texture {
    uint8_t shape, kind, beyond; /* enums above */
    bool linear_memory;          /* 1D: fetched by number */
    bool surface;
    bool filtered, normalised, as_float;
    uint32_t width, height, depth; /* depth: slices, layers, faces */
    uint32_t bits, channels;       /* of a channel; 1, 2, 4 */
    uint8_t data[TEXTURE_BYTES];   /* rows one behind the other */
};

static inline uint32_t texture_texel(const struct texture *t)
{
    return t->bits / 8 * t->channels;
}

static inline uint32_t texture_row(const struct texture *t)
{
    return t->width * texture_texel(t);
}

#endif /* RANDOM_TEXTURE_H */
