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
    SMW_ERR_NOMEM,    /* the host is out of memory */
    SMW_ERR_INTERNAL  /* a broken contract inside the model */
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
};

#ifdef __cplusplus
}
#endif

#endif /* SMWAVE_ERR_H */
