/*
 * What reductions (red) and atomics (atom) on global memory take, one case per row:
 *
 *     nvcc -O2 -arch=sm_90 atomics.cu -o atomics && ./atomics > atomics.csv
 *
 * Every lane adds a base for its warp and turn to an offset that a table gives it, so that
 * the compiler cannot know which lanes meet. Tables of results, named in the first column:
 *
 * rate: warps of 132 blocks, or of 1, repeat one operation; `cycles` is what each warp
 *     instruction of the whole grid takes, of two launches the longer less the shorter.
 * time: one warp, one instruction in flight (each address needs the result before it).
 * depth: reds of one SM that begin one after another while all SMs fill one slice:
 *     `cycles` is when the n-th of the SM (`value`) was issued, since the first.
 * behind: a load (not from the L1) that its warp issues behind `value` reds.
 * apart: even warps on one line, odd ones `value` bytes behind it, `cycles` as in rate.
 */
#include "check.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

typedef uint32_t u32;
typedef uint64_t u64;

enum { MEM = 64 << 20, SMS = 132 };

/* ---- operations; f returns 0 if it is a red ---- */

#define RED(id, TEXT, CON, TYPE, VALUE)                                                \
    struct id {                                                                        \
        static const char *name()                                                      \
        {                                                                              \
            return #id;                                                                \
        }                                                                              \
        static __device__ __forceinline__ u32 f(char *p, u32 x)                        \
        {                                                                              \
            asm volatile(TEXT : : "l"(p), CON((TYPE)(VALUE)) : "memory");              \
            return 0;                                                                  \
        }                                                                              \
    };
#define ATOM(id, TEXT)                                                                 \
    struct id {                                                                        \
        static const char *name()                                                      \
        {                                                                              \
            return #id;                                                                \
        }                                                                              \
        static __device__ __forceinline__ u32 f(char *p, u32 x)                        \
        {                                                                              \
            u32 r;                                                                     \
            asm volatile(TEXT : "=r"(r) : "l"(p), "r"(x) : "memory");                  \
            return r;                                                                  \
        }                                                                              \
    };
RED(red_add_u32, "red.global.add.u32 [%0], %1;", "r", u32, x + 1)
RED(red_max_u32, "red.global.max.u32 [%0], %1;", "r", u32, x)
RED(red_or_b32, "red.global.or.b32 [%0], %1;", "r", u32, x)
RED(red_add_f32, "red.global.add.f32 [%0], %1;", "f", float, x)
RED(red_add_u64, "red.global.add.u64 [%0], %1;", "l", u64, x + 1)
RED(red_add_f64, "red.global.add.f64 [%0], %1;", "d", double, x)
RED(red_add_f16x2, "red.global.add.noftz.f16x2 [%0], %1;", "r", u32, x & 0x3c003c00)
RED(red_v2_f32, "{ .reg .f32 t; mov.f32 t, %1; red.global.v2.f32.add [%0], {t, t}; }",
    "f", float, x)
RED(red_v4_f32,
    "{ .reg .f32 t; mov.f32 t, %1; red.global.v4.f32.add [%0], {t, t, t, t}; }", "f",
    float, x)
RED(st_u32, "st.global.u32 [%0], %1;", "r", u32, x)
ATOM(atom_add_u32, "atom.global.add.u32 %0, [%1], %2;")
ATOM(atom_max_u32, "atom.global.max.u32 %0, [%1], %2;")
ATOM(atom_exch_b32, "atom.global.exch.b32 %0, [%1], %2;")
ATOM(atom_cas_b32, "atom.global.cas.b32 %0, [%1], %2, 7;")
ATOM(atom_add_f32, "{ .reg .f32 a, b; mov.b32 a, %2; atom.global.add.f32 b, [%1], a; "
                   "mov.b32 %0, b; }")

/* ---- kernels ---- */

struct where {                   /* bytes by which the base moves */
    u32 block, warp, turn, mask; /* the sum & mask is used */
    u32 words; /* not 0: a random word of so many for each lane and turn */
};

