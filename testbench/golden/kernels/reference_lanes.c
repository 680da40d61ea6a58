/* warp, redux, last_block, atomics, wide, bits */
#include "reference.h"

#include <string.h>

static void warp_values(const int32_t *in)
{
    int32_t sums[8] = {0}, scan[256], packed[256] = {0}, halves[256];
    uint32_t ballots[8] = {0};

    for (int i = 0; i < 256; i++) {
        int w = i / 32, even = 0;

        sums[w] += in[i];
        scan[i] = sums[w];
        if (in[i] % 2 == 0) {
            for (uint32_t b = ballots[w]; b != 0; b /= 2) {
                even += (int)(b % 2);
            }
            packed[w * 32 + even] = in[i];
            ballots[w] |= 1u << i % 32;
        }
        halves[i] = i % 32 < 16 ? in[i] + in[i ^ 5] : in[i] - in[i ^ 9];
    }
    emit("warp.yml", "sums", sums, 8, 4);
    emit("warp.yml", "scan", scan, 256, 4);
    emit("warp.yml", "packed", packed, 256, 4);
    emit("warp.yml", "ballots", ballots, 8, 4);
    emit("warp.yml", "halves", halves, 256, 4);
}

static void warp_sets(const int32_t *in)
{
    const int64_t *wide = random_words(27, 0xffffffff, 256 * 8);
    uint32_t same[256] = {0};
    int32_t flags[256];
    int64_t rotated[256], out[256];

    for (int i = 0; i < 256; i++) {
        int first = i / 32 * 32, all = 1, any3 = 0, all_positive = 1;

        for (int j = first; j < first + 32; j++) {
            uint32_t v = (uint32_t)in[j] % 4;

            if (v == (uint32_t)in[i] % 4) {
                same[i] |= 1u << j % 32;
            }
            all = all && v == (uint32_t)in[i] % 4;
            any3 = any3 || v == 3;
            all_positive = all_positive && v > 0;
        }
        flags[i] = all + any3 * 2 + 4 + all_positive * 8;
        rotated[i] = wide[i / 8 * 8 + (i + 3) % 8];
    }
    for (int i = 0; i < 256; i++) {
        /* the last lane of four keeps its own value */
        int from = i % 4 == 3 ? i : i + 1;

        out[i] = (int64_t)((uint64_t)rotated[i] + (uint64_t)rotated[from]);
    }
    emit("warp.yml", "same", same, 256, 4);
    emit("warp.yml", "flags", flags, 256, 4);
    emit("warp.yml", "rotated", out, 256, 8);
}

static void redux(void)
{
    const int32_t *in = random_s32(28, 200001, -100000, 128);
    int32_t sums[4] = {0}, lows[4], highs[4];
    uint32_t bits[4];

    for (int w = 0; w < 4; w++) {
        uint32_t x = 0, a = 0xffffffff, o = 0;

        lows[w] = highs[w] = in[32 * w];
        for (int i = 32 * w; i < 32 * w + 32; i++) {
            sums[w] += in[i];
            lows[w] = in[i] < lows[w] ? in[i] : lows[w];
            highs[w] = in[i] > highs[w] ? in[i] : highs[w];
            x ^= (uint32_t)in[i];
            a &= (uint32_t)in[i] | 0xff00;
            o |= (uint32_t)in[i] & 0xf0f0;
        }
        bits[w] = x ^ a << 8 ^ o << 16;
    }
    emit("redux.yml", "sums", sums, 4, 4);
    emit("redux.yml", "lows", lows, 4, 4);
    emit("redux.yml", "highs", highs, 4, 4);
    emit("redux.yml", "bits", bits, 4, 4);
}

static void last_block(void)
{
    const int32_t *in = random_s32(29, 1000, 0, 10000);
    uint32_t parts[5] = {0}, result = 0;
    uint64_t total;

    for (int i = 0; i < 10000; i++) {
        parts[i % 640 / 128] += (uint32_t)in[i];
        result += (uint32_t)in[i];
    }
    total = 1000u + result;
    emit("last_block.yml", "parts", parts, 5, 4);
    emit("last_block.yml", "result", &result, 1, 4);
    emit("last_block.yml", "total", &total, 1, 8);
}

