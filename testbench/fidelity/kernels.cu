// The kernels of cases.csv: what programs do to memory, each in its plainest form. All take the
// same arguments, so that one table describes every launch: two inputs a and b, an output c, and
// two numbers whose meaning the kernel says.
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)

// ---- nothing, and little ----

KERNEL k_empty(ARGS) {}

KERNEL k_store_id(IARGS)
{
    c[I] = (int)I;
}

// m rounds of a barrier.
KERNEL k_barriers(IARGS)
{
    for (int i = 0; i < m; i++) {
        __syncthreads();
    }
    c[I] = m;
}

// ---- streams: n elements ----

KERNEL k_copy(ARGS)
{
    if (I < n) {
        c[I] = a[I];
    }
}

KERNEL k_copy2(ARGS)
{
    if (I < n / 2) {
        ((float2 *)c)[I] = ((const float2 *)a)[I];
    }
}

KERNEL k_copy4(ARGS)
{
    if (I < n / 4) {
        ((float4 *)c)[I] = ((const float4 *)a)[I];
    }
}

KERNEL k_copy_loop(ARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        c[i] = a[i];
    }
}

KERNEL k_copy4_loop(ARGS)
{
    for (int i = I; i < n / 4; i += STRIDE) {
        ((float4 *)c)[i] = ((const float4 *)a)[i];
    }
}

KERNEL k_fill4_loop(ARGS)
{
    float4 v = {1, 2, 3, 4};

    for (int i = I; i < n / 4; i += STRIDE) {
        ((float4 *)c)[i] = v;
    }
}

KERNEL k_sum4_loop(ARGS)
{
    float s = 0;

    for (int i = I; i < n / 4; i += STRIDE) {
        float4 v = ((const float4 *)a)[i];

        s += v.x + v.y + v.z + v.w;
    }
    c[I] = s;
}

KERNEL k_add(ARGS)
{
    if (I < n) {
        c[I] = a[I] + b[I];
    }
}

KERNEL k_add4_loop(ARGS)
{
    for (int i = I; i < n / 4; i += STRIDE) {
        float4 x = ((const float4 *)a)[i], y = ((const float4 *)b)[i];

        ((float4 *)c)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}

KERNEL k_saxpy(ARGS)
{
    if (I < n) {
        c[I] += 2.0f * a[I];
    }
}

// Eight loads in flight in a thread, m elements apart.
KERNEL k_load8(ARGS)
{
    float s = 0;

#pragma unroll
    for (int k = 0; k < 8; k++) {
        s += a[I + k * m];
    }
    c[I] = s;
}

// Load, store, load, store: what may be reordered is up to the assembler.
KERNEL k_move8(ARGS)
{
#pragma unroll
    for (int k = 0; k < 8; k++) {
        c[I + k * m] = a[I + k * m] + 1.0f;
    }
}

KERNEL k_offset(ARGS)
{
    c[I + m] = a[I + m] + 1.0f;
}

KERNEL k_stride(ARGS)
{
    c[I * m] = a[I * m] + 1.0f;
}

KERNEL k_reverse(ARGS)
{
    c[n - 1 - I] = a[I];
}

// ---- transposes of n x n, blocks of 32 x 8 ----

#define HERE int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y
#define THERE int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y

KERNEL k_tr_write_columns(ARGS)
{
    HERE;

    for (int j = 0; j < 32; j += 8) {
        c[x * n + y + j] = a[(y + j) * n + x];
    }
}

KERNEL k_tr_read_columns(ARGS)
{
    HERE;

    for (int j = 0; j < 32; j += 8) {
        c[(y + j) * n + x] = a[x * n + y + j];
    }
}

KERNEL k_tr_tile(ARGS)
{
    __shared__ float t[32][32];
    HERE;
    THERE;

    for (int j = 0; j < 32; j += 8) {
        t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        c[(v + j) * n + u] = t[threadIdx.x][threadIdx.y + j];
    }
}

KERNEL k_tr_padded(ARGS)
{
    __shared__ float t[32][33];
    HERE;
    THERE;

    for (int j = 0; j < 32; j += 8) {
        t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        c[(v + j) * n + u] = t[threadIdx.x][threadIdx.y + j];
    }
}

KERNEL k_tr_swizzled(ARGS)
{
    __shared__ float t[32][32];
    HERE;
    THERE;

    for (int j = 0; j < 32; j += 8) {
        t[threadIdx.y + j][threadIdx.x ^ (threadIdx.y + j)] = a[(y + j) * n + x];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        c[(v + j) * n + u] = t[threadIdx.x][(threadIdx.y + j) ^ threadIdx.x];
    }
}

// ---- products of n x n ----

KERNEL k_mm_naive(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;

    for (int k = 0; k < n; k++) {
        s += a[y * n + k] * b[k * n + x];
    }
    c[y * n + x] = s;
}

template <int T> __device__ void mm_tile(ARGS)
{
    __shared__ float ta[T][T], tb[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float s = 0;

    for (int k = 0; k < n; k += T) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int j = 0; j < T; j++) {
            s += ta[threadIdx.y][j] * tb[j][threadIdx.x];
        }
        __syncthreads();
    }
    c[y * n + x] = s;
}

