/*
 * ldg_pace.cu - the pace of loads that miss the L1 and hit the L2: a block of W warps on
 * each of B SMs, N loads a warp in a row, one line each, the clock behind each load's
 * issue and behind each one's arrival. Three rounds on words of their own, only the
 * block's barrier between; two launches before one is shown. Prints CSV:
 *   kind,blocks,warps,loads,round,what,median,min,max of issue 0..N-1 and arrival 0..N-1
 *       since the warp's begin of the round; one line per what,k: over warps of all blocks
 */
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
enum {
    ROUNDS = 3,
    MAXB = 132,
    MAXW = 32,
    MAXN = 8,
    COLS = 2 * MAXN + 1,
    SPACE = 1 << 20
};
#define CLK(v) asm volatile("mov.u32 %0, %%clock;" : "=r"(v)::"memory")
template <int N, int CLOCKS>
__global__ void go(const unsigned *in, unsigned *out, int hit)
{
    unsigned w = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned t[ROUNDS][COLS];
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const unsigned *p = in + r * SPACE + blockIdx.x * blockDim.x * N + threadIdx.x;
        unsigned v[N], s = 0;
        if (hit) {
            for (int k = 0; k < N; k++)
                s += *(volatile const unsigned *)(p + k * blockDim.x) * 0;
            for (int k = 0; k < N; k++) {
                unsigned x;
                asm volatile("ld.global.ca.u32 %0,[%1];"
                             : "=r"(x)
                             : "l"(p + k * blockDim.x));
                s += x;
            }
        }
        const unsigned *q[N];
        for (int k = 0; k < N; k++)
            q[k] = p + k * blockDim.x + s;
        __syncthreads();
        __syncthreads();
        CLK(t[r][0]);
#pragma unroll
        for (int k = 0; k < N; k++) {
            asm volatile("ld.global.ca.u32 %0,[%1];"
                         : "=r"(v[k])
                         : "l"(q[k])
                         : "memory");
            if (CLOCKS)
                CLK(t[r][1 + k]);
            else
                t[r][1 + k] = t[r][0];
        }
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (CLOCKS || k == N - 1) {
                unsigned d = 0;
                for (int j = CLOCKS ? k : 0; j <= k; j++)
                    d |= v[j];
                d = d == 0x12345678u;
                asm volatile("{.reg .u32 c; mov.u32 c, %%clock; add.u32 %0, c, %1;}"
                             : "=r"(t[r][1 + N + k])
                             : "r"(d)
                             : "memory");
            } else
                t[r][1 + N + k] = t[r][0];
        }
        __syncthreads();
    }
    if (threadIdx.x % 32 == 0)
        for (int r = 0; r < ROUNDS; r++)
            for (int k = 0; k < 1 + 2 * N; k++)
                out[((blockIdx.x * warps + w) * ROUNDS + r) * COLS + k] = t[r][k];
}
static unsigned *in, *out, *host;
template <int N, int CLOCKS> static void rows()
{
    for (int hit = 0; hit < 2; hit++)
        for (int blocks : {1, 8, 132})
            for (int warps : {1, 2, 4, 8, 16, 32}) {
                if (hit && blocks != 1)
                    continue;
                for (int k = 0; k < 4; k++)
                    go<N, CLOCKS><<<blocks, warps * 32>>>(in, out, hit);
                CHECK(cudaMemcpy(host, out, (size_t)blocks * warps * ROUNDS * COLS * 4,
                                 cudaMemcpyDeviceToHost));
                for (int r = 0; r < ROUNDS; r++)
                    for (int k = 1; k <= 2 * N; k++) {
                        if (!CLOCKS && k != 2 * N)
                            continue;
                        std::vector<unsigned> v;
                        for (int i = 0; i < blocks * warps; i++) {
                            unsigned *t = host + (i * ROUNDS + r) * COLS;
                            v.push_back(t[k] - t[0]);
                        }
                        std::sort(v.begin(), v.end());
                        printf("%s%s,%d,%d,%d,%d,%s%d,%u,%u,%u\n", hit ? "hit" : "miss",
                               CLOCKS ? "" : "_plain", blocks, warps, N, r,
                               k <= N ? "issue" : "arrive", (k - 1) % N,
                               v[v.size() / 2], v[0], v.back());
                    }
            }
}
int main()
{
    CHECK(cudaMalloc(&in, ROUNDS * SPACE * 4 + (4 << 20)));
    CHECK(cudaMalloc(&out, MAXB * MAXW * ROUNDS * COLS * 4));
    host = (unsigned *)malloc(MAXB * MAXW * ROUNDS * COLS * 4);
    CHECK(cudaMemset(in, 0, ROUNDS * SPACE * 4 + (4 << 20)));
    printf("kind,blocks,warps,loads,round,what,median,min,max\n");
    rows<1, 1>();
    rows<2, 1>();
    rows<4, 1>();
    rows<8, 1>();
    rows<1, 0>();
    rows<2, 0>();
    rows<4, 0>();
    rows<8, 0>();
}
