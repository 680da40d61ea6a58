// Blocks that meet in global memory, and reads of global and local memory that nobody
// wrote. Translated with nvcc -ptx -arch=sm_75 -lineinfo.
#define KERNEL extern "C" __global__ void

KERNEL unwritten(int *d, int *out)
{
    out[threadIdx.x] = d[threadIdx.x];
}

KERNEL localUnwritten(int *d, int *out)
{
    int a[8];

    for (int i = 0; i < d[1]; i++) {
        a[(i + threadIdx.x) & 7] = i;
    }
    out[threadIdx.x] = a[threadIdx.x & 7] + a[(threadIdx.x + 1) & 7];
}

KERNEL localWritten(int *d, int *out)
{
    int a[8];

    for (int i = 0; i < 8; i++) {
        a[(i + threadIdx.x) & 7] = i + d[0];
    }
    out[threadIdx.x] = a[threadIdx.x & 7];
}

// All blocks write one word.
KERNEL oneWord(int *d, int *out)
{
    out[0] = blockIdx.x;
}

KERNEL oneWordAtomic(int *d, int *out)
{
    atomicMax(out, blockIdx.x);
}

// A barrier is for one block only: the neighbour's part may not be there yet.
KERNEL neighbour(int *d, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    d[i] = i;
    __syncthreads();
    out[i] = d[(i + 1) % (gridDim.x * blockDim.x)];
}

__device__ unsigned int count;

// The last block adds up what all have left, with and without a fence.
template <bool fence> __device__ void lastBlock(int *d, int *out)
{
    __shared__ bool last;

    if (threadIdx.x == 0) {
        d[blockIdx.x] = blockIdx.x;
        if (fence) {
            __threadfence();
        }
        last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int sum = 0;

#pragma unroll 1
        for (int i = 0; i < gridDim.x; i++) {
            sum += d[i];
        }
        out[0] = sum;
    }
}
KERNEL last(int *d, int *out) { lastBlock<true>(d, out); }
KERNEL lastBad(int *d, int *out) { lastBlock<false>(d, out); }

// Block 0 hands a value on to block 3, by way of 1 and 2 that never look at it.
KERNEL chain(int *d, volatile int *out)
{
    int b = blockIdx.x;

    if (threadIdx.x != 0) {
        return;
    }
    if (b == 0) {
        d[0] = 5;
    } else {
        while (out[b - 1] == 0) {
        }
        __threadfence();
    }
    if (b == 3) {
        out[8] = d[0];
    }
    __threadfence();
    out[b] = 1;
}
