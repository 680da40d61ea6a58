/* Text from a kernel: integers of every width, floating point, characters, strings. */
#include <cstdio>

__global__ void hello(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && i % 3 == 0) {
        printf("thread %d of block %d: %5.2f %s\n", threadIdx.x, blockIdx.x, i * 0.25,
               i % 2 ? "odd" : "even");
    }
    if (i == 1) {
        printf("%c %x %lld %08.3e 100%%\n", 'a' + i, 0xbeef, -(1ll << 40), 1.0 / 3);
        printf("no argument\n");
    }
}
