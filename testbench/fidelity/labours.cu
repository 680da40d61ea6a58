// Small labours of many trades that the other files leave out: choosing, plates, rods,
// ridges, loans, trees, traffic, palettes, parities, searches that guess.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define ARGS                                                                           \
    const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,   \
        int n, int m
#define IARGS                                                                          \
    const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n,  \
        int m
#define I      (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define ALL    0xffffffffu

// ---- streams ----

// Each of n words from the first half of a or from the second, as its bit in b says.
KERNEL l_choose(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        const int *from = b[i >> 5] >> (i & 31) & 1 ? a + n : a;

        c[i] = from[i];
    }
}

// Two fields of n records of five words.
KERNEL l_fields(IARGS)
{
    if (I < n) {
        c[I] = a[5 * I + 1] * m + (a[5 * I + 4] >> 3);
    }
}

// Rows of four words out of n (a power of two) to whoever asks for them, two at a time.
KERNEL l_deal_rows(IARGS)
{
    int first = b[I] & (n - 1), second = b[I + STRIDE] & (n - 1);
    int4 u = ((const int4 *)a)[first], v = ((const int4 *)a)[second];

    u.w ^= first;
    v.w ^= second;
    ((int4 *)c)[I] = u;
    ((int4 *)c)[I + STRIDE] = v;
}

// Records of eight words to eight columns of n, each with a scale of its own.
KERNEL l_to_columns(ARGS)
{
    float4 u = ((const float4 *)a)[2 * I], v = ((const float4 *)a)[2 * I + 1];
    float field[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};

#pragma unroll
    for (int k = 0; k < 8; k++) {
        c[k * n + I] = field[k] * b[k];
    }
}

static __device__ unsigned blended(unsigned x, unsigned y)
{
    __half2 p = *(const __half2 *)&x, q = *(const __half2 *)&y, r;

    r = __hfma2(__float2half2_rn(0.375f), __hsub2(q, p), p);
    r = __hmin2(__hmax2(r, __float2half2_rn(0.0625f)), __float2half2_rn(0.75f));
    return *(const unsigned *)&r;
}

// Two pictures in halves into one that keeps within limits, eight halves a lane.
KERNEL l_halves_blend(IARGS)
{
    uint4 u = ((const uint4 *)a)[I], v = ((const uint4 *)b)[I];

    u.x = blended(u.x, v.x);
    u.y = blended(u.y, v.y);
    u.z = blended(u.z, v.z);
    u.w = blended(u.w, v.w);
    ((uint4 *)c)[I] = u;
}

// A step of a twister: n words of the next state, tempered; a has 397 more.
KERNEL l_twister(IARGS)
{
    if (I < n) {
        unsigned v = ((unsigned)a[I] & 0x80000000u) | (a[I + 1] & 0x7fffffff);

        v = (unsigned)a[I + 397] ^ v >> 1 ^ (v & 1 ? 0x9908b0dfu : 0u);
        v ^= v >> 11;
        v ^= v << 7 & 0x9d2c5680u;
        v ^= v << 15 & 0xefc60000u;
        c[I] = (int)(v ^ v >> 18);
    }
}

// ---- neighbours ----

static __device__ float roughness(float p, float q)
{
    float v = __fmaf_rn(0.25f, __fmul_rn(q, q), __fmul_rn(1.083f, __fmul_rn(p, p)));

    v = __fadd_rn(v, 1e-3f);
    return __fmul_rn(v, v);
}

// What comes to the next place of a line of n: of three parabolas mostly the smooth.
KERNEL __launch_bounds__(512) l_upwind5(ARGS)
{
    int i = I;
    float v[5], p, q, r, u, w, x;

    if (i >= n) {
        return;
    }
#pragma unroll
    for (int k = 0; k < 5; k++) {
        v[k] = a[min(max(i + k - 2, 0), n - 1)];
    }
    p = 0.1f / roughness(v[0] - 2 * v[1] + v[2], v[0] - 4 * v[1] + 3 * v[2]);
    q = 0.6f / roughness(v[1] - 2 * v[2] + v[3], v[1] - v[3]);
    r = 0.3f / roughness(v[2] - 2 * v[3] + v[4], 3 * v[2] - 4 * v[3] + v[4]);
    u = 2 * v[0] - 7 * v[1] + 11 * v[2];
    w = 5 * v[2] - v[1] + 2 * v[3];
    x = 2 * v[2] + 5 * v[3] - v[4];
    u = __fmaf_rn(r, x, __fmaf_rn(q, w, __fmul_rn(p, u)));
    c[i] = u / (6 * (p + q + r));
}

