/* The product of two matrices: every thread an element, straight from global memory,
 * and by tiles in shared memory, where each word loaded is used TILE times. */
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

enum { TILE = 16, N = 96 };

__global__ void naive(const float *a, const float *b, float *c)
{
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int k = 0; k < N; k++) {
        sum += a[row * N + k] * b[k * N + column];
    }
    c[row * N + column] = sum;
}

__global__ void tiled(const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    for (int tile = 0; tile < N; tile += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * N + tile + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * N + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        }
        __syncthreads(); /* before the next tile replaces what others still read */
    }
    c[row * N + column] = sum;
}

/* Small whole numbers: every sum is exact, whatever its order. */
static int errors(const float *a, const float *b, const float *c)
{
    int wrong = 0;

    for (int i = 0; i < N * N; i++) {
        float sum = 0;

        for (int k = 0; k < N; k++) {
            sum += a[i / N * N + k] * b[k * N + i % N];
        }
        wrong += c[i] != sum;
    }
    return wrong;
}

int main()
{
    static float a[N * N], b[N * N], c[N * N];
    const dim3 grid(N / TILE, N / TILE), block(TILE, TILE);
    float *da, *db, *dc;

    for (int i = 0; i < N * N; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 11 - 5;
    }
    check(cudaMalloc(&da, sizeof a));
    check(cudaMalloc(&db, sizeof b));
    check(cudaMalloc(&dc, sizeof c));
    check(cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice));
    check(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));

    naive<<<grid, block>>>(da, db, dc);
    check(cudaGetLastError());
    check(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    printf("naive: %d errors, c[1][2] = %.0f\n", errors(a, b, c), c[N + 2]);

    check(cudaMemset(dc, 0, sizeof c));
    tiled<<<grid, block>>>(da, db, dc);
    check(cudaGetLastError());
    check(cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost));
    printf("tiled: %d errors, c[1][2] = %.0f\n", errors(a, b, c), c[N + 2]);
    return 0;
}
