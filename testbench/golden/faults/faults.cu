// Kernels at fault and their repaired twins, for blocks of 64 threads of which some has
// what the other has not. Translated with nvcc -ptx -arch=sm_75 -lineinfo.
#define N 64

extern "C" __global__ void shared_past(int *d, int by)
{
    __shared__ int s[N];
    int t = threadIdx.x;

    s[t + by] = d[t]; // by 0: inside
    __syncthreads();
    d[t] = s[N - 1 - t + by];
}

extern "C" __global__ void dynamic_past(int *d, int by)
{
    extern __shared__ int tile[];
    int t = threadIdx.x;

    tile[t] = d[t];
    __syncthreads();
    d[t] = tile[N - 1 - t + by];
}

extern "C" __global__ void global_past(int *d, int n)
{
    int t = threadIdx.x;

    if (t <= n) {
        d[t] = t; // n 63: inside
    }
}

extern "C" __global__ void odd_store(char *d, int by)
{
    *(int *)(d + 4 * threadIdx.x + by) = 1;
}

extern "C" __global__ void null_load(const int *p, int *d)
{
    d[threadIdx.x] = p[threadIdx.x];
}

extern "C" __global__ void divergent(int *d, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;

    s[t] = d[t];
    if (t < n) { // n 64 or 32: whole warps
        __syncthreads();
    }
    d[t] = s[t] + 1;
}

extern "C" __global__ void early_exit(int *d, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;

    if (t >= n) {
        return;
    }
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - 1 - t];
}

extern "C" __global__ void loop_counts(int *d, int second)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    int rounds = t < 32 ? 4 : second;

    s[t] = d[t];
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        asm volatile("bar.sync 0, 64;" ::: "memory");
    }
    d[t] = s[t] + rounds;
}

extern "C" __global__ void two_barriers(int *d, int other)
{
    int t = threadIdx.x;

    if (t < 32) {
        asm volatile("bar.sync 0, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync %0, 64;" ::"r"(other) : "memory");
    }
    d[t] = t;
}

extern "C" __global__ void endless(volatile int *d, int until)
{
    while (d[N - 1] != until) {
    }
    d[threadIdx.x] = until;
}

extern "C" __global__ void early_store(int *d, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x;

    if (t >= n) { // something to do before it leaves
        atomicAdd(d + t, 1);
        return;
    }
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - 1 - t];
}
