/* What the threads of a warp do together without shared memory: sums by shuffles,
 * prefix sums, a broadcast and votes. */
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

#define ALL 0xffffffffu

__device__ int warpSum(int v)
{
    for (int k = warpSize / 2; k > 0; k /= 2) {
        v += __shfl_down_sync(ALL, v, k);
    }
    return v; /* of use in lane 0 */
}

/* The sum of a block: of its warps by shuffles, then of these sums by the first
 * warp. */
__global__ void blockSum(const int *in, int *sum)
{
    __shared__ int sums[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int v = warpSum(in[threadIdx.x]);

    if (lane == 0) {
        sums[warp] = v;
    }
    __syncthreads();
    if (warp == 0) {
        v = warpSum(lane < blockDim.x / warpSize ? sums[lane] : 0);
        if (lane == 0) {
            *sum = v;
        }
    }
}

__global__ void others(const int *in, int *out)
{
    int lane = threadIdx.x, v = in[lane], prefix = v;

    for (int k = 1; k < warpSize; k *= 2) {
        int before = __shfl_up_sync(ALL, prefix, k);

        prefix += lane >= k ? before : 0;
    }
    out[lane] = prefix;
    out[32 + lane] = __shfl_sync(ALL, v, 5);      /* what lane 5 has */
    out[64 + lane] = __shfl_xor_sync(ALL, v, 31); /* reversed */
    unsigned odd = __ballot_sync(ALL, v % 2 != 0);
    out[96 + lane] = __popc(odd & ((1u << lane) - 1)); /* odd ones before this lane */
}

int main()
{
    const int n = 512;
    int h[n], result[128], *in, *out, wrong = 0, prefix = 0, odd = 0, sum = 0;

    for (int i = 0; i < n; i++) {
        h[i] = i * 7 % 23;
        sum += h[i];
    }
    check(cudaMalloc(&in, sizeof h));
    check(cudaMalloc(&out, sizeof result));
    check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    blockSum<<<1, n>>>(in, out);
    check(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum of the block: %d, expected %d\n", result[0], sum);

    others<<<1, 32>>>(in, out);
    check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) {
        prefix += h[i];
        wrong += result[i] != prefix || result[32 + i] != h[5] ||
                 result[64 + i] != h[31 - i] || result[96 + i] != odd;
        odd += h[i] % 2;
    }
    printf("prefix sums, broadcast, reversal, votes: %d errors, last sum %d, %d odd\n",
           wrong, result[31], odd);
    return 0;
}
