/*
 * cuda_awbarrier_primitives.h - barriers in shared memory that threads arrive at and
 * wait for apart, from capability 8.0 on. Meanings: CUDA C++ Programming Guide, "Memory
 * Barrier Primitives Interface"; PTX ISA, mbarrier.
 */
#ifndef SMWAVE_CUDA_AWBARRIER_PRIMITIVES_H
#define SMWAVE_CUDA_AWBARRIER_PRIMITIVES_H
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

#define SMW_MBARRIER    static __inline__ __attribute__((device, always_inline))
#define SMW_MBARRIER_AT "l"(__cvta_generic_to_shared(barrier))

SMW_MBARRIER unsigned __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}

SMW_MBARRIER void __mbarrier_init(__mbarrier_t *barrier, unsigned expected)
{
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::SMW_MBARRIER_AT,
                     "r"(expected)
                     : "memory");
}

SMW_MBARRIER void __mbarrier_inval(__mbarrier_t *barrier)
{
    __asm__ volatile("mbarrier.inval.shared.b64 [%0];" ::SMW_MBARRIER_AT : "memory");
}

SMW_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;

    __asm__ volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : SMW_MBARRIER_AT
                     : "memory");
    return token;
}

SMW_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
    __mbarrier_token_t token;

    __asm__ volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : SMW_MBARRIER_AT
                     : "memory");
    return token;
}

SMW_MBARRIER bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
    unsigned over;

    __asm__ volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : SMW_MBARRIER_AT, "l"(token)
                     : "memory");
    return over != 0;
}

SMW_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
    unsigned over;

    __asm__ volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : SMW_MBARRIER_AT, "r"((unsigned)parity)
                     : "memory");
    return over != 0;
}

SMW_MBARRIER unsigned __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    unsigned n;

    __asm__ volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
    return n;
}

#undef SMW_MBARRIER_AT
#undef SMW_MBARRIER
#endif
#endif

#endif /* SMWAVE_CUDA_AWBARRIER_PRIMITIVES_H */
