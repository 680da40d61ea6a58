/*
 * observer.h - whoever wants to see what a program does on its devices: results,
 * waveforms, records of launches. The runtime calls observers; it knows nothing of
 * them.
 *
 * Calls come while the runtime's lock is held, in the order in which things happen,
 * from the thread of the program that caused them. An observer may use the device it is
 * given through smwave.h, but calls no CUDA function. Pointers are valid during the
 * call; device, module and kernel until device_closing.
 */
#ifndef RUNTIME_OBSERVER_H
#define RUNTIME_OBSERVER_H

#include "runtime/settings.h"

struct rt_launch_seen {
    uint32_t device; /* the program's number of it */
    uint64_t number; /* of the launch, from 1 over all devices */
    uint32_t result; /* for smw_result() of the device */
    bool timed;      /* false: functional, see SMWAVE_LAUNCHES */
    struct smw_device *on;
    const struct smw_module *module;
    const struct smw_kernel *kernel;
    const struct smw_launch *launch; /* with its parameters; NULL once it finished */
};

/* Each may be NULL. */
struct rt_observer {
    void *ctx;
    /* A device was opened, by the first call that needs it. */
    void (*device_opened)(void *ctx, uint32_t device, struct smw_device *d,
                          const struct smw_config *c);
    /* text: the PTX, n of them if it was linked from several. */
    void (*module_loaded)(void *ctx, uint32_t device, const struct smw_module *m,
                          const struct smw_text *text, uint32_t n);
    /* About to be queued: the device's memory is what the host has queued so far only
     * after smw_synchronize(). */
    void (*launch_queued)(void *ctx, const struct rt_launch_seen *l);
    /* It has been queued. An observer may wait for it: smw_synchronize(). */
    void (*launch_issued)(void *ctx, const struct rt_launch_seen *l);
    /* In the order of launch_queued, once each. */
    void (*launch_finished)(void *ctx, const struct rt_launch_seen *l,
                            const struct smw_result *r);
    /* A kernel is at fault; the device runs nothing any more. */
    void (*faulted)(void *ctx, uint32_t device, const struct smw_fault *f);
    /* Everything has run. The device goes away: cudaDeviceReset() or the end. */
    void (*device_closing)(void *ctx, uint32_t device, struct smw_device *d);
    void (*program_ends)(void *ctx);
};

/* Before the first device is opened. The structure is copied; at most four. */
void rt_observe(const struct rt_observer *o);
/* Hooks that are compiled in call rt_observe(), and say in *s what they need; called
 * once, before the first device. */
void rt_observers_attach(struct rt_settings *s);
/* Such a one, where it is linked in (session/session.h). */
void session_attach(struct rt_settings *s) __attribute__((weak));

#endif /* RUNTIME_OBSERVER_H */
