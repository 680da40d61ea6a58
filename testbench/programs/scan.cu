/* Prefix sums of an array of any size: each block scans its part and notes its total,
 * the totals are scanned, and every block adds what lies before it. */
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

enum { BLOCK = 128 };

/* Sums up to and with each element of the block; its total goes to totals[]. */
__global__ void scanBlocks(const int *in, int *out, int *totals, int n)
{
    __shared__ int s[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x, now = 0;

    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 1; k < BLOCK; k *= 2) {
        /* Two arrays take turns, so that one barrier for each step is enough. */
        s[1 - now][t] = s[now][t] + (t >= k ? s[now][t - k] : 0);
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) {
        out[i] = s[now][t];
    }
    if (t == BLOCK - 1) {
        totals[blockIdx.x] = s[now][t];
    }
}

__global__ void addBefore(int *out, const int *totals, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (blockIdx.x > 0 && i < n) {
        out[i] += totals[blockIdx.x - 1];
    }
}

static void scan(const int *in, int *out, int n)
{
    int blocks = (n + BLOCK - 1) / BLOCK, *totals;

    check(cudaMalloc(&totals, blocks * sizeof(int)));
    scanBlocks<<<blocks, BLOCK>>>(in, out, totals, n);
    check(cudaGetLastError());
    if (blocks > 1) {
        scan(totals, totals, blocks);
        addBefore<<<blocks, BLOCK>>>(out, totals, n);
        check(cudaGetLastError());
    }
    check(cudaFree(totals));
}

int main()
{
    for (int n : {1, 100, 128, 1000, 20000}) {
        std::vector<int> h(n), result(n);
        int *in, *out, sum = 0, wrong = 0;

        for (int i = 0; i < n; i++) {
            h[i] = i % 10 - 3;
        }
        check(cudaMalloc(&in, n * sizeof(int)));
        check(cudaMalloc(&out, n * sizeof(int)));
        check(cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        scan(in, out, n);
        check(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; i++) {
            sum += h[i];
            wrong += result[i] != sum;
        }
        printf("%5d elements: %d errors, the last sum is %d\n", n, wrong,
               result[n - 1]);
        check(cudaFree(in));
        check(cudaFree(out));
    }
    return 0;
}
