// Kernels that do a whole small task each: of pictures, texts, graphs, equations, games and chance.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define ALL 0xffffffffu

__device__ __forceinline__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

// ---- element by element ----

// Floats to signed bytes, four per thread.
KERNEL q_quantize(ARGS)
{
    if (I < n / 4) {
        float4 v = ((const float4 *)a)[I];
        char4 q;

        q.x = (signed char)max(-127, min(127, __float2int_rn(v.x * 20.0f)));
        q.y = (signed char)max(-127, min(127, __float2int_rn(v.y * 20.0f)));
        q.z = (signed char)max(-127, min(127, __float2int_rn(v.z * 20.0f)));
        q.w = (signed char)max(-127, min(127, __float2int_rn(v.w * 20.0f)));
        ((char4 *)c)[I] = q;
    }
}

// A step of an optimizer with two moments: weights, then the moments, n each in c.
KERNEL q_adam(ARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        float g = a[i] + 0.01f * c[i];
        float first = 0.9f * c[n + i] + 0.1f * g, second = 0.99f * c[2 * n + i] + 0.01f * g * g;

        c[n + i] = first;
        c[2 * n + i] = second;
        c[i] -= 0.001f * first / (sqrtf(second) + 1e-6f);
    }
}

// Bytes R G B R G B ... to three planes of n bytes.
KERNEL q_planes(IARGS)
{
    const unsigned char *from = (const unsigned char *)a;
    unsigned char *to = (unsigned char *)c;

    if (I < n) {
        unsigned char r = from[3 * I], g = from[3 * I + 1], blue = from[3 * I + 2];

        to[I] = r;
        to[n + I] = g;
        to[2 * n + I] = blue;
    }
}

// A picture of words R G B A to brightness and two differences.
KERNEL q_color(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];
        int r = v & 255, g = v >> 8 & 255, blue = v >> 16 & 255;
        int y = (66 * r + 129 * g + 25 * blue + 128) >> 8;
        int cb = (-38 * r - 74 * g + 112 * blue + 128) >> 8, cr = (112 * r - 94 * g - 18 * blue + 128) >> 8;

        c[i] = (y + 16) | (cb + 128) << 8 | (cr + 128) << 16 | (int)(v & 0xff000000u);
    }
}

// Each byte through a table of 256 in shared memory.
KERNEL q_gamma(IARGS)
{
    __shared__ unsigned char table[256];

    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        table[k] = (unsigned char)(k * k / 255 + (b[k] & 1));
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        uchar4 v = ((const uchar4 *)a)[i];

        ((uchar4 *)c)[i] = make_uchar4(table[v.x], table[v.y], table[v.z], table[v.w]);
    }
}

// Spectra multiplied: n complex numbers.
KERNEL q_complex(ARGS)
{
    const float2 *x = (const float2 *)a, *y = (const float2 *)b;

    for (int i = I; i < n; i += STRIDE) {
        float2 p = x[i], q = y[i];

        ((float2 *)c)[i] = make_float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
    }
}

// Two channels of sound into one stream.
KERNEL q_interleave(IARGS)
{
    if (I < n) {
        c[2 * I] = a[I];
        c[2 * I + 1] = b[I];
    }
}

// The price of n options by a closed formula.
KERNEL q_black_scholes(ARGS)
{
    if (I < n) {
        float s = fabsf(a[I]) + 20.0f, x = fabsf(b[I]) + 18.0f, t = 0.5f, v = 0.3f, r = 0.02f;
        float root = sqrtf(t) * v, d1 = (logf(s / x) + (r + 0.5f * v * v) * t) / root;
        float k1 = 0.5f * erfcf(-0.70710678f * d1), k2 = 0.5f * erfcf(-0.70710678f * (d1 - root));
        float call = s * k1 - x * expf(-r * t) * k2;

        c[I] = call;
        c[n + I] = call + x * expf(-r * t) - s;
    }
}

// A layer's bias and its curve, rows of m.
KERNEL q_gelu(ARGS)
{
    for (int i = I; i < n / 4; i += STRIDE) {
        float4 v = ((const float4 *)a)[i], w = ((const float4 *)b)[i % (m / 4)];
        float x[4] = {v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w};

#pragma unroll
        for (int k = 0; k < 4; k++) {
            x[k] = 0.5f * x[k] * (1.0f + tanhf(0.79788456f * (x[k] + 0.044715f * x[k] * x[k] * x[k])));
        }
        ((float4 *)c)[i] = make_float4(x[0], x[1], x[2], x[3]);
    }
}

// The inverse of a 3 x 3 matrix per thread, nine words apart.
KERNEL q_inverse3(ARGS)
{
    const float *p = a + 9 * I;
    float *q = c + 9 * I;

    if (I < n) {
        float m0 = p[0] + 20.0f, m1 = p[1], m2 = p[2], m3 = p[3], m4 = p[4] + 20.0f, m5 = p[5];
        float m6 = p[6], m7 = p[7], m8 = p[8] + 20.0f;
        float x = m4 * m8 - m5 * m7, y = m5 * m6 - m3 * m8, z = m3 * m7 - m4 * m6;
        float d = 1.0f / (m0 * x + m1 * y + m2 * z);

        q[0] = x * d;
        q[1] = (m2 * m7 - m1 * m8) * d;
        q[2] = (m1 * m5 - m2 * m4) * d;
        q[3] = y * d;
        q[4] = (m0 * m8 - m2 * m6) * d;
        q[5] = (m2 * m3 - m0 * m5) * d;
        q[6] = z * d;
        q[7] = (m1 * m6 - m0 * m7) * d;
        q[8] = (m0 * m4 - m1 * m3) * d;
    }
}

// ---- layouts ----

// Four rows of four words per thread, turned in registers; n x n.
KERNEL q_turn4(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float4 r[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
        r[k] = *(const float4 *)&a[(4 * y + k) * n + 4 * x];
    }
    float *to = &c[4 * x * n + 4 * y];
    *(float4 *)to = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
    *(float4 *)(to + n) = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    *(float4 *)(to + 2 * n) = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
    *(float4 *)(to + 3 * n) = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
}

// Pictures of m channels of n points: channels last.
KERNEL q_channels_last(ARGS)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, picture = blockIdx.y;

    if (i < n) {
        for (int k = 0; k < m; k++) {
            c[(picture * n + i) * m + k] = a[(picture * m + k) * n + i];
        }
    }
}

// Rows of n padded to m words.
KERNEL q_pad_rows(ARGS)
{
    for (int x = threadIdx.x; x < m; x += blockDim.x) {
        c[blockIdx.x * m + x] = x < n ? a[blockIdx.x * n + x] : 0.0f;
    }
}

// ---- products ----

// A batch of products 16 x 16, a block each.
KERNEL q_batch16(ARGS)
{
    __shared__ float x[16][17], y[16][17];
    int i = threadIdx.y, j = threadIdx.x, at = blockIdx.x * 256 + i * 16 + j;
    float s = 0;

    x[i][j] = a[at];
    y[i][j] = b[at];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
        s += x[i][k] * y[k][j];
    }
    c[at] = s;
}

// n rows of 32 times 32 x 8: a row and eight sums per thread.
KERNEL q_skinny(ARGS)
{
    __shared__ float w[32][8];
    float s[8] = {};

    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        w[k / 8][k % 8] = b[k];
    }
    __syncthreads();
    if (I < n) {
        const float4 *row = (const float4 *)(a + 32 * I);

#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = row[k];

#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[j] += v.x * w[4 * k][j] + v.y * w[4 * k + 1][j] + v.z * w[4 * k + 2][j] + v.w * w[4 * k + 3][j];
            }
        }
        ((float4 *)c)[2 * I] = make_float4(s[0], s[1], s[2], s[3]);
        ((float4 *)c)[2 * I + 1] = make_float4(s[4], s[5], s[6], s[7]);
    }
}

