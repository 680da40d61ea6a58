/* The key textures of a launch file. */
#include "run/launch_file.h"

#include "io/file.h"
#include "run/launch_keys.h"
#include <string.h>

const char *const launch_texture_kinds[LAUNCH_TEXTURE_KINDS] = {"texture", "surface"};
const char *const launch_texture_dims[LAUNCH_TEXTURE_DIMS] = {
    "1d", "2d", "3d", "1d_layered", "2d_layered", "cube", "cube_layered"};
const char *const launch_texture_layouts[LAUNCH_TEXTURE_LAYOUTS] = {"linear", "pitch",
                                                                    "array"};
const char *const launch_texture_filters[LAUNCH_TEXTURE_FILTERS] = {"point", "linear"};
const char *const launch_texture_modes[LAUNCH_TEXTURE_MODES] = {"wrap", "clamp",
                                                                "mirror", "border"};

/* Rows of a texture over pitch-linear memory begin at multiples of it, as
 * cudaDevAttrTexturePitchAlignment says. */
enum { ROW_STEP = 32 };

static bool refuse(const struct launch_file *l, const struct yaml_node *n,
                   struct smw_err *e, const char *why)
{
    return yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e, "%s: %s", n->key->text, why);
}

/* The word of a key, if it is there. */
static bool read_word(const struct launch_file *l, const struct yaml_node *map,
                      const char *key, const char *const *names, uint32_t n_names,
                      uint32_t *out, struct smw_err *e)
{
    const struct yaml_node *n = yaml_get(map, key);

    return n == NULL || value_read_choice(&l->yaml, n, key, names, n_names, out, e);
}

/* ---- texels ---- */

static bool read_texels(const struct launch_file *l, const struct yaml_node *n,
                        struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *const of = yaml_get(n, "buffer");
    const struct yaml_node *const channels = yaml_get(n, "channels");
    enum value_type type;

    if (!value_need(&l->yaml, of, YAML_SCALAR, "buffer", e)) {
        return false;
    }
    x->buffer = launch_find_buffer(l, of->text);
    if (x->buffer < 0) {
        return launch_unknown_buffer(l, of, e);
    }
    type = l->buffers[x->buffer].type;
    x->t.bits = 8 * value_type_size(type);
    x->t.kind = value_type_is_float(type)    ? SMW_FLOAT
                : value_type_is_signed(type) ? SMW_SIGNED
                                             : SMW_UNSIGNED;
    if (x->t.bits > 32 || type == VALUE_BF16 || type == VALUE_E4M3 ||
        type == VALUE_E5M2) {
        yaml_refuse(&l->yaml, of, SMW_ERR_INPUT, e, "buffer '%s' is of %s", of->text,
                    value_type_name(type));
        err_hint(e, "texels are of u8, s8, u16, s16, u32, s32, f16 or f32");
        return false;
    }
    x->t.channels = 1;
    if (channels != NULL &&
        !value_read_u32(&l->yaml, channels, "channels", 1, 4, &x->t.channels, e)) {
        return false;
    }
    return x->t.channels != 3 || refuse(l, channels, e, "a texel has 1, 2 or 4");
}

static uint32_t texel_of(const struct launch_texture *x)
{
    return x->t.bits / 8 * x->t.channels;
}

/* ---- size ---- */

static bool read_size(const struct launch_file *l, const struct yaml_node *n,
                      struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *const size = yaml_get(n, "size");
    uint32_t *const to[] = {&x->t.width, &x->t.height, &x->t.depth};
    const bool flat = x->t.shape == SMW_1D || x->t.shape == SMW_1D_LAYERED;
    uint32_t extent[3];

    if (size == NULL) {
        x->t.width = (uint32_t)(l->buffers[x->buffer].count / x->t.channels);
        if (x->t.shape == SMW_1D) {
            return true;
        }
        yaml_refuse(&l->yaml, n, SMW_ERR_INPUT, e, "texture '%s' needs its size",
                    x->name);
        err_hint(e, "size: [width, height], or [width, height, layers]");
        return false;
    }
    if (!launch_read_extent(&l->yaml, size, "size", extent, e)) {
        return false;
    }
    if (flat && extent[1] != 1 && extent[2] == 1) { /* [width, layers] */
        extent[2] = x->t.shape == SMW_1D_LAYERED ? extent[1] : 1;
        extent[1] = x->t.shape == SMW_1D_LAYERED ? 1 : extent[1];
    }
    for (uint32_t i = 0; i < 3; i++) {
        *to[i] = extent[i];
    }
    return true;
}

