// Kernels of trades that the other files leave out: sound, geometry, fields, tables of a database,
// numbers of many digits, networks in halves and bytes.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
#include <cuda_fp16.h>
#include <mma.h>

#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define ALL 0xffffffffu

__device__ __forceinline__ unsigned hash(unsigned x)
{
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2du;
    return x ^ x >> 15;
}

// ---- tables of a database ----

// What n sales bring whose date, rebate and amount are within limits: four columns, n words each.
KERNEL r_query_sum(IARGS)
{
    int sum = 0;

    for (int i = I; i < n; i += STRIDE) {
        int day = a[i] & 1023, rebate = a[n + i] & 15;

        if (day >= 200 && day < 700 && rebate >= 5 && rebate <= 11 && a[2 * n + i] % 50 < 24) {
            sum += (a[3 * n + i] & 0xfff) * rebate;
        }
    }
    sum = __reduce_add_sync(ALL, sum);
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(c, sum);
    }
}

// Sums and counts of n values by one of 64 groups, kept in shared memory by places that a hash finds.
KERNEL r_group_by(IARGS)
{
    __shared__ int keys[128], sums[128], counts[128];

    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
        keys[k] = -1;
        sums[k] = counts[k] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        int key = a[i] & 63, at = hash(key) & 127;

        for (;;) {
            int was = atomicCAS(&keys[at], -1, key);

            if (was == -1 || was == key) {
                break;
            }
            at = (at + 1) & 127;
        }
        atomicAdd(&sums[at], b[i]);
        atomicAdd(&counts[at], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
        if (keys[k] >= 0) {
            atomicAdd(&c[keys[k]], sums[k]);
            atomicAdd(&c[64 + keys[k]], counts[k]);
        }
    }
}

// Codes of 16 bits, two a word, looked up in a dictionary of m words.
KERNEL r_dictionary(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        unsigned pair = (unsigned)a[i];

        ((int2 *)c)[i] = make_int2(b[(pair & 0xffff) % m], b[(pair >> 16) % m]);
    }
}

// Days since the first of January 1970 to year, month and day in one word.
KERNEL r_dates(IARGS)
{
    if (I < n) {
        int z = (a[I] & 0xffff) + 719468, era = z / 146097, doe = z - era * 146097;
        int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        int mp = (5 * doy + 2) / 153, day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;

        c[I] = (yoe + era * 400 + (month <= 2)) * 10000 + month * 100 + day;
    }
}

// Valid letters of texts of 64 bytes per thread in which a letter is one to four bytes.
KERNEL r_letters(IARGS)
{
    int left = 0, count = 0, wrong = 0;

    for (int k = 0; k < 16; k++) {
        unsigned word = (unsigned)a[I * 16 + k];

        for (int j = 0; j < 4; j++, word >>= 8) {
            unsigned byte = word & 255;

            if ((byte & 0xc0) == 0x80) {
                wrong += left == 0;
                left -= left > 0;
            } else {
                wrong += left > 0;
                left = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
                count++;
            }
        }
    }
    c[I] = count | wrong << 16;
}

// Every n sorted keys of b with their words are joined with the keys of a, of which some are there.
KERNEL r_join(IARGS)
{
    __shared__ int guide[256];

    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        guide[k] = b[k * (n / 256)];
    }
    __syncthreads();
    int key = a[I] % (2 * n), low = 0;

    for (int step = 128; step > 0; step >>= 1) {
        low += guide[low + step] <= key ? step : 0;
    }
    int at = low * (n / 256), end = at + n / 256;

    while (at < end && b[at] < key) {
        at++;
    }
    c[I] = at < end && b[at] == key ? at : -1;
}

// ---- numbers of many digits ----

// Numbers of 1024 bits, a warp each: their sums, carries by votes.
KERNEL r_carries(IARGS)
{
    unsigned x = (unsigned)a[I], y = (unsigned)b[I], lane = threadIdx.x & 31, sum = x + y;
    unsigned makes = __ballot_sync(ALL, sum < x), lets = __ballot_sync(ALL, sum == 0xffffffffu);
    unsigned into = ((makes << 1) + lets) ^ lets;

    c[I] = (int)(sum + ((into >> lane) & 1));
}

// A transform of 256 numbers by a prime in a block of 128, m times.
KERNEL r_prime_transform(IARGS)
{
    __shared__ unsigned v[256];
    const unsigned p = 998244353u;
    int t = threadIdx.x;

    v[t] = (unsigned)a[blockIdx.x * 256 + t] % p;
    v[t + 128] = (unsigned)a[blockIdx.x * 256 + t + 128] % p;
    for (int round = 0; round < m; round++) {
        for (int half = 1; half < 256; half *= 2) {
            __syncthreads();
            int k = t & (half - 1), at = 2 * (t - k) + k;
            unsigned w = (unsigned)b[half + k] % p, x = v[at], y = (unsigned)((unsigned long long)v[at + half] * w % p);

            v[at] = x + y >= p ? x + y - p : x + y;
            v[at + half] = x >= y ? x - y : x + p - y;
        }
    }
    __syncthreads();
    c[blockIdx.x * 256 + t] = (int)v[t];
    c[blockIdx.x * 256 + t + 128] = (int)v[t + 128];
}

