// Halves: y = a x + y of pairs, sums in memory, and the way through 8 bits and back.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half_axpy(const float2 *x, float2 *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        __half2 h = __float22half2_rn(x[i]), k = __float22half2_rn(y[i]);

        y[i] = __half22float2(__hfma2(__float2half2_rn(a), h, k));
    }
}

// Each block adds its values into one pair, of f16 and of bf16.
extern "C" __global__ void half_sums(const float2 *x, __half2 *h, __nv_bfloat162 *b)
{
    float2 v = x[threadIdx.x];

    atomicAdd(&h[blockIdx.x], __float22half2_rn(v));
    atomicAdd(&b[blockIdx.x], __float22bfloat162_rn(v));
}

extern "C" __global__ void half_bytes(const float2 *x, float2 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_fp8x2_e4m3 e(x[i]);

    y[i] = (float2)e;
}
