/*
 * bursts.cu - what a short launch does to the way to the L2: each thread loads N words,
 * all of its launch side by side, then stores M, and looks at the clock before, between
 * and after. Prints CSV, a row per kernel, state of the L2 and grid of 256 threads:
 *   loads,stores,fresh,grid       fresh: the host has written the buffers just before
 *   min,p10,median,p90,max        cycles of a warp from its begin to its last load
 *   store                         median of the cycles from there to behind its stores
 *   sm_median,sm_max              cycles of an SM from its first begin to its last end
 * Each figure is the median of five launches, after three that are not counted.
 * Build: nvcc -O2 -arch=sm_90 bursts.cu -o bursts; ./bursts > bursts.csv
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { THREADS = 256, MAX_GRID = 528, WORDS = 8, SMS = 256, REPEATS = 5, BEFORE = 3 };

struct record { /* of a warp */
    unsigned sm, begun, loaded, stored;
};

template <int LOADS, int STORES>
__global__ void burst(const float *in, float *out, record *rec)
{
    unsigned t0, t1, t2, sm;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t0)::"memory");
    int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[LOADS > 0 ? LOADS : 1], s = 1;
    for (int k = 0; k < LOADS; k++) {
        v[k] = in[i + k * n];
    }
    for (int k = 0; k < LOADS; k++) {
        s += v[k];
    }
    unsigned depends = __float_as_uint(s) == 0x12345678u; /* never */
    asm volatile("{.reg .u32 t; mov.u32 t, %%clock; add.u32 %0, t, %1;}"
                 : "=r"(t1) : "r"(depends) : "memory");
    for (int k = 0; k < STORES; k++) {
        out[i + k * n] = s;
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t2)::"memory");
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (threadIdx.x % 32 == 0) {
        rec[i / 32] = {sm, t0, t1, t2};
    }
}

static unsigned at(std::vector<unsigned> v, double part)
{
    std::sort(v.begin(), v.end());
    return v[std::min(v.size() - 1, (size_t)(v.size() * part))];
}

/* The eight figures of one launch. */
static std::vector<unsigned> figures(const std::vector<record> &rec)
{
    std::vector<unsigned> load, store, sms;
    unsigned first[SMS], last[SMS];
    bool seen[SMS] = {};

    for (const record &r : rec) {
        load.push_back(r.loaded - r.begun);
        store.push_back(r.stored - r.loaded);
        if (!seen[r.sm]) {
            seen[r.sm] = true;
            first[r.sm] = r.begun;
            last[r.sm] = r.stored;
        }
        first[r.sm] = (int)(r.begun - first[r.sm]) < 0 ? r.begun : first[r.sm];
        last[r.sm] = (int)(r.stored - last[r.sm]) > 0 ? r.stored : last[r.sm];
    }
    for (int s = 0; s < SMS; s++) {
        if (seen[s]) {
            sms.push_back(last[s] - first[s]);
        }
    }
    return {at(load, 0), at(load, 0.1), at(load, 0.5), at(load, 0.9), at(load, 1),
            at(store, 0.5), at(sms, 0.5), at(sms, 1)};
}

typedef void (*kernel)(const float *, float *, record *);

static void rows(kernel k, int loads, int stores, float *in, float *out, record *rec,
                 const void *zeros)
{
    static const int grids[] = {1, 8, 33, 66, 132, 264, 528};

    for (int fresh = 0; fresh < 2; fresh++) {
        for (int grid : grids) {
            std::vector<std::vector<unsigned>> columns(8);
            std::vector<record> host(grid * THREADS / 32);
            size_t used = (size_t)grid * THREADS * 4 * std::max(loads, stores);

            for (int r = 0; r < BEFORE + REPEATS; r++) {
                if (fresh) {
                    cudaMemcpy(in, zeros, used, cudaMemcpyHostToDevice);
                    cudaMemcpy(out, zeros, used, cudaMemcpyHostToDevice);
                }
                k<<<grid, THREADS>>>(in, out, rec);
                cudaMemcpy(host.data(), rec, host.size() * sizeof(record),
                           cudaMemcpyDeviceToHost);
                std::vector<unsigned> f = figures(host);
                for (int c = 0; r >= BEFORE && c < 8; c++) {
                    columns[c].push_back(f[c]);
                }
            }
            printf("%d,%d,%d,%d", loads, stores, fresh, grid);
            for (const auto &c : columns) {
                printf(",%u", at(c, 0.5));
            }
            printf("\n");
        }
    }
}

int main()
{
    const size_t bytes = (size_t)MAX_GRID * THREADS * WORDS * 4;
    void *zeros = calloc(1, bytes);
    float *in, *out;
    record *rec;

    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMalloc(&rec, MAX_GRID * THREADS / 32 * sizeof(record));
    cudaMemset(in, 0, bytes);
    cudaMemset(out, 0, bytes);
    printf("loads,stores,fresh,grid,min,p10,median,p90,max,store,sm_median,sm_max\n");
#define ROWS(n, m) rows(burst<n, m>, n, m, in, out, rec, zeros);
    ROWS(0, 1) ROWS(1, 0) ROWS(1, 1) ROWS(2, 1) ROWS(4, 1) ROWS(8, 1) ROWS(8, 0)
    ROWS(8, 8) ROWS(0, 8) ROWS(4, 4)
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