/* What a texture needs of its buffer must be there. */
static bool check_bytes(const struct launch_file *l, const struct yaml_node *n,
                        const struct launch_texture *x, struct smw_err *e)
{
    const struct launch_buffer *const b = &l->buffers[x->buffer];
    const uint64_t rows = (uint64_t)(x->t.height == 0 ? 1 : x->t.height) *
                          (x->t.depth == 0 ? 1 : x->t.depth);
    const uint64_t row = (uint64_t)x->t.width * texel_of(x);
    const uint64_t has = b->count * value_type_size(b->type);

    if (rows != 0 && (has < row || (rows - 1) > (has - row) / x->row)) {
        const struct yaml_node *const size = yaml_get(n, "size");

        return yaml_refuse(&l->yaml, size != NULL ? size : n, SMW_ERR_INPUT, e,
                           "texture '%s' needs more bytes than buffer '%s' has",
                           x->name, b->name);
    }
    return true;
}

static bool read_pitch(const struct launch_file *l, const struct yaml_node *n,
                       struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *const pitch = yaml_get(n, "pitch");
    const uint64_t row = (uint64_t)x->t.width * texel_of(x);

    x->row = row == 0 ? 1 : row;
    if (pitch != NULL) {
        if (x->t.layout == SMW_LINEAR) {
            return refuse(l, pitch, e, "linear memory has no rows");
        }
        if (!value_read_u64(&l->yaml, pitch, "pitch", x->row, UINT32_MAX, &x->row, e)) {
            return false;
        }
    }
    if (x->t.layout != SMW_PITCH) {
        return true;
    }
    if (x->row % ROW_STEP != 0) {
        yaml_refuse(&l->yaml, pitch != NULL ? pitch : n, SMW_ERR_INPUT, e,
                    "texture '%s' has rows of %llu bytes, which are no multiple of %d",
                    x->name, (unsigned long long)x->row, ROW_STEP);
        err_hint(e, "'layout: array' takes any, 'pitch' says where rows begin");
        return false;
    }
    x->t.pitch = x->row;
    return true;
}

/* ---- how it is read ---- */

static bool read_modes(const struct launch_file *l, const struct yaml_node *n,
                       struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *at = yaml_get(n, "address");
    uint32_t mode = SMW_CLAMP, i = 0;

    x->t.beyond[0] = x->t.beyond[1] = x->t.beyond[2] = SMW_CLAMP;
    if (at == NULL) {
        return true;
    }
    if (at->kind == YAML_LIST && (at->n == 0 || at->n > 3)) {
        return yaml_refuse(&l->yaml, at, SMW_ERR_INPUT, e,
                           "address takes a word, or one for each of x, y and z");
    }
    for (const struct yaml_node *m = at->kind == YAML_LIST ? at->first : at; i < 3;
         i++) {
        if (!value_read_choice(&l->yaml, m, "address", launch_texture_modes,
                               LAUNCH_TEXTURE_MODES, &mode, e)) {
            return false;
        }
        x->t.beyond[i] = (enum smw_beyond)mode;
        m = at->kind == YAML_LIST && m->next != NULL ? m->next : m;
    }
    return true;
}

static bool read_border(const struct launch_file *l, const struct yaml_node *n,
                        struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *const border = yaml_get(n, "border");
    uint32_t i = 0;

    if (border == NULL) {
        return true;
    }
    if (!value_need(&l->yaml, border, YAML_LIST, "border", e)) {
        return false;
    }
    if (border->n > 4) {
        return refuse(l, border, e, "a colour has at most 4 numbers");
    }
    for (const struct yaml_node *c = border->first; c != NULL; c = c->next) {
        double v = 0;

        if (!value_read_f64(&l->yaml, c, "border", &v, e)) {
            return false;
        }
        x->t.border[i++] = (float)v;
    }
    return true;
}

static bool read_flags(const struct launch_file *l, const struct yaml_node *n,
                       struct launch_texture *x, struct smw_err *e)
{
    const struct yaml_node *const normalised = yaml_get(n, "normalised");
    const struct yaml_node *const as_float = yaml_get(n, "as_float");
    uint32_t filter = 0;

