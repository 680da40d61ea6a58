// Small errands of many trades that the other files leave out: sensors, parcels, genes, particles,
// money, codes and checks, schedules, blocks of matrices, images in bits, and a few that search.
// Arguments as in kernels.cu: two inputs a and b, an output c, two numbers n and m.
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int m
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE (gridDim.x * blockDim.x)
#define ALL 0xffffffffu

// ---- sensors ----

// Exponential smoothing of n series of m samples, one a thread, samples of a time side by side.
KERNEL s_smooth(ARGS)
{
    float s = 0;

    for (int t = 0; t < m; t++) {
        s += 0.125f * (a[t * n + I] - s);
        c[t * n + I] = s;
    }
}

// The median of 5 neighbours by a network of comparisons.
KERNEL s_median5(ARGS)
{
    int i = I;

    if (i >= 2 && i < n - 2) {
        float p = a[i - 2], q = a[i - 1], r = a[i], s = a[i + 1], t = a[i + 2];
        float lo = fmaxf(fminf(p, q), fminf(r, s)), hi = fminf(fmaxf(p, q), fmaxf(r, s));

        c[i] = fmaxf(fminf(lo, hi), fminf(t, fmaxf(lo, hi)));
    }
}

// Four sensors' readings are weighed by the inverse of their spread.
KERNEL s_weigh(ARGS)
{
    if (I < n) {
        float sum = 0, weight = 0;

        for (int k = 0; k < 4; k++) {
            float w = 1.0f / (9.0f + b[k * n + I]);

            sum += w * a[k * n + I];
            weight += w;
        }
        c[I] = sum / weight;
    }
}

// A two-state Kalman filter of m steps in registers.
KERNEL s_kalman(ARGS)
{
    float x = 0, v = 0, p00 = 1, p01 = 0, p11 = 1;

    for (int t = 0; t < m; t++) {
        float z = a[t * n + I], innov, k0, k1, den;

        x += v;
        p00 += 2 * p01 + p11 + 0.01f;
        p01 += p11;
        p11 += 0.01f;
        den = p00 + 4.0f;
        k0 = p00 / den;
        k1 = p01 / den;
        innov = z - x;
        x += k0 * innov;
        v += k1 * innov;
        p11 -= k1 * p01;
        p01 -= k0 * p01;
        p00 -= k0 * p00;
    }
    c[2 * I] = x;
    c[2 * I + 1] = v;
}

// Peaks: what is larger than 8 neighbours on both sides, from a tile of shared memory.
KERNEL s_peaks(ARGS)
{
    __shared__ float v[256 + 16];
    int base = blockIdx.x * 256, t = threadIdx.x;
    bool peak = true;

    for (int k = t; k < 272; k += 256) {
        int at = base + k - 8;

        v[k] = at >= 0 && at < n ? a[at] + 0.001f * (at & 7) : -100.0f;
    }
    __syncthreads();
    for (int d = 1; d <= 8; d++) {
        peak = peak && v[t + 8] > v[t + 8 - d] && v[t + 8] > v[t + 8 + d];
    }
    c[base + t] = peak ? v[t + 8] : 0.0f;
}

// Counts how often neighbours change sign, by votes of warps.
KERNEL s_crossings(ARGS)
{
    int count = 0;

    for (int i = I; i < n - 1; i += STRIDE) {
        count += __popc(__ballot_sync(__activemask(), a[i] * a[i + 1] < 0)) * ((threadIdx.x & 31) == 0);
    }
    ((int *)c)[I] = count;
}

// ---- parcels and roads ----

// The nearest of m depots by the sum of distances along the axes.
KERNEL s_depot(IARGS)
{
    int x = a[I] & 1023, y = a[I] >> 10 & 1023, best = 1 << 30, who = -1;

    for (int k = 0; k < m; k++) {
        int d = abs(x - (b[k] & 1023)) + abs(y - (b[k] >> 10 & 1023));

        if (d < best) {
            best = d;
            who = k;
        }
    }
    c[I] = who * 4096 + best;
}

