/*
 * attr.h - the only place that names compiler extensions.
 */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIKELY(x)              __builtin_expect(!!(x), 1)
#define UNLIKELY(x)            __builtin_expect(!!(x), 0)

#define ATTR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ATTR_NORETURN          __attribute__((noreturn))
#define ATTR_HOT               __attribute__((hot))
#define ATTR_COLD              __attribute__((cold, noinline))
#define ATTR_NOINLINE          __attribute__((noinline))
/* For what is on the way of every instruction: compilers weigh the size of a whole
 * program against it, and change their minds as it grows. */
#define ATTR_INLINE      inline __attribute__((always_inline))
#define ATTR_FALLTHROUGH __attribute__((fallthrough))
#define ATTR_ALIGNED(n)  __attribute__((aligned(n)))
#define ATTR_UNUSED      __attribute__((unused))

/* The structure of type that holds member at ptr. */
#define container_of(ptr, type, member)                                                \
    ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Fetch the cache line at p soon; any address is harmless. */
#define ATTR_PREFETCH(p) __builtin_prefetch(p)

/* 128-bit products, for arithmetic on time that must be exact. */
__extension__ typedef unsigned __int128 attr_u128;

/* The upper 64 bits of a * b. */
static inline uint64_t attr_mulhi64(uint64_t a, uint64_t b)
{
    return (uint64_t)(((attr_u128)a * b) >> 64);
}

/* *r = a * b; true if the product does not fit. */
static inline bool attr_mul_overflows(uint64_t a, uint64_t b, uint64_t *r)
{
    return __builtin_mul_overflow(a, b, r);
}

/* *r = a + b; true if the sum does not fit. */
static inline bool attr_add_overflows(uint64_t a, uint64_t b, uint64_t *r)
{
    return __builtin_add_overflow(a, b, r);
}

/* Index of the lowest and the highest set bit; x must not be 0. */
static inline unsigned attr_lowest_bit(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

static inline unsigned attr_highest_bit(uint64_t x)
{
    return 63u - (unsigned)__builtin_clzll(x);
}

/* Under AddressSanitizer, memory that must not be touched; nothing elsewhere. */
#if defined(__SANITIZE_ADDRESS__)
#define ATTR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTR_ASAN 1
#endif
#endif

#ifdef ATTR_ASAN
#include <sanitizer/asan_interface.h>
#define ATTR_POISON(p, size)   ASAN_POISON_MEMORY_REGION(p, size)
#define ATTR_UNPOISON(p, size) ASAN_UNPOISON_MEMORY_REGION(p, size)
#else
#define ATTR_POISON(p, size)   ((void)(p), (void)(size))
#define ATTR_UNPOISON(p, size) ((void)(p), (void)(size))
#endif

#endif /* BASE_ATTR_H */