KERNEL k_mm_tile16(ARGS)
{
    mm_tile<16>(a, b, c, n, m);
}

KERNEL k_mm_tile32(ARGS)
{
    mm_tile<32>(a, b, c, n, m);
}

// 64 x 64 of c per block of 16 x 16 threads, 4 x 4 per thread.
KERNEL k_mm_registers(ARGS)
{
    __shared__ float ta[16][65], tb[16][64];
    int t = threadIdx.y * 16 + threadIdx.x, x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    float s[4][4] = {};

    for (int k = 0; k < n; k += 16) {
        for (int i = t; i < 1024; i += 256) {
            ta[i % 16][i / 16] = a[(y0 + i / 16) * n + k + i % 16];
            tb[i / 64][i % 64] = b[(k + i / 64) * n + x0 + i % 64];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            float p[4], q[4];

            for (int i = 0; i < 4; i++) {
                p[i] = ta[j][threadIdx.y * 4 + i];
                q[i] = tb[j][threadIdx.x + i * 16];
            }
            for (int i = 0; i < 4; i++) {
                for (int l = 0; l < 4; l++) {
                    s[i][l] += p[i] * q[l];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        for (int l = 0; l < 4; l++) {
            c[(y0 + threadIdx.y * 4 + i) * n + x0 + threadIdx.x + l * 16] = s[i][l];
        }
    }
}

// A row of n per thread.
KERNEL k_mv_thread(ARGS)
{
    float s = 0;

    for (int k = 0; k < n; k++) {
        s += a[I * n + k] * b[k];
    }
    c[I] = s;
}

// A row of n per warp.
KERNEL k_mv_warp(ARGS)
{
    int row = I / 32, lane = threadIdx.x % 32;
    float s = 0;

    for (int k = lane; k < n; k += 32) {
        s += a[row * n + k] * b[k];
    }
    for (int d = 16; d > 0; d /= 2) {
        s += __shfl_down_sync(0xffffffff, s, d);
    }
    if (lane == 0) {
        c[row] = s;
    }
}

// ---- neighbours ----

KERNEL k_stencil3(ARGS)
{
    if (I > 0 && I < n - 1) {
        c[I] = 0.25f * a[I - 1] + 0.5f * a[I] + 0.25f * a[I + 1];
    }
}

KERNEL k_stencil3_shared(ARGS)
{
    __shared__ float s[1026];
    int t = threadIdx.x + 1;

    s[t] = a[I];
    if (threadIdx.x == 0) {
        s[0] = I > 0 ? a[I - 1] : 0.0f;
    }
    if (threadIdx.x == blockDim.x - 1) {
        s[t + 1] = I < n - 1 ? a[I + 1] : 0.0f;
    }
    __syncthreads();
    c[I] = 0.25f * s[t - 1] + 0.5f * s[t] + 0.25f * s[t + 1];
}

// Five points of an n x n field, blocks of 32 x 8.
KERNEL k_stencil5(ARGS)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * n + x;

    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        c[i] = a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    }
}

KERNEL k_stencil5_shared(ARGS)
{
    __shared__ float s[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * n + x;
    int u = threadIdx.x + 1, v = threadIdx.y + 1;

    s[v][u] = a[i];
    if (threadIdx.x == 0 && x > 0) {
        s[v][0] = a[i - 1];
    }
    if (threadIdx.x == 31 && x < n - 1) {
        s[v][33] = a[i + 1];
    }
    if (threadIdx.y == 0 && y > 0) {
        s[0][u] = a[i - n];
    }
    if (threadIdx.y == 7 && y < n - 1) {
        s[9][u] = a[i + n];
    }
    __syncthreads();
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
        c[i] = s[v][u] + 0.125f * (s[v][u - 1] + s[v][u + 1] + s[v - 1][u] + s[v + 1][u]);
    }
}

// m taps of b, the same for all lanes.
KERNEL k_convolve(ARGS)
{
    float s = 0;

    for (int k = 0; k < m; k++) {
        s += a[I + k] * b[k];
    }
    c[I] = s;
}

__constant__ float taps[256] = {1, 2, 3, 4, 5, 6, 7, 8};

KERNEL k_convolve_constant(ARGS)
{
    float s = 0;

    for (int k = 0; k < m; k++) {
        s += a[I + k] * taps[k];
    }
    c[I] = s;
}

// ---- histograms of n numbers, m bins (a power of two, at most 1024) ----

KERNEL k_hist_global(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&c[a[i] & (m - 1)], 1);
    }
}

