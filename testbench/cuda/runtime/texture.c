/*
 * Texture and surface objects: what the program describes becomes a texture of the
 * model. CUDA Runtime API, "Texture Object Management", "Surface Object Management".
 */
#include "runtime/array.h"
#include "runtime/memory.h"
#include <stdlib.h>
#include <string.h>

struct rt_texture {
    struct rt_texture *next;
    uint64_t object;
    uint32_t device;
    bool surface;
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    struct cudaResourceViewDesc view;
};

/* Where the pointer to the object of the current device stands; it is NULL if there is
 * no such object. */
static struct rt_texture **find(uint64_t object, bool surface)
{
    const uint32_t device = (uint32_t)rt_thread()->device;
    struct rt_texture **at = &rt_process()->textures;

    while (*at != NULL && ((*at)->object != object || (*at)->device != device ||
                           (*at)->surface != surface)) {
        at = &(*at)->next;
    }
    return at;
}

void rt_textures_forget(uint32_t i)
{
    struct rt_texture **at = &rt_process()->textures;

    while (*at != NULL) {
        struct rt_texture *t = *at;

        if (t->device == i) {
            *at = t->next;
            free(t);
        } else {
            at = &t->next;
        }
    }
}

/* ---- what it is made of ---- */

static cudaError_t of_array(const struct cudaResourceDesc *r, struct smw_texture *t)
{
    const struct cudaArray *a = rt_array(r->res.array.array);

    if (a == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    *t = rt_array_texture(a);
    return cudaSuccess;
}

static cudaError_t of_linear(const struct cudaResourceDesc *r, struct smw_texture *t)
{
    const uint64_t bytes = r->res.linear.sizeInBytes;
    uint64_t texels;

    t->shape = SMW_1D;
    t->layout = SMW_LINEAR;
    t->addr = (uint64_t)(uintptr_t)r->res.linear.devPtr;
    if (!rt_channels(&r->res.linear.desc, t)) {
        return cudaErrorInvalidChannelDescriptor;
    }
    texels = bytes / (t->bits / 8 * t->channels);
    if (t->addr == 0 || texels == 0 || texels > (1u << 28)) {
        return cudaErrorInvalidValue;
    }
    t->width = (uint32_t)texels;
    return cudaSuccess;
}

static cudaError_t of_pitch(const struct cudaResourceDesc *r, struct smw_texture *t)
{
    enum { STEP = 32 }; /* texturePitchAlignment */

    t->shape = SMW_2D;
    t->layout = SMW_PITCH;
    t->addr = (uint64_t)(uintptr_t)r->res.pitch2D.devPtr;
    t->pitch = r->res.pitch2D.pitchInBytes;
    if (!rt_channels(&r->res.pitch2D.desc, t)) {
        return cudaErrorInvalidChannelDescriptor;
    }
    if (t->addr == 0 || r->res.pitch2D.width == 0 || r->res.pitch2D.height == 0 ||
        r->res.pitch2D.width > (1u << 28) || r->res.pitch2D.height > (1u << 28) ||
        t->pitch % STEP != 0) {
        return cudaErrorInvalidValue;
    }
    t->width = (uint32_t)r->res.pitch2D.width;
    t->height = (uint32_t)r->res.pitch2D.height;
    return cudaSuccess;
}

static cudaError_t of_resource(const struct cudaResourceDesc *r, struct smw_texture *t)
{
    enum { ALIGNMENT = 512 }; /* textureAlignment */
    cudaError_t rc;

    *t = (struct smw_texture){.shape = SMW_1D};
    switch (r->resType) {
    case cudaResourceTypeArray: return of_array(r, t);
    case cudaResourceTypeLinear: rc = of_linear(r, t); break;
    case cudaResourceTypePitch2D: rc = of_pitch(r, t); break;
    case cudaResourceTypeMipmappedArray: return cudaErrorNotSupported;
    default: return cudaErrorInvalidValue;
    }
    return rc == cudaSuccess && t->addr % ALIGNMENT != 0 ? cudaErrorInvalidValue : rc;
}

/* ---- how it is read ---- */

static cudaError_t read_as(const struct cudaTextureDesc *d, struct smw_texture *t)
{
    t->linear = d->filterMode == cudaFilterModeLinear;
    t->normalised = d->normalizedCoords != 0;
    t->as_float = d->readMode == cudaReadModeNormalizedFloat && t->kind != SMW_FLOAT;
    if (t->as_float && t->bits == 32) {
        return cudaErrorInvalidNormSetting;
    }
    if (t->linear && t->kind != SMW_FLOAT && !t->as_float) {
        return cudaErrorInvalidFilterSetting;
    }
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] > cudaAddressModeBorder) {
            return cudaErrorInvalidValue;
        }
        t->beyond[i] = (enum smw_beyond)d->addressMode[i];
    }
    memcpy(t->border, d->borderColor, sizeof(t->border));
    return (unsigned)d->filterMode > cudaFilterModeLinear ||
                   (unsigned)d->readMode > cudaReadModeNormalizedFloat
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

