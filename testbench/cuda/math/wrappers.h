/* wrappers.h - what is measured under a name of its own: functions of an order as
 * functions of one argument, arithmetic of half precision with float's types. */
#define SMWAVE_WRAPPER static inline __device__

SMWAVE_WRAPPER double jn3(double x)
{
    return jn(3, x);
}
SMWAVE_WRAPPER float jn3f(float x)
{
    return jnf(3, x);
}
SMWAVE_WRAPPER double jn20(double x)
{
    return jn(20, x);
}
SMWAVE_WRAPPER double yn3(double x)
{
    return yn(3, x);
}
SMWAVE_WRAPPER float yn3f(float x)
{
    return ynf(3, x);
}
SMWAVE_WRAPPER float half_sum(float x, float y)
{
    return (float)(__half(x) + __half(y));
}
SMWAVE_WRAPPER float half_product(float x, float y)
{
    return (float)(__half(x) * __half(y));
}
SMWAVE_WRAPPER float half_fma(float x, float y, float z)
{
    return (float)__hfma(__half(x), __half(y), __half(z));
}
SMWAVE_WRAPPER float bfloat16_fma(float x, float y, float z)
{
    return (float)__hfma(__nv_bfloat16(x), __nv_bfloat16(y), __nv_bfloat16(z));
}
