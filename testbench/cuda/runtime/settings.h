/*
 * settings.h - what a program that runs on the modelled device is told from outside:
 * the environment variables that "smwave exec" sets. This table is the only place that
 * names them.
 *
 *   SMWAVE_DEVICE      presets, one for each device, divided by commas: "h100,h100";
 *                      not set: RT_DEFAULT_DEVICE
 *   SMWAVE_SET         key=value pairs for all devices, divided by semicolons
 *   SMWAVE_OUT         a folder, absolute, for what observers write (observer.h); not
 *                      set: nothing is observed, and what follows the next empty line
 *                      says nothing
 *   SMWAVE_CHECK       none, fast, full or global; not set: fast
 *   SMWAVE_LAUNCHES    "3,7-9,20-": these launches are timed, counted from 1 over all
 *                      devices; the others only compute. Not set: all are timed
 *   SMWAVE_MAX_CYCLES  cycles of a device after which the launch that runs times out;
 *                      not set or 0: never
 *   SMWAVE_THREADS     threads of the host that compute SMs, 1 to 64; not set: 1
 *   SMWAVE_QUIET       1: findings of kernels and refusals are not printed on stderr
 *
 *   SMWAVE_TRACE       waveforms, a list as "smwave run --trace" takes it, but for "-"
 *   SMWAVE_VIEW        lists of views, divided by semicolons
 *   SMWAVE_TIMESCALE   ps or cycle
 *   SMWAVE_TRACE_SCOPE, _DEPTH, _START, _STOP, _RING, _ON, _AFTER
 *                      what of the run is traced, as the options of "smwave run"
 *   SMWAVE_EXPLAIN     a number: what memory instructions cost, so many of the worst
 *   SMWAVE_PROFILE     anything: where the cycles went over time
 *   SMWAVE_TRACK       pipelines, timelines and tables of blocks: "pipeline=warp" or
 *                      "pipeline=block", "timeline", "blocks", "from=CYCLE", "max=N",
 *                      divided by commas
 *   SMWAVE_RECORD      a folder, absolute: each launch as a launch file with its data
 *   SMWAVE_STATS       files, absolute, divided by semicolons, that counters of the
 *                      first device go into as well, in the format of their names
 *
 * A value that makes no sense is refused with a sentence that names the variable, and
 * no device is found then.
 */
#ifndef RUNTIME_SETTINGS_H
#define RUNTIME_SETTINGS_H

#include "smwave.h"

#define RT_DEFAULT_DEVICE "h100"

/* Memory of device i begins i * SMW_ADDRESS_SPAN further: above what programs and their
 * heaps use, below the stacks and libraries of Linux, so that host memory can be mapped
 * at the addresses that the device has for it. */
#define RT_ADDRESS_FIRST UINT64_C(0x200000000000)

enum {
    RT_DEVICES = 16,       /* most devices of a process */
    RT_LAUNCH_RANGES = 256 /* most ranges of SMWAVE_LAUNCHES */
};

/* What is for observers alone, as text. */
#define RT_SAID_TABLE(X)                                                               \
    X(TRACE, "SMWAVE_TRACE")                                                           \
    X(VIEW, "SMWAVE_VIEW")                                                             \
    X(TIMESCALE, "SMWAVE_TIMESCALE")                                                   \
    X(TRACE_SCOPE, "SMWAVE_TRACE_SCOPE")                                               \
    X(TRACE_DEPTH, "SMWAVE_TRACE_DEPTH")                                               \
    X(TRACE_START, "SMWAVE_TRACE_START")                                               \
    X(TRACE_STOP, "SMWAVE_TRACE_STOP")                                                 \
    X(TRACE_RING, "SMWAVE_TRACE_RING")                                                 \
    X(TRACE_ON, "SMWAVE_TRACE_ON")                                                     \
    X(TRACE_AFTER, "SMWAVE_TRACE_AFTER")                                               \
    X(EXPLAIN, "SMWAVE_EXPLAIN")                                                       \
    X(PROFILE, "SMWAVE_PROFILE")                                                       \
    X(TRACK, "SMWAVE_TRACK")                                                           \
    X(RECORD, "SMWAVE_RECORD")                                                         \
    X(STATS, "SMWAVE_STATS")

enum rt_said {
#define X(name, variable) RT_SAID_##name,
    RT_SAID_TABLE(X)
#undef X
        RT_SAID_N
};

struct rt_settings {
    char device[RT_DEVICES][256]; /* presets; files, if load is there */
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
    const char *said[RT_SAID_N]; /* NULL: nothing */

    /* What observers ask of the runtime when they are attached; all zero before. */
    bool stalls, host;    /* of struct smw_options */
    bool modules_at_once; /* code is loaded when a device is opened, before the program
                             takes memory there */
    /* Fills c from a name that is no preset. NULL: there are presets alone. */
    bool (*load)(struct smw_config *c, const char *name, struct smw_err *e);
};

/* The variable that says it. */
const char *rt_said_variable(enum rt_said what);

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
