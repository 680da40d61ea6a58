/* Where the texels of a texture lie. */
#include "mem/tex.h"

enum { ROW_STEP = 32, MOST_GOBS = 16 };

uint32_t tex_dims(enum isa_geom g)
{
    static const uint8_t n[] = {
        [ISA_G_1D] = 1,  [ISA_G_2D] = 2,   [ISA_G_3D] = 3,   [ISA_G_A1D] = 1,
        [ISA_G_A2D] = 2, [ISA_G_CUBE] = 3, [ISA_G_ACUBE] = 3};

    return n[g];
}

bool tex_has_layer(enum isa_geom g)
{
    return g == ISA_G_A1D || g == ISA_G_A2D || g == ISA_G_ACUBE;
}

const char *tex_geom_name(enum isa_geom g)
{
    static const char *const name[] = {
        [ISA_G_NONE] = "nothing", [ISA_G_1D] = "1d",      [ISA_G_2D] = "2d",
        [ISA_G_3D] = "3d",        [ISA_G_A1D] = "a1d",    [ISA_G_A2D] = "a2d",
        [ISA_G_CUBE] = "cube",    [ISA_G_ACUBE] = "acube"};

    return name[g];
}

/* A block of an array is one tile wide and as many high, up to 16, as the rows fill. */
static uint8_t gobs_of(uint32_t rows)
{
    uint8_t n = 1;

    while (n < MOST_GOBS && n * (uint32_t)TEX_GOB_ROWS < rows) {
        n *= 2;
    }
    return n;
}

static uint64_t up(uint64_t v, uint64_t to)
{
    return (v + to - 1) / to * to;
}

void tex_complete(struct tex_desc *d)
{
    uint64_t row;

    d->texel = (uint8_t)(d->bits / 8 * d->channels);
    row = (uint64_t)d->width * d->texel;
    d->gobs = 0;
    if (d->layout == TEX_BLOCKS) {
        d->gobs = gobs_of(d->height);
        d->pitch = up(row, TEX_GOB_BYTES) * TEX_GOB_ROWS;
        d->layer =
            up(d->height, (uint64_t)d->gobs * TEX_GOB_ROWS) / TEX_GOB_ROWS * d->pitch;
    } else {
        d->pitch = d->layout == TEX_LINEAR ? row
                   : d->pitch == 0         ? up(row, ROW_STEP)
                                           : d->pitch;
        d->layer = d->pitch * d->height;
    }
    d->bytes = d->layer * d->depth;
}

/* SPEC TEX-4. Inside a tile 16 bytes of two rows lie together, a sector; then the next
 * 16 bytes, then the next pairs of rows, then the other 32 bytes. */
static uint64_t in_tile(uint64_t x, uint32_t y)
{
    return (x / 32 % 2) * 256 + (y % 8 / 2) * 64 + (x / 16 % 2) * 32 + (y % 2) * 16 +
           x % 16;
}

uint64_t tex_byte_place(const struct tex_desc *d, uint64_t x, uint32_t y, uint32_t z)
{
    const uint64_t layer = d->base + z * d->layer;
    const uint32_t rows = (uint32_t)d->gobs * TEX_GOB_ROWS; /* of a block */
    const uint64_t tile = (uint64_t)TEX_GOB_BYTES * TEX_GOB_ROWS;

    if (d->layout != TEX_BLOCKS) {
        return layer + y * d->pitch + x;
    }
    return layer + y / rows * d->pitch * d->gobs + x / TEX_GOB_BYTES * tile * d->gobs +
           y % rows / TEX_GOB_ROWS * tile + in_tile(x, y);
}

uint64_t tex_row_pitch(const struct tex_desc *d)
{
    return d->layout == TEX_BLOCKS ? up((uint64_t)d->width * d->texel, ROW_STEP)
                                   : d->pitch;
}

uint64_t tex_row_piece(const struct tex_desc *d, uint64_t offset, uint64_t *place)
{
    enum { TOGETHER = 16 };
    const uint64_t pitch = tex_row_pitch(d), layer = pitch * d->height;
    const uint64_t x = offset % pitch;

    *place = tex_byte_place(d, x, (uint32_t)(offset % layer / pitch),
                            (uint32_t)(offset / layer)) -
             d->base;
    return TOGETHER - x % TOGETHER;
}

