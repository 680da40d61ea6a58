/*
 * module.h - what a program registers when it starts, and what becomes of it on a
 * device: fat binaries, kernels and variables. A binary is read, and its PTX loaded on
 * a device, by the first call that needs it there.
 */
#ifndef RUNTIME_MODULE_H
#define RUNTIME_MODULE_H

#include "runtime/rt.h"

struct rt_loaded {             /* a binary on a device */
    struct smw_module *module; /* NULL: not loaded */
    cudaError_t why;           /* it cannot be; cudaSuccess: not tried */
    bool launched;             /* a kernel of it was: the same */
};

struct rt_binary {
    const void **image; /* fatbin_read_memory() reads them; all are linked into one */
    uint32_t n_images;  /* 0: it was loaded on one device, and will be on no other */
    struct rt_loaded on[RT_DEVICES];
    struct rt_function *functions;
    struct rt_variable *variables;
    struct rt_binary *next;
};

struct rt_kernel { /* a function on a device */
    const struct smw_kernel *kernel;
    enum smw_cache_config cache;
    uint32_t bank_mode; /* 0: the device's */
    int carveout;       /* percent; -1: default */
    int max_dynamic;    /* bytes; -1: as it was */
    bool any_cluster;   /* cudaFuncAttributeNonPortableClusterSizeAllowed */
    bool known;
    bool launched; /* the host pays for the first time */
};

/* Its address is what __cudaGetKernel() gives: a handle of its own. */
struct rt_function {
    const void *host; /* NULL: of a library loaded by name */
    const char *name;
    struct rt_binary *in;
    struct rt_kernel on[RT_DEVICES];
    struct rt_function *next;
};

struct rt_variable {
    const void *host;
    const char *name;
    struct rt_binary *in;
    size_t size;
    bool constant;
    void *managed; /* the host's bytes of a __managed__ variable; NULL: it is none */
    bool managed_filled;
    struct rt_variable *next;
};

cudaError_t rt_module(struct rt_device *d, struct rt_binary *b, struct smw_module **m);
/* The images of b, linked, on d; rt_module() keeps what it gives. *e says why not. */
cudaError_t rt_load(struct rt_device *d, const struct rt_binary *b,
                    struct smw_module **m, struct smw_err *e);
/* func: the host's function, or a handle of a kernel. cudaErrorInvalidDeviceFunction:
 * it is NULL; cudaErrorInvalidResourceHandle: it is neither. */
cudaError_t rt_kernel(struct rt_device *d, const void *func, struct rt_function **f,
                      struct rt_kernel **k);
/* symbol: the host's variable. cudaErrorInvalidSymbol. */
cudaError_t rt_symbol(struct rt_device *d, const void *symbol, struct rt_variable **v,
                      uint64_t *addr);
/* All that is registered; what cannot be loaded says so when it is needed. */
void rt_modules_load(struct rt_device *d);
void rt_modules_forget(uint32_t device);
/* The host's bytes of __managed__ variables to the device, before a launch, and back
 * once the device has nothing left to do. */
cudaError_t rt_managed_to(struct rt_device *d);
void rt_managed_from(struct rt_device *d);
/* ---- memory.c ---- */
void rt_memory_forget(uint32_t device);

#endif /* RUNTIME_MODULE_H */
