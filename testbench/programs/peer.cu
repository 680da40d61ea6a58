/* Two devices: each does half of the work, then the halves are exchanged by copies from
 * device to device and by a kernel that reads the other device's memory. */
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

enum { HALF = 1024 };

__global__ void fill(int *p, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    p[i] = first + i;
}

__global__ void add(const int *a, const int *b, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    sum[i] = a[i] + b[i];
}

int main()
{
    const size_t bytes = HALF * sizeof(int);
    int devices, can, current, *half[2], *copied, *sum, result[HALF], wrong = 0;

    check(cudaGetDeviceCount(&devices));
    printf("devices: %d\n", devices);
    if (devices < 2) {
        return 1;
    }
    for (int d = 0; d < 2; d++) {
        check(cudaSetDevice(d)); /* for all that follows, until the next one */
        check(cudaMalloc(&half[d], bytes));
        fill<<<HALF / 256, 256>>>(half[d], d * HALF);
        check(cudaGetLastError());
    }
    for (int d = 0; d < 2; d++) {
        check(cudaSetDevice(d));
        check(cudaDeviceSynchronize());
    }

    /* From device 1 to device 0, whichever of them is current */
    check(cudaSetDevice(0));
    check(cudaMalloc(&copied, bytes));
    check(cudaMemcpyPeer(copied, 0, half[1], 1, bytes));
    check(cudaMemcpy(result, copied, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < HALF; i++) {
        wrong += result[i] != HALF + i;
    }
    printf("copied from the other device: %d errors\n", wrong);

    /* With access to its peer, a kernel of device 0 reads there itself. */
    check(cudaDeviceCanAccessPeer(&can, 0, 1));
    printf("device 0 can reach device 1: %s\n", can ? "yes" : "no");
    check(cudaDeviceEnablePeerAccess(1, 0));
    check(cudaMalloc(&sum, bytes));
    add<<<HALF / 256, 256>>>(half[0], half[1], sum);
    check(cudaGetLastError());
    check(cudaMemcpy(result, sum, bytes, cudaMemcpyDeviceToHost));
    wrong = 0;
    for (int i = 0; i < HALF; i++) {
        wrong += result[i] != HALF + 2 * i;
    }
    printf("read from the other device: %d errors\n", wrong);
    printf("enabled again: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
    cudaGetLastError(); /* takes note of it */
    check(cudaDeviceDisablePeerAccess(1));

    /* What comes from a pool needs access to the pool alone. */
    int *pooled;
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags may;

    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 0;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    check(cudaSetDevice(1));
    check(cudaDeviceGetDefaultMemPool(&pool, 1));
    check(cudaMallocAsync(&pooled, bytes, 0));
    fill<<<HALF / 256, 256>>>(pooled, 3 * HALF);
    check(cudaStreamSynchronize(0));
    check(cudaMemPoolSetAccess(pool, &access, 1));
    check(cudaMemPoolGetAccess(&may, pool, &access.location));
    check(cudaSetDevice(0));
    add<<<HALF / 256, 256>>>(half[0], pooled, sum);
    check(cudaMemcpy(result, sum, bytes, cudaMemcpyDeviceToHost));
    wrong = may != cudaMemAccessFlagsProtReadWrite;
    for (int i = 0; i < HALF; i++) {
        wrong += result[i] != 3 * HALF + 2 * i;
    }
    printf("read from its pool: %d errors\n", wrong);
    check(cudaGetDevice(&current));
    printf("current device: %d\n", current);
    return 0;
}