// The lower half of a times its transpose, n x m; blocks above the diagonal leave at once.
KERNEL q_gram(ARGS)
{
    __shared__ float x[16][17], y[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16, col = blockIdx.x * 16;
    float s = 0;

    if (col > row) {
        return;
    }
    for (int k0 = 0; k0 < m; k0 += 16) {
        x[ty][tx] = a[(row + ty) * m + k0 + tx];
        y[ty][tx] = a[(col + ty) * m + k0 + tx];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            s += x[ty][k] * y[tx][k];
        }
        __syncthreads();
    }
    if (col + tx <= row + ty) {
        c[(row + ty) * n + col + tx] = s;
    }
}

// Matrices of bits, m words a row: how many bits two rows share.
KERNEL q_bit_product(IARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, s = 0;

    for (int k = 0; k < m; k++) {
        s += __popc(a[y * m + k] & b[x * m + k]);
    }
    c[y * n + x] = s;
}

// c += the outer product of two vectors.
KERNEL q_outer(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    c[y * n + x] += a[y] * b[x];
}

// The sums of all columns of m rows of n.
KERNEL q_columns(ARGS)
{
    __shared__ float part[8][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    float s = 0;

    for (int y = threadIdx.y; y < m; y += 8) {
        s += a[y * n + x];
    }
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int k = 1; k < 8; k++) {
            s += part[k][threadIdx.x];
        }
        c[x] = s;
    }
}

// ---- fields in time ----

// Nine populations of a fluid on a torus of n x m (powers of two): they move, then they mix.
KERNEL q_lattice(ARGS)
{
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {4 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 9.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float f[9], rho = 0, u = 0, v = 0;

#pragma unroll
    for (int k = 0; k < 9; k++) {
        f[k] = 10.0f + 0.1f * a[k * n * m + ((y - dy[k]) & (m - 1)) * n + ((x - dx[k]) & (n - 1))];
        rho += f[k];
        u += dx[k] * f[k];
        v += dy[k] * f[k];
    }
    u /= rho;
    v /= rho;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float d = 3.0f * (dx[k] * u + dy[k] * v);
        float even = w[k] * rho * (1.0f + d + 0.5f * d * d - 1.5f * (u * u + v * v));

        c[k * n * m + y * n + x] = f[k] + 0.6f * (even - f[k]);
    }
}

// A membrane of n x n: now in a, before in b.
KERNEL q_membrane(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;

    if (x >= n || y >= n) {
        return;
    }
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        c[i] = 0;
    } else {
        c[i] = 2.0f * a[i] - b[i] + 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] - 4.0f * a[i]);
    }
}

// Half a sweep of relaxation in place, the fields of one colour of a chess board.
KERNEL q_red_black(ARGS)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + m & 1), i = y * n + x;

    if (x < n - 1 && y < n - 1) {
        c[i] = 0.25f * (c[i - 1] + c[i + 1] + c[i - n] + c[i + n] - a[i]);
    }
}

// What the wind b (two words a point) brings: a between four points upwind. n a power of two.
KERNEL q_advect(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;
    float2 wind = ((const float2 *)b)[i];
    float px = x - 0.7f * wind.x, py = y - 0.7f * wind.y, fx = floorf(px), fy = floorf(py);
    int x0 = (int)fx & (n - 1), y0 = (int)fy & (n - 1), x1 = (x0 + 1) & (n - 1), y1 = (y0 + 1) & (n - 1);

    px -= fx;
    py -= fy;
    c[i] = (1 - py) * ((1 - px) * a[y0 * n + x0] + px * a[y0 * n + x1]) +
           py * ((1 - px) * a[y1 * n + x0] + px * a[y1 * n + x1]);
}

// Thirteen points in space, two away along each axis; n x n x n with blocks in all three.
KERNEL q_star13(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y % (n / 4) * 4 + threadIdx.y;
    int z = blockIdx.y / (n / 4), plane = n * n, i = z * plane + y * n + x;

    if (x >= 2 && y >= 2 && z >= 2 && x < n - 2 && y < n - 2 && z < n - 2) {
        float near = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - plane] + a[i + plane];
        float far = a[i - 2] + a[i + 2] + a[i - 2 * n] + a[i + 2 * n] + a[i - 2 * plane] + a[i + 2 * plane];

        c[i] = 16.0f * near - far - 90.0f * a[i];
    }
}

// The game of life on a torus, 32 cells a word, m rows of n words: nine words make one.
KERNEL q_life_bits(IARGS)
{
    int x = I % n, y = I / n;
    unsigned one = 0, two = 0, four = 0, self = 0;

    for (int k = -1; k <= 1; k++) {
        const unsigned *row = (const unsigned *)a + (y + k + m) % m * n;
        unsigned v = row[x], l = v << 1 | row[(x + n - 1) % n] >> 31, r = v >> 1 | row[(x + 1) % n] << 31;
        unsigned add[3] = {l, r, v};

        if (k == 0) {
            self = v;
            add[2] = 0;
        }
        for (int j = 0; j < 3; j++) {
            unsigned carry = one & add[j], next = two & carry;

            one ^= add[j];
            two ^= carry;
            four ^= next;
        }
    }
    c[I] = (int)(two & ~four & (one | self));
}

// Spins of a block's 32 x 32 on a torus in shared memory, two colours, m sweeps.
KERNEL q_spins(IARGS)
{
    __shared__ signed char s[32][32];
    int x = threadIdx.x, t = threadIdx.y;
    unsigned seed = mix(blockIdx.x * 512 + t * 32 + x + 1);

    for (int k = 0; k < 2; k++) {
        s[t + 16 * k][x] = (signed char)(a[blockIdx.x * 1024 + (t + 16 * k) * 32 + x] & 1 ? 1 : -1);
    }
    for (int k = 0; k < 2 * m; k++) {
        int y = 2 * t + (x + k & 1);
        int sum, e;

        __syncthreads();
        sum = s[y][x + 1 & 31] + s[y][x + 31 & 31] + s[y + 1 & 31][x] + s[y + 31 & 31][x];
        e = 2 * s[y][x] * sum;
        seed = seed * 1664525u + 1013904223u;
        if (e <= 0 || seed >> 8 < (e == 4 ? 2875000u : 492000u)) {
            s[y][x] = (signed char)-s[y][x];
        }
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        c[blockIdx.x * 1024 + (t + 16 * k) * 32 + x] = s[t + 16 * k][x];
    }
}

// ---- pictures ----

#define ORDER(p, q)                                                                                                    \
    {                                                                                                                  \
        int less = min(p, q);                                                                                          \
        q = max(p, q);                                                                                                 \
        p = less;                                                                                                      \
    }

// The median of nine in an n x n picture.
KERNEL q_median(IARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int v[9];

    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) {
        return;
    }
#pragma unroll
    for (int k = 0; k < 9; k++) {
        v[k] = a[(y + k / 3 - 1) * n + x + k % 3 - 1];
    }
#pragma unroll
    for (int k = 0; k < 9; k += 3) {
        ORDER(v[k], v[k + 1]);
        ORDER(v[k + 1], v[k + 2]);
        ORDER(v[k], v[k + 1]);
    }
    int low = max(max(v[0], v[3]), v[6]), high = min(min(v[2], v[5]), v[8]);
    ORDER(v[1], v[4]);
    int middle = max(v[1], min(v[4], v[7]));
    ORDER(low, high);
    c[y * n + x] = max(low, min(high, middle));
}

