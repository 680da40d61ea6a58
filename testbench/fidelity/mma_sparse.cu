/* mma_sparse.cu - mma.sp: which element of B meets which of A, results of drawn operands as
 * hashes and samples, latency and rate.
 * nvcc -O2 -arch=sm_90 -o mma_sparse mma_sparse.cu && ./mma_sparse OUT */
#include "check.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define DRAW_FN static __host__ __device__ inline
#include "../../model/isa/mma_draw_test.h"
#include "mma_sparse_forms.inc"

/* Eight pairs of indices in order; of tf32, one of two places. */
__host__ __device__ inline unsigned draw_pairs(uint64_t index, int per)
{
    const uint64_t h = draw_hash(index ^ (7ull << 60));
    unsigned e = 0;
    for (int i = 0; i < 8; i++) {
        const unsigned r = (unsigned)(h >> 8 * i) & 255;
        const unsigned pair = per == 2 ? ((r & 1) ? 14 : 4) : (0xed9c84u >> r % 6 * 4) & 15;
        e |= pair << 4 * i;
    }
    return e;
}
template <class S>
__device__ void go(unsigned selector, typename S::TD *d, const unsigned *a, const unsigned *b,
                   const typename S::TD *c, unsigned e)
{
    enum { M = S::SELECTORS };
    switch (selector) {
    case 0: S::template go<0>(d, a, b, c, e); break;
    case 1: S::template go<1 % M>(d, a, b, c, e); break;
    case 2: S::template go<2 % M>(d, a, b, c, e); break;
    case 3: S::template go<3 % M>(d, a, b, c, e); break;
    }
}
template <class S> __global__ void products(unsigned *out, unsigned n)
{
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int mode = warp % DRAW_MODES;
    const uint64_t at = (uint64_t)warp * 32 + lane;
    unsigned a[S::NA], b[S::NB];
    typename S::TD c[S::ND], d[S::ND];
    for (int i = 0; i < S::NA; i++)
        a[i] = draw_word(DRAW_A, S::KAB, mode, S::IN_E, at * S::NA + i);
    for (int i = 0; i < S::NB; i++)
        b[i] = draw_word(DRAW_B, S::KAB, mode, S::IN_E, at * S::NB + i);
    for (int i = 0; i < S::ND; i++) {
        const unsigned w = draw_word(DRAW_C, S::KC, mode, S::IN_E, at * S::ND + i);
        memcpy(&c[i], &w, 4);
    }
    go<S>(warp / DRAW_MODES % S::SELECTORS, d, a, b, c, draw_pairs(at, S::PER));
    for (int i = 0; i < S::ND; i++)
        memcpy(&out[at * S::ND + i], &d[i], 4);
}

/* Column n of B has bit n of the number of its row; one column of A is 1. */
__device__ static unsigned one_of(int kab, unsigned bits)
{
    return kab == DRAW_F16 ? 0x3c00 : kab == DRAW_BF16 ? 0x3f80 : kab == DRAW_TF32 ? 0x3f800000 : 1;
}
template <class S> __global__ void meets(unsigned char *out, unsigned selector, unsigned draw, int five)
{
    const unsigned bits = S::KAB == DRAW_TF32 ? 32 : 128 * S::NA / S::K * 1, per = 32 / bits;
    const unsigned lane = threadIdx.x % 32, g = lane / 4, in = lane % 4, col = blockIdx.x;
    const unsigned one = S::KAB == DRAW_BYTES ? (five ? 0x3c : 0x38) : one_of(S::KAB, bits);
    unsigned a[S::NA] = {}, b[S::NB] = {};
    typename S::TD c[S::ND] = {}, d[S::ND];
    for (unsigned i = 0; i < S::NA * per; i++)
        if ((i / per / 2 * 4 + in) * per + i % per == col)
            a[i / per] |= one << bits * (i % per) % 32;
    for (unsigned i = 0; i < S::NB * per; i++)
        if (((i / per * 4 + in) * per + i % per) >> g & 1)
            b[i / per] |= one << bits * (i % per) % 32;
    go<S>(selector, d, a, b, c, draw_pairs(draw * 32 + lane, S::PER));
    for (int i = 0; i < 4; i++) {
        unsigned v;
        if (S::ND == 4) {
            v = (unsigned)d[i];
        } else {
            unsigned w;
            memcpy(&w, &d[i / 2], 4);
            v = (w >> 16 * (i % 2) & 0xffff) != 0;
        }
        out[(col * 16 + g + 8 * (i / 2)) * 8 + in * 2 + i % 2] = (unsigned char)v;
    }
}

