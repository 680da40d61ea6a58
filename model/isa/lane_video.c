#include "isa/video.h"

#include "isa/lane.h"

/* ---- the number that says all ---- */

struct packer {
    uint64_t bits;
    uint32_t at;
};

static void put(struct packer *p, uint32_t n, uint64_t value)
{
    p->bits |= value << p->at;
    p->at += n;
}

static uint32_t take(struct packer *p, uint32_t n)
{
    const uint32_t v = (uint32_t)(p->bits & ((UINT64_C(1) << n) - 1));

    p->bits >>= n;
    return v;
}

/* Lists of a single value's instruction hold its parts. */
int64_t isa_video_pack(const struct isa_video *v)
{
    struct packer p = {0, 0};
    int64_t imm;

    put(&p, 4, v->op);
    put(&p, 3, v->n);
    put(&p, 2, v->second);
    put(&p, 3, (uint64_t)(v->cmp == ISA_C_NONE ? 0 : v->cmp - ISA_C_EQ));
    put(&p, 1, v->signed_d);
    put(&p, 1, v->signed_a);
    put(&p, 1, v->signed_b);
    put(&p, 1, v->sat);
    put(&p, 1, v->clamp);
    put(&p, 1, v->plus_one);
    put(&p, 1, v->relu);
    put(&p, 1, v->neg_a);
    put(&p, 1, v->neg_b);
    put(&p, 1, v->neg_c);
    put(&p, 4, v->shift);
    put(&p, 3, v->d);
    put(&p, 4, v->mask);
    for (uint32_t i = 0; i < 4; i++) { /* 3 bits tell 8 values apart */
        put(&p, 3, v->n == 1 ? v->a : v->list_a >> (4 * i) & 7);
        put(&p, 3, v->n == 1 ? v->b : v->list_b >> (4 * i) & 7);
    }
    memcpy(&imm, &p.bits, sizeof(imm));
    return imm;
}

struct isa_video isa_video_unpack(int64_t imm)
{
    struct isa_video v = {0};
    struct packer p = {0, 0};

    memcpy(&p.bits, &imm, sizeof(imm));
    v.op = (uint8_t)take(&p, 4);
    v.n = (uint8_t)take(&p, 3);
    v.second = (uint8_t)take(&p, 2);
    v.cmp = (uint8_t)(ISA_C_EQ + take(&p, 3));
    v.signed_d = take(&p, 1);
    v.signed_a = take(&p, 1);
    v.signed_b = take(&p, 1);
    v.sat = take(&p, 1);
    v.clamp = take(&p, 1);
    v.plus_one = take(&p, 1);
    v.relu = take(&p, 1);
    v.neg_a = take(&p, 1);
    v.neg_b = take(&p, 1);
    v.neg_c = take(&p, 1);
    v.shift = (uint8_t)take(&p, 4);
    v.d = (uint8_t)take(&p, 3);
    v.mask = (uint8_t)take(&p, 4);
    for (uint32_t i = 0; i < 4; i++) {
        v.list_a |= (uint16_t)(take(&p, 3) << 4 * i);
        v.list_b |= (uint16_t)(take(&p, 3) << 4 * i);
    }
    v.a = (uint8_t)(v.list_a & 7);
    v.b = (uint8_t)(v.list_b & 7);
    return v;
}

/* ---- numbers ---- */

/* The lowest bits of v as a number. */
static int64_t number(uint32_t v, uint32_t bits, bool is_signed)
{
    const uint32_t low = v & (UINT32_MAX >> (32 - bits));

    return is_signed ? (int64_t)(int32_t)(low << (32 - bits)) >> (32 - bits)
                     : (int64_t)low;
}

static uint32_t bits_of(uint32_t part)
{
    return part == ISA_VIDEO_WORD ? 32 : part < ISA_VIDEO_H0 ? 8 : 16;
}

static uint32_t place_of(uint32_t part)
{
    return part == ISA_VIDEO_WORD ? 0
           : part < ISA_VIDEO_H0  ? 8 * (part - ISA_VIDEO_B0)
                                  : 16 * (part - ISA_VIDEO_H0);
}