// A blur that keeps edges, 5 x 5.
KERNEL q_bilateral(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float here = a[y * n + x], s = 0, all = 0;

    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int u = min(max(x + dx, 0), n - 1), v = min(max(y + dy, 0), n - 1);
            float there = a[v * n + u], d = there - here;
            float w = __expf(-0.1f * (dx * dx + dy * dy) - 0.05f * d * d);

            s += w * there;
            all += w;
        }
    }
    c[y * n + x] = s / all;
}

// The brightest of 2m + 1 points along each row of n; a block of blockDim.x points, its rims beside.
KERNEL q_dilate(IARGS)
{
    extern __shared__ int line[];
    int w = blockDim.x, x0 = blockIdx.x * w - m, v = 0;

    for (int k = threadIdx.x; k < w + 2 * m; k += w) {
        int x = x0 + k;

        line[k] = x >= 0 && x < n ? a[blockIdx.y * n + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k <= 2 * m; k++) {
        v = max(v, line[threadIdx.x + k]);
    }
    c[blockIdx.y * n + x0 + m + threadIdx.x] = v;
}

// Sums along rows of n, a block per row that goes along it.
KERNEL q_summed_rows(IARGS)
{
    __shared__ int sums[8];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5, carry = 0;

    for (int x = threadIdx.x; x < n; x += 256) {
        int v = a[blockIdx.x * n + x], all = 0;

        for (int d = 1; d < 32; d <<= 1) {
            int o = __shfl_up_sync(ALL, v, d);

            v += lane >= d ? o : 0;
        }
        if (lane == 31) {
            sums[w] = v;
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            v += k < w ? sums[k] : 0;
            all += sums[k];
        }
        c[blockIdx.x * n + x] = v + carry;
        carry += all;
        __syncthreads();
    }
}

// A picture of n x n grown to m x m, between four points.
KERNEL q_resize(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < m && y < m) {
        float scale = (float)(n - 1) / (m - 1), px = x * scale, py = y * scale;
        int u = min((int)px, n - 2), v = min((int)py, n - 2);
        const float *p = a + v * n + u;

        px -= u;
        py -= v;
        c[y * m + x] = (p[0] * (1 - px) + p[1] * px) * (1 - py) + (p[n] * (1 - px) + p[n + 1] * px) * py;
    }
}

// A picture of n x n turned about its middle, the nearest point.
KERNEL q_rotate(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x - 0.5f * n, v = y - 0.5f * n;
    int s = __float2int_rd(0.8f * u - 0.6f * v + 0.5f * n), t = __float2int_rd(0.6f * u + 0.8f * v + 0.5f * n);

    c[y * n + x] = s >= 0 && t >= 0 && s < n && t < n ? a[t * n + s] : 0.0f;
}

__constant__ float cosines[8][8] = {
    {0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f, 0.353553391f},
    {0.490392640f, 0.415734806f, 0.277785117f, 0.097545161f, -0.097545161f, -0.277785117f, -0.415734806f, -0.490392640f},
    {0.461939766f, 0.191341716f, -0.191341716f, -0.461939766f, -0.461939766f, -0.191341716f, 0.191341716f, 0.461939766f},
    {0.415734806f, -0.097545161f, -0.490392640f, -0.277785117f, 0.277785117f, 0.490392640f, 0.097545161f, -0.415734806f},
    {0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f, 0.353553391f, -0.353553391f, -0.353553391f, 0.353553391f},
    {0.277785117f, -0.490392640f, 0.097545161f, 0.415734806f, -0.415734806f, -0.097545161f, 0.490392640f, -0.277785117f},
    {0.191341716f, -0.461939766f, 0.461939766f, -0.191341716f, -0.191341716f, 0.461939766f, -0.461939766f, 0.191341716f},
    {0.097545161f, -0.277785117f, 0.415734806f, -0.490392640f, 0.490392640f, -0.415734806f, 0.277785117f, -0.097545161f}};

// Cosines of tiles 8 x 8, four tiles a block of 8 x 32, along rows and then columns; n x n.
KERNEL q_cosine8(ARGS)
{
    __shared__ float p[32][9], q[32][9];
    int x = threadIdx.x, y = threadIdx.y, top = y & ~7, at = (blockIdx.y * 32 + y) * n + blockIdx.x * 8 + x;
    float s = 0, r = 0;

    p[y][x] = a[at];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        s += p[y][k] * cosines[x][k];
    }
    q[y][x] = s;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        r += q[top + k][x] * cosines[y & 7][k];
    }
    c[at] = rintf(r * 0.25f);
}

// Lines in a picture of n x n: every 16th point votes for m lines through it, m x n votes in c.
KERNEL q_hough(IARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if ((a[y * n + x] & 15) == 0) {
        for (int k = 0; k < m; k++) {
            int rho = (x * (m - k) + y * k) / m;

            atomicAdd(&c[k * n + rho], 1);
        }
    }
}

// Noise of gradients at n x n points, of a table of 256 made by hashing.
KERNEL q_noise(ARGS)
{
    __shared__ unsigned char table[256];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, t = threadIdx.y * 32 + threadIdx.x;
    float px = x * 0.0625f, py = y * 0.0625f, sum = 0, size = 1;

    table[t] = (unsigned char)mix(t + 7);
    __syncthreads();
    for (int k = 0; k < m; k++) {
        int u = (int)px, v = (int)py;
        float fx = px - u, fy = py - v, wx = fx * fx * (3 - 2 * fx), wy = fy * fy * (3 - 2 * fy), g[4];

        for (int j = 0; j < 4; j++) {
            int h = table[(table[(u + (j & 1)) & 255] + v + (j >> 1)) & 255];
            float dx = fx - (j & 1), dy = fy - (j >> 1);

            g[j] = (h & 1 ? dx : -dx) + (h & 2 ? dy : -dy);
        }
        g[0] += wx * (g[1] - g[0]);
        g[2] += wx * (g[3] - g[2]);
        sum += size * (g[0] + wy * (g[2] - g[0]));
        size *= 0.5f;
        px *= 2;
        py *= 2;
    }
    c[y * n + x] = sum;
}

// A ray per point of n x n against m balls (four words each in b), the first that it meets.
KERNEL q_rays(ARGS)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, which = -1;
    float u = x * (16.0f / n) - 8.0f, v = y * (16.0f / n) - 8.0f, first = 1e30f;

    for (int k = 0; k < m; k++) {
        float4 ball = ((const float4 *)b)[k];
        float dx = ball.x - u, dy = ball.y - v, r2 = 0.25f * ball.w * ball.w - dx * dx - dy * dy;

        if (r2 > 0) {
            float t = ball.z + 20.0f - sqrtf(r2);

            if (t < first) {
                first = t;
                which = k;
            }
        }
    }
    c[y * n + x] = which < 0 ? 0.0f : first + which;
}

// A ray walks towards balls on a grid, by the distance to the nearest, at most m steps.
KERNEL q_march(ARGS)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, k;
    float u = (x - 0.5f * n) / n, v = (y - 0.5f * n) / n, px = 2.0f, py = 2.1f, pz = 0, t = 0;

    for (k = 0; k < m; k++) {
        float qx = px + u * t, qy = py + v * t, qz = pz + t;

        qx -= 4.0f * floorf(qx * 0.25f) + 2.0f;
        qy -= 4.0f * floorf(qy * 0.25f) + 2.0f;
        qz -= 4.0f * floorf(qz * 0.25f) + 2.0f;
        float d = sqrtf(qx * qx + qy * qy + qz * qz) - 0.75f;
        if (d < 0.01f || t > 60.0f) {
            break;
        }
        t += d;
    }
    c[y * n + x] = (float)k;
}

// ---- networks ----

