/* device_texture.c - textures, surfaces and arrays of a device. */
#include "gpu/device_priv.h"

#include <stdlib.h>
#include <string.h>

struct device_array {
    struct tex_desc desc;
    struct device_array *next;
};

_Static_assert((int)SMW_1D == (int)ISA_G_1D &&
                   (int)SMW_CUBE_LAYERED == (int)ISA_G_ACUBE,
               "shapes are geometries");
_Static_assert((int)SMW_LINEAR == (int)TEX_LINEAR && (int)SMW_ARRAY == (int)TEX_BLOCKS,
               "layouts");
_Static_assert((int)SMW_UNSIGNED == (int)TEX_UNSIGNED &&
                   (int)SMW_FLOAT == (int)TEX_FLOAT,
               "kinds");
_Static_assert((int)SMW_WRAP == (int)TEX_WRAP && (int)SMW_BORDER == (int)TEX_BORDER,
               "modes");

void device_free_textures(struct smw_device *d)
{
    struct tex_table *t = &d->gpu.shared.textures;

    for (uint32_t i = 0; i < t->n; i++) {
        free(t->desc[i]);
    }
    free(t->desc);
    *t = (struct tex_table){0};
    while (d->arrays != NULL) {
        struct device_array *a = d->arrays;

        d->arrays = a->next;
        free(a);
    }
}

static bool refuse(struct smw_err *e, const char *why)
{
    (void)err_set(e, SMW_ERR_INPUT, "texture: %s", why);
    return err_code(e, SMW_CODE_INVALID_VALUE);
}

static bool check_channels(const struct smw_texture *t, struct smw_err *e)
{
    const bool small = t->bits == 8 || t->bits == 16;

    if ((uint32_t)t->kind > SMW_FLOAT || (!small && t->bits != 32) ||
        (t->kind == SMW_FLOAT && t->bits == 8)) {
        return refuse(e,
                      "channels are integers of 8, 16 or 32 bits, or floats of 16 or "
                      "32");
    }
    if (t->channels != 1 && t->channels != 2 && t->channels != 4) {
        return refuse(e, "there are 1, 2 or 4 channels");
    }
    if (t->as_float && (!small || t->kind == SMW_FLOAT)) {
        return refuse(e, "only integers of 8 and 16 bits are read as floats");
    }
    if (t->linear && t->kind != SMW_FLOAT && !t->as_float) {
        return refuse(e, "only floats, and integers read as such, can be filtered");
    }
    return true;
}

static bool check_shape(const struct smw_texture *t, struct smw_err *e)
{
    const bool cube = t->shape == SMW_CUBE || t->shape == SMW_CUBE_LAYERED;
    const bool flat = t->shape == SMW_1D || t->shape == SMW_1D_LAYERED;

    if ((uint32_t)t->shape < SMW_1D || t->shape > SMW_CUBE_LAYERED ||
        (uint32_t)t->layout > SMW_ARRAY) {
        return refuse(e, "no such shape or layout");
    }
    if (t->width == 0 || t->width > TEX_MAX_SIZE || t->height > TEX_MAX_SIZE ||
        t->depth > TEX_MAX_SIZE) {
        return refuse(e, "a width of 1 to 2^28 is needed, and no dimension above that");
    }
    if (flat && t->height > 1) {
        return refuse(e, "a texture of one dimension has no height");
    }
    if ((t->shape == SMW_1D || t->shape == SMW_2D) && t->depth > 1) {
        return refuse(e, "a texture of one or two dimensions has no depth");
    }
    if (cube && (t->width != t->height || t->depth == 0 || t->depth % 6 != 0 ||
                 (t->shape == SMW_CUBE && t->depth != 6))) {
        return refuse(e, "a cube is as wide as high, and has 6 faces for each layer");
    }
    if (t->layout == SMW_LINEAR && t->shape != SMW_1D) {
        return refuse(e, "linear memory has one dimension");
    }
    for (uint32_t i = 0; i < 3; i++) {
        if ((uint32_t)t->beyond[i] > SMW_BORDER) {
            return refuse(e, "no such rule beyond the edges");
        }
    }
    return true;
}

