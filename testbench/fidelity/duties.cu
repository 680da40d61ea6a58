// Small duties of many trades that the other files leave out: mixing, tilings, seams,
// halves of matrices, sand, scores by key, radio, bonds, boards, frames of genes.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
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

// Two sounds of n samples fade into each other, four pairs of four words in flight.
KERNEL d_crossfade(ARGS)
{
    const float4 *from = (const float4 *)a, *to = (const float4 *)b;
    float4 u[4], v[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
        u[k] = from[I + k * STRIDE];
        v[k] = to[I + k * STRIDE];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float w = 4.0f * (I + k * STRIDE) / n;

        u[k].x += w * (v[k].x - u[k].x);
        u[k].y += w * (v[k].y - u[k].y);
        u[k].z += w * (v[k].z - u[k].z);
        u[k].w += w * (v[k].w - u[k].w);
        ((float4 *)c)[I + k * STRIDE] = u[k];
    }
}

static __device__ unsigned shorter(float x)
{
    unsigned v = __float_as_uint(x);

    return (v + 0x7fff + (v >> 16 & 1)) >> 16;
}

// Floats to their upper halves, rounded, two a word: n groups of four.
KERNEL d_short_floats(ARGS)
{
    if (I < n) {
        float4 v = ((const float4 *)a)[I];
        unsigned x = shorter(0.3f * v.x) | shorter(0.3f * v.y) << 16;
        unsigned y = shorter(0.7f * v.z) | shorter(0.7f * v.w) << 16;

        ((uint2 *)c)[I] = make_uint2(x, y);
    }
}

// Of eight exposures of n points the mean without the darkest and the brightest.
KERNEL d_exposures(ARGS)
{
    float v[8], sum = 0, lo, hi;

#pragma unroll
    for (int k = 0; k < 8; k++) {
        v[k] = a[k * n + I];
    }
    lo = hi = v[0];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        sum += v[k];
        lo = fminf(lo, v[k]);
        hi = fmaxf(hi, v[k]);
    }
    c[I] = (sum - lo - hi) / 6.0f;
}

// Pairs of words go to places all over, each to its own; n is a power of two.
KERNEL d_scatter_pairs(IARGS)
{
    int2 v = ((const int2 *)a)[I];

    ((int2 *)c)[(I * 40503u + m) & (n - 1)] = make_int2(v.y, v.x);
}

// A sound with five echoes of itself, each half as loud.
KERNEL d_echoes(ARGS)
{
    const int late[6] = {0, 441, 1009, 2203, 4801, 9001};

    for (int i = I; i < n; i += STRIDE) {
        float sum = 0, loud = 1;

#pragma unroll
        for (int k = 0; k < 6; k++) {
            sum += loud * (i >= late[k] ? a[i - late[k]] : 0.0f);
            loud *= 0.5f;
        }
        c[i] = sum;
    }
}

// ---- tiles ----

// A matrix of n x n complex numbers turned, by tiles of 16 x 16.
KERNEL d_turn_pairs(ARGS)
{
    __shared__ float2 tile[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16, col = blockIdx.x * 16;

    tile[y][x] = ((const float2 *)a)[(row + y) * n + col + x];
    __syncthreads();
    ((float2 *)c)[(col + y) * n + row + x] = make_float2(tile[x][y].x, -tile[x][y].y);
}

__constant__ unsigned char zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32,
                                         25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                         41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35,
                                         42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                         30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
                                         46, 53, 60, 61, 54, 47, 55, 62, 63};

// Squares of 8 x 8 made coarser towards one corner, then along their diagonals.
KERNEL d_zigzag(IARGS)
{
    __shared__ int v[256];
    int t = threadIdx.x, from = zigzag[t & 63];

    v[t] = (a[I] - 32768) / (m + (t & 7) + (t >> 3 & 7));
    __syncthreads();
    c[I] = v[(t & ~63) + from];
}

// ---- products ----