// A digest of 64 bytes per thread: four kinds of 16 rounds.
KERNEL r_digest(IARGS)
{
    unsigned w[16], x = 0x67452301u, y = 0xefcdab89u, z = 0x98badcfeu, u = 0x10325476u;

#pragma unroll
    for (int k = 0; k < 16; k++) {
        w[k] = (unsigned)a[k * n + I];
    }
#pragma unroll
    for (int k = 0; k < 64; k++) {
        unsigned f, g, turn = 5 + 4 * (k & 3) + (k >> 4);

        if (k < 16) {
            f = (y & z) | (~y & u), g = k;
        } else if (k < 32) {
            f = (u & y) | (~u & z), g = (5 * k + 1) & 15;
        } else if (k < 48) {
            f = y ^ z ^ u, g = (3 * k + 5) & 15;
        } else {
            f = z ^ (y | ~u), g = (7 * k) & 15;
        }
        f += x + w[g] + 0x9e3779b9u * (k + 1);
        x = u, u = z, z = y;
        y += __funnelshift_l(f, f, turn);
    }
    ((int4 *)c)[I] = make_int4((int)x, (int)y, (int)z, (int)u);
}

// A keyed hash in words of 64 bits: m words per thread.
KERNEL r_keyed(IARGS)
{
    typedef unsigned long long u64;
    u64 p = 0x736f6d6570736575ull, q = 0x646f72616e646f6dull, r = 0x6c7967656e657261ull, s = 0x7465646279746573ull;

    for (int k = 0; k <= m; k++) {
        u64 word = k < m ? ((const u64 *)a)[k * STRIDE + I] : (u64)m << 56;

        s ^= word;
        for (int j = 0; j < 2; j++) {
            p += q, r += s;
            q = q << 13 | q >> 51, s = s << 16 | s >> 48;
            q ^= p, s ^= r;
            p = p << 32 | p >> 32;
            r += q, p += s;
            q = q << 17 | q >> 47, s = s << 21 | s >> 43;
            q ^= r, s ^= p;
            r = r << 32 | r >> 32;
        }
        p ^= word;
    }
    ((u64 *)c)[I] = p ^ q ^ r ^ s;
}

// The number of each of n places in an order that fills space evenly, by bases 2, 3 and 5.
KERNEL r_even_points(ARGS)
{
    if (I < n) {
        for (int k = 0; k < 3; k++) {
            int base = k == 0 ? 2 : k == 1 ? 3 : 5;
            float f = 1, r = 0;

            for (int i = I + 1; i > 0; i /= base) {
                f /= base;
                r += f * (i % base);
            }
            c[3 * I + k] = r;
        }
    }
}

// Points of three words to codes whose bits take turns, 10 of each axis.
KERNEL r_space_code(ARGS)
{
    if (I < n) {
        unsigned code = 0;

#pragma unroll
        for (int k = 0; k < 3; k++) {
            unsigned v = (unsigned)min(1023, max(0, (int)((a[3 * I + k] + 8.0f) * 60.0f)));

            v = (v * 0x00010001u) & 0xff0000ffu;
            v = (v * 0x00000101u) & 0x0f00f00fu;
            v = (v * 0x00000011u) & 0xc30c30c3u;
            v = (v * 0x00000005u) & 0x49249249u;
            code |= v << k;
        }
        ((unsigned *)c)[I] = code;
    }
}

// Eight numbers per thread sorted in registers, 19 exchanges.
KERNEL r_network8(IARGS)
{
    int v[8];

#define SWAP(i, j) { int low = min(v[i], v[j]); v[j] = max(v[i], v[j]); v[i] = low; }
    *(int4 *)&v[0] = ((const int4 *)a)[2 * I];
    *(int4 *)&v[4] = ((const int4 *)a)[2 * I + 1];
    SWAP(0, 1) SWAP(2, 3) SWAP(4, 5) SWAP(6, 7) SWAP(0, 2) SWAP(1, 3) SWAP(4, 6) SWAP(5, 7) SWAP(1, 2) SWAP(5, 6)
    SWAP(0, 4) SWAP(1, 5) SWAP(2, 6) SWAP(3, 7) SWAP(2, 4) SWAP(3, 5) SWAP(1, 2) SWAP(3, 4) SWAP(5, 6)
    ((int4 *)c)[2 * I] = make_int4(v[0], v[1], v[2], v[3]);
    ((int4 *)c)[2 * I + 1] = make_int4(v[4], v[5], v[6], v[7]);
}

// How far it is to the end of each of a block's chains of 512: each looks at its next, nine times.
KERNEL r_chain_rank(IARGS)
{
    __shared__ int next[512], far[512];
    int t = threadIdx.x;

    next[t] = t == 0 ? 0 : a[blockIdx.x * 512 + t] % t;
    far[t] = t != 0;
    for (int k = 0; k < 9; k++) {
        __syncthreads();
        int to = next[t], further = far[to], beyond = next[to];

        __syncthreads();
        far[t] += further;
        next[t] = beyond;
    }
    c[blockIdx.x * 512 + t] = far[t];
}

// ---- sound ----

// A filter of two poles and two zeros, a channel per thread, m samples each.
KERNEL r_biquad(ARGS)
{
    float p = 0, q = 0;

    for (int k = 0; k < m; k++) {
        float x = a[k * n + I], y = 0.25f * x + p;

        p = 0.5f * x + 0.9f * y + q;
        q = 0.25f * x - 0.4f * y;
        c[k * n + I] = y;
    }
}

