// Faulty kernels and their repaired twins. The launch files beside this file run them;
// races.ptx is what "nvcc -ptx -arch=sm_75 -lineinfo" made of it.
extern "C" __global__ void reverseBad(int *d, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    d[t] = s[n - t - 1];
}
extern "C" __global__ void reverseGood(int *d, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - t - 1];
}
// Bits of `missing` leave out the barrier behind the load, in the loop, behind the loop.
template <int missing> __device__ void reduce(float *p, float *sum) {
    extern __shared__ float sf[];
    int t = threadIdx.x;
    sf[t] = p[t];
    if (!(missing & 1)) {
        __syncthreads();
    }
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            sf[t] += sf[t + k];
        }
        if (!(missing & 2)) {
            __syncthreads();
        }
    }
    if (t == blockDim.x - 1) {
        sum[0] = sf[0];
    }
}
extern "C" __global__ void reduceGood(float *p, float *sum) { reduce<0>(p, sum); }
extern "C" __global__ void reduceBadLoad(float *p, float *sum) { reduce<1>(p, sum); }
extern "C" __global__ void reduceBadLoop(float *p, float *sum) { reduce<2>(p, sum); }
// As above, with one thread that reads the result of its own.
extern "C" __global__ void reduceBadOnlyLoop(float *p, float *sum) {
    extern __shared__ float own[];
    int t = threadIdx.x;
    own[t] = p[t];
    __syncthreads();
#pragma unroll 1
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) {
            own[t] += own[t + k];
        }
    }
    if (t == 0) {
        sum[0] = own[0];
    }
}
extern "C" __global__ void sameWordBad(int *d) {
    __shared__ int word;
    word = threadIdx.x;
    __syncthreads();
    d[threadIdx.x] = word;
}
extern "C" __global__ void sameWordGood(int *d) {
    __shared__ int word;
    if (threadIdx.x == 63) {
        word = threadIdx.x;
    }
    __syncthreads();
    d[threadIdx.x] = word;
}
// A sum of three neighbours in a tile with an edge on each side.
extern "C" __global__ void edgeBad(int *d, int *out) {
    __shared__ int tile[66];
    int t = threadIdx.x;
    tile[t + 1] = d[t];
    if (t == 0) {
        tile[0] = 0;
    }
    __syncthreads();
    out[t] = tile[t] + tile[t + 1] + tile[t + 2];
}
extern "C" __global__ void edgeGood(int *d, int *out) {
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
// The last warp of the classic reduction: correct where warps run in lock step.
extern "C" __global__ void lastWarp(int *d) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    s[t + 32] = d[t + 32];
    s[t] = s[t] + s[t + 32];
    s[t] = s[t] + s[t ^ 16];
    d[t] = s[t];
}
extern "C" __global__ void lastWarpSync(int *d) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    s[t + 32] = d[t + 32];
    s[t] = s[t] + s[t + 32];
    __syncwarp();
    int other = s[t ^ 16];
    __syncwarp();
    s[t] = s[t] + other;
    d[t] = s[t];
}
