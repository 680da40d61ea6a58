/*
 * A program as users have them: compiled against cuda.h and linked with -lcuda, its PTX
 * in a file; found by LD_LIBRARY_PATH. The test next to it says what it prints.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check(call, #call)

static void check(CUresult rc, const char *call)
{
    const char *name = "?";

    if (rc != CUDA_SUCCESS) {
        cuGetErrorName(rc, &name);
        fprintf(stderr, "%s: %s\n", call, name);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    enum { N = 1000 };
    int x = 42, *host = calloc(N, sizeof(*host)), sum = 0;
    unsigned n = N;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr data;
    void *args[] = {&data, &x, &n};

    if (argc != 2 || host == NULL) {
        return 2;
    }
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuModuleLoad(&module, argv[1]));
    CHECK(cuModuleGetFunction(&kernel, module, "add_kernel"));
    CHECK(cuMemAlloc(&data, N * sizeof(*host)));
    CHECK(cuMemcpyHtoD(data, host, N * sizeof(*host)));
    CHECK(
        cuLaunchKernel(kernel, (N + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    CHECK(cuMemcpyDtoH(host, data, N * sizeof(*host)));
    for (int i = 0; i < N; i++) {
        sum += host[i];
    }
    printf("sum %d\n", sum);
    CHECK(cuMemFree(data));
    CHECK(cuModuleUnload(module));
    CHECK(cuCtxDestroy(context));
    free(host);
    return 0;
}
