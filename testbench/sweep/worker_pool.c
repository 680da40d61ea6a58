#include "sweep/worker_pool_priv.h"

#include "base/nomem.h"
#include "io/file.h"
#include "sweep/worker.h"
#include <errno.h>
#include <ev.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRESS_SECONDS 0.25

/* A worker looks at the clock itself; one that does not get there is killed. */
#define GRACE_SECONDS 5.0

enum { SAID_BYTES = 4096, SIGNALS = 3 };

struct slot { /* a worker process */
    struct pool *pool;
    bool busy;
    uint64_t index;
    pid_t pid;
    ev_child on_exit;
    ev_io on_say;
    ev_timer on_overdue;
    char said[SAID_BYTES]; /* the beginning of it */
    size_t n_said;
    bool overdue;
};

struct pool {
    const struct job *job;
    const uint64_t *todo;
    uint64_t n, next; /* of todo */
    const struct pool_options *opt;
    struct pool_result *result;
    struct ev_loop *loop;
    ev_signal on_signal[SIGNALS];
    ev_timer on_progress;
    struct slot *slots;
    uint32_t n_busy;
    struct pool_crew *crew; /* in threads */
    ev_async on_crew;
    double started;
    bool leaving, killing; /* after a first signal, a second */
    bool drawn;            /* a progress line stands on the terminal */
};

/* ---- keeping count ---- */

static void count(struct pool *p, const struct store_done *d)
{
    p->result->n_ok += d->status == STORE_OK;
    p->result->n_failed += d->status != STORE_OK;
}

static void count_unwritten(struct pool *p, const struct smw_err *e)
{
    p->result->n_failed++;
    if (p->result->n_unwritten++ == 0) {
        p->result->unwritten = *e;
    }
}

static void draw(struct pool *p)
{
    const struct pool_result *r = p->result;
    uint64_t ended = r->n_ok + r->n_failed;
    double seconds = ev_time() - p->started;
    double rate = seconds > 0 ? (double)ended / seconds : 0;

    fprintf(stderr, "\r\033[K%" PRIu64 "/%" PRIu64 " points", ended, p->n);
    if (ended > 0 && rate > 0) {
        fprintf(stderr, "   %.1f/s   %" PRIu64 " failed   about %.0f s left", rate,
                r->n_failed, (double)(p->n - ended) / rate);
    }
    fflush(stderr);
    p->drawn = true;
}

static void wipe(struct pool *p)
{
    if (p->drawn) {
        fputs("\r\033[K", stderr);
        p->drawn = false;
    }
}

static void on_progress(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop;
    (void)events;
    draw(w->data);
}

/* ---- processes ---- */

static void fill_slots(struct pool *p);

static void hear(struct slot *s)
{
    char rest[SAID_BYTES];
    ssize_t n;

    do {
        size_t room = sizeof(s->said) - 1 - s->n_said;

        n = read(s->on_say.fd, room > 0 ? s->said + s->n_said : rest,
                 room > 0 ? room : sizeof(rest));
        if (n > 0 && room > 0) {
            s->n_said += (size_t)n;
        }
    } while (n > 0 || (n < 0 && errno == EINTR));
    s->said[s->n_said] = '\0';
    if (n == 0) {
        ev_io_stop(s->pool->loop, &s->on_say);
    }
}

static void on_say(struct ev_loop *loop, ev_io *w, int events)
{
    (void)loop;
    (void)events;
    hear(w->data);
}

static void on_overdue(struct ev_loop *loop, ev_timer *w, int events)
{
    struct slot *s = w->data;

    (void)loop;
    (void)events;
    s->overdue = true;
    (void)kill(s->pid, SIGKILL);
}

/* The digest of a point is in the plan alone. */
static bool read_done(struct pool *p, uint64_t index, struct store_done *d,
                      struct smw_err *e)
{
    struct sweep_point point;

    if (!plan_point(p->job->plan, index, &point, e)) {
        return false;
    }
    (void)store_read(p->job->dir, index, point.digest, d, e);
    sweep_point_free(&point);
    return e->kind == SMW_ERR_NONE;
}

static bool write_failure(struct pool *p, const struct store_done *d, struct smw_err *e)
{
    char *part = store_begin(p->job->dir, d->index, e);
    bool ok = part != NULL && store_commit(p->job->dir, part, d, e);

    free(part);
    return ok;
}