KERNEL k_hist_shared(IARGS)
{
    __shared__ int h[1024];

    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        h[i] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&h[a[i] & (m - 1)], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        atomicAdd(&c[i], h[i]);
    }
}

// The same with a weight that is not a constant.
KERNEL k_hist_weighted(IARGS)
{
    __shared__ int h[1024];

    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        h[i] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&h[a[i] & (m - 1)], b[i] & 3);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        atomicAdd(&c[i], h[i]);
    }
}

// A histogram of its own for each warp of a block of 256, m at most 128.
KERNEL k_hist_warps(IARGS)
{
    __shared__ int h[8][128];
    int w = threadIdx.x / 32;

    for (int i = threadIdx.x; i < 8 * 128; i += blockDim.x) {
        h[i / 128][i % 128] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        atomicAdd(&h[w][a[i] & (m - 1)], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
        int s = 0;

        for (int k = 0; k < 8; k++) {
            s += h[k][i];
        }
        atomicAdd(&c[i], s);
    }
}

// ---- sorts of a block's numbers ----

KERNEL k_bitonic(IARGS)
{
    __shared__ int s[1024];
    int t = threadIdx.x;

    s[t] = a[I];
    __syncthreads();
    for (int k = 2; k <= blockDim.x; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;

            if (o > t) {
                int x = s[t], y = s[o];

                if ((x > y) == ((t & k) == 0)) {
                    s[t] = y;
                    s[o] = x;
                }
            }
            __syncthreads();
        }
    }
    c[I] = s[t];
}

KERNEL k_odd_even(IARGS)
{
    __shared__ int s[1024];
    int t = threadIdx.x;

    s[t] = a[I];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
        int i = 2 * t + (k & 1);

        if (i + 1 < blockDim.x && s[i] > s[i + 1]) {
            int x = s[i];

            s[i] = s[i + 1];
            s[i + 1] = x;
        }
        __syncthreads();
    }
    c[I] = s[t];
}

KERNEL k_rank(IARGS)
{
    __shared__ int s[1024];
    int t = threadIdx.x, rank = 0;

    s[t] = a[I];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
        rank += s[k] < s[t] || (s[k] == s[t] && k < t);
    }
    c[blockIdx.x * blockDim.x + rank] = s[t];
}

// ---- scans and sums ----

KERNEL k_scan_steps(ARGS)
{
    __shared__ float s[2][1024];
    int t = threadIdx.x, from = 0;

    s[0][t] = a[I];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0.0f);
        from = 1 - from;
        __syncthreads();
    }
    c[I] = s[from][t];
}

KERNEL k_scan_tree(ARGS)
{
    __shared__ float s[1024];
    int t = threadIdx.x, w = blockDim.x;

    s[t] = a[I];
    for (int d = 1; d < w; d *= 2) {
        int i = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (i < w) {
            s[i] += s[i - d];
        }
    }
    for (int d = w / 4; d > 0; d /= 2) {
        int i = (t + 1) * 2 * d - 1;

        __syncthreads();
        if (i + d < w) {
            s[i + d] += s[i];
        }
    }
    __syncthreads();
    c[I] = s[t];
}