template <class O>
__global__ void run(char *mem, const u32 *offset, u32 lanes, struct where w, u32 turns,
                    u64 *cycles, u32 *sink)
{
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const u32 my = offset[lane];
    const u32 base = blockIdx.x * w.block + warp * w.warp;
    u32 sum = 0, seed = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345;
    u64 t0 = clock64();

    if (lane < lanes) {
#pragma unroll 4
        for (u32 i = 0; i < turns; i++) {
            u32 at = my + ((base + i * w.turn) & w.mask);

            if (w.words != 0) {
                seed = seed * 1664525 + 1013904223;
                at = (seed >> 10) % w.words * 4;
            }
            sum += O::f(mem + at, threadIdx.x & 1);
        }
    }
    __syncwarp();
    __threadfence();
    sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[blockIdx.x] = clock64() - t0;
    }
}

/* Each address waits for the result before it. */
template <class O>
__global__ void chain(char *mem, const u32 *offset, u32 lanes, u32 turns, u64 *cycles,
                      u32 *sink)
{
    const u32 lane = threadIdx.x % 32;
    u32 at = offset[lane];

    if (lane < lanes) {
        for (int pass = 0; pass < 2; pass++) {
            u64 t0 = clock64();

#pragma unroll 1
            for (u32 i = 0; i < turns; i++) {
                at += __shfl_sync((1ull << lanes) - 1, O::f(mem + at, 0) >> 31, 0);
            }
            if (lane == 0) {
                cycles[0] = clock64() - t0;
            }
        }
    }
    sink[threadIdx.x] = at;
}

enum { DEEP = 32, WARPS = 16 };

/* When each red of block 5 was issued. */
template <class O>
__global__ void depth(char *mem, const u32 *offset, u32 lanes, u32 *issued, u32 other)
{
    __shared__ u32 t[WARPS * DEEP];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    char *p = mem + offset[lane] + (blockIdx.x == 5 ? other : 0);

    for (int i = 0; i < DEEP; i++) {
        t[warp * DEEP + i] = 0;
    }
    __syncthreads();
    for (int i = 0; i < DEEP; i++) {
        if (lane < lanes) {
            O::f(p, 1);
        }
        if (lane == 0) {
            t[warp * DEEP + i] = clock();
        }
    }
    __syncthreads();
    if (blockIdx.x == 5) {
        for (u32 i = threadIdx.x; i < WARPS * DEEP; i += blockDim.x) {
            issued[i] = t[i];
        }
    }
}

/* A load behind n reds, in blocks with one warp each or more. */
template <class O>
__global__ void behind(char *mem, const u32 *offset, u32 lanes, u32 n, u32 far,
                       u32 *took)
{
    const u32 lane = threadIdx.x % 32;
    __shared__ volatile u32 got[32];
    char *p = mem + offset[lane];
    u32 t0, t1, v;

    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(mem + far) : "memory");
    got[threadIdx.x / 32] = v;
    __syncthreads();
    if (lane < lanes) {
        for (u32 i = 0; i < n; i++) {
            O::f(p, 1);
        }
    }
    __syncwarp();
    t0 = clock();
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(mem + far) : "memory");
    got[threadIdx.x / 32] = v; /* waits for it */
    t1 = clock();
    if (lane == 0 && blockIdx.x == 5) {
        took[threadIdx.x / 32] = t1 - t0;
    }
}

/* Even and odd warps on two places. */
__global__ void apart(char *mem, u32 far, u32 turns, u64 *cycles)
{
    char *p = mem + (threadIdx.x / 32 % 2) * far + threadIdx.x % 8 * 4;
    u64 t0 = clock64();

    for (u32 i = 0; i < turns; i++) {
        red_add_u32::f(p, 1);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        cycles[blockIdx.x] = clock64() - t0;
    }
}

/* ---- host ---- */

static char *mem;
static u32 *d_offset, *d_sink, *d_issued;
static u64 *d_cycles;

static void put(const std::vector<u32> &offset)
{
    CHECK(cudaMemcpy(d_offset, offset.data(), 128, cudaMemcpyHostToDevice));
}

static double longest(int blocks)
{
    std::vector<u64> t(blocks);

    CHECK(cudaMemcpy(t.data(), d_cycles, 8 * blocks, cudaMemcpyDeviceToHost));
    return (double)*std::max_element(t.begin(), t.end());
}

