/*
 * barrier.h - cuda::barrier: threads arrive, and wait for the others apart from that,
 * from capability 7.0 on. Meanings: libcu++, "cuda::barrier"; CUDA C++ Programming
 * Guide, "Asynchronous Barrier". A barrier of a block in shared memory is an mbarrier
 * from 8.0 on; any other is a counter that atomics change. Not here: waits that end
 * after a time, and use by the host.
 */
#ifndef SMWAVE_BARRIER_H
#define SMWAVE_BARRIER_H
#include "../cuda_runtime.h"
#include <stddef.h>

#if defined(__CUDA__) && defined(__clang__)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#error                                                                                 \
    "cuda::barrier and cuda::pipeline are from compute capability 7.0 on: -arch=sm_70"
#endif

#define SMW_CUDA __inline__ __attribute__((device, always_inline))

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

namespace details
{

typedef unsigned long long smw_state;

enum { SMW_COUNT_BITS = 20 };

/* What nobody wants to be called. */
struct smw_no_completion {
    SMW_CUDA void operator()()
    {
    }
};

template <class F> struct smw_is_none {
    enum { value = 0 };
};
template <> struct smw_is_none<smw_no_completion> {
    enum { value = 1 };
};

template <thread_scope S> SMW_CUDA void smw_fence()
{
    if (S == thread_scope_system) {
        __threadfence_system();
    } else if (S == thread_scope_device) {
        __threadfence();
    } else {
        __threadfence_block();
    }
}

/* ---- a counter: threads that are missing, threads in all, phases over ---- */

SMW_CUDA unsigned smw_missing(smw_state s)
{
    return (unsigned)s & ((1u << SMW_COUNT_BITS) - 1);
}

SMW_CUDA smw_state smw_phase(smw_state s)
{
    return s >> (2 * SMW_COUNT_BITS);
}

SMW_CUDA smw_state smw_begin(unsigned expected, smw_state phase)
{
    return phase << (2 * SMW_COUNT_BITS) | (smw_state)expected << SMW_COUNT_BITS |
           expected;
}

template <thread_scope S> SMW_CUDA smw_state smw_add(smw_state *s, smw_state n)
{
    return S == thread_scope_system ? atomicAdd_system(s, n) : atomicAdd(s, n);
}

template <thread_scope S> SMW_CUDA void smw_set(smw_state *s, smw_state v)
{
    if (S == thread_scope_system) {
        (void)atomicExch_system(s, v);
    } else {
        (void)atomicExch(s, v);
    }
}

/* n threads are there, gone of them for the last time. The last of all begins the
 * next phase: nobody else changes the counter then. */
template <thread_scope S, class F>
SMW_CUDA smw_state smw_count(smw_state *s, unsigned n, unsigned gone, F &completion)
{
    smw_state before, after;

    smw_fence<S>();
    after = (smw_state)gone << SMW_COUNT_BITS | n;
    before = smw_add<S>(s, 0 - after);
    after = before - after;
    if (smw_missing(after) == 0) {
        smw_fence<S>();
        completion();
        smw_fence<S>();
        smw_set<S>(s, smw_begin(smw_missing(after >> SMW_COUNT_BITS),
                                smw_phase(after) + 1));
    }
    return smw_phase(before);
}

SMW_CUDA smw_state smw_read(const smw_state *s)
{
    return *(const volatile smw_state *)s;
}

/* ---- an mbarrier ---- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

#if __CUDA_ARCH__ >= 900
#define SMW_MBARRIER_WAIT "mbarrier.try_wait"
#else
#define SMW_MBARRIER_WAIT "mbarrier.test_wait"
#endif

SMW_CUDA void smw_mbarrier_init(smw_state *s, unsigned expected)
{
    __asm__ volatile("mbarrier.init.shared.b64 [%0], %1;" ::"l"(
                         __cvta_generic_to_shared(s)),
                     "r"(expected)
                     : "memory");
}

SMW_CUDA smw_state smw_mbarrier_arrive(smw_state *s, unsigned n, unsigned gone)
{
    const size_t at = __cvta_generic_to_shared(s);
    smw_state token;

    if (n > 1) {
        __asm__ volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                         : "=l"(token)
                         : "l"(at), "r"(n - 1)
                         : "memory");
    }
    if (gone != 0) {
        __asm__ volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                         : "=l"(token)
                         : "l"(at)
                         : "memory");
    } else {
        __asm__ volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                         : "=l"(token)
                         : "l"(at)
                         : "memory");
    }
    return token;
}

SMW_CUDA bool smw_mbarrier_over(const smw_state *s, smw_state token)
{
    unsigned over;

    __asm__ volatile("{ .reg .pred p; " SMW_MBARRIER_WAIT ".shared.b64 p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "l"(__cvta_generic_to_shared(s)), "l"(token)
                     : "memory");
    return over != 0;
}

SMW_CUDA bool smw_mbarrier_parity(const smw_state *s, unsigned parity)
{
    unsigned over;

    __asm__ volatile("{ .reg .pred p; " SMW_MBARRIER_WAIT
                     ".parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "l"(__cvta_generic_to_shared(s)), "r"(parity)
                     : "memory");
    return over != 0;
}

/* It completes no phase before the copies that the thread has begun are done. */
SMW_CUDA void smw_mbarrier_copies(smw_state *s)
{
    __asm__ volatile(
        "cp.async.mbarrier.arrive.shared.b64 [%0];" ::"l"(__cvta_generic_to_shared(s))
        : "memory");
}

#undef SMW_MBARRIER_WAIT

#else

/* Before 8.0 there are none, and these are never reached. */
SMW_CUDA void smw_mbarrier_init(smw_state *, unsigned)
{
}
SMW_CUDA smw_state smw_mbarrier_arrive(smw_state *, unsigned, unsigned)
{
    return 0;
}
SMW_CUDA bool smw_mbarrier_over(const smw_state *, smw_state)
{
    return true;
}
SMW_CUDA bool smw_mbarrier_parity(const smw_state *, unsigned)
{
    return true;
}
SMW_CUDA void smw_mbarrier_copies(smw_state *)
{
}

#endif

} /* namespace details */

