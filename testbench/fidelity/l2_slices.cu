/*
 * l2_slices.cu - what the way to the L2 and its slices move: sectors per cycle for
 * requests of 1 to 4 sectors of a line, by one SM, two of a TPC, a GPC, all; and how far
 * each SM is from each line. Prints CSV:
 *   gpc,smid...                     the SMs of a GPC (they shared a cluster)
 *   move,op,set,n_sms,warps,bytes,lines,sectors,width,requests,cycles
 *       requests: lines asked for in all; cycles: from the start together to the end of
 *       the last block; lines, sectors: of an instruction, of each of its lines
 *   lat,smid,cycles of line 0,1,...  a quarter of four dependent loads of it, least of 4
 * Build: nvcc -O2 -arch=sm_90 l2_slices.cu -o l2_slices; ./l2_slices > out.csv
 */
#include "check.cuh"

#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
namespace cg = cooperative_groups;

static __device__ unsigned smid()
{
    unsigned s;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
    return s;
}

__global__ void who(unsigned *out)
{
    if (threadIdx.x == 0) {
        out[blockIdx.x] = smid();
    }
    long long t = clock64();
    while (clock64() - t < 20000) {
    }
}

struct job {
    unsigned lines, sectors, width; /* of a request; 4 or 16 bytes a lane */
    unsigned iters, units;          /* units: of so many lines the footprint has */
    int op;                         /* 0 load, 1 store, 2: all the same unit */
};

template <int WIDTH, int STORE>
static __device__ unsigned go(char *base, const job j, unsigned seed, unsigned lane_off)
{
    unsigned sum = 0;
    unsigned x = seed;

    for (unsigned i = 0; i < j.iters; i++) {
        unsigned v[4][4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            x = x * 1664525u + 1013904223u;
            unsigned u = j.op == 2 ? 0 : __umulhi(x, j.units);
            char *p = base + (size_t)u * j.lines * 128 + lane_off;
            if (STORE) {
                if (WIDTH == 4) {
                    asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
                } else {
                    asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(p),
                                 "r"(x)
                                 : "memory");
                }
                v[k][0] = v[k][1] = v[k][2] = v[k][3] = 0;
            } else if (WIDTH == 4) {
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k][0]) : "l"(p));
                v[k][1] = v[k][2] = v[k][3] = 0;
            } else {
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                             : "=r"(v[k][0]), "=r"(v[k][1]), "=r"(v[k][2]),
                               "=r"(v[k][3])
                             : "l"(p));
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            sum += v[k][0] ^ v[k][1] ^ v[k][2] ^ v[k][3];
        }
    }
    return sum;
}

__global__ void __launch_bounds__(1024)
    move(char *base, const unsigned char *active, unsigned warps, job j,
         volatile unsigned *arrived, unsigned n, long long *cycles, unsigned *sink)
{
    unsigned me = smid(), w = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned per_line = j.width == 4 ? j.sectors : 2 * j.sectors; /* lanes */
    unsigned line = lane / per_line, in = lane % per_line;
    unsigned off = line * 128 + (j.width == 4 ? in * 32 : in * 16);
    bool on = line < j.lines;
    unsigned seed = (me * 64 + w) * 2654435761u + 12345, sum = 0;

    if (threadIdx.x == 0) {
        atomicAdd((unsigned *)arrived, 1);
        while (*arrived < n) {
        }
    }
    __syncthreads();
    if (!active[me]) {
        return;
    }
    long long t = clock64();
    if (w < warps && on) {
        if (j.op == 1) {
            sum = j.width == 4 ? go<4, 1>(base, j, seed, off)
                               : go<16, 1>(base, j, seed, off);
        } else {
            sum = j.width == 4 ? go<4, 0>(base, j, seed, off)
                               : go<16, 0>(base, j, seed, off);
        }
    }
    __threadfence();
    __syncthreads();
    t = clock64() - t;
    if (threadIdx.x == 0) {
        cycles[me] = t;
    }
    if (sum == 0x12345679) {
        *sink = sum;
    }
}

