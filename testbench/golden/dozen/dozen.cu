// The dozen classic faults, each with its repaired twin NAME_twin, for blocks of 64 or 128
// threads. A line at which a checker shall report NAME ends in "// NAME"; dozen.sh looks
// for it. Translated with nvcc -ptx -arch=sm_75 -lineinfo.
#define KERNEL extern "C" __global__ void

// 1: reverse without a barrier
KERNEL reverse(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = d[t];
    d[t] = s[n - t - 1]; // reverse
}

KERNEL reverse_twin(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - t - 1];
}

// 2: the sequential reduction, with each of its barriers missing in turn
KERNEL reduce_load(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            s[t] += s[t + k]; // reduce_load
        }
        __syncthreads();
    }
    if (t == 0) {
        *sum = s[0];
    }
}

KERNEL reduce_loop(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
    __syncthreads();
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            s[t] += s[t + k]; // reduce_loop
        }
    }
    if (t == 0) {
        *sum = s[0];
    }
}

KERNEL reduce_twin(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
    __syncthreads();
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            s[t] += s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        *sum = s[0];
    }
}

// Its barrier stands first in the loop; every thread reads the sum behind the loop.
KERNEL reduce_first(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            s[t] += s[t + k]; // reduce_first
        }
    }
    __syncthreads();
    sum[t] = s[0];
}

KERNEL reduce_behind(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) {
            s[t] += s[t + k];
        }
    }
    sum[t] = s[0]; // reduce_behind
}

KERNEL reduce_behind_twin(float *p, float *sum)
{
    __shared__ float s[128];
    int t = threadIdx.x;

    s[t] = p[t];
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) {
            s[t] += s[t + k];
        }
    }
    __syncthreads();
    sum[t] = s[0];
}

// 3: all threads store one word
KERNEL same_word(int *d)
{
    __shared__ int word;

    word = threadIdx.x; // same_word
    __syncthreads();
    d[threadIdx.x] = word;
}

KERNEL same_word_twin(int *d)
{
    __shared__ int word;

    if (threadIdx.x == 63) {
        word = threadIdx.x;
    }
    __syncthreads();
    d[threadIdx.x] = word;
}

// 4, 5: past the end of a shared array, by one element and by far
KERNEL shared_past(int *d, int by)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t + by] = d[t]; // shared_past
    __syncthreads();
    d[t] = s[63 - t];
}

// 6: past the end of a buffer
KERNEL global_past(int *d, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    if (t <= n) {
        d[t] = t; // global_past
    }
}

KERNEL global_past_twin(int *d, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;

    if (t < n) {
        d[t] = t;
    }
}

// 7: a word at an odd address
KERNEL misaligned(char *d, int by)
{
    *(int *)(d + 4 * threadIdx.x + by) = 1; // misaligned
}

// 8: a barrier for a part of a warp
KERNEL divergent(int *d)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = d[t];
    if (t < 40) {
        __syncthreads(); // divergent
    }
    d[t] = s[t] + 1;
}

KERNEL divergent_twin(int *d)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    s[t] = d[t];
    __syncthreads();
    d[t] = s[t] + 1;
}

// 9: threads leave before a barrier: they take no part in it, on the device as for its
// vendor's checker, unless the barrier counts them
KERNEL early_exit(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    if (t >= n) {
        return;
    }
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - 1 - t];
}

KERNEL early_exit_counted(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;

    if (t >= n) {
        return;
    }
    s[t] = d[t];
    asm volatile("bar.sync 0, 64;" ::: "memory"); // early_exit_counted
    d[t] = s[n - 1 - t];
}

// 10: a barrier in a loop whose threads, or warps, go round a different number of times
KERNEL loop_threads(int *d)
{
    int t = threadIdx.x, sum = 0;

#pragma unroll 1
    for (int i = 0; i < (t & 3) + 1; i++) {
        __syncthreads(); // loop_threads
        sum += d[t ^ i];
    }
    __syncthreads();
    d[t] = sum;
}

KERNEL loop_threads_twin(int *d)
{
    int t = threadIdx.x, sum = 0;

#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        __syncthreads();
        if (i < (t & 3) + 1) {
            sum += d[t ^ i];
        }
    }
    __syncthreads();
    d[t] = sum;
}

KERNEL loop_warps(int *d)
{
    int t = threadIdx.x;

#pragma unroll 1
    for (int i = 0; i < t / 32 + 1; i++) {
        asm volatile("bar.sync 0, 64;" ::: "memory"); // loop_warps
        d[t] += i;
    }
}

KERNEL loop_warps_twin(int *d)
{
    int t = threadIdx.x;

#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        asm volatile("bar.sync 0, 64;" ::: "memory");
        if (i < t / 32 + 1) {
            d[t] += i;
        }
    }
}

// 10: the same where the barrier is for all: the warps meet at different barriers
KERNEL loop_apart(int *d)
{
    int t = threadIdx.x;

#pragma unroll 1
    for (int i = 0; i < t / 32 + 1; i++) {
        __syncthreads(); // loop_apart
        d[t] += i;
    }
    __syncthreads(); // loop_apart
    d[t] += d[63 - t];
}

KERNEL loop_apart_twin(int *d)
{
    int t = threadIdx.x;

#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        __syncthreads();
        if (i < t / 32 + 1) {
            d[t] += i;
        }
    }
    __syncthreads();
    int other = d[63 - t];
    __syncthreads();
    d[t] += other;
}

// 11: a loop without an end
KERNEL endless(volatile int *d, int until)
{
    while (d[63] != until) { // endless
    }
    d[threadIdx.x] = until;
}

// 12: a tile one of whose edges nobody writes
KERNEL edge(int *d, int *out)
{
    __shared__ int tile[66];
    int t = threadIdx.x;

    tile[t + 1] = d[t];
    if (t == 0) {
        tile[0] = 0;
    }
    __syncthreads();
    out[t] = tile[t] + tile[t + 1] + tile[t + 2]; // edge
}

KERNEL edge_twin(int *d, int *out)
{
    __shared__ int tile[66];
    int t = threadIdx.x;

    tile[t + 1] = d[t];
    if (t == 0) {
        tile[0] = 0;
        tile[65] = 0;
    }
    __syncthreads();
    out[t] = tile[t] + tile[t + 1] + tile[t + 2];
}

// 13: past the end of one shared array into the next
KERNEL next_array(int *d, int by)
{
    __shared__ int a[64];
    __shared__ int b[64];
    int t = threadIdx.x;

    a[t] = d[t];
    b[t] = d[t];
    __syncthreads();
    a[t + by] += 5; // next_array
    __syncthreads();
    d[t] = a[t] + b[63 - t];
}

// Pointers that change places are of either array: no report.
KERNEL swapped(int *d, int n)
{
    __shared__ int a[64];
    __shared__ int b[64];
    int t = threadIdx.x;
    int *p = a, *q = b;

#pragma unroll 1
    for (int i = 0; i < n; i++) {
        int *other = p;

        p[t] = d[t] + i;
        __syncthreads();
        d[t] = p[63 - t];
        p = q;
        q = other;
        __syncthreads();
    }
}
