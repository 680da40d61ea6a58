/*
 * pipeline.h - cuda::pipeline: stages that producers fill by cuda::memcpy_async() and
 * consumers empty, in turn. A thread's own pipeline is made of its groups of copies;
 * that of a group has two barriers for each stage. Meanings: libcu++, "cuda::pipeline".
 * Not here: quit(), and waits that end after a time.
 */
#ifndef SMWAVE_PIPELINE_H
#define SMWAVE_PIPELINE_H
#include "async_copy.h"

#if defined(__CUDA__) && defined(__clang__)

namespace cuda
{

enum class pipeline_role { producer, consumer };

template <thread_scope S, unsigned char N> struct pipeline_shared_state {
    barrier<S> produced[N], consumed[N];
    unsigned producers;

    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
    pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
};

namespace details
{

/* Stages in the order of a ring, and how often it was around. */
struct smw_stage {
    unsigned at, round;

    SMW_CUDA void next(unsigned stages)
    {
        const bool around = ++at == stages;

        at = around ? 0 : at;
        round += around;
    }
};

} /* namespace details */

/* ---- of a group ---- */

template <thread_scope S> class pipeline
{
    barrier<S> *produced, *consumed;
    unsigned stages;
    details::smw_stage head = {0, 0}, tail = {0, 0};

  public:
    SMW_CUDA pipeline(barrier<S> *p, barrier<S> *c, unsigned n)
        : produced(p), consumed(c), stages(n)
    {
    }
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* A stage is empty: from the second round on the consumers say so. */
    SMW_CUDA void producer_acquire()
    {
        consumed[head.at].wait_parity((head.round & 1) == 0);
    }
    SMW_CUDA void producer_commit()
    {
        (void)produced[head.at].arrive();
        head.next(stages);
    }
    SMW_CUDA void consumer_wait()
    {
        produced[tail.at].wait_parity((tail.round & 1) != 0);
    }
    SMW_CUDA void consumer_release()
    {
        (void)consumed[tail.at].arrive();
        tail.next(stages);
    }
    SMW_CUDA void smw_bind_copies()
    {
        produced[head.at].smw_bind_copies();
    }
};

/* ---- of a thread ---- */

template <> class pipeline<thread_scope_thread>
{
    unsigned committed = 0, released = 0;

  public:
    pipeline() = default;
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    SMW_CUDA void producer_acquire()
    {
    }
    SMW_CUDA void producer_commit()
    {
        __pipeline_commit();
        committed++;
    }
    /* The oldest stage that is not released is there. */
    SMW_CUDA void consumer_wait()
    {
        __pipeline_wait_prior(committed - released - 1);
    }
    SMW_CUDA void consumer_release()
    {
        released++;
    }
    SMW_CUDA void smw_bind_copies()
    {
    }
};

/* ---- making them ---- */

SMW_CUDA pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}

namespace details
{

template <class Group, thread_scope S, unsigned char N>
SMW_CUDA pipeline<S> smw_make(const Group &g, pipeline_shared_state<S, N> *s,
                              unsigned producers, unsigned consumers)
{
    if (g.thread_rank() == 0) {
        for (unsigned i = 0; i < N; i++) {
            s->produced[i].smw_init(producers);
            s->consumed[i].smw_init(consumers);
        }
    }
    g.sync();
    return pipeline<S>(s->produced, s->consumed, N);
}

} /* namespace details */

/* All threads are both. */
template <class Group, thread_scope S, unsigned char N>
SMW_CUDA pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, N> *s)
{
    return details::smw_make(g, s, (unsigned)g.size(), (unsigned)g.size());
}

/* The first threads are producers, the others are consumers. */
template <class Group, thread_scope S, unsigned char N>
SMW_CUDA pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, N> *s,
                                   size_t producers)
{
    return details::smw_make(g, s, (unsigned)producers,
                             (unsigned)(g.size() - producers));
}

template <class Group, thread_scope S, unsigned char N>
SMW_CUDA pipeline<S> make_pipeline(const Group &g, pipeline_shared_state<S, N> *s,
                                   pipeline_role role)
{
    unsigned producers;

    if (g.thread_rank() == 0) {
        s->producers = 0;
    }
    g.sync();
    if (role == pipeline_role::producer) {
        atomicAdd(&s->producers, 1u);
    }
    g.sync();
    producers = s->producers;
    return details::smw_make(g, s, producers, (unsigned)g.size() - producers);
}

/* ---- what is done with them ---- */

template <class T, class Shape, thread_scope S>
SMW_CUDA async_contract_fulfillment memcpy_async(T *dst, const T *src, Shape bytes,
                                                 pipeline<S> &p)
{
    const bool apart = details::smw_copy(0, 1, dst, src, bytes);

    if (apart) {
        p.smw_bind_copies();
    }
    return apart ? async_contract_fulfillment::async : async_contract_fulfillment::none;
}

template <class Group, class T, class Shape, thread_scope S>
SMW_CUDA async_contract_fulfillment memcpy_async(const Group &g, T *dst, const T *src,
                                                 Shape bytes, pipeline<S> &p)
{
    const bool apart = details::smw_copy(g.thread_rank(), g.size(), dst, src, bytes);

    if (apart) {
        p.smw_bind_copies();
    }
    return apart ? async_contract_fulfillment::async : async_contract_fulfillment::none;
}

/* All but the N latest stages of this thread are there. */
template <unsigned char N>
SMW_CUDA void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
    __pipeline_wait_prior(N);
}

/* The barrier's phase ends after the copies that this thread has begun. */
template <thread_scope S, class F>
SMW_CUDA void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                       barrier<S, F> &b)
{
    b.smw_bind_copies();
}

} /* namespace cuda */
#endif

#endif /* SMWAVE_PIPELINE_H */