// Parcels go into 32 chutes: counts by warp-wide matches, then one atomic each.
KERNEL s_chutes(IARGS)
{
    __shared__ int count[32];

    if (threadIdx.x < 32) {
        count[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        int chute = a[i] & 31;
        unsigned same = __match_any_sync(ALL, chute);

        if ((threadIdx.x & 31) == __ffs(same) - 1) {
            atomicAdd(&count[chute], __popc(same));
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        atomicAdd(&c[threadIdx.x], count[threadIdx.x]);
    }
}

// Days and minutes of n seconds: divisions by constants.
KERNEL s_clock_face(IARGS)
{
    int i = I;

    if (i < n) {
        unsigned s = (unsigned)a[i], day = s / 86400u, hour = s / 3600u % 24u, minute = s / 60u % 60u;

        c[i] = (int)(day << 16 | hour << 8 | minute);
    }
}

// Rows and columns of a sheet of m columns: divisions by a number that is not known before.
KERNEL s_sheet(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        int row = a[i] / m, col = a[i] % m;

        c[i] = b[(row * 7 + col) & 4095] + row - col;
    }
}

// Relaxes the roads of a net of 4 neighbours m times within a block.
KERNEL s_roads(IARGS)
{
    __shared__ int far[18][18];
    int x = threadIdx.x + 1, y = threadIdx.y + 1, at = (blockIdx.x * 16 + y - 1) * 16 + x - 1;
    int cost = (a[at] & 15) + 1;

    for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
        far[k / 18][k % 18] = 100000;
    }
    __syncthreads();
    if (x == 1 && y == 1) {
        far[1][1] = 0;
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        int d = min(min(far[y - 1][x], far[y + 1][x]), min(far[y][x - 1], far[y][x + 1])) + cost;

        d = min(d, far[y][x]);
        __syncthreads();
        far[y][x] = d;
        __syncthreads();
    }
    c[at] = far[y][x];
}

// ---- genes ----

// Packs 16 letters of 2 bits into each word.
KERNEL s_pack2(IARGS)
{
    unsigned v = 0;

    for (int k = 0; k < 4; k++) {
        int4 w = ((const int4 *)a)[I * 4 + k];

        v |= (unsigned)((w.x & 3) | (w.y & 3) << 2 | (w.z & 3) << 4 | (w.w & 3) << 6) << 8 * k;
    }
    c[I] = (int)v;
}

// The share of two of the four letters in windows of 64.
KERNEL s_share(IARGS)
{
    if (I + 4 <= n) {
        int count = 0;

        for (int k = 0; k < 4; k++) {
            unsigned v = (unsigned)a[I + k];

            count += __popc((v ^ v >> 1) & 0x55555555u);
        }
        c[I] = count;
    }
}

// The reverse complement of packed words.
KERNEL s_reverse(IARGS)
{
    unsigned v = __brev((unsigned)a[n - 1 - I]);

    c[I] = (int)~((v & 0xaaaaaaaau) >> 1 | (v & 0x55555555u) << 1);
}

// Counts of all words of 4 letters, in shared memory.
KERNEL s_words4(IARGS)
{
    __shared__ int count[256];

    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = I; i < n; i += STRIDE) {
        unsigned v = (unsigned)a[i];

        for (int k = 0; k < 13; k += 4) {
            atomicAdd(&count[v >> 2 * k & 255], 1);
        }
    }
    __syncthreads();
    atomicAdd(&c[threadIdx.x], count[threadIdx.x]);
}

// Smith and Waterman's score of a short word against n texts of 32 letters, a row in registers.
KERNEL s_align(IARGS)
{
    int row[9] = {0}, best = 0, word = b[0];

    for (int t = 0; t < 32; t++) {
        int letter = a[(t >> 4) * n + I] >> 2 * (t & 15) & 3, diag = 0;

#pragma unroll
        for (int j = 1; j <= 8; j++) {
            int hit = letter == (word >> 2 * j & 3) ? 2 : -1, v = max(max(0, diag + hit), max(row[j], row[j - 1]) - 1);

            diag = row[j];
            row[j] = v;
            best = max(best, v);
        }
    }
    c[I] = best;
}