// 3 x 3 over m channels of n x n (with a rim), eight channels out; weights in shared memory.
KERNEL q_layer(ARGS)
{
    extern __shared__ float w[]; // m x 9 x 8
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, side = n + 2;
    float s[8] = {};

    for (int k = threadIdx.y * 16 + threadIdx.x; k < m * 72; k += 256) {
        w[k] = b[k];
    }
    __syncthreads();
    for (int ch = 0; ch < m; ch++) {
#pragma unroll
        for (int k = 0; k < 9; k++) {
            float v = a[(ch * side + y + k / 3) * side + x + k % 3];

#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[j] += v * w[(ch * 9 + k) * 8 + j];
            }
        }
    }
#pragma unroll
    for (int j = 0; j < 8; j++) {
        c[(j * n + y) * n + x] = fmaxf(s[j], 0.0f);
    }
}

// The largest of 2 x 2, rows of n to rows of n / 2.
KERNEL q_pool(ARGS)
{
    int half = n / 2;

    for (int i = I; i < m; i += STRIDE) {
        int x = i % half, y = i / half;
        float2 p = *(const float2 *)&a[2 * y * n + 2 * x], q = *(const float2 *)&a[(2 * y + 1) * n + 2 * x];

        c[i] = fmaxf(fmaxf(p.x, p.y), fmaxf(q.x, q.y));
    }
}

__device__ float2 block_sums(float x, float y, float2 *part)
{
    for (int d = 16; d > 0; d >>= 1) {
        x += __shfl_xor_sync(ALL, x, d);
        y += __shfl_xor_sync(ALL, y, d);
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x >> 5] = make_float2(x, y);
    }
    __syncthreads();
    x = y = 0;
    for (int k = 0; k < blockDim.x / 32; k++) {
        x += part[k].x;
        y += part[k].y;
    }
    return make_float2(x, y);
}

// A block per channel: mean and spread over m pictures of gridDim.x channels of n points, then scaled.
KERNEL q_normalize(ARGS)
{
    __shared__ float2 part[32];
    float s = 0, q = 0;

    for (int k = 0; k < m; k++) {
        const float *from = a + (k * gridDim.x + blockIdx.x) * n;

        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            s += from[i];
            q += from[i] * from[i];
        }
    }
    float2 sums = block_sums(s, q, part);
    float mean = sums.x / (n * m), scale = 1.0f / sqrtf(sums.y / (n * m) - mean * mean + 0.001f);
    for (int k = 0; k < m; k++) {
        int base = (k * gridDim.x + blockIdx.x) * n;

        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            c[base + i] = (a[base + i] - mean) * scale * b[blockIdx.x] + 1.0f;
        }
    }
}

// A warp per query of 32 words against n keys, weights by exp as it goes; keys are values too.
KERNEL q_attend(ARGS)
{
    int lane = threadIdx.x & 31, query = I / 32;
    float q = a[query * 32 + lane] * 0.05f, most = -1e30f, all = 0, s = 0;

    for (int k = 0; k < n; k++) {
        float key = b[k * 32 + lane], dot = q * key;

        for (int d = 16; d > 0; d >>= 1) {
            dot += __shfl_xor_sync(ALL, dot, d);
        }
        float top = fmaxf(most, dot), old = __expf(most - top), now = __expf(dot - top);

        all = all * old + now;
        s = s * old + now * key;
        most = top;
    }
    c[query * 32 + lane] = s / all;
}

// The four largest of each row of n, a warp per row.
KERNEL q_top4(IARGS)
{
    int lane = threadIdx.x & 31, row = I / 32, v[4] = {-1, -1, -1, -1};

    for (int k = lane; k < n; k += 32) {
        int x = a[row * n + k];

#pragma unroll
        for (int j = 0; j < 4; j++) {
            int low = min(v[j], x);

            v[j] = max(v[j], x);
            x = low;
        }
    }
    for (int j = 0; j < 4; j++) {
        int best = __reduce_max_sync(ALL, v[0]);
        unsigned who = __ballot_sync(ALL, v[0] == best);

        if (lane == __ffs(who) - 1) {
            c[row * 4 + j] = best;
            v[0] = v[1];
            v[1] = v[2];
            v[2] = v[3];
            v[3] = -1;
        }
    }
}

// n points of the plane to the nearest of 16 centres, whose sums and counts are kept.
KERNEL q_clusters(IARGS)
{
    __shared__ int sum[16][3];
    int t = threadIdx.x;

    if (t < 48) {
        sum[t / 3][t % 3] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        int2 p = ((const int2 *)a)[i];
        int best = 0x7fffffff, which = 0;

        p.x &= 1023;
        p.y &= 1023;
        for (int k = 0; k < 16; k++) {
            int dx = p.x - (b[2 * k] & 1023), dy = p.y - (b[2 * k + 1] & 1023), d = dx * dx + dy * dy;

            if (d < best) {
                best = d;
                which = k;
            }
        }
        atomicAdd(&sum[which][0], p.x);
        atomicAdd(&sum[which][1], p.y);
        atomicAdd(&sum[which][2], 1);
    }
    __syncthreads();
    if (t < 48) {
        atomicAdd(&c[t], sum[t / 3][t % 3]);
    }
}

// ---- texts and codes ----

// Three bytes to four letters, four groups per thread.
KERNEL q_base64(IARGS)
{
    const unsigned char *from = (const unsigned char *)a + 12 * I;

    if (I < n) {
        for (int k = 0; k < 4; k++) {
            unsigned v = from[3 * k] << 16 | from[3 * k + 1] << 8 | from[3 * k + 2], letters = 0;

            for (int j = 0; j < 4; j++) {
                unsigned six = v >> (18 - 6 * j) & 63, ch;

                ch = six < 26 ? 'A' + six : six < 52 ? 'a' + six - 26 : six < 62 ? '0' + six - 52 : six == 62 ? '+' : '/';
                letters |= ch << 8 * j;
            }
            c[4 * I + k] = (int)letters;
        }
    }
}

// Lines and words in a text, letters of three bits: 0 ends a line, 1 a word too.
KERNEL q_words(IARGS)
{
    __shared__ int lines, words;
    int lane = threadIdx.x & 31, l = 0, w = 0;

    if (threadIdx.x == 0) {
        lines = words = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i] & 0x07070707u, before = __shfl_up_sync(ALL, v, 1) >> 24;

        if (lane == 0) {
            before = i > 0 ? (unsigned)a[i - 1] >> 24 & 7 : 0;
        }
        for (int k = 0; k < 4; k++) {
            unsigned ch = v >> 8 * k & 255;

            l += ch == 0;
            w += ch > 1 && before <= 1;
            before = ch;
        }
    }
    l = __reduce_add_sync(ALL, l);
    w = __reduce_add_sync(ALL, w);
    if (lane == 0) {
        atomicAdd(&lines, l);
        atomicAdd(&words, w);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&c[0], lines);
        atomicAdd(&c[1], words);
    }
}

// Fields of eight decimal digits (16 bytes apart, half of them are signs and blanks) to numbers.
KERNEL q_decimal(IARGS)
{
    const unsigned char *field = (const unsigned char *)a + 16 * I;
    int v = 0, used = 0;

    for (int k = 0; k < 16 && used < 8; k++) {
        unsigned ch = field[k] & 31;

        if (ch < 10) {
            v = v * 10 + (int)ch;
            used++;
        } else if (ch > 28 && used > 0) {
            break;
        }
    }
    c[I] = v;
}

