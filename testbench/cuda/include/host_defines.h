/*
 * host_defines.h - the words that CUDA C++ adds to the language. In a compiler of CUDA
 * they are attributes; in any other they are empty or mean the host's equivalent, so
 * that a header of a program can be included by C and by C++.
 */
#ifndef SMWAVE_HOST_DEFINES_H
#define SMWAVE_HOST_DEFINES_H
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__     __attribute__((host))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
/* A managed variable is a variable of the device whose twin on the host lies in a
 * section of its own: there the runtime finds which ones it has to keep equal. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("smw_managed")))
#endif
/* A parameter that kernels only read is already where it can be read. */
#define __grid_constant__
#include "smwave/launch_bounds.h"
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#endif

#define __forceinline__      __inline__ __attribute__((always_inline))
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__           __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a)
#define __location__(a)
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __nv_pure__ __attribute__((pure))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI

#endif /* SMWAVE_HOST_DEFINES_H */
