// Prefix sums in one launch: blocks take tickets, publish their sums and look back
// at those before them, spinning on flags.
#include <stdint.h>
__device__ unsigned ticket;
__device__ volatile unsigned long long
    state[64]; // flag << 32 | value; 1: sum, 2: prefix
__global__ void lookback(const uint32_t *in, uint32_t *out, int n)
{
    __shared__ uint32_t tile, before, sums[4];
    if (threadIdx.x == 0) {
        tile = atomicAdd(&ticket, 1);
    }
    __syncthreads();
    int i = tile * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    uint32_t v = i < n ? in[i] : 0, s = v;
    for (int d = 1; d < 32; d *= 2) {
        uint32_t u = __shfl_up_sync(~0u, s, d);
        s += lane >= d ? u : 0;
    }
    if (lane == 31) {
        sums[threadIdx.x / 32] = s;
    }
    __syncthreads();
    uint32_t total = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
        s += w < threadIdx.x / 32 ? sums[w] : 0;
        total += sums[w];
    }
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        if (tile > 0) {
            state[tile] = 1ull << 32 | total;
            __threadfence();
        }
        for (int b = (int)tile - 1; b >= 0; b--) {
            unsigned long long w;
            do {
                w = state[b];
            } while (w >> 32 == 0);
            sum += (uint32_t)w;
            if (w >> 32 == 2) {
                break;
            }
        }
        state[tile] = 2ull << 32 | (sum + total);
        __threadfence();
        before = sum;
    }
    __syncthreads();
    if (i < n) {
        out[i] = before + s;
    }
}
