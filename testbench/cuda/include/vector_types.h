/*
 * vector_types.h - char1 to double4 and dim3. Sizes and alignments are those of the
 * CUDA C++ Programming Guide, "Built-in Vector Types": two and four elements are
 * aligned to their size, at most 16 bytes, so that a thread moves one with one
 * instruction.
 */
#ifndef SMWAVE_VECTOR_TYPES_H
#define SMWAVE_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__
#include "host_defines.h"

/* SMW_VECTORS(NAME, ELEMENT, BYTES OF TWO, BYTES OF FOUR): both at most 16 */
#define SMW_VECTORS(name, T, two, four)                                                \
    struct name##1                                                                     \
    {                                                                                  \
        T x;                                                                           \
    };                                                                                 \
    struct __align__(two) name##2                                                      \
    {                                                                                  \
        T x, y;                                                                        \
    };                                                                                 \
    struct name##3                                                                     \
    {                                                                                  \
        T x, y, z;                                                                     \
    };                                                                                 \
    struct __align__(four) name##4                                                     \
    {                                                                                  \
        T x, y, z, w;                                                                  \
    };                                                                                 \
    typedef struct name##1 name##1;                                                    \
    typedef struct name##2 name##2;                                                    \
    typedef struct name##3 name##3;                                                    \
    typedef struct name##4 name##4;

SMW_VECTORS(char, signed char, 2, 4)
SMW_VECTORS(uchar, unsigned char, 2, 4)
SMW_VECTORS(short, short, 4, 8)
SMW_VECTORS(ushort, unsigned short, 4, 8)
SMW_VECTORS(int, int, 8, 16)
SMW_VECTORS(uint, unsigned int, 8, 16)
SMW_VECTORS(long, long, 16, 16)
SMW_VECTORS(ulong, unsigned long, 16, 16)
SMW_VECTORS(longlong, long long, 16, 16)
SMW_VECTORS(ulonglong, unsigned long long, 16, 16)
SMW_VECTORS(float, float, 8, 16)
SMW_VECTORS(double, double, 16, 16)
#undef SMW_VECTORS

/* How many threads of a block, or blocks of a grid, in each direction; what is not
 * given is 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus) && __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#elif defined(__cplusplus)
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1,
                             unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ operator uint3() const
    {
        uint3 v = {x, y, z};
        return v;
    }
#endif
};
typedef struct dim3 dim3;

#endif /* SMWAVE_VECTOR_TYPES_H */
