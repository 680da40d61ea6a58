// Long code without a loop, m times over: what caches of instructions cost. Apart from kernels.cu
// because its PTX is long; arguments as there.
#define KERNEL extern "C" __global__ void
#define IARGS const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int n, int m
#define I (blockIdx.x * blockDim.x + threadIdx.x)

#define STEP1 x = x * 3 + 7; x ^= x >> 5;
#define STEP8 STEP1 STEP1 STEP1 STEP1 STEP1 STEP1 STEP1 STEP1
#define STEP64 STEP8 STEP8 STEP8 STEP8 STEP8 STEP8 STEP8 STEP8
#define STEP512 STEP64 STEP64 STEP64 STEP64 STEP64 STEP64 STEP64 STEP64

KERNEL k_code_512(IARGS)
{
    unsigned x = (unsigned)a[I];

#pragma unroll 1
    for (int k = 0; k < m; k++) {
        STEP512
    }
    c[I] = (int)x;
}

KERNEL k_code_2048(IARGS)
{
    unsigned x = (unsigned)a[I];

#pragma unroll 1
    for (int k = 0; k < m; k++) {
        STEP512 STEP512 STEP512 STEP512
    }
    c[I] = (int)x;
}

KERNEL k_code_8192(IARGS)
{
    unsigned x = (unsigned)a[I];

#pragma unroll 1
    for (int k = 0; k < m; k++) {
        STEP512 STEP512 STEP512 STEP512 STEP512 STEP512 STEP512 STEP512
        STEP512 STEP512 STEP512 STEP512 STEP512 STEP512 STEP512 STEP512
    }
    c[I] = (int)x;
}