// Runs of equal letters (two bits) in 64 bytes per thread: pairs of length and letter.
KERNEL q_runs(IARGS)
{
    const unsigned char *from = (const unsigned char *)a + 64 * I;
    unsigned char *to = (unsigned char *)c + 128 * I;
    unsigned last = from[0] & 3;
    int length = 1, used = 0;

    for (int k = 1; k < 64; k++) {
        unsigned ch = from[k] & 3;

        if (ch == last) {
            length++;
        } else {
            to[used++] = (unsigned char)length;
            to[used++] = (unsigned char)last;
            last = ch;
            length = 1;
        }
    }
    to[used++] = (unsigned char)length;
    to[used] = (unsigned char)last;
}

// Numbers to bytes of seven bits; a block's bytes are made in shared memory, 5 x blockDim.x at most.
KERNEL q_varint(IARGS)
{
    __shared__ unsigned char bytes[5 * 128];
    __shared__ int sums[4];
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5, size = 1, at, all = 0;
    unsigned v = (unsigned)a[I] >> (b[I] & 31);

    for (unsigned k = v; k > 127; k >>= 7) {
        size++;
    }
    at = size;
    for (int d = 1; d < 32; d <<= 1) {
        int o = __shfl_up_sync(ALL, at, d);

        at += lane >= d ? o : 0;
    }
    if (lane == 31) {
        sums[w] = at;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        at += k < w ? sums[k] : 0;
        all += sums[k];
    }
    at -= size;
    for (int k = 0; k < size; k++) {
        bytes[at + k] = (unsigned char)((v & 127) | (k < size - 1 ? 128 : 0));
        v >>= 7;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < all; k += 128) {
        ((unsigned char *)c)[blockIdx.x * 640 + k] = bytes[k];
    }
}

// A stream of m words per thread, codes of one to eight bits, lengths by a table of 256.
KERNEL q_unpack(IARGS)
{
    __shared__ unsigned char table[256];
    unsigned long long bits = 0;
    int have = 0, sum = 0, codes = 0;

    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        table[k] = (unsigned char)b[k];
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        bits |= (unsigned long long)(unsigned)a[k * STRIDE + I] << have;
        have += 32;
        while (have >= 8) {
            unsigned e = table[bits & 255];
            int length = 1 + (e & 7);

            sum = sum * 31 + (e >> 3);
            bits >>= length;
            have -= length;
            codes++;
        }
    }
    c[I] = sum ^ codes;
}

// Differences with their signs in bit 0 to values: a warp per row of n, a carry from 32 to 32.
KERNEL q_undelta(IARGS)
{
    int lane = threadIdx.x & 31, row = I / 32, carry = 0;

    for (int k = lane; k < n; k += 32) {
        unsigned z = (unsigned)a[row * n + k];
        int v = (int)(z >> 1) ^ -(int)(z & 1);

        for (int d = 1; d < 32; d <<= 1) {
            int o = __shfl_up_sync(ALL, v, d);

            v += lane >= d ? o : 0;
        }
        v += carry;
        c[row * n + k] = v;
        carry = __shfl_sync(ALL, v, 31);
    }
}

// 32 numbers of a warp to m planes of bits.
KERNEL q_bit_planes(IARGS)
{
    int lane = threadIdx.x & 31, v = a[I], mine = 0;

    for (int k = 0; k < m; k++) {
        unsigned plane = __ballot_sync(ALL, v >> k & 1);

        if (lane == k) {
            mine = (int)plane;
        }
    }
    if (lane < m) {
        c[I / 32 * m + lane] = mine;
    }
}

// The longest match of what follows each of n bytes in the 32 bytes before it; few letters.
KERNEL q_match(IARGS)
{
    const unsigned char *text = (const unsigned char *)a;
    int i = I, best = 0, far = 0;

    for (int d = 1; d <= 32 && d <= i; d++) {
        int k = 0;

        while (k < 16 && i + k < n && ((text[i + k] ^ text[i - d + k]) & 3) == 0) {
            k++;
        }
        if (k > best) {
            best = k;
            far = d;
        }
    }
    c[I] = best << 8 | far;
}

// An automaton of n states reads m words per thread, eight letters of four bits each.
KERNEL q_automaton(IARGS)
{
    int state = 0, seen = 0;

    for (int k = 0; k < m; k++) {
        unsigned v = (unsigned)a[k * STRIDE + I];

        for (int j = 0; j < 8; j++) {
            state = b[state * 16 + (v & 15)] & (n - 1);
            seen += state == 5;
            v >>= 4;
        }
    }
    c[I] = seen;
}

// How often each six letters of four occur in sequences of 16 letters a word.
KERNEL q_six_letters(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];

        for (int k = 0; k < 11; k++) {
            atomicAdd(&c[v >> 2 * k & 4095], 1);
        }
    }
}

// A pair of sequences of 32 letters per thread: their alignment, a row of which is in local memory.
KERNEL q_align(IARGS)
{
    int row[33], best = 0;

    for (int k = 0; k <= 32; k++) {
        row[k] = 0;
    }
#pragma unroll 1
    for (int i = 0; i < 32; i++) {
        int p = a[2 * I + i / 16] >> 2 * (i & 15) & 3, diagonal = 0;

#pragma unroll 1
        for (int j = 1; j <= 32; j++) {
            int q = b[2 * I + (j - 1) / 16] >> 2 * (j - 1 & 15) & 3;
            int v = max(max(0, diagonal + (p == q ? 3 : -2)), max(row[j], row[j - 1]) - 2);

            diagonal = row[j];
            row[j] = v;
            best = max(best, v);
        }
    }
    c[I] = best;
}

// ---- hashing and ciphers ----

// A hash of 1 to m words per thread, strings one after the other at m words each.
KERNEL q_hash_strings(IARGS)
{
    int length = 1 + (b[I] & (m - 1));
    unsigned h = 0x9747b28cu;

    for (int k = 0; k < length; k++) {
        unsigned v = (unsigned)a[I * m + k] * 0xcc9e2d51u;

        v = (v << 15 | v >> 17) * 0x1b873593u;
        h ^= v;
        h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
    }
    c[I] = (int)mix(h ^ (unsigned)length * 4);
}

// Keys into a table of n places, the largest first wherever they meet, so that order does not matter.
KERNEL q_hash_insert(IARGS)
{
    unsigned key = (unsigned)a[I] | 1, at = mix(key) & (n - 1);

    for (int k = 0; k < n; k++) {
        unsigned old = atomicMax((unsigned *)&c[at], key);

        if (old == 0 || old == key) {
            break;
        }
        if (old < key) {
            key = old;
        }
        at = (at + 1) & (n - 1);
    }
}

// How far from its place a word that has a key's bits m is found in a table of n.
KERNEL q_hash_probe(IARGS)
{
    unsigned key = (unsigned)a[I], at = mix(key) & (n - 1);
    int steps = 0;

    while (steps < 64 && (((unsigned)b[at] ^ key) & m) != 0) {
        at = (at + 1) & (n - 1);
        steps++;
    }
    c[I] = steps << 24 | (int)at;
}

// Three bits for each key into a filter of n words.
KERNEL q_filter_add(IARGS)
{
    unsigned key = (unsigned)a[I];

    for (int k = 0; k < 3; k++) {
        unsigned h = mix(key + 0x9e3779b9u * k);

        atomicOr(&c[(h >> 5) & (n - 1)], 1 << (h & 31));
    }
}

#define QUARTER(p, q, r, s)                                                                                            \
    x[p] += x[q], x[s] ^= x[p], x[s] = x[s] << 16 | x[s] >> 16;                                                        \
    x[r] += x[s], x[q] ^= x[r], x[q] = x[q] << 12 | x[q] >> 20;                                                        \
    x[p] += x[q], x[s] ^= x[p], x[s] = x[s] << 8 | x[s] >> 24;                                                         \
    x[r] += x[s], x[q] ^= x[r], x[q] = x[q] << 7 | x[q] >> 25;

