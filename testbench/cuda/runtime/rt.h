/*
 * rt.h - the insides of the runtime library: the CUDA runtime API on the modelled
 * devices of smwave.h.
 *
 * One process has one struct rt, behind one lock: the model steps in whatever thread
 * waits for it. An entry point takes the lock, checks what it was given, turns it into
 * an operation (op.h) or asks the model, and leaves through rt_leave(), which keeps the
 * error for cudaGetLastError().
 *
 *   settings     what the environment says
 *   observer     who looks on
 *   process      lock, errors, the end
 *   errors       their names and texts
 *   handles      which pointers are ours
 *   ranges       which memory a pointer is in
 *   registry     what the program registers
 *   module       its code on a device
 *   device       opening, faults, output of kernels
 *   stream       streams and their order
 *   op           what a stream does: copy, launch, event ...
 *   background   who steps while the program waits
 *   capture      operations recorded as a graph
 *   graph        operations with an order, launched again and again
 */
#ifndef RUNTIME_RT_H
#define RUNTIME_RT_H

#include "cuda_runtime_api.h"
#include "runtime/handles.h"
#include "runtime/observer.h"
#include "runtime/ranges.h"
#include "runtime/settings.h"
#include <pthread.h>
#include <stdatomic.h>

/* What programs call. All else is hidden: a program has names of its own. */
#define RT_API __attribute__((visibility("default")))

enum { RT_PUSHED = 32 }; /* kernel<<<...>>>() in the arguments of another, this deep */

enum { /* of streams: those of CUDA's devices from 7.0 on */
       RT_PRIORITY_LEAST = 0,
       RT_PRIORITY_GREATEST = -5
};

struct rt_op;
struct rt_binary;
struct rt_function;
struct rt_variable;
struct rt_capture;

struct CUstream_st {
    uint32_t device;
    uint32_t id;    /* for the model; 0: the legacy default stream */
    unsigned flags; /* cudaStreamNonBlocking */
    int priority;
    uint64_t n_ops;             /* queued so far */
    uint64_t legacy_seen;       /* n_ops of the legacy stream that this one waits for */
    uint64_t seen_legacy;       /* n_ops of this one that the legacy stream waits for */
    struct rt_capture *capture; /* being recorded; NULL: not */
    cudaGraphNode_t *tail;      /* what the next recorded operation comes after */
    uint32_t n_tail;
    struct CUstream_st *next; /* of the device */
};

struct rt_device {
    struct smw_config *config;
    struct smw_device *dev; /* NULL: not open */
    struct smw_device_facts facts;
    cudaError_t sticky; /* a fault of a kernel; stays until cudaDeviceReset() */
    bool facts_known;
    bool busy;    /* something was queued and perhaps not all has run */
    bool lost;    /* cudaDeviceReset() after a fault */
    bool primary; /* calls of the runtime use it: its primary context is active */
    struct CUstream_st legacy;
    struct CUstream_st *streams;  /* created ones and those of threads */
    uint32_t next_stream;         /* id */
    uint64_t join_mark, join_ops; /* a mark of the legacy stream after so many ops */
    cudaMemPool_t default_pool, pool; /* NULL: not asked for yet */
    uint32_t n_results;               /* launches queued */
    uint32_t n_finished;              /* launches told of, their output printed */
    struct rt_launch_note *note;      /* of each result */
    uint32_t cap_notes;
    bool peer[RT_DEVICES]; /* may use the memory of */
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig bank;
    size_t limit[8]; /* cudaLimit */
    bool limit_set[8];
};

struct rt_launch_note {
    uint64_t number;
    bool timed;
    const struct smw_module *module;
    const struct smw_kernel *kernel;
};

struct rt {
    pthread_mutex_t lock;
    bool started, broken,
        ended; /* settings were read; and are wrong; the program ends */
    struct rt_settings settings;
    struct team *team; /* run/team.h: SMWAVE_THREADS; NULL: one thread */
    struct rt_device device[RT_DEVICES];
    struct rt_observer observer[4];
    uint32_t n_observers;
    struct rt_handles handles;
    struct rt_ranges ranges;
    unsigned flags[RT_DEVICES]; /* cudaSetDeviceFlags() */
    atomic_flag refused;        /* a call that is refused was told of */
    char no_binary;             /* its address: a binary that memory was lacking for */
    uint64_t n_launches;
    uint64_t n_calls; /* of the program */
    bool host_memory; /* there was memory that host and kernels share */
    bool background;  /* the thread of background.c was started */
    struct rt_binary *binaries;
    struct rt_binary *linked; /* of objects that smwave cc -rdc=true made; NULL: none */
    struct rt_capture *captures; /* newest first */
    struct rt_texture *textures; /* textures and surfaces, newest first */
    bool any_managed;            /* there are __managed__ variables */
    struct {
        uintptr_t start, stop; /* where smwave cc puts the host's bytes of such */
    } managed[64];
    uint32_t n_managed;
};