// What is above the diagonal of a times b, n x n: tiles of zeros are left out.
KERNEL d_upper(ARGS)
{
    __shared__ float p[16][16], q[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    float sum = 0;

    for (int k = blockIdx.y * 16; k < n; k += 16) {
        p[y][x] = k + x >= row ? a[row * n + k + x] : 0.0f;
        q[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            sum += p[y][j] * q[j][x];
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// Whole numbers of n x n, blocks of 32 x 8, the sums by a modulus m.
KERNEL d_mod_product(IARGS)
{
    __shared__ int p[8][32], q[32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y;
    int col = blockIdx.x * 32 + x;
    unsigned sum = 0;

    for (int k = 0; k < n; k += 32) {
        p[y][x] = a[row * n + k + x];
        for (int r = y; r < 32; r += 8) {
            q[r][x] = b[(k + r) * n + col];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            sum += (unsigned)(p[y][j] * q[j][x]);
        }
        __syncthreads();
    }
    c[row * n + col] = (int)(sum % (unsigned)m);
}

// Products of m matrices of 2 x 2 by a prime, n of them side by side.
KERNEL d_chain2(IARGS)
{
    uint4 p = make_uint4(1, 0, 0, 1);

    for (int k = 0; k < m; k++) {
        uint4 q = ((const uint4 *)a)[k * n + I], r;

        r.x = (p.x * q.x + p.y * q.z) % 10007u;
        r.y = (p.x * q.y + p.y * q.w) % 10007u;
        r.z = (p.z * q.x + p.w * q.z) % 10007u;
        r.w = (p.z * q.y + p.w * q.w) % 10007u;
        p = r;
    }
    ((uint4 *)c)[I] = p;
}

// ---- neighbours ----

static __device__ float least_slope(float p, float q)
{
    return p * q <= 0 ? 0.0f : fabsf(p) < fabsf(q) ? p : q;
}

// What flows along a line of n, by slopes that make no new peaks.
KERNEL d_flow(ARGS)
{
    __shared__ float v[260];
    int t = threadIdx.x, i = I;
    float here, before;

    for (int k = t; k < 260; k += 256) {
        v[k] = a[min(max((int)(blockIdx.x * 256) + k - 2, 0), n - 1)];
    }
    __syncthreads();
    if (i >= n) {
        return;
    }
    before = least_slope(v[t + 1] - v[t], v[t + 2] - v[t + 1]);
    here = least_slope(v[t + 2] - v[t + 1], v[t + 3] - v[t + 2]);
    before = __fmaf_rn(0.4f, before, v[t + 1]);
    here = __fmaf_rn(0.4f, here, v[t + 2]);
    c[i] = __fmaf_rn(-0.2f, here - before, v[t + 2]);
}

static __device__ int nine(const int *p, int left, int right, int up, int down)
{
    return p[up + left] + p[up] + p[up + right] + p[left] + p[0] + p[right] +
           p[down + left] + p[down] + p[down + right];
}

// Twenty-seven points of n x n x m: each thread goes up, with three sums of nine.
KERNEL d_box27(IARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int left = x > 0 ? -1 : 0, right = x < n - 1 ? 1 : 0;
    int up = y > 0 ? -n : 0, down = y < n - 1 ? n : 0, layer = n * n;
    const int *p = a + y * n + x;
    int below = nine(p, left, right, up, down), own = below;

    for (int z = 0; z < m; z++) {
        int above = own;

        if (z < m - 1) {
            above = nine(p + (z + 1) * layer, left, right, up, down);
        }
        c[z * layer + y * n + x] = below + own + above - 27 * p[z * layer];
        below = own;
        own = above;
    }
}

// A camera's n x n points behind filters of three colours: all three for each point.
KERNEL d_filters(IARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int l = x > 0 ? x - 1 : 1, r = x < n - 1 ? x + 1 : n - 2;
    int u = (y > 0 ? y - 1 : 1) * n, d = (y < n - 1 ? y + 1 : n - 2) * n;
    int own = a[y * n + x], red, green, blue;
    int side = (a[y * n + l] + a[y * n + r]) / 2, post = (a[u + x] + a[d + x]) / 2;

    if ((x ^ y) & 1) {
        green = own;
        red = y & 1 ? post : side;
        blue = y & 1 ? side : post;
    } else {
        int cross = (a[u + l] + a[u + r] + a[d + l] + a[d + r]) / 4;

        green = (side + post) / 2;
        red = y & 1 ? cross : own;
        blue = y & 1 ? own : cross;
    }
    c[y * n + x] = red << 16 | green << 8 | blue;
}

// The cheapest seam down m rows of a picture of 256 columns, a block each.
KERNEL d_seam(IARGS)
{
    __shared__ int cost[2][258];
    int t = threadIdx.x, v = a[blockIdx.x * m * 256 + t];

    cost[0][t + 1] = v;
    if (t < 2) {
        cost[t][0] = cost[t][257] = 1 << 28;
    }
    for (int k = 1; k < m; k++) {
        const int *was = cost[(k - 1) & 1];

        __syncthreads();
        v = min(min(was[t], was[t + 2]), was[t + 1]) +
            a[(blockIdx.x * m + k) * 256 + t];
        cost[k & 1][t + 1] = v;
    }
    c[I] = v;
}

// A row of 1,024 cells a warp lives by rule 110, m steps in registers.
KERNEL d_rule(IARGS)
{
    unsigned v = (unsigned)a[I];
    int lane = threadIdx.x & 31;

    for (int k = 0; k < m; k++) {
        unsigned l = __shfl_sync(ALL, v, (lane + 1) & 31);
        unsigned r = __shfl_sync(ALL, v, (lane + 31) & 31);

        l = v >> 1 | l << 31;
        r = v << 1 | r >> 31;
        v = (v | r) & ~(l & v & r);
    }
    c[I] = (int)v;
}

// Heaps of sand on 32 x 32 fields fall over until all are low, or m times.
KERNEL d_sand(IARGS)
{
    __shared__ int high[34][34];
    int x = threadIdx.x + 1, y = threadIdx.y + 1, t = threadIdx.y * 32 + threadIdx.x;
    int v = a[blockIdx.x * 1024 + t];

    for (int k = t; k < 34 * 34; k += 1024) {
        high[k / 34][k % 34] = 0;
    }
    __syncthreads();
    high[y][x] = v;
    for (int k = 0; k < m; k++) {
        if (!__syncthreads_or(v > 3)) {
            break;
        }
        v += (high[y - 1][x] > 3) + (high[y + 1][x] > 3) + (high[y][x - 1] > 3) +
             (high[y][x + 1] > 3) - (v > 3 ? 4 : 0);
        __syncthreads();
        high[y][x] = v;
    }
    c[blockIdx.x * 1024 + t] = v;
}

// ---- counts ----

// How often 16 levels of one picture meet 16 of another: n points.
KERNEL d_joint(IARGS)
{
    __shared__ int count[256];

    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&count[(a[i] & 15) * 16 + (b[i] & 15)], 1);
    }
    __syncthreads();
    atomicAdd(&c[threadIdx.x], count[threadIdx.x]);
}

// Degrees of the m (a power of two) nodes of n edges, which are pairs of words.
KERNEL d_degrees(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        int2 edge = ((const int2 *)a)[i];

        if (edge.x != edge.y) {
            atomicAdd(&c[edge.x & (m - 1)], 1);
            atomicAdd(&c[edge.y & (m - 1)], 1);
        }
    }
}

// The highest and (as its complement) the lowest score for each of m keys.
KERNEL d_scores(IARGS)
{
    unsigned *best = (unsigned *)c;

    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];
        int key = b[i] & (m - 1);

        atomicMax(&best[2 * key], v);
        atomicMax(&best[2 * key + 1], ~v);
    }
}