/* Cycles per warp instruction of the grid. */
template <class O> static double rate(int blocks, int warps, u32 lanes, struct where w)
{
    double t[2], best = 1e30;
    /* the slowest takes some 32 cycles a warp instruction */
    const u32 few = blocks == 1 ? 64 : 16;

    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 2; k++) {
            run<O><<<blocks, 32 * warps>>>(mem, d_offset, lanes, w, few + 4 * few * k,
                                           d_cycles, d_sink);
            t[k] = longest(blocks);
        }
        best = std::min(best, (t[1] - t[0]) / ((double)blocks * warps * 4 * few));
    }
    return best;
}

struct pattern {
    const char *name;
    u32 lanes;
    u32 (*offset)(u32 lane);
};

static u32 same(u32)
{
    return 0;
}
static u32 words(u32 l)
{
    return 4 * l;
}
static u32 words2(u32 l)
{
    return l % 2 * 4;
}
static u32 words4(u32 l)
{
    return l % 4 * 4;
}
static u32 words8(u32 l)
{
    return l % 8 * 4;
}
static u32 words16(u32 l)
{
    return l % 16 * 4;
}
static u32 pairs(u32 l)
{
    return l / 2 * 4;
}
static u32 fours(u32 l)
{
    return l / 4 * 4;
}
static u32 eights(u32 l)
{
    return l / 8 * 4;
}
static u32 doubles(u32 l)
{
    return 8 * l;
}
static u32 quads(u32 l)
{
    return 16 * l;
}
static u32 by32(u32 l)
{
    return 32 * l;
}
static u32 by64(u32 l)
{
    return 64 * l;
}
static u32 by128(u32 l)
{
    return 128 * l;
}
static u32 by512(u32 l)
{
    return 512 * l;
}
static u32 by4096(u32 l)
{
    return 4096 * l;
}
static u32 sectors2(u32 l)
{
    return l % 2 * 32;
}
static u32 sectors4(u32 l)
{
    return l % 4 * 32;
}
static u32 lines2(u32 l)
{
    return l % 2 * 128;
}
static u32 lines4(u32 l)
{
    return l % 4 * 128;
}
static u32 lines8(u32 l)
{
    return l % 8 * 128;
}
static u32 half_lines(u32 l)
{
    return l / 16 * 128 + l % 16 * 4;
}

static const struct pattern patterns[] = {
    {"same_1", 1, same},
    {"same_2", 2, same},
    {"same_4", 4, same},
    {"same_8", 8, same},
    {"same_16", 16, same},
    {"same_32", 32, same},
    {"words2_of_32", 32, words2},
    {"words4_of_32", 32, words4},
    {"words8_of_32", 32, words8},
    {"words16_of_32", 32, words16},
    {"pairs_of_32", 32, pairs},
    {"fours_of_32", 32, fours},
    {"eights_of_32", 32, eights},
    {"words_2", 2, words},
    {"words_4", 4, words},
    {"words_8", 8, words},
    {"words_16", 16, words},
    {"words_32", 32, words},
    {"stride8_32", 32, doubles},
    {"stride16_32", 32, quads},
    {"stride32_4", 4, by32},
    {"stride32_32", 32, by32},
    {"stride64_32", 32, by64},
    {"stride128_4", 4, by128},
    {"stride128_32", 32, by128},
    {"stride512_32", 32, by512},
    {"stride4096_32", 32, by4096},
    {"sectors2_of_32", 32, sectors2},
    {"sectors4_of_32", 32, sectors4},
    {"lines2_of_32", 32, lines2},
    {"lines4_of_32", 32, lines4},
    {"lines8_of_32", 32, lines8},
    {"half_lines", 32, half_lines},
};

static void choose(const struct pattern *p)
{
    std::vector<u32> o(32);

    for (u32 l = 0; l < 32; l++) {
        o[l] = p->offset(l);
    }
    put(o);
}

static const struct pattern *find(const char *name)
{
    for (const struct pattern &p : patterns) {
        if (strcmp(p.name, name) == 0) {
            return &p;
        }
    }
    fprintf(stderr, "no pattern %s\n", name);
    exit(1);
}

