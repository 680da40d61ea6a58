/* An array reversed through shared memory, whose size is known to the compiler or only
 * to the launch. */
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

__global__ void staticReverse(int *d, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int tr = n - t - 1;

    s[t] = d[t];
    __syncthreads();
    d[t] = s[tr];
}

__global__ void dynamicReverse(int *d, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    int tr = n - t - 1;

    s[t] = d[t];
    __syncthreads();
    d[t] = s[tr];
}

/* The number of elements that are not where they belong */
static int errors(const int *reversed, int n)
{
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        wrong += reversed[i] != n - 1 - i;
    }
    return wrong;
}

int main()
{
    const int n = 64;
    int a[n], result[n], *d;

    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    check(cudaMalloc(&d, sizeof a));

    check(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    staticReverse<<<1, n>>>(d, n);
    check(cudaGetLastError());
    check(cudaMemcpy(result, d, sizeof a, cudaMemcpyDeviceToHost));
    printf("static:  %d errors, starts with %d %d %d\n", errors(result, n), result[0],
           result[1], result[2]);

    /* The third argument of the launch is the size of the array without one. */
    check(cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice));
    dynamicReverse<<<1, n, n * sizeof(int)>>>(d, n);
    check(cudaGetLastError());
    check(cudaMemcpy(result, d, sizeof a, cudaMemcpyDeviceToHost));
    printf("dynamic: %d errors, starts with %d %d %d\n", errors(result, n), result[0],
           result[1], result[2]);
    check(cudaFree(d));
    return 0;
}
