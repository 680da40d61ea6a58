/*
 * intrinsics.cu - intrinsics against what they say, in plain C++: each thread writes the
 * line of the first that is wrong, 0 if none is (check_device.sh).
 */
#include "vector_types.h"
#include "smwave/device_math.h"
#include <__clang_cuda_builtin_vars.h>

#define CHECK(condition)                                                               \
    if (!(condition) && wrong == 0) {                                                  \
        wrong = __LINE__;                                                              \
    }

__device__ static unsigned long long mix(unsigned long long z) /* splitmix64 */
{
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* The four roundings of one exact value that lies between down and up. */
template <class T> __device__ bool rounded(T rn, T rz, T ru, T rd, double exact)
{
    bool between = (double)rd <= exact && exact <= (double)ru && (rn == rd || rn == ru);
    bool near = rd == ru || ru == nextafter(rd, (T)1e30);

    return between && near && rz == (exact < 0 ? ru : rd);
}

__device__ static int integers(unsigned a, unsigned b, unsigned c, unsigned long long l)
{
    int wrong = 0, x = (int)a, y = (int)b, ones = 0, zeros = 32, first = 0;
    unsigned reversed = 0, bytes = 0;

    for (int i = 0; i < 32; i++) {
        ones += (int)(a >> i & 1);
        reversed |= (a >> i & 1) << (31 - i);
        zeros = (a >> i & 1) != 0 ? 31 - i : zeros;
        first = first == 0 && (a >> i & 1) != 0 ? i + 1 : first;
    }
    for (int i = 0; i < 4; i++) {
        unsigned s = c >> (4 * i) & 7;
        bytes |= (s < 4 ? a >> (8 * s) & 255 : b >> (8 * (s - 4)) & 255) << (8 * i);
    }
    CHECK(__popc(a) == ones)
    CHECK(__brev(a) == reversed)
    CHECK(__clz(x) == zeros)
    CHECK(__ffs(x) == first)
    CHECK(__popcll(l) == __popc((unsigned)l) + __popc((unsigned)(l >> 32)))
    CHECK(__brevll(l) ==
          ((unsigned long long)__brev((unsigned)l) << 32 | __brev((unsigned)(l >> 32))))
    CHECK(__clzll((long long)(l >> 40)) == 32 + __clz((int)(l >> 40)))
    CHECK(__ffsll((long long)(l << 40)) ==
              ((unsigned)(l << 8) == 0 ? 0 : 32 + __ffs((int)(unsigned)(l << 8))) ||
          (unsigned)(l << 40) != 0)
    CHECK(__byte_perm(a, b, c & 0x7777) == bytes)
    CHECK(__mulhi(x, y) == (int)((long long)x * y >> 32))
    CHECK(__umulhi(a, b) == (unsigned)((unsigned long long)a * b >> 32))
    CHECK(__umul64hi(l, l) == (unsigned long long)((unsigned __int128)l * l >> 64))
    CHECK(__mul64hi((long long)l, y) == (long long)((__int128)(long long)l * y >> 64))
    CHECK(__umul24(a, b) == (a & 0xffffff) * (b & 0xffffff))
    CHECK(__mul24(x, y) == (x << 8 >> 8) * (y << 8 >> 8))
    CHECK(__sad(x, y, c) ==
          c + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x))
    CHECK(__usad(a, b, c) == c + (a > b ? a - b : b - a))
    CHECK(__hadd(x, y) == (int)(((long long)x + y) >> 1))
    CHECK(__rhadd(x, y) == (int)(((long long)x + y + 1) >> 1))
    CHECK(__uhadd(a, b) == (unsigned)(((unsigned long long)a + b) >> 1))
    CHECK(__urhadd(a, b) == (unsigned)(((unsigned long long)a + b + 1) >> 1))
    unsigned long long both = (unsigned long long)b << 32 | a;
    CHECK(__funnelshift_l(a, b, c) == (unsigned)(both << (c & 31) >> 32))
    CHECK(__funnelshift_r(a, b, c) == (unsigned)(both >> (c & 31)))
    CHECK(__funnelshift_lc(a, b, 40) == a)
    CHECK(__funnelshift_rc(a, b, 40) == b)
#if __CUDA_ARCH__ >= 610
    int sum = (int)c;
    unsigned usum = c;
    for (int i = 0; i < 32; i += 8) {
        sum += (int)(signed char)(a >> i) * (signed char)(b >> i);
        usum += (a >> i & 255) * (b >> i & 255);
    }
    CHECK(__dp4a(x, y, (int)c) == sum)
    CHECK(__dp4a(a, b, c) == usum)
    CHECK(__dp2a_lo(x, y, (int)c) ==
          (int)c + (short)a * (signed char)b + (x >> 16) * (signed char)(b >> 8))
    CHECK(__dp2a_hi(a, b, c) ==
          c + (a & 65535) * (b >> 16 & 255) + (a >> 16) * (b >> 24))
#endif
    CHECK(min(x, y) == (x < y ? x : y) && max(a, b) == (a > b ? a : b) &&
          abs(x >> 1) >= 0)
    CHECK(__vadd4(a, b) == (((a + b) & 255) | ((a & 0xff00) + (b & 0xff00) & 0xff00) |
                            ((a & 0xff0000) + (b & 0xff0000) & 0xff0000) |
                            ((a >> 24) + (b >> 24)) << 24))
    CHECK(__vabs4(0x80ff7f01u) == 0x80017f01u && __vneg2(0x8000ffffu) == 0x80000001u)
    return wrong;
}

