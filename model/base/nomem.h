/*
 * nomem.h - the host has no memory left.
 *
 * Deep inside a run nobody can hand that back through every caller, so it ends what is
 * being done: nomem_try() calls something and returns false if memory ran out in it,
 * from wherever that was.
 *
 * What was being changed then is half changed: its owner may only be freed, which is
 * why what is allocated has an owner before the next allocation.
 *
 * It holds for its thread; inside another, the innermost counts. Without one, a message
 * and abort(). No locks, no allocation.
 */
#ifndef BASE_NOMEM_H
#define BASE_NOMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* fn(arg): whole (true), or until memory ran out. */
bool nomem_try(void (*fn)(void *arg), void *arg);

/* Is this thread inside of one? */
bool nomem_is_tried(void);

/* To the innermost nomem_try(). */
_Noreturn void nomem(void);

/* p, or nomem() if it is NULL: around what allocates. */
void *nomem_check(void *p);

/* As calloc() and realloc(), never NULL; who is told has p as it was. */
void *nomem_calloc(size_t n, size_t size);
void *nomem_realloc(void *p, size_t size);

/* p has room for *max items of this size: room for twice as many, 16 at first. *max is
 * what there is room for, also for who is told that there is no memory. */
void *nomem_grow(void *p, uint32_t *max, size_t size);

/* text into buf, which is or becomes the caller's and has *room bytes: room grows where
 * it is not enough. Returns buf; who is told has it as it was. */
char *nomem_put_text(char *buf, size_t *room, const char *text);

#endif /* BASE_NOMEM_H */
