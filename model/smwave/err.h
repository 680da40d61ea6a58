/*
 * smwave/err.h - what went wrong, as a value. Part of the public interface, smwave.h.
 *
 * A function that can fail takes a struct smw_err * last, fills it once (the first
 * refusal wins) and returns false or NULL. Start with one that is all zero. Nothing is
 * printed: what "file:line:column, the source line, a caret, the nearest known name"
 * needs is in the structure.
 */
#ifndef SMWAVE_ERR_H
#define SMWAVE_ERR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum smw_err_kind {
    SMW_ERR_NONE,
    SMW_ERR_USAGE,    /* a wrong command line */
    SMW_ERR_CONFIG,   /* a configuration key or value */
    SMW_ERR_INPUT,    /* PTX, launch file, a launch the device's limits refuse */
    SMW_ERR_KERNEL,   /* the modelled kernel is at fault */
    SMW_ERR_DEADLOCK, /* live warps and nothing left to happen */
    SMW_ERR_LIMIT,    /* cycles or simulated time ran out */
    SMW_ERR_IO,       /* a file could not be read or written */
    SMW_ERR_NOMEM,    /* the host is out of memory; a device refuses what comes then */
    SMW_ERR_INTERNAL  /* a broken contract inside the model */
};

/* What a caller can act on, for instance a runtime library that has numbers of its own
 * for its errors; the texts are for people. */
enum smw_code {
    SMW_CODE_NONE,
    SMW_CODE_INVALID_VALUE, /* an argument, and whatever has no code of its own */
    SMW_CODE_OUT_OF_MEMORY, /* of the device or of the host */
    SMW_CODE_INVALID_CONFIGURATION, /* a launch that the device can never run */
    SMW_CODE_OUT_OF_RESOURCES, /* registers, shared memory ...: too much for a block */
    SMW_CODE_INVALID_PTX,
    SMW_CODE_UNSUPPORTED_PTX, /* correct, as far as is known; not modelled */
    SMW_CODE_NO_KERNEL_IMAGE, /* the kernel needs what this device does not have */
    SMW_CODE_NOT_FOUND,       /* a variable, a kernel, a preset, a key */
    SMW_CODE_INVALID_ADDRESS, /* the host named one that is in no allocation */
    SMW_CODE_COOPERATIVE_TOO_LARGE, /* a cooperative grid that is not resident at once
                                     */
    SMW_CODE_INVALID_CLUSTER,       /* a shape of clusters that cannot be */
    SMW_CODE_NOT_SUPPORTED,         /* this device does not offer it */
    /* of a kernel; the device refuses further launches */
    SMW_CODE_ILLEGAL_ADDRESS, /* no allocation, or of the wrong space */
    SMW_CODE_MISALIGNED,
    SMW_CODE_ILLEGAL_INSTRUCTION, /* one used in a way that is not defined */
    SMW_CODE_ASSERT,
    SMW_CODE_TRAP,
    SMW_CODE_DEADLOCK,
    SMW_CODE_TIMEOUT, /* cycles or simulated time ran out, or a host's request to stop
                       */
    SMW_CODE_LAUNCH_FAILURE /* another fault, and every call after a fault */
};

struct smw_err {
    enum smw_err_kind kind;
    uint32_t line, column; /* 1-based; 0: not known */
    uint32_t width;        /* characters the caret underlines; 0: one */
    char file[256];        /* as the user named it; "" if there is none */
    char message[512];     /* one line, no full stop, lower case first word */
    char hint[256];        /* "did you mean ...", "see ..."; "" if there is none */
    char source[256];      /* the source line the caret points into; "" if none */
    uint32_t caret;        /* column in source, if its front was cut off; 0: column */
    enum smw_code code;
};

#ifdef __cplusplus
}
#endif

#endif /* SMWAVE_ERR_H */
