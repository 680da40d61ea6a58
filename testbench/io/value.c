#include "io/value.h"

#include "io/file.h"
#include "io/normal.h"
#include "io/npy.h"
#include "io/small_float.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- filling ---- */

uint64_t value_splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The low bytes of bits, little-endian whatever the host. */
static void put(unsigned char *at, uint64_t bits, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        at[i] = (unsigned char)(bits >> (8 * i));
    }
}

static uint64_t take(const unsigned char *at, uint32_t size)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < size; i++) {
        bits |= (uint64_t)at[i] << (8 * i);
    }
    return bits;
}

static uint64_t float_bits(enum value_type type, double v)
{
    uint64_t bits = 0;

    if (small_float_is(type)) {
        return small_float_bits(type, v);
    }
    if (type == VALUE_F32) {
        float f = (float)v;
        uint32_t b32;

        memcpy(&b32, &f, sizeof(f));
        return b32;
    }
    memcpy(&bits, &v, sizeof(v));
    return bits;
}

static uint64_t iota(const struct value_init *init, enum value_type type, uint64_t i)
{
    if (value_type_is_float(type)) {
        return float_bits(type, init->start_f + (double)i * init->step_f);
    }
    return init->start + i * init->step;
}

static uint64_t random_element(const struct value_init *init, enum value_type type,
                               uint64_t *state)
{
    uint64_t v = value_splitmix64(state) % init->modulo + init->offset;

    if (value_type_is_float(type)) {
        int64_t s;

        memcpy(&s, &v, sizeof(s));
        return float_bits(type, (double)s);
    }
    return v;
}

/* The next draw as a number from 0 to below 1: a multiple of 2^-53. */
static double draw(uint64_t *state)
{
    return ldexp((double)(value_splitmix64(state) >> 11), -53);
}

static uint64_t uniform_element(const struct value_init *init, enum value_type type,
                                uint64_t *state)
{
    return float_bits(type,
                      init->start_f + (init->step_f - init->start_f) * draw(state));
}

static uint64_t normal_element(const struct value_init *init, enum value_type type,
                               uint64_t *state)
{
    const double p = draw(state) + 0x1p-54; /* never 0 or 1 */

    return float_bits(type, init->start_f + init->step_f * normal_quantile(p));
}

static void fill_random_words(const struct value_init *init, unsigned char *out,
                              uint64_t bytes)
{
    uint64_t state = init->seed;

    for (uint64_t i = 0; i < bytes; i += 4) {
        uint32_t n = bytes - i < 4 ? (uint32_t)(bytes - i) : 4;

        put(out + i, value_splitmix64(&state) & init->mask, n);
    }
}

static bool refuse_file(const struct value_init *init, struct smw_err *inner,
                        struct smw_err *e)
{
    yaml_refuse(init->y, init->at->first, SMW_ERR_INPUT, e, "%s", inner->message);
    return false;
}

static bool is_npy(const char *path)
{
    size_t n = strlen(path);

    return n > 4 && strcmp(path + n - 4, ".npy") == 0;
}

static bool copy_npy(const struct value_init *init, enum value_type type, void *out,
                     uint64_t bytes, const char *data, size_t size,
                     struct smw_err *inner)
{
    struct npy npy;

    if (!npy_parse(data, size, init->path, &npy, inner)) {
        return false;
    }
    if (npy.type != npy_type(type)) {
        return err_set(inner, SMW_ERR_INPUT, "%s holds %s, the buffer is %s",
                       init->path, value_type_name(npy.type), value_type_name(type));
    }
    if (npy.count != bytes / value_type_size(type)) {
        return err_set(inner, SMW_ERR_INPUT,
                       "%s holds %" PRIu64 " elements, %" PRIu64 " are needed",
                       init->path, npy.count, bytes / value_type_size(type));
    }
    memcpy(out, npy.data, bytes);
    return true;
}

/* Of a file beyond the buffer's bytes: a header, or what is too much but not absurd. */
enum { MAX_EXTRA = 1 << 20 };