uint64_t tex_place(const struct tex_desc *d, uint32_t x, uint32_t y, uint32_t z)
{
    return tex_byte_place(d, (uint64_t)x * d->texel, y, z);
}

/* Channel types, orders and layouts: PTX ISA, table "Opaque type fields". */
static uint32_t channel_type(const struct tex_desc *d)
{
    enum {
        SNORM8 = 0x10d0,
        UNORM8 = 0x10d2,
        SINT8 = 0x10d7,
        UINT8 = 0x10da,
        HALF = 0x10dd,
        FLOAT = 0x10de
    };
    const uint32_t width = d->bits == 8 ? 0 : d->bits == 16 ? 1 : 2;

    if (d->kind == TEX_FLOAT) {
        return d->bits == 16 ? HALF : FLOAT;
    }
    if (d->as_float) {
        return (d->kind == TEX_SIGNED ? SNORM8 : UNORM8) + width;
    }
    return (d->kind == TEX_SIGNED ? SINT8 : UINT8) + width;
}

uint32_t tex_query(const struct tex_desc *d, enum isa_pick pick)
{
    enum { ORDER_R = 0x10b0, ORDER_RG = 0x10b2, ORDER_RGBA = 0x10b5 };
    const bool layered = tex_has_layer((enum isa_geom)d->geom);
    const bool deep = d->geom == ISA_G_3D;

    switch (pick) {
    case ISA_PICK_WIDTH: return d->width;
    case ISA_PICK_HEIGHT: return tex_dims((enum isa_geom)d->geom) > 1 ? d->height : 0;
    case ISA_PICK_DEPTH: return deep ? d->depth : 0;
    case ISA_PICK_CHANNEL_TYPE: return channel_type(d);
    case ISA_PICK_CHANNEL_ORDER:
        return d->channels == 1 ? ORDER_R : d->channels == 2 ? ORDER_RG : ORDER_RGBA;
    case ISA_PICK_NORMALISED: return d->normalised;
    case ISA_PICK_FILTER: return d->linear;
    case ISA_PICK_ADDRESS_0: return d->address[0];
    case ISA_PICK_ADDRESS_1: return d->address[1];
    case ISA_PICK_ADDRESS_2: return d->address[2];
    case ISA_PICK_ARRAY_SIZE:
        return !layered ? 0 : d->geom == ISA_G_ACUBE ? d->depth / 6 : d->depth;
    case ISA_PICK_LEVELS:
    case ISA_PICK_SAMPLES: return 1;
    case ISA_PICK_LAYOUT: return d->layout == TEX_LINEAR;
    case ISA_PICK_NONE:
    case ISA_PICK_R:
    case ISA_PICK_G:
    case ISA_PICK_B:
    case ISA_PICK_A:
    case ISA_PICK_TRAP:
    case ISA_PICK_CLAMP:
    case ISA_PICK_ZERO: break;
    }
    return 0;
}

/* The nearest of 0 .. n - 1; *inside: i is one of them. */
static uint32_t nearest(int64_t i, uint64_t n, bool *inside)
{
    *inside &= i >= 0 && (uint64_t)i < n;
    return (uint32_t)(i < 0 ? 0 : (uint64_t)i < n ? (uint64_t)i : n - 1);
}

enum tex_where tex_surface(const struct tex_desc *d, enum isa_geom g, bool clamp,
                           const int32_t c[4], uint32_t bytes, uint64_t *addr)
{
    const uint32_t first = tex_has_layer(g) ? 1 : 0, dims = tex_dims(g);
    const uint64_t row = (uint64_t)d->width * d->texel;
    bool inside = true;
    int64_t x = c[first];
    uint32_t y = 0, z = 0;

    if (x % (int64_t)bytes != 0) {
        return TEX_MISALIGNED;
    }
    if (bytes > row) {
        return TEX_SURFACE_OUTSIDE;
    }
    x = (int64_t)nearest(x / (int64_t)bytes, row / bytes, &inside) * bytes;
    if (dims > 1) {
        y = nearest(c[first + 1], d->height, &inside);
    }
    if (dims > 2) {
        z = nearest(c[first + 2], d->depth, &inside);
    }
    if (first != 0) {
        z = nearest(c[0], d->depth, &inside);
    }
    if (!inside && !clamp) {
        return TEX_SURFACE_OUTSIDE;
    }
    *addr = tex_byte_place(d, (uint64_t)x, y, z);
    return TEX_INSIDE;
}