// ---- scans and sorts ----

// The records so far along a row of n, a block of 256 goes along each.
KERNEL d_records(IARGS)
{
    __shared__ int top[8];
    int t = threadIdx.x, lane = t & 31, warp = t / 32, row = blockIdx.x * n, carry = 0;

    for (int base = 0; base < n; base += 256) {
        int at = base + t, v = at < n ? a[row + at] : 0;

        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(ALL, v, d);

            v = lane >= d ? max(v, other) : v;
        }
        if (lane == 31) {
            top[warp] = v;
        }
        __syncthreads();
        v = max(v, carry);
        for (int k = 0; k < 8; k++) {
            v = k < warp ? max(v, top[k]) : v;
            carry = max(carry, top[k]);
        }
        if (at < n) {
            c[row + at] = v;
        }
        __syncthreads();
    }
}

// Each thread sorts 16 numbers in its column of shared memory by steps of 7, 3 and 1.
KERNEL d_shell(IARGS)
{
    __shared__ int v[16][64];
    int t = threadIdx.x;

    for (int k = 0; k < 16; k++) {
        v[k][t] = a[k * n + I];
    }
    for (int step = 7; step > 0; step /= 2) {
        for (int k = step; k < 16; k++) {
            int x = v[k][t], j = k;

            while (j >= step && v[j - step][t] > x) {
                v[j][t] = v[j - step][t];
                j -= step;
            }
            v[j][t] = x;
        }
    }
    for (int k = 0; k < 16; k++) {
        c[k * n + I] = v[k][t];
    }
}