static void atomics(void)
{
    const int32_t *in = random_s32(30, 2001, -1000, 256);
    int32_t r[9], high[6], seen[300];
    uint32_t u[4] = {1000, 700, 55, 0}, down = 100;
    uint64_t w[4] = {0, 0, 9, 1ull << 40};
    float f = 0;

    for (int i = 0; i < 9; i++) {
        r[i] = 45 - 5 * i;
    }
    r[7] = 77;
    r[8] = 6;
    for (int i = 0; i < 256; i++) {
        int32_t v = in[i];
        uint32_t x = (uint32_t)v;

        r[0] += v;
        r[1] -= v;
        r[2] = v < r[2] ? v : r[2];
        r[3] = v > r[3] ? v : r[3];
        r[4] &= v | 0x7f00;
        r[5] |= v & 0x0ff0;
        r[6] ^= v;
        u[0] = x < u[0] ? x : u[0];
        u[1] = x > u[1] ? x : u[1];
        down = down == 0 || down > 49 ? 49 : down - 1;
        w[0] += (uint64_t)x << 20;
        w[1] = (uint64_t)x * 3 > w[1] ? (uint64_t)x * 3 : w[1];
        f += (float)(v & 15);
    }
    u[3] = down;
    for (int i = 0; i < 300; i++) {
        seen[i] = i % 100 + 1;
        high[i / 100 * 2] = 198;
        high[i / 100 * 2 + 1] = 100;
    }
    emit("atomics.yml", "r", r, 9, 4);
    emit("atomics.yml", "u", u, 4, 4);
    emit("atomics.yml", "w", w, 4, 8);
    emit("atomics.yml", "f", &f, 1, 4);
    emit("atomics.yml", "seen", seen, 300, 4);
    emit("atomics.yml", "high", high, 6, 4);
    emit("atomics.yml", "count", &(int32_t){1 + 2 + 3 + 4 + 5 + 6}, 1, 4);
}

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static int64_t shift_right(int64_t v, int n)
{
    return v >= 0 ? (int64_t)((uint64_t)v >> n) : (int64_t) ~(~(uint64_t)v >> n);
}

static void wide64(void)
{
    const int64_t *a = random_words(31, 0xffffffff, 800),
                  *b = random_words(32, 0xffffffff, 800);
    int64_t out[600];

    for (int i = 0; i < 100; i++) {
        int64_t x = a[i], y = b[i] | 1, *o = out + 6 * i;
        uint64_t ux = (uint64_t)x, uy = (uint64_t)y;

        o[0] = (int64_t)(ux * uy);
        o[1] = x / y;
        o[2] = x % y;
        o[3] = (int64_t)(ux / (uy >> i % 40));
        o[4] = (int64_t)((uint64_t)(((u128)((s128)x * y)) >> 64) +
                         (uint64_t)((u128)ux * uy >> 64));
        o[5] =
            shift_right(x, i % 64) ^ (int64_t)(uy << (63 - i % 64)) ^ (x < y ? x : y);
    }
    emit("wide.yml", "out64", out, 600, 8);
}

static void wide128(void)
{
    const uint64_t *a = random_words(33, 0xffffffff, 800),
                   *b = random_words(34, 0xffffffff, 800);
    const uint32_t *p = random_words(35, 0xffffffff, 600),
                   *q = random_words(36, 0xffffffff, 600);
    uint64_t out[600];
    uint32_t chain[550];

    for (int i = 0; i < 100; i++) {
        u128 x = (u128)a[i] << 64 | b[i], y = (u128)b[i] << 64 | a[i];
        u128 value[3] = {x + y, x - y, x * y};

        for (int k = 0; k < 3; k++) {
            out[6 * i + 2 * k] = (uint64_t)(value[k] >> 64);
            out[6 * i + 2 * k + 1] = (uint64_t)(value[k] >> (k == 2 ? i % 64 : 0));
        }
    }
    for (int i = 0; i < 50; i++) {
        const uint32_t *x = p + 3 * i, *y = q + 3 * i;
        u128 u = (u128)x[2] << 64 | (uint64_t)x[1] << 32 | x[0];
        u128 v = (u128)y[2] << 64 | (uint64_t)y[1] << 32 | y[0];
        u128 sum = u + v, difference = u - v;
        u128 product = (u128)(uint64_t)u * (uint64_t)v;

        for (int k = 0; k < 4; k++) {
            chain[11 * i + k] = (uint32_t)(sum >> 32 * k);
            chain[11 * i + 7 + k] = (uint32_t)(product >> 32 * k);
            if (k < 3) {
                chain[11 * i + 4 + k] = (uint32_t)(difference >> 32 * k);
            }
        }
    }
    emit("wide.yml", "out128", out, 600, 8);
    emit("wide.yml", "chain", chain, 550, 4);
}

/* ---- bits, one at a time ---- */

static int bit(uint64_t v, uint32_t i)
{
    return i < 64 ? (int)(v >> i & 1) : 0;
}

static uint32_t count_ones(uint64_t v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < 64; i++) {
        n += (uint32_t)bit(v, i);
    }
    return n;
}

/* Highest one of the low width bits; -1 if none. */
static int highest_one(uint64_t v, int width)
{
    int i = width - 1;

    while (i >= 0 && !bit(v, (uint32_t)i)) {
        i--;
    }
    return i;
}

/* Lowest one, from 1; 0 if none. */
static uint32_t lowest_one(uint64_t v)
{
    for (uint32_t i = 0; i < 64; i++) {
        if (bit(v, i)) {
            return i + 1;
        }
    }
    return 0;
}

static uint64_t reversed(uint64_t v, int width)
{
    uint64_t r = 0;

    for (int i = 0; i < width; i++) {
        r |= (uint64_t)bit(v, (uint32_t)i) << (width - 1 - i);
    }
    return r;
}

/* bfe: len bits of x from pos on; beyond bit 31 zeros or copies of the sign, which is
 * the field's top bit, or bit 31 where the field reaches beyond it. */