/* False: *e says what is wrong. */
static bool describe(const struct smw_texture *t, struct tex_desc *d, struct smw_err *e)
{
    const bool flat = t->shape == SMW_1D || t->shape == SMW_1D_LAYERED;

    if (!check_channels(t, e) || !check_shape(t, e)) {
        return false;
    }
    *d = (struct tex_desc){.base = t->addr,
                           .pitch = t->pitch,
                           .width = t->width,
                           .height = t->height == 0 ? 1 : t->height,
                           .depth = t->depth == 0 ? 1 : t->depth,
                           /* rows of one array lie one after the other */
                           .layout = (uint8_t)(flat && t->layout == SMW_ARRAY
                                                   ? TEX_PITCH
                                                   : (enum tex_layout)t->layout),
                           .geom = (uint8_t)t->shape,
                           .kind = (uint8_t)t->kind,
                           .bits = (uint8_t)t->bits,
                           .channels = (uint8_t)t->channels,
                           .surface = t->surface,
                           .linear = t->linear,
                           .normalised = t->normalised,
                           .as_float = t->as_float};
    for (uint32_t i = 0; i < 3; i++) {
        d->address[i] = (uint8_t)t->beyond[i];
    }
    memcpy(d->border, t->border, sizeof(d->border));
    if (t->layout == SMW_ARRAY) {
        d->pitch = 0;
    }
    if ((double)d->width * d->height * d->depth > (double)(1ull << 40)) {
        return refuse(e, "it is larger than any device's memory");
    }
    tex_complete(d);
    if (t->layout == SMW_PITCH &&
        (d->pitch < (uint64_t)d->width * d->texel || d->pitch % d->texel != 0)) {
        return refuse(e, "the pitch is shorter than a row, or no multiple of a texel");
    }
    return true;
}

/* Tiles are where smw_array() made them, and of the same size. */
static bool check_place(const struct smw_device *d, const struct smw_texture *t,
                        const struct tex_desc *desc, struct smw_err *e)
{
    const struct memory_range *r;

    if (desc->base % 16 != 0) {
        return refuse(e, "the address is a multiple of 16");
    }
    if (!device_has(d, "texture", desc->base, desc->bytes, e)) {
        return false;
    }
    r = memory_find(&d->gpu.memory, desc->base);
    if (desc->layout == TEX_BLOCKS &&
        (r->array == NULL || r->addr != desc->base || r->array->width != desc->width ||
         r->array->height != desc->height || r->array->depth != desc->depth ||
         r->array->texel != desc->texel)) {
        return refuse(e, "no array of that size begins at the address");
    }
    if (t->layout != SMW_ARRAY && r->array != NULL) {
        return refuse(e, "what is at the address is an array");
    }
    return true;
}

bool smw_texture_new(struct smw_device *d, const struct smw_texture *t,
                     uint64_t *object, struct smw_err *e)
{
    struct tex_table *table;
    struct tex_desc *desc;

    if (!err_given(d, "smw_texture_new: the device", e) ||
        !err_given(t, "smw_texture_new: the texture", e) ||
        !err_given(object, "smw_texture_new: the object", e)) {
        return false;
    }
    table = &d->gpu.shared.textures;
    if (table->n == table->cap) {
        const uint32_t cap = table->cap == 0 ? 16 : 2 * table->cap;
        struct tex_desc **more = realloc(table->desc, cap * sizeof(*more));

        if (more == NULL) {
            return refuse(e, "the host is out of memory");
        }
        table->desc = more;
        table->cap = cap;
    }
    desc = malloc(sizeof(*desc));
    if (desc == NULL || !describe(t, desc, e) || !check_place(d, t, desc, e)) {
        free(desc);
        return false;
    }
    table->desc[table->n++] = desc;
    *object = table->n;
    return true;
}

bool smw_texture_free(struct smw_device *d, uint64_t object, struct smw_err *e)
{
    struct tex_table *table;

    if (!err_given(d, "smw_texture_free: the device", e)) {
        return false;
    }
    table = &d->gpu.shared.textures;
    if (tex_find(table, object) == NULL) {
        return refuse(e, "there is no such object");
    }
    if (!device_settle_all(d, e)) {
        return false;
    }
    free(table->desc[object - 1]);
    table->desc[object - 1] = NULL;
    return true;
}

bool smw_array(struct smw_device *d, const struct smw_texture *t, uint64_t *addr,
               uint64_t *pitch, struct smw_err *e)
{
    struct device_array *a;
    uint64_t at;

    if (!err_given(d, "smw_array: the device", e) ||
        !err_given(t, "smw_array: the texture", e) ||
        !err_given(addr, "smw_array: the address", e) ||
        !err_given(pitch, "smw_array: the pitch", e)) {
        return false;
    }
    if (t->layout != SMW_ARRAY) {
        return refuse(e, "the layout is not that of an array");
    }
    a = malloc(sizeof(*a));
    if (a == NULL || !describe(t, &a->desc, e) ||
        !smw_alloc(d, a->desc.bytes, &at, e)) {
        free(a);
        return false;
    }
    a->desc.base = at;
    a->next = d->arrays;
    d->arrays = a;
    if (!device_written(d, at, a->desc.bytes, e)) { /* by rows is not by bytes */
        return false;
    }
    if (a->desc.layout == TEX_BLOCKS) {
        memory_set_array(&d->gpu.memory, at, &a->desc);
    }
    *addr = at;
    *pitch = tex_row_pitch(&a->desc);
    return true;
}
