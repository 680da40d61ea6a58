#include "run/textures.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

/* Rows of an array, in either direction, by way of the host: the buffer's lie row bytes
 * apart, the array's pitch. */
static bool copy_rows(struct host *h, const struct launch_texture *x,
                      const struct host_array *a, bool back, struct smw_err *e)
{
    const uint64_t rows = (uint64_t)(x->t.height == 0 ? 1 : x->t.height) *
                          (x->t.depth == 0 ? 1 : x->t.depth);
    const uint64_t bytes = (uint64_t)x->t.width * (x->t.bits / 8) * x->t.channels;
    const uint64_t buffer = h->address[x->buffer];
    unsigned char *const row = tb_alloc(bytes);
    bool ok = true;

    for (uint64_t i = 0; ok && i < rows; i++) {
        const uint64_t there = a->addr + i * a->pitch, here = buffer + i * x->row;

        ok = smw_read(h->device, back ? there : here, row, bytes, e) &&
             smw_write(h->device, back ? here : there, row, bytes, e);
    }
    free(row);
    return ok;
}

static bool same_array(const struct launch_texture *x, const struct launch_texture *y)
{
    return x->buffer == y->buffer && y->t.layout == SMW_ARRAY &&
           x->t.shape == y->t.shape && x->t.width == y->t.width &&
           x->t.height == y->t.height && x->t.depth == y->t.depth &&
           x->t.channels == y->t.channels && x->row == y->row;
}

/* The array of texture i: made, or that of one before it. */
static bool find_array(struct host *h, uint32_t i, struct smw_err *e)
{
    const struct launch_texture *const all = h->file->textures;
    struct host_array *const a = &h->arrays[i];

    for (uint32_t k = 0; k < i; k++) {
        if (same_array(&all[i], &all[k])) {
            *a = (struct host_array){.addr = h->arrays[k].addr,
                                     .pitch = h->arrays[k].pitch,
                                     .of = h->arrays[k].of};
            h->arrays[a->of].stored |= all[i].t.surface;
            return true;
        }
    }
    a->of = i;
    a->stored = all[i].t.surface;
    return smw_array(h->device, &all[i].t, &a->addr, &a->pitch, e) &&
           copy_rows(h, &all[i], a, false, e);
}

static bool place(struct host *h, uint32_t i, struct smw_err *e)
{
    const struct launch_texture *const x = &h->file->textures[i];
    struct smw_texture t = x->t;
    uint64_t object = 0;

    if (t.layout == SMW_ARRAY && !find_array(h, i, e)) {
        return host_at_node(h, x->at, e);
    }
    t.addr = t.layout == SMW_ARRAY ? h->arrays[i].addr : h->address[x->buffer];
    if (!smw_texture_new(h->device, &t, &object, e)) {
        return host_at_node(h, x->at, e);
    }
    h->address[h->file->n_buffers + i] = object;
    return x->symbol == NULL ||
           smw_write_symbol(h->module, x->symbol->text, 0, &object, sizeof(object),
                            e) ||
           host_at_node(h, x->symbol, e);
}

bool textures_place(struct host *h, struct smw_err *e)
{
    const uint32_t n = h->file->n_textures;

    h->arrays = tb_alloc((n + 1) * sizeof(*h->arrays));
    for (uint32_t i = 0; i < n; i++) {
        if (!place(h, i, e)) {
            return false;
        }
    }
    return true;
}

bool textures_copy_back(struct host *h, struct smw_err *e)
{
    for (uint32_t i = 0; i < h->file->n_textures; i++) {
        if (h->arrays[i].stored && h->arrays[i].of == i &&
            !copy_rows(h, &h->file->textures[i], &h->arrays[i], true, e)) {
            return false;
        }
    }
    return true;
}

bool textures_give_back(struct host *h, struct smw_err *e)
{
    for (uint32_t i = 0; i < h->file->n_textures; i++) {
        const struct host_array *const a = &h->arrays[i];

        if (!smw_texture_free(h->device, h->address[h->file->n_buffers + i], e) ||
            (a->addr != 0 && a->of == i && !smw_free(h->device, a->addr, e))) {
            return false;
        }
    }
    return true;
}
