#include "run/team.h"
#include "runtime/rt.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a runtime library cannot do without: the program hands nothing from call to call
 * that could hold it. */
static struct rt the_process = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .refused = ATOMIC_FLAG_INIT,
};
static _Thread_local struct rt_thread this_thread;

struct rt *rt_process(void)
{
    return &the_process;
}

struct rt_thread *rt_thread(void)
{
    return &this_thread;
}

bool rt_enter(void)
{
    if (this_thread.in_callback) {
        return false;
    }
    pthread_mutex_lock(&the_process.lock);
    the_process.n_calls++;
    return true;
}

/* Errors that are answers are not kept for cudaGetLastError(), nor those of callbacks,
 * which a real runtime calls in threads of its own. */
cudaError_t rt_note(cudaError_t e)
{
    if (e != cudaSuccess && e != cudaErrorNotReady && !this_thread.in_callback &&
        !this_thread.in_driver) {
        this_thread.last = e;
    }
    return e;
}

cudaError_t rt_leave(cudaError_t e)
{
    pthread_mutex_unlock(&the_process.lock);
    return rt_note(e);
}

void rt_say(const char *format, ...)
{
    char line[2048];
    va_list args;

    if (the_process.settings.quiet) {
        return;
    }
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    fprintf(stderr, "smwave: %s\n", line);
}

int rt_refuse(const char *call, const char *why);

int rt_refuse(const char *call, const char *why)
{
    (void)rt_start();
    /* once for all calls: programs try them in loops */
    if (!atomic_flag_test_and_set(&the_process.refused)) {
        rt_say("%s: %s are not supported", call, why);
    }
    return (int)rt_note(cudaErrorNotSupported);
}

void rt_say_error(const char *what, const struct smw_err *e)
{
    rt_say("%s: %s%s%s", what, e->message, e->hint[0] != '\0' ? "; " : "", e->hint);
    if (e->file[0] != '\0') {
        rt_say("  at %s:%u", e->file, e->line);
    }
    if (e->source[0] != '\0') {
        rt_say("  %s", e->source);
    }
}

/* What is queued at the end of the program still runs: a profiler of a real device sees
 * it too, and what kernels print is not lost. */
static void end(void)
{
    struct rt *rt = &the_process;

    if (!rt_enter()) {
        return; /* exit() in a callback: the model is in the middle of a step */
    }
    for (uint32_t i = 0; i < rt->settings.n_devices; i++) {
        struct rt_device *d = &rt->device[i];

        if (d->dev == NULL) {
            continue;
        }
        (void)rt_settle(d);
        for (uint32_t o = 0; o < rt->n_observers; o++) {
            if (rt->observer[o].device_closing != NULL) {
                rt->observer[o].device_closing(rt->observer[o].ctx, i, d->dev);
            }
        }
    }
    for (uint32_t o = 0; o < rt->n_observers; o++) {
        if (rt->observer[o].program_ends != NULL) {
            rt->observer[o].program_ends(rt->observer[o].ctx);
        }
    }
    rt->ended = true;
    pthread_mutex_unlock(&rt->lock);
}

cudaError_t rt_start(void)
{
    struct rt *rt = &the_process;
    struct smw_err e = {0};

    if (rt->ended) {
        return cudaErrorCudartUnloading;
    }
    if (rt->started) {
        return rt->broken ? cudaErrorNoDevice : cudaSuccess;
    }
    rt->started = true;
    if (!rt_settings_read(&rt->settings, NULL, &e)) {
        rt->broken = true;
        rt_say_error("the environment", &e);
        return cudaErrorNoDevice;
    }
    if (rt->settings.threads > 1) {
        rt->team = team_open(rt->settings.threads, &e);
        if (rt->team == NULL) {
            rt->broken = true;
            rt_say_error("SMWAVE_THREADS", &e);
            return cudaErrorNoDevice;
        }
    }
    rt_observers_attach(&rt->settings);
    if (atexit(end) != 0) {
        rt_say("what is queued at the end of the program will not run: atexit() fails");
    }
    return cudaSuccess;
}

void rt_observe(const struct rt_observer *o)
{
    struct rt *rt = &the_process;

    if (rt->n_observers < sizeof(rt->observer) / sizeof(rt->observer[0])) {
        rt->observer[rt->n_observers++] = *o;
    }
}
