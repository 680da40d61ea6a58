// Kernels as people bring them: from courses, libraries and evenings, rather than one thing each.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define ALL 0xffffffffu

// ---- streams: n elements ----

KERNEL p_axpby2(ARGS)
{
    const float2 *x = (const float2 *)a, *y = (const float2 *)b;
    float2 *z = (float2 *)c;

    for (int i = I; i < n / 2; i += STRIDE) {
        float2 p = x[i], q = y[i];

        z[i] = make_float2(2.0f * p.x + 3.0f * q.x, 2.0f * p.y + 3.0f * q.y);
    }
}

// Four elements per thread, a block apart, all loaded before the first is stored.
KERNEL p_triad4(ARGS)
{
    int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float x[4], y[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
        x[k] = a[base + k * blockDim.x];
        y[k] = b[base + k * blockDim.x];
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        c[base + k * blockDim.x] = x[k] + 1.5f * y[k];
    }
}

KERNEL p_swap_pairs(IARGS)
{
    if (I < n / 2) {
        int2 v = ((const int2 *)a)[I];

        ((int2 *)c)[I] = make_int2(v.y, v.x);
    }
}

// n bytes, one per thread.
KERNEL p_upper(IARGS)
{
    const unsigned char *from = (const unsigned char *)a;
    unsigned char *to = (unsigned char *)c;

    for (int i = I; i < n; i += STRIDE) {
        unsigned char ch = from[i] & 127;

        to[i] = ch >= 'a' && ch <= 'z' ? ch - 32 : ch;
    }
}

KERNEL p_gray(IARGS)
{
    if (I < n) {
        uchar4 v = ((const uchar4 *)a)[I];

        ((unsigned char *)c)[I] = (unsigned char)((v.x * 77 + v.y * 150 + v.z * 29) >> 8);
    }
}

struct point {
    float x, y, z;
};

// An array of structures of three floats.
KERNEL p_points(ARGS)
{
    const struct point *p = (const struct point *)a;
    struct point *q = (struct point *)c;

    if (I < n) {
        struct point v = p[I];
        float s = v.x * v.x + v.y * v.y + v.z * v.z + 1.0f;

        q[I].x = v.x * s;
        q[I].y = v.y * s;
        q[I].z = v.z * s;
    }
}

// Indices of 64 bits, six loads in flight.
KERNEL p_wide_index(ARGS)
{
    for (long long i = I; i < n; i += STRIDE) {
        long long j = i + 1 < n ? i + 1 : 0, k = j + 1 < n ? j + 1 : 0;

        c[i] = (a[i] - a[j]) * (b[k] - b[i]) + (a[k] - b[j]);
    }
}

// ---- transposes of n x n ----

