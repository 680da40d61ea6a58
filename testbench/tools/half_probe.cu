/*
 * half_probe.cu - what a device computes of every case of half_cases_test.h.
 *
 * nvcc -O2 -arch=sm_90 -I model -o half_probe testbench/tools/half_probe.cu
 * ./half_probe DIR writes DIR/cases.txt (the hash of each case's results), and
 * DIR/chunks.bin and DIR/raw.bin (hashes of 4096 results each, and the first results)
 * for looking closer.
 */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define HALF_HD __host__ __device__ static inline
#include "ptx/half_operands_test.h"

typedef uint16_t H;
typedef uint32_t R;
typedef uint64_t L;
typedef float F;
typedef double D;

__device__ static uint64_t bits(H v)
{
    return v;
}
__device__ static uint64_t bits(R v)
{
    return v;
}
__device__ static uint64_t bits(L v)
{
    return v;
}
__device__ static uint64_t bits(F v)
{
    return __float_as_uint(v);
}
__device__ static uint64_t bits(D v)
{
    return (uint64_t)__double_as_longlong(v);
}

/* The only operand. */
__device__ static void only(uint32_t i, H &v)
{
    v = (H)i;
}
__device__ static void only(uint32_t i, R &v)
{
    v = half_pair(i);
}
__device__ static void only(uint32_t i, L &v)
{
    v = half_integer(i);
}
__device__ static void only(uint32_t i, F &v)
{
    v = __uint_as_float(half_f32(i));
}
__device__ static void only(uint32_t i, D &v)
{
    v = __longlong_as_double((long long)half_f64(i));
}

/* Operand k of several. */
__device__ static void some(uint32_t i, uint32_t k, H &v)
{
    v = (H)half_one_of(i, k);
}
__device__ static void some(uint32_t i, uint32_t k, R &v)
{
    v = half_two_of(i, k);
}
__device__ static void some(uint32_t i, uint32_t k, F &v)
{
    v = __uint_as_float(half_f32_of(i, k));
}

#define IN_H  "h"
#define IN_R  "r"
#define IN_L  "l"
#define IN_F  "f"
#define IN_D  "d"
#define OUT_H "=h"
#define OUT_R "=r"
#define OUT_L "=l"
#define OUT_F "=f"
#define OUT_D "=d"

#define START                                                                          \
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                          \
    (void)cell
#define NAME(line)  NAME_(line)
#define NAME_(line) case_##line
/* clang-format off */
#define KERNEL                                                                         \
    __global__ static void NAME(__LINE__)(uint64_t *out, uint32_t *cell)
/* clang-format on */

