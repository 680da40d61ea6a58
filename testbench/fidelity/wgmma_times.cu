/* wgmma_times.cu - latency and rate of wgmma by clock64, by shape and type, and of operands
 * that lie anyhow (with "places": drawn descriptors; with "count": the same, one launch of 16
 * products each and no clock, for the profiler).
 * nvcc -O2 -I../../model -gencode arch=compute_90a,code=sm_90a -o wgmma_times wgmma_times.cu && ./wgmma_times [places|count] */
#include "wgmma.inc"
#include <algorithm>

enum { TILE = 200 * 1024 };

/* Every warpgroup: the cycles of n products of one group and the wait for them. */
template <class S, int RS, int MANY>
__global__ void times(long long *clocks, unsigned *sink, int n, uint64_t da, uint64_t db)
{
    extern __shared__ __align__(1024) unsigned tile[];
    typename S::TD d[S::ND] = {};
    unsigned a[4] = {};
    for (unsigned i = threadIdx.x; i < TILE / 4; i += blockDim.x)
        tile[i] = 0;
    publish();
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile) >> 4;
    da += base;
    db += base;
    long long t0, t1;
    for (int round = 0; round < 2; round++) { /* the first fetches instructions */
        __syncthreads();
        t0 = clock64();
        fence();
#pragma unroll 1
        for (int i = 0; i < n; i += MANY) {
#pragma unroll
            for (int j = 0; j < MANY; j++) {
                if (RS)
                    S::template rs<1, 1, 0, 0>(d, a, db, 1);
                else
                    S::template ss<1, 1, 0, 0>(d, da, db, 1);
            }
        }
        commit();
        drain();
        t1 = clock64();
    }
    unsigned s = 0;
    for (int i = 0; i < S::ND; i++)
        s += (unsigned)d[i];
    if (s == 12345)
        *sink = s;
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
template <class K> long long least(K k, unsigned groups, int n, uint64_t da, uint64_t db)
{
    long long best = 1ll << 60;
    CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE));
    for (int i = 0; i < 3; i++) {
        k<<<1, 128 * groups, TILE>>>(dev, sink, n, da, db);
        CHECK(cudaGetLastError());
        best = std::min(best, span(4 * groups));
    }
    return best;
}
template <class S> void form(const char *name)
{
    /* rows of 128 bytes, swizzled */
    const uint64_t da = wgmma_descriptor(0, 16, 1024, 0, 1), db = wgmma_descriptor(65536, 16, 1024, 0, 1);
    printf("%s", name);
    for (int n : {1, 8, 16, 64})
        printf(",%lld", least(n == 1 ? times<S, 0, 1> : times<S, 0, 8>, 1, n, da, db));
    for (int n : {1, 8, 16, 64})
        printf(",%lld", least(n == 1 ? times<S, 1, 1> : times<S, 1, 8>, 1, n, da, db));
    printf(",%lld", least(times<S, 0, 8>, 2, 64, da, db));
    printf(",%lld\n", least(times<S, 1, 8>, 2, 64, da, db));
}

template <int OF_A, int TURNED>
__global__ void pattern(long long *clocks, unsigned *sink, int n, uint64_t da, uint64_t db)
{
    extern __shared__ __align__(1024) unsigned tile[];
    float d[32] = {};
    unsigned a[4] = {};
    const unsigned base = (unsigned)__cvta_generic_to_shared(tile) >> 4;
    da += base;
    db += base;
    long long t0, t1;
    __syncthreads();
    t0 = clock64();
    fence();
#pragma unroll 1
    for (int i = 0; i < n; i += 16) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
            if (OF_A)
                n64_f32_f16::ss<1, 1, TURNED, 0>(d, da, db, 1);
            else
                n64_f32_f16::rs<1, 1, 0, TURNED>(d, a, db, 1);
        }
    }
    commit();
    drain();
    t1 = clock64();
    float s = 0;
    for (int i = 0; i < 32; i++)
        s += d[i];
    if (s == 12345)
        *sink = 1;
    if (threadIdx.x % 32 == 0) {
        clocks[threadIdx.x / 32 * 2] = t0;
        clocks[threadIdx.x / 32 * 2 + 1] = t1;
    }
}
typedef void (*pattern_kernel)(long long *, unsigned *, int, uint64_t, uint64_t);
static void places(bool count)
{
    const pattern_kernel all[4] = {pattern<0, 0>, pattern<1, 0>, pattern<0, 1>, pattern<1, 1>};
    for (pattern_kernel k : all)
        CHECK(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE));
    for (unsigned i = 0; i < WGMMA_PLACES / 2; i++) {
        const wgmma_place p = wgmma_draw_place(i);
        const pattern_kernel k = all[p.of_a + 2 * p.turned];
        const uint64_t one = wgmma_descriptor(p.at, p.lead, p.stride, p.base, p.swizzle),
                       b = p.of_a ? wgmma_descriptor(150 * 1024, 16, 1024, 0, 1) : one;
        if (count) {
            k<<<1, 128, TILE>>>(dev, sink, 16, one, b);
            CHECK(cudaGetLastError());
            continue;
        }
        const long long few = least(k, 1, 16, one, b), many = least(k, 1, 144, one, b);
        printf("%u,%u,%u,%u,%u,%u,%u,%u,%lld,%lld\n", i, p.of_a, p.turned, p.swizzle, p.at,
               p.lead, p.stride, p.base, few, many);
    }
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    CHECK(cudaMalloc(&dev, 4096));
    CHECK(cudaMalloc(&sink, 64));
    if (argc > 1) {
        places(strcmp(argv[1], "count") == 0);
        return 0;
    }
    printf("# form; cycles of 1, 8, 16, 64 products of one group until they are there, one "
           "warpgroup, A in shared memory; the same, A in registers; 64 in each of two "
           "warpgroups, both\n");
#define X(s) form<s>(#s);
    TIME_FORMS(X)
    return 0;
}
