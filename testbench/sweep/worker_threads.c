#include "sweep/worker_pool_priv.h"

#include "base/nomem.h"
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
    pthread_mutex_t lock;     /* of next and all that follows */
    struct pool_ended *ended; /* one for each thread; one that finds no place waits */
    uint32_t n_ended, max_ended;
    pthread_cond_t has_place;
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
    while (c->n_ended == c->max_ended && !atomic_load(&c->stop)) {
        pthread_cond_wait(&c->has_place, &c->lock);
    }
    if (c->n_ended < c->max_ended) { /* else nobody asks any more */
        c->ended[c->n_ended++] = *x;
    }
    c->busy--;
    c->wake(c->wake_ctx);
    pthread_mutex_unlock(&c->lock);
}

struct trial {
    struct pool_crew *crew;
    struct pool_ended *x;
    bool failed; /* for want of memory: what is left is to write that down */
};

static void try_point(void *arg)
{
    struct trial *const t = arg;
    const struct job *const j = &t->crew->job;
    struct pool_ended *const x = t->x;

    x->how = t->failed ? job_fail(j, x->index, &x->done, &x->e)
                       : job_run(j, x->index, &x->done, &x->e);
}

/* Here nobody else can say that a point found no memory; there may be some again. */
static void run_point(struct pool_crew *c, struct pool_ended *x)
{
    struct trial t = {.crew = c, .x = x};

    if (nomem_try(try_point, &t)) {
        return;
    }
    t.failed = true;
    err_clear(&x->e);
    if (!nomem_try(try_point, &t)) {
        err_clear(&x->e);
        (void)err_set(&x->e, SMW_ERR_NOMEM, "out of memory");
        x->how = JOB_UNWRITTEN;
    }
}

static void *thread(void *ctx)
{
    struct pool_crew *c = ctx;
    uint64_t index = 0;

    while (take_next(c, &index)) {
        struct pool_ended x = {.index = index};

        run_point(c, &x);
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
    c->max_ended = workers;
    c->ended = tb_alloc(workers * sizeof(*c->ended));
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->has_place, NULL);
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
        pthread_cond_signal(&c->has_place);
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
    if (now) {
        atomic_store(&c->stop, true);
        pthread_cond_broadcast(&c->has_place);
    }
    pthread_mutex_unlock(&c->lock);
}

void crew_join(struct pool_crew *c)
{
    for (uint32_t i = 0; i < c->n_threads; i++) {
        pthread_join(c->threads[i], NULL);
    }
    pthread_cond_destroy(&c->has_place);
    pthread_mutex_destroy(&c->lock);
    free(c->threads);
    free(c->ended);
    free(c);
}
