/*
 * tex.h - textures and surfaces: what they are, where their texels lie, and what an
 * instruction makes of coordinates and texels. No time and no ports; SPEC TEX-1 to
 * TEX-6.
 *
 * A sample happens in two halves. tex_plan() makes addresses of texels and weights of
 * the coordinates of a warp; then somebody brings the texels' bytes; tex_finish() makes
 * the results of them. So the bytes may travel as lines, or be there at once.
 */
#ifndef MEM_TEX_H
#define MEM_TEX_H

#include "base/bits.h"
#include "mem/mem.h"

enum {
    TEX_TAPS = 8,          /* texels that one sample is made of, at most */
    TEX_GOB_BYTES = 64,    /* a tile of an array: bytes of a row ... */
    TEX_GOB_ROWS = 8,      /* ... and rows */
    TEX_MAX_SIZE = 1 << 28 /* texels of a dimension, at most */
};

enum tex_layout {
    TEX_LINEAR, /* one row, in linear memory: fetched by index, not filtered */
    TEX_PITCH,  /* rows, a pitch apart; layers one after the other */
    TEX_BLOCKS  /* an array: tiles of 64 bytes by 8 rows, SPEC TEX-4 */
};

enum tex_kind { TEX_UNSIGNED, TEX_SIGNED, TEX_FLOAT };

/* Values as those of cudaTextureAddressMode. */
enum tex_address { TEX_WRAP, TEX_CLAMP, TEX_MIRROR, TEX_BORDER };

struct tex_desc {
    uint64_t base;  /* device address, a multiple of 16 (of 512: TEX_BLOCKS) */
    uint64_t pitch; /* TEX_PITCH: bytes from row to row; TEX_BLOCKS: bytes of a row of
                       tiles one tile high */
    uint64_t layer; /* bytes from layer, slice or face to the next */
    uint64_t bytes; /* of all */
    uint32_t width, height, depth; /* texels; depth: slices, layers, or faces; at least
                                      1 each */
    uint8_t layout;                /* enum tex_layout */
    uint8_t geom;                  /* enum isa_geom: what it is */
    uint8_t kind, bits, channels;  /* enum tex_kind; 8 16 32; 1 2 4 */
    uint8_t texel;                 /* bytes */
    uint8_t gobs;                  /* TEX_BLOCKS: tiles on top of each other, 2^n */
    bool surface;                  /* made to be read and written as a surface */
    /* how a texture is read */
    bool linear;        /* filtered, else the texel that the coordinates are in */
    bool normalised;    /* coordinates are 0 to 1 */
    bool as_float;      /* 8- and 16-bit integers become -1 to 1, or 0 to 1 */
    uint8_t address[3]; /* enum tex_address */
    float border[4];
};

/* The rest of a description whose width, height, depth, layout, geom, bits, channels
 * and, of TEX_PITCH, pitch are set. pitch 0: rows follow each other in steps of 32
 * bytes. */
void tex_complete(struct tex_desc *d);

/* How the host sees an array: rows of texels, a pitch apart, layer after layer. */
uint64_t tex_row_pitch(const struct tex_desc *d);
/* Of the byte at such an offset: how many bytes from there on lie together, at *place
 * from the array's begin. */
uint64_t tex_row_piece(const struct tex_desc *d, uint64_t offset, uint64_t *place);

/* Address of texel (x, y) of layer or slice z, all inside. */
uint64_t tex_place(const struct tex_desc *d, uint32_t x, uint32_t y, uint32_t z);
/* The same of byte x of a row. */
uint64_t tex_byte_place(const struct tex_desc *d, uint64_t x, uint32_t y, uint32_t z);

/* How many coordinates choose the texel, and whether a layer comes before them. */
uint32_t tex_dims(enum isa_geom g);
bool tex_has_layer(enum isa_geom g);
const char *tex_geom_name(enum isa_geom g); /* "a2d" */

struct tex_work { /* one instruction of a warp */
    struct sim_txn txn;
    const struct tex_desc *desc;
    uint32_t mask;
    uint8_t n;      /* texels of each lane */
    uint8_t gather; /* 0: a sample; 1 + component: that of the four texels around */
    bool by_number; /* outside there is 0, not the border */
    uint16_t weight[3][ISA_LANES]; /* of the upper texel, in 1/256, along each axis */
    uint64_t addr[TEX_TAPS][ISA_LANES];   /* texel; 0: the border's colour */
    uint32_t raw[TEX_TAPS][4][ISA_LANES]; /* its bytes */
};

struct tex_call {             /* what the instruction says */
    bool integer;             /* coordinates are s32, not f32 */
    uint8_t gather;           /* as in struct tex_work */
    const uint32_t *coord[4]; /* by lane, in the order of the text */
};

/* What a device has of them: object 1 + i is desc[i], NULL: it is no more. */
struct tex_table {
    struct tex_desc **desc;
    uint32_t n, cap;
};

static inline const struct tex_desc *tex_find(const struct tex_table *t,
                                              uint64_t object)
{
    return object - 1 < t->n ? t->desc[object - 1] : NULL;
}

/* What txq and suq say; pick is enum isa_pick. */
uint32_t tex_query(const struct tex_desc *d, enum isa_pick pick);

/* Of a surface access: the byte address of one element of `bytes` bytes at coordinates
 * c, of which the first that is no layer counts bytes. TEX_SURFACE_OUTSIDE: there is
 * none. */
enum tex_where { TEX_INSIDE, TEX_SURFACE_OUTSIDE, TEX_MISALIGNED };
enum tex_where tex_surface(const struct tex_desc *d, enum isa_geom g, bool clamp,
                           const int32_t c[4], uint32_t bytes, uint64_t *addr);

/* Lanes of mask in w, whose desc is d. */
void tex_plan(const struct tex_desc *d, const struct tex_call *c, uint32_t mask,
              struct tex_work *w);
/* All texels are in raw: four words of each lane, as the instruction gives them. */
void tex_finish(const struct tex_work *w, uint32_t d[4][ISA_LANES]);

/* The bytes of lane's tap k, from p, which are desc->texel. */
void tex_take(struct tex_work *w, uint32_t k, uint32_t lane, const uint8_t *p);

/* ---- how one thing is made of another; for tests too ---- */

/* Where a coordinate leads along an axis of n texels: to texel at[0], or, filtered, to
 * at[0] and at[1]; TEX_OUTSIDE: the border. Returns the weight of the second, in 1/256.
 */
#define TEX_OUTSIDE UINT32_MAX
uint32_t tex_axis(const struct tex_desc *d, uint32_t axis, uint32_t n, uint32_t bits,
                  bool filtered, uint32_t at[2]);
/* The face of a cube and the coordinates, bits of f32, on it. */
uint32_t tex_face(const uint32_t xyz[3], uint32_t st[2]);
/* A component out of its bytes, as a word of the result; missing channels too. */
uint32_t tex_component(const struct tex_desc *d, const uint32_t raw[4], uint32_t k,
                       bool as_float);

#endif /* MEM_TEX_H */
