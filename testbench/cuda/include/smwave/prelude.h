/*
 * prelude.h - what stands before the first line of a .cu file: `smwave cc` has the
 * compiler include it. It makes clang the compiler that programs written for nvcc
 * expect: the macros they ask, the words of the language, the functions of the device,
 * and the headers of the C library that nvcc includes unasked.
 *
 * Nothing of an installed toolkit is read, and of clang's own headers for CUDA only the
 * built-in variables: its other headers want NVIDIA's libdevice.
 */
#ifndef SMWAVE_PRELUDE_H
#define SMWAVE_PRELUDE_H

#if !defined(__CUDA__) || !defined(__clang__)
#error "smwave/prelude.h is for clang compiling CUDA C++; smwave cc includes it"
#endif

/* Programs and build systems take the way for nvcc by these. The release is that of
 * CUDART_VERSION. */
#define __CUDACC__           1
#define __NVCC__             1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
/* clang allows both always: functions that are constexpr on the device, and lambdas
 * with __device__. */
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__   1
#define SMWAVE                       1

#include "../host_defines.h"

/* Functions of the device come before the host's of the same name: libstdc++'s
 * overloads stay the host's then. */
#include "device_math.h"

#include "device_library.h"

#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#include "../cuda_runtime.h"

/* A word of the language to nvcc, which libstdc++ uses as the name of an attribute
 * (__attribute__((__noinline__))): clang 16 knows both uses, before that the headers in
 * smwave/wrappers hide the macro from libstdc++. */
#if __clang_major__ < 16
#define __noinline__ __attribute__((noinline))
#endif

#endif /* SMWAVE_PRELUDE_H */
