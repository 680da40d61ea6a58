/*
 * printf.h - a call of vprintf by a warp: its arguments are read from local memory, a
 * load of 4 bytes of every lane after the other; then each thread prints.
 */
#ifndef SM_PRINTF_H
#define SM_PRINTF_H

#include "sm/sm_priv.h"

/* The call at which warp i stands; it begins, false: a fault; the
 * next 4 bytes of the arguments as request r, a load of local memory, false: a fault;
 * every thread of the lanes in mask has printed. */
struct syscall_args printf_call(const struct sm *s, uint32_t i);
bool printf_begin(struct sm *s, uint32_t i, uint32_t mask,
                  const struct syscall_args *a);
bool printf_args(struct sm *s, uint32_t i, uint32_t mask, const struct syscall_args *a,
                 struct mem_req *r);
void printf_print(struct sm *s, uint32_t i, uint32_t mask,
                  const struct syscall_args *a);

/* The call, issued for the lanes in mask (not empty); false: it must be issued again
 * for the lanes left in w->replay. */
bool printf_issue(struct sm *s, uint32_t i, uint32_t mask);

#endif /* SM_PRINTF_H */
