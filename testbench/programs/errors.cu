/* What goes wrong and how a program hears of it: wrong arguments, launches that cannot
 * be, and faults of kernels, which only the next call that waits can report. */
#include <cstdio>
#include <cstdlib>

static void say(const char *what, cudaError_t error)
{
    printf("%s: %d, %s, %s\n", what, (int)error, cudaGetErrorName(error),
           cudaGetErrorString(error));
}

__global__ void store(int *p)
{
    p[threadIdx.x] = 1;
}

int main()
{
    int *p, h[4];

    say("nothing", cudaGetLastError());
    say("copy of a wrong kind",
        cudaMemcpy(h, h, sizeof h, (cudaMemcpyKind)77)); /* no such kind */
    say("the last error", cudaGetLastError());
    say("it is taken once", cudaGetLastError());
    say("no such device", cudaSetDevice(99));
    say("too much memory", cudaMalloc(&p, (size_t)1 << 50));
    cudaGetLastError();

    /* A launch has no result: cudaGetLastError() tells whether it could begin. */
    if (cudaMalloc(&p, sizeof h) != cudaSuccess) {
        return 1;
    }
    store<<<1, 5000>>>(p);
    say("5000 threads a block", cudaGetLastError());
    store<<<1, 4, 1 << 20>>>(p);
    say("a MiB of shared memory", cudaGetLastError());
    store<<<1, 4>>>(p);
    say("a launch that begins", cudaGetLastError());
    say("and ends", cudaDeviceSynchronize());

    /* A fault is found when it happens, and stays until the program ends. */
    store<<<1, 4>>>(nullptr);
    say("a launch that will fault", cudaGetLastError());
    say("when the host waits", cudaDeviceSynchronize());
    say("ever after", cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    return 0;
}
