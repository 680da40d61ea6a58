/* The other kernels measured on an H100: reductions without divergence (with and without
 * bank conflicts) and copies with an offset or a stride between threads. */
extern "C" __global__ void sum_strided(float *P, float *bs, int N)
{
    extern __shared__ float partial[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    partial[t] = i < N ? P[i] : 0;
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        int j = 2 * k * t;

        if (j < blockDim.x) {
            partial[j] += partial[j + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        bs[blockIdx.x] = partial[0];
    }
}

extern "C" __global__ void sum_sequential(float *P, float *bs, int N)
{
    extern __shared__ float partial[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

    partial[t] = i < N ? P[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            partial[t] += partial[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        bs[blockIdx.x] = partial[0];
    }
}

extern "C" __global__ void copy_offset(float *a, int s)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x + s;

    a[i] = a[i] + 1;
}

extern "C" __global__ void copy_stride(float *a, int s)
{
    int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;

    a[i] = a[i] + 1;
}
