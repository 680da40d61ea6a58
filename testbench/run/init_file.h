/*
 * init_file.h - a launch file for a kernel, filled in from its PTX: "smwave init".
 *
 * A buffer for each pointer, a number for each scalar, a grid and a block; what is a guess
 * says so in a comment. It runs at once where the guesses fit the kernel.
 */
#ifndef RUN_INIT_FILE_H
#define RUN_INIT_FILE_H

#include "io/file.h"
#include "ptx/ptx.h"

/* Read and lower a PTX file; NULL and *e. Free it with ptx_free(). */
struct ptx_module *init_read(const char *path, struct smw_err *e);

/* The kernel of that name, or the only one if name is NULL. NULL and *e: there is none or
 * several, or it cannot be run. */
const struct ptx_kernel *init_kernel(const struct ptx_module *m, const char *path,
                                     const char *name, struct smw_err *e);

/* What to call it: as in the source, or as in the PTX where two are called so. */
const char *init_kernel_name(const struct ptx_module *m, const struct ptx_kernel *k);

/* "KERNEL.yml", the name without what file names should not have; the caller frees. */
char *init_name(const struct ptx_kernel *k);

/* The launch file's text. module: the PTX file as seen from the launch file's directory;
 * name: of the launch file, for a comment. */
void init_write(struct text *t, const struct ptx_module *m, const struct ptx_kernel *k,
                const char *module, const char *name);

#endif /* RUN_INIT_FILE_H */
