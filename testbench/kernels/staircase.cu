/* One warp, 1024 words of shared memory, strides 1, 2, 4, 8, 16, 32 one after the other:
 * each load meets in half as many banks as the one before. No load waits for another.
 * out[t] = 63 t */
extern "C" __global__ void staircase(int *out)
{
    __shared__ int words[1024];
    int t = threadIdx.x, found[6], sum = 0;
    const volatile int *at[6];

#pragma unroll
    for (int row = 0; row < 32; row++) {
        words[32 * row + t] = 32 * row + t; /* word w holds w */
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 6; step++) {
        at[step] = words + (t << step);
    }
#pragma unroll
    for (int step = 0; step < 6; step++) {
        found[step] = *at[step];
    }
#pragma unroll
    for (int step = 0; step < 6; step++) {
        sum += found[step];
    }
    out[t] = sum;
}