KERNEL p_tr_small(ARGS)
{
    __shared__ float t[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;

    t[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    c[y * n + x] = t[threadIdx.x][threadIdx.y];
}

// n is no multiple of the tile.
KERNEL p_tr_odd(ARGS)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

    for (int j = 0; j < 32; j += blockDim.y) {
        if (x < n && y + j < n) {
            t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y) {
        if (x < n && y + j < n) {
            c[(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
        }
    }
}

// ---- products of n x n ----

KERNEL p_mm_bounds(ARGS)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < n && col < n) {
        float s = 0;

        for (int k = 0; k < n; k++) {
            s += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = s;
    }
}

KERNEL p_mm_tile8(ARGS)
{
    __shared__ float x[8][8], y[8][8];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    float s = 0;

    for (int t = 0; t < n / 8; t++) {
        x[ty][tx] = a[row * n + t * 8 + tx];
        y[ty][tx] = b[(t * 8 + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            s += x[ty][k] * y[k][tx];
        }
        __syncthreads();
    }
    c[row * n + col] = s;
}

// 32 x 32 of c per block of 32 x 8, a column of four per thread.
KERNEL p_mm_column(ARGS)
{
    __shared__ float x[32][32], y[32][32];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float s[4] = {0, 0, 0, 0};

    for (int k0 = 0; k0 < n; k0 += 32) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            x[ty + j * 8][tx] = a[(row + j * 8) * n + k0 + tx];
            y[ty + j * 8][tx] = b[(k0 + ty + j * 8) * n + col];
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; k++) {
            float v = y[k][tx];

#pragma unroll
            for (int j = 0; j < 4; j++) {
                s[j] += x[ty + j * 8][k] * v;
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        c[(row + j * 8) * n + col] = s[j];
    }
}

// 64 x 64 of c per block of 256, 4 x 4 per thread, shared memory read four words at a time.
KERNEL p_mm_vector(ARGS)
{
    __shared__ float x[8][68], y[8][64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16, row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float s[4][4] = {};

    for (int k0 = 0; k0 < n; k0 += 8) {
        if (t < 128) {
            float4 v = *(const float4 *)&a[(row0 + t / 2) * n + k0 + t % 2 * 4];

            x[t % 2 * 4][t / 2] = v.x;
            x[t % 2 * 4 + 1][t / 2] = v.y;
            x[t % 2 * 4 + 2][t / 2] = v.z;
            x[t % 2 * 4 + 3][t / 2] = v.w;
        } else {
            int u = t - 128;

            *(float4 *)&y[u / 16][u % 16 * 4] = *(const float4 *)&b[(k0 + u / 16) * n + col0 + u % 16 * 4];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 p = *(const float4 *)&x[k][ty * 4], q = *(const float4 *)&y[k][tx * 4];
            float u[4] = {p.x, p.y, p.z, p.w}, v[4] = {q.x, q.y, q.z, q.w};

#pragma unroll
            for (int i = 0; i < 4; i++) {
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    s[i][j] += u[i] * v[j];
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        *(float4 *)&c[(row0 + ty * 4 + i) * n + col0 + tx * 4] = make_float4(s[i][0], s[i][1], s[i][2], s[i][3]);
    }
}

// Matrix times vector, a row of n per block.
KERNEL p_mv_block(ARGS)
{
    extern __shared__ float part[];
    float s = 0;

    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        s += a[blockIdx.x * n + k] * b[k];
    }
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d) {
            part[threadIdx.x] += part[threadIdx.x + d];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        c[blockIdx.x] = part[0];
    }
}

// The matrix in columns of m, the vector of n through shared memory.
KERNEL p_mv_columns(ARGS)
{
    __shared__ float x[128];
    float s = 0;

    for (int k0 = 0; k0 < n; k0 += 128) {
        __syncthreads();
        if (threadIdx.x < 128) {
            x[threadIdx.x] = b[k0 + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            s += a[(k0 + k) * m + I] * x[k];
        }
    }
    c[I] = s;
}

// ---- neighbours ----

KERNEL p_line9(ARGS)
{
    __shared__ float s[256 + 8];
    int t = threadIdx.x + 4, i = I;

    s[t] = a[i];
    if (threadIdx.x < 4) {
        s[t - 4] = i >= 4 ? a[i - 4] : 0.0f;
        s[t + 256] = i + 256 < n ? a[i + 256] : 0.0f;
    }
    __syncthreads();
    float r = 0;
    for (int k = -4; k <= 4; k++) {
        r += s[t + k];
    }
    c[i] = r;
}

// Nine points of an n x n field.
KERNEL p_blur9(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;

    if (x >= n || y >= n) {
        return;
    }
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int u = min(max(x + dx, 0), n - 1), v = min(max(y + dy, 0), n - 1);

            s += a[v * n + u];
        }
    }
    c[y * n + x] = s * 0.125f;
}

KERNEL p_sobel(ARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * n + x;

    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        float p = a[i - n - 1], q = a[i - n], r = a[i - n + 1], s = a[i - 1], t = a[i + 1];
        float u = a[i + n - 1], v = a[i + n], w = a[i + n + 1];
        float gx = r + 2 * t + w - p - 2 * s - u, gy = u + 2 * v + w - p - 2 * q - r;

        c[i] = fabsf(gx) + fabsf(gy);
    }
}

// Seven points of n x n x m, each thread goes up a column.
KERNEL p_heat3d(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * n + x, plane = n * n;
    float below, here, above;

    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) {
        return;
    }
    here = a[i];
    above = a[i + plane];
    for (int z = 1; z < m - 1; z++) {
        i += plane;
        below = here;
        here = above;
        above = a[i + plane];
        c[i] = 0.25f * here + 0.125f * (below + above + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    }
}

// The game of life on a torus of n x n, n a power of two.
KERNEL p_life(IARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, s = 0;

    for (int k = 0; k < 9; k++) {
        int u = (x + k % 3 - 1) & (n - 1), v = (y + k / 3 - 1) & (n - 1);

        s += k == 4 ? 0 : a[v * n + u] & 1;
    }
    c[y * n + x] = s == 3 || (s == 2 && (a[y * n + x] & 1));
}

// m steps in time of a string of one block, two copies in shared memory.
KERNEL p_wave(ARGS)
{
    __shared__ float s[2][256];
    int t = threadIdx.x, l = (t + 255) & 255, r = (t + 1) & 255;

    s[0][t] = a[I];
    __syncthreads();
    for (int k = 0; k < m; k++) {
        int f = k & 1;

        s[1 - f][t] = 0.5f * s[f][t] + 0.25f * (s[f][l] + s[f][r]);
        __syncthreads();
    }
    c[I] = s[m & 1][t];
}

__constant__ float filter[25] = {1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1};

// 5 x 5 taps in constant memory over n x n, a tile with its rim in shared memory.
KERNEL p_filter5(ARGS)
{
    __shared__ float s[20][20];
    int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 16 - 2;
    float r = 0;

    for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
        int x = x0 + i % 20, y = y0 + i / 20;

        s[i / 20][i % 20] = x >= 0 && y >= 0 && x < n && y < n ? a[y * n + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int v = 0; v < 5; v++) {
#pragma unroll
        for (int u = 0; u < 5; u++) {
            r += filter[v * 5 + u] * s[threadIdx.y + v][threadIdx.x + u];
        }
    }
    c[(y0 + 2 + threadIdx.y) * n + x0 + 2 + threadIdx.x] = r;
}

// ---- counting ----

// A histogram of n * 4 bytes.
KERNEL p_hist_bytes(IARGS)
{
    __shared__ unsigned h[256];

    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];

        atomicAdd(&h[v & 255], 1);
        atomicAdd(&h[v >> 8 & 255], 1);
        atomicAdd(&h[v >> 16 & 255], 1);
        atomicAdd(&h[v >> 24], 1);
    }
    __syncthreads();
    if (h[threadIdx.x] != 0) {
        atomicAdd((unsigned *)&c[threadIdx.x], h[threadIdx.x]);
    }
}

// Lanes with the same bin elect one that adds for all; m bins.
KERNEL p_hist_match(IARGS)
{
    int lane = threadIdx.x & 31;

    for (int i = I; i < n; i += STRIDE) {
        int bin = a[i] & (m - 1);
        unsigned same = __match_any_sync(ALL, bin);

        if (lane == __ffs(same) - 1) {
            atomicAdd(&c[bin], __popc(same));
        }
    }
}

// Sums by key, n keys in global memory.
KERNEL p_scatter_add(IARGS)
{
    atomicAdd(&c[a[I] & (n - 1)], b[I] & 255);
}

// A maximum by compare and swap, m of them.
KERNEL p_cas_max(IARGS)
{
    int *to = &c[I & (m - 1)], v = a[I], old = *(volatile int *)to;

    while (old < v) {
        int seen = atomicCAS(to, old, v);

        if (seen == old) {
            break;
        }
        old = seen;
    }
}

KERNEL p_count_all(IARGS)
{
    if (a[I] % 3 == 0) {
        atomicAdd(c, 1);
    }
}

// ---- sorts ----

// Each warp sorts 32 numbers in registers.
KERNEL p_sort_warp(IARGS)
{
    int lane = threadIdx.x & 31, v = a[I];

    for (int k = 2; k <= 32; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int o = __shfl_xor_sync(ALL, v, j);

            v = ((lane & j) == 0) == ((lane & k) == 0) ? min(v, o) : max(v, o);
        }
    }
    c[I] = v;
}

