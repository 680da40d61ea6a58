/*
 * bulk_copy.h - bytes that are copied while no thread waits for each of them, counted
 * by a barrier of the block in shared memory, from capability 9.0 on. Meanings:
 * libcu++, "cuda::device::memcpy_async_tx", "barrier_arrive_tx", "barrier_expect_tx";
 * CUDA C++ Programming Guide, "Asynchronous Data Copies using the Tensor Memory
 * Accelerator". A tensor map is passed by its address.
 */
#ifndef SMWAVE_BULK_COPY_H
#define SMWAVE_BULK_COPY_H
#include "async_copy.h"

#if defined(__CUDA__) && defined(__clang__)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

namespace cuda
{

namespace device
{

#define SMW_SHARED(p)  "l"(__cvta_generic_to_shared(p))
#define SMW_GLOBAL(p)  "l"(__cvta_generic_to_global(p))
#define SMW_HANDLE(b)  SMW_SHARED(barrier_native_handle(b))
#define SMW_BULK_BYTES ".mbarrier::complete_tx::bytes "

SMW_CUDA barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ptrdiff_t threads, ptrdiff_t bytes)
{
    unsigned long long token;

    if (threads > 1) {
        (void)b.arrive(threads - 1);
    }
    __asm__ volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : SMW_HANDLE(b), "r"((unsigned)bytes)
                     : "memory");
    return token;
}

SMW_CUDA void barrier_expect_tx(barrier<thread_scope_block> &b, ptrdiff_t bytes)
{
    __asm__ volatile(
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::SMW_HANDLE(b),
        "r"((unsigned)bytes)
        : "memory");
}

namespace experimental
{

SMW_CUDA void cp_async_bulk_global_to_shared(void *dst, const void *src, unsigned bytes,
                                             barrier<thread_scope_block> &b)
{
    __asm__ volatile("cp.async.bulk.shared::cluster.global" SMW_BULK_BYTES
                     "[%0], [%1], %2, [%3];" ::SMW_SHARED(dst),
                     SMW_GLOBAL(src), "r"(bytes), SMW_HANDLE(b)
                     : "memory");
}

SMW_CUDA void cp_async_bulk_shared_to_global(void *dst, const void *src, unsigned bytes)
{
    __asm__ volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::SMW_GLOBAL(dst),
        SMW_SHARED(src), "r"(bytes)
        : "memory");
}

SMW_CUDA void cp_async_bulk_commit_group()
{
    __asm__ volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* All but the N latest groups have read what they copy. */
template <int N> SMW_CUDA void cp_async_bulk_wait_group_read()
{
    __asm__ volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

SMW_CUDA void fence_proxy_async_shared_cta()
{
    __asm__ volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* The number of dimensions, parameters, their places in the text of a load and of a
 * store, operands. */
#define SMW_TENSOR(n, params, load, store, ...)                                        \
    SMW_CUDA void cp_async_bulk_tensor_##n##d_global_to_shared(                        \
        void *dst, const void *map, params, barrier<thread_scope_block> &b)            \
    {                                                                                  \
        __asm__ volatile("cp.async.bulk.tensor." #n                                    \
                         "d.shared::cluster.global.tile" SMW_BULK_BYTES                \
                         "[%0], [%1, {" load "}], [%2];" ::SMW_SHARED(dst),            \
                         "l"(map), SMW_HANDLE(b), __VA_ARGS__                          \
                         : "memory");                                                  \
    }                                                                                  \
    SMW_CUDA void cp_async_bulk_tensor_##n##d_shared_to_global(const void *map,        \
                                                               params,                 \
                                                               const void *src)        \
    {                                                                                  \
        __asm__ volatile("cp.async.bulk.tensor." #n                                    \
                         "d.global.shared::cta.tile.bulk_group [%0, {" store           \
                         "}], [%1];" ::"l"(map),                                       \
                         SMW_SHARED(src), __VA_ARGS__                                  \
                         : "memory");                                                  \
    }
#define SMW_COMMA ,
#define SMW_INT   SMW_COMMA int
SMW_TENSOR(1, int a, "%3", "%2", "r"(a))
SMW_TENSOR(2, int a SMW_INT b0, "%3, %4", "%2, %3", "r"(a), "r"(b0))
SMW_TENSOR(3, int a SMW_INT b0 SMW_INT c, "%3, %4, %5", "%2, %3, %4", "r"(a), "r"(b0),
           "r"(c))
SMW_TENSOR(4, int a SMW_INT b0 SMW_INT c SMW_INT d, "%3, %4, %5, %6", "%2, %3, %4, %5",
           "r"(a), "r"(b0), "r"(c), "r"(d))
SMW_TENSOR(5, int a SMW_INT b0 SMW_INT c SMW_INT d SMW_INT e, "%3, %4, %5, %6, %7",
           "%2, %3, %4, %5, %6", "r"(a), "r"(b0), "r"(c), "r"(d), "r"(e))
#undef SMW_INT
#undef SMW_COMMA
#undef SMW_TENSOR

} /* namespace experimental */

/* The barrier is told by somebody how many bytes come. */
template <class T, size_t N>
SMW_CUDA async_contract_fulfillment memcpy_async_tx(T *dst, const T *src,
                                                    aligned_size_t<N> bytes,
                                                    barrier<thread_scope_block> &b)
{
    static_assert(N >= 16, "bulk copies are of multiples of 16 bytes");
    experimental::cp_async_bulk_global_to_shared((void *)dst, (const void *)src,
                                                 (unsigned)bytes.value, b);
    return async_contract_fulfillment::async;
}

#undef SMW_BULK_BYTES
#undef SMW_HANDLE
#undef SMW_GLOBAL
#undef SMW_SHARED

} /* namespace device */

} /* namespace cuda */
#endif
#endif

#endif /* SMWAVE_BULK_COPY_H */
