/*
 * settings.h - what a program that runs on the modelled device is told from outside:
 * the environment variables that "smwave exec" sets. This table is the only place that
 * names them.
 *
 *   SMWAVE_DEVICE      presets, one for each device, divided by commas: "h100,h100";
 *                      not set: RT_DEFAULT_DEVICE
 *   SMWAVE_SET         key=value pairs for all devices, divided by semicolons
 *   SMWAVE_OUT         a folder for what observers write (observer.h); not set: nothing
 *   SMWAVE_CHECK       none, fast, full or global; not set: fast
 *   SMWAVE_LAUNCHES    "3,7-9,20-": these launches are timed, counted from 1 over all
 *                      devices; the others only compute. Not set: all are timed
 *   SMWAVE_MAX_CYCLES  cycles of a device after which the launch that runs times out;
 *                      not set or 0: never
 *   SMWAVE_THREADS     threads of the host that compute SMs, 1 to 64; not set: 1
 *   SMWAVE_QUIET       1: findings of kernels and refusals are not printed on stderr
 *
 * A value that makes no sense is refused with a sentence that names the variable, and
 * no device is found then.
 */
#ifndef RUNTIME_SETTINGS_H
#define RUNTIME_SETTINGS_H

#include "smwave.h"

#define RT_DEFAULT_DEVICE "h100"

enum {
    RT_DEVICES = 16,       /* most devices of a process */
    RT_LAUNCH_RANGES = 256 /* most ranges of SMWAVE_LAUNCHES */
};

struct rt_settings {
    char device[RT_DEVICES][64]; /* presets */
    uint32_t n_devices;
    const char *set; /* NULL: nothing */
    const char *out; /* NULL: nothing */
    enum smw_check check;
    struct {
        uint64_t first, last;
    } timed[RT_LAUNCH_RANGES];
    uint32_t n_timed; /* 0: every launch */
    uint64_t max_cycles;
    uint32_t threads;
    bool quiet;
};

/* Reads the environment. value(name) gives a variable or NULL; NULL: getenv(). False:
 * *e says which variable is wrong. */
bool rt_settings_read(struct rt_settings *s, const char *(*value)(const char *name),
                      struct smw_err *e);
/* Whether launch number i, counted from 1, is timed. */
bool rt_settings_timed(const struct rt_settings *s, uint64_t i);
/* The configuration of device i: its preset, and what SMWAVE_SET says. NULL and *e:
 * there is no such preset, or a key is wrong. */
struct smw_config *rt_settings_config(const struct rt_settings *s, uint32_t i,
                                      struct smw_err *e);

#endif /* RUNTIME_SETTINGS_H */