static int64_t clamp(int64_t v, uint32_t bits, bool is_signed)
{
    const int64_t most = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
    const int64_t least = is_signed ? -most - 1 : 0;

    return v > most ? most : v < least ? least : v;
}

static bool compare(uint32_t cmp, int64_t a, int64_t b)
{
    switch ((enum isa_cmp)cmp) {
    case ISA_C_EQ: return a == b;
    case ISA_C_NE: return a != b;
    case ISA_C_LT: return a < b;
    case ISA_C_LE: return a <= b;
    case ISA_C_GT: return a > b;
    default: return a >= b;
    }
}

/* a times 2 to the power of up to 32; beyond 2^62 only its sign counts. */
static int64_t shift_left(const struct isa_video *v, int64_t a, uint32_t by)
{
    if (by < 31) {
        return a * ((int64_t)1 << by);
    }
    if (!v->sat) {
        return by == 31 ? (int64_t)((uint64_t)(a & 1) << 31) : 0;
    }
    return a > 1 ? INT64_MAX : a < -1 ? INT64_MIN : a * ((int64_t)1 << by);
}

static int64_t shift(const struct isa_video *v, int64_t a, uint32_t b)
{
    const uint32_t by = v->clamp ? (b > 32 ? 32 : b) : b & 31;

    return v->op == ISA_VIDEO_SHL ? shift_left(v, a, by) : a >> by;
}

static int64_t one_value(const struct isa_video *v, int64_t a, int64_t b)
{
    switch ((enum isa_video_op)v->op) {
    case ISA_VIDEO_ADD: return a + b;
    case ISA_VIDEO_SUB: return a - b;
    case ISA_VIDEO_ABSDIFF: return a > b ? a - b : b - a;
    case ISA_VIDEO_MIN: return a < b ? a : b;
    case ISA_VIDEO_MAX: return a > b ? a : b;
    case ISA_VIDEO_SHL:
    case ISA_VIDEO_SHR: return shift(v, a, (uint32_t)b);
    case ISA_VIDEO_SET: return compare(v->cmp, a, b);
    case ISA_VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1;
    case ISA_VIDEO_MAD: break;
    }
    return 0;
}

/* ---- vmad: a product and a sum of up to 66 bits ---- */

struct wide {
    uint64_t low;
    int64_t high;
};

static struct wide add_wide(struct wide x, int64_t y)
{
    const uint64_t low = x.low + (uint64_t)y;

    x.high += (y < 0 ? -1 : 0) + (low < x.low);
    x.low = low;
    return x;
}

static struct wide product(int64_t a, int64_t b, bool negative)
{
    const bool down = (a < 0) != (b < 0);
    const uint64_t p =
        (uint64_t)(a < 0 ? -a : a) * (uint64_t)(b < 0 ? -b : b); /* below 2^64 */
    struct wide w = {p, 0};

    if (down != negative && p != 0) {
        w.low = 0 - p;
        w.high = -1;
    }
    return w;
}

static uint32_t multiply_add(const struct isa_video *v, uint32_t a, uint32_t b,
                             uint32_t c)
{
    const bool down = v->neg_a != v->neg_b;
    const bool is_signed = v->signed_a || v->signed_b || down || v->neg_c;
    const int64_t addend = number(c, 32, is_signed);
    struct wide w =
        product(number(a >> place_of(v->a), bits_of(v->a), v->signed_a),
                number(b >> place_of(v->b), bits_of(v->b), v->signed_b), down);
    bool above, below;

    w = add_wide(w, v->neg_c ? -addend : addend);
    w = add_wide(w, v->plus_one);
    if (v->shift != 0) {
        w.low = w.low >> v->shift | (uint64_t)w.high << (64 - v->shift);
        w.high >>= v->shift;
    }
    if (!v->sat) {
        return (uint32_t)w.low;
    }
    below = is_signed
                ? w.high < -1 || (w.high == -1 && w.low < UINT64_C(0) - 0x80000000)
                : w.high < 0;
    above = w.high > 0 || (w.high == 0 && w.low > (is_signed ? INT32_MAX : UINT32_MAX));
    if (above || below) {
        return is_signed ? (above ? INT32_MAX : 0x80000000) : above ? UINT32_MAX : 0;
    }
    return (uint32_t)w.low;
}

