/*
 * mma.h - products of matrices by warps (CUDA C++ Programming Guide, "Warp Matrix
 * Functions"): nvcuda::wmma of f16, bf16, tf32 and 8-bit integers.
 */
#ifndef SMWAVE_MMA_H
#define SMWAVE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

/* Lists of registers in the text of an instruction, from number 0, 4 or 8 on ... */
#define SMWAVE_S1_8  "{%8}"
#define SMWAVE_S2_8  "{%8, %9}"
#define SMWAVE_S4_8  "{%8, %9, %10, %11}"
#define SMWAVE_S8_8  "{%8, %9, %10, %11, %12, %13, %14, %15}"
#define SMWAVE_S1_12 "{%12}"
#define SMWAVE_S2_10 "{%10, %11}"
#define SMWAVE_S4_9  "{%9, %10, %11, %12}"
#define SMWAVE_S8_10 "{%10, %11, %12, %13, %14, %15, %16, %17}"
#define SMWAVE_S4_12 "{%12, %13, %14, %15}"
#define SMWAVE_S2_16 "{%16, %17}"
#define SMWAVE_S8_16 "{%16, %17, %18, %19, %20, %21, %22, %23}"
#define SMWAVE_S8_4  "{%4, %5, %6, %7, %8, %9, %10, %11}"
#define SMWAVE_S8_12 "{%12, %13, %14, %15, %16, %17, %18, %19}"
#define SMWAVE_S1_0  "{%0}"
#define SMWAVE_S2_0  "{%0, %1}"
#define SMWAVE_S4_0  "{%0, %1, %2, %3}"
#define SMWAVE_S8_0  "{%0, %1, %2, %3, %4, %5, %6, %7}"
/* ... and as operands. */
#define SMWAVE_R1(c, w) c(w[0])
#define SMWAVE_R2(c, w) SMWAVE_R1(c, w), c(w[1])
#define SMWAVE_R4(c, w) SMWAVE_R2(c, w), c(w[2]), c(w[3])
#define SMWAVE_R8(c, w) SMWAVE_R4(c, w), c(w[4]), c(w[5]), c(w[6]), c(w[7])