/* A view may say what is so anyway. */
static cudaError_t check_view(const struct cudaResourceViewDesc *v)
{
    return v == NULL || v->format == cudaResViewFormatNone ? cudaSuccess
                                                           : cudaErrorNotSupported;
}

/* ---- objects ---- */

static cudaError_t make(struct rt_device *d, const struct smw_texture *t,
                        const struct rt_texture *like, unsigned long long *object)
{
    struct rt_texture *own = malloc(sizeof(*own));
    struct smw_err e = {0};

    if (own == NULL) {
        return cudaErrorMemoryAllocation;
    }
    *own = *like;
    if (!smw_texture_new(d->dev, t, &own->object, &e)) {
        free(own);
        return e.code == SMW_CODE_INVALID_ADDRESS ? cudaErrorInvalidValue
                                                  : rt_ran(d, false, &e, "a texture");
    }
    own->next = rt_process()->textures;
    rt_process()->textures = own;
    *object = own->object;
    return cudaSuccess;
}

static cudaError_t create_texture(cudaTextureObject_t *object,
                                  const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *texture,
                                  const struct cudaResourceViewDesc *view)
{
    struct rt_texture like = {.device = (uint32_t)rt_thread()->device};
    struct rt_device *d;
    struct smw_texture t;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (object == NULL || resource == NULL || texture == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = of_resource(resource, &t);
    if (rc == cudaSuccess) {
        rc = read_as(texture, &t);
    }
    if (rc == cudaSuccess) {
        rc = check_view(view);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    like.resource = *resource;
    like.texture = *texture;
    if (view != NULL) {
        like.view = *view;
    }
    return make(d, &t, &like, object);
}

static cudaError_t create_surface(cudaSurfaceObject_t *object,
                                  const struct cudaResourceDesc *resource)
{
    struct rt_texture like = {.device = (uint32_t)rt_thread()->device, .surface = true};
    const struct cudaArray *a;
    struct rt_device *d;
    struct smw_texture t;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (object == NULL || resource == NULL ||
        resource->resType != cudaResourceTypeArray) {
        return cudaErrorInvalidValue;
    }
    rc = of_array(resource, &t);
    if (rc != cudaSuccess) {
        return rc;
    }
    a = rt_array(resource->res.array.array);
    if ((a->flags & cudaArraySurfaceLoadStore) == 0) {
        return cudaErrorInvalidValue;
    }
    t.surface = true;
    like.resource = *resource;
    return make(d, &t, &like, object);
}

static cudaError_t destroy(uint64_t object, bool surface)
{
    struct rt_texture **at = find(object, surface), *t = *at;
    struct smw_err e = {0};
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess || object == 0) {
        return rc;
    }
    if (t == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_ran(d, smw_texture_free(d->dev, object, &e), &e, "a texture");
    if (rc == cudaSuccess) {
        *at = t->next;
        free(t);
    }
    return rc;
}

/* What one of the calls below asks of an object. */
static cudaError_t get(uint64_t object, bool surface, void *out, size_t offset,
                       size_t bytes)
{
    const struct rt_texture *t = *find(object, surface);

    if (out == NULL || t == NULL) {
        return cudaErrorInvalidValue;
    }
    memcpy(out, (const char *)t + offset, bytes);
    return cudaSuccess;
}

#define GET(object, surface, out, field)                                               \
    RT_CALL(get(object, surface, out, offsetof(struct rt_texture, field),              \
                sizeof(((struct rt_texture *)0)->field)))

/* ---- calls ---- */

RT_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                           const struct cudaResourceDesc *resource,
                                           const struct cudaTextureDesc *texture,
                                           const struct cudaResourceViewDesc *view)
{
    return RT_CALL(create_texture(object, resource, texture, view));
}

RT_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    return RT_CALL(destroy(object, false));
}

RT_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                    cudaTextureObject_t object)
{
    return GET(object, false, resource, resource);
}

RT_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                                   cudaTextureObject_t object)
{
    return GET(object, false, texture, texture);
}

RT_API cudaError_t cudaGetTextureObjectResourceViewDesc(
    struct cudaResourceViewDesc *view, cudaTextureObject_t object)
{
    return GET(object, false, view, view);
}

RT_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                           const struct cudaResourceDesc *resource)
{
    return RT_CALL(create_surface(object, resource));
}

RT_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    return RT_CALL(destroy(object, true));
}

RT_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                                    cudaSurfaceObject_t object)
{
    return GET(object, true, resource, resource);
}
