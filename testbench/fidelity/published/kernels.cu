// Kernels whose times on older devices are published (published.csv): the steps of a
// block reduction, copies and transposes by tiles and by rows, copies with an offset
// and with a stride. Written for this table, after what the sources say each step does.
//
// clang compiles them without the CUDA headers, since nvcc no longer knows these
// devices: see make_ptx.sh.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

#define tid    (unsigned)__nvvm_read_ptx_sreg_tid_x()
#define tid_y  (unsigned)__nvvm_read_ptx_sreg_tid_y()
#define bid    (unsigned)__nvvm_read_ptx_sreg_ctaid_x()
#define bid_y  (unsigned)__nvvm_read_ptx_sreg_ctaid_y()
#define size   (unsigned)__nvvm_read_ptx_sreg_ntid_x()
#define size_y (unsigned)__nvvm_read_ptx_sreg_ntid_y()
#define grid   (unsigned)__nvvm_read_ptx_sreg_nctaid_x()
#define barrier() __syncthreads()

// Of the launch, so that nobody but the kernel's barriers says what lies in it.
extern __shared__ int s[];
extern __shared__ float tile[];

extern "C" {

// ---- sums of a block's part, blocks of 128 threads ----

enum { BLOCK = 128 };

// Every second, fourth ... thread adds: half of a warp idles, then three quarters.
__global__ void reduce1(int *out, const int *in, unsigned n)
{
    s[tid] = in[bid * size + tid];
    barrier();
    for (unsigned step = 1; step < size; step *= 2) {
        if (tid % (2 * step) == 0) {
            s[tid] += s[tid + step];
        }
        barrier();
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// The first threads add what lies 2, 4, 8 ... words apart: banks conflict.
__global__ void reduce2(int *out, const int *in, unsigned n)
{
    s[tid] = in[bid * size + tid];
    barrier();
    for (unsigned step = 1; step < size; step *= 2) {
        const unsigned at = 2 * step * tid;
        if (at < size) {
            s[at] += s[at + step];
        }
        barrier();
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// The first threads add neighbours: no conflicts.
__global__ void reduce3(int *out, const int *in, unsigned n)
{
    s[tid] = in[bid * size + tid];
    barrier();
    for (unsigned half = size / 2; half > 0; half >>= 1) {
        if (tid < half) {
            s[tid] += s[tid + half];
        }
        barrier();
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// The first addition while loading: half as many blocks.
__global__ void reduce4(int *out, const int *in, unsigned n)
{
    const unsigned i = bid * (size * 2) + tid;
    s[tid] = in[i] + in[i + size];
    barrier();
    for (unsigned half = size / 2; half > 0; half >>= 1) {
        if (tid < half) {
            s[tid] += s[tid + half];
        }
        barrier();
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// Inside a warp nobody waits for anybody: volatile keeps the order, barriers are not
// needed. Lanes above the half add too; what they write nobody reads.
static __device__ inline void last_warp(volatile int *s, unsigned t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

// The last warp without loop and barriers.
__global__ void reduce5(int *out, const int *in, unsigned n)
{
    const unsigned i = bid * (size * 2) + tid;
    s[tid] = in[i] + in[i + size];
    barrier();
    for (unsigned half = size / 2; half > 32; half >>= 1) {
        if (tid < half) {
            s[tid] += s[tid + half];
        }
        barrier();
    }
    if (tid < 32) {
        last_warp(s, tid);
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// No loop at all, as the block's size is known.
__global__ void reduce6(int *out, const int *in, unsigned n)
{
    const unsigned i = bid * (BLOCK * 2) + tid;
    s[tid] = in[i] + in[i + BLOCK];
    barrier();
    if (tid < 64) {
        s[tid] += s[tid + 64];
    }
    barrier();
    if (tid < 32) {
        last_warp(s, tid);
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// A fixed grid whose threads add many words each.
__global__ void reduce7(int *out, const int *in, unsigned n)
{
    int sum = 0;
#pragma nounroll
    for (unsigned i = bid * (BLOCK * 2) + tid; i < n; i += BLOCK * 2 * grid) {
        sum += in[i] + in[i + BLOCK];
    }
    s[tid] = sum;
    barrier();
    if (tid < 64) {
        s[tid] += s[tid + 64];
    }
    barrier();
    if (tid < 32) {
        last_warp(s, tid);
    }
    if (tid == 0) {
        out[bid] = s[0];
    }
}

// ---- tiles of 32 by 32 words, blocks of 32 by 8 threads ----

enum { TILE = 32, ROWS = 8 };

__global__ void tile_copy(float *out, const float *in, int width)
{
    const int at = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[at + j * width] = in[at + j * width];
    }
}

__global__ void tile_copy_shared(float *out, const float *in, int width)
{
    const int pitch = TILE;
    const int at = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[at + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[at + j * width] = tile[(tid_y + j) * pitch + tid];
    }
}

// Rows are read, columns written.
__global__ void tile_naive(float *out, const float *in, int width)
{
    const int x = bid * TILE + tid, y = bid_y * TILE + tid_y;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[x * width + y + j] = in[(y + j) * width + x];
    }
}

// Rows are read and written, a column of the tile lies in one bank.
__global__ void tile_coalesced(float *out, const float *in, int width)
{
    const int pitch = TILE;
    const int from = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
    const int to = (bid * TILE + tid_y) * width + bid_y * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[from + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[to + j * width] = tile[tid * pitch + tid_y + j];
    }
}

// A row of the tile is one word longer: a column lies in as many banks as it has words.
__global__ void tile_padded(float *out, const float *in, int width)
{
    const int pitch = TILE + 1;
    const int from = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
    const int to = (bid * TILE + tid_y) * width + bid_y * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[from + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[to + j * width] = tile[tid * pitch + tid_y + j];
    }
}

// Each tile transposed where it is.
__global__ void tile_fine(float *out, const float *in, int width)
{
    const int pitch = TILE + 1;
    const int at = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[at + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[at + j * width] = tile[tid * pitch + tid_y + j];
    }
}

// Each tile as it is at its transposed place.
__global__ void tile_coarse(float *out, const float *in, int width)
{
    const int pitch = TILE + 1;
    const int from = (bid_y * TILE + tid_y) * width + bid * TILE + tid;
    const int to = (bid * TILE + tid_y) * width + bid_y * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[from + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[to + j * width] = tile[(tid_y + j) * pitch + tid];
    }
}

// Blocks walk along diagonals, so that neither reads nor writes of those that run
// together meet in one memory partition.
__global__ void tile_diagonal(float *out, const float *in, int width)
{
    const int pitch = TILE + 1;
    const unsigned y = bid, x = (bid + bid_y) % grid;
    const int from = (y * TILE + tid_y) * width + x * TILE + tid;
    const int to = (x * TILE + tid_y) * width + y * TILE + tid;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        tile[(tid_y + j) * pitch + tid] = in[from + j * width];
    }
    barrier();
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        out[to + j * width] = tile[tid * pitch + tid_y + j];
    }
}

// ---- a word per thread, or four a block apart ----

__global__ void row_copy(float *out, const float *in, int width)
{
    const int x = bid * size + tid, y = bid_y * size_y + tid_y;
    if (x < width && y < width) {
        out[y * width + x] = in[y * width + x];
    }
}

__global__ void column_copy(float *out, const float *in, int width)
{
    const int x = bid * size + tid, y = bid_y * size_y + tid_y;
    if (x < width && y < width) {
        out[x * width + y] = in[x * width + y];
    }
}

__global__ void row_to_column(float *out, const float *in, int width)
{
    const int x = bid * size + tid, y = bid_y * size_y + tid_y;
    if (x < width && y < width) {
        out[x * width + y] = in[y * width + x];
    }
}

__global__ void column_to_row(float *out, const float *in, int width)
{
    const int x = bid * size + tid, y = bid_y * size_y + tid_y;
    if (x < width && y < width) {
        out[y * width + x] = in[x * width + y];
    }
}

__global__ void row_to_column4(float *out, const float *in, int width)
{
    const int x = bid * size * 4 + tid, y = bid_y * size_y + tid_y;
    if (x + 3 * size < width && y < width) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            out[(x + j * size) * width + y] = in[y * width + x + j * size];
        }
    }
}

__global__ void column_to_row4(float *out, const float *in, int width)
{
    const int x = bid * size * 4 + tid, y = bid_y * size_y + tid_y;
    if (x + 3 * size < width && y < width) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            out[y * width + x + j * size] = in[(x + j * size) * width + y];
        }
    }
}

// ---- one array, read and written ----

__global__ void add_offset(float *a, int offset)
{
    const int i = size * bid + tid + offset;
    a[i] = a[i] + 1;
}

__global__ void add_stride(float *a, int stride)
{
    const int i = (size * bid + tid) * stride;
    a[i] = a[i] + 1;
}

}