namespace nvcuda
{
namespace wmma
{

enum layout_t { mem_row_major, mem_col_major };

struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
namespace precision
{
struct tf32 {
};
} // namespace precision

namespace smwave
{

/* What a fragment of T holds. */
template <class T> struct stored {
    typedef T type;
};
template <> struct stored<precision::tf32> {
    typedef float type;
};

/* Elements of a lane, and the instructions. */
template <class Use, int m, int n, int k, class T> struct matrix;
template <class A, class B, int m, int n, int k, class T, class C> struct product;

} // namespace smwave

template <class Use, int m, int n, int k, class T, class Layout = void>
struct __align__(8) fragment
{
    typedef typename smwave::stored<T>::type element_type;
    typedef element_type storage_element_type;
    static const int num_elements = smwave::matrix<Use, m, n, k, T>::elements;
    static const int num_storage_elements = num_elements;
    element_type x[smwave::matrix<Use, m, n, k, T>::elements];
};

namespace smwave
{

template <class L> struct is_row;
template <> struct is_row<row_major> {
    static const bool value = true;
};
template <> struct is_row<col_major> {
    static const bool value = false;
};

#define SMWAVE_LOAD(word, c, regs, text)                                               \
    asm volatile("wmma.load." text " " SMWAVE_S##regs##_0 ", [%" word "], %" c ";"     \
                 : SMWAVE_R##regs("=r", w)                                             \
                 : "l"(p), "r"(ld)                                                     \
                 : "memory")
#define SMWAVE_LOAD1(text) SMWAVE_LOAD("1", "2", 1, text)
#define SMWAVE_LOAD2(text) SMWAVE_LOAD("2", "3", 2, text)
#define SMWAVE_LOAD4(text) SMWAVE_LOAD("4", "5", 4, text)
#define SMWAVE_LOAD8(text) SMWAVE_LOAD("8", "9", 8, text)

/* A and B: n elements in so many registers. */
#define SMWAVE_AB(use, letter, m, n, k, T, type, regs, count)                          \
    template <> struct matrix<use, m, n, k, T> {                                       \
        enum { elements = count };                                                     \
        static __device__ void load(unsigned *w, const void *p, unsigned ld, bool row) \
        {                                                                              \
            if (row) {                                                                 \
                SMWAVE_LOAD##regs(letter ".sync.aligned.row.m" #m "n" #n "k" #k        \
                                         "." type);                                    \
            } else {                                                                   \
                SMWAVE_LOAD##regs(letter ".sync.aligned.col.m" #m "n" #n "k" #k        \
                                         "." type);                                    \
            }                                                                          \
        }                                                                              \
    };

#define SMWAVE_STORE(word, c, regs, text)                                              \
    asm volatile("wmma.store.d.sync.aligned." text " [%" word "], " SMWAVE_S##regs##_0 \
                 ", %" c ";"                                                           \
                 :                                                                     \
                 : SMWAVE_R##regs("r", w), "l"(p), "r"(ld)                             \
                 : "memory")
#define SMWAVE_STORE4(text) SMWAVE_STORE("4", "5", 4, text)
#define SMWAVE_STORE8(text) SMWAVE_STORE("8", "9", 8, text)

#define SMWAVE_C(m, n, k, T, type, regs)                                               \
    template <> struct matrix<accumulator, m, n, k, T> {                               \
        enum { elements = 8 };                                                         \
        static __device__ void load(unsigned *w, const void *p, unsigned ld, bool row) \
        {                                                                              \
            if (row) {                                                                 \
                SMWAVE_LOAD##regs("c.sync.aligned.row.m" #m "n" #n "k" #k "." type);   \
            } else {                                                                   \
                SMWAVE_LOAD##regs("c.sync.aligned.col.m" #m "n" #n "k" #k "." type);   \
            }                                                                          \
        }                                                                              \
        static __device__ void store(const unsigned *w, void *p, unsigned ld,          \
                                     bool row)                                         \
        {                                                                              \
            if (row) {                                                                 \
                SMWAVE_STORE##regs("row.m" #m "n" #n "k" #k "." type);                 \
            } else {                                                                   \
                SMWAVE_STORE##regs("col.m" #m "n" #n "k" #k "." type);                 \
            }                                                                          \
        }                                                                              \
    };

/* d is C before and D afterwards; at: the numbers of the first register of A and B. */
#define SMWAVE_MMA1(la, lb, m, n, k, T, C, types, rd, ra, at_a, rb, at_b)              \
    template <> struct product<la##_major, lb##_major, m, n, k, T, C> {                \
        static __device__ void multiply(unsigned *d, const unsigned *a,                \
                                        const unsigned *b)                             \
        {                                                                              \
            asm volatile("wmma.mma.sync.aligned." #la "." #lb ".m" #m "n" #n "k" #k    \
                         "." types " " SMWAVE_S##rd##_0 ", " SMWAVE_S##ra##_##at_a     \
                         ", " SMWAVE_S##rb##_##at_b ", " SMWAVE_S##rd##_0 ";"          \
                         : SMWAVE_R##rd("+r", d)                                       \
                         : SMWAVE_R##ra("r", a), SMWAVE_R##rb("r", b));                \
        }                                                                              \
    };
#define SMWAVE_MMA(...)                                                                \
    SMWAVE_MMA1(row, row, __VA_ARGS__)                                                 \
    SMWAVE_MMA1(row, col, __VA_ARGS__)                                                 \
    SMWAVE_MMA1(col, row, __VA_ARGS__)                                                 \
    SMWAVE_MMA1(col, col, __VA_ARGS__)

#define SMWAVE_HALF(m, n, k)                                                           \
    SMWAVE_AB(matrix_a, "a", m, n, k, __half, "f16", 8, 16)                            \
    SMWAVE_AB(matrix_b, "b", m, n, k, __half, "f16", 8, 16)                            \
    SMWAVE_C(m, n, k, __half, "f16", 4)                                                \
    SMWAVE_C(m, n, k, float, "f32", 8)                                                 \
    SMWAVE_C(m, n, k, int, "s32", 8)                                                   \
    SMWAVE_MMA(m, n, k, __half, float, "f32.f32", 8, 8, 8, 8, 16)                      \
    SMWAVE_MMA(m, n, k, __half, __half, "f16.f16", 4, 8, 4, 8, 12)
#define SMWAVE_BF16(m, n, k, ra, ca, rb, cb, at_b)                                     \
    SMWAVE_AB(matrix_a, "a", m, n, k, __nv_bfloat16, "bf16", ra, ca)                   \
    SMWAVE_AB(matrix_b, "b", m, n, k, __nv_bfloat16, "bf16", rb, cb)                   \
    SMWAVE_MMA(m, n, k, __nv_bfloat16, float, "f32.bf16.bf16.f32", 8, ra, 8, rb, at_b)
#define SMWAVE_BYTE(m, n, k, T, type, ra, ca, rb, cb, at_b)                            \
    SMWAVE_AB(matrix_a, "a", m, n, k, T, type, ra, ca)                                 \
    SMWAVE_AB(matrix_b, "b", m, n, k, T, type, rb, cb)                                 \
    SMWAVE_MMA(m, n, k, T, int, "s32." type "." type ".s32", 8, ra, 8, rb, at_b)
#define SMWAVE_BYTES(T, type)                                                          \
    SMWAVE_BYTE(16, 16, 16, T, type, 2, 8, 2, 8, 10)                                   \
    SMWAVE_BYTE(32, 8, 16, T, type, 4, 16, 1, 4, 12)                                   \
    SMWAVE_BYTE(8, 32, 16, T, type, 1, 4, 4, 16, 9)

SMWAVE_HALF(16, 16, 16)
SMWAVE_HALF(32, 8, 16)
SMWAVE_HALF(8, 32, 16)
SMWAVE_BF16(16, 16, 16, 4, 8, 4, 8, 12)
SMWAVE_BF16(32, 8, 16, 8, 16, 2, 4, 16)
SMWAVE_BF16(8, 32, 16, 2, 4, 8, 16, 10)
SMWAVE_BYTES(signed char, "s8")
SMWAVE_BYTES(unsigned char, "u8")
SMWAVE_AB(matrix_a, "a", 16, 16, 8, precision::tf32, "tf32", 4, 4)
SMWAVE_AB(matrix_b, "b", 16, 16, 8, precision::tf32, "tf32", 4, 4)
SMWAVE_C(16, 16, 8, float, "f32", 8)
SMWAVE_MMA(16, 16, 8, precision::tf32, float, "f32.tf32.tf32.f32", 8, 4, 8, 4, 12)

} // namespace smwave