// A step of a sort over global memory: distance m, direction by bit n.
KERNEL p_sort_step(IARGS)
{
    int i = I, o = i ^ m;
    int x = a[i], y = a[o];

    c[i] = (i < o) == ((i & n) == 0) ? min(x, y) : max(x, y);
}

// A thread for each pair of a block's 2 x blockDim.x numbers.
KERNEL p_brick(IARGS)
{
    extern __shared__ int v[];
    int t = threadIdx.x, w = 2 * blockDim.x, base = blockIdx.x * w;

    v[t] = a[base + t];
    v[t + blockDim.x] = a[base + t + blockDim.x];
    for (int k = 0; k < w; k++) {
        int i = 2 * t + (k & 1);

        __syncthreads();
        if (i + 1 < w) {
            int x = v[i], y = v[i + 1];

            v[i] = min(x, y);
            v[i + 1] = max(x, y);
        }
    }
    __syncthreads();
    c[base + t] = v[t];
    c[base + t + blockDim.x] = v[t + blockDim.x];
}

// m rounds of a radix sort of 256 numbers, one bit each.
KERNEL p_radix(IARGS)
{
    __shared__ int v[256], ones[9];
    int t = threadIdx.x, lane = t & 31, w = t / 32, x = a[I];

    for (int bit = 0; bit < m; bit++) {
        unsigned set = __ballot_sync(ALL, x >> bit & 1);
        int before, total;

        if (lane == 0) {
            ones[w] = __popc(set);
        }
        __syncthreads();
        before = __popc(set & ((1u << lane) - 1));
        total = 0;
        for (int k = 0; k < 8; k++) {
            before += k < w ? ones[k] : 0;
            total += ones[k];
        }
        v[x >> bit & 1 ? 256 - total + before : t - before] = x;
        __syncthreads();
        x = v[t];
        __syncthreads();
    }
    c[I] = x;
}

