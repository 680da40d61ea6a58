/* trial_texture.h - the textures and surfaces of a program, made on a device. */
#ifndef RANDOM_TRIAL_TEXTURE_H
#define RANDOM_TRIAL_TEXTURE_H

#include "smwave.h"
#include "texture.h"

struct trial_textures {
    uint64_t object[MAX_TEXTURES], addr[MAX_TEXTURES], pitch[MAX_TEXTURES];
    uint32_t n;
};

bool trial_textures_make(struct trial_textures *all, struct smw_device *d,
                         const struct texture *t, uint32_t n, struct smw_err *e);
bool trial_textures_free(struct trial_textures *all, struct smw_device *d,
                         struct smw_err *e);

/* What number i holds now, rows one behind the other. */
bool trial_texture_read(const struct trial_textures *all, struct smw_device *d,
                        const struct texture *t, uint32_t i, uint8_t *data,
                        struct smw_err *e);

#endif /* RANDOM_TRIAL_TEXTURE_H */
