/*
 * Latency and throughput of PTX instructions, one per row:
 *
 *     nvcc -O2 -arch=sm_90 latencies.cu -o latencies && ./latencies > out.csv
 *
 * latency: one warp runs a chain, each instruction waiting for the one before.
 * warp_1, warp_4, warp_32: cycles per warp instruction of an SM with so many warps, each
 * with 8 chains that do not wait for each other: 4 warps are one for each scheduler.
 *
 * The committed table has one column more: how many machine instructions the text is in
 * the chain, as nvdisasm shows it (what is called is not in it).
 *
 * An operation may need a helper, to make a result an operand again (a predicate a
 * number, a 64-bit result 32-bit); it stands in the text, which is a column.
 */
#include "check.cuh"

#include <cstdint>
#include <cstdio>

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint16_t u16;

enum { OPS = 64, ROUNDS = 8, CHAINS = 8 };

template <class O, int CH>
__global__ void run(typename O::T a, typename O::T b, typename O::T c, u32 *times,
                    typename O::T *sink)
{
    typename O::T x[CH];
    u32 t0 = 0, t1 = 0;

    for (int k = 0; k < CH; k++) {
        x[k] = a + (typename O::T)(threadIdx.x % 3 + k);
    }
    for (int pass = 0; pass < 2; pass++) { /* the first fetches the code */
        __syncthreads();
        t0 = clock();
#pragma unroll 1
        for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
            for (int i = 0; i < OPS / CH; i++) {
#pragma unroll
                for (int k = 0; k < CH; k++) {
                    O::f(x[k], b, c);
                }
            }
        }
        t1 = clock();
    }
    typename O::T s = x[0];
    for (int k = 1; k < CH; k++) {
        s += x[k];
    }
    sink[threadIdx.x] = s;
    if (threadIdx.x % 32 == 0) {
        times[2 * (threadIdx.x / 32)] = t0;
        times[2 * (threadIdx.x / 32) + 1] = t1;
    }
}

static u32 *times;
static void *sink;

template <class O, int CH> static double cycles(int warps)
{
    u32 t[64];
    double best = 1e30;

    for (int n = 0; n < 5; n++) {
        run<O, CH><<<1, 32 * warps>>>(O::a(), O::b(), O::c(), times,
                                      (typename O::T *)sink);
        cudaMemcpy(t, times, sizeof(t), cudaMemcpyDeviceToHost);
        u32 first = t[0], last = t[1];
        for (int w = 1; w < warps; w++) {
            first = (int)(t[2 * w] - first) < 0 ? t[2 * w] : first;
            last = (int)(t[2 * w + 1] - last) > 0 ? t[2 * w + 1] : last;
        }
        double c = (double)(last - first) / (OPS * ROUNDS) / (CH == 1 ? 1 : warps);
        best = c < best ? c : best;
    }
    return best;
}

template <class O> static int row(void)
{
    double lat = cycles<O, 1>(1);
    double w1 = cycles<O, CHAINS>(1), w4 = cycles<O, CHAINS>(4),
           w32 = cycles<O, CHAINS>(32);

    CHECK(cudaDeviceSynchronize());
    printf("%s,%.2f,%.2f,%.2f,%.3f,\"%s\"\n", O::name(), lat, w1, w4, w32, O::text());
    return 0;
}

#define OP(id, TYPE, CON, A, B, C, TEXT)                                               \
    struct op_##id {                                                                   \
        typedef TYPE T;                                                                \
        static const char *name() { return #id; }                                      \
        static const char *text() { return TEXT; }                                     \
        static T a() { return (T)(A); }                                                \
        static T b() { return (T)(B); }                                                \
        static T c() { return (T)(C); }                                                \
        static __device__ __forceinline__ void f(T &x, T b, T c)                       \
        {                                                                              \
            asm volatile("{ .reg .pred p; .reg .b32 t, v; .reg .b64 d, e; "            \
                         ".reg .b16 h, g; .reg .f32 w; .reg .f64 z; " TEXT " }"        \
                         : "+" CON(x)                                                  \
                         : CON(b), CON(c));                                            \
        }                                                                              \
    };
#include "latencies.inc"
#undef OP

int main(void)
{
    CHECK(cudaMalloc(&times, 64 * sizeof(u32)));
    CHECK(cudaMalloc(&sink, 1024 * 8));
    printf("op,latency,warp_1,warp_4,warp_32,text\n");
#define OP(id, ...) row<op_##id>();
#include "latencies.inc"
    CHECK(cudaDeviceSynchronize());
    return 0;
}
