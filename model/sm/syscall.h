/*
 * syscall.h - what a kernel asks of the system: printf, and to be stopped by a failed
 * assertion or a trap.
 *
 * A call passes its words in the outgoing parameters of the caller's frame, for each
 * lane. printf passes the address of a format and that of the arguments, which lie in
 * local memory as format.h says; they are fetched like any load, one request of 4 bytes
 * a lane after the other, until all lanes have what their formats ask for. Who sends
 * requests, and where the text goes, is the caller's.
 */
#ifndef SM_SYSCALL_H
#define SM_SYSCALL_H

#include "mem/memory.h"

/* Arguments of a lane, at most; what a format asks for beyond reads as 0. */
enum { SYSCALL_BYTES = 256 };

struct syscall_args { /* of a call: word w of a lane is word[w * ISA_LANES + lane] */
    uint32_t *word;   /* result first, then the parameters */
    bool wide;        /* addresses have 64 bits, each aligned to its size */
};

struct syscall {                /* printf under way; zeros: none is */
    uint32_t fetched, bytes;    /* of the arguments, multiples of 4 */
    uint32_t n_args[ISA_LANES]; /* conversions of the lane's format */
    uint8_t args[ISA_LANES][SYSCALL_BYTES];
};

/* From the heap, for free(). */
struct syscall *syscall_new(void);

/* The call at u, whose frame the lanes are in. */
static inline struct syscall_args syscall_args(const struct isa_uop *u,
                                               const struct isa_lanes *lanes, bool wide)
{
    return (struct syscall_args){.word = lanes->r + (size_t)u->frame * ISA_LANES,
                                 .wide = wide};
}

/* Parameter k of the lane, an address. printf: 0 the format, 1 the arguments. */
uint64_t syscall_param(const struct syscall_args *a, uint32_t k, uint32_t lane);

/* printf of the lanes in mask begins: how much is to be fetched. False: nothing is
 * allocated where the format of *lane is, or ends. */
bool syscall_measure(struct syscall *c, const struct memory *m,
                     const struct syscall_args *a, uint32_t mask, uint32_t *lane);

static inline bool syscall_has_begun(const struct syscall *c)
{
    return c->bytes != 0 || c->fetched != 0;
}

static inline bool syscall_has_all(const struct syscall *c)
{
    return c->fetched >= c->bytes;
}

/* Where the next 4 bytes of every lane are, in its local memory. */
void syscall_next(const struct syscall *c, const struct syscall_args *a,
                  uint64_t addr[ISA_LANES]);
/* They are word, for the lanes in mask. */
void syscall_take(struct syscall *c, uint32_t mask, const uint32_t word[ISA_LANES]);

/* All has been printed: printf of the lanes in mask returns how many arguments there
 * were, and the next call begins. */
void syscall_return(struct syscall *c, const struct syscall_args *a, uint32_t mask);

/* Why the lane stops at u, which is a trap or a call of __assertfail(): a text of up to
 * size - 1 characters. Returns the rule it breaks, "trap" or "assertion". */
const char *syscall_stop(const struct isa_uop *u, const struct isa_lanes *lanes,
                         const struct memory *m, uint32_t lane, char *text,
                         size_t size);

#endif /* SM_SYSCALL_H */
