/*
 * launch_bounds.h - what a kernel says of its launches: __launch_bounds__(threads of a
 * block at most, blocks on a multiprocessor at least, blocks of a cluster at most) and
 * __cluster_dims__(x, y, z), how many blocks form a cluster.
 *
 * The compiler has no attribute for clusters. The kernel is annotated, which `smwave
 * cc` reads where PTX has the variable, and makes directives of it.
 */
#ifndef SMWAVE_LAUNCH_BOUNDS_H
#define SMWAVE_LAUNCH_BOUNDS_H

/* The number i of up to three. */
constexpr __attribute__((host, device)) int
smw_launch_bound(int i, long long threads, long long blocks = 0, long long cluster = 0)
{
    return (int)(i == 0 ? threads : i == 1 ? blocks : cluster);
}

/* Commas of templates look like those between the numbers: three words or more may
 * be fewer numbers, and the compiler tells. */
#define SMW_WORD_16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ...) p
#define SMW_BOUNDS(...)                                                                \
    SMW_WORD_16(__VA_ARGS__, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3,   \
                SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3,  \
                SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_3, SMW_BOUNDS_2,  \
                SMW_BOUNDS_2, 0)
#define __launch_bounds__(...) SMW_BOUNDS(__VA_ARGS__)(__VA_ARGS__)
#define SMW_BOUNDS_2(...)      __attribute__((launch_bounds(__VA_ARGS__)))
#define SMW_BOUNDS_OF(...)                                                             \
    launch_bounds(smw_launch_bound(0, __VA_ARGS__), smw_launch_bound(1, __VA_ARGS__))

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/* x, y and z in one number, 21 bits each. What is called with others is no constant,
 * and the compiler says so where they stand. */
__attribute__((host, device)) void smw_cluster_dims_are_1_or_more();
constexpr __attribute__((host, device)) long long
smw_cluster_dims(long long x, long long y = 1, long long z = 1)
{
    return x < 1 || y < 1 || z < 1 || x > 0x1fffff || y > 0x1fffff || z > 0x1fffff
               ? (smw_cluster_dims_are_1_or_more(), 0)
               : x | y << 21 | z << 42;
}

static __attribute__((device)) char smwave_cluster_marks;

#define SMW_BOUNDS_3(...)                                                              \
    __attribute__((SMW_BOUNDS_OF(__VA_ARGS__),                                         \
                   annotate("smwave.max_cluster", smw_launch_bound(2, __VA_ARGS__),    \
                            smw_launch_bound(2, __VA_ARGS__) ? &::smwave_cluster_marks \
                                                             : 0)))
#define __cluster_dims__(...)                                                          \
    __attribute__((annotate("smwave.cluster_dims", smw_cluster_dims(__VA_ARGS__),      \
                            &::smwave_cluster_marks)))

#else

#define SMW_BOUNDS_3(...) __attribute__((SMW_BOUNDS_OF(__VA_ARGS__)))
#ifdef __CUDA_ARCH__
#define __cluster_dims__(...)                                                          \
    _Pragma("GCC error \"__cluster_dims__ is from -arch=sm_90 on\"")
#else
#define __cluster_dims__(...)
#endif
#endif

#endif /* SMWAVE_LAUNCH_BOUNDS_H */