// Steps of a Haar transform over a block's 1024 samples, two a thread.
KERNEL r_haar(ARGS)
{
    __shared__ float v[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024;

    v[t] = a[base + t];
    v[t + 512] = a[base + t + 512];
    for (int half = 512; half > 0; half >>= 1) {
        float x = 0, y = 0;

        __syncthreads();
        if (t < half) {
            x = v[2 * t], y = v[2 * t + 1];
        }
        __syncthreads();
        if (t < half) {
            v[t] = (x + y) * 0.5f;
            c[base + half + t] = (x - y) * 0.5f;
        }
    }
    if (t == 0) {
        c[base] = v[0];
    }
}

// Sums and differences of 1024 numbers per block of 256, in registers, by shuffles, by shared memory.
KERNEL r_hadamard(ARGS)
{
    __shared__ float4 part[256];
    int t = threadIdx.x;
    float4 v = ((const float4 *)a)[I];

    v = make_float4(v.x + v.y, v.x - v.y, v.z + v.w, v.z - v.w);
    v = make_float4(v.x + v.z, v.y + v.w, v.x - v.z, v.y - v.w);
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        float s = t & d ? -1.0f : 1.0f;

        v.x = s * v.x + __shfl_xor_sync(ALL, v.x, d);
        v.y = s * v.y + __shfl_xor_sync(ALL, v.y, d);
        v.z = s * v.z + __shfl_xor_sync(ALL, v.z, d);
        v.w = s * v.w + __shfl_xor_sync(ALL, v.w, d);
    }
    for (int d = 32; d < 256; d *= 2) {
        float s = t & d ? -1.0f : 1.0f;

        part[t] = v;
        __syncthreads();
        float4 o = part[t ^ d];
        __syncthreads();
        v = make_float4(s * v.x + o.x, s * v.y + o.y, s * v.z + o.z, s * v.w + o.w);
    }
    ((float4 *)c)[I] = v;
}

// n samples at two thirds of their rate: 12 of 24 taps each, by turns.
KERNEL r_resample(ARGS)
{
    __shared__ float taps[24];

    if (threadIdx.x < 24) {
        taps[threadIdx.x] = b[threadIdx.x];
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        int from = i * 3 / 2;
        const float *w = taps + (i & 1) * 12;
        float s = 0;

#pragma unroll
        for (int k = 0; k < 12; k++) {
            s += w[k] * a[from + k];
        }
        c[i] = s;
    }
}

// How strong m tones are in n samples: a tone per thread, a block per piece of n.
KERNEL r_tones(ARGS)
{
    __shared__ float piece[256];
    float w = 2.0f * cosf(0.01f * (threadIdx.x + 1)), s = 0, was = 0;

    for (int k = 0; k < n; k += 256) {
        __syncthreads();
        piece[threadIdx.x] = a[blockIdx.x * n + k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float now = piece[j] + w * s - was;

            was = s;
            s = now;
        }
    }
    c[I] = s * s + was * was - w * s * was;
}

// ---- pictures ----

// Words R G B to hue, fullness and brightness, a float each.
KERNEL r_hue(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];
        float r = v & 255, g = v >> 8 & 255, blue = v >> 16 & 255;
        float most = fmaxf(r, fmaxf(g, blue)), d = most - fminf(r, fminf(g, blue)), h = 0;

        if (d > 0) {
            h = most == r ? (g - blue) / d : most == g ? 2.0f + (blue - r) / d : 4.0f + (r - g) / d;
        }
        ((float *)c)[i] = h * 60.0f;
        ((float *)c)[n + i] = most > 0 ? d / most : 0.0f;
        ((float *)c)[2 * n + i] = most / 255.0f;
    }
}

// A picture in black and white by a matrix of 8 x 8 limits, 32 points a word.
KERNEL r_dither(IARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, u = x & 7, v = u ^ (y & 7), limit = 0;

    for (int k = 0; k < 3; k++) {
        limit = limit << 2 | (v >> k & 1) << 1 | (u >> k & 1);
    }
    unsigned bits = __ballot_sync(ALL, (a[y * n + x] & 255) > limit * 4 + 1);
    if (threadIdx.x == 0) {
        c[(y * n + x) / 32] = (int)bits;
    }
}

// Which of the 24 points about each are darker, a bit each; blocks of 32 x 8 with their rim.
KERNEL r_census(IARGS)
{
    __shared__ int tile[12][36];
    int x = blockIdx.x * 32, y = blockIdx.y * 8, t = threadIdx.y * 32 + threadIdx.x;

    for (int k = t; k < 12 * 36; k += 256) {
        int u = min(n - 1, max(0, x + k % 36 - 2)), v = min(n - 1, max(0, y + k / 36 - 2));

        tile[k / 36][k % 36] = a[v * n + u];
    }
    __syncthreads();
    int mid = tile[threadIdx.y + 2][threadIdx.x + 2], bits = 0;

#pragma unroll
    for (int k = 0; k < 25; k++) {
        if (k != 12) {
            bits = bits << 1 | (tile[threadIdx.y + k / 5][threadIdx.x + k % 5] < mid);
        }
    }
    c[(y + threadIdx.y) * n + x + threadIdx.x] = bits;
}

