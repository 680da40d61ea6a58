/*
 * starts.cu - when blocks begin: grids and blocks of several sizes whose blocks do
 * nothing, store, or load and store. Prints CSV:
 *   body,regs,grid,block,per_sm,interval,span,span_max,life
 *       per_sm: most blocks that an SM got; interval: mean cycles between the begins of
 *       an SM's blocks, median of the SMs; span: cycles from an SM's first begin to its
 *       last end, median and most; life: of a block, median
 * Build: nvcc -O2 -arch=sm_90 starts.cu -o starts; ./starts > starts.csv
 */
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
struct record {
    unsigned sm, begun, ended;
};
template <int BODY, int REGS> __global__ void go(const float *a, float *c, record *rec)
{
    unsigned t0, t1, sm, i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t0)::"memory");
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (BODY == 1)
        c[i] = (float)i;
    if (BODY == 2)
        c[i] = a[i] + 1.0f;
    if (REGS > 32) { /* keeps REGS values alive, if it ever runs */
        if (a == (const float *)c) {
            float v[REGS];
            for (int k = 0; k < REGS; k++)
                v[k] = a[i + k * 64];
            __syncthreads();
            for (int k = 0; k < REGS; k++)
                c[i + k * 7] = v[k] * v[(k * 5) % REGS];
        }
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t1)::"memory");
    if (threadIdx.x == 0)
        rec[blockIdx.x] = {sm, t0, t1};
}
template <int BODY> __global__ void plain(const float *a, float *c)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BODY == 1)
        c[i] = (float)i;
    if (BODY == 2)
        c[i] = a[i] + 1.0f;
}
static unsigned med(std::vector<double> v, double p)
{
    std::sort(v.begin(), v.end());
    return (unsigned)v[std::min(v.size() - 1, (size_t)(v.size() * p))];
}
static float *a, *c;
static record *rec;
template <int BODY, int REGS> static void rows(const char *name)
{
    for (int block : {32, 64, 128, 256, 512, 1024})
        for (int grid : {132, 264, 528, 1056, 2112, 4000}) {
            if ((long)grid * block > 1 << 20)
                continue;
            std::vector<record> h(grid);
            double col[5] = {0};
            std::vector<double> cs[5];
            for (int r = 0; r < 7; r++) {
                go<BODY, REGS><<<grid, block>>>(a, c, rec);
                CHECK(cudaMemcpy(h.data(), rec, grid * sizeof(record),
                                 cudaMemcpyDeviceToHost));
                if (r < 2)
                    continue;
                std::map<unsigned, std::vector<record>> by;
                for (auto &q : h)
                    by[q.sm].push_back(q);
                std::vector<double> iv, sp, life;
                size_t most = 0;
                for (auto &b : by) {
                    unsigned f = b.second[0].begun, l = f, e = b.second[0].ended;
                    for (auto &q : b.second) {
                        if ((int)(q.begun - f) < 0)
                            f = q.begun;
                        if ((int)(q.begun - l) > 0)
                            l = q.begun;
                        if ((int)(q.ended - e) > 0)
                            e = q.ended;
                        life.push_back(q.ended - q.begun);
                    }
                    most = std::max(most, b.second.size());
                    iv.push_back(b.second.size() > 1
                                     ? 100.0 * (l - f) / (b.second.size() - 1)
                                     : 0);
                    sp.push_back(e - f);
                }
                cs[0].push_back(med(iv, .5));
                cs[1].push_back(med(sp, .5));
                cs[2].push_back(med(sp, 1));
                cs[3].push_back(med(life, .5));
                cs[4].push_back(most);
            }
            for (int k = 0; k < 5; k++)
                col[k] = med(cs[k], .5);
            printf("%s,%d,%d,%d,%d,%.2f,%d,%d,%d\n", name, REGS, grid, block,
                   (int)col[4], col[0] / 100, (int)col[1], (int)col[2], (int)col[3]);
        }
}
int main()
{
    CHECK(cudaMalloc(&a, 64 << 20));
    CHECK(cudaMalloc(&c, 64 << 20));
    CHECK(cudaMalloc(&rec, 4096 * sizeof(record)));
    CHECK(cudaMemset(a, 0, 64 << 20));
    printf("body,regs,grid,block,per_sm,interval,span,span_max,life\n");
    rows<0, 32>("none");
    rows<1, 32>("store");
    rows<2, 32>("copy");
    rows<0, 64>("none");
    rows<1, 128>("store");
    plain<0><<<1, 1>>>(a, c);
    plain<1><<<1, 1>>>(a, c);
    plain<2><<<1, 1>>>(a, c);
    /* by the profiler: plain<B> of each size, gpc and SM cycles */
    for (int b = 0; b < 3; b++)
        for (int block : {64, 128, 256, 1024})
            for (int grid : {132, 528, 1056, 4000}) {
                if ((long)grid * block > 1 << 20)
                    continue;
                for (int r = 0; r < 3; r++) {
                    if (b == 0)
                        plain<0><<<grid, block>>>(a, c);
                    else if (b == 1)
                        plain<1><<<grid, block>>>(a, c);
                    else
                        plain<2><<<grid, block>>>(a, c);
                }
            }
    CHECK(cudaDeviceSynchronize());
}
