/*
 * args.h - the arguments of a launch to a kernel's parameter block.
 *
 *   d            a buffer: its address, for a 64-bit (or 32-bit) integer parameter
 *   t            a texture or surface: its object, for a 64-bit integer parameter
 *   64, -1, 0.5  a number, converted to the parameter's type; what does not fit is
 *                refused. PTX does not say whether an integer is signed, so a u32
 *                parameter takes -2147483648 to 4294967295.
 *   {s16: -3}    these bits; the size must be the parameter's
 *   [d, {f32: 1}]  a structure passed by value: members at their natural alignment
 *   zero         all bytes 0
 *   {raw: 00ff}  these bytes, as many as the parameter has
 */
#ifndef RUN_ARGS_H
#define RUN_ARGS_H

#include "run/launch_file.h"

/* The block of kernel k for launch r of l, buffer i lying at address[i], and
 * behind them the objects of its textures; the caller
 * frees. *bytes: its size. NULL and *e, with the argument's place, on failure. */
void *args_build(const struct launch_file *l, const struct launch_run *r,
                 const struct smw_kernel *k, const uint64_t *address, uint32_t *bytes,
                 struct smw_err *e);

#endif /* RUN_ARGS_H */
