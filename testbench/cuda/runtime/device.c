#include "run/team.h"
#include "runtime/capture.h"
#include "runtime/module.h"
#include "runtime/rt.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instants that a question like cudaStreamQuery() lets pass. */
enum { POLL_INSTANTS = 4096 };

uint32_t rt_device_index(const struct rt_device *d)
{
    return (uint32_t)(d - rt_process()->device);
}

bool rt_device_window(uint64_t addr)
{
    return addr >= RT_ADDRESS_FIRST &&
           addr - RT_ADDRESS_FIRST <
               rt_process()->settings.n_devices * SMW_ADDRESS_SPAN;
}

/* Pinned and managed memory is for all devices. */
static void share_host_memory(struct rt_device *d)
{
    struct rt *rt = rt_process();
    struct smw_err e = {0};

    for (uint32_t i = 0; i < rt->settings.n_devices; i++) {
        struct rt_device *other = &rt->device[i];

        if (other != d && other->dev != NULL) {
            (void)smw_peer_host(d->dev, other->dev, true, &e);
            (void)smw_peer_host(other->dev, d->dev, true, &e);
        }
    }
}

static cudaError_t open_device(struct rt_device *d, uint32_t i)
{
    struct rt *rt = rt_process();
    struct smw_err e = {0};
    struct smw_options options = {
        .check = rt->settings.check,
        .max_cycles = rt->settings.max_cycles,
        .stalls = rt->settings.stalls,
        .team = team_of(rt->team),
        .host = rt->settings.host,
        .address_base = RT_ADDRESS_FIRST + i * SMW_ADDRESS_SPAN,
    };

    d->config = rt_settings_config(&rt->settings, i, &e);
    if (d->config != NULL) {
        d->dev = smw_open(d->config, &options, &e);
    }
    if (d->dev == NULL) {
        rt_say_error("SMWAVE_DEVICE", &e);
        smw_config_free(d->config);
        d->config = NULL;
        rt->broken = true;
        return cudaErrorNoDevice;
    }
    smw_device_facts(d->dev, &d->facts);
    d->facts_known = true;
    d->legacy = (struct CUstream_st){.device = i};
    d->next_stream = 1;
    share_host_memory(d);
    for (uint32_t o = 0; o < rt->n_observers; o++) {
        const struct rt_observer *x = &rt->observer[o];

        if (x->device_opened != NULL) {
            x->device_opened(x->ctx, i, d->dev, d->config);
        }
    }
    if (rt->settings.modules_at_once) {
        rt_modules_load(d);
    }
    return cudaSuccess;
}

cudaError_t rt_device_known(int i, struct rt_device **out)
{
    struct rt *rt = rt_process();
    cudaError_t rc = rt_start();
    struct rt_device *d;

    if (rc != cudaSuccess) {
        return rc;
    }
    if (i < 0 || (uint32_t)i >= rt->settings.n_devices) {
        return cudaErrorInvalidDevice;
    }
    d = &rt->device[i];
    if (d->lost) {
        return cudaErrorDevicesUnavailable;
    }
    if (d->dev == NULL && (rc = open_device(d, (uint32_t)i)) != cudaSuccess) {
        return rc;
    }
    *out = d;
    return cudaSuccess;
}

cudaError_t rt_device_open(int i, struct rt_device **out)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_known(i, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (d->sticky != cudaSuccess) {
        return d->sticky;
    }
    *out = d;
    return cudaSuccess;
}

cudaError_t rt_current(struct rt_device **d)
{
    cudaError_t rc = rt_device_open(rt_thread()->device, d);

    if (rc == cudaSuccess && !rt_thread()->in_driver) {
        rt_thread()->bound = (*d)->primary = true;
    }
    return rc;
}

