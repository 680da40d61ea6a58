/* C = A B with tiles in shared memory; sizes need not be multiples of the tile. */
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int rows, int inner,
                       int cols)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int t = 0; t < inner; t += TILE) {
        int k = t + threadIdx.x;

        ta[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0;
        k = t + threadIdx.y;
        tb[threadIdx.y][threadIdx.x] = k < inner && col < cols ? b[k * cols + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < rows && col < cols) {
        c[row * cols + col] = sum;
    }
}
