/* The bandwidth of copies: to the device, back and inside it, of memory that is pinned and
 * memory that is not, in small pieces and in large ones, and that of filling memory. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* Ends the program when a call of the runtime failed. */
static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

enum { MOST = 16 << 20, TIMES = 5 };

static cudaEvent_t start, stop;

/* Copies so many times, and once before, so that nothing is done for the first time. */
static float gigabytes_per_second(char *to, const char *from, size_t bytes,
                                  cudaMemcpyKind kind)
{
    float ms;

    for (int i = 0; i <= TIMES; i++) {
        if (i == 1) {
            check(cudaDeviceSynchronize());
            check(cudaEventRecord(start));
        }
        if (from == NULL) {
            check(cudaMemset(to, i, bytes));
        } else {
            check(cudaMemcpyAsync(to, from, bytes, kind));
        }
    }
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&ms, start, stop));
    return TIMES * (bytes / ms * 1e-6);
}

int main()
{
    char *device, *other, *pinned, *paged = (char *)malloc(MOST);

    check(cudaMalloc(&device, MOST));
    check(cudaMalloc(&other, MOST));
    check(cudaMallocHost(&pinned, MOST));
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    memset(pinned, 1, MOST);
    memset(paged, 1, MOST);
    const struct {
        const char *name;
        char *to, *from;
        cudaMemcpyKind kind;
    } ways[] = {
        {"pinned, to the device", device, pinned, cudaMemcpyHostToDevice},
        {"pinned, to the host", pinned, device, cudaMemcpyDeviceToHost},
        {"not pinned, to the device", device, paged, cudaMemcpyHostToDevice},
        {"not pinned, to the host", paged, device, cudaMemcpyDeviceToHost},
        {"inside the device", other, device, cudaMemcpyDeviceToDevice},
        {"filled", device, NULL, cudaMemcpyDefault},
    };

    for (const auto &way : ways) {
        printf("%s:", way.name);
        for (size_t bytes = 16 << 10; bytes <= MOST; bytes *= 32) {
            printf(" %.1f", gigabytes_per_second(way.to, way.from, bytes, way.kind));
        }
        printf(" GB/s\n");
    }
    check(cudaMemset(other, 7, MOST));
    check(cudaMemcpy(pinned, other, MOST, cudaMemcpyDefault));
    printf("16 KiB, 512 KiB and 16 MiB; the last byte: %d\n", pinned[MOST - 1]);
    check(cudaFree(device));
    check(cudaFree(other));
    check(cudaFreeHost(pinned));
    free(paged);
    return 0;
}