template <class O>
static void row(const char *pattern, const char *spread, int blocks, int warps,
                struct where w)
{
    const struct pattern *p = find(pattern);

    choose(p);
    printf("rate,%s,%s,%s,%d,%d,0,%.3f\n", O::name(), pattern, spread, blocks, warps,
           rate<O>(blocks, warps, p->lanes, w));
    fflush(stdout);
}

/* one: all warps on the same bytes; own: each warp and turn on its own, over 32 MB. */
static const struct where one = {0, 0, 0, 0, 0};
static const struct where own = {65536 + 4096, 8192, 1 << 20, (32u << 20) - 1, 0};

template <class O> static void rows(bool every)
{
    static const char *const few[] = {"same_1",       "same_4",       "same_32",
                                      "words8_of_32", "words_8",      "words_32",
                                      "stride32_32",  "stride128_32", "stride512_32"};

    if (every) {
        for (const struct pattern &p : patterns) {
            row<O>(p.name, "one", SMS, 8, one);
            row<O>(p.name, "own", SMS, 8, own);
            row<O>(p.name, "own", 1, 8, own);
        }
    } else {
        for (const char *name : few) {
            row<O>(name, "one", SMS, 8, one);
            row<O>(name, "own", SMS, 8, own);
            row<O>(name, "own", 1, 8, own);
        }
    }
}

template <class O> static void random_rows(void)
{
    for (u32 n : {16u, 64u, 256u, 1024u, 4096u, 65536u, 1u << 20}) {
        struct where w = {0, 0, 0, 0, n};

        choose(find("same_32"));
        printf("rate,%s,random_%u,one,%d,8,0,%.3f\n", O::name(), n, SMS,
               rate<O>(SMS, 8, 32, w));
    }
}

template <class O> static void time_rows(void)
{
    for (const char *name :
         {"same_1", "same_2", "same_4", "same_8", "same_16", "same_32", "words_8",
          "words_32", "words8_of_32", "stride32_32", "stride128_4", "stride128_32",
          "lines4_of_32"}) {
        const struct pattern *p = find(name);
        u64 t;

        choose(p);
        chain<O><<<1, 32>>>(mem, d_offset, p->lanes, 256, d_cycles, d_sink);
        CHECK(cudaMemcpy(&t, d_cycles, 8, cudaMemcpyDeviceToHost));
        printf("time,%s,%s,one,1,1,0,%.3f\n", O::name(), name, (double)t / 256);
    }
}

template <class O> static void depth_rows(const char *name, int blocks, u32 other)
{
    const struct pattern *p = find(name);
    std::vector<u32> t(WARPS * DEEP);

    choose(p);
    for (int round = 0; round < 2; round++) {
        CHECK(cudaDeviceSynchronize());
        depth<O><<<blocks, 32 * WARPS>>>(mem, d_offset, p->lanes, d_issued, other);
    }
    CHECK(cudaMemcpy(t.data(), d_issued, 4 * t.size(), cudaMemcpyDeviceToHost));
    u32 first = t[0];
    for (u32 x : t) {
        first = (int)(x - first) < 0 ? x : first;
    }
    for (u32 &x : t) {
        x -= first;
    }
    std::sort(t.begin(), t.end());
    for (u32 n :
         {1,  2,  4,   8,   12,  16,  20,  24,  28,  32,  40,  48,  56,  64,  72,
          80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 288, 320, 384, 448, 512}) {
        printf("depth,%s,%s,%s,%d,%d,%u,%u\n", O::name(), name,
               other == 0 ? "one" : "other", blocks, WARPS, n, t[n - 1]);
    }
}

