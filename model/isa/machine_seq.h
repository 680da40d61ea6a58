/* machine_seq.h - how the lists of machine instructions are written; private to
 * machine*.c. */
#ifndef ISA_MACHINE_SEQ_H
#define ISA_MACHINE_SEQ_H

#include "isa/uop.h"

/* n turns of the pipe of a class, chain of them on the way to the result. */
#define P(class, n, chain)                                                             \
    {                                                                                  \
        ISA_CL_##class, n, chain                                                       \
    }
/* n instructions, whose result takes that many cycles besides its chain; parts: P(). */
#define SEQ(n, cycles, ...)                                                            \
    {                                                                                  \
        .insts = (n), .wait = (cycles), .part = { __VA_ARGS__ }                        \
    }

#endif /* ISA_MACHINE_SEQ_H */
