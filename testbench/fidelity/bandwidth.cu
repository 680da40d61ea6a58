// The kernels of bandwidth.csv: n words are read, written or copied in loops in which the
// grid strides; read_4 and copy_4 have four words of a thread in flight in each turn.
// bandwidth.ptx is what nvcc -O3 -arch=sm_90 -lineinfo -ptx makes of it, which turns four
// times at once itself where nothing is in its way.
#define KERNEL extern "C" __global__ void
#define ARGS const float *a, float *c, int words

struct place {
    long first, stride; // of a thread, in words
};

static __device__ place here()
{
    const long stride = (long)gridDim.x * blockDim.x;

    return {blockIdx.x * (long)blockDim.x + threadIdx.x, stride};
}

template <int FLIGHT> static __device__ void load(float *v, const float *a, long i, long stride)
{
#pragma unroll
    for (int k = 0; k < FLIGHT; k++) {
        v[k] = a[i + k * stride];
    }
}

template <int FLIGHT> static __device__ void read(ARGS)
{
    const place p = here();
    const long n = words, last = (FLIGHT - 1) * p.stride;
    float v[FLIGHT], sum = 0;

    for (long i = p.first; i + last < n; i += FLIGHT * p.stride) {
        load<FLIGHT>(v, a, i, p.stride);
#pragma unroll
        for (int k = 0; k < FLIGHT; k++) {
            sum += v[k];
        }
    }
    if (sum == -1) { // never, but the compiler does not know
        c[0] = sum;
    }
}

template <int FLIGHT> static __device__ void copy(ARGS)
{
    const place p = here();
    const long n = words, last = (FLIGHT - 1) * p.stride;
    float v[FLIGHT];

    for (long i = p.first; i + last < n; i += FLIGHT * p.stride) {
        load<FLIGHT>(v, a, i, p.stride);
#pragma unroll
        for (int k = 0; k < FLIGHT; k++) {
            c[i + k * p.stride] = v[k];
        }
    }
}

static __device__ void write(float *c, long n)
{
    const place p = here();

    for (long i = p.first; i < n; i += p.stride) {
        c[i] = 0;
    }
}

KERNEL read_1(ARGS) { read<1>(a, c, words); }
KERNEL read_4(ARGS) { read<4>(a, c, words); }
KERNEL write_1(ARGS) { write(c, words); }
KERNEL write_4(ARGS) { write(c, words); } // as write_1: a loop of stores waits for nothing
KERNEL copy_1(ARGS) { copy<1>(a, c, words); }
KERNEL copy_4(ARGS) { copy<4>(a, c, words); }