// ---- particles ----

// m steps of particles in a box that throws them back.
KERNEL s_box(ARGS)
{
    float x = a[I], y = a[n + I], u = 0.1f * b[I], v = 0.07f * b[n + I];

    for (int k = 0; k < m; k++) {
        x += u;
        y += v;
        if (x < -8 || x > 8) {
            u = -u;
        }
        if (y < -8 || y > 8) {
            v = -v;
        }
    }
    c[I] = x;
    c[n + I] = y;
}

// A charge is dealt to the four corners of its cell, as whole numbers.
KERNEL s_deal(IARGS)
{
    for (int i = I; i < n; i += STRIDE) {
        int x = a[i] & 4095, y = b[i] & 4095, fx = x & 63, fy = y & 63, cell = (y >> 6) * 65 + (x >> 6);

        atomicAdd(&c[cell], (64 - fx) * (64 - fy));
        atomicAdd(&c[cell + 1], fx * (64 - fy));
        atomicAdd(&c[cell + 65], (64 - fx) * fy);
        atomicAdd(&c[cell + 66], fx * fy);
    }
}

// Springs between neighbours of a chain, m steps in shared memory.
KERNEL s_chain(ARGS)
{
    __shared__ float x[258];
    int t = threadIdx.x + 1;
    float v = 0;

    x[t] = a[I];
    if (t == 1) {
        x[0] = x[257] = 0;
    }
    __syncthreads();
    for (int k = 0; k < m; k++) {
        v += 0.1f * (x[t - 1] - 2 * x[t] + x[t + 1]);
        __syncthreads();
        x[t] += 0.1f * v;
        __syncthreads();
    }
    c[I] = x[t];
}

// Lengths of n vectors of three, and the vectors of length one.
KERNEL s_unit(ARGS)
{
    if (I < n) {
        float x = a[3 * I] + 0.5f, y = a[3 * I + 1], z = a[3 * I + 2], r = sqrtf(x * x + y * y + z * z);

        c[3 * I] = x / r;
        c[3 * I + 1] = y / r;
        c[3 * I + 2] = z / r;
    }
}

// Turns n points by a quaternion.
KERNEL s_turn(ARGS)
{
    if (I < n) {
        float4 q = ((const float4 *)b)[0];
        float x = a[I], y = a[n + I], z = a[2 * n + I];
        float tx = 2 * (q.y * z - q.z * y), ty = 2 * (q.z * x - q.x * z), tz = 2 * (q.x * y - q.y * x);

        c[I] = __fadd_rn(__fmaf_rn(q.w, tx, x), __fmaf_rn(q.y, tz, -__fmul_rn(q.z, ty)));
        c[n + I] = __fadd_rn(__fmaf_rn(q.w, ty, y), __fmaf_rn(q.z, tx, -__fmul_rn(q.x, tz)));
        c[2 * n + I] = __fadd_rn(__fmaf_rn(q.w, tz, z), __fmaf_rn(q.x, ty, -__fmul_rn(q.y, tx)));
    }
}

// ---- money ----

// Interest on interest: m years of n accounts, in cents.
KERNEL s_interest(IARGS)
{
    long long cents = a[I];

    for (int k = 0; k < m; k++) {
        cents += cents * (b[I] & 15) / 400;
    }
    c[2 * I] = (int)cents;
    c[2 * I + 1] = (int)(cents >> 32);
}

// A present value by Horner's rule over m payments.
KERNEL s_present(ARGS)
{
    float rate = 1.0f / (1.05f + 0.001f * b[I]), v = 0;

    for (int k = m; k > 0; k--) {
        v = (v + a[k * n + I]) * rate;
    }
    c[I] = v;
}

