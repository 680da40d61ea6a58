// Compiled as: nvcc -ptx -fmad=false; run by model/ptx/exec_test.c.
#define FN __device__ __noinline__
#include "exec.h"

extern "C" __global__ void run(const struct in *in, struct out *out)
{
    all(in, out);
}
extern "C" __global__ void by_value(struct in in, struct out *out)
{
    all(&in, out);
}

__device__ __noinline__ unsigned scratch_sum(unsigned x)
{
    __shared__ unsigned scratch[8];
    extern __shared__ unsigned dyn[];

    for (unsigned i = 0; i < 8; i++) {
        scratch[i] = x * i;
        dyn[i] = scratch[i] + 1;
    }
    return scratch[5] + dyn[7];
}
extern "C" __global__ void shared_small(unsigned *out)
{
    __shared__ unsigned char pad[3];

    pad[2] = 9;
    out[0] = scratch_sum(3) + pad[2];
}
extern "C" __global__ void shared_large(unsigned *out)
{
    __shared__ double pad[20];

    for (int i = 0; i < 20; i++) {
        pad[i] = i;
    }
    out[0] = scratch_sum(4);
    for (int i = 0; i < 20; i++) {
        out[0] += (unsigned)pad[i];
    }
}

__constant__ int numbers[4] = {10, 20, 30, 40};
__device__ int values[3] = {7, 8, 9};
__device__ int *second = &values[1];
struct named {
    const char *s;
    int *p;
};
__constant__ named where = {"abc", values + 2};
extern "C" __global__ void symbols(unsigned *out, int i)
{
    out[0] = numbers[i] + values[i] + *second + where.s[i] + *where.p;
}
