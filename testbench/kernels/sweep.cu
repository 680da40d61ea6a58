/* Kernels that ask one thing of the on-chip memory, for the sweeps in configs/sweeps. A
 * table of ones makes every answer a count. */

/* Each thread sums a row of 32 words, which is a line of L1, word after word: 32 threads
 * at once touch 32 lines, and come back to them 31 times. All that counts is whether the
 * rows of the resident blocks, words each, fit into L1 until then. With fewer rows than
 * threads, threads share them.
 * out[i] = 32 * rounds */
extern "C" __global__ void l1_hungry(const float *table, float *out, int words, int rounds)
{
    int row = threadIdx.x % (words / 32);
    const float *mine = table + blockIdx.x * words + row * 32;
    float sum = 0;

    for (int round = 0; round < rounds; round++) {
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            sum += mine[i];
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Each block brings parts of the table, each once, into a tile of words that it then works
 * on: L1 helps nobody, but the more tiles fit beside one another, the more blocks work
 * while others wait for memory.
 * out[i] = rounds * words / blockDim.x */
extern "C" __global__ void shared_hungry(const float *table, float *out, int words,
                                         int rounds)
{
    extern __shared__ float tile[];
    float sum = 0;

    for (int round = 0; round < rounds; round++) {
        const float *part = table + (blockIdx.x * rounds + round) * words;

        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            tile[i] = part[i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            sum += tile[words - 1 - i];
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Words that nobody has read yet, a line of them per warp and load: all of them miss.
 * out[i] = rounds */
extern "C" __global__ void stream(const float *table, float *out, int rounds)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

#pragma unroll 4
    for (int round = 0; round < rounds; round++) {
        sum += table[round * threads + i];
    }
    out[i] = sum;
}

/* A load from memory, then work on what it brought, again and again: who hides the one
 * behind the other?
 * out[i] = rounds * (work + 1) */
extern "C" __global__ void load_and_work(const float *table, float *out, int work,
                                         int rounds)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (int round = 0; round < rounds; round++) {
        float one = table[round * threads + i];

        sum += one;
        for (int k = 0; k < work; k++) {
            sum += one;
        }
    }
    out[i] = sum;
}

/* A 32 x 32 matrix transposed through a tile whose rows are pitch words apart.
 * out[x][y] = in[y][x] */
extern "C" __global__ void tile_pitch(int *out, const int *in, int pitch)
{
    extern __shared__ int words[];
    int x = threadIdx.x;

    for (int y = threadIdx.y; y < 32; y += blockDim.y) {
        words[y * pitch + x] = in[y * 32 + x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y) {
        out[y * 32 + x] = words[x * pitch + y];
    }
}
