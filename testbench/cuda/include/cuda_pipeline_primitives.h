/*
 * cuda_pipeline_primitives.h - asynchronous copies from global to shared memory, their
 * groups and what waits for them. Before capability 8.0 the copy is done at once.
 * Meanings: CUDA C++ Programming Guide, "Pipeline Primitives Interface".
 */
#ifndef SMWAVE_CUDA_PIPELINE_PRIMITIVES_H
#define SMWAVE_CUDA_PIPELINE_PRIMITIVES_H
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

#define SMW_PIPELINE static __inline__ __attribute__((device, always_inline))

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

#define SMW_CP_ASYNC(cache, bytes)                                                     \
    __asm__ volatile("cp.async." cache ".shared.global [%0], [%1], " bytes             \
                     ", %2;" ::"l"(__cvta_generic_to_shared(dst)),                     \
                     "l"(__cvta_generic_to_global(src)), "r"(read)                     \
                     : "memory")

/* bytes: 4, 8 or 16, to which both are aligned; the last zeros of them are not read. */
SMW_PIPELINE void __pipeline_memcpy_async(void *dst, const void *src, size_t bytes,
                                          size_t zeros = 0)
{
    const unsigned read = (unsigned)(bytes - zeros);

    if (bytes == 4) {
        SMW_CP_ASYNC("ca", "4");
    } else if (bytes == 8) {
        SMW_CP_ASYNC("ca", "8");
    } else {
        SMW_CP_ASYNC("cg", "16");
    }
}

#undef SMW_CP_ASYNC

SMW_PIPELINE void __pipeline_commit()
{
    __asm__ volatile("cp.async.commit_group;" ::: "memory");
}

/* All but the n latest groups are over. n has to be known; more than 8 wait for all. */
SMW_PIPELINE void __pipeline_wait_prior(size_t n)
{
    switch (n) {
    case 1: __asm__ volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: __asm__ volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: __asm__ volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: __asm__ volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: __asm__ volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: __asm__ volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: __asm__ volatile("cp.async.wait_group 7;" ::: "memory"); break;
    case 8: __asm__ volatile("cp.async.wait_group 8;" ::: "memory"); break;
    default: __asm__ volatile("cp.async.wait_group 0;" ::: "memory"); break;
    }
}

#else

SMW_PIPELINE void __pipeline_memcpy_async(void *dst, const void *src, size_t bytes,
                                          size_t zeros = 0)
{
    char *to = (char *)dst;
    const char *from = (const char *)src;

    for (size_t i = 0; i < bytes; i++) {
        to[i] = i < bytes - zeros ? from[i] : 0;
    }
}

SMW_PIPELINE void __pipeline_commit()
{
}

SMW_PIPELINE void __pipeline_wait_prior(size_t)
{
}

#endif

#undef SMW_PIPELINE
#endif

#endif /* SMWAVE_CUDA_PIPELINE_PRIMITIVES_H */