// How a plate of n x n bends: thirteen points, the rim of two stays.
KERNEL l_plate(ARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float *p = a + y * n + x;
    float v = *p;

    if (x >= 2 && x < n - 2 && y >= 2 && y < n - 2) {
        float near = p[-1] + p[1] + p[-n] + p[n];
        float corner = p[-n - 1] + p[-n + 1] + p[n - 1] + p[n + 1];
        float far = p[-2] + p[2] + p[-2 * n] + p[2 * n];

        v = 20 * v - 8 * near + 2 * corner + far;
    }
    c[y * n + x] = v;
}

// The curl of a field of three planes, n x n x m: n a power of two, around; m not.
KERNEL l_curl(ARGS)
{
    int high = n / 4, z = blockIdx.y / high, layer = n * n, all = layer * m;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y % high * 4 + threadIdx.y;
    int row = z * layer + y * n, at = row + x;
    int left = row + ((x - 1) & (n - 1)), right = row + ((x + 1) & (n - 1));
    int up = z * layer + ((y - 1) & (n - 1)) * n + x;
    int down = z * layer + ((y + 1) & (n - 1)) * n + x;
    int below = z > 0 ? at - layer : at, above = z < m - 1 ? at + layer : at;
    const float *u = a, *v = a + all, *w = a + 2 * all;

    c[at] = 0.5f * ((w[down] - w[up]) - (v[above] - v[below]));
    c[all + at] = 0.5f * ((u[above] - u[below]) - (w[right] - w[left]));
    c[2 * all + at] = 0.5f * ((v[right] - v[left]) - (u[down] - u[up]));
}

static __device__ float warmer(float l, float own, float r)
{
    return __fmaf_rn(0.2f, __fmaf_rn(-2.0f, own, l + r), own);
}

// A rod of 128 pieces a warp, four in each lane's registers, for m steps.
KERNEL l_rod(ARGS)
{
    int lane = threadIdx.x & 31;
    float4 v = ((const float4 *)a)[I], w;

    for (int k = 0; k < m; k++) {
        float l = __shfl_up_sync(ALL, v.w, 1), r = __shfl_down_sync(ALL, v.x, 1);

        l = lane == 0 ? v.x : l;
        r = lane == 31 ? v.w : r;
        w.x = warmer(l, v.x, v.y);
        w.y = warmer(v.x, v.y, v.z);
        w.z = warmer(v.y, v.z, v.w);
        w.w = warmer(v.z, v.w, r);
        v = w;
    }
    ((float4 *)c)[I] = v;
}

// Where slopes a and b of n x n points make a ridge: more than the two across it.
KERNEL l_ridges(ARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int at = y * n + x;
    float p = a[at], q = b[at], steep = fabsf(p) + fabsf(q), out = 0;

    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        int side;

        if (fabsf(q) > 2.4f * fabsf(p)) {
            side = n;
        } else if (fabsf(p) > 2.4f * fabsf(q)) {
            side = 1;
        } else {
            side = p * q > 0 ? n + 1 : n - 1;
        }
        if (steep > fabsf(a[at - side]) + fabsf(b[at - side]) &&
            steep >= fabsf(a[at + side]) + fabsf(b[at + side])) {
            out = steep;
        }
    }
    c[at] = out;
}

// How far it is, up or down its column of m, from each point to a full one: n columns.
KERNEL l_nearest_full(IARGS)
{
    int d = m;

    for (int k = 0; k < m; k++) {
        d = (a[k * n + I] & 7) == 0 ? 0 : d + 1;
        c[k * n + I] = d;
    }
    d = m;
    for (int k = m - 1; k >= 0; k--) {
        d = min(d + 1, c[k * n + I]);
        c[k * n + I] = d;
    }
}

// ---- tiles ----

// Bytes of n x n turned about their diagonal: tiles of 32 x 32 bytes, blocks of 8 x 32.
KERNEL l_turn_bytes(IARGS)
{
    __shared__ unsigned tile[32][9];
    int x = threadIdx.x, y = threadIdx.y, wide = n / 4, shift = 8 * (y & 3);
    unsigned v = 0;

    tile[y][x] = (unsigned)a[(blockIdx.y * 32 + y) * wide + blockIdx.x * 8 + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v |= (tile[4 * x + k][y >> 2] >> shift & 255) << 8 * k;
    }
    c[(blockIdx.x * 32 + y) * wide + blockIdx.y * 8 + x] = (int)v;
}

