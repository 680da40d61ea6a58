/*
 * In which order the warps of a scheduler issue, a scheduler per row:
 *
 *     nvcc -O2 -arch=sm_90 order.cu -o order && ./order > order.csv
 *
 * One block of 32 warps, eight to a scheduler, does STEPS times what `kind` names, and
 * reads the clock before each and behind the last. The code is at hand, and warps begin
 * some ten cycles apart, when each leaves a loop that polls the clock. `order` has a digit
 * per reading, in the order of the readings: the warp, 0 the first of its scheduler, 7 the
 * last; `cycles` is from the first to the last.
 *
 *     shared  a load of shared memory, without conflicts
 *     global  a load of a line that the L1 has
 *     store   a store to such a line
 *     add     four products with sums that do not depend on each other
 *     chain   four such, each of the one before
 *     both    a load of shared memory, and four that do not
 *
 * Nothing waits for what is loaded before the last reading.
 */
#include "check.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

typedef uint32_t u32;

enum { STEPS = 8, READINGS = STEPS + 1, PASSES = 3, HOLD = 1500, ROUNDS = 4, WARPS = 32, LANES = 32 };
enum { SCHEDULERS = 4 };
enum kind { SHARED, GLOBAL, STORE, ADD, CHAIN, BOTH };

static __device__ __forceinline__ u32 now()
{
    u32 t;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t) : : "memory");
    return t;
}

static __device__ __forceinline__ void mad(u32 *v, u32 by)
{
    asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(*v) : "r"(by) : "memory");
}

template <int KIND> static __global__ void order(u32 *mem, u32 *out, u32 by)
{
    __shared__ u32 words[STEPS * LANES];
    const u32 warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const u32 near = (u32)__cvta_generic_to_shared(words) + 4 * lane;
    u32 *const far = mem + warp * STEPS * LANES + lane;
    u32 time[READINGS], got[STEPS] = {}, v[4] = {lane, lane + by, lane * by, lane ^ by}, sum = 0;

    words[threadIdx.x % (STEPS * LANES)] = by;
    for (u32 i = 0; i < STEPS; i++) {
        sum += far[i * LANES]; /* the L1 has it then */
    }
#pragma unroll 1
    for (u32 pass = 0; pass < PASSES; pass++) {
        const u32 since = now();

        __syncthreads();
        while (pass == PASSES - 1 && now() - since < HOLD) {
        }
#pragma unroll
        for (u32 i = 0; i < STEPS; i++) {
            time[i] = now();
            if (KIND == SHARED || KIND == BOTH) {
                asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got[i]) : "r"(near + 4 * LANES * i) : "memory");
            }
            if (KIND == GLOBAL) {
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(got[i]) : "l"(far + i * LANES) : "memory");
            }
            if (KIND == STORE) {
                asm volatile("st.global.u32 [%0], %1;" : : "l"(far + i * LANES), "r"(by) : "memory");
            }
            if (KIND == ADD || KIND == CHAIN || KIND == BOTH) {
                for (u32 k = 0; k < 4; k++) {
                    mad(&v[KIND == CHAIN ? 0 : k], by);
                }
            }
        }
        time[STEPS] = now();
        for (u32 i = 0; i < STEPS; i++) {
            sum += got[i];
        }
    }
    __syncthreads();
    for (u32 i = 0; i < READINGS; i++) {
        out[warp * READINGS + i] = time[i];
    }
    if (sum + v[0] + v[1] + v[2] + v[3] == 12345) {
        out[0] = 0;
    }
}

static u32 *mem, *out;

template <int KIND> static void rows(const char *name)
{
    std::vector<u32> t(WARPS * READINGS);

    for (int r = 0; r < ROUNDS; r++) {
        order<KIND><<<1, WARPS * LANES>>>(mem, out, 3);
    }
    CHECK(cudaMemcpy(t.data(), out, 4 * t.size(), cudaMemcpyDeviceToHost));
    for (u32 s = 0; s < SCHEDULERS; s++) {
        std::vector<std::pair<u32, u32>> of;

        for (u32 w = s; w < WARPS; w += SCHEDULERS) {
            for (u32 i = 0; i < READINGS; i++) {
                of.push_back({t[w * READINGS + i], w / SCHEDULERS});
            }
        }
        std::sort(of.begin(), of.end());
        printf("%s,%u,%u,", name, s, of.back().first - of.front().first);
        for (const auto &reading : of) {
            printf("%u", reading.second);
        }
        printf("\n");
    }
}

int main()
{
    CHECK(cudaMalloc(&mem, 4 * WARPS * STEPS * LANES));
    CHECK(cudaMemset(mem, 0, 4 * WARPS * STEPS * LANES));
    CHECK(cudaMalloc(&out, 4 * WARPS * READINGS));
    printf("kind,scheduler,cycles,order\n");
    rows<SHARED>("shared");
    rows<GLOBAL>("global");
    rows<STORE>("store");
    rows<ADD>("add");
    rows<CHAIN>("chain");
    rows<BOTH>("both");
}
