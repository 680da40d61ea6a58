/* What the runtime says of each device. */
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

static int attribute(cudaDeviceAttr which, int device)
{
    int value;

    check(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

int main()
{
    int devices;

    check(cudaGetDeviceCount(&devices));
    for (int d = 0; d < devices; d++) {
        cudaDeviceProp p;

        check(cudaGetDeviceProperties(&p, d));
        printf("Device %d: %s, compute capability %d.%d\n", d, p.name, p.major,
               p.minor);
        printf("  multiprocessors: %d\n", p.multiProcessorCount);
        printf("  global memory: %zu MiB\n", p.totalGlobalMem >> 20);
        printf("  constant memory: %zu bytes\n", p.totalConstMem);
        printf("  L2 cache: %d KiB\n", p.l2CacheSize >> 10);
        printf("  shared memory: %zu bytes a block, %zu a multiprocessor\n",
               p.sharedMemPerBlock, p.sharedMemPerMultiprocessor);
        printf("  shared memory a block may ask for: %zu bytes\n",
               p.sharedMemPerBlockOptin);
        printf("  registers: %d a block, %d a multiprocessor\n", p.regsPerBlock,
               p.regsPerMultiprocessor);
        printf("  warp: %d threads\n", p.warpSize);
        printf("  threads: %d a block, %d a multiprocessor\n", p.maxThreadsPerBlock,
               p.maxThreadsPerMultiProcessor);
        printf("  largest block: %d x %d x %d\n", p.maxThreadsDim[0],
               p.maxThreadsDim[1], p.maxThreadsDim[2]);
        printf("  largest grid: %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1],
               p.maxGridSize[2]);
        printf("  kernels at once: %s, copies beside kernels: %d\n",
               p.concurrentKernels ? "yes" : "no", p.asyncEngineCount);
        printf("  mapped host memory: %s, unified addresses: %s\n",
               p.canMapHostMemory ? "yes" : "no", p.unifiedAddressing ? "yes" : "no");
        printf("  cooperative launches: %s\n", p.cooperativeLaunch ? "yes" : "no");
        /* Clocks are attributes alone since CUDA 13. */
        printf("  clocks: %d kHz, memory %d kHz, %d bits wide\n",
               attribute(cudaDevAttrClockRate, d),
               attribute(cudaDevAttrMemoryClockRate, d), p.memoryBusWidth);
    }
    return 0;
}