// A picture of n x n by a quarter turn to the right, blocks of 32 x 8.
KERNEL l_quarter_turn(IARGS)
{
    __shared__ int tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32;

#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        tile[y + k][x] = a[(row + y + k) * n + col + x];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
        c[(col + y + k) * n + n - 32 - row + x] = tile[31 - x][y + k];
    }
}

// Rows of 512 whole numbers, a block of 256 each, to a mean and m kinds of detail.
KERNEL l_lifting(IARGS)
{
    __shared__ int v[512], d[256];
    int t = threadIdx.x, base = blockIdx.x * 512, half = 256;

    v[t] = a[base + t];
    v[t + 256] = a[base + t + 256];
    __syncthreads();
    for (int k = 0; k < m; k++) {
        int even = 0, odd = 0;

        if (t < half) {
            even = v[2 * t];
            odd = v[2 * t + 1];
            odd -= (even + (t + 1 < half ? v[2 * t + 2] : even)) >> 1;
            d[t] = odd;
            c[base + half + t] = odd;
        }
        __syncthreads();
        if (t < half) {
            v[t] = even + (((t > 0 ? d[t - 1] : odd) + odd + 2) >> 2);
        }
        __syncthreads();
        half /= 2;
    }
    if (t < 2 * half) {
        c[base + t] = v[t];
    }
}

// ---- products ----

