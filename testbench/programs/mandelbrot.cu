/* The Mandelbrot set in characters. Threads of a warp leave the loop at different
 * times: the classic case of divergence. */
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

enum { WIDTH = 64, HEIGHT = 24, MOST = 60 };

__global__ void mandelbrot(char *picture)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.25f + 3.0f * column / WIDTH, cy = -1.25f + 2.5f * row / HEIGHT;
    float x = 0, y = 0;
    int steps = 0;

    while (steps < MOST && x * x + y * y < 4) {
        float next = x * x - y * y + cx;

        y = 2 * x * y + cy;
        x = next;
        steps++;
    }
    picture[row * WIDTH + column] = " .:-=+o#%@"[steps * 9 / MOST];
}

int main()
{
    char h[HEIGHT][WIDTH], *picture;

    check(cudaMalloc(&picture, sizeof h));
    mandelbrot<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(picture);
    check(cudaGetLastError());
    check(cudaMemcpy(h, picture, sizeof h, cudaMemcpyDeviceToHost));
    for (auto &row : h) {
        int n = WIDTH;

        while (n > 0 && row[n - 1] == ' ') {
            n--;
        }
        printf("%.*s\n", n, row);
    }
    return 0;
}
