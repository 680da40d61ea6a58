#include "sweep/worker_pool_priv.h"

#include "io/file.h"
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct pool_crew {
    struct job job; /* ours: it stops when stop says */
    const uint64_t *todo;
    uint64_t n, next;
    atomic_bool stop;
    pthread_mutex_t lock; /* of next and all that follows */
    struct pool_ended *ended;
    uint32_t n_ended, max_ended;
    uint32_t alive, busy;
    pool_wake *wake;
    void *wake_ctx;
    pthread_t *threads;
    uint32_t n_threads;
};

static bool take_next(struct pool_crew *c, uint64_t *index)
{
    bool is_one = false;

    pthread_mutex_lock(&c->lock);
    if (c->next < c->n) {
        *index = c->todo[c->next++];
        c->busy++;
        is_one = true;
    }
    pthread_mutex_unlock(&c->lock);
    return is_one;
}

static void tell(struct pool_crew *c, const struct pool_ended *x)
{
    pthread_mutex_lock(&c->lock);
    if (c->n_ended == c->max_ended) {
        c->max_ended = 2 * c->max_ended + 16;
        c->ended = tb_realloc(c->ended, c->max_ended * sizeof(*c->ended));
    }
    c->ended[c->n_ended++] = *x;
    c->busy--;
    c->wake(c->wake_ctx);
    pthread_mutex_unlock(&c->lock);
}

static void *thread(void *ctx)
{
    struct pool_crew *c = ctx;
    uint64_t index = 0;

    while (take_next(c, &index)) {
        struct pool_ended x = {.index = index};

        x.how = job_run(&c->job, index, &x.done, &x.e);
        tell(c, &x);
    }
    pthread_mutex_lock(&c->lock);
    c->alive--;
    c->wake(c->wake_ctx);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals are for the thread that runs the loop. */
static bool start_threads(struct pool_crew *c, uint32_t workers, struct smw_err *e)
{
    sigset_t all, old;
    int error = 0;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_mutex_lock(&c->lock);
    while (c->n_threads < workers && error == 0) {
        error = pthread_create(&c->threads[c->n_threads], NULL, thread, c);
        c->n_threads += error == 0;
    }
    c->alive = c->n_threads;
    pthread_mutex_unlock(&c->lock);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return c->n_threads > 0 ||
           err_set(e, SMW_ERR_IO, "no thread for a worker: %s", strerror(error));
}

/* What a point frees the next one takes; given back to the system in between, it costs
 * more than many a point. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

struct pool_crew *crew_start(const struct job *j, const uint64_t *todo, uint64_t n,
                             uint32_t workers, pool_wake *wake, void *ctx,
                             struct smw_err *e)
{
    struct pool_crew *c = tb_alloc(sizeof(*c));

    *c = (struct pool_crew){
        .job = *j, .todo = todo, .n = n, .wake = wake, .wake_ctx = ctx};
    c->job.limits.stop = &c->stop;
    c->threads = tb_alloc(workers * sizeof(*c->threads));
    pthread_mutex_init(&c->lock, NULL);
    keep_memory();
    if (!start_threads(c, workers, e)) {
        crew_join(c);
        return NULL;
    }
    return c;
}

bool crew_take(struct pool_crew *c, struct pool_ended *out)
{
    bool is_one;

    pthread_mutex_lock(&c->lock);
    is_one = c->n_ended > 0;
    if (is_one) {
        *out = c->ended[--c->n_ended];
    }
    pthread_mutex_unlock(&c->lock);
    return is_one;
}

static uint32_t look(struct pool_crew *c, const uint32_t *what)
{
    uint32_t n;

    pthread_mutex_lock(&c->lock);
    n = *what;
    pthread_mutex_unlock(&c->lock);
    return n;
}

uint32_t crew_alive(struct pool_crew *c)
{
    return look(c, &c->alive);
}

uint32_t crew_busy(struct pool_crew *c)
{
    return look(c, &c->busy);
}

void crew_stop(struct pool_crew *c, bool now)
{
    pthread_mutex_lock(&c->lock);
    c->n = c->next;
    pthread_mutex_unlock(&c->lock);
    if (now) {
        atomic_store(&c->stop, true);
    }
}

void crew_join(struct pool_crew *c)
{
    for (uint32_t i = 0; i < c->n_threads; i++) {
        pthread_join(c->threads[i], NULL);
    }
    pthread_mutex_destroy(&c->lock);
    free(c->threads);
    free(c->ended);
    free(c);
}
