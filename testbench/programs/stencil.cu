/* Heat in a plate, a step a launch: every cell becomes the mean of its four neighbours.
 * A block keeps its tile and the cells around it in shared memory. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { TILE = 16, N = 64, STEPS = 10 };

__host__ __device__ inline float mean(float up, float down, float left, float right)
{
    return ((up + down) + (left + right)) * 0.25f;
}

__global__ void step(const float *from, float *to)
{
    __shared__ float s[TILE + 2][TILE + 2];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;

    s[ty][tx] = from[y * N + x];
    if (threadIdx.x == 0 && x > 0) {
        s[ty][0] = from[y * N + x - 1];
    }
    if (threadIdx.x == TILE - 1 && x < N - 1) {
        s[ty][TILE + 1] = from[y * N + x + 1];
    }
    if (threadIdx.y == 0 && y > 0) {
        s[0][tx] = from[(y - 1) * N + x];
    }
    if (threadIdx.y == TILE - 1 && y < N - 1) {
        s[TILE + 1][tx] = from[(y + 1) * N + x];
    }
    __syncthreads();
    if (x > 0 && x < N - 1 && y > 0 && y < N - 1) {
        to[y * N + x] =
            mean(s[ty - 1][tx], s[ty + 1][tx], s[ty][tx - 1], s[ty][tx + 1]);
    }
}

int main()
{
    static float a[N][N], b[N][N], result[N][N];
    float *from, *to;
    int wrong = 0;

    for (int x = 0; x < N; x++) { /* the upper edge is hot */
        a[0][x] = b[0][x] = 100;
    }
    check(cudaMalloc(&from, sizeof a));
    check(cudaMalloc(&to, sizeof a));
    check(cudaMemcpy(from, a, sizeof a, cudaMemcpyHostToDevice));
    check(cudaMemcpy(to, a, sizeof a, cudaMemcpyHostToDevice));
    for (int i = 0; i < STEPS; i++) {
        step<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(from, to);
        check(cudaGetLastError());
        std::swap(from, to);
    }
    check(cudaMemcpy(result, from, sizeof a, cudaMemcpyDeviceToHost));

    for (int i = 0; i < STEPS; i++) {
        auto &now = i % 2 == 0 ? a : b, &next = i % 2 == 0 ? b : a;

        for (int y = 1; y < N - 1; y++) {
            for (int x = 1; x < N - 1; x++) {
                next[y][x] =
                    mean(now[y - 1][x], now[y + 1][x], now[y][x - 1], now[y][x + 1]);
            }
        }
    }
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            wrong += result[y][x] != a[y][x];
        }
    }
    printf("%d errors; rows 0 to 4 of the middle: %.3f %.3f %.3f %.3f %.3f\n", wrong,
           result[0][N / 2], result[1][N / 2], result[2][N / 2], result[3][N / 2],
           result[4][N / 2]);
    return 0;
}
