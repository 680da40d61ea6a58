/*
 * device_library.h - what a kernel may call of the C library: printf, assert, the heap,
 * copies of memory. CUDA C++ Programming Guide, "Formatted Output", "Assertion",
 * "Dynamic Global Memory Allocation". It comes before <new>, where clang's own header
 * makes the device's new and delete of malloc and free.
 */
#ifndef SMWAVE_DEVICE_LIBRARY_H
#define SMWAVE_DEVICE_LIBRARY_H
#include "../host_defines.h"
#include <stddef.h>

#define SMW_D static __inline__ __attribute__((device, always_inline))

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void *p) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t char_size)
    __attribute__((noreturn));

/* What the macro assert() of the C library calls. */
__device__ static inline void __assert_fail(const char *message, const char *file,
                                            unsigned line, const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}

SMW_D void *memcpy(void *dst, const void *src, size_t n)
{
    return __builtin_memcpy(dst, src, n);
}

SMW_D void *memset(void *dst, int value, size_t n)
{
    return __builtin_memset(dst, value, n);
}
}

#endif /* SMWAVE_DEVICE_LIBRARY_H */