static void conclude(struct slot *s, int status)
{
    struct pool *p = s->pool;
    struct worker_end end = {status, s->said, s->overdue};
    struct store_done done;
    struct smw_err e = {0};
    bool ok;

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        ok = read_done(p, s->index, &done, &e);
    } else {
        store_discard_of(p->job->dir, s->index, (long)s->pid);
        if (p->killing) {
            return;
        }
        ok = read_done(p, s->index, &done, &e);
        worker_judge(&end, p->job, &done);
        if (ok && !write_failure(p, &done, &e)) {
            err_clear(&e);
            err_set(&e, SMW_ERR_IO, "%s", done.error);
            ok = false;
        }
    }
    if (ok) {
        count(p, &done);
    } else {
        count_unwritten(p, &e);
    }
}

static void on_exit_of(struct ev_loop *loop, ev_child *w, int events)
{
    struct slot *s = w->data;
    struct pool *p = s->pool;

    (void)events;
    hear(s);
    ev_child_stop(loop, w);
    ev_io_stop(loop, &s->on_say);
    ev_timer_stop(loop, &s->on_overdue);
    (void)close(s->on_say.fd);
    s->busy = false;
    p->n_busy--;
    conclude(s, w->rstatus);
    fill_slots(p);
}

static bool start_worker(struct pool *p, struct slot *s, uint64_t index,
                         struct smw_err *e)
{
    double seconds = p->job->limits.seconds;
    int say = -1;

    s->pid = worker_start(p->job, index, &say, e);
    if (s->pid < 0) {
        return false;
    }
    s->index = index;
    s->busy = true;
    s->overdue = false;
    s->n_said = 0;
    s->said[0] = '\0';
    ev_child_init(&s->on_exit, on_exit_of, s->pid, 0);
    ev_io_init(&s->on_say, on_say, say, EV_READ);
    ev_timer_init(&s->on_overdue, on_overdue, seconds + GRACE_SECONDS, 0);
    s->on_exit.data = s->on_say.data = s->on_overdue.data = s;
    ev_child_start(p->loop, &s->on_exit);
    ev_io_start(p->loop, &s->on_say);
    if (seconds > 0) {
        ev_now_update(p->loop);
        ev_timer_start(p->loop, &s->on_overdue);
    }
    p->n_busy++;
    return true;
}

static struct slot *free_slot(struct pool *p)
{
    for (uint32_t i = 0; i < p->opt->workers; i++) {
        if (!p->slots[i].busy) {
            return &p->slots[i];
        }
    }
    return NULL;
}

static void fill_slots(struct pool *p)
{
    struct slot *s;

    while (p->next < p->n && !p->leaving && (s = free_slot(p)) != NULL) {
        struct smw_err e = {0};

        if (!start_worker(p, s, p->todo[p->next], &e)) {
            if (p->n_busy > 0) {
                return; /* the machine is full: again when one has ended */
            }
            count_unwritten(p, &e);
        }
        p->next++;
    }
    if (p->n_busy == 0) {
        ev_break(p->loop, EVBREAK_ALL);
    }
}

/* ---- threads ---- */

static void wake(void *ctx)
{
    struct pool *p = ctx;

    ev_async_send(p->loop, &p->on_crew);
}

static void on_crew(struct ev_loop *loop, ev_async *w, int events)
{
    struct pool *p = w->data;
    struct pool_ended x;
    bool all = crew_alive(p->crew) == 0;

    (void)events;
    while (crew_take(p->crew, &x)) {
        if (x.how == JOB_DONE) {
            count(p, &x.done);
        } else if (x.how == JOB_UNWRITTEN) {
            count_unwritten(p, &x.e);
        }
    }
    if (all) {
        ev_break(loop, EVBREAK_ALL);
    }
}

/* ---- signals ---- */

