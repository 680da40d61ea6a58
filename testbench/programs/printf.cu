/* printf() in kernels: the text appears when the host waits for the device. */
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

__global__ void hello()
{
    printf("block %d of %d, thread %d\n", blockIdx.x, gridDim.x, threadIdx.x);
}

__global__ void formats(const char *text, double x)
{
    printf("%d %5u|%-5d|%05d %x %c %%\n", -1, 2u, 3, 4, 255, 'c');
    printf("%f %.2e %8.3f|%g\n", x, x, x, x);
    printf("%lld %s %s\n", 1ll << 40, "of the kernel,",
           text == nullptr ? "none" : "some");
    /* Unlike the host's it returns the number of arguments, not of characters. */
    printf("arguments: %d\n", printf("two %s %d; ", "are", 2));
}

int main()
{
    hello<<<2, 1>>>();
    check(cudaDeviceSynchronize());
    printf("the host is next\n");
    formats<<<1, 1>>>(nullptr, 3.25);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    return 0;
}