__global__ void warm(const char *base, unsigned bytes, unsigned *sink)
{
    unsigned sum = 0;
    for (unsigned i = threadIdx.x * 16; i < bytes; i += blockDim.x * 16) {
        unsigned v;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(base + i));
        sum += v;
    }
    if (sum == 0x12345679) {
        *sink = sum;
    }
}

__global__ void __launch_bounds__(1024)
    chase(const char *base, unsigned target, unsigned n, unsigned stride,
          volatile unsigned *arrived, unsigned blocks, unsigned short *out)
{
    __shared__ volatile unsigned ways[32];
    if (threadIdx.x == 0) {
        atomicAdd((unsigned *)arrived, 1);
        while (*arrived < blocks) {
        }
    }
    __syncthreads();
    if (smid() != target || threadIdx.x != 0) {
        return;
    }
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned best = 65535;
        for (int k = 0; k < 5; k++) { /* four loads, each needs the word before: 0 */
            const char *p = base + (size_t)i * stride;
            unsigned v = sum;
            unsigned t0 = clock();
#pragma unroll
            for (int q = 0; q < 4; q++) {
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p + v));
            }
            ways[0] = v; /* the clock is read behind it */
            __threadfence_block();
            unsigned d = (clock() - t0) / 4;
            sum += v;
            if (k > 0 && d < best) {
                best = d;
            }
        }
        out[i] = (unsigned short)best;
    }
}