#define ONE(T, A, text)                                                                \
    KERNEL                                                                             \
    {                                                                                  \
        START;                                                                         \
        T r;                                                                           \
        A a;                                                                           \
        only(i, a);                                                                    \
        asm volatile(text : OUT_##T(r) : IN_##A(a));                                   \
        out[i] = bits(r);                                                              \
    }
#define TWO(T, A, text)                                                                \
    KERNEL                                                                             \
    {                                                                                  \
        START;                                                                         \
        T r;                                                                           \
        A a, b;                                                                        \
        some(i, 0, a);                                                                 \
        some(i, 1, b);                                                                 \
        asm volatile(text : OUT_##T(r) : IN_##A(a), IN_##A(b));                        \
        out[i] = bits(r);                                                              \
    }
#define THREE(T, A, text)                                                              \
    KERNEL                                                                             \
    {                                                                                  \
        START;                                                                         \
        T r;                                                                           \
        A a, b, c;                                                                     \
        some(i, 0, a);                                                                 \
        some(i, 1, b);                                                                 \
        some(i, 2, c);                                                                 \
        asm volatile(text : OUT_##T(r) : IN_##A(a), IN_##A(b), IN_##A(c));             \
        out[i] = bits(r);                                                              \
    }
/* a in memory, b added to it: the new value. */
#define MEMORY(A, size, space, where, text, dest)                                      \
    KERNEL                                                                             \
    {                                                                                  \
        __shared__ uint32_t own[256];                                                  \
        START;                                                                         \
        (void)own;                                                                     \
        A a, b, r;                                                                     \
        some(i, 0, a);                                                                 \
        some(i, 1, b);                                                                 \
        asm volatile("st." space ".b" size " [%3],%1;" text dest "[%3],%2;"            \
                     "ld." space ".b" size " %0,[%3];"                                 \
                     : OUT_##A(r)                                                      \
                     : IN_##A(a), IN_##A(b), "l"(where)                                \
                     : "memory");                                                      \
        out[i] = bits(r);                                                              \
    }
/* clang-format off */
#define GLOBAL (cell + i)
#define SHARED (uint64_t)__cvta_generic_to_shared(own + threadIdx.x)
/* clang-format on */

#define CASE_H_H(text)              ONE(H, H, text)
#define CASE_F_H(text)              ONE(F, H, text)
#define CASE_D_H(text)              ONE(D, H, text)
#define CASE_R_H(text)              ONE(R, H, text)
#define CASE_L_H(text)              ONE(L, H, text)
#define CASE_R_R(text)              ONE(R, R, text)
#define CASE_H_R(text)              ONE(H, R, text)
#define CASE_H_F(text)              ONE(H, F, text)
#define CASE_R_F(text)              ONE(R, F, text)
#define CASE_H_D(text)              ONE(H, D, text)
#define CASE_H_L(text)              ONE(H, L, text)
#define CASE_H_HH(text)             TWO(H, H, text)
#define CASE_R_HH(text)             TWO(R, H, text)
#define CASE_R_RR(text)             TWO(R, R, text)
#define CASE_F_FF(text)             TWO(F, F, text)
#define CASE_H_FF(text)             TWO(H, F, text)
#define CASE_R_FF(text)             TWO(R, F, text)
#define CASE_H_HHH(text)            THREE(H, H, text)
#define CASE_R_RRR(text)            THREE(R, R, text)
#define CASE_AG_HH(text)            MEMORY(H, "16", "global", GLOBAL, text, " %0,")
#define CASE_AG_RR(text)            MEMORY(R, "32", "global", GLOBAL, text, " %0,")
#define CASE_AS_HH(text)            MEMORY(H, "16", "shared", SHARED, text, " %0,")
#define CASE_AS_RR(text)            MEMORY(R, "32", "shared", SHARED, text, " %0,")
#define CASE_RG_HH(text)            MEMORY(H, "16", "global", GLOBAL, text, " ")
#define CASE_RG_RR(text)            MEMORY(R, "32", "global", GLOBAL, text, " ")

#define HALF_CASE(kind, text, hash) CASE_##kind(text)
#include "ptx/half_cases_test.h"
#undef HALF_CASE

struct half_case {
    const char *kind, *text;
    void (*run)(uint64_t *, uint32_t *);
};
static const half_case cases[] = {
#define HALF_CASE(kind, text, hash) {#kind, text, NAME(__LINE__)},
#include "ptx/half_cases_test.h"
#undef HALF_CASE
};

static uint32_t count(const std::string &kind)
{
    const std::string in = kind.substr(kind.find('_') + 1);

    return in == "H" || in == "R" ? HALF_ALL : HALF_MANY;
}

static FILE *file(const char *dir, const char *name)
{
    FILE *f = fopen((std::string(dir) + "/" + name).c_str(), "wb");

    if (f == nullptr) {
        perror(name);
        exit(1);
    }
    return f;
}

int main(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : ".";
    FILE *text = file(dir, "cases.txt"), *chunks = file(dir, "chunks.bin"),
         *raw = file(dir, "raw.bin");
    std::vector<uint64_t> out(HALF_MANY);
    uint64_t *d_out;
    uint32_t *d_cell;

    cudaMalloc(&d_out, HALF_MANY * sizeof(uint64_t));
    cudaMalloc(&d_cell, HALF_MANY * sizeof(uint32_t));
    for (const half_case &c : cases) {
        const uint32_t n = count(c.kind);
        /* Of integers the hashes say enough. */
        const bool is_int = c.kind[0] == 'L' || c.kind[2] == 'L';
        const uint32_t n_raw = is_int ? 0 : n == HALF_ALL ? n : 8192;
        const bool wide = c.kind[0] == 'R' || c.kind[0] == 'F' || c.kind[1] == 'G';
        uint64_t all = HALF_HASH_START, part = HALF_HASH_START;

        cudaMemset(d_out, 0xee, n * sizeof(uint64_t));
        c.run<<<n / 256, 256>>>(d_out, d_cell);
        if (cudaMemcpy(out.data(), d_out, n * sizeof(uint64_t),
                       cudaMemcpyDeviceToHost) != cudaSuccess) {
            printf("%s: %s\n", c.text, cudaGetErrorString(cudaGetLastError()));
            return 1;
        }
        for (uint32_t i = 0; i < n; i++) {
            all = half_hash(all, out[i]);
            part = half_hash(part, out[i]);
            if (i % HALF_CHUNK == HALF_CHUNK - 1) {
                fwrite(&part, 8, 1, chunks);
                part = HALF_HASH_START;
            }
        }
        fprintf(text, "HALF_CASE(%s, \"%s\", 0x%016llx)\n", c.kind, c.text,
                (unsigned long long)all);
        for (uint32_t i = 0; i < n_raw; i++) {
            fwrite(&out[i], c.kind[0] == 'D' ? 8 : wide ? 4 : 2, 1, raw);
        }
    }
    fclose(text);
    fclose(chunks);
    fclose(raw);
    return 0;
}
