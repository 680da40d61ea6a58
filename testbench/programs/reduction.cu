/* The sum of an array, a block at a time: in place in global memory, in shared memory
 * as the textbook has it, and in shared memory with neighbouring threads at work. The
 * partial sums of the blocks are added by the host. */
#include <cstdio>
#include <cstdlib>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* In each step half of the threads drop out; every access goes to global memory. */
__global__ void sumGlobal(float *p, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    for (int k = 1; k < blockDim.x; k *= 2) {
        if (threadIdx.x % (k * 2) == 0 && i + k < n) {
            p[i] += p[i + k];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = p[i];
    }
}

/* The same on a copy in shared memory: one load of global memory for each element. */
__global__ void sumShared(const float *p, float *sums, int n)
{
    extern __shared__ float partial[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    partial[threadIdx.x] = i < n ? p[i] : 0;
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (threadIdx.x % (k * 2) == 0) {
            partial[threadIdx.x] += partial[threadIdx.x + k];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = partial[0];
    }
}

/* The threads at work are the first ones, so that whole warps drop out. */
__global__ void sumWarps(const float *p, float *sums, int n)
{
    extern __shared__ float partial[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    partial[threadIdx.x] = i < n ? p[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) {
            partial[threadIdx.x] += partial[threadIdx.x + k];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = partial[0];
    }
}

int main()
{
    const int n = 16000, block = 256, blocks = (n + block - 1) / block;
    static float h[n], sums[blocks];
    float *p, *dsums;

    for (int i = 0; i < n; i++) {
        h[i] = i % 4;
    }
    check(cudaMalloc(&p, sizeof h));
    check(cudaMalloc(&dsums, sizeof sums));
    for (int form = 0; form < 3; form++) {
        static const char *const names[] = {"global", "shared", "warps"};
        double sum = 0;

        check(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
        if (form == 0) {
            sumGlobal<<<blocks, block>>>(p, dsums, n);
        } else if (form == 1) {
            sumShared<<<blocks, block, block * sizeof(float)>>>(p, dsums, n);
        } else {
            sumWarps<<<blocks, block, block * sizeof(float)>>>(p, dsums, n);
        }
        check(cudaGetLastError());
        check(cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost));
        for (int b = 0; b < blocks; b++) {
            sum += sums[b];
        }
        printf("%s: %.0f, expected %d\n", names[form], sum, n / 4 * 6);
    }
    check(cudaFree(p));
    check(cudaFree(dsums));
    return 0;
}