// Two pictures of rows of n: by how many of up to m points each place has moved, over seven points.
KERNEL r_stereo(IARGS)
{
    __shared__ int left[160], right[224];
    int t = threadIdx.x, x = blockIdx.x * 128, row = blockIdx.y * n, best = 1 << 30, which = 0;

    for (int k = t; k < 134; k += 128) {
        left[k] = a[row + min(n - 1, max(0, x + k - 3))];
    }
    for (int k = t; k < 134 + m; k += 128) {
        right[k] = b[row + min(n - 1, max(0, x + k - 3 - m))];
    }
    __syncthreads();
    for (int d = 0; d < m; d++) {
        int sum = 0;

#pragma unroll
        for (int k = 0; k < 7; k++) {
            sum = __sad(left[t + k], right[t + k + m - d], sum);
        }
        if (sum < best) {
            best = sum;
            which = d;
        }
    }
    c[row + x + t] = which;
}

// Corners of an n x n picture: products of slopes summed over 3 x 3.
KERNEL r_corners(ARGS)
{
    __shared__ float p[20][21], gx[18][19], gy[18][19];
    int x = blockIdx.x * 16, y = blockIdx.y * 16, t = threadIdx.y * 16 + threadIdx.x;

    for (int k = t; k < 400; k += 256) {
        p[k / 20][k % 20] = a[min(n - 1, max(0, y + k / 20 - 2)) * n + min(n - 1, max(0, x + k % 20 - 2))];
    }
    __syncthreads();
    for (int k = t; k < 324; k += 256) {
        int v = k / 18, u = k % 18;

        gx[v][u] = p[v + 1][u + 2] - p[v + 1][u];
        gy[v][u] = p[v + 2][u + 1] - p[v][u + 1];
    }
    __syncthreads();
    float xx = 0, xy = 0, yy = 0;

#pragma unroll
    for (int k = 0; k < 9; k++) {
        float u = gx[threadIdx.y + k / 3][threadIdx.x + k % 3], v = gy[threadIdx.y + k / 3][threadIdx.x + k % 3];

        xx += u * u, xy += u * v, yy += v * v;
    }
    c[(y + threadIdx.y) * n + x + threadIdx.x] = xx * yy - xy * xy - 0.0625f * (xx + yy) * (xx + yy);
}

// A column of 33 taps over n x n: each thread goes down 32 rows with what it has read.
KERNEL r_column_window(ARGS)
{
    int x = I, y = blockIdx.y * 32;
    float v[9];

#pragma unroll
    for (int k = 0; k < 8; k++) {
        v[k] = a[max(0, y + k - 4) * n + x];
    }
    for (int r = 0; r < 32; r++) {
        float s = 0;

        v[8] = a[min(n - 1, y + r + 4) * n + x];
#pragma unroll
        for (int k = 0; k < 9; k++) {
            s += v[k] * b[k];
        }
        c[(y + r) * n + x] = s;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[k] = v[k + 1];
        }
    }
}

// Brightness of n x n bytes spread evenly: a block of 256 sums what is darker, then maps its rows.
KERNEL r_equalize(IARGS)
{
    __shared__ int sums[256];
    int t = threadIdx.x;

    sums[t] = b[t] & 255;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        int v = t >= d ? sums[t - d] : 0;

        __syncthreads();
        sums[t] += v;
    }
    __syncthreads();
    int all = sums[255];

    for (int i = I; i < n * n / 4; i += STRIDE) {
        unsigned v = (unsigned)a[i], r = 0;

#pragma unroll
        for (int k = 0; k < 4; k++) {
            r |= (unsigned)(sums[v >> 8 * k & 255] * 255 / all) << 8 * k;
        }
        c[i] = (int)r;
    }
}

// ---- geometry ----

// Rays per thread against m triangles (nine words each in b): the nearest that is hit.
KERNEL r_triangles(ARGS)
{
    float ox = a[3 * I] * 0.1f, oy = a[3 * I + 1] * 0.1f, dx = 0.01f * a[3 * I + 2], dy = 0.02f, first = 1e30f;

    for (int k = 0; k < m; k++) {
        const float *v = b + 9 * k;
        float e1x = v[3] - v[0], e1y = v[4] - v[1], e1z = v[5] - v[2];
        float e2x = v[6] - v[0], e2y = v[7] - v[1], e2z = v[8] - v[2];
        float px = dy * e2z - e2y, py = e2x - dx * e2z, pz = dx * e2y - dy * e2x;
        float det = e1x * px + e1y * py + e1z * pz;

        if (fabsf(det) < 1e-6f) {
            continue;
        }
        float inv = 1.0f / det, tx = ox - v[0], ty = oy - v[1], tz = -10.0f - v[2];
        float u = (tx * px + ty * py + tz * pz) * inv;
        float qx = ty * e1z - tz * e1y, qy = tz * e1x - tx * e1z, qz = tx * e1y - ty * e1x;
        float w = (dx * qx + dy * qy + qz) * inv, t = (e2x * qx + e2y * qy + e2z * qz) * inv;

        if (u >= 0 && w >= 0 && u + w <= 1 && t > 0) {
            first = fminf(first, t);
        }
    }
    c[I] = first;
}

