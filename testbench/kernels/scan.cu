/* Prefix sums: step-doubling within a block (inclusive), and the work-efficient tree over
 * many blocks (exclusive, padded against bank conflicts) in three launches. */
__global__ void scan_doubling(const int *in, int *out, int n)
{
    extern __shared__ int buffer[]; /* two halves of blockDim.x */
    int t = threadIdx.x, from = 0, to = blockDim.x;

    buffer[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step <<= 1) {
        int v = buffer[from + t];

        if (t >= step) {
            v += buffer[from + t - step];
        }
        buffer[to + t] = v;
        __syncthreads();
        from ^= blockDim.x;
        to ^= blockDim.x;
    }
    if (t < n) {
        out[t] = buffer[from + t];
    }
}

#define PER_BLOCK 512 /* elements, two per thread */
#define PAD(i)    ((i) + ((i) >> 5))

__global__ void scan_blocks(const int *in, int *out, int *sums)
{
    __shared__ int s[PAD(PER_BLOCK)];
    int t = threadIdx.x, base = blockIdx.x * PER_BLOCK, offset = 1;

    s[PAD(t)] = in[base + t];
    s[PAD(t + PER_BLOCK / 2)] = in[base + t + PER_BLOCK / 2];
    for (int d = PER_BLOCK >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int i = PAD(offset * (2 * t + 1) - 1), j = PAD(offset * (2 * t + 2) - 1);

            s[j] += s[i];
        }
        offset *= 2;
    }
    if (t == 0) {
        sums[blockIdx.x] = s[PAD(PER_BLOCK - 1)];
        s[PAD(PER_BLOCK - 1)] = 0;
    }
    for (int d = 1; d < PER_BLOCK; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int i = PAD(offset * (2 * t + 1) - 1), j = PAD(offset * (2 * t + 2) - 1);
            int v = s[i];

            s[i] = s[j];
            s[j] += v;
        }
    }
    __syncthreads();
    out[base + t] = s[PAD(t)];
    out[base + t + PER_BLOCK / 2] = s[PAD(t + PER_BLOCK / 2)];
}

/* sums: inclusive prefix sums of the blocks' totals */
__global__ void scan_add(int *out, const int *sums)
{
    if (blockIdx.x > 0) {
        int add = sums[blockIdx.x - 1];

        for (int i = threadIdx.x; i < PER_BLOCK; i += blockDim.x) {
            out[blockIdx.x * PER_BLOCK + i] += add;
        }
    }
}