/* ---- the class ---- */

template <thread_scope S, class F = details::smw_no_completion> class barrier : F
{
    mutable details::smw_state state;

    SMW_CUDA bool is_native() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        return S == thread_scope_block && details::smw_is_none<F>::value &&
               __isShared(&state);
#else
        return false;
#endif
    }

    SMW_CUDA details::smw_state arrive_as(unsigned n, unsigned gone)
    {
        return is_native() ? details::smw_mbarrier_arrive(&state, n, gone)
                           : details::smw_count<S, F>(&state, n, gone, *this);
    }

    SMW_CUDA bool is_over(details::smw_state token) const
    {
        return is_native() ? details::smw_mbarrier_over(&state, token)
                           : details::smw_phase(details::smw_read(&state)) != token;
    }

    SMW_CUDA bool is_parity_over(bool parity) const
    {
        return is_native()
                   ? details::smw_mbarrier_parity(&state, parity)
                   : (details::smw_phase(details::smw_read(&state)) & 1) != parity;
    }

  public:
    typedef details::smw_state arrival_token;

    barrier() = default;
    SMW_CUDA explicit barrier(ptrdiff_t expected, F completion = F()) : F(completion)
    {
        smw_init((unsigned)expected);
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    static constexpr SMW_CUDA ptrdiff_t max()
    {
        return (1 << details::SMW_COUNT_BITS) - 1;
    }

    friend SMW_CUDA void init(barrier *b, ptrdiff_t expected)
    {
        b->smw_init((unsigned)expected);
    }
    friend SMW_CUDA void init(barrier *b, ptrdiff_t expected, F completion)
    {
        *static_cast<F *>(b) = completion;
        b->smw_init((unsigned)expected);
    }

    [[nodiscard]] SMW_CUDA arrival_token arrive(ptrdiff_t n = 1)
    {
        return arrive_as((unsigned)n, 0);
    }
    SMW_CUDA void wait(arrival_token &&token) const
    {
        while (!is_over(token)) {
        }
        details::smw_fence<S>();
    }
    SMW_CUDA void wait_parity(bool parity) const
    {
        while (!is_parity_over(parity)) {
        }
        details::smw_fence<S>();
    }
    [[nodiscard]] SMW_CUDA bool try_wait(arrival_token &&token) const
    {
        const bool over = is_over(token);

        details::smw_fence<S>();
        return over;
    }
    [[nodiscard]] SMW_CUDA bool try_wait_parity(bool parity) const
    {
        const bool over = is_parity_over(parity);

        details::smw_fence<S>();
        return over;
    }
    SMW_CUDA void arrive_and_wait()
    {
        wait(arrive());
    }
    SMW_CUDA void arrive_and_drop()
    {
        (void)arrive_as(1, 1);
    }

    SMW_CUDA void smw_init(unsigned expected)
    {
        if (is_native()) {
            details::smw_mbarrier_init(&state, expected);
        } else {
            state = details::smw_begin(expected, 0);
        }
    }
    SMW_CUDA details::smw_state *smw_handle()
    {
        return &state;
    }
    /* The copies that this thread has begun belong to the phase. */
    SMW_CUDA void smw_bind_copies()
    {
        if (is_native()) {
            details::smw_mbarrier_copies(&state);
        } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
            __asm__ volatile("cp.async.wait_all;" ::: "memory");
#endif
        }
    }
};

namespace device
{

SMW_CUDA unsigned long long *barrier_native_handle(barrier<thread_scope_block> &b)
{
    return b.smw_handle();
}

} /* namespace device */

} /* namespace cuda */
#endif

#endif /* SMWAVE_BARRIER_H */