bool rt_note_launch(struct rt_device *d, const struct rt_launch_note *n)
{
    if (d->n_results == d->cap_notes) {
        uint32_t cap = d->cap_notes > 0 ? 2 * d->cap_notes : 64;
        struct rt_launch_note *more = realloc(d->note, cap * sizeof(*more));

        if (more == NULL) {
            return false;
        }
        d->note = more;
        d->cap_notes = cap;
    }
    d->note[d->n_results++] = *n;
    return true;
}

/* Launches that have finished, in their order: what they print goes to the program's
 * output, as on a real device. */
static void tell_finished(struct rt_device *d)
{
    struct rt *rt = rt_process();
    struct smw_result r;

    for (; d->n_finished < d->n_results; d->n_finished++) {
        const struct rt_launch_note *n = &d->note[d->n_finished];
        struct rt_launch_seen seen = {
            .device = rt_device_index(d),
            .number = n->number,
            .result = d->n_finished,
            .timed = n->timed,
            .on = d->dev,
            .module = n->module,
            .kernel = n->kernel,
        };

        if (!smw_result(d->dev, d->n_finished, &r) || !r.finished) {
            return;
        }
        if (r.output_bytes > 0) {
            fwrite(r.output, 1, r.output_bytes, stdout);
        }
        for (uint32_t o = 0; o < rt->n_observers; o++) {
            if (rt->observer[o].launch_finished != NULL) {
                rt->observer[o].launch_finished(rt->observer[o].ctx, &seen, &r);
            }
        }
    }
}

/* What a kernel that failed has printed until then comes too. */
static void print_unfinished(struct rt_device *d)
{
    struct smw_result r;

    for (uint32_t i = d->n_finished; i < d->n_results; i++) {
        if (smw_result(d->dev, i, &r) && r.started && r.output_bytes > 0) {
            fwrite(r.output, 1, r.output_bytes, stdout);
        }
    }
    d->n_finished = d->n_results;
}

