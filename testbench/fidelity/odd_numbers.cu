/*
 * odd_numbers.cu - for which operands rounded division and roots take the long way, and how
 * long it is, on a real device (nvcc -O2 -arch=sm_90 odd_numbers.cu; no arguments).
 *
 * A warp times each pair of exponents. Output, a table: `way` rows have the exponents (as they are
 * stored) of what is divided, from and to, that take the long way with a divisor's exponent;
 * `time` rows the cycles that each of a chain takes: in `divisor` of ordinary numbers, in `from`
 * where one lane has 0, in `to` where all have.
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

template <class T> struct divide {
    static __device__ T of(T x, T y) { return x / y; }
};
struct root32 {
    static __device__ float of(float x, float) { return sqrtf(x); }
};
static __device__ void hide(float &x) { asm volatile("" : "+f"(x)); }

/* The third time, when the code has been fetched. */
template <class Op, class T> __global__ void timed(const T *x, const T *y, int *cycles)
{
    T p = x[blockIdx.x], q = y[blockIdx.x];
    int took = 0;

#pragma unroll 1
    for (int round = 0; round < 3; round++) {
        hide(p);
        hide(q);
        int start = (int)clock();
        T r = Op::of(p, q);
        hide(r);
        took = (int)clock() - start;
    }
    cycles[blockIdx.x] = took;
}

/* A chain of 64, whose results are what it began with. */
template <class Op, class T> __global__ void chained(int zeros, int *cycles)
{
    T p = (int)threadIdx.x < zeros ? T(0) : T(1), q = 1;
    int took = 0;

#pragma unroll 1
    for (int round = 0; round < 3; round++) {
        hide(q);
        int start = (int)clock();
#pragma unroll 1
        for (int k = 0; k < 64; k++) {
            hide(p);
            p = Op::of(p, q);
        }
        hide(p);
        took = (int)clock() - start;
    }
    cycles[threadIdx.x] = took / 64;
}

template <class Op, class T> static int chain(int zeros)
{
    int took, *cycles;

    cudaMalloc(&cycles, 32 * sizeof(int));
    chained<Op, T><<<1, 32>>>(zeros, cycles);
    cudaMemcpy(&took, cycles + 31, sizeof(took), cudaMemcpyDeviceToHost);
    cudaFree(cycles);
    return took;
}

template <class Op, class T> static std::vector<int> times(const std::vector<T> &x, const std::vector<T> &y)
{
    std::vector<int> cycles(x.size());
    T *dx, *dy;
    int *dc;

    cudaMalloc(&dx, x.size() * sizeof(T));
    cudaMalloc(&dy, x.size() * sizeof(T));
    cudaMalloc(&dc, x.size() * sizeof(int));
    cudaMemcpy(dx, x.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), x.size() * sizeof(T), cudaMemcpyHostToDevice);
    timed<Op, T><<<(unsigned)x.size(), 32>>>(dx, dy, dc);
    cudaMemcpy(cycles.data(), dc, x.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dc);
    return cycles;
}

static float number(uint32_t exponent, float)
{
    uint32_t bits = exponent << 23 | (exponent == 0 ? 0 : 0x2aaaaau);
    float v;

    memcpy(&v, &bits, sizeof(v));
    return v;
}

template <class Op, class T> static void ways(const char *name, uint32_t exponents, bool divides)
{
    const std::vector<int> usual = times<Op, T>({1, 0, 1, 0}, {2, 2, 2, 2});
    const int limit = (usual[0] + usual[1]) / 2;

    printf("time,%s,%d,%d,%d\n", name, chain<Op, T>(0), chain<Op, T>(1), chain<Op, T>(32));
    for (uint32_t b = 0; b < (divides ? exponents : 1); b++) {
        std::vector<T> x, y;

        for (uint32_t a = 0; a < exponents; a++) {
            x.push_back(number(a, T()));
            y.push_back(divides ? number(b, T()) : T(1));
        }
        const std::vector<int> took = times<Op, T>(x, y);

        for (uint32_t a = 0; a < exponents; a++) {
            if (took[a] > limit && (a == 0 || took[a - 1] <= limit)) {
                uint32_t last = a;

                while (last + 1 < exponents && took[last + 1] > limit) {
                    last++;
                }
                printf("way,%s,%u,%u,%u\n", name, b, a, last);
            }
        }
    }
}

int main()
{
    printf("what,operation,divisor,from,to\n");
    ways<divide<float>, float>("div.rn.f32", 256, true);
    ways<root32, float>("sqrt.rn.f32", 256, false);
    return 0;
}
