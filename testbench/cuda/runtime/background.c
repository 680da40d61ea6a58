/*
 * Programs that wait for the device without asking it: for memory that a kernel writes,
 * or for what a callback does. A real device goes on meanwhile. Here a thread steps the
 * model once the program has called nothing for a while, and only if it can tell the
 * difference: if there is memory that both sides use, or a call of the host is queued.
 * Programs that do not wait so run as if it did not exist; their modelled times depend
 * on no clock.
 */
#define _GNU_SOURCE /* clock_gettime() of the process */
#include "runtime/rt.h"
#include <time.h>
#include <unistd.h>

/* The program waits if it has called nothing for so long: in processor time, when it
 * looks again and again; in time, when it sleeps. The second is long, since other
 * programs may have had the processor. */
enum { LOOK_US = 20000, BUSY_MS = 200, ASLEEP_MS = 1000 };

static uint64_t now_ms(clockid_t clock)
{
    struct timespec t;

    return clock_gettime(clock, &t) == 0
               ? (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000
               : 0;
}

/* A step of each device; false: nothing is left to do. */
static bool step_all(struct rt *rt)
{
    bool more = false;

    for (uint32_t i = 0; i < rt->settings.n_devices; i++) {
        struct rt_device *d = &rt->device[i];

        if (d->dev != NULL && d->busy && d->sticky == cudaSuccess) {
            (void)rt_poll(d);
            more = more || d->busy;
        }
    }
    return more;
}

static void *work(void *arg)
{
    struct rt *rt = arg;
    uint64_t calls = 0, busy = 0, clock = 0;
    bool waits = false;

    for (;;) {
        if (!waits) {
            usleep(LOOK_US);
        }
        pthread_mutex_lock(&rt->lock);
        if (rt->ended) {
            break;
        }
        if (rt->n_calls != calls || !waits) {
            uint64_t b = now_ms(CLOCK_PROCESS_CPUTIME_ID), c = now_ms(CLOCK_MONOTONIC);

            if (rt->n_calls != calls) {
                calls = rt->n_calls;
                busy = b;
                clock = c;
            }
            waits = b - busy >= BUSY_MS || c - clock >= ASLEEP_MS;
        }
        if (waits) {
            waits = step_all(rt);
            busy = waits ? busy : now_ms(CLOCK_PROCESS_CPUTIME_ID);
            clock = waits ? clock : now_ms(CLOCK_MONOTONIC);
        }
        pthread_mutex_unlock(&rt->lock);
    }
    pthread_mutex_unlock(&rt->lock);
    return NULL;
}

void rt_background(void)
{
    struct rt *rt = rt_process();
    pthread_t thread;

    if (rt->background) {
        return;
    }
    rt->background = true; /* tried once */
    if (pthread_create(&thread, NULL, work, rt) == 0) {
        (void)pthread_detach(thread);
    } else {
        rt_say(
            "no thread for programs that wait for memory or callbacks: they may hang");
    }
}
