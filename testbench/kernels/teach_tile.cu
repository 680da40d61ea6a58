/* A matrix of 32 x 32 words transposed through a tile in shared memory, by 32 x 8 threads.
 * The rows of the tile are read down a column. */
#define TRANSPOSE(width)                                                                 \
    __shared__ int tile[32][width];                                                      \
    int x = threadIdx.x;                                                                 \
                                                                                         \
    for (int y = threadIdx.y; y < 32; y += 8) {                                          \
        tile[y][x] = in[32 * y + x];                                                     \
    }                                                                                    \
    __syncthreads();                                                                     \
    for (int y = threadIdx.y; y < 32; y += 8) {                                          \
        out[32 * y + x] = tile[x][y];                                                    \
    }

extern "C" __global__ void tile_32(int *out, int *in)
{
    TRANSPOSE(32)
}

/* One word of padding per row moves each row one bank on. */
extern "C" __global__ void tile_33(int *out, int *in)
{
    TRANSPOSE(33)
}
