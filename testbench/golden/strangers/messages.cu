// Blocks and warps hand words to each other through memory, by flags and fences.
__device__ volatile int flag[8], data[8][32];
__global__ void ring(int *out)
{
    int b = blockIdx.x, t = threadIdx.x;
    if (b > 0) {
        if (t == 0) {
            while (flag[b] == 0) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    int v = b > 0 ? data[b][t] : t;
    v = v * 3 + b;
    if (b < 7) {
        data[b + 1][t] = v;
        __threadfence();
        __syncthreads();
        if (t == 0) {
            flag[b + 1] = 1;
        }
    }
    out[b * 32 + t] = v;
}
__global__ void pipeline(const int *in, int *out)
{
    __shared__ volatile int full[3], box[3][32];
    int w = threadIdx.x / 32, lane = threadIdx.x & 31;
    if (threadIdx.x < 3) {
        full[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int round = 1; round <= 5; round++) {
        int v = w == 0 ? in[(round * 32 + lane) % 64] : 0;
        if (w > 0) {
            while (full[w - 1] < 2 * round - 1) {
            }
            __threadfence_block();
            v = box[w - 1][lane];
            __threadfence_block();
            __syncwarp();
            full[w - 1] = 2 * round;
        }
        v = v * 5 + w;
        if (w < 3) {
            while (full[w] < 2 * round - 2) {
            }
            box[w][lane] = v;
            __threadfence_block();
            __syncwarp();
            full[w] = 2 * round - 1;
        } else {
            out[(round - 1) * 32 + lane] = v;
        }
    }
}
__global__ void leave(const int *in, int *out)
{
    int t = threadIdx.x, v = in[t % 64];
    if (t >= 96 || v % 7 == 3) {
        return;
    }
    __syncthreads();
    int n = __syncthreads_count(v & 1);
    if (t < 32) {
        return;
    }
    __shared__ int s[128];
    s[t] = v;
    __syncthreads();
    out[t] = s[95] * 0 + n;
}