// A binomial tree of 128 leaves in shared memory.
KERNEL s_tree(ARGS)
{
    __shared__ float v[128];
    int t = threadIdx.x;

    v[t] = fmaxf(a[blockIdx.x] * 0.1f + 0.05f * t - 3.0f, 0.0f);
    for (int k = 127; k > 0; k--) {
        float w;

        __syncthreads();
        w = t < k ? 0.52f * v[t] + 0.47f * v[t + 1] : 0.0f;
        __syncthreads();
        if (t < k) {
            v[t] = w;
        }
    }
    if (t == 0) {
        c[blockIdx.x] = v[0];
    }
}

// The largest fall of a price within each of n series.
KERNEL s_fall(ARGS)
{
    float top = a[I], fall = 0;

    for (int k = 1; k < m; k++) {
        float v = a[k * n + I];

        top = fmaxf(top, v);
        fall = fmaxf(fall, top - v);
    }
    c[I] = fall;
}

// Moving sums of 16 by sums from the start within a block.
KERNEL s_moving(IARGS)
{
    __shared__ int v[256];
    int t = threadIdx.x, sum = a[I] & 255;

    v[t] = sum;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        int more = t >= d ? v[t - d] : 0;

        __syncthreads();
        v[t] = sum += more;
    }
    __syncthreads();
    c[I] = sum - (t >= 16 ? v[t - 16] : 0);
}

// ---- codes and checks ----

// Hamming's (7, 4) code: encodes 8 nibbles of each word by tables of bits.
KERNEL s_hamming(IARGS)
{
    if (I < n) {
        unsigned v = (unsigned)a[I], check = 0;

        for (int k = 0; k < 8; k++) {
            unsigned d = v >> 4 * k & 15;

            check |= ((d ^ d >> 1 ^ d >> 3) & 1) << 3 * k | ((d ^ d >> 2 ^ d >> 3) & 1) << (3 * k + 1) |
                     ((d >> 1 ^ d >> 2 ^ d >> 3) & 1) << (3 * k + 2);
        }
        c[I] = (int)check;
    }
}

// The check digit of numbers of 12 digits.
KERNEL s_check_digit(IARGS)
{
    if (I < n) {
        unsigned v = (unsigned)a[I], sum = 0;

        for (int k = 0; k < 9; k++) {
            sum += v % 10 * (k & 1 ? 3 : 1);
            v /= 10;
        }
        c[I] = (int)((10 - sum % 10) % 10);
    }
}

// A convolutional code of rate 1/2, 32 bits a thread.
KERNEL s_convolve(IARGS)
{
    if (I < n) {
        unsigned long long v = (unsigned long long)(unsigned)a[I] << 6;
        unsigned x = 0, y = 0;

        for (int k = 0; k < 32; k++) {
            unsigned w = (unsigned)(v >> k) & 127;

            x |= (unsigned)(__popc(w & 0171) & 1) << k;
            y |= (unsigned)(__popc(w & 0133) & 1) << k;
        }
        ((int2 *)c)[I] = make_int2((int)x, (int)y);
    }
}

// Base 64: three bytes to four letters.
KERNEL s_base64(IARGS)
{
    unsigned v = (unsigned)a[I], out = 0;

    for (int k = 0; k < 4; k++) {
        unsigned d = v >> (18 - 6 * k) & 63;
        unsigned letter = d < 26 ? 'A' + d : d < 52 ? 'a' + d - 26 : d < 62 ? '0' + d - 52 : d == 62 ? '+' : '/';

        out |= letter << 8 * k;
    }
    c[I] = (int)out;
}

// A stream of xorshift numbers is laid over n words, m times.
KERNEL s_stream(IARGS)
{
    unsigned s = (unsigned)b[I & 1023] | 1, sum = 0;

    for (int k = 0; k < m; k++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        sum += s ^ (unsigned)a[k * n + I];
    }
    c[I] = (int)sum;
}

