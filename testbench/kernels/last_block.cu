/* One launch sums it all: each block its part, the block that finishes last the parts. */
__device__ unsigned blocks_done;
__device__ unsigned long long total = 1000;

__global__ void sum_all(const unsigned *in, unsigned *parts, unsigned *result, int n)
{
    __shared__ unsigned s[128];
    __shared__ bool last;
    int t = threadIdx.x;
    unsigned v = 0;

    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        v += in[i];
    }
    s[t] = v;
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        __syncthreads();
        if (t < k) {
            s[t] += s[t + k];
        }
    }
    if (t == 0) {
        parts[blockIdx.x] = s[0];
        atomicAdd(&total, (unsigned long long)s[0]);
        __threadfence();
        last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        unsigned sum = 0;

        for (int b = 0; b < gridDim.x; b++) {
            sum += ((volatile unsigned *)parts)[b];
        }
        *result = sum;
    }
}
