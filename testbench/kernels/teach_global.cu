/* Access patterns of global memory, and of constants. In the buffer in, element i holds
 * i. */

/* out[slot * n + i] = the same, for n threads; loads begin at an offset, stores do not. */
extern "C" __global__ void load_offset(int *out, int *in, int offset, int slot)
{
    int n = blockDim.x * gridDim.x, i = blockDim.x * blockIdx.x + threadIdx.x;

    out[slot * n + i] = in[i + offset] - offset + slot * n;
}

/* out[i + offset] = i + offset */
extern "C" __global__ void store_offset(int *out, int offset)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x + offset;

    out[i] = i;
}

/* Two lanes of each pair swap their words. out[slot * n + i] = the same */
extern "C" __global__ void load_swapped(int *out, int *in, int slot)
{
    int n = blockDim.x * gridDim.x, i = blockDim.x * blockIdx.x + threadIdx.x;
    int from = i ^ 1;

    out[slot * n + i] = in[from] - from + i + slot * n;
}

/* Loads of every stride-th word. out[slot * n + i] = the same */
extern "C" __global__ void load_stride(int *out, int *in, int stride, int slot)
{
    int n = blockDim.x * gridDim.x, i = blockDim.x * blockIdx.x + threadIdx.x;

    out[slot * n + i] = in[i * stride] - i * stride + i + slot * n;
}

/* Rows of 64 words, pitch words apart: block b reads rows b, b + grid, b + 2 grid ...
 * out[64 b + t] = 64 b + t */
extern "C" __global__ void read_rows(int *out, int *in, int rows, int pitch)
{
    int t = threadIdx.x, sum = 0;

    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        int i = row * pitch + t;

        sum += in[i] - i;
    }
    out[64 * blockIdx.x + t] = sum + 64 * blockIdx.x + t;
}

/* ---- constants: table[i] = i, so that each load leads to itself; out[t] = t ---- */

__constant__ int table[64];

#define CHASE(entry)                                                                     \
    int t = threadIdx.x, at = entry;                                                     \
                                                                                         \
    _Pragma("unroll") for (int round = 0; round < 16; round++) {                         \
        at = table[at];                                                                  \
    }                                                                                    \
    out[t] = at - (entry) + t;

extern "C" __global__ void const_same(int *out, int which)
{
    CHASE(which)
}

extern "C" __global__ void const_per_half(int *out)
{
    CHASE(t / 16)
}

extern "C" __global__ void const_quads(int *out)
{
    CHASE(t / 4)
}

extern "C" __global__ void const_own(int *out)
{
    CHASE(t)
}
