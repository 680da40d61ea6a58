/* Memory of the host that the device uses: pinned memory that is copied, pinned memory
 * that kernels read and write in its place, and memory of malloc() that is pinned
 * later. */
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

enum { N = 1024 };

__global__ void square(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = in[i] * in[i];
}

static int errors(const int *squares)
{
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        wrong += squares[i] != i * i;
    }
    return wrong;
}

int main()
{
    size_t bytes = N * sizeof(int);
    int *pinned, *mapped, *plain, *device, *seen;
    cudaPointerAttributes facts;

    check(cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault));
    check(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped));
    check(cudaMalloc(&device, bytes));
    for (int i = 0; i < N; i++) {
        pinned[i] = mapped[i] = i;
    }

    /* Pinned: the copies are like any others, but may overlap with kernels. */
    check(cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice));
    square<<<N / 256, 256>>>(device, device);
    check(cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost));
    printf("pinned: %d errors\n", errors(pinned));

    /* Mapped: no copy at all. The host must wait before it looks. */
    check(cudaHostGetDevicePointer(&seen, mapped, 0));
    square<<<N / 256, 256>>>(seen, seen);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    printf("mapped: %d errors\n", errors(mapped));

    /* Registered: what another library allocated becomes mapped memory. */
    plain = (int *)malloc(bytes);
    for (int i = 0; i < N; i++) {
        plain[i] = i;
    }
    check(cudaHostRegister(plain, bytes, cudaHostRegisterMapped));
    check(cudaHostGetDevicePointer(&seen, plain, 0));
    square<<<N / 256, 256>>>(seen, device);
    check(cudaMemcpy(plain, device, bytes, cudaMemcpyDeviceToHost));
    printf("registered: %d errors\n", errors(plain));

    check(cudaPointerGetAttributes(&facts, mapped));
    printf("the mapped pointer is of the host: %s\n",
           facts.type == cudaMemoryTypeHost ? "yes" : "no");
    check(cudaPointerGetAttributes(&facts, device));
    printf("the other one is of device %d: %s\n", facts.device,
           facts.type == cudaMemoryTypeDevice ? "yes" : "no");
    check(cudaHostUnregister(plain));
    free(plain);
    check(cudaFreeHost(mapped));
    check(cudaFreeHost(pinned));
    check(cudaFree(device));
    return 0;
}