// Sixteen numbers per thread, in local memory.
KERNEL p_insertion(IARGS)
{
    int v[16];

    for (int k = 0; k < 16; k++) {
        int x = a[I * 16 + k], j = k;

        while (j > 0 && v[j - 1] > x) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = x;
    }
    for (int k = 0; k < 16; k++) {
        c[I * 16 + k] = v[k];
    }
}

// The place of each of n even numbers among n multiples of three.
KERNEL p_merge(IARGS)
{
    int key = 2 * a[I], lo = 0, hi = n;

    while (lo < hi) {
        int mid = (lo + hi) >> 1;

        if (3 * b[mid] < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    c[I + lo] = key;
}

// ---- scans and sums ----

#define PAD(i) ((i) + ((i) >> 5))

// Two numbers per thread, a word of padding after each 32.
KERNEL p_scan_padded(ARGS)
{
    extern __shared__ float s[];
    int t = threadIdx.x, w = 2 * blockDim.x, base = blockIdx.x * w, d = 1;

    s[PAD(t)] = a[base + t];
    s[PAD(t + blockDim.x)] = a[base + t + blockDim.x];
    for (int k = w >> 1; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) {
            s[PAD(d * (2 * t + 2) - 1)] += s[PAD(d * (2 * t + 1) - 1)];
        }
        d *= 2;
    }
    if (t == 0) {
        s[PAD(w - 1)] = 0;
    }
    for (int k = 1; k < w; k *= 2) {
        d >>= 1;
        __syncthreads();
        if (t < k) {
            int i = PAD(d * (2 * t + 1) - 1), j = PAD(d * (2 * t + 2) - 1);
            float x = s[i];

            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    c[base + t] = s[PAD(t)];
    c[base + t + blockDim.x] = s[PAD(t + blockDim.x)];
}

// One copy in shared memory, two barriers a step.
KERNEL p_scan_simple(IARGS)
{
    __shared__ int s[512];
    int t = threadIdx.x;

    s[t] = a[I];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int x = t >= d ? s[t - d] : 0;

        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    c[I] = s[t];
}

// Four numbers per thread, shuffles for the rest.
KERNEL p_scan_four(IARGS)
{
    __shared__ int sums[32];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5, all, before = 0;
    int4 v = ((const int4 *)a)[I];

    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    all = v.w;
    for (int d = 1; d < 32; d <<= 1) {
        int x = __shfl_up_sync(ALL, all, d);

        if (lane >= d) {
            all += x;
        }
    }
    if (lane == 31) {
        sums[w] = all;
    }
    __syncthreads();
    for (int k = 0; k < w; k++) {
        before += sums[k];
    }
    before += all - v.w;
    ((int4 *)c)[I] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}

// Neighbours first, with a remainder: the first kernel of the lecture on reductions.
KERNEL p_sum_modulo(IARGS)
{
    extern __shared__ int parts[];
    int t = threadIdx.x;

    parts[t] = a[I];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (t % (2 * d) == 0) {
            parts[t] += parts[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        c[blockIdx.x] = parts[0];
    }
}

// Many elements per thread, a tree down to one warp, one atomic per block.
KERNEL p_sum_many(ARGS)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    float s = 0;

    for (int i = I; i < n / 4; i += STRIDE) {
        float4 v = ((const float4 *)a)[i];

        s += (v.x + v.y) + (v.z + v.w);
    }
    part[t] = s;
    __syncthreads();
    if (t < 128) {
        part[t] += part[t + 128];
    }
    __syncthreads();
    if (t < 64) {
        part[t] += part[t + 64];
    }
    __syncthreads();
    if (t < 32) {
        s = part[t] + part[t + 32];
        for (int d = 16; d > 0; d >>= 1) {
            s += __shfl_down_sync(ALL, s, d);
        }
        if (t == 0) {
            atomicAdd(c, s);
        }
    }
}

// The block that comes last adds what all have left: c[0] the sum, c[1] a counter.
KERNEL p_sum_last(IARGS)
{
    __shared__ int part[8], last;
    int lane = threadIdx.x & 31, s = 0;

    for (int i = I; i < n; i += STRIDE) {
        s += a[i] & 1023;
    }
    s = __reduce_add_sync(ALL, s);
    if (lane == 0) {
        part[threadIdx.x >> 5] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s = 0;
        for (int k = 0; k < 8; k++) {
            s += part[k];
        }
        c[2 + blockIdx.x] = s;
        __threadfence();
        last = atomicInc((unsigned *)&c[1], gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 32) {
        s = 0;
        for (int i = lane; i < gridDim.x; i += 32) {
            s += ((volatile int *)c)[2 + i];
        }
        s = __reduce_add_sync(ALL, s);
        if (lane == 0) {
            c[0] = s;
        }
    }
}

KERNEL p_max_atomic(IARGS)
{
    int v = 0;

    for (int i = I; i < n; i += STRIDE) {
        v = max(v, a[i]);
    }
    for (int d = 16; d > 0; d >>= 1) {
        v = max(v, __shfl_xor_sync(ALL, v, d));
    }
    if ((threadIdx.x & 31) == 0) {
        atomicMax(c, v);
    }
}

KERNEL p_dot_double(ARGS)
{
    __shared__ double part[8];
    double s = 0;

    for (int i = I; i < n; i += STRIDE) {
        s += (double)a[i] * b[i];
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(ALL, s, d);
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x >> 5] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++) {
            s += part[k];
        }
        c[blockIdx.x] = (float)s;
    }
}

// What is kept of a block moves to its front; how many there are comes first.
KERNEL p_compact(IARGS)
{
    __shared__ int count;
    int lane = threadIdx.x & 31, v = a[I], base = 0;
    unsigned keep;

    if (threadIdx.x == 0) {
        count = 0;
    }
    for (int w = 0; w < blockDim.x / 32; w++) {
        __syncthreads();
        if (w == threadIdx.x / 32) {
            keep = __ballot_sync(ALL, (v & 7) < 3);
            base = count;
            __syncwarp();
            if (lane == 0) {
                count = base + __popc(keep);
            }
            if ((v & 7) < 3) {
                c[blockIdx.x * blockDim.x + base + __popc(keep & ((1u << lane) - 1))] = v;
            }
        }
    }
}

// ---- rows of n ----

// A warp per row.
KERNEL p_layernorm(ARGS)
{
    int row = I / 32, lane = threadIdx.x & 31;
    const float *from = a + row * n;
    float s = 0, q = 0;

    for (int k = lane; k < n; k += 32) {
        float v = from[k];

        s += v;
        q += v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_xor_sync(ALL, s, d);
        q += __shfl_xor_sync(ALL, q, d);
    }
    float mean = s / n, scale = rsqrtf(q / n - mean * mean + 1e-5f);
    for (int k = lane; k < n; k += 32) {
        c[row * n + k] = (from[k] - mean) * scale * b[k];
    }
}

// A block of 256 per row, which stays in shared memory.
KERNEL p_softmax_block(ARGS)
{
    extern __shared__ float row[];
    __shared__ float part[256];
    int t = threadIdx.x;
    float v = -3e38f;

    for (int k = t; k < n; k += 256) {
        row[k] = a[blockIdx.x * n + k];
        v = fmaxf(v, row[k]);
    }
    part[t] = v;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d) {
            part[t] = fmaxf(part[t], part[t + d]);
        }
        __syncthreads();
    }
    float most = part[0], s = 0;
    __syncthreads();
    for (int k = t; k < n; k += 256) {
        row[k] = expf(row[k] - most);
        s += row[k];
    }
    part[t] = s;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d) {
            part[t] += part[t + d];
        }
        __syncthreads();
    }
    s = 1.0f / part[0];
    for (int k = t; k < n; k += 256) {
        c[blockIdx.x * n + k] = row[k] * s;
    }
}

