/*
 * fp8_types.h - one, two and four numbers of a kind of 8 bits, which cuda_fp8.h says in
 * macros; it is read once for each. What is too large becomes the largest number.
 */
struct SMWAVE_FP8 {
    __nv_fp8_storage_t __x;

    SMWAVE_FP8() = default;
    __host__ __device__ explicit SMWAVE_FP8(float v)
        : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(double v)
        : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(__half v)
        : __x(__nv_cvt_halfraw_to_fp8(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(__nv_bfloat16 v)
        : __x(__nv_cvt_bfloat16raw_to_fp8(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(int v) : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(unsigned v) : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(long v) : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(unsigned long v) : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(long long v) : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8(unsigned long long v)
        : SMWAVE_FP8((double)v)
    {
    }
    __host__ __device__ explicit operator __half() const
    {
        return __half(__nv_cvt_fp8_to_halfraw(__x, SMWAVE_FP8_IS));
    }
    __host__ __device__ explicit operator float() const
    {
        return (float)(__half) * this;
    }
    __host__ __device__ explicit operator double() const
    {
        return (double)(float)*this;
    }
    __host__ __device__ explicit operator __nv_bfloat16() const
    {
        return __nv_bfloat16((float)*this);
    }
    __host__ __device__ explicit operator int() const
    {
        return smwave_math::saturated<int>(__builtin_truncf((float)*this));
    }
    __host__ __device__ explicit operator unsigned() const
    {
        return smwave_math::saturated<unsigned>(__builtin_truncf((float)*this));
    }
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7f) != 0;
    }
};

struct __attribute__((aligned(2))) SMWAVE_FP8X2 {
    __nv_fp8x2_storage_t __x;

    SMWAVE_FP8X2() = default;
    __host__ __device__ explicit SMWAVE_FP8X2(float2 v)
        : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8X2(double2 v)
        : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8X2(__half2 v)
        : __x(__nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit SMWAVE_FP8X2(__nv_bfloat162 v)
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, SMWAVE_FP8_IS))
    {
    }
    __host__ __device__ explicit operator __half2() const
    {
        return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, SMWAVE_FP8_IS));
    }
    __host__ __device__ explicit operator float2() const
    {
        __half2 h = (__half2) * this;

        return float2{(float)h.x, (float)h.y};
    }
};

struct __attribute__((aligned(4))) SMWAVE_FP8X4 {
    __nv_fp8x4_storage_t __x;

    SMWAVE_FP8X4() = default;
    __host__ __device__ explicit SMWAVE_FP8X4(float4 v)
        : __x(SMWAVE_FP8X2(float2{v.x, v.y}).__x |
              (__nv_fp8x4_storage_t)SMWAVE_FP8X2(float2{v.z, v.w}).__x << 16)
    {
    }
    __host__ __device__ explicit SMWAVE_FP8X4(__half2 low, __half2 high)
        : __x(SMWAVE_FP8X2(low).__x | (__nv_fp8x4_storage_t)SMWAVE_FP8X2(high).__x
                                          << 16)
    {
    }
    __host__ __device__ explicit operator float4() const
    {
        SMWAVE_FP8X2 low, high;

        low.__x = (__nv_fp8x2_storage_t)__x;
        high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
        return float4{((float2)low).x, ((float2)low).y, ((float2)high).x,
                      ((float2)high).y};
    }
};

#undef SMWAVE_FP8
#undef SMWAVE_FP8X2
#undef SMWAVE_FP8X4
#undef SMWAVE_FP8_IS
