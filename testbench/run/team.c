#include "run/team.h"

#include "base/err.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 1000,  /* at another thread, before the processor is offered to others */
    YIELDS = 2000, /* of the processor, before a helper sleeps */
    HURRIES = 64,  /* calls in which the caller waits for no helper to begin, after one
                      that did not */
    APART = 128    /* bytes: lines that a host fetches together */
};

/* One of the n parts of each call, with who does it mostly: its state is near him. */
struct part {
    _Alignas(APART) atomic_uint call; /* in which it was taken last */
    pthread_t helper;                 /* but of part 0, which is the caller's */
    struct team *team;
    uint32_t number;
};

struct team {
    struct smw_team is;
    struct part *parts; /* is.n */
    uint32_t n_helpers;
    uint32_t hurries;     /* calls still to come */
    pthread_mutex_t lock; /* of sleeping */
    pthread_cond_t call;
    void (*job)(void *arg, uint32_t i);
    void *arg;
    atomic_bool end; /* the next call is the last, and there is no job */
    _Alignas(APART) atomic_uint calls;
    _Alignas(APART) atomic_uint done; /* by helpers, of the parts of the last call */
    _Alignas(APART) atomic_uint sleeping;
};

/* ---- the parts of a call ---- */

/* Take the part in that call, unless somebody has, or the call is over: in each call
 * all parts are taken. */
static bool take(struct part *p, uint32_t call)
{
    uint32_t before = call - 1;

    return atomic_compare_exchange_strong(&p->call, &before, call);
}

/* Between two looks, of which this is the i-th. */
static inline void pass_time(uint32_t i)
{
    if (i >= LOOKS) {
        (void)sched_yield();
        return;
    }
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- helpers ---- */

/* Wait for another call than that one; returns its number. */
static uint32_t wait_for_call(struct team *t, uint32_t seen)
{
    uint32_t call = seen;

    for (uint32_t i = 0; i < LOOKS + YIELDS && call == seen; i++) {
        pass_time(i);
        call = atomic_load_explicit(&t->calls, memory_order_acquire);
    }
    if (call == seen) {
        pthread_mutex_lock(&t->lock);
        atomic_fetch_add(&t->sleeping, 1);
        while ((call = atomic_load(&t->calls)) == seen) {
            pthread_cond_wait(&t->call, &t->lock);
        }
        atomic_fetch_sub(&t->sleeping, 1);
        pthread_mutex_unlock(&t->lock);
    }
    return call;
}

static void *help(void *ctx)
{
    struct part *p = ctx;
    struct team *t = p->team;
    uint32_t call = 0;

    for (;;) {
        call = wait_for_call(t, call);
        if (atomic_load(&t->end)) {
            return NULL;
        }
        if (take(p, call)) {
            t->job(t->arg, p->number);
            atomic_fetch_add_explicit(&t->done, 1, memory_order_release);
        }
    }
}

/* ---- the caller ---- */

static uint32_t call(struct team *t)
{
    const uint32_t number = atomic_fetch_add(&t->calls, 1) + 1;

    if (atomic_load(&t->sleeping) > 0) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->call);
        pthread_mutex_unlock(&t->lock);
    }
    return number;
}

/* Wait a little for the helper of the part to begin. False: it has not; the caller may
 * take the part. */
static bool begins(struct team *t, const struct part *p, uint32_t call)
{
    const uint32_t looks = t->hurries > 0 ? 1 : LOOKS;

    for (uint32_t i = 0; i < looks; i++) {
        if (atomic_load_explicit(&p->call, memory_order_relaxed) == call) {
            return true;
        }
        pass_time(i);
    }
    return false;
}

static void run(void *ctx, void (*job)(void *arg, uint32_t i), void *arg)
{
    struct team *t = ctx;
    uint32_t of_helpers = t->n_helpers, number;

    t->job = job;
    t->arg = arg;
    t->hurries -= t->hurries > 0;
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    number = call(t);
    (void)take(&t->parts[0], number);
    job(arg, 0);
    for (uint32_t i = 1; i < t->is.n; i++) {
        if (!begins(t, &t->parts[i], number) && take(&t->parts[i], number)) {
            t->hurries = HURRIES;
            job(arg, i);
            of_helpers--;
        }
    }
    for (uint32_t i = 0;
         atomic_load_explicit(&t->done, memory_order_acquire) != of_helpers; i++) {
        pass_time(i);
    }
}

/* Zeroed, with no line that others have; NULL: no memory. */
static void *apart(size_t size)
{
    void *p = NULL;

    return posix_memalign(&p, APART, size) == 0 ? memset(p, 0, size) : NULL;
}

struct team *team_open(uint32_t n, struct smw_err *e)
{
    struct team *t = apart(sizeof(*t));
    struct part *parts = apart(n * sizeof(*parts));
    sigset_t all, old;
    int error = 0;

    if (t == NULL || parts == NULL) {
        free(t);
        free(parts);
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for %u threads", n);
        return NULL;
    }
    t->is = (struct smw_team){.run = run, .ctx = t, .n = n};
    t->parts = parts;
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->call, NULL);
    (void)sigfillset(&all); /* signals are for who steps */
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    while (t->n_helpers + 1 < n && error == 0) {
        struct part *p = &t->parts[t->n_helpers + 1];

        p->team = t;
        p->number = t->n_helpers + 1;
        error = pthread_create(&p->helper, NULL, help, p);
        t->n_helpers += error == 0;
    }
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error != 0) {
        (void)err_set(e, SMW_ERR_NOMEM, "thread %u of %u: %s", t->n_helpers + 2, n,
                      strerror(error));
        team_close(t);
        return NULL;
    }
    return t;
}

const struct smw_team *team_of(const struct team *t)
{
    return t != NULL ? &t->is : NULL;
}

void team_close(struct team *t)
{
    if (t == NULL) {
        return;
    }
    atomic_store(&t->end, true);
    (void)call(t);
    for (uint32_t i = 0; i < t->n_helpers; i++) {
        (void)pthread_join(t->parts[i + 1].helper, NULL);
    }
    (void)pthread_mutex_destroy(&t->lock);
    (void)pthread_cond_destroy(&t->call);
    free(t->parts);
    free(t);
}