__device__ static int floats(float x, float y, double d, long long l)
{
    int wrong = 0;
    double p = (double)x, q = (double)y;

    CHECK(rounded(__fadd_rn(x, y), __fadd_rz(x, y), __fadd_ru(x, y), __fadd_rd(x, y),
                  p + q))
    CHECK(rounded(__fsub_rn(x, y), __fsub_rz(x, y), __fsub_ru(x, y), __fsub_rd(x, y),
                  p - q))
    CHECK(rounded(__fmul_rn(x, y), __fmul_rz(x, y), __fmul_ru(x, y), __fmul_rd(x, y),
                  p * q))
    CHECK(rounded(__fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y), __fdiv_rd(x, y),
                  p / q))
    CHECK(rounded(__frcp_rn(x), __frcp_rz(x), __frcp_ru(x), __frcp_rd(x), 1 / p))
    CHECK(rounded(__fsqrt_rn(y * y), __fsqrt_rz(y * y), __fsqrt_ru(y * y),
                  __fsqrt_rd(y * y), sqrt((double)(y * y))))
    CHECK(__fmaf_rn(x, y, -x * y) == (float)(p * q - (double)(x * y)))
    CHECK(rounded(__double2float_rn(d), __double2float_rz(d), __double2float_ru(d),
                  __double2float_rd(d), d))
    CHECK(rounded(__ll2float_rn(l), __ll2float_rz(l), __ll2float_ru(l),
                  __ll2float_rd(l), (double)l))
    CHECK(rounded(__int2float_rn((int)l), __int2float_rz((int)l),
                  __int2float_ru((int)l), __int2float_rd((int)l), (double)(int)l))
    CHECK(__dadd_ru(d, 1e-30) == nextafter(d, 1e30) && __dadd_rd(d, 1e-30) == d)
    CHECK(__dmul_rz(d, d) <= d * d && __dmul_ru(d, d) >= __dmul_rd(d, d))
    CHECK(__fma_rn(d, d, -(__dmul_rn(d, d))) == fma(d, d, -__dmul_rn(d, d)))
    CHECK(__float2int_rd(x) == (int)floorf(x) && __float2int_ru(x) == (int)ceilf(x))
    CHECK(__float2int_rn(x) == (int)rintf(x) && __float2int_rz(x) == (int)truncf(x))
    CHECK(__float2uint_rz(fabsf(x)) == (unsigned)fabsf(x))
    CHECK(__double2ll_rd(d) == (long long)floor(d) &&
          __double2ll_ru(d) == (long long)ceil(d))
    CHECK(__double2int_rn(d) == (int)rint(d) &&
          __double2ull_rz(fabs(d)) == (unsigned long long)fabs(d))
    CHECK(__int_as_float(__float_as_int(x)) == x &&
          __longlong_as_double(__double_as_longlong(d)) == d)
    CHECK(__hiloint2double(__double2hiint(d), __double2loint(d)) == d)
    CHECK(__saturatef(x) == fminf(fmaxf(x, 0.0f), 1.0f))
    CHECK(fabsf(__sinf(x) - sinf(x)) < 1e-4f && fabsf(__cosf(x) - cosf(x)) < 1e-4f)
    CHECK(fabsf(__expf(y) / expf(y) - 1) < 1e-5f &&
          fabsf(__logf(y * y) - logf(y * y)) < 1e-5f)
    CHECK(fabsf(__powf(y * y, 1.5f) / powf(y * y, 1.5f) - 1) < 1e-4f)
    CHECK(fabsf(__fdividef(x, y) - x / y) <= fabsf(x / y) * 1e-6f)
    CHECK(fabsf(__tanf(y) - tanf(y)) <= 1e-3f * fabsf(tanf(y)) + 1e-3f)
    CHECK(fabsf(__exp10f(y) / exp10f(y) - 1) < 1e-4f &&
          fabsf(__log10f(y * y) - log10f(y * y)) < 1e-5f)
    CHECK(pow(2, 3) == 8.0 && pow(2.0f, 2) == 4.0 && sqrt(16) == 4.0 &&
          abs(-2.5f) == 2.5f)
    CHECK(std::sin(x) == sinf(x) && exp(d > 5 ? 5 : d) >= 0 && fmax(x, d) >= d)
    return wrong;
}

extern "C" __global__ void intrinsics(int *wrong)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long r = mix(i), s = mix(r), t = mix(s);
    int w = integers((unsigned)r, (unsigned)(r >> 32), (unsigned)s, t);
    float x = (float)((double)(int)s * 0x1p-20),
          y = (float)((double)(int)(s >> 32) * 0x1p-29) + 4.5f;

    if (w == 0) {
        w = floats(x, y, (double)(long long)t * 0x1p-44, (long long)t);
    }
    wrong[i] = w;
}