KERNEL k_scan_warps(ARGS)
{
    __shared__ float sums[32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    float v = a[I];

    for (int d = 1; d < 32; d *= 2) {
        float o = __shfl_up_sync(0xffffffff, v, d);

        v += lane >= d ? o : 0.0f;
    }
    if (lane == 31) {
        sums[w] = v;
    }
    __syncthreads();
    if (w == 0) {
        float s = lane < blockDim.x / 32 ? sums[lane] : 0.0f;

        for (int d = 1; d < 32; d *= 2) {
            float o = __shfl_up_sync(0xffffffff, s, d);

            s += lane >= d ? o : 0.0f;
        }
        sums[lane] = s;
    }
    __syncthreads();
    c[I] = v + (w > 0 ? sums[w - 1] : 0.0f);
}

__device__ float block_sum(float v)
{
    __shared__ float s[32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;

    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffff, v, d);
    }
    if (lane == 0) {
        s[w] = v;
    }
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s[lane] : 0.0f;
    if (w == 0) {
        for (int d = 16; d > 0; d /= 2) {
            v += __shfl_down_sync(0xffffffff, v, d);
        }
    }
    return v;
}

KERNEL k_sum_shuffle(ARGS)
{
    float v = 0;

    for (int i = I; i < n; i += STRIDE) {
        v += a[i];
    }
    v = block_sum(v);
    if (threadIdx.x == 0) {
        c[blockIdx.x] = v;
    }
}

KERNEL k_dot(ARGS)
{
    float v = 0;

    for (int i = I; i < n; i += STRIDE) {
        v += a[i] * b[i];
    }
    v = block_sum(v);
    if (threadIdx.x == 0) {
        c[blockIdx.x] = v;
    }
}

KERNEL k_sum_tree(ARGS)
{
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;

    s[t] = a[i] + a[i + blockDim.x];
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        c[blockIdx.x] = s[0];
    }
}

KERNEL k_sum_atomic(IARGS)
{
    int v = 0;

    for (int i = I; i < n; i += STRIDE) {
        v += a[i];
    }
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_down_sync(0xffffffff, v, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(c, v);
    }
}

KERNEL k_count_ballot(IARGS)
{
    __shared__ int places[33];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, v = a[I];
    unsigned take = __ballot_sync(0xffffffff, v & 1);

    if (lane == 0) {
        places[w + 1] = __popc(take);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        places[0] = 0;
        for (int k = 0; k < blockDim.x / 32; k++) {
            places[k + 1] += places[k];
        }
    }
    __syncthreads();
    if (v & 1) {
        c[blockIdx.x * blockDim.x + places[w] + __popc(take & ((1u << lane) - 1))] = v;
    }
}

// Rows of n, a block each: exp(x - max) / sum.
KERNEL k_softmax(ARGS)
{
    __shared__ float most, sum;
    const float *row = a + blockIdx.x * n;
    float v = -1e30f, s = 0;

    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        v = fmaxf(v, row[i]);
    }
    for (int d = 16; d > 0; d /= 2) {
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
    }
    __shared__ float parts[32];
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < blockDim.x / 32; k++) {
            v = fmaxf(v, parts[k]);
        }
        most = v;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        s += __expf(row[i] - most);
    }
    s = block_sum(s);
    if (threadIdx.x == 0) {
        sum = s;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        c[blockIdx.x * n + i] = __fdividef(__expf(row[i] - most), sum);
    }
}

// ---- lanes that part ----

// As many rounds as the number says, below m.
KERNEL k_loop_by_data(IARGS)
{
    int k = a[I] & (m - 1), x = 1;

    while (k-- > 0) {
        x = x * 1103515245 + 12345;
    }
    c[I] = x;
}

KERNEL k_ladder(IARGS)
{
    int v = a[I], x = v;

    switch (v & 7) {
    case 0: x = x * 3 + 1; break;
    case 1: x = x / 7; break;
    case 2: x ^= x << 5; break;
    case 3: x = __popc(x); break;
    case 4: x = x % 11; break;
    case 5: x = b[v & 1023]; break;
    case 6: x = b[(v * 7) & 1023] + b[v & 511]; break;
    default: x = -x; break;
    }
    c[I] = x;
}

KERNEL k_collatz(IARGS)
{
    unsigned v = (a[I] & 0xfff) + 1;
    int steps = 0;

    while (v != 1) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        steps++;
    }
    c[I] = steps;
}

KERNEL k_mandelbrot(ARGS)
{
    float x = (I % 256) * (3.0f / 256) - 2, y = (I / 256) * (2.0f / 256) - 1, u = 0, v = 0;
    int k = 0;

    while (k < m && u * u + v * v < 4) {
        float w = u * u - v * v + x;

        v = 2 * u * v + y;
        u = w;
        k++;
    }
    c[I] = (float)k;
}

