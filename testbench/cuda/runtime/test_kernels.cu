/* test_kernels.cu - what the runtime's tests run on the device; test_kernels.ptx is made of
 * it with nvcc -O2 -arch=sm_75 -lineinfo -ptx. */
#include <assert.h>
#include <stdio.h>

extern "C" {

__device__ int symbol[16];
__constant__ int constants[16];

__global__ void kernel(int *out)
{
    out[threadIdx.x] = symbol[threadIdx.x & 15] + constants[threadIdx.x & 15];
}

__global__ void shared_kernel(int *out) /* 32 threads: reverses 32 numbers */
{
    __shared__ int s[768]; /* 3 KiB */

    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void __launch_bounds__(64) bound_kernel(int *out)
{
    out[threadIdx.x] = 1;
}

__global__ void bad_kernel(int *out, int which)
{
    switch (which) {
    case 0: /* far outside of any memory */
        *(volatile int *)0x10 = 1;
        break;
    case 1: /* behind all that was allocated */
        ((volatile int *)out)[(size_t)1 << 36] = 1;
        break;
    case 2:
        *(volatile int *)((char *)out + 2) = 1;
        break;
    case 3:
        assert(which != 3);
        break;
    case 4:
        asm volatile("trap;");
        break;
    default: { /* outside of shared memory */
        __shared__ volatile int s[32];

        s[(size_t)which << 22] = 1;
        break;
    }
    }
}

__global__ void add_kernel(int *out, int x, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        out[i] += x;
    }
}

__global__ void spin_kernel(volatile int *flag) /* until it is set; clears it */
{
    while (*flag == 0) {
    }
    *flag = 0;
}

__global__ void print_kernel(int x)
{
    printf("x is %d\n", x);
}

__global__ void set_symbol_kernel(int x)
{
    symbol[threadIdx.x & 15] += x;
}
}
