// The ends of the ranges: quotients, shifts, conversions that saturate, comparisons
// with NaN.
#include <limits.h>
#include <stdint.h>
__global__ void integers(const int *pick, long long *out)
{
    const int v[8] = {INT_MIN, INT_MIN + 1, -1, 0, 1, 2, INT_MAX - 1, INT_MAX};
    int a = v[pick[threadIdx.x] & 7], b = v[pick[threadIdx.x] >> 3 & 7];
    long long A = (long long)a << 32 | (unsigned)b, B = (long long)b << 31 ^ a,
              *o = out + threadIdx.x * 16;
    o[0] = b != 0 ? (long long)((unsigned)a / (unsigned)b) : 1;
    o[1] = b != 0 && b != -1 ? a / b * 3ll + a % b : 2;
    o[2] = B != 0 ? (long long)((uint64_t)A / (uint64_t)B) : 3;
    o[3] = B != 0 && B != -1 ? A / B ^ A % B : 4;
    o[4] = (long long)abs(a) + max(a, b) - min((unsigned)a, (unsigned)b);
    o[5] = __mulhi(a, b) + ((long long)__umulhi(a, b) << 20);
    o[6] = __mul64hi(A, B);
    o[7] = __umul64hi(A, B);
    o[8] = (A >> (b & 63)) + (long long)((uint64_t)A >> (a & 63));
    o[9] = (int16_t)a * (int8_t)b + (uint16_t)b;
    o[10] = __clz(a) + __ffs(b) * 100 + __popcll(A) * 10000 + __clzll(B) * 1000000ll;
    o[11] = __hadd(a, b) + (long long)__rhadd(a, b) * 3 + __uhadd(a, b);
    int n = 0;
    for (int i = a; i < b && n < 5; i = (int)((unsigned)i + 0x30000000u), n++) {
    }
    o[12] = n;
    o[13] = (long long)__sad(a, b, 7u) + __brev(a);
    o[14] = __funnelshift_lc(a, b, 40) + (long long)__funnelshift_rc(a, b, 33);
    o[15] =
        a < b | (a <= (long long)(unsigned)b) << 1 | ((unsigned)a > (unsigned)b) << 2;
}
__global__ void conversions(const unsigned *pick, long long *out)
{
    const double v[16] = {0.0,           -0.0,   0.5,    1.5,    2.5,    -0.5,
                          -1.5,          1e10,   -1e10,  3e38,   1e-310, 2147483647.5,
                          -2147483648.5, 9.3e18, 1.9e19, 65504.7};
    unsigned p = pick[threadIdx.x];
    double x = v[p & 15];
    if (p % 17 == 0) {
        x = __longlong_as_double(0x7ff8000000000000ll);
    } else if (p % 13 == 0) {
        x = __longlong_as_double(p & 64 ? 0x7ff0000000000000ll : 0xfff0000000000000ll);
    }
    float f = x;
    long long *o = out + threadIdx.x * 16;
    o[0] = __float2int_rn(f) + ((long long)__float2int_rz(f) << 32);
    o[1] = __float2int_ru(f) ^ ((long long)__float2int_rd(f) << 32);
    o[2] = __float2uint_rn(f) ^ (unsigned long long)__float2uint_ru(f) << 32;
    o[3] = __float2ll_rn(f);
    o[4] = __float2ull_rz(f);
    o[5] = __double2int_rn(x) ^ ((long long)__double2int_ru(x) << 32);
    o[6] = __double2uint_rz(x);
    o[7] = __double2ll_rd(x);
    o[8] = __double2ull_rn(x);
    o[9] = __float_as_uint(__double2float_rn(x)) |
           (unsigned long long)__float_as_uint(__double2float_rd(x)) << 32;
    o[10] = __float_as_uint(__ll2float_rn(p * 0x123456789abll)) |
            (unsigned long long)__float_as_uint(__ull2float_ru(~0ull - p)) << 32;
    o[11] = __double_as_longlong(__ll2double_rz(p * 0x7234567891ll)) ^
            __double_as_longlong(__ull2double_rn(~0ull >> (p & 31)));
    o[12] = (x < 1) | (x == x) << 1 | !(x > 1) << 2 | (f <= x) << 3 |
            (bool)isnan(f) << 4 | (bool)isinf(x) << 5 | (bool)signbit(x) << 6;
    o[13] = __float_as_uint(fminf(f, 1)) |
            (unsigned long long)__float_as_uint(fmaxf(-1, f)) << 32;
    o[14] = __double_as_longlong(rint(x) + floor(x)) ^
            __float_as_uint(truncf(f) + ceilf(f) + roundf(f));
    o[15] = __float_as_uint(__saturatef(f)) |
            (unsigned long long)__float_as_uint(__fadd_rz(f, 1e-9f)) << 32;
}
