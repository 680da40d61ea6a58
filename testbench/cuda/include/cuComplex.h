/*
 * cuComplex.h - complex numbers as programs in C have them: float2 and double2 with
 * functions. x is the real part.
 */
#ifndef SMWAVE_CUCOMPLEX_H
#define SMWAVE_CUCOMPLEX_H
#define CU_COMPLEX_H_
#include "vector_functions.h"
#include <math.h>

#define SMW_COMPLEX(prefix, Complex, T, pair, root)                                    \
    static __inline__ __host__ __device__ T prefix##real(Complex a)                    \
    {                                                                                  \
        return a.x;                                                                    \
    }                                                                                  \
    static __inline__ __host__ __device__ T prefix##imag(Complex a)                    \
    {                                                                                  \
        return a.y;                                                                    \
    }                                                                                  \
    static __inline__ __host__ __device__ Complex prefix##conj(Complex a)              \
    {                                                                                  \
        return pair(a.x, -a.y);                                                        \
    }                                                                                  \
    static __inline__ __host__ __device__ Complex prefix##add(Complex a, Complex b)    \
    {                                                                                  \
        return pair(a.x + b.x, a.y + b.y);                                             \
    }                                                                                  \
    static __inline__ __host__ __device__ Complex prefix##sub(Complex a, Complex b)    \
    {                                                                                  \
        return pair(a.x - b.x, a.y - b.y);                                             \
    }                                                                                  \
    static __inline__ __host__ __device__ Complex prefix##mul(Complex a, Complex b)    \
    {                                                                                  \
        return pair(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                     \
    }                                                                                  \
    static __inline__ __host__ __device__ Complex prefix##fma(Complex a, Complex b,    \
                                                              Complex c)               \
    {                                                                                  \
        return prefix##add(prefix##mul(a, b), c);                                      \
    }                                                                                  \
    /* Scaled, so that no square leaves the range. */                                  \
    static __inline__ __host__ __device__ Complex prefix##div(Complex a, Complex b)    \
    {                                                                                  \
        T s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y);                         \
        T bx = b.x / s, by = b.y / s, ax = a.x / s, ay = a.y / s;                      \
        T n = bx * bx + by * by;                                                       \
                                                                                       \
        return pair((ax * bx + ay * by) / n, (ay * bx - ax * by) / n);                 \
    }                                                                                  \
    static __inline__ __host__ __device__ T prefix##abs(Complex a)                     \
    {                                                                                  \
        T x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y;                          \
        T most = x > y ? x : y, least = x > y ? y : x;                                 \
                                                                                       \
        if (most == 0 || most - most != 0) { /* 0, infinite or no number */            \
            return x + y;                                                              \
        }                                                                              \
        return most * root(1 + least / most * (least / most));                         \
    }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define make_cuFloatComplex  make_float2
#define make_cuDoubleComplex make_double2
#define make_cuComplex       make_float2

/* cuCrealf() but cuCreal(): the names of float end in f. */
SMW_COMPLEX(smw_cf_, cuFloatComplex, float, make_float2, sqrtf)
SMW_COMPLEX(cuC, cuDoubleComplex, double, make_double2, sqrt)
#undef SMW_COMPLEX

#define cuCrealf smw_cf_real
#define cuCimagf smw_cf_imag
#define cuConjf  smw_cf_conj
#define cuConj   cuCconj
#define cuCaddf  smw_cf_add
#define cuCsubf  smw_cf_sub
#define cuCmulf  smw_cf_mul
#define cuCfmaf  smw_cf_fma
#define cuCdivf  smw_cf_div
#define cuCabsf  smw_cf_abs

static __inline__ __host__ __device__ cuDoubleComplex
cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_double2(a.x, a.y);
}

static __inline__ __host__ __device__ cuFloatComplex
cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_float2((float)a.x, (float)a.y);
}

#endif /* SMWAVE_CUCOMPLEX_H */
