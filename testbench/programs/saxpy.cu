/* y = a x + y for any n: a loop whose stride is the whole grid, so that the grid need
 * not fit the data. */
#include <cstdio>
#include <cstdlib>
#include <vector>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int stride = gridDim.x * blockDim.x;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i];
    }
}

int main()
{
    const int n = 10007;
    std::vector<float> x(n, 1.0f), y(n, 2.0f);
    size_t bytes = n * sizeof(float);
    float *dx, *dy;
    int wrong = 0;

    check(cudaMalloc(&dx, bytes));
    check(cudaMalloc(&dy, bytes));
    check(cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice));
    for (int blocks : {40, 4}) { /* nearly one thread for each element; far fewer */
        saxpy<<<blocks, 256>>>(n, 2.0f, dx, dy);
        check(cudaGetLastError());
    }
    check(cudaMemcpy(y.data(), dy, bytes, cudaMemcpyDeviceToHost));
    for (float value : y) {
        wrong += value != 6.0f; /* 2 * 1 + (2 * 1 + 2) */
    }
    printf("%d errors, y[0] = %.1f, y[%d] = %.1f\n", wrong, y[0], n - 1, y[n - 1]);
    check(cudaFree(dx));
    check(cudaFree(dy));
    return 0;
}
