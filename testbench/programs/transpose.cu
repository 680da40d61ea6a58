/* A matrix transposed in five ways, and the bandwidth that each reaches: a plain copy
 * as the measure, straight through global memory, through a tile in shared memory,
 * through a tile with a padding that keeps its columns out of one bank, and with the
 * columns of the tile turned instead of padded. */
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

enum { TILE = 32, ROWS = 8, SIZE = 256 };

__global__ void copy(float *out, const float *in)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * SIZE + x] = in[(y + j) * SIZE + x];
    }
}

/* A warp writes a column, a sector for each word. */
__global__ void naive(float *out, const float *in)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        out[x * SIZE + y + j] = in[(y + j) * SIZE + x];
    }
}

/* Whole rows are read and written; PITCH words divide the rows of the tile. */
template <int PITCH> __global__ void tiled(float *out, const float *in)
{
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * SIZE + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        out[(y + j) * SIZE + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

/* Row r of the tile begins at column r, so that a column lies in 32 banks. */
__global__ void turned(float *out, const float *in)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int j = 0; j < TILE; j += ROWS) {
        int row = threadIdx.y + j;

        tile[row][(threadIdx.x + row) % TILE] = in[(y + j) * SIZE + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        int row = threadIdx.x, column = threadIdx.y + j;

        out[(y + j) * SIZE + x] = tile[row][(column + row) % TILE];
    }
}

int main()
{
    static const struct {
        const char *name;
        void (*kernel)(float *out, const float *in);
    } forms[] = {{"copy", copy},
                 {"naive", naive},
                 {"tile", tiled<TILE>},
                 {"padded tile", tiled<TILE + 1>},
                 {"turned tile", turned}};
    static float h[SIZE][SIZE], result[SIZE][SIZE];
    const dim3 grid(SIZE / TILE, SIZE / TILE), block(TILE, ROWS);
    float *in, *out;
    cudaEvent_t start, stop;

    for (int i = 0; i < SIZE * SIZE; i++) {
        h[i / SIZE][i % SIZE] = i;
    }
    check(cudaMalloc(&in, sizeof h));
    check(cudaMalloc(&out, sizeof h));
    check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    copy<<<grid, block>>>(out, in); /* so that all find the matrix in the L2 cache */
    for (const auto &form : forms) {
        bool is_copy = form.kernel == copy;
        int wrong = 0;
        float ms;

        check(cudaMemset(out, 0, sizeof h));
        check(cudaEventRecord(start));
        form.kernel<<<grid, block>>>(out, in);
        check(cudaGetLastError());
        check(cudaEventRecord(stop));
        check(cudaMemcpy(result, out, sizeof h, cudaMemcpyDeviceToHost));
        check(cudaEventElapsedTime(&ms, start, stop));
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                wrong += result[y][x] != (is_copy ? h[y][x] : h[x][y]);
            }
        }
        printf("%-12s %d errors, %.1f GB/s\n", form.name, wrong,
               2 * sizeof h / ms * 1e-6);
    }
    return 0;
}
