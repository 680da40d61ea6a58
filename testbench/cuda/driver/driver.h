/*
 * driver.h - the insides of the driver interface: the CUDA driver API on the devices
 * that the runtime library (runtime/rt.h) has opened.
 *
 * There is one implementation: what both interfaces do, the runtime does, and a
 * function here checks that the driver was initialised and a context is current, calls
 * it, and gives the driver's number of what came out. Here alone are contexts, modules
 * loaded by name and linking. Streams, events, kernels and memory are the same objects
 * in both, so a program may use the two side by side.
 *
 * A device has one address space and one queue for each stream: its contexts share
 * them. With the last of them all that the device holds is gone, unless the runtime's
 * functions have used it too.
 *
 *   context   initialisation, who is current
 *   device    devices and what they are
 *   module    code: from PTX or a fat binary, or linked of several
 *   launch    kernels
 *   memory    taking, giving back, asking about
 *   copy      copies and fills
 *   stream    streams and events
 *   errors    names and texts, refusals
 *   entry     functions by name
 */
#ifndef DRIVER_DRIVER_H
#define DRIVER_DRIVER_H

#include "cuda.h"
#include "runtime/module.h"

struct CUctx_st { /* never freed: stacks of other threads may have it */
    uint32_t device;
    bool primary;
    bool destroyed;
    uint32_t retained; /* of a primary one: cuDevicePrimaryCtxRetain() */
    unsigned flags;    /* CUctx_flags */
    uint64_t id;
};

struct CUmod_st {
    struct rt_binary *binary; /* loaded on the context's device */
    CUcontext context;
    struct CUmod_st *next;
};

/* ---- context.c ---- */

/* Before what a call does. False: the driver was not initialised, the thread is in a
 * callback of a stream, or, if a context is needed, none is current or it was
 * destroyed; cu_refused() is the number then. Until cu_end() the runtime's functions
 * keep no error for cudaGetLastError(). */
bool cu_begin(bool needs_context);
CUresult cu_refused(void);
CUresult cu_end(CUresult rc);
CUresult cu_unlock(CUresult rc); /* the runtime's lock */
/* The driver's number of what a function of the runtime gives. */
CUresult cu_of(cudaError_t e);

/* A function of the runtime, in the current context. */
#define CU_CONTEXT(call) (cu_begin(true) ? cu_end(cu_of(call)) : cu_refused())
/* The same without one. */
#define CU_DEVICE(call) (cu_begin(false) ? cu_end(cu_of(call)) : cu_refused())
/* A function of our own under the runtime's lock, with a context or without. */
#define CU_LOCKED(needs_context, call)                                                 \
    (cu_begin(needs_context) ? (rt_enter(), cu_end(cu_unlock(call))) : cu_refused())

/* The current context, which may have been destroyed; NULL: none. */
CUcontext cu_current(void);
/* Whether c is a context, and none that was destroyed. Under the lock. */
bool cu_context_lives(CUcontext c);
CUcontext cu_primary(uint32_t device);

/* Forms of later releases, which NVIDIA's header has in place of those in ours: what
 * part of a device a context gets (CUDA 11.4, 13), and one with the same parameters. */
struct cu_create_params {
    const void *affinity;
    int n_affinity;
    const void *graphics;
};
CUresult cuCtxCreate_v3(CUcontext *c, const void *affinity, int n, unsigned flags,
                        CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *c, const struct cu_create_params *params,
                        unsigned flags, CUdevice device);
CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end);

/* ---- module.c ---- */

/* What was loaded in c goes; NULL: in any context of the device. Under the lock. */
void cu_modules_forget(uint32_t device, CUcontext c);
/* The kernel that f means, of a module that is loaded on the current context's device.
 * Under the lock. CUDA_ERROR_INVALID_HANDLE. */
CUresult cu_kernel(CUfunction f, struct rt_kernel **k);

/* ---- jit.c: options of calls that compile ---- */

struct cu_log { /* what a program wants to read of an error */
    char *text;
    size_t room;
    void **size_at, **time_at; /* where it is told how much; NULL: nowhere */
    char *info;
    void **info_at;
};

/* CUDA_ERROR_INVALID_VALUE: an option that there is not. */
CUresult cu_log_of(unsigned n, const CUjit_option *option, void **value,
                   struct cu_log *out);
/* e: NULL if all went well. */
void cu_log_write(const struct cu_log *log, const struct smw_err *e);

/* ---- link.c: several texts as one image, in a form of our own ---- */

/* The texts of an image that cuLinkComplete() made: into a list that the caller frees.
 * 0: it is another kind of image. */
uint32_t cu_linked_texts(const void *image, const void ***texts);

#endif /* DRIVER_DRIVER_H */