template <class S, int CHAINS, int N> __global__ void run(long long *clocks, unsigned *sink)
{
    unsigned a[S::NA] = {}, b[S::NB] = {};
    typename S::TD c[CHAINS][S::ND] = {};
    for (int i = 0; i < S::NA; i++)
        a[i] = threadIdx.x >> 20;
    __syncthreads();
    const long long t0 = clock64();
#pragma unroll 1
    for (int i = 0; i < N / 16; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
#pragma unroll
            for (int k = 0; k < CHAINS; k++)
                S::template go<0>(c[k], a, b, c[k], 0x44444444);
    unsigned s = 0;
    for (int k = 0; k < CHAINS; k++)
        for (int m = 0; m < S::ND; m++)
            s += (unsigned)c[k][m];
    if (s == 12345)
        *sink = s;
    const long long t1 = clock64();
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = t0;
        clocks[threadIdx.x / 32 * 2 + 1] = t1;
    }
}
static long long *dev;
static unsigned *sink;
static long long span(unsigned warps)
{
    std::vector<long long> h(2 * warps);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h.data(), dev, 16 * warps, cudaMemcpyDeviceToHost));
    long long lo = h[0], hi = h[1];
    for (unsigned i = 0; i < warps; i++) {
        lo = std::min(lo, h[2 * i]);
        hi = std::max(hi, h[2 * i + 1]);
    }
    return hi - lo;
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
static std::string dir;
static FILE *hashes, *clocks, *pairs;
template <class S> void form(const char *name)
{
    const unsigned n = 32768, block = 1024;
    std::vector<unsigned> host((size_t)n * 32 * S::ND);
    unsigned *out;
    CHECK(cudaMalloc(&out, host.size() * 4));
    products<S><<<n / 4, 128>>>(out, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; i += block)
        fprintf(hashes, "%s,%u,%u,%016llx\n", name, i, block,
                (unsigned long long)fnv(&host[(size_t)i * 32 * S::ND], (size_t)block * 32 * S::ND));
    FILE *raw = fopen((dir + "/" + name + ".bin").c_str(), "wb");
    fwrite(host.data(), 4, (size_t)128 * 32 * S::ND, raw);
    fclose(raw);
    for (unsigned s = 0; s < S::SELECTORS; s++)
        for (unsigned draw = 0; draw < 2; draw++) {
            unsigned char h[64 * 128];
            meets<S><<<S::K / 2, 32>>>((unsigned char *)out, s, draw, strstr(name, "e5m2_e5m2") != NULL);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(h, out, S::K / 2 * 128, cudaMemcpyDeviceToHost));
            for (unsigned r = 0; r < 16; r++) {
                fprintf(pairs, "%s,%u,%u,%u", name, s, draw, r);
                for (unsigned col = 0; col < S::K / 2; col++) {
                    unsigned k = 0;
                    for (unsigned i = 0; i < 8; i++)
                        k |= (h[(col * 16 + r) * 8 + i] != 0) << i;
                    fprintf(pairs, ",%u", k);
                }
                fprintf(pairs, "\n");
            }
        }
    CHECK(cudaFree(out));
    const unsigned w[4] = {1, 4, 8, 16};
    long long c1 = 0, c2 = 0, all[4];
    for (int i = 0; i < 3; i++) {
        run<S, 1, 256><<<1, 32>>>(dev, sink);
        c1 = span(1);
        run<S, 1, 512><<<1, 32>>>(dev, sink);
        c2 = span(1);
        for (int k = 0; k < 4; k++) {
            run<S, 4, 256><<<1, 32 * w[k]>>>(dev, sink);
            all[k] = span(w[k]);
        }
    }
    fprintf(clocks, "%s,%lld,%lld,%lld,%lld,%lld,%lld\n", name, c1, c2, all[0], all[1], all[2], all[3]);
}
int main(int argc, char **argv)
{
    dir = argc > 1 ? argv[1] : ".";
    hashes = fopen((dir + "/mma_sparse.csv").c_str(), "w");
    clocks = fopen((dir + "/mma_sparse_times.csv").c_str(), "w");
    pairs = fopen((dir + "/mma_sparse_pairs.csv").c_str(), "w");
    CHECK(cudaMalloc(&dev, 4096));
    CHECK(cudaMalloc(&sink, 64));
#define X(s) form<s>(#s);
    SPARSE_FORMS(X)
    fclose(hashes);
    fclose(clocks);
    fclose(pairs);
    return 0;
}
