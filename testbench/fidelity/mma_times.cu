/* mma_times.cu - latency and rate of every mma shape, ldmatrix, stmatrix and movmatrix by clock64.
 * One block: chains of dependent products in 1 warp; 4 independent ones in 1, 4, 8, 16 warps. */
#include "check.cuh"

#include "../../model/isa/mma_draw_test.h"
#include "mma_forms.inc"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class S, int CHAINS, int N>
__global__ void run(long long *clocks, unsigned *sink)
{
    const int wd = sizeof(typename S::TD) / 4, wa = sizeof(typename S::TA) / 4,
              wc = sizeof(typename S::TC) / 4;
    typename S::TA a[S::NA / wa] = {}, b[S::NB / wa] = {};
    typename S::TC c[CHAINS][S::NC / wc] = {};
    typename S::TD d[CHAINS][S::ND / wd] = {};
    for (int i = 0; i < S::NA / wa; i++)
        a[i] = (typename S::TA)(threadIdx.x >> 20);
    __syncthreads();
    const long long t0 = clock64();
#pragma unroll 1
    for (int i = 0; i < N / 16; i++) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
#pragma unroll
            for (int k = 0; k < CHAINS; k++) {
                S::go(d[k], a, b, c[k]);
                if (sizeof(typename S::TD) == sizeof(typename S::TC) &&
                    (int)S::ND == (int)S::NC)
                    for (int m = 0; m < S::NC / wc; m++)
                        c[k][m] = (typename S::TC)d[k][m];
                else
                    a[0] = (typename S::TA)__float_as_uint((float)d[k][0]);
            }
        }
    }
    unsigned s = 0;
    for (int k = 0; k < CHAINS; k++)
        for (int m = 0; m < S::ND / wd; m++)
            s += (unsigned)d[k][m];
    if (s == 12345)
        *sink = s;
    const long long t1 = clock64();
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = t0;
        clocks[threadIdx.x / 32 * 2 + 1] = t1;
    }
}

enum op {
    LDX1,
    LDX2,
    LDX4,
    LDX1T,
    LDX2T,
    LDX4T,
    STX1,
    STX2,
    STX4,
    STX4T,
    MOVM,
    LDS128,
    LDS32,
    N_OPS
};
static const char *const names[] = {"ldmatrix.x1",       "ldmatrix.x2",
                                    "ldmatrix.x4",       "ldmatrix.x1.trans",
                                    "ldmatrix.x2.trans", "ldmatrix.x4.trans",
                                    "stmatrix.x1",       "stmatrix.x2",
                                    "stmatrix.x4",       "stmatrix.x4.trans",
                                    "movmatrix",         "ld.shared.v4",
                                    "ld.shared"};

template <int OP> __device__ __forceinline__ unsigned step(unsigned addr, unsigned v)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (OP == LDX1)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(a)
                     : "r"(addr)
                     : "memory");
    if (OP == LDX2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(a), "=r"(b)
                     : "r"(addr)
                     : "memory");
    if (OP == LDX4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(addr)
                     : "memory");
    if (OP == LDX1T)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                     : "=r"(a)
                     : "r"(addr)
                     : "memory");
    if (OP == LDX2T)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(a), "=r"(b)
                     : "r"(addr)
                     : "memory");
    if (OP == LDX4T)
        asm volatile(
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
            : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
            : "r"(addr)
            : "memory");
    if (OP == STX1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(addr),
                     "r"(v)
                     : "memory");
    if (OP == STX2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(
                         addr),
                     "r"(v), "r"(v)
                     : "memory");
    if (OP == STX4)
        asm volatile(
            "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(addr),
            "r"(v), "r"(v), "r"(v), "r"(v)
            : "memory");
    if (OP == STX4T)
        asm volatile(
            "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(
                addr),
            "r"(v), "r"(v), "r"(v), "r"(v)
            : "memory");
    if (OP == MOVM)
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                     : "=r"(a)
                     : "r"(v));
    if (OP == LDS128)
        asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(addr)
                     : "memory");
    if (OP == LDS32)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(addr) : "memory");
    return a;
}

template <int OP, int CHAINS>
__global__ void memory(long long *clocks, unsigned *sink, unsigned stride)
{
    __shared__ unsigned tile[8192];
    for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x)
        tile[i] = 0;
    unsigned at[CHAINS], v[CHAINS];
    for (int k = 0; k < CHAINS; k++) {
        v[k] = threadIdx.x >> 20;
        at[k] = (unsigned)__cvta_generic_to_shared(tile) + threadIdx.x % 32 * stride;
    }
    __syncthreads();
    const long long t0 = clock64();
#pragma unroll 1
    for (int i = 0; i < 16; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
#pragma unroll
            for (int k = 0; k < CHAINS; k++) {
                v[k] = step<OP>(at[k], v[k]);
                if (OP != MOVM && CHAINS == 1)
                    at[k] += v[k];
            }
    unsigned s = 0;
    for (int k = 0; k < CHAINS; k++)
        s += v[k];
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
template <class S> void shape(const char *name)
{
    const unsigned w[4] = {1, 4, 8, 16};
    long long chain = 0, c2 = 0, all[4];
    for (int i = 0; i < 3; i++) {
        run<S, 1, 256><<<1, 32>>>(dev, sink);
        chain = span(1);
    }
    for (int i = 0; i < 3; i++) {
        run<S, 1, 512><<<1, 32>>>(dev, sink);
        c2 = span(1);
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            run<S, 4, 256><<<1, 32 * w[k]>>>(dev, sink);
            all[k] = span(w[k]);
        }
    printf("%s,%lld,%lld,%lld,%lld,%lld,%lld\n", name, chain, c2, all[0], all[1],
           all[2], all[3]);
}
template <int OP> void memory_op(unsigned stride)
{
    const unsigned w[4] = {1, 4, 8, 16};
    long long chain = 0, all[4];
    for (int i = 0; i < 3; i++) {
        memory<OP, 1><<<1, 32>>>(dev, sink, stride);
        chain = span(1);
    }
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            memory<OP, 4><<<1, 32 * w[k]>>>(dev, sink, stride);
            all[k] = span(w[k]);
        }
    printf("%s/%u,%lld,0,%lld,%lld,%lld,%lld\n", names[OP], stride, chain, all[0],
           all[1], all[2], all[3]);
}
int main()
{
    CHECK(cudaMalloc(&dev, 4096));
    CHECK(cudaMalloc(&sink, 64));
    printf("# name, cycles of 256 and of 512 dependent products in one warp, cycles of "
           "4 x 256 independent ones in each of 1, 4, 8, 16 warps\n");
#define X(s) shape<s>(#s);
    SHAPES(X)
#define M(o)                                                                           \
    memory_op<o>(16);                                                                  \
    memory_op<o>(128);                                                                 \
    memory_op<o>(144);
    M(LDX1)
    M(LDX2) M(LDX4) M(LDX1T) M(LDX2T) M(LDX4T) M(STX1) M(STX2) M(STX4) M(STX4T) M(MOVM)
        M(LDS128) M(LDS32) return 0;
}