// Which of m boxes (six words each) a point's ray along the diagonal meets, how many.
KERNEL r_boxes(ARGS)
{
    extern __shared__ float box[];

    for (int k = threadIdx.x; k < 6 * m; k += blockDim.x) {
        box[k] = b[k];
    }
    __syncthreads();
    float x = a[3 * I], y = a[3 * I + 1], z = a[3 * I + 2], u = 1.25f, v = 0.75f, w = -1.5f;
    int hits = 0;

    for (int k = 0; k < m; k++) {
        const float *p = box + 6 * k;
        float x0 = (p[0] - x) * u, x1 = (p[3] - x) * u, y0 = (p[1] - y) * v, y1 = (p[4] - y) * v;
        float z0 = (p[2] - z) * w, z1 = (p[5] - z) * w;
        float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
        float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));

        hits += in <= out && out >= 0;
    }
    c[I] = (float)hits;
}

// n points of a body, each moved by four of m bones (matrices of 12 words in b) with weights.
KERNEL r_bones(ARGS)
{
    if (I < n) {
        float x = a[3 * I], y = a[3 * I + 1], z = a[3 * I + 2], s[3] = {};

        for (int k = 0; k < 4; k++) {
            const float4 *r = (const float4 *)b + 3 * (hash(I / 8 * 4 + k) % m);

#pragma unroll
            for (int j = 0; j < 3; j++) {
                float4 q = r[j];

                s[j] += 0.25f * (q.x * x + q.y * y + q.z * z + q.w);
            }
        }
        c[3 * I] = s[0];
        c[3 * I + 1] = s[1];
        c[3 * I + 2] = s[2];
    }
}

// Points turned by quaternions: four words, three words.
KERNEL r_turn_points(ARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        float4 q = ((const float4 *)b)[i];
        float s = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w + 1.0f);
        float x = a[i], y = a[n + i], z = a[2 * n + i];

        q = make_float4(q.x * s, q.y * s, q.z * s, q.w * s);
        float tx = 2.0f * (q.y * z - q.z * y), ty = 2.0f * (q.z * x - q.x * z), tz = 2.0f * (q.x * y - q.y * x);
        c[i] = x + q.w * tx + q.y * tz - q.z * ty;
        c[n + i] = y + q.w * ty + q.z * tx - q.x * tz;
        c[2 * n + i] = z + q.w * tz + q.x * ty - q.y * tx;
    }
}

// The three nearest of m points (three words each, tiles in shared memory) to each thread's.
KERNEL r_nearest3(ARGS)
{
    __shared__ float tile[3 * 128];
    float x = a[3 * I] * 1.01f, y = a[3 * I + 1], z = a[3 * I + 2], d0 = 1e30f, d1 = 1e30f, d2 = 1e30f;

    for (int base = 0; base < m; base += 128) {
        __syncthreads();
        for (int k = threadIdx.x; k < 384; k += blockDim.x) {
            tile[k] = b[3 * base + k];
        }
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float u = tile[3 * k] - x, v = tile[3 * k + 1] - y, w = tile[3 * k + 2] - z, d = u * u + v * v + w * w;

            if (d < d2) {
                d2 = d < d1 ? d1 : d;
                d1 = d < d0 ? d0 : fminf(d, d1);
                d0 = fminf(d, d0);
            }
        }
    }
    c[I] = d0 + d1 + d2;
}

// ---- fields ----

// Water that is not deep: heights and two speeds on n x n, a step.
KERNEL r_shallow(ARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, size = n * n;

    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        int i = y * n + x;
        const float *u = a + size, *v = a + 2 * size;
        float h = a[i] + 20.0f, west = a[i - 1] + 20.0f, east = a[i + 1] + 20.0f, north = a[i - n] + 20.0f, south = a[i + n] + 20.0f;

        c[i] = h - 0.01f * (east * u[i + 1] - west * u[i - 1] + south * v[i + n] - north * v[i - n]);
        c[size + i] = u[i] - 0.01f * (9.81f * (east - west) + u[i] * (u[i + 1] - u[i - 1]) + v[i] * (u[i + n] - u[i - n]));
        c[2 * size + i] = v[i] - 0.01f * (9.81f * (south - north) + u[i] * (v[i + 1] - v[i - 1]) + v[i] * (v[i + n] - v[i - n]));
    }
}

// Waves of light in a block's 30 x 30 cells (a rim more): fields stay in shared memory m steps.
KERNEL r_light(ARGS)
{
    __shared__ float e[33][33], hx[33][33], hy[33][33];
    int x = threadIdx.x, y = threadIdx.y;

    for (int k = y * 32 + x; k < 33 * 33; k += 1024) {
        (&e[0][0])[k] = (&hx[0][0])[k] = (&hy[0][0])[k] = 0.0f;
    }
    __syncthreads();
    e[y][x] = a[blockIdx.x * 1024 + y * 32 + x];
    for (int k = 0; k < m; k++) {
        __syncthreads();
        hx[y][x] -= 0.5f * (e[y + 1][x] - e[y][x]);
        hy[y][x] += 0.5f * (e[y][x + 1] - e[y][x]);
        __syncthreads();
        if (x > 0 && y > 0) {
            e[y][x] += 0.5f * (hy[y][x] - hy[y][x - 1] - hx[y][x] + hx[y - 1][x]);
        }
    }
    c[blockIdx.x * 1024 + y * 32 + x] = e[y][x];
}

