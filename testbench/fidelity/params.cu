/*
 * params.cu - what it takes a launch to have its parameters: each warp of a grid reads the
 * clock, then adds its index to up to six pointers among the parameters, and reads the
 * clock again. Prints CSV, a row per number of pointers, grid and block:
 *   params,grid,block
 *   min,p10,median,p90,max     cycles between a warp's two clocks
 *   begin_median,begin_max     cycles from an SM's first clock to a warp's first
 *   span_median,span_max       cycles from an SM's first clock to its last
 * Five launches after three that are not counted; of the spans one per SM and launch.
 * Build: nvcc -O2 -arch=sm_90 params.cu -o params; ./params > params.csv
 */
#include "check.cuh"

#include <algorithm>
#include <map>
#include <vector>

enum { MOST_PARAMS = 6, MOST_WARPS = 1 << 18, REPEATS = 5, BEFORE = 3 };

struct record { /* of a warp */
    unsigned sm, begun, had;
};

using pointer = const float *;
using kernel = void(record *, pointer, pointer, pointer, pointer, pointer, pointer);

static record *dev;
static std::vector<record> host(MOST_WARPS);

template <int PARAMS>
__global__ void go(record *out, pointer p0, pointer p1, pointer p2, pointer p3,
                   pointer p4, pointer p5)
{
    const pointer p[MOST_PARAMS] = {p0, p1, p2, p3, p4, p5};
    unsigned t0, t1, sm;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t0)::"memory");
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t x = i;
#pragma unroll
    for (int k = 0; k < PARAMS; k++) {
        x ^= (size_t)(p[k] + i);
    }
    unsigned depends = x == 0x123456789abcull; /* never */
    asm volatile("{.reg .u32 t; mov.u32 t, %%clock; add.u32 %0, t, %1;}"
                 : "=r"(t1)
                 : "r"(depends)
                 : "memory");
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x % 32 == 0) {
        out[i / 32] = {sm, t0, t1};
    }
}

static unsigned part(std::vector<unsigned> &v, double p)
{
    std::sort(v.begin(), v.end());
    return v[std::min(v.size() - 1, (size_t)(v.size() * p))];
}

static void row(int params, kernel *k, int grid, int block)
{
    const int warps = grid * block / 32;
    std::vector<unsigned> took, begins, spans;

    for (int r = 0; r < BEFORE + REPEATS; r++) {
        std::map<unsigned, unsigned> first, last;

        k<<<grid, block>>>(dev, (pointer)8, (pointer)16, (pointer)24, (pointer)32,
                           (pointer)40, (pointer)48);
        CHECK(cudaMemcpy(host.data(), dev, (size_t)warps * sizeof(record),
                         cudaMemcpyDeviceToHost));
        for (int w = 0; w < warps; w++) {
            const record &x = host[w];

            if (first.count(x.sm) == 0 || (int)(x.begun - first[x.sm]) < 0) {
                first[x.sm] = x.begun;
            }
        }
        for (int w = 0; r >= BEFORE && w < warps; w++) {
            const record &x = host[w];

            took.push_back(x.had - x.begun);
            begins.push_back(x.begun - first[x.sm]);
            last[x.sm] = std::max(last[x.sm], x.had - first[x.sm]);
        }
        for (auto &l : last) {
            spans.push_back(l.second);
        }
    }
    printf("%d,%d,%d,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", params, grid, block, part(took, 0),
           part(took, .1), part(took, .5), part(took, .9), part(took, 1),
           part(begins, .5), part(begins, 1), part(spans, .5), part(spans, 1));
}

template <int PARAMS> static void rows()
{
    for (int block : {32, 64, 128, 256, 512, 1024}) {
        for (int grid : {1, 8, 66, 132, 264, 528, 1056, 2112}) {
            if (grid * block <= 2112 * 256) {
                row(PARAMS, go<PARAMS>, grid, block);
            }
        }
    }
}

int main()
{
    CHECK(cudaMalloc(&dev, MOST_WARPS * sizeof(record)));
    printf("params,grid,block,min,p10,median,p90,max,begin_median,begin_max,"
           "span_median,span_max\n");
    rows<0>();
    rows<1>();
    rows<2>();
    rows<3>();
    rows<4>();
    rows<6>();
}
