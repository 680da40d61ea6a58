/* Kernels whose speed is measured: what the others leave out. */

/* A column of shared memory per warp: lane l is at word stride * l, so that with a stride
 * of 32 a whole warp meets in one bank. Neighbours add each other's value, rounds times.
 * Needs 31 stride + (threads / 32) words; every block answers the same. */
extern "C" __global__ void conflict(unsigned *out, int stride, int rounds)
{
    extern __shared__ unsigned words[];
    int t = threadIdx.x, other = t ^ 1;
    int mine = t % 32 * stride + t / 32, theirs = other % 32 * stride + other / 32;
    unsigned value = t;

    for (int round = 0; round < rounds; round++) {
        words[mine] = value;
        __syncthreads();
        value = 3 * value + words[theirs];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = value;
}

/* Thread b follows next[] from b, one load after the other. */
extern "C" __global__ void chase(const unsigned *next, unsigned *out, int steps)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, at = thread;

#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        at = next[at];
    }
    out[thread] = at;
}