// Halves of each warp, one after the other, each with a load of its own.
KERNEL k_halves(ARGS)
{
    float x = 0;

    for (int k = 0; k < m; k++) {
        if (threadIdx.x & 16) {
            x += a[I + k * 32];
        } else {
            x -= b[I + k * 32];
        }
    }
    c[I] = x;
}

// ---- places by data: n a power of two ----

KERNEL k_gather(IARGS)
{
    c[I] = b[a[I] & (n - 1)];
}

KERNEL k_scatter(IARGS)
{
    c[a[I] & (n - 1)] = 1;
}

// m steps of a chain in b, a start for each thread.
KERNEL k_chase(IARGS)
{
    int i = a[I] & (n - 1);

    for (int k = 0; k < m; k++) {
        i = (b[i] + k) & (n - 1);
    }
    c[I] = i;
}

KERNEL k_search(IARGS)
{
    int key = (int)I * 37 & (n - 1), lo = 0, hi = n;

    while (lo < hi) {
        int mid = (lo + hi) / 2;

        if (b[mid] < key) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    c[I] = lo;
}

// ---- shared memory: m apart, 64 loads ----

KERNEL k_banks(IARGS)
{
    __shared__ int s[2048];
    int x = 0;

    for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
        s[i] = a[i];
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 64; k++) {
        x += s[(threadIdx.x * m + k) & 2047];
    }
    c[I] = x;
}

KERNEL k_banks_write(IARGS)
{
    __shared__ int s[2048];

    for (int k = 0; k < 64; k++) {
        s[(threadIdx.x * m + k) & 2047] = k;
        __syncthreads();
    }
    c[I] = s[threadIdx.x];
}

KERNEL k_nbody(ARGS)
{
    __shared__ float4 s[256];
    float x = a[I], y = b[I], ax = 0, ay = 0;

    for (int j = 0; j < n; j += blockDim.x) {
        s[threadIdx.x] = make_float4(a[j + threadIdx.x], b[j + threadIdx.x], 1, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 o = s[k];
            float dx = o.x - x, dy = o.y - y, d = dx * dx + dy * dy + 1;

            ax += dx * o.z * rsqrtf(d);
            ay += dy * o.z * rsqrtf(d);
        }
        __syncthreads();
    }
    c[I] = ax + ay;
}

// ---- arithmetic: m rounds ----

KERNEL k_fma_chain(ARGS)
{
    float x = a[I];

    for (int k = 0; k < m; k++) {
        x = fmaf(x, 0.5f, 1.0f);
    }
    c[I] = x;
}

KERNEL k_fma_wide(ARGS)
{
    float x[8];

    for (int i = 0; i < 8; i++) {
        x[i] = a[I] + i;
    }
    for (int k = 0; k < m; k++) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            x[i] = fmaf(x[i], 0.5f, 1.0f);
        }
    }
    c[I] = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
}

KERNEL k_special(ARGS)
{
    float x = a[I];

    for (int k = 0; k < m; k++) {
        x = __sinf(x) + __expf(-x * x) + rsqrtf(x * x + 1);
    }
    c[I] = x;
}

KERNEL k_divide(IARGS)
{
    int x = a[I] | 1, y = b[I] | 1;

    for (int k = 0; k < m; k++) {
        x = (x / y) + (x % (y + k)) + 1000;
    }
    c[I] = x;
}

KERNEL k_double(ARGS)
{
    double x = a[I];

    for (int k = 0; k < m; k++) {
        x = x * 0.5 + 1.0;
    }
    c[I] = (float)x;
}

KERNEL k_bits(IARGS)
{
    unsigned x = (unsigned)a[I];

    for (int k = 0; k < m; k++) {
        x = __brev(x) ^ (x >> 3) ^ __popc(x) ^ __funnelshift_l(x, x, 7) ^ __clz(x);
    }
    c[I] = (int)x;
}

// An array in local memory, indexed by data.
KERNEL k_local(IARGS)
{
    int s[32];

    for (int k = 0; k < 32; k++) {
        s[k] = a[I + k];
    }
    int x = 0;
    for (int k = 0; k < m; k++) {
        int i = (x + k) & 31;

        s[i] += k;
        x += s[(i * 7) & 31];
    }
    c[I] = x;
}
