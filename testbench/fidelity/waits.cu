/*
 * How long a load waits behind reductions on a unit of the L2 that takes no more, one case
 * per row:
 *
 *     nvcc -O2 -arch=sm_90 waits.cu -o waits && ./waits > waits.csv
 *
 * Thread 0 of one SM loads (not from the L1) one word of each of 1,024 lines in turn, one
 * load at a time, and takes the clock before and behind each. Meanwhile, until it is done:
 *
 *     others  warps of each of the other 131 SMs add, by lane 0, to the first word of all
 *     loads   warps beside it load the second line, which is in the same unit
 *     reds    warps beside it add to the first word as well
 *
 * `hot` is how many of 1,024 lines took more than 2,000 cycles in the median of 5 rounds, the
 * other columns are quantiles, in cycles, of all loads but those of the first round.
 */
#include "check.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef uint32_t u32;

enum { MEM = 64 << 20, SMS = 132, LINES = 1024, LINE = 128, ROUNDS = 6, SLOW = 2000 };

static __device__ void add_until(char *at, volatile u32 *stop)
{
    while (*stop == 0) {
        for (int i = 0; i < 32; i++) {
            if ((threadIdx.x & 31) == 0) {
                asm volatile("red.global.add.u32 [%0], 1;" : : "l"(at) : "memory");
            }
        }
    }
}

static __device__ u32 load(const char *at)
{
    u32 v;

    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
    return v;
}

static __device__ u32 now()
{
    u32 t;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(t) : : "memory");
    return t;
}

static __global__ void wait(char *mem, u32 others, u32 loads, u32 reds, u32 *out, u32 *stop)
{
    __shared__ u32 arrived;
    const u32 sink = (u32)__cvta_generic_to_shared(&arrived), warp = threadIdx.x / 32;
    const long long since = clock64();
    u32 sum = 0;

    if (blockIdx.x != 0 ? warp < others : warp > loads && warp <= loads + reds) {
        add_until(mem, stop);
        return;
    }
    if (blockIdx.x != 0 || warp > loads) {
        return;
    }
    if (warp != 0) {
        while (*(volatile u32 *)stop == 0) {
            sum += load(mem + LINE + threadIdx.x % 32 * 4);
        }
        if (sum == 12345) {
            *out = sum;
        }
        return;
    }
    if (threadIdx.x != 0) {
        return;
    }
    while (clock64() - since < 6000) {
    }
    for (int i = 0; i < ROUNDS * LINES; i++) {
        const u32 begin = now();

        asm volatile("st.volatile.shared.u32 [%0], %1;"
                     : : "r"(sink), "r"(load(mem + i % LINES * LINE)) : "memory");
        out[i] = now() - begin;
    }
    __threadfence();
    *stop = 1;
}

static char *mem;
static u32 *out, *stop;

static void row(u32 others, u32 loads, u32 reds)
{
    std::vector<u32> v(ROUNDS * LINES);
    int hot = 0;

    CHECK(cudaMemset(stop, 0, 4));
    wait<<<SMS, 1024>>>(mem, others, loads, reds, out, stop);
    CHECK(cudaMemcpy(v.data(), out, 4 * v.size(), cudaMemcpyDeviceToHost));
    v.erase(v.begin(), v.begin() + LINES);
    for (int l = 0; l < LINES; l++) {
        std::vector<u32> of;

        for (int r = 0; r < ROUNDS - 1; r++) {
            of.push_back(v[r * LINES + l]);
        }
        std::sort(of.begin(), of.end());
        hot += of[ROUNDS / 2 - 1] > SLOW;
    }
    std::sort(v.begin(), v.end());
    auto at = [&](int percent) { return v[v.size() * percent / 100]; };
    printf("%u,%u,%u,%d,%u,%u,%u,%u,%u,%u\n", others, loads, reds, hot, at(1), at(10), at(50), at(90),
           at(99), v.back());
}

int main()
{
    CHECK(cudaMalloc(&mem, MEM));
    CHECK(cudaMemset(mem, 0, MEM));
    CHECK(cudaMalloc(&out, 4 * ROUNDS * LINES));
    CHECK(cudaMalloc(&stop, 4));
    printf("others,loads,reds,hot,p1,p10,p50,p90,p99,most\n");
    for (u32 others : {0, 1, 2, 4, 8, 16, 32}) {
        row(others, 0, 0);
    }
    for (u32 others : {0, 8}) {
        for (u32 n = 1; n <= 16; n *= 2) {
            row(others, n, 0);
            row(others, 0, n);
        }
        row(others, 31, 0);
        row(others, 0, 31);
    }
}
