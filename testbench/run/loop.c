#include "run/loop.h"

#include "io/file.h"
#include <ev.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A slice should last about this long: short enough for Ctrl-C to feel immediate, long
 * enough for the loop to cost nothing. */
#define SLICE_SECONDS    0.02
#define PROGRESS_SECONDS 0.25

enum { FIRST_SLICE = 2000 };

struct run {
    struct smw_device *device;
    const struct loop_options *opt;
    struct loop_result result;
    ev_signal on_int, on_term;
    ev_timer on_progress;
    ev_idle on_idle;
    uint64_t slice; /* instants */
    double started;
    bool drawn; /* a progress line stands on the terminal */
};

/* 12345678 -> "12.3 M" */
static void metric(double v, char *buf, size_t size)
{
    static const char prefixes[] = " kMGT";
    uint32_t i = 0;

    while (v >= 1000 && i + 2 < sizeof(prefixes)) {
        v /= 1000;
        i++;
    }
    if (i == 0) {
        snprintf(buf, size, "%.0f", v);
    } else {
        snprintf(buf, size, "%.1f %c", v, prefixes[i]);
    }
}

static void draw(struct run *r)
{
    double seconds = ev_time() - r->started;
    struct smw_progress p = {0};
    char cycles[32], cycle_rate[32], inst_rate[32];

    smw_progress(r->device, &p);
    metric((double)p.cycles, cycles, sizeof(cycles));
    metric((double)p.cycles / seconds, cycle_rate, sizeof(cycle_rate));
    metric((double)p.thread_insts / seconds, inst_rate, sizeof(inst_rate));
    fprintf(stderr,
            "\r\033[K%s cycles   %s cycles/s   %s thread insts/s   %" PRIu64 "/%" PRIu64
            " blocks",
            cycles, cycle_rate, inst_rate, p.blocks_done, p.blocks_total);
    fflush(stderr);
    r->drawn = true;
}

static void on_progress(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)loop;
    (void)events;
    draw(w->data);
}

static void on_signal(struct ev_loop *loop, ev_signal *w, int events)
{
    struct run *r = w->data;

    (void)loop;
    (void)events;
    if (r->result.signal != 0) {
        _exit(128 + w->signum); /* asked twice: now */
    }
    r->result.signal = w->signum;
    smw_stop(r->device);
}

/* Aim the next slice at SLICE_SECONDS, at most four times longer or shorter. */
static void adapt(struct run *r, double seconds)
{
    double factor = seconds > 0 ? SLICE_SECONDS / seconds : 4;

    factor = factor > 4 ? 4 : factor < 0.25 ? 0.25 : factor;
    r->slice = (uint64_t)((double)r->slice * factor) + 1;
}

static void on_idle(struct ev_loop *loop, ev_idle *w, int events)
{
    struct run *r = w->data;
    double before = ev_time();

    (void)events;
    r->result.status = smw_step(r->device, r->slice);
    adapt(r, ev_time() - before);
    if (r->opt->slice != NULL) {
        r->opt->slice(r->opt->ctx);
    }
    if (r->result.status != SMW_RUNNING) {
        ev_idle_stop(loop, w);
        ev_break(loop, EVBREAK_ALL);
    }
}

/* Without one the library would end the process. */
static void *room(void *p, long n)
{
    if (n > 0) {
        return tb_realloc(p, (size_t)n);
    }
    free(p);
    return NULL;
}

static void mask(int how)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigprocmask(how, &set, NULL);
}

void loop_hold(void)
{
    mask(SIG_BLOCK);
}

void loop_release(void)
{
    mask(SIG_UNBLOCK);
}

struct loop_result loop_run(struct smw_device *d, const struct loop_options *opt)
{
    struct run r = {.device = d, .opt = opt, .slice = FIRST_SLICE};
    struct ev_loop *loop;

    ev_set_allocator(room);
    loop = ev_default_loop(0);
    if (loop == NULL) { /* no loop: run through, without signals and progress */
        r.result.status = smw_step(d, 0);
        return r.result;
    }
    r.started = ev_time();
    ev_signal_init(&r.on_int, on_signal, SIGINT);
    ev_signal_init(&r.on_term, on_signal, SIGTERM);
    ev_timer_init(&r.on_progress, on_progress, PROGRESS_SECONDS, PROGRESS_SECONDS);
    ev_idle_init(&r.on_idle, on_idle);
    r.on_int.data = r.on_term.data = r.on_progress.data = r.on_idle.data = &r;
    ev_signal_start(loop, &r.on_int);
    ev_signal_start(loop, &r.on_term);
    loop_release();
    if (opt->progress) {
        ev_timer_start(loop, &r.on_progress);
    }
    ev_idle_start(loop, &r.on_idle);
    ev_run(loop, 0);
    r.result.seconds = ev_time() - r.started;
    ev_timer_stop(loop, &r.on_progress);
    loop_hold();
    ev_signal_stop(loop, &r.on_int);
    ev_signal_stop(loop, &r.on_term);
    ev_loop_destroy(loop);
    if (r.drawn) {
        fputs("\r\033[K", stderr);
    }
    return r.result;
}