// A stream cipher over 16 words per thread, m double rounds.
KERNEL q_stream_cipher(IARGS)
{
    unsigned x[16];

    x[0] = 0x61707865u, x[1] = 0x3320646eu, x[2] = 0x79622d32u, x[3] = 0x6b206574u;
    for (int k = 0; k < 8; k++) {
        x[4 + k] = (unsigned)b[k];
    }
    x[12] = I, x[13] = 0, x[14] = 17, x[15] = 4711;
    for (int k = 0; k < m; k++) {
        QUARTER(0, 4, 8, 12)
        QUARTER(1, 5, 9, 13)
        QUARTER(2, 6, 10, 14)
        QUARTER(3, 7, 11, 15)
        QUARTER(0, 5, 10, 15)
        QUARTER(1, 6, 11, 12)
        QUARTER(2, 7, 8, 13)
        QUARTER(3, 4, 9, 14)
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int4 v = ((const int4 *)a)[4 * I + k];

        ((int4 *)c)[4 * I + k] = make_int4(v.x ^ x[4 * k], v.y ^ x[4 * k + 1], v.z ^ x[4 * k + 2], v.w ^ x[4 * k + 3]);
    }
}

// A block cipher by four tables of 256 words, m rounds over four words per thread.
KERNEL q_table_cipher(IARGS)
{
    __shared__ unsigned t0[256], t1[256], t2[256], t3[256];
    uint4 s = ((const uint4 *)a)[I];

    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
        t0[k] = b[k];
        t1[k] = b[256 + k];
        t2[k] = b[512 + k];
        t3[k] = b[768 + k];
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        unsigned x = t0[s.x >> 24] ^ t1[s.y >> 16 & 255] ^ t2[s.z >> 8 & 255] ^ t3[s.w & 255] ^ k;
        unsigned y = t0[s.y >> 24] ^ t1[s.z >> 16 & 255] ^ t2[s.w >> 8 & 255] ^ t3[s.x & 255] ^ 2 * k;
        unsigned z = t0[s.z >> 24] ^ t1[s.w >> 16 & 255] ^ t2[s.x >> 8 & 255] ^ t3[s.y & 255] ^ 3 * k;
        unsigned w = t0[s.w >> 24] ^ t1[s.x >> 16 & 255] ^ t2[s.y >> 8 & 255] ^ t3[s.z & 255] ^ 4 * k;

        s = make_uint4(x, y, z, w);
    }
    ((uint4 *)c)[I] = s;
}

// ---- graphs and sparse matrices ----

// Rows of 17 to 31 entries, one after the other, eight lanes per row.
KERNEL q_sparse_eight(IARGS)
{
    int row = I / 8, lane = I & 7, s = 0;
    int from = row * 24 + (b[row] & 7), to = (row + 1) * 24 + (b[row + 1] & 7);

    for (int k = from + lane; k < to; k += 8) {
        int v = a[k];

        s += (v >> 16 & 15) * b[v & (n - 1)];
    }
    for (int d = 4; d > 0; d >>= 1) {
        s += __shfl_down_sync(ALL, s, d, 8);
    }
    if (lane == 0) {
        c[row] = s;
    }
}

// n rows of m entries by columns, a row per thread; places in a, the vector in b.
KERNEL q_sparse_columns(IARGS)
{
    int s = 0;

    for (int k = 0; k < m; k++) {
        int v = a[k * n + I];

        s += v < 0 ? 0 : (v & 7) * b[v >> 3 & (n - 1)];
    }
    c[I] = s;
}

// Neighbours (eight each, in b) of the nodes that a level of a search has reached.
KERNEL q_level(IARGS)
{
    if (I < n && (a[I] & 15) == m) {
        for (int k = 0; k < 8; k++) {
            atomicMax(&c[b[I * 8 + k] & (n - 1)], m + 1);
        }
    }
}

// Edges of which each may make the way to the node at its end longer.
KERNEL q_relax(IARGS)
{
    int e = I, u = a[e] & (n - 1), v = b[e] & (n - 1), w = a[e] >> 16 & 15;
    int way = a[u] >> 4 & 255;

    if (((const volatile int *)c)[v] < way + w) {
        atomicMax(&c[v], way + w);
    }
}

// Blocks of 256 nodes: with m edges each, the least node that each is connected with.
KERNEL q_components(IARGS)
{
    __shared__ int label[256];
    int t = threadIdx.x, again = 1;

    label[t] = t;
    while (again) {
        int old = 0;

        __syncthreads();
        old = label[t];
        again = 0;
        for (int k = 0; k < m; k++) {
            int o = a[I * m + k] & 255, theirs = label[o];

            __syncthreads();
            if (theirs < old) {
                atomicMin(&label[t], theirs);
                again = 1;
            } else if (old < theirs) {
                atomicMin(&label[o], old);
                again = 1;
            }
            __syncthreads();
            old = label[t];
        }
        again = __syncthreads_or(again);
    }
    c[I] = label[t];
}

// How many neighbours a node shares with another: two sorted lists of m.
KERNEL q_shared_friends(IARGS)
{
    const int *p = a + I * m, *q = a + (b[I] & (n - 1)) * m;
    int i = 0, j = 0, s = 0;

    while (i < m && j < m) {
        int x = i * 16 + (p[i] & 15), y = j * 16 + (q[j] & 15);

        s += x == y;
        i += x <= y;
        j += y <= x;
    }
    c[I] = s;
}

// All shortest ways in a block's 32 x 32 distances.
KERNEL q_all_ways(IARGS)
{
    __shared__ int d[32][33];
    int x = threadIdx.x, y = threadIdx.y;

    d[y][x] = x == y ? 0 : a[blockIdx.x * 1024 + y * 32 + x];
    for (int k = 0; k < 32; k++) {
        int way;

        __syncthreads();
        way = d[y][k] + d[k][x];
        __syncthreads();
        if (way < d[y][x]) {
            d[y][x] = way;
        }
    }
    c[blockIdx.x * 1024 + y * 32 + x] = d[y][x];
}