static void say_fault(const struct smw_fault *f)
{
    char inlined[512];

    rt_say("%s", f->message);
    if (f->kernel != NULL) {
        rt_say("  in %s, block (%u,%u,%u), thread (%u,%u,%u), cycle %" PRIu64,
               f->kernel, f->block[0], f->block[1], f->block[2], f->thread[0],
               f->thread[1], f->thread[2], f->cycle);
    }
    if (f->inst[0] != '\0') {
        rt_say("  %s", f->inst);
    }
    if (f->file != NULL) {
        smw_inlined_text(&f->inlined, inlined, sizeof(inlined));
        rt_say("  at %s:%u%s", f->file, f->line, inlined);
    } else if (f->ptx_file != NULL) {
        rt_say("  at %s:%u", f->ptx_file, f->ptx_line);
    }
    for (const char *at = f->detail; *at != '\0';) {
        size_t n = strcspn(at, "\n");

        rt_say("  %.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

static void take_fault(struct rt_device *d, const struct smw_fault *f)
{
    struct rt *rt = rt_process();

    d->sticky = rt_error_of(f->code);
    print_unfinished(d);
    fflush(stdout);
    say_fault(f);
    for (uint32_t o = 0; o < rt->n_observers; o++) {
        if (rt->observer[o].faulted != NULL) {
            rt->observer[o].faulted(rt->observer[o].ctx, rt_device_index(d), f);
        }
    }
}

cudaError_t rt_ran(struct rt_device *d, bool ok, const struct smw_err *e,
                   const char *what)
{
    const struct smw_fault *f;

    tell_finished(d);
    if (ok) {
        return cudaSuccess;
    }
    f = smw_fault(d->dev);
    if (f != NULL && f->kind != SMW_ERR_NONE) {
        if (d->sticky == cudaSuccess) {
            take_fault(d, f);
        }
        return d->sticky;
    }
    rt_say_error(what, e);
    return rt_error_of(e->code);
}

cudaError_t rt_settle(struct rt_device *d)
{
    struct smw_err e = {0};
    cudaError_t rc;

    if (d->sticky != cudaSuccess) {
        return d->sticky;
    }
    rc = rt_ran(d, smw_synchronize(d->dev, &e), &e, "waiting for the device");
    smw_host_call(d->dev, SMW_HOST_SYNC);
    if (rc == cudaSuccess) {
        d->busy = false;
        rt_managed_from(d);
    }
    return rc;
}

cudaError_t rt_poll(struct rt_device *d)
{
    struct smw_err e = {0};
    bool ok = true;

    if (d->sticky != cudaSuccess) {
        return d->sticky;
    }
    switch (smw_step(d->dev, POLL_INSTANTS)) {
    case SMW_DONE: d->busy = false; break;
    case SMW_RUNNING:
    case SMW_STOPPED: break;
    case SMW_FAULT:
    case SMW_DEADLOCK:
    case SMW_LIMIT: ok = false; break;
    }
    return rt_ran(d, ok, &e, "asking the device");
}

void rt_device_close(struct rt_device *d)
{
    struct rt *rt = rt_process();
    uint32_t i = rt_device_index(d);

    if (d->dev == NULL) {
        return;
    }
    for (uint32_t o = 0; o < rt->n_observers; o++) {
        if (rt->observer[o].device_closing != NULL) {
            rt->observer[o].device_closing(rt->observer[o].ctx, i, d->dev);
        }
    }
    rt_streams_close(d);
    rt_modules_forget(i);
    rt_memory_forget(i);
    rt_textures_forget(i);
    smw_close(d->dev);
    smw_config_free(d->config);
    free(d->note);
    memset(d, 0, sizeof(*d));
}

/* ---- calls ---- */

static cudaError_t synchronize(void)
{
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc == cudaSuccess) {
        rc = rt_capture_forbids();
    }
    return rc != cudaSuccess ? rc : rt_settle(d);
}

RT_API cudaError_t cudaDeviceSynchronize(void)
{
    return RT_CALL(synchronize());
}

RT_API cudaError_t cudaThreadSynchronize(void)
{
    return RT_CALL(synchronize());
}

/* After a fault of a kernel the device is lost to the process: seen on an H100. */
static cudaError_t reset(void)
{
    struct rt_device *d;
    bool lost;
    cudaError_t rc = rt_device_known(rt_thread()->device, &d);

    if (rc != cudaSuccess) {
        return rc;
    }
    (void)rt_settle(d); /* what it finds was this device's, which goes */
    lost = d->sticky != cudaSuccess;
    rt_device_close(d);
    d->lost = lost;
    return cudaSuccess;
}

RT_API cudaError_t cudaDeviceReset(void)
{
    return RT_CALL(reset());
}

RT_API cudaError_t cudaThreadExit(void)
{
    return RT_CALL(reset());
}

static cudaError_t count(int *n)
{
    cudaError_t rc = rt_start();

    if (n == NULL) {
        return cudaErrorInvalidValue;
    }
    *n = rc == cudaSuccess ? (int)rt_process()->settings.n_devices : 0;
    return rc;
}

RT_API cudaError_t cudaGetDeviceCount(int *n)
{
    return RT_CALL(count(n));
}

static cudaError_t set_device(int i)
{
    struct rt_device *d;
    cudaError_t rc = rt_device_known(i, &d);

    if (rc == cudaSuccess) {
        rt_thread()->device = i;
        rt_thread()->bound = d->primary = true;
    }
    return rc;
}

RT_API cudaError_t cudaSetDevice(int device)
{
    return RT_CALL(set_device(device));
}

static cudaError_t get_device(int *device)
{
    cudaError_t rc = rt_start();

    if (device == NULL) {
        return cudaErrorInvalidValue;
    }
    if (rc == cudaSuccess) {
        *device = rt_thread()->device;
    }
    return rc;
}

RT_API cudaError_t cudaGetDevice(int *device)
{
    return RT_CALL(get_device(device));
}
