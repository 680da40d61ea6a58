/* From bytes of texels to results: SPEC TEX-3. */
#include "mem/tex.h"

#include <string.h>

/* Every value of an f16 is one of an f32. */
static uint32_t f16_to_f32(uint32_t h)
{
    const uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, m = h & 0x3ffu;

    if (exponent == 31) {
        return sign | 0x7f800000u | m << 13;
    }
    if (exponent == 0) {
        return sign | bits_of_f32((float)m * 5.9604644775390625e-8f); /* 2^-24 */
    }
    return sign | (exponent + 112) << 23 | m << 13;
}

static uint32_t normalised(const struct tex_desc *d, uint32_t v)
{
    const uint32_t largest = d->bits == 8 ? 255 : 65535;
    const uint32_t largest_signed = largest / 2;
    float f;

    if (d->kind == TEX_UNSIGNED) {
        return bits_of_f32((float)v / (float)largest);
    }
    f = (float)(int32_t)v / (float)largest_signed;
    return bits_of_f32(f < -1.0f ? -1.0f : f);
}

uint32_t tex_component(const struct tex_desc *d, const uint32_t raw[4], uint32_t k,
                       bool as_number)
{
    uint32_t v;

    if (k >= d->channels) {
        return 0;
    }
    switch (d->bits) {
    case 8: v = raw[0] >> 8 * k & 0xff; break;
    case 16: v = raw[k / 2] >> k % 2 * 16 & 0xffff; break;
    default: return raw[k];
    }
    if (d->kind == TEX_FLOAT) {
        return f16_to_f32(v);
    }
    if (d->kind == TEX_SIGNED) {
        v = (uint32_t)((int32_t)(v << (32 - d->bits)) >> (32 - d->bits));
    }
    return as_number ? normalised(d, v) : v;
}

void tex_take(struct tex_work *w, uint32_t k, uint32_t lane, const uint8_t *p)
{
    uint32_t word[4] = {0, 0, 0, 0};

    memcpy(word, p, w->desc->texel);
    for (uint32_t i = 0; i < 4; i++) {
        w->raw[k][i][lane] = word[i];
    }
}

/* f as an integer of the format, halves towards 0. */
static int32_t quantised(const struct tex_desc *d, float f)
{
    const float top = (float)((1u << (d->bits - (d->kind == TEX_SIGNED))) - 1);
    const float low = d->kind == TEX_SIGNED ? -1.0f : 0.0f;
    const float v = (f < low ? low : f > 1.0f ? 1.0f : f) * top; /* a NaN is 0 below */
    int32_t i = v != v ? 0 : (int32_t)v;

    if (v - (float)i > 0.5f) {
        i++;
    } else if (v - (float)i < -0.5f) {
        i--;
    }
    return i;
}

/* The border's colour, in the channels that there are. Integers of 8 and 16 bits take
 * the low bits of it; what is read as float is a number of the format first. */
static uint32_t border(const struct tex_desc *d, uint32_t component)
{
    const uint32_t bits = bits_of_f32(d->border[component]);

    if (component >= d->channels) {
        return 0;
    }
    if (d->as_float) {
        return normalised(d, (uint32_t)quantised(d, d->border[component]));
    }
    return d->kind == TEX_FLOAT || d->bits == 32 ? bits : bits & ((1u << d->bits) - 1);
}

/* The integer of tap k; unsigned ones of 8 bits are repeated to be of 16. */
static int32_t sixteen(const struct tex_work *w, uint32_t k, uint32_t component,
                       uint32_t lane)
{
    const struct tex_desc *d = w->desc;
    const uint32_t raw[4] = {w->raw[k][0][lane], w->raw[k][1][lane], w->raw[k][2][lane],
                             w->raw[k][3][lane]};
    const int32_t v = w->addr[k][lane] == 0
                          ? quantised(d, d->border[component])
                          : (int32_t)tex_component(d, raw, component, false);

    if (d->kind == TEX_SIGNED) {
        const int32_t least = d->bits == 8 ? -127 : -32767;

        return v < least ? least : v;
    }
    return d->bits == 8 ? v * 257 : v;
}

static uint32_t normalised_16(const struct tex_desc *d, int32_t v)
{
    return bits_of_f32((float)v / (d->kind == TEX_SIGNED ? 32767.0f : 65535.0f));
}

static uint32_t tap(const struct tex_work *w, uint32_t k, uint32_t component,
                    uint32_t lane)
{
    const struct tex_desc *d = w->desc;
    const uint32_t raw[4] = {w->raw[k][0][lane], w->raw[k][1][lane], w->raw[k][2][lane],
                             w->raw[k][3][lane]};

    if (w->addr[k][lane] == 0) {
        return w->by_number ? 0 : border(d, component);
    }
    return tex_component(d, raw, component, d->as_float);
}

/* ---- the mean of texels ---- */

enum { FRACTION = 8 }; /* bits of a weight */

/* Weights of the texels around, in 1/256: SPEC TEX-3. */
static void weigh(const struct tex_work *w, uint32_t lane, int32_t weight[TEX_TAPS])
{
    const int32_t x = w->weight[0][lane];
    const int32_t y = w->n > 2 ? w->weight[1][lane] : 0;
    const int32_t z = w->n > 4 ? w->weight[2][lane] : 0;
    const int32_t one = 1 << FRACTION, half = one / 2;
    const int32_t xz = (x * z + half) >> FRACTION;
    const int32_t plane[4] = {one - x - z + xz, x - xz, z - xz, xz}; /* by x, then z */

    for (uint32_t k = 0; k < 4; k++) {
        const int32_t up = (plane[k] * y + half - (k + 1) % 2) >> FRACTION;

        weight[(k & 1) + (k & 2) * 2] = plane[k] - up;
        weight[(k & 1) + (k & 2) * 2 + 2] = up;
    }
}

