// Functions by way of a table: what they write in shared memory, and who reads it.
// Translated with nvcc -ptx -arch=sm_75 -lineinfo.
#define KERNEL extern "C" __global__ void

typedef void (*step)(int *s, int t);

__device__ __noinline__ void once(int *s, int t)
{
    s[t] = t;
}

__device__ __noinline__ void twice(int *s, int t)
{
    s[t] = 2 * t;
}

__device__ step steps[] = {once, twice};

template <bool right> __device__ void by_table(int *d, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    steps[d[t] & 1](s, t);
    if (right) {
        __syncthreads();
    }
    out[t] = s[t ^ 32];
}
KERNEL tableBad(int *d, int *out) { by_table<false>(d, out); }
KERNEL table(int *d, int *out) { by_table<true>(d, out); }