// Rows of m times m x 32, four rows a block, whose eight warps share the m among them.
KERNEL l_slices(ARGS)
{
    __shared__ float part[8][4][32];
    int lane = threadIdx.x, warp = threadIdx.y;
    const float *row = a + blockIdx.x * 4 * m;
    float sum[4] = {0, 0, 0, 0};

    for (int k = warp; k < m; k += 8) {
        float v = b[k * 32 + lane];

#pragma unroll
        for (int r = 0; r < 4; r++) {
            sum[r] += row[r * m + k] * v;
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        part[warp][r][lane] = sum[r];
    }
    __syncthreads();
    if (warp < 4) {
        float all = 0;

#pragma unroll
        for (int k = 0; k < 8; k++) {
            all += part[k][warp][lane];
        }
        c[(blockIdx.x * 4 + warp) * 32 + lane] = all;
    }
}

// The widest ways of two steps in n x n widths: the best of what is narrowest.
KERNEL l_bottleneck(IARGS)
{
    __shared__ int p[16][16], q[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x, best = 0;

    for (int k = 0; k < n; k += 16) {
        p[y][x] = a[row * n + k + x];
        q[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            best = max(best, min(p[y][j], q[j][x]));
        }
        __syncthreads();
    }
    c[row * n + col] = best;
}

// n x n in double precision, tiles of 16 x 16 of what is read in single.
KERNEL __launch_bounds__(256) l_double_tiles(ARGS)
{
    __shared__ double p[16][16], q[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    double sum = 0;

    for (int k = 0; k < n; k += 16) {
        p[y][x] = 0.1 * a[row * n + k + x];
        q[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            sum = __fma_rn(p[y][j], q[j][x], sum);
        }
        __syncthreads();
    }
    ((double *)c)[row * n + col] = sum;
}

// 32 equations of a warp whose matrix has nothing above its diagonal, from the top.
KERNEL l_substitute(ARGS)
{
    int lane = threadIdx.x & 31;
    const float *row = a + (I - lane) * 32 + lane * 32;
    float v = b[I], own = fabsf(row[lane]) + 9;

    for (int k = 0; k < 32; k++) {
        float x;

        if (lane == k) {
            v = v / own;
        }
        x = __shfl_sync(ALL, v, k);
        if (lane > k) {
            v = __fmaf_rn(-row[k], x, v);
        }
    }
    c[I] = v;
}

// A packed matrix without what is above its diagonal times a vector: a warp a row.
KERNEL l_packed_triangle(ARGS)
{
    int row = I / 32, lane = threadIdx.x & 31;
    const float *p = a + row * (row + 1) / 2;
    float sum = 0;

    if (row >= n) {
        return;
    }
    for (int k = lane; k <= row; k += 32) {
        sum += p[k] * b[k];
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_down_sync(ALL, sum, d);
    }
    if (lane == 0) {
        c[row] = sum;
    }
}

// ---- sums and scans ----

// The largest of rows of n and where it is first, a block of 128 each.
KERNEL l_arg_max(IARGS)
{
    __shared__ int2 warps[4];
    int t = threadIdx.x, best = -1, at = 0;

    for (int k = t; k < n; k += 128) {
        int v = a[blockIdx.x * n + k];

        if (v > best) {
            best = v;
            at = k;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        int v = __shfl_xor_sync(ALL, best, d), k = __shfl_xor_sync(ALL, at, d);

        if (v > best || (v == best && k < at)) {
            best = v;
            at = k;
        }
    }
    if ((t & 31) == 0) {
        warps[t / 32] = make_int2(best, at);
    }
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 4; k++) {
            int2 v = warps[k];

            if (v.x > best || (v.x == best && v.y < at)) {
                best = v.x;
                at = v.y;
            }
        }
        ((int2 *)c)[blockIdx.x] = make_int2(best, at);
    }
}

// Each word times what came before it, plus another, along rows of n: a warp each.
KERNEL l_recurrence(IARGS)
{
    int lane = threadIdx.x & 31, row = I / 32 * n;
    unsigned carry = 1;

    for (int base = row; base < row + n; base += 32) {
        unsigned u = (unsigned)a[base + lane], v = (unsigned)b[base + lane];

        for (int d = 1; d < 32; d *= 2) {
            unsigned s = __shfl_up_sync(ALL, u, d), r = __shfl_up_sync(ALL, v, d);

            if (lane >= d) {
                v += u * r;
                u *= s;
            }
        }
        v += u * carry;
        c[base + lane] = (int)v;
        carry = __shfl_sync(ALL, v, 31);
    }
}

// How deep in brackets each of n letters is, a block of 256 along each text, by votes.
KERNEL l_depth(IARGS)
{
    __shared__ int more[8];
    int t = threadIdx.x, lane = t & 31, warp = t / 32, carry = 0;
    unsigned upto = ALL >> (31 - lane);

    for (int base = 0; base < n; base += 256) {
        int at = base + t, letter = at < n ? a[blockIdx.x * n + at] & 3 : 2;
        unsigned opened = __ballot_sync(ALL, letter == 0);
        unsigned closed = __ballot_sync(ALL, letter == 1);
        int depth = carry + __popc(opened & upto) - __popc(closed & upto);

        if (lane == 0) {
            more[warp] = __popc(opened) - __popc(closed);
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            depth += k < warp ? more[k] : 0;
            carry += more[k];
        }
        if (at < n) {
            c[blockIdx.x * n + at] = depth;
        }
        __syncthreads();
    }
}

// The least and the most in each of n columns of m, blocks of 32 x 16.
KERNEL l_column_ranges(IARGS)
{
    __shared__ int lo[16][32], hi[16][32];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 32 + x;
    int least = 0x7fffffff, most = -least;

    for (int k = y; k < m; k += 16) {
        int v = a[k * n + col];

        least = min(least, v);
        most = max(most, v);
    }
    lo[y][x] = least;
    hi[y][x] = most;
    for (int half = 8; half > 0; half /= 2) {
        __syncthreads();
        if (y < half) {
            lo[y][x] = min(lo[y][x], lo[y + half][x]);
            hi[y][x] = max(hi[y][x], hi[y + half][x]);
        }
    }
    if (y == 0) {
        c[col] = lo[0][x];
        c[n + col] = hi[0][x];
    }
}

// ---- counts ----

// How often n words have each of 4,096 values, two counts of 16 bits a word.
KERNEL l_packed_bins(IARGS)
{
    __shared__ unsigned bins[2048];

    for (int k = threadIdx.x; k < 2048; k += blockDim.x) {
        bins[k] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        int v = a[i] & 4095;

        atomicAdd(&bins[v >> 1], v & 1 ? 65536u : 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 2048; k += blockDim.x) {
        unsigned v = bins[k];

        if ((v & 65535) != 0) {
            atomicAdd(&c[2 * k], (int)(v & 65535));
        }
        if (v >> 16 != 0) {
            atomicAdd(&c[2 * k + 1], (int)(v >> 16));
        }
    }
}

// In which hour of a week n seconds are that have been counted since 1970.
KERNEL l_week(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&c[((unsigned)a[i] / 3600u + 96) % 168u], 1);
    }
}

// Where among n words m kinds (a power of two) are first seen, counted from the end.
KERNEL l_first_seen(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        unsigned key = (unsigned)a[i] * 2654435769u;

        atomicMax(&c[(key ^ key >> 15) & (m - 1)], n - i);
    }
}

// ---- sorts and searches ----