// Runs: where a value begins that the one before was not, numbered in each block.
KERNEL s_runs(IARGS)
{
    __shared__ int sums[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32, i = I;
    bool starts = threadIdx.x == 0 || (a[i] & 3) != (a[i - 1] & 3);
    unsigned votes = __ballot_sync(ALL, starts);
    int before = __popc(votes & (ALL >> (31 - lane)));

    if (lane == 31) {
        sums[warp] = before;
    }
    __syncthreads();
    for (int k = 0; k < warp; k++) {
        before += sums[k];
    }
    c[i] = before;
}

// ---- blocks of matrices ----

// y = A x of a matrix in bands of 5 diagonals.
KERNEL s_bands(ARGS)
{
    int i = I;
    float s = 0;

    if (i >= n) {
        return;
    }
    for (int k = -2; k <= 2; k++) {
        if (i + k >= 0 && i + k < n) {
            s += a[(k + 2) * n + i] * b[i + k];
        }
    }
    c[i] = s;
}

// A product of two matrices of n by n, four by four results a thread.
KERNEL s_product4(ARGS)
{
    __shared__ float p[16][65], q[16][64];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float s[4][4] = {{0}};

    for (int k = 0; k < n; k += 16) {
        for (int r = y; r < 64; r += 16) {
            p[x][r] = a[(row + r) * n + k + x];
            q[y][x + r - y] = b[(k + y) * n + col + x + r - y];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            float u[4], v[4];

#pragma unroll
            for (int e = 0; e < 4; e++) {
                u[e] = p[j][y * 4 + e];
                v[e] = q[j][x * 4 + e];
            }
#pragma unroll
            for (int e = 0; e < 16; e++) {
                s[e / 4][e % 4] += u[e / 4] * v[e % 4];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int e = 0; e < 16; e++) {
        c[(row + y * 4 + e / 4) * n + col + x * 4 + e % 4] = s[e / 4][e % 4];
    }
}

// Largest of each row of m, one warp a row.
KERNEL s_row_max(ARGS)
{
    int row = I / 32, lane = threadIdx.x & 31;
    float v = -1e30f;

    for (int k = lane; k < m; k += 32) {
        v = fmaxf(v, a[row * m + k]);
    }
    for (int d = 16; d > 0; d /= 2) {
        v = fmaxf(v, __shfl_xor_sync(ALL, v, d));
    }
    if (lane == 0) {
        c[row] = v;
    }
}

// The sum of the products of each pair of 4 columns, over blocks of rows.
KERNEL s_covary(ARGS)
{
    __shared__ float part[10][8];
    float s[10] = {0};
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;

    for (int i = I; i < n; i += STRIDE) {
        float4 v = ((const float4 *)a)[i];

        s[0] += v.x * v.x, s[1] += v.x * v.y, s[2] += v.x * v.z, s[3] += v.x * v.w, s[4] += v.y * v.y;
        s[5] += v.y * v.z, s[6] += v.y * v.w, s[7] += v.z * v.z, s[8] += v.z * v.w, s[9] += v.w * v.w;
    }
#pragma unroll
    for (int k = 0; k < 10; k++) {
        for (int d = 16; d > 0; d /= 2) {
            s[k] += __shfl_down_sync(ALL, s[k], d);
        }
        if (lane == 0) {
            part[k][warp] = s[k];
        }
    }
    __syncthreads();
    if (threadIdx.x < 10) {
        float sum = 0;

        for (int k = 0; k < 8; k++) {
            sum += part[threadIdx.x][k];
        }
        c[blockIdx.x * 10 + threadIdx.x] = sum;
    }
}

// Solves n systems of 3 by Cramer's rule.
KERNEL s_cramer(ARGS)
{
    float v[9], r[3], det;

    for (int k = 0; k < 9; k++) {
        v[k] = a[k * n + I] + (k % 4 == 0 ? 20.0f : 0.0f);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = b[k * n + I];
    }
    det = v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) + v[2] * (v[3] * v[7] - v[4] * v[6]);
    c[I] = (r[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (r[1] * v[8] - v[5] * r[2]) + v[2] * (r[1] * v[7] - v[4] * r[2])) / det;
}

// ---- images in bits ----

// The game of life on words of 32 cells, one step.
KERNEL s_life(IARGS)
{
    int words = n / 32, y = I / words, x = I % words;
    unsigned sum1 = 0, sum2 = 0, sum4 = 0, own = (unsigned)a[I];

    for (int dy = -1; dy <= 1; dy++) {
        int row = (y + dy + m) % m * words;
        unsigned v = (unsigned)a[row + x], l = (unsigned)a[row + (x + words - 1) % words], r = (unsigned)a[row + (x + 1) % words];
        unsigned cell[3] = {v << 1 | l >> 31, v, v >> 1 | r << 31};

        for (int k = 0; k < 3; k++) {
            unsigned add = dy == 0 && k == 1 ? 0 : cell[k], carry = sum1 & add;

            sum1 ^= add;
            sum4 |= sum2 & carry;
            sum2 ^= carry;
        }
    }
    c[I] = (int)(sum2 & ~sum4 & (sum1 | own));
}

// Grows a black and white picture by one cell in four directions.
KERNEL s_grow(IARGS)
{
    int words = n / 32, y = I / words;
    unsigned v = (unsigned)a[I], up = y > 0 ? (unsigned)a[I - words] : 0, down = y < m - 1 ? (unsigned)a[I + words] : 0;

    c[I] = (int)(v | v << 1 | v >> 1 | up | down);
}

// Turns 32 by 32 bits about their diagonal, a warp each.
KERNEL s_turn_bits(IARGS)
{
    unsigned v = (unsigned)a[I], lane = threadIdx.x & 31, masks[5] = {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555};

#pragma unroll
    for (int k = 0; k < 5; k++) {
        int d = 16 >> k;
        unsigned other = __shfl_xor_sync(ALL, v, d);

        v = lane & d ? (v & ~masks[k]) | (other >> d & masks[k]) : (v & masks[k]) | (other << d & ~masks[k]);
    }
    c[I] = (int)v;
}

// Distances of two sets of signatures by their bits: each of n against m in shared memory.
KERNEL s_signatures(IARGS)
{
    __shared__ int q[128];
    int best = 1000, v = a[I];

    for (int base = 0; base < m; base += 128) {
        __syncthreads();
        q[threadIdx.x] = b[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            best = min(best, __popc(v ^ q[k]) * 1024 + k);
        }
    }
    c[I] = best;
}

// ---- searches ----

// The root of a cubic between two ends, by halving, m times.
KERNEL s_halving(ARGS)
{
    float lo = -20, hi = 20, p = a[I], q = b[I];

    for (int k = 0; k < m; k++) {
        float x = 0.5f * (lo + hi), f = __fmaf_rn(__fmaf_rn(x, x, fabsf(p)), x, q);

        if (f > 0) {
            hi = x;
        } else {
            lo = x;
        }
    }
    c[I] = lo;
}

// How many steps of Collatz's rule each number takes, at most m.
KERNEL s_collatz(IARGS)
{
    unsigned v = (unsigned)a[I] + 1;
    int k = 0;

    while (v != 1 && k < m) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        k++;
    }
    c[I] = k;
}

// The greatest common divisor of pairs.
KERNEL s_divisor(IARGS)
{
    unsigned x = (unsigned)a[I] + 1, y = (unsigned)b[I] + 1;

    while (y != 0) {
        unsigned r = x % y;

        x = y;
        y = r;
    }
    c[I] = (int)x;
}

// Where a value would stand in a sorted table of m numbers.
KERNEL s_place(IARGS)
{
    int v = a[I] & 0xffff, lo = 0, hi = m;

    while (lo < hi) {
        int mid = (lo + hi) / 2;

        if (b[mid] < v) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    c[I] = lo;
}
