/* mma.cu - results of every mma shape on drawn operands: hashes and raw samples.
 * nvcc -O2 -arch=sm_90 -o mma mma.cu && ./mma OUT */
#include "check.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define DRAW_FN static __host__ __device__ inline
#include "../../model/isa/mma_draw_test.h"
#include "mma_forms.inc"

template <class T> __device__ T word_to(const unsigned *w, int i);
template <> __device__ unsigned word_to<unsigned>(const unsigned *w, int i)
{
    return w[i];
}
template <> __device__ float word_to<float>(const unsigned *w, int i)
{
    return __uint_as_float(w[i]);
}
template <> __device__ double word_to<double>(const unsigned *w, int i)
{
    return __hiloint2double(w[2 * i + 1], w[2 * i]);
}
__device__ void put(unsigned *w, int i, unsigned v)
{
    w[i] = v;
}
__device__ void put(unsigned *w, int i, float v)
{
    w[i] = __float_as_uint(v);
}
__device__ void put(unsigned *w, int i, double v)
{
    w[2 * i] = __double2loint(v);
    w[2 * i + 1] = __double2hiint(v);
}

/* one warp, one product; its operands are words (product, lane, word) of each role */
template <class S> __global__ void products(unsigned *out, unsigned n)
{
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
                   lane = threadIdx.x % 32;
    if (warp >= n)
        return;
    const int mode = warp % DRAW_MODES;
    unsigned a[S::NA], b[S::NB], c[S::NC], d[S::ND];
    for (int i = 0; i < S::NA; i++)
        a[i] = draw_word(DRAW_A, S::KA, mode, S::IN_E,
                         ((uint64_t)warp * 32 + lane) * S::NA + i);
    for (int i = 0; i < S::NB; i++)
        b[i] = draw_word(DRAW_B, S::KB, mode, S::IN_E,
                         ((uint64_t)warp * 32 + lane) * S::NB + i);
    for (int i = 0; i < S::NC; i++)
        c[i] = draw_word(DRAW_C, S::KC, mode, S::IN_E,
                         ((uint64_t)warp * 32 + lane) * S::NC + i);
    const int wd = sizeof(typename S::TD) / 4, wa = sizeof(typename S::TA) / 4,
              wc = sizeof(typename S::TC) / 4;
    typename S::TA ta[S::NA / wa], tb[S::NB / wa];
    typename S::TC tc[S::NC / wc];
    typename S::TD td[S::ND / wd];
    for (int i = 0; i < S::NA / wa; i++)
        ta[i] = word_to<typename S::TA>(a, i);
    for (int i = 0; i < S::NB / wa; i++)
        tb[i] = word_to<typename S::TA>(b, i);
    for (int i = 0; i < S::NC / wc; i++)
        tc[i] = word_to<typename S::TC>(c, i);
    S::go(td, ta, tb, tc);
    for (int i = 0; i < S::ND / wd; i++)
        put(d, i, td[i]);
    for (int i = 0; i < S::ND; i++)
        out[((uint64_t)warp * 32 + lane) * S::ND + i] = d[i];
}

static uint64_t fnv(const unsigned *w, size_t n)
{
    uint64_t h = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ w[i]) * 0x100000001b3ull;
        h ^= h >> 29;
    }
    return h;
}

template <class S> void shape(const char *name, FILE *hashes, const char *dir)
{
    const unsigned n = S::ND >= 8 && S::IN_E == 11 ? 32768
                       : S::IN_E != 0              ? 131072
                                                   : 32768,
                   block = 1024;
    std::vector<unsigned> host((size_t)n * 32 * S::ND);
    unsigned *dev;
    CHECK(cudaMalloc(&dev, host.size() * 4));
    products<S><<<n / 4, 128>>>(dev, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), dev, host.size() * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dev));
    for (unsigned i = 0; i < n; i += block)
        fprintf(hashes, "%s %u %016llx\n", name, i,
                (unsigned long long)fnv(&host[(size_t)i * 32 * S::ND],
                                        (size_t)block * 32 * S::ND));
    FILE *raw = fopen((std::string(dir) + "/" + name + ".bin").c_str(), "wb");
    fwrite(host.data(), 4, (size_t)(S::IN_E != 0 ? 512 : 32) * 32 * S::ND, raw);
    fclose(raw);
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : ".";
    FILE *hashes = fopen((std::string(dir) + "/hashes.txt").c_str(), "w");
#define X(s) shape<s>(#s, hashes, dir);
    SHAPES(X)
    fclose(hashes);
    return 0;
}