// Two keys a thread of a block, sorted with the places that they came from.
KERNEL l_key_value(IARGS)
{
    __shared__ unsigned long long v[512];
    int t = threadIdx.x, size = 2 * blockDim.x, base = blockIdx.x * size;

    for (int k = t; k < size; k += blockDim.x) {
        v[k] = (unsigned long long)(unsigned)a[base + k] << 32 | (unsigned)k;
    }
    for (int length = 2; length <= size; length *= 2) {
        for (int d = length / 2; d > 0; d /= 2) {
            int at = 2 * t - (t & (d - 1));
            unsigned long long x, y;

            __syncthreads();
            x = v[at];
            y = v[at + d];
            if ((x > y) == ((at & length) == 0)) {
                v[at] = y;
                v[at + d] = x;
            }
        }
    }
    __syncthreads();
    for (int k = t; k < size; k += blockDim.x) {
        ((int2 *)c)[base + k] = make_int2((int)(v[k] >> 32), (int)v[k]);
    }
}

// Two sorted runs of 512 made one: 128 threads find where their eight words begin.
KERNEL l_merge_path(IARGS)
{
    __shared__ int v[1024];
    int *p = v, *q = v + 512;
    int t = threadIdx.x, start = 8 * t, i = max(start - 512, 0), end = min(start, 512);
    int out[8], j;

    for (int k = t; k < 512; k += 128) {
        p[k] = a[k] * (int)(2 + blockIdx.x % 5);
        q[k] = b[k] * b[k] / 170;
    }
    __syncthreads();
    while (i < end) {
        int middle = (i + end) / 2;

        if (p[middle] <= q[start - 1 - middle]) {
            i = middle + 1;
        } else {
            end = middle;
        }
    }
    j = start - i;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (i < 512 && (j >= 512 || p[i] <= q[j])) {
            out[k] = p[i++];
        } else {
            out[k] = q[j++];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        v[start + k] = out[k];
    }
    __syncthreads();
    for (int k = t; k < 1024; k += 128) {
        c[blockIdx.x * 1024 + k] = v[k];
    }
}

// The eight least of m numbers, in a heap of each thread's own in local memory.
KERNEL l_heap(IARGS)
{
    int heap[8];

    for (int k = 0; k < 8; k++) {
        heap[k] = 0x7fffffff;
    }
    for (int k = 0; k < m; k++) {
        int v = a[k * n + I], at = 0;

        if (v >= heap[0]) {
            continue;
        }
        for (;;) {
            int down = 2 * at + 1;

            if (down >= 8) {
                break;
            }
            if (down < 7 && heap[down + 1] > heap[down]) {
                down++;
            }
            if (heap[down] <= v) {
                break;
            }
            heap[at] = heap[down];
            at = down;
        }
        heap[at] = v;
    }
    for (int k = 0; k < 8; k++) {
        c[k * n + I] = heap[k];
    }
}

// Four words a thread down a tree of m levels, level behind level in b.
KERNEL l_level_tree(IARGS)
{
    int4 v = ((const int4 *)a)[I], at = make_int4(0, 0, 0, 0);

    for (int k = 0; k < m; k++) {
        at.x = 2 * at.x + 1 + (v.x > b[at.x]);
        at.y = 2 * at.y + 1 + (v.y > b[at.y]);
        at.z = 2 * at.z + 1 + (v.z > b[at.z]);
        at.w = 2 * at.w + 1 + (v.w > b[at.w]);
    }
    ((int4 *)c)[I] = at;
}

// A word among n squares: its place is guessed from both ends, then halved, by turns.
KERNEL l_guess(IARGS)
{
    int x = a[I], lo = 0, hi = n - 1, steps = 0;

    while (lo < hi) {
        int first = b[lo] * b[lo], last = b[hi] * b[hi], at = (lo + hi) / 2, here;

        if ((steps & 1) == 0) {
            float part = (float)(x - first) / (float)(last - first);

            at = lo + (int)__fmul_rn(part, (float)(hi - lo));
            at = min(max(at, lo), hi - 1);
        }
        here = b[at] * b[at];
        if (here < x) {
            lo = at + 1;
        } else {
            hi = at;
        }
        steps++;
    }
    c[I] = lo << 8 | steps;
}

// ---- whole numbers and codes ----

// How far along a curve that fills a square each point of two times 16 bits is.
KERNEL l_hilbert(IARGS)
{
    unsigned x = a[I] & 65535, y = (unsigned)a[I] >> 16, d = 0;

    for (unsigned s = 32768; s > 0; s /= 2) {
        unsigned right = (x & s) != 0, up = (y & s) != 0;

        d += s * s * (3 * right ^ up);
        if (!up) {
            unsigned swap = x;

            if (right) {
                swap = s - 1 - (x & (s - 1));
                y = s - 1 - (y & (s - 1));
            }
            x = y;
            y = swap;
        }
    }
    c[I] = (int)d;
}

