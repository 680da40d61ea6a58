/*
 * followers.cu - when a block begins in the place of one that has ended, and how the first
 * blocks of an SM follow one another where none of them ends. Blocks of a first set live
 * some 3,000 cycles, whose records they store at once, and end with a body; those of a
 * second set, as many, take their places. Prints CSV:
 *   body,block,per_sm,nth,first,first_warp,after,after_most
 *       body: what a block ends with: none, store (a word a thread), stores (four),
 *       one_store (one thread's), red (an addition of each thread), load (which is waited
 *       for); per_sm: blocks that an SM has room for, which dynamic shared memory sees to;
 *       nth: of the blocks of an SM in order of time, from 1; first: cycles from the SM's
 *       first begin to that begin, of the last warp, in the first set; first_warp: of the
 *       first warp to the last of the same block; after: from the nth end of the first
 *       set to the nth begin of the second, of the first warp; the medians of the SMs,
 *       and the most. No row where an SM has its nth block of the first set only when
 *       others have ended
 * The second of two launches.
 * Build: nvcc -O2 -arch=sm_90 followers.cu -o followers; ./followers > followers.csv
 */
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
enum { LIFE = 3000, MOST_BLOCKS = 132 * 64, MOST_WORDS = MOST_BLOCKS * 1024 };
struct record {
    unsigned sm, first, last;
};
static unsigned *a, *c;
static record *dev;
__device__ static unsigned now(void)
{
    unsigned t;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}
template <int BODY> __global__ void go(const unsigned *a, unsigned *c, record *rec, int set)
{
    unsigned t0 = now(), sm, i = blockIdx.x * blockDim.x + threadIdx.x, v;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x == 0) {
        rec[blockIdx.x].sm = sm;
        rec[blockIdx.x].first = t0;
    }
    if (threadIdx.x == blockDim.x - 32)
        rec[blockIdx.x].last = t0;
    if (blockIdx.x >= set)
        return;
    while (now() - t0 < LIFE)
        ;
    if (BODY == 1)
        c[i] = t0;
    if (BODY == 2)
        for (int k = 0; k < 4; k++)
            c[i + k * 1024 * 1024] = t0;
    if (BODY == 3 && threadIdx.x == 0)
        c[i] = t0;
    if (BODY == 4)
        atomicAdd(&c[i], 1u);
    if (BODY == 5) {
        v = __ldcg(&a[i]);
        if (v == 12345)
            c[i] = v;
    }
}
static int middle(std::vector<int> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}
template <int BODY> static void launch(const char *name, int block, int per)
{
    int set = 132 * per;
    size_t bytes = 220 * 1024 / per - 1024;
    std::vector<record> rec(2 * set);
    std::map<unsigned, std::vector<unsigned>> firsts, lasts, followers;
    std::vector<std::vector<int>> first(per), width(per), after(per);

    CHECK(cudaFuncSetAttribute(go<BODY>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CHECK(cudaFuncSetAttribute(go<BODY>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    for (int k = 0; k < 2; k++) {
        CHECK(cudaMemset(a, 0, 4ul * MOST_WORDS));
        CHECK(cudaMemset(c, 0, 4ul * MOST_WORDS));
        go<BODY><<<2 * set, block, bytes>>>(a, c, dev, set);
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMemcpy(rec.data(), dev, 2 * set * sizeof(record), cudaMemcpyDeviceToHost));
    for (int b = 0; b < 2 * set; b++) {
        const record &r = rec[b];

        if (b < set) {
            firsts[r.sm].push_back(r.first);
            lasts[r.sm].push_back(r.last);
        } else
            followers[r.sm].push_back(r.first);
    }
    for (auto &of : lasts) {
        std::vector<unsigned> &l = of.second, &f = followers[of.first],
                              &b = firsts[of.first];
        unsigned least = *std::min_element(l.begin(), l.end());

        for (size_t k = 0; k < l.size() && k < (size_t)per; k++)
            width[k].push_back(l[k] - b[k]);
        std::sort(l.begin(), l.end());
        std::sort(f.begin(), f.end());
        for (size_t k = 0; k < l.size() && k < (size_t)per; k++) {
            first[k].push_back(l[k] - least);
            if (k < f.size())
                after[k].push_back(f[k] - l[k] - LIFE);
        }
    }
    for (int k = 0; k < per; k++)
        if (!after[k].empty() &&
            *std::max_element(first[k].begin(), first[k].end()) < LIFE / 2)
            printf("%s,%d,%d,%d,%d,%d,%d,%d\n", name, block, per, k + 1, middle(first[k]),
                   middle(width[k]), middle(after[k]),
                   *std::max_element(after[k].begin(), after[k].end()));
}
int main(void)
{
    cudaDeviceProp p;

    CHECK(cudaGetDeviceProperties(&p, 0));
    fprintf(stderr, "%s\n", p.name);
    CHECK(cudaMalloc(&a, 4ul * MOST_WORDS));
    CHECK(cudaMalloc(&c, 4ul * MOST_WORDS));
    CHECK(cudaMalloc(&dev, 2 * MOST_BLOCKS * sizeof(record)));
    printf("body,block,per_sm,nth,first,first_warp,after,after_most\n");
    for (int block : {32, 64, 128, 256, 512, 1024})
        for (int per : {1, 2, 4, 8, 16, 32})
            if (block * per <= 2048) {
                launch<0>("none", block, per);
                launch<1>("store", block, per);
                launch<2>("stores", block, per);
                launch<3>("one_store", block, per);
                launch<4>("red", block, per);
                launch<5>("load", block, per);
            }
}