/* v, whose unit is 2^exponent, as the bits of an f32 of so many bits, to nearest. */
static uint32_t rounded(int64_t v, int32_t exponent, uint32_t bits)
{
    const uint64_t size = (uint64_t)(v < 0 ? -v : v);
    const uint32_t length = size == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(size);
    uint64_t kept = size, at = 0;
    double d, scale;

    if (length > bits) {
        const uint32_t drop = length - bits;
        const uint64_t rest = size & ((1ull << drop) - 1), middle = 1ull << (drop - 1);

        kept = size >> drop;
        kept += rest >= middle;
        exponent += (int32_t)drop;
    }
    d = (double)(v < 0 ? -(int64_t)kept : (int64_t)kept);
    at = (uint64_t)(1023 + exponent) << 52; /* 2^exponent */
    memcpy(&scale, &at, sizeof(scale));
    return bits_of_f32((float)(d * scale));
}

/* Infinities and NaNs are among the texels. */
static uint32_t mean_of_infinite(const uint32_t *t, const int32_t *weight, uint32_t n,
                                 uint32_t bits)
{
    bool up = false, down = false, nan = false;

    for (uint32_t k = 0; k < n; k++) {
        const bool far = weight[k] != 0 && (t[k] & 0x7f800000u) == 0x7f800000u;

        nan |= far && (t[k] & 0x7fffffu) != 0;
        up |= far && t[k] >> 31 == 0;
        down |= far && t[k] >> 31 != 0;
    }
    if (nan || (up && down)) {
        return bits == 24 ? 0x7fffffffu : 0x7fffe000u;
    }
    return up ? 0x7f800000u : 0xff800000u;
}

/* Floats: cut off so many bits below the largest, then exact, then rounded. */
static uint32_t mean_of_floats(const struct tex_work *w, uint32_t component,
                               uint32_t lane)
{
    const uint32_t bits = w->desc->bits == 16 ? 11 : 24;
    const int32_t keep = (int32_t)bits + 3;
    int32_t weight[TEX_TAPS], top = INT32_MIN;
    uint32_t t[TEX_TAPS];
    int64_t sum = 0;

    weigh(w, lane, weight);
    for (uint32_t k = 0; k < w->n; k++) {
        t[k] = tap(w, k, component, lane);
        if (weight[k] != 0 && (t[k] & 0x7fffffffu) != 0) {
            const int32_t e = (int32_t)(t[k] >> 23 & 255);

            top = e > top ? e : top;
        }
    }
    if (top == INT32_MIN) {
        return 0;
    }
    if (top == 255) {
        return mean_of_infinite(t, weight, w->n, bits);
    }
    for (uint32_t k = 0; k < w->n; k++) {
        const int32_t e = (int32_t)(t[k] >> 23 & 255);
        const uint32_t down = (uint32_t)(top - (e == 0 ? 1 : e));
        int64_t m = (int64_t)((t[k] & 0x7fffffu) | (e != 0 ? 0x800000u : 0));

        if (weight[k] == 0) {
            continue;
        }
        m = m << 4; /* 27 bits behind the first */
        m = down > 40 ? 0 : m >> (down + (uint32_t)(27 - keep));
        sum += (t[k] >> 31 != 0 ? -m : m) * weight[k];
    }
    return rounded(sum, top - 127 - keep - FRACTION, bits);
}

/* Integers that are read as floats: 16 bits of each, the mean rounded to 16 bits. */
static uint32_t mean_of_integers(const struct tex_work *w, uint32_t component,
                                 uint32_t lane)
{
    const struct tex_desc *d = w->desc;
    int32_t weight[TEX_TAPS];
    int64_t sum = 0;

    weigh(w, lane, weight);
    for (uint32_t k = 0; k < w->n; k++) {
        sum += (int64_t)sixteen(w, k, component, lane) * weight[k];
    }
    if (d->bits == 8 && d->kind == TEX_SIGNED) { /* of 8 bits so far */
        const int64_t unit = 127 << FRACTION, twice = 2 * 32767 * sum + unit;

        sum = twice >= 0 ? twice / (2 * unit) : -((-twice + 2 * unit - 1) / (2 * unit));
        return normalised_16(d, (int32_t)sum);
    }
    sum = (sum + (1 << (FRACTION - 1))) >> FRACTION;
    return normalised_16(d, (int32_t)sum);
}

static uint32_t mean(const struct tex_work *w, uint32_t component, uint32_t lane)
{
    if (component >= w->desc->channels) {
        return 0;
    }
    return w->desc->kind == TEX_FLOAT ? mean_of_floats(w, component, lane)
                                      : mean_of_integers(w, component, lane);
}

void tex_finish(const struct tex_work *w, uint32_t d[4][ISA_LANES])
{
    for (uint32_t m = w->mask; m != 0; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);

        for (uint32_t i = 0; i < 4; i++) {
            d[i][lane] = w->gather != 0 ? tap(w, i, w->gather - 1u, lane)
                         : w->n > 1     ? mean(w, i, lane)
                                        : tap(w, 0, i, lane);
        }
    }
}
