/*
 * l1_split.cu - how much of the on-chip array a kernel gets as L1 when nobody says more, by what
 * its blocks need, by hand on a real device (nvcc -O2 l1_split.cu):
 * golden/data/h100/l1_split.csv.
 *
 * One thread of block 0 goes round a chain of lines; the largest chain that takes less than 70
 * cycles a step (an L1 answers in less than 40, the L2 in more than 200) is the L1's size. The
 * other blocks of the grid end at once.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "l1_split: %s\n", cudaGetErrorString(e));
        exit(1);
    }
}

/* The arrays are never used, but the compiler cannot know. */
template <int STATIC> __global__ void __launch_bounds__(1024) chase(const int *p, int lines, int *out)
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[STATIC != 0 ? STATIC / 4 : 1];
    int i = 0;
    long t;

    if (STATIC != 0 && p == (const int *)1) {
        fixed[threadIdx.x] = lines;
        dynamic[threadIdx.x] = fixed[lines];
        out[1] = dynamic[lines];
    }
    if (blockIdx.x != 0 || threadIdx.x != 0) {
        return;
    }
    for (int k = 0; k < 2 * lines; k++) {
        i = p[i];
    }
    t = clock64();
    for (int k = 0; k < lines; k++) {
        i = p[i];
    }
    t = clock64() - t;
    out[0] = (int)(t * 10 / lines) + (i == -1);
}

template <int STATIC> static void measure(int *p, int *out, int dynamic, int grid, int threads)
{
    int best = 0;

    for (int kb = 12; kb <= 252; kb += 4) {
        int lines = kb * 8, tenths;
        std::vector<int> h(lines * 32);

        for (int i = 0; i < lines; i++) {
            h[i * 32] = (i + 1) % lines * 32;
        }
        check(cudaMemcpy(p, h.data(), h.size() * 4, cudaMemcpyHostToDevice));
        chase<STATIC><<<grid, threads, dynamic>>>(p, lines, out);
        check(cudaDeviceSynchronize());
        check(cudaMemcpy(&tenths, out, 4, cudaMemcpyDeviceToHost));
        if (tenths < 700) {
            best = kb;
        }
    }
    printf("%d,%d,%d,%d,%d\n", STATIC, dynamic, grid, threads, best);
}

int main()
{
    const int dynamics[] = {0, 1, 1024, 3000, 7000, 12288, 24576, 49152, 100000, 200000};
    const int threads[] = {32, 128, 256, 512, 1024}, grids[] = {1, 132, 1056};
    int *p, *out;

    check(cudaMalloc(&p, 1 << 20));
    check(cudaMalloc(&out, 64));
    check(cudaFuncSetAttribute(chase<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
    printf("static,dynamic,grid,threads,l1_kb\n");
    for (int g : grids) {
        for (int t : threads) {
            for (int d : dynamics) {
                if (g == 132 || (t != 128 && t != 512)) {
                    measure<0>(p, out, d, g, t);
                }
            }
        }
    }
    for (int g : grids) {
        for (int t : threads) {
            measure<4096>(p, out, 0, g, t);
            measure<16384>(p, out, 0, g, t);
        }
    }
    return 0;
}
