/*
 * async_copy.h - cuda::memcpy_async() with a barrier: a thread copies alone or a group
 * together, and the barrier's phase ends after the copies. From global to shared memory
 * they are asynchronous from capability 8.0 on, if both sides and the size are
 * multiples of 4 bytes; others are done at once. Meanings: libcu++,
 * "cuda::memcpy_async".
 */
#ifndef SMWAVE_ASYNC_COPY_H
#define SMWAVE_ASYNC_COPY_H
#include "../cuda_pipeline_primitives.h"
#include "barrier.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cuda
{

/* Bytes, of which it is known that they and both addresses are multiples of N. */
template <size_t N> struct aligned_size_t {
    static_assert(N > 0 && (N & (N - 1)) == 0, "an alignment is a power of 2");
    static constexpr size_t align = N;
    size_t value;

    __attribute__((host, device)) explicit constexpr aligned_size_t(size_t n) : value(n)
    {
    }
    __attribute__((host, device)) constexpr operator size_t() const
    {
        return value;
    }
};

enum class async_contract_fulfillment { none, async };

namespace details
{

template <class T> struct smw_align {
    enum { value = alignof(T) };
};
template <> struct smw_align<void> {
    enum { value = 1 };
};

template <class Shape> struct smw_shape {
    enum { value = 1 };
};
template <size_t N> struct smw_shape<aligned_size_t<N>> {
    enum { value = N };
};

struct alignas(16) smw_piece_16 {
    unsigned long long part[2];
};
template <unsigned N> struct smw_piece {
    typedef smw_piece_16 type;
};
template <> struct smw_piece<8> {
    typedef unsigned long long type;
};
template <> struct smw_piece<4> {
    typedef unsigned type;
};
template <> struct smw_piece<1> {
    typedef unsigned char type;
};

/* One of so many threads copies its pieces. */
struct smw_copier {
    size_t rank, threads;
    bool apart; /* asynchronous */

    template <unsigned N>
    SMW_CUDA void pieces(void *dst, const void *src, size_t bytes) const
    {
        typedef typename smw_piece<N>::type piece;
        piece *to = (piece *)dst;
        const piece *from = (const piece *)src;

        for (size_t i = rank; i < bytes / N; i += threads) {
            if (N >= 4 && apart) {
                __pipeline_memcpy_async(&to[i], &from[i], N);
            } else {
                to[i] = from[i];
            }
        }
    }

    /* align: what both sides and the size are known to be multiples of. */
    SMW_CUDA void copy(void *dst, const void *src, size_t bytes, unsigned align) const
    {
        const size_t bits = (size_t)dst | (size_t)src | bytes;

        if (align >= 16 || (bits & 15) == 0) {
            pieces<16>(dst, src, bytes);
        } else if ((bits & 7) == 0) {
            pieces<8>(dst, src, bytes);
        } else if ((bits & 3) == 0) {
            pieces<4>(dst, src, bytes);
        } else {
            pieces<1>(dst, src, bytes);
        }
    }
};

/* Is it asynchronous? */
template <class T, class Shape>
SMW_CUDA bool smw_copy(size_t rank, size_t threads, T *dst, const T *src, Shape bytes)
{
    smw_copier c = {rank, threads, false};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    c.apart = __isShared((const void *)dst) && __isGlobal((const void *)src);
#endif
    c.copy((void *)dst, (const void *)src, (size_t)bytes, smw_shape<Shape>::value);
    return c.apart;
}

template <thread_scope S, class F>
SMW_CUDA async_contract_fulfillment smw_bind(barrier<S, F> &b, bool apart)
{
    if (!apart) {
        return async_contract_fulfillment::none;
    }
    b.smw_bind_copies();
    return async_contract_fulfillment::async;
}

} /* namespace details */

template <class T, class Shape, thread_scope S, class F>
SMW_CUDA async_contract_fulfillment memcpy_async(T *dst, const T *src, Shape bytes,
                                                 barrier<S, F> &b)
{
    return details::smw_bind(b, details::smw_copy(0, 1, dst, src, bytes));
}

template <class Group, class T, class Shape, thread_scope S, class F>
SMW_CUDA async_contract_fulfillment memcpy_async(const Group &g, T *dst, const T *src,
                                                 Shape bytes, barrier<S, F> &b)
{
    return details::smw_bind(b, details::smw_copy(g.thread_rank(), g.size(), dst, src,
                                                  bytes));
}

} /* namespace cuda */
#endif

#endif /* SMWAVE_ASYNC_COPY_H */
