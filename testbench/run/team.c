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
    APART = 128    /* bytes: lines that a host fetches together */
};

struct helper {
    pthread_t thread;
    struct team *team;
    uint32_t number;
};

struct team {
    struct smw_team is;
    struct helper *helpers; /* is.n - 1 */
    uint32_t n_helpers;
    pthread_mutex_t lock; /* of sleeping */
    pthread_cond_t call;
    void (*job)(void *arg, uint32_t i);
    void *arg;
    bool end; /* the next call is the last, and there is no job */
    _Alignas(APART) atomic_uint calls;
    _Alignas(APART) atomic_uint left; /* helpers that have not done the last call */
    _Alignas(APART) atomic_uint sleeping;
};

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

/* Wait for another call than the seen-th; returns its number. */
static unsigned wait_for_call(struct team *t, unsigned seen)
{
    unsigned calls = seen;

    for (uint32_t i = 0; i < LOOKS + YIELDS && calls == seen; i++) {
        pass_time(i);
        calls = atomic_load_explicit(&t->calls, memory_order_acquire);
    }
    if (calls == seen) {
        pthread_mutex_lock(&t->lock);
        atomic_fetch_add(&t->sleeping, 1);
        while ((calls = atomic_load(&t->calls)) == seen) {
            pthread_cond_wait(&t->call, &t->lock);
        }
        atomic_fetch_sub(&t->sleeping, 1);
        pthread_mutex_unlock(&t->lock);
    }
    return calls;
}

static void *help(void *ctx)
{
    struct helper *h = ctx;
    struct team *t = h->team;
    unsigned seen = 0;

    for (;;) {
        seen = wait_for_call(t, seen);
        if (t->end) {
            return NULL;
        }
        t->job(t->arg, h->number);
        atomic_fetch_sub_explicit(&t->left, 1, memory_order_release);
    }
}

static void call(struct team *t)
{
    atomic_fetch_add(&t->calls, 1);
    if (atomic_load(&t->sleeping) > 0) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_broadcast(&t->call);
        pthread_mutex_unlock(&t->lock);
    }
}

static void run(void *ctx, void (*job)(void *arg, uint32_t i), void *arg)
{
    struct team *t = ctx;

    t->job = job;
    t->arg = arg;
    atomic_store_explicit(&t->left, t->n_helpers, memory_order_relaxed);
    call(t);
    job(arg, 0);
    for (uint32_t i = 0; atomic_load_explicit(&t->left, memory_order_acquire) > 0;
         i++) {
        pass_time(i);
    }
}

struct team *team_open(uint32_t n, struct smw_err *e)
{
    struct team *t = NULL;
    sigset_t all, old;
    int error = 0;

    if (posix_memalign((void **)&t, APART, sizeof(*t)) != 0) {
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for %u threads", n);
        return NULL;
    }
    memset(t, 0, sizeof(*t));
    t->is = (struct smw_team){.run = run, .ctx = t, .n = n};
    t->helpers = calloc(n, sizeof(*t->helpers));
    if (t->helpers == NULL) {
        free(t);
        (void)err_set(e, SMW_ERR_NOMEM, "no memory for %u threads", n);
        return NULL;
    }
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)pthread_cond_init(&t->call, NULL);
    (void)sigfillset(&all); /* signals are for who steps */
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    while (t->n_helpers + 1 < n && error == 0) {
        struct helper *h = &t->helpers[t->n_helpers];

        *h = (struct helper){.team = t, .number = t->n_helpers + 1};
        error = pthread_create(&h->thread, NULL, help, h);
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
    t->end = true;
    call(t);
    for (uint32_t i = 0; i < t->n_helpers; i++) {
        (void)pthread_join(t->helpers[i].thread, NULL);
    }
    (void)pthread_mutex_destroy(&t->lock);
    (void)pthread_cond_destroy(&t->call);
    free(t->helpers);
    free(t);
}