/* ---- one value of each operand ---- */

static uint32_t second(const struct isa_video *v, int64_t t, uint32_t c)
{
    const bool is_signed = v->signed_d;
    const int64_t x = number((uint32_t)t, 32, is_signed), y = number(c, 32, is_signed);

    switch ((enum isa_video_second)v->second) {
    case ISA_VIDEO_NONE: break;
    case ISA_VIDEO_SUM: return (uint32_t)t + c;
    case ISA_VIDEO_LEAST: return (uint32_t)(x < y ? x : y);
    case ISA_VIDEO_MOST: return (uint32_t)(x > y ? x : y);
    }
    return (uint32_t)t;
}

static uint32_t merge(uint32_t part, uint32_t t, uint32_t c)
{
    const uint32_t field = UINT32_MAX >> (32 - bits_of(part)) << place_of(part);

    return (t << place_of(part) & field) | (c & ~field);
}

static uint32_t scalar(const struct isa_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    int64_t t;

    if (v->op == ISA_VIDEO_MAD) {
        return multiply_add(v, a, b, c);
    }
    t = one_value(v, number(a >> place_of(v->a), bits_of(v->a), v->signed_a),
                  number(b >> place_of(v->b), bits_of(v->b), v->signed_b));
    if (v->sat) {
        t = clamp(t, bits_of(v->d), v->signed_d);
    }
    if (v->relu) {
        t = t < 0 ? 0 : t;
    }
    return v->d != ISA_VIDEO_WORD ? merge(v->d, (uint32_t)t, c) : second(v, t, c);
}

/* ---- two or four side by side ---- */

static int64_t listed(const struct isa_video *v, uint32_t from, uint32_t a, uint32_t b,
                      bool is_signed)
{
    const uint32_t bits = 32u / v->n;
    const uint32_t word = from < v->n ? a : b;

    return number(word >> bits * (from % v->n), bits, is_signed);
}

static uint32_t side_by_side(const struct isa_video *v, uint32_t a, uint32_t b,
                             uint32_t c)
{
    const uint32_t bits = 32u / v->n, ones = UINT32_MAX >> (32 - bits);
    uint32_t d = c;

    for (uint32_t i = 0; i < v->n; i++) {
        int64_t t = one_value(v, listed(v, v->list_a >> 4 * i & 7, a, b, v->signed_a),
                              listed(v, v->list_b >> 4 * i & 7, a, b, v->signed_b));

        if ((v->mask >> i & 1) == 0) {
            continue;
        }
        t = v->sat ? clamp(t, bits, v->signed_d) : t;
        t = v->relu && t < 0 ? 0 : t;
        if (v->second == ISA_VIDEO_SUM) {
            d += (uint32_t)t;
        } else {
            d = (d & ~(ones << bits * i)) | ((uint32_t)t & ones) << bits * i;
        }
    }
    return d;
}

uint32_t isa_video(const struct isa_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    return v->n == 1 ? scalar(v, a, b, c) : side_by_side(v, a, b, c);
}

static void video(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask)
{
    const struct isa_video v = isa_video_unpack(u->imm);
    const uint32_t *a = lane_src(w, u->src[0]), *b = lane_src(w, u->src[1]);
    const uint32_t *c = lane_src(w, u->src[2]);
    uint32_t d[ISA_LANES];

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        d[l] = isa_video(&v, a[l], b[l], c[l]);
    }
    lane_commit32(lane_dst(w, u->dst[0]), d, mask);
}

isa_exec_fn *isa_exec_video(void)
{
    return video;
}
