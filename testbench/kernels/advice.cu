/* Five kernels that a rule of "run --explain" has something to say about, and each once
 * more with what its advice asks for. */

#define TILE 32
#define ROWS 8

/* ---- transpose: a column is written, and through a tile in shared memory ---- */

extern "C" __global__ void transpose_columns(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        out[x * n + y + j] = in[(y + j) * n + x];
    }
}

extern "C" __global__ void transpose_rows(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

/* ---- tile: a column of the tile is read, and of one padded by a word ---- */

template <int PITCH>
__device__ void turn(float *out, const float *in)
{
    __shared__ float tile[TILE][PITCH];
    int x = threadIdx.x;

    for (int y = threadIdx.y; y < TILE; y += ROWS) {
        tile[y][x] = in[blockIdx.x * TILE * TILE + TILE * y + x];
    }
    for (int k = 0; k < 16; k++) {
        float sum = 0;

        __syncthreads();
        for (int y = threadIdx.y; y < TILE; y += ROWS) {
            sum += tile[x][y];
        }
        __syncthreads();
        tile[threadIdx.y][x] = sum;
    }
    __syncthreads();
    out[blockIdx.x * TILE * ROWS + TILE * threadIdx.y + x] = tile[threadIdx.y][x];
}

extern "C" __global__ void tile_columns(float *out, const float *in)
{
    turn<TILE>(out, in);
}

extern "C" __global__ void tile_padded(float *out, const float *in)
{
    turn<TILE + 1>(out, in);
}

/* ---- reduction: a thread adds words side by side, and words as far apart as there are
 * threads; then the threads' sums are added ---- */

#define EACH 32

__device__ void fill(float *part, const float *in)
{
    for (int i = threadIdx.x; i < EACH * blockDim.x; i += blockDim.x) {
        part[i] = in[blockIdx.x * EACH * blockDim.x + i];
    }
    __syncthreads();
}

__device__ void add_sums(float *out, float *part, float sum)
{
    int t = threadIdx.x;

    __syncthreads();
    part[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) {
            part[t] += part[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

extern "C" __global__ void sum_strided(float *out, const float *in)
{
    extern __shared__ float part[];
    float sum = 0;

    fill(part, in);
    for (int k = 0; k < EACH; k++) {
        sum += part[EACH * threadIdx.x + k];
    }
    add_sums(out, part, sum);
}

extern "C" __global__ void sum_rows(float *out, const float *in)
{
    extern __shared__ float part[];
    float sum = 0;

    fill(part, in);
    for (int k = 0; k < EACH; k++) {
        sum += part[k * blockDim.x + threadIdx.x];
    }
    add_sums(out, part, sum);
}

/* ---- histogram: of threads that count 32 bins each, which lie side by side by
 * thread, and by bin ---- */

#define BINS 32

extern "C" __global__ void histogram_threads(unsigned *bins, const unsigned *data, int n)
{
    extern __shared__ unsigned own[];
    int t = threadIdx.x, stride = gridDim.x * blockDim.x;

    for (int b = 0; b < BINS; b++) {
        own[t * BINS + b] = 0;
    }
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride) {
        own[t * BINS + data[i] % BINS]++;
    }
    for (int b = 0; b < BINS; b++) {
        bins[(blockIdx.x * BINS + b) * blockDim.x + t] = own[t * BINS + b];
    }
}

extern "C" __global__ void histogram_bins(unsigned *bins, const unsigned *data, int n)
{
    extern __shared__ unsigned own[];
    int t = threadIdx.x, stride = gridDim.x * blockDim.x;

    for (int b = 0; b < BINS; b++) {
        own[b * blockDim.x + t] = 0;
    }
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride) {
        own[(data[i] % BINS) * blockDim.x + t]++;
    }
    for (int b = 0; b < BINS; b++) {
        bins[(blockIdx.x * BINS + b) * blockDim.x + t] = own[b * blockDim.x + t];
    }
}

/* ---- matrix product: lanes walk down the rows of C, and along them ---- */

extern "C" __global__ void product_down(float *c, const float *a, const float *b, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    for (int k = 0; k < n; k++) {
        sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
}

extern "C" __global__ void product_along(float *c, const float *a, const float *b, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;

    for (int k = 0; k < n; k++) {
        sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
}

/* ---- transpose once more: a column is written, but all that a thread writes is read
 * first. What is read can lie where is written, so compilers do not do that ---- */

extern "C" __global__ void transpose_ahead(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float row[TILE / ROWS];

    for (int j = 0; j < TILE; j += ROWS) {
        row[j / ROWS] = in[(y + j) * n + x];
    }
    for (int j = 0; j < TILE; j += ROWS) {
        out[x * n + y + j] = row[j / ROWS];
    }
}

/* ---- a tree of sums: threads side by side add words 2, 4, 8 ... apart, and words side
 * by side ---- */

extern "C" __global__ void tree_strided(float *out, const float *in)
{
    extern __shared__ float part[];
    int t = threadIdx.x;

    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int i = 2 * step * t;

        if (i < blockDim.x) {
            part[i] += part[i + step];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

extern "C" __global__ void tree_rows(float *out, const float *in)
{
    extern __shared__ float part[];
    int t = threadIdx.x;

    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) {
            part[t] += part[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}
