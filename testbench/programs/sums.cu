/* Sums of an array, each way faster than the one before, and the bandwidth that each
 * reaches: the first launch of a kernel, for which its code is loaded, and later ones. */
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

enum { N = 1 << 17, BLOCK = 256, TIMES = 4 };

/* Each element is added to the sum by an atomic. */
__global__ void atomics(const int *p, int *sum)
{
    atomicAdd(sum, p[blockIdx.x * BLOCK + threadIdx.x]);
}

/* In shared memory; the threads at work lie ever further apart. */
__global__ void apart(const int *p, int *sum)
{
    __shared__ int partial[BLOCK];
    int t = threadIdx.x;

    partial[t] = p[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int k = 1; k < BLOCK; k *= 2) {
        if (t % (2 * k) == 0) {
            partial[t] += partial[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(sum, partial[0]);
    }
}

/* The threads at work are the first ones, so that whole warps drop out. */
__global__ void together(const int *p, int *sum)
{
    __shared__ int partial[BLOCK];
    int t = threadIdx.x;

    partial[t] = p[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int k = BLOCK / 2; k > 0; k /= 2) {
        if (t < k) {
            partial[t] += partial[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        atomicAdd(sum, partial[0]);
    }
}

/* Four elements for a thread, then warps exchange registers. */
__global__ void shuffles(const int *p, int *sum)
{
    __shared__ int partial[BLOCK / 32];
    int4 four = ((const int4 *)p)[blockIdx.x * BLOCK + threadIdx.x];
    int v = four.x + four.y + four.z + four.w;

    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_down_sync(0xffffffff, v, k);
    }
    if (threadIdx.x % 32 == 0) {
        partial[threadIdx.x / 32] = v;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < BLOCK / 32; k++) {
            v += partial[k];
        }
        atomicAdd(sum, v);
    }
}

int main()
{
    static const struct {
        const char *name;
        void (*kernel)(const int *p, int *sum);
        int each; /* elements of a thread */
    } forms[] = {{"atomics", atomics, 1},
                 {"apart", apart, 1},
                 {"together", together, 1},
                 {"shuffles", shuffles, 4}};
    static int h[N];
    int *p, *sum, expected = 0, result;
    cudaEvent_t event[3];

    for (int i = 0; i < N; i++) {
        expected += h[i] = i % 7;
    }
    check(cudaMalloc(&p, sizeof h));
    check(cudaMalloc(&sum, sizeof *sum));
    check(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    for (auto &e : event) {
        check(cudaEventCreate(&e));
    }
    atomics<<<1, BLOCK>>>(p, sum); /* code is loaded when it is launched first */
    for (const auto &form : forms) {
        float first, later;

        check(cudaMemset(sum, 0, sizeof *sum));
        check(cudaDeviceSynchronize());
        check(cudaEventRecord(event[0]));
        for (int i = 0; i <= TIMES; i++) {
            form.kernel<<<N / BLOCK / form.each, BLOCK>>>(p, sum);
            check(cudaGetLastError());
            if (i == 0) {
                check(cudaEventRecord(event[1]));
            }
        }
        check(cudaEventRecord(event[2]));
        check(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
        check(cudaEventElapsedTime(&first, event[0], event[1]));
        check(cudaEventElapsedTime(&later, event[1], event[2]));
        printf("%-8s %s, first %.1f us, later %.1f us, %.1f GB/s\n", form.name,
               result == (TIMES + 1) * expected ? "right" : "wrong", first * 1e3,
               later / TIMES * 1e3, sizeof h / (later / TIMES) * 1e-6);
    }
    check(cudaFree(p));
    check(cudaFree(sum));
    return 0;
}