// Forces between n particles (four words each) and 24 neighbours each, whose list is in b by columns.
KERNEL q_forces(ARGS)
{
    const float4 *at = (const float4 *)a;
    float4 p = at[I];
    float fx = 0, fy = 0, fz = 0;

    for (int k = 0; k < m; k++) {
        float4 q = at[((const int *)b)[k * n + I] & (n - 1)];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = dx * dx + dy * dy + dz * dz;

        if (r2 < 100.0f && r2 > 0) {
            float i2 = 1.0f / r2, i6 = i2 * i2 * i2, f = i6 * (i6 - 0.5f) * i2;

            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
    }
    ((float4 *)c)[I] = make_float4(fx, fy, fz, 0);
}

// How many of n points (three words each) are in each of 4096 cells.
KERNEL q_cells(IARGS)
{
    if (I < n) {
        const int *p = a + 3 * I;

        atomicAdd(&c[(p[0] >> 4 & 15) | (p[1] >> 4 & 15) << 4 | (p[2] >> 4 & 15) << 8], 1);
    }
}

// ---- equations ----

// n systems of three diagonals and m rows, one per thread, side by side; factors are kept in c.
KERNEL q_three_diagonals(ARGS)
{
    float upper = 0, right = 0;

    for (int k = 0; k < m; k++) {
        float d = 1.0f / (20.0f - b[k] * upper);

        upper = b[k] * d;
        right = (a[k * n + I] - b[k] * right) * d;
        c[(m + k) * n + I] = upper;
        c[k * n + I] = right;
    }
    for (int k = m - 2; k >= 0; k--) {
        right = c[k * n + I] - c[(m + k) * n + I] * right;
        c[k * n + I] = right;
    }
}

// The same by halving, a block per system of 128.
KERNEL q_three_diagonals_block(ARGS)
{
    __shared__ float l[128], d[128], u[128], r[128];
    int t = threadIdx.x;

    l[t] = t == 0 ? 0.0f : b[t];
    u[t] = t == 127 ? 0.0f : b[128 + t];
    d[t] = 20.0f;
    r[t] = a[I];
    for (int step = 1; step < 128; step *= 2) {
        float nl = 0, nd, nu = 0, nr;

        __syncthreads();
        nd = d[t];
        nr = r[t];
        if (t >= step) {
            float k = l[t] / d[t - step];

            nl = -k * l[t - step];
            nd -= k * u[t - step];
            nr -= k * r[t - step];
        }
        if (t + step < 128) {
            float k = u[t] / d[t + step];

            nu = -k * u[t + step];
            nd -= k * l[t + step];
            nr -= k * r[t + step];
        }
        __syncthreads();
        l[t] = nl;
        d[t] = nd;
        u[t] = nu;
        r[t] = nr;
    }
    c[I] = r[t] / d[t];
}

// Elimination in a matrix of 16 x 16 per block.
KERNEL q_eliminate(ARGS)
{
    __shared__ float s[16][17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;

    s[y][x] = a[at] + (x == y ? 64.0f : 0.0f);
    for (int k = 0; k < 15; k++) {
        float f = 0;

        __syncthreads();
        if (y > k && x >= k) {
            f = s[y][k] / s[k][k];
        }
        __syncthreads();
        if (y > k && x > k) {
            s[y][x] -= f * s[k][x];
        } else if (y > k && x == k) {
            s[y][x] = f;
        }
    }
    __syncthreads();
    c[at] = s[y][x];
}

// m rounds towards the solution of 64 equations per block.
KERNEL q_rounds(ARGS)
{
    __shared__ float v[2][64];
    int t = threadIdx.x, row = blockIdx.x * 64 + t;

    v[0][t] = 0;
    for (int k = 0; k < m; k++) {
        float s = b[row];

        __syncthreads();
        for (int j = 0; j < 64; j++) {
            s -= j == t ? 0.0f : a[blockIdx.x * 4096 + j * 64 + t] * v[k & 1][j];
        }
        v[1 - (k & 1)][t] = s * 0.001f;
    }
    __syncthreads();
    c[row] = v[m & 1][t];
}

// m steps of a weather of three numbers, four slopes a step.
KERNEL q_weather(ARGS)
{
    float x = a[I] + 1.0f, y = a[n + I], z = a[2 * n + I] + 20.0f, h = 0.005f;

    for (int k = 0; k < m; k++) {
        float sx = 0, sy = 0, sz = 0, px = x, py = y, pz = z;

#pragma unroll
        for (int j = 0; j < 4; j++) {
            float dx = 10.0f * (py - px), dy = px * (28.0f - pz) - py, dz = px * py - 2.6666667f * pz;
            float w = j == 0 || j == 3 ? 1.0f : 2.0f, far = j == 2 ? h : 0.5f * h;

            sx += w * dx;
            sy += w * dy;
            sz += w * dz;
            px = x + far * dx;
            py = y + far * dy;
            pz = z + far * dz;
        }
        x += h / 6 * sx;
        y += h / 6 * sy;
        z += h / 6 * sz;
    }
    c[I] = x + y + z;
}

// m steps of an orbit in double precision.
KERNEL q_orbit(ARGS)
{
    double x = 10.0 + a[I], y = 0, u = 0, v = 0.3, h = 0.0625;

    for (int k = 0; k < m; k++) {
        double r2 = x * x + y * y, f = h / (r2 * sqrt(r2));

        u -= f * x;
        v -= f * y;
        x += h * u;
        y += h * v;
    }
    c[I] = (float)(x + y);
}

// Numbers of 256 bits, eight words each, the low half of their products.
KERNEL q_long_product(IARGS)
{
    unsigned x[8], y[8], r[8] = {};

#pragma unroll
    for (int k = 0; k < 8; k++) {
        x[k] = (unsigned)a[k * n + I];
        y[k] = (unsigned)b[k * n + I];
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        unsigned long long carry = 0;

#pragma unroll
        for (int j = 0; i + j < 8; j++) {
            carry += (unsigned long long)x[i] * y[j] + r[i + j];
            r[i + j] = (unsigned)carry;
            carry >>= 32;
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        c[k * n + I] = (int)r[k];
    }
}

// A curve through m points of shared memory at n places: the piece by halving, then a line.
KERNEL q_curve(ARGS)
{
    extern __shared__ float knot[];

    for (int k = threadIdx.x; k < m; k += blockDim.x) {
        knot[k] = k + 0.03f * b[k];
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        float x = (a[i] + 8.5f) * (m - 2) / 17.0f;
        int lo = 0, hi = m - 1;

        while (hi - lo > 1) {
            int mid = (lo + hi) / 2;

            if (knot[mid] <= x) {
                lo = mid;
            } else {
                hi = mid;
            }
        }
        c[i] = b[lo] + (x - knot[lo]) / (knot[hi] - knot[lo]) * (b[hi] - b[lo]);
    }
}

// Down m levels of 16 sorted keys each, over n keys in all (16^m).
KERNEL q_wide_tree(IARGS)
{
    int key = a[I] & (n - 1), base = 0, step = n;

    for (int level = 0; level < m; level++) {
        int k = 0;

        step >>= 4;
        for (int j = 1; j < 16; j++) {
            k += b[base + j * step] <= key;
        }
        base += k * step;
    }
    c[I] = base;
}

// ---- sorting ----

// A block's 512 numbers, each run merged with the next: places by halving.
KERNEL q_merge_sort(IARGS)
{
    __shared__ int v[2][512];
    int t = threadIdx.x, at = blockIdx.x * 512 + t, f = 0;

    v[0][t] = a[at];
    for (int run = 1; run < 512; run *= 2) {
        int x, lo = 0, hi = run, other = (t ^ run) & ~(run - 1);

        __syncthreads();
        x = v[f][t];
        while (lo < hi) {
            int mid = (lo + hi) >> 1, y = v[f][other + mid];

            if (y < x || (y == x && (t & run))) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        v[1 - f][(t & ~(2 * run - 1)) + (t & (run - 1)) + lo] = x;
        f = 1 - f;
    }
    __syncthreads();
    c[at] = v[f][t];
}

// Sixteen keys for 1024 numbers of a block: how many of each, where they begin, all to their places.
KERNEL q_counting_sort(IARGS)
{
    __shared__ unsigned short count[16][128];
    __shared__ int first[16];
    int t = threadIdx.x;

    for (int k = 0; k < 16; k++) {
        count[k][t] = 0;
    }
    for (int k = 0; k < 8; k++) {
        count[a[blockIdx.x * 1024 + t * 8 + k] & 15][t]++;
    }
    __syncthreads();
    if (t < 16) {
        int s = 0;

        for (int k = 0; k < 128; k++) {
            int x = count[t][k];

            count[t][k] = (unsigned short)s;
            s += x;
        }
        first[t] = s;
    }
    __syncthreads();
    if (t == 0) {
        int s = 0;

        for (int k = 0; k < 16; k++) {
            int x = first[k];

            first[k] = s;
            s += x;
        }
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        int v = a[blockIdx.x * 1024 + t * 8 + k];

        c[blockIdx.x * 1024 + first[v & 15] + count[v & 15][t]++] = v;
    }
}

// The middle of a block's numbers, bit by bit from the top.
KERNEL q_middle(IARGS)
{
    int v = a[I], rank = blockDim.x / 2, found = 0;

    for (int bit = 19; bit >= 0; bit--) {
        int mine = v >> (bit + 1) == found >> (bit + 1);
        int zeros = __syncthreads_count(mine && !(v >> bit & 1));

        if (rank >= zeros) {
            rank -= zeros;
            found |= 1 << bit;
        }
    }
    if (threadIdx.x == 0) {
        c[blockIdx.x] = found;
    }
}

// The smallest of n and where it is, in one number of 64 bits (kept as its complement).
KERNEL q_where_least(IARGS)
{
    unsigned long long best = 0;

    for (int i = I; i < n; i += STRIDE) {
        unsigned long long v = ~((unsigned long long)(unsigned)a[i] << 32 | (unsigned)i);

        best = v > best ? v : best;
    }
    for (int d = 16; d > 0; d >>= 1) {
        unsigned long long o = __shfl_down_sync(ALL, best, d);

        best = o > best ? o : best;
    }
    if ((threadIdx.x & 31) == 0) {
        atomicMax((unsigned long long *)c, best);
    }
}

// Sums that begin anew where a bit is set, within each warp.
KERNEL q_segments(IARGS)
{
    int lane = threadIdx.x & 31;

    for (int i = I; i < n; i += STRIDE) {
        int v = b[i];
        unsigned heads = __ballot_sync(ALL, (a[i] & 7) == 0) | 1;
        int start = 31 - __clz((int)(heads & (2u << lane) - 1));

        for (int d = 1; d < 32; d <<= 1) {
            int o = __shfl_up_sync(ALL, v, d);

            v += lane - d >= start ? o : 0;
        }
        c[i] = v;
    }
}

// ---- games, tables of choices, chance ----

// m things of a weight and a worth into a bag that carries up to blockDim.x, a bag per block.
KERNEL q_bag(IARGS)
{
    __shared__ int best[2][1024];
    int t = threadIdx.x, f = 0;

    best[0][t] = 0;
    for (int k = 0; k < m; k++) {
        int thing = a[blockIdx.x * m + k], weight = 1 + (thing & 63), worth = thing >> 6 & 255, v;

        __syncthreads();
        v = best[f][t];
        if (t >= weight) {
            v = max(v, best[f][t - weight] + worth);
        }
        best[1 - f][t] = v;
        f = 1 - f;
    }
    c[I] = best[f][t];
}

// An option's price on a tree of m steps, back from the end, a block of m + 1 threads or more each.
KERNEL q_option_tree(ARGS)
{
    __shared__ float v[512];
    int t = threadIdx.x;
    float x = 20.0f + a[blockIdx.x], up = 1.01f, price = x;

    for (int k = 0; k < m; k++) {
        price *= k < t ? up : 1.0f / up;
    }
    v[t] = fmaxf(price - 20.0f, 0.0f);
    for (int k = m - 1; k >= 0; k--) {
        float p = 0;

        __syncthreads();
        if (t <= k) {
            p = 0.999f * (0.51f * v[t + 1] + 0.49f * v[t]);
        }
        __syncthreads();
        if (t <= k) {
            v[t] = p;
        }
    }
    if (t == 0) {
        c[blockIdx.x] = v[0];
    }
}

// The likeliest way through 32 states, m steps, a warp per sequence; costs of steps in b.
KERNEL q_likeliest(IARGS)
{
    int lane = threadIdx.x & 31, row = I / 32, score = 0;

    for (int k = 0; k < m; k++) {
        int see = a[row * m + k] & 31, best = 0x7fffffff;

        for (int j = 0; j < 32; j++) {
            best = min(best, __shfl_sync(ALL, score, j) + (b[j * 32 + lane] & 255));
        }
        score = best + ((lane ^ see) & 15);
    }
    c[I] = score;
}

// Queens on a board of n x n, n at most 10, two of which a thread has placed; a stack of bits.
KERNEL q_queens(IARGS)
{
    int all = (1 << n) - 1, i = (int)(I % (n * n)), p = 1 << i % n, q = 1 << i / n, found = 0, row = 2;
    int cols[12], left[12], right[12], open[12];

    if ((p | p << 1 | p >> 1) & q) {
        c[I] = 0;
        return;
    }
    cols[2] = p | q;
    left[2] = (p << 2 | q << 1) & all;
    right[2] = p >> 2 | q >> 1;
    open[2] = all & ~(cols[2] | left[2] | right[2]);
    while (row >= 2) {
        int bit = open[row] & -open[row];

        if (bit == 0) {
            row--;
        } else {
            open[row] &= ~bit;
            if (row == n - 1) {
                found++;
            } else {
                cols[row + 1] = cols[row] | bit;
                left[row + 1] = (left[row] | bit) << 1 & all;
                right[row + 1] = (right[row] | bit) >> 1;
                row++;
                open[row] = all & ~(cols[row] | left[row] | right[row]);
            }
        }
    }
    c[I] = found;
}

// Primes of a block's 8192 numbers, bits in shared memory, struck out by what is odd and below 2048.
KERNEL q_sieve(IARGS)
{
    __shared__ unsigned bits[256];
    int t = threadIdx.x, from = blockIdx.x * 8192;

    bits[t] = 0xaaaaaaaau;
    __syncthreads();
    for (int p = 2 * t + 3; p < 2048 && p * p < from + 8192; p += 512) {
        int k = max(p * p, (from + p - 1) / p * p);

        for (k += k & 1 ? 0 : p; k < from + 8192; k += 2 * p) {
            atomicAnd(&bits[(k - from) >> 5], ~(1u << (k & 31)));
        }
    }
    __syncthreads();
    c[I] = (int)bits[t];
}

// Random numbers by counter, ten rounds, four words at a time.
KERNEL q_counter_random(IARGS)
{
    for (int i = I; i < n / 4; i += STRIDE) {
        uint4 v = make_uint4(i, 0, 0, 0);
        unsigned k0 = 17, k1 = (unsigned)m;

#pragma unroll
        for (int k = 0; k < 10; k++) {
            unsigned h0 = __umulhi(0xd2511f53u, v.x), l0 = 0xd2511f53u * v.x;
            unsigned h1 = __umulhi(0xcd9e8d57u, v.z), l1 = 0xcd9e8d57u * v.z;

            v = make_uint4(h1 ^ v.y ^ k0, l1, h0 ^ v.w ^ k1, l0);
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        ((uint4 *)c)[i] = v;
    }
}

// m steps at random on a map of n x n (a power of two): what was found on the way.
KERNEL q_walk(IARGS)
{
    unsigned seed = mix(I + 1);
    int x = seed & (n - 1), y = seed >> 16 & (n - 1), s = 0;

    for (int k = 0; k < m; k++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        x = (x + (seed & 1) - (seed >> 1 & 1)) & (n - 1);
        y = (y + (seed >> 2 & 1) - (seed >> 3 & 1)) & (n - 1);
        s += a[y * n + x] & 255;
    }
    c[I] = s;
}

// An option's price by m ends at random per thread, a block's mean.
KERNEL q_chance_option(ARGS)
{
    __shared__ float2 part[32];
    unsigned seed = mix(I + 99);
    float s = 0;

    for (int k = 0; k < m; k++) {
        float u, v;

        seed = seed * 1664525u + 1013904223u;
        u = ((seed >> 8) + 1) * (1.0f / 16777217.0f);
        seed = seed * 1664525u + 1013904223u;
        v = (seed >> 8) * (6.2831853f / 16777216.0f);
        s += fmaxf(20.0f * __expf(0.2f * sqrtf(-2.0f * __logf(u)) * __cosf(v)) - 20.0f, 0.0f);
    }
    float2 sums = block_sums(s, s * s, part);
    if (threadIdx.x == 0) {
        c[2 * blockIdx.x] = sums.x / (blockDim.x * m);
        c[2 * blockIdx.x + 1] = sums.y;
    }
}