int main()
{
    int n_sms;
    const unsigned bytes = 32u << 20;
    char *base;
    unsigned *arrived, *sink, *ids;
    unsigned char *active;
    long long *cycles;
    unsigned short *lat;
    cudaDeviceProp prop;

    CHECK(cudaGetDeviceProperties(&prop, 0));
    n_sms = prop.multiProcessorCount;
    CHECK(cudaMalloc(&base, bytes));
    CHECK(cudaMemset(base, 0, bytes));
    CHECK(cudaMalloc(&arrived, 4));
    CHECK(cudaMalloc(&sink, 4));
    CHECK(cudaMallocManaged(&ids, 4096));
    CHECK(cudaMallocManaged(&active, 256));
    CHECK(cudaMallocManaged(&cycles, 256 * 8));
    CHECK(cudaMallocManaged(&lat, 4096 * 2));

    /* GPCs: SMs that share a cluster */
    std::vector<int> root(256);
    for (int i = 0; i < 256; i++) {
        root[i] = i;
    }
    auto find = [&](int a) {
        while (root[a] != a) {
            a = root[a];
        }
        return a;
    };
    CHECK(cudaFuncSetAttribute(who, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               160 << 10));
    for (int rep = 0; rep < 24; rep++) {
        unsigned size = rep % 3 == 0 ? 2 : rep % 3 == 1 ? 4 : 8;
        cudaLaunchConfig_t cfg = {};
        cudaLaunchAttribute at[1];
        cfg.gridDim = dim3((n_sms - 8 * (rep % 3)) / size * size);
        cfg.blockDim = dim3(64);
        cfg.dynamicSmemBytes = 160 << 10;
        at[0].id = cudaLaunchAttributeClusterDimension;
        at[0].val.clusterDim.x = size;
        at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
        cfg.attrs = at;
        cfg.numAttrs = 1;
        CHECK(cudaLaunchKernelEx(&cfg, who, ids));
        CHECK(cudaDeviceSynchronize());
        for (unsigned b = 0; b < cfg.gridDim.x; b++) {
            int x = find(ids[b]), y = find(ids[b / size * size]);
            root[x] = y;
        }
    }
    std::vector<std::vector<int>> gpc;
    for (int r = 0; r < n_sms; r++) {
        std::vector<int> g;
        for (int s = 0; s < n_sms; s++) {
            if (find(s) == r) {
                g.push_back(s);
            }
        }
        if (!g.empty()) {
            gpc.push_back(g);
            printf("gpc");
            for (int s : g) {
                printf(",%d", s);
            }
            printf("\n");
        }
    }
    fflush(stdout);

    struct set {
        const char *name;
        std::vector<int> sms;
    };
    std::vector<set> sets;
    sets.push_back({"one", {0}});
    sets.push_back({"tpc", {0, 1}});
    sets.push_back({"two", {0, 2}});
    sets.push_back({"gpc", gpc[0]});
    if (gpc.size() > 1) {
        std::vector<int> half, spread;
        for (size_t i = 0; i < gpc[0].size(); i += 2) {
            half.push_back(gpc[0][i]);
        }
        sets.push_back({"half_gpc", half});
        for (size_t i = 0; i < gpc[0].size(); i++) {
            const std::vector<int> &g = gpc[i % gpc.size()];
            spread.push_back(g[2 * (i / gpc.size()) % g.size()]);
        }
        sets.push_back({"spread", spread});
    }
    std::vector<int> even, all;
    for (int i = 0; i < n_sms; i++) {
        all.push_back(i);
        if (i % 2 == 0) {
            even.push_back(i);
        }
    }
    sets.push_back({"even", even});
    sets.push_back({"all", all});

    struct pat {
        const char *op;
        int kind;
        unsigned lines, sectors, width;
    };
    const pat pats[] = {
        {"load", 0, 32, 1, 4},   {"load", 0, 16, 2, 4},  {"load", 0, 10, 3, 4},
        {"load", 0, 8, 4, 4},    {"load", 0, 1, 4, 4},   {"load", 0, 4, 4, 16},
        {"store", 1, 16, 1, 16}, {"store", 1, 8, 2, 16}, {"store", 1, 4, 4, 16},
        {"store", 1, 32, 1, 4},  {"same", 2, 1, 1, 4},   {"same", 2, 1, 2, 4},
        {"same", 2, 1, 4, 4},
    };
    for (const pat &p : pats) {
        for (const set &s : sets) {
            for (unsigned warps : {4u, 16u, 32u}) {
                for (unsigned mb : {2u, 16u}) {
                    job j;
                    long long best = 0;
                    if (mb == 16 && (warps != 32 || p.kind == 2)) {
                        continue;
                    }
                    j.lines = p.lines;
                    j.sectors = p.sectors;
                    j.width = p.width;
                    j.iters = p.lines >= 16 ? 16 : p.lines >= 4 ? 48 : 128;
                    j.units = (mb << 20) / (p.lines * 128);
                    j.op = p.kind;
                    memset(active, 0, 256);
                    for (int m : s.sms) {
                        active[m] = 1;
                    }
                    warm<<<n_sms, 1024>>>(base, mb << 20, sink);
                    for (int rep = 0; rep < 4; rep++) {
                        memset(cycles, 0, 256 * 8);
                        CHECK(cudaMemset(arrived, 0, 4));
                        move<<<n_sms, 1024>>>(base, active, warps, j, arrived, n_sms,
                                              cycles, sink);
                        CHECK(cudaGetLastError());
                        CHECK(cudaDeviceSynchronize());
                        long long most = 0;
                        for (int m = 0; m < n_sms; m++) {
                            most = cycles[m] > most ? cycles[m] : most;
                        }
                        if (rep > 0 && (best == 0 || most < best)) {
                            best = most;
                        }
                    }
                    printf("move,%s,%s,%zu,%u,%u,%u,%u,%u,%llu,%lld\n", p.op, s.name,
                           s.sms.size(), warps, mb << 20, p.lines, p.sectors, p.width,
                           (unsigned long long)s.sms.size() * warps * j.iters * 4 *
                               p.lines,
                           best);
                }
            }
        }
        fflush(stdout);
    }
    const unsigned n = 256;
    CHECK(cudaMemset(base, 0, bytes));
    for (int s = 0; s < n_sms; s++) {
        CHECK(cudaMemset(arrived, 0, 4));
        warm<<<n_sms, 1024>>>(base, n * 128 * 33, sink);
        chase<<<n_sms, 1024>>>(base, s, n, 128 * 33, arrived, n_sms, lat);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        printf("lat,%d", s);
        for (unsigned i = 0; i < n; i++) {
            printf(",%u", lat[i]);
        }
        printf("\n");
    }
    return 0;
}