KERNEL p_sigmoid(ARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        c[i] = 1.0f / (1.0f + expf(-a[i])) + tanhf(b[i]);
    }
}

// The nearest of m centres in the plane.
KERNEL p_nearest(ARGS)
{
    extern __shared__ float2 centre[];
    float x = a[2 * I], y = a[2 * I + 1], best = 3e38f;
    int which = 0;

    for (int k = threadIdx.x; k < m; k += blockDim.x) {
        centre[k] = ((const float2 *)b)[k];
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        float dx = x - centre[k].x, dy = y - centre[k].y, d = dx * dx + dy * dy;

        if (d < best) {
            best = d;
            which = k;
        }
    }
    c[I] = (float)which;
}

// ---- places by data: n a power of two ----

// Rows of 32 places, of which as many are used as b says; a thread per row.
KERNEL p_sparse_thread(IARGS)
{
    int used = b[I] & 31, s = 0;

    for (int k = 0; k < used; k++) {
        int v = a[I * 32 + k];

        s += (v >> 16 & 15) * b[v & (n - 1)];
    }
    c[I] = s;
}

// The same with a warp per row.
KERNEL p_sparse_warp(IARGS)
{
    int row = I / 32, lane = threadIdx.x & 31, s = 0;

    if (lane < (b[row] & 31)) {
        int v = a[row * 32 + lane];

        s = (v >> 16 & 15) * b[v & (n - 1)];
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(ALL, s, d);
    }
    if (lane == 0) {
        c[row] = s;
    }
}