struct rt_pushed { /* what stands between the brackets of kernel<<<...>>>() */
    struct dim3 grid, block;
    size_t shared;
    void *stream;
};

struct rt_thread { /* of the host */
    struct rt_pushed pushed[RT_PUSHED];
    uint32_t n_pushed;
    cudaError_t last;
    int device;
    bool in_callback;
    bool in_driver; /* in a call of the driver interface, which keeps no last error */
    bool bound;     /* a call of the runtime made a device's primary context current */
    bool capture_mode_set;
    enum cudaStreamCaptureMode capture_mode; /* what this thread minds */
    struct CUstream_st *stream[RT_DEVICES];  /* per-thread default streams */
};

struct rt *rt_process(void);
struct rt_thread *rt_thread(void);

/* ---- process.c ---- */

/* Takes the lock; false: this thread is in a callback of a stream, where no CUDA
 * function may be called (cudaErrorNotPermitted). */
bool rt_enter(void);
/* Gives the lock back; e is what the call returns, and cudaGetLastError() too. */
cudaError_t rt_leave(cudaError_t e);
/* Without the lock: only notes e. */
cudaError_t rt_note(cudaError_t e);
/* The lock for a moment in a call that waits for the program's own code. */
#define RT_CALL(call) (rt_enter() ? rt_leave(call) : rt_note(cudaErrorNotPermitted))
/* Settings are read, observers attached. Else cudaErrorNoDevice. */
cudaError_t rt_start(void);
/* A line on stderr, "smwave: ...", unless SMWAVE_QUIET. */
void rt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* what: the kernel or the call it happened in. */
void rt_say_error(const char *what, const struct smw_err *e);

/* ---- background.c ---- */

/* The program may wait for the device without asking it. */
void rt_background(void);

/* ---- errors.c ---- */

cudaError_t rt_error_of(enum smw_code code);

/* ---- device.c ---- */

/* The calling thread's device, open. On error the sticky one, or why it is not there.
 */
cudaError_t rt_current(struct rt_device **d);
/* Device i, open; cudaErrorInvalidDevice. */
cudaError_t rt_device_open(int i, struct rt_device **d);
/* Its facts alone: does not fail after a fault of a kernel. */
cudaError_t rt_device_known(int i, struct rt_device **d);
uint32_t rt_device_index(const struct rt_device *d);
/* After a call of the model that returned ok. Prints and tells what has finished; a
 * fault becomes the device's sticky error, and another error a number. what: for the
 * message. */
cudaError_t rt_ran(struct rt_device *d, bool ok, const struct smw_err *e,
                   const char *what);
/* Everything queued has run. */
cudaError_t rt_settle(struct rt_device *d);
/* A little of what is queued runs: for programs that ask until something is ready. */
cudaError_t rt_poll(struct rt_device *d);
void rt_device_close(struct rt_device *d);
/* Before smw_launch(); n_results goes back by one if that fails. */
bool rt_note_launch(struct rt_device *d, const struct rt_launch_note *n);
/* Device memory may be at addr: no pointer of the host is. */
bool rt_device_window(uint64_t addr);

/* ---- texture.c ---- */

/* Those of device i are no more. */
void rt_textures_forget(uint32_t i);

/* ---- stream.c ---- */

/* The stream a handle means: 0 and cudaStreamLegacy, cudaStreamPerThread, or one that
 * was created. It is of the calling thread's device for the first two. Its device is
 * open. */
cudaError_t rt_stream(cudaStream_t handle, struct CUstream_st **s);
struct rt_device *rt_stream_device(const struct CUstream_st *s);
/* The next operation of s comes after what the rules of default streams say; see there.
 */
cudaError_t rt_order(struct CUstream_st *s);
cudaError_t rt_stream_wait(struct CUstream_st *s); /* until all of it has run */
void rt_streams_close(struct rt_device *d);
/* What the _ptsz functions mean by stream 0. */
cudaStream_t rt_per_thread(cudaStream_t s);

#endif /* RUNTIME_RT_H */