template <class Use, int m, int n, int k, class T, class L, class E>
static __device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, L> &f,
                                               const E *p, unsigned ld)
{
    unsigned w[8];

    smwave::matrix<Use, m, n, k, T>::load(w, p, ld, smwave::is_row<L>::value);
    __builtin_memcpy(f.x, w, sizeof(f.x));
}

template <int m, int n, int k, class T>
static __device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &f,
                                               const T *p, unsigned ld, layout_t layout)
{
    unsigned w[8];

    smwave::matrix<accumulator, m, n, k, T>::load(w, p, ld, layout == mem_row_major);
    __builtin_memcpy(f.x, w, sizeof(f.x));
}

template <int m, int n, int k, class T>
static __device__ inline void
store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ld,
                  layout_t layout)
{
    unsigned w[8];

    __builtin_memcpy(w, f.x, sizeof(f.x));
    smwave::matrix<accumulator, m, n, k, T>::store(w, p, ld, layout == mem_row_major);
}

template <class Use, int m, int n, int k, class T, class L, class V>
static __device__ inline void fill_fragment(fragment<Use, m, n, k, T, L> &f, const V &v)
{
    for (int i = 0; i < f.num_elements; i++) {
        f.x[i] = v;
    }
}

template <int m, int n, int k, class T, class C, class LA, class LB>
static __device__ inline void mma_sync(fragment<accumulator, m, n, k, C> &d,
                                       const fragment<matrix_a, m, n, k, T, LA> &a,
                                       const fragment<matrix_b, m, n, k, T, LB> &b,
                                       const fragment<accumulator, m, n, k, C> &c)
{
    unsigned wa[8], wb[8], wd[8];

    __builtin_memcpy(wa, a.x, sizeof(a.x));
    __builtin_memcpy(wb, b.x, sizeof(b.x));
    __builtin_memcpy(wd, c.x, sizeof(c.x));
    smwave::product<LA, LB, m, n, k, T, C>::multiply(wd, wa, wb);
    __builtin_memcpy(d.x, wd, sizeof(d.x));
}

/* To nearest, ties away from zero. */
static __device__ inline float __float_to_tf32(float x)
{
    unsigned bits;

    __builtin_memcpy(&bits, &x, sizeof(bits));
    bits = (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
    __builtin_memcpy(&x, &bits, sizeof(x));
    return x;
}

} // namespace wmma
} // namespace nvcuda

#endif /* SMWAVE_MMA_H */