// How long a front needs to each place of n x n, from its least neighbours.
KERNEL r_front(ARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * n + x;
    float h = fminf(a[y * n + max(0, x - 1)], a[y * n + min(n - 1, x + 1)]);
    float v = fminf(a[max(0, y - 1) * n + x], a[min(n - 1, y + 1) * n + x]), d = fabsf(h - v), f = 1.5f, t;

    if (d >= f) {
        t = fminf(h, v) + f;
    } else {
        t = 0.5f * (h + v + sqrtf(2.0f * f * f - d * d));
    }
    c[i] = fminf(a[i], t);
}

// Cloth: n x n knots of four words, a spring to each of four, then a step.
KERNEL r_cloth(ARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float4 p = ((const float4 *)a)[y * n + x], f = make_float4(0, -1, 0, 0);

#pragma unroll
    for (int k = 0; k < 4; k++) {
        int u = x + (k == 0) - (k == 1), v = y + (k == 2) - (k == 3);

        if (u >= 0 && v >= 0 && u < n && v < n) {
            float4 q = ((const float4 *)a)[v * n + u];
            float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, len = sqrtf(dx * dx + dy * dy + dz * dz) + 0.001f;
            float s = 4.0f * (len - 1.0f) / len;

            f.x += s * dx, f.y += s * dy, f.z += s * dz;
        }
    }
    ((float4 *)c)[y * n + x] = make_float4(p.x + 0.01f * f.x, p.y + 0.01f * f.y, p.z + 0.01f * f.z, p.w);
}

// A step towards rest in n x n, four sweeps in a block's shared tile before it is written.
KERNEL r_four_sweeps(ARGS)
{
    __shared__ float p[2][24][25];
    int u = threadIdx.x, v = threadIdx.y, x = blockIdx.x * 16 + u - 4, y = blockIdx.y * 16 + v - 4, now = 0;

    p[0][v][u] = x >= 0 && y >= 0 && x < n && y < n ? a[y * n + x] : 0.0f;
    p[1][v][u] = p[0][v][u];
    __syncthreads();
    for (int k = 1; k <= 4; k++) {
        if (u >= k && v >= k && u < 24 - k && v < 24 - k) {
            p[1 - now][v][u] = 0.25f * (p[now][v][u - 1] + p[now][v][u + 1] + p[now][v - 1][u] + p[now][v + 1][u]);
        }
        now = 1 - now;
        __syncthreads();
    }
    if (u >= 4 && v >= 4 && u < 20 && v < 20) {
        c[y * n + x] = p[now][v][u];
    }
}

// A fire in a wood on a torus of n x n (a power of two), m steps apart in chance.
KERNEL r_fire(IARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, mask = n - 1, cell = a[y * n + x] % 3;

    if (cell == 2) {
        cell = 0;
    } else if (cell == 1) {
        bool burns = a[y * n + ((x + 1) & mask)] % 3 == 2 || a[y * n + ((x - 1) & mask)] % 3 == 2 ||
                     a[((y + 1) & mask) * n + x] % 3 == 2 || a[((y - 1) & mask) * n + x] % 3 == 2;

        cell = burns || hash(y * n + x + m) % 1000 < 5 ? 2 : 1;
    } else {
        cell = hash((y * n + x) ^ m) % 100 < 3;
    }
    c[y * n + x] = cell;
}

// Light that is scattered in a cloud until it is taken or gone, a ray per thread.
KERNEL r_cloud(ARGS)
{
    unsigned s = hash(I + 1);
    float z = 0, u = 1, weight = 1;
    int k;

    for (k = 0; k < m && z >= 0 && z < 10.0f && weight > 0.01f; k++) {
        s = s * 1664525u + 1013904223u;
        z -= u * __logf(((s >> 8) + 1) * (1.0f / 16777217.0f));
        s = s * 1664525u + 1013904223u;
        u = 2.0f * (s >> 8) * (1.0f / 16777216.0f) - 1.0f;
        weight *= 0.92f;
    }
    c[I] = z < 0 ? -weight : z >= 10.0f ? weight : (float)k;
}

// Which root of z^3 = 1 each of n x n places comes to.
KERNEL r_roots(ARGS)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y, k;
    float x = (px - 0.5f * n) * 4.0f / n + 0.003f, y = (py - 0.5f * n) * 4.0f / n + 0.007f;

    for (k = 0; k < m; k++) {
        float xx = x * x, yy = y * y, sx = xx - yy, sy = 2.0f * x * y, d = 3.0f * (sx * sx + sy * sy);
        float cx = x * sx - y * sy - 1.0f, cy = x * sy + y * sx;

        if (cx * cx + cy * cy < 1e-6f) {
            break;
        }
        float inv = 1.0f / d;
        x -= (cx * sx + cy * sy) * inv;
        y -= (cy * sx - cx * sy) * inv;
    }
    c[py * n + px] = (float)k + x;
}

// ---- equations ----

