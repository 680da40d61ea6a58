/*
 * guards.cu - what a barrier, a guarded access and a branch around one cost in a loop.
 * One block of 1 to 32 warps; in none, one or all of them the guard is on. Prints CSV:
 *   kind,warps,on,cycles
 *       kind: below; on: warps whose guard is on; cycles: of a turn, of the slowest warp,
 *       the least of five launches
 * Build: nvcc -O2 -arch=sm_90 guards.cu -o guards; ./guards > guards.csv
 *
 * The machine code (nvcc 13.0) makes the guard before the loop. Kinds 4 and 7 have
 * branches around some of their loads there.
 */
#include "check.cuh"

#include <cstdio>
#include <cstdlib>
#define TURNS 64
#define IF    "{.reg .pred p; .reg .b32 x, y, z, w; setp.ne.u32 p, %1, 0; "
#define NOT   "{.reg .pred p; .reg .b32 x, y, z, w; setp.eq.u32 p, %1, 0; @p bra L; "
#define TURN(k, text, in, ...)                                                         \
    if (KIND == k)                                                                     \
        asm volatile(text : "+r"(v) : "r"(on), in, ##__VA_ARGS__ : "memory");
extern __shared__ unsigned shared[];
template <int KIND> __global__ void turns(unsigned *out, float *g, int warps_on)
{
    unsigned t = threadIdx.x, v = t, on = t < 32 * warps_on;
    unsigned s = (unsigned)__cvta_generic_to_shared(shared) + 4 * t;
    float *a = g + t;

    shared[t] = t;
    __syncthreads();
    unsigned t0 = clock();
#pragma unroll 1
    for (int i = 0; i < TURNS; i++) {
        /* a barrier; behind a guarded load; behind a sum in shared memory, guarded and
         * behind a branch */
        TURN(0, "bar.sync 0;", "r"(s))
        TURN(1, IF "@p ld.shared.u32 %0, [%2]; bar.sync 0;}", "r"(s))
        TURN(2, IF "@p ld.shared.b32 x, [%2]; @p ld.shared.b32 y, [%2+128];"
                   "@p add.f32 x, x, y; @p st.shared.b32 [%2], x; bar.sync 0;}", "r"(s))
        TURN(3, NOT "ld.shared.b32 x, [%2]; ld.shared.b32 y, [%2+128]; add.f32 x, x, y;"
                    "st.shared.b32 [%2], x; L: bar.sync 0;}", "r"(s))
        /* four guarded accesses, of shared and of global memory; four sums */
        TURN(4, IF "@p ld.shared.u32 x, [%2]; @p ld.shared.u32 y, [%2+128];"
                   "@p ld.shared.u32 z, [%2+256]; @p ld.shared.u32 w, [%2+384];"
                   "@p add.u32 x, x, y; @p add.u32 z, z, w; @p add.u32 %0, x, z;}", "r"(s))
        TURN(5, IF "@p st.shared.u32 [%2], %0; @p st.shared.u32 [%2], %0;"
                   "@p st.shared.u32 [%2], %0; @p st.shared.u32 [%2], %0;}", "r"(s))
        TURN(6, IF "@p st.global.u32 [%2], %0; @p st.global.u32 [%2], %0;"
                   "@p st.global.u32 [%2], %0; @p st.global.u32 [%2], %0;}", "l"(a))
        TURN(7, IF "@p ld.global.u32 x, [%2]; @p ld.global.u32 y, [%2+128];"
                   "@p ld.global.u32 z, [%2+256]; @p ld.global.u32 w, [%2+384];"
                   "@p add.u32 x, x, y; @p add.u32 z, z, w; @p add.u32 %0, x, z;}", "l"(a))
        TURN(8, IF "@p add.f32 %0, %0, %0; @p add.f32 %0, %0, %0;"
                   "@p add.f32 %0, %0, %0; @p add.f32 %0, %0, %0;}", "r"(s))
        /* as 2 and 3 in global memory; a product; without guards: a load, a store, a sum
         * in shared and one in global memory, a load that is added, a remainder */
        TURN(9, IF "@p ld.global.b32 x, [%2]; @p ld.global.b32 y, [%2+128];"
                   "@p add.f32 x, x, y; @p st.global.b32 [%2], x; bar.sync 0;}", "l"(a))
        TURN(10, NOT "ld.global.b32 x, [%2]; ld.global.b32 y, [%2+128]; add.f32 x, x, y;"
                     "st.global.b32 [%2], x; L: bar.sync 0;}", "l"(a))
        TURN(11, IF "@p mul.rn.f32 %0, %0, %0; bar.sync 0;}", "r"(s))
        TURN(12, "ld.shared.u32 %0, [%2]; bar.sync 0;", "r"(s))
        TURN(13, "st.shared.u32 [%2], %0; bar.sync 0;", "r"(s))
        TURN(14, "{.reg .u32 x; ld.shared.u32 x, [%2]; add.u32 x, x, 1;"
                 "st.shared.u32 [%2], x; bar.sync 0;}", "r"(s))
        TURN(15, "{.reg .u32 x; ld.global.u32 x, [%2]; add.u32 x, x, 1;"
                 "st.global.u32 [%2], x; bar.sync 0;}", "l"(a))
        TURN(16, "{.reg .u32 x; ld.global.u32 x, [%2]; add.u32 %0, %0, x; bar.sync 0;}",
             "l"(a))
        TURN(17, "{.reg .pred p; .reg .u32 x; rem.u32 x, %3, %2; setp.eq.u32 p, x, 0;"
                 "@p add.u32 %0, %0, 1; bar.sync 0;}", "r"(on + 5 + i), "r"(t))
    }
    unsigned t1 = clock();
    if ((t & 31) == 0)
        out[t / 32] = t1 - t0;
    if (v == 0x12345)
        out[0] = v;
}
template <int KIND> void measure(unsigned *out, float *g)
{
    static const int warps[] = {1, 2, 4, 8, 16, 32}, all[] = {0, 1, 32};

    for (int w : warps) {
        for (int on : all) {
            unsigned best = ~0u, got[32];

            if (on == 1 && w == 1)
                continue;
            for (int r = 0; r < 5; r++) {
                unsigned most = 0;

                turns<KIND><<<1, 32 * w, 32 * w * 4 + 512>>>(out, g, on);
                CHECK(cudaMemcpy(got, out, 4 * w, cudaMemcpyDeviceToHost));
                for (int i = 0; i < w; i++)
                    most = got[i] > most ? got[i] : most;
                best = most < best ? most : best;
            }
            printf("%d,%d,%d,%.2f\n", KIND, w, on, best / (double)TURNS);
        }
    }
}
template <int... KIND> struct each {
    static void run(unsigned *out, float *g)
    {
        int order[] = {(measure<KIND>(out, g), 0)...};
        (void)order;
    }
};
int main(void)
{
    unsigned *out;
    float *g;

    CHECK(cudaMalloc(&out, 4096));
    CHECK(cudaMalloc(&g, 1 << 20));
    CHECK(cudaMemset(g, 0, 1 << 20));
    printf("kind,warps,on,cycles\n");
    each<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17>::run(out, g);
    CHECK(cudaDeviceSynchronize());
}
