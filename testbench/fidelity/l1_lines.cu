// How many lines of one load the L1 serves at once: loads that hit, of 1 to 32 lines, whose words lie
// in different banks or in the same, by 1, 4 and 32 warps of one block, and the latency of one.
//
//     nvcc -O2 -arch=sm_90 -o l1_lines l1_lines.cu && ./l1_lines >l1_lines.csv
//
// cycles_N: SM cycles per load of a warp, N warps together. latency: of a load and the addition that
// the next address is made by. offsets: of the lanes, in hex.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>

enum { ROUNDS = 64, LOADS = 8, AREA = 1 << 20 };

template <int BYTES> __device__ unsigned load(const char *at)
{
    unsigned a, b, c, d;

    if (BYTES == 4) {
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(at) : "memory");
    } else if (BYTES == 8) {
        asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(at) : "memory");
    } else {
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(at)
                     : "memory");
    }
    return a;
}

// zero is 0, which the compiler does not know: no two loads are the same to it.
template <int BYTES>
__global__ void rate(const char *area, const unsigned *offset, int zero, long long *cycles, unsigned *sink)
{
    const char *at = area + offset[threadIdx.x & 31];
    unsigned sum = 0;

    for (int turn = 0; turn < 3; turn++) { // the first one fills the L1
        __syncthreads();
        long long from = clock64();
        for (int i = 0; i < ROUNDS; i++) {
            unsigned v[LOADS];

#pragma unroll
            for (int k = 0; k < LOADS; k++) {
                at += zero;
                v[k] = load<BYTES>(at);
            }
#pragma unroll
            for (int k = 0; k < LOADS; k++) {
                sum += v[k];
            }
        }
        __syncthreads();
        cycles[turn] = clock64() - from;
    }
    if (sum == 12345) {
        *sink = sum;
    }
}

template <int BYTES>
__global__ void chain(const char *area, const unsigned *offset, long long *cycles, unsigned *sink)
{
    unsigned at = offset[threadIdx.x & 31];

    for (int turn = 0; turn < 3; turn++) {
        long long from = clock64();
        for (int i = 0; i < ROUNDS; i++) {
            at += load<BYTES>(area + at); // all of it is zero
        }
        cycles[turn] = clock64() - from;
    }
    if (at == 12345) {
        *sink = at;
    }
}

static unsigned draw()
{
    static uint64_t state = 1;

    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 40);
}

// k: lines, or sectors
static void make(const char *pattern, int bytes, int k, unsigned offset[32])
{
    int each = 32 / k, elements = 128 / bytes;

    for (int lane = 0; lane < 32; lane++) {
        int line = lane / each, e = 0, pitch = 128, shift = 0;

        switch (pattern[0] == 's' ? pattern[2] : pattern[1]) {
        case 'r': e = lane % elements; break;                              // spread: a bank of its own
        case 'm': // same_word: the first of each line; same_set: lines 8 KB apart
            e = pattern[5] == 'w' ? lane % each % elements : lane % elements;
            pitch = pattern[5] == 'w' ? 128 : 8192;
            break;
        case 'a': // random_word, pairs
            if (pattern[0] == 'p') {
                line = lane / 2 % k;
                e = lane % 2;
            } else {
                e = draw() % elements;
                line = k == 32 ? (int)(draw() % 128) : line;
            }
            break;
        case 'o': // rows_off1: of an array 512 bytes wide, from the second element on
            e = lane % each % elements;
            pitch = 512;
            shift = bytes;
            break;
        default: // sectors
            e = lane % k * (32 / bytes) % elements;
            line = lane % k * (32 / bytes) / elements;
        }
        offset[lane] = (unsigned)(line * pitch + e * bytes + shift);
    }
}

int main()
{
    static const char *const patterns[] = {"spread",  "same_word", "random_word", "rows_off1",
                                           "sectors", "same_set",  "pairs"};
    char *area;
    unsigned *offset, *sink, h[32];
    long long *cycles, got[3];

    cudaMalloc(&area, AREA);
    cudaMemset(area, 0, AREA);
    cudaMalloc(&offset, sizeof(h));
    cudaMalloc(&sink, sizeof(*sink));
    cudaMalloc(&cycles, sizeof(got));
    printf("pattern,bytes,lines,sectors,cycles_1,cycles_4,cycles_32,latency,offsets\n");
    for (const char *pattern : patterns) {
        for (int bytes = 4; bytes <= 16; bytes *= 2) {
            for (int k = 1; k <= 32; k *= 2) {
                std::set<unsigned> lines, sectors;

                make(pattern, bytes, k, h);
                for (unsigned o : h) {
                    lines.insert(o / 128);
                    sectors.insert(o / 32);
                }
                cudaMemcpy(offset, h, sizeof(h), cudaMemcpyHostToDevice);
                printf("%s,%d,%zu,%zu", pattern, bytes, lines.size(), sectors.size());
                for (int warps : {1, 4, 32}) {
                    auto *const run = bytes == 4 ? rate<4> : bytes == 8 ? rate<8> : rate<16>;

                    run<<<1, 32 * warps>>>(area, offset, 0, cycles, sink);
                    cudaMemcpy(got, cycles, sizeof(got), cudaMemcpyDeviceToHost);
                    printf(",%.3f", (double)std::min(got[1], got[2]) / (ROUNDS * LOADS * warps));
                }
                auto *const one = bytes == 4 ? chain<4> : bytes == 8 ? chain<8> : chain<16>;

                one<<<1, 32>>>(area, offset, cycles, sink);
                cudaMemcpy(got, cycles, sizeof(got), cudaMemcpyDeviceToHost);
                printf(",%.2f,", (double)std::min(got[1], got[2]) / ROUNDS);
                for (int lane = 0; lane < 32; lane++) {
                    printf("%s%x", lane == 0 ? "" : " ", h[lane]);
                }
                printf("\n");
            }
        }
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