// A step of conjugate gradients over n: two vectors move, and the sum of squares per block.
KERNEL r_gradients(ARGS)
{
    __shared__ float part[8];
    float s = 0;

    for (int i = I; i < n; i += STRIDE) {
        float r = b[i] - 0.25f * a[n + i];

        c[i] = b[n + i] + 0.25f * a[i];
        c[n + i] = r;
        s += r * r;
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(ALL, s, d);
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x / 32] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++) {
            s += part[k];
        }
        c[2 * n + blockIdx.x] = s;
    }
}

// The root of a symmetric matrix of 4 x 4 per thread, made definite first; words n apart.
KERNEL r_root4(ARGS)
{
    float l[4][4];

    if (I < n) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
#pragma unroll
            for (int j = 0; j <= i; j++) {
                float s = a[(i * 4 + j) * n + I] + (i == j ? 40.0f : 0.0f);

#pragma unroll
                for (int k = 0; k < j; k++) {
                    s -= l[i][k] * l[j][k];
                }
                l[i][j] = i == j ? sqrtf(s) : s / l[j][j];
                c[(i * 4 + j) * n + I] = l[i][j];
            }
        }
    }
}

// Elimination in 8 x 8 in double precision, a matrix per 8 lanes, a row each.
KERNEL r_eliminate8(ARGS)
{
    int row = threadIdx.x & 7;
    double v[8];

#pragma unroll
    for (int k = 0; k < 8; k++) {
        v[k] = a[I * 8 + k] + (k == row ? 50.0 : 0.0);
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        double p[8];

#pragma unroll
        for (int j = 0; j < 8; j++) {
            p[j] = __shfl_sync(ALL, v[j], k, 8);
        }
        if (row > k) {
            double f = v[k] / p[k];

#pragma unroll
            for (int j = k; j < 8; j++) {
                v[j] -= f * p[j];
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        c[I * 8 + k] = (float)v[k];
    }
}

// Sums of m numbers per thread that keep what is rounded off.
KERNEL r_kept_sum(ARGS)
{
    float s = 0, lost = 0;

    for (int k = 0; k < m; k++) {
        float y = __fsub_rn(a[k * n + I] * 0.37f, lost), t = __fadd_rn(s, y);

        lost = __fsub_rn(__fsub_rn(t, s), y);
        s = t;
    }
    c[I] = s;
}

// Ranks of pages: n of them, m links into each at hashed places, shares of those.
KERNEL r_ranks(ARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        float s = 0;

        for (int k = 0; k < m; k++) {
            unsigned from = hash(i * m + k) % n;

            s += a[from] * b[from];
        }
        c[i] = 0.15f + 0.85f * s;
    }
}

// ---- networks ----

// Four gates of a cell that remembers: n cells, inputs of 4n.
KERNEL r_cell(ARGS)
{
    if (I < n) {
        float in = a[I], forget = a[n + I], out = a[2 * n + I], now = a[3 * n + I];
        float state = b[I] / (1.0f + __expf(-forget)) + tanhf(now) / (1.0f + __expf(-in));

        c[I] = state;
        c[n + I] = tanhf(state) / (1.0f + __expf(-out));
    }
}

// Pairs of n words turned by an angle that grows with the row.
KERNEL r_rotary(ARGS)
{
    int pair = threadIdx.x, row = blockIdx.x, at = row * 2 * blockDim.x + 2 * pair;
    float s, co, angle = (row % m) * exp2f(-0.2f * pair);

    sincosf(angle, &s, &co);
    float2 v = *(const float2 *)&a[at];
    *(float2 *)&c[at] = make_float2(v.x * co - v.y * s, v.x * s + v.y * co);
}

// Rows of n halves by their mean square, a warp per row, eight halves a lane at once.
KERNEL r_mean_square(ARGS)
{
    int lane = threadIdx.x & 31, row = I / 32;
    const uint4 *from = (const uint4 *)a + row * (n / 8);
    float s = 0;

    for (int k = lane; k < n / 8; k += 32) {
        uint4 v = from[k];
        const __half2 *h = (const __half2 *)&v;

#pragma unroll
        for (int j = 0; j < 4; j++) {
            float2 f = __half22float2(h[j]);

            s += f.x * f.x + f.y * f.y;
        }
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_xor_sync(ALL, s, d);
    }
    __half2 scale = __float2half2_rn(rsqrtf(s / n + 1.0f));
    for (int k = lane; k < n / 8; k += 32) {
        uint4 v = from[k];
        __half2 *h = (__half2 *)&v;

#pragma unroll
        for (int j = 0; j < 4; j++) {
            h[j] = __hmul2(h[j], scale);
        }
        ((uint4 *)c)[row * (n / 8) + k] = v;
    }
}

// Signed bytes, rows of m words times columns of m words, 16 x 16 a block, n columns.
KERNEL r_bytes_product(IARGS)
{
    __shared__ int p[16][17], q[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16, s = 0;

    for (int k = 0; k < m; k += 16) {
        p[y][x] = a[row * m + k + x];
        q[y][x] = b[(col + y) * m + k + x];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            s = __dp4a(p[y][j], q[x][j], s);
        }
        __syncthreads();
    }
    c[row * n + col + x] = s;
}

// n x n in pairs of halves: 32 x 32 a block of 16 x 16, two by two a thread.
KERNEL r_halves_product(ARGS)
{
    __shared__ __half2 p[32][17], q[32][17];
    int x = threadIdx.x, y = threadIdx.y, half = n / 2;
    const __half2 *pa = (const __half2 *)a, *pb = (const __half2 *)b;
    __half2 s[2] = {__float2half2_rn(0.0f), __float2half2_rn(0.0f)};

    for (int k = 0; k < n; k += 32) {
        p[y][x] = pa[(blockIdx.y * 32 + y) * half + k / 2 + x];
        p[y + 16][x] = pa[(blockIdx.y * 32 + y + 16) * half + k / 2 + x];
        q[y][x] = pb[(k + y) * half + blockIdx.x * 16 + x];
        q[y + 16][x] = pb[(k + y + 16) * half + blockIdx.x * 16 + x];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            __half2 u = p[y][j], v = p[y + 16][j];

            s[0] = __hfma2(__low2half2(u), q[2 * j][x], s[0]);
            s[0] = __hfma2(__high2half2(u), q[2 * j + 1][x], s[0]);
            s[1] = __hfma2(__low2half2(v), q[2 * j][x], s[1]);
            s[1] = __hfma2(__high2half2(v), q[2 * j + 1][x], s[1]);
        }
        __syncthreads();
    }
    ((__half2 *)c)[(blockIdx.y * 32 + y) * half + blockIdx.x * 16 + x] = s[0];
    ((__half2 *)c)[(blockIdx.y * 32 + y + 16) * half + blockIdx.x * 16 + x] = s[1];
}