static void leave(struct pool *p)
{
    uint32_t n = p->crew != NULL ? crew_busy(p->crew) : p->n_busy;

    p->leaving = true;
    if (p->crew != NULL) {
        crew_stop(p->crew, false);
    }
    wipe(p);
    fprintf(stderr, "smwave: %u point%s will finish; Ctrl-C again stops %s\n", n,
            n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

static void stop_all(struct pool *p)
{
    p->killing = true;
    if (p->crew != NULL) {
        crew_stop(p->crew, true);
        return;
    }
    for (uint32_t i = 0; i < p->opt->workers; i++) {
        if (p->slots[i].busy) {
            (void)kill(p->slots[i].pid, SIGKILL);
        }
    }
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int events)
{
    struct pool *p = w->data;

    (void)loop;
    (void)events;
    if (p->result->signal == 0) {
        p->result->signal = w->signum;
        leave(p);
        if (p->crew == NULL) {
            fill_slots(p);
        }
    } else if (w->signum != SIGUSR1) {
        stop_all(p);
    }
}

/* ---- the whole ---- */

/* Without one the library would end the process. */
static void *room(void *p, long n)
{
    if (n > 0) {
        return tb_realloc(p, (size_t)n);
    }
    free(p);
    return NULL;
}

static void start_watching(struct pool *p)
{
    static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGUSR1};

    for (int i = 0; i < SIGNALS; i++) {
        ev_signal_init(&p->on_signal[i], on_signal, signals[i]);
        p->on_signal[i].data = p;
        ev_signal_start(p->loop, &p->on_signal[i]);
    }
    ev_timer_init(&p->on_progress, on_progress, PROGRESS_SECONDS, PROGRESS_SECONDS);
    ev_async_init(&p->on_crew, on_crew);
    p->on_progress.data = p->on_crew.data = p;
    if (p->opt->progress) {
        ev_timer_start(p->loop, &p->on_progress);
    }
    p->started = ev_time();
}

static void stop_watching(struct pool *p)
{
    for (int i = 0; i < SIGNALS; i++) {
        ev_signal_stop(p->loop, &p->on_signal[i]);
    }
    ev_timer_stop(p->loop, &p->on_progress);
    wipe(p);
}

static bool run_threads(struct pool *p, struct smw_err *e)
{
    ev_async_start(p->loop, &p->on_crew);
    p->crew = crew_start(p->job, p->todo, p->n, p->opt->workers, wake, p, e);
    if (p->crew != NULL) {
        ev_run(p->loop, 0);
        crew_join(p->crew);
    }
    ev_async_stop(p->loop, &p->on_crew);
    return p->crew != NULL;
}

static void run_processes(struct pool *p)
{
    p->slots = tb_alloc(p->opt->workers * sizeof(*p->slots));
    for (uint32_t i = 0; i < p->opt->workers; i++) {
        p->slots[i].pool = p;
    }
    fill_slots(p);
    if (p->n_busy > 0) {
        ev_run(p->loop, 0);
    }
    free(p->slots);
    p->slots = NULL;
}

struct trial {
    struct pool *pool;
    struct smw_err *e;
    bool ok;
};

static void try_all(void *arg)
{
    struct trial *const t = arg;
    struct pool *const p = t->pool;

    p->loop = ev_default_loop(0);
    if (p->loop == NULL) {
        t->ok = err_set(t->e, SMW_ERR_IO, "no event loop could be made");
        return;
    }
    start_watching(p);
    t->ok = true;
    if (p->opt->in_process) {
        t->ok = run_threads(p, t->e);
    } else {
        run_processes(p);
    }
    stop_watching(p);
    ev_loop_destroy(p->loop);
}

/* We have no memory, and none to write down what became of the points that run. */
static void abandon(struct pool *p)
{
    for (uint32_t i = 0; p->slots != NULL && i < p->opt->workers; i++) {
        if (p->slots[i].busy) {
            (void)kill(p->slots[i].pid, SIGKILL);
            while (waitpid(p->slots[i].pid, NULL, 0) < 0 && errno == EINTR) {
            }
        }
    }
    if (p->crew != NULL) {
        crew_stop(p->crew, true);
        crew_join(p->crew);
    }
}

bool pool_run(const struct job *j, const uint64_t *todo, uint64_t n,
              const struct pool_options *o, struct pool_result *r, struct smw_err *e)
{
    struct pool p = {.job = j, .todo = todo, .n = n, .opt = o, .result = r};
    struct trial t = {.pool = &p, .e = e};

    *r = (struct pool_result){0};
    if (n == 0) {
        return true;
    }
    ev_set_allocator(room);
    if (!nomem_try(try_all, &t)) {
        abandon(&p);
        nomem();
    }
    return t.ok;
}
