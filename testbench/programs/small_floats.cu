/* Numbers of 16 and 8 bits, by the host and by the device: one digest of each operation. */
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

enum { N = 4096, OPS = 24 };

/* Patterns that come near each other often enough. */
__host__ __device__ static unsigned pattern(unsigned i)
{
    unsigned z = i * 2654435761u;

    z = (z ^ z >> 15) * 2246822519u;
    z ^= z >> 13;
    return i % 4 == 0 ? z : (z & 0x83ff83ffu) | 0x38003800u;
}

__host__ __device__ static __half half_of(unsigned i)
{
    __half_raw r;

    r.x = (unsigned short)pattern(i);
    return __half(r);
}

__host__ __device__ static __nv_bfloat16 bfloat_of(unsigned i)
{
    __nv_bfloat16_raw r;

    r.x = (unsigned short)(pattern(i) >> 16);
    return __nv_bfloat16(r);
}

__host__ __device__ static float float_of(unsigned i)
{
    return (float)((int)pattern(i) % 100000) * 0.0009765625f;
}

__host__ __device__ static unsigned bits(__half h)
{
    return __half_raw(h).x;
}

__host__ __device__ static unsigned bits(__nv_bfloat16 h)
{
    return __nv_bfloat16_raw(h).x;
}

__host__ __device__ static void compute(unsigned i, unsigned *d)
{
    __half a = half_of(i), b = half_of(i + 77), c = half_of(i + 991);
    __nv_bfloat16 p = bfloat_of(i), q = bfloat_of(i + 77);
    __half2 ab = __halves2half2(a, b), bc = __halves2half2(b, c);
    float f = float_of(i), g = float_of(i + 5);

    d[0] = bits(__hadd(a, b));
    d[1] = bits(__hsub(a, b));
    d[2] = bits(__hmul(a, b));
    d[4] = bits(__hmax(a, b));
    d[5] = bits(__hmin_nan(a, b));
    d[6] = bits(__hadd_sat(a, b));
    d[8] = bits(__high2half(__hmul2(ab, bc)));
    d[9] = bits(__float2half(f));
    d[10] = bits(__float2half_rz(f));
    d[11] = bits(__float2half_ru(f));
    d[12] = bits(__float2half_rd(f));
    d[13] = (unsigned)(__half2float(a) < __half2float(b));
    d[14] = bits(__hadd(p, q));
    d[15] = bits(__hsub(p, q));
    d[16] = bits(__hmul(p, q));
    d[18] = bits(__hmax_nan(p, q));
    d[19] = bits(__float2bfloat16(f));
    d[20] = __nv_cvt_float2_to_fp8x2(float2{f, g}, __NV_SATFINITE, __NV_E4M3);
    d[21] = __nv_cvt_float2_to_fp8x2(float2{f, g}, __NV_SATFINITE, __NV_E5M2);
    d[22] = __nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E4M3).x;
    d[23] = __nv_cvt_fp8_to_halfraw((unsigned char)i, __NV_E5M2).x;
}

/* Sums of products that are rounded once: hosts have none. */
__device__ static void compute_fma(unsigned i, unsigned *d)
{
    __half a = half_of(i), b = half_of(i + 77), c = half_of(i + 991);
    __nv_bfloat16 p = bfloat_of(i), q = bfloat_of(i + 77), r = bfloat_of(i + 991);
    __half2 ab = __halves2half2(a, b), bc = __halves2half2(b, c);

    d[3] = bits(__hfma(a, b, c));
    d[7] = bits(__low2half(__hfma2(ab, bc, ab)));
    d[17] = bits(__hfma(p, q, r));
}

__global__ void all(unsigned *d)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    compute(i, d + i * OPS);
    compute_fma(i, d + i * OPS);
}

static bool is_fma(int k)
{
    return k == 3 || k == 7 || k == 17;
}

static void print(const char *who, const unsigned *d, bool fma)
{
    for (int k = 0; k < OPS; k++) {
        unsigned h = 2166136261u;

        if (is_fma(k) && !fma) {
            continue;
        }
        for (int i = 0; i < N; i++) {
            h = (h ^ d[i * OPS + k]) * 16777619u;
        }
        printf("%s %2d %08x\n", who, k, h);
    }
}

int main()
{
    static unsigned d[N * OPS];
    unsigned *on_device;

    for (unsigned i = 0; i < N; i++) {
        compute(i, d + i * OPS);
    }
    print("host", d, false);
#ifdef __CUDACC__
    if (cudaMalloc(&on_device, sizeof d) != cudaSuccess) {
        return 1;
    }
    all<<<N / 128, 128>>>(on_device);
    if (cudaMemcpy(d, on_device, sizeof d, cudaMemcpyDeviceToHost) != cudaSuccess) {
        return 1;
    }
    print("device", d, true);
#endif
    return 0;
}
