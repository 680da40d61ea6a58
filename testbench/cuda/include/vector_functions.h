/*
 * vector_functions.h - make_char1() to make_double4().
 */
#ifndef SMWAVE_VECTOR_FUNCTIONS_H
#define SMWAVE_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

#define SMW_MAKE(name, T)                                                              \
    static __inline__ __host__ __device__ name##1 make_##name##1(T x)                  \
    {                                                                                  \
        name##1 v = {x};                                                               \
        return v;                                                                      \
    }                                                                                  \
    static __inline__ __host__ __device__ name##2 make_##name##2(T x, T y)             \
    {                                                                                  \
        name##2 v = {x, y};                                                            \
        return v;                                                                      \
    }                                                                                  \
    static __inline__ __host__ __device__ name##3 make_##name##3(T x, T y, T z)        \
    {                                                                                  \
        name##3 v = {x, y, z};                                                         \
        return v;                                                                      \
    }                                                                                  \
    static __inline__ __host__ __device__ name##4 make_##name##4(T x, T y, T z, T w)   \
    {                                                                                  \
        name##4 v = {x, y, z, w};                                                      \
        return v;                                                                      \
    }

SMW_MAKE(char, signed char)
SMW_MAKE(uchar, unsigned char)
SMW_MAKE(short, short)
SMW_MAKE(ushort, unsigned short)
SMW_MAKE(int, int)
SMW_MAKE(uint, unsigned int)
SMW_MAKE(long, long)
SMW_MAKE(ulong, unsigned long)
SMW_MAKE(longlong, long long)
SMW_MAKE(ulonglong, unsigned long long)
SMW_MAKE(float, float)
SMW_MAKE(double, double)
#undef SMW_MAKE

#endif /* SMWAVE_VECTOR_FUNCTIONS_H */