// A block's 256 numbers by their remainder of 3, in their order otherwise.
KERNEL d_three_ways(IARGS)
{
    __shared__ int count[24];
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32, v = a[I], kind = v % 3;
    int place = 0;

#pragma unroll
    for (int k = 0; k < 3; k++) {
        unsigned votes = __ballot_sync(ALL, kind == k);

        if (kind == k) {
            place = __popc(votes & ((1u << lane) - 1));
        }
        if (lane == 0) {
            count[k * 8 + warp] = __popc(votes);
        }
    }
    __syncthreads();
    for (int k = 0; k < kind * 8 + warp; k++) {
        place += count[k];
    }
    c[blockIdx.x * 256 + place] = v;
}

// Ranks among the 32 numbers of a warp, each shown to all in its turn.
KERNEL d_warp_ranks(IARGS)
{
    int v = a[I], lane = threadIdx.x & 31, rank = 0;

    for (int k = 0; k < 32; k++) {
        int other = __shfl_sync(ALL, v, k);

        rank += other < v || (other == v && k < lane);
    }
    c[I - lane + rank] = v;
}

// ---- warps and blocks ----

// Where in m words of its own a warp first finds a byte n; it stops there.
KERNEL d_first(IARGS)
{
    int warp = I / 32, lane = threadIdx.x & 31, found = -1;

    for (int k = lane; k < m; k += 32) {
        unsigned hits = __ballot_sync(ALL, (a[warp * m + k] & 255) == n);

        if (hits != 0) {
            found = k - lane + __ffs(hits) - 1;
            break;
        }
    }
    if (lane == 0) {
        c[warp] = found;
    }
}

// Power and peak of n samples, a block of 128 each, by the warp's own sums.
KERNEL d_loudness(IARGS)
{
    __shared__ int power[4], peak[4];
    int t = threadIdx.x, s = 0, p = 0;

    for (int k = t; k < n; k += 128) {
        int v = (a[blockIdx.x * n + k] & 255) - 128;

        s += v * v;
        p = max(p, abs(v));
    }
    s = __reduce_add_sync(ALL, s);
    p = __reduce_max_sync(ALL, p);
    if ((t & 31) == 0) {
        power[t / 32] = s;
        peak[t / 32] = p;
    }
    __syncthreads();
    if (t == 0) {
        s = power[0] + power[1] + power[2] + power[3];
        p = max(max(peak[0], peak[1]), max(peak[2], peak[3]));
        ((int2 *)c)[blockIdx.x] = make_int2(s / n, p);
    }
}

