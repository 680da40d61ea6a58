/* Functions of the host in a stream: they run when what was queued before is done, and
 * what comes after waits for them. */
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

struct stage {
    const char *name;
    const int *value;
};

__global__ void set(int *p, int value)
{
    *p = value;
}

/* No call of the runtime is allowed in here. */
static void CUDART_CB report(void *data)
{
    const stage *s = (const stage *)data;

    printf("%s: %d\n", s->name, *s->value);
}

static void CUDART_CB finished(cudaStream_t, cudaError_t status, void *data)
{
    printf("%s: %s\n", (const char *)data, cudaGetErrorName(status));
}

int main()
{
    cudaStream_t stream;
    int *device, *host;
    char last[] = "the stream";

    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&device, sizeof *device));
    check(cudaMallocHost(&host, sizeof *host));
    *host = -1;
    stage before = {"before", host}, between = {"between", host},
          after = {"after", host};

    check(cudaLaunchHostFunc(stream, report, &before));
    for (int i = 1; i <= 2; i++) {
        set<<<1, 1, 0, stream>>>(device, 10 * i);
        check(cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDeviceToHost,
                              stream));
        check(cudaLaunchHostFunc(stream, report, i == 1 ? &between : &after));
    }
    check(cudaStreamAddCallback(stream, finished, last, 0));
    check(cudaStreamSynchronize(stream));
    printf("the host goes on\n");
    check(cudaStreamDestroy(stream));
    check(cudaFree(device));
    check(cudaFreeHost(host));
    return 0;
}