// Halves by matrix instructions: 16 x 64 of n x n a block of four warps, straight from memory.
KERNEL r_matrix_unit(ARGS)
{
    using namespace nvcuda;
    int row = blockIdx.y * 16, col = blockIdx.x * 64 + threadIdx.x / 32 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> p;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> q;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> s;

    wmma::fill_fragment(s, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(p, (const __half *)a + row * n + k, n);
        wmma::load_matrix_sync(q, (const __half *)b + k * n + col, n);
        wmma::mma_sync(s, p, q, s);
    }
    wmma::store_matrix_sync(c + row * n + col, s, n, wmma::mem_row_major);
}

// A product of n x n times n x 32 whose sums over n are shared out: a block adds 64 of them.
KERNEL r_split_sums(ARGS)
{
    __shared__ float p[8][65];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * 8 + y, base = blockIdx.y * 64;
    float s = 0;

    p[y][x] = a[row * n + base + x];
    p[y][x + 32] = a[row * n + base + x + 32];
    __syncthreads();
    for (int k = 0; k < 64; k++) {
        s += p[y][k] * b[(base + k) * 32 + x];
    }
    atomicAdd(&c[row * 32 + x], s);
}

// Each of m channels, last in memory, by its own 3 x 3 over n x n.
KERNEL r_own_taps(ARGS)
{
    int ch = threadIdx.x, x = blockIdx.x * blockDim.y + threadIdx.y, y = blockIdx.y;
    float s = 0;

#pragma unroll
    for (int k = 0; k < 9; k++) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1;

        if (u >= 0 && v >= 0 && u < n && v < n) {
            s += a[(v * n + u) * m + ch] * b[k * m + ch];
        }
    }
    c[(y * n + x) * m + ch] = fminf(6.0f, fmaxf(0.0f, s));
}

// Places of 3 x 3 in m channels of n x n written out, a row per place of the picture.
KERNEL r_spread(ARGS)
{
    int size = n * n, all = size * m * 9;

    for (int i = I; i < all; i += STRIDE) {
        int k = i % 9, ch = i / 9 % m, at = i / (9 * m), x = at % n + k % 3 - 1, y = at / n + k / 3 - 1;

        c[i] = x >= 0 && y >= 0 && x < n && y < n ? a[ch * size + y * n + x] : 0.0f;
    }
}

// What n rows of 64 give back to a table's rows: added where each came from.
KERNEL r_give_back(ARGS)
{
    int row = I / 64, k = I % 64;

    atomicAdd(&c[(hash(row) % m) * 64 + k], a[row * 64 + k]);
}

// A box of n x n x m words with its first and last axis changed over, tiles of 32 x 32.
KERNEL r_swap_axes(ARGS)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32, z = blockIdx.y % (m / 32) * 32, y = blockIdx.y / (m / 32);

    for (int k = threadIdx.y; k < 32; k += 8) {
        tile[k][threadIdx.x] = a[((z + k) * n + y) * n + x + threadIdx.x];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        c[((x + k) * n + y) * m + z + threadIdx.x] = tile[threadIdx.x][k];
    }
}

// Distances of n points of 16 words to 32 centres in shared memory: the nearest.
KERNEL r_assign(ARGS)
{
    __shared__ float4 mid[32][4];
    float4 v[4];
    float best = 1e30f;
    int which = 0;

    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
        mid[k / 4][k % 4] = ((const float4 *)b)[k];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; j++) {
        v[j] = ((const float4 *)a)[j * n + I];
    }
    for (int k = 0; k < 32; k++) {
        float d = 0;

#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 q = mid[k][j];

            d += (v[j].x - q.x) * (v[j].x - q.x) + (v[j].y - q.y) * (v[j].y - q.y) + (v[j].z - q.z) * (v[j].z - q.z) +
                 (v[j].w - q.w) * (v[j].w - q.w);
        }
        if (d < best) {
            best = d;
            which = k;
        }
    }
    ((int *)c)[I] = which;
}
