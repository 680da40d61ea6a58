/*
 * How reductions on a region of memory share the units of the L2, one case per row:
 *
 *     nvcc -O2 -arch=sm_90 regions.cu -o regions && ./regions > regions.csv
 *
 * All SMs add to words that are drawn anew for each turn; `cycles` is what each warp
 * instruction of the whole grid takes, of two launches the longer less the shorter, in
 * cycles of the SM clock. Tables of results, named in the first column:
 *
 * random: `what` is drawn from the `region` of so many bytes that begins `first` bytes
 *     behind the allocation's begin:
 *         words    each lane a word
 *         lines    a warp a line, of which each lane adds to a word
 *         lane     the same, by lane 0 only
 *         apart    each lane the first word of a line
 *         sectors  a warp a line, of which four lanes add to the first words of the sectors
 *         sector   a warp a line, of which eight lanes add to the first sector
 *         even     each lane a word of even number
 * pair: even warps add to the first word of piece `a` of 256 bytes behind `first`, odd ones
 *     to that of piece `b` (a = b: to two lines of that piece): more than one cycle tells
 *     that the same unit adds to both.
 */
#include "check.cuh"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

typedef uint32_t u32;

enum { MEM = 64 << 20, SMS = 132, TURNS = 400, PAIR_TURNS = 1500, PIECE = 256, RUNS = 3 };
enum what { WORDS, LINES, LANE, APART, SECTORS, SECTOR, EVEN };
static const char *const names[] = {"words",   "lines",  "lane", "apart",
                                    "sectors", "sector", "even"};

static __device__ __forceinline__ void add(char *at)
{
    asm volatile("red.global.add.u32 [%0], 1;" : : "l"(at) : "memory");
}

template <int W> __global__ void draw(char *from, u32 mask, int turns, u32 *never)
{
    const u32 lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const bool each = W == WORDS || W == APART || W == EVEN;
    u32 x = each ? (warp * 32 + lane) * 2654435761u + 12345 : warp * 2654435761u + 777;

    x ^= x >> 15;
    x *= 0x2c1b3c6d;
    x ^= x >> 12;
    for (int i = 0; i < turns; i++) {
        x = x * 1664525 + 1013904223;
        const u32 r = x >> 8;
        const u32 at = r * (W == WORDS ? 4 : W == EVEN ? 8 : 128) & mask;

        if (W == WORDS || W == EVEN || W == APART) {
            add(from + at);
        } else if (W == LINES || (W == LANE && lane == 0) || (W == SECTOR && lane < 8)) {
            add(from + at + lane * 4);
        } else if (W == SECTORS && lane < 4) {
            add(from + at + lane * 32);
        }
    }
    if (x == 1) {
        *never = x;
    }
}

static __global__ void pair(char *a, char *b, int turns)
{
    char *const at = (threadIdx.x / 32 & 1) != 0 ? b : a;

    for (int i = 0; i < turns; i++) {
        if ((threadIdx.x & 31) == 0) {
            add(at);
        }
    }
}

static __global__ void spin(long long cycles, u32 *never)
{
    const long long since = clock64();

    while (clock64() - since < cycles) {
    }
    *never = 0;
}

static cudaEvent_t begin, end;

/* The least of a few runs, milliseconds. */
template <class F> static double least(F launch)
{
    double best = 1e9;

    for (int k = 0; k < RUNS; k++) {
        float t;

        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&t, begin, end));
        best = std::min(best, (double)t);
    }
    CHECK(cudaGetLastError());
    return best;
}

static char *mem;
static u32 *never;
static double khz;

template <int W> static void random(u32 region, int blocks, int warps, u32 first)
{
    auto run = [&](int turns) {
        return least([&] { draw<W><<<blocks, warps * 32>>>(mem + first, region - 1, turns, never); });
    };
    const double ms = run(3 * TURNS) - run(TURNS);

    printf("random,%s,%u,%u,,,%d,%d,%.3f\n", names[W], region, first, blocks, warps,
           ms * khz / (2.0 * TURNS * blocks * warps));
}

static void pairs(u32 first, u32 a, u32 b)
{
    char *const at = mem + first + a * PIECE;
    char *const other = mem + first + b * PIECE + (a == b ? 128 : 0);
    auto run = [&](int turns) { return least([&] { pair<<<SMS, 256>>>(at, other, turns); }); };
    const double ms = run(2 * PAIR_TURNS) - run(PAIR_TURNS);

    printf("pair,,,%u,%u,%u,%d,8,%.3f\n", first, a, b, SMS,
           ms * khz / ((double)PAIR_TURNS * SMS * 8));
}

int main()
{
    const long long warm = 20000000;

    CHECK(cudaMalloc(&mem, MEM));
    CHECK(cudaMemset(mem, 0, MEM));
    CHECK(cudaMalloc(&never, 4));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    (void)least([&] { spin<<<1, 1>>>(warm, never); });
    khz = warm / least([&] { spin<<<1, 1>>>(warm, never); });
    printf("table,what,region,first,a,b,blocks,warps,cycles\n");
    for (u32 r = 256; r <= 16u << 20; r *= 2) {
        random<WORDS>(r, SMS, 8, 0);
        random<LINES>(r, SMS, 8, 0);
        random<LANE>(r, SMS, 8, 0);
        random<APART>(r, SMS, 8, 0);
        random<SECTORS>(r, SMS, 8, 0);
        random<SECTOR>(r, SMS, 8, 0);
        random<EVEN>(r, SMS, 8, 0);
    }
    for (u32 first = 1 << 20; first < 5u << 20; first += (1 << 20) + 4096) {
        for (u32 r = 1024; r <= 65536; r *= 4) {
            random<WORDS>(r, SMS, 8, first);
            random<LANE>(r, SMS, 8, first);
        }
    }
    for (u32 r = 1024; r <= 1u << 20; r *= 4) {
        for (int warps = 1; warps <= 32; warps *= 2) {
            random<WORDS>(r, SMS, warps, 0);
        }
        random<WORDS>(r, SMS / 2, 8, 0);
        random<WORDS>(r, 1, 8, 0);
    }
    for (u32 first = 0; first < 3 * 4096 * 17; first += 4096 * 17) {
        for (u32 a = 0; a < 32; a++) {
            for (u32 b = a; b < 32; b++) {
                pairs(first, a, b);
            }
        }
    }
    for (u32 b = 32; b < 1024; b++) {
        pairs(0, 0, b);
    }
}
