#include "trial_texture.h"

static struct smw_texture described(const struct texture *t)
{
    static const enum smw_shape shapes[] = {SMW_1D,         SMW_2D,         SMW_3D,
                                            SMW_1D_LAYERED, SMW_2D_LAYERED, SMW_CUBE};
    static const enum smw_channel kinds[] = {SMW_UNSIGNED, SMW_SIGNED, SMW_FLOAT};
    static const enum smw_beyond beyond[] = {SMW_WRAP, SMW_CLAMP, SMW_MIRROR,
                                             SMW_BORDER};
    const enum smw_beyond b = beyond[t->beyond];

    return (struct smw_texture){.shape = shapes[t->shape],
                                .layout = t->linear_memory ? SMW_LINEAR : SMW_ARRAY,
                                .width = t->width,
                                .height = t->height,
                                .depth = t->depth,
                                .kind = kinds[t->kind],
                                .bits = t->bits,
                                .channels = t->channels,
                                .surface = t->surface,
                                .linear = t->filtered,
                                .normalised = t->normalised,
                                .as_float = t->as_float,
                                .beyond = {b, b, b}};
}

static bool make(struct trial_textures *all, struct smw_device *d,
                 const struct texture *t, uint32_t i, struct smw_err *e)
{
    struct smw_texture s = described(t);
    const uint32_t row = texture_row(t);

    all->pitch[i] = row;
    if (t->linear_memory ? !smw_alloc(d, row, &all->addr[i], e)
                         : !smw_array(d, &s, &all->addr[i], &all->pitch[i], e)) {
        return false;
    }
    for (uint32_t k = 0; k < t->height * t->depth; k++) {
        if (!smw_write(d, all->addr[i] + k * all->pitch[i], t->data + k * row, row,
                       e)) {
            return false;
        }
    }
    s.addr = all->addr[i];
    return smw_texture_new(d, &s, &all->object[i], e);
}

bool trial_textures_make(struct trial_textures *all, struct smw_device *d,
                         const struct texture *t, uint32_t n, struct smw_err *e)
{
    for (all->n = 0; all->n < n; all->n++) {
        if (!make(all, d, &t[all->n], all->n, e)) {
            return false;
        }
    }
    return true;
}

bool trial_textures_free(struct trial_textures *all, struct smw_device *d,
                         struct smw_err *e)
{
    for (; all->n > 0; all->n--) {
        if (!smw_texture_free(d, all->object[all->n - 1], e) ||
            !smw_free(d, all->addr[all->n - 1], e)) {
            return false;
        }
    }
    return true;
}

bool trial_texture_read(const struct trial_textures *all, struct smw_device *d,
                        const struct texture *t, uint32_t i, uint8_t *data,
                        struct smw_err *e)
{
    const uint32_t row = texture_row(t);

    for (uint32_t k = 0; k < t->height * t->depth; k++) {
        if (!smw_read(d, all->addr[i] + k * all->pitch[i], data + k * row, row, e)) {
            return false;
        }
    }
    return true;
}
