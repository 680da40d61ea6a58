/* Barriers that count, named barriers between producers and consumers, a grid of three
 * dimensions, and threads that leave early. */
__global__ void counting(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    int even = __syncthreads_count((v & 1) == 0);
    int all = __syncthreads_and(v > -8), any = __syncthreads_or(v == 8);

    out[i] = even | all << 16 | any << 17;
}

__global__ void producer_consumer(const int *in, int *out)
{
    __shared__ int box[64];
    int t = threadIdx.x; /* 128: the first half produces, the other consumes */

    for (int k = 0; k < 4; k++) {
        if (t < 64) {
            box[t] = in[blockIdx.x * 64 + t] + k;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[(blockIdx.x * 4 + k) * 64 + 127 - t] = box[t - 64] * 2;
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}

__global__ void cube(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;

    out[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}

__global__ void leave_early(const int *in, int *out)
{
    __shared__ int s[96];
    int t = threadIdx.x;

    s[t] = in[t];
    if (t >= 70) {
        return;
    }
    __syncthreads();
    out[t] = s[69 - t];
}