// Rows of 64 words looked up in a table of n rows, a quarter warp of four words each.
KERNEL p_embedding(IARGS)
{
    int4 *to = (int4 *)c;
    const int4 *from = (const int4 *)b;
    int row = I / 16, k = I % 16;

    to[row * 16 + k] = from[(a[row] & (n - 1)) * 16 + k];
}

// Two lists of pairs (value, next) at once, m steps.
KERNEL p_two_lists(IARGS)
{
    const int2 *node = (const int2 *)b;
    int i = a[I] & (n - 1), j = (i * 5 + 1) & (n - 1), s = 0;

    for (int k = 0; k < m; k++) {
        int2 p = node[i], q = node[j];

        s += p.x - q.x;
        i = (p.y + k) & (n - 1);
        j = (q.y + k) & (n - 1);
    }
    c[I] = s;
}

// m look-ups in a table of 1024 in shared memory.
KERNEL p_table(IARGS)
{
    __shared__ int table[1024];
    unsigned x = (unsigned)a[I];

    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        table[i] = b[i];
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        x = x / 2 + (unsigned)table[x & 1023];
    }
    c[I] = (int)x;
}

// The order of a Fourier transform, n = 2^m.
KERNEL p_bit_order(IARGS)
{
    c[__brev(I) >> (32 - m)] = a[I];
}

// A step of all shortest paths, through m, in n x n distances.
KERNEL p_paths(IARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;

    c[y * n + x] = min(a[y * n + x], a[y * n + m] + a[m * n + x]);
}

// ---- lanes that part ----

KERNEL p_gcd(IARGS)
{
    unsigned x = (unsigned)a[I] | 1, y = (unsigned)b[I] | 1;

    while (y != 0) {
        unsigned r = x % y;

        x = y;
        y = r;
    }
    c[I] = (int)x;
}