// Mean and spread of rows of m, a warp each: in turn, then by pairs of lanes.
KERNEL d_spread(ARGS)
{
    int row = I / 32, lane = threadIdx.x & 31, count = 0;
    float mean = 0, square = 0;

    for (int k = lane; k < m; k += 32) {
        float v = a[row * m + k], d = v - mean;

        mean += d / ++count;
        square += d * (v - mean);
    }
    for (int step = 1; step < 32; step *= 2) {
        float other = __shfl_xor_sync(ALL, mean, step), d = other - mean;
        float half = 0.5f * count;

        square = square + __shfl_xor_sync(ALL, square, step);
        square = __fmaf_rn(__fmul_rn(d, d), half, square);
        mean = 0.5f * (mean + other);
        count *= 2;
    }
    if (lane == 0) {
        ((float2 *)c)[row] = make_float2(mean, square / count);
    }
}

// A block's warps draw n sums of up to m words, one ticket after the other.
KERNEL d_tickets(IARGS)
{
    __shared__ int next;
    int lane = threadIdx.x & 31;

    if (threadIdx.x == 0) {
        next = 0;
    }
    __syncthreads();
    for (;;) {
        int task = 0, size, sum = 0;

        if (lane == 0) {
            task = atomicAdd(&next, 1);
        }
        task = __shfl_sync(ALL, task, 0);
        if (task >= n) {
            break;
        }
        task += blockIdx.x * n;
        size = (b[task] & (m - 1)) + 1;
        for (int k = lane; k < size; k += 32) {
            sum += a[task * m + k];
        }
        sum = __reduce_add_sync(ALL, sum);
        if (lane == 0) {
            c[task] = sum;
        }
    }
}

// ---- tables ----

__constant__ int swaps[64] = {11, 48, 21, 58, 31, 4,  41, 14, 51, 24, 61, 34, 7,
                              44, 17, 54, 27, 0,  37, 10, 47, 20, 57, 30, 3,  40,
                              13, 50, 23, 60, 33, 6,  43, 16, 53, 26, 63, 36, 9,
                              46, 19, 56, 29, 2,  39, 12, 49, 22, 59, 32, 5,  42,
                              15, 52, 25, 62, 35, 8,  45, 18, 55, 28, 1,  38};

// Six bits at a time through a table in constant memory, m rounds of five.
KERNEL d_swap_bits(IARGS)
{
    unsigned v = (unsigned)a[I] & 0x3fffffff;

    for (int k = 0; k < m; k++) {
        unsigned w = 0;

        for (int j = 0; j < 30; j += 6) {
            w |= (unsigned)swaps[v >> j & 63] << j;
        }
        v = (w << 11 | w >> 19) & 0x3fffffff;
    }
    c[I] = (int)v;
}

// Heights of n points on a map of 16 x 16 in shared memory, between four of it.
KERNEL d_map(ARGS)
{
    __shared__ float map[16][17];

    map[threadIdx.x / 16][threadIdx.x % 16] = b[threadIdx.x];
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        float2 at = ((const float2 *)a)[i];
        float x = __fmul_rn(0.9f, at.x + 8), y = __fmul_rn(0.9f, at.y + 8);
        int col = (int)x, row = (int)y;
        float u = x - col, p = map[row][col], q = map[row + 1][col];

        p = __fmaf_rn(u, map[row][col + 1] - p, p);
        q = __fmaf_rn(u, map[row + 1][col + 1] - q, q);
        c[i] = __fmaf_rn(y - row, q - p, p);
    }
}

// Addresses through a directory of 256 pages, then their words: four at once.
KERNEL d_pages(IARGS)
{
    int4 v = ((const int4 *)a)[I], p;

    p.x = b[v.x >> 8 & 255] & 15;
    p.y = b[v.y >> 8 & 255] & 15;
    p.z = b[v.z >> 8 & 255] & 15;
    p.w = b[v.w >> 8 & 255] & 15;
    p.x = b[256 + (p.x << 8 | (v.x & 255))];
    p.y = b[256 + (p.y << 8 | (v.y & 255))];
    p.z = b[256 + (p.z << 8 | (v.z & 255))];
    p.w = b[256 + (p.w << 8 | (v.w & 255))];
    ((int4 *)c)[I] = p;
}