static bool fill_file(const struct value_init *init, enum value_type type, void *out,
                      uint64_t bytes, struct smw_err *e)
{
    char *path = file_relative(init->y->name, init->path);
    struct smw_err inner = {0};
    size_t size = 0;
    char *data = file_read(path, bytes + MAX_EXTRA, &size, SMW_ERR_INPUT, &inner);
    bool ok = data != NULL;

    if (ok && is_npy(path)) {
        ok = copy_npy(init, type, out, bytes, data, size, &inner);
    } else if (ok && size != bytes) {
        ok = err_set(&inner, SMW_ERR_INPUT, "%s has %zu bytes, %" PRIu64 " are needed",
                     init->path, size, bytes);
    } else if (ok) {
        memcpy(out, data, bytes);
    }
    free(data);
    free(path);
    return ok || refuse_file(init, &inner, e);
}

bool value_fill(const struct value_init *init, enum value_type type, void *out,
                uint64_t bytes, struct smw_err *e)
{
    uint32_t size = value_type_size(type);
    unsigned char *p = out;
    uint64_t state = init->seed, n = bytes / size;

    switch (init->form) {
    case FORM_ZERO: memset(out, 0, bytes); return true;
    case FORM_FILE: return fill_file(init, type, out, bytes, e);
    case FORM_RANDOM_MASK: fill_random_words(init, p, bytes); return true;
    case FORM_FILL:
        for (uint64_t i = 0; i < n; i++) {
            put(p + i * size, init->fill, size);
        }
        return true;
    case FORM_IOTA:
        for (uint64_t i = 0; i < n; i++) {
            put(p + i * size, iota(init, type, i), size);
        }
        return true;
    case FORM_RANDOM_MODULO:
        for (uint64_t i = 0; i < n; i++) {
            put(p + i * size, random_element(init, type, &state), size);
        }
        return true;
    case FORM_UNIFORM:
        for (uint64_t i = 0; i < n; i++) {
            put(p + i * size, uniform_element(init, type, &state), size);
        }
        return true;
    case FORM_NORMAL:
        for (uint64_t i = 0; i < n; i++) {
            put(p + i * size, normal_element(init, type, &state), size);
        }
        return true;
    }
    return true;
}

/* ---- looking at elements ---- */

uint64_t value_fnv1a(const void *data, uint64_t bytes)
{
    const unsigned char *p = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (uint64_t i = 0; i < bytes; i++) {
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Sign-extended to 64 bits. */
static int64_t as_signed(enum value_type type, uint64_t bits)
{
    uint32_t shift = 64 - value_type_size(type) * 8;
    uint64_t up = bits << shift;
    int64_t s;

    memcpy(&s, &up, sizeof(s));
    return s >> shift;
}

double value_as_f64(enum value_type type, const void *data, uint64_t i)
{
    const unsigned char *p = data;
    uint64_t bits = take(p + i * value_type_size(type), value_type_size(type));

    if (small_float_is(type)) {
        return small_float_value(type, bits);
    }
    if (type == VALUE_F32) {
        uint32_t b32 = (uint32_t)bits;
        float f;

        memcpy(&f, &b32, sizeof(f));
        return (double)f;
    }
    if (type == VALUE_F64) {
        double d;

        memcpy(&d, &bits, sizeof(d));
        return d;
    }
    return value_type_is_signed(type) ? (double)as_signed(type, bits) : (double)bits;
}

void value_print(enum value_type type, const void *data, uint64_t i, char *buf,
                 size_t size)
{
    const unsigned char *p = data;
    uint64_t bits = take(p + i * value_type_size(type), value_type_size(type));

    if (value_type_is_float(type)) {
        double v = value_as_f64(type, data, i);

        if (isnan(v)) {
            snprintf(buf, size, "nan");
            return;
        }
        for (int digits = small_float_is(type) && v != floor(v) ? 1 : 6; digits <= 17;
             digits++) {
            snprintf(buf, size, "%.*g", digits, v);
            if (small_float_is(type) ? small_float_bits(type, strtod(buf, NULL)) == bits
                : type == VALUE_F32  ? strtof(buf, NULL) == (float)v
                                     : strtod(buf, NULL) == v) {
                return;
            }
        }
    } else if (value_type_is_signed(type)) {
        snprintf(buf, size, "%" PRId64, as_signed(type, bits));
    } else {
        snprintf(buf, size, "%" PRIu64, bits);
    }
}