// A block cipher of two words by shifts and sums, m rounds, a key of four words.
KERNEL l_two_words(IARGS)
{
    __shared__ unsigned key[4];
    int2 v = ((const int2 *)a)[I];
    unsigned x = (unsigned)v.x, y = (unsigned)v.y, sum = 0;

    if (threadIdx.x < 4) {
        key[threadIdx.x] = (unsigned)b[threadIdx.x];
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        x += ((y << 4 ^ y >> 5) + y) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        y += ((x << 4 ^ x >> 5) + x) ^ (sum + key[sum >> 11 & 3]);
    }
    ((int2 *)c)[I] = make_int2((int)x, (int)y);
}

__constant__ unsigned long long round_words[8] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull,
    0x8000000080008000ull, 0x000000000000808bull, 0x0000000080000001ull,
    0x8000000080008081ull, 0x8000000000008009ull};

static __device__ unsigned long long turned(unsigned long long v, int by)
{
    return by == 0 ? v : v << by | v >> (64 - by);
}

// A sponge of 25 words of 64 bits takes up eight, is kneaded m times and gives four.
KERNEL __launch_bounds__(64) l_sponge(IARGS)
{
    const int by[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                        25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
    unsigned long long s[25], w[25], column[5];

#pragma unroll
    for (int k = 0; k < 25; k++) {
        s[k] = k < 8 ? ((const unsigned long long *)a)[k * n + I] : 0;
    }
    s[16] = 1ull << 63;
#pragma unroll 1
    for (int k = 0; k < m; k++) {
#pragma unroll
        for (int x = 0; x < 5; x++) {
            column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        }
#pragma unroll
        for (int j = 0; j < 25; j++) {
            int x = j % 5, y = j / 5;
            unsigned long long v = column[(x + 4) % 5] ^ turned(column[(x + 1) % 5], 1);

            w[y + (2 * x + 3 * y) % 5 * 5] = turned(s[j] ^ v, by[j]);
        }
#pragma unroll
        for (int j = 0; j < 25; j++) {
            int y = j / 5 * 5;

            s[j] = w[j] ^ (~w[y + (j + 1) % 5] & w[y + (j + 2) % 5]);
        }
        s[0] ^= round_words[k & 7];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        ((unsigned long long *)c)[k * n + I] = s[k];
    }
}

// Four bytes, each times 2 in the field of 256.
static __device__ unsigned doubled(unsigned v)
{
    return (v & 0x7f7f7f7fu) << 1 ^ (v >> 7 & 0x01010101u) * 0x1du;
}

// Three parities of m disks, from which any three can be made again: n pairs of words.
KERNEL l_parity(IARGS)
{
    uint2 p = make_uint2(0, 0), q = p, r = p;

    for (int k = m - 1; k >= 0; k--) {
        uint2 v = ((const uint2 *)a)[k * n + I];

        p.x ^= v.x;
        p.y ^= v.y;
        q.x = doubled(q.x) ^ v.x;
        q.y = doubled(q.y) ^ v.y;
        r.x = doubled(doubled(r.x)) ^ v.x;
        r.y = doubled(doubled(r.y)) ^ v.y;
    }
    ((uint2 *)c)[I] = p;
    ((uint2 *)c)[n + I] = q;
    ((uint2 *)c)[2 * n + I] = r;
}

// Where in 16 m letters of four a word of 32 is found with the fewest errors, by bits.
KERNEL l_errors(IARGS)
{
    uint2 word = ((const uint2 *)b)[I];
    unsigned more = ALL, less = 0;
    int score = 32, best = 32, place = 0;

    for (int k = 0; k < 16 * m; k++) {
        unsigned letter = (unsigned)a[(k >> 4) * n + I] >> 2 * (k & 15);
        unsigned same =
            (letter & 1 ? word.x : ~word.x) & (letter & 2 ? word.y : ~word.y);
        unsigned v = same | less, h = (((same & more) + more) ^ more) | same;
        unsigned up = less | ~(h | more), down = more & h;

        score += (int)(up >> 31) - (int)(down >> 31);
        up <<= 1;
        more = down << 1 | ~(v | up);
        less = up & v;
        if (score < best) {
            best = score;
            place = k;
        }
    }
    c[I] = best << 16 | place;
}

// 16 marks of a packed text, over and over: a letter, or up to eight seen before.
KERNEL l_unfold(IARGS)
{
    unsigned char out[64];
    int at = 0;

    for (int k = 0; at < 64; k++) {
        int mark = a[(k >> 2 & 3) * n + I] >> 8 * (k & 3) & 255;

        if (mark < 128 || at == 0) {
            out[at++] = (unsigned char)(mark & 127);
        } else {
            int back = min((mark >> 3 & 15) + 1, at),
                end = min(at + (mark & 7) + 1, 64);

            while (at < end) {
                out[at] = out[at - back];
                at++;
            }
        }
    }
    for (int k = 0; k < 16; k++) {
        c[k * n + I] = out[4 * k] | out[4 * k + 1] << 8 | out[4 * k + 2] << 16 |
                       out[4 * k + 3] << 24;
    }
}

// ---- numbers ----

__constant__ float middle_over[6] = {-39.69683f, 220.9461f,  -275.9285f,
                                     138.3578f,  -30.66480f, 2.506628f};
__constant__ float middle_under[6] = {-54.47610f, 161.5858f,  -155.6990f,
                                      66.80131f,  -13.28068f, 1.0f};
__constant__ float end_over[6] = {-0.007784894f, -0.3223965f, -2.400758f,
                                  -2.549733f,    4.374664f,   2.938164f};
__constant__ float end_under[6] = {0.0f,      0.007784696f, 0.3224671f,
                                   2.445134f, 3.754409f,    1.0f};

static __device__ float quotient(const float *over, const float *under, float x)
{
    float u = over[0], v = under[0];

#pragma unroll
    for (int k = 1; k < 6; k++) {
        u = u * x + over[k];
        v = v * x + under[k];
    }
    return u / v;
}

// How far from the mean of a bell 65,536 shares of it are: its ends take another way.
KERNEL l_quantile(IARGS)
{
    float p = ((a[I] & 65535) + 0.5f) / 65536.0f, least = fminf(p, 1 - p), x;

    if (least > 0.02425f) {
        x = (p - 0.5f) * quotient(middle_over, middle_under, (p - 0.5f) * (p - 0.5f));
    } else {
        x = quotient(end_over, end_under, sqrtf(-2.0f * logf(least)));
        x = p < 0.5f ? x : -x;
    }
    ((float *)c)[I] = x;
}

// A sum of m polynomials that swing between -1 and 1, at two places a thread.
KERNEL l_swings(ARGS)
{
    float2 x = ((const float2 *)a)[I], u = make_float2(0, 0), v = u;

    x.x *= 0.125f;
    x.y *= 0.125f;
    for (int k = m - 1; k > 0; k--) {
        float own = b[k];
        float2 w = make_float2(__fmaf_rn(2 * x.x, u.x, own - v.x),
                               __fmaf_rn(2 * x.y, u.y, own - v.y));

        v = u;
        u = w;
    }
    ((float2 *)c)[I] =
        make_float2(__fmaf_rn(x.x, u.x, b[0] - v.x), __fmaf_rn(x.y, u.y, b[0] - v.y));
}

// The waves of a ball up to the m-th, weighted, in double precision.
KERNEL l_waves(ARGS)
{
    double x = 0.125 * a[I], last = 1, p = x, sum = b[0];

    for (int k = 2; k <= m; k++) {
        double q = __dmul_rn((double)(k - 1), last);

        sum = __fma_rn((double)b[k - 1], p, sum);
        q = __fma_rn(__dmul_rn((double)(2 * k - 1), x), p, -q) / k;
        last = p;
        p = q;
    }
    ((double *)c)[I] = sum;
}

// The months until a debt is paid, and the cents paid in all: 64 bits on the way.
KERNEL l_loan(IARGS)
{
    long long debt = 100ll * a[I] + 50000, rate = 900 + (b[I] & 4095), paid = 0;
    long long pay = debt * rate / 1000000 + debt / (12 + (b[I] >> 12 & 31)) + 1;
    int months = 0;

    while (debt > 0) {
        long long due = debt + debt * rate / 1000000;
        long long now = due < pay ? due : pay;

        paid += now;
        debt = due - now;
        months++;
    }
    ((int2 *)c)[I] = make_int2(months, (int)paid);
}

// How like itself a series of n is some places later: n words of shared memory.
KERNEL l_lags(ARGS)
{
    extern __shared__ float series[];
    int t = threadIdx.x;
    float sum = 0;

    for (int k = t; k < n; k += blockDim.x) {
        series[k] = a[blockIdx.x * n + k];
    }
    __syncthreads();
    for (int k = t; k < n; k++) {
        sum += series[k] * series[k - t];
    }
    c[I] = sum / (n - t);
}

// ---- games, graphs, pictures ----

// Cars on a ring of blockDim.x places, 256 at most, m steps: faster, no crash, dawdle.
KERNEL l_traffic(IARGS)
{
    __shared__ int road[2][256];
    int t = threadIdx.x, ring = blockDim.x, v = a[I];

    road[0][t] = (v & 3) == 0 ? v >> 2 & 3 : -1;
    for (int k = 0; k < m; k++) {
        const int *now = road[k & 1];
        int *next = road[~k & 1], speed, to = t;

        __syncthreads();
        speed = now[t];
        next[t] = -1;
        if (speed >= 0) {
            int most = min(speed + 1, 5), free = 0;
            unsigned chance = ((unsigned)v + k) * 2654435769u;

            while (free < most) {
                int ahead = to + 1 < ring ? to + 1 : 0;

                if (now[ahead] >= 0) {
                    break;
                }
                to = ahead;
                free++;
            }
            speed = free;
            if (speed > 0 && chance >> 30 == 0) {
                speed--;
                to = to > 0 ? to - 1 : ring - 1;
            }
        }
        __syncthreads();
        if (speed >= 0) {
            next[to] = speed;
        }
    }
    __syncthreads();
    c[I] = road[m & 1][t];
}

// The least net of wires that joins a block's 64 places, one place after the other.
KERNEL __launch_bounds__(64) l_wires(IARGS)
{
    __shared__ int2 place[64];
    __shared__ unsigned least[2][2];
    int t = threadIdx.x, from = 0, joined = 0;
    int2 own = ((const int2 *)a)[I];
    unsigned best = 4095;

    place[t] = own;
    __syncthreads();
    for (int k = 0; k < 63; k++) {
        int2 other = place[joined];
        unsigned d = (unsigned)(abs(own.x - other.x) + abs(own.y - other.y)), key;

        if (t == joined) {
            best = ALL;
        } else if (best != ALL && d < best) {
            best = d;
            from = joined;
        }
        key = best == ALL ? ALL : best << 6 | (unsigned)t;
        key = __reduce_min_sync(ALL, key);
        if ((t & 31) == 0) {
            least[k & 1][t / 32] = key;
        }
        __syncthreads();
        key = min(least[k & 1][0], least[k & 1][1]);
        joined = (int)(key & 63);
    }
    c[I] = from << 16 | (abs(own.x - place[from].x) + abs(own.y - place[from].y));
}

// What most of eight neighbours think, of eight opinions: n nodes, their edges in b.
KERNEL l_majority(IARGS)
{
    unsigned votes = 0;
    int best = 0, most = 0;

#pragma unroll
    for (int k = 0; k < 8; k++) {
        votes += 1u << 4 * (a[b[k * n + I] & (n - 1)] & 7);
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int count = (int)(votes >> 4 * k & 15);

        if (count > most) {
            most = count;
            best = k;
        }
    }
    c[I] = best << 4 | most;
}

// A picture of n x n seen aslant: where each point comes from, between four of them.
KERNEL l_keystone(ARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, col, row;
    float far = __fmaf_rn(0.001f, (float)x, __fmaf_rn(0.002f, (float)y, 1.0f));
    float u = __fmaf_rn(1.1f, (float)x, __fmaf_rn(0.2f, (float)y, 3.0f)) / far;
    float v = __fmaf_rn(-0.1f, (float)x, __fmaf_rn(1.3f, (float)y, 5.0f)) / far, p, q;
    const float *at;

    u = fminf(fmaxf(u, 0.0f), n - 1.5f);
    v = fminf(fmaxf(v, 0.0f), n - 1.5f);
    col = (int)u;
    row = (int)v;
    u -= col;
    v -= row;
    at = a + row * n + col;
    p = __fmaf_rn(u, at[1] - at[0], at[0]);
    q = __fmaf_rn(u, at[n + 1] - at[n], at[n]);
    c[y * n + x] = __fmaf_rn(v, q - p, p);
}

static __device__ int nearest_colour(const unsigned *colour, unsigned v)
{
    unsigned best = ALL;

#pragma unroll
    for (int k = 0; k < 16; k++) {
        best = min(best, __vsadu4(colour[k], v) << 4 | k);
    }
    return (int)(best & 15);
}

// Four points a thread to the nearest of 16 colours, four bits each.
KERNEL l_palette(IARGS)
{
    __shared__ unsigned colour[16];
    uint4 v = ((const uint4 *)a)[I];

    if (threadIdx.x < 16) {
        colour[threadIdx.x] = (unsigned)b[threadIdx.x];
    }
    __syncthreads();
    c[I] = nearest_colour(colour, v.x) | nearest_colour(colour, v.y) << 4 |
           nearest_colour(colour, v.z) << 8 | nearest_colour(colour, v.w) << 12;
}
