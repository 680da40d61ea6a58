/*
 * begins.cu - when the blocks of an SM begin and end, one by one: grids that fit on the
 * SMs at once and such that do not, whose blocks do nothing, store, copy or add. Prints CSV:
 *   body,grid,block,inputs,nth,sms,begin,begin_most,end,end_most
 *       inputs: warm, or as the host has just written them; nth: of the begins or the
 *       ends of an SM in order of time, from 1; sms: that have so many blocks; begin,
 *       end: cycles behind the SM's first begin, the median of the SMs and the most
 * A block begins and ends with its last warp's reading of the clock. The last of three
 * launches (inputs fresh), or the second (warm).
 * Build: nvcc -O2 -arch=sm_90 begins.cu -o begins; ./begins > begins.csv
 */
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
enum { MOST_WORDS = 1 << 20, MOST_BLOCKS = 4096 };
struct record {
    unsigned sm, begun, ended;
};
static float *a, *b, *c;
static record *dev;
template <int BODY> __global__ void go(const float *a, const float *b, float *c, record *rec)
{
    unsigned t0, t1, sm, i = blockIdx.x * blockDim.x + threadIdx.x;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t0)::"memory");
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (BODY == 1)
        c[i] = (float)i;
    if (BODY == 2)
        c[i] = a[i] + 1.0f;
    if (BODY == 3)
        c[i] = a[i] + b[i];
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t1)::"memory");
    if (threadIdx.x == blockDim.x - 32)
        rec[blockIdx.x] = {sm, t0, t1};
}
static unsigned middle(std::vector<unsigned> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
static void print(const char *name, int grid, int block, const char *inputs,
                  const std::vector<record> &rec)
{
    std::map<unsigned, std::vector<unsigned>> begins, ends;
    std::map<unsigned, std::vector<unsigned>> nth_begin, nth_end;

    for (const record &r : rec) {
        begins[r.sm].push_back(r.begun);
        ends[r.sm].push_back(r.ended);
    }
    for (auto &of : begins) {
        std::vector<unsigned> &begun = of.second, &ended = ends[of.first];
        unsigned first = *std::min_element(begun.begin(), begun.end());

        std::sort(begun.begin(), begun.end());
        std::sort(ended.begin(), ended.end());
        for (size_t k = 0; k < begun.size(); k++) {
            nth_begin[k].push_back(begun[k] - first);
            nth_end[k].push_back(ended[k] - first);
        }
    }
    for (auto &at : nth_begin) {
        const std::vector<unsigned> &e = nth_end[at.first];

        printf("%s,%d,%d,%s,%u,%zu,%u,%u,%u,%u\n", name, grid, block, inputs,
               at.first + 1, e.size(), middle(at.second),
               *std::max_element(at.second.begin(), at.second.end()), middle(e),
               *std::max_element(e.begin(), e.end()));
    }
}
template <int BODY> static void launch(const char *name, int grid, int block)
{
    std::vector<float> ones(MOST_WORDS, 1.0f);
    std::vector<record> rec(grid);
    size_t bytes = 4ul * grid * block;

    for (int k = 0; k < 3; k++) {
        for (float *to : {a, b, c})
            if (k == 2)
                CHECK(cudaMemcpy(to, ones.data(), bytes, cudaMemcpyHostToDevice));
        go<BODY><<<grid, block>>>(a, b, c, dev);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(rec.data(), dev, grid * sizeof(record), cudaMemcpyDeviceToHost));
        if (k > 0)
            print(name, grid, block, k == 1 ? "warm" : "fresh", rec);
    }
}
int main(void)
{
    for (float **p : {&a, &b, &c}) {
        CHECK(cudaMalloc(p, 4ul * MOST_WORDS));
        CHECK(cudaMemset(*p, 0, 4ul * MOST_WORDS));
    }
    CHECK(cudaMalloc(&dev, MOST_BLOCKS * sizeof(record)));
    printf("body,grid,block,inputs,nth,sms,begin,begin_most,end,end_most\n");
    launch<0>("none", 1056, 256);
    launch<0>("none", 2112, 256);
    launch<0>("none", 4000, 64);
    launch<1>("store", 1056, 256);
    launch<1>("store", 4000, 64);
    launch<2>("copy", 528, 256);
    launch<2>("copy", 1056, 256);
    launch<2>("copy", 2112, 256);
    launch<2>("copy", 4000, 64);
    launch<2>("copy", 264, 1024);
    launch<3>("add", 528, 256);
    launch<3>("add", 1056, 256);
}