template <class O>
static void behind_rows(const char *name, int blocks, int warps, u32 far)
{
    const struct pattern *p = find(name);

    choose(p);
    for (u32 n : {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
        u32 t[32] = {0};

        for (int round = 0; round < 2; round++) {
            CHECK(cudaDeviceSynchronize());
            behind<O>
                <<<blocks, 32 * warps>>>(mem, d_offset, p->lanes, n, far, d_issued);
        }
        CHECK(cudaMemcpy(t, d_issued, 4 * warps, cudaMemcpyDeviceToHost));
        printf("behind,%s,%s,%u,%d,%d,%u,%u\n", O::name(), name, far, blocks, warps, n,
               *std::max_element(t, t + warps));
    }
}

static void apart_rows(void)
{
    std::vector<u32> far = {0, 32, 64, 128, 256, 384};

    for (u32 f = 512; f <= 16384; f += 512) {
        far.push_back(f);
    }
    for (u32 f = 32768; f <= (16u << 20); f *= 2) {
        far.push_back(f);
    }
    for (u32 f : far) {
        double t[2], best = 1e30;

        for (int round = 0; round < 2; round++) {
            for (int k = 0; k < 2; k++) {
                apart<<<SMS, 256>>>(mem, f, 16 + 64 * k, d_cycles);
                t[k] = longest(SMS);
            }
            best = std::min(best, (t[1] - t[0]) / (SMS * 8.0 * 64));
        }
        printf("apart,red_add_u32,words8_of_32,one,%d,8,%u,%.3f\n", SMS, f, best);
    }
}

int main(void)
{
    CHECK(cudaMalloc(&mem, MEM));
    CHECK(cudaMemset(mem, 0, MEM));
    CHECK(cudaMalloc(&d_offset, 128));
    CHECK(cudaMalloc(&d_sink, 4 * SMS * 1024));
    CHECK(cudaMalloc(&d_issued, 4 * WARPS * DEEP));
    CHECK(cudaMalloc(&d_cycles, 8 * SMS));
    printf("table,op,pattern,spread,blocks,warps,value,cycles\n");
    rows<red_add_u32>(true);
    rows<atom_add_u32>(true);
    rows<red_add_f32>(true);
    rows<red_max_u32>(false);
    rows<red_or_b32>(false);
    rows<red_add_f16x2>(false);
    rows<atom_exch_b32>(false);
    rows<atom_cas_b32>(false);
    rows<atom_max_u32>(false);
    rows<atom_add_f32>(false);
    rows<st_u32>(false);
    for (const char *name : {"same_1", "same_4", "same_32", "words8_of_32",
                             "stride8_32", "stride128_32"}) {
        if (strcmp(name, "words8_of_32") == 0) {
            continue;
        }
        row<red_add_u64>(name, "one", SMS, 8, one);
        row<red_add_u64>(name, "own", SMS, 8, own);
        row<red_add_f64>(name, "one", SMS, 8, one);
        row<red_add_f64>(name, "own", SMS, 8, own);
        row<red_v2_f32>(name, "one", SMS, 8, one);
        row<red_v2_f32>(name, "own", SMS, 8, own);
    }
    for (const char *name :
         {"same_1", "same_4", "same_32", "stride16_32", "stride128_32"}) {
        row<red_v4_f32>(name, "one", SMS, 8, one);
        row<red_v4_f32>(name, "own", SMS, 8, own);
    }
    random_rows<red_add_u32>();
    random_rows<atom_add_u32>();
    random_rows<red_add_f32>();
    time_rows<atom_add_u32>();
    time_rows<atom_add_f32>();
    time_rows<atom_cas_b32>();
    time_rows<atom_exch_b32>();
    CHECK(cudaMemset(mem, 0, MEM));
    depth_rows<red_add_u32>("same_1", SMS, 0);
    depth_rows<red_add_u32>("same_32", SMS, 0);
    depth_rows<red_add_u32>("words_32", SMS, 0);
    depth_rows<red_add_u32>("lines4_of_32", SMS, 0);
    depth_rows<red_add_u32>("stride128_32", SMS, 0);
    depth_rows<red_add_u32>("words_32", SMS, 1 << 20);
    depth_rows<red_add_u32>("same_32", 6, 0);
    depth_rows<st_u32>("words_32", SMS, 0);
    CHECK(cudaMemset(mem, 0, MEM));
    for (u32 far : {128u, 4096u, 1u << 20}) {
        behind_rows<red_add_u32>("same_1", SMS, 8, far);
        behind_rows<red_add_u32>("same_32", SMS, 8, far);
        behind_rows<red_add_u32>("same_32", SMS, 1, far);
    }
    behind_rows<red_add_u32>("same_32", 6, 1, 1 << 20);
    apart_rows();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