// The height of the flight, 64 bits wide.
KERNEL p_collatz_high(IARGS)
{
    unsigned long long v = (unsigned)(a[I] & m) + 1, high = v;

    while (v > 1) {
        v = (v & 1) ? 3 * v + 1 : v >> 1;
        high = v > high ? v : high;
    }
    c[I] = (int)high;
}

KERNEL p_prime(IARGS)
{
    int v = (a[I] & m) | 1, prime = v > 1;

    for (int d = 3; d * d <= v; d += 2) {
        if (v % d == 0) {
            prime = 0;
            break;
        }
    }
    c[I] = prime;
}

KERNEL p_digits(IARGS)
{
    unsigned v = (unsigned)a[I], s = 0;

    do {
        s += v % 10;
        v /= 10;
    } while (v != 0);
    c[I] = (int)s;
}

KERNEL p_julia(ARGS)
{
    float x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float u = x * (3.0f / n) - 1.5f, v = y * (3.0f / n) - 1.5f;
    int k;

    for (k = 0; k < m; k++) {
        float uu = u * u, vv = v * v;

        if (uu + vv > 4.0f) {
            break;
        }
        v = 2.0f * u * v + 0.156f;
        u = uu - vv - 0.8f;
    }
    c[(blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] = (float)k;
}

// A machine of eight instructions, m of them from b.
KERNEL p_machine(IARGS)
{
    int x = a[I], y = (int)I, pc = 0;

    for (int k = 0; k < m; k++) {
        int code = b[pc];

        pc = (pc + 1) & (n - 1);
        switch ((code + (x & 1)) & 7) {
        case 0: x += y; break;
        case 1: x ^= code; break;
        case 2: y = x * 3; break;
        case 3: x = x > y ? x - y : y - x; break;
        case 4: pc = (pc + (y & 3)) & (n - 1); break;
        case 5: y = (y >> 1) + code; break;
        case 6: x = (x << 3) | (y & 7); break;
        default: x = ~x; break;
        }
    }
    c[I] = x + y;
}

// Down a tree with a stack of its own: the nodes of a heap of n that are above a limit.
KERNEL p_tree(IARGS)
{
    int stack[32], depth = 0, found = 0, limit = a[I] & 1023;

    stack[depth++] = 1;
    while (depth > 0) {
        int i = stack[--depth];

        if (i < n && (b[i] & 1023) > limit) {
            found++;
            if (2 * i < n) {
                stack[depth++] = 2 * i;
                stack[depth++] = 2 * i + 1;
            }
        }
    }
    c[I] = found;
}

// Rounds until all lanes have enough.
KERNEL p_vote(IARGS)
{
    unsigned x = (unsigned)a[I];
    int rounds = 0, seen = 0;

    while (!__all_sync(ALL, seen >= m)) {
        x = x * 1664525u + 1013904223u;
        seen += x >> 31;
        rounds++;
    }
    c[I] = rounds;
}

// ---- numbers ----

// Tiles of 64 bodies, a body per thread; b has their masses.
KERNEL p_bodies(ARGS)
{
    __shared__ float px[64], py[64], mass[64];
    float x = a[I], y = a[n + I], fx = 0, fy = 0;

    for (int j = 0; j < n; j += 64) {
        px[threadIdx.x] = a[j + threadIdx.x];
        py[threadIdx.x] = a[n + j + threadIdx.x];
        mass[threadIdx.x] = b[j + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 64; k++) {
            float dx = px[k] - x, dy = py[k] - y, r2 = dx * dx + dy * dy + 0.01f;
            float f = mass[k] / (r2 * sqrtf(r2));

            fx += f * dx;
            fy += f * dy;
        }
        __syncthreads();
    }
    c[I] = fx + fy;
}

// m points in the unit square, how many in the circle.
KERNEL p_pi(IARGS)
{
    unsigned seed = I * 2654435761u + 12345u;
    int in = 0;

    for (int k = 0; k < m; k++) {
        seed = seed * 1664525u + 1013904223u;
        float x = (seed >> 8) * (1.0f / 16777216.0f);
        seed = seed * 1664525u + 1013904223u;
        float y = (seed >> 8) * (1.0f / 16777216.0f);

        in += x * x + y * y < 1.0f;
    }
    c[I] = in;
}

// m words of random bits per thread, written as they come.
KERNEL p_xorshift(IARGS)
{
    unsigned x = (unsigned)a[I] | 1;

    for (int k = 0; k < m; k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        c[k * STRIDE + I] = (int)x;
    }
}

// A checksum of 64 bytes per thread, by bits and by a table that the block makes first.
KERNEL p_crc(IARGS)
{
    __shared__ unsigned table[256];
    unsigned r = threadIdx.x;

    for (int k = 0; k < 8; k++) {
        r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
    }
    table[threadIdx.x] = r;
    __syncthreads();
    r = ~0u;
    for (int k = 0; k < 16; k++) {
        unsigned v = (unsigned)a[I * 16 + k];

        for (int j = 0; j < 4; j++) {
            r = table[(r ^ v) & 255] ^ r >> 8;
            v >>= 8;
        }
    }
    c[I] = (int)~r;
}

// Where m bytes of b are found in the n bytes of a; letters are few.
KERNEL p_find(IARGS)
{
    const unsigned char *text = (const unsigned char *)a, *word = (const unsigned char *)b;
    int k = 0;

    if (I < n - m) {
        while (k < m && (text[I + k] & 3) == (word[k] & 3)) {
            k++;
        }
        c[I] = k;
    }
}

// The nearest of m words of b, by bits that differ.
KERNEL p_hamming(IARGS)
{
    int v = a[I], best = 33;

    for (int k = 0; k < m; k++) {
        best = min(best, __popc(v ^ b[k]));
    }
    c[I] = best;
}

KERNEL p_power_mod(IARGS)
{
    unsigned long long x = (unsigned)a[I] % 1000003u, r = 1;

    for (unsigned e = (unsigned)m; e != 0; e >>= 1) {
        if (e & 1) {
            r = r * x % 1000003u;
        }
        x = x * x % 1000003u;
    }
    c[I] = (int)r;
}

// A polynomial of m terms in double precision.
KERNEL p_horner(ARGS)
{
    double x = a[I] * 0.125, y = 0;

    for (int k = 0; k < m; k++) {
        y = y * x + (double)b[k];
    }
    c[I] = (float)y;
}

KERNEL p_newton(ARGS)
{
    double v = fabs((double)a[I]) + 1, x = v;

    for (int k = 0; k < m; k++) {
        x = 0.5 * (x + v / x);
    }
    c[I] = (float)x;
}

// A Fourier transform of a block's 256 complex numbers.
KERNEL p_fourier(ARGS)
{
    __shared__ float re[256], im[256];
    int t = threadIdx.x, r = __brev(t) >> 24;

    re[r] = a[I];
    im[r] = b[I];
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        if (t < 128) {
            int k = t & (half - 1), i = 2 * t - k, j = i + half;
            float s, w;

            __sincosf(-3.14159265f * k / half, &s, &w);
            float x = re[j] * w - im[j] * s, y = re[j] * s + im[j] * w;

            re[j] = re[i] - x;
            im[j] = im[i] - y;
            re[i] += x;
            im[i] += y;
        }
        __syncthreads();
    }
    c[2 * I] = re[t];
    c[2 * I + 1] = im[t];
}

// How far words of blockDim.x letters are apart, along the diagonals of their table.
KERNEL p_edits(IARGS)
{
    extern __shared__ int line[]; // three diagonals of blockDim.x + 1
    int t = threadIdx.x, w = blockDim.x, letter = a[I] & 3;
    int *before = line, *last = line + w + 1, *now = line + 2 * (w + 1);

    for (int d = 0; d <= 2 * w; d++) {
        int i = t + 1, j = d - i, *swap;

        if (t == 0 && d <= w) {
            now[0] = d;
        }
        if (j == 0) {
            now[i] = d;
        } else if (j > 0 && j <= w) {
            int other = b[blockIdx.x * w + j - 1] & 3;

            now[i] = min(min(last[i], last[t]) + 1, before[t] + (letter != other));
        }
        __syncthreads();
        swap = before;
        before = last;
        last = now;
        now = swap;
    }
    if (t == w - 1) {
        c[blockIdx.x] = last[w];
    }
}
