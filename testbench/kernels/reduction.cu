/* Sums of blocks of N floats, the textbook way: half of the threads drop out in each
 * step. Once in place in global memory, once in shared memory. The memory instructions
 * are those measured on an H100. */
extern "C" __global__ void cal_sum_ker0(float *P, float *bs, int N)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;

    if (tid < N) {
        for (int k = 1; k < blockDim.x; k *= 2) {
            if (threadIdx.x % (k * 2) == 0) {
                P[tid] += P[tid + k];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            bs[blockIdx.x] = P[tid];
        }
    }
}

extern "C" __global__ void cal_sum_ker(float *P, float *bs, int N)
{
    extern __shared__ float partial[];
    int tid = blockIdx.x * blockDim.x + threadIdx.x;

    if (tid < N) {
        partial[threadIdx.x] = P[tid];
        __syncthreads();
        for (int k = 1; k < blockDim.x; k *= 2) {
            if (threadIdx.x % (k * 2) == 0) {
                partial[threadIdx.x] += partial[threadIdx.x + k];
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            bs[blockIdx.x] = partial[0];
        }
    }
}
