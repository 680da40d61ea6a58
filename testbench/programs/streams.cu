/* Copies that overlap with kernels: an array in pinned memory is worked on in one
 * piece, and in four pieces in a stream each. The modelled times tell what was won. */
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

enum { N = 1 << 19, PIECES = 4 };

/* Some work for each element: steps of a generator */
__host__ __device__ inline unsigned work(unsigned v)
{
    for (int k = 0; k < 4; k++) {
        v = v * 1664525 + 1013904223;
    }
    return v;
}

/* Four elements for each thread */
__global__ void kernel(uint4 *data)
{
    uint4 *four = &data[blockIdx.x * blockDim.x + threadIdx.x];

    *four = make_uint4(work(four->x), work(four->y), work(four->z), work(four->w));
}

/* To the device, work, back: n elements in a stream */
static void queue(unsigned *host, unsigned *device, int n, cudaStream_t stream)
{
    size_t bytes = n * sizeof *host;

    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
    kernel<<<n / 4 / 256, 256, 0, stream>>>((uint4 *)device);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
}

int main()
{
    cudaStream_t streams[PIECES];
    cudaEvent_t start, stop;
    unsigned *host, *device;
    float ms[2];

    check(cudaMallocHost(&host, N * sizeof *host));
    check(cudaMalloc(&device, N * sizeof *device));
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    for (auto &stream : streams) {
        check(cudaStreamCreate(&stream));
    }
    for (int pieces = 1, way = 0; way < 2; pieces = PIECES, way++) {
        int wrong = 0, n = N / pieces;

        for (int i = 0; i < N; i++) {
            host[i] = i;
        }
        check(cudaEventRecord(start));
        for (int p = 0; p < pieces; p++) {
            queue(host + p * n, device + p * n, n, streams[p]);
        }
        /* The default stream waits for the others, so this is the end of all. */
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        check(cudaEventElapsedTime(&ms[way], start, stop));
        for (int i = 0; i < N; i++) {
            wrong += host[i] != work(i);
        }
        printf("%d piece(s): %d errors, %.1f us\n", pieces, wrong, ms[way] * 1e3);
    }
    printf("streams overlap: %s\n", ms[1] < 0.9f * ms[0] ? "yes" : "no");
    for (auto stream : streams) {
        check(cudaStreamDestroy(stream));
    }
    check(cudaFreeHost(host));
    check(cudaFree(device));
    return 0;
}
