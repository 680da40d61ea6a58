// Threads of one block that meet in global memory, shuffles that order nothing, and scopes
// that are too narrow. Each kernel has its twin, which is right.
// Translated with nvcc -ptx -arch=sm_75 -lineinfo.
#define KERNEL extern "C" __global__ void

// Warps: what the other half of the block wrote.
template <bool right> __device__ void halves(int *d, int *out)
{
    int t = threadIdx.x;

    d[t] = 3 * t;
    if (right) {
        __syncthreads();
    }
    out[t] = d[t ^ 32];
}
KERNEL warpsBad(int *d, int *out) { halves<false>(d, out); }
KERNEL warps(int *d, int *out) { halves<true>(d, out); }

// Lanes of a warp: what the neighbour wrote.
template <bool right> __device__ void lanes(int *d, int *out)
{
    int t = threadIdx.x;

    d[t] = 3 * t;
    if (right) {
        __syncwarp();
    }
    out[t] = d[t ^ 1];
}
KERNEL lanesBad(int *d, int *out) { lanes<false>(d, out); }
KERNEL lanesGood(int *d, int *out) { lanes<true>(d, out); }

// A shuffle lets lanes meet, and says nothing about memory.
template <bool right> __device__ void shuffled(int *d, int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x, v;

    s[t] = d[t];
    v = __shfl_xor_sync(0xffffffff, t, 1);
    if (right) {
        __syncwarp();
    }
    out[t] = s[v];
}
KERNEL shuffleBad(int *d, int *out) { shuffled<false>(d, out); }
KERNEL shuffle(int *d, int *out) { shuffled<true>(d, out); }

// Two blocks count in one word, by atomics that only their own block sees.
KERNEL countBad(int *d, int *out)
{
    atomicAdd_block(out, 1);
}
KERNEL count(int *d, int *out)
{
    atomicAdd(out, 1);
}

__device__ unsigned int ticket;

// The block that comes second reads what the first wrote; a fence of the block is none.
template <bool right> __device__ void second(int *d, int *out)
{
    __shared__ bool last;

    if (threadIdx.x == 0) {
        d[blockIdx.x] = 5;
        if (right) {
            __threadfence();
        } else {
            __threadfence_block();
        }
        last = atomicInc(&ticket, 2) == 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        out[0] = d[0] + d[1];
    }
}
KERNEL fenceBad(int *d, int *out) { second<false>(d, out); }
KERNEL fence(int *d, int *out) { second<true>(d, out); }

// Block 1 waits for the flag of block 0, and reads at once.
template <bool right> __device__ void waits(int *d, volatile int *out)
{
    if (threadIdx.x != 0) {
        return;
    }
    if (blockIdx.x == 0) {
        d[0] = 5;
        __threadfence();
        out[0] = 1;
        return;
    }
    while (out[0] == 0) {
    }
    if (right) {
        __threadfence();
    }
    out[1] = d[0];
}
KERNEL acquireBad(int *d, volatile int *out) { waits<false>(d, out); }
KERNEL acquire(int *d, volatile int *out) { waits<true>(d, out); }

__device__ int lock;

// A lock in global memory between the warps of a block; the fences make it one.
template <bool right> __device__ void locked(int *d, int *out)
{
    if (threadIdx.x % 32 != 0) {
        return;
    }
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    if (right) {
        __threadfence();
    }
    out[0] += d[threadIdx.x / 32];
    if (right) {
        __threadfence();
    }
    atomicExch(&lock, 0);
}
KERNEL lockBad(int *d, int *out) { locked<false>(d, out); }
KERNEL lockGood(int *d, int *out) { locked<true>(d, out); }
