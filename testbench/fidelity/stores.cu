/*
 * stores.cu - what stores of a warp take that touch many lines: words of 4, 8 or 16 bytes
 * a lane, sectors whole or in part, one or more of a line, by lanes of one quarter of the
 * warp or of several; 8 warps on each of 1, 16, 52 and 132 SMs, lines of 2 MiB at random.
 * Prints CSV:
 *   layout,sms,stores,issued,done
 *       layout: lines x lanes of a line x bytes of a lane; "apart": the lanes of a line
 *       are of different quarters; stores: of a warp, in turn; issued: cycles until the
 *       block's first warp has issued its last store; done: until a fence of all warps
 *       behind their last is over; the SM that takes longest, the least of three launches
 * Build: nvcc -O2 -arch=sm_90 stores.cu -o stores; ./stores > stores.csv
 */
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

enum { WARPS = 8, SMS = 132, SPACE = 1 << 21 };

/* LINES lines of LANES lanes; the lanes of a line BYTES apart if they store 16, else a
 * sector. */
template <int LINES, int LANES, int BYTES, int APART>
__global__ void go(char *space, unsigned stores, volatile unsigned *arrived,
                   unsigned *cycles)
{
    unsigned lane = threadIdx.x % 32, x = blockIdx.x * WARPS + threadIdx.x / 32;
    unsigned line = APART ? lane % LINES : lane / LANES;
    unsigned in = APART ? lane / LINES : lane % LANES;
    unsigned off = line * 128 + in * (BYTES == 16 ? 16 : 32);

    x = x * 2654435761u + 12345;
    if (threadIdx.x == 0) {
        atomicAdd((unsigned *)arrived, 1);
        while (*arrived < gridDim.x) {
        }
    }
    __syncthreads();
    unsigned begun = clock();
    for (unsigned i = 0; i < stores; i++) {
        x = x * 1664525u + 1013904223u;
        char *to = space + ((x >> 7) * (LINES * 128) + off) % SPACE;
        if (BYTES == 4) {
            asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
        } else if (BYTES == 8) {
            asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(to), "r"(x)
                         : "memory");
        } else {
            asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(to), "r"(x)
                         : "memory");
        }
    }
    unsigned issued = clock();
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[2 * blockIdx.x] = issued - begun;
        cycles[2 * blockIdx.x + 1] = clock() - begun;
    }
}

typedef void (*kernel)(char *, unsigned, volatile unsigned *, unsigned *);

static void rows(const char *layout, kernel k)
{
    static char *space;
    static unsigned *arrived, *cycles;
    unsigned host[2 * SMS];

    if (space == NULL) {
        CHECK(cudaMalloc(&space, SPACE));
        CHECK(cudaMemset(space, 0, SPACE));
        CHECK(cudaMalloc(&arrived, 4));
        CHECK(cudaMalloc(&cycles, sizeof(host)));
    }
    for (unsigned sms : {1, 16, 52, 132}) {
        for (unsigned stores : {4, 64}) {
            unsigned least[2] = {~0u, ~0u};

            for (int r = 0; r < 3; r++) {
                unsigned most[2] = {};

                CHECK(cudaMemset(arrived, 0, 4));
                k<<<sms, 32 * WARPS>>>(space, stores, arrived, cycles);
                CHECK(cudaMemcpy(host, cycles, 8 * sms, cudaMemcpyDeviceToHost));
                for (unsigned i = 0; i < 2 * sms; i++) {
                    most[i % 2] = std::max(most[i % 2], host[i]);
                }
                for (int i = 0; i < 2; i++) {
                    least[i] = std::min(least[i], most[i]);
                }
            }
            printf("%s,%u,%u,%u,%u\n", layout, sms, stores, least[0], least[1]);
        }
    }
}

int main()
{
    printf("layout,sms,stores,issued,done\n");
    rows("32x1x4", go<32, 1, 4, 0>);
    rows("16x2x4", go<16, 2, 4, 0>);
    rows("8x4x4", go<8, 4, 4, 0>);
    rows("32x1x8", go<32, 1, 8, 0>);
    rows("16x2x8", go<16, 2, 8, 0>);
    rows("32x1x16", go<32, 1, 16, 0>);
    rows("16x2x16", go<16, 2, 16, 0>);
    rows("16x2x16 apart", go<16, 2, 16, 1>);
    rows("8x4x16", go<8, 4, 16, 0>);
    rows("8x4x16 apart", go<8, 4, 16, 1>);
    rows("4x8x16", go<4, 8, 16, 0>);
    rows("4x8x16 apart", go<4, 8, 16, 1>);
    return 0;
}