static uint32_t field(uint32_t x, uint32_t pos, uint32_t len, int is_signed)
{
    uint32_t r = 0, top = pos + len - 1 < 31 ? pos + len - 1 : 31;
    uint32_t sign = is_signed && len > 0 ? (uint32_t)bit(x, top) : 0;

    for (uint32_t i = 0; i < 32; i++) {
        uint32_t b = i < len && pos + i < 32 ? (uint32_t)bit(x, pos + i) : sign;

        r |= b << i;
    }
    return r;
}

static uint32_t inserted(uint32_t from, uint32_t to, uint32_t pos, uint32_t len)
{
    for (uint32_t i = 0; i < len && pos + i < 32; i++) {
        to = (to & ~(1u << (pos + i))) | (uint32_t)bit(from, i) << (pos + i);
    }
    return to;
}

static uint32_t permuted(uint32_t x, uint32_t y, uint32_t control)
{
    uint64_t bytes = (uint64_t)y << 32 | x;
    uint32_t r = 0;

    for (int i = 0; i < 4; i++) {
        /* the fourth bit of a selector asks for copies of the sign; __byte_perm clears
         * it */
        r |= (uint32_t)(bytes >> 8 * (control >> 4 * i & 7) & 255) << 8 * i;
    }
    return r;
}

static uint32_t low24(uint32_t v, int is_signed)
{
    v &= 0xffffff;
    return is_signed && v >> 23 ? v | 0xff000000u : v;
}

static uint32_t arithmetic(uint32_t x, uint32_t y)
{
    int64_t sx = (int32_t)x, sy = (int32_t)y, dot = 7;
    uint64_t r = (uint64_t)low24(x, 0) * low24(y, 0);

    r += (uint64_t)((int64_t)(int32_t)low24(x, 1) * (int32_t)low24(y, 1));
    r += ((uint64_t)x + y) / 2;
    r += (uint64_t)shift_right(sx + sy + 1, 1);
    for (int i = 0; i < 32; i += 8) {
        dot += (int8_t)(uint8_t)(x >> i) * (int8_t)(uint8_t)(y >> i);
    }
    return (uint32_t)(r + (uint64_t)dot);
}

static uint32_t distances(uint32_t x, uint32_t y)
{
    int64_t sx = (int32_t)x, sy = (int32_t)y;
    uint64_t r = (uint64_t)(sx > sy ? sx - sy : sy - sx) + 3;

    r += (x > y ? x - y : y - x) + 5u;
    return (uint32_t)(r + (uint64_t)shift_right(sx * sy, 32));
}

static void bits(void)
{
    const uint32_t *a = random_words(37, 0xffffffff, 256),
                   *b = random_words(38, 0xffffffff, 256);
    uint32_t out[64 * 20];

    for (uint32_t i = 0; i < 64; i++) {
        uint32_t x = a[i], y = b[i], *o = out + 20 * i, s = y % 64, n = s > 32 ? 32 : s;
        uint64_t w = (uint64_t)x << 32 | y, pair = (uint64_t)y << 32 | x;
        uint32_t low = i % 32;
        int top;

        o[0] = (uint32_t)(pair << low >> 32);
        o[1] = (uint32_t)(pair >> low);
        o[2] = (uint32_t)(pair << n >> 32);
        o[3] = (uint32_t)(pair >> n);
        o[4] = count_ones(x) + count_ones(w) * 100;
        o[5] = (uint32_t)(31 - highest_one(x >> low, 32) +
                          (63 - highest_one(w >> s, 64)) * 100);
        o[6] = lowest_one(x << low) + lowest_one(w << s) * 100;
        o[7] = (uint32_t)reversed(x, 32);
        o[8] = (uint32_t)(reversed(w, 64) >> 16);
        o[9] = permuted(x, y, i * 0x1357);
        o[10] = field(x, s, i, 0);
        o[11] = field(x, s, i, 1);
        o[12] = inserted(x, y, i, s);
        o[13] = (uint32_t)highest_one(x >> low, 32);
        /* the shift that would bring the highest bit unlike the sign to the top */
        top = highest_one(x >> 31 ? ~x >> low : x >> low, 32);
        o[14] = top < 0 ? 0xffffffffu : (uint32_t)(31 - top);
        o[15] = s > 31 ? 0 : x << s;
        o[16] = (uint32_t)shift_right((int32_t)x, (int)n > 31 ? 31 : (int)n);
        o[17] = 0;
        for (uint32_t k = 0; k < 32; k++) {
            int at = bit(x, k) * 4 + bit(y, k) * 2 + bit(i * 0x01010101u, k);

            o[17] |= (uint32_t)bit(0xd2, (uint32_t)at) << k;
        }
        o[18] = distances(x, y);
        o[19] = arithmetic(x, y);
    }
    emit("bits.yml", "out", out, 64 * 20, 4);
}

void reference_lanes(void)
{
    const int32_t *in = random_s32(26, 1001, -500, 256);

    warp_values(in);
    warp_sets(in);
    redux();
    last_block();
    atomics();
    wide64();
    wide128();
    bits();
}
