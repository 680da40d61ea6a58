/* The operations of the device for math_base.h on the host: the instructions that
 * approximate are the model's own code, the others IEEE arithmetic. */
extern "C" {
unsigned fp32_ex2_approx(unsigned a, bool ftz);
unsigned fp32_lg2_approx(unsigned a, bool ftz);
unsigned fp32_rcp_approx(unsigned a, bool ftz);
unsigned fp32_rsqrt_approx(unsigned a, bool ftz);
unsigned long fp64_rcp_approx_ftz(unsigned long a);
unsigned long fp64_rsqrt_approx(unsigned long a, bool ftz);
}
#define APPROX32(name, function, ftz)                                                  \
    SMWAVE_INSIDE float name(float x)                                                  \
    {                                                                                  \
        return from_bits((int)function((unsigned)bits(x), ftz));                       \
    }
APPROX32(ex2, fp32_ex2_approx, false)
APPROX32(ex2_ftz, fp32_ex2_approx, true)
APPROX32(lg2, fp32_lg2_approx, false)
APPROX32(reciprocal, fp32_rcp_approx, true)
APPROX32(reciprocal_root, fp32_rsqrt_approx, false)
APPROX32(reciprocal_root_ftz, fp32_rsqrt_approx, true)
SMWAVE_INSIDE double reciprocal(double x)
{
    return from_bits((s64)fp64_rcp_approx_ftz((unsigned long)bits(x)));
}
SMWAVE_INSIDE double reciprocal_root(double x)
{
    return from_bits((s64)fp64_rsqrt_approx((unsigned long)bits(x), false));
}
SMWAVE_INSIDE float mul(float a, float b)
{
    return a * b;
}
SMWAVE_INSIDE double mul(double a, double b)
{
    return a * b;
}
SMWAVE_INSIDE float root(float x)
{
    return __builtin_sqrtf(x);
}
SMWAVE_INSIDE double root(double x)
{
    return __builtin_sqrt(x);
}
SMWAVE_INSIDE float nearest(float x)
{
    return __builtin_rintf(x);
}
SMWAVE_INSIDE double nearest(double x)
{
    return __builtin_rint(x);
}
SMWAVE_INSIDE int to_int(double x)
{
    return x >= 0x1p31   ? 0x7fffffff
           : x > -0x1p31 ? (int)nearest(x)
           : x == x      ? -0x7fffffff - 1
                         : 0;
}
SMWAVE_INSIDE int to_int(float x)
{
    return to_int((double)x);
}
SMWAVE_INSIDE float quotient(float a, float b)
{
    return a / b;
}
SMWAVE_INSIDE double quotient(double a, double b)
{
    return a / b;
}
/* To the nearest integer, at most the type's limits. */
SMWAVE_INSIDE s64 to_long(double x)
{
    return x >= 0x1p63   ? 0x7fffffffffffffff
           : x > -0x1p63 ? (s64)nearest(x)
           : x == x      ? -0x7fffffffffffffff - 1
                         : (s64)0x8000000000000000;
}
SMWAVE_INSIDE s64 to_long(float x)
{
    return to_long((double)x);
}