    if (!read_word(l, n, "filter", launch_texture_filters, LAUNCH_TEXTURE_FILTERS,
                   &filter, e) ||
        (normalised != NULL &&
         !value_read_bool(&l->yaml, normalised, "normalised", &x->t.normalised, e)) ||
        (as_float != NULL &&
         !value_read_bool(&l->yaml, as_float, "as_float", &x->t.as_float, e))) {
        return false;
    }
    x->t.linear = filter != 0;
    if (x->t.layout == SMW_LINEAR && (x->t.linear || x->t.normalised)) {
        refuse(l, yaml_get(n, x->t.linear ? "filter" : "normalised"), e,
               "linear memory is fetched by number");
        err_hint(e, "'layout: array' makes it a texture that can");
        return false;
    }
    return true;
}

/* Keys that say how a texture is read say nothing of a surface. */
static bool check_surface(const struct launch_file *l, const struct yaml_node *n,
                          const struct launch_texture *x, struct smw_err *e)
{
    static const char *const keys[] = {"filter", "address", "normalised", "as_float",
                                       "border"};

    for (uint32_t i = 0; x->t.surface && i < ARRAY_LEN(keys); i++) {
        const struct yaml_node *const said = yaml_get(n, keys[i]);

        if (said != NULL) {
            return refuse(l, said, e, "a surface is read and written by bytes");
        }
    }
    return true;
}

/* ---- the whole ---- */

int32_t launch_find_texture(const struct launch_file *l, const char *name)
{
    for (uint32_t i = 0; i < l->n_textures; i++) {
        if (strcmp(l->textures[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static bool check_names(const struct launch_file *l, const struct yaml_node *n,
                        struct launch_texture *x, struct smw_err *e)
{
    if (!launch_check_name(l, n->key, "a texture", e)) {
        return false;
    }
    if (launch_find_buffer(l, x->name) >= 0) {
        return yaml_refuse(&l->yaml, n->key, SMW_ERR_INPUT, e,
                           "'%s' is a buffer's name", x->name);
    }
    x->symbol = yaml_get(n, "symbol");
    return x->symbol == NULL ||
           value_need(&l->yaml, x->symbol, YAML_SCALAR, "symbol", e);
}

static bool read_texture(const struct launch_file *l, const struct yaml_node *n,
                         struct launch_texture *x, struct smw_err *e)
{
    uint32_t kind = 0, dims = SMW_2D - SMW_1D, layout = SMW_LINEAR;

    x->name = n->key->text;
    x->at = n;
    if (!launch_check_map(&l->yaml, n, LAUNCH_TEXTURE, e) || !check_names(l, n, x, e) ||
        !read_word(l, n, "kind", launch_texture_kinds, LAUNCH_TEXTURE_KINDS, &kind,
                   e) ||
        !read_word(l, n, "dims", launch_texture_dims, LAUNCH_TEXTURE_DIMS, &dims, e)) {
        return false;
    }
    x->t.surface = kind != 0;
    x->t.shape = (enum smw_shape)(SMW_1D + dims);
    layout = x->t.shape == SMW_1D   ? SMW_LINEAR
             : x->t.shape == SMW_2D ? SMW_PITCH
                                    : SMW_ARRAY;
    if (!read_word(l, n, "layout", launch_texture_layouts, LAUNCH_TEXTURE_LAYOUTS,
                   &layout, e)) {
        return false;
    }
    x->t.layout = (enum smw_layout)layout;
    return read_texels(l, n, x, e) && read_size(l, n, x, e) && read_pitch(l, n, x, e) &&
           check_bytes(l, n, x, e) && check_surface(l, n, x, e) &&
           read_flags(l, n, x, e) && read_modes(l, n, x, e) && read_border(l, n, x, e);
}

bool launch_read_textures(struct launch_file *l, const struct yaml_node *n,
                          struct smw_err *e)
{
    if (!value_need(&l->yaml, n, YAML_MAP, "textures", e)) {
        return false;
    }
    l->textures = tb_alloc(n->n * sizeof(*l->textures));
    for (const struct yaml_node *t = n->first; t != NULL; t = t->next) {
        if (!read_texture(l, t, &l->textures[l->n_textures], e)) {
            return false;
        }
        l->n_textures++;
    }
    return true;
}