// Short and long of 26 letters from the lowest bit, long is 1, with a 1 above.
__constant__ unsigned char morse[26] = {6,  17, 21, 9,  2,  20, 11, 16, 4,
                                        30, 13, 18, 7,  5,  15, 22, 27, 10,
                                        8,  3,  12, 24, 14, 25, 29, 19};

// Four letters as a radio sends them: on for 1 or 3 ticks, off for 1, off for 2 more.
KERNEL d_morse(IARGS)
{
    if (I < n) {
        unsigned v = (unsigned)a[I];
        unsigned long long out = 0;
        int at = 0;

        for (int k = 0; k < 4; k++) {
            for (int s = morse[(v >> 8 * k & 255) % 26]; s > 1; s >>= 1) {
                out |= (s & 1 ? 7ull : 1ull) << at;
                at += s & 1 ? 4 : 2;
            }
            at += 2;
        }
        ((int2 *)c)[I] = make_int2((int)out, (int)(out >> 32));
    }
}

// ---- bytes ----

// Blanks out of texts of 16 letters, in local memory.
KERNEL d_squeeze(IARGS)
{
    int4 v = ((const int4 *)a)[I];
    int word[4] = {v.x, v.y, v.z, v.w}, at = 0;
    unsigned char out[16];

    for (int k = 0; k < 16; k++) {
        out[k] = ' ';
    }
#pragma unroll
    for (int k = 0; k < 16; k++) {
        int letter = word[k / 4] >> 8 * (k % 4) & 255;

        if ((letter & 3) != 0) {
            out[at++] = (unsigned char)letter;
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        word[k] = out[4 * k] | out[4 * k + 1] << 8 | out[4 * k + 2] << 16 |
                  out[4 * k + 3] << 24;
    }
    ((int4 *)c)[I] = make_int4(word[0], word[1], word[2], word[3]);
}

// A program's text of m words a thread: letters in remarks, in strings, and lines.
KERNEL d_remarks(IARGS)
{
    int state = 0, remarks = 0, strings = 0, lines = 0;

    for (int k = 0; k < 4 * m; k++) {
        int letter = a[(k >> 2) * n + I] >> 8 * (k & 3) & 7;

        lines += letter == 3;
        switch (state) {
        case 0: state = letter == 0 ? 1 : letter == 2 ? 4 : 0; break;
        case 1: state = letter == 1 ? 2 : letter == 0 ? 5 : letter == 2 ? 4 : 0; break;
        case 2:
            remarks++;
            state = letter == 1 ? 3 : 2;
            break;
        case 3: state = letter == 0 ? 0 : letter == 1 ? 3 : 2; break;
        case 4:
            strings++;
            state = letter == 2 || letter == 3 ? 0 : 4;
            break;
        default:
            remarks++;
            state = letter == 3 ? 0 : 5;
            break;
        }
    }
    c[I] = remarks << 20 | strings << 10 | lines;
}

// Whole numbers to twelve letters each, to the right.
KERNEL d_print(IARGS)
{
    unsigned v = (unsigned)abs(a[I]), word = 0;
    char out[12];
    int at = 11;

    for (int k = 0; k < 12; k++) {
        out[k] = ' ';
    }
    do {
        out[at--] = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    if (a[I] < 0) {
        out[at] = '-';
    }
    for (int k = 0; k < 12; k++) {
        word = word >> 8 | (unsigned)out[k] << 24;
        if (k % 4 == 3) {
            c[3 * I + k / 4] = (int)word;
        }
    }
}

static __device__ unsigned compressed(int v)
{
    int sample = (short)v, high = min(abs(sample), 32635) + 132, e = 24 - __clz(high);

    return 255u & ~((sample < 0 ? 128 : 0) | e << 4 | (high >> (e + 3) & 15));
}

// Samples of 16 bits to 8, as a telephone does, four a word.
KERNEL d_telephone(IARGS)
{
    int4 v = ((const int4 *)a)[I];

    c[I] = (int)(compressed(v.x) | compressed(v.y) << 8 | compressed(v.z) << 16 |
                 compressed(v.w) << 24);
}

// ---- whole numbers ----

// (t + u q) / 2^32 by an odd q: t is below q 2^32, less is 1 / -q.
static __device__ unsigned reduced(unsigned long long t, unsigned q, unsigned less)
{
    unsigned u = (unsigned)t * less;
    unsigned r = (unsigned)((t + (unsigned long long)u * q) >> 32);

    return r >= q ? r - q : r;
}

// Powers m by odd numbers of 31 bits, without division on the way.
KERNEL d_montgomery(IARGS)
{
    unsigned q = (unsigned)b[I] >> 1 | 1, less = q, one = (0u - q) % q, x, y = one;
    unsigned two = (unsigned)((unsigned long long)one * one % q);

    for (int k = 0; k < 4; k++) {
        less *= 2 - q * less;
    }
    less = 0u - less;
    x = reduced((unsigned long long)((unsigned)a[I] % q) * two, q, less);
    for (int e = m; e != 0; e >>= 1) {
        if (e & 1) {
            y = reduced((unsigned long long)x * y, q, less);
        }
        x = reduced((unsigned long long)x * x, q, less);
    }
    c[I] = (int)reduced(y, q, less);
}

// Squares of a chess board that a knight reaches in m moves, none on blocked ones.
KERNEL d_knights(IARGS)
{
    int2 shut = ((const int2 *)a)[I];
    unsigned long long open = ~((unsigned long long)(unsigned)shut.y << 32 |
                                ((unsigned)shut.x & (unsigned)shut.y << 7));
    unsigned long long seen = 1ull << (b[I] & 63);

    for (int k = 0; k < m; k++) {
        unsigned long long l1 = seen >> 1 & 0x7f7f7f7f7f7f7f7full;
        unsigned long long l2 = seen >> 2 & 0x3f3f3f3f3f3f3f3full;
        unsigned long long r1 = seen << 1 & 0xfefefefefefefefeull;
        unsigned long long r2 = seen << 2 & 0xfcfcfcfcfcfcfcfcull;
        unsigned long long one = l1 | r1, two = l2 | r2;
        unsigned long long moves = one << 16 | one >> 16 | two << 8 | two >> 8;

        if ((moves & open & ~seen) == 0) {
            break;
        }
        seen |= moves & open;
    }
    ((int2 *)c)[I] = make_int2((int)seen, __popcll(seen));
}

// ---- numbers ----

// How far, and for how long, n stones fly that are thrown from a height.
KERNEL d_throw(ARGS)
{
    if (I < n) {
        float angle = 0.1f * a[I], speed = 9.0f + b[I], up = speed * sinf(angle);
        float time = (up + sqrtf(up * up + 2 * 9.81f * 1.7f)) / 9.81f;

        ((float2 *)c)[I] = make_float2(speed * cosf(angle) * time, time);
    }
}

// The level of windows of m samples, a warp each, their ends faded.
KERNEL d_level(ARGS)
{
    int row = I / 32, lane = threadIdx.x & 31;
    float sum = 0;

    for (int k = lane; k < m; k += 32) {
        float v = a[row * m + k] * (0.5f - 0.5f * __cosf(6.2831853f * k / m));

        sum += v * v;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(ALL, sum, d);
    }
    if (lane == 0) {
        c[row] = 10 * log10f(sum / m + 1e-6f);
    }
}

// e to a power by its series in double precision, as many terms as it needs.
KERNEL d_series(ARGS)
{
    double x = 0.25 * a[I], term = 1, sum = 1;

    for (int k = 1; fabs(term) > 1e-9; k++) {
        term = __dmul_rn(term, x) / k;
        sum = __dadd_rn(sum, term);
    }
    ((double *)c)[I] = sum;
}

// The yields of bonds of m years from their prices, five steps in double precision.
KERNEL d_yield(ARGS)
{
    double rate = 10 + a[I], price = 90 + b[I], v = 0.9;

    for (int k = 0; k < 5; k++) {
        double s = 100 + rate, d = 0;

        for (int j = 1; j < m; j++) {
            d = __fma_rn(v, d, s);
            s = __fma_rn(v, s, rate);
        }
        v -= __fma_rn(v, s, -price) / __fma_rn(v, d, s);
    }
    ((double *)c)[I] = 1 / v - 1;
}

// m steps of a charge in a field that grows to one side: turned, then moved.
KERNEL d_charge(ARGS)
{
    float x = a[I], y = a[n + I], u = 0.1f * b[I], v = 0.1f * b[n + I];

    for (int k = 0; k < m; k++) {
        float t = __fmaf_rn(0.01f, x, 0.2f), s = (t + t) / __fmaf_rn(t, t, 1.0f);
        float p = __fmaf_rn(v, t, u), q = __fmaf_rn(-u, t, v);

        u = __fmaf_rn(q, s, u);
        v = __fmaf_rn(-p, s, v);
        x = __fmaf_rn(0.5f, u, x);
        y = __fmaf_rn(0.5f, v, y);
    }
    ((float4 *)c)[I] = make_float4(x, y, u, v);
}

// ---- genes, graphs, change ----

// The longest run without a stop in 32 letters, in three frames.
KERNEL d_frames(IARGS)
{
    int2 w = ((const int2 *)a)[I];
    unsigned long long v = (unsigned long long)(unsigned)w.y << 32 | (unsigned)w.x;
    int best = 0;

    for (int frame = 0; frame < 3; frame++) {
        int run = 0;

        for (int k = frame; k < 30; k += 3) {
            int codon = (int)(v >> 2 * k) & 63;

            run = codon == 3 || codon == 35 || codon == 11 ? 0 : run + 1;
            best = max(best, run * 4 + frame);
        }
    }
    c[I] = best;
}

// The least hash of 8 words of 8 letters that follow each place, which marks a read.
KERNEL d_marks(IARGS)
{
    __shared__ unsigned char letter[272];
    __shared__ unsigned hash[264];
    int t = threadIdx.x, base = blockIdx.x * 256;
    unsigned least = ALL;

    for (int k = t; k < 272; k += 256) {
        letter[k] = (unsigned char)(a[base + k] & 3);
    }
    __syncthreads();
    for (int k = t; k < 264; k += 256) {
        unsigned v = 0;

        for (int j = 0; j < 8; j++) {
            v = v << 2 | letter[k + j];
        }
        v *= 2654435761u;
        hash[k] = v ^ v >> 15;
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        least = min(least, hash[t + k]);
    }
    c[base + t] = (int)least;
}

// Up from each of n nodes to the root of its tree: above i is i & a[i].
KERNEL d_root(IARGS)
{
    if (I < n) {
        int at = I, above = at & a[at], steps = 0;

        while (above != at) {
            at = above;
            above = at & a[at];
            steps++;
        }
        c[I] = at << 8 | steps;
    }
}

// In how many ways m coins of a block's own give each amount below 256.
KERNEL d_change(IARGS)
{
    __shared__ unsigned ways[256];
    int t = threadIdx.x;

    for (int k = t; k < 256; k += blockDim.x) {
        ways[k] = k == 0;
    }
    for (int j = 0; j < m; j++) {
        int coin = b[blockIdx.x * m + j] + 3;

        __syncthreads();
        if (t < coin) {
            unsigned sum = ways[t];

            for (int k = t + coin; k < 256; k += coin) {
                ways[k] = sum += ways[k];
            }
        }
    }
    __syncthreads();
    for (int k = t; k < 256; k += blockDim.x) {
        c[blockIdx.x * 256 + k] = (int)ways[k];
    }
}
