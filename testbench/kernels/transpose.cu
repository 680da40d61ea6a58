/* A matrix transposed through a tile in shared memory, with and without the padding that
 * keeps a column out of one bank. */
#define TILE 32
#define ROWS 8

template <int PITCH>
__device__ void transpose_tile(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

__global__ void transpose(const float *in, float *out, int width, int height)
{
    transpose_tile<TILE>(in, out, width, height);
}

__global__ void transpose_padded(const float *in, float *out, int width, int height)
{
    transpose_tile<TILE + 1>(in, out, width, height);
}
