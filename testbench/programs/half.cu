/* Numbers of 16 bits: half precision, two at a time, and what their few bits lose. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { N = 512 };

/* y = a x + y, two elements a thread */
__global__ void axpy(__half2 a, const __half2 *x, __half2 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = __hfma2(a, x[i], y[i]);
}

/* 1 + 1 + 1 ... in halves and in floats */
__global__ void count(int n, float *sums)
{
    __half sum = __float2half(0.0f), one = __float2half(1.0f);
    float exact = 0;

    for (int k = 0; k < n; k++) {
        sum = __hadd(sum, one);
        exact += __half2float(one);
    }
    sums[0] = __half2float(sum);
    sums[1] = exact;
}

int main()
{
    __half x[N], y[N];
    __half2 *dx, *dy;
    float sums[2], *dsums;
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        x[i] = __float2half(i * 0.25f);
        y[i] = __float2half(1.0f);
    }
    check(cudaMalloc(&dx, sizeof x));
    check(cudaMalloc(&dy, sizeof y));
    check(cudaMalloc(&dsums, sizeof sums));
    check(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    check(cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice));
    axpy<<<2, N / 4>>>(__float2half2_rn(2.0f), dx, dy);
    check(cudaGetLastError());
    check(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        wrong += __half2float(y[i]) != 0.5f * i + 1; /* all of these are exact */
    }
    printf("axpy: %d errors, last %.1f\n", wrong, __half2float(y[N - 1]));

    count<<<1, 1>>>(3000, dsums);
    check(cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost));
    printf("3000 ones: %.0f in halves, %.0f in floats\n", sums[0], sums[1]);
    printf("1/3 is %.6f, 70000 is %f\n", __half2float(__float2half(1 / 3.0f)),
           __half2float(__float2half(70000.0f)));
    return 0;
}
