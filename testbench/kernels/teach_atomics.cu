/* Atomic additions in shared memory, one warp each: how many lanes want one counter, and
 * one bank. out[t] = what the counter of lane t holds in the end. */
#define COUNT(counters, counter)                                                         \
    __shared__ int s[counters];                                                          \
    int t = threadIdx.x;                                                                 \
                                                                                         \
    _Pragma("unroll 1") for (int i = t; i < counters; i += 32) {                         \
        s[i] = 0;                                                                        \
    }                                                                                    \
    __syncthreads();                                                                     \
    atomicAdd(&s[counter], 1);                                                           \
    __syncthreads();                                                                     \
    out[t] = s[counter];

extern "C" __global__ void own_counter(int *out)
{
    COUNT(32, t)
}

extern "C" __global__ void counter_per_pair(int *out)
{
    COUNT(32, t / 2)
}

extern "C" __global__ void counter_per_quad(int *out)
{
    COUNT(32, t / 4)
}

/* 32 counters, all in one bank. */
extern "C" __global__ void counters_of_a_bank(int *out)
{
    COUNT(1024, 32 * t)
}

extern "C" __global__ void one_counter(int *out)
{
    COUNT(32, 0)
}
